//! Frames that keep to a budget.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeSet;

use hud_agent::frame::{Frame, frame};
use hud_agent::placement::Placement;
use hud_agent::session::Session;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_core::tokens::{Estimate, TokenCounter};
use hud_store::event::SessionId;
use hud_store::memory::MemoryLog;
use hud_store::state::HudState;
use jiff::Timestamp;
use serde_json::{Value, json};

fn session(model: &str, notes: usize) -> Session<MemoryLog> {
    let id = SessionId::new("s").unwrap();
    let mut session = Session::open(MemoryLog::new(), id).unwrap();
    for observation in [
        json!({ "type": "user", "text": "Add rate limits to the public API" }),
        json!({ "type": "model_call" }),
        json!({ "type": "tool_result", "call": "c1", "tool": "edit", "input": { "filePath": "/p/a.rs" } }),
        json!({ "type": "usage", "input": 9_000, "model": model, "window": { "context": 100_000 } }),
    ] {
        let observation = hud_clients::report(observation).unwrap().observation;
        session
            .observe(&observation, Timestamp::UNIX_EPOCH)
            .unwrap();
    }
    for note in 0..notes {
        let content = format!("redis {note} keeps the buckets of all replicas");
        call(&mut session, "notes.add", json!({ "content": content }));
    }
    for decision in ["Token bucket, not a window", "Answer with 429 and a date"] {
        call(
            &mut session,
            "decisions.record",
            json!({ "summary": decision }),
        );
    }
    session
}

fn call(session: &mut Session<MemoryLog>, tool: &str, args: Value) {
    let answer = session.call(
        &json!({ "tool": tool, "args": args }),
        Timestamp::UNIX_EPOCH,
    );
    answer.unwrap();
}

fn within(tokens: u64) -> Setup {
    let mut setup = Setup::default();
    setup.settings.budget.tokens = tokens;
    setup
}

/// What a frame takes of a model that has the estimate's tokens.
fn tokens(frame: &Frame) -> u64 {
    let count = |text: &str| u64::from(Estimate.count(text).unwrap());
    count(&frame.system) + count(&frame.message)
}

fn placed(state: &HudState, placement: Placement, setup: &Setup) -> Frame {
    frame(state, None, placement, setup).unwrap()
}

#[test]
fn a_frame_keeps_to_its_budget_wherever_it_is_placed() {
    let session = session("gpt-5", 12);
    for placement in Placement::ALL {
        for budget in [40, 60, 100, 150, 200, 100_000] {
            let frame = placed(session.state(), placement, &within(budget));
            assert!(
                tokens(&frame) <= budget,
                "{placement:?} {budget}\n{frame:#?}"
            );
        }
        let whole = placed(session.state(), placement, &Setup::default());
        assert_eq!(placed(session.state(), placement, &within(100_000)), whole);
    }
}

#[test]
fn the_static_layer_has_its_share_whatever_the_dynamic_one_says() {
    let [few, many] = [1, 30].map(|notes| session("gpt-5", notes));
    for budget in [40, 80, 160, 320] {
        let [few, many] = [&few, &many]
            .map(|session| placed(session.state(), Placement::MessageTail, &within(budget)));
        assert_eq!(few.system, many.system, "{budget}");
    }
}

#[test]
fn what_has_to_be_there_is_there_even_if_it_does_not_fit() {
    let session = session("gpt-5", 3);
    let frame = placed(session.state(), Placement::SystemTail, &within(1));
    assert!(!frame.system.contains("Decisions"), "{frame:#?}");
}

#[test]
fn a_model_that_has_more_tokens_for_a_text_sees_less_of_it() {
    let fitted = |model| {
        let session = session(model, 12);
        let (frame, report) = Frame::fitted(session.state(), None, 100, &Setup::default()).unwrap();
        assert!(report.count <= 100 && report.budget == 100);
        (tokens(&frame), report.counter)
    };
    let (gpt, counter) = fitted("gpt-5");
    assert_eq!(counter, "estimate");
    let (claude, counter) = fitted("claude-opus-4-7");
    assert_eq!(
        counter,
        "estimate, 156 % of it for claude, from Opus 4.7 on"
    );
    assert!(claude <= 64 && gpt > claude, "{gpt} and {claude}");
}

#[test]
fn what_is_left_out_is_named_with_an_operation_that_the_agent_can_call() {
    let mut session = session("gpt-5", 12);
    let mut named = BTreeSet::new();
    for budget in 10..80 {
        let frame = Frame::fitted(session.state(), None, budget, &Setup::default());
        let system = frame.unwrap().0.system;
        let line = system
            .lines()
            .find_map(|line| line.strip_prefix("Left out: "));
        let names = line.into_iter().flat_map(|line| line.split(", "));
        let name = |name: &str| name.trim_matches('`').trim_start_matches("hud ").to_owned();
        named.extend(names.map(name));
    }
    assert!(named.contains("notes.list"), "{named:?}");
    for operation in named {
        call(&mut session, &operation, json!({}));
    }
}

#[test]
fn what_is_new_of_a_section_that_was_left_out_is_said_all_the_same() {
    let mut session = session("gpt-5", 0);
    let model_call = serde_json::from_value(json!({ "type": "model_call" })).unwrap();
    session.observe(&model_call, Timestamp::UNIX_EPOCH).unwrap();
    call(
        &mut session,
        "decisions.record",
        json!({ "summary": "Redis keeps the buckets" }),
    );
    let mut setup = within(100);
    setup.settings.budget.static_percent = 15;
    let frame = placed(session.state(), Placement::Epoch, &setup);
    assert!(!frame.system.contains("Decisions"), "{frame:#?}");
    assert!(
        frame.message.contains("Redis keeps the buckets"),
        "{frame:#?}"
    );
}

#[test]
fn an_epoch_that_does_not_fit_with_what_changed_since_is_shown_as_it_is_now() {
    let mut session = session("gpt-5", 0);
    for n in 0..20 {
        let summary = format!("Replica {n} keeps its own bucket");
        call(
            &mut session,
            "decisions.record",
            json!({ "summary": summary }),
        );
    }
    let setup = within(65);
    let frame = placed(session.state(), Placement::Epoch, &setup);
    assert!(tokens(&frame) <= 65, "{frame:#?}");
    assert!(frame.system.contains("ecisions"), "{frame:#?}");
    assert!(!frame.message.contains("Replica"), "{frame:#?}");
}

/// What each part of a state is worth, and why.
fn worths(state: &HudState) -> Vec<(String, String)> {
    let (_, report) = Frame::fitted(state, None, 10_000, &Setup::default()).unwrap();
    let parts = report.parts.into_iter();
    let worth = |part: hud_core::fit::PartReport| {
        let because = part.whole.because.unwrap_or_default();
        (part.part.name.into_owned(), because)
    };
    parts.map(worth).collect()
}

fn worth_of(state: &HudState, name: &str) -> String {
    let worths = worths(state).into_iter();
    worths
        .filter_map(|(part, because)| (part == name).then_some(because))
        .collect()
}

fn observed(session: &mut Session<MemoryLog>, observation: Value) {
    let observation = hud_clients::report(observation).unwrap().observation;
    session
        .observe(&observation, Timestamp::UNIX_EPOCH)
        .unwrap();
}

/// Turns in which a file is read and nothing else happens.
fn turns(session: &mut Session<MemoryLog>, count: usize) {
    for turn in 0..count {
        observed(session, json!({ "type": "model_call" }));
        let read = json!({
            "type": "tool_result", "call": format!("r{turn}"), "tool": "read",
            "input": { "filePath": "/p/c.rs" }
        });
        observed(session, read);
    }
}

fn fail(session: &mut Session<MemoryLog>) {
    let failed = json!({
        "type": "tool_result", "call": "c2", "tool": "edit", "is_error": true,
        "input": { "filePath": "/p/b.rs" }, "output": "the file is read-only"
    });
    observed(session, failed);
}

#[test]
fn what_is_open_or_in_use_is_worth_more_than_what_is_settled_or_stale() {
    let mut session = session("gpt-5", 1);
    call(
        &mut session,
        "steps.add",
        json!({ "description": "Read the config" }),
    );
    fail(&mut session);
    let state = session.state();
    assert_eq!(worth_of(state, "notes"), "100 % of 7: in use");
    assert_eq!(worth_of(state, "next_steps"), "100 % of 6: in use");
    assert_eq!(worth_of(state, "errors"), "115 % of 7: open, in use");

    call(&mut session, "steps.complete", json!({ "id": "s1" }));
    turns(&mut session, 24);
    let state = session.state();
    assert_eq!(worth_of(state, "errors"), "90 % of 7: open, 24 turns old");
    assert_eq!(worth_of(state, "notes"), "75 % of 7: 24 turns old");
    // The static layer does not age with each turn.
    assert_eq!(worth_of(state, "next_steps"), "80 % of 6: settled, in use");
    // What is wanted is wanted, however long ago it was said.
    assert_eq!(worth_of(state, "task"), "");
}

#[test]
fn a_section_that_something_happens_in_needs_less_of_a_budget_than_one_that_nothing_did() {
    let least = |session: &Session<MemoryLog>| {
        let says_all = |budget: &u64| {
            let frame = Frame::fitted(session.state(), None, *budget, &Setup::default());
            let system = frame.unwrap().0.system;
            system.contains("redis 0") && system.contains("redis 1")
        };
        (20..400).find(says_all).unwrap()
    };
    let [mut early, mut late] = [0, 0].map(|_| session("gpt-5", 0));
    let note = |session: &mut Session<MemoryLog>| {
        for n in 0..2 {
            let content = format!("redis {n} keeps the buckets of all replicas");
            call(session, "notes.add", json!({ "content": content }));
        }
    };
    note(&mut early);
    turns(&mut early, 60);
    turns(&mut late, 60);
    note(&mut late);
    // Both have an error that is as open.
    fail(&mut early);
    fail(&mut late);
    let [early, late] = [&early, &late].map(least);
    assert!(late < early, "{late} and {early}");
}

#[test]
fn a_section_that_has_a_share_of_the_budget_has_as_much_as_that_holds() {
    use hud_store::event::{Actor, AttentionSet, FindingRecord, NewEvent, NoteAdd};
    use hud_store::log::{Expected, Log, state_of};

    let state = |percent: Option<u8>| {
        let mut log = MemoryLog::new();
        let session = SessionId::new("s").unwrap();
        let mut add = |event: hud_store::event::HudEvent| {
            let event = NewEvent::now(1, Actor::Agent, event);
            log.append(&session, Expected::Any, &[event]).unwrap();
        };
        for n in 1..=12 {
            add(NoteAdd {
                id: format!("n{n}"),
                content: format!("note number {n} of a dozen"),
            }
            .into());
            let text = format!("finding number {n} of a dozen");
            add(FindingRecord {
                id: format!("f{n}"),
                text,
                weight: None,
            }
            .into());
        }
        if let Some(percent) = percent {
            let section = "notes".to_owned();
            add(AttentionSet {
                section,
                percent: Some(percent),
            }
            .into());
        }
        state_of(&log, &session).unwrap()
    };
    let notes = |percent| {
        let setup = Setup::default();
        let frame = Frame::fitted(&state(percent), None, 200, &setup).unwrap().0;
        frame.system.matches("note number").count()
    };
    let (little, usual, much) = (notes(Some(10)), notes(None), notes(Some(80)));
    assert!(little < usual && usual <= much, "{little} {usual} {much}");
}

/// The blocks of a text, by their headings.
fn block<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let from = text.find(heading)?;
    let rest = &text[from..];
    let end = rest.get(1..).and_then(|rest| rest.find("\n## "));
    Some(end.map_or(rest, |end| &rest[..=end]))
}

#[test]
fn a_static_part_stays_as_it_is_while_others_grow_until_they_leave_it_no_room() {
    let mut session = session("gpt-5", 0);
    for step in 0..8 {
        let description = format!("Move the buckets of replica {step} to redis");
        call(
            &mut session,
            "steps.add",
            json!({ "description": description }),
        );
    }
    let setup = within(300);
    let mut seen: Vec<Option<String>> = Vec::new();
    for n in 0..24 {
        let frame = placed(session.state(), Placement::MessageTail, &setup);
        let steps = block(&frame.system, "## Next Steps").map(str::to_owned);
        seen.push(steps);
        let summary = format!("Replica {n} keeps its own bucket for a minute");
        call(
            &mut session,
            "decisions.record",
            json!({ "summary": summary }),
        );
    }
    let changes = seen.windows(2).filter(|pair| pair[0] != pair[1]).count();
    seen.dedup();
    assert!((1..=4).contains(&changes), "{changes}: {seen:#?}");
    // It gives way, and nothing of that comes back.
    let sizes = seen
        .iter()
        .map(|steps| steps.as_ref().map_or(0, String::len));
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{seen:#?}");
}

#[test]
fn nothing_but_its_own_events_changes_the_static_layer_within_a_budget() {
    let mut session = session("gpt-5", 2);
    for budget in [60, 90, 150, 300] {
        let setup = within(budget);
        let before = placed(session.state(), Placement::MessageTail, &setup).system;
        turns(&mut session, 30);
        fail(&mut session);
        let after = placed(session.state(), Placement::MessageTail, &setup).system;
        assert_eq!(before, after, "{budget}");
    }
}

#[test]
fn a_list_that_was_cut_names_an_operation_that_the_agent_can_call() {
    let mut session = session("gpt-5", 12);
    for n in 0..6 {
        let summary = format!("Replica {n} keeps its own bucket");
        call(
            &mut session,
            "decisions.record",
            json!({ "summary": summary }),
        );
    }
    let definition = Setup::default().operations.definition();
    let frame = Frame::whole(session.state(), None, &Setup::default()).unwrap();
    assert!(
        frame.system.contains("- 2 more: `hud notes.list`"),
        "{}",
        frame.system
    );
    let frame = Frame::whole(session.state(), Some(Density::Compact), &Setup::default()).unwrap();
    assert!(
        frame.system.contains("; +9: `notes.list`"),
        "{}",
        frame.system
    );
    // And where the choice of how many items there are cut it.
    let named: BTreeSet<String> = (60..300)
        .flat_map(|budget| {
            let frame = Frame::fitted(session.state(), None, budget, &Setup::default()).unwrap();
            let lines: Vec<String> = frame.0.system.lines().map(str::to_owned).collect();
            lines.into_iter().filter_map(|line| {
                let (_, handle) = line
                    .split_once(" more: `hud ")
                    .or_else(|| line.split_once("; +")?.1.split_once(": `"))?;
                Some(handle.split('`').next()?.to_owned())
            })
        })
        .collect();
    assert!(named.contains("decisions.list"), "{named:?}");
    for operation in named {
        let names = definition.schema["properties"]["tool"]["enum"].to_string();
        assert!(names.contains(&operation), "{operation} is not in {names}");
        call(&mut session, &operation, json!({}));
    }
}

#[test]
fn an_overfull_state_fits_into_any_budget_from_sixty_tokens_on() {
    let texts = [
        "words that go on ".repeat(40),
        "許可された速度を超えないようにする".repeat(20),
        "a/b.rs:1 {}[]() != == && || -> ".repeat(20),
    ];
    for model in ["gpt-5", "claude-opus-4-7"] {
        for text in &texts {
            let mut session = session(model, 12);
            for n in 0..10 {
                let text = format!("{n} {text}");
                for (tool, key) in [
                    ("constraints.add", "text"),
                    ("blockers.add", "description"),
                    ("decisions.record", "summary"),
                    ("steps.add", "description"),
                ] {
                    call(&mut session, tool, json!({ key: text }));
                }
            }
            call(&mut session, "task.set", json!({ "description": text }));
            let usage = json!({
                "type": "usage", "input": 96_000, "model": model, "window": { "context": 100_000 }
            });
            observed(&mut session, usage);
            for budget in (60..160).chain([300, 1_000, u64::MAX]) {
                let fitted = Frame::fitted(session.state(), None, budget, &Setup::default());
                let (frame, report) = fitted.unwrap();
                assert!(report.count <= budget, "{budget}: {}", frame.system);
                assert!(!frame.system.is_empty());
            }
        }
    }
}

#[test]
fn a_section_keeps_to_the_share_that_is_set_for_it() {
    let session = session("gpt-5", 12);
    let notes = |shares: &str| {
        let settings = format!(r#"{{ "budget": {{ "tokens": 200, "shares": {shares} }} }}"#);
        let mut setup = Setup::default();
        setup.settings = serde_json::from_str(&settings).unwrap();
        setup.settings.check().unwrap();
        let frame = placed(session.state(), Placement::MessageTail, &setup);
        assert!(tokens(&frame) <= 200, "{frame:#?}");
        frame.message.matches("keeps the buckets").count()
    };
    let (all, few, none) = (
        notes("{}"),
        notes(r#"{ "notes": "30% to 60" }"#),
        notes(r#"{ "notes": "%* to 0" }"#),
    );
    assert!(all > few && few > 0 && none == 0, "{all} {few} {none}");
}

#[test]
fn a_counter_that_fails_is_an_error_that_names_it_and_no_panic() {
    struct Broken;
    impl TokenCounter for Broken {
        fn name(&self) -> &str {
            "broken"
        }
        fn count(&self, text: &str) -> Result<u32, hud_core::tokens::CountError> {
            Err(hud_core::tokens::CountError {
                counter: "broken".to_owned(),
                bytes: text.len(),
                said: "its table is not there".to_owned(),
            })
        }
    }
    let session = session("gpt-5", 2);
    let mut setup = within(200);
    setup.counters = hud_agent::budget::Counters::new(|_| std::sync::Arc::new(Broken));
    let error = frame(session.state(), None, Placement::MessageTail, &setup).unwrap_err();
    assert!(
        error.to_string().starts_with("`broken` can't count"),
        "{error}"
    );
    // Without a budget nothing is counted.
    setup.settings.budget.tokens = 0;
    frame(session.state(), None, Placement::MessageTail, &setup).unwrap();
}

#[test]
fn what_did_not_change_is_not_counted_again() {
    #[derive(Default)]
    struct Counting(std::sync::atomic::AtomicU64);
    impl TokenCounter for Counting {
        fn name(&self) -> &str {
            "counting"
        }
        fn count(&self, text: &str) -> Result<u32, hud_core::tokens::CountError> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Estimate.count(text)
        }
        fn adds_up(&self, before: &str, after: &str) -> bool {
            Estimate.adds_up(before, after)
        }
    }
    let counting = std::sync::Arc::new(Counting::default());
    let mut setup = within(200);
    setup.counters =
        hud_agent::budget::Counters::new(|_| std::sync::Arc::<Counting>::clone(&counting));
    let mut session = session("gpt-5", 6);
    let counted = |session: &Session<MemoryLog>| {
        let before = counting.0.load(std::sync::atomic::Ordering::Relaxed);
        placed(session.state(), Placement::MessageTail, &setup);
        counting.0.load(std::sync::atomic::Ordering::Relaxed) - before
    };
    let first = counted(&session);
    assert!(first > 20, "{first}");
    assert_eq!(counted(&session), 0);
    call(
        &mut session,
        "notes.add",
        json!({ "content": "ports are in the wiki" }),
    );
    let then = counted(&session);
    assert!((1..=first / 2).contains(&then), "{then} of {first}");
}

#[test]
fn a_share_that_an_agent_gives_changes_what_is_shown_and_keeps_to_what_the_user_sets() {
    let mut session = session("gpt-5", 12);
    for nth in 0..12 {
        let finding = format!("The limiter drops request {nth} of each tenant");
        call(&mut session, "findings.record", json!({ "text": finding }));
    }
    let attend = |session: &mut Session<MemoryLog>, section: &str, value: &str| {
        let args = json!({ "section": section, "value": value });
        call(session, "attention.set", args);
    };
    let shown = |session: &Session<MemoryLog>, setup: &Setup| {
        let frame = placed(session.state(), Placement::MessageTail, setup);
        assert!(tokens(&frame) <= 250, "{frame:#?}");
        let count = |words: &str| frame.message.matches(words).count();
        (count("keeps the buckets"), count("drops request"))
    };
    let setup = within(250);
    let before = shown(&session, &setup);
    let mut last = None;
    for percent in [0, 10, 30, 50, 70] {
        attend(&mut session, "notes", &format!("{percent}%"));
        let now = shown(&session, &setup);
        let (notes, findings) = last.unwrap_or((0, usize::MAX));
        assert!(
            now.0 > notes || percent == 0 && now.0 == 0,
            "{percent}: {now:?} after {last:?}"
        );
        assert!(
            now.1 <= findings,
            "others have less: {now:?} after {last:?}"
        );
        last = Some(now);
    }
    attend(&mut session, "notes", "20%");
    attend(&mut session, "findings", "%*");
    let rest = shown(&session, &setup);
    assert!(
        0 < rest.0 && rest.0 < before.0 && rest.1 > before.1,
        "{rest:?} after {before:?}: the findings have the rest"
    );
    attend(&mut session, "findings", "");
    // What the user sets holds whatever the agent gives.
    let bounded = |section: &str, share: &str| {
        let mut setup = within(250);
        let settings = format!(
            r#"{{ "budget": {{ "tokens": 250, "shares": {{ "{section}": "{share}" }} }} }}"#
        );
        setup.settings = serde_json::from_str(&settings).unwrap();
        setup.settings.check().unwrap();
        setup
    };
    let most = bounded("notes", "%* to 40");
    attend(&mut session, "notes", "60%");
    let held = shown(&session, &most);
    assert!(0 < held.0 && held.0 <= 3, "{held:?}: some 12 tokens each");
    // Taken back, everything is as it was.
    attend(&mut session, "notes", "");
    assert_eq!(shown(&session, &setup), before);
    assert!(
        shown(&session, &bounded("findings", "%* from 110")).1 > before.1,
        "so much is reserved"
    );
}

#[test]
fn the_static_layer_of_an_epoch_stays_whatever_the_context_and_the_dynamic_layer_come_to() {
    let set = |budget: u64, shares: Value| {
        let mut setup = Setup::default();
        let settings = json!({ "budget": { "tokens": budget, "shares": shares } });
        setup.settings = serde_json::from_value(settings).unwrap();
        setup
    };
    let shares = json!({ "decisions": "40%", "notes": "50% from 20" });
    for budget in [80, 100, 160, 240, 400] {
        for setup in [json!({}), shares.clone()].map(|shares| set(budget, shares)) {
            let mut session = session("gpt-5", 2);
            let begun = placed(session.state(), Placement::Epoch, &setup).system;
            for used in [20_000, 55_000, 72_000, 86_000, 95_000, 60_000] {
                let usage = json!({
                    "type": "usage", "input": used, "model": "gpt-5", "window": { "context": 100_000 },
                });
                observed(&mut session, usage);
                let note = format!("at {used} tokens, redis keeps the buckets of all replicas");
                call(&mut session, "notes.add", json!({ "content": note }));
                turns(&mut session, 3);
                let frame = placed(session.state(), Placement::Epoch, &setup);
                assert_eq!(frame.system, begun, "{budget} {used}");
                assert!(tokens(&frame) <= budget, "{budget} {used}\n{frame:#?}");
            }
        }
    }
}
