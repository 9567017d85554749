//! What a world of rooms costs: `cargo bench -p hud-rooms`, or once and quickly with `-- --test`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench ends where something is wrong, and prints its figures"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use hud_rooms::format::Format;
use hud_rooms::log::{FileLog, WorldLog, sections};
use hud_rooms::{NewAgent, Rooms};
use hud_store::memory::MemoryLog;
use hud_store::section::Sections;
use hud_store::sqlite::{Durability, SqliteLog};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

fn main() {
    divan::main();
    if !std::env::args().any(|argument| argument == "--test") {
        heartbeats_in_a_file();
        a_thousand_agents();
    }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_700_000_000 + seconds)
}

fn agents(count: u64, rooms: u64) -> Vec<NewAgent> {
    let agent = |n: u64| NewAgent {
        name: Some(format!("Agent {n}")),
        agent_type: Default::default(),
        model: "a-model".to_owned(),
        prompt: "You are curious, and you say what you think.".to_owned(),
        can_create_agents: false,
        input: Format::Json,
        output: Default::default(),
        rooms: vec![1 + n % rooms],
    };
    (0..count).map(agent).collect()
}

fn known() -> Sections {
    sections(Sections::new()).unwrap()
}

/// Agent 1 in six rooms with 2,000 messages.
fn full() -> Rooms<MemoryLog> {
    let mut new = agents(6, 6);
    new[0].rooms = (2..=6).collect();
    let mut rooms =
        Rooms::begin(MemoryLog::new().with_sections(known()), "lab", &new, at(0)).unwrap();
    for n in 0..2_000 {
        let text = format!(
            "Message {n} says in some twenty words what somebody found out this morning while reading the notes of all others"
        );
        rooms.say(1 + n % 6, &text, at(1)).unwrap();
    }
    rooms
}

#[divan::bench(args = ["json", "compact_json", "toon", "markdown"])]
fn hud_of_six_rooms_and_2000_messages(bencher: divan::Bencher<'_, '_>, format: &str) {
    let (mut rooms, format) = (full(), format.parse().unwrap());
    bencher.bench_local(|| black_box(rooms.hud(1, Some(format), at(9)).unwrap().tokens));
}

/// What an agent answers.
fn answer(agent: u64, rooms: u64, nth: u64) -> String {
    let room = 1 + (agent - 1) % rooms;
    json!({
        "responses": [{ "room_id": room, "message": format!("Heartbeat {nth} is here") }],
        "actions": [
            { "type": "set", "path": "last", "value": nth },
            { "type": "react", "message_id": nth / 2, "reaction": "thumbs_up" },
        ],
    })
    .to_string()
}

/// What some heartbeats took.
struct Beats {
    /// How long each was, sorted.
    times: Vec<Duration>,
    /// How much of a HUD begins as the agent's one before, in per cent of its bytes.
    same: f64,
}

/// Shows, answers and appends.
fn beats<L: WorldLog>(rooms: &mut Rooms<L>, count: u64, in_rooms: u64) -> Beats {
    let (mut times, mut last) = (Vec::new(), BTreeMap::<u64, String>::new());
    let (mut same, mut all) = (0, 0);
    for nth in 1..=count {
        let beat = rooms.next().unwrap();
        let began = Instant::now();
        let shown = rooms.hud(beat.agent, None, beat.at).unwrap().text;
        rooms
            .respond(
                beat.agent,
                &answer(beat.agent, in_rooms, nth),
                None,
                beat.at,
            )
            .unwrap();
        times.push(began.elapsed());
        if let Some(before) = last.get(&beat.agent) {
            let pairs = before.bytes().zip(shown.bytes());
            same += pairs.take_while(|(one, other)| one == other).count();
            all += shown.len();
        }
        last.insert(beat.agent, shown);
    }
    times.sort_unstable();
    let same = 100.0 * same as f64 / all.max(1) as f64;
    Beats { times, same }
}

fn heartbeats_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("hud.db");
    let log = SqliteLog::open_with(&path, Durability::Full)
        .unwrap()
        .with_sections(known());
    let reader = SqliteLog::open_read_only(&path).unwrap();
    let mut rooms = Rooms::begin(FileLog::new(log, reader), "lab", &agents(20, 6), at(0)).unwrap();
    let Beats { times, same } = beats(&mut rooms, 1_000, 6);
    println!(
        "a heartbeat (HUD, answer, durable append), 20 agents in 6 rooms: p50 {:.1} ms, p99 {:.1} ms; \
         {same:.0} % of a HUD begin as the one before",
        times[500].as_secs_f64() * 1e3,
        times[990].as_secs_f64() * 1e3
    );
}

fn a_thousand_agents() {
    let log = MemoryLog::new().with_sections(known());
    let mut rooms = Rooms::begin(log, "lab", &agents(1_000, 300), at(0)).unwrap();
    let began = Instant::now();
    beats(&mut rooms, 3_000, 300);
    let rate = 3_000.0 / began.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("VmHWM: not known here");
    println!("1,000 agents in 300 rooms, in memory: {rate:.0} heartbeats a second; {peak}");
}
