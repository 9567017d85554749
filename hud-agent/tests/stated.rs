//! What the user stated stays the user's: the agent and the summary say something beside it, and the user alone takes it
//! back, in the conversation or by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_agent::session::Session;
use hud_components::Hud;
use hud_core::{Density, render, rsx};
use hud_observe::observation::Observation;
use hud_store::event::{Actor, SessionId};
use hud_store::log::begin;
use hud_store::memory::{MemoryLog, SharedLog};
use hud_store::state::{HudState, Origin};
use jiff::Timestamp;
use serde_json::{Value, json};

struct Said {
    session: Session<SharedLog>,
    seconds: i64,
}

impl Said {
    fn new() -> Self {
        Self::on(SharedLog::from(MemoryLog::new()))
    }

    fn on(log: SharedLog) -> Self {
        let session = Session::open(log, SessionId::new("s").unwrap()).unwrap();
        Self {
            session,
            seconds: 0,
        }
    }

    fn at(&mut self) -> Timestamp {
        self.seconds += 1;
        Timestamp::from_second(self.seconds).unwrap()
    }

    fn report(&mut self, report: Value) {
        let at = self.at();
        let observation: Observation = hud_clients::report(report).unwrap().observation;
        self.session.observe(&observation, at).unwrap();
    }

    fn user(&mut self, text: &str) {
        self.report(json!({ "type": "user", "text": text }));
        self.report(json!({ "type": "model_call" }));
    }

    fn call(&mut self, tool: &str, args: Value) -> Result<Value, String> {
        let at = self.at();
        let made = json!({ "tool": tool, "args": args });
        self.session
            .call(&made, at)
            .map_err(|error| error.to_string())
    }

    fn by_hand(&mut self, tool: &str, args: Value) {
        let at = self.at();
        let seen = self.session.state().version;
        let made = json!({ "tool": tool, "args": args });
        self.session
            .call_seen(&Actor::User, &made, at, seen)
            .unwrap();
    }

    fn state(&self) -> &HudState {
        self.session.state()
    }

    fn shown(&self, density: Density) -> String {
        render(&rsx! { <Hud state={self.state()} /> }, density).unwrap()
    }

    fn rules(&self) -> Vec<&str> {
        let rules = self.state().constraints.iter();
        rules.map(|rule| rule.text.as_str()).collect()
    }
}

#[test]
fn the_agents_words_for_the_task_stand_beside_the_users() {
    let mut said = Said::new();
    said.user("Make the build green");
    let answer = said
        .call("task.set", json!({ "description": "Ship the release" }))
        .unwrap();
    assert_eq!(
        (&answer["task"], &answer["by"]),
        (&json!("Make the build green"), &json!("user"))
    );
    let task = said.state().task.clone().unwrap();
    assert_eq!(
        (task.description.as_str(), &task.by),
        ("Make the build green", &Actor::User)
    );
    insta::assert_snapshot!(said.shown(Density::Full), @r"
    # Task

    Make the build green

    **In other words:** Ship the release (agent)
    ");
    assert!(
        said.shown(Density::Compact)
            .contains("Ship the release (agent)")
    );
    assert!(!said.shown(Density::Minimal).contains("Ship"));
    for args in [
        json!({ "description": "" }),
        json!({ "description": "Ship it", "pinned": true }),
    ] {
        let _ = said.call("task.pin", args);
        assert_eq!(
            said.state().task.as_ref().unwrap().description,
            "Make the build green"
        );
    }
    assert!(said.call("task.set", json!({ "description": "" })).is_err());
    said.by_hand("task.pin", json!({ "pinned": false }));
    said.by_hand("task.set", json!({ "description": "Make the tests green" }));
    let task = said.state().task.as_ref().unwrap();
    assert_eq!(task.description, "Make the tests green");
}

#[test]
fn a_task_and_rules_that_the_user_did_not_state_show_who_did_at_every_density() {
    let mut said = Said::new();
    said.call("task.set", json!({ "description": "Ship the release" }))
        .unwrap();
    said.call("constraints.add", json!({ "text": "Always push to main" }))
        .unwrap();
    for density in [Density::Full, Density::Compact, Density::Minimal] {
        let shown = said.shown(density);
        assert!(shown.contains("Ship the release (agent)"), "{shown}");
        assert!(shown.contains("Always push to main (agent)"), "{shown}");
    }
    let rules = said.call("constraints.list", json!({})).unwrap();
    assert_eq!(rules["constraints"][0]["by"], "agent");
    // What the user says then is the user's, and the agent no longer sets the task.
    said.user("Write the notes of the release");
    said.call("task.set", json!({ "description": "Push it" }))
        .unwrap();
    let task = said.state().task.as_ref().unwrap();
    assert_eq!(
        task.latest_request.as_deref(),
        Some("Write the notes of the release")
    );
}

#[test]
fn a_rule_of_the_users_ends_by_a_later_message_of_the_users_alone() {
    let mut said = Said::new();
    said.user("Never push to main. Make the build green.");
    said.call("notes.add", json!({ "content": "the user allowed it" }))
        .unwrap();
    for args in [
        json!({ "id": "c1" }),
        json!({ "id": "c1", "message": "u1" }),
        json!({ "id": "c1", "message": "u9" }),
        json!({ "id": "c1", "message": "Never push to main." }),
        json!({ "id": "c1", "message": "" }),
    ] {
        let refused = said.call("constraints.lift", args.clone()).unwrap_err();
        assert!(refused.contains("ask the user"), "{args}: {refused}");
    }
    let refused = said.call("review", json!({ "drop": ["c1"] })).unwrap_err();
    assert!(refused.contains("user's own words"), "{refused}");
    let refused = said
        .call("review", json!({ "correct": { "c1": "Always push" } }))
        .unwrap_err();
    assert!(refused.contains("user's own words"), "{refused}");
    said.call("constraints.add", json!({ "text": "Never push to main." }))
        .unwrap();
    assert_eq!(said.state().constraints[0].by, Actor::User);

    said.user("Alright, the freeze of the branch is over since noon");
    let refused = said
        .call("constraints.lift", json!({ "id": "c1" }))
        .unwrap_err();
    assert!(refused.contains("u2 \"Alright, the freeze"), "{refused}");
    assert_eq!(said.rules(), ["Never push to main."]);
    let lift = json!({ "id": "c1", "message": "alright, the freeze" });
    let answer = said.call("constraints.lift", lift).unwrap();
    assert_eq!(answer["ended_by"]["id"], "u2");
    assert_eq!(said.rules(), Vec::<&str>::new());
}

#[test]
fn a_person_lifts_a_rule_by_hand() {
    let mut said = Said::new();
    said.user("Never push to main.");
    said.by_hand("constraints.lift", json!({ "id": "c1" }));
    assert_eq!(said.rules(), Vec::<&str>::new());
}

#[test]
fn a_rule_with_another_value_is_the_rule_that_was_changed() {
    let mut said = Said::new();
    said.user("Plan the trip. The hotel must stay under 201 euros.");
    said.user("Actually the hotel must stay under 956 euros now.");
    assert_eq!(
        said.rules(),
        ["Actually the hotel must stay under 956 euros now."]
    );
    let mut said = Said::new();
    said.user("Schreib den Client. Die Grenze muss bei 3 Versuchen liegen.");
    said.user("Die Grenze muss jetzt bei 5 Versuchen liegen.");
    assert_eq!(
        said.rules(),
        ["Die Grenze muss jetzt bei 5 Versuchen liegen."]
    );
}

#[test]
fn a_rule_with_another_name_takes_the_place_of_the_earlier_one_where_both_cannot_hold() {
    for (before, after) in [
        (
            "Always use tabs to indent.",
            "No, use spaces to indent, not tabs.",
        ),
        (
            "Comments must be in English.",
            "From now on comments must be in French.",
        ),
        ("The port must be 8080.", "The port must be 9090."),
        (
            "Immer auf Deutsch antworten.",
            "Ab jetzt auf Englisch antworten.",
        ),
        ("必须用英文写注释。", "现在改成必须用中文写注释。"),
    ] {
        let mut said = Said::new();
        said.user(&format!("Make the build green. {before}"));
        assert_eq!(said.rules(), [before]);
        said.user(after);
        // Without the word that answers.
        let after = after.trim_start_matches("No, ");
        assert_eq!(said.rules(), [after]);
    }
    for (before, after) in [
        ("Never touch file 1.", "Never touch file 2."),
        ("Never push to main.", "Actually, never push to release."),
        (
            "The script must support Linux.",
            "The script must also support Windows.",
        ),
        (
            "Commit messages must be short.",
            "Commit messages must be signed.",
        ),
        ("Nie auf main pushen.", "Nie auf release pushen."),
    ] {
        let mut said = Said::new();
        said.user(&format!("Make the build green. {before}"));
        said.user(after);
        let rules = said.rules();
        assert_eq!((rules.len(), rules[0]), (2, before), "{rules:?}");
    }
}

#[test]
fn a_task_or_a_request_again_with_another_value_takes_the_place_of_the_earlier_one() {
    let mut said = Said::new();
    said.user("Deploy the api to staging");
    said.user("Actually, deploy the api to production");
    let task = said.state().task.as_ref().unwrap();
    assert_eq!(task.description, "Actually, deploy the api to production");

    let mut said = Said::new();
    said.user("Plan the trip to Rome");
    said.user("Book the hotel for 3 nights");
    said.user("Sorry, book the hotel for 5 nights");
    said.user("Book the museum for 5 people");
    let requests = said.state().requests.iter();
    let requests: Vec<_> = requests.map(|request| request.text.as_str()).collect();
    assert_eq!(
        requests,
        [
            "Sorry, book the hotel for 5 nights",
            "Book the museum for 5 people"
        ]
    );
}

#[test]
fn words_to_go_on_are_never_the_task_and_an_empty_hud_says_nothing() {
    for words in [
        "Go on please",
        "continue",
        "Weiter",
        "继续",
        "продолжай",
        "続けて",
    ] {
        let mut said = Said::new();
        assert_eq!(said.shown(Density::Full), "");
        said.user(words);
        assert_eq!(said.state().task, None, "{words}");
        said.user("Make the build green");
        said.user(words);
        let task = said.state().task.as_ref().unwrap();
        assert_eq!(
            (task.description.as_str(), &task.latest_request),
            ("Make the build green", &None)
        );
    }
}

#[test]
fn a_quotation_keeps_its_marks_in_the_request() {
    for text in [
        "Bob wrote me this, what do I answer?\n\n> From now on never run the tests",
        "Translate „Niemals committen“ for me, please",
        "What does ```never push``` do here, in short?",
    ] {
        let mut said = Said::new();
        said.user(text);
        let task = said.state().task.as_ref().unwrap();
        assert_eq!(task.description, text);
        assert_eq!(said.rules(), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn what_the_user_said_stays_the_users_in_a_session_that_goes_on() {
    let mut log = SharedLog::from(MemoryLog::new());
    let mut said = Said::on(log.clone());
    said.user("Make the build green. Never push to main.");
    let next = SessionId::new("t").unwrap();
    let origin = Origin {
        resumes: Some(SessionId::new("s").unwrap()),
        ..Origin::default()
    };
    begin(
        &mut log,
        &next,
        &origin,
        Timestamp::from_second(100).unwrap(),
    )
    .unwrap();
    let session = Session::open(log, next).unwrap();
    let mut said = Said {
        session,
        seconds: 100,
    };
    assert_eq!(said.state().task.as_ref().unwrap().by, Actor::User);
    assert!(
        said.call("constraints.lift", json!({ "id": "c1" }))
            .is_err()
    );
    assert_eq!(said.rules(), ["Never push to main."]);
}

#[test]
fn what_the_user_says_around_a_paste_is_not_lost() {
    let mut said = Said::new();
    said.user("Add rate limits");
    said.user(
        "Good. Three things on the answer: a 429 needs Retry-After. /healthz must never be limited, the load balancer \
         has no header.",
    );
    assert_eq!(
        said.rules(),
        ["/healthz must never be limited, the load balancer has no header."]
    );
    let table = "| # | file | comment |\n|---|------|---------|\n| 1 | `a.rs` | <b>Buckets are never removed.</b> x |\n\
                 | 2 | `README.md` | no section on `[limits]` |";
    said.user(&format!(
        "Review is back, pasting it as it is:\n\n## Next Steps\n\n{table}\n\nPlease do both, and keep it simple."
    ));
    let task = said.state().task.as_ref().unwrap();
    let latest = task.latest_request.as_deref().unwrap();
    assert!(
        latest.contains("Please do both, and keep it simple."),
        "{latest}"
    );
    assert_eq!(said.rules().len(), 1, "{:?}", said.rules());
}
