//! A section from outside: its own kinds of events, its own part of the state, in everything that can
//! be done with a log, and without its crate.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests may fail like the tests themselves"
)]

use hud_store::event::{
    Actor, CompactAfter, EventId, Events, HudEvent, Json, NewEvent, NoteAdd, SessionId,
};
use hud_store::log::{
    Expected, Log, LogError, Moment, Point, append_with, begin, diff, restore, state_at, state_of,
};
use hud_store::memory::MemoryLog;
use hud_store::section::{Happened, Item, Relation, Section, SectionError, Sections, Taking};
use hud_store::state::{HudState, Origin};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

hud_store::events! {
    /// What happens to risks.
    pub enum RiskEvent {
        /// the agent sees a risk.
        "risk.add" 1 Add(
            /// Adds a risk.
            RiskAdd {
                /// Names it within the session.
                id: String,
                /// What may go wrong.
                description: String,
            }
        ) item id names id words [description],
        /// a risk is averted.
        "risk.close" 1 Close(
            /// Closes a risk.
            RiskClose {
                /// Which one.
                id: String,
            }
        ) item id,
    }
}

/// What may go wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Risks(Vec<RiskAdd>);

impl Section for Risks {
    const NAME: &'static str = "risks";
    const ITEM: &'static str = "risk";
    type Event = RiskEvent;

    fn apply(&mut self, event: &RiskEvent, _: &Happened<'_>) {
        match event {
            RiskEvent::Add(risk) => self.0.push(risk.clone()),
            RiskEvent::Close(closed) => self.0.retain(|risk| risk.id != closed.id),
        }
    }

    fn items(&self) -> Vec<Item> {
        let said = |risk: &RiskAdd| Item::new(&risk.id, &risk.description);
        self.0.iter().map(said).collect()
    }

    fn handed_up(event: &RiskEvent, name: &dyn Fn(&str) -> String) -> Option<RiskEvent> {
        let mut up = event.clone();
        match &mut up {
            RiskEvent::Add(risk) => risk.id = name(&risk.id),
            RiskEvent::Close(closed) => closed.id = name(&closed.id),
        }
        Some(up)
    }

    fn carry_over(&self, _: &Self, taking: &mut Taking<'_>) -> Vec<RiskEvent> {
        if taking.relation() != Relation::Resumed {
            return Vec::new();
        }
        let taken = self.0.iter().map(|risk| RiskAdd {
            id: taking.name(&risk.id),
            ..risk.clone()
        });
        taken.map(RiskEvent::Add).collect()
    }
}

fn sections() -> Sections {
    Sections::new().with::<Risks>().unwrap()
}

/// A log of each sort that knows risks.
fn logs() -> Vec<Box<dyn Log>> {
    let mut logs: Vec<Box<dyn Log>> = vec![Box::new(MemoryLog::new().with_sections(sections()))];
    #[cfg(feature = "sqlite")]
    logs.push(Box::new(
        hud_store::sqlite::SqliteLog::open_in_memory()
            .unwrap()
            .with_sections(sections()),
    ));
    logs
}

fn session(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

fn add(turn: u64, id: &str, description: &str) -> NewEvent {
    let risk = RiskAdd {
        id: id.into(),
        description: description.into(),
    };
    NewEvent::now(turn, Actor::Agent, risk)
}

fn close(turn: u64, id: &str) -> NewEvent {
    NewEvent::now(turn, Actor::Agent, RiskClose { id: id.into() })
}

fn ids(state: &HudState) -> Vec<&str> {
    let risks = state.section::<Risks>().unwrap();
    risks.0.iter().map(|risk| risk.id.as_str()).collect()
}

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

#[test]
fn a_section_from_outside_is_folded_at_every_moment_and_in_differences() {
    for mut log in logs() {
        let s = session("s");
        let events = [
            add(1, "r1", "A cold cache"),
            add(2, "r2", "A slow disk"),
            close(3, "r1"),
        ];
        log.append(&s, Expected::NoStream, &events).unwrap();
        let state = state_of(&*log, &s).unwrap();
        assert_eq!((ids(&state), state.unknown_events), (vec!["r2"], 0));
        let then = state_at(&*log, &s, Moment::Turn(2)).unwrap();
        assert_eq!(ids(&then), ["r1", "r2"]);

        let changes = diff(&*log, &s, Moment::Turn(1), Moment::Turn(3))
            .unwrap()
            .changes();
        let said: Vec<_> = changes
            .iter()
            .map(|change| {
                (
                    change.section,
                    change.item,
                    change.id.as_str(),
                    change.after.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            said,
            [
                ("risks", "risk", "r1", None),
                ("risks", "risk", "r2", Some("A slow disk")),
            ]
        );
        let subject = events[0].event.clone();
        let subject = log.sections().subject(&subject).unwrap();
        assert_eq!(
            (subject.section, subject.item.as_deref()),
            ("risks", Some("r1"))
        );
        assert_eq!(
            log.sections().find("risk").unwrap_err().nearest,
            Some("risks")
        );
    }
}

#[test]
fn events_that_were_just_appended_are_folded_as_those_that_are_read() {
    for mut log in logs() {
        let s = session("s");
        let mut event = add(1, "r1", &"long ".repeat(20_000));
        event.at = Timestamp::new(1, 123_456_789).unwrap();
        let compacted = CompactAfter {
            summary: None,
            rest: None,
            tokens_after: None,
            boundary: None,
        };
        let events = [event, NewEvent::now(2, Actor::Agent, compacted)];
        let (state, _) =
            append_with(&mut *log, &s, |_| Ok::<_, LogError>(events.to_vec())).unwrap();
        assert_eq!(state, state_of(&*log, &s).unwrap());
        assert!(state.section::<Risks>().unwrap().0[0].description.len() < 70_000);
    }
}

#[test]
fn an_event_of_a_built_in_kind_that_comes_as_text_is_folded_as_what_it_is() {
    for mut log in logs() {
        let s = session("s");
        let payload = Json::parse(r#"{"id":"n1","content":"redis"}"#).unwrap();
        let event = HudEvent::Other {
            kind: "note.add".into(),
            v: 1,
            payload,
        };
        let events = vec![NewEvent::now(1, Actor::Agent, event)];
        let (state, _) = append_with(&mut *log, &s, |_| Ok::<_, LogError>(events.clone())).unwrap();
        assert_eq!(state.notes[0].content, "redis");
        assert_eq!(state, state_of(&*log, &s).unwrap());
    }
}

#[test]
fn a_session_that_resumes_takes_over_what_the_section_says() {
    for mut log in logs() {
        let (old, new) = (session("old"), session("new"));
        log.append(&old, Expected::Any, &[add(1, "r7", "A cold cache")])
            .unwrap();
        log.append(&new, Expected::Any, &[add(1, "r1", "Its own")])
            .unwrap();
        let origin = Origin {
            resumes: Some(old),
            ..Origin::default()
        };
        begin(&mut *log, &new, &origin, NOW).unwrap();
        assert_eq!(ids(&state_of(&*log, &new).unwrap()), ["r1", "r2"]);
    }
}

#[test]
fn a_rewind_brings_the_section_back() {
    for mut log in logs() {
        let s = session("s");
        let events = [
            add(1, "r1", "A cold cache"),
            close(2, "r1"),
            add(2, "r2", "A slow disk"),
        ];
        log.append(&s, Expected::Any, &events).unwrap();
        let state = state_of(&*log, &s).unwrap();
        let point = Point {
            session: s.clone(),
            version: 1,
        };
        let (state, _) = restore(&mut *log, &s, state, &point, NOW).unwrap();
        assert_eq!(ids(&state), ["r1"]);
        assert_eq!(state, state_of(&*log, &s).unwrap());
    }
}

#[test]
fn an_epoch_begins_with_what_the_section_shows_and_keeps_it() {
    for mut log in logs() {
        let s = session("s");
        let events = [
            add(1, "r1", "A cold cache"),
            add(2, "r2", "A slow disk"),
            close(3, "r1"),
        ];
        log.append(&s, Expected::Any, &events).unwrap();
        let state = state_of(&*log, &s).unwrap();
        let epoch = state.epoch.as_ref().unwrap().state();
        assert_eq!(ids(&epoch), ["r1"]);
        let read: HudState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        let read = sections().adopt(read).unwrap();
        assert_eq!(read, state);
        assert_eq!(ids(&read.epoch.unwrap().state()), ["r1"]);
    }
}

#[test]
fn a_payload_that_does_not_fit_is_refused_and_names_kind_and_field() {
    for mut log in logs() {
        let s = session("s");
        let payload = Json::parse(r#"{"id":"r1"}"#).unwrap();
        let event = HudEvent::Other {
            kind: "risk.add".into(),
            v: 1,
            payload,
        };
        let event = NewEvent::now(1, Actor::Agent, event);
        let error = log
            .append(&s, Expected::Any, &[event])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("risk.add v1: missing field `description`"),
            "{error}"
        );
        assert_eq!(state_of(&*log, &s).unwrap().version, 0);
    }
}

/// The risks, of which none may be called `r13`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Superstitious(Risks);

impl Section for Superstitious {
    const NAME: &'static str = "superstitious";
    type Event = RiskEvent;

    fn apply(&mut self, event: &RiskEvent, when: &Happened<'_>) {
        self.0.apply(event, when);
        let is_unlucky = |risk: &RiskAdd| risk.id == "r13";
        assert!(!self.0.0.iter().any(is_unlucky), "thirteen");
    }

    fn items(&self) -> Vec<Item> {
        self.0.items()
    }
}

#[test]
fn a_section_that_panics_stays_as_it_was_and_its_event_is_kept() {
    let sections = Sections::new().with::<Superstitious>().unwrap();
    let mut log = MemoryLog::new().with_sections(sections);
    let s = session("s");
    let events = ["r12", "r13", "r14"].map(|id| add(1, id, "Cold cache"));
    log.append(&s, Expected::Any, &events).unwrap();
    let state = state_of(&log, &s).unwrap();
    assert_eq!(state.version, 3);
    let risks = &state.section::<Superstitious>().unwrap().0.0;
    let ids: Vec<_> = risks.iter().map(|risk| risk.id.as_str()).collect();
    assert_eq!(ids, ["r12", "r14"]);
}

#[test]
fn a_payload_of_a_newer_version_is_kept_and_counted() {
    for mut log in logs() {
        let s = session("s");
        let payload = Json::parse(r#"{"name":"r1"}"#).unwrap();
        let event = HudEvent::Other {
            kind: "risk.add".into(),
            v: 2,
            payload,
        };
        log.append(&s, Expected::Any, &[NewEvent::now(1, Actor::Agent, event)])
            .unwrap();
        let state = state_of(&*log, &s).unwrap();
        assert_eq!((ids(&state).len(), state.unknown_events), (0, 1));
    }
}

/// A section that only has another name or other kinds.
macro_rules! section {
    ($Section:ident, $name:literal, $Event:ty) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        struct $Section;

        impl Section for $Section {
            const NAME: &'static str = $name;
            type Event = $Event;
            fn apply(&mut self, _: &$Event, _: &Happened<'_>) {}
            fn items(&self) -> Vec<Item> {
                Vec::new()
            }
        }
    };
}

hud_store::events! {
    /// Kinds that are a built-in section's.
    pub enum Taken {
        /// a note.
        "note.add" 1 Add(
            /// A note.
            TakenAdd {}
        ),
    }
}

hud_store::events! {
    /// A kind of one word.
    pub enum OneWord {
        /// a word.
        "risk" 1 Add(
            /// A word.
            OneWordAdd {}
        ),
    }
}

section!(Notes, "notes", hud_store::event::NoEvents);
section!(Other, "other", RiskEvent);
section!(Stolen, "stolen", Taken);
section!(Spaced, "two words", hud_store::event::NoEvents);
section!(Undotted, "undotted", OneWord);

#[test]
fn a_name_or_a_kind_that_is_taken_is_an_error_at_registration() {
    let error = |result: Result<Sections, SectionError>| result.unwrap_err().to_string();
    insta::assert_snapshot!(error(Sections::new().with::<Notes>()), @"there is a section `notes` already: give this one another NAME");
    insta::assert_snapshot!(error(sections().with::<Risks>()), @"there is a section `risks` already: give this one another NAME");
    insta::assert_snapshot!(error(sections().with::<Other>()), @"section `other` has events of the kind `risk.add`, which are those of section `risks`: give them another kind");
    insta::assert_snapshot!(error(Sections::new().with::<Stolen>()), @"section `stolen` has events of the kind `note.add`, which are those of a built-in section: give them another kind");
    insta::assert_snapshot!(error(Sections::new().with::<Spaced>()), @"`two words` is no name for a section: use small letters, digits and `_`, and begin with a letter");
    insta::assert_snapshot!(error(Sections::new().with::<Undotted>()), @"section `undotted` has events of the kind `risk`: a kind is two words or more of small letters, digits and `_`, with dots between them, as `risk.add` is");
}

#[test]
fn a_kind_is_read_as_its_family_and_as_no_other() {
    let event = add(1, "r1", "A cold cache").event;
    assert!(matches!(
        event.read::<RiskEvent>(),
        Ok(Some(RiskEvent::Add(_)))
    ));
    assert!(matches!(event.read::<Taken>(), Ok(None)));
    let note = HudEvent::from(NoteAdd {
        id: "n1".into(),
        content: "redis".into(),
    });
    assert!(matches!(
        note.read::<hud_store::event::NoteEvent>(),
        Ok(Some(_))
    ));
    assert_eq!(RiskEvent::KINDS, [("risk.add", 1), ("risk.close", 1)]);
}

#[cfg(feature = "sqlite")]
mod in_a_file {
    use std::path::Path;

    use hud_store::jsonl::export;
    use hud_store::log::{Query, Search as _};
    use hud_store::sqlite::SqliteLog;

    use super::*;

    /// The risks of a program of a later version, in which a risk is counted.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct CountedRisks(usize);

    impl Section for CountedRisks {
        const NAME: &'static str = "risks";
        const VERSION: u32 = 2;
        type Event = RiskEvent;

        fn apply(&mut self, _: &RiskEvent, _: &Happened<'_>) {
            self.0 += 1;
        }

        fn items(&self) -> Vec<Item> {
            Vec::new()
        }
    }

    fn with_risks(path: &Path) -> SqliteLog {
        SqliteLog::open(path).unwrap().with_sections(sections())
    }

    /// As many risks as a state is worth being kept for.
    fn busy(log: &mut SqliteLog) {
        let events: Vec<_> = (1..=1200)
            .flat_map(|n| {
                [
                    add(n, &format!("r{n}"), "A cold cache"),
                    close(n, &format!("r{}", n.saturating_sub(2))),
                ]
            })
            .collect();
        log.append(&session("s"), Expected::Any, &events).unwrap();
    }

    #[test]
    fn a_kept_state_has_the_section_and_another_version_of_it_is_folded_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let mut log = with_risks(&path);
        busy(&mut log);
        let state = state_of(&log, &session("s")).unwrap();
        assert_eq!(log.snapshot(&session("s")).as_ref(), Some(&state));
        assert_eq!(
            ids(&with_risks(&path).snapshot(&session("s")).unwrap()),
            ["r1199", "r1200"]
        );

        let later = Sections::new().with::<CountedRisks>().unwrap();
        let later = SqliteLog::open(&path).unwrap().with_sections(later);
        assert_eq!(later.snapshot(&session("s")), None);
        let counted = state_of(&later, &session("s")).unwrap();
        assert_eq!(counted.section::<CountedRisks>().unwrap().0, 2400);
        assert_eq!(with_risks(&path).snapshot(&session("s")), None);
        assert_eq!(state_of(&with_risks(&path), &session("s")).unwrap(), state);
    }

    #[test]
    fn what_the_section_said_is_there_again_when_its_crate_is_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let mut log = with_risks(&path);
        busy(&mut log);
        state_of(&log, &session("s")).unwrap();
        drop(log);

        // Without the crate: nothing is in the way, and nothing is lost.
        let mut log = SqliteLog::open(&path).unwrap();
        let state = state_of(&log, &session("s")).unwrap();
        assert_eq!(
            (state.section::<Risks>(), state.unknown_events),
            (None, 2400)
        );
        let note = NoteAdd {
            id: "n1".into(),
            content: "meanwhile".into(),
        };
        log.append(
            &session("s"),
            Expected::Any,
            &[NewEvent::now(1300, Actor::Agent, note)],
        )
        .unwrap();
        assert_eq!(log.search(&Query::new("cold cache")).unwrap().len(), 20);
        assert_eq!(log.check(&mut |_| ()).unwrap().problems, []);
        assert_eq!(log.check(&mut |_| ()).unwrap().unknown["risk.add"], 1200);
        drop(log);

        let log = with_risks(&path);
        let state = state_of(&log, &session("s")).unwrap();
        assert_eq!(
            (ids(&state), state.notes.len()),
            (vec!["r1199", "r1200"], 1)
        );
        let report = log.check(&mut |_| ()).unwrap();
        assert!(report.problems.is_empty() && report.unknown.is_empty());
    }

    #[test]
    fn a_rewind_by_a_program_without_the_crate_loses_no_risk() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let s = session("s");
        let note = NoteAdd {
            id: "n1".into(),
            content: "undone".into(),
        };
        let events = [
            add(1, "r1", "A cold cache"),
            NewEvent::now(2, Actor::Agent, note),
        ];
        let mut log = with_risks(&path);
        log.append(&s, Expected::Any, &events).unwrap();
        drop(log);
        let mut log = SqliteLog::open(&path).unwrap();
        let state = state_of(&log, &s).unwrap();
        let point = Point {
            session: s.clone(),
            version: 1,
        };
        let (state, _) = restore(&mut log, &s, state, &point, NOW).unwrap();
        assert!(state.notes.is_empty());
        drop(log);
        assert_eq!(ids(&state_of(&with_risks(&path), &s).unwrap()), ["r1"]);

        // And one by a program that has it is carried through one that has not.
        let mut log = with_risks(&path);
        log.append(&s, Expected::Any, &[close(3, "r1")]).unwrap();
        let state = state_of(&log, &s).unwrap();
        restore(&mut log, &s, state, &point, NOW).unwrap();
        let mut log = SqliteLog::open(&path).unwrap();
        let state = state_of(&log, &s).unwrap();
        assert!(
            serde_json::to_string(&state)
                .unwrap()
                .contains("A cold cache")
        );
        log.append(&s, Expected::Any, &[add(4, "r2", "A slow disk")])
            .unwrap();
        let state = state_of(&log, &s).unwrap();
        let now = Point {
            session: s.clone(),
            version: state.version,
        };
        restore(&mut log, &s, state, &now, NOW).unwrap();
        assert_eq!(
            ids(&state_of(&with_risks(&path), &s).unwrap()),
            ["r1", "r2"]
        );
    }

    #[test]
    fn risks_are_searched_exported_and_taken_in_again_byte_for_byte() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = with_risks(&dir.path().join("hud.db"));
        let s = session("s");
        log.append(&s, Expected::Any, &[add(1, "r1", "A cold cache")])
            .unwrap();
        let hits = log.search(&Query::new("cold")).unwrap();
        assert_eq!(hits[0].event.event.kind(), "risk.add");
        let family = Query {
            kind: Some("risk".into()),
            ..Query::new("cold")
        };
        assert_eq!(log.search(&family).unwrap().len(), 1);

        let mut lines = Vec::new();
        export(&log, Some(&s), &mut lines).unwrap();
        for (name, sections) in [("known", sections()), ("unknown", Sections::new())] {
            let path = dir.path().join(name);
            let mut other = SqliteLog::open(&path).unwrap().with_sections(sections);
            other.import_lines(&mut lines.as_slice()).unwrap();
            let mut again = Vec::new();
            export(&other, Some(&s), &mut again).unwrap();
            assert_eq!(again, lines);
            assert_eq!(ids(&state_of(&with_risks(&path), &s).unwrap()), ["r1"]);
        }
        let broken = String::from_utf8(lines)
            .unwrap()
            .replace("description", "text");
        let broken = broken.replace(&id_in(&broken), &EventId::now_v7().to_string());
        let error = log
            .import_lines(&mut broken.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.contains("line 1 is no event"), "{error}");
        assert!(
            error.contains("risk.add v1: missing field `description`"),
            "{error}"
        );
        assert_eq!(state_of(&log, &s).unwrap().version, 1);
    }

    fn id_in(line: &str) -> String {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["id"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_payload_that_does_not_fit_and_came_from_elsewhere_is_counted_and_loses_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hud.db");
        let s = session("s");
        let payload = Json::parse(r#"{"id":7}"#).unwrap();
        let event = HudEvent::Other {
            kind: "risk.add".into(),
            v: 1,
            payload,
        };
        let mut log = SqliteLog::open(&path).unwrap();
        let events = [
            NewEvent::now(1, Actor::Agent, event),
            add(2, "r1", "A cold cache"),
        ];
        log.append(&s, Expected::Any, &events).unwrap();
        let state = state_of(&with_risks(&path), &s).unwrap();
        assert_eq!((ids(&state), state.unknown_events), (vec!["r1"], 1));
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn what_sub_agents_record_comes_up_as_its_section_says() {
    let mut log = hud_store::sqlite::SqliteLog::open_in_memory()
        .unwrap()
        .with_sections(sections());
    let (main, sub) = (session("main"), session("sub"));
    log.append(&main, Expected::Any, &[add(1, "r1", "a cold cache")])
        .unwrap();
    let both = [add(1, "r1", "a slow disk"), add(1, "r2", "a full disk")];
    log.append(&sub, Expected::Any, &both).unwrap();
    assert_eq!(log.hand_up(&sub, &main, 0, Timestamp::now()).unwrap(), 2);
    log.append(&sub, Expected::Any, &[close(2, "r1")]).unwrap();
    assert_eq!(log.hand_up(&sub, &main, 2, Timestamp::now()).unwrap(), 1);
    assert_eq!(ids(&state_of(&log, &main).unwrap()), ["r1", "r2@sub"]);
}
