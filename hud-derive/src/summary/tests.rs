use hud_observe::observation::Observation;
use hud_store::event::{
    Actor, CompactEvent, ConstraintAdd, DecisionRecord, EventId, FindingRecord, NoteAdd,
    NoteUpdate, RequestMake, SessionId, StepAdd, StoredEvent, TaskSet,
};
use hud_store::fold::fold;
use hud_store::state::StepStatus;
use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::Deriver;

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

/// The state after a compaction that ended with a summary.
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

/// The contents of the sections, one line for each item.
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

/// Facts that are recorded before the first of ten compactions.
fn recorded() -> Vec<(Actor, HudEvent)> {
    let rule = |n: usize, text: &str| {
        let id = format!("c{n}");
        (
            Actor::User,
            HudEvent::from(ConstraintAdd {
                id,
                text: text.to_owned(),
            }),
        )
    };
    let decision = |by: Actor, n: usize, summary: &str| {
        let record = DecisionRecord {
            id: format!("d{n}"),
            summary: summary.to_owned(),
            details: None,
            weight: None,
        };
        (by, HudEvent::from(record))
    };
    let note = |n: usize, content: &str| {
        let (id, content) = (format!("n{n}"), content.to_owned());
        (Actor::Agent, HudEvent::from(NoteAdd { id, content }))
    };
    let step = |n: usize, description: &str| {
        let (id, description) = (format!("s{n}"), description.to_owned());
        (Actor::Agent, HudEvent::from(StepAdd { id, description }))
    };
    let task = "JWT with RS256, rotation of refresh tokens, 7 days".to_owned();
    vec![
        (Actor::Agent, TaskSet { description: task }.into()),
        rule(1, "Never push to main."),
        rule(2, "No new dependencies without asking."),
        rule(3, "Only touch files below `src/auth`."),
        rule(4, "Do not log tokens."),
        decision(Actor::Agent, 1, "Access tokens live for 15 minutes"),
        decision(Actor::Agent, 2, "Keys rotate every 30 days"),
        decision(Actor::Agent, 3, "argon2id hashes the passwords"),
        decision(Actor::User, 4, "Sessions stay in postgres"),
        note(1, "staging listens on port 8443"),
        note(2, "the demo user is ada@example.org"),
        note(3, "`make seed` needs docker"),
        step(1, "Write the rotation job"),
        step(2, "Revoke a family of tokens on reuse"),
        step(3, "Rename `Claims` to `AccessClaims`"),
    ]
}

/// The number of facts that are recorded or stated by a summary. A fact with a new value is the same fact.
const FACTS: usize = 40;

/// The contents of ten summaries in a row, which are disjoint, overlapping, contradicting, empty, of one word, of other
/// languages and hostile.
const TEN: [&str; 10] = [
    "## Goal\nImplement auth\n\n## Findings\n- `redis` listens on port 6380\n- `login.rs:40` lacks the SameSite flag\n\
     - the proxy strips the header `X-Forwarded-For`\n\n## Decisions\n- Refresh tokens are stored as SHA-256 hashes\n\
     - The cookie is called `__Host-sid`\n\n## Next\n- Middleware\n- Document the endpoint `/revoke`\n",
    "ok\n\n## Findings\n- the gateway buffers 16 MB of a request\n- `Clock` can be replaced in tests\n\n\
     ## Decisions\n- Tenants are told apart by the claim `tid`\n",
    "Nothing.",
    "## Findings\n- the integration suite takes 340 seconds\n- `claims.rs` parses `exp` as milliseconds\n\
     - `redis` listens on port 6390\n\n## Decisions\n- Errors of the token endpoint are RFC 6749 objects\n\n\
     ## Next\n- None explicitly pending\n",
    "## Goal\nJust implement some auth, whatever works\n\n## Rules\n- Pushing to main is fine\n\n\
     ## All user messages\n- \"push it to main\"\n\n## Decisions\n- [TBD]\n\n## Errors\n- No errors\n",
    "## 发现\n- `keys.rs` 在启动时读取两次\n\n## 下一步\n- 无\n\n## 错误\n- 没有错误\n",
    "## Erkenntnisse\n- `jwks.json` wird 60 Sekunden zwischengespeichert\n- `auth.toml` überschreibt die Umgebung\n\n## Nächste Schritte\n- Keine\n",
    "## Findings\n- the integration suite takes 210 seconds\n- the proxy strips the header `X-Forwarded-For`\n\n\
     ## Next\n- Measure the latency of `/token`\n- Pending: none\n",
    "## Done\n- Wrote the rotation job\n\n## Findings\n- `jti` is unique per tenant only\n\
     - the audit log keeps 90 days\n\n## Next\n- [ ] Middleware\n- N/A\n",
    "## Findings\n- the audit log keeps 30 days\n- clock skew of 90 seconds is tolerated\n- `/token` answers 503 while keys are replaced\n\
     - the tenant `acme` has two admins\n- browsers before 2021 ignore the attribute `Partitioned`\n- the gateway buffers 32 MB of a request\n\n## Decisions\n\
     - The cookie is called `__Secure-sid`\n\n## Next\n- Alert when a key is older than 40 days\n- none\n",
];

#[test]
fn forty_facts_are_kept_over_ten_compactions_and_no_value_that_was_replaced() {
    let mut state = then(&HudState::default(), recorded());
    let mut changed = 0;
    for (nth, summary) in TEN.into_iter().enumerate() {
        state = compacted(&state, summary);
        // The agent corrects facts during the work.
        let corrections: Vec<HudEvent> = match nth {
            1 => vec![
                NoteUpdate {
                    id: "n3".into(),
                    content: "`make seed` needs podman".into(),
                }
                .into(),
            ],
            3 => vec![
                NoteUpdate {
                    id: "n1".into(),
                    content: "staging listens on port 9443".into(),
                }
                .into(),
                DecisionRecord {
                    id: "d2".into(),
                    summary: "Keys rotate every 14 days".into(),
                    details: None,
                    weight: None,
                }
                .into(),
            ],
            6 => vec![
                TaskSet {
                    description: "JWT with EdDSA, rotation of refresh tokens, 7 days".into(),
                }
                .into(),
                NoteUpdate {
                    id: "n2".into(),
                    content: "the demo user is eve@example.org".into(),
                }
                .into(),
            ],
            _ => Vec::new(),
        };
        changed += corrections.len();
        state = then(
            &state,
            corrections.into_iter().map(|event| (Actor::Agent, event)),
        );
    }
    let notes = state
        .notes
        .iter()
        .map(|note| format!("note: {}\n", note.content));
    let held = notes.collect::<String>() + &held(&state);
    insta::assert_snapshot!(held);
    assert_eq!(changed + 5, 10, "with those that a summary states");
    let items = held.lines().filter(|line| !line.starts_with("rest: "));
    assert_eq!(items.count(), FACTS);
    for stale in [
        "16 MB",
        "docker",
        "6380",
        "340 seconds",
        "90 days",
        "__Host-sid",
        "8443",
        "every 30 days",
        "RS256",
        "ada@",
        "TBD",
        "none",
        "None",
        "Keine",
        "无",
        "没有错误",
        "No errors",
        "N/A",
    ] {
        let items = held.lines().filter(|line| !line.starts_with("rest: "));
        assert!(!items.clone().any(|line| line.contains(stale)), "{stale}");
    }
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
