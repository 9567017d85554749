//! Encoded secrets: Base64 or hexadecimal text that a command or a call decodes, and lists of character
//! codes.

use std::sync::LazyLock;

use data_encoding::{BASE64_NOPAD, Encoding, HEXLOWER_PERMISSIVE};

use super::near::is_strong;
use super::value::{distinct, has_digit, holds_harmless, quote, quoted};
use super::{Part, run, run_back};

/// The maximum number of bytes between a call and the text that it decodes.
const REACH: usize = 40;

/// True if a Base64 or hexadecimal text decodes to a word, and not to a sentence, an image or a number.
pub(super) fn is_encoded_word(text: &[u8]) -> bool {
    is_word(base64(text)) || is_word(base16(text))
}

fn is_word(decoded: Option<Vec<u8>>) -> bool {
    decoded.is_some_and(|decoded| {
        (4..=200).contains(&decoded.len())
            && decoded.iter().all(u8::is_ascii_graphic)
            && decoded.iter().any(u8::is_ascii_alphanumeric)
    })
}

/// Decodes Base64 text of either alphabet, with or without padding.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    const LEAST: usize = 8;
    const PADDING: usize = 2;
    static ENCODING: LazyLock<Option<Encoding>> = LazyLock::new(|| {
        let mut base64 = BASE64_NOPAD.specification();
        base64.translate.from.push_str("-_");
        base64.translate.to.push_str("+/");
        base64.check_trailing_bits = false;
        base64.encoding().ok()
    });
    let signs = run_back(text, usize::MAX, |byte| *byte == b'=');
    if text.len() < LEAST || signs > PADDING {
        return None;
    }
    ENCODING.as_ref()?.decode(&text[..text.len() - signs]).ok()
}

/// Decodes hexadecimal text.
fn base16(text: &[u8]) -> Option<Vec<u8>> {
    const LEAST: usize = 8;
    let text = Some(text).filter(|text| text.len() >= LEAST)?;
    HEXLOWER_PERMISSIVE.decode(text).ok()
}

/// Returns the encoded text of a decoding call whose name ends at a byte offset: `atob("…")`.
pub(super) fn decoded(bytes: &[u8], end: usize) -> Part {
    let until = bytes.len().min(end + REACH);
    let at = (end..until).find(|at| quote(bytes, *at).is_some())?;
    if bytes[end..at].iter().any(|byte| b"\n;)".contains(byte)) {
        return None;
    }
    let opened = quote(bytes, at)?;
    let begin = at + opened.1;
    let close = quoted(bytes, begin, opened)?;
    is_encoded_word(&bytes[begin..close]).then_some((begin, close))
}

/// Returns the list of character codes soon after a byte offset, if it spells a secret:
/// `fromCharCode(75, 97, …)`.
pub(super) fn codes(bytes: &[u8], end: usize, is_named: bool) -> Part {
    let until = bytes.len().min(end + REACH);
    let mut at = end;
    while at < until {
        match bytes[at] {
            b'\n' | b';' => return None,
            b'0'..=b'9' if is_apart(bytes, at) => {
                if let Some(found) = list(bytes, at, is_named) {
                    return Some(found);
                }
                at += run(bytes, at, |byte| byte.is_ascii_alphanumeric());
            }
            _ => at += 1,
        }
    }
    None
}

fn is_apart(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1)
        .is_none_or(|before| b"([{, ".contains(&bytes[before]))
}

/// Returns the list of codes from a byte offset on.
fn list(bytes: &[u8], begin: usize, is_named: bool) -> Part {
    const LEAST: usize = 6;
    const MOST: usize = 200;
    let (mut at, mut last) = (begin, begin);
    let mut decoded = Vec::new();
    while decoded.len() < MOST {
        let is_hex = bytes[at..].starts_with(b"0x");
        let digits = at + if is_hex { 2 } else { 0 };
        let length = run(bytes, digits, |byte| byte.is_ascii_hexdigit());
        let number = std::str::from_utf8(&bytes[digits..digits + length]).ok()?;
        let radix = if is_hex { 16 } else { 10 };
        let Some(code) = u8::from_str_radix(number, radix)
            .ok()
            .filter(u8::is_ascii_graphic)
        else {
            break;
        };
        decoded.push(code);
        last = digits + length;
        at = last;
        at += run(bytes, at, |byte| b" ,.+&|)\t".contains(&byte)).min(8);
        let rest = &bytes[at..];
        at += match rest {
            [b'c' | b'C', b'h' | b'H', b'r' | b'R', b'(', ..] => 4,
            _ => 0,
        };
        if at == last || !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            break;
        }
    }
    let is_made = has_digit(&decoded)
        && decoded.iter().any(u8::is_ascii_alphabetic)
        && !holds_harmless(&decoded);
    let is_worth =
        is_strong(&decoded, true) || is_made && (is_named || distinct(&decoded) >= LEAST);
    (decoded.len() >= LEAST && is_worth).then_some((begin, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words_are_told_from_other_texts() {
        for text in [
            "c2VjcmV0",
            "aHVudGVyMg==",
            "aHVudGVyMg",
            "S2FiZWw3Mzkh",
            "eHl-P2E_Pj8=",
            "68756e74657232",
            "68756E74657232",
        ] {
            assert!(is_encoded_word(text.as_bytes()), "{text}");
        }
        // `hello world`, a commit hash, and texts that are not Base64.
        for text in [
            "aGVsbG8gd29ybGQ=",
            "3f786850e387550f",
            "hello there",
            "iVBORw0KGgo=",
        ] {
            assert!(!is_encoded_word(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn codes_of_characters_are_a_secret_if_they_spell_one() {
        for (text, is_one) in [
            ("75, 97, 98, 101, 108, 55, 51, 57, 33)", true),
            ("0x4b, 0x61, 0x62, 0x65, 0x6c, 0x37, 0x33, 0x39]", true),
            ("72, 101, 108, 108, 111, 33, 33)", false),
            ("1, 2, 3, 4, 5, 6, 7, 8)", false),
        ] {
            assert_eq!(codes(text.as_bytes(), 0, false).is_some(), is_one, "{text}");
        }
    }
}
