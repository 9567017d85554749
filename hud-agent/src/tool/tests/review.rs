//! `review`.

use hud_store::event::Actor;
use hud_store::state::{Finding, Step};

use super::own::CAUSE;
use super::*;
use hud_observe::observation::Observation;

const SUMMARY: &str = "## Instructions\n- Never commit to the main branch.\n\n\
                       ## Next steps\n- Write the migration for tenants\n\n\
                       ## Decisions\n- Token bucket instead of a fixed window in limits.rs";

/// A session in which a finding was derived, and the rest lifted from a summary.
fn made() -> Made {
    let mut hud = Made::new();
    hud.compacts();
    hud.says(CAUSE);
    hud
}

impl Made {
    fn compacts(&mut self) {
        let ends = Observation::CompactionEnds {
            summary: Some(SUMMARY.to_owned()),
            boundary: None,
        };
        self.0.observe(&ends, Timestamp::UNIX_EPOCH).unwrap();
    }

    fn derived(&self) -> Vec<Finding> {
        self.state().findings
    }
}

#[test]
fn several_items_of_several_sections_are_reviewed_in_one_call() {
    let mut hud = made();
    let before = hud.state();
    let ids = [
        &before.findings[0].id,
        &before.constraints[0].id,
        &before.next_steps[0].id,
        &before.decisions[0].id,
    ];
    assert_eq!(ids, ["f1", "c1", "s1", "d1"]);
    let answer = hud.call(
        "review",
        json!({ "confirm": ["f1", "s1"], "correct": { "d1": "Leaky bucket in limits.rs" }, "drop": ["c1"] }),
    );
    assert_eq!(
        answer,
        json!({ "confirmed": ["f1", "s1"], "corrected": ["d1"], "dropped": ["c1"] })
    );
    let state = hud.state();
    let finding = &state.findings[0];
    assert_eq!((&finding.by, finding.weight), (&Actor::Agent, None));
    assert_eq!(finding.text, before.findings[0].text);
    let decision = &state.decisions[0];
    assert_eq!(
        (&*decision.summary, &decision.by),
        ("Leaky bucket in limits.rs", &Actor::Agent)
    );
    let step: &Step = &state.next_steps[0];
    assert!(!step.summarised, "the next summary leaves it");
    assert_eq!(state.constraints, []);
}

#[test]
fn what_is_dropped_or_corrected_is_not_derived_again_from_the_same_words() {
    let mut hud = made();
    hud.call(
        "review",
        json!({ "drop": ["f1", "c1", "s1"], "correct": { "d1": "Leaky bucket" } }),
    );
    hud.says(CAUSE);
    hud.compacts();
    let state = hud.state();
    assert_eq!(
        (&state.findings, &state.constraints, &state.next_steps),
        (&vec![], &vec![], &vec![])
    );
    let decisions: Vec<_> = state.decisions.iter().map(|made| &*made.summary).collect();
    assert_eq!(decisions, ["Leaky bucket"]);
    // Other words are another thing.
    hud.says("Found it: the root cause is that `rows.rs` counts the header row twice.");
    assert_eq!(hud.derived().len(), 1);
    // The agent itself may say it again.
    let text = before_drop();
    hud.call("findings.record", json!({ "text": text }));
    assert!(hud.derived().iter().any(|finding| finding.text == text));
}

fn before_drop() -> String {
    made().derived().remove(0).text
}

#[test]
fn an_item_is_named_by_the_words_that_it_begins_with() {
    let mut hud = made();
    let rule = hud.state().constraints[0].text.clone();
    let first: String = rule.chars().take(9).collect();
    let answer = hud.call("review", json!({ "drop": [first.to_uppercase()] }));
    assert_eq!(answer, json!({ "dropped": [first.to_uppercase()] }));
    assert_eq!(hud.state().constraints, []);
    hud.call("notes.add", json!({ "content": "tests need `redis` 7" }));
    hud.call(
        "notes.add",
        json!({ "content": "tests need redis at 6379" }),
    );
    let several = hud.refusal("review", json!({ "drop": ["tests need redis"] }));
    assert!(
        several.contains("several items begin with `tests need redis`: n1, n2"),
        "{several}"
    );
    let one = hud.call(
        "review",
        json!({ "correct": { "tests  need redis 7": "tests need redis 8" } }),
    );
    assert_eq!(one["corrected"], json!(["tests  need redis 7"]));
    // Two letters name nothing.
    hud.refusal("review", json!({ "drop": ["te"] }));
}

#[test]
fn what_the_operations_of_the_sections_remove_is_not_derived_again_either() {
    let mut hud = made();
    hud.call("findings.remove", json!({ "id": "f1" }));
    hud.says(CAUSE);
    assert_eq!(hud.derived(), []);
}

#[test]
fn each_bad_id_has_its_reason_and_the_others_are_reviewed() {
    let mut hud = made();
    hud.call("files.add", json!({ "path": "a.rs" }));
    let answer = hud.call(
        "review",
        json!({
            "confirm": ["f1", "f1", "x9", "d1"],
            "correct": { "s1": " \n" },
            "drop": ["d1", "a.rs", "c1"],
        }),
    );
    assert_eq!(
        (&answer["confirmed"], &answer["dropped"]),
        (&json!(["f1"]), &json!(["c1"]))
    );
    let refused = serde_json::to_string_pretty(&answer["refused"]).unwrap();
    insta::assert_snapshot!(refused);
    let state = hud.state();
    assert_eq!(state.decisions[0].by, Actor::Summary, "it is as it was");
}

#[test]
fn a_call_of_which_nothing_can_be_done_is_refused() {
    let mut hud = Made::new();
    insta::assert_snapshot!(hud.refusal("review", json!({})), @r#"`review`: it names nothing: say which, for example {"confirm":["f1","d2"],"correct":{"f3":"The key lacks the tenant"},"drop":["f4"]}"#);
    insta::assert_snapshot!(hud.refusal("review", json!({ "drop": ["f1"] })), @"`review`: there is no item `f1`, and no other");
    let one = hud.refusal("review", json!({ "confirm": "f1" }));
    assert!(
        one.contains("expected a sequence") && one.contains("for example"),
        "{one}"
    );
}

#[test]
fn what_is_settled_is_unchanged_and_what_is_the_agents_own_is_rewritten() {
    let mut hud = made();
    hud.call("notes.add", json!({ "content": "redis" }));
    hud.call("review", json!({ "confirm": ["f1"] }));
    let version = hud.state().version;
    let answer = hud.call("review", json!({ "confirm": ["f1", "n1"] }));
    assert_eq!(answer, json!({ "unchanged": ["f1", "n1"] }));
    assert_eq!(hud.state().version, version);
    hud.call(
        "review",
        json!({ "correct": { "n1": "redis 7" }, "drop": ["f1"] }),
    );
    let state = hud.state();
    assert_eq!(
        (&*state.notes[0].content, state.findings.len()),
        ("redis 7", 0)
    );
    assert_eq!(state.dropped, [], "what was the agent's own may be derived");
}
