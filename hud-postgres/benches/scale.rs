//! What many sessions and many machines cost on PostgreSQL: to open one of many sessions, to list a page of them, to
//! look for a rare word in many notes, to hear of an append, and to take in what many machines push at once. Beside each is PostgreSQL asked
//! for the same rows with nothing around it, and the embedded log with the same events.
//!
//! `cargo bench -p hud-postgres --bench scale` prints the figures, with the one that is wanted behind each.
//! `--sessions`, `--notes` (in each of those), `--listed` (sessions of the log that is listed), `--machines` and
//! `--tries` have other numbers. With `--test` they are small, and it only looks whether all sides find the same.
//! What is asked of many sessions is asked of one server. Its rows are made by SQL, with sums and index as the log's own
//! functions make them.
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

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use hud_postgres::{Address, PgLog, push};
use hud_store::event::SessionId;
use hud_store::jsonl::Line;
use hud_store::log::record::Record;
use hud_store::log::{
    AppendMany as _, Batch, Expected, Follow, Listing, Log, Order, Query, Search, SessionInfo,
    state_of,
};
use hud_store::section::Sections;
use hud_store::sqlite::{Durability, SqliteLog};
use tempfile::TempDir;

use crate::bare::Bare;
use crate::given::{contents, note, session};
use crate::nodes::{Nodes, open};

/// How many events a machine has recorded when it pushes.
const EACH: u64 = 20;

/// How many sessions a page has.
const PAGE: usize = 100;

/// In how many notes a rare word is.
const RARE: u64 = 10;

/// How much there is of everything.
struct Size {
    sessions: u64,
    notes: u64,
    listed: u64,
    machines: usize,
    tries: u64,
    rounds: u64,
}

impl Size {
    fn of(arguments: &[String]) -> Self {
        let is_test = arguments.iter().any(|argument| argument == "--test");
        let number = |name: &str, test: u64, usual: u64| {
            let at = arguments.iter().position(|argument| argument == name);
            match at.map(|at| arguments.get(at + 1).and_then(|n| n.parse().ok())) {
                Some(Some(number)) => number,
                Some(None) => panic!("{name} has a number behind it"),
                None if is_test => test,
                None => usual,
            }
        };
        Self {
            sessions: number("--sessions", 200, 100_000),
            notes: number("--notes", 3, 10),
            listed: number("--listed", 300, 1_000_000),
            machines: usize::try_from(number("--machines", 4, 100)).unwrap(),
            tries: number("--tries", 5, 1_000),
            rounds: number("--rounds", 1, 5),
        }
    }
}

/// What is as on a server of its own, with memory, and with room for each machine.
const SETTINGS: &str = "shared_buffers = '256MB'\nmax_connections = 250\n";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let size = Size::of(&arguments);
    let Some(one) = Nodes::begin(SETTINGS) else {
        return;
    };
    println!("| of | what | log | p50 ms | p99 ms | wanted p99 |");
    println!("| --- | --- | --- | --- | --- | --- |");
    many_notes(&one, &size);
    many_sessions(&one, &size);
    one_follower(&one, &size);
    let Some(three) = Nodes::begin(SETTINGS).map(Nodes::with_standbys) else {
        return;
    };
    println!();
    println!(
        "| servers | machines, {EACH} events each | log | all sent, ms | events/s | p50 ms | p99 ms |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, nodes) in [("one", &one), ("three", &three)] {
        many_machines(name, nodes, &size);
    }
}

/// Fills a new log with sessions of so many notes each, whose events come in turns.
fn filled(nodes: &Nodes, sessions: u64, notes: u64) -> Address {
    let address = nodes.made();
    let log = address.log();
    let count = sessions * notes;
    let every = (count / RARE).max(1);
    // Words of three to five letters, and one that few notes have.
    let said = format!(
        "(SELECT string_agg(translate((('x' || substr(md5(n::text), 1 + 4 * w, 4))::bit(16)::int % 5000 \
         + 100)::text, '0123456789', 'bdfgklmnrt'), ' ') FROM generate_series(0, 7) AS w) \
         || ' rare' || translate((n % {every})::text, '0123456789', 'bdfgklmnrt') || 'word'"
    );
    nodes.sql(&format!(
        "CREATE TEMP TABLE made AS SELECT n AS seq, md5('event ' || n)::uuid AS id, \
             's' || (n - 1) % {sessions} AS stream, (n - 1) / {sessions} + 1 AS ver, n AS turn, \
             1700000000000000 + n * 1000 AS ts, \
             json_build_object('id', 'n' || n, 'content', {said})::text AS payload, NULL::bytea AS sum \
             FROM generate_series(1::bigint, {count}) AS n; \
         DO $$ BEGIN FOR of_ver IN 1 .. {notes} LOOP \
             INSERT INTO {log}.event (seq, id, stream, ver, turn, ts, kind, v, actor, payload, sum) \
                 SELECT m.seq, m.id, m.stream, m.ver, m.turn, m.ts, 'note.add', 1, 'agent', m.payload, \
                     {log}.hud_sum(coalesce(b.sum, decode(repeat('00', 32), 'hex')), m.seq, m.id, m.stream, \
                         m.ver, m.turn, m.ts, 'note.add', 1, 'agent', NULL, m.payload) \
                 FROM made m LEFT JOIN {log}.event b ON b.seq = m.seq - {sessions} \
                 WHERE m.seq > (of_ver - 1) * {sessions}::bigint AND m.seq <= of_ver * {sessions}::bigint \
                 ORDER BY m.seq; \
         END LOOP; END $$; \
         INSERT INTO {log}.session (stream, ver, first, last, first_ts, last_ts, origin, is_deleted, sum) \
             SELECT f.stream, {notes}, f.seq, l.seq, f.ts, l.ts, '{{}}', false, l.sum FROM {log}.event f \
             JOIN {log}.event l ON l.seq = f.seq + {behind} WHERE f.seq <= {sessions} ORDER BY f.seq; \
         UPDATE {log}.head SET seq = {count}",
        behind = count - sessions,
    ));
    address
}

/// Indexes what is said, by the function that searches call.
fn indexed(nodes: &Nodes, log: &str) {
    nodes.sql(&format!(
        "DO $$ DECLARE \
             known bigint := 0; \
             until bigint; \
             newest bigint := (SELECT seq FROM {log}.head); \
         BEGIN WHILE known < newest LOOP \
             until := least(known + 20000, newest); \
             PERFORM {log}.hud_index(known, until, array_agg(e.seq), array_agg(e.payload::json ->> 'content')) \
                 FROM {log}.event e WHERE e.seq > known AND e.seq <= until; \
             known := until; \
         END LOOP; END $$"
    ));
}

/// What the server does by itself after some minutes.
fn settled(nodes: &Nodes, log: &str) {
    for table in ["event", "session", "search"] {
        nodes.sql(&format!("VACUUM ANALYZE {log}.{table}"));
    }
    nodes.sql("CHECKPOINT");
}

/// The embedded log with the events of another.
fn embedded(from: &PgLog, folder: &Path) -> SqliteLog {
    let mut log = SqliteLog::open(folder.join("hud.db")).unwrap();
    log.set_durability(Durability::Fast).unwrap();
    let sections = Sections::new();
    let mut batches = Vec::new();
    let mut keep = |batches: &mut Vec<Batch>| {
        log.append_many(batches).unwrap();
        batches.clear();
    };
    from.lines(None, &mut |line: Line| {
        let (session, record) = Record::of_line(line, &sections).unwrap();
        batches.push(Batch {
            session,
            expected: Expected::Any,
            records: vec![record],
        });
        if batches.len() == 10_000 {
            keep(&mut batches);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    keep(&mut batches);
    log
}

/// Times what each side gives for a number, in turns, and looks whether it is the same.
fn compare<T: PartialEq + std::fmt::Debug>(
    of: &str,
    what: &str,
    wanted: &str,
    tries: u64,
    sides: &mut [(&str, &mut dyn FnMut(u64) -> T)],
) {
    let mut took: Vec<Vec<Duration>> = sides.iter().map(|_| Vec::new()).collect();
    for n in 0..tries {
        let mut first = None;
        for ((_, ask), took) in sides.iter_mut().zip(&mut took) {
            let begun = Instant::now();
            let given = ask(n);
            took.push(begun.elapsed());
            match &first {
                None => first = Some(given),
                Some(first) => assert_eq!(*first, given, "{what} {n}"),
            }
        }
    }
    for ((name, _), took) in sides.iter().zip(&mut took) {
        let wanted = match *name {
            "hud-postgres" => wanted,
            _ => "",
        };
        println!(
            "| {of} | {what} | {name} | {} | {} | {wanted} |",
            at(took, 50),
            at(took, 99)
        );
    }
}

/// The time that so many of a hundred stay below, in milliseconds.
fn at(took: &mut [Duration], share: usize) -> String {
    took.sort_unstable();
    format!(
        "{:.2}",
        took[took.len() * share / 100].as_secs_f64() * 1000.0
    )
}

/// One of so many, in no order.
fn any(n: u64, of: u64) -> u64 {
    n.wrapping_mul(0x9E37_79B9_7F4A_7C15) % of
}

fn many_notes(nodes: &Nodes, size: &Size) {
    let address = filled(nodes, size.sessions, size.notes);
    let log = address.log();
    indexed(nodes, log);
    settled(nodes, log);
    let folder = tempfile::tempdir().unwrap();
    let server = open(&address);
    let file = embedded(&server, folder.path());
    let count = size.sessions * size.notes;
    let name = |n| session(&format!("s{}", any(n, size.sessions)));

    let said = |log: &dyn Log, n| {
        let state = state_of(log, &name(n)).unwrap();
        let notes = state.notes.into_iter();
        notes.map(|note| note.content).collect::<Vec<_>>()
    };
    let bare = Bare::of(nodes);
    let select = bare.prepare(&format!(
        "SELECT payload::json ->> 'content' FROM {log}.event WHERE stream = $1 ORDER BY ver"
    ));
    let mut selected = |n| {
        let rows = bare.query(&select, &[&name(n).as_str()]);
        rows.iter().map(|row| row.get(0)).collect()
    };
    compare(
        &format!("{} sessions", size.sessions),
        &format!("open one, of {} notes", size.notes),
        "10",
        size.tries,
        &mut [
            ("bare SELECT", &mut selected),
            ("hud-postgres", &mut |n| said(&server, n)),
            ("embedded", &mut |n| said(&file, n)),
        ],
    );

    let every = (count / RARE).max(1);
    let letters = |n: u64| -> String {
        let letter = |digit: char| {
            let at = digit
                .to_digit(10)
                .and_then(|digit| usize::try_from(digit).ok());
            char::from(b"bdfgklmnrt"[at.unwrap()])
        };
        n.to_string().chars().map(letter).collect()
    };
    let word = |n| format!("rare{}word", letters(any(n, every)));
    let hits = |log: &dyn Search, n| {
        let hits = log.search(&Query::new(word(n))).unwrap().into_iter();
        let mut places: Vec<u64> = hits.map(|hit| hit.event.seq).collect();
        places.sort_unstable();
        places
    };
    let select = bare.prepare(&format!(
        "SELECT seq FROM {log}.event WHERE strpos(payload, $1) > 0 ORDER BY seq"
    ));
    let mut selected = |n| {
        let rows = bare.query(&select, &[&word(n)]);
        let place = |row: &tokio_postgres::Row| row.get::<_, i64>(0).unsigned_abs();
        rows.iter().map(place).collect()
    };
    // Who has no index looks at all of them, which is not done as often.
    let (of, what) = (
        format!("{count} notes"),
        format!("a word that {} have", count / every),
    );
    compare(
        &of,
        &what,
        "50",
        size.tries.min(10),
        &mut [
            ("bare SELECT", &mut selected),
            ("hud-postgres", &mut |n| hits(&server, n)),
        ],
    );
    compare(
        &of,
        &what,
        "50",
        size.tries,
        &mut [
            ("hud-postgres", &mut |n| hits(&server, n)),
            ("embedded", &mut |n| hits(&file, n)),
        ],
    );
}

fn many_sessions(nodes: &Nodes, size: &Size) {
    let address = filled(nodes, size.listed, 1);
    let log = address.log();
    settled(nodes, log);
    let folder = tempfile::tempdir().unwrap();
    let server = open(&address);
    let file = embedded(&server, folder.path());
    let bare = Bare::of(nodes);
    // The first page, and those behind any session.
    let after = |log: &dyn Log, n: u64| -> Option<SessionInfo> {
        let name = session(&format!("s{}", any(n, size.listed)));
        match n {
            0 => None,
            _ => Some(log.session(&name).unwrap().unwrap()),
        }
    };
    let afters: Vec<_> = (0..size.tries).map(|n| after(&server, n)).collect();
    let page = |log: &dyn Log, order, n: u64| -> Vec<SessionId> {
        let listing = Listing {
            order,
            after: afters[usize::try_from(n).unwrap()].clone(),
            limit: PAGE,
            ..Listing::default()
        };
        let page = log.list(&listing).unwrap().into_iter();
        page.map(|info| info.id).collect()
    };
    // Who has no index for an order looks at all of them, which is not done as often.
    let few = size.tries.min(10);
    for (order, what, sql) in [
        (Order::Begun, "a page", "first > $1 ORDER BY first"),
        (
            Order::Newest,
            "a page, newest first",
            "last_ts < $1 ORDER BY last_ts DESC",
        ),
    ] {
        let select = bare.prepare(&format!(
            "SELECT stream, ver, first, first_ts, last_ts, origin FROM {log}.session \
             WHERE {sql} LIMIT {PAGE}"
        ));
        let mut selected = |n: u64| {
            let after = &afters[usize::try_from(n).unwrap()];
            let behind = match (order, after) {
                (Order::Begun, None) => 0,
                (Order::Begun, Some(_)) => i64::try_from(any(n, size.listed)).unwrap() + 1,
                (_, None) => i64::MAX,
                (_, Some(info)) => info.last_at.as_microsecond(),
            };
            let rows = bare.query(&select, &[&behind]);
            let name = |row: &tokio_postgres::Row| session(row.get(0));
            rows.iter().map(name).collect()
        };
        compare(
            &format!("{} sessions", size.listed),
            &format!("{what}, of {PAGE}"),
            "20",
            few,
            &mut [
                ("bare SELECT", &mut selected),
                ("hud-postgres", &mut |n| page(&server, order, n)),
                ("embedded", &mut |n| page(&file, order, n)),
            ],
        );
        if few < size.tries {
            compare(
                &format!("{} sessions", size.listed),
                &format!("{what}, of {PAGE}"),
                "20",
                size.tries,
                &mut [("hud-postgres", &mut |n| page(&server, order, n))],
            );
        }
    }
}

/// How long a follower is without what is appended while it waits.
fn one_follower(nodes: &Nodes, size: &Size) {
    let address = nodes.made();
    let folder = tempfile::tempdir().unwrap();
    let file = || SqliteLog::open(folder.path().join("hud.db")).unwrap();
    let count = size.tries.min(200);
    let (server, file) = (
        heard(open(&address), open(&address), count),
        heard(file(), file(), count),
    );
    for (name, mut took, wanted) in [("hud-postgres", server, "50"), ("embedded", file, "")] {
        println!(
            "| a follower | to hear of an append | {name} | {} | {} | {wanted} |",
            at(&mut took, 50),
            at(&mut took, 99)
        );
    }
}

/// The times from the end of each append until a follower of the log has it.
fn heard(mut log: impl Log, follower: impl Follow, count: u64) -> Vec<Duration> {
    let (name, mut appended, seen) = (session("s"), 0, Cell::new(0));
    let begun = Cell::new(Instant::now());
    let mut took = Vec::new();
    let each = &mut |_| {
        took.push(begun.get().elapsed());
        seen.set(seen.get() + 1);
        match seen.get() < count {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let idle = &mut || {
        // The one before has come: this one comes while it waits.
        if appended == seen.get() {
            appended += 1;
            log.append(&name, Expected::Any, &[note(appended)]).unwrap();
            begun.set(Instant::now());
        }
        ControlFlow::Continue(())
    };
    follower.follow_all(1, each, idle).unwrap();
    assert_eq!(seen.get(), count);
    took
}

/// A machine with a log of its own.
struct Machine {
    name: String,
    log: SqliteLog,
    to: PgLog,
    folder: TempDir,
}

impl Machine {
    fn new(nth: usize, to: &Address) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = SqliteLog::open(folder.path().join("hud.db")).unwrap();
        let machine = Self {
            name: format!("m{nth}"),
            log,
            to: open(to),
            folder,
        };
        machine.beginning()
    }

    /// The first push takes round trips of its own.
    fn beginning(mut self) -> Self {
        push(&self.log, &mut self.to, &self.name).unwrap();
        self
    }
}

fn many_machines(servers: &str, nodes: &Nodes, size: &Size) {
    let address = nodes.made();
    let mut machines: Vec<_> = (0..size.machines)
        .map(|nth| Machine::new(nth, &address))
        .collect();
    bare::table(nodes);
    let mut clients: Vec<_> = machines
        .iter()
        .map(|_| {
            let client = Bare::of(nodes);
            let insert = client.insert();
            (client, insert)
        })
        .collect();
    let (mut pushed, mut inserted) = (Took::default(), Took::default());
    let mut next = 1;
    for _ in 0..size.rounds {
        let numbers: Vec<_> = (0..size.machines as u64)
            .map(|nth| next + nth * EACH..next + (nth + 1) * EACH)
            .collect();
        let records: Vec<Vec<Record>> = numbers
            .iter()
            .map(|numbers| {
                let encode = |n| Record::encode(&note(n), &Sections::new()).unwrap();
                numbers.clone().map(encode).collect()
            })
            .collect();
        let mut sending: Vec<_> = clients.iter_mut().zip(&records).collect();
        inserted.at_once(&mut sending, |((client, insert), records)| {
            client.append(insert, records);
        });
        for (machine, numbers) in machines.iter_mut().zip(&numbers) {
            let events: Vec<_> = numbers.clone().map(note).collect();
            let name = session(&machine.name);
            machine.log.append(&name, Expected::Any, &events).unwrap();
        }
        pushed.at_once(&mut machines, |machine| {
            push(&machine.log, &mut machine.to, &machine.name).unwrap();
        });
        next += EACH * size.machines as u64;
    }
    let events = next - 1;
    let bare = Bare::of(nodes).count("SELECT count(*) FROM bare");
    assert_eq!(u64::try_from(bare).unwrap(), events);
    assert_eq!(contents(&open(&address)).len() as u64, events);
    for (name, took) in [
        ("bare INSERT", &mut inserted),
        ("hud-postgres", &mut pushed),
    ] {
        let all = took.all.as_secs_f64();
        println!(
            "| {servers} | {} | {name} | {:.0} | {:.0} | {} | {} |",
            size.machines,
            all * 1000.0 / size.rounds as f64,
            events as f64 / all,
            at(&mut took.each, 50),
            at(&mut took.each, 99)
        );
    }
}

/// How long each took of those that begin at once, and until the last was done.
#[derive(Default)]
struct Took {
    each: Vec<Duration>,
    all: Duration,
}

impl Took {
    fn at_once<T: Send>(&mut self, all: &mut [T], work: impl Fn(&mut T) + Sync) {
        let (gate, work) = (Barrier::new(all.len() + 1), &work);
        let gate = &gate;
        std::thread::scope(|scope| {
            let working: Vec<_> = all
                .iter_mut()
                .map(|one| {
                    scope.spawn(move || {
                        gate.wait();
                        let begun = Instant::now();
                        work(one);
                        begun.elapsed()
                    })
                })
                .collect();
            gate.wait();
            let begun = Instant::now();
            let took = working.into_iter().map(|one| one.join().unwrap());
            self.each.extend(took);
            self.all += begun.elapsed();
        });
    }
}
