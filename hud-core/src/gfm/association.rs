//! What a reference and its definition are matched by.

/// The label as it is to be written: the label itself, or, without one, the identifier with its
/// escapes and references decoded (identifiers keep them, labels do not).
pub(crate) fn association(label: &Option<String>, identifier: &str) -> String {
    match label {
        Some(label) if !label.is_empty() => label.clone(),
        _ => decode(identifier),
    }
}

/// What two labels have in common that mean the same: words with a space between two, in one case.
/// micromark's `normalizeIdentifier`, in the small letters of mdast.
pub(crate) fn normalize(label: &str) -> String {
    let words: Vec<&str> = label
        .split(['\t', '\n', '\r', ' '])
        .filter(|word| !word.is_empty())
        .collect();
    // Some letters meet in one case only.
    words.join(" ").to_lowercase().to_uppercase().to_lowercase()
}

/// A text without its escapes and character references.
pub(super) fn decode(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find(['\\', '&']) {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let (decoded, size) = decode_start(tail).unwrap_or_else(|| (tail[..1].to_owned(), 1));
        out.push_str(&decoded);
        rest = &tail[size..];
    }
    out.push_str(rest);
    out
}

/// Decodes the escape or character reference at the start of a text, and says how long it is.
fn decode_start(text: &str) -> Option<(String, usize)> {
    if let Some(escaped) = text.strip_prefix('\\') {
        let character = escaped.chars().next().filter(char::is_ascii_punctuation)?;
        return Some((character.to_string(), 2));
    }
    // The longest are of 31 characters; looking no further keeps this linear.
    let body = text.strip_prefix('&')?;
    let end = body.bytes().take(32).position(|byte| byte == b';')?;
    let name = &body[..end];
    let size = 1 + end + 1;
    let Some(number) = name.strip_prefix('#') else {
        return markdown::decode_named(name, true).map(|decoded| (decoded, size));
    };
    let (digits, radix, longest) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 6),
        None => (number, 10, 7),
    };
    let is_number =
        (1..=longest).contains(&digits.len()) && digits.chars().all(|digit| digit.is_digit(radix));
    is_number.then(|| (markdown::decode_numeric(digits, radix), size))
}
