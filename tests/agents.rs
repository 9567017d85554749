//! Many agents at once in one project, each in the real client: whose notes are in whose session.
//!
//! How many agents there are of each client is said by `HUD_AGENTS`, else there are two. The clients are
//! those of the other tests:
//!
//! ```sh
//! HUD_AGENTS=8 OPENCODE=.. CLAUDE=.. CODEX=.. GEMINI=.. CLINE=.. \
//!     cargo test -p hud-tests --features slow-tests agents:: -- --nocapture --test-threads 1
//! ```

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::clients::kin::{self, Kin, Step};
use crate::clients::place::{Daemon, Place};
use crate::clients::{Client, figures, finish, start};
use hud_store::log::{Log, state_of};
use hud_store::sqlite::SqliteLog;
use serde_json::{Value, json};

/// How many notes each agent makes: half of them before the others have begun, half while all run.
const NOTES: usize = 6;

/// The words of the prompt by which an agent is known.
const NAME: &str = "agent number ";

/// A script that ends once all agents are at work, or much later. (Gemini CLI refuses such commands.)
const WAIT: &str = "n=0; until [ -e go ] || [ $n -gt 600 ]; do sleep 0.2; n=$((n+1)); done\n";

/// The step of the agent that a request is of, by how many results of tools it has.
fn step(body: &str, done: usize) -> Step {
    // Its HUD names the others.
    let mut named = body
        .match_indices(NAME)
        .map(|(at, name)| body.split_at(at + name.len()));
    let own = named.find(|(before, _)| !before.ends_with(&format!("running): You are {NAME}")));
    let (_, name) = own.unwrap_or_default();
    let name: String = name.chars().take_while(char::is_ascii_digit).collect();
    match done {
        _ if name.is_empty() => Step::Done,
        0..3 => Step::Note(format!("{NAME}{name}, note {done}")),
        3 => Step::Run("sh wait.sh".to_owned()),
        4..7 => Step::Note(format!("{NAME}{name}, note {}", done - 1)),
        _ => Step::Done,
    }
}

fn agents() -> usize {
    let said = std::env::var("HUD_AGENTS").ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// Runs the agents, each of them once the one before is at work, and says whose notes are where.
fn run(kin: &Kin) {
    let Some(place) = Place::new(kin.variable, kin.name, kin.flags) else {
        return;
    };
    fs::write(place.path("project/wait.sh"), WAIT).unwrap();
    let result = kin.result;
    let endpoint = kin.endpoint(|body, done| step(&body.to_string(), done));
    let _daemon = Daemon::of(&place);
    (kin.asks)(&place, endpoint.port);
    let waits = || {
        let asked = endpoint.asked();
        let waits = |body: &Value| body.to_string().matches(result).count() >= 3;
        asked.iter().filter(|asked| waits(&asked.body)).count()
    };
    let running: Vec<Client> = (0..agents())
        .map(|agent| {
            let task = format!("You are {NAME}{agent}: look at the file, please");
            let mut command = (kin.runs)(&place, endpoint.port, &task);
            let client = start(command.stderr(Stdio::null()));
            for _ in 0..1_200 {
                if waits() > agent {
                    break;
                }
                thread::sleep(Duration::from_millis(50));
            }
            client
        })
        .collect();
    fs::write(place.path("project/go"), "").unwrap();
    for client in running {
        finish(client);
    }
    let (right, all) = notes(&place);
    println!(
        "{}: {} agents at once, {right} of {all} notes in the right session",
        kin.name,
        agents()
    );
    figures::write(&json!({
        "client": kin.name, "agents": agents(), "right": right, "notes": agents() * NOTES,
    }));
    assert_eq!((right, all), (agents() * NOTES, agents() * NOTES));
}

/// How many notes are in the session of the agent that made them, and how many there are.
fn notes(place: &Place) -> (usize, usize) {
    // What waits to be written is written by whoever looks.
    let mut hud = place.command(place.hud().into_os_string());
    assert!(
        hud.arg("sessions")
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    let log = SqliteLog::open_read_only(place.log()).unwrap();
    let (mut right, mut all) = (0, 0);
    for session in log.sessions().unwrap() {
        let state = state_of(&log, &session.id).unwrap();
        let task = state.task.map(|task| task.description).unwrap_or_default();
        for note in state.notes {
            let (agent, _) = note.content.split_once(',').unwrap();
            all += 1;
            right += usize::from(task.contains(&format!("{agent}:")));
        }
    }
    (right, all)
}

#[test]
fn each_agent_of_opencode_writes_to_its_own_session() {
    run(&kin::opencode());
}

#[test]
fn each_agent_of_claude_code_writes_to_its_own_session() {
    run(&kin::claude());
}

#[test]
fn each_agent_of_codex_writes_to_its_own_session() {
    run(&kin::codex());
}

#[test]
fn each_agent_of_gemini_writes_to_its_own_session() {
    run(&kin::gemini());
}

#[test]
fn each_agent_of_cline_writes_to_its_own_session() {
    run(&kin::cline());
}
