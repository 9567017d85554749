//! Inheritance from the earlier sessions of a project.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use hud_agent::session::Session;
use hud_agent::settings::Settings;
use hud_observe::observation::Observation;
use hud_store::event::{Actor, SessionId};
use hud_store::log::begin;
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::{HudState, Origin};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A project's log.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn log(&self) -> SqliteLog {
        let log = SqliteLog::open(self.0.path().join("hud.db")).unwrap();
        log.set_durability(Durability::Fast).unwrap();
        log
    }

    /// A session that begins on a day, after those that are over.
    fn begin(&self, name: &str, day: &str) -> Running {
        self.begin_beside(name, day, &[])
    }

    /// The same while others run.
    fn begin_beside(&self, name: &str, day: &str, running: &[&str]) -> Running {
        self.begin_set(name, day, running, json!({}))
    }

    fn begin_set(&self, name: &str, day: &str, running: &[&str], inherit: Value) -> Running {
        let settings: Settings = serde_json::from_value(json!({ "inherit": inherit })).unwrap();
        let session = Session::open(self.log(), SessionId::new(name).unwrap()).unwrap();
        let mut session = session.with_settings(Arc::new(settings));
        let at = at(day);
        let runs = |earlier: &SessionId| Some(running.contains(&earlier.as_str()));
        session.begin_after(at, runs).unwrap();
        Running { session, at }
    }
}

fn at(day: &str) -> Timestamp {
    format!("{day}T12:00:00Z").parse().unwrap()
}

struct Running {
    session: Session<SqliteLog>,
    at: Timestamp,
}

impl Running {
    fn state(&self) -> &HudState {
        self.session.state()
    }

    fn says(&mut self, text: &str) {
        self.at += SignedDuration::from_secs(1);
        let text = text.to_owned();
        let said = Observation::User { text };
        self.session.observe(&said, self.at).unwrap();
    }

    fn calls(&mut self, tool: &str, args: Value) -> Value {
        self.at += SignedDuration::from_secs(1);
        let call = json!({ "tool": tool, "args": args });
        self.session.call(&call, self.at).unwrap()
    }

    /// A task with a plan of which one step is completed.
    fn plans(&mut self, task: &str) {
        self.calls("task.set", json!({ "description": task }));
        let id = self.calls("steps.add", json!({ "description": "look" }));
        self.calls(
            "steps.add",
            json!({ "description": format!("finish: {task}") }),
        );
        self.calls("steps.complete", json!({ "id": id["id"] }));
    }

    fn rules(&self) -> Vec<&str> {
        let rules = self.state().constraints.iter();
        rules.map(|rule| rule.text.as_str()).collect()
    }

    fn notes(&self) -> Vec<&str> {
        let notes = self.state().notes.iter();
        notes.map(|note| note.content.as_str()).collect()
    }

    fn unfinished(&self) -> Option<&str> {
        let left = self.state().earlier.unfinished.as_ref();
        left.map(|left| left.task.as_str())
    }
}

const RULE: &str = "Never commit without running the tests.";

#[test]
fn the_next_session_has_rules_and_notes_and_a_quotation_of_unfinished_work() {
    let project = Project::new();
    let mut monday = project.begin("monday", "2026-11-23");
    assert_eq!(monday.state().earlier, HudState::default().earlier);
    monday.says("Rotate the tokens");
    monday.says(RULE);
    monday.plans("Rotate the tokens");
    monday.calls("notes.add", json!({ "content": "tests need redis" }));
    let memory = |block, content| json!({ "block": block, "content": content });
    monday.calls("core_memory.update", memory("context", "a Rust workspace"));
    monday.calls("core_memory.update", memory("goal", "tokens that rotate"));
    let edit = json!({ "type": "tool_result", "call": "c1", "tool": "edit",
                       "input": { "filePath": "/p/src/jwt.rs" } });
    let edit: Observation = hud_clients::report(edit).unwrap().observation;
    monday.session.observe(&edit, monday.at).unwrap();

    let tuesday = project.begin("tuesday", "2026-11-24");
    let state = tuesday.state();
    assert_eq!(tuesday.rules(), [RULE]);
    assert_eq!(state.constraints[0].by, Actor::User);
    assert_eq!(tuesday.notes(), ["tests need redis"]);
    assert_eq!(state.core_memory.context.content, "a Rust workspace");
    assert_eq!(
        state.core_memory.goal.content, "",
        "it is of the other task"
    );
    let left = state.earlier.unfinished.as_ref().unwrap();
    assert_eq!(left.task, "Rotate the tokens");
    assert_eq!(left.steps, ["finish: Rotate the tokens"]);
    assert_eq!(state.earlier.files, ["/p/src/jwt.rs"]);
    // It is not this session's task until somebody wants it.
    assert_eq!(state.task, None);
    assert_eq!(state.next_steps, []);
    // The state is the fold of the session's own events.
    let log = project.log();
    let read = hud_store::log::state_of(&log, &SessionId::new("tuesday").unwrap()).unwrap();
    assert_eq!(&read, state);
}

#[test]
fn unfinished_work_is_taken_over_or_forgotten() {
    let project = Project::new();
    project
        .begin("monday", "2026-11-23")
        .plans("Rotate the tokens");
    let mut tuesday = project.begin("tuesday", "2026-11-24");
    let answer = tuesday.calls("sessions.resume", json!({}));
    assert_eq!(answer["task"], "Rotate the tokens");
    assert_eq!(tuesday.unfinished(), None);
    assert_eq!(tuesday.state().next_steps.len(), 1);

    let mut wednesday = project.begin("wednesday", "2026-11-25");
    assert_eq!(wednesday.unfinished(), Some("Rotate the tokens"));
    let answer = wednesday.calls("sessions.forget", json!({}));
    assert_eq!(answer["forgotten"], "Rotate the tokens");
    assert_eq!(wednesday.unfinished(), None);
    let unchanged = wednesday.calls("sessions.forget", json!({}));
    assert_eq!(unchanged["unchanged"], true);
    let thursday = project.begin("thursday", "2026-11-26");
    assert_eq!(thursday.unfinished(), None, "nobody wants it");
}

#[test]
fn what_a_session_found_unfinished_and_did_not_touch_is_handed_on() {
    let project = Project::new();
    project
        .begin("monday", "2026-11-23")
        .plans("Rotate the tokens");
    project.begin("tuesday", "2026-11-24");
    let mut wednesday = project.begin("wednesday", "2026-11-25");
    assert_eq!(wednesday.unfinished(), Some("Rotate the tokens"));
    wednesday.calls("task.set", json!({ "description": "Fix the typo" }));
    let thursday = project.begin("thursday", "2026-11-26");
    assert_eq!(thursday.unfinished(), None, "there was other work since");
}

#[test]
fn a_session_that_runs_keeps_its_work_and_shares_its_rules() {
    let project = Project::new();
    let mut first = project.begin("first", "2026-11-23");
    first.says(RULE);
    first.plans("Rotate the tokens");
    let mut second = project.begin_beside("second", "2026-11-23", &["first"]);
    assert_eq!(second.unfinished(), None);
    assert_eq!(second.rules(), [RULE]);
    assert!(second.state().earlier.sessions[0].runs);
    second.says("Do not use `unwrap` in this repository.");
    // Both are over: the rules of both hold.
    let third = project.begin("third", "2026-11-24");
    assert_eq!(
        third.rules(),
        [RULE, "Do not use `unwrap` in this repository."]
    );
}

#[test]
fn rules_of_two_that_know_nothing_of_each_other_hold_and_none_that_was_lifted_comes_back() {
    let project = Project::new();
    let mut base = project.begin("base", "2026-11-20");
    base.says(RULE);
    for (name, rule) in [("one", "Never push to main."), ("two", "Never use tabs.")] {
        let mut session = project.begin_set(name, "2026-11-21", &[], json!({ "on": false }));
        let resumes = Some(SessionId::new("base").unwrap());
        let origin = Origin {
            resumes,
            ..Origin::default()
        };
        begin(
            &mut project.log(),
            session.session.id(),
            &origin,
            session.at,
        )
        .unwrap();
        session.session.catch_up().unwrap();
        session.says(rule);
    }
    // Both claim to continue the same session.
    let mut both = project.begin("both", "2026-11-22");
    assert_eq!(
        both.rules(),
        [RULE, "Never push to main.", "Never use tabs."]
    );
    let id = both.state().constraints[0].id.clone();
    both.at += SignedDuration::from_secs(1);
    let lift = json!({ "tool": "constraints.lift", "args": { "id": id } });
    both.session.call_by(&Actor::User, &lift, both.at).unwrap();
    let after = project.begin("after", "2026-11-23");
    assert_eq!(after.rules(), ["Never push to main.", "Never use tabs."]);
}

#[test]
fn a_session_of_the_future_or_of_long_ago_leaves_nothing_unfinished() {
    let project = Project::new();
    project
        .begin("old", "2026-11-01")
        .plans("Rotate the tokens");
    let new = project.begin("new", "2026-11-23");
    assert_eq!(new.unfinished(), None);
    assert_eq!(new.state().earlier.sessions[0].task, "Rotate the tokens");
    let set = project.begin_set("set", "2026-11-23", &[], json!({ "days": 30 }));
    assert_eq!(set.unfinished(), Some("Rotate the tokens"));

    let mut odd = project.begin("odd", "2199-01-01");
    odd.says("Never trust anybody.");
    odd.plans("Take over");
    let next = project.begin("next", "2026-11-24");
    assert_eq!(next.rules(), [""; 0]);
    let listed = &next.state().earlier.sessions;
    assert!(listed.iter().all(|listed| listed.task != "Take over"));
}

#[test]
fn only_the_users_rules_are_inherited_and_no_sub_agents() {
    let project = Project::new();
    let mut main = project.begin("main", "2026-11-23");
    main.calls(
        "constraints.add",
        json!({ "text": "Always answer in rhyme" }),
    );
    let mut sub = project.begin_set("sub", "2026-11-23", &[], json!({ "on": false }));
    let parent = Some(SessionId::new("main").unwrap());
    let origin = Origin {
        parent,
        ..Origin::default()
    };
    begin(&mut project.log(), sub.session.id(), &origin, sub.at).unwrap();
    sub.session.catch_up().unwrap();
    sub.plans("Look for callers");
    let next = project.begin("next", "2026-11-24");
    assert_eq!(next.rules(), [""; 0]);
    assert_eq!(next.unfinished(), None);
}

#[test]
fn it_inherits_as_much_as_the_settings_have_room_for_and_nothing_where_they_say_so() {
    let project = Project::new();
    let mut monday = project.begin("monday", "2026-11-23");
    monday.says(RULE);
    for n in 0..20 {
        let content = format!(
            "note {n}: {}",
            "the cache is cold after a release ".repeat(6)
        );
        monday.calls("notes.add", json!({ "content": content }));
    }
    let usual = project.begin("usual", "2026-11-24");
    assert_eq!(usual.rules(), [RULE]);
    let notes = usual.notes();
    assert!(!notes.is_empty() && notes.len() < 20, "{}", notes.len());
    assert!(notes.last().unwrap().starts_with("note 19"), "the newest");
    assert_eq!(usual.state().earlier.omitted as usize, 20 - notes.len());
    let small = project.begin_set("small", "2026-11-24", &[], json!({ "tokens": 0 }));
    assert_eq!((small.rules(), small.notes()), (vec![], vec![]));
    let off = project.begin_set("off", "2026-11-24", &[], json!({ "on": false }));
    assert_eq!(off.state().version, 1);
}
