//! Secrets in the context of a credential: the text near a word for one, the arguments of a call that
//! signs in, and the column of a table with such a heading. A value without a name directly before it
//! counts if it looks like a password or token: it mixes classes of characters, and is not a name, path,
//! version or number.

use super::given::without_escapes;
use super::value::{
    Bond, Sort, distinct, has_digit, is_chosen, is_masked, is_member, is_passphrase, looks_random,
    quote, quoted, sort, value,
};
use super::{Part, run, run_back};

/// The maximum number of bytes between a word and its value.
const REACH: usize = 120;

/// The fields that contain the value for the name in another field.
const VALUES: [&str; 12] = [
    "value", "val", "string", "text", "content", "with", "data", "body", "default", "to", "plain",
    "secret",
];

/// True if a value looks like a password or token. `is_quoted` is true if quotes show where it ends.
pub(super) fn is_strong(given: &[u8], is_quoted: bool) -> bool {
    const LEAST: usize = 8;
    const LONGEST: usize = 200;
    let is_of_value =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&*+?@~^.-_=/,;:".contains(byte);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    if !(LEAST..=LONGEST).contains(&given.len())
        || !given.iter().all(is_of_value)
        || !has_digit(given)
        || !given.iter().any(is_letter)
        || distinct(given) < 6
        || is_masked(given)
        || is_name_like(given)
    {
        return false;
    }
    // Names in code also have capital letters and numbers within, but fewer.
    let turns = turns(given);
    let least = if is_quoted { 5 } else { 3 };
    let is_chance = looks_random(given) && !is_number(given) && turns * least >= given.len();
    if is_chance && !given.contains(&b'/') {
        return true;
    }
    let signs = given
        .iter()
        .skip(1)
        .filter(|byte| b"!#$%&*+?@~^".contains(byte))
        .count();
    let upper = given.iter().any(u8::is_ascii_uppercase);
    let lower = given.iter().any(u8::is_ascii_lowercase);
    // Names such as `Testing2` and `useAuth2` also end in a number.
    let is_mixed = upper && lower && turns >= 3 && turns * 4 >= given.len();
    let is_worth = match is_quoted {
        true => {
            is_mixed
                || signs > 0 && (upper && lower || turns >= 2)
                // `Boltaklak247.`
                || upper && lower && given.last() == Some(&b'.')
        }
        false => {
            (is_mixed && turns * 3 >= given.len() && given.len() >= 10)
                || signs > 0 && upper && lower
        }
    };
    is_worth && is_chosen(given)
}

/// Returns the number of changes between letters and digits. A word with a capital letter or a number at
/// its end has few.
fn turns(given: &[u8]) -> usize {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 0,
    };
    let differ = |two: &&[u8]| match (class(two[0]), class(two[1])) {
        (0, _) | (_, 0) | (3, 2) => false,
        (before, behind) => before != behind,
    };
    given.windows(2).filter(differ).count()
}

/// True for a hexadecimal number or a part of one, with or without separators between its digits.
fn is_number(given: &[u8]) -> bool {
    given
        .iter()
        .all(|byte| byte.is_ascii_hexdigit() || b"-:_".contains(byte))
}

/// True for a text that names something: a path, an address, a member, a package with its version, a
/// date.
fn is_name_like(given: &[u8]) -> bool {
    let first = given.first().copied().unwrap_or_default();
    let holds = |sign: &[u8]| given.windows(sign.len()).any(|part| part == sign);
    let is_package = given
        .iter()
        .rposition(|byte| *byte == b'@')
        .is_some_and(|at| {
            let behind = &given[at + 1..];
            let is_version =
                behind.first().is_some_and(u8::is_ascii_digit) && behind.contains(&b'.');
            is_version || behind.contains(&b'.') && behind.iter().any(u8::is_ascii_lowercase)
        });
    let slashes = given.iter().filter(|byte| **byte == b'/').count();
    let is_query = given.contains(&b'=') && !given.ends_with(b"=");
    matches!(
        first,
        b'/' | b'.' | b'-' | b'@' | b'$' | b'#' | b':' | b',' | b';' | b'=' | b'&'
    ) || slashes > 0 && !looks_random(given)
        || holds(b"://")
        || holds(b"::")
        || is_query
        || given.contains(&b',')
        || given.contains(&b';')
        || given.contains(&b':')
        || is_package
        || is_member(given) && turns(given) * 4 < given.len()
}

/// Returns the value near a word for a secret, which is from `begin` to `end`. The value follows the word,
/// or precedes it in the same call or sentence.
pub(super) fn near(bytes: &[u8], begin: usize, end: usize, kind: Sort) -> Part {
    typed(bytes, end, kind)
        .or_else(|| adjacent(bytes, end, kind))
        .or_else(|| nested(bytes, end, kind))
        .or_else(|| attribute(bytes, begin, end, kind))
        .or_else(|| folded(bytes, end, kind))
        .or_else(|| below(bytes, end, kind))
        .or_else(|| alone(bytes, end, kind))
        .or_else(|| behind(bytes, end))
        .or_else(|| before(bytes, begin, end))
}

/// Returns the quoted value after a quoted name, with only blanks between: `writeText "wifi-pw" "…"`.
fn adjacent(bytes: &[u8], end: usize, kind: Sort) -> Part {
    let (_, width) = quote(bytes, end)?;
    let at = end + width + run(bytes, end + width, |byte| matches!(byte, b' ' | b'\t'));
    if at == end + width {
        return None;
    }
    quote(bytes, at)?;
    let (begin, last) = value(bytes, at, kind, Bond::Loose)?;
    let given = &bytes[begin..last];
    let is_words = || std::str::from_utf8(given).is_ok_and(is_passphrase);
    let is_password = kind == Sort::Password
        && given.len() >= 6
        && (has_digit(given) && is_chosen(given) || is_words());
    let is_place = given.contains(&b'/') || is_member(given);
    (!is_place && (is_password || looks_random(given))).then_some((begin, last))
}

/// Returns the word that is alone on the next line with text, if the line of the label ends with a colon:
/// `use this password to go on:`.
fn alone(bytes: &[u8], end: usize, kind: Sort) -> Part {
    const LINE: usize = 100;
    let length = run(bytes, end, |byte| byte != b'\n').min(LINE);
    let line = bytes[end..end + length].trim_ascii_end();
    let is_sentence = |byte: &u8| !b"\"'`(){}=<>|".contains(byte);
    if bytes.get(end + length) != Some(&b'\n')
        || !line.ends_with(b":")
        || !line.iter().all(is_sentence)
    {
        return None;
    }
    let begin = end + length + run(bytes, end + length, |byte| byte.is_ascii_whitespace()).min(80);
    let lines = bytes[end + length..begin].iter();
    if lines.filter(|byte| **byte == b'\n').count() > 2 {
        return None;
    }
    let length = run(bytes, begin, |byte| byte.is_ascii_graphic());
    let given = &bytes[begin..begin + length];
    let behind = bytes[begin + length..].iter();
    let rest = behind.take_while(|byte| **byte != b'\n');
    let is_alone = rest.take(LINE).all(u8::is_ascii_whitespace);
    let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&*+?@~^.-_=".contains(byte);
    let is_password = kind == Sort::Password
        && given.len() >= 6
        && has_digit(given)
        && given.iter().any(u8::is_ascii_alphabetic)
        && is_chosen(given);
    let is_worth = is_password
        || is_groups_of_digits(given)
        || looks_random(given) && !is_number(given)
        || is_key_in_base_16(given);
    let is_value = given.iter().all(of_word) && !is_masked(given) && !is_name_like(given);
    (is_alone && is_value && is_worth).then_some((begin, begin + length))
}

/// True for a recovery key of groups of digits: `115610-200299-…`.
fn is_groups_of_digits(given: &[u8]) -> bool {
    let groups = || given.split(|byte| *byte == b'-');
    let is_group = |group: &[u8]| group.len() >= 4 && group.iter().all(u8::is_ascii_digit);
    groups().count() >= 4 && groups().all(is_group)
}

/// True for a hexadecimal number that is as long as keys are.
fn is_key_in_base_16(given: &[u8]) -> bool {
    matches!(given.len(), 32 | 40 | 48 | 64 | 96 | 128)
        && given.iter().all(u8::is_ascii_hexdigit)
        && distinct(given) >= 8
}

/// Returns the private key of an account, of 64 hexadecimal digits, if a word for one is near. `0x` is
/// from `begin` to `end`.
pub(super) fn account(bytes: &[u8], begin: usize, end: usize) -> Part {
    const DIGITS: usize = 64;
    const WORDS: [&[u8]; 10] = [
        b"private",
        b"privkey",
        b"priv_key",
        b"signer",
        b"wallet",
        b"secret",
        b"mnemonic",
        b"deployer",
        b"keystore",
        b"import_key",
    ];
    // The words for public numbers with as many digits.
    const OTHERS: [&[u8]; 7] = [
        b"hash", b"public", b"pubkey", b"root", b"topic", b"block", b"tx",
    ];
    let length = run(bytes, end, |byte| byte.is_ascii_alphanumeric());
    let given = &bytes[end..end + length];
    if length != DIGITS || !is_key_in_base_16(given) {
        return None;
    }
    let from = begin.saturating_sub(REACH);
    let line = bytes[from..begin].iter().rposition(|byte| *byte == b'\n');
    let before = bytes[from + line.map_or(0, |line| line + 1)..begin].to_ascii_lowercase();
    let last = |words: &[&[u8]]| {
        let places = words
            .iter()
            .filter_map(|word| memchr::memmem::rfind(&before, word));
        places.max()
    };
    let behind = &bytes[end + length..bytes.len().min(end + length + 40)];
    let is_parsed = memchr::memmem::find(behind, b"signer").is_some();
    let is_named = last(&WORDS).is_some_and(|at| last(&OTHERS).is_none_or(|other| other < at));
    (is_named || is_parsed).then_some((end, end + length))
}

/// Finds the values in the rows of a table dump, below the names of its columns: `COPY t (id, secret)
/// FROM stdin;`. The text after the names begins at `place`.
pub(super) fn copied(bytes: &[u8], place: usize, end: usize, found: &mut Vec<(usize, usize)>) {
    const LONGEST: usize = 600;
    const MOST_ROWS: usize = 400;
    let from = place.saturating_sub(LONGEST);
    let Some(open) = bytes[from..place].iter().rposition(|byte| *byte == b'(') else {
        return;
    };
    let names = &bytes[from + open + 1..place];
    let Some(close) = names.iter().position(|byte| *byte == b')') else {
        return;
    };
    let names: Vec<Option<Sort>> = names[..close]
        .split(|byte| *byte == b',')
        .map(|name| sort(name.trim_ascii().trim_ascii_start()))
        .collect();
    if names.iter().all(Option::is_none) {
        return;
    }
    let mut at = end + run(bytes, end, |byte| byte != b'\n') + 1;
    for _ in 0..MOST_ROWS {
        let Some(rest) = bytes.get(at..) else { return };
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let row = &rest[..length];
        // The rows end before those of another table.
        let is_other = memchr::memmem::find(row, b" stdin").is_some();
        if row.is_empty() || row.starts_with(b"\\.") || is_other {
            return;
        }
        let mut first = at;
        for (nth, field) in row.split(|byte| *byte == b'\t').enumerate() {
            let is_secret = names.get(nth).copied().flatten().is_some();
            if is_secret && field.len() >= 4 && !is_masked(field) {
                found.push((first, first + field.len()));
            }
            first += field.len() + 1;
        }
        at += length + 1;
    }
}

/// Returns the value in an object or a list that is the value of a field: `"password": {"value": "…"}`.
fn nested(bytes: &[u8], end: usize, kind: Sort) -> Part {
    let blanks = |at: usize| run(bytes, at, |byte| byte.is_ascii_whitespace()).min(24);
    let (_, width) = quote(bytes, end)?;
    let mut at = end + width;
    at += blanks(at);
    if bytes.get(at) != Some(&b':') {
        return None;
    }
    at += 1 + blanks(at + 1);
    let open = *bytes.get(at)?;
    at += 1 + blanks(at + 1);
    if open == b'{' {
        let opened = quote(bytes, at)?;
        let from = at + opened.1;
        let close = quoted(bytes, from, opened)?;
        let name = &bytes[from..close];
        let is_value = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
        if !(VALUES.iter().any(is_value) || matches!(name, b"S" | b"N" | b"$")) {
            return None;
        }
        at = close + opened.1;
        at += blanks(at);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        at += 1 + blanks(at + 1);
    } else if open != b'[' {
        return None;
    }
    quote(bytes, at)?;
    let (first, last) = value(bytes, at, kind, Bond::Loose)?;
    is_strong(&bytes[first..last], true).then_some((first, last))
}

/// Returns the value of an element whose name is from `begin` to `end`: `<input name="password"
/// type="hidden" value="…">`.
fn attribute(bytes: &[u8], begin: usize, end: usize, kind: Sort) -> Part {
    quote(bytes, end)?;
    let from = begin.saturating_sub(REACH);
    let open = bytes[from..begin].iter().rposition(|byte| *byte == b'<')?;
    if bytes[from + open..begin].contains(&b'>') {
        return None;
    }
    let until = bytes.len().min(end + REACH);
    let close = bytes[end..until].iter().position(|byte| *byte == b'>')?;
    let at = memchr::memmem::find(&bytes[end..end + close], b" value=")?;
    value(bytes, end + at + 7, kind, Bond::Loose)
}

/// Returns the literal that a typed declaration assigns to a name: `API_SECRET: &str = "…"`, `password
/// As String = "…"`.
fn typed(bytes: &[u8], end: usize, kind: Sort) -> Part {
    const LONGEST: usize = 64;
    if !matches!(bytes.get(end), Some(b' ' | b'\t' | b':' | b'[' | b'?')) {
        return None;
    }
    let is_of_type =
        |byte: u8| byte.is_ascii_alphanumeric() || b" _:<>&*'[](),.?|\\\t".contains(&byte);
    let length = run(bytes, end, is_of_type).min(LONGEST);
    let mut at = end + length;
    if bytes.get(at) == Some(&b'=') {
        at += 1;
    }
    at += run(bytes, at, |byte| matches!(byte, b' ' | b'\t'));
    // `N'…'`, `b"…"`, `@"…"`
    let prefix = run(bytes, at, |byte| byte.is_ascii_alphabetic() || byte == b'@');
    at += if prefix <= 2 { prefix } else { return None };
    let signs = &bytes[end..at];
    let is_assigned = signs.contains(&b'=') && !signs.contains(&b',');
    let is_declared = is_assigned || signs.iter().all(|byte| *byte == b' ') && !signs.is_empty();
    if !is_declared || kind == Sort::Key {
        return None;
    }
    quote(bytes, at)?;
    let bond = if is_assigned { Bond::Loose } else { Bond::Said };
    value(bytes, at, kind, bond).filter(|part| is_assigned || has_digit(&bytes[part.0..part.1]))
}

/// Returns the value in the lines below a name, as YAML folds it: `password: >-`.
fn folded(bytes: &[u8], end: usize, kind: Sort) -> Part {
    let mut at = end + run(bytes, end, |byte| matches!(byte, b'"' | b'\''));
    if bytes.get(at) != Some(&b':') {
        return None;
    }
    at += 1 + run(bytes, at + 1, |byte| byte == b' ');
    if !matches!(bytes.get(at), Some(b'>' | b'|')) {
        return None;
    }
    at += run(bytes, at, |byte| {
        matches!(byte, b'>' | b'|' | b'-' | b'+' | b'0'..=b'9')
    });
    at += match bytes.get(at..)? {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => 2,
        _ => return None,
    };
    let begin = at + run(bytes, at, |byte| byte == b' ');
    let indent = begin - at;
    let (first, mut last) = value(bytes, begin, kind, Bond::Line)?;
    // Lines with the same indentation are part of the value.
    while let Some([b'\n', rest @ ..]) = bytes.get(last..) {
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        let word = run(rest, blanks, |byte| byte.is_ascii_graphic() && byte != b':');
        let is_whole = matches!(rest.get(blanks + word), None | Some(b'\n'));
        if blanks != indent || indent == 0 || word == 0 || !is_whole {
            break;
        }
        last += 1 + blanks + word;
    }
    Some((first, last))
}

/// Returns the value after a name with format marks around it, or on the line below it: `**Password:**
/// …`.
fn below(bytes: &[u8], end: usize, kind: Sort) -> Part {
    let marks = |at: usize| run(bytes, at, |byte| b"* \t".contains(&byte));
    let mut at = end + marks(end);
    if bytes.get(at) != Some(&b':') {
        return None;
    }
    at += 1 + marks(at + 1);
    if bytes.get(at..)?.starts_with(b"</") {
        at += memchr::memchr(b'>', &bytes[at..bytes.len().min(at + 16)])? + 1;
        at += marks(at);
    }
    let mut is_alone = false;
    if let [b'\n', ..] | [b'\r', b'\n', ..] = bytes.get(at..)? {
        is_alone = true;
        at += 1 + usize::from(bytes[at] == b'\r');
        at += run(bytes, at, |byte| byte == b' ');
    }
    // A value directly after the sign is handled elsewhere.
    if !bytes[end..at].iter().any(|byte| b"*>\n".contains(byte)) {
        return None;
    }
    let (begin, last) = value(bytes, at, kind, Bond::Said)?;
    let given = &bytes[begin..last];
    let behind =
        bytes.get(last + usize::from(matches!(bytes.get(last), Some(b'.' | b'!' | b'?')))..);
    let ends = matches!(behind, None | Some([] | [b'\n' | b'\r', ..]));
    let is_worth = given.iter().any(u8::is_ascii_alphabetic)
        && has_digit(given)
        && given.len() >= 6
        && is_chosen(given);
    (is_worth && (ends || !is_alone)).then_some((begin, last))
}

/// Returns the first value after a word, within the same sentence or expression.
fn behind(bytes: &[u8], end: usize) -> Part {
    let until = bytes.len().min(end + REACH);
    let mut at = end;
    // A value after a sign is in quotes. Any other word belongs to another expression.
    let closers = run(bytes, end, |byte| b"\"'`\\]".contains(&byte)).min(5);
    let is_name_quoted = bytes[end..end + closers]
        .iter()
        .any(|byte| b"\"'`".contains(byte));
    let closers = closers + run(bytes, end + closers, |byte| byte == b' ').min(4);
    let is_given = matches!(bytes.get(end + closers), Some(b'=' | b':')) && !is_name_quoted;
    let mut lines = 0;
    at += usize::from(is_name_quoted) * closers;
    // A prompt: `"Password:"`.
    if bytes.get(at) == Some(&b':') {
        let closes = at + 1 + run(bytes, at + 1, |byte| byte == b' ');
        if let Some((_, width)) = quote(bytes, closes).filter(|_| !is_name_quoted)
            && matches!(
                bytes.get(closes + width),
                Some(b')' | b'\n' | b',' | b';' | b'\\')
            )
        {
            return prompted(bytes, closes);
        }
    }
    while at < until {
        if let Some(opened) = quote(bytes, at) {
            let from = at + opened.1;
            let Some(close) = quoted(bytes, from, opened).filter(|close| *close > from) else {
                at = from;
                continue;
            };
            let given = without_line_end(bytes.get(from..close)?);
            // The literal may contain a quoted text.
            let inner = given
                .iter()
                .take_while(|byte| b"\"'\\".contains(byte))
                .count();
            let (from, given) = (from + inner, &given[inner..]);
            let given = match given {
                [rest @ .., b'\\', b'"' | b'\''] | [rest @ .., b'"' | b'\''] if inner > 0 => rest,
                given => given,
            };
            // A separator is not a value.
            if !given.iter().any(u8::is_ascii_alphanumeric) {
                at = from;
                continue;
            }
            if is_strong(given, true) && is_of_value(bytes, at) {
                return Some((from, from + given.len()));
            }
            at = close + opened.1;
            continue;
        }
        let rest = &bytes[at..];
        match rest {
            [b'>', ..] => {
                let length = run(bytes, at + 1, |byte| {
                    byte.is_ascii_graphic() && byte != b'<'
                });
                let given = &bytes[at + 1..at + 1 + length];
                if bytes.get(at + 1 + length) == Some(&b'<') && is_strong(given, true) {
                    return Some((at + 1, at + 1 + length));
                }
                at += 1;
            }
            [b'[', b'[', ..] => {
                let length = run(bytes, at + 2, |byte| {
                    byte.is_ascii_graphic() && byte != b']'
                });
                if is_strong(&bytes[at + 2..at + 2 + length], true) {
                    return Some((at + 2, at + 2 + length));
                }
                at += 2;
            }
            [b';' | b'{' | b'}' | b'|' | b'`', ..] => return None,
            [b'.' | b'!' | b'?', b' ', ..] => return None,
            [b'\n', ..] if lines == 1 || !goes_on(&rest[1..]) => return None,
            [b'\n', ..] => (lines, at) = (lines + 1, at + 1),
            [blank, ..] if blank.is_ascii_whitespace() => {
                at += 1;
                let is_literal = quote(bytes, at).is_some() || bytes[at..].starts_with(b"[[");
                if is_given || is_literal {
                    continue;
                }
                let word = word(bytes, at);
                if is_strong(&bytes[at..at + word], false) {
                    return Some((at, at + word));
                }
                // The word is a call or a member.
                at += word;
            }
            _ => at += 1,
        }
    }
    None
}

/// True if a line only continues the line above it: an element or an item of a list.
fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"<string>") || line.starts_with(b"<value>") || line.starts_with(b"- ")
}

/// Returns the literal that answers a prompt, which ends before a byte offset.
pub(super) fn prompted(bytes: &[u8], end: usize) -> Part {
    let until = bytes.len().min(end + REACH);
    let mut at = end + run(bytes, end, |byte| b"\"' ".contains(&byte)).min(3);
    let mut lines = 0;
    while at < until && lines < 3 {
        match quote(bytes, at) {
            Some(opened) => {
                let from = at + opened.1;
                let close = quoted(bytes, from, opened)?;
                let given = without_line_end(bytes.get(from..close)?);
                let is_answer = is_strong(given, true)
                    || has_digit(given) && given.len() >= 6 && is_chosen(given);
                let is_sent = bytes[end..at].windows(4).any(|part| part == b"send");
                return (is_answer && is_sent || is_strong(given, true))
                    .then_some((from, from + given.len()));
            }
            None => {
                lines += usize::from(bytes[at] == b'\n');
                at += 1;
            }
        }
    }
    None
}

/// Returns a literal without the escaped line end that it sends.
fn without_line_end(given: &[u8]) -> &[u8] {
    let given = given.strip_suffix(b"\\n").unwrap_or(given);
    given.strip_suffix(b"\\r").unwrap_or(given)
}

/// True unless a literal is the value of another name: `, id: "…"`.
fn is_of_value(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].trim_ascii_end();
    let Some((b':' | b'=', before)) = before.split_last() else {
        return true;
    };
    let before = before.trim_ascii_end();
    let before = match before {
        [rest @ .., b'"' | b'\''] => without_escapes(rest),
        rest => rest,
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    let length = run_back(before, usize::MAX, is_part);
    let name = &before[before.len() - length..];
    name.is_empty()
        || VALUES
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
        || sort(name).is_some()
}

/// Returns the length of the word at a byte offset, without punctuation at its end.
fn word(bytes: &[u8], at: usize) -> usize {
    let length = run(bytes, at, |byte| byte.is_ascii_graphic());
    let tail = bytes[at..at + length].iter().rev();
    length - tail.take_while(|byte| b".,;:)".contains(byte)).count()
}

/// Returns the value before a name in a call, or before a word in a sentence: `setValue("…", forKey:
/// "password")`.
fn before(bytes: &[u8], begin: usize, end: usize) -> Part {
    let from = begin.saturating_sub(REACH);
    let text = &bytes[from..begin];
    let line = text.iter().rposition(|byte| *byte == b'\n');
    let line = line.map_or(from, |line| from + line + 1);
    let part = text
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b';' | b'{' | b'}'));
    let from = part.map_or(from, |part| from + part + 1);
    let closed = quote(bytes, end);
    if closed.is_some() {
        if let Some(found) = beside(bytes, from, begin) {
            return Some(found);
        }
        // The literal before the one with the name, in the same call.
        let text = &bytes[from..begin];
        let open = text.iter().rposition(|byte| *byte == b'(')?;
        let from = from + open + 1;
        let opened = quote(bytes, from)?;
        let close = quoted(bytes, from + opened.1, opened).filter(|close| *close < begin)?;
        let given = &bytes[from + opened.1..close];
        let is_next = bytes.get(close + opened.1) == Some(&b',');
        return (is_next && is_strong(given, true)).then_some((from + opened.1, close));
    }
    if let Some(found) = commented(bytes, line, begin) {
        return Some(found);
    }
    // A sentence, which has no code signs.
    let text = &bytes[from..begin];
    let stop = text
        .windows(2)
        .rposition(|two| matches!(two, [b'.' | b'!' | b'?', b' ']));
    let from = from + stop.map_or(0, |stop| stop + 2);
    let text = &bytes[from..begin];
    if text.iter().any(|byte| b"()[]=<>\"|\\".contains(byte)) {
        return None;
    }
    let mut at = from;
    let mut found = None;
    while at < begin {
        let word = word(bytes, at);
        let given = &bytes[at..at + word];
        let has_sign = given
            .iter()
            .skip(1)
            .any(|byte| b"!#$%&*+?~^".contains(byte));
        if has_sign && is_strong(given, false) {
            found = Some((at, at + word));
        }
        at += run(bytes, at, |byte| byte.is_ascii_graphic()).max(1);
        while at < begin && !bytes[at].is_ascii_graphic() {
            at += 1;
        }
    }
    found
}

/// Returns the value of the `value` attribute before the name of an element or object: `value="…"
/// name="…"`.
fn beside(bytes: &[u8], from: usize, begin: usize) -> Part {
    let text = &bytes[from..begin];
    let at = text
        .windows(5)
        .rposition(|five| five.eq_ignore_ascii_case(b"value"))?;
    let at = from + at + 5;
    let signs = run(bytes, at, |byte| b"\": =".contains(&byte)).min(4);
    let opened = quote(bytes, at + signs - usize::from(signs > 0))?;
    let first = at + signs - usize::from(signs > 0) + opened.1;
    let last = quoted(bytes, first, opened).filter(|last| *last < begin)?;
    let is_near = !bytes[last..begin].contains(&b'>');
    (is_near && is_strong(&bytes[first..last], true)).then_some((first, last))
}

/// Returns the value before a comment that contains the word, which begins at `begin`: `… # the
/// password`.
fn commented(bytes: &[u8], from: usize, begin: usize) -> Part {
    const MOST_WORDS: usize = 4;
    let text = &bytes[from..begin];
    let mark = [&b" # "[..], b" // ", b" -- "]
        .iter()
        .filter_map(|mark| text.windows(mark.len()).rposition(|part| part == *mark))
        .max()?;
    let words = text[mark + 3..].split(u8::is_ascii_whitespace);
    if words.filter(|word| !word.is_empty()).count() > MOST_WORDS {
        return None;
    }
    let code = text[..mark].trim_ascii_end();
    let code = code.strip_suffix(b";").unwrap_or(code);
    let code = match code {
        [rest @ .., b'"' | b'\'', b')'] => &code[..rest.len() + 1],
        code => code,
    };
    let (code, is_quoted) = match code {
        [rest @ .., b'"' | b'\''] => (rest, true),
        code => (code, false),
    };
    let is_of_value = |byte: &u8| byte.is_ascii_graphic() && !b"\"'=(".contains(byte);
    let length = run_back(code, usize::MAX, is_of_value);
    let given = &code[code.len() - length..];
    let last = from + code.len();
    let is_key = is_quoted && is_key_in_base_16(given);
    (is_key || is_strong(given, is_quoted)).then_some((last - length, last))
}

/// Returns the value of a cookie whose attributes begin at `at`: `name=…; Path=/`.
pub(super) fn cookie(bytes: &[u8], at: usize) -> Part {
    const LONGEST: usize = 400;
    let from = at.saturating_sub(LONGEST);
    let line = &bytes[from..at];
    let line = line
        .iter()
        .rposition(|byte| byte.is_ascii_whitespace() || b"\"'".contains(byte))
        .map_or(from, |space| from + space + 1);
    let sign = line + bytes[line..at].iter().position(|byte| *byte == b'=')?;
    looks_random(&bytes[sign + 1..at]).then_some((sign + 1, at))
}

/// Finds the secrets among the string arguments of a call that signs in, signs or encrypts. Its
/// arguments begin at `begin`.
pub(super) fn arguments(bytes: &[u8], begin: usize, found: &mut Vec<(usize, usize)>) {
    const FARTHEST: usize = 400;
    let until = bytes.len().min(begin + FARTHEST);
    let (mut at, mut depth) = (begin, 0_usize);
    while at < until {
        if let Some(opened) = quote(bytes, at) {
            let from = at + opened.1;
            let Some(close) = quoted(bytes, from, opened) else {
                return;
            };
            let given = &bytes[from..close];
            if is_strong(given, true) && is_of_value(bytes, at) {
                found.push((from, close));
            }
            at = close + opened.1;
            continue;
        }
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => return,
            b')' => depth -= 1,
            b';' => return,
            _ => {}
        }
        at += 1;
    }
}

/// Finds the secrets in the column of a table whose heading contains a word for them, which begins at
/// `begin`.
pub(super) fn column(bytes: &[u8], begin: usize, kind: Sort, found: &mut Vec<(usize, usize)>) {
    /// The maximum number of rows of a displayed table.
    const MOST_LINES: usize = 60;
    const LONGEST_LINE: usize = 600;
    let line = bytes[..begin]
        .iter()
        .rev()
        .take(LONGEST_LINE)
        .position(|byte| *byte == b'\n');
    let from = begin - line.unwrap_or_else(|| begin.min(LONGEST_LINE));
    let head = line_at(bytes, from);
    let head = &bytes[from..from + head];
    let Some(sign) = SIGNS.iter().find(|sign| has(head, sign)) else {
        return;
    };
    let cells = cells(head, sign);
    let here = begin - from;
    let Some(nth) = cells
        .iter()
        .position(|(first, last)| (*first..*last).contains(&here))
    else {
        return;
    };
    let (first, last) = cells[nth];
    let is_head = |cell: &(usize, usize)| {
        let text = head[cell.0..cell.1].trim_ascii();
        text.len() <= 32
            && text.split(|byte| *byte == b' ').count() <= 3
            && !text.iter().any(|byte| b"=:(){}[]<>".contains(byte))
    };
    let is_framed = sign.len() > 1 && *sign != b"  " || *sign == b"|";
    // Column names with only blanks between them must be in uppercase.
    let is_upper = || head.iter().all(|byte| !byte.is_ascii_lowercase()) && cells.len() > 1;
    // A sentence may precede the first heading, and a table may have a border.
    let is_table = cells.len() >= 2 + usize::from(*sign == b"|")
        && last - first <= 48
        && cells.iter().skip(usize::from(nth > 0)).all(is_head)
        && (is_framed || cells.iter().all(|(first, last)| first < last))
        && (*sign != b"  " || is_upper());
    if !is_table {
        return;
    }
    let mut at = from + head.len() + 1;
    for _ in 0..MOST_LINES {
        if at >= bytes.len() {
            return;
        }
        let length = line_at(bytes, at);
        let row = &bytes[at..at + length];
        // A line between two rows.
        if is_rule(row) {
            at += length + 1;
            continue;
        }
        // The rows of a box may have other border characters than its heading.
        let sign = match is_framed && !has(row, sign) {
            true => SIGNS.iter().find(|sign| has(row, sign)).unwrap_or(sign),
            false => sign,
        };
        let row_cells = self::cells(row, sign);
        if row_cells.len() != cells.len() {
            return;
        }
        let (first, last) = row_cells[nth];
        let cell = &row[first..last];
        let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"`*_\"'".contains(byte);
        let lead = cell.iter().take_while(|byte| is_around(byte)).count();
        let tail = run_back(&cell[lead..], usize::MAX, is_around);
        let given = &cell[lead..cell.len() - tail];
        let is_alone = value(given, 0, kind, Bond::Line)
            .is_some_and(|part| part.0 == 0 && part.1 + 1 >= given.len());
        let is_words =
            || kind == Sort::Password && std::str::from_utf8(given).is_ok_and(is_passphrase);
        let is_odd = || kind == Sort::Password && std::str::from_utf8(given).is_ok_and(is_odd_word);
        let is_worth = is_strong(given, true)
            || is_alone && has_digit(given) && is_chosen(given)
            || is_odd()
            || is_words();
        if is_worth {
            found.push((at + first + lead, at + last - tail));
        }
        at += length + 1;
    }
}

/// True if a word is unlike the words of sentences: it has signs or non-ASCII characters within, and is
/// not a placeholder.
fn is_odd_word(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_odd = |c: char| "!@#$%^&*+?=~§".contains(c) || !c.is_ascii() && c.is_numeric();
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_mixed =
        inner.contains(is_odd) || word.contains(|c: char| c.is_ascii_digit()) && !word.is_ascii();
    word.chars().count() >= 6
        && letters >= 3
        && is_mixed
        && !word.contains([' ', '/', '(', '<', '{', '$'])
        && !is_member(word.as_bytes())
        && !word.starts_with(['*', '•', '…'])
}

/// The separators of cells. A row is split at the first of these that it contains.
const SIGNS: [&[u8]; 9] = [
    "│".as_bytes(),
    "┃".as_bytes(),
    "║".as_bytes(),
    "¦".as_bytes(),
    b"|",
    b"\t",
    b";",
    b",",
    b"  ",
];

fn has(text: &[u8], sign: &[u8]) -> bool {
    memchr::memmem::find(text, sign).is_some()
}

/// True if a line has only table borders: `├───┼───┤`, `+---+---+`, `|---|---|`.
fn is_rule(row: &[u8]) -> bool {
    let is_line = |byte: &u8| b"+-=|: \t\r".contains(byte) || matches!(byte, 0xE2 | 0x80..=0xBF);
    let is_drawn = |byte: &u8| b"-=".contains(byte) || !byte.is_ascii();
    row.len() >= 3 && row.iter().all(is_line) && row.iter().any(is_drawn)
}

/// Returns the length of the line at a byte offset.
fn line_at(bytes: &[u8], at: usize) -> usize {
    /// The maximum length of a line of a displayed table.
    const LONGEST: usize = 600;
    let rest = &bytes[at..bytes.len().min(at + LONGEST)];
    memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

/// Returns the byte ranges of the cells of a row.
fn cells(row: &[u8], sign: &[u8]) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    let (mut first, mut inside, mut at) = (0, false, 0);
    let is_quoted = sign.len() == 1 && sign != b"|";
    while at < row.len() {
        if row[at] == b'"' && is_quoted {
            inside = !inside;
        } else if row[at..].starts_with(sign) && !inside {
            cells.push((first, at));
            at += sign.len();
            // Any number of blanks separates two cells.
            while sign == b"  " && row.get(at) == Some(&b' ') {
                at += 1;
            }
            first = at;
            continue;
        }
        at += 1;
    }
    cells.push((first, row.len()));
    cells
}

/// Returns the password of `user:password@host` without a scheme, as database drivers accept it. The
/// colon is at `at`.
pub(super) fn source(bytes: &[u8], at: usize) -> Part {
    const LONGEST: usize = 80;
    let is_of_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let user = run_back(&bytes[..at], 40, is_of_user);
    let opens = (at - user).checked_sub(1).and_then(|at| bytes.get(at));
    if user == 0 || opens.is_some_and(|byte| !b"\"'`= ".contains(byte)) {
        return None;
    }
    let begin = at + 1;
    let length = run(bytes, begin, |byte| {
        byte.is_ascii_graphic() && !b"\"'`/\\<>(){},;@".contains(&byte)
    });
    if length > LONGEST || bytes.get(begin + length) != Some(&b'@') {
        return None;
    }
    let host = &bytes[begin + length + 1..];
    let host = &host[..host.len().min(16)];
    let is_driver = [&b"tcp("[..], b"unix(", b"(", b"cloudsql("]
        .iter()
        .any(|driver| host.starts_with(driver));
    let name = host
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(byte))
        .count();
    let is_place = is_driver || matches!(host.get(name), Some(b':' | b'/'));
    let given = &bytes[begin..begin + length];
    let is_password = is_strong(given, true) || is_driver && has_digit(given) && length >= 5;
    (is_place && is_password && !host.starts_with(b"sha256")).then_some((begin, begin + length))
}
