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
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Statement};
use uuid::Uuid;

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
    nodes.sql(
        "DROP TABLE IF EXISTS bare; CREATE TABLE bare (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
         id uuid UNIQUE, stream text, turn bigint, ts bigint, kind text, v bigint, actor text, payload text)",
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let url = format!("host=127.0.0.1 port={} user=postgres", nodes.nodes[0].port);
    let (client, insert): (Client, Statement) = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let insert = client.prepare(
            "INSERT INTO bare (id, stream, turn, ts, kind, v, actor, payload) SELECT n.id, 's', n.turn, n.ts, \
             n.kind, n.v, n.actor, n.payload FROM ROWS FROM (unnest($1::uuid[]), unnest($2::bigint[]), \
             unnest($3::bigint[]), unnest($4::text[]), unnest($5::bigint[]), unnest($6::text[]), \
             unnest($7::text[])) AS n (id, turn, ts, kind, v, actor, payload)",
        );
        let insert = insert.await.unwrap();
        (client, insert)
    });
    let port = nodes.nodes[0].port;
    Side {
        name: "bare INSERT",
        append: Box::new(move |numbers| {
            let sections = Sections::new();
            let records: Vec<_> = numbers
                .map(|n| Record::encode(&note(n), &sections).unwrap())
                .collect();
            let ids: Vec<Uuid> = records.iter().map(|r| *r.id.as_uuid()).collect();
            let turns: Vec<i64> = records.iter().map(|r| r.turn).collect();
            let times: Vec<i64> = records.iter().map(|r| r.at).collect();
            let kinds: Vec<&str> = records.iter().map(|r| r.kind.as_str()).collect();
            let versions: Vec<i64> = records.iter().map(|r| i64::from(r.v)).collect();
            let actors: Vec<&str> = records.iter().map(|r| r.actor.as_str()).collect();
            let payloads: Vec<&str> = records.iter().map(|r| r.payload.as_str()).collect();
            let params: [&(dyn ToSql + Sync); 7] =
                [&ids, &turns, &times, &kinds, &versions, &actors, &payloads];
            runtime.block_on(client.execute(&insert, &params)).unwrap();
        }),
        count: Box::new(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let url = format!("host=127.0.0.1 port={port} user=postgres");
            let count: i64 = runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
                tokio::spawn(connection);
                client
                    .query_one("SELECT count(*) FROM bare", &[])
                    .await
                    .unwrap()
                    .get(0)
            });
            usize::try_from(count).unwrap()
        }),
        took: Vec::new(),
    }
}
