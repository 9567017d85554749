//! Secrets in the lines below a label: recovery codes, the words of a wallet, a section of a file, a
//! manifest.

use super::near::is_strong;
use super::value::{Bond, Sort, has_digit, is_chosen, value};
use super::{Part, run, run_back};

/// The maximum number of bytes of a list that are searched.
const LONGEST: usize = 1_200;

/// Finds the recovery codes after their label, which ends at `end`.
pub(super) fn codes(bytes: &[u8], end: usize, found: &mut Vec<(usize, usize)>) {
    /// The maximum number of words between the label and its first code.
    const MOST_WORDS: usize = 6;
    let until = bytes.len().min(end + LONGEST);
    let (mut at, mut words, mut has_found) = (end, 0, false);
    // The text is a label such as `2FA recovery codes: …`, and not a sentence.
    let mut is_open = false;
    while at < until {
        let byte = bytes[at];
        if !byte.is_ascii_alphanumeric() {
            // A blank line ends the list.
            if has_found && bytes[at..].starts_with(b"\n\n") {
                return;
            }
            is_open |= matches!(byte, b':' | b'\n' | b'[' | b'=');
            at += 1;
            continue;
        }
        let length = run(bytes, at, |byte| {
            byte.is_ascii_alphanumeric() || byte == b'-'
        });
        let pair = pair_of_digits(bytes, at);
        if is_open && (pair.is_some() || is_code(&bytes[at..at + length])) {
            let last = pair.unwrap_or(at + length);
            found.push((at, last));
            (has_found, at) = (true, last);
            continue;
        }
        // The number of an item does not count as a word.
        let is_number = bytes[at..at + length].iter().all(u8::is_ascii_digit) && length <= 2;
        words += usize::from(!is_number);
        if has_found && !is_number || words > MOST_WORDS {
            return;
        }
        at += length;
    }
}

/// True if a word is a recovery code: groups of letters and digits of the same length.
fn is_code(word: &[u8]) -> bool {
    const LEAST: usize = 8;
    let mut groups = word.split(|byte| *byte == b'-');
    let first = groups.next().map_or(0, <[u8]>::len);
    let count = 1 + groups.clone().count();
    first >= 4
        && groups.all(|group| group.len() == first)
        && word.len() >= LEAST
        && has_digit(word)
        && (count > 1 || word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2)
}

/// Returns the end of two groups of four digits, a form of some codes.
fn pair_of_digits(bytes: &[u8], at: usize) -> Option<usize> {
    let is_group = |from: usize| {
        run(bytes, from, |byte| byte.is_ascii_digit()) == 4
            && !bytes.get(from + 4).is_some_and(u8::is_ascii_alphanumeric)
    };
    (is_group(at) && bytes.get(at + 4) == Some(&b' ') && is_group(at + 5)).then_some(at + 9)
}

/// Returns the words of a wallet soon after a byte offset, with their numbers, if there are enough of
/// them.
pub(super) fn seed(bytes: &[u8], end: usize) -> Part {
    /// The maximum number of bytes between the label and the phrase.
    const FARTHEST: usize = 120;
    let until = bytes.len().min(end + FARTHEST);
    let mut at = end;
    while at < until {
        let is_begin = bytes[at].is_ascii_alphanumeric()
            && !bytes[at - 1].is_ascii_alphanumeric()
            && bytes[at - 1].is_ascii();
        if is_begin {
            match words_of_seed(bytes, at) {
                Ok(last) => return Some((at, last)),
                Err(last) => at = at.max(last),
            }
        }
        at += 1;
    }
    None
}

/// The words that are frequent in sentences, but not in wallet phrases.
const OF_SENTENCES: [&[u8]; 42] = [
    b"the", b"and", b"for", b"that", b"with", b"from", b"are", b"was", b"not", b"have", b"has",
    b"but", b"its", b"into", b"then", b"than", b"there", b"which", b"were", b"been", b"would",
    b"could", b"them", b"they", b"your", b"our", b"how", b"does", b"did", b"where", b"what",
    b"who", b"why", b"his", b"her", b"please", b"should", b"must", b"used", b"also", b"more",
    b"some",
];

/// Returns the end of a phrase of at least twelve words that begins at `begin`. If there are fewer, the
/// error is the end of these.
fn words_of_seed(bytes: &[u8], begin: usize) -> Result<usize, usize> {
    const LEAST: usize = 12;
    const MOST: usize = 24;
    let (mut at, mut count, mut last) = (begin, 0, begin);
    while count < MOST {
        // `1. `, `2) `
        let digits = run(bytes, at, |byte| byte.is_ascii_digit());
        if (1..=2).contains(&digits) {
            at += digits;
            at += run(bytes, at, |byte| b".): ".contains(&byte)).min(3);
        }
        let length = run(bytes, at, |byte| byte.is_ascii_lowercase());
        let word = &bytes[at..at + length];
        if !(3..=8).contains(&length) || OF_SENTENCES.contains(&word) {
            break;
        }
        (count, last) = (count + 1, at + length);
        at = last;
        at += run(bytes, at, |byte| b" ,\n\r\t\"'".contains(&byte)).min(8);
        if at == last {
            break;
        }
    }
    if count >= LEAST { Ok(last) } else { Err(last) }
}

/// Finds the values in the lines of a section of secrets, whose name ends at `end`: `[passwords]`,
/// `secrets:`.
pub(super) fn section(bytes: &[u8], begin: usize, end: usize, found: &mut Vec<(usize, usize)>) {
    const MOST_LINES: usize = 24;
    let line = run_back(&bytes[..begin], 80, |byte| *byte != b'\n');
    let before = &bytes[begin - line..begin];
    let indent = before.iter().take_while(|byte| **byte == b' ').count();
    let is_yaml = bytes.get(end) == Some(&b':');
    let is_ini = bytes.get(end) == Some(&b']') && before.last() == Some(&b'[');
    let mut at = end + 1;
    at += run(bytes, at, |byte| matches!(byte, b' ' | b'\r'));
    if !(is_yaml || is_ini) || bytes.get(at) != Some(&b'\n') {
        return;
    }
    at += 1;
    for _ in 0..MOST_LINES {
        let length = run(bytes, at, |byte| byte != b'\n');
        let text = &bytes[at..at + length];
        let lead = text.iter().take_while(|byte| **byte == b' ').count();
        if text.trim_ascii().is_empty() || text.starts_with(b"[") || is_yaml && lead <= indent {
            return;
        }
        let sign = text.iter().position(|byte| matches!(byte, b':' | b'='));
        if let Some(sign) = sign {
            let from = at + sign + 1;
            let from = from + run(bytes, from, |byte| byte == b' ');
            let is_worth = |(first, last): &(usize, usize)| {
                let given = &bytes[*first..*last];
                is_strong(given, true) || has_digit(given) && given.len() >= 8 && is_chosen(given)
            };
            found.extend(value(bytes, from, Sort::Password, Bond::Line).filter(is_worth));
        }
        at += length + 1;
        if at >= bytes.len() {
            return;
        }
    }
}

/// Finds the values of a manifest of secrets around a byte offset: those below `data:` and
/// `stringData:`.
pub(super) fn manifest(bytes: &[u8], place: usize, found: &mut Vec<(usize, usize)>) {
    const AROUND: usize = 4_096;
    let from = place.saturating_sub(AROUND);
    let begin = bytes[from..place]
        .windows(4)
        .rposition(|four| four == b"\n---")
        .map_or(from, |at| from + at + 4);
    let until = bytes.len().min(place + AROUND);
    let end = bytes[place..until]
        .windows(4)
        .position(|four| four == b"\n---")
        .map_or(until, |at| place + at);
    let mut data: Option<usize> = None;
    let mut at = begin;
    while at < end {
        let length = memchr::memchr(b'\n', &bytes[at..end]).unwrap_or(end - at);
        let text = &bytes[at..at + length];
        let lead = text.iter().take_while(|byte| **byte == b' ').count();
        let line = text[lead..].trim_ascii_end();
        match data {
            _ if line.is_empty() => {}
            _ if matches!(line, b"data:" | b"stringData:") => data = Some(lead),
            Some(indent) if lead > indent => {
                let sign = line.iter().position(|byte| *byte == b':').unwrap_or(0);
                let value = line[sign..].strip_prefix(b":").unwrap_or(line).trim_ascii();
                let value = match value {
                    [b'"' | b'\'', inner @ .., b'"' | b'\''] => inner,
                    value => value,
                };
                let is_variable =
                    value.starts_with(b"{{") || value.starts_with(b"$") || value.starts_with(b"<");
                let is_text = value.iter().any(u8::is_ascii_alphanumeric);
                if value.len() >= 4 && is_text && !is_variable {
                    let first = at + (value.as_ptr() as usize - text.as_ptr() as usize);
                    found.push((first, first + value.len()));
                }
            }
            Some(_) => data = None,
            None => {}
        }
        at += length + 1;
    }
}

/// Returns the last field of a line of a cookie file, whose fields are separated by tabs.
pub(super) fn jar(bytes: &[u8], place: usize) -> Part {
    const FIELDS: usize = 7;
    let before = run_back(&bytes[..place], 300, |byte| *byte != b'\n');
    let begin = place - before;
    let line = &bytes[begin..begin + run(bytes, begin, |byte| byte != b'\n' && byte != b'\r')];
    let fields = line.split(|byte| *byte == b'\t').count();
    let last = line.iter().rposition(|byte| *byte == b'\t')? + 1;
    let is_worth = fields == FIELDS && line.len() - last >= 8;
    is_worth.then_some((begin + last, begin + line.len()))
}

/// Returns the lines of a PuTTY key. Their number is after `end`.
pub(super) fn putty(bytes: &[u8], end: usize) -> Part {
    let at = end + run(bytes, end, |byte| byte == b' ');
    let digits = run(bytes, at, |byte| byte.is_ascii_digit()).min(3);
    let count: usize = std::str::from_utf8(&bytes[at..at + digits])
        .ok()?
        .parse()
        .ok()?;
    let begin = at + digits + run(bytes, at + digits, |byte| b"\r\n\\n".contains(&byte)).min(2);
    let mut last = begin;
    for _ in 0..count.min(60) {
        let length = run(bytes, last, |byte| byte.is_ascii_graphic());
        last += length;
        last += run(bytes, last, |byte| matches!(byte, b'\r' | b'\n' | b' '));
    }
    let last = last - run_back(&bytes[begin..last], 80, u8::is_ascii_whitespace);
    (last > begin + 16).then_some((begin, last))
}

/// Returns the secret of a driver's address: `jdbc:oracle:thin:user/…@host`. The user begins at `end`.
pub(super) fn driver(bytes: &[u8], end: usize) -> Part {
    let length = run(bytes, end, |byte| {
        byte.is_ascii_graphic() && !b"\"'`<>".contains(&byte)
    });
    let text = &bytes[end..end + length];
    let slash = text.iter().position(|byte| *byte == b'/')?;
    let sign = text.iter().rposition(|byte| *byte == b'@')?;
    let given = text.get(slash + 1..sign)?;
    let is_variable = given.starts_with(b"$") || given.starts_with(b"{") || given.is_empty();
    (!is_variable && slash > 0).then_some((end + slash + 1, end + sign))
}

/// Returns the password of a network in the text of a Wi-Fi code for phones: `WIFI:T:WPA;S:home;P:…;;`.
pub(super) fn network(bytes: &[u8], end: usize) -> Part {
    let length = run(bytes, end, |byte| byte != b'\n').min(200);
    let at = bytes[end..end + length]
        .windows(3)
        .position(|three| three == b";P:")?;
    let begin = end + at + 3;
    let length = run(bytes, begin, |byte| byte != b';' && byte != b'\n');
    (length >= 4).then_some((begin, begin + length))
}
