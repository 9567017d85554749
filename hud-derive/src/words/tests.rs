//! The statements that are kept from an agent's messages.

use hud_store::event::{Actor, FindingEvent};
use hud_store::state::Finding;

use super::*;

/// The statements of a message.
fn said(text: &str) -> Vec<String> {
    let statements = statements(text).into_iter();
    statements.map(|said| said.text).collect()
}

#[test]
fn a_cause_and_a_choice_are_kept_and_what_is_only_announced_is_not() {
    assert_eq!(
        said(
            "Found it! The pool is empty because `Pool::new` never fills it. Let me run the tests:"
        ),
        ["The pool is empty because Pool::new never fills it."]
    );
    assert_eq!(
        said("Good idea. I'll use `slices.Equal` instead of comparing strings. Shall I go on?"),
        ["I'll use slices.Equal instead of comparing strings."]
    );
    assert_eq!(said("Let me read the file first."), Vec::<String>::new());
    assert_eq!(
        said("You're right, sorry. All tests pass. Done!"),
        Vec::<String>::new()
    );
}

#[test]
fn a_choice_is_kept_in_any_language_however_short_it_is() {
    for text in [
        "I'll go with order X.",
        "We settled on the second layout.",
        "决定改用 Redis 作为缓存。",
        "経験上、キャッシュには SQLite を採用します。",
        "Я решил хранить сессии в файле.",
        "Ich habe mich entschieden, YAML statt JSON zu nehmen.",
        "J'ai choisi une file d'attente plutôt que des threads.",
        "He decidido usar una cola en vez de hilos.",
        "قررت استخدام قائمة انتظار بدلا من الخيوط.",
    ] {
        assert_eq!(said(text), [text]);
    }
}

#[test]
fn what_is_announced_or_planned_in_any_language_is_nothing_yet() {
    for text in [
        "Ich sehe mir `config.rs` an.",
        "Je l'ajoute dans `lirePanier`.",
        "Voy a mirar `facturas.tsx`.",
        "Смотрю `parser.py`.",
        "`vite.config.ts` を確認します。",
        "我先看一下 `list.go` 的代码。",
        "سأقرأ `report.py` أولا.",
        "Plan:\n1. Write `backup.sh` with `pg_dump`\n2. Prune files older than 14 days\n3. Test it",
        "План:\n\n1. Открыть файл через `gzip.open`\n2. Добавить тест",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(
        said("Ich sehe mir `a.rs` an, weil die Ursache dort liegt.").len(),
        1
    );
}

#[test]
fn a_report_is_kept_without_the_word_for_done_before_it() {
    for (text, kept) in [
        (
            "Done: the cache of `Loader` is keyed by tenant.",
            "the cache of Loader is keyed by tenant.",
        ),
        (
            "Готово: добавил таймаут в `client.py`.",
            "добавил таймаут в client.py.",
        ),
        (
            "Fertig: `parse` liest jetzt auch leere Zeilen.",
            "parse liest jetzt auch leere Zeilen.",
        ),
        (
            "完成：`loader.rs` 现在按租户缓存。",
            "loader.rs 现在按租户缓存。",
        ),
    ] {
        assert_eq!(said(text), [kept], "{text}");
    }
    assert_eq!(said("Done: all tests pass."), Vec::<String>::new());
}

#[test]
fn a_list_of_changes_is_kept_item_by_item_with_what_it_is_about() {
    let text = "Summary:\n\n1. **`a.rs`**:\n   - Added `Pool` for connections\n   - [ ] Removed the lock\n\
                - Fixed the leak in `b.rs:12`";
    assert_eq!(
        said(text),
        [
            "a.rs: Added Pool for connections",
            "Fixed the leak in b.rs:12"
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
fn what_is_announced_was_not_found_whatever_it_is_for() {
    for text in [
        "To start with this, I will first search for the `pool.rs` file and open it since that is where the problem is.",
        "Before submitting the changes, it's important to re-run the `repro.py` script to ensure that the bug is fixed.",
        "Before that, it would be prudent to run `repro.py` again, so that `Pool` has the desired effect.",
        "This script will attempt to create a `Pool` and then read `Pool.size` to see if it fails because of `x_y`.",
        "Now that the issue is fixed, we can submit the changes in `pool.rs`.",
        "To ensure that there are no other issues with `pool.rs`, we should run the file.",
        "Since we'll need to reproduce the issue to solve it, it would be a good idea to install `pool-rs`.",
        "Let's checkout the `setup.py` file to see what commands there are.",
        "I need to look at `a_b`, `c_d` and `e_f` because the root cause is in one of them.",
        "Let's use the `find_file` command to locate `pool.rs`.",
        "We are now looking at the relevant section of `pool.rs` where the size is set.",
        "Calling `submit` to submit.",
        "It looks like the edit succeeded and the bug should be fixed.",
        "It is likely to be in the `src/pool` directory, but we should check to be sure.",
        "Now I'll fix all of the remaining three in parallel.",
        "Now update the second call (line 452→454).",
        "Here's the content of `pool.rs`:",
        "Two fixes in `pool.rs`:",
        "Now when the `a/b` branch is pushed:",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_was_found_is_kept_without_what_is_announced_behind_it() {
    for (text, kept) in [
        (
            "I see that `PATH` still has the old `pool`, so we can just run `pool.sh` directly.",
            "I see that PATH still has the old pool",
        ),
        (
            "The pool in `pool.rs` is empty because it is never filled; let me check the callers.",
            "The pool in pool.rs is empty because it is never filled",
        ),
        (
            "The output has changed from 344 to 345, which suggests that the rounding is right.",
            "The output has changed from 344 to 345, which suggests that the rounding is right.",
        ),
        (
            "Instead of being subtracted, `x_y` should be wrapped in an absolute value.",
            "Instead of being subtracted, x_y should be wrapped in an absolute value.",
        ),
        (
            "Calling `close()` twice panics because the pool is gone.",
            "Calling close() twice panics because the pool is gone.",
        ),
        (
            "Now fix the err not defined issue in `pool.rs`.",
            "Now fix the err not defined issue in pool.rs.",
        ),
    ] {
        assert_eq!(said(text), [kept], "{text}");
    }
}

#[test]
fn comparisons_and_orders_are_kept() {
    assert_eq!(
        said("The test in `pool_test.rs` still expects a list instead of a set."),
        ["The test in pool_test.rs still expects a list instead of a set."]
    );
    assert_eq!(
        said("Use a set in `pool_test.rs` instead of a list."),
        ["Use a set in pool_test.rs instead of a list."]
    );
    assert_eq!(
        said("1. Change `encode_it` to return an error\n2. Add tests for `skip_it`"),
        [
            "Change encode_it to return an error",
            "Add tests for skip_it"
        ]
    );
}

#[test]
fn fields_are_kept_with_what_they_are_of() {
    let text = "You are now on a nonstop flight to Los Angeles. Here are the details:\n\n\
                - **Flight Number:** HAT041\n- **Departure:** 07:00 AM\n- **Passengers:**\n  - Ann\n  - Bob\n\nBye.";
    assert_eq!(
        said(text),
        [
            "You are now on a nonstop flight to Los Angeles: Flight Number: HAT041; Departure: 07:00 AM; \
             Passengers: Ann, Bob"
        ]
    );
    // Checks have their own outcomes, and a sentence has a meaning without fields.
    for text in [
        "The run is over:\n- Passed: 12\n- Failed: 0",
        "Please provide the following:\n- Name: yours\n- Date: of today",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(
        said("I made these changes:\n- `a.rs`: Added `Pool`\n- `b.rs`: Removed `Lock`"),
        ["a.rs: Added Pool", "b.rs: Removed Lock"]
    );
}

#[test]
fn what_the_user_is_asked_is_no_finding() {
    for text in [
        "Please provide the reason for it, so I can go on.",
        "Additionally, please let me know the reason for the cancellation of it.",
        "You may need to contact somebody else for further assistance with this.",
        "If you're unable to find it, I recommend asking for it.",
        "To confirm, you would like `a.rs` to be removed, not `b.rs`:\n- remove `a.rs:12` and not `b.rs`",
        "Would you like me to do one of these:\n1. Replace `serde` because `x_y` is slow\n2. Cache `x_y()`",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    let dangling = "The cheapest one is `HAT-110`, not `HAT-112`, with the following details:";
    assert_eq!(
        said(dangling),
        ["The cheapest one is HAT-110, not HAT-112,"]
    );
}

#[test]
fn half_a_sentence_goes_on_in_its_list() {
    let text = "Without `-u` the branch is pushed, but:\n- `git branch -vv` shows nothing.\n\
                - `hasUnpushed` is wrong.\n\nDone.";
    assert_eq!(
        said(text),
        ["Without -u the branch is pushed, but git branch -vv shows nothing; hasUnpushed is wrong"]
    );
}

#[test]
fn half_a_sentence_whose_list_is_too_long_ends_before_its_join() {
    let item = "it is a rather long reason that goes on and on, and takes more room than there is for one of them";
    let text = format!("I'd go with the pool in `pool.rs` because:\n- {item}\n- {item} again");
    assert_eq!(said(&text)[0], "I'd go with the pool in pool.rs");
}

#[test]
fn what_is_measured_is_a_name_and_code_that_is_shown_is_not_read() {
    assert_eq!(
        said("Now it takes 135ms, down from 800ms.\n```\nthe root cause is x.rs because\n```"),
        ["Now it takes 135ms, down from 800ms."]
    );
}

#[test]
fn other_languages_are_read_by_their_names_and_by_some_of_their_words() {
    assert_eq!(
        said("原因是 `config.toml` 缺少字段。接下来我看看"),
        ["原因是 config.toml 缺少字段。"]
    );
    assert_eq!(
        said("Das Problem liegt an `pool.rs:40`, weil der Zähler nie sinkt."),
        ["Das Problem liegt an pool.rs:40, weil der Zähler nie sinkt."]
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

#[test]
fn a_place_is_in_a_file_by_its_path_or_its_line() {
    let path = "/w/cli/start.go";
    for text in [
        "Found it in cli/start.go.",
        "start: cli/start.go:96, 97",
        "see start.go:3",
    ] {
        assert!(over::is_place_in(text, path), "{text}");
    }
    for text in [
        "It was defined in start.go.",
        "see cli/restart.go:3",
        "api/start.go",
        "start.gob:3",
    ] {
        assert!(!over::is_place_in(text, path), "{text}");
    }
}
