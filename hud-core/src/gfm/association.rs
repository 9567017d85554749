//! Labels, which match a reference with its definition.

/// The label to write. Without a label, it is the identifier with its escapes and references
/// decoded (identifiers keep them, labels do not).
pub(crate) fn association(label: &Option<String>, identifier: &str) -> String {
    match label {
        Some(label) if !label.is_empty() => label.clone(),
        _ => decode(identifier),
    }
}

/// Normalizes a label for comparison: collapses white space and folds case. It is micromark's
/// `normalizeIdentifier`, in the lower case of mdast.
pub(crate) fn normalize(label: &str) -> String {
    let words: Vec<&str> = label
        .split(['\t', '\n', '\r', ' '])
        .filter(|word| !word.is_empty())
        .collect();
    // Some letters are equal in only one case.
    words.join(" ").to_lowercase().to_uppercase().to_lowercase()
}

/// Decodes the escapes and character references of a text.
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

/// Decodes the escape or character reference at the start of a text, and returns its length, too.
fn decode_start(text: &str) -> Option<(String, usize)> {
    if let Some(escaped) = text.strip_prefix('\\') {
        let character = escaped.chars().next().filter(char::is_ascii_punctuation)?;
        return Some((character.to_string(), 2));
    }
    // The longest name has 31 characters. The limit keeps this linear.
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
