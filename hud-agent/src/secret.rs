//! Keys, tokens and passwords, which belong neither on a HUD nor in a log.
//!
//! | what | shown as |
//! | --- | --- |
//! | a key or token with a known beginning: see `KEYS` | `sk-ant-…` |
//! | a JSON Web Token | `eyJ…` |
//! | a private key | `-----BEGIN PRIVATE KEY-----…` |
//! | what follows `Bearer` or `Basic` in a header | `Bearer …` |
//! | the password in an address | `postgres://user:…@host` |
//! | a value that is given to a name like `password`, `api_key` or `--token` | `password=…` |
//! | asterisks in the place of a secret | `sk-…`, `…` |
//!
//! The beginnings are those that the issuers document, and the lengths are the shortest that they issue. A
//! value is distinguished from code and from placeholders by what it is made of: `token = read()`,
//! `password: string` and `secret: ${{ secrets.KEY }}` stay. A text is looked through from its beginning to its
//! end, and again only if there was something in it; a hook is a process of its own, which would have to compile
//! patterns each time.

use std::borrow::Cow;

/// What replaces the rest of a secret.
const REST: &str = "…";

/// What a key is made of behind its beginning.
#[derive(Clone, Copy)]
enum Made {
    /// Letters and digits.
    Letters,
    /// Letters, digits and `_`.
    Word,
    /// Letters, digits, `_` and `-`.
    Dashed,
    /// Letters, digits, `_`, `-` and `.`.
    Dotted,
}

impl Made {
    const fn of(self, byte: u8) -> bool {
        // What a user masked already is part of the key.
        byte.is_ascii_alphanumeric()
            || byte == b'*'
            || match self {
                Self::Letters => false,
                Self::Word => byte == b'_',
                Self::Dashed => matches!(byte, b'_' | b'-'),
                Self::Dotted => matches!(byte, b'_' | b'-' | b'.'),
            }
    }
}

/// The beginnings of keys, with what follows and how much of that there is at least. A beginning comes
/// after the longer ones that begin with it.
const KEYS: &[(&str, Made, usize)] = &[
    // Amazon Web Services
    ("AKIA", Made::Letters, 16),
    ("ASIA", Made::Letters, 16),
    ("ABIA", Made::Letters, 16),
    ("ACCA", Made::Letters, 16),
    // Anthropic, OpenRouter, OpenAI and those that have taken over its form
    ("sk-ant-", Made::Dashed, 16),
    ("sk-or-", Made::Dashed, 20),
    ("sk-proj-", Made::Dashed, 20),
    ("sk-svcacct-", Made::Dashed, 20),
    ("sk-", Made::Dashed, 20),
    // Stripe
    ("sk_live_", Made::Letters, 10),
    ("sk_test_", Made::Letters, 10),
    ("rk_live_", Made::Letters, 10),
    ("rk_test_", Made::Letters, 10),
    ("pk_live_", Made::Letters, 10),
    ("pk_test_", Made::Letters, 10),
    ("whsec_", Made::Word, 20),
    // GitHub
    ("github_pat_", Made::Word, 22),
    ("ghp_", Made::Letters, 30),
    ("gho_", Made::Letters, 30),
    ("ghu_", Made::Letters, 30),
    ("ghs_", Made::Letters, 30),
    ("ghr_", Made::Letters, 30),
    // GitLab
    ("glpat-", Made::Dotted, 20),
    ("gldt-", Made::Dashed, 20),
    ("glrt-", Made::Dashed, 20),
    ("glptt-", Made::Dashed, 20),
    ("glcbt-", Made::Dashed, 20),
    // Slack
    ("xoxb-", Made::Dashed, 10),
    ("xoxp-", Made::Dashed, 10),
    ("xoxa-", Made::Dashed, 10),
    ("xoxr-", Made::Dashed, 10),
    ("xoxs-", Made::Dashed, 10),
    ("xoxe-", Made::Dashed, 10),
    ("xapp-", Made::Dashed, 10),
    // Google
    ("AIza", Made::Dashed, 30),
    ("GOCSPX-", Made::Dashed, 20),
    ("ya29.", Made::Dotted, 20),
    // Registries of packages and of images
    ("npm_", Made::Letters, 30),
    ("pypi-", Made::Dashed, 50),
    ("dckr_pat_", Made::Dashed, 20),
    ("rubygems_", Made::Letters, 40),
    // Models and their hosts
    ("hf_", Made::Letters, 30),
    ("gsk_", Made::Letters, 40),
    ("xai-", Made::Letters, 40),
    ("r8_", Made::Letters, 30),
    // Others
    ("SG.", Made::Dotted, 40),
    ("dop_v1_", Made::Letters, 40),
    ("hvs.", Made::Dashed, 20),
    ("shpat_", Made::Letters, 30),
    ("shpss_", Made::Letters, 30),
    ("lin_api_", Made::Letters, 30),
    ("dapi", Made::Letters, 32),
    ("AGE-SECRET-KEY-1", Made::Letters, 50),
];

/// [`KEYS`] by their first bytes: most words begin as few of them or none.
struct ByFirst {
    /// The first of each byte; `NO_KEY` where there is none.
    first: [usize; 128],
    /// The next one with the same first byte, for each.
    next: [usize; KEYS.len()],
}

/// No place in [`KEYS`].
const NO_KEY: usize = usize::MAX;

static BY_FIRST: ByFirst = {
    let (mut first, mut next) = ([NO_KEY; 128], [NO_KEY; KEYS.len()]);
    let mut at = KEYS.len();
    while at > 0 {
        at -= 1;
        let byte = KEYS[at].0.as_bytes()[0] as usize;
        next[at] = first[byte];
        first[byte] = at;
    }
    ByFirst { first, next }
};

impl ByFirst {
    /// Those that begin with a byte, in their order.
    fn of(&self, byte: u8) -> impl Iterator<Item = &'static (&'static str, Made, usize)> {
        let first = self.first.get(usize::from(byte)).copied();
        let places = std::iter::successors(first, |at| self.next.get(*at).copied());
        places.map_while(|at| KEYS.get(at))
    }
}

/// Names whose values are secrets whatever they look like.
const PASSWORDS: &[&str] = &["password", "passwd", "passphrase", "pwd", "_pass"];

/// Names whose values are secrets if they look like one.
const SECRETS: &[&str] = &[
    "token",
    "secret",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "account_key",
    "accountkey",
    "private_key",
    "secret_key",
    "secretkey",
    "auth_key",
    "signing_key",
    "encryption_key",
    "credential",
];

/// Words that are no secrets, or of which variables are named that hold one.
const HARMLESS: &[&str] = &[
    "password",
    "passwd",
    "pwd",
    "pass",
    "token",
    "secret",
    "key",
    "cred",
    "example",
    "changeme",
    "your",
    "string",
    "none",
    "null",
    "true",
    "false",
    "undefined",
    "redacted",
    "hidden",
    "empty",
    "required",
    "optional",
    "missing",
    "invalid",
    "wrong",
    "input",
    "value",
    "prompt",
    "field",
];

/// A text with its secrets masked: `sk-ant-…`. What is masked already stays as it is.
///
/// ```
/// use hud_agent::secret::mask;
///
/// let command = "PGPASSWORD=hunter2 psql postgres://app:s3cret@db/main";
/// assert_eq!(mask(command), "PGPASSWORD=… psql postgres://app:…@db/main");
/// assert_eq!(mask("let token = next(&mut tokens);"), "let token = next(&mut tokens);");
/// ```
pub fn mask(text: &str) -> Cow<'_, str> {
    masked_at(text, may_begin)
}

/// How often a text is looked through at most, so that it ends whatever the text is.
const MOST_PASSES: usize = 8;

/// A text with the secrets masked that begin at the places that `next` gives, from a place on. A text without
/// any, as most are, is looked through once.
fn masked_at(text: &str, next: Next) -> Cow<'_, str> {
    let mut masked = pass(text, next);
    for _ in 1..MOST_PASSES {
        // What led to a secret, like the user before a password, may have one in it.
        let Cow::Owned(found) = &masked else { break };
        let Cow::Owned(again) = pass(found, next) else {
            break;
        };
        masked = Cow::Owned(again);
    }
    masked
}

/// The next place where a secret may begin, from a place on.
type Next = fn(&[u8], usize) -> Option<usize>;

/// Looks through a text once, and masks the secrets that are not within one another.
fn pass(text: &str, next: Next) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut masked, mut done, mut at) = (String::new(), 0, 0);
    while let Some(next) = next(bytes, at) {
        at = next;
        let found = match bytes.get(at) {
            Some(b':' | b'=') => given(bytes, at),
            Some(b'*') => asterisks(bytes, at),
            Some(b'-') => block(text, at).or_else(|| flag(bytes, at)),
            _ if !follows_word(bytes, at) => key(bytes, at),
            _ => None,
        };
        match found.filter(|(begin, end)| done <= *begin && begin < end) {
            Some((begin, end)) => {
                masked.push_str(&text[done..begin]);
                masked.push_str(REST);
                (done, at) = (end, end);
            }
            None => at += 1,
        }
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => {
            masked.push_str(&text[done..]);
            Cow::Owned(masked)
        }
    }
}

/// Masks a text in its place.
pub(crate) fn mask_text(text: &mut String) {
    if let Cow::Owned(masked) = mask(text) {
        *text = masked;
    }
}

/// A part of a text, in bytes. Both ends are beside ASCII.
type Part = Option<(usize, usize)>;

/// Where the next place is that a secret may begin at, or be given at, from a place on: by its two bytes, as
/// most places are none. Pairs that share a place in the table are not distinguished.
fn may_begin(bytes: &[u8], from: usize) -> Option<usize> {
    const PLACES: usize = 1 << 12;
    const fn place(first: u8, second: u8) -> usize {
        ((first as usize) << 4 ^ second as usize) % PLACES
    }
    static PAIRS: [bool; PLACES] = {
        const OTHERS: [&str; 11] = [
            "ey", "Be", "be", "BE", "bE", "Ba", "ba", "BA", "bA", "**", "--",
        ];
        const fn add(pairs: &mut [bool; PLACES], word: &str) {
            pairs[place(word.as_bytes()[0], word.as_bytes()[1])] = true;
        }
        let mut pairs = [false; PLACES];
        let mut at = 0;
        while at < KEYS.len() {
            add(&mut pairs, KEYS[at].0);
            at += 1;
        }
        at = 0;
        while at < OTHERS.len() {
            add(&mut pairs, OTHERS[at]);
            at += 1;
        }
        // Any value of ASCII.
        let mut second = 0;
        while second < 128 {
            pairs[place(b':', second)] = true;
            pairs[place(b'=', second)] = true;
            second += 1;
        }
        pairs
    };
    // Several at once: that none of them is one takes a single branch.
    const AT_ONCE: usize = 8;
    let is_one = |pair: &[u8]| PAIRS[place(pair[0], pair[1])];
    let mut at = from;
    while let Some(several) = bytes
        .get(at..)
        .and_then(<[u8]>::first_chunk::<{ AT_ONCE + 1 }>)
    {
        let pairs = several.windows(2);
        if pairs.fold(false, |any, pair| any | is_one(pair)) {
            break;
        }
        at += AT_ONCE;
    }
    let found = bytes.get(at..)?.windows(2).position(is_one);
    found.map(|found| at + found)
}

/// Whether a word goes on at a place.
fn follows_word(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// How many bytes there are of a kind from a place on, as far as a secret may be long.
fn run(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    /// No token is longer, and a text of nothing but beginnings is not looked through again and again.
    const LONGEST: usize = 4096;
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter()
        .take(LONGEST)
        .take_while(|byte| is(**byte))
        .count()
}

/// Whether bytes are as those of a key: digits among them, or asterisks.
fn is_random(bytes: &[u8]) -> bool {
    bytes.iter().any(u8::is_ascii_digit) || bytes.windows(4).any(|four| four == b"****")
}

/// The rest of a key that begins at a place.
fn key(bytes: &[u8], at: usize) -> Part {
    let rest = bytes.get(at..)?;
    let mut known = BY_FIRST.of(*rest.first()?);
    if let Some((known, made, least)) = known.find(|(known, ..)| rest.starts_with(known.as_bytes()))
    {
        let begin = at + known.len();
        let length = run(bytes, begin, |byte| made.of(byte));
        let of_key = &bytes[begin..begin + length];
        if length < *least || !is_random(of_key) {
            return None;
        }
        // The full stop of a sentence is none of it.
        let tail = of_key.iter().rev().take_while(|byte| **byte == b'.');
        return Some((begin, begin + length - tail.count()));
    }
    if rest.starts_with(b"eyJ") {
        let length = run(bytes, at, |byte| Made::Dotted.of(byte) || byte == b'=');
        let is_token = length >= 40
            && bytes[at..at + length]
                .windows(4)
                .any(|four| four == b".eyJ");
        return is_token.then_some((at + 3, at + length));
    }
    for scheme in ["bearer ", "basic "] {
        let is_scheme = rest
            .get(..scheme.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes()));
        if is_scheme {
            let begin = at + scheme.len();
            let length = run(bytes, begin, is_of_value);
            let mut before = bytes[..at].iter().rev().skip_while(|byte| **byte == b' ');
            let is_header = matches!(before.next(), Some(b':' | b'=' | b'"' | b'\'' | b'`'));
            let is_secret = is_header && length >= 12;
            return is_secret.then_some((begin, begin + length));
        }
    }
    None
}

/// What a token is made of, whoever issues it.
const fn is_of_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'*')
}

/// A private key: all behind the line that it begins with.
fn block(text: &str, at: usize) -> Part {
    let rest = text.get(at..)?.strip_prefix("-----BEGIN ")?;
    let (name, key) = rest.split_once("-----")?;
    if name.len() > 40 || !name.contains("PRIVATE KEY") {
        return None;
    }
    let begin = text.len() - key.len();
    // Line ends may be written as `\n`; an encrypted key says how in its first lines.
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\\:, \r\n\t*".contains(byte);
    let length = key.bytes().take_while(is_of_key).count();
    let end = format!("-----END {name}-----");
    let end = if key[length..].starts_with(&end) {
        end.len()
    } else {
        0
    };
    (length >= 40).then_some((begin, begin + length + end))
}

/// The value of an option like `--password` in the word behind it.
fn flag(bytes: &[u8], at: usize) -> Part {
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
    value(bytes, end + 1, sort, true)
}

/// What sort of value a name has.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Password,
    Secret,
}

/// The sort of value that a name ends in, if that is to be kept secret.
fn sort(name: &[u8]) -> Option<Sort> {
    if !may_be_secret(name) {
        return None;
    }
    let ends = |known: &&str| {
        name.len()
            .checked_sub(known.len())
            .is_some_and(|begin| name[begin..].eq_ignore_ascii_case(known.as_bytes()))
    };
    if PASSWORDS.iter().any(ends) {
        return Some(Sort::Password);
    }
    SECRETS.iter().any(ends).then_some(Sort::Secret)
}

/// Whether a name may be one of a secret, by its last two letters, as most are none.
fn may_be_secret(name: &[u8]) -> bool {
    let last = name
        .last_chunk::<2>()
        .map(|last| last.map(|byte| byte.to_ascii_lowercase()));
    let ends = last.as_ref().map(|last| last.as_slice());
    matches!(
        ends,
        Some(b"rd" | b"wd" | b"se" | b"ss" | b"en" | b"et" | b"ey" | b"al")
    )
}

/// A secret behind `:` or `=`: the value of a name, or the password in an address.
fn given(bytes: &[u8], at: usize) -> Part {
    if bytes.get(at..)?.starts_with(b"://") {
        return password(bytes, at + 3);
    }
    // The name before it may be quoted, and there may be spaces.
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let before = bytes.get(..at)?;
    let spaces = before
        .iter()
        .rev()
        .take_while(|byte| **byte == b' ')
        .count()
        .min(4);
    let before = &before[..at - spaces];
    let quote = usize::from(matches!(before.last(), Some(b'"' | b'\'')));
    let name = &before[..before.len() - quote];
    if !may_be_secret(name) {
        return None;
    }
    let length = name
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| is_part(byte))
        .count();
    let sort = sort(&name[name.len() - length..])?;
    // `:=` of some languages, and a space that is not the end of a line.
    let mut begin = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'='));
    let gap = run(bytes, begin, |byte| byte == b' ').min(4);
    begin += gap;
    value(bytes, begin, sort, spaces + gap == 0 && bytes[at] == b'=')
}

/// The value at a place, if it is a secret. `is_bound` says that nothing is between it and its name.
fn value(bytes: &[u8], at: usize, sort: Sort, is_bound: bool) -> Part {
    let quote = bytes
        .get(at)
        .copied()
        .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let begin = at + usize::from(quote.is_some());
    let length = match quote {
        Some(quote) => {
            let length = run(bytes, begin, |byte| {
                byte != quote && byte != b'\n' && byte != b'\\'
            });
            (bytes.get(begin + length) == Some(&quote)).then_some(length)?
        }
        None => run(bytes, begin, |byte| {
            byte.is_ascii_graphic()
                && !matches!(
                    byte,
                    b'"' | b'\'' | b'`' | b',' | b';' | b'&' | b'|' | b')' | b'}' | b'<' | b'>'
                )
        }),
    };
    let given = &bytes[begin..begin + length];
    let given = match given.split_last() {
        // The end of a sentence.
        Some((b'.' | b':' | b'!' | b'?', rest)) if quote.is_none() => rest,
        _ => given,
    };
    is_secret(given, sort, quote.is_some(), is_bound).then_some((begin, begin + given.len()))
}

/// Whether a value is a secret, and no code, placeholder or word of a sentence.
fn is_secret(value: &[u8], sort: Sort, is_quoted: bool, is_bound: bool) -> bool {
    /// More than any secret has that is given so.
    const LONGEST: usize = 512;
    let least = if sort == Sort::Password { 4 } else { 8 };
    if value.len() < least || value.len() > LONGEST || value.contains(&b' ') {
        return false;
    }
    // A variable, a call, a template, a path to something.
    let is_code =
        |byte: &u8| matches!(byte, b'(' | b'[' | b'{' | b'$' | b'<' | b'>' | b'%' | b'\\');
    if value.iter().any(is_code) || (!is_quoted && value.windows(2).any(|two| two == b"::")) {
        return false;
    }
    // A name for a file or a page, and no base64.
    let is_path = value.contains(&b'/') && !value.iter().any(u8::is_ascii_uppercase)
        || value.starts_with(b"/")
        || value.starts_with(b"./")
        || value.starts_with(b"http");
    let digits = value.iter().any(u8::is_ascii_digit);
    let letters = value.iter().any(u8::is_ascii_alphabetic);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_name = value
        .iter()
        .all(|byte| is_word(byte) || matches!(byte, b'.' | b'-'));
    let lower = value.to_ascii_lowercase();
    let names = |word: &&str| {
        lower
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    if value.windows(4).any(|four| four == b"****") {
        return true;
    }
    if is_path || is_name && !(digits && sort == Sort::Password) && HARMLESS.iter().any(names) {
        return false;
    }
    match sort {
        Sort::Password => {
            let has_signs = value.iter().any(|byte| b"!@#^&+*~".contains(byte));
            letters && (digits || has_signs || is_bound || (is_quoted && value.len() >= 6))
        }
        // As many different bytes as in chance, of which some are digits.
        Sort::Secret => digits && letters && distinct(value) >= 6,
    }
}

/// How many different bytes there are.
fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    value
        .iter()
        .for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count()
}

/// The password in an address, whose user begins at a place.
fn password(bytes: &[u8], at: usize) -> Part {
    let is_of_address = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'/' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\' | b'?' | b'#'
            )
    };
    let length = run(bytes, at, is_of_address).min(300);
    let place = &bytes[at..at + length];
    let end = place.iter().rposition(|byte| *byte == b'@')?;
    let begin = place[..end].iter().position(|byte| *byte == b':')? + 1;
    let is_code = place[begin..end]
        .iter()
        .any(|byte| matches!(byte, b'$' | b'{' | b'}' | b'%' | b'(' | b'['));
    (end > begin && !is_code).then_some((at + begin, at + end))
}

/// A long run of asterisks beside a word: somebody masked a secret.
fn asterisks(bytes: &[u8], at: usize) -> Part {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    if before == Some(&b'*') {
        return None;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| **byte == b'*').count();
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b':');
    let after = bytes.get(at + length);
    let is_masked = length >= 6 && (before.is_some_and(is_word) || after.is_some_and(is_word));
    is_masked.then_some((at, at + length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes as chance gives them, so many. No key that anybody has is written down here.
    fn random(count: usize) -> String {
        let letters = "a8Kd0Qz7Lm3XpT5vRb1WnY9cJs2HfG6u";
        letters.chars().cycle().take(count).collect()
    }

    #[test]
    fn each_known_beginning_is_all_that_is_shown_of_a_key() {
        for (known, made, least) in KEYS {
            let key = format!("{known}{}", random(*least));
            for (before, after) in [
                ("", ""),
                ("use ", " now."),
                ("(", ")"),
                ("\"", "\","),
                ("ключ ", "。"),
            ] {
                assert_eq!(
                    mask(&format!("{before}{key}{after}")),
                    format!("{before}{known}…{after}"),
                );
            }
            let masked = format!("{known}{}", "*".repeat(60));
            assert_eq!(mask(&masked), format!("{known}…"), "as a user masks it");
            if matches!(made, Made::Dashed) {
                assert_eq!(mask(&format!("{key}-")), format!("{known}…"));
            }
            let word = format!("my{key}");
            assert_eq!(mask(&word), word, "it begins with another word");
        }
    }

    #[test]
    fn tokens_keys_addresses_and_headers_are_masked() {
        let token = format!("eyJ{}.eyJ{}.{}", random(20), random(30), random(20));
        let block = format!(
            "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
            random(64)
        );
        for (text, masked) in [
            (token, "eyJ…"),
            (block, "-----BEGIN RSA PRIVATE KEY-----…"),
            (
                format!("-----BEGIN {}PRIVATE KEY-----{}", "*".repeat(8), random(40)),
                "-----BEGIN …PRIVATE KEY-----…",
            ),
            (
                format!("db://{}:{}@host", "*".repeat(8), random(8)),
                "db://…:…@host",
            ),
            (
                format!("-H 'Authorization: Bearer {}'", random(24)),
                "-H 'Authorization: Bearer …'",
            ),
            (
                format!("Authorization: Basic {}==", random(24)),
                "Authorization: Basic …",
            ),
            (
                "postgres://app:hunter2@db:5432/main".to_owned(),
                "postgres://app:…@db:5432/main",
            ),
            ("https://:tok3n@host/x".to_owned(), "https://:…@host/x"),
        ] {
            assert_eq!(mask(&text), masked);
            assert_eq!(mask(masked), masked, "what is masked stays so");
        }
    }

    #[test]
    fn values_of_names_that_say_secret_are_masked() {
        for (text, masked) in [
            ("password=hunter2", "password=…"),
            ("PGPASSWORD=correcthorse psql", "PGPASSWORD=… psql"),
            ("DB_PASS: s3cret!", "DB_PASS: …!"),
            ("\"password\": \"correct-horse\"", "\"password\": \"…\""),
            ("mysql --password hunter2 db", "mysql --password … db"),
            ("api_key = 'a8Kd0Qz7Lm3XpT5v'", "api_key = '…'"),
            (
                "AWS_SECRET_ACCESS_KEY=wJa1rXUtn/K7MDENG+bPxRfi",
                "AWS_SECRET_ACCESS_KEY=…",
            ),
            (
                "//registry.npmjs.org/:_authToken=a8Kd0Qz7Lm3XpT5v",
                "//registry.npmjs.org/:_authToken=…",
            ),
            ("--token=a8Kd0Qz7Lm3XpT5v", "--token=…"),
            ("the password: hunter2.", "the password: …."),
            ("password is sk-*************", "password is sk-…"),
            ("token=****************", "token=…"),
        ] {
            assert_eq!(mask(text), masked);
            assert_eq!(mask(masked), masked, "what is masked stays so");
        }
    }

    #[test]
    fn code_placeholders_and_prose_stay_as_they_are() {
        for text in [
            "let token = lexer.next();",
            "password: string; token?: string",
            "def login(password: str = None, token=token)",
            "password=os.environ['PASSWORD']",
            "secret: ${{ secrets.API_KEY }}",
            "export TOKEN=$GITHUB_TOKEN",
            "max_tokens=4096, tokens: 12345678",
            "wrong password: please try again",
            "password: \"string\"",
            "PWD=/home/user1/project",
            "token: src/token_2.rs:12",
            "basic test_of_parser2 and bearer tokens",
            "sk-learn-like-estimators-are-many",
            "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
            "https://example.org:8080/a@b",
            "2026-11-20T10:00:00 key: value",
            "********** Results **********",
            "/****** comment ******/",
            "if text.contains(\"-----BEGIN PRIVATE KEY-----\") { return; }",
            "пароль: секрет",
        ] {
            assert_eq!(mask(text), text);
        }
    }

    #[test]
    fn each_name_of_a_secret_is_looked_at() {
        for name in PASSWORDS.iter().chain(SECRETS) {
            assert!(may_be_secret(name.as_bytes()), "{name}");
            assert!(may_be_secret(name.to_uppercase().as_bytes()), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_masked_and_masking_again_changes_nothing(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "password", "token", "=", ":", " ", "\"", "'", "--", "://", "@", "*", "****", "é", "，", "sk-",
                    "ghp_", "eyJ", ".", "a8Kd0Qz7Lm3XpT5vRb1WnY9cJs2HfG6u", "-----BEGIN ", "PRIVATE KEY-----",
                    "\n", "Bearer ", "…", "\\", "x1",
                ]),
                0..24,
            )
        ) {
            let text = parts.concat();
            let masked = mask(&text).into_owned();
            prop_assert_eq!(mask(&masked), masked.as_str());
            let each_place = |bytes: &[u8], at: usize| (at < bytes.len()).then_some(at);
            prop_assert_eq!(masked_at(&text, each_place), masked);
        }
    }
}
