//! Secrets after a sign: the value of a name, the password in an address, asterisks.

use super::near::is_strong;
use super::value::{
    Bond, Sort, distinct, has_digit, holds_harmless, is_chosen, looks_random, may_be_secret, quote,
    sort, value, without_place,
};
use super::{Part, run, run_back};

/// Returns the value in the word after an option such as `--password`.
pub(super) fn flag(bytes: &[u8], at: usize) -> Part {
    let name = at + 2;
    if !bytes.get(at..)?.starts_with(b"--") || at.checked_sub(1).is_some_and(|at| bytes[at] == b'-')
    {
        return None;
    }
    let end = name
        + run(bytes, name, |byte| {
            byte.is_ascii_alphanumeric() || byte == b'-'
        });
    if bytes.get(end) != Some(&b' ') {
        return None;
    }
    let sort = sort(&bytes[name..end])?;
    let (begin, last) = value(bytes, end + 1, sort, Bond::Bound)?;
    // The placeholder of a usage text: `[--password PASSWORD]`.
    let given = &bytes[begin..last];
    let is_place = given.strip_suffix(b"]").is_some_and(|given| {
        given
            .iter()
            .all(|b| b.is_ascii_uppercase() || b"_-".contains(b))
    });
    (!is_place).then_some((begin, last))
}

/// Returns a secret after `:`, `=` or `>`: the value of a name, or the password in an address.
pub(super) fn given(bytes: &[u8], at: usize) -> Part {
    let sign = *bytes.get(at)?;
    if bytes.get(at..)?.starts_with(b"://") {
        return password(bytes, at + 3);
    }
    if sign == b':'
        && let Some(found) = telegram(bytes, at)
    {
        return Some(found);
    }
    // A module path is not a value.
    if bytes.get(at + 1) == Some(&b':') || at > 0 && sign == b':' && bytes[at - 1] == b':' {
        return None;
    }
    // The name before it may be quoted, and spaces may follow it.
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let before = bytes.get(..at)?;
    let spaces = run_back(before, usize::MAX, |byte| *byte == b' ').min(4);
    let before = &before[..at - spaces];
    let name = match before {
        [name @ .., b'"' | b'\'' | b'`' | b']'] => without_escapes(name),
        name => name,
    };
    let name = match name {
        [name @ .., b'"' | b'\''] => without_escapes(name),
        name => name,
    };
    if !may_be_secret(without_place(name)) {
        return annotated(bytes, at).or_else(|| hinted(bytes, at, name));
    }
    let length = run_back(name, 60, is_part);
    let begin_of_name = name.len() - length;
    // The name of an AWS resource: `arn:aws:secretsmanager:…:secret:name`.
    if sign == b':' && is_of_resource(&name[..begin_of_name]) {
        return None;
    }
    let name = &name[begin_of_name..];
    // The signs `:=`, `=>` and `==` of some languages, and spaces that do not end the line.
    let next = bytes.get(at + 1);
    let wide = usize::from(matches!(next, Some(b'=')) || sign == b'=' && next == Some(&b'>'));
    let mut begin = at + 1 + wide;
    let gap = run(bytes, begin, |byte| matches!(byte, b' ' | b'\t'));
    begin += gap.min(24);
    let sort = match sort(name) {
        Some(sort) => sort,
        None if name.eq_ignore_ascii_case(b"value") => named_above(&bytes[..begin_of_name])
            .or_else(|| named_by_block(&bytes[..begin_of_name]))?,
        None if name == b"default" => named_by_block(&bytes[..begin_of_name])?,
        None => return hinted(bytes, at, name),
    };
    let is_bound = spaces + gap == 0 && sign == b'=' && wide == 0;
    let is_variable =
        name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
    let bond = match (is_bound, is_variable) {
        (true, true) => Bond::Environment,
        (true, false) => Bond::Bound,
        (false, _) if has_line(bytes, begin_of_name, begin) => Bond::Line,
        (false, _) => Bond::Loose,
    };
    let found = value(bytes, begin, sort, bond)
        .or_else(|| (sort == Sort::Password && sign == b'=').then(|| braced(bytes, begin))?)
        .or_else(|| tripled(bytes, begin, sort))
        .or_else(|| {
            let is_tight = sort == Sort::Key && bond == Bond::Environment;
            is_tight.then(|| digest(bytes, begin, name))?
        })?;
    // The output of tests: `PASS: name`, `pass=12`.
    let is_outcome = name.eq_ignore_ascii_case(b"pass")
        && !matches!(
            begin_of_name.checked_sub(1).map(|at| bytes[at]),
            Some(b'/' | b'-')
        )
        && !is_strong(&bytes[found.0..found.1], true)
        && (bond == Bond::Loose
            || bond == Bond::Line && is_variable
            || bytes[found.0..found.1].iter().all(u8::is_ascii_digit));
    (!is_outcome).then_some(found)
}

/// True if a text ends with the beginning of an AWS resource name.
fn is_of_resource(before: &[u8]) -> bool {
    let length = run_back(before, 120, |byte| {
        byte.is_ascii_alphanumeric() || b":-_/*".contains(byte)
    });
    before[before.len() - length..].starts_with(b"arn:")
}

/// Returns a long random value whose name contains a word for signing or secrets, but does not end with
/// it: `JWT_SIGNING`.
fn hinted(bytes: &[u8], at: usize, name: &[u8]) -> Part {
    const LEAST: usize = 32;
    const WORDS: [&[u8]; 11] = [
        b"jwt",
        b"signing",
        b"hmac",
        b"secret",
        b"encrypt",
        b"cipher",
        b"private",
        b"token",
        b"password",
        b"salt",
        b"pepper",
    ];
    const OTHERS: [&[u8]; 9] = [
        b"public",
        b"hash",
        b"url",
        b"digest",
        b"integrity",
        b"file",
        b"path",
        b"name",
        b"id",
    ];
    let mut begin = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'=' | b'>')));
    begin += run(bytes, begin, |byte| byte == b' ').min(24);
    let opened = quote(bytes, begin);
    begin += opened.map_or(0, |(_, width)| width);
    let length = run(bytes, begin, |byte| {
        byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte)
    });
    let given = &bytes[begin..begin + length];
    if length < LEAST || opened.is_none() || !looks_random(given) || given.starts_with(b"/") {
        return None;
    }
    let has_both =
        given.iter().any(u8::is_ascii_uppercase) && given.iter().any(u8::is_ascii_lowercase);
    let length_of_name = run_back(name, 60, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
    });
    let name = name[name.len() - length_of_name..].to_ascii_lowercase();
    let holds = |word: &&[u8]| memchr::memmem::find(&name, word).is_some();
    let is_other = OTHERS.iter().any(|word| name.ends_with(word)) || holds(&&b"public"[..]);
    (has_both && WORDS.iter().any(holds) && !is_other).then_some((begin, begin + length))
}

/// Returns the value in braces of an ODBC connection string: `PWD={…};`.
fn braced(bytes: &[u8], begin: usize) -> Part {
    if bytes.get(begin) != Some(&b'{') {
        return None;
    }
    let length = run(bytes, begin + 1, |byte| {
        byte.is_ascii_graphic() && !b"{}\"'".contains(&byte)
    });
    let end = begin + 1 + length;
    let given = &bytes[begin + 1..end];
    let is_closed = bytes.get(end) == Some(&b'}') && bytes.get(end + 1) == Some(&b';');
    (is_closed && length >= 4 && has_digit(given)).then_some((begin + 1, end))
}

/// Returns the value in a multi-line string that begins with three quotes.
fn tripled(bytes: &[u8], begin: usize, sort: Sort) -> Part {
    let quotes = bytes.get(begin..begin + 3)?;
    if !(quotes == [b'"'; 3] || quotes == [b'\''; 3]) {
        return None;
    }
    let mut first = begin + 3;
    first += usize::from(bytes.get(first) == Some(&b'\\'));
    first += run(bytes, first, |byte| byte.is_ascii_whitespace()).min(40);
    value(bytes, first, sort, Bond::Line)
}

/// Returns the sort of the name of the block that contains a field: `variable "db_password" { default =
/// "…" }`.
fn named_by_block(before: &[u8]) -> Option<Sort> {
    const FARTHEST: usize = 300;
    let from = before.len().saturating_sub(FARTHEST);
    let text = &before[from..];
    let at = ["variable \"", "output \"", "parameter \""]
        .iter()
        .filter_map(|word| Some(memchr::memmem::rfind(text, word.as_bytes())? + word.len()))
        .max()?;
    let length = text[at..].iter().position(|byte| *byte == b'"')?;
    let is_within = !text[at..].contains(&b'}');
    is_within.then(|| sort(&text[at..at + length]))?
}

/// Returns the string that is assigned to a name with a type: `KEY: &str = "…"`. The equals sign is at
/// `at`.
fn annotated(bytes: &[u8], at: usize) -> Part {
    const LONGEST: usize = 40;
    let begin = at + 1 + run(bytes, at + 1, |byte| byte == b' ').min(4);
    if bytes[at] != b'=' {
        return None;
    }
    quote(bytes, begin)?;
    let is_of_type = |byte: &u8| byte.is_ascii_alphanumeric() || b" _<>&'[]?".contains(byte);
    let before = &bytes[..at];
    let length = run_back(before, LONGEST, is_of_type);
    let (name, _) = before.split_at(at - length);
    let (b':', name) = name.split_last()? else {
        return None;
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = run_back(name, 60, is_part);
    let sort = sort(&name[name.len() - length..])?;
    value(bytes, begin, sort, Bond::Loose)
}

/// Returns a name without the backslashes before its closing quote, which it has within a quoted text.
pub(super) fn without_escapes(name: &[u8]) -> &[u8] {
    let escapes = run_back(name, usize::MAX, |byte| *byte == b'\\');
    &name[..name.len() - escapes]
}

/// Returns the hexadecimal key of an environment variable, unless its name is that of a checksum or a
/// public key.
fn digest(bytes: &[u8], at: usize, name: &[u8]) -> Part {
    const OTHERS: [&str; 12] = [
        "CACHE",
        "PUBLIC",
        "PUB_",
        "PARTITION",
        "PRIMARY",
        "FOREIGN",
        "SORT",
        "OBJECT",
        "HASH",
        "ROUTING",
        "GROUP",
        "ID_KEY",
    ];
    let holds = |word: &&str| name.windows(word.len()).any(|part| part == word.as_bytes());
    let begin = at + quote(bytes, at).map_or(0, |(_, width)| width);
    let length = run(bytes, begin, |byte| byte.is_ascii_alphanumeric());
    let given = &bytes[begin..begin + length];
    let is_key = matches!(length, 32 | 40 | 48 | 64 | 96 | 128)
        && given.iter().all(u8::is_ascii_hexdigit)
        && distinct(given) >= 8;
    (is_key && !OTHERS.iter().any(holds)).then_some((begin, begin + length))
}

/// Returns the value in the second place of a call or a pair whose first part is a name:
/// `define('DB_PASSWORD', '…')`, `("X-Api-Key", "…")`. The quote that ends the name is at `at`, and a
/// comma follows it.
pub(super) fn second(bytes: &[u8], at: usize) -> Part {
    /// The maximum length of a name.
    const LONGEST: usize = 80;
    let closing = *bytes.get(at)?;
    let name = without_escapes(bytes.get(..at)?);
    if !may_be_secret(without_place(name)) {
        return None;
    }
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(byte);
    let length = run_back(name, LONGEST, is_of_name);
    let (before, name) = name.split_at(name.len() - length);
    let (last, before) = before.split_last()?;
    let sort = sort(name).filter(|_| *last == closing)?;
    // `u"name"`, and blanks within the parenthesis.
    let before = without_escapes(before);
    let before = before.strip_suffix(b"u").unwrap_or(before).trim_ascii_end();
    let opened = *before.last()?;
    // `["--password", "…"]`
    let is_option = name.starts_with(b"--") && matches!(opened, b',' | b'(' | b'[' | b'{');
    if !matches!(opened, b'(' | b'[' | b'{') && !is_option {
        return None;
    }
    let gap = run(bytes, at + 2, |byte| byte.is_ascii_whitespace());
    let place = at + 2 + gap;
    let (begin, end) = value(bytes, place, sort, Bond::Loose)?;
    let width = quote(bytes, place)?.1;
    let given = &bytes[begin..end];
    let behind = bytes[end + width..].trim_ascii_start();
    let is_pair = matches!(behind.first(), Some(b')' | b']' | b'}'));
    if holds_harmless(given) && !looks_random(given) {
        return None;
    }
    let is_password = sort == Sort::Password;
    let is_set = opened == b'(' && sets(&before[..before.len() - 1]);
    // A list of names may have two that follow each other: `["password", "email2"]`.
    let is_named = given
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || b"_-. ".contains(byte));
    let is_worth = match opened {
        _ if is_option => !given.starts_with(b"-"),
        b'(' if is_set => true,
        b'(' => !is_named && (!is_password || is_chosen(given) || !has_digit(given)),
        _ => is_pair && !is_named && is_mixed_value(given),
    };
    is_worth.then_some((begin, end))
}

/// True if a text ends with a call that sets a value for a name.
fn sets(before: &[u8]) -> bool {
    const SETTERS: [&str; 18] = [
        "define", "set", "put", "env", "insert", "add", "append", "header", "store", "config",
        "write", "update", "save", "assign", "const", "param", "option", "field",
    ];
    let length = run_back(before, 40, |byte| {
        byte.is_ascii_alphanumeric() || b"_!:".contains(byte)
    });
    let name = before[before.len() - length..].to_ascii_lowercase();
    let holds = |word: &&str| name.windows(word.len()).any(|part| part == word.as_bytes());
    SETTERS.iter().any(holds)
}

/// True if a value of a list is not a word or a name: it has letters and digits, and it has signs or is
/// long.
fn is_mixed_value(given: &[u8]) -> bool {
    let has_letters = given.iter().any(u8::is_ascii_alphabetic);
    let has_signs = given.iter().any(|byte| b"!@#$%^&*+=?~".contains(byte));
    has_digit(given) && has_letters && (has_signs || given.len() >= 10) && is_chosen(given)
}

/// True if a line has only a name and a value of one word, apart from a line number, the mark of a list
/// or a change, and a comment.
fn has_line(bytes: &[u8], name: usize, value: usize) -> bool {
    let begin = bytes[..name].iter().rposition(|byte| *byte == b'\n');
    let before = bytes[begin.map_or(0, |begin| begin + 1)..name].trim_ascii_start();
    let number = before
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let before = match &before[number..] {
        [b':' | b'|' | b'\t', rest @ ..] if number > 0 => rest,
        rest if number > 0 => rest.strip_prefix("→".as_bytes()).unwrap_or(before),
        rest => rest,
    };
    let before = before.trim_ascii_start();
    let before = match before {
        [b'-' | b'+', rest @ ..] => rest.trim_ascii_start(),
        before => before,
    };
    // A name may follow others: `spring.datasource.password`.
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-\"'[".contains(byte);
    let rest = bytes.get(value..).unwrap_or_default();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let word = line
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace())
        .count();
    let behind = line[word..].trim_ascii();
    before.iter().all(is_name) && word > 0 && (behind.is_empty() || behind.starts_with(b"#"))
}

/// Returns the sort of the name in a line `name: DB_PASSWORD` above the line with its value, as in
/// manifests.
fn named_above(before: &[u8]) -> Option<Sort> {
    const FARTHEST: usize = 160;
    let from = before.len().saturating_sub(FARTHEST);
    let text = &before[from..];
    let at = text
        .windows(4)
        .rposition(|four| four.eq_ignore_ascii_case(b"name"))?;
    let is_sign = |byte: &u8| matches!(byte, b'"' | b'\'' | b':' | b'=' | b' ' | b'\\');
    let rest = &text[at + 4..];
    let signs = rest.iter().take_while(|byte| is_sign(byte)).count();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let name = &rest[signs..];
    let length = name.iter().take_while(|byte| is_part(byte)).count();
    // Only the beginning of the next field is between.
    let between = &name[length..];
    let is_between = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b',' | b'\\' | b'n')
    };
    (signs > 0 && between.iter().all(is_between)).then(|| sort(&name[..length]))?
}

/// Returns the token of a Telegram bot, whose number is before the colon at `at`.
fn telegram(bytes: &[u8], at: usize) -> Part {
    let number = bytes[..at]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit());
    if bytes.get(at + 1) != Some(&b'A') || number.take(6).count() < 6 {
        return None;
    }
    let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = run(bytes, at + 1, is_of_token);
    (30..=60)
        .contains(&length)
        .then_some((at + 1, at + 1 + length))
}

/// Returns the password in an address, or the token in place of a user. The user begins at `at`.
fn password(bytes: &[u8], at: usize) -> Part {
    let is_of_address = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'/' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\' | b'?' | b'#'
            )
    };
    let length = run(bytes, at, is_of_address).min(600);
    let place = &bytes[at..at + length];
    let end = place.iter().rposition(|byte| *byte == b'@')?;
    let Some(colon) = place[..end].iter().position(|byte| *byte == b':') else {
        let user = &place[..end];
        let is_token =
            looks_random(user) || user.len() >= 20 && has_digit(user) && !user.contains(&b'.');
        return (is_token && !is_variable(user)).then_some((at, at + end));
    };
    let begin = colon + 1;
    let given = &place[begin..end];
    // Git uses this form for a token: `TOKEN:x-oauth-basic@`.
    if given == b"x-oauth-basic" || given.is_empty() {
        let user = &place[..colon];
        return looks_random(user).then_some((at, at + colon));
    }
    (!is_variable(given)).then_some((at + begin, at + end))
}

/// True if a part of an address stands for another text.
fn is_variable(given: &[u8]) -> bool {
    let percents = given.iter().enumerate().filter(|(_, byte)| **byte == b'%');
    let is_escape = |at: usize| {
        let digits = given.get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    matches!(given, [b'(' | b'[' | b'{', ..] | [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'(' | b'{', ..])
        || given.contains(&b'{') && given.contains(&b'}')
        || percents.into_iter().any(|(at, _)| !is_escape(at))
}

/// Returns a long run of asterisks beside a word, with which a secret was masked.
pub(super) fn asterisks(bytes: &[u8], at: usize) -> Part {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    if before == Some(&b'*') {
        return None;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| **byte == b'*').count();
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b':');
    let after = bytes.get(at + length);
    // `password: ********` reveals nothing.
    let is_value = matches!(before, Some(b'=' | b':')) && !after.is_some_and(is_word);
    let is_masked =
        length >= 6 && (before.is_some_and(is_word) || after.is_some_and(is_word)) && !is_value;
    is_masked.then_some((at, at + length))
}

/// Returns the content of an XML element whose name, such as `password`, ends at `end`, before its
/// attributes or content.
pub(super) fn element(bytes: &[u8], name: usize, end: usize) -> Part {
    /// The maximum number of bytes of an element's attributes.
    const ATTRIBUTES: usize = 200;
    const DATA: &[u8] = b"<![CDATA[";
    let opened = bytes[..name]
        .iter()
        .rev()
        .take(60)
        .position(|byte| *byte == b'<')?;
    let begin = name - opened;
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
    if !bytes[begin..end].iter().all(is_name) {
        return None;
    }
    let within = &bytes[end..bytes.len().min(end + ATTRIBUTES)];
    let close = within.iter().position(|byte| matches!(byte, b'>' | b'<'))?;
    let is_content = within[close] == b'>' && !within[..close].ends_with(b"/");
    let mut begin = end + close + 1;
    if !is_content || quote(bytes, begin).is_some() {
        return None;
    }
    begin += run(bytes, begin, |byte| byte.is_ascii_whitespace()).min(80);
    let is_data = bytes[begin..].starts_with(DATA);
    if is_data {
        begin += DATA.len();
    } else if bytes[begin..].starts_with(b"<") {
        // The value is in another element.
        let inner = run(bytes, begin + 1, |byte| byte.is_ascii_alphanumeric());
        let tag = &bytes[begin + 1..begin + 1 + inner];
        let is_value = ["value", "string", "data", "text"]
            .iter()
            .any(|known| tag.eq_ignore_ascii_case(known.as_bytes()));
        if !is_value || bytes.get(begin + 1 + inner) != Some(&b'>') {
            return None;
        }
        begin += inner + 2;
    }
    let length = run(bytes, begin, |byte| byte.is_ascii_graphic() && byte != b'<');
    let given = &bytes[begin..begin + length];
    let given = match is_data {
        true => given.strip_suffix(b"]]>").unwrap_or(given),
        false => given,
    };
    let behind = &bytes[begin + given.len()..];
    let blanks = behind
        .iter()
        .take(80)
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let is_closed = behind[blanks..].starts_with(b"</") || is_data && behind.starts_with(b"]]>");
    let is_variable = matches!(given.first(), Some(b'$' | b'{' | b'%'));
    (is_closed && given.len() >= 4 && !is_variable).then_some((begin, begin + given.len()))
}
