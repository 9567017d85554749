//! Who sees what, who can do what, and who answers.

use std::fmt::Debug;

use hud_postgres::{Address, Options, Password, PgLog};
use hud_store::log::{Expected, Log, LogError, state_of};
use rcgen::{CertificateParams, CertifiedIssuer, KeyPair};

use crate::given::{contents, note, session};
use crate::nodes::{Node, Nodes, alone, open, shared};

/// The name that nobody of another team may see.
const SECRET: &str = "the-plan-of-team-a";

/// The error of a user who is not allowed to do something.
fn refused(node: &Node, user: &str, sql: &str) -> String {
    let Err(error) = node.sql_by(user, sql) else {
        panic!("{user} may do {sql}")
    };
    assert!(!error.contains(SECRET), "{sql}: {error}");
    error
}

#[test]
fn a_team_sees_nothing_of_another_one() {
    let Some(nodes) = shared() else { return };
    let (ours, theirs) = (nodes.made(), nodes.made());
    open(&ours)
        .append(&session(SECRET), Expected::Any, &[note(1)])
        .unwrap();
    nodes.sql(&format!(
        "CREATE ROLE bob LOGIN; GRANT {}_writer TO bob",
        theirs.log()
    ));
    let node = &nodes.nodes[0];
    let log = ours.log();
    for table in [
        "event", "session", "head", "content", "kept", "snapshot", "search", "searched",
    ] {
        let told = refused(node, "bob", &format!("SELECT * FROM {log}.{table}"));
        assert!(told.contains("permission denied"), "{told}");
    }
    for sql in [
        format!("SET ROLE {log}_writer"),
        format!("SET ROLE {log}_owner"),
        format!("GRANT {log}_reader TO bob"),
        format!("SELECT {log}.hud_save_snapshot('s', 1, 1, '')"),
        format!(
            "SELECT {log}.hud_append('s', 0, 1, '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}')"
        ),
        format!("ALTER SCHEMA {log} OWNER TO bob"),
        format!("CREATE TABLE {log}.mine ()"),
    ] {
        refused(node, "bob", &sql);
    }
    let open_as_bob = PgLog::open(&nodes.address("bob", log), &Options::default());
    assert!(
        matches!(open_as_bob, Err(LogError::Denied { .. })),
        "{open_as_bob:?}"
    );
    // An id that is theirs is free here: it says nothing of them.
    let mut own = open(&nodes.address("bob", theirs.log()));
    assert_eq!(
        own.append(&session("s"), Expected::Any, &[note(1)])
            .unwrap()
            .duplicates,
        0
    );
    assert!(!format!("{:?}", own.sessions().unwrap()).contains(SECRET));
}

#[test]
fn a_writer_appends_and_changes_nothing_else() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    let log = made.log();
    nodes.sql(&format!(
        "CREATE ROLE ann LOGIN; GRANT {log}_writer TO ann; CREATE ROLE rea LOGIN; GRANT {log}_reader TO rea"
    ));
    let events: Vec<_> = (1..=1000).map(note).collect();
    let s = session("s");
    open(&nodes.address("ann", log))
        .append(&s, Expected::Any, &events)
        .unwrap();
    let node = &nodes.nodes[0];
    for table in [
        "event", "session", "head", "content", "kept", "snapshot", "search", "searched",
    ] {
        for sql in [
            format!("UPDATE {log}.{table} SET ctid = ctid"),
            format!("DELETE FROM {log}.{table}"),
            format!("INSERT INTO {log}.{table} SELECT * FROM {log}.{table}"),
            format!("TRUNCATE {log}.{table}"),
            format!("ALTER TABLE {log}.{table} DISABLE TRIGGER ALL"),
            format!("DROP TABLE {log}.{table}"),
            format!("SELECT * FROM {log}.{table} FOR UPDATE"),
        ] {
            refused(node, "ann", &sql);
            refused(node, "rea", &sql);
        }
    }
    for sql in [
        format!("DROP FUNCTION {log}.hud_save_snapshot"),
        format!("CREATE FUNCTION {log}.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'"),
        format!("SET ROLE {log}_owner"),
    ] {
        refused(node, "ann", &sql);
    }
    // Not even the owner, but for who takes the trigger away first.
    for sql in [
        format!("UPDATE {log}.event SET turn = 9"),
        format!("DELETE FROM {log}.event"),
        format!("TRUNCATE {log}.event"),
    ] {
        let told = refused(node, "postgres", &sql);
        assert!(told.contains("append-only"), "{told}");
    }
    let mut reader = open(&nodes.address("rea", log));
    assert_eq!(state_of(&reader, &s).unwrap().version, 1000);
    let told = reader.append(&s, Expected::Any, &[note(2000)]);
    assert!(matches!(told, Err(LogError::Denied { .. })), "{told:?}");
    assert_eq!(contents(&reader).len(), 1000);
    let by = format!("SELECT DISTINCT sent_by FROM {log}.event");
    assert_eq!(nodes.sql(&by).trim(), "ann");
}

#[test]
fn a_password_is_taken_from_text_or_command_and_shown_nowhere() {
    let Some(nodes) = shared() else { return };
    let made = nodes.made();
    nodes.sql(&format!(
        "SET password_encryption = 'scram-sha-256'; CREATE ROLE pat LOGIN PASSWORD 'open sesame'; \
         GRANT {}_reader TO pat",
        made.log()
    ));
    nodes.nodes[0].let_in("host all pat 127.0.0.1/32 scram-sha-256");
    let address = nodes.address("pat", made.log());
    let open_with = |password| {
        let options = Options {
            password,
            ..Options::default()
        };
        (PgLog::open(&address, &options), format!("{options:?}"))
    };
    for password in [
        Password::text("open sesame"),
        Password::command("echo 'open sesame'"),
    ] {
        let (opened, shown) = open_with(password);
        opened.unwrap();
        assert!(!shown.contains("sesame"), "{shown}");
    }
    let (denied, _) = open_with(Password::text("close sesame"));
    assert!(matches!(denied, Err(LogError::Denied { .. })), "{denied:?}");
    hides(&denied, "sesame");
    for password in [
        Password::none(),
        Password::command("echo close sesame; false"),
    ] {
        let (refused, _) = open_with(password);
        assert!(
            matches!(refused, Err(LogError::Unavailable { .. })),
            "{refused:?}"
        );
        hides(&refused, "sesame");
    }
}

/// An error that is shown has no such text in it.
fn hides<T: Debug>(outcome: &Result<T, LogError>, text: &str) {
    let error = outcome.as_ref().unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(text), "{shown}");
}

#[test]
fn a_server_has_to_prove_that_it_is_the_one_that_was_named() {
    let _alone = alone();
    let Some(nodes) = Nodes::one() else { return };
    let node = &nodes.nodes[0];
    let made = nodes.made();
    let issuer = || {
        let mut params = CertificateParams::default();
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
    };
    let (ours, others) = (issuer(), issuer());
    let roots = [&ours, &others].map(|issuer| issuer.pem());
    let roots =
        [("ours", &roots[0]), ("others", &roots[1])].map(|(name, pem)| node.own_file(name, pem));
    let address = |host: &str, root: usize| -> Address {
        let (port, root) = (node.port, roots[root].display());
        format!(
            "postgres://postgres@{host}:{port}/postgres?log={}&sslmode=verify-full&sslrootcert={root}",
            made.log()
        )
        .parse()
        .unwrap()
    };
    let serve = |is_expired: bool| {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        if is_expired {
            params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &ours).unwrap();
        node.own_file("server.crt", &certificate.pem());
        node.own_file("server.key", &key.serialize_pem());
        node.configure("ssl = on\n");
        node.restart();
    };
    let unavailable = |address: &Address| {
        let refused = PgLog::open(address, &Options::default());
        assert!(
            matches!(refused, Err(LogError::Unavailable { .. })),
            "{refused:?}"
        );
        refused.unwrap_err().to_string()
    };
    let told = unavailable(&address("localhost", 0));
    assert!(told.contains("TLS"), "{told}");
    serve(false);
    let mut log = open(&address("localhost", 0));
    log.append(&session("s"), Expected::Any, &[note(1)])
        .unwrap();
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE ssl AND application_name = 'agent-hud'";
    assert_eq!(nodes.sql(encrypted).trim(), "1");
    unavailable(&address("localhost", 1));
    unavailable(&address("127.0.0.1", 0));
    // One that ran out since is not taken, either.
    serve(true);
    let told = log.append(&session("s"), Expected::Any, &[note(2)]);
    assert!(
        matches!(told, Err(LogError::Unavailable { .. })),
        "{told:?}"
    );
}
