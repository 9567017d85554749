//! Masks keys, tokens and passwords, because they belong neither in a HUD nor in a log.
//!
//! | secret | shown as |
//! | --- | --- |
//! | a key or token with a known prefix: see `src/keys.rs` | `sk-ant-…` |
//! | a JSON Web Token | `eyJ…` |
//! | a private key | `-----BEGIN PRIVATE KEY-----…` |
//! | a password hash | `$2b$…` |
//! | the value of `Authorization:` or `Cookie:` in a header | `Bearer …` |
//! | the password or the token in an address, and the part after the host of a webhook | `postgres://user:…@host` |
//! | a value that is given to a name like `password`, `api_key` or `--token` | `password=…` |
//! | a value that a command passes to a program: `curl -u`, `mysql -p`, `echo … \| sudo -S` | `-u user:…` |
//! | a value that a sentence states, in the supported languages | `the password is …` |
//! | a value that looks like a secret near a word for one, in a call that signs in, or in the column of a table | `connect(host, "ada", "…")` |
//! | a passphrase of some words after a name for one | `passphrase: …` |
//! | a Base64 or hexadecimal text, or character codes, if a command or a call decodes them | `echo … \| base64 -d` |
//! | recovery codes, and the words of a wallet | `recovery codes: …` |
//! | the values of a section or of a manifest of secrets | `kind: Secret` |
//! | asterisks in place of a part of a secret | `sk-…` |
//!
//! The prefixes are those that the issuers document, and the lengths are the shortest that they issue. A
//! value is distinguished from code and from placeholders by its characters: `token = read()`,
//! `password: string` and `secret: ${{ secrets.KEY }}` stay. A value that is already masked also stays:
//! `password: ****`. A key that a terminal wrapped into several lines is found if its length is known.
//!
//! Secrets are searched in the text itself and in several views of it: without invisible characters,
//! without terminal escape sequences, with escapes decoded, with the parts of a literal joined, and with
//! Latin letters in place of those that look like them. A text is searched once from beginning to end,
//! and again only if something was found. There are no patterns, because each hook is a new process,
//! which would have to compile them every time.

mod command;
mod cue;
mod encoded;
mod given;
mod keys;
mod list;
mod near;
mod shown;
mod value;

use std::borrow::Cow;

use hud_store::event::{HudEvent, NameError, SessionId};
use hud_store::text::{ceil_char_boundary, floor_char_boundary};
use serde_json::Value;

use self::given::{asterisks, flag, given, second};
use self::keys::{KEYS, block, key};

/// The replacement for the rest of a secret.
const REST: &str = "…";

/// Returns a text with its secrets masked: `sk-ant-…`. A part that is already masked stays.
///
/// ```
/// use hud_secret::mask;
///
/// let command = "PGPASSWORD=hunter2 psql postgres://app:s3cret@db/main";
/// assert_eq!(mask(command), "PGPASSWORD=… psql postgres://app:…@db/main");
/// assert_eq!(mask("let token = next(&mut tokens);"), "let token = next(&mut tokens);");
/// ```
pub fn mask(text: &str) -> Cow<'_, str> {
    masked_at(text, may_begin)
}

/// The maximum number of passes over a text, so that masking always ends.
const MOST_PASSES: usize = 8;

/// Returns a text with the secrets masked that begin at the byte offsets that `next` returns. Most texts
/// have none, and are searched once.
fn masked_at(text: &str, next: Next) -> Cow<'_, str> {
    let mut masked = pass(text, next);
    for _ in 1..MOST_PASSES {
        // The text before a secret, such as the user before a password, may itself contain one.
        let Cow::Owned(found) = &masked else { break };
        let Cow::Owned(again) = pass(found, next) else {
            break;
        };
        masked = Cow::Owned(again);
    }
    masked
}

/// Returns the next byte offset, from an offset on, at which a secret may begin.
type Next = fn(&[u8], usize) -> Option<usize>;

/// The number of bytes that are searched at once. The bytes near an offset are examined repeatedly, so
/// the time for an unbounded text would grow with its square.
const WINDOW: usize = 24 * 1024;

/// The number of bytes that two windows share. It is the length of the longest secret that is found
/// across their border.
const SHARED: usize = 8 * 1024;

/// Returns the windows of a text with their byte offsets. They begin and end between words, if there is
/// a space nearby.
fn windows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let border = |at: usize| {
        let at = floor_char_boundary(text, at);
        let near = &text[at..floor_char_boundary(text, at + SHARED / 8)];
        at + near.find('\n').or_else(|| near.find(' ')).unwrap_or(0)
    };
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let is_last = text.len() - start <= WINDOW;
        let end = if is_last {
            text.len()
        } else {
            border(start + WINDOW)
        };
        next = (!is_last).then(|| border(end - SHARED));
        Some((start, &text[start..end]))
    })
}

/// Searches a text once, and masks the secrets in it and in its views.
fn pass(text: &str, next: Next) -> Cow<'_, str> {
    let mut parts = Vec::new();
    for (start, window) in windows(text) {
        let mut own = Vec::new();
        find(window, next, &mut own);
        for view in shown::views(window) {
            let mut seen = Vec::new();
            find(&view.text, next, &mut seen);
            own.extend(seen.into_iter().map(|part| view.part(part)));
        }
        parts.extend(
            own.into_iter()
                .map(|(begin, end)| (begin + start, end + start)),
        );
    }
    if parts.is_empty() {
        return Cow::Borrowed(text);
    }
    parts.sort_unstable();
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    let mut parts = parts.into_iter().peekable();
    while let Some((begin, mut end)) = parts.next() {
        // Parts that overlap are merged.
        while let Some((_, longer)) = parts.next_if(|(begin, _)| *begin < end) {
            end = end.max(longer);
        }
        let begin = floor_char_boundary(text, begin).max(done);
        let end = ceil_char_boundary(text, end);
        if begin >= end || &text[begin..end] == REST {
            continue;
        }
        masked.push_str(&text[done..begin]);
        masked.push_str(REST);
        done = end;
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => {
            masked.push_str(&text[done..]);
            Cow::Owned(masked)
        }
    }
}

/// Finds the secrets in a text.
fn find(text: &str, next: Next, parts: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    // The byte offsets at which keys with a known prefix begin, with those at which their masked parts
    // begin.
    let mut keys = Vec::new();
    let (mut done, mut at) = (0, 0);
    while let Some(next) = next(bytes, at) {
        at = next;
        let found = match bytes.get(at) {
            Some(b':' | b'=') => given(bytes, at)
                .map(|part| whole(bytes, part))
                .or_else(|| near::source(bytes, at).filter(|_| bytes[at] == b':')),
            Some(b'"' | b'\'') => second(bytes, at),
            Some(b'*') => asterisks(bytes, at),
            Some(b'-') => block(text, at).or_else(|| flag(bytes, at)),
            _ if !follows_word(bytes, at) => {
                parts.extend(keys::of_account(bytes, at));
                key(bytes, at)
            }
            _ => None,
        };
        match found.filter(|(begin, end)| done <= *begin && begin < end) {
            Some((begin, end)) => {
                // The secret of an AWS key is near its id.
                if bytes[at..].starts_with(b"AKIA") || bytes[at..].starts_with(b"ASIA") {
                    parts.extend(beside(bytes, end));
                }
                if at < begin {
                    keys.push((at, begin));
                }
                parts.push((begin, end));
                (done, at) = (end, end);
            }
            None => at += 1,
        }
    }
    let known = parts.len();
    cue::cued(text, parts);
    // A key keeps its prefix, even if a sentence announces it.
    for part in &mut parts[known..] {
        if let Ok(key) = keys.binary_search_by_key(&part.0, |(at, _)| *at) {
            part.0 = keys[key].1;
        }
    }
    parts.retain(|(begin, end)| begin < end);
}

/// Returns a value together with the lines that a terminal wrapped the rest of a key into.
fn whole(bytes: &[u8], (begin, end): (usize, usize)) -> (usize, usize) {
    let last = key(bytes, begin).map_or(end, |(_, last)| last);
    (begin, end.max(last))
}

/// Returns an AWS secret key, of 40 letters, digits and signs, that begins soon after a byte offset.
fn beside(bytes: &[u8], from: usize) -> Part {
    const FARTHEST: usize = 300;
    const LENGTH: usize = 40;
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+');
    let mut at = from;
    while at < bytes.len().min(from + FARTHEST) {
        let length = run(bytes, at, |byte| is_of_key(&byte));
        let word = &bytes[at..at + length];
        if length == LENGTH && value::looks_random(word) && word.iter().any(u8::is_ascii_uppercase)
        {
            return Some((at, at + length));
        }
        at += length + 1;
    }
    None
}

/// Masks a text in place.
pub fn mask_text(text: &mut String) {
    if let Cow::Owned(masked) = mask(text) {
        *text = masked;
    }
}

/// Masks the strings of a value in place. A string may be a secret because of the name of its field, or
/// because of the name in a field beside it: `{"path": "db.password", "value": "…"}`.
///
/// ```
/// use hud_secret::mask_value;
/// use serde_json::json;
///
/// let mut value = json!({ "password": "hunter2", "set": { "key": "api_token", "value": "a8Kd0Qz7" }, "port": 80 });
/// mask_value(&mut value);
/// assert_eq!(value, json!({ "password": "…", "set": { "key": "api_token", "value": "…" }, "port": 80 }));
/// ```
pub fn mask_value(value: &mut Value) {
    match value {
        Value::String(text) => mask_text(text),
        Value::Array(values) => values.iter_mut().for_each(mask_value),
        Value::Object(fields) => {
            const NAMES: [&str; 4] = ["path", "key", "name", "field"];
            let named = NAMES.iter().find_map(|name| fields.get(*name)?.as_str());
            // A field named `key` usually contains a name.
            let sort_of =
                |name: &str| value::sort(name.as_bytes()).filter(|sort| *sort != value::Sort::Key);
            let beside = named.and_then(sort_of);
            for (name, value) in fields {
                let sort = sort_of(name).or(beside.filter(|_| name == "value"));
                match value {
                    Value::String(text) if sort.is_some_and(|sort| is_value(text, sort)) => {
                        REST.clone_into(text);
                    }
                    value => mask_value(value),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// True if the whole text is the value of a name of this sort.
fn is_value(text: &str, sort: value::Sort) -> bool {
    let quoted = format!("\"{text}\"");
    let found = value::value(quoted.as_bytes(), 0, sort, value::Bond::Loose);
    found.is_some_and(|(begin, end)| (begin, end) == (1, text.len() + 1))
}

/// Masks the texts of an event in place, before it is appended to a log.
///
/// ```
/// use hud_secret::mask_event;
/// use hud_store::event::{HudEvent, NoteAdd};
///
/// let mut event = HudEvent::from(NoteAdd { id: "n1".into(), content: "the password is hunter2".into() });
/// mask_event(&mut event);
/// assert_eq!(event, NoteAdd { id: "n1".into(), content: "the password is …".into() }.into());
/// ```
pub fn mask_event(event: &mut HudEvent) {
    // The log refuses an event that cannot be encoded.
    let Ok(encoded) = event.encode() else { return };
    let Ok(mut payload) = serde_json::from_str::<Value>(&encoded.payload) else {
        return;
    };
    let before = payload.clone();
    mask_value(&mut payload);
    if payload == before {
        return;
    }
    if let Ok(masked) = HudEvent::decode(&encoded.kind, encoded.v, &payload.to_string()) {
        *event = masked;
    }
}

/// Returns the name of a session, masked, as it is recorded with each event. Clients name some sessions
/// by their titles, and a title may contain a secret.
///
/// # Errors
///
/// [`NameError`] if the name is not valid.
///
/// ```
/// use hud_secret::session_name;
///
/// let title = "The staging password is hunter2";
/// assert_eq!(session_name(title)?.as_str(), "The staging password is …");
/// let name = "0198c1f2-7d3e-7000-8000-3b2c1d0e9f8a";
/// assert_eq!(session_name(name)?.as_str(), name);
/// # Ok::<(), hud_store::event::NameError>(())
/// ```
pub fn session_name(name: &str) -> Result<SessionId, NameError> {
    SessionId::new(mask(name))
}

/// A byte range of a text.
type Part = Option<(usize, usize)>;

/// Returns the next byte offset, from an offset on, at which a secret or its sign may begin. It checks
/// two bytes at a time, because most offsets are excluded. Pairs in the same bucket of the table are not
/// distinguished.
fn may_begin(bytes: &[u8], from: usize) -> Option<usize> {
    const PLACES: usize = 1 << 12;
    const fn place(first: u8, second: u8) -> usize {
        ((first as usize) << 4 ^ second as usize) % PLACES
    }
    static PAIRS: [bool; PLACES] = {
        const OTHERS: [&str; 29] = [
            "ey", "pa", "Be", "be", "BE", "bE", "Ba", "ba", "BA", "bA", "SS", "ss", "Ss", "sS",
            "**", "--", "\",", "',", "MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT",
            "AC",
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
        // Any ASCII byte may follow.
        let mut second = 0;
        while second < 128 {
            pairs[place(b':', second)] = true;
            pairs[place(b'=', second)] = true;
            second += 1;
        }
        pairs
    };
    // Several are checked at once, so that a miss takes a single branch.
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

/// True if the byte before an offset belongs to a word.
fn follows_word(bytes: &[u8], at: usize) -> bool {
    match &bytes[..at] {
        // An escaped line break or tab in a quoted text ends the word.
        [.., b'\\', b'n' | b'r' | b't'] => false,
        [.., byte] => byte.is_ascii_alphanumeric() || *byte == b'_',
        [] => false,
    }
}

/// Returns the number of bytes at the end that `is` accepts, at most `most`.
fn run_back(bytes: &[u8], most: usize, is: impl Fn(&u8) -> bool) -> usize {
    let last = bytes.iter().rev().take(most);
    last.take_while(|byte| is(byte)).count()
}

/// Returns the number of bytes from an offset on that `is` accepts, up to the maximum length of a
/// secret.
fn run(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    /// The maximum length of a token. It bounds the time for a text that consists only of prefixes.
    const LONGEST: usize = 4096;
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter()
        .take(LONGEST)
        .take_while(|byte| is(**byte))
        .count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::keys::Made;
    use super::value::{PASSWORDS, SECRETS, SHORT_PASSWORDS, SHORT_SECRETS, may_be_secret};
    use super::*;

    /// Returns a text of pseudorandom bytes of a length. No real key is in this file.
    fn random(count: usize) -> String {
        let letters = "a8Kd0Qz7Lm3XpT5vRb1WnY9cJs2HfG6u";
        letters.chars().cycle().take(count).collect()
    }

    #[test]
    fn a_secret_is_masked_wherever_the_border_of_a_window_is() {
        let secret = "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";
        for filler in ["word ", "line\n", "без ", "字", "x"] {
            for near in [WINDOW - SHARED, WINDOW, 2 * WINDOW - SHARED] {
                for by in [0, 7, 20, 41] {
                    let text = filler.repeat((near - by) / filler.len())
                        + " "
                        + secret
                        + " "
                        + &filler.repeat(WINDOW / filler.len());
                    assert!(
                        !mask(&text).contains(&secret[8..]),
                        "{filler:?} {near} {by}"
                    );
                }
            }
            let all: usize = windows(&filler.repeat(40_000))
                .map(|(_, window)| window.len())
                .sum();
            assert!(all < 2 * filler.len() * 40_000, "{filler:?}");
        }
    }

    #[test]
    fn each_known_beginning_is_all_that_is_shown_of_a_key() {
        for (known, made, least) in KEYS {
            let is_hex = matches!(made, Made::Hex);
            let rest: String = random(4 * *least)
                .chars()
                .filter(|c| !is_hex || c.is_ascii_hexdigit())
                .take(*least)
                .collect();
            let key = format!("{known}{rest}");
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
            ("token=a8Kd************", "token=…"),
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
        for name in [PASSWORDS, SHORT_PASSWORDS, SECRETS, SHORT_SECRETS].concat() {
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
                    "\n", "Bearer ", "…", "\\", "x1", "\u{200B}", "\u{1B}[1m", "\u{1B}]", " is ", " ", "пароль", "密码是",
                    "curl -u ", "mysql -p", "echo ", " | sudo -S", "Cookie: ", "authorization", "/webhooks/", "<", ">",
                    "key-", "$2b$", "API_TOKEN ", "login ", "$", "(", "{", "}", "%", "`", "“", "”", "AKIA", ":5432:",
                    "<<<", "--from-literal=", "hunter2", "39387360", "is the password", "name", "value", "pass:", "q~",
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
