//! What the HUD costs of a provider's cache: the same story in the real clients with it and without it.
//!
//! The clients are those of the other tests:
//!
//! ```sh
//! HUD_TURNS=60 CLAUDE=.. CODEX=.. GEMINI=.. CLINE=.. \
//!     cargo test -p hud-tests --test cost -- --nocapture --test-threads 1
//! ```

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

mod clients;

use std::process::Stdio;
use std::time::{Duration, Instant};

use clients::endpoint::{Endpoint, Kind};
use clients::kin::{self, Kin, Step};
use clients::place::{Daemon, Place};
use clients::{finish, start};

/// How many more characters a provider may have to read anew with a HUD, in per cent.
const MOST: f64 = 110.0;

/// What a story cost.
struct Cost {
    /// How much of each request is as in the one before, in per cent of the bytes.
    shared: f64,
    /// How many characters are not.
    anew: usize,
    /// How long a turn took.
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
    let (result, says, all) = (kin.result, kin.says, turns());
    let endpoint = Endpoint::start(move |body, turn| {
        let done = body.to_string().matches(result).count();
        let step = match done {
            done if done >= all => Step::Done,
            done if done % 6 == 2 => Step::Plan(all / 6 + 1, done / 6),
            done => Step::Run(format!("echo {done}; seq 1 1000")),
        };
        match body["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty())
        {
            true => (Kind::Turn, says(step, turn)),
            false => (Kind::Title, says(Step::Done, turn)),
        }
    });
    let _daemon = Daemon::of(&place);
    (kin.asks)(&place, endpoint.port);
    let begun = Instant::now();
    let mut agent = (kin.runs)(&place, endpoint.port, "do the work, please");
    finish(start(agent.stderr(Stdio::null())));
    let took = begun.elapsed();
    let asked: Vec<String> = endpoint
        .asked()
        .into_iter()
        .filter(|asked| asked.kind == Kind::Turn)
        .map(|asked| asked.body[kin.conversation].to_string())
        .collect();
    assert_eq!(asked.len(), all + 1, "{}", kin.name);
    let (mut shared, mut sent) = (0, 0);
    for pair in asked.windows(2) {
        let both = pair[0].bytes().zip(pair[1].bytes());
        shared += both.take_while(|(a, b)| a == b).count();
        sent += pair[1].len();
    }
    Some(Cost {
        shared: 100.0 * shared as f64 / sent as f64,
        anew: sent - shared,
        turn: took / u32::try_from(asked.len()).unwrap(),
    })
}

fn compare(kin: &Kin) {
    let (Some(with), Some(without)) = (tell(kin, true), tell(kin, false)) else {
        return;
    };
    let share = 100.0 * with.anew as f64 / without.anew as f64;
    println!(
        "{}: {:.1} % of a request as before, {:.1} % without the HUD; {} characters anew, {} without \
         ({share:.0} %); a turn took {} ms, {} without",
        kin.name,
        with.shared,
        without.shared,
        with.anew,
        without.anew,
        with.turn.as_millis(),
        without.turn.as_millis(),
    );
    assert!(share <= MOST, "{}: {share:.1} %", kin.name);
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
