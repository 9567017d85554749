//! Secrets in all the forms that they are written in, in all the places where a text comes into a session: none is
//! recorded. Texts that look like one are recorded as they are.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../src/bin/masking/places.rs"]
mod places;

use hud_secret::mask;

use self::places::{changes, leaks};

/// So many characters as chance gives them, always the same. No key that anybody has is written down here.
fn chance(seed: usize, of: &str, count: usize) -> String {
    let letters: Vec<char> = of.chars().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed as u64 + 1);
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33)
            .ok()
            .and_then(|n| letters.get(n % letters.len()))
            .copied()
    };
    (0..count).filter_map(next).collect()
}

const ALL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Forms: a text with `§` in the place of the secret, and the secret.
fn forms() -> Vec<(String, String)> {
    let mut forms = Vec::new();
    let mut add = |form: &str, secret: String| forms.push((form.replace('§', &secret), secret));
    let pw = |seed| format!("{}7{}", chance(seed, LETTERS, 5), chance(seed, ALL, 4));
    let token = |seed: usize, count: usize| {
        format!(
            "{}4{}",
            chance(seed, ALL, count / 2),
            chance(seed + 9, ALL, count - count / 2 - 1)
        )
    };

    // Commands.
    for (nth, form) in [
        "curl -u ada:§ https://x.example/api",
        "curl --user 'ada:§' -X POST https://x.example",
        "curl -sS --user=ada:§ https://x.example | jq .",
        "curl --proxy-user p:§ -x proxy:3128 https://x.example",
        "curl -b 'sid=§' https://x.example",
        "curl --oauth2-bearer § https://x.example",
        "curl -H 'Cookie: session=§; theme=dark' https://x.example",
        "curl -H \"X-Api-Key: §\" https://x.example",
        "curl -H 'Authorization: token §' https://x.example",
        "curl -H 'Authorization: ApiKey §' https://x.example",
        "http -a ada:§ GET x.example/users",
        "wget --password=§ https://x.example/f.zip",
        "mysql -u root -p§ shop -e 'show tables'",
        "mysqldump -h db -u root -p'§' shop > dump.sql",
        "sshpass -p § ssh ada@host uptime",
        "sshpass -p'§' scp f ada@host:",
        "docker login -u ada -p § registry.example",
        "docker login registry.example --username ada --password §",
        "podman login -p § -u ada quay.example",
        "echo § | sudo -S apt-get update",
        "echo '§' | docker login -u ada --password-stdin",
        "printf '%s' § | gh auth login --with-token",
        "echo \"ada:§\" | sudo chpasswd",
        "sudo -S whoami <<< '§'",
        "redis-cli -h cache -a § ping",
        "mongosh -u root -p § shop",
        "sqlcmd -S db -U sa -P § -Q 'select 1'",
        "ldapsearch -x -D cn=admin -w § -b dc=x",
        "smbclient //srv/share -U ada%§",
        "7z a -p§ out.7z f",
        "zip -P § out.zip f",
        "openssl enc -aes-256-cbc -pass pass:§ -in f",
        "htpasswd -b .htpasswd ada §",
        "sqlplus scott/§@orcl",
        "rabbitmqctl add_user ada §",
        "keytool -list -storepass §",
        "vault login §",
        "kubectl create secret generic db --from-literal=password=§",
        "gh secret set DEPLOY --body §",
        "set -x API_TOKEN §",
        "set -gx DB_PASSWORD §",
        "setenv API_TOKEN §",
        "export DB_PASSWORD=§ && make",
        "$env:API_TOKEN = \"§\"",
        "aws configure set aws_secret_access_key § --profile ci",
        "npm config set //registry.example/:_authToken §",
        "mount -t cifs //s/x /mnt -o user=ada,password=§",
        "ssh-keygen -t ed25519 -N § -f key",
    ]
    .iter()
    .enumerate()
    {
        let secret = if nth % 3 == 0 {
            token(nth, 20)
        } else {
            pw(nth)
        };
        let secret = if form.contains("TOKEN")
            || form.contains("Key")
            || form.contains("_authToken")
            || form.contains("secret_access")
        {
            token(nth, 32)
        } else {
            secret
        };
        add(form, secret);
    }
    // Files.
    for (nth, form) in [
        "machine x.example login ada password §",
        "machine x.example\n  login ada\n  password §\n",
        "FROM alpine\nENV API_TOKEN §\n",
        "ENV DB_PASSWORD=§",
        "ARG NPM_TOKEN=§",
        "db.example:5432:shop:ada:§",
        "*:*:*:ada:§",
        "spring.datasource.password: §",
        "spring.datasource.password=§",
        "database:\n  password: §\n",
        "- name: DB_PASSWORD\n  value: \"§\"\n",
        "<password>§</password>",
        "\"db_password\": \"§\",",
        "'password' => '§',",
        "CREATE USER ada WITH PASSWORD '§';",
        "CREATE USER 'ada' IDENTIFIED BY '§';",
        "ALTER ROLE ada PASSWORD '§'",
        "{\"body\": \"{\\\"password\\\": \\\"§\\\"}\"}",
        "requirepass=1\nredis_password=§",
        "Server=db;Database=shop;User Id=sa;Password=§;",
    ]
    .iter()
    .enumerate()
    {
        let secret = if form.contains("TOKEN") {
            token(nth, 24)
        } else {
            pw(100 + nth)
        };
        add(form, secret);
    }
    // Addresses.
    for (form, secret) in [
        ("git clone https://§@git.example/x.git", token(201, 36)),
        ("https://ada:§@x.example/", pw(202)),
        (
            "postgres://ada:§@db.example/shop",
            format!("{}%40x", pw(203)),
        ),
        ("redis://:§@cache:6379/0", pw(204)),
        ("amqp://ada:§@mq/vhost", format!("{}$y(z", pw(205))),
        ("https://§:x-oauth-basic@git.example/x", token(206, 40)),
        ("https://x.example/v1?api_key=§&page=2", token(207, 32)),
        (
            "https://acc.blob.example/c?sv=2022-11-02&sp=r&sig=§",
            format!("{}%2B{}%3D", chance(208, ALL, 20), token(208, 18)),
        ),
        (
            "https://hooks.slack.com/services/§",
            format!(
                "T{}/B{}/{}",
                chance(209, UPPER, 9),
                chance(210, UPPER, 9),
                token(209, 24)
            ),
        ),
        (
            "https://discord.com/api/webhooks/112233445566778899/§",
            token(211, 68),
        ),
        (
            "https://acme.webhook.office.com/webhookb2/§/IncomingWebhook/x",
            format!("{}-1a2b-3c4d", chance(212, HEX, 32)),
        ),
        (
            "https://api.telegram.org/bot123456789:§/getMe",
            format!("A{}", token(213, 34)),
        ),
        (
            "https://§@o123.ingest.sentry.example/42",
            format!("{}1", chance(214, HEX, 31)),
        ),
    ] {
        add(form, secret);
    }
    // Values that look like none.
    for (form, secret) in [
        ("DB_PASSWORD=§", "39387360".to_owned()),
        ("DB_PASSWORD=§", "k356iF$xzx".to_owned()),
        ("DB_PASSWORD=§", "ab(cd)ef".to_owned()),
        ("DB_PASSWORD=§", "ab&cd;ef9".to_owned()),
        ("password: \"§\"", "39387360".to_owned()),
        ("db:\n  password: §\n", "wolkenbruch".to_owned()),
        ("password=\"§\"", "p(a)$s<4".to_owned()),
        ("--password §", "swordfish".to_owned()),
        ("STRIPE=sk_live_§", chance(221, LETTERS, 24)),
        (
            "use glpat-§ there",
            format!("{}XyZ", chance(222, LETTERS, 17)),
        ),
        ("hf_§", chance(223, LETTERS, 34)),
    ] {
        add(form, secret);
    }
    // Sentences.
    for (nth, form) in [
        "The password is §.",
        "the password for the staging database is §",
        "Password is now set to `§`",
        "my API key is §, use it",
        "Das Passwort ist §.",
        "Das Passwort für die Datenbank lautet §",
        "das Kennwort ist „§“",
        "Le mot de passe est §.",
        "le mot de passe de la base est « § »",
        "La contraseña es §",
        "la clave del servidor es §",
        "A senha é §.",
        "a senha do banco é §",
        "La password è §",
        "la parola d'ordine è §",
        "Пароль: §",
        "пароль от базы — §",
        "Пароль для сервера это §",
        "密码是§",
        "数据库的密码为 §。",
        "密码：§",
        "パスワードは§です",
        "本番のパスワードは「§」です",
        "비밀번호는 § 입니다",
        "Het wachtwoord is §",
        "Hasło to §",
        "use § as the password",
        "§ is the password",
        "log in with user ada and password §",
    ]
    .iter()
    .enumerate()
    {
        let secret = if form.contains("API key") {
            token(nth, 32)
        } else {
            pw(300 + nth)
        };
        add(form, secret);
    }
    // Families.
    for (form, secret) in [
        ("aws_secret_access_key = §", token(1, 40)),
        (
            "AKIA2E0A8F3B7C1D9E5F and §",
            format!("{}/{}", token(2, 20), token(3, 19)),
        ),
        ("ntn_§", format!("12345678901{}", chance(4, ALL, 35))),
        ("secret_§", token(5, 43)),
        ("figd_§", token(6, 40)),
        (
            "pat§",
            format!("{}.{}", chance(7, ALL, 14), chance(8, HEX, 64)),
        ),
        ("key-§", format!("{}9", chance(9, HEX, 31))),
        ("sq0atp-§", token(10, 22)),
        ("EAAA§", token(11, 60)),
        ("Authorization: SSWS §", format!("00{}", token(12, 40))),
        ("OKTA_API_TOKEN=§", format!("00{}", token(13, 40))),
        ("sbp_§", format!("{}1", chance(14, HEX, 39))),
        ("sb_secret_§", token(15, 31)),
        ("VERCEL_TOKEN=§", token(16, 24)),
        ("FlyV1 fm2_§", format!("lJ{}", chance(17, BASE64, 100))),
        ("pscale_tkn_§", token(18, 43)),
        ("pscale_pw_§", token(19, 43)),
        ("dp.pt.§", token(20, 43)),
        (
            "glsa_§",
            format!("{}_{}", token(21, 32), chance(21, HEX, 8)),
        ),
        ("glc_§", chance(22, BASE64, 60)),
        ("NRAK-§", format!("7{}", chance(23, UPPER, 26))),
        ("license: §", format!("{}1fNRAL", chance(24, HEX, 34))),
        ("ATATT3§", token(25, 180)),
        (
            "tskey-auth-§",
            format!("{}CNTRL-{}", token(26, 12), token(26, 32)),
        ),
        ("§", format!("{}.atlasv1.{}", token(27, 14), token(27, 67))),
        ("pplx-§", token(28, 48)),
        ("sntryu_§", format!("{}0", chance(29, HEX, 63))),
        (
            "[Interface]\nPrivateKey = §\n",
            format!("{}=", token(30, 43)),
        ),
        ("ada:$2b$12$§", token(31, 53)),
        ("root:$6$rounds=5000$salt$§:19000:0", chance(32, ALL, 86)),
        (
            "$argon2id$v=19$m=65536,t=3,p=4$§",
            format!("{}${}", token(33, 22), token(33, 43)),
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.§",
            format!("eyJ{}.{}", token(34, 40), token(34, 43)),
        ),
        (
            "-----BEGIN PRIVATE KEY-----\n     2→§\n     3→-----END PRIVATE KEY-----",
            token(35, 64),
        ),
        ("ghp_§", token(36, 36)),
        ("xoxb-§", format!("123456789012-{}", token(37, 24))),
        ("DOPPLER=dp.st.prd.§", token(38, 43)),
    ] {
        add(form, secret);
    }
    // Characters that nobody sees, within.
    for (nth, unseen) in [
        "\u{200B}",
        "\u{202E}",
        "\u{AD}",
        "\u{1B}[31m",
        "\u{1B}]0;x\u{7}",
        "\u{2060}",
        "\u{7}",
    ]
    .iter()
    .enumerate()
    {
        let secret = format!("ghp_{}", token(400 + nth, 36));
        let form = format!("push with {}{unseen}{}", &secret[..14], &secret[14..]);
        add(&form, secret);
        let secret = pw(420 + nth);
        let form = format!("DB_PASSWORD={}{unseen}{} make", &secret[..4], &secret[4..]);
        add(&form, secret);
    }

    // Arguments of calls.
    for (nth, form) in [
        "define('DB_PASSWORD', '§');",
        "define( \"AUTH_KEY_PASSWORD\", \"§\" );",
        "os.environ.setdefault(\"API_PASSWORD\", \"§\")",
        "os.Setenv(\"DB_PASS\", \"§\")",
        "System.setProperty(\"ssl.keyStorePassword\", \"§\");",
        "env: [[\"DB_PASSWORD\", \"§!\"]]",
        "smtp.login(\"bot@x.example\", \"§\")",
        "requests.get(url, auth=('ada', '§'))",
        "HTTPBasicAuth(\"ada\", \"§\")",
        "new NetworkCredential(\"ada\", \"§\")",
        "smtp.PlainAuth(\"\", \"ada\", \"§\", host)",
        "request.basic_auth(\"ada\", Some(\"§\"))",
        "user.set_password('§')",
        "$p = ConvertTo-SecureString \"§\" -AsPlainText -Force",
        "ConvertTo-SecureString -AsPlainText -String '§' -Force",
        // Options, files and words.
        "openssl rsa -in k.pem -passout 'pass:§' -out x.pem",
        "openssl enc -aes-256-cbc -pass \"pass:two §\" -in a",
        "DB_PASSWORD='a$(§)b$c'",
        "{\"a\": \"{\\\"b\\\": \\\"{\\\\\\\"password\\\\\\\": \\\\\\\"§\\\\\\\"}\\\"}\"}",
        "user admin pw §",
        "user admin pass §!",
        "pw for the nas is §",
        "log in with ada / §",
        "creds: ada:§",
    ]
    .iter()
    .enumerate()
    {
        add(form, pw(500 + nth));
    }
    for (nth, form) in [
        "req.Header.Set(\"X-Api-Key\", \"§\")",
        "localStorage.setItem('token', '§')",
        "APP_KEY=base64:§=",
        "ENCRYPTION_KEY=hex:§",
    ]
    .iter()
    .enumerate()
    {
        add(form, token(540 + nth, 43));
    }
    for (nth, form) in [
        "  -e X_APP_KEY=§ \\",
        "RAILS_MASTER_KEY=§",
        "-e LINODE_KEY=§",
    ]
    .iter()
    .enumerate()
    {
        add(form, chance(550 + nth, HEX, 40));
    }
    let account = chance(560, HEX, 32);
    for form in ["client = Client(\"AC†\", \"§\")  # account, token", "AC†:§"] {
        add(&form.replace('†', &account), chance(561, HEX, 32));
    }
    let bot = format!(
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.{}.{}",
        chance(570, ALL, 6),
        chance(571, ALL, 38)
    );
    add("bot.run(\"§\")", bot);
    // Some words.
    add("BACKUP_PASSPHRASE=\"§\"", "moss teapot lagoon".to_owned());
    add("passphrase: '§'", "correct moss teapot lagoon".to_owned());
    add(
        "my seed phrase is §",
        "moss teapot lagoon river stone cloud paper tiger ocean light dance zebra".to_owned(),
    );
    for form in [
        "the password for the wiki is § if you need it",
        "password of our staging database was § until May",
        "das Passwort für das Wiki lautet § und gilt bis Mai",
    ] {
        add(form, "rivakolev".to_owned());
    }
    // What a terminal wrapped: the rest is on the next line.
    let rest = token(580, 20);
    add(&format!("ghp_{}\n§", token(581, 16)), rest.clone());
    add(&format!("T=github_pat_{}\r\n  §\n", token(582, 62)), rest);
    let token = format!(
        "eyJ{}.eyJ{}\n§.{}\n$ ",
        token(583, 33),
        token(584, 20),
        token(585, 43)
    );
    add(&token, chance(586, ALL, 30));
    forms
}

#[test]
fn no_form_of_a_secret_is_recorded_in_any_place() {
    let forms = forms();
    assert!(forms.len() >= 150, "{}", forms.len());
    let mut all = Vec::new();
    for (nth, (form, secret)) in forms.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hud.db");
        // A database takes as long as all places together.
        let file = (nth % 16 == 0).then_some(file.as_path());
        let found = leaks(form, secret, file).unwrap();
        if !found.is_empty() {
            all.push(format!(
                "{form:?} as {:?}: {} leaks, {:?}",
                mask(form),
                found.len(),
                found[0]
            ));
        }
    }
    assert!(
        all.is_empty(),
        "{} of {}:\n{}",
        all.len(),
        forms.len(),
        all.join("\n")
    );
}

/// A form of `data/secrets.jsonl`: a text with `§` in the place of a secret, and how that is made, or what it is.
#[derive(serde::Deserialize)]
struct Form {
    form: String,
    made: Option<Made>,
    secret: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Made {
    /// A word with a number and a sign, as people make them up.
    Word,
    /// Letters and digits, as a program makes them.
    Token,
    Digits,
}

#[test]
fn no_secret_of_a_tool_a_language_or_a_format_is_left_in_a_text() {
    let mut left = Vec::new();
    let lines = include_str!("data/secrets.jsonl").lines();
    for (nth, line) in lines.enumerate() {
        let Form { form, made, secret } = serde_json::from_str(line).unwrap();
        let secret = match made {
            None => secret.unwrap(),
            Some(Made::Word) => format!(
                "K{}{}{}",
                chance(nth, "aou", 1) + &chance(nth, "bdfgklmnprstvz", 2),
                chance(nth, "aou", 1) + "b" + &chance(nth, "3456789", 3),
                chance(nth, "!+#", 1)
            ),
            Some(Made::Token) => format!("{}Q4x{}", chance(nth, ALL, 13), chance(nth + 9, ALL, 12)),
            Some(Made::Digits) => chance(nth, "3456789", 6),
        };
        let text = form.replace('§', &secret);
        for text in [
            text.clone(),
            format!("error: deploy failed\n{text}\nmake: *** [deploy] Error 1"),
            format!("- We do so: {text}"),
        ] {
            let masked = mask(&text);
            if masked.contains(&secret) {
                left.push(format!("{text:?} as {masked:?}"));
            }
        }
    }
    assert!(left.is_empty(), "{}:\n{}", left.len(), left.join("\n"));
}

/// Texts that look like a secret and have none.
const KEPT: &[&str] = &[
    "password must be at least 12 characters",
    "Password: must contain upper and lower case letters",
    "The password is checked against the list of known leaks",
    "the passphrase is asked for when the key is loaded",
    "passphrase: enter it twice",
    "Passphrase: see the wiki page about keys",
    "password: ask Bob tomorrow morning please",
    "Password: reset link sent by mail",
    "password = os.environ[\"X\"]",
    "password: <password>",
    "password = \"****\"",
    "password: \"\"",
    "| user | password |\n|---|---|\n| ada | (hidden) |",
    "| option | password | default |\n|---|---|---|\n| --pw | the password of the user | none |",
    "│ package │ version │\n├─────────┼─────────┤\n│ serde   │ 1.0.219 │",
    "| token | count |\n|---|---|\n| the | 1204 |",
    "| key | value |\n|---|---|\n| port | 8080 |",
    "NAME      SECRET       AGE\nweb       web-tls      4d\n",
    "NAMESPACE   TOKEN   READY\ndefault   sa-token-x   1/1",
    "atob('aGVsbG8gd29ybGQ=')",
    "echo hello | base64 -d",
    "echo \"some text\" | base64",
    "base64 -d image.b64 > image.png",
    "Buffer.from('hello world')",
    "Buffer.from(\"deadbeef\", \"hex\")",
    "String.fromCharCode(65 + i)",
    "String.fromCharCode(72, 101, 108, 108, 111)",
    "bytes([1, 2, 3, 4, 5, 6, 7, 8])",
    "let table = [104, 105, 106, 107, 108, 109, 110];",
    "chr(10)",
    "x = \"abc\" + \"def\" + name",
    "throw new Error(\"token \" + \"expected\")",
    "\"Invalid password: \" + \"must not be empty\"",
    "const a = [\"one\", \"two\"].join(\"\")",
    "SHA=aGVsbG8gd29ybGQ=\nDEBUG=1",
    "a =\n  b",
    "x=\ny",
    "password: \"!\"",
    "regex: ^[!@#$%^&*()_+]+$",
    "password: /^[!@#$%^&*()_+]{8,}$/",
    "Special characters: !@#$%^&*()",
    "Die Tabelle „Passwort“ fehlt.",
    "Das Feld „Passwort“ ist leer.",
    "le champ « mot de passe » est vide",
    "поле «пароль» пустое",
    "「パスワード」を入力してください",
    "“password” is the name of the field",
    "kind: SecretStore\nspec:\n  data: x",
    "kind: ConfigMap\ndata:\n  port: \"8080\"",
    "kind: Secret\ndata: {}",
    "secrets: inherit",
    "secrets:\n  - db_password\n  - api_key",
    "secrets:\n  db_password:\n    file: ./db_password.txt",
    "credentials:\n  provider: vault",
    "[credentials]\nhelper = store",
    "passwords:\n  min_length: 12",
    "recovery codes are shown once",
    "Print the recovery codes (10 of them) on 2024-11-27",
    "backup code path: src/backup/restore2.rs",
    "The backup codes table has columns user_id and created_at",
    "recovery key rotation was released in 3f786850e387550fdab836ed7e6dc881de23001b",
    "mnemonic: the words that a user writes down and keeps somewhere safe at home",
    "wallet tests pass and the build is green again after the last change was reverted",
    "Seed: 42",
    "seed = 1234567",
    "random seed: 20241127",
    "<password/>",
    "<password type=\"text\"/>",
    "<input type=\"password\" name=\"pw\" placeholder=\"Enter it\">",
    "<label for=\"password\">Password</label>",
    "<li>password <b>required</b></li>",
    "{\"password\": {\"type\": \"string\"}}",
    "{\"password\": [\"required\", \"min:8\"]}",
    "'password' => ['required', 'string', 'min:8', 'confirmed'],",
    "variable \"db_password\" {\n  type = string\n  sensitive = true\n}",
    "variable \"region\" {\n  default = \"eu-west-1\"\n}",
    "password = \"\"\"\nplease enter\n\"\"\"",
    "PWD={0};UID={1}",
    "net use",
    "net use Z: \\\\\\\\srv\\\\share",
    "wifi: connected",
    "/* chr(65) */",
    "TRUE\tFALSE\t0",
    "private-lines: 3 of 4",
    "thin: 3/4@2x",
    "UPDATE t SET password = ? WHERE id = 1",
    "the 12 words are in the paper",
    "password => {}, ()",
    "password=$(cat /run/secrets/db)",
    "password: { required: true }",
    "const passwords = [101, 102, 103]",
    "tokens = [101, 2023, 1996, 102]",
    "\"input_ids\": [101, 7592, 102], \"token_type_ids\": [0, 0, 0]",
    "token ids: 72, 101, 108, 108, 111, 44, 32",
    "passphrase-protected keys are fine for this",
    "the password field stays empty here",
    "Das Passwort wird beim Start einmal abgefragt",
    "Passwort: wird beim Start einmal abgefragt",
    "mot de passe : demandé une seule fois au démarrage",
    "contraseña: se pide una vez al arrancar",
    "пароль: запрашивается один раз при запуске",
    "密码：启动时输入一次",
    "password hashing takes about half a second",
    "Password manager integration works now",
    "password: string | undefined",
    "token: Token | null",
    "Password Reset Flow Works",
    "password: Reset Flow Works Again",
    "login page: password field loses focus",
    "pass phrase words list file",
    "secret: stored in vault under db",
    "my wallet app lists coins prices charts news alerts swaps trades and more",
    "let token = lexer.next();",
    "password: string; token?: string",
    "def login(password: str = None, token=token)",
    "password=os.environ['PASSWORD']",
    "secret: ${{ secrets.API_KEY }}",
    "export TOKEN=$GITHUB_TOKEN",
    "curl -u $USER:$PASS https://x.example",
    "curl -u \"${USER}:${PASS}\" https://x.example",
    "mysql -p shop < dump.sql",
    "mysql --port 3306 -P 3306 -h db",
    "docker run -p 8080:80 nginx",
    "docker compose -p shop up -d",
    "echo done | tee log",
    "echo $PASSWORD | sudo -S apt-get update",
    "The password is incorrect.",
    "The password is required and was not given.",
    "the token is expired, and the secret is missing",
    "the password is stored in ~/.pgpass",
    "The password is hashed with bcrypt.",
    "The token is 32 bytes long.",
    "the key is that it works",
    "Das Passwort ist falsch.",
    "Das Passwort wird nicht gespeichert.",
    "Le mot de passe est obligatoire.",
    "la contraseña es incorrecta",
    "пароль неверный",
    "密码是必填项",
    "パスワードは必須です",
    "fn check_password(password: &str) -> Result<(), Error> {",
    "if password == other.password { return; }",
    "password = getpass.getpass()",
    "tokens: 12345678, max_tokens=4096",
    "cache key: 3f786850e387550fdab836ed7e6dc881de23001b",
    "primary_key: 550e8400-e29b-41d4-a716-446655440000",
    "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "integrity sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==",
    "https://github.com/agent-hud/agent-hud/settings/hooks/12345",
    "https://git@github.com/x/y.git",
    "https://docs.example.org/webhooks/how-to-configure-webhooks-in-2024",
    "see src/hooks/useAuthToken2.ts:12",
    "type=\"password\" name=\"pw\" required",
    "Enter password for ada@host:",
    "error: invalid password for user \"ada\" (attempt 3)",
    "POSTGRES_PASSWORD=${POSTGRES_PASSWORD:-}",
    "password: ${DB_PASSWORD}",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "awk '{print $1$2$3}' passwords.txt",
    "test login::tests::wrong_password_is_refused2 ... ok",
    "assertion failed: token.kind == Kind::Number2",
    "pin: 13, mode: OUTPUT",
    "session_key = \"user\"",
    "Cookie: see the docs",
    "key-value store, API-first, pat-a-cake",
    "secret_santa_list_2024.txt",
    "sk-learn-like-estimators-are-many",
    "pub log_passwd: __u32,",
    "authorization: credentials3.token_type + tokens.access_token",
    "  thoughtSignature: SYNTHETIC_SIGNATURE2",
    "pub const DEVCONF_STABLE_SECRET: _bindgen_ty_3 = _bindgen_ty_3::SECRET;",
    "let secret_key = buf.read_i32::<BigEndian>()?;",
    "fn from(key: PrivatePkcs8KeyDer<'a>) -> Self {",
    "'Basic authentication requires a name'",
    "use the --username and --password options",
    "var token = this$1$1.getToken();",
    "token_type = \"urn:ietf:params:oauth:token-type:saml2\"",
    "Cookie: name=value",
    "sent as the username/password to authenticate",
    "--- PASS: TestLogin/refused2 (0.00s)",
    "PASS: tests/login2.sh",
    "pass=1234 fail=0",
    // What is masked already.
    "password: ********",
    "DB_PASSWORD='xxxxxxxx'",
    "api_token = ••••••••",
    "token=................",
    "secret: <redacted>",
    "Authorization: Bearer [REDACTED]",
    // Types, lists of names, and other arguments.
    "function keys(): { publicKey: Uint8Array; privateKey: Uint8Array } {",
    "    privateKey: Uint8Array | null,",
    "required: [\"password\", \"email2\"]",
    "const names = [\"key\", \"keyCode13\"];",
    "map.insert(\"token\", \"access_token\")",
    "add_argument(\"--token\", \"-t\")",
    "z.enum([\"token\", \"oauth2\"])",
    "el.setAttribute(\"type\", \"password\")",
    "login(\"user\", \"password\")",
    "auth=(user, password)",
    "i18n.t(\"password\", \"Your password\")",
    "{\"password\": \"Enter your new password here\"}",
    "ConvertTo-SecureString \"$pw\" -AsPlainText",
    "openssl rsa -passin pass:$PASS -passout env:PASS",
    "PASSWORD='$(pass show db/main)'",
    "CACHE_KEY=450c884353c2d5e494ac22539cae4d7c",
    "log in with admin:admin",
    "log in with Google / GitHub",
    "all pass 2/2, and users pass 3x as often",
    "our pw policy is strict (see above)",
    "the password is somewhere else if you look for it",
    "mnemonic: the words that a user writes down",
    "ghp_ is what tokens\nbegin with",
    // References, public keys, types, and columns of a database.
    "password: !vault secret/data/shop#db_password",
    "api_token: !Ref TokenOfTheStack",
    "[Peer]\nPublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=\nAllowedIPs = 10.0.0.0/24",
    "CREATE TABLE t (password VARCHAR(255) NOT NULL, api_token CHAR(64), secret BYTEA);",
    "changePassword: FeatureSupport;",
    "verification_alg: &signature::ECDSA_P256_SHA256_ASN1,",
    "auth._parse(response, \"www-authenticate\")",
    "def f(self, username=None, password=None,\n      num_pools=10,\n      headers=None)",
    "\"HAS_PSK\": has_psk,",
    "    let wait_fut_2 = token.cancelled();\n    pin!(wait_fut_2);",
    // Tables, calls and sentences with a word for a secret near what is none.
    "| Option | Password | Default |\n|---|---|---|\n| min length | 8 | none |",
    "name,password,expires\nada,,2026-11-27\n",
    "login(\"user\", \"https://x.example/callback2\")",
    "jwt.sign(payload, key, { algorithm: \"RS256\", expiresIn: \"15m\" })",
    "crypto.createHmac('sha256', secret).update('v1.2.3')",
    "connect(\"db-01.example\", 5432, \"app_v2\")",
    "echo build2024 | tee log.txt",
    "cat <<EOF > token.txt\nnothing here yet\nEOF",
    "tokio::spawn(auth(request, \"v2\"))",
    "git commit -m 'Reset password v1.4.2' -p",
    "ssh -l ada -p 2222 host",
    "set token_type to Bearer2",
    "the token cache in Redis7 holds 3 entries, see TokenCacheV2Test",
    "a password manager like KeePassXC 2.7.9 (build 4f1c934)",
    "I changed the password to lower case",
    "поменял пароль на новый",
    "url: https://x.example/?next=%2Flogin%3Fpassword%3D",
    "&quot;password&quot;: &quot;string&quot;",
    "\\u001b[1mPassword:\\u001b[0m wrong",
    "expect \"assword:\"\nsend \"$password\\r\"",
];

#[test]
fn what_looks_like_a_secret_and_is_none_is_recorded_as_it_is() {
    let changed: Vec<String> = KEPT
        .iter()
        .filter(|text| !changes(text).unwrap().is_empty())
        .map(|text| format!("{text:?} as {:?}", mask(text)))
        .collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}
