//! The character references in text and in quotes, as in JSX.

/// The known names. Unknown references are kept as they are written.
const NAMES: &[(&str, &str)] = &[
    ("amp", "&"),
    ("apos", "'"),
    ("bull", "\u{2022}"),
    ("copy", "\u{a9}"),
    ("gt", ">"),
    ("hellip", "\u{2026}"),
    ("larr", "\u{2190}"),
    ("laquo", "\u{ab}"),
    ("ldquo", "\u{201c}"),
    ("lsquo", "\u{2018}"),
    ("lt", "<"),
    ("mdash", "\u{2014}"),
    ("middot", "\u{b7}"),
    ("nbsp", "\u{a0}"),
    ("ndash", "\u{2013}"),
    ("quot", "\""),
    ("raquo", "\u{bb}"),
    ("rarr", "\u{2192}"),
    ("rdquo", "\u{201d}"),
    ("rsquo", "\u{2019}"),
    ("times", "\u{d7}"),
];

/// The maximum length of a reference.
const MAX_LENGTH: usize = 12;

/// Resolves the references in a text.
pub(super) fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.bytes().take(MAX_LENGTH).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, resolve(&rest[..end])?))) {
            Some((end, resolved)) => {
                decoded.push_str(&resolved);
                rest = &rest[end + 1..];
            }
            None => decoded.push('&'),
        }
    }
    decoded.push_str(rest);
    decoded
}

fn resolve(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).map(String::from);
    }
    NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| (*text).to_owned())
}
