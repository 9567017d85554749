//! What was derived, and what the agent makes its own.

use hud_store::event::Actor;

use super::*;
use hud_observe::observation::Observation;

/// What the agent says in a session, and what is derived from it.
pub(super) const CAUSE: &str =
    "Found it: the root cause is that the cache key in `cache.rs` lacks the tenant id.";

impl Made {
    pub(super) fn says(&mut self, text: &str) {
        let text = text.to_owned();
        let said = Observation::Agent { text };
        self.0.observe(&said, Timestamp::UNIX_EPOCH).unwrap();
    }
}

#[test]
fn what_the_agent_records_takes_the_place_of_what_was_derived() {
    let mut hud = Made::new();
    hud.says(CAUSE);
    let derived = hud.state().findings;
    assert_eq!((derived.len(), &derived[0].by), (1, &Actor::Derived));
    let text = "The cache key in cache.rs lacks the tenant id";
    hud.call("findings.record", json!({ "text": text }));
    let findings = hud.state().findings;
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!((&*findings[0].text, &findings[0].by), (text, &Actor::Agent));
    // Said again, it is known.
    hud.says(CAUSE);
    assert_eq!(hud.state().findings, findings);
}

#[test]
fn the_same_words_make_what_was_derived_the_agents_own() {
    let mut hud = Made::new();
    hud.says(CAUSE);
    let derived = hud.state().findings.remove(0);
    let answer = hud.call("findings.record", json!({ "text": derived.text }));
    assert_eq!(answer, json!({ "id": derived.id }));
    let findings = hud.state().findings;
    assert_eq!((findings.len(), &findings[0].by), (1, &Actor::Agent));
    assert_eq!(findings[0].weight, None, "it weighs what is recorded");
    let again = hud.call("findings.record", json!({ "text": derived.text }));
    assert_eq!(again["unchanged"], json!(true));
}

#[test]
fn what_the_agent_noted_is_not_derived_beside_the_note() {
    let mut hud = Made::new();
    let note = "Root cause: the cache key in `cache.rs` lacks the tenant id.";
    hud.call("notes.add", json!({ "content": note }));
    hud.says(CAUSE);
    assert_eq!(hud.state().findings, []);
}
