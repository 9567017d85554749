//! Keeping a log: backups by the means of the server, and what is not to be kept for ever.

use std::process::{Command, Stdio};

use hud_postgres::{Options, PgLog, Pushed};
use hud_store::event::NewEvent;
use hud_store::log::{Expected, Log, Query, Search as _, state_of};
use hud_store::sqlite::SqliteLog;
use jiff::Timestamp;

use crate::given::{contents, note, session};
use crate::nodes::{Nodes, open, shared};
use crate::push::{noted, output, sent};

/// Runs one of the server's programs for a database, and gives what it writes.
fn run(nodes: &Nodes, name: &str, arguments: &[&str], given: &[u8]) -> Vec<u8> {
    let mut command = Command::new(nodes.nodes[0].bin.join(name));
    command
        .args(["-h", "127.0.0.1", "-U", "postgres", "-p"])
        .arg(nodes.nodes[0].port.to_string())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, given).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name} {arguments:?}");
    output.stdout
}

#[test]
fn a_log_is_dumped_and_restored_and_goes_on_with_what_was_sent_since() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let log = address.log();
    let mut here = SqliteLog::open_in_memory().unwrap();
    noted(&mut here, "s", 1..=1500);
    here.append(&session("s"), Expected::Any, &[output(2000, "all of it")])
        .unwrap();
    sent(&here, &address);
    open(&address)
        .append(&session("direct"), Expected::Any, &[note(3000)])
        .unwrap();
    let found = || {
        open(&address)
            .search(&Query::new("note 777"))
            .unwrap()
            .len()
    };
    assert_eq!(found(), 1);

    let dump = run(
        &nodes,
        "pg_dump",
        &["-Fc", "--schema", log, "postgres"],
        &[],
    );
    noted(&mut here, "s", 2001..=2005);
    sent(&here, &address);
    nodes.sql(&format!("DROP SCHEMA {log} CASCADE"));
    assert!(PgLog::open(&address, &Options::default()).is_err());
    run(&nodes, "pg_restore", &["-d", "postgres"], &dump);

    // All that was in it is read with its sums, and the rights are what they were.
    assert_eq!(contents(&open(&address)).len(), 1502);
    assert_eq!(found(), 1);
    let rights = nodes.sql(&format!(
        "SELECT has_table_privilege('{log}_writer', '{log}.event', 'SELECT'), \
         has_table_privilege('{log}_writer', '{log}.event', 'INSERT')"
    ));
    assert_eq!(rights.trim(), "t|f");
    noted(&mut here, "s", [2006]);
    sent(&here, &address);
    let there = open(&address);
    assert_eq!(
        state_of(&there, &session("s")).unwrap(),
        state_of(&here, &session("s")).unwrap()
    );
    open(&address)
        .append(&session("direct"), Expected::Exact(1), &[note(3001)])
        .unwrap();
    let changed = nodes.nodes[0].sql_by("postgres", &format!("DELETE FROM {log}.event"));
    assert!(changed.unwrap_err().contains("append-only"));
}

#[test]
fn an_owner_takes_out_what_old_outputs_said_and_all_else_stays() {
    let Some(nodes) = shared() else { return };
    let address = nodes.made();
    let log = address.log();
    let mut here = SqliteLog::open_in_memory().unwrap();
    let (old, new) = (
        output(1, "what was read long ago"),
        output(2, "what is read now"),
    );
    let new = NewEvent {
        at: Timestamp::now(),
        ..new
    };
    here.append(&session("s"), Expected::Any, &[old, new])
        .unwrap();
    sent(&here, &address);
    let there = open(&address);
    let before = contents(&there);
    let kept = |n: usize| {
        let hash = before[n].event.content().unwrap().hash;
        there.content(&hash).unwrap()
    };
    assert!(kept(0).is_some() && kept(1).is_some());
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/fleet.md");
    let words = |text: &str| {
        let text = text.replace('\\', " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let page = words(&std::fs::read_to_string(page).unwrap());
    assert!(page.contains(&words(SWEEP)), "docs/fleet.md has another");
    nodes.sql(&SWEEP.replace("team", log));
    assert_eq!(
        (kept(0), kept(1).as_deref()),
        (None, Some("what is read now"))
    );
    assert_eq!(contents(&there), before);
    assert_eq!(sent(&here, &address), Pushed::default());
}

/// The statement that `docs/fleet.md` has.
const SWEEP: &str = "DELETE FROM team.content c WHERE NOT EXISTS (SELECT FROM team.kept k JOIN team.event e USING (seq) \
    WHERE k.hash = c.hash AND e.ts > extract(epoch FROM now() - interval '90 days') * 1000000)";
