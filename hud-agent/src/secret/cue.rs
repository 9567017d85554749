//! Secrets that a word before them tells of: `the password is …`, `API_TOKEN …`, `Cookie: …`, a command.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::command::{self, Program};
use super::given::element;
use super::value::{
    Bond, Sort, has_digit, is_bare_word, is_member, looks_random, quote, quoted, value,
};
use super::{Part, run};

/// What a word tells of.
#[derive(Clone, Copy)]
enum Cue {
    /// A noun for something secret.
    Noun(Sort),
    /// A noun of another language than English: it is no part of a name.
    Abroad(Sort),
    /// What is behind a value: `… is the password`.
    Behind,
    Program(&'static Program),
    /// A program that reads a password: `echo … | sudo -S`.
    Reader,
    Cookie,
    Authorization,
    /// A part of an address that has a token behind it.
    Hook,
    /// What is within a token, with how many letters and digits before it.
    Within(usize),
    /// What a token ends in.
    End(usize),
    /// What is between the fields of a file with passwords.
    Fields,
    /// The name and the value of an option: `--from-literal=name=…`.
    Pair,
    /// `pass:` of OpenSSL.
    Literal,
}

const NOUNS: &[(&str, Sort)] = &[
    ("password", Sort::Password),
    ("passwd", Sort::Password),
    ("passphrase", Sort::Password),
    ("passcode", Sort::Password),
    ("pwd", Sort::Password),
    ("identified by", Sort::Password),
    ("token", Sort::Secret),
    ("secret", Sort::Secret),
    ("api key", Sort::Secret),
    ("api-key", Sort::Secret),
    ("api_key", Sort::Secret),
    ("apikey", Sort::Secret),
    ("access key", Sort::Secret),
    ("access_key", Sort::Secret),
    ("access-key", Sort::Secret),
    ("accesskey", Sort::Secret),
    ("private key", Sort::Secret),
    ("private_key", Sort::Secret),
    ("secret key", Sort::Secret),
    ("secret_key", Sort::Secret),
    ("credential", Sort::Secret),
    ("credentials", Sort::Secret),
    ("_authtoken", Sort::Secret),
    ("webhook", Sort::Secret),
];

/// Nouns of languages in which requests are read, and of some more. As they are at the beginning of a sentence, too.
const ABROAD: &[(&str, Sort)] = &[
    // German, Dutch, Swedish, Danish, Norwegian, Finnish
    ("passwort", Sort::Password),
    ("passwörter", Sort::Password),
    ("kennwort", Sort::Password),
    ("zugangscode", Sort::Password),
    ("schlüssel", Sort::Secret),
    ("geheimnis", Sort::Secret),
    ("wachtwoord", Sort::Password),
    ("sleutel", Sort::Secret),
    ("lösenord", Sort::Password),
    ("lösenordet", Sort::Password),
    ("adgangskode", Sort::Password),
    ("adgangskoden", Sort::Password),
    ("passord", Sort::Password),
    ("passordet", Sort::Password),
    ("salasana", Sort::Password),
    // French, Spanish, Portuguese, Italian, Romanian, Catalan
    ("mot de passe", Sort::Password),
    ("mots de passe", Sort::Password),
    ("phrase secrète", Sort::Password),
    ("jeton", Sort::Secret),
    ("clé", Sort::Secret),
    ("clé api", Sort::Secret),
    ("clé d'api", Sort::Secret),
    ("contraseña", Sort::Password),
    ("contrasenya", Sort::Password),
    ("contrasena", Sort::Password),
    ("clave", Sort::Password),
    ("senha", Sort::Password),
    ("palavra-passe", Sort::Password),
    ("palavra passe", Sort::Password),
    ("chave", Sort::Secret),
    ("parola d'ordine", Sort::Password),
    ("parola", Sort::Password),
    ("parolă", Sort::Password),
    ("chiave", Sort::Secret),
    // Russian, Ukrainian, Polish, Czech
    ("пароль", Sort::Password),
    ("Пароль", Sort::Password),
    ("ПАРОЛЬ", Sort::Password),
    ("пароля", Sort::Password),
    ("паролем", Sort::Password),
    ("токен", Sort::Secret),
    ("Токен", Sort::Secret),
    ("ключ", Sort::Secret),
    ("Ключ", Sort::Secret),
    ("секрет", Sort::Secret),
    ("hasło", Sort::Password),
    ("klucz", Sort::Secret),
    ("heslo", Sort::Password),
    ("klíč", Sort::Secret),
    // Turkish, Hungarian, Vietnamese, Indonesian, Greek
    ("şifre", Sort::Password),
    ("şifresi", Sort::Password),
    ("parolası", Sort::Password),
    ("jelszó", Sort::Password),
    ("mật khẩu", Sort::Password),
    ("kata sandi", Sort::Password),
    ("κωδικός", Sort::Password),
    // Chinese, Japanese, Korean
    ("密码", Sort::Password),
    ("密碼", Sort::Password),
    ("口令", Sort::Password),
    ("令牌", Sort::Secret),
    ("密钥", Sort::Secret),
    ("密鑰", Sort::Secret),
    ("秘钥", Sort::Secret),
    ("パスワード", Sort::Password),
    ("パスフレーズ", Sort::Password),
    ("暗証番号", Sort::Password),
    ("トークン", Sort::Secret),
    ("キー", Sort::Secret),
    ("シークレット", Sort::Secret),
    ("비밀번호", Sort::Password),
    ("암호", Sort::Password),
    ("패스워드", Sort::Password),
    ("토큰", Sort::Secret),
    // Arabic, Hebrew, Hindi, Thai
    ("كلمة المرور", Sort::Password),
    ("كلمة السر", Sort::Password),
    ("סיסמה", Sort::Password),
    ("הסיסמה", Sort::Password),
    ("पासवर्ड", Sort::Password),
    ("รหัสผ่าน", Sort::Password),
];

/// Words between a noun and its value.
const COPULAS: &[&str] = &[
    "is",
    "was",
    "are",
    "be",
    "to",
    "equals",
    "reads",
    "=",
    ":",
    "->",
    "=>",
    "–",
    "—",
    "-",
    "ist",
    "lautet",
    "war",
    "heißt",
    "est",
    "était",
    "es",
    "era",
    "será",
    "é",
    "è",
    "sarà",
    "это",
    "является",
    "—",
    "jest",
    "to",
    "je",
    "är",
    "er",
    "on",
    "este",
    "là",
    "adalah",
    "είναι",
    "是",
    "为",
    "為",
    "は",
    "が",
    "는",
    "은",
    "هي",
    "היא",
    "है",
    "คือ",
];

/// The same in scripts that put no space between words.
const JOINED: &[&str] = &[
    "是",
    "为",
    "為",
    "は",
    "が",
    "：",
    ":",
    "=",
    "就是",
    "設為",
    "는",
    "은",
    "คือ",
];

/// Words that a sentence may have between a copula and the value.
const FILLERS: &[&str] = &[
    "now",
    "still",
    "currently",
    "just",
    "simply",
    "set",
    "jetzt",
    "nun",
    "maintenant",
    "ahora",
    "agora",
    "ora",
    "теперь",
    "сейчас",
    "to",
    "be",
    ":",
    "=",
];

/// What is behind a value.
const BEHIND: &[&str] = &[
    " is the password",
    " is my password",
    " is our password",
    " is the token",
    " is the api key",
    " is the secret",
    " as the password",
    " as password",
    " as your password",
    " as the token",
    " as the api key",
    " as passphrase",
    " ist das passwort",
    " als passwort",
    " comme mot de passe",
    " est le mot de passe",
    " es la contraseña",
    " como contraseña",
    " como senha",
    " é a senha",
    " come password",
    " è la password",
    " в качестве пароля",
];

/// What says, before a name on the line, that a value comes behind it without a sign.
const SETTERS: &[&str] = &[
    "set ",
    "setenv ",
    "env ",
    "arg ",
    "configure ",
    "config ",
    "setx ",
    "export ",
    "login ",
    "user ",
    "username ",
    "machine ",
    "account ",
    "identified ",
    "add_user ",
    "defaults ",
    "put ",
    "secrets ",
    "-e ",
    "with ",
];

static CUES: LazyLock<(Option<AhoCorasick>, Vec<Cue>)> = LazyLock::new(|| {
    let nouns = NOUNS.iter().map(|(noun, sort)| (*noun, Cue::Noun(*sort)));
    let abroad = ABROAD
        .iter()
        .map(|(noun, sort)| (*noun, Cue::Abroad(*sort)));
    let behind = BEHIND.iter().map(|words| (*words, Cue::Behind));
    let programs = command::PROGRAMS.iter().flat_map(|program| {
        program
            .names
            .iter()
            .map(move |name| (*name, Cue::Program(program)))
    });
    let readers = command::READERS.iter().map(|words| (*words, Cue::Reader));
    let others = [
        ("cookie:", Cue::Cookie),
        ("cookie\":", Cue::Cookie),
        ("cookie\\\":", Cue::Cookie),
        ("authorization", Cue::Authorization),
        ("/webhooks/", Cue::Hook),
        ("/webhook/", Cue::Hook),
        ("/webhookb2/", Cue::Hook),
        ("/hooks/", Cue::Hook),
        ("/hook/", Cue::Hook),
        ("//hooks.", Cue::Hook),
        ("hooks.slack.com/", Cue::Hook),
        (".atlasv1.", Cue::Within(14)),
        ("q~", Cue::Within(4)),
        ("nral", Cue::End(36)),
        ("_mmk", Cue::End(29)),
        (":5432:", Cue::Fields),
        (":*:", Cue::Fields),
        ("--from-literal=", Cue::Pair),
        ("--from-literal ", Cue::Pair),
        ("pass:", Cue::Literal),
    ];
    let all: Vec<(&str, Cue)> = nouns
        .chain(abroad)
        .chain(behind)
        .chain(programs)
        .chain(readers)
        .chain(others)
        .collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(all.iter().map(|(word, _)| word));
    (
        automaton.ok(),
        all.into_iter().map(|(_, cue)| cue).collect(),
    )
});

/// Finds the secrets that words before them tell of.
pub(super) fn cued(text: &str, found: &mut Vec<(usize, usize)>) {
    let (Some(automaton), cues) = &*CUES else {
        return;
    };
    let bytes = text.as_bytes();
    for hit in automaton.find_iter(text) {
        let (begin, end) = (hit.start(), hit.end());
        match cues[hit.pattern().as_usize()] {
            Cue::Noun(sort) => found.extend(noun(text, begin, end, sort)),
            Cue::Abroad(sort) => found.extend(abroad(text, begin, end, sort)),
            Cue::Behind => found.extend(before(bytes, begin)),
            Cue::Program(program) => program.secrets(bytes, begin, end, found),
            Cue::Reader => found.extend(command::read(bytes, begin)),
            Cue::Cookie => found.extend(cookie(bytes, end)),
            Cue::Authorization => found.extend(authorization(bytes, end)),
            Cue::Hook => found.extend(hook(bytes, end)),
            Cue::Within(least) => found.extend(within(bytes, begin, end, least)),
            Cue::End(least) => found.extend(ended(bytes, begin, end, least)),
            Cue::Fields => found.extend(fields(bytes, begin)),
            Cue::Pair => found.extend(pair(bytes, end)),
            Cue::Literal => found.extend(literal(bytes, begin, end)),
        }
    }
}

/// The secret that an English noun tells of, or a name that ends in one.
fn noun(text: &str, begin: usize, end: usize, sort: Sort) -> Part {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_of_name = |byte: &u8| is_part(*byte) || matches!(byte, b'-' | b'.' | b'/' | b':');
    let lead = bytes[..begin]
        .iter()
        .rev()
        .take(60)
        .take_while(|byte| is_of_name(byte))
        .count();
    let lead = &bytes[begin - lead..begin];
    // `passwords`, `tokenizer`: no name of a secret. `TOKEN_PROD`, `password2`: they are.
    let place = match bytes.get(end) {
        Some(b'_' | b'0'..=b'9') => run(bytes, end, is_part),
        Some(next) if next.is_ascii_alphabetic() => return None,
        _ => 0,
    };
    let noun = &bytes[begin..end];
    let is_upper =
        noun.iter().any(u8::is_ascii_uppercase) && !noun.iter().any(u8::is_ascii_lowercase);
    let is_name = place > 0
        || is_upper
        || noun.contains(&b'_')
        || lead.iter().any(|byte| matches!(byte, b'_' | b'-'));
    let mut at = end + place;
    if bytes.get(at) == Some(&b'>') {
        return element(bytes, begin, at);
    }
    at += closers(bytes, at);
    match bytes.get(at) {
        Some(b' ' | b'\t') => {
            let spaces = run(bytes, at, |byte| matches!(byte, b' ' | b'\t'));
            let behind = at + spaces;
            let is_assigned = matches!(
                bytes.get(behind),
                Some(b'=' | b':' | b'-' | b'!' | b'<' | b'>' | b'|' | b'&')
            );
            if is_assigned && !noun.contains(&b' ') {
                // What is given with a sign is found by that.
                return None;
            }
            said(text, behind, sort, true).or_else(|| spaced(bytes, begin, behind, sort, is_name))
        }
        Some(b'=' | b':') if matches!(noun, [.., b'y' | b'Y']) && noun.contains(&b' ') => {
            // `API key: …`: a name of two words, which is none of a program's.
            let gap = run(bytes, at + 1, |byte| byte == b' ');
            value(bytes, at + 1 + gap, sort, Bond::Loose)
        }
        _ => None,
    }
}

/// What ends a name that is marked as one.
fn closers(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, |byte| {
        matches!(byte, b'"' | b'\'' | b'`' | b'*' | b')' | b'\\')
    })
    .min(3)
}

/// The secret that a noun of another language tells of.
fn abroad(text: &str, begin: usize, end: usize, sort: Sort) -> Part {
    let bytes = text.as_bytes();
    let before = text[..begin].chars().next_back();
    let after = text[end..].chars().next();
    let first = text[begin..].chars().next()?;
    let parts_words = |c: char| c < '\u{E00}';
    // The words of some scripts have no spaces between them.
    if parts_words(first)
        && (before.is_some_and(|c| c.is_alphabetic() && parts_words(c))
            || after.is_some_and(|c| c.is_alphabetic() && parts_words(c)))
    {
        return None;
    }
    let at = end + closers(bytes, end);
    let rest = &text[at..];
    let gap = rest.len() - rest.trim_start_matches([' ', '\u{3000}', '\u{A0}']).len();
    let behind = &rest[gap..];
    if let Some(sign) = behind
        .chars()
        .next()
        .filter(|c| matches!(c, ':' | '=' | '：' | '＝'))
    {
        return stated(text, at + gap + sign.len_utf8(), sort, true);
    }
    if (gap == 0 || !parts_words(first))
        && let Some(found) = joined(text, at, sort)
    {
        return Some(found);
    }
    (gap > 0)
        .then(|| said(text, at + gap, sort, false))?
        .or_else(|| {
            // `avec le mot de passe …`
            (gap > 0).then(|| spaced(bytes, begin, at + gap, sort, false))?
        })
}

/// What a sentence without spaces says of a noun that ends at a place.
fn joined(text: &str, at: usize, sort: Sort) -> Part {
    /// More characters than a sentence has between a noun and what it says of it.
    const FARTHEST: usize = 12;
    let rest = &text[at..];
    for (place, c) in rest.char_indices().take(FARTHEST) {
        if matches!(c, '。' | '，' | '、' | '\n' | '.' | ',') {
            return None;
        }
        let copula = JOINED
            .iter()
            .find(|copula| rest[place..].starts_with(**copula));
        if let Some(copula) = copula {
            let found = stated(text, at + place + copula.len(), sort, true);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// What a sentence says of a noun, from the word behind the noun on: `for the database is …`.
fn said(text: &str, begin: usize, sort: Sort, is_english: bool) -> Part {
    /// More words than a sentence has between a noun and what it says of it.
    const MOST: usize = 9;
    let mut at = begin;
    let mut is_said = false;
    for nth in 0..MOST {
        let rest = text.get(at..)?;
        let word = rest.split([' ', '\n', '\t']).next()?;
        if word.is_empty() {
            return None;
        }
        let bare = word.trim_end_matches([':', ',']);
        let lower = bare.to_lowercase();
        let is_copula = COPULAS.contains(&lower.as_str())
            && !(nth > 0 && matches!(lower.as_str(), "-" | "on" | "to"));
        is_said |= matches!(lower.as_str(), "is" | "was" | "equals" | "reads");
        let next = at
            + word.len()
            + text[at + word.len()..]
                .bytes()
                .take_while(|b| *b == b' ')
                .count();
        if is_copula {
            let mut place = next;
            // `is now set to …`
            for _ in 0..5 {
                let found = stated(text, place, sort, is_english && is_said);
                if found.is_some() {
                    return found;
                }
                let filler = text.get(place..)?.split([' ', '\n']).next()?;
                if !FILLERS.contains(&filler.trim_end_matches(':').to_lowercase().as_str()) {
                    break;
                }
                place += filler.len() + 1;
            }
        }
        // `for the database: …`
        if word.ends_with(':') && word.len() > 1 && nth > 0 {
            return stated(text, next, sort, false);
        }
        if word.ends_with(['.', '!', '?', ';', ','])
            || text.as_bytes().get(at + word.len()) != Some(&b' ')
        {
            return None;
        }
        at = next;
    }
    None
}

/// The value at a place, of which a sentence says that it is one.
fn stated(text: &str, at: usize, sort: Sort, may_be_word: bool) -> Part {
    const OPENED: [(char, char); 7] = [
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
        ('‘', '’'),
        ('*', '*'),
    ];
    let rest = text.get(at..)?;
    let begin = at
        + (rest.len()
            - rest
                .trim_start_matches([' ', '\u{3000}', '\u{A0}', '*'])
                .len());
    let bytes = text.as_bytes();
    let first = text.get(begin..)?.chars().next()?;
    if let Some((_, closing)) = OPENED.iter().find(|(opening, _)| *opening == first) {
        let begin = begin + first.len_utf8();
        let length = text[begin..]
            .find(*closing)
            .filter(|length| (4..=200).contains(length))?;
        let given = &text[begin..begin + length];
        return is_worth(given, sort).then_some((begin, begin + length));
    }
    if let Some(opened) = quote(bytes, begin) {
        let begin = begin + opened.1;
        let end = quoted(bytes, begin, opened).filter(|end| (4..=200).contains(&(end - begin)))?;
        return is_worth(&text[begin..end], sort).then_some((begin, end));
    }
    let length = run(bytes, begin, |byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'`' | b'<' | b'>')
    });
    let ends = [b'.', b',', b';', b':', b'!', b'?', b')', b'*', b'\'', b']'];
    let tail = bytes[begin..begin + length]
        .iter()
        .rev()
        .take_while(|byte| ends.contains(byte));
    let end = begin + length - tail.count();
    let is_last = {
        let behind = &text[begin + length..];
        end < begin + length
            || behind.is_empty()
            || behind.starts_with(['\n', '\r'])
            || !behind.starts_with(' ')
    };
    if may_be_word && is_last && sort == Sort::Password && is_bare_word(&bytes[begin..end]) {
        return Some((begin, end));
    }
    // A call, or a type.
    if matches!(bytes.get(end), Some(b'(' | b'<')) || bytes[end..].starts_with(b"::") {
        return None;
    }
    let of = value(&bytes[..end], begin, sort, Bond::Said)?;
    Some((of.0, end.max(of.1)))
}

/// Whether what is quoted is a secret: no variable, no placeholder and no sentence about it.
fn is_worth(quoted: &str, sort: Sort) -> bool {
    let bytes = quoted.as_bytes();
    if quoted.contains(' ') {
        // A passphrase has some words, and no signs as a sentence has.
        return sort == Sort::Password
            && quoted.split(' ').count() >= 3
            && quoted
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    }
    let whole = format!("\"{quoted}\"");
    let is_simple = !quoted.contains(['"', '\\', '\n']);
    let bond = if has_digit(bytes) {
        Bond::Bound
    } else {
        Bond::Loose
    };
    is_simple && value(whole.as_bytes(), 0, sort, bond).is_some()
}

/// The value that is behind a name with nothing but a space between, which begins at a place.
fn spaced(bytes: &[u8], name: usize, at: usize, sort: Sort, is_name: bool) -> Part {
    const FARTHEST: usize = 120;
    let from = name.saturating_sub(FARTHEST);
    let before = bytes[from..name].to_ascii_lowercase();
    let holds = |word: &&str| {
        before
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    let is_set = SETTERS.iter().any(holds);
    let is_quoted = quote(bytes, at).is_some();
    match sort {
        Sort::Password if is_set && (is_name || is_quoted) => value(bytes, at, sort, Bond::Bound),
        Sort::Password => {
            let (begin, end) = value(bytes, at, sort, Bond::Said)?;
            let given = &bytes[begin..end];
            let has_signs = given.iter().any(|byte| b"!@#$^&*%".contains(byte));
            let is_like =
                has_digit(given) && (is_set || is_name || has_signs || looks_random(given));
            (is_like && (is_quoted || is_set || given.len() >= 6)).then_some((begin, end))
        }
        Sort::Secret | Sort::Key if is_name => value(bytes, at, sort, Bond::Environment),
        Sort::Secret | Sort::Key => {
            let (begin, end) = value(bytes, at, sort, Bond::Said)?;
            looks_random(&bytes[begin..end]).then_some((begin, end))
        }
    }
}

/// The word before a place, if it may be a secret.
fn before(bytes: &[u8], at: usize) -> Part {
    let is_of_word = |byte: &u8| byte.is_ascii_graphic();
    let length = bytes[..at]
        .iter()
        .rev()
        .take(200)
        .take_while(|byte| is_of_word(byte))
        .count();
    let begin = at - length;
    value(&bytes[..at], begin, Sort::Password, Bond::Said)
}

/// The cookies of a header.
fn cookie(bytes: &[u8], end: usize) -> Part {
    let mut begin = end + run(bytes, end, |byte| byte == b' ');
    if let Some((_, width)) = quote(bytes, begin) {
        begin += width;
    }
    let length = run(bytes, begin, |byte| {
        (byte.is_ascii_graphic() || byte == b' ') && !matches!(byte, b'"' | b'\'' | b'`' | b'\\')
    });
    let given = &bytes[begin..begin + length];
    let sign = given.iter().position(|byte| *byte == b'=')?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.$".contains(byte);
    let named = &given[sign + 1..];
    let is_variable = matches!(named.first(), None | Some(b'$' | b'{' | b'<' | b'%' | b'='));
    let is_cookie =
        sign > 0 && given[..sign].iter().all(is_name) && !is_variable && named.len() >= 4;
    // `Cookie: name=value` is an example.
    let is_example = !has_digit(given) && named.len() < 12;
    (is_cookie && !is_example).then_some((begin, begin + length))
}

/// What a header says of who asks.
fn authorization(bytes: &[u8], end: usize) -> Part {
    let mut at = end + closers(bytes, end);
    at += run(bytes, at, |byte| byte == b' ');
    if !matches!(bytes.get(at), Some(b':' | b'=' | b',')) {
        return None;
    }
    at += 1;
    at += run(bytes, at, |byte| byte == b' ');
    at += quote(bytes, at).map_or(0, |(_, width)| width);
    let is_of_value = |byte: u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b',' | b'<')
    };
    let mut length = run(bytes, at, is_of_value);
    let scheme = &bytes[at..at + length];
    if bytes.get(at + length) == Some(&b' ')
        && scheme.iter().all(|b| b.is_ascii_alphabetic() || *b == b'-')
    {
        at += length + 1;
        length = run(bytes, at, is_of_value);
    }
    let given = &bytes[at..at + length];
    let is_variable =
        given.iter().any(|byte| matches!(byte, b'{' | b'(' | b'[')) || given.first() == Some(&b'$');
    let is_variable = is_variable || is_member(given) && !looks_random(given);
    (length >= 8 && has_digit(given) && !is_variable).then_some((at, at + length))
}

/// What is behind the part of an address that hooks have.
fn hook(bytes: &[u8], end: usize) -> Part {
    let length = run(bytes, end, |byte| {
        byte.is_ascii_alphanumeric() || b"/_-.%@=?&".contains(&byte)
    });
    let rest = &bytes[end..end + length];
    let mut parts = rest.split(|byte| matches!(byte, b'/' | b'?' | b'&' | b'='));
    let is_token =
        |part: &[u8]| looks_random(part) && part.iter().all(|byte| !matches!(byte, b'.' | b'%'));
    parts.any(is_token).then_some((end, end + length))
}

/// A token around what is within it.
fn within(bytes: &[u8], begin: usize, end: usize, least: usize) -> Part {
    let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.~=".contains(&byte);
    let before = bytes[..begin]
        .iter()
        .rev()
        .take_while(|byte| is_of_token(**byte))
        .count();
    let behind = run(bytes, end, is_of_token);
    let begin = begin - before;
    let token = &bytes[begin..end + behind];
    (before >= least && behind >= 30 && has_digit(token)).then_some((begin, end + behind))
}

/// A token before what it ends in.
fn ended(bytes: &[u8], begin: usize, end: usize, least: usize) -> Part {
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = bytes[..begin]
        .iter()
        .rev()
        .take(64)
        .take_while(|byte| is_of_token(byte))
        .count();
    let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    let token = &bytes[begin - before..begin];
    (before >= least && !goes_on && has_digit(token)).then_some((begin - before, end))
}

/// The last field of a line of `.pgpass`, which may be within a command: `host:port:database:user:password`.
fn fields(bytes: &[u8], at: usize) -> Part {
    let is_of_line = |byte: u8| byte.is_ascii_graphic() && !b"'\"`\\".contains(&byte);
    let before = bytes[..at]
        .iter()
        .rev()
        .take_while(|byte| is_of_line(**byte))
        .count();
    let begin = at - before;
    let line = &bytes[begin..begin + run(bytes, begin, is_of_line)];
    let signs = line.iter().enumerate().filter(|(_, byte)| **byte == b':');
    let (fourth, _) = signs.into_iter().nth(3)?;
    (line.len() - fourth > 4).then_some((begin + fourth + 1, begin + line.len()))
}

/// The value of an option that has a name in it: `--from-literal=name=…`.
fn pair(bytes: &[u8], end: usize) -> Part {
    let begin = end + quote(bytes, end).map_or(0, |(_, width)| width);
    let name = run(bytes, begin, |byte| {
        byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
    });
    let at = begin + name;
    if bytes.get(at) != Some(&b'=') {
        return None;
    }
    let begin = at + 1 + quote(bytes, at + 1).map_or(0, |(_, width)| width);
    let length = run(bytes, begin, |byte| {
        byte.is_ascii_graphic() && !b"'\"`".contains(&byte)
    });
    let is_variable = matches!(bytes.get(begin), Some(b'$' | b'<' | b'{'));
    (length >= 4 && !is_variable).then_some((begin, begin + length))
}

/// What is behind `pass:`, as an argument of OpenSSL has it.
fn literal(bytes: &[u8], begin: usize, end: usize) -> Part {
    let option = bytes[..begin].iter().rev().take(12);
    let option: Vec<u8> = option.copied().collect();
    let is_option = [
        &b" nissap-"[..],
        b" tuossap-",
        b" k-",
        b"'nissap-",
        b" ssap-",
    ]
    .iter()
    .any(|known| option.starts_with(known));
    let length = run(bytes, end, |byte| {
        byte.is_ascii_graphic() && !b"'\"`;|&".contains(&byte)
    });
    let is_variable = bytes.get(end) == Some(&b'$');
    (is_option && length >= 3 && !is_variable).then_some((end, end + length))
}
