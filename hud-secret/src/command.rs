//! Secrets in commands: the password arguments of programs, and the text that is piped into a program.

use super::near::is_strong;
use super::value::{self, Bond, Sort, has_digit, is_chosen, is_member, looks_random};
use super::{Part, run};

/// A program that takes a secret as an argument.
pub(super) struct Program {
    pub(super) names: &'static [&'static str],
    /// A word that its arguments must contain. Without it, its options have another meaning.
    needs: &'static str,
    options: &'static [(&'static str, Form)],
}

/// The form in which a secret is written.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// The next word.
    Next,
    /// The rest of the same word, directly after the option.
    Joined,
    /// Either of the two forms above.
    Either,
    /// The part after the colon of `user:password`.
    Pair,
    /// The part after the comma of `user,password`.
    Comma,
    /// The part after the percent sign of `user%password`.
    Percent,
    /// The text `name=value; name=value`.
    Cookie,
    /// The part after the slash of `user/password@database`, without an option.
    Slash,
    /// The same as the first word, and only with a database, because the program's name is also a verb.
    Login,
    /// The word with this number after the program or after `needs`, counted from 1, without an option.
    Word(usize),
}

use Form::{Comma, Cookie, Either, Joined, Login, Next, Pair, Percent, Slash, Word};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["curl ", "curlie "],
        needs: "",
        options: &[
            ("-u", Pair),
            ("--user", Pair),
            ("-U", Pair),
            ("--proxy-user", Pair),
            ("-E", Pair),
            ("--cert", Pair),
            ("-b", Cookie),
            ("--cookie", Cookie),
            ("--oauth2-bearer", Next),
            ("--pass", Next),
            ("--proxy-pass", Next),
            ("--tlspassword", Next),
        ],
    },
    Program {
        names: &["http ", "https ", "xh ", "xhs "],
        needs: "",
        options: &[("-a", Pair), ("--auth", Pair)],
    },
    Program {
        names: &[
            "mysql ",
            "mysqldump ",
            "mysqladmin ",
            "mysqlimport ",
            "mysqlsh ",
            "mysqlcheck ",
            "mariadb ",
            "mariadb-dump ",
            "mariadb-admin ",
            "mycli ",
        ],
        needs: "",
        options: &[("-p", Joined)],
    },
    Program {
        names: &["sshpass "],
        needs: "",
        options: &[("-p", Either)],
    },
    Program {
        names: &[
            "docker ",
            "podman ",
            "nerdctl ",
            "buildah ",
            "helm ",
            "oras ",
            "crane ",
            "skopeo ",
            "az ",
            "oc ",
            "nomad ",
            "cf ",
            "kamal ",
            "ibmcloud ",
            "harbor ",
            "jf ",
            "argocd ",
        ],
        needs: "login",
        options: &[("-p", Either), ("--creds", Pair), ("-t", Next)],
    },
    Program {
        names: &["skopeo copy ", "skopeo inspect "],
        needs: "",
        options: &[
            ("--creds", Pair),
            ("--src-creds", Pair),
            ("--dest-creds", Pair),
        ],
    },
    Program {
        names: &["redis-cli ", "valkey-cli ", "keydb-cli "],
        needs: "",
        options: &[("-a", Next), ("--pass", Next)],
    },
    Program {
        names: &[
            "mongo ",
            "mongosh ",
            "mongodump ",
            "mongorestore ",
            "mongoexport ",
            "mongoimport ",
            "cqlsh ",
            "snowsql ",
            "clickhouse ",
            "hdbsql ",
        ],
        needs: "",
        options: &[("-p", Either)],
    },
    Program {
        names: &[
            "sqlcmd ",
            "bcp ",
            "zip ",
            "unzip ",
            "ipmitool ",
            "jarsigner ",
            "tsql ",
        ],
        needs: "",
        options: &[("-P", Either)],
    },
    Program {
        names: &["7z ", "7za ", "7zz ", "rar ", "unrar "],
        needs: "",
        options: &[("-p", Joined), ("-hp", Joined)],
    },
    Program {
        names: &[
            "ldapsearch ",
            "ldapmodify ",
            "ldapadd ",
            "ldapdelete ",
            "ldapwhoami ",
            "ldappasswd ",
        ],
        needs: "",
        options: &[("-w", Either), ("-s", Next)],
    },
    Program {
        names: &[
            "smbclient ",
            "rpcclient ",
            "smbmap ",
            "smbget ",
            "net rpc ",
            "net ads ",
        ],
        needs: "",
        options: &[("-U", Percent), ("--user", Percent)],
    },
    Program {
        names: &[
            "twine ",
            "nuget ",
            "rabbitmqadmin ",
            "influx ",
            "xfreerdp ",
            "freerdp ",
            "evil-winrm ",
            "crackmapexec ",
            "netexec ",
            "nxc ",
            "wpscan ",
        ],
        needs: "",
        options: &[("-p", Next), ("/p:", Joined)],
    },
    Program {
        names: &["useradd ", "usermod "],
        needs: "",
        options: &[("-p", Next)],
    },
    Program {
        names: &["openssl "],
        needs: "",
        options: &[("-k", Next), ("-K", Next)],
    },
    Program {
        names: &["snmpget ", "snmpwalk ", "snmpset ", "snmpbulkwalk "],
        needs: "",
        options: &[("-A", Next), ("-X", Next)],
    },
    Program {
        names: &["sqlplus ", "expdp ", "impdp ", "rman "],
        needs: "",
        options: &[("", Slash)],
    },
    Program {
        names: &["connect ", "conn "],
        needs: "",
        options: &[("", Login)],
    },
    Program {
        names: &["rabbitmqctl "],
        needs: "add_user",
        options: &[("", Word(2))],
    },
    Program {
        names: &["rabbitmqctl "],
        needs: "change_password",
        options: &[("", Word(2))],
    },
    Program {
        names: &["net user "],
        needs: "",
        options: &[("", Word(2))],
    },
    Program {
        names: &["net use "],
        needs: "",
        options: &[("", Word(1))],
    },
    Program {
        names: &["htpasswd "],
        needs: "",
        options: &[
            ("-b", Word(3)),
            ("-bc", Word(3)),
            ("-cb", Word(3)),
            ("-nb", Word(2)),
            ("-bn", Word(2)),
            ("-nbB", Word(2)),
            ("-Bbn", Word(2)),
            ("-nbm", Word(2)),
            ("-bB", Word(3)),
            ("-cbB", Word(3)),
        ],
    },
    Program {
        names: &["wpa_passphrase "],
        needs: "",
        options: &[("", Word(2))],
    },
    Program {
        names: &[
            "vault login ",
            "cargo login ",
            "heroku auth:token ",
            "snyk auth ",
            "railway login ",
        ],
        needs: "",
        options: &[("", Word(1))],
    },
    Program {
        names: &[
            "doctl ",
            "flyctl ",
            "fly ",
            "vercel ",
            "netlify ",
            "wrangler ",
            "render ",
            "turso ",
            "neonctl ",
        ],
        needs: "",
        options: &[("-t", Next), ("--auth", Next), ("--access-token", Next)],
    },
    Program {
        names: &["gh secret ", "glab variable "],
        needs: "set",
        options: &[
            ("-b", Next),
            ("--body", Next),
            ("-v", Next),
            ("--value", Next),
        ],
    },
    Program {
        names: &["dotnet user-secrets "],
        needs: "set",
        options: &[("", Word(2))],
    },
    Program {
        names: &["composer config "],
        needs: "",
        options: &[("http-basic", Word(3)), ("-g", Word(3)), ("", Word(2))],
    },
    Program {
        names: &["oathtool "],
        needs: "",
        options: &[("", Word(1))],
    },
    Program {
        names: &["bw login "],
        needs: "",
        options: &[("", Word(2))],
    },
    Program {
        names: &["schtasks "],
        needs: "",
        options: &[("/rp", Next)],
    },
    Program {
        names: &["winrs "],
        needs: "",
        options: &[("-p:", Joined), ("/p:", Joined)],
    },
    Program {
        names: &["isql "],
        needs: "",
        options: &[("-P", Either), ("", Word(3))],
    },
    Program {
        names: &["nsupdate "],
        needs: "",
        options: &[("-y", Pair)],
    },
    Program {
        names: &["ssh-keygen "],
        needs: "",
        options: &[("-N", Next), ("-P", Next)],
    },
    Program {
        names: &["keytool "],
        needs: "",
        options: &[
            ("-storepass", Next),
            ("-keypass", Next),
            ("-srcstorepass", Next),
            ("-deststorepass", Next),
        ],
    },
    Program {
        names: &["lftp ", "ncftp ", "ncftpput "],
        needs: "",
        options: &[("-u", Pair), ("-u", Comma), ("-p", Next)],
    },
    Program {
        names: &[
            "security add-generic-password ",
            "security add-internet-password ",
            "security unlock-keychain ",
            "security create-keychain ",
        ],
        needs: "",
        options: &[("-w", Next), ("-p", Next)],
    },
];

/// The programs and options that read a secret from a pipe.
pub(super) const READERS: &[&str] = &[
    "sudo -S",
    "sudo -kS",
    "sudo -Sk",
    "sudo --stdin",
    "--password-stdin",
    "--passphrase-fd",
    "passwd --stdin",
    "chpasswd",
    "--with-token",
    "--stdin-password",
    "--api-key-stdin",
    "| kinit",
    "|kinit",
    "| passwd",
    "| su ",
    "| cryptsetup",
    "| vault login",
    "| gh secret set",
    "| wrangler secret",
    "| vercel env add",
    "| docker secret create",
    "| podman secret create",
    "| pass insert",
    "| smbpasswd",
    "| gpg ",
];

/// The byte range of a word of a command, without the quotes around it.
#[derive(Clone, Copy)]
struct Argument {
    begin: usize,
    end: usize,
}

impl Argument {
    fn of<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        bytes.get(self.begin..self.end).unwrap_or_default()
    }
}

/// The maximum number of bytes of a command that are searched.
const LONGEST: usize = 4096;

/// Returns the words of a command from a byte offset on, up to the next command.
fn arguments(bytes: &[u8], from: usize) -> Vec<Argument> {
    arguments_within(bytes, from, LONGEST)
}

/// Returns the same words, within at most `longest` bytes.
fn arguments_within(bytes: &[u8], from: usize, longest: usize) -> Vec<Argument> {
    let until = bytes.len().min(from.saturating_add(longest));
    let mut words = Vec::new();
    let mut at = from;
    while at < until {
        match bytes[at] {
            b' ' | b'\t' => at += 1,
            // A network folder.
            b'\\' if bytes[at..].starts_with(b"\\\\") => {
                let length = run(bytes, at, |byte| byte.is_ascii_graphic() && byte != b'"');
                let end = at + length;
                words.push(Argument { begin: at, end });
                at = end;
            }
            // A line that continues on the next one.
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n')) => at += 2,
            b'\\' if bytes.get(at + 1..at + 3) == Some(b"\\n") => at += 3,
            b'\n' | b'\r' | b'|' | b';' | b'&' | b')' | b'`' => break,
            b'\\' if bytes.get(at + 1) == Some(&b'n') => break,
            _ => {
                let word = argument(bytes, at, until);
                at = word.1;
                words.push(word.0);
            }
        }
    }
    words
}

/// Returns the word at a byte offset, and the byte offset after it and its quotes.
fn argument(bytes: &[u8], at: usize, until: usize) -> (Argument, usize) {
    if let Some((quote, width)) = super::value::quote(bytes, at) {
        let begin = at + width;
        if let Some(end) = super::value::quoted(bytes, begin, (quote, width)) {
            let behind = end + width;
            // `'user':'password'` is one word.
            if !bytes
                .get(behind)
                .is_some_and(|b| b.is_ascii_graphic() && !b"|;&)`'\"\\".contains(b))
            {
                return (Argument { begin, end }, behind);
            }
        }
    }
    let mut end = at;
    let mut inside = None;
    while end < until {
        let byte = bytes[end];
        match inside {
            Some(quote) if byte == quote => inside = None,
            Some(_) if byte == b'\n' => break,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'') => inside = Some(byte),
            None if byte.is_ascii_whitespace() || matches!(byte, b'|' | b';' | b'`') => break,
            // These characters may be part of a password, but not at the end of a command.
            None if matches!(byte, b'&' | b')')
                && !bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) =>
            {
                break;
            }
            None if byte == b'\\' && matches!(bytes.get(end + 1), Some(b'n' | b'"' | b'\'')) => {
                break;
            }
            None => {}
        }
        end += 1;
    }
    let end = end.max(at + 1);
    (Argument { begin: at, end }, end)
}

/// True if a word stands for another text: a variable or a placeholder.
fn is_variable(word: &[u8]) -> bool {
    let holds = |sign: &[u8]| word.windows(sign.len()).any(|part| part == sign);
    word.is_empty()
        || matches!(
            word,
            [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'{' | b'(', ..]
        )
        || matches!(word, [b'"' | b'\'', b'$', ..])
        || matches!(
            word,
            [b'<', .., b'>'] | [b'%', .., b'%'] | [b'[', .., b']'] | [b'{', .., b'}']
        )
        || holds(b"${")
        || holds(b"$(")
        || holds(b"{{")
        || word
            .iter()
            .all(|byte| matches!(byte, b'*' | b'.' | b'x' | b'X'))
        || word == "…".as_bytes()
}

impl Program {
    /// Finds the secrets after the program's name, which is from `begin` to `end`.
    pub(super) fn secrets(
        &self,
        bytes: &[u8],
        begin: usize,
        end: usize,
        found: &mut Vec<(usize, usize)>,
    ) {
        let before = begin.checked_sub(1).and_then(|at| bytes.get(at));
        if before
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        {
            return;
        }
        let words = arguments(bytes, end);
        let from = match self.needs {
            "" => 0,
            needs => match words
                .iter()
                .position(|word| word.of(bytes) == needs.as_bytes())
            {
                Some(at) => at + 1,
                None => return,
            },
        };
        let needed = &words[from..];
        for (nth, word) in words.iter().enumerate() {
            for (option, form) in self.options.iter().filter(|(option, _)| !option.is_empty()) {
                found.extend(given(
                    bytes,
                    option,
                    *form,
                    word,
                    words.get(nth + 1),
                    needed,
                ));
            }
        }
        for (option, form) in self.options.iter().filter(|(option, _)| option.is_empty()) {
            found.extend(placed(bytes, *form, needed, option));
        }
    }
}

/// Returns the secret of an option, if the word is that option.
fn given(
    bytes: &[u8],
    option: &str,
    form: Form,
    word: &Argument,
    next: Option<&Argument>,
    needed: &[Argument],
) -> Part {
    let rest = word.of(bytes).strip_prefix(option.as_bytes())?;
    let is_long = option.starts_with("--");
    let joined = match rest {
        [] => None,
        [b'=', ..] => Some(Argument {
            begin: word.end - rest.len() + 1,
            ..*word
        }),
        _ if is_long => return None,
        // `-sSu` is another option.
        _ => Some(Argument {
            begin: word.end - rest.len(),
            ..*word
        }),
    };
    if let Word(nth) = form {
        return rest
            .is_empty()
            .then(|| placed(bytes, Word(nth), needed, option))?;
    }
    let is_next = !matches!(form, Joined);
    let value = match joined {
        Some(value) if form != Next || rest.starts_with(b"=") => value,
        Some(_) => return None,
        None if is_next => *next?,
        None => return None,
    };
    let value = unquoted(bytes, value);
    let text = value.of(bytes);
    let behind = |sign: u8| {
        let at = text.iter().position(|byte| *byte == sign)?;
        let secret = Argument {
            begin: value.begin + at + 1,
            ..value
        };
        let secret = unquoted(bytes, secret);
        (!is_variable(secret.of(bytes))).then_some((secret.begin, secret.end))
    };
    let whole = || {
        let is_option = text.starts_with(b"-") && text.len() < 3;
        (!is_variable(text) && !is_option && text.len() >= 2).then_some((value.begin, value.end))
    };
    match form {
        Pair => behind(b':').or_else(|| (looks_random(text) && has_digit(text)).then(whole)?),
        Comma => behind(b','),
        Percent => behind(b'%'),
        Cookie => {
            let sign = text.iter().position(|byte| *byte == b'=')?;
            (!is_variable(&text[sign + 1..])).then(whole)?
        }
        Next | Joined | Either => whole(),
        Slash | Login | Word(_) => None,
    }
}

/// Returns a word without a pair of quotes that is left around it.
fn unquoted(bytes: &[u8], word: Argument) -> Argument {
    match word.of(bytes) {
        [b'"', .., b'"'] | [b'\'', .., b'\''] => Argument {
            begin: word.begin + 1,
            end: word.end - 1,
        },
        _ => word,
    }
}

/// Returns the secret at a position among the words that are not options.
fn placed(bytes: &[u8], form: Form, words: &[Argument], option: &str) -> Part {
    let mut plain = words.iter().filter(|word| {
        let text = word.of(bytes);
        // A drive and a network folder do not count.
        let is_place = text.starts_with(b"\\\\") || text.len() == 2 && text.ends_with(b":");
        // `/user:ada`, `/persistent:yes`
        let is_place = is_place || text == b"*" || text.starts_with(b"/") && text.contains(&b':');
        !(text.starts_with(b"-") || is_place || text == option.as_bytes() && option == "http-basic")
    });
    let secret = match form {
        Word(nth) => *plain.nth(nth.checked_sub(1)?)?,
        Login => {
            let word = plain.next()?;
            let text = word.of(bytes);
            let slash = text.iter().position(|byte| *byte == b'/')?;
            let at = text.iter().rposition(|byte| *byte == b'@')?;
            let (user, given) = (&text[..slash], text.get(slash + 1..at)?);
            let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$#".contains(byte);
            // `connect owner/action@v4`
            let place = &text[at + 1..];
            let is_version = place.first().is_none_or(u8::is_ascii_digit)
                || place.starts_with(b"v") && place.get(1).is_some_and(u8::is_ascii_digit);
            let is_login = !user.is_empty()
                && user.iter().all(is_user)
                && !given.contains(&b'/')
                && !is_version;
            if !is_login {
                return None;
            }
            Argument {
                begin: word.begin + slash + 1,
                end: word.begin + at,
            }
        }
        Slash => {
            let word = plain.find(|word| word.of(bytes).contains(&b'/'))?;
            let text = word.of(bytes);
            let slash = text.iter().position(|byte| *byte == b'/')?;
            let end = text
                .iter()
                .rposition(|byte| *byte == b'@')
                .unwrap_or(text.len());
            if slash == 0 || end <= slash + 1 {
                return None;
            }
            Argument {
                begin: word.begin + slash + 1,
                end: word.begin + end,
            }
        }
        _ => return None,
    };
    let text = secret.of(bytes);
    // Examples are `net user name /delete`, and `wpa_passphrase` without a passphrase.
    let is_secret =
        !is_variable(text) && text.len() >= 4 && !text.starts_with(b"/") && !text.starts_with(b">");
    is_secret.then_some((secret.begin, secret.end))
}

/// The words of a command that asks for a secret, in its name, its action or its option.
const ASKS: &[&str] = &[
    "passw",
    "passphrase",
    "passwd",
    "login",
    "logon",
    "auth",
    "secret",
    "token",
    "credential",
    "keyring",
    "keychain",
    "kdbx",
    "keepass",
    "luks",
    "crypt",
    "unlock",
    "vault",
    "stdin",
    "sudo -s",
    "kinit",
    "gpg",
    "openssl",
    "openconnect",
    "htpasswd",
    "runas",
    "askpass",
    "su -",
    "su ",
    "vnc",
    "api-key",
    "apikey",
    "pinentry",
    "age -p",
    "pass insert",
];

/// The number of bytes of a command that are searched around a sign of a secret.
const NEAR: usize = 240;

/// Finds the text that is piped, or passed as a here-document or here-string, to a program that asks for
/// a secret and is not in [`READERS`]. `begin` and `end` are the range of the sign: `echo`, `<<`.
pub(super) fn asked(bytes: &[u8], begin: usize, end: usize, found: &mut Vec<(usize, usize)>) {
    let line = line_around(bytes, begin);
    let is_asking = |part: &[u8]| {
        let part = part.to_ascii_lowercase();
        let holds = |word: &&str| {
            part.windows(word.len())
                .any(|known| known == word.as_bytes())
        };
        ASKS.iter().any(holds)
    };
    if bytes[begin..end].starts_with(b"<<<") {
        if is_asking(&bytes[line.0..begin]) {
            let word = arguments_within(bytes, end, NEAR)
                .first()
                .map(|word| unquoted(bytes, *word));
            found.extend(word.and_then(|word| worth(bytes, word)));
        }
        return;
    }
    if bytes[begin..end].starts_with(b"<<") {
        if is_asking(&bytes[line.0..line.1]) {
            document(bytes, end, line.1, found);
        }
        return;
    }
    // The reading program follows the first pipe sign.
    let words = arguments_within(bytes, end, NEAR);
    let Some(last) = words.last() else { return };
    let mut at = last.end;
    while matches!(bytes.get(at), Some(b' ' | b'"' | b'\'')) {
        at += 1;
    }
    // The text may also be written into a file whose name asks for a secret.
    let is_file = bytes[begin..line.1].contains(&b'>')
        && words.iter().any(|word| word.of(bytes).starts_with(b">"));
    if is_file && is_asking(&bytes[words.first().map_or(end, |word| word.end)..line.1]) {
        found.extend(
            words
                .first()
                .and_then(|word| worth(bytes, unquoted(bytes, *word))),
        );
        return;
    }
    if bytes.get(at) != Some(&b'|') || bytes.get(at + 1) == Some(&b'|') || at > line.1 {
        return;
    }
    if is_asking(&bytes[at..line.1.max(at)]) {
        let plain = words
            .iter()
            .filter(|word| !word.of(bytes).starts_with(b"-"));
        found.extend(plain.filter_map(|word| worth(bytes, unquoted(bytes, *word))));
    }
}

/// Returns the range of a word that looks like a strong secret.
fn worth(bytes: &[u8], word: Argument) -> Part {
    let text = word.of(bytes);
    let text = text.strip_suffix(b"\\n").unwrap_or(text);
    let pair = text
        .iter()
        .position(|byte| *byte == b':')
        .map_or(0, |sign| sign + 1);
    let is_worth = |text: &[u8]| !is_variable(text) && is_strong(text, true);
    let begin = match () {
        () if is_worth(text) => word.begin,
        () if pair > 0 && is_worth(&text[pair..]) => word.begin + pair,
        () => return None,
    };
    Some((begin, word.begin + text.len()))
}

/// Finds the secrets in the lines of a here-document. `end` is the byte offset after `<<`, and `line` is
/// the end of the line that has the delimiter.
fn document(bytes: &[u8], end: usize, line: usize, found: &mut Vec<(usize, usize)>) {
    const MOST_LINES: usize = 12;
    let rest = &bytes[end..line];
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let lead = rest.iter().take_while(|byte| !is_of_word(byte)).count();
    let length = rest[lead..]
        .iter()
        .take_while(|byte| is_of_word(byte))
        .count();
    let word = &rest[lead..lead + length];
    if word.is_empty() || lead > 3 {
        return;
    }
    let mut at = line + 1;
    for _ in 0..MOST_LINES {
        if at >= bytes.len() {
            return;
        }
        let (_, until) = line_around(bytes, at);
        let text = bytes[at..until].trim_ascii();
        if text == word {
            return;
        }
        let begin = at
            + bytes[at..until]
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
        let argument = Argument {
            begin,
            end: begin + text.len(),
        };
        found.extend(worth(bytes, argument));
        at = until + 1;
    }
}

/// Returns the beginning and the end of the line around a byte offset.
fn line_around(bytes: &[u8], at: usize) -> (usize, usize) {
    let from = at.saturating_sub(NEAR);
    let begin = bytes[from..at].iter().rposition(|byte| *byte == b'\n');
    let until = bytes.len().min(at.saturating_add(NEAR));
    let end = bytes[at..until].iter().position(|byte| *byte == b'\n');
    (
        begin.map_or(from, |begin| from + begin + 1),
        end.map_or(until, |end| at + end),
    )
}

/// Returns the word after the option `-p` of a command that also has a user. `begin` and `end` are the
/// range of the option.
pub(super) fn of_user(bytes: &[u8], begin: usize, end: usize) -> Part {
    let line = line_around(bytes, begin);
    let has = |word: &&[u8]| {
        bytes[line.0..line.1]
            .windows(word.len())
            .any(|part| part == *word)
    };
    let users: [&[u8]; 8] = [
        b" -u",
        b" -U",
        b" --user",
        b" --login",
        b" /u:",
        b" /user:",
        b" -l ",
        b"-user ",
    ];
    if !users.iter().any(has) {
        return None;
    }
    let word = arguments_within(bytes, end, NEAR)
        .first()
        .map(|word| unquoted(bytes, *word))?;
    // Programs whose `-p` is a port, a project, a package or a path.
    let others: [&[u8]; 9] = [
        b"docker", b"podman", b"compose", b"cargo", b"mkdir", b"npm", b"rsync", b"patch", b"nmap",
    ];
    let is_other = others.iter().any(has);
    let is_password = !is_other && is_made(word.of(bytes));
    worth(bytes, word).or_else(|| is_password.then_some((word.begin, word.end)))
}

/// True if the argument of a password option is not an ordinary word: it mixes letters with digits or
/// signs.
fn is_made(text: &[u8]) -> bool {
    const SIGNS: &[u8] = b"!@#$%&*+?^~";
    let is_mixed = text.iter().any(u8::is_ascii_alphabetic)
        && text
            .iter()
            .any(|byte| byte.is_ascii_digit() || SIGNS.contains(byte));
    let is_of_word = |byte: &u8| byte.is_ascii_graphic() && !b"/:\\\"'`<>(){}[]|;".contains(byte);
    (5..=64).contains(&text.len())
        && is_mixed
        && text.iter().all(is_of_word)
        && !matches!(text.first(), Some(b'-' | b'.' | b'@' | b'+'))
        && is_chosen(text)
        && !is_variable(text)
        && !is_member(text)
}

/// Returns the password of `user,password` or `user:password` after a user option, which ends at `end`.
pub(super) fn pair_of_user(bytes: &[u8], end: usize) -> Part {
    let word = arguments_within(bytes, end, NEAR)
        .first()
        .map(|word| unquoted(bytes, *word))?;
    let text = word.of(bytes);
    let sign = text.iter().position(|byte| matches!(byte, b',' | b':'))?;
    let is_of_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(byte);
    let given = &text[sign + 1..];
    let is_password = match text[sign] {
        b',' => given.len() >= 6 && is_made(given) && !given.contains(&b','),
        _ => is_strong(given, true),
    };
    let is_user = sign > 0 && text[..sign].iter().all(is_of_user);
    (is_user && is_password && !is_variable(given)).then_some((word.begin + sign + 1, word.end))
}

/// Returns the last word of a protocol command, such as `AUTH …`. Its name is in uppercase, at the
/// beginning of a line or after a tag.
pub(super) fn protocol(bytes: &[u8], begin: usize, end: usize) -> Part {
    let line = line_around(bytes, begin);
    let before = bytes[line.0..begin].trim_ascii();
    let is_upper = bytes[begin..end]
        .iter()
        .all(|byte| !byte.is_ascii_lowercase());
    let is_tag = before.len() <= 24 && !before.iter().any(|byte| b"\"'=(".contains(byte));
    let words = arguments_within(bytes, end, NEAR);
    let last = words
        .last()
        .map(|word| unquoted(bytes, *word))
        .filter(|_| words.len() <= 3)?;
    (is_upper && is_tag).then(|| worth(bytes, last))?
}

/// Returns the value that a command sets for a name, such as `setx NAME …` or `config set NAME …`. The
/// command ends at `end`.
pub(super) fn set(bytes: &[u8], end: usize) -> Part {
    let words = arguments_within(bytes, end, NEAR);
    let mut words = words
        .iter()
        .skip_while(|word| word.of(bytes).starts_with(b"-"));
    let name = unquoted(bytes, *words.next()?);
    let name = name.of(bytes);
    let of = value::sort(name)?;
    let given = unquoted(
        bytes,
        *words.find(|word| !word.of(bytes).starts_with(b"-"))?,
    );
    let text = given.of(bytes);
    let is_variable = is_variable(text) || text.starts_with(b"%");
    let is_environment = name
        .iter()
        .any(|byte| *byte == b'_' || byte.is_ascii_uppercase());
    let whole = value::value(&bytes[..given.end], given.begin, of, Bond::Bound);
    let is_worth = match of {
        _ if is_variable || text.len() < 4 => false,
        Sort::Password => is_environment && has_digit(text) && whole.is_some(),
        Sort::Secret | Sort::Key => false,
    };
    (is_worth || !is_variable && is_strong(text, true)).then_some((given.begin, given.end))
}

/// Returns the text that is piped, or passed as a here-string, to a program that reads a secret. The
/// program's name begins at `at`.
pub(super) fn read(bytes: &[u8], at: usize) -> Part {
    let line = bytes[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let line = line.max(at.saturating_sub(LONGEST));
    let before = &bytes[line..at];
    let piped = ["echo ", "printf "].iter().filter_map(|word| {
        let found = before
            .windows(word.len())
            .rposition(|part| part == word.as_bytes())?;
        Some((line + found + word.len(), *word))
    });
    if let Some((from, word)) = piped.max() {
        let mut words = arguments(bytes, from);
        words.retain(|argument| {
            let text = argument.of(bytes);
            !(text.starts_with(b"-") && text.len() <= 3
                || word == "printf " && text.starts_with(b"%"))
        });
        // The text must end before the program that reads it.
        let secret = words
            .iter()
            .find(|argument| argument.end <= at && !is_variable(argument.of(bytes)))
            .filter(|argument| argument.of(bytes) != b"\\");
        if let Some(secret) = secret {
            let text = secret.of(bytes);
            // `echo user:password | chpasswd`
            let of_user = text.iter().position(|byte| *byte == b':');
            let is_pair = bytes[at..].starts_with(b"chpasswd");
            let begin = of_user.filter(|_| is_pair).map_or(0, |sign| sign + 1);
            return (secret.end > secret.begin + begin)
                .then_some((secret.begin + begin, secret.end));
        }
    }
    let end = at
        + bytes[at..]
            .iter()
            .take_while(|byte| **byte != b'\n')
            .count();
    let behind = &bytes[at..end];
    let here = behind.windows(3).position(|part| part == b"<<<")? + at + 3;
    let secret = arguments(bytes, here);
    let secret = unquoted(bytes, *secret.first()?);
    (!is_variable(secret.of(bytes))).then_some((secret.begin, secret.end))
}
