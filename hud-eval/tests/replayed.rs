//! What a recorded session is shown to lose, and what it lost when it ran.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_agent::compaction::{Message, Role};
use hud_agent::prune::Output;
use hud_agent::prune::rule::Pressure;
use hud_agent::session::Session;
use hud_agent::settings::Settings;
use hud_clients::transcript::Entry;
use hud_eval::peers::ByNeed;
use hud_eval::simulate::{Prices, Subject, simulate};
use hud_eval::trace::Trace;
use hud_observe::action::Action;
use hud_observe::observation::{Actions, Observation};
use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use jiff::Timestamp;
use serde_json::json;

/// A session that runs, and what a client records of it meanwhile.
struct Running {
    session: Session<MemoryLog>,
    messages: Vec<Message>,
    contents: Vec<(String, String)>,
    recorded: Vec<Entry>,
    seconds: i64,
    /// Tokens in the context, of 100,000.
    used: u64,
    left: Vec<Vec<String>>,
}

impl Running {
    fn new(used: u64) -> Self {
        let id = SessionId::new("s").unwrap();
        let mut running = Self {
            session: Session::open(MemoryLog::new(), id).unwrap(),
            messages: vec![message("u0", Role::User)],
            contents: Vec::new(),
            recorded: Vec::new(),
            seconds: 1_750_000_000,
            used,
            left: Vec::new(),
        };
        running.happens(Observation::User {
            text: "Build the harbor".into(),
        });
        running
    }

    fn at(&self) -> Timestamp {
        Timestamp::from_second(self.seconds).unwrap()
    }

    fn happens(&mut self, observation: Observation) {
        let at = self.at();
        self.session.observe(&observation, at).unwrap();
        self.recorded.push(Entry {
            place: 1,
            key: format!("k{}", self.recorded.len()),
            at: Some(at),
            bytes: 0,
            observation,
        });
    }

    /// The user comes back when every cache has forgotten.
    fn pauses(&mut self) {
        self.seconds += 900;
        self.happens(Observation::User {
            text: "Go on".into(),
        });
        let n = self.messages.len();
        self.messages.push(message(&format!("u{n}"), Role::User));
    }

    /// A request that is answered with a call, which has its result a second later.
    fn calls(&mut self, action: Action, content: &str) {
        self.leaves();
        self.happens(Observation::ModelCall);
        let n = self.messages.len();
        let call = format!("c{n}");
        self.happens(Observation::ToolCall {
            call: call.clone(),
            actions: action.into(),
        });
        // The client says so of each call, and nothing is learned of how long a token is.
        let usage =
            json!({ "type": "usage", "input": self.used, "window": { "context": 100_000 } });
        self.happens(serde_json::from_value(usage).unwrap());
        self.seconds += 1;
        self.happens(Observation::ToolResult {
            call: call.clone(),
            actions: Actions::default(),
            content: content.into(),
            is_error: false,
            not_run: None,
            task: None,
            change: None,
        });
        let mut answer = message(&format!("m{n}"), Role::Assistant);
        answer.outputs.push(Output {
            call: call.clone(),
            tool: "read".to_owned(),
            chars: content.chars().count() as u64,
            pruned: false,
        });
        self.messages.push(answer);
        self.contents.push((call, content.to_owned()));
    }

    /// What leaves before a request.
    fn leaves(&mut self) {
        let at = self.at();
        let settings = Settings::default();
        let trimmed = self.session.trim(&self.messages, at, &settings);
        let leaving: Vec<String> = (trimmed.leaving.iter())
            .map(|call| (*call).to_owned())
            .collect();
        for call in &leaving {
            let (_, content) = self
                .contents
                .iter()
                .find(|(known, _)| known == call)
                .unwrap();
            let leaves = Observation::OutputLeaves {
                call: Some(call.clone()),
                tool: "read".into(),
                target: None,
                content: content.clone(),
            };
            self.session.observe(&leaves, at).unwrap();
        }
        self.left.push(leaving);
    }
}

fn message(id: &str, role: Role) -> Message {
    Message {
        id: id.to_owned(),
        role,
        compacts: false,
        summarises: None,
        outputs: Vec::new(),
    }
}

fn code(name: &str, lines: usize) -> String {
    let line = |line| format!("{line:6}→    work({name}, {line});\n");
    (1..=lines).map(line).collect()
}

#[test]
fn a_recorded_session_is_shown_to_lose_what_it_lost_when_it_ran() {
    for (used, pressure) in [
        (20_000, Pressure::Safe),
        (75_000, Pressure::Moderate),
        (89_000, Pressure::High),
    ] {
        let mut running = Running::new(used);
        for turn in 0..60_usize {
            running.seconds += 20;
            if turn % 25 == 24 {
                running.pauses();
            }
            let path = format!("/p/src/file_{}.rs", turn % 11);
            match turn % 5 {
                0 | 1 => running.calls(Action::read(&path), &code(&path, 700)),
                2 => {
                    let look = Action::Look {
                        tool: "Grep".into(),
                        target: Some(format!("limiter_{turn}")),
                    };
                    running.calls(look, &code("found", 200));
                }
                3 => running.calls(Action::edit(&path), "done"),
                _ => {
                    let command = format!("make case_{turn}");
                    running.calls(Action::Run { command }, &code("ran", 120));
                }
            }
        }
        let subject = Subject::new(Trace::of(running.recorded));
        let mut policy = ByNeed::new(Settings::default().prune, pressure);
        let (steps, _) = simulate(&subject, &mut policy, &Prices::default());
        let shown: Vec<Vec<String>> = (steps.iter())
            .map(|step| {
                let calls = step
                    .left
                    .iter()
                    .map(|output| &subject.trace.outputs[*output].call);
                calls.cloned().collect()
            })
            .collect();
        assert!(
            running.left.concat().len() > 10,
            "{pressure:?}: {:?}",
            running.left
        );
        assert_eq!(running.left, shown, "{pressure:?}");
    }
}
