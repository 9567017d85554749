//! The agent's own knowledge of its session: its actions, the outputs that it read, and its own messages.

use hud_store::event::{Actor, CompactEvent, HudEvent, SessionEvent, SessionId, StoredEvent};
use hud_store::log::{Log, LogError, advance_with};
use hud_store::state::HudState;

/// Advances a state that an agent was shown by the later events that the agent knows. The
/// [difference](hud_store::state::news) to the session's state is then the news for the agent.
///
/// An agent knows the events that it recorded itself, and those of its conversation: the requests and rules,
/// its tool calls, their results, and its own messages. It does not know the events of a person, another model
/// or another program, nor its context use.
///
/// `is_seen` returns true or false if the caller knows whether an event comes from the agent's conversation.
/// For example, a user's request may come from there or from elsewhere, and a sub-agent has its own
/// conversation.
///
/// The agent no longer knows its conversation after a compaction, a session that inherits from another one, or
/// a restore. The result is then the shown state.
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

/// Tracks the events since an agent was shown a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Since {
    /// True if the conversation has been replaced since.
    pub(crate) is_anew: bool,
}

impl Since {
    /// True if the agent knows of the next event.
    pub(crate) fn knows(&mut self, event: &StoredEvent, is_seen: Option<bool>) -> bool {
        self.is_anew |= begins_anew(&event.event);
        !self.is_anew && is_known(event, is_seen)
    }
}

fn is_known(event: &StoredEvent, is_seen: Option<bool>) -> bool {
    let is_own = || matches!(event.actor, Actor::Agent | Actor::Derived | Actor::Summary);
    is_seen.unwrap_or_else(is_own) && !matches!(event.event, HudEvent::Context(_))
}

/// True if the conversation is replaced from the event on.
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

    /// The version of an event in a sub-agent's conversation, and that of one in the user's message.
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

    /// Returns the news after events that follow a shown state with a note `n0`.
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
