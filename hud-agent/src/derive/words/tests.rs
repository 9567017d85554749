//! What is kept of what an agent says.

use hud_store::event::{Actor, FindingEvent};
use hud_store::state::Finding;

use super::*;

/// The statements of a message, each with `!` for a decision and `?` for a finding before it.
fn said(text: &str) -> Vec<String> {
    let mark = |sort| if sort == Sort::Decision { '!' } else { '?' };
    let statements = statements(text).into_iter();
    statements
        .map(|said| format!("{}{}", mark(said.sort), said.text))
        .collect()
}

#[test]
fn a_cause_and_a_choice_are_kept_and_what_is_only_announced_is_not() {
    assert_eq!(
        said(
            "Found it! The pool is empty because `Pool::new` never fills it. Let me run the tests:"
        ),
        ["?The pool is empty because Pool::new never fills it."]
    );
    assert_eq!(
        said("Good idea. I'll use `slices.Equal` instead of comparing strings. Shall I go on?"),
        ["!I'll use slices.Equal instead of comparing strings."]
    );
    assert_eq!(said("Let me read the file first."), Vec::<String>::new());
    assert_eq!(
        said("You're right, sorry. All tests pass. Done!"),
        Vec::<String>::new()
    );
}

#[test]
fn a_list_of_changes_is_kept_item_by_item_with_what_it_is_about() {
    let text = "Summary:\n\n1. **`a.rs`**:\n   - Added `Pool` for connections\n   - [ ] Removed the lock\n\
                - Fixed the leak in `b.rs:12`";
    assert_eq!(
        said(text),
        [
            "!a.rs: Added Pool for connections",
            "!Fixed the leak in b.rs:12"
        ]
    );
}

#[test]
fn what_is_only_announced_is_nothing_in_however_many_words() {
    for text in [
        "Now update the callers in `committed.rs`.",
        "To be certain, I'll run the `main.py` file.",
        "Before submitting the changes, we should open `src/a.rs`.",
        "Let's remove the `reproduce.py` file.",
        "Still ~800ms.",
        "- `explain_test.go`",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    let reason = "I'll use `slices.Equal` instead of `reflect.DeepEqual`.";
    assert_eq!(said(reason).len(), 1);
}

#[test]
fn what_the_user_is_asked_is_no_finding() {
    for text in [
        "Please provide the reason for it, so I can go on.",
        "If you're unable to find it, I recommend asking for it.",
        "To confirm, you would like `a.rs` to be removed, not `b.rs`:\n- remove `a.rs:12` and not `b.rs`",
        "Would you like me to do one of these:\n1. Replace `serde` because `x_y` is slow\n2. Cache `x_y()`",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    let dangling = "The cheapest one is `HAT-110`, not `HAT-112`, with the following details:";
    assert_eq!(
        said(dangling),
        ["?The cheapest one is HAT-110, not HAT-112,"]
    );
}

#[test]
fn half_a_sentence_goes_on_in_its_list() {
    let text = "Without `-u` the branch is pushed, but:\n- `git branch -vv` shows nothing.\n\
                - `hasUnpushed` is wrong.\n\nDone.";
    assert_eq!(
        said(text),
        [
            "?Without -u the branch is pushed, but git branch -vv shows nothing; hasUnpushed is wrong"
        ]
    );
}

#[test]
fn what_is_measured_is_a_name_and_code_that_is_shown_is_not_read() {
    assert_eq!(
        said("Now it takes 135ms, down from 800ms.\n```\nthe root cause is x.rs because\n```"),
        ["?Now it takes 135ms, down from 800ms."]
    );
}

#[test]
fn other_languages_are_read_by_their_names_and_by_some_of_their_words() {
    assert_eq!(
        said("原因是 `config.toml` 缺少字段。接下来我看看"),
        ["?原因是 config.toml 缺少字段。"]
    );
    assert_eq!(
        said("Das Problem liegt an `pool.rs:40`, weil der Zähler nie sinkt."),
        ["?Das Problem liegt an pool.rs:40, weil der Zähler nie sinkt."]
    );
}

#[test]
fn what_is_said_again_takes_the_place_of_what_was_said() {
    let mut numbering = Numbering::default();
    let mut state = HudState::default();
    let first = events(
        "The root cause is the empty pool in `pool.rs`.",
        &state,
        &mut numbering,
    );
    let [HudEvent::Finding(FindingEvent::Record(first))] = &first[..] else {
        panic!("one finding: {first:?}");
    };
    state.findings.push(Finding {
        id: first.id.clone(),
        text: first.text.clone(),
        by: Actor::Derived,
        turn: 1,
        weight: first.weight,
        at: jiff::Timestamp::UNIX_EPOCH,
    });
    let again = "The root cause is the empty pool in `pool.rs:40`.";
    let events = events(again, &state, &mut numbering);
    let [HudEvent::Finding(FindingEvent::Record(again))] = &events[..] else {
        panic!("one finding: {events:?}");
    };
    assert_eq!(again.id, first.id);
    assert!(again.text.ends_with(":40."), "{}", again.text);
}

#[test]
fn a_message_of_any_length_leaves_a_few_short_statements() {
    let line = "The root cause is in `some/file.rs:12` because it is not read. ";
    for text in [
        line.repeat(20_000),
        "`".repeat(300_000),
        "1. ".repeat(100_000),
    ] {
        let all = statements(&text);
        assert!(all.len() <= PER_MESSAGE);
        assert!(
            all.iter()
                .all(|said| said.text.chars().count() <= LONGEST + 50)
        );
    }
}
