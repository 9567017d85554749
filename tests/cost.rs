//! What the HUD costs of a provider's cache: the same story in the real clients with it and without it.
//!
//! The clients are those of the other tests:
//!
//! ```sh
//! HUD_TURNS=60 OPENCODE=.. CLAUDE=.. CODEX=.. GEMINI=.. CLINE=.. \
//!     cargo test -p hud-tests --features slow-tests cost:: -- --nocapture --test-threads 1
//! ```

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::process::Stdio;
use std::time::Duration;

use crate::clients::endpoint::Kind;
use crate::clients::kin::{self, Kin, Step};
use crate::clients::place::{Daemon, Place};
use crate::clients::{figures, finish, start};
use serde_json::{Value, json};

/// How many more characters a provider may have to read anew with a HUD, in per cent.
const MOST: f64 = 110.0;

/// What a story cost.
struct Cost {
    /// How much of each request is as in the one before, in per cent of the bytes.
    shared: f64,
    /// How many characters are not.
    anew: usize,
    /// How long it took from one request to the next, in the middle.
    turn: Duration,
}

fn turns() -> usize {
    let said = std::env::var("HUD_TURNS").ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(12)
}

/// Tells the story: it works, and every few turns its plan goes on.
fn tell(kin: &Kin, has_hud: bool) -> Option<Cost> {
    let place = Place::new(kin.variable, kin.name, kin.flags)?;
    if !has_hud {
        let mut hud = place.command(place.hud().into_os_string());
        hud.args(["uninstall", kin.name, "--yes"]).args(kin.flags);
        assert!(hud.stderr(Stdio::null()).status().unwrap().success());
    }
    let (all, plans_on_hud) = (turns(), has_hud && !kin.has_plans);
    let endpoint = kin.endpoint(move |_, done| match done {
        done if done >= all => Step::Done,
        done if done % 6 == 2 && plans_on_hud => {
            Step::Add(format!("do part {} of the work, and test it", done / 6))
        }
        done if done % 6 == 2 => Step::Plan(all / 6 + 1, done / 6),
        done => Step::Run(format!("echo {done}; seq 1 1000")),
    });
    let _daemon = Daemon::of(&place);
    (kin.asks)(&place, endpoint.port);
    let mut agent = (kin.runs)(&place, endpoint.port, "do the work, please");
    finish(start(agent.stderr(Stdio::null())));
    let mut asked = endpoint.asked();
    asked.retain(|asked| asked.kind == Kind::Turn);
    assert_eq!(asked.len(), all + 1, "{}", kin.name);
    let texts: Vec<String> = asked
        .iter()
        .map(|asked| conversation(&asked.body[kin.conversation]).to_string())
        .collect();
    let last = texts.last().unwrap();
    assert_eq!(last.contains("<hud"), has_hud, "{}", kin.name);
    if has_hud {
        let steps = place.state().next_steps;
        assert!(!steps.is_empty(), "{}: the HUD has no plan", kin.name);
    }
    let (mut shared, mut sent) = (0, 0);
    for pair in texts.windows(2) {
        let both = pair[0].bytes().zip(pair[1].bytes());
        shared += both.take_while(|(a, b)| a == b).count();
        sent += pair[1].len();
    }
    let mut took: Vec<Duration> = asked
        .windows(2)
        .map(|pair| pair[1].at - pair[0].at)
        .collect();
    took.sort();
    Some(Cost {
        shared: 100.0 * shared as f64 / sent as f64,
        anew: sent - shared,
        turn: took[took.len() / 2],
    })
}

/// A conversation without the marks of what is to be cached, which are elsewhere in each request.
fn conversation(sent: &Value) -> Value {
    match sent {
        Value::Array(all) => all.iter().map(conversation).collect(),
        Value::Object(all) => {
            let rest = all.iter().filter(|(key, _)| *key != "cache_control");
            Value::Object(
                rest.map(|(key, value)| (key.clone(), conversation(value)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

fn compare(kin: &Kin) {
    let (Some(with), Some(without)) = (tell(kin, true), tell(kin, false)) else {
        return;
    };
    let share = 100.0 * with.anew as f64 / without.anew as f64;
    println!(
        "{}: {:.1} % of a request as before, {:.1} % without the HUD; {} characters anew, {} without \
         ({share:.1} %); a turn took {} ms, {} without",
        kin.name,
        with.shared,
        without.shared,
        with.anew,
        without.anew,
        with.turn.as_millis(),
        without.turn.as_millis(),
    );
    let figures = |cost: &Cost| {
        json!({ "shared": cost.shared, "anew": cost.anew,
                "turn_ms": cost.turn.as_secs_f64() * 1_000.0 })
    };
    figures::write(&json!({
        "client": kin.name, "turns": turns(), "with": figures(&with), "without": figures(&without),
    }));
    assert!(share <= MOST, "{}: {share:.1} %", kin.name);
}

#[test]
fn the_hud_leaves_the_cache_of_opencode_whole() {
    compare(&kin::opencode());
}

#[test]
fn the_hud_leaves_the_cache_of_claude_code_whole() {
    compare(&kin::claude());
}

#[test]
fn the_hud_leaves_the_cache_of_codex_whole() {
    compare(&kin::codex());
}

#[test]
fn the_hud_leaves_the_cache_of_gemini_whole() {
    compare(&kin::gemini());
}

#[test]
fn the_hud_leaves_the_cache_of_cline_whole() {
    compare(&kin::cline());
}
