//! Keys and tokens with a known prefix, private keys, and password hashes.
//!
//! The prefixes are those that the issuers document. Many of them, with their lengths, come from the
//! rules of [gitleaks](https://github.com/gitleaks/gitleaks) 8 (`config/gitleaks.toml`), which is under
//! the MIT license: Copyright (c) 2019 Zachary Rice. See `LICENSE-GITLEAKS` beside this file. They are a
//! static table and not patterns, because each hook is a new process, which would have to compile
//! patterns every time.

use super::value::{distinct, has_digit, holds_harmless, looks_random};
use super::{Part, run};

/// The characters of a key after its prefix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Made {
    /// Hexadecimal digits, with no other letter or digit after them.
    Hex,
    /// Letters and digits.
    Letters,
    /// Letters, digits and `_`.
    Word,
    /// Letters, digits, `_` and `-`.
    Dashed,
    /// Letters, digits, `_`, `-` and `.`.
    Dotted,
    /// Letters, digits and the signs of Base64, in either alphabet.
    Base64,
    /// Letters, digits and the signs of password hashes.
    Hash,
}

impl Made {
    const fn of(self, byte: u8) -> bool {
        // Characters that a user already masked are part of the key.
        byte == b'*'
            || match self {
                Self::Hex => byte.is_ascii_hexdigit(),
                _ => byte.is_ascii_alphanumeric(),
            }
            || match self {
                Self::Hex | Self::Letters => false,
                Self::Word => byte == b'_',
                Self::Dashed => matches!(byte, b'_' | b'-'),
                Self::Dotted => matches!(byte, b'_' | b'-' | b'.'),
                Self::Base64 => matches!(byte, b'_' | b'-' | b'+' | b'/' | b'='),
                Self::Hash => matches!(byte, b'.' | b'/' | b'$' | b'=' | b',' | b'+' | b'-' | b'_'),
            }
    }
}

use Made::{Base64, Dashed, Dotted, Hash, Hex, Letters, Word};

/// The prefixes of keys, with the characters after them and their minimum number. A prefix comes after
/// the longer ones that begin with it.
pub(super) const KEYS: &[(&str, Made, usize)] = &[
    // Amazon Web Services
    ("AKIA", Letters, 16),
    ("ASIA", Letters, 16),
    ("ABIA", Letters, 16),
    ("ACCA", Letters, 16),
    ("ABSK", Base64, 100),
    ("bedrock-api-key-", Base64, 30),
    // Anthropic, OpenRouter, OpenAI, and others that use the same form
    ("sk-ant-", Dashed, 16),
    ("sk-or-", Dashed, 20),
    ("sk-proj-", Dashed, 20),
    ("sk-svcacct-", Dashed, 20),
    ("sk-admin-", Dashed, 20),
    ("sk-lf-", Dashed, 20),
    ("pk-lf-", Dashed, 20),
    ("sk-", Dashed, 20),
    // Stripe
    ("sk_live_", Letters, 10),
    ("sk_test_", Letters, 10),
    ("sk_prod_", Letters, 10),
    ("rk_live_", Letters, 10),
    ("rk_test_", Letters, 10),
    ("rk_prod_", Letters, 10),
    ("pk_live_", Letters, 10),
    ("pk_test_", Letters, 10),
    ("whsec_", Base64, 20),
    // GitHub
    ("github_pat_", Word, 22),
    ("ghp_", Letters, 30),
    ("gho_", Letters, 30),
    ("ghu_", Letters, 30),
    ("ghs_", Letters, 30),
    ("ghr_", Letters, 30),
    // GitLab
    ("glpat-", Dotted, 20),
    ("gldt-", Dashed, 20),
    ("glrt-", Dotted, 20),
    ("glrtr-", Dotted, 20),
    ("glptt-", Dashed, 20),
    ("glcbt-", Dashed, 20),
    ("glffct-", Dashed, 20),
    ("glft-", Dashed, 20),
    ("glimt-", Dashed, 20),
    ("glagent-", Dashed, 40),
    ("gloas-", Dashed, 40),
    ("glsoat-", Dashed, 20),
    ("GR1348941", Dashed, 20),
    // Atlassian, also Bitbucket
    ("ATATT3", Base64, 60),
    ("ATCTT3", Base64, 60),
    ("ATBB", Letters, 24),
    // Slack
    ("xoxb-", Dashed, 10),
    ("xoxp-", Dashed, 10),
    ("xoxa-", Dashed, 10),
    ("xoxo-", Dashed, 10),
    ("xoxr-", Dashed, 10),
    ("xoxs-", Dashed, 10),
    ("xoxc-", Dashed, 10),
    ("xoxd-", Base64, 10),
    ("xoxe-", Dashed, 10),
    ("xapp-", Dashed, 10),
    // Discord
    ("mfa.", Dashed, 60),
    ("xwfp-", Dashed, 10),
    // Google
    ("AIza", Dashed, 30),
    ("GOCSPX-", Dashed, 20),
    ("ya29.", Dotted, 20),
    ("1//0", Dashed, 40),
    // Package and image registries
    ("npm_", Letters, 30),
    ("pypi-", Dashed, 50),
    ("dckr_pat_", Dashed, 20),
    ("dckr_oat_", Dashed, 20),
    ("rubygems_", Letters, 40),
    ("CLOJARS_", Letters, 50),
    ("oy2", Letters, 43),
    ("cio", Letters, 32),
    ("AKCp", Letters, 60),
    ("cmVmd", Letters, 55),
    // Models and model hosts
    ("hf_", Letters, 30),
    ("api_org_", Letters, 30),
    ("gsk_", Letters, 40),
    ("xai-", Letters, 40),
    ("r8_", Letters, 30),
    ("pplx-", Letters, 40),
    ("nvapi-", Dashed, 40),
    ("tgp_v1_", Dashed, 30),
    ("tvly-", Dashed, 20),
    ("lsv2_pt_", Word, 30),
    ("lsv2_sk_", Word, 30),
    ("ls__", Letters, 30),
    ("jina_", Dashed, 40),
    ("pcsk_", Word, 40),
    // Hosting
    ("dop_v1_", Letters, 40),
    ("doo_v1_", Letters, 40),
    ("dor_v1_", Letters, 40),
    ("fo1_", Dashed, 40),
    ("fm1r_", Base64, 40),
    ("fm1a_", Base64, 40),
    ("fm2_", Base64, 40),
    ("vcp_", Letters, 24),
    ("vci_", Letters, 24),
    ("vca_", Letters, 24),
    ("vcr_", Letters, 24),
    ("vck_", Letters, 24),
    ("vercel_blob_rw_", Word, 30),
    ("nfp_", Letters, 30),
    ("nfc_", Letters, 30),
    ("rnd_", Letters, 28),
    ("HRKU-", Dashed, 36),
    ("tk-us-", Dashed, 40),
    ("LTAI", Letters, 17),
    ("sha256~", Dashed, 40),
    ("pul-", Hex, 40),
    ("pnu_", Letters, 36),
    ("ico-", Letters, 32),
    ("API-", Letters, 26),
    // Databases
    ("pscale_tkn_", Dotted, 30),
    ("pscale_oauth_", Dotted, 30),
    ("pscale_pw_", Dotted, 30),
    ("sbp_", Letters, 40),
    ("sb_secret_", Dashed, 20),
    ("napi_", Letters, 40),
    ("4b1d", Letters, 38),
    ("dapi", Letters, 32),
    ("ATLAS-", Dashed, 30),
    // Secret managers
    ("hvs.", Dashed, 20),
    ("hvb.", Dashed, 60),
    ("hvr.", Dashed, 20),
    ("dp.pt.", Letters, 40),
    ("dp.st.", Dotted, 40),
    ("dp.ct.", Letters, 40),
    ("dp.sa.", Letters, 40),
    ("dp.said.", Letters, 40),
    ("dp.scim.", Letters, 40),
    ("dp.audit.", Letters, 40),
    ("ops_eyJ", Base64, 60),
    ("A3-", Dashed, 30),
    ("AGE-SECRET-KEY-1", Letters, 50),
    ("tskey-", Dashed, 20),
    ("dnkey-", Dashed, 60),
    // Monitoring
    ("glc_", Base64, 32),
    ("glsa_", Word, 40),
    ("NRAK-", Letters, 27),
    ("NRJS-", Letters, 19),
    ("NRII-", Dashed, 32),
    ("NRRA-", Letters, 38),
    ("NRIQ-", Dashed, 32),
    ("sntrys_", Base64, 40),
    ("sntryu_", Letters, 60),
    ("sntrya_", Letters, 60),
    ("dt0c01.", Dotted, 60),
    ("dt0s01.", Dotted, 60),
    ("ddapp_", Letters, 30),
    ("phc_", Letters, 40),
    ("phx_", Letters, 40),
    ("squ_", Hex, 40),
    ("sqp_", Hex, 40),
    ("sqa_", Hex, 40),
    ("sgp_", Word, 40),
    // Shops, mail and payment
    ("shpat_", Letters, 30),
    ("shpca_", Letters, 30),
    ("shppa_", Letters, 30),
    ("shpss_", Letters, 30),
    ("SG.", Dotted, 40),
    ("xkeysib-", Dashed, 70),
    ("xsmtpsib-", Dashed, 70),
    ("key-", Hex, 32),
    ("pubkey-", Hex, 32),
    ("SK", Hex, 32),
    ("EAAA", Dashed, 40),
    ("sq0atp-", Dashed, 22),
    ("sq0csp-", Dashed, 40),
    ("sq0idp-", Dashed, 22),
    ("EZAK", Letters, 50),
    ("EZTK", Letters, 50),
    ("FLWSECK_TEST-", Dashed, 12),
    ("FLWSECK-", Dashed, 12),
    ("shippo_live_", Letters, 40),
    ("shippo_test_", Letters, 40),
    ("duffel_live_", Base64, 40),
    ("duffel_test_", Base64, 40),
    ("access-sandbox-", Dashed, 36),
    ("access-development-", Dashed, 36),
    ("access-production-", Dashed, 36),
    // Others
    ("secret_", Letters, 40),
    ("ntn_", Letters, 40),
    ("figd_", Dashed, 30),
    ("figu_", Dashed, 30),
    ("figo_", Dashed, 30),
    ("lin_api_", Letters, 30),
    ("lin_oauth_", Letters, 30),
    ("PMAK-", Dashed, 50),
    ("fio-u-", Dashed, 60),
    ("p8e-", Letters, 32),
    ("rdme_", Letters, 60),
    ("sm_aat_", Letters, 16),
    ("sm_pat_", Letters, 16),
    ("sm_sat_", Letters, 16),
    ("tfp_", Dotted, 40),
    ("s-s4t2ud-", Hex, 64),
    ("s-s4t2af-", Hex, 64),
    ("sl.", Dashed, 100),
    ("EAAC", Letters, 100),
    ("EAAM", Letters, 100),
    ("CFPAT-", Dashed, 40),
    ("ctp_", Letters, 40),
    ("CCIPAT_", Word, 40),
    ("bkua_", Letters, 40),
    ("AQVN", Dashed, 35),
    ("v1.0-", Dashed, 100),
    // Password hashes
    ("$1$", Hash, 20),
    ("$2a$", Hash, 40),
    ("$2b$", Hash, 40),
    ("$2x$", Hash, 40),
    ("$2y$", Hash, 40),
    ("$5$", Hash, 40),
    ("$6$", Hash, 40),
    ("$7$", Hash, 40),
    ("$y$", Hash, 40),
    ("$gy$", Hash, 40),
    ("$apr1$", Hash, 20),
    ("$sha1$", Hash, 20),
    ("$argon2i$", Hash, 40),
    ("$argon2d$", Hash, 40),
    ("$argon2id$", Hash, 40),
    ("$scrypt$", Hash, 40),
    ("$pbkdf2", Hash, 40),
    ("pbkdf2_sha", Hash, 40),
    ("pbkdf2:sha256:", Hash, 40),
    ("scrypt:32768:8:1$", Hash, 40),
    ("bcrypt$", Hash, 40),
    ("{SSHA}", Base64, 28),
    ("{SSHA256}", Base64, 40),
    ("{SSHA512}", Base64, 60),
];

/// [`KEYS`] by their first byte. Few or no keys begin with the first byte of most words.
struct ByFirst {
    /// The index of the first key for each byte, or `NO_KEY`.
    first: [usize; 128],
    /// For each key, the index of the next one with the same first byte, or `NO_KEY`.
    next: [usize; KEYS.len()],
}

/// The index that stands for no key.
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
    /// Returns the keys that begin with a byte, in order.
    fn of(&self, byte: u8) -> impl Iterator<Item = &'static (&'static str, Made, usize)> {
        let first = self.first.get(usize::from(byte)).copied();
        let places = std::iter::successors(first, |at| self.next.get(*at).copied());
        places.map_while(|at| KEYS.get(at))
    }
}

/// Returns the rest of a key that begins at a byte offset.
pub(super) fn key(bytes: &[u8], at: usize) -> Part {
    let rest = bytes.get(at..)?;
    let known = BY_FIRST.of(*rest.first()?);
    let mut known = known.filter(|(known, ..)| rest.starts_with(known.as_bytes()));
    if let Some(found) = known.find_map(|(known, made, least)| {
        let begin = at + known.len();
        rest_of_key(bytes, begin, known, *made, *least)
    }) {
        return Some(found);
    }
    if rest.starts_with(b"eyJ") {
        let length = run(bytes, at, |byte| {
            Dotted.of(byte) || matches!(byte, b'=' | b'+' | b'/')
        });
        let token = &bytes[at..at + length];
        let parts = token.iter().filter(|byte| **byte == b'.').count();
        let is_token = length >= 40
            && (token.windows(4).any(|four| four == b".eyJ") || (parts >= 2 && length >= 60))
            // A Grafana key is a Base64 object that begins so.
            || length >= 60 && token.starts_with(b"eyJrIjoi");
        if let Some(end) = wrapped_token(bytes, at) {
            return Some((at + 3, end));
        }
        return is_token.then(|| (at + 3, without_stops(bytes, at + 3, at + length)));
    }
    if matches!(rest, [b'M' | b'N' | b'O', ..]) {
        return discord(bytes, at);
    }
    if rest.starts_with(b"pat") {
        return airtable(bytes, at);
    }
    for scheme in ["bearer ", "basic ", "ssws "] {
        let is_scheme = rest
            .get(..scheme.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes()));
        if is_scheme {
            let begin = at + scheme.len();
            let length = run(bytes, begin, is_of_value);
            let mut before = bytes[..at].iter().rev().skip_while(|byte| **byte == b' ');
            let is_header = matches!(before.next(), Some(b':' | b'=' | b'"' | b'\'' | b'`'));
            let given = &bytes[begin..begin + length];
            // `Basic authentication` contains no secret.
            let is_encoded = has_digit(given)
                || given.contains(&b'=')
                || given[1.min(length)..].iter().any(u8::is_ascii_uppercase)
                || given.contains(&b'*');
            // The text is a name in code, because Base64 has no underscore.
            let is_name = scheme == "basic " && given.contains(&b'_');
            let is_secret =
                length >= 12 && is_encoded && !is_name && (is_header || looks_random(given));
            return is_secret.then_some((begin, begin + length));
        }
    }
    None
}

/// Returns the rest of a key after its known prefix.
fn rest_of_key(bytes: &[u8], begin: usize, known: &str, made: Made, least: usize) -> Part {
    let length = run(bytes, begin, |byte| made.of(byte));
    if let Some(end) = wrapped(bytes, begin, length, known, made) {
        return Some((begin, end));
    }
    let goes_on = made == Hex
        && bytes
            .get(begin + length)
            .is_some_and(u8::is_ascii_alphanumeric);
    let of_key = &bytes[begin..begin + length];
    let is_masked = of_key.windows(4).any(|four| four == b"****");
    if length < least && !is_masked || goes_on || !is_random(of_key) {
        return None;
    }
    Some((begin, without_stops(bytes, begin, begin + length)))
}

/// The number of characters after a prefix, for keys of a fixed length.
const LENGTHS: &[(&str, usize)] = &[
    ("AIza", 35),
    ("AKIA", 16),
    ("ASIA", 16),
    ("GOCSPX-", 28),
    ("NRAK-", 27),
    ("PMAK-", 59),
    ("SG.", 66),
    ("dapi", 32),
    ("dckr_pat_", 27),
    ("doo_v1_", 64),
    ("dop_v1_", 64),
    ("dor_v1_", 64),
    ("figd_", 40),
    ("ghp_", 36),
    ("gho_", 36),
    ("ghu_", 36),
    ("ghs_", 36),
    ("ghr_", 36),
    ("github_pat_", 82),
    ("glpat-", 20),
    ("glsa_", 41),
    ("gsk_", 52),
    ("hf_", 34),
    ("lin_api_", 40),
    ("npm_", 36),
    ("ntn_", 46),
    ("r8_", 37),
    ("rubygems_", 48),
    ("sbp_", 40),
    ("shpat_", 32),
    ("shpca_", 32),
    ("shppa_", 32),
    ("shpss_", 32),
    ("sk-ant-", 101),
    ("sntryu_", 64),
    ("xai-", 80),
];

/// The maximum number of lines that a key is wrapped into.
const MOST_LINES: usize = 24;

/// Returns the number of bytes of a line break and the indentation after it.
fn line_break(bytes: &[u8], at: usize) -> Option<usize> {
    const DEEPEST: usize = 8;
    let rest = bytes.get(at..)?;
    let end = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => 2,
        [b'\\', b'r', b'\\', b'n', ..] => 4,
        _ => return None,
    };
    let blanks = rest[end..].iter().take(DEEPEST);
    Some(
        end + blanks
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count(),
    )
}

/// Returns the end of a wrapped key. Its first line is shorter than all keys with this prefix, and with
/// the next lines it has their length.
fn wrapped(bytes: &[u8], begin: usize, length: usize, known: &str, made: Made) -> Option<usize> {
    let (_, whole) = LENGTHS.iter().find(|(of, _)| *of == known)?;
    let (mut end, mut count) = (begin + length, length);
    for _ in 0..MOST_LINES {
        if count >= *whole {
            break;
        }
        let from = end + line_break(bytes, end)?;
        let more = run(bytes, from, |byte| made.of(byte));
        (end, count) = (from + more, count + more);
        if more == 0 {
            break;
        }
    }
    let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    let is_one = end > begin + length && count == *whole && !goes_on;
    (is_one && has_digit(&bytes[begin..end])).then_some(end)
}

/// Returns the end of a JSON Web Token that is wrapped into several lines. Its signature must have the
/// length of a known signing method.
fn wrapped_token(bytes: &[u8], at: usize) -> Option<usize> {
    const SIGNATURES: [usize; 8] = [43, 64, 86, 128, 176, 342, 512, 683];
    let (mut end, mut dots, mut signature, mut lines) = (at, 0, 0, 0);
    let is_whole = |dots: usize, signature: usize| dots == 2 && SIGNATURES.contains(&signature);
    loop {
        let line = run(bytes, end, |byte| Dotted.of(byte));
        if line == 0 || line < 20 && lines == 0 {
            return None;
        }
        for byte in &bytes[end..end + line] {
            match byte {
                b'.' => (dots, signature) = (dots + 1, 0),
                _ => signature += 1,
            }
        }
        end += line;
        if is_whole(dots, signature) || dots > 2 || lines >= MOST_LINES {
            break;
        }
        lines += 1;
        end += line_break(bytes, end)?;
    }
    (lines > 0 && is_whole(dots, signature)).then_some(end)
}

/// Returns the token of a Discord bot: the number of the bot in Base64, a time, and a code.
fn discord(bytes: &[u8], at: usize) -> Part {
    let part = |from: usize| {
        run(bytes, from, |byte| {
            Letters.of(byte) || matches!(byte, b'_' | b'-')
        })
    };
    let number = part(at);
    let time = part(at + number + 1);
    let code = part(at + number + time + 2);
    let dots = [at + number, at + number + time + 1].map(|dot| bytes.get(dot) == Some(&b'.'));
    // Three digits are four characters in Base64.
    let is_of_digits =
        |four: &[u8]| matches!(four, [b'M' | b'N' | b'O', b'D' | b'T' | b'j' | b'z', ..]);
    let is_one = dots == [true, true]
        && (22..=28).contains(&number)
        && (5..=7).contains(&time)
        && (25..=48).contains(&code)
        && bytes[at..at + number].chunks(4).all(is_of_digits);
    is_one.then_some((at, at + number + time + code + 2))
}

/// Returns the token of a Twilio account, of 32 hexadecimal digits, soon after the account's number
/// `AC…` at `at`.
pub(super) fn of_account(bytes: &[u8], at: usize) -> Part {
    const FARTHEST: usize = 160;
    const LENGTH: usize = 32;
    let hex = |from: usize| run(bytes, from, |byte| byte.is_ascii_hexdigit());
    let word = |from: usize| run(bytes, from, |byte| byte.is_ascii_alphanumeric());
    if !bytes[at..].starts_with(b"AC") || hex(at + 2) != LENGTH || word(at + 2) != LENGTH {
        return None;
    }
    let from = at + 2 + LENGTH;
    let mut place = from;
    while place < bytes.len().min(from + FARTHEST) {
        let length = word(place);
        if length == LENGTH && hex(place) == LENGTH {
            return Some((place, place + LENGTH));
        }
        place += length + 1;
    }
    None
}

/// Returns the end of a range without full stops and commas.
fn without_stops(bytes: &[u8], begin: usize, end: usize) -> usize {
    let stops = bytes[begin..end].iter().rev();
    end - stops.take_while(|byte| matches!(byte, b'.' | b',')).count()
}

/// Returns an Airtable token: `pat`, 14 letters and digits, a dot and 64 hexadecimal digits.
fn airtable(bytes: &[u8], at: usize) -> Part {
    let begin = at + 3;
    let id = run(bytes, begin, |byte| Letters.of(byte));
    let dot = begin + id;
    if id != 14 || bytes.get(dot) != Some(&b'.') {
        return None;
    }
    let rest = run(bytes, dot + 1, |byte| Letters.of(byte));
    (rest >= 40).then_some((begin, dot + 1 + rest))
}

/// True if a byte may be part of a token of any issuer.
pub(super) const fn is_of_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'*')
}

/// True if bytes look like those of a key: they have digits, an unusual mix of letters, or asterisks.
fn is_random(bytes: &[u8]) -> bool {
    let upper = bytes.iter().any(u8::is_ascii_uppercase);
    let lower = bytes.iter().any(u8::is_ascii_lowercase);
    let is_word_like = |byte: &u8| matches!(byte, b'_' | b'-' | b'.');
    let is_mixed = upper && lower && distinct(bytes) >= 8 && !holds_harmless(bytes);
    // No word is that long.
    let is_long = bytes.len() >= 30 && !bytes.iter().any(is_word_like) && distinct(bytes) >= 10;
    has_digit(bytes) || is_mixed || is_long || bytes.windows(4).any(|four| four == b"****")
}

/// Returns a private key, from the end of its first line to the end of its last line.
pub(super) fn block(text: &str, at: usize) -> Part {
    /// The maximum length of a key, with any prefix on each of its lines.
    const LONGEST: usize = 32 * 1024;
    let rest = text.get(at..)?;
    // The form of programs other than OpenSSL.
    if let Some(rest) = rest.strip_prefix("---- BEGIN ") {
        let (name, key) = rest.split_once(" ----")?;
        let begin = text.len() - key.len();
        let whole = key.find("---- END").filter(|whole| *whole <= LONGEST)?;
        let is_key = name.len() <= 40 && name.contains("PRIVATE KEY") && whole >= 40;
        return is_key.then_some((begin, begin + whole));
    }
    let rest = rest.strip_prefix("-----BEGIN ")?;
    let (name, key) = rest.split_once("-----")?;
    if name.len() > 40 || !name.contains("PRIVATE KEY") {
        return None;
    }
    let begin = text.len() - key.len();
    // Line ends may be written as `\n`. The first lines of an encrypted key name its encryption.
    let is_of_key =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\\:, \r\n\t*.()".contains(byte);
    let length = key.bytes().take_while(is_of_key).count();
    let end = format!("-----END {name}-----");
    // Each line may have a prefix, such as its number or a quotation mark.
    let whole = key.find(&end).filter(|whole| *whole <= LONGEST);
    let has_lines = |key: &str| {
        let is_of_line = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
        key.split(|c| !is_of_line(c)).any(|line| line.len() >= 32)
    };
    match whole {
        Some(whole) if whole == length || has_lines(&key[..whole]) => {
            (whole >= 40).then_some((begin, begin + whole + end.len()))
        }
        _ => (length >= 40).then_some((begin, begin + length)),
    }
}
