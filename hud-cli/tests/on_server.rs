//! Commands on the log of a fleet, on a real server.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that does not hold ends, and says what it skips"
)]

use crate::nodes;

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use crate::common::{file, hud, refused, shown};
use crate::nodes::{Nodes, open, shared};
use hud_postgres::Address;
use hud_store::event::{
    Actor, DecisionRecord, EventId, HudEvent, NewEvent, NoteAdd, SessionId, TaskSet,
};
use hud_store::log::{Expected, Log};
use serde_json::Value;

/// A log on a server, with a session.
struct OnServer {
    address: String,
    opened: Address,
    nodes: Arc<Nodes>,
}

fn event(turn: u64, event: HudEvent) -> NewEvent {
    NewEvent {
        id: EventId::of_name(&format!("event {turn}")),
        turn,
        at: "2026-11-20T12:00:00Z".parse().unwrap(),
        actor: Actor::Agent,
        cause: None,
        event,
    }
}

fn note(turn: u64, content: &str) -> NewEvent {
    let id = format!("n{turn}");
    event(
        turn,
        NoteAdd {
            id,
            content: content.into(),
        }
        .into(),
    )
}

impl OnServer {
    fn new() -> Option<Self> {
        let nodes = shared()?;
        let opened = nodes.made();
        let (port, log) = (nodes.nodes[0].port, opened.log());
        let made = Self {
            address: format!("postgres://postgres@127.0.0.1:{port}/postgres?log={log}"),
            opened,
            nodes,
        };
        let task = TaskSet {
            description: "Implement auth".into(),
        };
        let decision = DecisionRecord {
            id: "d1".into(),
            summary: "Use JWT".into(),
            details: None,
            weight: None,
        };
        made.append(&[
            event(1, task.into()),
            note(2, "tests need redis"),
            event(3, decision.into()),
        ]);
        Some(made)
    }

    fn append(&self, events: &[NewEvent]) {
        let session = SessionId::new("ses_01").unwrap();
        open(&self.opened)
            .append(&session, Expected::Any, events)
            .unwrap();
    }
}

#[test]
fn a_session_on_a_server_is_looked_at_like_one_in_a_file() {
    let Some(server) = OnServer::new() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hud.db");
    let file = file.to_str().unwrap();
    let lines = directory.path().join("events.jsonl");
    let exported = shown(&["export", "--db", &server.address]);
    assert_eq!(exported.lines().count(), 3);
    std::fs::write(&lines, exported).unwrap();
    shown(&["import", "--db", file, lines.to_str().unwrap()]);
    for command in [
        &["sessions"][..],
        &["sessions", "--json"],
        &["log"],
        &["log", "--all", "--json"],
        &["render"],
        &["render", "--session", "ses_01", "--turn", "2"],
        &["formats"],
        &["at", "version:1"],
        &["diff", "version:1", "--events"],
        &["search", "redis"],
        &["search", "--json", "test"],
        &["export"],
    ] {
        let of = |db: &str| shown(&[command, &["--db", db]].concat());
        let on_server = of(&server.address);
        assert_eq!(on_server, of(file), "{command:?}");
        assert!(!on_server.is_empty(), "{command:?}");
    }
    // The variable names it as well.
    let by_variable = Command::new(env!("CARGO_BIN_EXE_hud"))
        .arg("sessions")
        .env("HUD_DB", &server.address)
        .output()
        .unwrap();
    let listed = String::from_utf8(by_variable.stdout).unwrap();
    assert!(listed.contains("Implement auth"), "{listed}");
}

#[test]
fn who_follows_a_session_on_a_server_sees_what_others_append() {
    let Some(server) = OnServer::new() else {
        return;
    };
    let mut following = Command::new(env!("CARGO_BIN_EXE_hud"))
        .args(["log", "--follow", "--db", &server.address])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    let known: Vec<_> = lines.by_ref().take(3).map(Result::unwrap).collect();
    assert!(known[2].contains("Use JWT"), "{known:?}");
    server.append(&[note(4, "redis needs a port")]);
    let news = lines.next().unwrap().unwrap();
    assert!(news.contains("redis needs a port"), "{news}");
    following.kill().unwrap();
    following.wait().unwrap();
}

#[test]
fn what_is_not_there_is_said_with_the_server_and_without_its_user() {
    let Some(server) = OnServer::new() else {
        return;
    };
    let here = tempfile::tempdir().unwrap();
    let said = |args: &[&str], address: &str| {
        let said = refused(&[args, &["--db", address]].concat(), here.path());
        assert!(!said.contains("postgres@"), "{said}");
        said
    };
    let told = said(&["render", "--session", "other"], &server.address);
    assert!(
        told.contains("has no session other: it has ses_01"),
        "{told}"
    );
    let missing = server.address.replace("log=", "log=no_");
    let told = said(&["sessions"], &missing);
    assert!(told.contains("no log at postgres://127.0.0.1"), "{told}");
    let stranger = server.address.replace("postgres@", "ada@");
    server.nodes.sql("CREATE ROLE ada LOGIN");
    let told = said(&["sessions"], &stranger);
    assert!(told.contains("permission denied"), "{told}");
}

#[test]
fn a_server_that_hangs_or_is_away_ends_a_command_with_its_reason() {
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = silent.local_addr().unwrap().port();
    thread::spawn(move || {
        // Whoever connects gets no answer, and is not turned away, either.
        let mut held = Vec::new();
        held.extend(silent.incoming());
    });
    let here = tempfile::tempdir().unwrap();
    let hanging = format!("postgres://127.0.0.1:{port}/x?log=hangs");
    let told = refused(&["sessions", "--db", &hanging], here.path());
    assert!(told.contains("did not answer within"), "{told}");
    let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let away = format!("postgres://127.0.0.1:{port}/x?log=away");
    let told = refused(&["search", "redis", "--db", &away], here.path());
    assert!(told.contains("see that it runs"), "{told}");
}

#[test]
fn an_event_on_a_server_is_redacted_there_and_one_that_was_sent_where_it_was_recorded() {
    let Some(server) = OnServer::new() else {
        return;
    };
    let db = ["--db", &server.address];
    let asked = hud(&[&["redact", "ses_01:2"][..], &db].concat());
    assert!(!asked.status.success());
    let before = shown(&[&["log", "--all"][..], &db].concat());
    assert!(before.contains("redis"), "{before}");
    let done = hud(&[&["redact", "ses_01:2", "--yes"][..], &db].concat());
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("ses_01:2 is redacted"), "{said}");
    assert!(said.contains("VACUUM"), "{said}");
    let after = shown(&[&["log", "--all"][..], &db].concat());
    assert!(
        !after.contains("redis") && after.contains("event.redacted"),
        "{after}"
    );
    assert_eq!(shown(&[&["search", "redis"][..], &db].concat()), "");
    let log = server.opened.log();
    server.nodes.sql(&format!(
        "UPDATE {log}.session SET home = '00000000-0000-0000-0000-000000000001'"
    ));
    let here = tempfile::tempdir().unwrap();
    let told = refused(
        &[&["redact", "ses_01:1", "--yes"][..], &db].concat(),
        here.path(),
    );
    assert!(told.contains("nothing was changed: ses_01"), "{told}");
    assert!(told.contains("hud push"), "{told}");
}

/// What `hud doctor` finds at a server, for machines.
fn examined(address: &str) -> (bool, Value) {
    let output = hud(&["doctor", "--json", "--db", address]);
    let found = serde_json::from_slice(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    (
        output.status.success(),
        found.unwrap_or_else(|_| panic!("{said}")),
    )
}

/// What is wrong there, each with its mend.
fn problems(address: &str) -> Vec<String> {
    let (is_well, found) = examined(address);
    let problems = found["problems"].as_array().unwrap();
    assert_eq!(is_well, problems.is_empty());
    let told = |problem: &Value| format!("{} | {}", problem["what"], problem["mend"]);
    problems.iter().map(told).collect()
}

#[test]
fn a_server_is_examined_with_the_mend_of_each_problem() {
    let Some(nodes) = Nodes::begin("") else {
        return;
    };
    let made = nodes.made();
    let (port, log) = (nodes.nodes[0].port, made.log());
    let address = format!("postgres://postgres@127.0.0.1:{port}/postgres?log={log}");
    let told = shown(&["doctor", "--db", &address]);
    let last = told.lines().last().unwrap();
    assert!(
        last.starts_with("all is well, but commits are on one machine"),
        "{told}"
    );
    assert!(last.contains("synchronous_standby_names"), "{told}");

    for (harm, mend, undo) in [
        (
            format!(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{log}.search_by_words'::regclass"
            ),
            "REINDEX INDEX CONCURRENTLY search_by_words",
            format!(
                "UPDATE pg_index SET indisvalid = true WHERE indexrelid = '{log}.search_by_words'::regclass"
            ),
        ),
        (
            format!("ALTER TABLE {log}.event DISABLE TRIGGER event_is_never_changed"),
            "ENABLE TRIGGER",
            format!("ALTER TABLE {log}.event ENABLE TRIGGER event_is_never_changed"),
        ),
        (
            format!("UPDATE {log}.head SET schema = schema - 1"),
            "fleet init",
            format!("UPDATE {log}.head SET schema = schema + 1"),
        ),
        (
            format!("UPDATE {log}.head SET schema = schema + 1"),
            "install the version",
            format!("UPDATE {log}.head SET schema = schema - 1"),
        ),
    ] {
        nodes.sql(&harm);
        let found = problems(&address);
        assert!(
            matches!(&found[..], [one] if one.contains(mend)),
            "{harm}: {found:?}"
        );
        nodes.sql(&undo);
    }

    let nodes = nodes.with_standbys();
    let told = shown(&["doctor", "--db", &address]);
    assert!(told.contains("standby n2"), "{told}");
    assert_eq!(told.lines().last(), Some("all is well"), "{told}");
    let (_, found) = examined(&address);
    assert_eq!(found["standbys"], 2);
    for standby in &nodes.nodes[1..] {
        standby.kill();
    }
    nodes::until(|| {
        let (_, found) = examined(&address);
        found["standbys"] == 0
    });
    let found = problems(&address);
    assert!(
        matches!(&found[..], [one] if one.contains("start the standbys")),
        "{found:?}"
    );
}

#[test]
fn a_server_that_can_not_be_examined_is_a_problem_with_its_mend() {
    let Some(server) = OnServer::new() else {
        return;
    };
    let missing = server.address.replace("log=", "log=no_");
    let found = problems(&missing);
    assert!(found[0].contains("fleet init"), "{found:?}");
    let stranger = server.address.replace("postgres@", "eve@");
    server.nodes.sql("CREATE ROLE eve LOGIN");
    let found = problems(&stranger);
    assert!(found[0].contains("GRANT log_"), "{found:?}");
    // These servers run with less care than any should.
    let found = problems(&server.address);
    assert!(found[0].contains("SET fsync = on"), "{found:?}");
    let rebuilt = hud(&["doctor", "--rebuild", "--db", &server.address]);
    let said = String::from_utf8(rebuilt.stderr).unwrap();
    assert!(said.contains("REINDEX SCHEMA"), "{said}");
}

/// What is said of a command line that is refused, which is no word of a password.
fn said(args: &[&str]) -> String {
    let output = hud(args);
    assert!(!output.status.success(), "{args:?}");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!said.contains("secret"), "{args:?}: {said}");
    said
}

#[test]
fn what_only_a_file_can_be_asked_for_says_what_to_do_instead() {
    let address = "postgres://ada:secret@db.example/fleet?log=team";
    let (_directory, events) = file("events.jsonl", "");
    for (command, instead) in [
        (&["archive"][..], "PostgreSQL compresses"),
        (&["sweep"], "name a file with --db"),
        (&["backup", "copy.db"], "pg_dump"),
        (&["import", events.to_str().unwrap()], "`hud push`"),
        (&["sessions", "--delete", "s"], "`hud push`"),
        (&["where"], "no path"),
        (&["mcp"], "no agent writes to it"),
        (&["bridge"], "no agent writes to it"),
        (
            &["begin", "--session", "s", "--resumes", "r"],
            "no agent writes to it",
        ),
        (&["push"], "--to"),
        (&["pull", "--all"], "--from"),
    ] {
        let told = said(&[command, &["--db", address]].concat());
        let place = "postgres://db.example/fleet?log=team is a log on a server";
        assert!(told.contains(place), "{command:?}: {told}");
        assert!(told.contains(instead), "{command:?}: {told}");
    }
}

#[test]
fn a_password_in_an_address_is_refused_and_repeated_nowhere() {
    let address = "postgres://ada:secret@db.example/fleet?log=team";
    for args in [
        &["sessions", "--db", address][..],
        &["push", "--to", address],
        &["fleet", "init", &format!("--db={address}")],
    ] {
        assert!(said(args).contains("PGPASSWORD"), "{args:?}");
    }
    // Where none is expected, too.
    said(&["sessions", address]);
    said(&[address]);
}
