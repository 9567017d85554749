//! Secrets that a cue announces: `the password is …`, `API_TOKEN …`, `Cookie: …`, a command.

use hud_store::text::floor_char_boundary;

use super::command::{self, Program};
use super::given::element;
use super::near;
use super::value::{
    Bond, Sort, has_digit, is_bare_word, is_chosen, is_masked, is_member, is_passphrase,
    is_phrase_with_digits, looks_random, quote, quoted, signs, value,
};
use super::{Part, run, run_back};
use super::{encoded, list};

/// The kind of secret that a cue announces, and where it is.
#[derive(Clone, Copy)]
enum Cue {
    /// A noun for something secret.
    Noun(Sort),
    /// A noun of another language than English. It cannot be part of a name.
    Abroad(Sort),
    /// A phrase after a value: `… is the password`.
    Behind,
    Program(&'static Program),
    /// A program that reads a password: `echo … | sudo -S`.
    Reader,
    Cookie,
    Authorization,
    /// A part of an address that is followed by a token.
    Hook,
    /// A text within a token, with the minimum number of letters and digits before it.
    Within(usize),
    /// The end of a token, with the minimum number of letters and digits before it.
    End(usize),
    /// A text between the fields of a password file.
    Fields,
    /// An option with a name and a value: `--from-literal=name=…`.
    Pair,
    /// The `pass:` of OpenSSL.
    Literal,
    /// The end of a question for a password.
    Prompt,
    /// A short word for a password, which may be part of other words.
    Short,
    /// A call whose argument with this number, counted from 1, is a secret.
    Call(usize),
    /// A call that has a secret among its arguments, because it connects, signs or encrypts.
    Calls,
    /// The input of a program that asks for a secret: `echo … |`, `<<`.
    Given,
    /// The option `-p`, which may be a password option.
    OfUser,
    /// The option `-u`, which may have a password beside the user.
    PairOfUser,
    /// The beginning of a hexadecimal number, which may be the private key of an account.
    Account,
    /// A table dump, whose columns are named before its rows.
    Copied,
    /// A command that sets a value for a name.
    Set,
    /// A protocol command whose last word is a secret: `AUTH …`.
    Protocol,
    /// An attribute of a cookie.
    Attribute,
    /// The words before a user and a password: `log in with …`.
    Login,
    /// A name of a phrase of words from which keys are made.
    Seed,
    /// A call that decodes a text.
    Decodes,
    /// A call that builds a text from character codes.
    Codes,
    /// A command that decodes its input: `echo … | base64 -d`.
    Decoder,
    /// Account recovery codes.
    Recovery,
    /// The name of a section with secrets.
    Section,
    /// The kind of a manifest with secrets.
    Manifest,
    /// A field of a cookie file.
    Jar,
    /// The number of lines of a PuTTY private key.
    Putty,
    /// A database driver's address, with a slash between the user and the password.
    Driver,
    /// A code for phones with the password of a network.
    Network,
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
    ("_authtoken", Sort::Secret),
    ("requirepass", Sort::Password),
    ("masterauth", Sort::Password),
    ("webhook", Sort::Secret),
    ("setup key", Sort::Secret),
    ("authenticator key", Sort::Secret),
    ("2fa key", Sort::Secret),
    ("mfa key", Sort::Secret),
    ("totp key", Sort::Secret),
    ("2fa seed", Sort::Secret),
    ("totp seed", Sort::Secret),
    ("otp seed", Sort::Secret),
    ("mfa seed", Sort::Secret),
    ("admin key", Sort::Secret),
    ("master key", Sort::Secret),
    ("door code", Sort::Password),
    ("gate code", Sort::Password),
    ("alarm code", Sort::Password),
    ("entry code", Sort::Password),
    ("access code", Sort::Password),
    ("unlock code", Sort::Password),
    ("lock code", Sort::Password),
    ("safe code", Sort::Password),
    ("keypad code", Sort::Password),
    ("security code", Sort::Password),
    ("door pin", Sort::Password),
    ("sim pin", Sort::Password),
    ("lock combination", Sort::Password),
    ("safe combination", Sort::Password),
];

/// The nouns of other languages. Those that start a sentence are listed with an uppercase letter too.
const ABROAD: &[(&str, Sort)] = &[
    // German, Dutch, Swedish, Danish, Norwegian, Finnish
    ("passwort", Sort::Password),
    ("passwörter", Sort::Password),
    ("kennwort", Sort::Password),
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
    ("parola d'accesso", Sort::Password),
    ("codice d'accesso", Sort::Password),
    ("codice di accesso", Sort::Password),
    ("code d'accès", Sort::Password),
    ("code d’accès", Sort::Password),
    ("código de acceso", Sort::Password),
    ("código de acesso", Sort::Password),
    ("código pin", Sort::Password),
    ("code pin", Sort::Password),
    ("codice pin", Sort::Password),
    ("zugangscode", Sort::Password),
    ("türcode", Sort::Password),
    ("tür-code", Sort::Password),
    ("alarmcode", Sort::Password),
    ("torcode", Sort::Password),
    ("sperrcode", Sort::Password),
    ("code de la porte", Sort::Password),
    ("code du portail", Sort::Password),
    ("code de l'alarme", Sort::Password),
    ("digicode", Sort::Password),
    ("código de la puerta", Sort::Password),
    ("código de la alarma", Sort::Password),
    ("código da porta", Sort::Password),
    ("código do alarme", Sort::Password),
    ("codice della porta", Sort::Password),
    ("codice dell'allarme", Sort::Password),
    ("код от двери", Sort::Password),
    ("код двери", Sort::Password),
    ("код домофона", Sort::Password),
    ("код сигнализации", Sort::Password),
    ("deurcode", Sort::Password),
    ("kod do drzwi", Sort::Password),
    ("kod do bramy", Sort::Password),
    ("kapı kodu", Sort::Password),
    ("dörrkod", Sort::Password),
    ("门禁码", Sort::Password),
    ("门锁码", Sort::Password),
    ("解锁码", Sort::Password),
    ("pin-code", Sort::Password),
    ("pincode", Sort::Password),
    ("pin code", Sort::Password),
    // Russian, Ukrainian, Polish, Czech
    ("ПИН", Sort::Password),
    ("пин-код", Sort::Password),
    ("ПИН-код", Sort::Password),
    ("код доступа", Sort::Password),
    ("код доступу", Sort::Password),
    ("kod dostępu", Sort::Password),
    ("hasła", Sort::Password),
    ("hasłem", Sort::Password),
    ("парольная фраза", Sort::Password),
    ("Парольная фраза", Sort::Password),
    ("кодовая фраза", Sort::Password),
    ("phrase de passe", Sort::Password),
    ("frase de contraseña", Sort::Password),
    ("frase de acceso", Sort::Password),
    ("wachtwoordzin", Sort::Password),
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
    ("şifresini", Sort::Password),
    ("şifreyi", Sort::Password),
    ("parolayı", Sort::Password),
    ("api anahtarı", Sort::Secret),
    ("anahtarı", Sort::Secret),
    ("parolası", Sort::Password),
    ("şifremiz", Sort::Password),
    ("şifreniz", Sort::Password),
    ("parolanız", Sort::Password),
    ("erişim kodu", Sort::Password),
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
    ("비번", Sort::Password),
    ("핀 번호", Sort::Password),
    ("暗証", Sort::Password),
    ("密碼", Sort::Password),
    ("암호", Sort::Password),
    ("패스워드", Sort::Password),
    ("api 키", Sort::Secret),
    ("مفتاح", Sort::Secret),
    ("토큰", Sort::Secret),
    // Arabic, Hebrew, Hindi, Thai
    ("كلمة المرور", Sort::Password),
    ("كلمة السر", Sort::Password),
    ("كلمة سر", Sort::Password),
    ("رمز المرور", Sort::Password),
    ("الرقم السري", Sort::Password),
    ("गुप्त कोड", Sort::Password),
    ("पिन", Sort::Password),
    ("कुंजी", Sort::Secret),
    ("סיסמה", Sort::Password),
    ("הסיסמה", Sort::Password),
    ("पासवर्ड", Sort::Password),
    ("รหัสผ่าน", Sort::Password),
];

/// The words between a noun and its value.
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
    "heisst",
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
    "बदलकर",
    "คือ",
];

/// The same in scripts that have no spaces between words.
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
    "改成了",
    "改成",
    "改为",
    "改為",
    "设为",
    "を",
    "를",
    "을",
    "設為",
    "는",
    "은",
    "คือ",
];

/// The words that may be between a copula and the value.
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

/// The words that may follow a noun before its value is stated.
const BETWEEN: &[&str] = &[
    "for", "of", "to", "from", "on", "at", "in", "here", "now", "you", "we", "i", "that", "there",
    "für", "vom", "von", "zum", "zur", "des", "der", "am", "im",
];

/// The texts that may follow a value that is an ordinary word.
const GOES_ON: &[&str] = &[
    " if ",
    " when ",
    " in case ",
    " for now",
    " until ",
    " btw",
    " please",
    " thanks",
    " so ",
    " but ",
    " and then ",
    " and the ",
    " and user",
    " und ",
    " — ",
    " – ",
    " - ",
    " (",
];

/// The phrases after a value.
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

/// The words that show, before a name on the line, that a value follows the name without a sign.
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

/// The other cues.
const OTHERS: &[(&str, Cue)] = &[
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
    ("password:", Cue::Literal),
    ("assword:", Cue::Prompt),
    ("assphrase:", Cue::Prompt),
    ("pw", Cue::Short),
    ("psk", Cue::Short),
    ("pass", Cue::Short),
    ("psw", Cue::Short),
    ("mdp", Cue::Short),
    ("PIN", Cue::Short),
    ("echo ", Cue::Given),
    ("printf ", Cue::Given),
    ("yes ", Cue::Given),
    ("<<", Cue::Given),
    ("<<<", Cue::Given),
    (" -p ", Cue::OfUser),
    (" -u ", Cue::PairOfUser),
    (" --user ", Cue::PairOfUser),
    ("0x", Cue::Account),
    (") from stdin", Cue::Copied),
    ("AUTH ", Cue::Protocol),
    ("LOGIN ", Cue::Protocol),
    ("pragma key", Cue::Noun(Sort::Password)),
    ("pragma rekey", Cue::Noun(Sort::Password)),
    ("; path=", Cue::Attribute),
    ("; httponly", Cue::Attribute),
    ("; samesite", Cue::Attribute),
    ("ftp.open(", Cue::Calls),
    ("ftp.start(", Cue::Calls),
    ("client(", Cue::Calls),
    ("stripe(", Cue::Calls),
    ("bot(", Cue::Calls),
    ("apikey(", Cue::Calls),
    ("api_key(", Cue::Calls),
    ("token(", Cue::Calls),
    ("set ", Cue::Set),
    ("setx ", Cue::Set),
    ("setenv ", Cue::Set),
    ("convertto-securestring", Cue::Call(1)),
    ("getconnection(", Cue::Call(3)),
    ("mysqli(", Cue::Call(3)),
    ("mysqli_connect(", Cue::Call(3)),
    ("mysql_connect(", Cue::Call(3)),
    ("mysql_real_connect(", Cue::Call(4)),
    ("pg_connect(", Cue::Calls),
    ("new pdo(", Cue::Call(3)),
    ("dbi->connect(", Cue::Call(3)),
    ("pymysql.connect(", Cue::Call(3)),
    ("mysqldb.connect(", Cue::Call(3)),
    ("wifi.begin(", Cue::Call(2)),
    ("ldap_bind(", Cue::Call(3)),
    ("ftp_login(", Cue::Call(3)),
    ("ssh2_auth_password(", Cue::Call(3)),
    ("auth_password(", Cue::Call(2)),
    ("connect(", Cue::Calls),
    ("connection(", Cue::Calls),
    ("dial(", Cue::Calls),
    ("logon(", Cue::Calls),
    ("signin(", Cue::Calls),
    ("auth(", Cue::Calls),
    ("credentials(", Cue::Calls),
    ("credential(", Cue::Calls),
    ("password(", Cue::Calls),
    ("secret(", Cue::Calls),
    ("secretstr(", Cue::Calls),
    ("authorization,", Cue::Calls),
    ("bind(", Cue::Calls),
    ("ftp(", Cue::Calls),
    ("session(", Cue::Calls),
    ("keystore.load(", Cue::Calls),
    ("sign(", Cue::Calls),
    ("signwith(", Cue::Calls),
    ("verify(", Cue::Calls),
    ("hmac(", Cue::Calls),
    ("hmac.new(", Cue::Calls),
    ("jwt.encode(", Cue::Calls),
    ("jwt.decode(", Cue::Calls),
    ("fernet(", Cue::Calls),
    ("encrypt(", Cue::Calls),
    ("decrypt(", Cue::Calls),
    ("cipheriv(", Cue::Calls),
    ("secretkeyspec(", Cue::Calls),
    ("pbkdf2(", Cue::Calls),
    ("pbkdf2sync(", Cue::Calls),
    ("scrypt(", Cue::Calls),
    ("scryptsync(", Cue::Calls),
    ("setpassword(", Cue::Call(1)),
    ("set_password(", Cue::Call(1)),
    ("setbasicauth(", Cue::Call(2)),
    ("basicauth(", Cue::Call(2)),
    ("basic_auth(", Cue::Call(2)),
    ("basic_auth=(", Cue::Call(2)),
    ("auth=(", Cue::Call(2)),
    ("auth = (", Cue::Call(2)),
    ("login(", Cue::Call(2)),
    ("authenticate(", Cue::Call(2)),
    ("passwordauthentication(", Cue::Call(2)),
    ("networkcredential(", Cue::Call(2)),
    ("passwordcredentials(", Cue::Call(2)),
    ("basiccredentials(", Cue::Call(2)),
    ("awscredentials(", Cue::Call(2)),
    ("plainauth(", Cue::Call(3)),
    ("log in with", Cue::Login),
    ("login with", Cue::Login),
    ("logged in with", Cue::Login),
    ("sign in with", Cue::Login),
    ("log in as", Cue::Login),
    ("login as", Cue::Login),
    ("sign in as", Cue::Login),
    ("creds", Cue::Login),
    ("user/pass", Cue::Login),
    ("user/password", Cue::Login),
    ("username/password", Cue::Login),
    ("login/password", Cue::Login),
    ("login:", Cue::Login),
    ("logins:", Cue::Login),
    ("zugang:", Cue::Login),
    ("zugangsdaten:", Cue::Login),
    ("anmelden mit", Cue::Login),
    ("identifiants :", Cue::Login),
    ("identifiants:", Cue::Login),
    ("credenciales:", Cue::Login),
    ("credenziali:", Cue::Login),
    ("seed phrase", Cue::Seed),
    ("recovery phrase", Cue::Seed),
    ("mnemonic", Cue::Seed),
    ("seed words", Cue::Seed),
    ("wallet", Cue::Seed),
    ("bip39", Cue::Seed),
    ("bip-39", Cue::Seed),
    ("seed:", Cue::Seed),
    ("seed =", Cue::Seed),
    ("seed=", Cue::Seed),
    ("backup phrase", Cue::Seed),
    ("secret phrase", Cue::Seed),
    ("seedphrase", Cue::Seed),
    ("wallet-wörter", Cue::Seed),
    ("12 wörter", Cue::Seed),
    ("24 wörter", Cue::Seed),
    ("12 mots", Cue::Seed),
    ("24 mots", Cue::Seed),
    ("12 palabras", Cue::Seed),
    ("24 palabras", Cue::Seed),
    ("12 palavras", Cue::Seed),
    ("24 palavras", Cue::Seed),
    ("12 слов", Cue::Seed),
    ("24 слов", Cue::Seed),
    ("кошелёк", Cue::Seed),
    ("кошелек", Cue::Seed),
    ("кошелька", Cue::Seed),
    ("сид-фраз", Cue::Seed),
    ("助记词", Cue::Seed),
    ("metamask", Cue::Seed),
    ("ledger", Cue::Seed),
    ("trezor", Cue::Seed),
    ("12 words", Cue::Seed),
    ("24 words", Cue::Seed),
    ("frommnemonic(", Cue::Seed),
    ("fromphrase(", Cue::Seed),
    ("?code=", Cue::Hook),
    ("&code=", Cue::Hook),
    ("atob(", Cue::Decodes),
    ("b64decode(", Cue::Decodes),
    ("base64_decode(", Cue::Decodes),
    ("decode64(", Cue::Decodes),
    ("frombase64string(", Cue::Decodes),
    ("decodestring(", Cue::Decodes),
    ("buffer.from(", Cue::Decodes),
    ("unhexlify(", Cue::Decodes),
    ("fromhex(", Cue::Decodes),
    ("fromcharcode", Cue::Codes),
    ("fromcodepoint", Cue::Codes),
    ("map(chr", Cue::Codes),
    ("chr(", Cue::Codes),
    ("bytes(", Cue::Codes),
    ("bytearray(", Cue::Codes),
    ("byte[]", Cue::Codes),
    ("base64 -d", Cue::Decoder),
    ("base64 --decode", Cue::Decoder),
    ("base64 -di", Cue::Decoder),
    ("openssl base64 -d", Cue::Decoder),
    ("openssl enc -base64 -d", Cue::Decoder),
    ("openssl enc -d -base64", Cue::Decoder),
    ("openssl enc -d -a", Cue::Decoder),
    ("xxd -r", Cue::Decoder),
    ("recovery code", Cue::Recovery),
    ("recovery_code", Cue::Recovery),
    ("recoverycode", Cue::Recovery),
    ("recovery key", Cue::Recovery),
    ("recovery_key", Cue::Recovery),
    ("backup code", Cue::Recovery),
    ("backup_code", Cue::Recovery),
    ("backupcode", Cue::Recovery),
    ("scratch code", Cue::Recovery),
    ("wiederherstellungscode", Cue::Recovery),
    ("wiederherstellungsschlüssel", Cue::Recovery),
    ("backup-code", Cue::Recovery),
    ("codes de récupération", Cue::Recovery),
    ("codes de secours", Cue::Recovery),
    ("códigos de recuperación", Cue::Recovery),
    ("códigos de recuperação", Cue::Recovery),
    ("códigos de respaldo", Cue::Recovery),
    ("codici di recupero", Cue::Recovery),
    ("codici di backup", Cue::Recovery),
    ("резервные коды", Cue::Recovery),
    ("коды восстановления", Cue::Recovery),
    ("恢复代码", Cue::Recovery),
    ("恢复码", Cue::Recovery),
    ("备份码", Cue::Recovery),
    ("备用码", Cue::Recovery),
    ("バックアップコード", Cue::Recovery),
    ("リカバリーコード", Cue::Recovery),
    ("복구 코드", Cue::Recovery),
    ("passwords", Cue::Section),
    ("secrets", Cue::Section),
    ("credentials", Cue::Section),
    ("kind: secret", Cue::Manifest),
    ("\tTRUE\t", Cue::Jar),
    ("\tFALSE\t", Cue::Jar),
    ("private-lines:", Cue::Putty),
    (":thin:", Cue::Driver),
    ("WIFI:", Cue::Network),
    ("totp(", Cue::Call(1)),
];

/// The number of cues.
const COUNT: usize = {
    let mut count = NOUNS.len() + ABROAD.len() + BEHIND.len() + OTHERS.len();
    count += command::READERS.len();
    let mut at = 0;
    while at < command::PROGRAMS.len() {
        count += command::PROGRAMS[at].names.len();
        at += 1;
    }
    count
};

/// The cues, indexed by their first two bytes in lowercase. They are sorted at compile time, because
/// each hook is a new process, which would have to build an automaton every time.
struct Cues {
    words: [(&'static str, Cue); COUNT],
    /// A bit for each group of three bytes, in any case, that a cue begins with.
    begins: [u64; TRIPLES / 64],
    /// For each pair of lowercase bytes, the index of the longest cue that begins with them, or
    /// `NO_CUE`.
    first: [usize; PLACES],
    /// For each cue, the index of the next longest one with the same first two bytes, or `NO_CUE`.
    next: [usize; COUNT],
}

/// The index that stands for no cue.
const NO_CUE: usize = usize::MAX;

/// The number of buckets for pairs of bytes.
const PLACES: usize = 1 << 12;

const fn place(first: u8, second: u8) -> usize {
    ((first as usize) << 4 ^ second as usize) % PLACES
}

/// The number of buckets for groups of three bytes.
const TRIPLES: usize = 1 << 15;

/// Returns the bucket of three bytes, which is the same in any case.
const fn triple(first: u8, second: u8, third: u8) -> usize {
    const CASE: u8 = 0x20;
    let (first, second, third) = (first | CASE, second | CASE, third | CASE);
    ((first as usize) << 10 ^ (second as usize) << 5 ^ third as usize) % TRIPLES
}

static CUES: Cues = {
    let mut cues = Cues {
        words: [("", Cue::Behind); COUNT],
        begins: [0; TRIPLES / 64],
        first: [NO_CUE; PLACES],
        next: [NO_CUE; COUNT],
    };
    let (mut count, mut at) = (0, 0);
    while at < NOUNS.len() {
        cues.add(&mut count, NOUNS[at].0, Cue::Noun(NOUNS[at].1));
        at += 1;
    }
    at = 0;
    while at < ABROAD.len() {
        cues.add(&mut count, ABROAD[at].0, Cue::Abroad(ABROAD[at].1));
        at += 1;
    }
    at = 0;
    while at < BEHIND.len() {
        cues.add(&mut count, BEHIND[at], Cue::Behind);
        at += 1;
    }
    at = 0;
    while at < command::READERS.len() {
        cues.add(&mut count, command::READERS[at], Cue::Reader);
        at += 1;
    }
    at = 0;
    while at < OTHERS.len() {
        cues.add(&mut count, OTHERS[at].0, OTHERS[at].1);
        at += 1;
    }
    at = 0;
    while at < command::PROGRAMS.len() {
        let program = &command::PROGRAMS[at];
        let mut name = 0;
        while name < program.names.len() {
            cues.add(&mut count, program.names[name], Cue::Program(program));
            name += 1;
        }
        at += 1;
    }
    cues
};

impl Cues {
    const fn add(&mut self, count: &mut usize, word: &'static str, cue: Cue) {
        let bytes = word.as_bytes();
        let (first, second) = (bytes[0], bytes[1]);
        let lower = place(first.to_ascii_lowercase(), second.to_ascii_lowercase());
        match bytes.len() {
            // Any byte may follow.
            2 => {
                let mut third = 0;
                while third < 256 {
                    let at = triple(first, second, third as u8);
                    self.begins[at / 64] |= 1 << (at % 64);
                    third += 1;
                }
            }
            _ => {
                let at = triple(first, second, bytes[2]);
                self.begins[at / 64] |= 1 << (at % 64);
            }
        }
        // Inserted after all cues of at least the same length, because the first of equal cues counts.
        let (mut before, mut behind) = (NO_CUE, self.first[lower]);
        while behind != NO_CUE && self.words[behind].0.len() >= bytes.len() {
            (before, behind) = (behind, self.next[behind]);
        }
        self.next[*count] = behind;
        match before {
            NO_CUE => self.first[lower] = *count,
            before => self.next[before] = *count,
        }
        self.words[*count] = (word, cue);
        *count += 1;
    }

    /// Returns the longest cue that begins at a byte offset, and the byte offset after it.
    fn at(&self, bytes: &[u8], at: usize) -> Option<(usize, Cue)> {
        let rest = bytes.get(at..)?;
        let pair = rest
            .first_chunk::<2>()?
            .map(|byte| byte.to_ascii_lowercase());
        let mut known = self.first[place(pair[0], pair[1])];
        while let Some((word, cue)) = self.words.get(known) {
            let begins = rest.get(..word.len());
            if begins.is_some_and(|begins| begins.eq_ignore_ascii_case(word.as_bytes())) {
                return Some((at + word.len(), *cue));
            }
            known = self.next[known];
        }
        None
    }

    /// Returns the next byte offset at which a cue may begin.
    fn next_place(&self, bytes: &[u8], from: usize) -> Option<usize> {
        // Several are checked at once, so that a miss takes a single branch.
        const AT_ONCE: usize = 8;
        let is_one = |three: &[u8]| {
            let at = triple(three[0], three[1], three[2]);
            self.begins[at / 64] >> (at % 64) & 1 == 1
        };
        let mut at = from;
        while let Some(several) = bytes
            .get(at..)
            .and_then(<[u8]>::first_chunk::<{ AT_ONCE + 2 }>)
        {
            if several
                .windows(3)
                .fold(false, |any, three| any | is_one(three))
            {
                break;
            }
            at += AT_ONCE;
        }
        let found = bytes.get(at..)?.windows(3).position(is_one);
        found.map(|found| at + found)
    }
}

/// Finds the secrets that cues announce.
pub(super) fn cued(text: &str, found: &mut Vec<(usize, usize)>) {
    /// The maximum number of commands whose input is checked.
    const MOST_GIVEN: usize = 4096;
    let bytes = text.as_bytes();
    let (mut at, mut given) = (0, 0);
    // The ends of the last manifest and of the last list. Each is searched once.
    let mut listed = 0;
    while let Some(begin) = CUES.next_place(bytes, at) {
        let Some((end, cue)) = CUES.at(bytes, begin) else {
            at = begin + 1;
            continue;
        };
        at = end;
        match cue {
            Cue::Noun(sort) => {
                let told = noun(text, begin, end, sort);
                context(bytes, begin, end, sort, told, found);
            }
            Cue::Abroad(sort) => {
                let told = abroad(text, begin, end, sort);
                context(bytes, begin, end, sort, told, found);
            }
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
            Cue::Literal => match literal(bytes, begin, end) {
                Some(part) => found.push(part),
                // Tests print `PASS: …`.
                None if end - begin < "password:".len() => {}
                None => {
                    let told = noun(text, begin, end - 1, Sort::Password);
                    context(bytes, begin, end - 1, Sort::Password, told, found);
                }
            },
            Cue::Prompt => found.extend(near::prompted(bytes, end)),
            Cue::Short if is_short(bytes, begin, end) => {
                let told = short(text, begin, end);
                // `pass` is also a verb, and a name in code.
                match bytes[begin..end].eq_ignore_ascii_case(b"pass")
                    && bytes.get(end) == Some(&b' ')
                {
                    true => found.extend(told),
                    false => context(bytes, begin, end, Sort::Password, told, found),
                }
            }
            Cue::Short => {}
            Cue::Calls => near::arguments(bytes, end, found),
            Cue::Given if given < MOST_GIVEN => {
                given += 1;
                command::asked(bytes, begin, end, found);
            }
            Cue::Given => {}
            Cue::OfUser => found.extend(command::of_user(bytes, begin, end)),
            Cue::PairOfUser => found.extend(command::pair_of_user(bytes, end)),
            Cue::Account => found.extend(near::account(bytes, begin, end)),
            Cue::Copied => near::copied(bytes, begin + 1, end, found),
            Cue::Set => found.extend(command::set(bytes, end)),
            Cue::Protocol => found.extend(command::protocol(bytes, begin, end)),
            Cue::Attribute => found.extend(near::cookie(bytes, begin)),
            Cue::Call(nth) => match call(text, begin, end, nth) {
                Some(part) => found.push(part),
                None => near::arguments(bytes, end, found),
            },
            Cue::Login => found.extend(login(bytes, end)),
            Cue::Seed => found.extend(seed(bytes, end).or_else(|| list::seed(bytes, end))),
            Cue::Decodes => found.extend(encoded::decoded(bytes, end)),
            Cue::Codes => found.extend(encoded::codes(bytes, end, false)),
            Cue::Decoder => {
                let is_encoded =
                    |part: &(usize, usize)| encoded::is_encoded_word(&bytes[part.0..part.1]);
                found.extend(command::read(bytes, begin).filter(is_encoded));
            }
            Cue::Recovery => list::codes(bytes, end, found),
            Cue::Section => {
                context_of_section(text, begin, end, found);
            }
            Cue::Manifest if begin >= listed => {
                listed = begin + 4096;
                list::manifest(bytes, begin, found);
            }
            Cue::Manifest => {}
            Cue::Jar => found.extend(list::jar(bytes, begin)),
            Cue::Putty => found.extend(list::putty(bytes, end)),
            Cue::Driver => found.extend(list::driver(bytes, end)),
            Cue::Network => found.extend(list::network(bytes, end)),
        }
    }
}

/// Adds the secret after a noun, if one was found there. Otherwise adds the secrets near the noun, and
/// those in the column whose heading it is.
fn context(
    bytes: &[u8],
    begin: usize,
    end: usize,
    sort: Sort,
    told: Part,
    found: &mut Vec<(usize, usize)>,
) {
    if told.is_some() {
        return found.extend(told);
    }
    // The noun is a whole word, or the end of a name.
    let next = bytes.get(end);
    if sort != Sort::Key {
        found.extend(encoded::codes(bytes, end, true));
    }
    if !next.is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_') {
        near::column(bytes, begin, sort, found);
        found.extend(near::near(bytes, begin, end, sort));
    }
}

/// Finds the secrets of a section, or the value of the noun in its name.
fn context_of_section(text: &str, begin: usize, end: usize, found: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    list::section(bytes, begin, end, found);
    if bytes[begin..end].eq_ignore_ascii_case(b"credentials") {
        match bytes.get(end) {
            Some(b':') => found.extend(login(bytes, end + 1)),
            _ if bytes[end..].starts_with(b" are") => found.extend(login(bytes, end + 4)),
            _ => {
                let told = noun(text, begin, end, Sort::Secret);
                context(bytes, begin, end, Sort::Secret, told, found);
            }
        }
    }
}

/// Returns the secret of an English noun, or of a name that ends in one.
fn noun(text: &str, begin: usize, end: usize, sort: Sort) -> Part {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_of_name = |byte: &u8| is_part(*byte) || matches!(byte, b'-' | b'.' | b'/' | b':');
    let lead = run_back(&bytes[..begin], 60, is_of_name);
    let lead = &bytes[begin - lead..begin];
    // `passwords` and `tokenizer` are not names of a secret. `TOKEN_PROD` and `password2` are.
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
    if matches!(bytes.get(at), Some(b'>' | b' '))
        && let Some(found) = element(bytes, begin, at)
    {
        return Some(found);
    }
    if bytes.get(at) == Some(&b'>') {
        return None;
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
                // A value after a sign is found elsewhere by that sign.
                let sign = text[behind..]
                    .chars()
                    .next()
                    .filter(|sign| matches!(sign, '=' | ':'))?;
                let place = behind + sign.len_utf8();
                return opened(text, place, sort).or_else(|| phrase(text, place, sort));
            }
            said(text, behind, sort, true)
                .or_else(|| spaced(bytes, begin, behind, sort, is_name))
                .or_else(|| opened(text, behind, sort))
                .or_else(|| in_marks(text, behind, sort))
                .or_else(|| {
                    let is_passphrase = noun.eq_ignore_ascii_case(b"passphrase");
                    let quoted = || value(bytes, behind, sort, Bond::Said);
                    is_passphrase.then(|| phrase(text, behind, sort).or_else(quoted))?
                })
        }
        Some(b'=' | b':')
            if matches!(noun, [.., b'y' | b'Y' | b'd' | b'D']) && noun.contains(&b' ') =>
        {
            // `API key: …`: a name of two words, which cannot be a name in a program.
            let gap = run(bytes, at + 1, |byte| byte == b' ');
            value(bytes, at + 1 + gap, sort, Bond::Loose)
                .or_else(|| grouped(bytes, at + 1 + gap))
                .or_else(|| opened(text, at + 1, sort))
        }
        Some(b'=' | b':') => opened(text, at + 1, sort)
            .or_else(|| phrase(text, at + 1, sort))
            .or_else(|| {
                let gap = run(bytes, at + 1, |byte| byte == b' ');
                (sort == Sort::Password).then(|| signs(bytes, at + 1 + gap))?
            })
            .or_else(|| {
                let gap = run(bytes, at + 1, |byte| byte == b' ');
                foreign(text, at + 1 + gap, sort)
            }),
        Some(byte) if !byte.is_ascii() => opened(text, at, sort),
        _ => None,
    }
}

/// Returns the value between quotation marks after a copula that follows a noun for a secret: `the
/// password of the router, it is now “…”`.
fn in_marks(text: &str, at: usize, sort: Sort) -> Part {
    const FARTHEST: usize = 120;
    let rest = &text[at..floor_char_boundary(text, at + FARTHEST)];
    let is_open = |c: char| c == '"' || OPENED.iter().any(|(open, _)| *open == c);
    let open = rest.find(is_open)?;
    let before = &rest[..open];
    if before.contains(['\n', '(', ')', '=', '{', '<', ';'])
        || [". ", "! ", "? "].iter().any(|end| before.contains(end))
    {
        return None;
    }
    let before = before.trim_end_matches([' ', '\u{A0}']);
    let last = before.rsplit([' ', '\u{A0}']).next()?.to_lowercase();
    let is_told = before.ends_with([':', '：'])
        || COPULAS.contains(&last.as_str())
        || FILLERS.contains(&last.as_str());
    let (begin, end) = stated(text, at + open, sort, false).filter(|_| is_told)?;
    let given = &text[begin..end];
    let is_made = given.contains(|c: char| c.is_ascii_digit() || "!@#$%^&*+?=~§".contains(c));
    (is_made || given.split(' ').count() >= 3).then_some((begin, end))
}

/// Returns a password that has letters outside ASCII, and digits or signs: `Übung-macht3`. Only scripts
/// that separate words with spaces are supported.
fn foreign(text: &str, begin: usize, sort: Sort) -> Part {
    const LONGEST: usize = 120;
    let rest = &text[begin..floor_char_boundary(text, begin + LONGEST)];
    let word = rest
        .split([' ', '\n', '\r', '\t', '"', '`', '\u{A0}'])
        .next()?;
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '»', '”', '“', '\'']);
    let is_of_word = |c: char| {
        c.is_ascii_graphic() && !"()<>{}[]/\\\"'|,;=$".contains(c)
            || !c.is_ascii() && c < '\u{E00}' && !c.is_whitespace()
    };
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_made = word.contains(|c: char| c.is_ascii_digit() || "!@#%^&*+?~§".contains(c));
    let is_password = sort == Sort::Password
        && word.contains(|c: char| !c.is_ascii() && (c.is_alphabetic() || c == '§'))
        && letters >= 4
        && word.chars().count() >= 6
        && is_made
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(is_of_word);
    is_password.then_some((begin, begin + word.len()))
}

/// Returns a passphrase of some words without quotes that ends with its clause: `the password is …, so
/// log in`.
fn in_clause(text: &str, begin: usize) -> Part {
    const LONGEST: usize = 120;
    let rest = &text[begin..floor_char_boundary(text, begin + LONGEST)];
    let end = [", ", ". ", "; ", "\n", " – ", " — ", " - "]
        .iter()
        .filter_map(|mark| rest.find(mark))
        .min();
    let given = rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', '!', ' ']);
    is_phrase_with_digits(given).then_some((begin, begin + given.len()))
}

/// Returns the text at a byte offset that is between typographic quotation marks, such as those of other
/// languages.
fn opened(text: &str, at: usize, sort: Sort) -> Part {
    let rest = text.get(at..)?;
    let begin = text.len()
        - rest
            .trim_start_matches([' ', '\u{3000}', '\u{A0}', '\u{202F}'])
            .len();
    let first = text[begin..].chars().next()?;
    (!first.is_ascii() && OPENED.iter().any(|(opening, _)| *opening == first))
        .then(|| stated(text, begin, sort, false))?
}

/// Returns a passphrase of some words without quotes that ends with its line: `passphrase: …`.
fn phrase(text: &str, at: usize, sort: Sort) -> Part {
    const LONGEST: usize = 160;
    if sort != Sort::Password {
        return None;
    }
    let rest = &text[at..floor_char_boundary(text, at + LONGEST + 1)];
    let line = rest.split(['\n', '\r']).next()?;
    let begin = at + line.len() - line.trim_start_matches([' ', '\t', '*', '\u{A0}']).len();
    let line = text[begin..at + line.len()].trim_end();
    let given = line.strip_suffix(['.', '!']).unwrap_or(line);
    (given.len() <= LONGEST && is_passphrase(given)).then_some((begin, begin + given.len()))
}

/// Returns a key that is shown in groups of four letters and digits: `ki5k dsjo d245 …`.
fn grouped(bytes: &[u8], begin: usize) -> Part {
    const LEAST: usize = 4;
    let (mut at, mut last, mut count) = (begin, begin, 0);
    loop {
        let length = run(bytes, at, |byte| byte.is_ascii_alphanumeric());
        if length != 4 {
            break;
        }
        (count, last) = (count + 1, at + length);
        match bytes.get(last) {
            Some(b' ' | b'-') => at = last + 1,
            _ => break,
        }
    }
    (count >= LEAST && has_digit(&bytes[begin..last])).then_some((begin, last))
}

/// Returns the number of bytes of the marks that close a quoted or emphasized name.
fn closers(bytes: &[u8], at: usize) -> usize {
    run(bytes, at, |byte| {
        matches!(byte, b'"' | b'\'' | b'`' | b'*' | b')' | b'\\')
    })
    .min(5)
}

/// Returns the secret of a noun in another language.
fn abroad(text: &str, begin: usize, end: usize, sort: Sort) -> Part {
    let bytes = text.as_bytes();
    let before = text[..begin].chars().next_back();
    let after = text[end..].chars().next();
    let first = text[begin..].chars().next()?;
    let parts_words = |c: char| c < '\u{E00}';
    // Some scripts have no spaces between words.
    if parts_words(first)
        && (before.is_some_and(|c| c.is_alphabetic() && parts_words(c))
            || after.is_some_and(|c| c.is_alphabetic() && parts_words(c)))
    {
        return None;
    }
    let at = end + closers(bytes, end);
    if let Some(found) = changed(text, begin, at, sort) {
        return Some(found);
    }
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
    if let Some(found) = opened(text, at, sort).or_else(|| in_marks(text, at, sort)) {
        return Some(found);
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
        .or_else(|| {
            // The verb is the last word in some languages.
            let part = (gap > 0 && sort == Sort::Password)
                .then(|| value(bytes, at + gap, sort, Bond::Said))??;
            let given = &bytes[part.0..part.1];
            let digits = given.iter().filter(|byte| byte.is_ascii_digit()).count();
            let is_like = digits >= 2 && given.len() >= 8 && is_chosen(given);
            (is_like && given.iter().any(u8::is_ascii_alphabetic)).then_some(part)
        })
}

/// Returns the new value of a password that a sentence changes: `поменял пароль на …`. The noun is from
/// `begin` to `end`.
fn changed(text: &str, begin: usize, end: usize, sort: Sort) -> Part {
    const FARTHEST: usize = 60;
    const VERBS: &[&str] = &[
        "chang",
        "set ",
        "updat",
        "reset",
        "rotat",
        "поменя",
        "смени",
        "зміни",
        "измени",
        "обнови",
        "постав",
        "zmieni",
        "ustawi",
        "mudei",
        "mudar",
        "alter",
        "troqu",
        "cambi",
        "actualiz",
        "mis ",
        "modifi",
        "ändert",
        "gesetz",
        "impost",
        "defin",
        "wijzig",
    ];
    const INTO: &[&str] = &[
        " to ", " into ", " auf ", " in ", " à ", " en ", " a ", " por ", " para ", " na ", " на ",
        " naar ",
    ];
    let behind = &text[end..];
    let into = INTO.iter().find(|into| behind.starts_with(**into))?;
    let from = floor_char_boundary(text, begin.saturating_sub(FARTHEST));
    let before = text[from..begin].to_lowercase();
    let is_changed = VERBS.iter().any(|verb| before.contains(verb));
    let found = stated(text, end + into.len(), sort, false).filter(|_| is_changed)?;
    let given = &text.as_bytes()[found.0..found.1];
    (has_digit(given) && given.len() >= 6).then_some(found)
}

/// Returns the value that a sentence without spaces states for a noun that ends at a byte offset.
fn joined(text: &str, at: usize, sort: Sort) -> Part {
    /// The maximum number of characters between a noun and its value.
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

/// Returns the value that a sentence states for a noun, from the word after the noun on: `for the
/// database is …`.
fn said(text: &str, begin: usize, sort: Sort, is_english: bool) -> Part {
    /// The maximum number of words between a noun and its value.
    const MOST: usize = 9;
    let mut at = begin;
    let mut is_said = false;
    let first_word = text.get(begin..)?.split(' ').next()?.to_lowercase();
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
        is_said |= matches!(lower.as_str(), "is" | "was" | "equals" | "reads" | "lautet");
        let next = at
            + word.len()
            + text[at + word.len()..]
                .bytes()
                .take_while(|b| *b == b' ')
                .count();
        if is_copula {
            let mut place = next;
            // `the password policy is strict` does not state the password itself.
            let is_of_noun = nth == 0 || BETWEEN.contains(&first_word.as_str());
            // `is now set to …`
            for _ in 0..5 {
                let found = stated(
                    text,
                    place,
                    sort,
                    is_said && is_of_noun && (is_english || lower == "lautet"),
                );
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
        if word.ends_with(':') && word.len() > 1 && (nth > 0 || !is_english) {
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

/// The opening quotation marks, with the marks that close them.
const OPENED: [(char, &[char]); 10] = [
    ('“', &['”', '“']),
    ('„', &['“', '”', '‟']),
    ('”', &['”']),
    ('«', &['»']),
    ('»', &['«', '»']),
    ('‹', &['›']),
    ('「', &['」']),
    ('『', &['』']),
    ('‘', &['’', '‘']),
    ('‚', &['‘', '’']),
];

/// Returns the value at a byte offset that a sentence states.
fn stated(text: &str, at: usize, sort: Sort, may_be_word: bool) -> Part {
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
        let inner = &text[begin..floor_char_boundary(text, begin + 220)];
        let length = inner
            .find(*closing)
            .filter(|length| (4..=200).contains(length))?;
        let blanks = [' ', '\u{A0}', '\u{202F}'];
        let whole = &inner[..length];
        let begin = begin + length - whole.trim_start_matches(blanks).len();
        let given = whole.trim_matches(blanks);
        return is_worth(given, sort).then_some((begin, begin + given.len()));
    }
    if let Some(opened) = quote(bytes, begin) {
        let begin = begin + opened.1;
        let end = quoted(bytes, begin, opened).filter(|end| (4..=200).contains(&(end - begin)))?;
        return is_worth(&text[begin..end], sort).then_some((begin, end));
    }
    if let Some(found) = foreign(text, begin, sort) {
        return Some(found);
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
            || !behind.starts_with(|c: char| c == ' ' || c.is_alphabetic() && c < '\u{E00}')
            || GOES_ON.iter().any(|words| behind.starts_with(words))
    };
    let behind = bytes.get(begin + length);
    if sort == Sort::Password
        && behind == Some(&b' ')
        && let Some(found) = phrase(text, begin, sort).or_else(|| in_clause(text, begin))
    {
        return Some(found);
    }
    if may_be_word && is_last && sort == Sort::Password && is_bare_word(&bytes[begin..end]) {
        return Some((begin, end));
    }
    // The text is a call or a type.
    if matches!(bytes.get(end), Some(b'(' | b'<')) || bytes[end..].starts_with(b"::") {
        return None;
    }
    let of = value(&bytes[..end], begin, sort, Bond::Said)?;
    Some((of.0, end.max(of.1)))
}

/// True if a quoted text is a secret, and not a variable, a placeholder or a sentence.
fn is_worth(quoted: &str, sort: Sort) -> bool {
    let bytes = quoted.as_bytes();
    if quoted.contains(' ') {
        // A passphrase has some words, and no punctuation of a sentence.
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

/// Returns the value at `at` that follows a name after only a space.
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
    // The next attribute of an element: `placeholder="…"`.
    let attribute = run(bytes, at, |byte| byte.is_ascii_alphabetic() || byte == b'-');
    if bytes.get(at + attribute) == Some(&b'=') && quote(bytes, at + attribute + 1).is_some() {
        return None;
    }
    match sort {
        Sort::Password if is_set && (is_name || is_quoted) => value(bytes, at, sort, Bond::Bound),
        Sort::Password => {
            let (begin, end) = value(bytes, at, sort, Bond::Said)?;
            let given = &bytes[begin..end];
            let has_signs = given.iter().any(|byte| b"!@#$^&*%".contains(byte))
                || has_digit(given) && bytes.get(end) == Some(&b'!');
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

/// Returns the word before a byte offset, if it may be a secret.
fn before(bytes: &[u8], at: usize) -> Part {
    let is_of_word = |byte: &u8| byte.is_ascii_graphic();
    let length = run_back(&bytes[..at], 200, is_of_word);
    let begin = at - length;
    value(&bytes[..at], begin, Sort::Password, Bond::Said)
}

/// Returns the cookies of a header.
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

/// Returns the credentials of an `Authorization` header.
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

/// Returns the rest of a webhook's address after the part that all of them have.
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

/// Returns the token around a text that such tokens contain.
fn within(bytes: &[u8], begin: usize, end: usize, least: usize) -> Part {
    let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.~=".contains(&byte);
    let before = run_back(&bytes[..begin], usize::MAX, |byte| is_of_token(*byte));
    let behind = run(bytes, end, is_of_token);
    let begin = begin - before;
    let token = &bytes[begin..end + behind];
    (before >= least && behind >= 30 && has_digit(token)).then_some((begin, end + behind))
}

/// Returns the token that ends with a text.
fn ended(bytes: &[u8], begin: usize, end: usize, least: usize) -> Part {
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = run_back(&bytes[..begin], 64, is_of_token);
    let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    let token = &bytes[begin - before..begin];
    (before >= least && !goes_on && has_digit(token)).then_some((begin - before, end))
}

/// Returns the last field of a line of `.pgpass`, which may be within a command:
/// `host:port:database:user:password`.
fn fields(bytes: &[u8], at: usize) -> Part {
    let is_of_line = |byte: u8| byte.is_ascii_graphic() && !b"'\"`\\".contains(&byte);
    let before = run_back(&bytes[..at], usize::MAX, |byte| is_of_line(*byte));
    let begin = at - before;
    let mut end = begin;
    loop {
        end += run(bytes, end, is_of_line);
        // `\:` and `\\` stand for characters of the password.
        let escapes = run(bytes, end, |byte| byte == b'\\');
        let next = bytes.get(end + escapes);
        let is_escape = escapes > 0 && (escapes % 2 == 0 || next == Some(&b':'));
        if !is_escape || end + escapes - begin > 400 {
            break;
        }
        end += escapes + usize::from(next == Some(&b':'));
    }
    let line = &bytes[begin..end];
    let signs = line.iter().enumerate().filter(|(_, byte)| **byte == b':');
    let (fourth, _) = signs.into_iter().nth(3)?;
    (line.len() - fourth > 4).then_some((begin + fourth + 1, begin + line.len()))
}

/// Returns the value of an option that contains a name: `--from-literal=name=…`.
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

/// Returns the value after `pass:` in the argument of a password option.
fn literal(bytes: &[u8], begin: usize, end: usize) -> Part {
    const LONGEST: usize = 40;
    let is_between = |byte: &u8| matches!(byte, b' ' | b'=' | b'"' | b'\'' | b'\\');
    let before = &bytes[begin.saturating_sub(LONGEST)..begin];
    let between = run_back(before, usize::MAX, is_between);
    let opened = quote(bytes, begin.saturating_sub(1)).filter(|_| between > 0);
    let mut words = before[..before.len() - between].rsplit(|byte| byte.is_ascii_whitespace());
    let option = words.next()?.to_ascii_lowercase();
    let is_option = between > 0
        && option.starts_with(b"-")
        && (option == b"-k" || option.windows(4).any(|part| part == b"pass"));
    // The quote that opens the argument ends it.
    let length = match opened {
        Some((opened, _)) => run(bytes, end, |byte| byte != opened && byte != b'\n'),
        None => run(bytes, end, |byte| {
            byte.is_ascii_graphic() && !b"'\"`;|&".contains(&byte)
        }),
    };
    let given = &bytes[end..end + length];
    let is_variable = matches!(
        given,
        [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'{' | b'(', ..]
    );
    (is_option && length >= 3 && !is_variable && !is_masked(given)).then_some((end, end + length))
}

/// True if a short word for a password is a whole word or an option, and not a verb.
fn is_short(bytes: &[u8], begin: usize, end: usize) -> bool {
    let is_option = matches!(
        bytes[..begin],
        [.., b' ' | b'"' | b'\'', b'-'] | [.., b'-', b'-']
    );
    let is_within =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_-.$".contains(byte);
    let before = begin.checked_sub(1).and_then(|at| bytes.get(at));
    let goes_on = bytes.get(end).is_some_and(|byte| {
        byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_-".contains(byte)
    });
    // In lowercase, the word has other meanings, and `Pin<…>` is a type.
    let is_number = bytes[begin..end].eq_ignore_ascii_case(b"pin");
    let is_name = match &bytes[begin..end] {
        b"PIN" => true,
        b"Pin" => bytes.get(end) == Some(&b' '),
        _ => !is_number,
    };
    let is_verb = bytes[begin..end].eq_ignore_ascii_case(b"pass") && bytes.get(end) != Some(&b' ');
    // `"guest-pw"`
    let is_end = matches!(bytes[..begin], [.., b'-' | b'_'])
        && quote(bytes, end).is_some()
        && bytes[begin..end].eq_ignore_ascii_case(b"pw");
    !goes_on && is_name && (is_option || is_end || !is_verb && !before.is_some_and(is_within))
}

/// Returns the value after a short word for a password: `user admin pw …`.
fn short(text: &str, begin: usize, end: usize) -> Part {
    let bytes = text.as_bytes();
    if bytes.get(end) != Some(&b' ') {
        return None;
    }
    let at = end + run(bytes, end, |byte| byte == b' ');
    if begin.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'-') {
        return value(bytes, at, Sort::Password, Bond::Bound);
    }
    // In `tests pass`, the verb is also a whole word.
    if bytes[begin..end].eq_ignore_ascii_case(b"pass") {
        const NEAR: usize = 48;
        let before = bytes[begin.saturating_sub(NEAR)..begin].to_ascii_lowercase();
        let mut words = before.split(|byte| !byte.is_ascii_alphanumeric());
        if !words.any(|word| matches!(word, b"user" | b"username" | b"login" | b"account")) {
            let found = said(text, at, Sort::Password, true);
            return found.filter(|(begin, end)| near::is_strong(&bytes[*begin..*end], true));
        }
    }
    said(text, at, Sort::Password, true).or_else(|| {
        let (begin, end) = spaced(bytes, begin, at, Sort::Password, false)?;
        let given = &bytes[begin..end];
        (has_digit(given) && is_chosen(given)).then_some((begin, end))
    })
}

/// Returns an argument of a call, given its number, if it is a string that may be a secret.
fn call(text: &str, begin: usize, end: usize, nth: usize) -> Part {
    const FARTHEST: usize = 400;
    let bytes = text.as_bytes();
    let until = bytes.len().min(end + FARTHEST);
    let (mut at, mut argument, mut depth) = (end, 1, 0_usize);
    // A command has no parenthesis. Its first string is on the line.
    let is_command = bytes[begin..end].last() != Some(&b'(');
    while at < until {
        // The `q{…}` of Perl.
        if let Some((from, close)) = braced(bytes, at) {
            let given = text.get(from..close)?;
            if argument == nth && depth <= 1 {
                return is_worth(given, Sort::Password).then_some((from, close));
            }
            at = close + 1;
            continue;
        }
        if let Some(opened) = quote(bytes, at) {
            let from = at + opened.1;
            let close = quoted(bytes, from, opened)?;
            if argument == nth && depth <= 1 {
                let given = text.get(from..close)?;
                let shown = given.replace("\\'", "'").replace("\\\"", "'");
                let is_secret = given.len() <= 200 && is_worth(&shown, Sort::Password);
                return is_secret.then_some((from, close));
            }
            at = close + opened.1;
            continue;
        }
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return None,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => argument += 1,
            b'\n' | b'|' | b';' if is_command => return None,
            _ => {}
        }
        if argument > nth {
            return None;
        }
        at += 1;
    }
    None
}

/// Returns the text of a Perl literal that begins at a byte offset: `q{…}`, `qq(…)`.
fn braced(bytes: &[u8], at: usize) -> Part {
    const LONGEST: usize = 200;
    let is_within = at.checked_sub(1).is_some_and(|before| {
        bytes[before].is_ascii_alphanumeric() || b"_$@%".contains(&bytes[before])
    });
    let signs = run(bytes, at, |byte| byte == b'q');
    let open = *bytes.get(at + signs)?;
    let close = match open {
        b'{' => b'}',
        b'(' => b')',
        b'[' => b']',
        b'<' => b'>',
        _ => return None,
    };
    if is_within || !(1..=2).contains(&signs) {
        return None;
    }
    let begin = at + signs + 1;
    let mut depth = 0_usize;
    for (end, byte) in (begin..).zip(bytes[begin..].iter().take(LONGEST)) {
        match *byte {
            b'\n' => return None,
            byte if byte == open => depth += 1,
            byte if byte == close && depth == 0 => return Some((begin, end)),
            byte if byte == close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the password of a pair after words such as `log in with`: `ada / …`, `ada:…`.
fn login(bytes: &[u8], end: usize) -> Part {
    let blanks = |at: usize| {
        run(bytes, at, |byte| {
            matches!(byte, b' ' | b'`' | b'"' | b'\'' | b'*')
        })
    };
    let mut at = end + blanks(end);
    for word in [&b"are "[..], b"is ", b":", b"="] {
        if bytes.get(at..)?.starts_with(word) {
            at += word.len();
            at += blanks(at);
        }
    }
    let name = run(bytes, at, |byte| {
        byte.is_ascii_alphanumeric() || b"._@+-".contains(&byte)
    });
    let sign = at + name + blanks(at + name);
    for word in [
        &b"and "[..],
        b"und ",
        b"et ",
        b"y ",
        b"e ",
        b"with ",
        b"mit ",
        b"avec ",
        b"con ",
    ] {
        if bytes.get(sign..)?.starts_with(word) {
            let begin = sign + word.len();
            let (begin, end) = value(bytes, begin, Sort::Password, Bond::Said)?;
            return near::is_strong(&bytes[begin..end], true).then_some((begin, end));
        }
    }
    if !(2..=60).contains(&name) || !matches!(bytes.get(sign), Some(b'/' | b':')) {
        return None;
    }
    let begin = sign + 1 + blanks(sign + 1);
    let (begin, end) = value(bytes, begin, Sort::Password, Bond::Said)?;
    let given = &bytes[begin..end];
    let has_letters = given.iter().any(u8::is_ascii_alphabetic);
    let is_place = given.contains(&b'/') || is_member(given);
    (has_letters && has_digit(given) && !is_place && given.len() >= 6).then_some((begin, end))
}

/// Returns the words of a recovery phrase after its name, if there are at least as many as such a phrase
/// has.
fn seed(bytes: &[u8], end: usize) -> Part {
    const SIGNS: usize = 24;
    let is_letter = |byte: u8| byte.is_ascii_lowercase();
    // The gap contains a sign: `: "`, ` = `, ` is `.
    let from = (end..bytes.len().min(end + SIGNS))
        .find(|at| matches!(bytes[*at], b':' | b'=') || bytes[*at..].starts_with(b" is"))?;
    let from = from + if bytes[from] == b' ' { 3 } else { 1 };
    let begin = from + run(bytes, from, |byte| b" \t\"'`\\\n=:".contains(&byte));
    let (mut at, mut words, mut last) = (begin, 0, begin);
    loop {
        let length = run(bytes, at, is_letter);
        if !(3..=8).contains(&length) {
            break;
        }
        (words, last) = (words + 1, at + length);
        match bytes.get(last) {
            Some(b' ') => at = last + 1,
            _ => break,
        }
    }
    (words >= 12).then_some((begin, last))
}
