//! What the fold makes of events, section by section.

use hud_store::event::{
    Actor, BlockerAdd, BlockerRemove, CompactAfter, CompactBefore, ContextSnapshot, DecisionRecord,
    DecisionRemove, DependencyAdd, ErrorEncountered, ErrorResolved, EventId, FileClose, FileDelete,
    FileEdit, FileMove, FileOpen, HudEvent, MemoryClear, MemoryCoreUpdate, MemoryItemAdd,
    MemoryItemRemove, NoteAdd, NoteRemove, NoteUpdate, RepositoryBranch, RepositoryUnfinished,
    StepAdd, StepComplete, StepReorder, StepStart, StoredEvent, TaskEnd, TaskOffer, TaskSet,
    TaskUpdate, UpdateMode,
};
use hud_store::fold::{ERRORS_CAP, FILES_CAP, NOTES_CAP, REMOVED_FILES_CAP, STEPS_CAP, fold};
use hud_store::section::OTHER_BLOCKS_CAP;
use hud_store::state::{
    FileStatus, HudState, Lines, MemoryBlock, MemoryKind, MemoryPlace, MemorySource, POOL_CAP,
    StepStatus, Trend,
};

use crate::given::{at, session, state, state_by_user, then};

fn set(description: &str) -> HudEvent {
    let description = description.into();
    TaskSet { description }.into()
}

fn update(description: Option<&str>, latest_request: Option<&str>) -> HudEvent {
    TaskUpdate {
        description: description.map(Into::into),
        latest_request: latest_request.map(Into::into),
    }
    .into()
}

fn decide(id: &str, summary: &str, details: Option<&str>) -> HudEvent {
    DecisionRecord {
        id: id.into(),
        summary: summary.into(),
        details: details.map(Into::into),
        weight: None,
    }
    .into()
}

fn note(id: &str, content: &str) -> HudEvent {
    NoteAdd {
        id: id.into(),
        content: content.into(),
    }
    .into()
}

fn step(id: &str) -> HudEvent {
    StepAdd {
        id: id.into(),
        description: format!("do {id}"),
    }
    .into()
}

fn start(id: &str) -> HudEvent {
    StepStart { id: id.into() }.into()
}

fn complete(id: &str) -> HudEvent {
    StepComplete { id: id.into() }.into()
}

fn open(path: &str) -> HudEvent {
    FileOpen::of(path).into()
}

fn edit(path: &str) -> HudEvent {
    FileEdit::of(path).into()
}

fn fail(id: &str) -> HudEvent {
    ErrorEncountered {
        id: id.into(),
        message: format!("{id} failed"),
        tool: None,
        target: None,
        attempted: None,
    }
    .into()
}

fn resolve(id: &str) -> HudEvent {
    ErrorResolved {
        id: id.into(),
        resolution: None,
    }
    .into()
}

fn usage(used: u64) -> HudEvent {
    ContextSnapshot {
        used,
        limit: Some(200_000),
        assumed: false,
        usable: None,
        model: Some("m".into()),
        call: None,
        provider: None,
    }
    .into()
}

fn remember(content: &str) -> HudEvent {
    MemoryItemAdd {
        content: content.into(),
        kind: MemoryKind::Note,
        source: MemorySource::Agent,
    }
    .into()
}

fn core(mode: UpdateMode, content: &str) -> HudEvent {
    MemoryCoreUpdate {
        block: MemoryBlock::Goal,
        limit: None,
        content: content.into(),
        mode,
    }
    .into()
}

fn ids(state: &HudState) -> Vec<&str> {
    state.next_steps.iter().map(|s| s.id.as_str()).collect()
}

fn files(state: &HudState) -> Vec<(&str, FileStatus)> {
    let files = state.active_files.iter();
    files.map(|f| (f.path.as_str(), f.status)).collect()
}

fn pool(state: &HudState) -> Vec<&str> {
    let pool = state.working_memory.pool.iter();
    pool.map(|item| item.content.as_str()).collect()
}

/// Folding the event changes nothing but the counters.
fn ignored(before: &HudState, event: HudEvent) {
    let mut after = then(before.clone(), [event]);
    // That a name was used is kept, whatever came of it.
    (after.turn, after.version) = (before.turn, before.version);
    after.numbers.clone_from(&before.numbers);
    // So is that the agent said something.
    after.reminder.clone_from(&before.reminder);
    assert_eq!(after, *before);
}

#[test]
fn a_request_is_kept_beside_the_task() {
    let s = state_by_user([set("auth"), update(None, Some("use JWT"))]);
    let task = s.task.unwrap();
    assert_eq!(task.description, "auth");
    assert_eq!(task.latest_request.as_deref(), Some("use JWT"));
    assert_eq!((task.set_at, task.updated_at), (at(1), at(2)));
}

#[test]
fn a_task_is_refined_replaced_and_cleared() {
    let s = state([set("auth"), update(Some("auth with JWT"), Some("x"))]);
    assert_eq!(s.task.as_ref().unwrap().description, "auth with JWT");
    let s = then(s, [set("billing")]);
    assert_eq!(s.task.as_ref().unwrap().latest_request, None);
    let s = then(s, [set("")]);
    assert_eq!(s.task, None);
    ignored(&s, set(""));
    ignored(&s, update(Some(""), Some("")));
}

#[test]
fn without_a_task_the_first_request_is_it() {
    let task = state([update(None, Some("fix the tests"))]).task.unwrap();
    assert_eq!(task.description, "fix the tests");
    assert_eq!(task.latest_request, None);
}

#[test]
fn the_same_text_is_recorded_once() {
    let blocker = |id: &str| {
        HudEvent::from(BlockerAdd {
            id: id.into(),
            description: "no key".into(),
        })
    };
    let s = state([decide("d", "JWT", None), note("n", "redis"), blocker("b")]);
    ignored(&s, decide("d2", "JWT", None));
    ignored(&s, note("n2", "redis"));
    ignored(&s, blocker("b2"));
}

#[test]
fn a_plan_may_have_a_step_twice() {
    let again = StepAdd {
        id: "a2".into(),
        description: "do a".into(),
    };
    let s = state([step("a"), again.into(), step("a")]);
    assert_eq!(ids(&s), ["a", "a2"]);
}

#[test]
fn a_repeated_decision_may_bring_its_reasons() {
    let s = state([
        decide("d", "JWT", None),
        decide("d2", "JWT", Some("stateless")),
    ]);
    assert_eq!(s.decisions.len(), 1);
    assert_eq!(s.decisions[0].details.as_deref(), Some("stateless"));
    ignored(&s, decide("d3", "JWT", None));
    let s = then(s, [decide("d", "sessions", None)]);
    assert_eq!(
        s.decisions[0].details, None,
        "the reasons were for something else"
    );
}

#[test]
fn the_same_id_rewrites_in_place() {
    let s = state([note("a", "1"), note("b", "2"), note("a", "3")]);
    let notes: Vec<_> = s
        .notes
        .iter()
        .map(|n| (n.id.as_str(), n.content.as_str()))
        .collect();
    assert_eq!(notes, [("a", "3"), ("b", "2")]);
}

#[test]
fn the_oldest_note_leaves_a_full_list() {
    let s = state((1..=NOTES_CAP + 2).map(|n| note(&n.to_string(), &n.to_string())));
    assert_eq!(s.notes.len(), NOTES_CAP);
    assert_eq!(s.notes[0].id, "3");
}

#[test]
fn unknown_ids_are_ignored() {
    let s = state([note("n", "redis"), step("a"), fail("e")]);
    let id = || "nobody".to_owned();
    ignored(&s, DecisionRemove { id: id() }.into());
    ignored(&s, BlockerRemove { id: id() }.into());
    ignored(&s, start("nobody"));
    ignored(&s, complete("nobody"));
    ignored(&s, resolve("nobody"));
    ignored(&s, FileClose { path: id() }.into());
    ignored(&s, MemoryItemRemove { content: id() }.into());
    ignored(&s, StepReorder { ids: vec![id()] }.into());
    let content = "x".into();
    ignored(&s, NoteUpdate { id: id(), content }.into());
}

#[test]
fn one_step_is_in_progress_at_most() {
    let s = state([step("a"), step("b"), start("a"), start("b")]);
    let status = |s: &HudState| [s.next_steps[0].status, s.next_steps[1].status];
    assert_eq!(status(&s), [StepStatus::Pending, StepStatus::InProgress]);
    let s = then(s, [complete("b"), start("b")]);
    assert_eq!(status(&s), [StepStatus::Pending, StepStatus::InProgress]);
    ignored(&s, start("b"));
}

#[test]
fn named_steps_come_first_and_the_others_keep_their_order() {
    let s = state(["a", "b", "c", "d"].map(step));
    let ids_named = ["d", "nobody", "b", "d"].map(Into::into).to_vec();
    let s = then(s, [StepReorder { ids: ids_named }]);
    assert_eq!(ids(&s), ["d", "b", "a", "c"]);
}

#[test]
fn a_full_plan_drops_what_is_done_then_what_comes_last() {
    let names: Vec<String> = (0..STEPS_CAP).map(|n| n.to_string()).collect();
    let s = state(names.iter().map(|n| step(n)));
    let s = then(s, [start("0"), complete("5"), step("x")]);
    assert_eq!(s.next_steps.len(), STEPS_CAP);
    assert!(!ids(&s).contains(&"5"));
    let s = then(s, [step("y")]);
    assert_eq!(ids(&s)[..6], ["0", "1", "2", "3", "4", "6"]);
    assert_eq!(ids(&s)[STEPS_CAP - 2..], ["499", "y"]);
}

#[test]
fn a_file_that_was_read_in_an_earlier_turn_is_referenced() {
    let s = state([open("a"), edit("b"), open("b"), open("c")]);
    assert_eq!(
        files(&s),
        [
            ("a", FileStatus::Referenced),
            ("b", FileStatus::Editing),
            ("c", FileStatus::Reading),
        ]
    );
    let s = then(s, [open("a")]);
    assert_eq!(
        files(&s)[2],
        ("a", FileStatus::Reading),
        "the last touched is last"
    );
}

#[test]
fn a_file_is_active_until_it_is_closed() {
    let s = state([edit("a"), edit("a"), open("a")]);
    assert_eq!(s.active_files[0].turn, 3);
    let s = then(s, [FileClose { path: "a".into() }]);
    assert_eq!(files(&s), []);
}

#[test]
fn a_file_keeps_the_newest_names_and_the_last_lines_of_what_was_changed() {
    let edit = |names: &[&str], line| FileEdit {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        lines: Some(Lines {
            first: line,
            last: line,
        }),
        ..FileEdit::of("a")
    };
    let first = edit(&["One", "Two", "Three"], 3);
    let s = state([first.into(), edit(&["Four", "One"], 9).into(), open("a")]);
    assert_eq!(s.active_files[0].names, ["Four", "One", "Two", "Three"]);
    assert_eq!(s.active_files[0].lines, Some(Lines { first: 9, last: 9 }));
}

#[test]
fn a_file_that_was_moved_says_what_it_was_and_one_that_is_removed_stays_known() {
    let moved = |path: &str, to: &str| {
        FileMove {
            path: path.into(),
            to: to.into(),
        }
        .into()
    };
    let delete = |path: &str| FileDelete { path: path.into() }.into();
    let s = state([open("a"), moved("a", "b"), delete("c")]);
    let said: Vec<_> = s
        .active_files
        .iter()
        .map(|file| (&*file.path, file.status, file.was.as_deref()))
        .collect();
    assert_eq!(
        said,
        [
            ("b", FileStatus::Editing, Some("a")),
            ("c", FileStatus::Deleted, None)
        ]
    );
    let s = then(s, [moved("b", "a"), open("c")]);
    assert_eq!(s.active_files[0].was, None);
    assert_eq!(s.active_files[1].status, FileStatus::Reading);
    let many = (0..20).map(|n| delete(&n.to_string()));
    assert_eq!(then(s, many).active_files.len(), 2 + REMOVED_FILES_CAP);
}

#[test]
fn a_full_list_of_files_drops_those_not_being_edited() {
    let paths: Vec<String> = (0..FILES_CAP).map(|n| n.to_string()).collect();
    let all_edited = state(paths.iter().map(|path| edit(path)));
    let s = then(all_edited.clone(), [open("0"), open("x")]);
    assert_eq!(
        s.active_files[0].path, "2",
        "all are being edited: the least recent leaves"
    );
    let s = then(s, [open("y")]);
    assert_eq!(s.active_files.len(), FILES_CAP);
    assert_eq!(
        s.active_files[0].path, "2",
        "x is not being edited: it leaves"
    );
    assert!(files(&s).iter().all(|(path, _)| *path != "x"));
}

#[test]
fn an_error_that_comes_back_is_unresolved_and_the_most_recent() {
    let s = state([fail("a"), resolve("a"), fail("b")]);
    assert_eq!(s.errors[0].resolved_at, Some(at(2)));
    let s = then(s, [fail("a")]);
    assert_eq!(s.errors.len(), 2);
    assert_eq!((s.errors[1].id.as_str(), s.errors[1].turn), ("a", 4));
    assert!(!s.errors[1].is_resolved());
}

#[test]
fn a_full_list_of_errors_drops_the_resolved_first() {
    let names: Vec<String> = (0..ERRORS_CAP).map(|n| n.to_string()).collect();
    let s = state(names.iter().map(|n| fail(n)));
    let s = then(s, [resolve("4"), fail("x"), fail("y")]);
    let left: Vec<_> = s.errors.iter().map(|e| e.id.as_str()).collect();
    assert_eq!(left, ["1", "2", "3", "5", "6", "7", "8", "9", "x", "y"]);
}

#[test]
fn the_last_five_readings_make_the_trend() {
    let s = state([10, 20, 30, 40, 50, 60].map(|k| usage(k * 1000)));
    let context = s.context.unwrap();
    assert_eq!(context.readings, [20_000, 30_000, 40_000, 50_000, 60_000]);
    assert_eq!(
        (context.percentage(), context.trend()),
        (Some(30), Trend::Growing)
    );
}

#[test]
fn a_reading_keeps_the_limit_of_its_model_only() {
    let reading = |model: Option<&str>| ContextSnapshot {
        used: 1,
        limit: None,
        assumed: false,
        usable: None,
        model: model.map(Into::into),
        call: None,
        provider: None,
    };
    let s = then(state([usage(1000)]), [reading(None)]);
    assert_eq!(s.context.as_ref().unwrap().limit, Some(200_000));
    let s = then(s, [reading(Some("other"))]);
    assert_eq!(s.context.unwrap().limit, None);
}

#[test]
fn a_compaction_forgets_the_readings_and_keeps_the_rest() {
    let before = state([note("n", "redis"), usage(150_000), usage(190_000)]);
    let witness = CompactBefore {
        state: Box::new(before.clone()),
        trigger: Some("auto".into()),
        tokens_before: None,
    };
    let s = then(before.clone(), [witness]);
    assert_eq!(s.compacting.as_ref().unwrap().tokens_before, Some(190_000));
    let end = |tokens_after| CompactAfter {
        summary: Some("went well".into()),
        rest: None,
        tokens_after,
        boundary: None,
    };
    let known = then(s.clone(), [end(Some(20_000))]);
    let context = known.context.unwrap();
    assert_eq!((context.used, context.readings), (20_000, vec![20_000]));
    let compacted = known.compacted.unwrap();
    assert_eq!((compacted.count, compacted.at), (1, at(5)));
    assert_eq!(compacted.tokens_before, Some(190_000));
    assert_eq!((known.notes, known.compacting), (before.notes, None));

    let unknown = then(s, [end(None), end(None)]);
    assert_eq!(
        unknown.context, None,
        "a stale figure would warn of a full window"
    );
    assert_eq!(unknown.compacted.unwrap().count, 2);
}

#[test]
fn what_is_appended_to_core_memory_keeps_to_the_limit_and_what_replaces_it_is_kept_whole() {
    let goal = |events: Vec<HudEvent>| state(events).core_memory.goal.content;
    let (replace, append) = (UpdateMode::Replace, UpdateMode::Append);
    assert_eq!(goal(vec![core(append, "a"), core(append, "b")]), "a\nb");
    assert_eq!(goal(vec![core(append, "a"), core(replace, "b")]), "b");
    let long = "é".repeat(1001);
    assert_eq!(goal(vec![core(replace, &long)]), long);
    assert_eq!(goal(vec![core(append, &long)]), "é".repeat(1000));
    let line = "é".repeat(499);
    let lines = |n| vec![line.as_str(); n].join("\n");
    assert_eq!(
        goal(vec![core(append, &lines(2)), core(append, "b")]),
        format!("{line}\nb")
    );
    assert_eq!(
        goal(vec![core(replace, &lines(2)), core(append, &long)]),
        "é".repeat(1000)
    );
}

#[test]
fn core_memory_has_blocks_of_ones_own_with_the_limit_that_they_were_written_with() {
    let risk = |name: String, content: &str| MemoryCoreUpdate {
        block: MemoryBlock::from(name),
        content: content.to_owned(),
        mode: UpdateMode::Append,
        limit: Some(5),
    };
    let s = state(["one", "two", "three"].map(|text| risk("risks".into(), text)));
    let risks = &s.core_memory.others["risks"];
    assert_eq!((risks.content.as_str(), risks.limit), ("three", Some(5)));
    let many = state((0..30).map(|n| risk(format!("block {n:02}"), "x")));
    assert_eq!(many.core_memory.others.len(), OTHER_BLOCKS_CAP);
    assert!(many.core_memory.others.contains_key("block 29"));
}

/// The pool's items with their mentions after events in turns.
fn at_hand(events: impl IntoIterator<Item = (u64, Actor, HudEvent)>) -> Vec<(String, u64)> {
    let folded = events.into_iter().enumerate();
    let state = folded.fold(HudState::default(), |state, (at, (turn, actor, event))| {
        let version = at as u64 + 1;
        let stored = StoredEvent {
            seq: version,
            session: session("s"),
            version,
            id: EventId::now_v7(),
            turn,
            at: crate::given::at(0),
            actor,
            cause: None,
            event,
        };
        fold(state, &stored)
    });
    let pool = state.working_memory.pool.into_iter();
    pool.map(|item| (item.content, item.mentions)).collect()
}

fn used(path: &str) -> HudEvent {
    FileOpen::of(path).into()
}

#[test]
fn everything_fades_and_what_is_mentioned_later() {
    for (mentions, last) in [(0, 28), (1, 32), (3, 36), (15, 45), (1_000, 45)] {
        let events = (0..=mentions).map(|_| (1, Actor::Agent, remember("a")));
        let after = |age: u64| {
            let later = (1 + age, Actor::Agent, remember("b"));
            at_hand(events.clone().chain([later]))
        };
        assert_eq!(after(last).len(), 2, "{mentions} mentions");
        assert_eq!(
            after(last + 1),
            [("b".to_owned(), 0)],
            "{mentions} mentions"
        );
    }
}

#[test]
fn files_that_are_used_are_at_hand_with_a_mention_for_each_turn() {
    let derived = |turn, event| (turn, Actor::Derived, event);
    let pool = at_hand([
        derived(1, used("a.rs")),
        derived(1, FileEdit::of("a.rs").into()),
        derived(2, used("b.rs")),
        derived(3, FileEdit::of("a.rs").into()),
        (3, Actor::Summary, used("said.rs")),
        derived(
            4,
            FileMove {
                path: "b.rs".into(),
                to: "c.rs".into(),
            }
            .into(),
        ),
    ]);
    assert_eq!(pool, [("a.rs".to_owned(), 1), ("c.rs".to_owned(), 0)]);
}

#[test]
fn a_file_that_was_not_there_is_not_at_hand_and_one_that_a_compaction_closes_is() {
    let close = |path: &str| FileClose { path: path.into() }.into();
    let after = CompactAfter {
        summary: None,
        rest: None,
        tokens_after: None,
        boundary: None,
    };
    let pool = at_hand([
        (1, Actor::Derived, used("gone.rs")),
        (1, Actor::Derived, close("gone.rs")),
        (2, Actor::Derived, used("a.rs")),
        (2, Actor::Derived, after.into()),
        (2, Actor::Derived, close("a.rs")),
    ]);
    assert_eq!(pool, [("a.rs".to_owned(), 0)]);
}

#[test]
fn a_turn_that_begins_again_makes_nothing_older_than_it_is() {
    let pool = at_hand([
        (40, Actor::Agent, remember("a")),
        (1, Actor::Agent, remember("b")),
    ]);
    assert_eq!(pool.len(), 2);
}

#[test]
fn ten_thousand_files_leave_the_pool_bounded_and_what_is_mentioned_in_it() {
    let mentioned = (1..=3).map(|turn| (turn, Actor::Derived, used("kept.rs")));
    let many = (0..10_000).map(|n| (4, Actor::Derived, used(&format!("f{n}.rs"))));
    let pool = at_hand(mentioned.chain(many));
    assert_eq!(pool.len(), POOL_CAP);
    assert_eq!(pool[0], ("kept.rs".to_owned(), 2));
}

#[test]
fn what_was_in_a_slot_once_is_a_note() {
    let old = HudEvent::decode("memory.item.add", 1, r#"{"place":"error","content":"a"}"#);
    assert_eq!(old.unwrap(), remember("a"));
}

#[test]
fn dependencies_are_named_once_the_newest_last() {
    let add = |name: &str, declared: Option<&str>| DependencyAdd {
        name: name.into(),
        declared: declared.map(Into::into),
    };
    let s = state([
        add("serde", Some("cargo")),
        add("vite", None),
        add("serde", None),
    ]);
    let names: Vec<_> = s
        .dependencies
        .iter()
        .map(|known| known.name.as_str())
        .collect();
    assert_eq!(names, ["vite", "serde"]);
    assert_eq!(s.dependencies[1].declared.as_deref(), Some("cargo"));
}

#[test]
fn working_memory_is_cleared_and_core_memory_stays() {
    let s = state([
        core(UpdateMode::Replace, "goal"),
        remember("p"),
        remember("q"),
    ]);
    let clear = |place| MemoryClear { place };
    ignored(&s, clear(Some(MemoryPlace::Todo)).into());
    let removed = then(
        s.clone(),
        [MemoryItemRemove {
            content: "p".into(),
        }],
    );
    assert_eq!(pool(&removed), ["q"]);
    let all = then(s, [clear(None)]);
    assert!(all.working_memory.is_empty());
    assert_eq!(all.core_memory.goal.content, "goal");
    ignored(&all, clear(None).into());
}

#[test]
fn the_highest_numbers_are_kept_also_when_their_items_leave() {
    let s = state([
        note("n3", "a"),
        note("n2", "b"),
        note("x9", "c"),
        step("s7"),
        note("n", "d"),
    ]);
    let s = then(s, [NoteRemove { id: "n3".into() }]);
    assert_eq!((s.numbers.note, s.numbers.step, s.numbers.error), (3, 7, 0));
}

#[test]
fn the_beginning_of_a_long_text_is_in_the_state() {
    let long = "é".repeat(100_000);
    let add = || NoteAdd {
        id: "n1".into(),
        content: long.clone(),
    };
    let notes = state([add()]).notes;
    assert!(notes[0].content.len() < 70_000 && notes[0].content.ends_with("é…"));
    let again = NoteAdd {
        id: "n2".into(),
        ..add()
    };
    assert_eq!(state([add(), again]).notes.len(), 1, "it is the same text");
}

#[test]
fn a_branch_and_what_is_unfinished_say_since_when() {
    let branch = |name: &str| HudEvent::from(RepositoryBranch { name: name.into() });
    let unfinished = |operation: Option<&str>| {
        HudEvent::from(RepositoryUnfinished {
            operation: operation.map(Into::into),
        })
    };
    let begun = [branch("main"), branch("x"), unfinished(Some("merge"))];
    let known = state(begun).repository;
    assert_eq!((known.branch_turn, known.unfinished_turn), (2, 3));
    let over = state([unfinished(Some("merge")), unfinished(None)]);
    assert_eq!(over.repository.unfinished_turn, 0);
}

#[test]
fn a_task_that_ended_is_done_until_something_is_asked_for() {
    let done = |events: &[HudEvent]| state_by_user(events.to_vec()).task.map(|task| task.done);
    let end = || HudEvent::from(TaskEnd {});
    assert_eq!(done(&[end()]), None);
    assert_eq!(done(&[set("fix"), end()]), Some(true));
    for next in [
        set("another"),
        update(None, Some("one thing more")),
        update(Some("the same, better said"), None),
    ] {
        assert_eq!(done(&[set("fix"), end(), next]), Some(false));
    }
    assert_eq!(
        done(&[set("fix"), end(), update(None, Some(""))]),
        Some(true)
    );
}

#[test]
fn what_is_offered_is_known_until_the_user_wants_something() {
    let offer = |said: &str| HudEvent::from(TaskOffer { said: said.into() });
    let offered = |events: &[HudEvent]| {
        state_by_user(events.to_vec())
            .task
            .and_then(|task| task.offer)
    };
    let wanted = update(None, Some("yes: run the tests"));
    let events = [set("fix"), offer("Run the tests?"), wanted];
    assert_eq!(offered(&events[..1]), None);
    assert_eq!(offered(&events[..2]).as_deref(), Some("Run the tests?"));
    assert_eq!(offered(&events), None);
    assert_eq!(offered(&[offer("nobody asked")]), None);
}
