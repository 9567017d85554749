//! Names of tags and props in other languages.

use proc_macro2::{Ident, Span, TokenTree};

use super::capital;
use crate::rsx::parse::Parser;

impl Parser<'_> {
    /// Reports and skips marks in the name of a tag, as in `<ui.Item>` and `<my-item>`. False if there are none.
    pub(in crate::rsx) fn foreign_name(&mut self, name: &mut String, span: Span) -> bool {
        let mut words = vec![name.clone()];
        let mut mark = None;
        while let (Some(TokenTree::Punct(punct)), Some(TokenTree::Ident(word))) =
            (self.peek(0), self.peek(1))
            && matches!(punct.as_char(), '.' | '-' | ':')
            && !(punct.as_char() == ':' && self.is_punct(2, '='))
        {
            mark = Some(punct.as_char());
            words.push(word.to_string());
            self.at += 2;
        }
        let Some(mark) = mark else {
            return false;
        };
        let mended = match mark {
            '.' => words.join("::"),
            _ => words.iter().map(|word| capital(word)).collect(),
        };
        self.diagnostics.note(
            span,
            format!("a tag's name is a path of Rust: write `<{mended}`"),
        );
        *name = words.join(&mark.to_string());
        true
    }

    /// Skips marks and words in the name of a closing tag, and returns them.
    pub(in crate::rsx) fn behind_foreign_name(&mut self) -> String {
        let mut text = String::new();
        while let (Some(TokenTree::Punct(punct)), Some(TokenTree::Ident(word))) =
            (self.peek(0), self.peek(1))
            && matches!(punct.as_char(), '.' | '-' | ':')
        {
            text.push(punct.as_char());
            text.push_str(&word.to_string());
            self.at += 2;
        }
        text
    }

    /// Reports and skips marks in the name of a prop, as in `data-id` and `on:click`. False if there are none.
    pub(in crate::rsx) fn foreign_prop(&mut self, name: &Ident) -> bool {
        let mut words = vec![name.to_string()];
        let mut marks = String::new();
        while let (Some(TokenTree::Punct(punct)), Some(TokenTree::Ident(word))) =
            (self.peek(0), self.peek(1))
            && (matches!(punct.as_char(), '-' | '.')
                || punct.as_char() == ':' && (self.is_punct(2, '=') || is_directive(name)))
        {
            marks.push(punct.as_char());
            words.push(word.to_string());
            self.at += 2;
        }
        if marks.is_empty() {
            return false;
        }
        let whole = words.join(&marks[..1]);
        let message = match (words.as_slice(), marks.as_str()) {
            ([first, item, ..], ":") if first == "let" => {
                format!(
                    "an item is named where it is repeated: write `for {item} in items {{ .. }}`"
                )
            }
            ([first, slot, ..], ":") if first == "slot" => {
                format!("a slot is a prop: write `{slot}=<..>` in the tag that has it")
            }
            ([first, ..], ":") if first == "class" || first == "style" => {
                format!("a layout has no styles: remove `{whole}`")
            }
            ([first, word, ..], "-") if first == "v" && word == "if" => {
                "a choice is made around the tag: write `if condition { .. }`".to_owned()
            }
            ([first, word, ..], "-") if first == "v" && word == "for" => {
                "a repetition is made around the tag: write `for item in items { .. }`".to_owned()
            }
            _ => format!(
                "a prop's name is a word of Rust: `{whole}` may be `{}`",
                words.join("_")
            ),
        };
        self.diagnostics.note(name.span(), message);
        true
    }
}

/// True for a word that other libraries write before a colon, with or without a value.
fn is_directive(word: &Ident) -> bool {
    ["let", "slot", "class", "style", "on", "bind", "use"].contains(&&*word.to_string())
}

/// The replacement for a tag whose name begins with a lowercase letter.
pub(in crate::rsx) fn instead_of(name: &str) -> String {
    match (name, node_for(name)) {
        ("if" | "else", _) => "a choice is no tag: write `if condition { .. }`".to_owned(),
        ("for" | "while" | "loop", _) => {
            "a repetition is no tag: write `for item in items { .. }`".to_owned()
        }
        ("match", _) => "a choice is no tag: write `match value { pattern => .. }`".to_owned(),
        (_, Some(node)) => format!("there are no HTML tags: write `{node}`"),
        (_, None) => format!(
            "a tag's name begins with a capital letter: to show the value, write `{{{name}}}`"
        ),
    }
}

/// The replacement for a helper of another library, or for a tag of HTML that begins with a capital letter. Some
/// helpers are recognized by their props.
pub(in crate::rsx) fn instead_of_helper(
    name: &str,
    gives: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    Some(match name {
        "Fragment" => "write `<>..</>`",
        "Show" if gives("when") => "write `if condition { .. }`",
        "If" if gives("condition") || gives("when") => "write `if condition { .. }`",
        "Match" if gives("when") || gives("on") => "write `match value { pattern => .. }`",
        "For" if gives("each") => "write `for item in items { .. }`",
        "Suspense" if gives("fallback") => {
            "nothing is awaited in a layout: get the data before, and pass it as a prop"
        }
        "H1" | "H2" | "H3" | "H4" | "H5" | "H6" => "write `<Section title=\"..\">..</Section>`",
        "Ul" => "write `<List>..</List>`",
        "Ol" => "write `<List ordered=true>..</List>`",
        "Li" => "write `<Item>..</Item>`",
        "Tr" => "write `<Row>..</Row>`",
        "Td" | "Th" => "write `<Cell>..</Cell>`",
        "Br" => "write `<Break />`",
        "Hr" => "write `<ThematicBreak />`",
        "Div" | "Span" => "write `<>..</>`",
        _ => return None,
    })
}

/// The reason why a tag has no prop with this name, for names of other libraries and for `density`. rustc only lists
/// the existing props.
pub(in crate::rsx) fn why_none(name: &str) -> Option<&'static str> {
    Some(match name {
        "key" => "nothing is compared with what was shown before, so remove it",
        "density" => "give its function an argument `density: Density`",
        "class" | "className" | "class_name" | "style" => "a layout has no styles, so remove it",
        "id" => "nothing refers to an element, so remove it",
        "target" => "nothing is opened, so remove it",
        "onclick" | "onClick" | "on_click" => "nothing is clicked, so remove it",
        "lang" => "code with a language is a `<CodeBlock>`",
        "href" | "src" => "the address of a `<Link>` or an `<Image>` is its `url`",
        _ => return None,
    })
}

/// The node that corresponds to a tag of HTML.
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
