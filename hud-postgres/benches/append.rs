//! What an append costs on PostgreSQL: on one server and on three, beside a bare `INSERT` of the same rows on the
//! same servers and beside the embedded log, in turns.
//!
//! `cargo bench -p hud-postgres` prints the figures; with `-- --test` it only looks whether all sides keep the
//! same.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    dead_code,
    reason = "a benchmark prints, ends where something is wrong, and uses a part of what tests do"
)]

mod bare;
#[path = "../tests/fleet/given.rs"]
mod given;
#[path = "../tests/fleet/nodes.rs"]
mod nodes;

use std::time::{Duration, Instant};

use hud_postgres::Address;
use hud_store::log::record::Record;
use hud_store::log::{Expected, Log};
use hud_store::section::Sections;
use hud_store::sqlite::SqliteLog;

use crate::bare::Bare;
use crate::given::{contents, note, session};
use crate::nodes::{Nodes, open};

/// How often each side appends, and how many rounds they take turns.
#[derive(Clone, Copy)]
struct Size {
    appends: u64,
    rounds: u64,
}

fn main() {
    let is_test = std::env::args().any(|arg| arg == "--test");
    let size = match is_test {
        true => Size {
            appends: 3,
            rounds: 1,
        },
        false => Size {
            appends: 200,
            rounds: 3,
        },
    };
    // They wait for their disks.
    let Some(one) = Nodes::begin("") else { return };
    let Some(three) = Nodes::begin("").map(Nodes::with_standbys) else {
        return;
    };
    println!(
        "| servers | batch | log | appends/s | events/s | p50 ms | p99 ms | of a bare INSERT |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (name, nodes) in [("one server", &one), ("three servers", &three)] {
        for batch in [1, 100] {
            compare(name, nodes, batch, size);
        }
    }
}

/// One way of keeping events.
struct Side {
    name: &'static str,
    append: Box<dyn FnMut(std::ops::Range<u64>)>,
    count: Box<dyn Fn() -> usize>,
    took: Vec<Duration>,
}

fn compare(servers: &str, nodes: &Nodes, batch: u64, size: Size) {
    let folder = tempfile::tempdir().unwrap();
    let mut sides = [
        bare(nodes),
        on_postgres(&nodes.made()),
        embedded(folder.path()),
    ];
    let mut next = 1;
    for _ in 0..size.rounds {
        for side in &mut sides {
            for n in 0..size.appends {
                let first = next + n * batch;
                let begun = Instant::now();
                (side.append)(first..first + batch);
                side.took.push(begun.elapsed());
            }
        }
        next += size.appends * batch;
    }
    let counts = sides.each_ref().map(|side| (side.count)());
    assert!(
        counts.iter().all(|count| *count as u64 == next - 1),
        "{counts:?}"
    );
    let bare = rate(&sides[0].took);
    for side in &mut sides {
        side.took.sort_unstable();
        let appends = rate(&side.took);
        let at = |share: usize| side.took[side.took.len() * share / 100].as_secs_f64() * 1000.0;
        println!(
            "| {servers} | {batch} | {} | {appends:.0} | {:.0} | {:.1} | {:.1} | {:.2} |",
            side.name,
            appends * batch as f64,
            at(50),
            at(99),
            appends / bare
        );
    }
}

fn rate(took: &[Duration]) -> f64 {
    took.len() as f64 / took.iter().sum::<Duration>().as_secs_f64()
}

fn on_postgres(address: &Address) -> Side {
    let mut log = open(address);
    let again = open(address);
    Side {
        name: "hud-postgres",
        append: Box::new(move |numbers| {
            let events: Vec<_> = numbers.map(note).collect();
            log.append(&session("s"), Expected::Any, &events).unwrap();
        }),
        count: Box::new(move || contents(&again).len()),
        took: Vec::new(),
    }
}

fn embedded(folder: &std::path::Path) -> Side {
    let path = folder.join("hud.db");
    let mut log = SqliteLog::open(&path).unwrap();
    Side {
        name: "embedded",
        append: Box::new(move |numbers| {
            let events: Vec<_> = numbers.map(note).collect();
            log.append(&session("s"), Expected::Any, &events).unwrap();
        }),
        count: Box::new(move || contents(&SqliteLog::open(&path).unwrap()).len()),
        took: Vec::new(),
    }
}

/// The same rows into a table with the same keys, in one statement for a batch, and nothing else.
fn bare(nodes: &Nodes) -> Side {
    bare::table(nodes);
    let (server, again) = (Bare::of(nodes), Bare::of(nodes));
    let insert = server.insert();
    Side {
        name: "bare INSERT",
        append: Box::new(move |numbers| {
            let sections = Sections::new();
            let records: Vec<_> = numbers
                .map(|n| Record::encode(&note(n), &sections).unwrap())
                .collect();
            server.append(&insert, &records);
        }),
        count: Box::new(move || usize::try_from(again.count("SELECT count(*) FROM bare")).unwrap()),
        took: Vec::new(),
    }
}
