//! Values and their names. This module distinguishes secrets from code, placeholders and words.

use super::{Part, run, run_back};

/// The names whose values are always secrets.
pub(super) const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "sshpass",
    "pwd",
    "_pass",
    "-pass",
    "passwort",
    "kennwort",
    "motdepasse",
    "mot_de_passe",
    "contrasena",
    "wachtwoord",
];

/// The same for names that match as a whole or as their last word.
pub(super) const SHORT_PASSWORDS: &[&str] =
    &["pass", "pw", "psw", "psk", "pin", "mdp", "senha", "clave"];

/// The names whose values are secrets if they look like one.
pub(super) const SECRETS: &[&str] = &[
    "token",
    "secret",
    "apikey",
    "api_key",
    "api-key",
    "api key",
    "access_key",
    "access-key",
    "accesskey",
    "account_key",
    "accountkey",
    "private_key",
    "private-key",
    "privatekey",
    "secret_key",
    "secret-key",
    "secretkey",
    "auth_key",
    "auth-key",
    "authkey",
    "app_key",
    "app-key",
    "appkey",
    "application_key",
    "application-key",
    "applicationkey",
    "service_key",
    "servicekey",
    "admin_key",
    "adminkey",
    "server_key",
    "serverkey",
    "shared_key",
    "sharedkey",
    "subscription_key",
    "subscription-key",
    "subscriptionkey",
    "integration_key",
    "integrationkey",
    "hmac_key",
    "hmackey",
    "cipher_key",
    "cipherkey",
    "crypto_key",
    "deploy_key",
    "write_key",
    "writekey",
    "sdk_key",
    "sdkkey",
    "jwt_key",
    "jwtkey",
    "signing_key",
    "signingkey",
    "encryption_key",
    "encryptionkey",
    "master_key",
    "masterkey",
    "license_key",
    "licensekey",
    "preshared_key",
    "preshared-key",
    "presharedkey",
    "credential",
    "credentials",
    "webhook",
    "dockerconfigjson",
    "jsessionid",
    "key_base",
    "signature",
];

/// The same for names that match as a whole or as their last word.
pub(super) const SHORT_SECRETS: &[&str] = &[
    "auth", "sig", "psk", "jwt", "pat", "dsn", "creds", "key", "cookie", "sid",
];

/// The words that are not secrets, or that are part of the names of variables with a secret.
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
    "placeholder",
    "xxxx",
    "authenticat",
    "psk",
];

/// The words that describe a state or a type. In place of a value, they are not secrets.
const STATES: &[&str] = &[
    "admin-only",
    "and",
    "argument",
    "arguments",
    "can",
    "file",
    "flag",
    "flags",
    "for",
    "from",
    "must",
    "options",
    "parameter",
    "parameters",
    "should",
    "stdin",
    "will",
    "also",
    "always",
    "any",
    "available",
    "back",
    "base64",
    "bcrypt",
    "blank",
    "bool",
    "boolean",
    "bytes",
    "case-sensitive",
    "char",
    "common",
    "correct",
    "default",
    "denied",
    "different",
    "absent",
    "anything",
    "because",
    "before",
    "broken",
    "complex",
    "either",
    "elsewhere",
    "exactly",
    "legacy",
    "neither",
    "obsolete",
    "rather",
    "really",
    "shared",
    "shown",
    "similar",
    "simple",
    "something",
    "somewhere",
    "stale",
    "unique",
    "across",
    "against",
    "almost",
    "already",
    "another",
    "around",
    "behind",
    "better",
    "between",
    "bigger",
    "certain",
    "during",
    "easier",
    "enough",
    "except",
    "greater",
    "harder",
    "inside",
    "instead",
    "larger",
    "nobody",
    "nowhere",
    "outside",
    "perhaps",
    "smaller",
    "sometimes",
    "stronger",
    "subject",
    "through",
    "together",
    "unclear",
    "unless",
    "weaker",
    "whatever",
    "wrong",
    "double",
    "exact",
    "expired",
    "expiry",
    "fine",
    "float",
    "forgotten",
    "fresh",
    "gone",
    "good",
    "here",
    "identical",
    "incorrect",
    "integer",
    "just",
    "known",
    "long",
    "longer",
    "mandatory",
    "mine",
    "never",
    "nothing",
    "number",
    "numeric",
    "object",
    "okay",
    "only",
    "option",
    "ours",
    "plain",
    "plaintext",
    "please",
    "present",
    "private",
    "public",
    "random",
    "reset",
    "right",
    "safe",
    "same",
    "secure",
    "sensitive",
    "short",
    "shorter",
    "still",
    "strong",
    "there",
    "this",
    "that",
    "text",
    "theirs",
    "today",
    "twice",
    "unknown",
    "unsafe",
    "unset",
    "valid",
    "varchar",
    "weak",
    "what",
    "where",
    "with",
    "within",
    "without",
    "yours",
];

/// The endings of words that describe a state: `expired`, `missing`, `visible`.
const STATE_ENDS: &[&str] = &[
    "ed", "ing", "able", "ible", "ly", "less", "ful", "ive", "ous", "al", "ent", "ant", "ic", "id",
    "en", "ect", "ary", "ory", "ment", "tion",
];

/// The names of algorithms, encodings and standards, which are not secrets.
const METHODS: &[&str] = &[
    "base64", "base32", "sha1", "sha2", "sha-", "sha5", "md5", "utf", "argon2", "bcrypt", "hs256",
    "hs512", "rs256", "es256", "aes", "x509", "oauth", "ed25519", "pkcs", "rfc", "iso", "http2",
    "ipv",
];

/// The sort of value that a name has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sort {
    Password,
    Secret,
    /// A key, which may be public. Only a random value is a secret.
    Key,
}

/// The relation between a name and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bond {
    /// Only `=` is between them.
    Bound,
    /// Only `=` is between them, and the name is an environment variable: `DB_PASSWORD=…`.
    Environment,
    /// They are alone on a line: `db_password: …`.
    Line,
    /// A sentence states the value.
    Said,
    /// Any other relation.
    Loose,
}

impl Bond {
    /// True if the value certainly belongs to the name.
    const fn is_tight(self) -> bool {
        matches!(self, Self::Bound | Self::Environment)
    }
}

/// Returns the sort of value of a name, from its ending, if the value is secret.
pub(super) fn sort(name: &[u8]) -> Option<Sort> {
    let name = without_place(name);
    if !may_be_secret(name) {
        return None;
    }
    let ends = |known: &&str| {
        name.len()
            .checked_sub(known.len())
            .is_some_and(|begin| name[begin..].eq_ignore_ascii_case(known.as_bytes()))
    };
    // The names of public values.
    if ["public_key", "public-key", "publickey", "pubkey", "pub_key"]
        .iter()
        .any(ends)
    {
        return None;
    }
    let ends_in_word = |known: &&str| {
        let begin = name.len().wrapping_sub(known.len());
        let before = begin.checked_sub(1).and_then(|at| name.get(at));
        ends(known)
            && before.is_none_or(|before| {
                !before.is_ascii_alphanumeric()
                    || before.is_ascii_lowercase() && name[begin].is_ascii_uppercase()
            })
    };
    if PASSWORDS.iter().any(ends) || SHORT_PASSWORDS.iter().any(ends_in_word) {
        return Some(Sort::Password);
    }
    if SECRETS.iter().any(ends) {
        return Some(Sort::Secret);
    }
    SHORT_SECRETS.iter().any(ends_in_word).then_some(Sort::Key)
}

/// Returns a name without the suffix that distinguishes several of its kind: `TOKEN_PROD`, `password2`.
pub(super) fn without_place(name: &[u8]) -> &[u8] {
    const PLACES: [&str; 8] = [
        "_prod",
        "_dev",
        "_test",
        "_staging",
        "_live",
        "_old",
        "_new",
        "_production",
    ];
    let place = PLACES.iter().find(|place| {
        let begin = name.len().checked_sub(place.len());
        begin.is_some_and(|begin| name[begin..].eq_ignore_ascii_case(place.as_bytes()))
    });
    let name = &name[..name.len() - place.map_or(0, |place| place.len())];
    let digits = run_back(name, usize::MAX, |b| b.is_ascii_digit());
    let name = &name[..name.len() - digits];
    match name {
        [rest @ .., b'_' | b'-'] if digits > 0 => rest,
        name => name,
    }
}

/// True if a name may be one of a secret. It checks the last two letters, which excludes most names.
pub(super) fn may_be_secret(name: &[u8]) -> bool {
    let last = name
        .last_chunk::<2>()
        .map(|last| last.map(|byte| byte.to_ascii_lowercase()));
    let ends = last.as_ref().map(|last| last.as_slice());
    matches!(
        ends,
        Some(
            b"rd"
                | b"wd"
                | b"se"
                | b"ss"
                | b"en"
                | b"et"
                | b"ey"
                | b"al"
                | b"de"
                | b"rt"
                | b"na"
                | b"pw"
                | b"sw"
                | b"in"
                | b"dp"
                | b"ha"
                | b"ve"
                | b"ls"
                | b"ok"
                | b"re"
                | b"th"
                | b"ig"
                | b"sk"
                | b"wt"
                | b"at"
                | b"sn"
                | b"ds"
                | b"ie"
                | b"id"
                | b"ue"
                | b"on"
                | b"lt"
        )
    )
}

/// Returns the opening quote at a byte offset, and its length in bytes. `\"` within a quoted text has
/// two bytes, and one at the next level has four.
pub(super) fn quote(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let escapes = escapes(bytes, at);
    match bytes.get(at + escapes)? {
        quote @ (b'"' | b'\'') if escapes == 0 || escapes % 2 == 1 => Some((*quote, escapes + 1)),
        quote @ b'`' if escapes == 0 => Some((*quote, 1)),
        _ => None,
    }
}

/// Returns the number of backslashes from a byte offset on, up to the deepest level of quoting.
fn escapes(bytes: &[u8], at: usize) -> usize {
    const MOST: usize = 7;
    let rest = bytes.get(at..).unwrap_or_default();
    let escapes = rest.iter().take(MOST);
    escapes.take_while(|byte| **byte == b'\\').count()
}

/// Returns the end of a quoted text that begins at `begin`. The same quote must end it on the same line.
pub(super) fn quoted(bytes: &[u8], begin: usize, (quote, width): (u8, usize)) -> Option<usize> {
    let mut at = begin;
    while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'\n') {
        match *byte {
            // The line continues on the next one.
            b'\\' if width == 1 && bytes.get(at + 1) == Some(&b'\n') => return None,
            // A quote within the text, or the end of the text around it.
            b'\\' if width == 1 => at += 2,
            b'\\' => {
                let escapes = escapes(bytes, at);
                let is_quote = bytes.get(at + escapes) == Some(&quote);
                if is_quote && escapes < width {
                    return Some(at);
                }
                at += escapes + usize::from(is_quote);
            }
            found if found == quote && width == 1 => return Some(at),
            found if found == quote => return None,
            _ => at += 1,
        }
    }
    None
}

/// Returns the value at a byte offset, if it is a secret.
pub(super) fn value(bytes: &[u8], at: usize, sort: Sort, bond: Bond) -> Part {
    let opened = quote(bytes, at);
    let begin = at + opened.map_or(0, |(_, width)| width);
    let end = match opened {
        Some(opened) => match quoted(bytes, begin, opened) {
            Some(end) => end,
            None => return wrapped(bytes, begin, opened),
        },
        None => unquoted(bytes, begin, bond),
    };
    if opened.is_none()
        && sort == Sort::Password
        && bond != Bond::Loose
        && let Some(found) = signs(bytes, begin)
    {
        return Some(found);
    }
    let given = bytes.get(begin..end)?;
    let given = match given.split_last() {
        // Punctuation at the end of a sentence.
        Some((b'.' | b':' | b'!' | b'?', rest))
            if opened.is_none() && bond != Bond::Environment =>
        {
            rest
        }
        _ => given,
    };
    let is_of_code = opened.is_none() && is_expression(bytes, begin, given, sort, bond);
    // Variables are not expanded in single quotes.
    let is_literal =
        bond == Bond::Environment && opened == Some((b'\'', 1)) && !is_whole_variable(given);
    let is_found = !is_of_code && is_secret(given, sort, opened.is_some(), is_literal, bond)
        || opened.is_some() && sort == Sort::Password && is_phrase(given, bond);
    is_found.then_some((begin, begin + given.len()))
}

/// Returns a value that consists only of signs, up to a blank. Patterns, lines between paragraphs and
/// code are excluded.
pub(super) fn signs(bytes: &[u8], begin: usize) -> Part {
    let length = run(bytes, begin, |byte| {
        byte.is_ascii_punctuation() || byte >= 0x80
    });
    let given = &bytes[begin..begin + length];
    let ends = bytes
        .get(begin + length)
        .is_none_or(u8::is_ascii_whitespace);
    let is_code = matches!(
        given.first(),
        Some(b'[' | b'{' | b'<' | b'^' | b'"' | b'\'')
    ) || given.iter().any(|byte| b"[]{}\"'`|\\;".contains(byte));
    let ascii = given.iter().filter(|byte| byte.is_ascii()).count();
    let is_text = ascii >= 8 && length - ascii <= 3 && distinct(given) >= 6;
    (ends && !is_code && is_text && std::str::from_utf8(given).is_ok())
        .then_some((begin, begin + length))
}

/// Returns a quoted value that is wrapped into several lines, if it is random and longer than a word.
/// The closing quote must directly follow its last line.
fn wrapped(bytes: &[u8], begin: usize, (quote, _): (u8, usize)) -> Part {
    const MOST_LINES: usize = 24;
    let mut given = Vec::new();
    let mut at = begin;
    for _ in 0..MOST_LINES {
        let length = run(bytes, at, is_token_byte);
        given.extend_from_slice(&bytes[at..at + length]);
        at += length;
        if bytes.get(at) == Some(&quote) {
            let is_one = given.len() >= 24 && looks_random(&given) && !is_digest(&given);
            return is_one.then_some((begin, at));
        }
        // The value continues on the next line. Some languages mark that with a sign.
        at += usize::from(bytes.get(at) == Some(&b'\\'));
        at += match bytes.get(at..)? {
            [b'\n', ..] if length >= 8 => 1,
            [b'\r', b'\n', ..] if length >= 8 => 2,
            _ => return None,
        };
        at += run(bytes, at, |byte| matches!(byte, b' ' | b'\t'));
    }
    None
}

/// True if a value without quotes is a part of an expression: a type, a member, a constant.
fn is_expression(bytes: &[u8], begin: usize, value: &[u8], sort: Sort, bond: Bond) -> bool {
    if bond.is_tight() || bond == Bond::Said {
        return false;
    }
    let behind = bytes.get(begin + value.len()..).unwrap_or_default();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_name = value.iter().all(is_word);
    // `Key<'a>`, `read::<u8>()`, `__u32`, `*mut u8`
    if behind.starts_with(b"<")
        || behind.starts_with(b":<")
        || behind.starts_with(b"::")
        || is_name && value.starts_with(b"_")
    {
        return true;
    }
    if matches!(value, [b'*' | b'&', b'a'..=b'z', ..]) && !has_digit(value) {
        return true;
    }
    let is_member = is_member(value);
    // `password: Type;`
    if behind.starts_with(b";") && value.iter().all(u8::is_ascii_alphabetic) {
        return true;
    }
    let is_statement = matches!(behind.first(), Some(b';' | b'(' | b'['));
    if is_member && !looks_random(value) && (sort != Sort::Password || is_statement) {
        return true;
    }
    if sort != Sort::Password && is_name && is_type(value) {
        return true;
    }
    // `SIGNATURE_TYPE2`
    let is_upper = !value.iter().any(u8::is_ascii_lowercase) && value.contains(&b'_');
    sort != Sort::Password && is_name && is_upper && !looks_random(value)
}

/// True if a word is the name of a type with a number of bits or parts: `Uint8Array`, `Ed25519Key`.
fn is_type(value: &[u8]) -> bool {
    const SIZES: [&str; 21] = [
        "1", "2", "3", "4", "5", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128", "192",
        "256", "384", "509", "512", "25519",
    ];
    let mut numbers = value
        .split(|byte| !byte.is_ascii_digit())
        .filter(|number| !number.is_empty());
    let is_size = |number: &[u8]| SIZES.iter().any(|size| size.as_bytes() == number);
    let is_only = numbers.next().is_some_and(is_size) && numbers.next().is_none();
    value.first().is_some_and(u8::is_ascii_uppercase)
        && value.iter().any(u8::is_ascii_lowercase)
        && value.len() <= 32
        && is_only
}

/// Returns the end of a value without quotes.
fn unquoted(bytes: &[u8], begin: usize, bond: Bond) -> usize {
    /// The maximum length of a value.
    const LONGEST: usize = 4096;
    let is_end = |at: usize, byte: u8| match byte {
        b'"' | b'\'' | b'`' => true,
        b'\\' => matches!(
            bytes.get(at + 1),
            None | Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\n')
        ),
        // These characters may be within the value of an environment variable, but only one at a time.
        b',' | b';' | b'&' | b'|' | b')' | b'}' | b'<' | b'>' => {
            let goes_on = bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
                || byte == b')' && bytes[begin..at].contains(&b'(');
            bond != Bond::Environment || !goes_on
        }
        byte => !byte.is_ascii_graphic(),
    };
    let last = bytes.len().min(begin + LONGEST);
    (begin..last)
        .find(|at| is_end(*at, bytes[*at]))
        .unwrap_or(last)
}

/// True if a value is a secret, and not code, a placeholder or a word of a sentence.
fn is_secret(value: &[u8], sort: Sort, is_quoted: bool, is_literal: bool, bond: Bond) -> bool {
    /// The maximum length of such a secret.
    const LONGEST: usize = 512;
    let least = if sort == Sort::Password { 4 } else { 8 };
    if is_quoted && is_dense(value) && !is_whole_variable(value) {
        return true;
    }
    if value.len() < least || value.len() > LONGEST || value.contains(&b' ') {
        return false;
    }
    if is_masked(value) {
        return false;
    }
    if value.windows(4).any(|four| four == b"****") {
        return true;
    }
    if !is_literal && is_code(value, is_quoted, bond) {
        return false;
    }
    let is_chance = looks_random(value);
    if is_path(value, sort) && !(is_chance && sort != Sort::Password && value.len() >= 40) {
        return false;
    }
    let digits = has_digit(value);
    let letters = value.iter().any(u8::is_ascii_alphabetic);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_name = value
        .iter()
        .all(|byte| is_word(byte) || matches!(byte, b'.' | b'-'));
    let may_be_harmless = is_name && !is_chance && !(digits && sort == Sort::Password);
    if may_be_harmless && (holds_harmless(value) || is_state(value)) {
        return false;
    }
    match sort {
        Sort::Password => {
            let has_signs = value.iter().any(|byte| b"!@#$^&+*~%()".contains(byte));
            let is_number = value.iter().all(u8::is_ascii_digit);
            match (letters, digits) {
                _ if is_number => match bond {
                    Bond::Bound | Bond::Environment | Bond::Said => true,
                    Bond::Line => value.len() >= 4,
                    Bond::Loose => is_quoted,
                },
                (true, true) => bond != Bond::Said || is_quoted || is_chosen(value),
                (true, false) => {
                    has_signs
                        || bond.is_tight()
                        || (is_quoted && value.len() >= 6)
                        || (bond == Bond::Line && value.len() >= 6 && !is_adjective(value))
                }
                // Only signs, which are not a pattern or a line between paragraphs.
                (false, _) => has_signs && (digits || is_quoted && is_only_signs(value)),
            }
        }
        // As many different bytes as a random value has, with some digits.
        Sort::Secret => {
            let is_plain = digits && letters && distinct(value) >= 6;
            is_plain && (bond != Bond::Said || is_chosen(value))
                || is_chance
                || bond == Bond::Environment && is_mixed(value)
        }
        Sort::Key => {
            is_chance && !is_digest(value)
                || ENCODINGS
                    .iter()
                    .filter_map(|known| value.strip_prefix(known.as_bytes()))
                    .any(looks_random)
        }
    }
}

/// True if a value is as long as a key and has letters, digits and many signs, like a salt.
fn is_dense(value: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| value.iter().filter(|byte| is(byte)).count();
    (32..=200).contains(&value.len())
        && value
            .iter()
            .all(|byte| byte.is_ascii_graphic() || *byte == b' ')
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 2
        && count(u8::is_ascii_punctuation) * 5 >= value.len()
        && distinct(value) >= 24
        && !value.windows(3).any(|three| three == b"://")
}

/// True if a value consists of many different signs.
fn is_only_signs(value: &[u8]) -> bool {
    value.len() >= 8 && distinct(value) >= 6 && value.iter().all(u8::is_ascii_punctuation)
}

/// The prefixes that name the encoding of the key after them.
const ENCODINGS: [&str; 3] = ["base64:", "hex:", "base64url:"];

/// True if a secret was replaced by asterisks, dots, crosses or the like.
pub(super) fn is_masked(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else {
        return false;
    };
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return false;
    };
    matches!(
        first,
        '*' | '.' | 'x' | 'X' | '•' | '●' | '·' | '∙' | '…' | '_' | '-' | '#' | '?' | '█' | '■'
    ) && letters.all(|letter| letter == first)
}

/// True if a value is exactly one variable or one command.
fn is_whole_variable(value: &[u8]) -> bool {
    match value {
        [b'$', b'(' | b'{', rest @ ..] => matches!(rest, [.., b')' | b'}']),
        [b'{', b'{', ..] | [b'<', .., b'>'] => true,
        [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_', rest @ ..] => rest
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'),
        _ => false,
    }
}

/// Frequent words of sentences, which a passphrase of random words does not have.
const OF_SENTENCES: &[&str] = &[
    "a",
    "an",
    "the",
    "is",
    "are",
    "be",
    "your",
    "my",
    "our",
    "their",
    "new",
    "to",
    "of",
    "for",
    "in",
    "on",
    "at",
    "with",
    "from",
    "by",
    "and",
    "or",
    "not",
    "no",
    "this",
    "that",
    "if",
    "must",
    "should",
    "please",
    "enter",
    "confirm",
    "current",
    "forgot",
    "change",
    "reset",
    "show",
    "hide",
    "set",
    "use",
    "used",
    "than",
    "characters",
    "letters",
    "match",
    "does",
    "do",
    "der",
    "die",
    "das",
    "ihr",
    "ist",
    "dein",
    "le",
    "la",
    "de",
    "votre",
    "el",
    "su",
    "tu",
    "il",
    "o",
    "sua",
];

/// True if a quoted text is a passphrase of some words, and not a label or a sentence.
fn is_phrase(value: &[u8], bond: Bond) -> bool {
    let Ok(text) = std::str::from_utf8(value) else {
        return false;
    };
    let least = if bond == Bond::Environment { 2 } else { 4 };
    let words: Vec<&str> = text.split(' ').collect();
    let is_word = |word: &&str| {
        let is_of_word = |c: char| c.is_alphanumeric() || "-_!@#%^&*+=.".contains(c);
        !word.is_empty() && word.chars().all(is_of_word) && !word.ends_with('.')
    };
    let is_of_sentence = |word: &&str| {
        let lower = word.to_lowercase();
        OF_SENTENCES.contains(&lower.as_str())
    };
    let has_label = words.iter().any(|word| holds_harmless(word.as_bytes()))
        || words
            .iter()
            .filter(|word| is_state(word.as_bytes()))
            .count()
            > 1;
    (least..=30).contains(&words.len())
        && (8..=300).contains(&text.len())
        && words.iter().all(is_word)
        && !(has_label || words.iter().any(is_of_sentence))
}

/// The words of sentences about passwords.
const OF_SENTENCES_ABOUT: &[&str] = &[
    "ask", "see", "read", "stored", "kept", "taken", "via", "it", "was", "has", "have", "when",
    "where", "who", "which", "how", "why", "you", "we", "i", "they", "he", "she", "me", "us", "as",
    "so", "but", "then", "there", "here", "all", "some", "more", "less", "least", "most", "was",
    "were", "been", "being", "would", "could", "need", "needs", "may", "might", "after", "before",
    "until", "each", "every", "both", "one", "two", "up", "out", "about", "into", "over", "under",
    "per", "only", "also", "very", "too", "yet", "once", "again", "still", "get", "got", "try",
    "let", "ok", "yes", "und", "oder", "mit", "von", "zum", "zur", "auf", "für", "wird", "wurde",
    "nicht", "ein", "eine", "aus", "bei", "im", "am", "wie", "les", "des", "du", "un", "une", "et",
    "est", "pas", "par", "pour", "dans", "sur", "los", "las", "del", "y", "en", "es", "por",
    "para", "con", "no", "e", "do", "da", "em", "não", "non", "è", "di", "per", "se", "al", "a",
    "lo", "sus", "elle", "on", "ce", "sa", "и", "в", "на", "не", "с", "для", "или", "это", "по",
    "от", "из", "у",
];

/// True if a text is a passphrase of few lowercase words, one of which has digits between its letters:
/// `red b4rn door`.
pub(super) fn is_phrase_with_digits(text: &str) -> bool {
    const MOST: usize = 6;
    let words: Vec<&str> = text.split(' ').collect();
    let has_digits_within = |word: &&str| {
        let is_digit = |c: char| c.is_ascii_digit();
        let begin = word.find(is_digit);
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        begin.is_some_and(|begin| begin > 0) && letters >= 2 && is_chosen(word.as_bytes())
    };
    let is_word = |word: &&str| {
        !word.is_empty() && word.chars().all(|c| c.is_lowercase() || c.is_ascii_digit())
    };
    let is_other = |word: &&str| {
        OF_SENTENCES.contains(word)
            || OF_SENTENCES_ABOUT.contains(word)
            || is_adjective(word.as_bytes())
            || holds_harmless(word.as_bytes())
    };
    (2..=MOST).contains(&words.len())
        && words.iter().all(is_word)
        && !words.iter().any(is_other)
        && words.iter().any(has_digits_within)
        && text.len() >= 8
}

/// True if a text is a passphrase of some words without quotes, and not a sentence. All words are in
/// lowercase, or all begin with a capital letter.
pub(super) fn is_passphrase(text: &str) -> bool {
    const LEAST: usize = 4;
    const MOST: usize = 12;
    // `moss-teapot-lagoon-river`
    let sign = if text.contains(' ') { ' ' } else { '-' };
    let words: Vec<&str> = text.split(sign).collect();
    let is_word = |word: &&str| {
        word.chars().count() >= 2
            && word.chars().all(|c| c.is_alphanumeric() || c == '-')
            && word.len() <= 40
    };
    let begins_great = |word: &&str| word.starts_with(char::is_uppercase);
    let great = words.iter().filter(|word| begins_great(word)).count();
    let has_case = great == 0 || great == words.len();
    let is_other = |word: &&str| {
        let lower = word.to_lowercase();
        let lower = lower.as_str();
        OF_SENTENCES.contains(&lower) || OF_SENTENCES_ABOUT.contains(&lower)
    };
    let said = |word: &&&str| is_adjective(word.as_bytes());
    (LEAST..=MOST).contains(&words.len())
        && has_case
        && words.iter().all(is_word)
        && !words
            .iter()
            .any(|word| is_other(word) || holds_harmless(word.as_bytes()))
        && words.iter().filter(said).count() <= 1
        && text.chars().any(char::is_alphabetic)
}

/// True if a value is a member of something: names with dots between them.
pub(super) fn is_member(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        part.iter().all(is_of_name) && part.first().is_some_and(|byte| !byte.is_ascii_digit())
    };
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_name)
}

/// True if a value is a variable, a call, a template or a pattern.
fn is_code(value: &[u8], is_quoted: bool, bond: Bond) -> bool {
    let holds = |sign: &[u8]| value.windows(sign.len()).any(|part| part == sign);
    // Templates, in quotes or not.
    if [
        &b"${"[..],
        b"$(",
        b"{{",
        b"}}",
        b"<%",
        b"#{",
        b"$env:",
        b"process.env",
        b"os.environ",
    ]
    .iter()
    .any(|sign| holds(sign))
    {
        return true;
    }
    match value {
        [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_', ..] => return true,
        [b'<' | b'[' | b'(' | b'{' | b'\\', ..] => return true,
        // A YAML tag: `!vault name`.
        [b'!', b'A'..=b'Z' | b'a'..=b'z', ..] if !is_quoted && !has_digit(value) => return true,
        [b'%', rest @ ..] if rest.ends_with(b"%") || rest.len() < 4 || rest.starts_with(b"(") => {
            return true;
        }
        _ => {}
    }
    let in_braces = value.iter().position(|byte| *byte == b'{');
    if in_braces.is_some_and(|open| value[open..].contains(&b'}')) {
        return true;
    }
    if is_quoted {
        return false;
    }
    // A type with its length: `CHAR(64)`.
    let (name, size) = value.split_at(value.iter().take_while(|b| b.is_ascii_alphabetic()).count());
    if let [b'(' | b'[', size @ .., b')' | b']'] = size
        && !name.is_empty()
        && size
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b',')
    {
        return true;
    }
    // A call or an index has a name directly before it.
    let is_of_path =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'$');
    let open = value.iter().position(|byte| matches!(byte, b'(' | b'['));
    let is_call = open.is_some_and(|open| {
        let of = &value[..open];
        let is_member = of.contains(&b'.') || of.windows(2).any(|two| two == b"::");
        of.iter().all(is_of_path) && (bond != Bond::Environment || is_member)
    });
    is_call || holds(b"::") || (holds(b"\\") && bond != Bond::Environment)
}

/// True if a value names a file or a page.
fn is_path(value: &[u8], sort: Sort) -> bool {
    let begins = |beginning: &[u8]| value.starts_with(beginning);
    if begins(b"/")
        || begins(b"./")
        || begins(b"../")
        || begins(b"~/")
        || begins(b"http")
        || begins(b"urn:")
        || begins(b"arn:")
    {
        return true;
    }
    let slashes = value.iter().filter(|byte| **byte == b'/').count();
    let is_lower = !value.iter().any(u8::is_ascii_uppercase);
    let extension = run_back(value, usize::MAX, |byte| byte.is_ascii_lowercase());
    let has_extension =
        (1..=5).contains(&extension) && value[..value.len() - extension].last() == Some(&b'.');
    match sort {
        Sort::Password => slashes >= 2 && is_lower || slashes >= 1 && has_extension,
        Sort::Secret | Sort::Key => slashes >= 1 && is_lower,
    }
}

/// True if a person or a program created the value, and it is not a measure, a version or a name in a
/// sentence. It mixes digits and letters in a way that words with a number do not.
pub(super) fn is_chosen(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let holds = |word: &&str| {
        lower
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    let begins = value
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    // `32-byte`, `2024-11-27`, `v1.2.3`, `3rd`
    let rest = &value[begins..];
    let is_measure =
        begins > 0 && (rest.starts_with(b"-") || rest.starts_with(b".") || rest.len() <= 2);
    let is_version = lower.starts_with(b"v")
        && lower.get(1).is_some_and(u8::is_ascii_digit)
        && lower.contains(&b'.');
    !(METHODS.iter().any(holds) || is_measure || is_version || holds_harmless(value))
}

/// True if a word describes a state.
fn is_state(value: &[u8]) -> bool {
    STATES
        .iter()
        .any(|state| value.eq_ignore_ascii_case(state.as_bytes()))
}

/// True if a word has the ending of words that describe a state.
fn is_adjective(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    is_state(value) || STATE_ENDS.iter().any(|end| lower.ends_with(end.as_bytes()))
}

/// True if a word of only letters at the end of a sentence may be a password, because it has no other
/// known meaning.
pub(super) fn is_bare_word(value: &[u8]) -> bool {
    value.len() >= 6
        && value.iter().all(u8::is_ascii_alphabetic)
        && !is_adjective(value)
        && !holds_harmless(value)
}

/// True if a text contains one of the harmless words.
pub(super) fn holds_harmless(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    HARMLESS.iter().any(|word| {
        lower
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    })
}

/// True if bytes look random: they are long, and letters and digits alternate as in no word.
pub(super) fn looks_random(value: &[u8]) -> bool {
    /// A shorter value may be a name with a number.
    const LEAST: usize = 16;
    let is_made_so = |byte: &u8| is_token_byte(*byte);
    if value.len() < LEAST || !value.iter().all(is_made_so) || distinct(value) < 8 {
        return false;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 0,
    };
    // A word may begin with a capital letter, and signs separate words.
    let turns = value
        .windows(2)
        .filter(|two| match (class(two[0]), class(two[1])) {
            (0, _) | (_, 0) | (3, 2) => false,
            (before, behind) => before != behind,
        })
        .count();
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits >= 1 && turns * 5 >= value.len()
}

/// True if a value is a hexadecimal number, like many ids and checksums.
fn is_digest(value: &[u8]) -> bool {
    value
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'))
}

/// True if a byte may be part of a random token.
const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~' | b'%')
}

/// True if the letters are unlike those of a name: capital letters stand beside each other and within
/// the value.
fn is_mixed(value: &[u8]) -> bool {
    let pairs = |is: fn(u8, u8) -> bool| value.windows(2).filter(|two| is(two[0], two[1])).count();
    value.len() >= 16
        && value.iter().all(u8::is_ascii_alphanumeric)
        && pairs(|a, b| a.is_ascii_uppercase() && b.is_ascii_uppercase()) >= 1
        && pairs(|a, b| a.is_ascii_lowercase() && b.is_ascii_uppercase()) * 8 >= value.len()
}

pub(super) fn has_digit(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_digit)
}

/// Returns the number of different bytes.
pub(super) fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    value
        .iter()
        .for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count()
}
