//! Patterns for names, in which `*` is for any text.

use std::borrow::Cow;

use memchr::memchr_iter;

/// Whether a pattern is for a name in small letters. Both are so short that to prepare a search would take longer.
pub fn fits(pattern: &str, name: &str) -> bool {
    // Most are written in small letters.
    let is_small = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    let pattern = match pattern.bytes().all(is_small) {
        true => Cow::Borrowed(pattern),
        false => Cow::Owned(pattern.to_lowercase()),
    };
    let mut pieces = pattern.as_bytes().split(|byte| *byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.as_bytes().strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match find(rest, piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Where a piece is in a name.
fn find(name: &[u8], piece: &[u8]) -> Option<usize> {
    let Some(first) = piece.first() else {
        return Some(0);
    };
    memchr_iter(*first, name).find(|at| name[*at..].starts_with(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_for_any_text_and_the_rest_for_itself() {
        for (pattern, name, is_fit) in [
            ("*claude*", "anthropic/claude-opus-4", true),
            ("gpt-5", "gpt-5", true),
            ("gpt-5", "gpt-5-mini", false),
            ("gpt-5*", "openai/gpt-5", false),
            ("GPT-*-mini", "gpt-5-mini", true),
            ("a*a", "a", false),
            ("*", "", true),
            ("", "", true),
            ("", "x", false),
            ("*b*c*", "abxcx", true),
        ] {
            assert_eq!(fits(pattern, name), is_fit, "{pattern} {name}");
        }
    }
}
