//! What makes text data.

use std::borrow::Cow;

/// The schemes of addresses that a link may lead to.
pub const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// A text as HTML that shows it, in an element or in an attribute between double quotes.
///
/// ```
/// assert_eq!(hud_core::html::escape("a < \"b\""), "a &lt; &quot;b&quot;");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'' | '\0' | '\r');
    if !text.contains(is_special) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // A parser of HTML would take it out, or for another one.
            '\0' => escaped.push('\u{FFFD}'),
            '\r' => escaped.push_str("&#13;"),
            c => escaped.push(c),
        }
    }
    escaped.into()
}

/// Whether a link may lead to an address: it has one of the [`SCHEMES`], or none.
///
/// ```
/// use hud_core::html::is_safe;
///
/// assert!(is_safe("https://example.org") && is_safe("src/a.rs#L1") && is_safe("?a=b:c"));
/// assert!(!is_safe("JavaScript:alert(1)") && !is_safe(" java\nscript:alert(1)"));
/// ```
pub fn is_safe(url: &str) -> bool {
    // A browser takes these out before it looks for a scheme.
    let is_taken_out = |c: char| matches!(c, '\t' | '\n' | '\r');
    let url = url.trim_matches(|c: char| c <= ' ');
    let plain = url.split(is_taken_out).collect::<String>();
    match plain.split_once([':', '/', '?', '#']) {
        Some((scheme, _)) if plain.as_bytes().get(scheme.len()) == Some(&b':') => {
            SCHEMES.iter().any(|safe| scheme.eq_ignore_ascii_case(safe))
        }
        _ => true,
    }
}
