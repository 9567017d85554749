//! Tags of HTML, which authors may write out of habit.

/// The node that corresponds to a tag of HTML. `rsx!` has the same table, which is private to its macro crate.
pub(super) fn node_for(name: &str) -> Option<&'static str> {
    Some(match name {
        "p" => "<Paragraph>",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "section" | "header" | "article" => {
            "<Section title=..>"
        }
        "ul" | "ol" | "menu" => "<List>",
        "li" => "<Item>",
        "b" | "strong" => "<Strong>",
        "i" | "em" => "<Emphasis>",
        "s" | "del" | "strike" => "<Delete>",
        "code" | "kbd" | "samp" | "tt" => "<Code>",
        "pre" => "<CodeBlock>",
        "a" => "<Link url=..>",
        "img" => "<Image url=..>",
        "br" => "<Break />",
        "hr" => "<ThematicBreak />",
        "blockquote" => "<Quote>",
        "table" => "<Table>",
        "tr" => "<Row>",
        "td" | "th" => "<Cell>",
        "div" | "span" | "main" | "body" | "template" => "<>",
        _ => return None,
    })
}
