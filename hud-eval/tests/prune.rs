//! What was needed of what tools said, and what policies would have left of it.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that cannot go on has failed; shares are exact here"
)]

use hud_agent::prune::rule::Pressure;
use hud_agent::settings::Settings;
use hud_clients::transcript::Entry;
use hud_eval::need::Kind;
use hud_eval::peers::{AtEntry, ByNeed, Newest, Opencode, Oracle};
use hud_eval::simulate::{Figures, Policy, Prices, Step, Subject, simulate};
use hud_eval::trace::Trace;
use hud_observe::action::Action;
use hud_observe::observation::{Actions, Observation, Usage};
use jiff::Timestamp;
use proptest::prelude::*;

/// A recording that is written down line by line; a minute lies between two of its requests.
#[derive(Default)]
struct Story {
    entries: Vec<Entry>,
    calls: u64,
    seconds: i64,
}

impl Story {
    fn observe(&mut self, observation: Observation) {
        self.entries.push(Entry {
            place: 1,
            key: format!("k{}", self.entries.len()),
            at: Timestamp::from_second(self.seconds).ok(),
            bytes: 0,
            observation,
        });
    }

    fn user(&mut self, text: &str) -> &mut Self {
        self.observe(Observation::User { text: text.into() });
        self
    }

    /// A request that is answered with a text.
    fn says(&mut self, text: &str) -> &mut Self {
        self.seconds += 60;
        self.observe(Observation::ModelCall);
        self.observe(Observation::Agent { text: text.into() });
        self
    }

    /// A request that is answered with a call, and its result.
    fn calls(&mut self, action: Action, arguments: &[&str], content: &str) -> &mut Self {
        self.seconds += 60;
        self.calls += 1;
        let call = format!("c{}", self.calls);
        self.observe(Observation::ModelCall);
        self.observe(Observation::Arguments {
            texts: arguments.iter().map(|text| (*text).to_owned()).collect(),
        });
        self.observe(Observation::ToolCall {
            call: call.clone(),
            actions: action.into(),
        });
        self.observe(Observation::ToolResult {
            call,
            actions: Actions::default(),
            content: content.into(),
            is_error: false,
            not_run: None,
            task: None,
            change: None,
        });
        self
    }

    fn reads(&mut self, path: &str, content: &str) -> &mut Self {
        self.calls(Action::read(path), &[path], content)
    }

    fn waits(&mut self, seconds: i64) -> &mut Self {
        self.seconds += seconds;
        self
    }

    fn subject(&self) -> Subject {
        Subject::new(Trace::of(self.entries.clone()))
    }
}

fn tried(subject: &Subject, policy: &mut dyn Policy) -> (Vec<Step>, Figures) {
    simulate(subject, policy, &Prices::default())
}

fn by_need(pressure: Pressure) -> ByNeed {
    ByNeed::new(Settings::default().prune, pressure)
}

/// Lines of a file, of which the fifth of a hundred defines something.
fn code(name: &str, lines: usize) -> String {
    (1..=lines)
        .map(|line| match line % 100 {
            5 => format!("{line:6}→fn {name}_{line}() {{\n"),
            _ => format!("{line:6}→    work({name}, {line});\n"),
        })
        .collect()
}

#[test]
fn a_quote_an_edit_and_another_read_each_show_a_need() {
    let mut story = Story::default();
    story.user("Make it shorter");
    story.reads("a.rs", "     1→fn find_everything_at_once() {\n     2→}\n");
    story.says("I look further.");
    story.says("find_everything_at_once is what matters.");
    let edit = ["a.rs", "fn find_everything_at_once() {\n}", "fn find() {}"];
    story.calls(Action::edit("a.rs"), &edit, "done");
    story.reads("a.rs", "     1→fn find_everything_at_once() {\n     2→}\n");
    story.says("So it is.");
    let kinds: Vec<(usize, Kind)> = (story.subject().needs.iter())
        .map(|need| (need.request, need.kind))
        .collect();
    assert_eq!(
        kinds,
        [(2, Kind::Quote), (3, Kind::Edit), (4, Kind::Reread)]
    );
}

#[test]
fn what_others_said_too_is_no_need() {
    let mut story = Story::default();
    story.user("What is in src/rate_limit/window.rs?");
    story.reads(
        "src/rate_limit/window.rs",
        "src/rate_limit/window.rs: implementation\n",
    );
    story.says("An answer.");
    story.says("src/rate_limit/window.rs has the implementation.");
    assert_eq!(story.subject().needs.len(), 0);
}

#[test]
fn a_command_that_is_run_again_after_a_change_is_run_for_what_changed() {
    let run = || Action::Run {
        command: "make".into(),
    };
    let mut story = Story::default();
    story.calls(run(), &["make"], "one\ntwo\n");
    story.says("Once more.");
    story.calls(run(), &["make"], "one\ntwo\n");
    story.says("The same. I mend it.");
    story.calls(Action::edit("a"), &[], "done");
    story.calls(run(), &["make"], "one\ntwo\n");
    story.says("Done.");
    let requests: Vec<usize> = story.subject().needs.iter().map(|n| n.request).collect();
    assert_eq!(requests, [2]);
}

#[test]
fn outputs_leave_together_when_they_gain_enough_and_what_was_never_read_stays() {
    let mut story = Story::default();
    for file in 0..12 {
        story.reads(&format!("f{file}.rs"), &code("thing", 100));
    }
    for _ in 0..14 {
        story.says("I think.");
    }
    let subject = story.subject();
    let (steps, _) = tried(&subject, &mut by_need(Pressure::High));
    let left: Vec<usize> = steps
        .iter()
        .map(|step| step.left.len())
        .filter(|n| *n > 0)
        .collect();
    assert!(left.iter().all(|count| *count > 1), "together: {left:?}");
    for (request, step) in steps.iter().enumerate() {
        for output in &step.left {
            assert!(subject.trace.outputs[*output].read < request, "unread");
        }
    }
    let (steps, _) = tried(&subject, &mut by_need(Pressure::Safe));
    assert!(
        steps.iter().all(|step| step.left.is_empty()),
        "there is room"
    );
}

#[test]
fn where_the_provider_has_forgotten_the_conversation_leaving_costs_nothing() {
    let mut story = Story::default();
    story.reads("a.rs", &code("thing", 200));
    for _ in 0..12 {
        story.says("I think.");
    }
    story.waits(600).user("Good morning.").says("Good morning.");
    let subject = story.subject();
    let (steps, figures) = tried(&subject, &mut by_need(Pressure::Safe));
    assert_eq!(steps.last().unwrap().left, [0]);
    assert!(figures.cost < figures.whole_cost);
}

#[test]
fn a_clock_that_jumps_back_makes_nothing_cold() {
    let mut story = Story::default();
    story.reads("a.rs", &code("thing", 200));
    for _ in 0..12 {
        story.says("I think.");
    }
    story.waits(-100_000).user("And?").says("Yesterday.");
    let (steps, _) = tried(&story.subject(), &mut by_need(Pressure::Safe));
    assert!(
        steps
            .iter()
            .skip(1)
            .all(|step| !step.is_cold && step.left.is_empty())
    );
}

#[test]
fn a_file_that_is_worked_on_stays_and_one_that_a_newer_read_has_leaves() {
    let mut story = Story::default();
    for _ in 0..14 {
        story.reads("a.rs", &code("thing", 300));
    }
    story.says("Done.");
    let subject = story.subject();
    let (steps, _) = tried(&subject, &mut by_need(Pressure::High));
    let left: Vec<usize> = steps.iter().flat_map(|step| step.left.clone()).collect();
    assert!(left.len() > 5, "{left:?}");
    assert!(!left.contains(&(subject.trace.outputs.len() - 1)));
}

#[test]
fn definitions_and_what_the_model_spoke_of_stay_in_the_outline() {
    let mut story = Story::default();
    story.reads("a.rs", &code("limiter", 400));
    story.says("work at limiter_105 it is");
    for _ in 0..12 {
        story.says("I think.");
    }
    let subject = story.subject();
    let mut policy = by_need(Pressure::Critical);
    let (steps, _) = tried(&subject, &mut policy);
    assert!(steps.iter().any(|step| step.left == [0]));
    let moment = hud_derive::outline::Whole {
        class: hud_store::state::OutputClass::Read,
        has_errors: false,
        text: &subject.trace.outputs[0].text,
        kept: &[],
    };
    let outline =
        hud_derive::outline::outline(&moment, |line| usize::from(line.contains("limiter_105")));
    assert!(
        outline.starts_with("     5→fn limiter_5() {\n"),
        "{outline}"
    );
    assert!(outline.contains("limiter_105"), "{outline}");
    assert!(outline.chars().count() <= 800);
}

#[test]
fn others_do_as_they_say() {
    let mut story = Story::default();
    for file in 0..20 {
        story.reads(&format!("f{file}.rs"), &code("thing", 150));
    }
    story.says("Done.");
    let subject = story.subject();
    let rule = |protect, minimum| Opencode { protect, minimum };
    let removed = |policy: &mut dyn Policy| tried(&subject, policy).1.removal();
    assert_eq!(removed(&mut rule(40_000, 20_000)), 0.0);
    assert!(removed(&mut rule(4_000, 2_000)) > 20.0);
    assert!(removed(&mut Newest(2_000)) > removed(&mut Newest(8_000)));
    assert_eq!(removed(&mut Oracle::default()), 100.0, "nothing is needed");
    let (_, figures) = tried(
        &subject,
        &mut AtEntry {
            longest: 50,
            kept: 10,
        },
    );
    assert!(figures.removal() > 70.0);
}

#[test]
fn pruning_at_entry_takes_what_nobody_has_read() {
    let mut story = Story::default();
    let middle = "x\n".repeat(40) + "the_needle_in_the_middle\n" + &"x\n".repeat(40);
    story.reads("a.rs", &middle);
    story.says("It is the_needle_in_the_middle.");
    let subject = story.subject();
    let (_, figures) = tried(
        &subject,
        &mut AtEntry {
            longest: 15,
            kept: 10,
        },
    );
    assert_eq!(figures.recall_at_once(), 0.0);
    let (_, figures) = tried(&subject, &mut by_need(Pressure::Critical));
    assert_eq!(figures.recall_at_once(), 100.0);
}

#[test]
fn a_session_learns_how_long_its_tokens_are() {
    let mut story = Story::default();
    let usage = |input| Observation::Usage {
        usage: Usage {
            input,
            output: 0,
            ..Usage::default()
        },
        model: None,
        window: None,
        provider: None,
    };
    story.reads("a.rs", &"x".repeat(30_000));
    story.observe(usage(1_000));
    story.says("Done.");
    story.observe(usage(11_000));
    assert_eq!(story.subject().ratio, 30, "three characters for a token");
    assert_eq!(Story::default().subject().ratio, 26, "nothing is known");
}

#[test]
fn a_compacted_conversation_has_no_outputs_and_nothing_of_them_leaves() {
    let mut story = Story::default();
    story.reads("a.rs", &code("thing", 900));
    story.observe(Observation::CompactionEnds {
        summary: Some("We read a.rs.".into()),
        boundary: None,
    });
    for _ in 0..20 {
        story.says("I think.");
    }
    let (steps, figures) = tried(&story.subject(), &mut by_need(Pressure::Critical));
    assert!(steps.iter().all(|step| step.left.is_empty()));
    assert_eq!(figures.stale, 0.0);
}

#[derive(Clone, Debug)]
enum Happens {
    Says(String),
    Reads(u8, String),
    Runs(String),
    Waits(i64),
    Compacts,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        "[a-z_/ →\n]{0,60}".prop_map(Happens::Says),
        (0..4_u8, "(.|\n){0,400}").prop_map(|(file, text)| Happens::Reads(file, text)),
        "(.|\n){0,200}".prop_map(Happens::Runs),
        (-1_000..1_000_i64).prop_map(Happens::Waits),
        Just(Happens::Compacts),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn no_session_is_too_odd_for_a_policy(happens in prop::collection::vec(happens(), 0..40)) {
        let mut story = Story::default();
        for happening in happens {
            match happening {
                Happens::Says(text) => {
 story.says(&text);
 }
                Happens::Reads(file, text) => {
 story.reads(&format!("f{file}"), &text);
 }
                Happens::Runs(text) => {
                    let command = "make".to_owned();
                    story.calls(Action::Run { command }, &["make"], &text);
                }
                Happens::Waits(seconds) => {
 story.waits(seconds);
 }
                Happens::Compacts => story.observe(Observation::CompactionEnds {
                    summary: None,
                    boundary: None,
                }),
            }
        }
        let subject = story.subject();
        let mut policies: Vec<Box<dyn Policy>> = vec![
            Box::new(by_need(Pressure::Critical)),
            Box::new(Opencode { protect: 10, minimum: 10 }),
            Box::new(AtEntry { longest: 2, kept: 1 }),
            Box::new(Oracle::default()),
        ];
        for policy in &mut policies {
            let (steps, figures) = tried(&subject, &mut **policy);
            prop_assert_eq!(steps.len(), subject.trace.requests.len());
            prop_assert!(figures.removed <= figures.stale + 0.5 && figures.removed >= 0.0);
            prop_assert!(figures.met <= figures.needs);
            prop_assert!(figures.sent <= figures.whole_sent + 0.5);
        }
        prop_assert_eq!(tried(&subject, &mut Oracle::default()).1.recall(), 100.0);
    }
}
