//! What a model is shown of a log that version 0.1.0 wrote (`hud-store/tests/store/golden`).
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests may fail like the tests themselves"
)]

use std::fs;

use hud_agent::frame::{Frame, frame};
use hud_agent::placement::Placement;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_store::event::SessionId;
use hud_store::log::{Log, Moment, state_at};
use hud_store::sqlite::SqliteLog;
use hud_store::state::HudState;

/// The state of a session at some moments of its life.
fn states(session: &str) -> Vec<HudState> {
    let golden = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../hud-store/tests/store/golden/version_0_1.db"
    );
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hud.db");
    fs::copy(golden, &path).unwrap();
    let log = SqliteLog::open(&path).unwrap();
    let session = SessionId::new(session).unwrap();
    let last = log.sessions().unwrap();
    let last = last.iter().find(|info| info.id == session).unwrap().events;
    let moments = [last / 3, last * 2 / 3, last];
    let state = |version| state_at(&log, &session, Moment::Version(version)).unwrap();
    moments.into_iter().map(state).collect()
}

/// A state at each density, and with each placement after the state before.
fn frames(session: &str) -> String {
    let mut setup = Setup::default();
    // All of it is looked at.
    setup.settings.budget.tail_permille = 0;
    let mut shown = None;
    let mut text = String::new();
    for state in states(session) {
        for density in [Density::Full, Density::Compact, Density::Minimal] {
            let frame = Frame::whole(&state, Some(density), &setup).unwrap();
            text += &format!("=== {} {density:?}\n{}", state.version, frame.system);
        }
        for placement in [
            Placement::MessageTail,
            Placement::SystemTail,
            Placement::Epoch,
            Placement::Delta,
        ] {
            let frame = frame(&state, shown.as_ref(), placement, &setup).unwrap();
            text += &format!(
                "=== {} {placement:?} system\n{}--- message\n{}",
                state.version, frame.system, frame.message
            );
        }
        shown = Some(state);
    }
    text
}

#[test]
fn the_frames_of_a_session_are_those_of_version_0_1() {
    insta::assert_snapshot!("monday", frames("monday"));
}

#[test]
fn the_frames_of_a_busy_session_are_those_of_version_0_1() {
    insta::assert_snapshot!("busy", frames("busy"));
}
