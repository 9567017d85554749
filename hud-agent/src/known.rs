//! What an agent knows of its session without being shown it: what it did, what it read in its conversation,
//! and what it said.

use hud_store::event::{Actor, CompactEvent, HudEvent, SessionEvent, SessionId, StoredEvent};
use hud_store::log::{Log, LogError, advance_with};
use hud_store::state::HudState;

/// Brings a state that an agent was shown on with what it knows of what happened since, so that the
/// [difference](hud_store::state::news) to the session's state is what it does not know.
///
/// Nobody has to say to an agent what it recorded itself, nor what follows from its conversation: the
/// requests and rules in it, its tools, their results, its own words. What a person, another model or
/// another program recorded it can't know, nor how full its context is.
///
/// `is_seen` says of an event whether it comes from the agent's conversation, where the caller knows: the
/// user may have said something there or recorded it elsewhere, and a sub-agent has a conversation of its own.
///
/// Where the conversation was compacted since, or the session took over what another one had or was taken
/// back, what was in it is not known any more: the state is the one that was shown.
///
/// ```
/// use hud_agent::known::known;
/// use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
/// use hud_store::log::{Expected, Log, state_of};
/// use hud_store::memory::MemoryLog;
/// use hud_store::state::{HudState, news};
///
/// let mut log = MemoryLog::new();
/// let session = SessionId::new("s")?;
/// for (id, actor) in [("n1", Actor::Agent), ("n2", Actor::User)] {
///     let note = NoteAdd { id: id.into(), content: format!("of the {actor}") };
///     log.append(&session, Expected::Any, &[NewEvent::now(1, actor, note)])?;
/// }
/// let known = known(&log, &session, &HudState::default(), |_| None)?;
/// let news = news(&known, &state_of(&log, &session)?);
/// assert_eq!(news.len(), 1);
/// assert_eq!(news[0].after.as_deref(), Some("of the user"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`Log::read`].
pub fn known<L: Log + ?Sized>(
    log: &L,
    session: &SessionId,
    shown: &HudState,
    is_seen: impl Fn(&StoredEvent) -> Option<bool>,
) -> Result<HudState, LogError> {
    let mut since = Since::default();
    let known = advance_with(log, session, shown.clone(), |event| {
        since.knows(event, is_seen(event))
    })?;
    Ok(if since.is_anew { shown.clone() } else { known })
}

/// What happens since an agent was shown a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Since {
    /// Whether the conversation is another one since.
    pub(crate) is_anew: bool,
}

impl Since {
    /// Whether the agent knows of the next event.
    pub(crate) fn knows(&mut self, event: &StoredEvent, is_seen: Option<bool>) -> bool {
        self.is_anew |= begins_anew(&event.event);
        !self.is_anew && is_known(event, is_seen)
    }
}

fn is_known(event: &StoredEvent, is_seen: Option<bool>) -> bool {
    let is_own = || matches!(event.actor, Actor::Agent | Actor::Derived | Actor::Summary);
    is_seen.unwrap_or_else(is_own) && !matches!(event.event, HudEvent::Context(_))
}

/// Whether the conversation is another one from the event on.
fn begins_anew(event: &HudEvent) -> bool {
    match event {
        HudEvent::Compact(CompactEvent::After(_)) => true,
        HudEvent::Session(SessionEvent::Start(start)) => {
            start.resumes.is_some() || start.parent.is_some()
        }
        HudEvent::Session(SessionEvent::Restore(_) | SessionEvent::Delete(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use hud_store::event::{
        CompactAfter, ConstraintAdd, ContextSnapshot, FileEdit, NewEvent, NoteAdd, NoteRemove,
        RequestMake, SessionStart,
    };
    use hud_store::log::{Expected, state_of};
    use hud_store::memory::MemoryLog;
    use hud_store::state::news;

    use super::*;

    /// The version of an event in the conversation of a sub-agent, and of one that the user said.
    const SUB_AGENTS: u64 = 3;
    const SAID: u64 = 4;

    fn note(id: &str) -> HudEvent {
        NoteAdd {
            id: id.into(),
            content: format!("note {id}"),
        }
        .into()
    }

    fn rule(text: &str) -> HudEvent {
        ConstraintAdd {
            id: text.into(),
            text: text.into(),
        }
        .into()
    }

    /// What is news after events that came behind a state that was shown, with a note `n0` in it.
    fn unknown(events: Vec<(Actor, HudEvent)>) -> Vec<String> {
        let mut log = MemoryLog::new();
        let session = SessionId::new("s").unwrap();
        let mut append = |actor, event: HudEvent| {
            let event = NewEvent::now(1, actor, event);
            log.append(&session, Expected::Any, &[event]).unwrap();
        };
        append(Actor::Agent, note("n0"));
        for (actor, event) in events {
            append(actor, event);
        }
        let mut first = true;
        let empty = HudState::default();
        let shown = advance_with(&log, &session, empty, |_| std::mem::take(&mut first)).unwrap();
        let known = known(&log, &session, &shown, |event| match event.version {
            SUB_AGENTS => Some(false),
            SAID => Some(true),
            _ => None,
        })
        .unwrap();
        news(&known, &state_of(&log, &session).unwrap())
            .iter()
            .map(|change| {
                format!(
                    "{}: {:?}",
                    change.item,
                    change.after.as_deref().unwrap_or("gone")
                )
            })
            .collect()
    }

    #[test]
    fn what_the_agent_did_and_what_its_conversation_says_is_known() {
        let request = RequestMake {
            id: "r1".into(),
            text: "Add limits".into(),
        };
        let edit = FileEdit::of("a.rs");
        assert_eq!(
            unknown(vec![
                (Actor::Agent, note("n1")),
                (Actor::Agent, rule("never commit")),
                (Actor::User, request.into()),
                (Actor::Derived, edit.into()),
                (Actor::Summary, note("n2")),
            ]),
            ["constraint: \"never commit\""],
            "but what is not of its conversation"
        );
    }

    #[test]
    fn what_others_recorded_and_how_full_the_context_is_are_news() {
        let usage = ContextSnapshot {
            used: 50_000,
            limit: Some(100_000),
            assumed: false,
            usable: None,
            model: None,
            call: None,
            provider: None,
        };
        let gone = NoteRemove { id: "n0".into() };
        assert_eq!(
            unknown(vec![
                (Actor::User, rule("never commit")),
                (Actor::Agent, note("n1")),
                (Actor::Derived, usage.into()),
                (Actor::Distilled, note("n2")),
                (Actor::Other("reviewer".into()), gone.into()),
            ]),
            [
                "constraint: \"never commit\"",
                "note: \"gone\"",
                "note: \"note n1\"",
                "note: \"note n2\"",
                "context: \"50000 of 100000 tokens\"",
            ]
        );
    }

    #[test]
    fn what_was_in_a_conversation_is_not_known_behind_its_compaction_and_in_another_session() {
        let after = CompactAfter {
            summary: None,
            rest: None,
            tokens_after: None,
            boundary: None,
        };
        let start = SessionStart {
            resumes: Some(SessionId::new("past").unwrap()),
            parent: None,
            project: None,
        };
        for event in [HudEvent::from(after), start.into()] {
            let said = unknown(vec![
                (Actor::Agent, rule("never commit")),
                (Actor::Derived, event),
                (Actor::Derived, note("n1")),
            ]);
            assert!(
                said.contains(&"constraint: \"never commit\"".to_owned()),
                "{said:?}"
            );
            assert!(said.contains(&"note: \"note n1\"".to_owned()), "{said:?}");
        }
    }
}
