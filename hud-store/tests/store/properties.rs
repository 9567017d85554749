//! What holds for any events at all.

use hud_store::event::{
    Actor, BlockerAdd, BlockerRemove, CallTokens, CheckRun, CompactAfter, CompactBefore,
    ConstraintAdd, ConstraintLift, ContextFrame, ContextSnapshot, DecisionRecord, DecisionRemove,
    DependencyAdd, DependencyRemove, DroppedKeep, EarlierForget, EarlierInherit, ErrorEncountered,
    ErrorResolved, EventId, EventRedact, EventRedacted, FileClose, FileDelete, FileEdit, FileMove,
    FileOpen, FindingRecord, FindingRemove, FrameBands, FrameText, HudEvent, MemoryClear,
    MemoryCoreUpdate, MemoryItemAdd, MemoryItemRemove, NewEvent, NoteAdd, NoteRemove, NoteUpdate,
    OutputKeep, OutputMeasure, OutputProtect, OutputSeen, RecordAnswer, RecordCommand,
    RecordMessage, RecordRead, RecordRefusal, ReminderAsk, ReminderEnd, ReminderPlan,
    RepositoryBranch, RepositoryCommit, RepositoryPush, RepositoryUnfinished, RequestClose,
    RequestEnd, RequestMake, SessionDelete, SessionRestore, SessionStart, Speaker, StepAdd,
    StepComplete, StepRemove, StepReorder, StepStart, TaskEnd, TaskOffer, TaskPin, TaskSet,
    TaskUpdate, UpdateMode,
};
use hud_store::event::{
    AttentionEnd, AttentionSet, KnowledgeAppend, KnowledgeDelete, KnowledgeSet,
};
use hud_store::fold::{
    BLOCKERS_CAP, DECISIONS_CAP, DEPENDENCIES_CAP, ERRORS_CAP, FILES_CAP, KNOWLEDGE_CAP, NOTES_CAP,
    STEPS_CAP,
};
use hud_store::log::{
    Expected, Log, LogError, Moment, append_with, state_at, state_of, state_with_past,
};
use hud_store::memory::MemoryLog;
use hud_store::section::OTHER_BLOCKS_CAP;
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::{
    Attempted, EarlierSession, HudState, Lines, MemoryBlock, MemoryKind, MemoryPlace, MemorySource,
    OutputClass, POOL_CAP, StepStatus, Unfinished,
};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::Union;
use serde_json::Value;
use uuid::Uuid;

use crate::given::{contents, read, session, state};

/// A name out of few, so that events meet.
fn name() -> impl Strategy<Value = String> {
    "[a-r]"
}

/// The tokens of a call.
fn call() -> impl Strategy<Value = CallTokens> {
    let count = any::<u64>;
    (count(), count(), count(), count(), count()).prop_map(
        |(input, cache_write, cache_write_hour, cache_read, output)| CallTokens {
            input,
            cache_write,
            cache_write_hour,
            cache_read,
            output,
        },
    )
}

/// Any text at all.
fn text() -> impl Strategy<Value = String> {
    any::<String>()
}

fn place() -> impl Strategy<Value = MemoryPlace> {
    prop_oneof![
        Just(MemoryPlace::Error),
        Just(MemoryPlace::Decision),
        Just(MemoryPlace::Todo),
        Just(MemoryPlace::Dependency),
        Just(MemoryPlace::Pool),
    ]
}

fn path() -> impl Strategy<Value = String> {
    "[a-c](\\.[a-c0-2]){0,2}|\\.|"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec(("[a-c]", inner), 0..3).prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

fn memory_kind() -> impl Strategy<Value = MemoryKind> {
    prop_oneof![Just(MemoryKind::Path), Just(MemoryKind::Note)]
}

fn source() -> impl Strategy<Value = MemorySource> {
    prop_oneof![Just(MemorySource::Agent), Just(MemorySource::Derived)]
}

fn block() -> impl Strategy<Value = MemoryBlock> {
    prop_oneof![
        Just(MemoryBlock::Goal),
        Just(MemoryBlock::Progress),
        Just(MemoryBlock::Context),
        name().prop_map(MemoryBlock::from),
    ]
}

fn mode() -> impl Strategy<Value = UpdateMode> {
    prop_oneof![Just(UpdateMode::Replace), Just(UpdateMode::Append)]
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn lines() -> impl Strategy<Value = Lines> {
    (any::<u64>(), any::<u64>()).prop_map(|(first, last)| Lines { first, last })
}

fn class() -> impl Strategy<Value = OutputClass> {
    use OutputClass::{Ack, Kept, Look, Read, Report};
    prop_oneof![Just(Read), Just(Look), Just(Report), Just(Ack), Just(Kept)]
}

/// The bands that a frame was made with.
fn bands() -> impl Strategy<Value = FrameBands> {
    any::<[u8; 7]>().prop_map(|percent| FrameBands {
        compact_from: percent[0],
        minimal_from: percent[1],
        red_above: percent[2],
        critical_above: percent[3],
        margin: percent[4],
        step: percent[5],
        announced_turns: percent[6],
    })
}

fn speaker() -> impl Strategy<Value = Speaker> {
    prop_oneof![
        Just(Speaker::User),
        Just(Speaker::Agent),
        Just(Speaker::SubAgent)
    ]
}

fn attempted() -> impl Strategy<Value = Attempted> {
    use Attempted::{Call, Edit, Read, Run};
    prop_oneof![Just(Read), Just(Edit), Just(Run), Just(Call)]
}

fn time() -> impl Strategy<Value = Timestamp> {
    (0..8_000_000_000_i64).prop_map(|second| Timestamp::from_second(second).unwrap())
}

fn earlier() -> impl Strategy<Value = EarlierSession> {
    (name(), time(), text(), any::<bool>()).prop_map(|(name, at, task, runs)| EarlierSession {
        session: session(&name),
        at,
        task,
        runs,
    })
}

fn unfinished() -> impl Strategy<Value = Unfinished> {
    let of = (
        name(),
        time(),
        text(),
        vec(text(), 0..5),
        option::of(name()),
    );
    of.prop_map(|(name, at, task, steps, branch)| Unfinished {
        session: session(&name),
        at,
        task,
        steps,
        branch,
    })
}

/// A payload out of one strategy for each field.
macro_rules! events {
    ($($name:ident { $($field:ident: $strategy:expr),* })*) => {
        vec![$(
            ($($strategy,)*)
                .prop_map(|($($field,)*)| HudEvent::from($name { $($field),* }))
                .boxed()
        ),*]
    };
}

/// One strategy for each kind, and one for the unknown kinds.
fn kinds() -> Vec<BoxedStrategy<HudEvent>> {
    let number = any::<u64>;
    let origin = || option::of(name().prop_map(|name| session(&name)));
    let mut kinds = events! {
        SessionStart { resumes: origin(), parent: origin(), project: origin() }
        OutputKeep { call: option::of(name()), tool: name(), target: option::of(text()), content: text().prop_map(Into::into), outline: option::of(text()) }
        SessionDelete { events: number() }
        OutputSeen { call: name(), tool: name(), class: class(), target: option::of(text()), lines: option::of(lines()), rows: number(), chars: number(), error: any::<bool>(), recalls: option::of(name()) }
        OutputMeasure { chars: number(), tokens: number() }
        OutputProtect { call: name(), lines: option::of(lines()) }
        EventRedact { version: option::of(number()), kind: name(), reason: option::of(text()) }
        EventRedacted { kind: name(), call: option::of(name()) }
        TaskSet { description: text() }
        TaskUpdate { description: option::of(text()), latest_request: option::of(text()) }
        TaskOffer { said: text() }
        TaskPin { pinned: any::<bool>(), description: option::of(text()) }
        DroppedKeep { id: name(), text: text() }
        EarlierInherit { sessions: vec(earlier(), 0..9), from: vec(name().prop_map(|name| session(&name)), 0..9), unfinished: option::of(unfinished()), files: vec(text(), 0..16), omitted: any::<u32>() }
        DecisionRecord { id: name(), summary: name(), details: option::of(text()), weight: option::of(0..10_u8) }
        DecisionRemove { id: name() }
        NoteAdd { id: text(), content: text() }
        NoteUpdate { id: name(), content: text() }
        NoteRemove { id: name() }
        FileOpen { path: name(), lines: option::of(lines()) }
        FileEdit { path: name(), names: vec(name(), 0..6), lines: option::of(lines()), created: any::<bool>(), diff: option::of(text()) }
        FileMove { path: name(), to: name() }
        FileDelete { path: name() }
        FileClose { path: name() }
        StepAdd { id: name(), description: name() }
        StepStart { id: name() }
        StepComplete { id: name() }
        StepRemove { id: name() }
        StepReorder { ids: vec(name(), 0..5) }
        ErrorEncountered {
            id: name(), message: text(), tool: option::of(text()), target: option::of(text()),
            attempted: option::of(attempted())
        }
        ErrorResolved { id: name(), resolution: option::of(text()) }
        BlockerAdd { id: name(), description: text() }
        BlockerRemove { id: name() }
        ReminderPlan { steps: vec(text(), 0..5) }
        ReminderAsk { items: vec(name(), 0..5), plan: any::<bool>(), compaction: any::<bool>() }
        RecordMessage { by: speaker(), text: text(), about: option::of(text()), retracts: option::of(speaker()) }
        RecordCommand { command: text(), directory: option::of(text()), passed: option::of(any::<bool>()), checks: vec(text(), 0..2), output: text() }
        RecordRead { target: name(), lines: text() }
        RecordAnswer { question: text(), answer: text() }
        RecordRefusal { call: text(), reason: option::of(text()) }
        RequestMake { id: name(), text: text() }
        RequestClose { id: name(), how: Just(RequestEnd::Withdrawn) }
        ConstraintAdd { id: name(), text: text() }
        ConstraintLift { id: name(), message: option::of(name()) }
        FindingRecord { id: name(), text: text(), weight: option::of(0..10_u8) }
        FindingRemove { id: name() }
        CheckRun { check: name(), passed: any::<bool>(), said: option::of(text()) }
        RepositoryBranch { name: name() }
        RepositoryCommit { hash: option::of(name()), message: text() }
        RepositoryPush { to: option::of(name()) }
        RepositoryUnfinished { operation: option::of(name()) }
        ContextSnapshot { used: number(), limit: option::of(number()), assumed: any::<bool>(), usable: option::of(number()), model: option::of(name()), call: option::of(call()), provider: option::of(name()) }
        ContextFrame { version: number(), base: option::of(number()), placement: name(), density: name(), bands: option::of(bands()), budget: option::of(number()), system: text().prop_map(|text| FrameText::of(&text)), message: text().prop_map(|text| FrameText::of(&text)) }
        CompactAfter { summary: option::of(text()), rest: option::of(text()), tokens_after: option::of(number()), boundary: option::of(name()) }
        MemoryCoreUpdate { block: block(), content: text(), mode: mode(), limit: option::of(0_u32..2_000) }
        MemoryItemAdd { content: name(), kind: memory_kind(), source: source() }
        DependencyAdd { name: name(), declared: option::of(name()) }
        DependencyRemove { name: name() }
        MemoryItemRemove { content: name() }
        AttentionSet { section: name(), percent: option::of(any::<u8>()) }
        AttentionEnd { section: name() }
        KnowledgeSet { path: path(), value: value(), w: option::of(any::<u8>()) }
        KnowledgeAppend { path: path(), value: value() }
        KnowledgeDelete { path: path() }
        MemoryClear { place: option::of(place()) }
    };
    let state = vec(Union::new(kinds.clone()), 0..20).prop_map(|events| Box::new(state(events)));
    let restored = (state.clone(), 0..30_usize).prop_map(|(mut state, times)| {
        let (notes, steps) = (state.notes.clone(), state.next_steps.clone());
        state
            .notes
            .extend(notes.iter().cycle().take(times * notes.len()).cloned());
        state
            .next_steps
            .extend(steps.iter().cycle().take(times * steps.len()).cloned());
        state
    });
    kinds.extend(events! {
        SessionRestore { session: origin(), version: number(), state: restored }
        CompactBefore {
            state: state, trigger: option::of(text()), tokens_before: option::of(number())
        }
    });
    let unknown =
        ("[a-z]{1,9}\\.[a-z]{1,9}", any::<u32>(), json()).prop_map(|(kind, v, payload)| {
            HudEvent::Other {
                kind: format!("x.{kind}"),
                v,
                payload: payload.into(),
            }
        });
    kinds.push(Just(ReminderEnd {}.into()).boxed());
    kinds.push(Just(TaskEnd {}.into()).boxed());
    kinds.push(Just(EarlierForget {}.into()).boxed());
    kinds.push(unknown.boxed());
    kinds
}

fn event() -> impl Strategy<Value = HudEvent> {
    Union::new(kinds())
}

fn actor() -> impl Strategy<Value = Actor> {
    "agent|user|client|derived|[a-zé]{1,9}".prop_map(Actor::from)
}

fn new_event() -> impl Strategy<Value = NewEvent> {
    let id = || any::<u128>().prop_map(|id| EventId::from_uuid(Uuid::from_u128(id)));
    // From the year 5 to 9000, in nanoseconds.
    let at = (-62_000_000_000..221_845_000_000_i64, 0..1_000_000_000_i32)
        .prop_map(|(second, nano)| Timestamp::new(second, nano).unwrap());
    (id(), 0..50_u64, at, actor(), option::of(id()), event()).prop_map(
        |(id, turn, at, actor, cause, event)| NewEvent {
            id,
            turn,
            at,
            actor,
            cause,
            event,
        },
    )
}

fn within_caps(state: &HudState) {
    for (what, len, cap) in [
        ("decisions", state.decisions.len(), DECISIONS_CAP),
        ("notes", state.notes.len(), NOTES_CAP),
        ("files", state.active_files.len(), FILES_CAP),
        ("blockers", state.blockers.len(), BLOCKERS_CAP),
        ("steps", state.next_steps.len(), STEPS_CAP),
        ("errors", state.errors.len(), ERRORS_CAP),
        ("dependencies", state.dependencies.len(), DEPENDENCIES_CAP),
        ("values", state.knowledge.values().len(), KNOWLEDGE_CAP),
        ("pool", state.working_memory.pool.len(), POOL_CAP),
    ] {
        assert!(len <= cap, "{len} {what}");
    }
    let others = state.core_memory.others.len();
    assert!(others <= OTHER_BLOCKS_CAP, "{others} blocks of one's own");
    let at_work = |step: &&hud_store::state::Step| step.status == StepStatus::InProgress;
    assert!(state.next_steps.iter().filter(at_work).count() <= 1);
}

#[test]
fn there_is_a_strategy_for_every_kind() {
    assert_eq!(kinds().len(), HudEvent::kinds().count() + 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    #[test]
    fn every_event_round_trips(event in event()) {
        let stored = event.encode()?;
        prop_assert_eq!(event, HudEvent::decode(&stored.kind, stored.v, &stored.payload)?);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    /// From memory, from a file after reopening it in the middle, and from the JSON of a state.
    #[test]
    fn the_fold_is_the_same_wherever_the_events_come_from(
        events in vec(new_event(), 0..120),
        cut in any::<prop::sample::Index>(),
    ) {
        let s = session("s");
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("hud.db");
        let mut memory = MemoryLog::new();
        memory.append(&s, Expected::NoStream, &events)?;
        let (early, late) = events.split_at(cut.index(events.len() + 1));
        for batch in [early, late] {
            SqliteLog::open_with(&path, Durability::Fast)?.append(&s, Expected::Any, batch)?;
        }

        let file = SqliteLog::open_read_only(&path)?;
        prop_assert_eq!(read(&memory, &s)?, read(&file, &s)?);
        let state = state_of(&memory, &s)?;
        prop_assert_eq!(&state, &state_of(&file, &s)?);
        let decide = |_: &HudState| Ok::<_, LogError>(events.clone());
        prop_assert_eq!(&state, &append_with(&mut MemoryLog::new(), &s, decide)?.0);
        let moment = Moment::Version(early.len() as u64);
        let (now, past) = state_with_past(&memory, &s, early.len() as u64)?;
        prop_assert_eq!(&state, &now);
        prop_assert_eq!(past, Some(state_at(&file, &s, moment)?));
        within_caps(&state);
        prop_assert_eq!(&state, &serde_json::from_str::<HudState>(&serde_json::to_string(&state)?)?);
        prop_assert_eq!(state.version, events.len() as u64);
        prop_assert_eq!(state.turn, events.iter().map(|event| event.turn).max().unwrap_or(0));
    }

    #[test]
    fn a_batch_with_one_bad_event_leaves_the_log_as_it_was(
        kept in vec(new_event(), 1..10),
        mut batch in vec(new_event(), 0..10),
        place in any::<prop::sample::Index>(),
    ) {
        let s = session("s");
        let mut bad = kept[0].clone();
        bad.turn += 1;
        batch.insert(place.index(batch.len() + 1), bad);
        let logs: [Box<dyn Log>; 2] =
            [Box::new(MemoryLog::new()), Box::new(SqliteLog::open_in_memory()?)];
        for mut log in logs {
            log.append(&s, Expected::NoStream, &kept)?;
            let before = contents(&*log);
            prop_assert!(log.append(&s, Expected::Any, &batch).is_err());
            prop_assert_eq!(contents(&*log), before);
        }
    }
}
