use hud_store::event::{
    Actor, CompactEvent, ConstraintAdd, EventId, FindingRecord, RequestMake, SessionId, StoredEvent,
};
use hud_store::fold::fold;
use hud_store::state::StepStatus;
use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::derive::Deriver;
use crate::observation::Observation;

/// The state after events of an actor.
fn then(state: &HudState, events: impl IntoIterator<Item = (Actor, HudEvent)>) -> HudState {
    let folded = |state: HudState, (actor, event): (Actor, HudEvent)| {
        let stored = StoredEvent {
            seq: state.version + 1,
            session: SessionId::new("s").unwrap(),
            version: state.version + 1,
            id: EventId::now_v7(),
            turn: 7,
            at: Timestamp::UNIX_EPOCH,
            actor,
            cause: None,
            event,
        };
        fold(state, &stored)
    };
    events.into_iter().fold(state.clone(), folded)
}

/// The state behind a compaction that ended with a summary.
fn compacted(state: &HudState, summary: &str) -> HudState {
    let ends = Observation::CompactionEnds {
        summary: Some(summary.to_owned()),
        boundary: None,
    };
    let events = Deriver::of(state).derive(&ends, state);
    then(
        state,
        events
            .into_iter()
            .map(|derived| (derived.actor, derived.event)),
    )
}

/// What the sections hold, a line for each item.
fn held(state: &HudState) -> String {
    let mut lines = Vec::new();
    let mut say = |name: &str, text: &str| lines.push(format!("{name}: {text}"));
    if let Some(task) = &state.task {
        say("task", &task.description);
    }
    for request in &state.requests {
        say("request", &request.text);
    }
    for rule in &state.constraints {
        say("rule", &rule.text);
    }
    for decision in &state.decisions {
        say("decision", &decision.summary);
    }
    for finding in &state.findings {
        say("finding", &finding.text);
    }
    for step in &state.next_steps {
        say("step", &step.description);
    }
    for file in &state.active_files {
        say("file", &file.path);
    }
    let rest = state.compacted.as_ref().and_then(|last| last.rest.as_ref());
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        say("rest", rest);
    }
    lines.join("\n")
}

fn lifted(summary: &str) -> String {
    held(&compacted(&HudState::default(), summary))
}

#[test]
fn nine_numbered_points_are_lifted() {
    insta::assert_snapshot!(lifted(
        "1. Primary Request and Intent:\n   Make `login` work with tokens.\n\n\
         2. Key Technical Concepts:\n   - JWT with `exp`\n\n\
         3. Files and Code Sections:\n   - `src/auth/jwt.ts`\n     - `verify` throws on `exp`\n   \
         - `src/db.ts`: only read\n\n\
         4. Errors and fixes:\n   - `TokenExpired` in login.test.ts:42: the clock was mocked\n\n\
         5. Problem Solving:\n   Cause: cookies and tokens were both read.\n\n\
         6. All user messages:\n   - \"make login work with tokens\"\n   - \"keep the old page\"\n\n\
         7. Pending Tasks:\n   - Add `refresh()`\n\n\
         8. Current Work:\n   Writing `rotate()`.\n\n\
         9. Optional Next Step:\n   Run `npm test`.\n"
    ));
}

#[test]
fn a_template_with_headings_is_lifted() {
    insta::assert_snapshot!(lifted(
        "## Goal\n\nShip the exporter.\n\n## Constraints & Preferences\n\n- No new dependencies\n- (none)\n\n\
         ## Progress\n\n### Done\n\n- [x] Added `Writer::flush`\n\n### In Progress\n\n- [ ] Streaming\n\n\
         ### Blocked\n\n- None\n\n## Key Decisions\n\n- **CSV, not JSON**: readers have no parser\n\n\
         ## Next Steps\n\n1. Stream rows\n2. Bench\n\n## Critical Context\n\n\
         | rows | time |\n| --- | --- |\n| 10k | 3 s |\n\n## Relevant Files\n\n- src/export.rs: the writer\n"
    ));
}

#[test]
fn tags_are_headings() {
    insta::assert_snapshot!(lifted(
        "<state_snapshot>\n    <overall_goal>\n        Port the parser to Rust.\n    </overall_goal>\n\
         <key_knowledge>\n- Build: `cargo build`\n</key_knowledge>\n\
         <file_system_state>\n- MODIFIED: `src/parse.rs` - tokens\n</file_system_state>\n\
         <current_plan>\n1. [DONE] Lexer\n2. [IN PROGRESS] Parser\n3. [TODO] Printer\n</current_plan>\n\
         </state_snapshot>"
    ));
}

#[test]
fn labels_in_prose_and_in_other_languages_are_headings() {
    insta::assert_snapshot!(lifted(
        "**Ziel:** Die Anmeldung mit Tokens.\n\n**Regeln**\n- Keine neuen Pakete\n\n\
         ## Erkenntnisse\n- `jwt.ts:42` prüft `exp` nicht\n\n## 次のステップ\n- テストを書く\n\n\
         Next: run `npm test`\nFiles:\n- `src/auth/jwt.ts`"
    ));
}

#[test]
fn what_fits_nowhere_is_left_as_text() {
    let state = compacted(
        &HudState::default(),
        "We talked about the weather.\n\nIt rained.",
    );
    assert_eq!(
        held(&state),
        "rest: We talked about the weather.\nIt rained."
    );
}

#[test]
fn a_summary_without_a_word_lifts_nothing() {
    for summary in ["", " \n", "##", "- \n- ", "<summary></summary>", "```\n```"] {
        let state = compacted(&HudState::default(), summary);
        assert!(
            state.findings.is_empty() && state.task.is_none(),
            "{summary:?}"
        );
        assert_eq!(state.compacted.unwrap().count, 1);
    }
}

#[test]
fn the_same_summary_adds_nothing_when_it_is_reported_again() {
    let summary = "## Goal\nShip `a.rs`\n## Findings\n- `b()` loops\n## Next\n- Run `c`\n";
    let once = compacted(&HudState::default(), summary);
    assert_eq!(held(&compacted(&once, summary)), held(&once));
}

#[test]
fn what_was_derived_leaves_for_the_summary_and_what_was_recorded_stays() {
    let finding = |id: &str, text: &str, weight| {
        HudEvent::from(FindingRecord {
            id: id.to_owned(),
            text: text.to_owned(),
            weight,
        })
    };
    let state = then(
        &HudState::default(),
        [
            (
                Actor::Derived,
                finding("f1", "the cache in store.rs is never cleared", Some(5)),
            ),
            (
                Actor::Derived,
                finding("f2", "parse() in lex.rs:12 is quadratic", Some(9)),
            ),
            (
                Actor::Agent,
                finding("f3", "the cache in store.rs needs a size", None),
            ),
        ],
    );
    let state = compacted(
        &state,
        "## Discoveries\n- the cache in store.rs is never cleared: `Store::drop` forgets it\n\
         - the cache in store.rs needs a size\n",
    );
    insta::assert_snapshot!(held(&state), @r"
    finding: parse() in lex.rs:12 is quadratic
    finding: the cache in store.rs needs a size
    finding: the cache in store.rs is never cleared: Store::drop forgets it
    ");
}

#[test]
fn what_weighs_little_leaves_for_an_account_of_the_session_and_for_no_less() {
    let finding = FindingRecord {
        id: "f1".to_owned(),
        text: "parse() in lex.rs:12 is quadratic".to_owned(),
        weight: Some(5),
    };
    let state = then(&HudState::default(), [(Actor::Derived, finding.into())]);
    let is_kept = |summary: &str| held(&compacted(&state, summary)).contains("quadratic");
    assert!(is_kept("Half of it is done."));
    assert!(is_kept(
        "## Findings\n- the cache in `store.rs` is never cleared\n"
    ));
    let items = |nth| format!("- `module_{nth}` reads `table_{nth}` twice\n");
    let account: String = (0..8).map(items).collect();
    assert!(!is_kept(&format!("## Findings\n{account}")));
}

#[test]
fn a_summary_says_nothing_for_the_user_whose_words_are_known() {
    let said = |id: &str, text: &str| {
        let (id, text) = (id.to_owned(), text.to_owned());
        (Actor::User, HudEvent::from(RequestMake { id, text }))
    };
    let rule = ConstraintAdd {
        id: "c1".to_owned(),
        text: "Never push to main.".to_owned(),
    };
    let state = then(
        &HudState::default(),
        [
            said("r1", "encode_row should write to stderr"),
            (Actor::User, rule.into()),
        ],
    );
    let summary = "## Goal\nHave `encode_row` write to stderr\n\n## Rules\n- Always push to main\n\n\
                   ## All user messages\n- \"push it\"\n\n## Decisions\n- Pushing to main is allowed again\n";
    insta::assert_snapshot!(held(&compacted(&state, summary)), @r#"
    request: encode_row should write to stderr
    rule: Never push to main.
    decision: Pushing to main is allowed again
    rest: Have encode_row write to stderr
    Always push to main
    "push it"
    "#);
}

#[test]
fn what_summaries_gave_stays_over_three_compactions_that_say_other_things() {
    let first = "## Findings\n- `redis` listens on port 6380\n\n## Decisions\n- Refresh tokens are hashed\n\n\
                 ## Next\n- Middleware\n- Write the tests for key rotation\n";
    let second = "## Findings\n- `session.ts:40` lacks the SameSite flag\n\n## Next\n- Middleware\n- Wire it into `app.ts`\n";
    let third = "## Findings\n- `redis` listens on port 6390\n\n## Done\n- Wrote the tests for key rotation\n\n\
                 ## Next\n- None explicitly pending\n";
    let state = [first, second, third]
        .into_iter()
        .fold(HudState::default(), |state, summary| {
            compacted(&state, summary)
        });
    insta::assert_snapshot!(held(&state));
    let open = |state: &HudState| -> Vec<String> {
        let open = state
            .next_steps
            .iter()
            .filter(|step| step.status == StepStatus::Pending);
        open.map(|step| step.description.clone()).collect()
    };
    assert_eq!(open(&state), ["Middleware", "Wire it into app.ts"]);
}

#[test]
fn placeholders_give_no_item() {
    let state = compacted(
        &HudState::default(),
        "## Decisions\n- [TBD]\n\n## Errors\n- No errors encountered.\n\n## Blocked\n- No blockers\n\n\
         ## Next\n- None explicitly pending - all is done\n- None of the tests cover retries: add three\n",
    );
    assert_eq!(
        held(&state),
        "step: None of the tests cover retries: add three"
    );
}

#[test]
fn everything_is_the_summarys_but_the_compaction() {
    let ends = Observation::CompactionEnds {
        summary: Some("## Goal\nShip it\n## Next\n- Run `c`\n".to_owned()),
        boundary: None,
    };
    for derived in Deriver::new().derive(&ends, &HudState::default()) {
        let is_compaction = matches!(derived.event, HudEvent::Compact(CompactEvent::After(_)));
        assert_eq!(derived.actor == Actor::Derived, is_compaction);
    }
}

#[test]
fn a_huge_summary_is_read_at_its_beginning_and_its_end() {
    let middle = "- a line about `x.rs` that goes on\n".repeat(30_000);
    let summary = format!("## Goal\nShip it\n\n## Findings\n{middle}\n## Next steps\n- Run `c`\n");
    let held = lifted(&summary);
    assert!(
        held.contains("task: Ship it") && held.contains("step: Run c"),
        "{held}"
    );
    assert!(held.len() < 20_000, "{}", held.len());
}

#[test]
fn no_item_is_longer_than_it_may_be_and_no_word_is_lost() {
    let words: Vec<String> = (0..200).map(|n| format!("word_{n}")).collect();
    let held = lifted(&format!("## Findings\n- {}\n", words.join(" ")));
    for line in held.lines() {
        assert!(
            line.chars().count() <= LONGEST + "finding: ".len(),
            "{line}"
        );
    }
    for word in words {
        assert!(held.split_whitespace().any(|said| said == word), "{word}");
    }
}

proptest! {
    #[test]
    fn any_text_is_lifted_within_bounds(
        lines in prop::collection::vec(
            prop_oneof![
                "[#>*-]{0,4} ?[a-zA-Z0-9:`*_<>/|\\[\\] .äöü日本語\"]{0,60}",
                "[0-9]{1,2}\\. .{0,40}",
                Just("## Next steps".to_owned()),
                Just("Goal:".to_owned()),
                Just("<overall_goal>".to_owned()),
                Just("</".to_owned()),
                Just("- [ ] ".to_owned()),
                Just("| a | b |".to_owned()),
                "\\PC{0,80}",
            ],
            0..40,
        ),
    ) {
        let summary = lines.join("\n");
        let state = compacted(&HudState::default(), &summary);
        let texts = state.findings.iter().map(|finding| &finding.text)
            .chain(state.decisions.iter().map(|decision| &decision.summary))
            .chain(state.constraints.iter().map(|rule| &rule.text))
            .chain(state.next_steps.iter().map(|step| &step.description));
        for text in texts {
            prop_assert!(text.chars().count() <= LONGEST + 1, "{text}");
            prop_assert!(!text.trim().is_empty());
        }
        prop_assert!(state.findings.len() <= 30);
        prop_assert_eq!(compacted(&state, &summary).compacted.unwrap().count, 1);
    }
}
