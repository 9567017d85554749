//! A HUD straight from a log: append events, fold them, render the state.
//! Run it with `cargo run --example from_log`.

use hud_components::Hud;
use hud_core::{Density, render, rsx};
use hud_store::event::{
    Actor, ContextSnapshot, DecisionRecord, FileEdit, HudEvent, NewEvent, SessionId, StepAdd,
    StepStart, TaskSet,
};
use hud_store::log::{Expected, Log, state_of};
use hud_store::sqlite::SqliteLog;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let mut log = SqliteLog::open(directory.path().join("hud.db"))?;
    let session = SessionId::new("demo")?;

    let facts: [HudEvent; 6] = [
        TaskSet {
            description: "Add rate limiting".into(),
        }
        .into(),
        StepAdd {
            id: "s1".into(),
            description: "Write the token bucket".into(),
        }
        .into(),
        StepStart { id: "s1".into() }.into(),
        DecisionRecord {
            id: "d1".into(),
            summary: "Token bucket, not a fixed window".into(),
            details: Some("bursts at a window's border double the rate".into()),
            weight: None,
        }
        .into(),
        FileEdit::of("src/limit/bucket.rs").into(),
        ContextSnapshot {
            used: 90_000,
            limit: Some(200_000),
            assumed: false,
            usable: None,
            model: None,
            call: None,
            provider: None,
        }
        .into(),
    ];
    let events = facts.map(|fact| NewEvent::now(1, Actor::Agent, fact));
    log.append(&session, Expected::NoStream, &events)?;

    let state = state_of(&log, &session)?;
    anstream::print!(
        "{}",
        render(&rsx! { <Hud state={&state} /> }, Density::Full)?
    );
    Ok(())
}
