//! Random commands against a log and against a plain vector.

use hud_store::event::{EventRedacted, HudEvent, NewEvent, OutputEvent, StoredEvent};
use hud_store::fold::fold;
use hud_store::log::{Expected, Log, LogError, catch_up, state_of};
use hud_store::sqlite::{Durability, SqliteLog};
use hud_store::state::HudState;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::given::{note, nth, read, read_all, redact, session};

#[derive(Debug, Clone)]
enum Command {
    /// To a session, expecting a version that is off by so much, events by number.
    Append(u8, Option<i8>, Vec<u64>),
    /// An event with the number of another, and other content.
    Contradict(u8, u64),
    Reopen,
    /// Fold, and keep the state.
    Open(u8),
    Archive(u8, u8),
    Redact(u8),
    Rebuild,
}

fn command() -> impl Strategy<Value = Command> {
    let name = || 0..3_u8;
    prop_oneof![
        6 => (name(), prop::option::of(-1..2_i8), vec(1..200_u64, 0..8))
            .prop_map(|(name, off, numbers)| Command::Append(name, off, numbers)),
        1 => (name(), 1..200_u64).prop_map(|(name, number)| Command::Contradict(name, number)),
        1 => Just(Command::Reopen),
        2 => name().prop_map(Command::Open),
        1 => (name(), any::<u8>()).prop_map(|(name, until)| Command::Archive(name, until)),
        1 => any::<u8>().prop_map(Command::Redact),
        1 => Just(Command::Rebuild),
    ]
}

/// What a log is to be.
#[derive(Default)]
struct Model {
    events: Vec<(u8, NewEvent)>,
}

impl Model {
    fn version(&self, name: u8) -> u64 {
        self.events
            .iter()
            .filter(|(other, _)| *other == name)
            .count() as u64
    }

    /// What an append does, by the book.
    fn append(&mut self, name: u8, expected: Expected, events: &[NewEvent]) -> bool {
        let before = self.events.len();
        let version = self.version(name);
        let is_met = match expected {
            Expected::Any => true,
            Expected::NoStream => version == 0,
            Expected::Exact(exact) => version == exact,
        };
        let mut is_fine = !events.is_empty() || is_met;
        for event in events {
            match self.events.iter().find(|(_, known)| known.id == event.id) {
                Some((of, known)) => is_fine &= *of == name && known == event,
                None => {
                    is_fine &= is_met;
                    self.events.push((name, event.clone()));
                }
            }
        }
        if !is_fine {
            self.events.truncate(before);
        }
        is_fine
    }

    fn of(&self, name: u8) -> Vec<&NewEvent> {
        self.events
            .iter()
            .filter(|(of, _)| *of == name)
            .map(|(_, event)| event)
            .collect()
    }
}

fn name(name: u8) -> hud_store::event::SessionId {
    session(&format!("s{name}"))
}

fn is_same(stored: &StoredEvent, event: &NewEvent) -> bool {
    (
        stored.id,
        stored.turn,
        stored.at,
        &stored.actor,
        stored.cause,
        &stored.event,
    ) == (
        event.id,
        event.turn,
        event.at,
        &event.actor,
        event.cause,
        &event.event,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(ProptestConfig::default().cases / 4) })]

    #[test]
    fn a_log_is_what_a_vector_would_be(commands in vec(command(), 1..40)) {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("hud.db");
        let mut log = SqliteLog::open_with(&path, Durability::Fast)?;
        let mut model = Model::default();
        let mut kept = [(); 3].map(|()| HudState::default());
        for command in commands {
            match command {
                Command::Append(to, off, numbers) => {
                    let events: Vec<_> = numbers.into_iter().map(note).collect();
                    let expected = match off {
                        None => Expected::Any,
                        Some(off) => Expected::Exact(model.version(to).saturating_add_signed(off.into())),
                    };
                    let outcome = log.append(&name(to), expected, &events);
                    prop_assert_eq!(outcome.is_ok(), model.append(to, expected, &events), "{:?}", outcome);
                }
                Command::Contradict(to, number) => {
                    let mut event = note(number);
                    event.turn += 1;
                    let outcome = log.append(&name(to), Expected::Any, &[event.clone()]);
                    let is_conflict = matches!(outcome, Err(LogError::IdConflict { .. }));
                    prop_assert!(model.append(to, Expected::Any, &[event]) || is_conflict);
                }
                Command::Reopen => {
                    drop(log);
                    log = SqliteLog::open_with(&path, Durability::Fast)?;
                }
                Command::Open(of) => {
                    let state = state_of(&log, &name(of))?;
                    log.save_snapshot(&name(of), &state);
                    kept[usize::from(of)] = state;
                }
                Command::Archive(of, until) => {
                    log.archive(&name(of), until.into(), &mut |_| ())?;
                }
                Command::Redact(seq) => {
                    let Some((of, event)) = model.events.get(usize::from(seq)).cloned() else {
                        continue;
                    };
                    let id = 1000 + model.events.len() as u64;
                    let mut record = None;
                    let done = redact(&mut log, u64::from(seq) + 1, None, |redact| {
                        record.insert(nth(id, redact)).clone()
                    })?;
                    if done.changed {
                        let kind = event.event.kind().to_owned();
                        let call = match event.event {
                            HudEvent::Output(OutputEvent::Keep(keep)) => keep.call,
                            _ => None,
                        };
                        model.events[usize::from(seq)].1.event = EventRedacted { kind, call }.into();
                        model.events.extend(record.map(|record| (of, record)));
                    }
                }
                Command::Rebuild => log.rebuild()?,
            }
        }
        let all = read_all(&log)?;
        prop_assert_eq!(all.len(), model.events.len());
        prop_assert!(all.iter().zip(&model.events).all(|(stored, (_, event))| is_same(stored, event)));
        prop_assert!(all.iter().map(|event| event.seq).eq(1..=all.len() as u64));
        for of in 0..3 {
            let own = read(&log, &name(of))?;
            let events = model.of(of);
            prop_assert_eq!(own.len(), events.len());
            prop_assert!(own.iter().zip(events).all(|(stored, event)| is_same(stored, event)));
            let folded = own.iter().fold(HudState::default(), fold);
            prop_assert_eq!(&state_of(&log, &name(of))?, &folded, "from the snapshot");
            prop_assert_eq!(&catch_up(&log, &name(of), kept[usize::from(of)].clone())?, &folded, "step by step");
        }
        let problems = log.check(&mut |_| ())?.problems;
        prop_assert!(problems.is_empty(), "{problems:?}");
    }
}
