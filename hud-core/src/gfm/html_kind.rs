//! The kind of CommonMark's seven kinds of HTML block that a raw HTML value starts.

/// The names of tags that start a block of kind 6: CommonMark 0.31.2, section 4.6.
const BLOCK_NAMES: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// The names of elements with raw content. Their opening tags start a block of kind 1.
const RAW_NAMES: &[&str] = &["pre", "script", "style", "textarea"];

/// The kind, 1 to 7, by the first characters. `None` for text that starts no HTML.
pub(super) fn html_kind(value: &str) -> Option<u8> {
    let rest = value.strip_prefix('<')?;
    if rest.starts_with("!-") {
        return Some(2);
    }
    if rest.starts_with("![") {
        return Some(5);
    }
    if let Some(rest) = rest.strip_prefix('!') {
        return rest
            .starts_with(|c: char| c.is_ascii_alphabetic())
            .then_some(4);
    }
    if rest.starts_with('?') {
        return Some(3);
    }

    let (closing, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = rest.find(|c: char| c != '-' && !c.is_ascii_alphanumeric());
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let is_in = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));

    if !closing && !rest.starts_with('/') && is_in(RAW_NAMES) {
        Some(1)
    } else if is_in(BLOCK_NAMES) {
        Some(6)
    } else {
        Some(7)
    }
}
