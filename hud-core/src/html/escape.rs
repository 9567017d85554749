//! Escapes of text, and the check of link addresses.

use std::borrow::Cow;

/// The URL schemes that a link may have.
pub const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Escapes a text for HTML, for an element or an attribute in double quotes.
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
            // An HTML parser would remove or replace these characters.
            '\0' => escaped.push('\u{FFFD}'),
            '\r' => escaped.push_str("&#13;"),
            c => escaped.push(c),
        }
    }
    escaped.into()
}

/// True if a link may have this address: its scheme is one of the [`SCHEMES`], or it has none.
///
/// ```
/// use hud_core::html::is_safe;
///
/// assert!(is_safe("https://example.org") && is_safe("src/a.rs#L1") && is_safe("?a=b:c"));
/// assert!(!is_safe("JavaScript:alert(1)") && !is_safe(" java\nscript:alert(1)"));
/// ```
pub fn is_safe(url: &str) -> bool {
    // Browsers remove these characters before they look for a scheme.
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
