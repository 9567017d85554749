//! The policies on the recorded sessions.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::path::Path;

use hud_agent::settings::Settings;
use hud_eval::policies::Trial;
use hud_eval::simulate::Subject;
use hud_eval::trace::Trace;

/// The recorded sessions, or nothing where there is no `HUD_DATA`.
fn subjects() -> Option<Vec<Subject>> {
    let Some(data) = std::env::var_os("HUD_DATA").filter(|data| !data.is_empty()) else {
        eprintln!("skipped: HUD_DATA names no folder with recorded sessions");
        return None;
    };
    let folder = Path::new(&data).join("sessions/claude-code");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    let read = |path| Subject::new(Trace::read(path).unwrap());
    Some(files.into_iter().map(read).collect())
}

#[test]
fn the_rule_removes_what_is_needed_least_of_recorded_sessions() {
    let Some(subjects) = subjects() else { return };
    let settings = Settings::default();
    let rows = Trial::new(&subjects, &settings.prune).rows();
    let figures = |policy: &str| {
        let row = rows.iter().find(|row| row.policy == policy).unwrap();
        [row.removed, row.needs_met, row.at_once_met, row.cost].map(|figure| figure.value)
    };
    let [removed, met, at_once, cost] = figures("by need, high");
    assert!(
        removed >= 68.0 && met >= 85.0 && cost <= 97.0,
        "{removed} {met} {cost}"
    );
    assert!(at_once >= 100.0, "{at_once}");
    let [removed, met, _, cost] = figures("by need, moderate");
    assert!(
        removed >= 45.0 && met >= 90.0 && cost <= 93.0,
        "{removed} {met} {cost}"
    );
    for peer in ["newest 10k tokens", "age, 12 requests", "fading pool"] {
        let [_, met, ..] = figures(peer);
        let [_, ours, ..] = figures("by need, high");
        assert!(met < ours, "{peer}");
    }
}
