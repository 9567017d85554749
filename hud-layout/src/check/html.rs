//! Tags of HTML, which people write who know it.

/// The node that is what a tag of HTML is. `rsx!` has the same table, which no program can reach.
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
