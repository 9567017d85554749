//! A plan that the agent writes into its text is on the HUD, as long as it may hold.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests may fail like the tests themselves"
)]

use hud_agent::replay::Replay;
use hud_clients::transcript::Entry;
use hud_observe::action::{Action, PlannedStep};
use hud_observe::observation::{Actions, Observation};
use hud_store::event::SessionId;
use hud_store::state::StepStatus::{self, Completed, InProgress, Pending};

const PLAN: &str =
    "Here is my plan:\n\n1. Read `cache.rs`\n2. Add the tenant to the key\n3. Run the tests\n";

struct Agent(Replay);

impl Agent {
    /// One that was asked for something and has said this.
    fn saying(said: &[&str]) -> Self {
        let mut agent = Self(Replay::new(SessionId::new("s").unwrap()));
        let text = "Please mend the cache, it mixes up tenants".to_owned();
        agent.sees(Observation::User { text });
        for text in said {
            agent.sees(Observation::ModelCall);
            let text = (*text).to_owned();
            agent.sees(Observation::Agent { text });
        }
        agent
    }

    fn sees(&mut self, observation: Observation) {
        self.0.observe(Entry {
            place: 1,
            key: "k".to_owned(),
            at: None,
            bytes: 0,
            observation,
        });
    }

    fn steps(&self) -> Vec<(&str, StepStatus)> {
        let steps = self.0.state().next_steps.iter();
        steps
            .map(|step| (&*step.description, step.status))
            .collect()
    }
}

#[test]
fn the_steps_of_a_plan_move_on_as_the_text_says() {
    let (read, add, run) = (
        "Read cache.rs",
        "Add the tenant to the key",
        "Run the tests",
    );
    for (said, steps) in [
        (
            &[PLAN][..],
            [(read, Pending), (add, Pending), (run, Pending)],
        ),
        (
            &[PLAN, "**Step 2:** the key"],
            [(read, Completed), (add, InProgress), (run, Pending)],
        ),
        (
            &[PLAN, "Step 1 is done.\n\nLet me see the key."],
            [(read, Completed), (add, Pending), (run, Pending)],
        ),
        (
            &[
                PLAN,
                "- [x] Read `cache.rs`\n- [x] Add the tenant to the key\n- [ ] Run the tests",
            ],
            [(read, Completed), (add, Completed), (run, Pending)],
        ),
        // A text of a tool's or of somebody else's steps is no plan of this one.
        (
            &[PLAN, "> Step 3: delete it\n\n```\nStep 3\n```"],
            [(read, Pending), (add, Pending), (run, Pending)],
        ),
    ] {
        assert_eq!(Agent::saying(said).steps(), steps, "{said:?}");
    }
}

#[test]
fn another_plan_takes_the_place_of_the_one_before_and_keeps_what_it_has_of_it() {
    let other = PLAN.replace("Run the tests", "Run the linter");
    let agent = Agent::saying(&[PLAN, &other]);
    let steps = agent.steps();
    assert_eq!(steps.len(), 3, "{steps:?}");
    assert_eq!(steps[2], ("Run the linter", Pending));
}

#[test]
fn a_plan_leaves_with_the_first_sign_that_it_is_over() {
    let said_done = Agent::saying(&[
        PLAN,
        "All tests pass now. The cache is keyed by tenant, and I'm done.",
    ]);
    assert_eq!(said_done.steps(), [], "the agent is done");

    let mut other = Agent::saying(&[PLAN]);
    let steps = vec![PlannedStep {
        description: "Measure it".to_owned(),
        progress: None,
    }];
    other.sees(Observation::ToolCall {
        call: "c".to_owned(),
        actions: Action::SetPlan { steps }.into(),
    });
    assert_eq!(other.steps().len(), 3, "the tool has not answered yet");
    other.sees(Observation::ToolResult {
        call: "c".to_owned(),
        actions: Actions::default(),
        content: String::new(),
        is_error: false,
        not_run: None,
        task: None,
        change: None,
    });
    assert_eq!(
        other.steps(),
        [("Measure it", Pending)],
        "it plans with a tool"
    );

    let mut silent = Agent::saying(&[PLAN]);
    for _ in 0..20 {
        silent.sees(Observation::ModelCall);
    }
    assert_eq!(silent.steps(), [], "nothing was said of it for long");

    let mut asked = Agent::saying(&[PLAN]);
    let text = "Never mind, forget it.".to_owned();
    asked.sees(Observation::User { text });
    assert_eq!(asked.steps(), [], "the user wants it no more");
}
