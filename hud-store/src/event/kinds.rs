//! The table of kinds, and what follows from it: the enum, its names, encoding and decoding.

use super::Json;
use super::clip::Clip;
use super::payload::*;
use super::upcast::{UPCASTS, upcast};

/// An event's stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The dotted name.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// The payload: one JSON value.
    pub payload: String,
}

/// A payload that doesn't fit its kind.
#[derive(Debug, thiserror::Error)]
#[error("the payload does not fit {kind} v{v}: {source}")]
pub struct PayloadError {
    /// The dotted name.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// What serde found wrong, and where in the payload.
    pub source: serde_json::Error,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:literal $v:literal $name:ident,)*) => {
        /// What happened: one variant for each kind.
        ///
        /// ```
        /// use hud_store::event::{HudEvent, NoteAdd};
        ///
        /// let event = HudEvent::from(NoteAdd { id: "n1".into(), content: "tests need redis".into() });
        /// assert_eq!(event.kind(), "note.add");
        ///
        /// let stored = event.encode()?;
        /// assert_eq!(stored.payload, r#"{"id":"n1","content":"tests need redis"}"#);
        /// assert_eq!(HudEvent::decode(&stored.kind, stored.v, &stored.payload)?, event);
        /// # Ok::<(), hud_store::event::PayloadError>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum HudEvent {
            $(#[doc = concat!("`", $kind, "`: ")] $(#[$doc])* $name($name),)*
            /// A kind, or a payload version, that this program is too old to know. Kept as it
            /// is and counted by the fold, so that a newer writer never breaks an older reader.
            Unknown {
                /// The dotted name.
                kind: String,
                /// The payload's version.
                v: u32,
                /// The payload, whatever it is.
                payload: Json,
            },
        }

        impl HudEvent {
            /// The dotted names of all kinds that this program knows.
            pub const KINDS: &'static [&'static str] = &[$($kind),*];

            /// The dotted name.
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$name(_) => $kind,)*
                    Self::Unknown { kind, .. } => kind,
                }
            }

            /// The same with the beginnings of its texts, if one of them is too long for a state.
            pub(crate) fn clipped(&self) -> Option<Self> {
                match self {
                    $(Self::$name(payload) => {
                        payload.is_long().then(|| Self::$name(payload.clipped()))
                    })*
                    Self::Unknown { .. } => None,
                }
            }

            /// The payload's version as this program writes it.
            pub fn v(&self) -> u32 {
                match self {
                    $(Self::$name(_) => $v,)*
                    Self::Unknown { v, .. } => *v,
                }
            }

            /// The stored form. The same event always gives the same bytes.
            ///
            /// # Errors
            /// When serde can't write the payload; no payload of ours is of that sort.
            pub fn encode(&self) -> Result<Encoded, PayloadError> {
                let payload = match self {
                    $(Self::$name(payload) => serde_json::to_string(payload),)*
                    Self::Unknown { payload, .. } => Ok(payload.as_str().to_owned()),
                };
                match payload {
                    Ok(payload) => Ok(Encoded { kind: self.kind().to_owned(), v: self.v(), payload }),
                    Err(source) => Err(misfit(self.kind(), self.v(), source)),
                }
            }

            /// The typed form. An older payload is brought up to date; a newer one, or a kind that
            /// is not in [`HudEvent::KINDS`], becomes [`HudEvent::Unknown`].
            ///
            /// # Errors
            /// When the payload is not JSON, or lacks what its kind and version demand.
            pub fn decode(kind: &str, v: u32, payload: &str) -> Result<Self, PayloadError> {
                let event = match kind {
                    $($kind if v == $v => serde_json::from_str(payload).map(Self::$name),)*
                    $($kind if v < $v => serde_json::from_str(payload)
                        .map(|payload| upcast(UPCASTS, kind, v, $v, payload))
                        .and_then(serde_json::from_value)
                        .map(Self::$name),)*
                    _ => Json::parse(payload)
                        .map(|payload| Self::Unknown { kind: kind.to_owned(), v, payload }),
                };
                event.map_err(|source| misfit(kind, v, source))
            }
        }

        $(impl From<$name> for HudEvent {
            fn from(payload: $name) -> Self {
                Self::$name(payload)
            }
        })*
    };
}

fn misfit(kind: &str, v: u32, source: serde_json::Error) -> PayloadError {
    PayloadError {
        kind: kind.to_owned(),
        v,
        source,
    }
}

kinds! {
    /// a session begins.
    "session.start" 1 SessionStart,
    /// the session goes on from an earlier state.
    "session.restore" 1 SessionRestore,
    /// the agent sets its task.
    "task.set" 1 TaskSet,
    /// the task is refined, or the user asks for something within it.
    "task.update" 1 TaskUpdate,
    /// the agent records a decision.
    "decision.record" 1 DecisionRecord,
    /// a decision no longer holds.
    "decision.remove" 1 DecisionRemove,
    /// the agent adds a note.
    "note.add" 1 NoteAdd,
    /// the agent rewrites a note.
    "note.update" 1 NoteUpdate,
    /// the agent removes a note.
    "note.remove" 1 NoteRemove,
    /// a file was read.
    "file.open" 1 FileOpen,
    /// a file was written.
    "file.edit" 1 FileEdit,
    /// a file fell out of the recent context.
    "file.close" 1 FileClose,
    /// a step joins the end of the plan.
    "step.add" 1 StepAdd,
    /// a step becomes the one being worked on.
    "step.start" 1 StepStart,
    /// a step is done.
    "step.complete" 1 StepComplete,
    /// a step leaves the plan.
    "step.remove" 1 StepRemove,
    /// the plan gets another order.
    "step.reorder" 1 StepReorder,
    /// something failed.
    "error.encountered" 1 ErrorEncountered,
    /// what failed works again.
    "error.resolved" 1 ErrorResolved,
    /// something outside the agent's reach is in its way.
    "blocker.add" 1 BlockerAdd,
    /// the way is free again.
    "blocker.remove" 1 BlockerRemove,
    /// a reading of how full the context window is.
    "context.snapshot" 1 ContextSnapshot,
    /// what a tool said is kept for recall.
    "output.keep" 1 OutputKeep,
    /// the conversation is about to be compacted.
    "compact.before" 1 CompactBefore,
    /// the conversation was compacted.
    "compact.after" 1 CompactAfter,
    /// a block of core memory is replaced or appended to.
    "memory.core.update" 1 MemoryCoreUpdate,
    /// something joins working memory.
    "memory.item.add" 1 MemoryItemAdd,
    /// something leaves working memory.
    "memory.item.remove" 1 MemoryItemRemove,
    /// working memory, or one place of it, is emptied.
    "memory.clear" 1 MemoryClear,
    /// what an event said is taken out of the log.
    "event.redact" 1 EventRedact,
    /// stands where a redacted event stood.
    "event.redacted" 1 EventRedacted,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kinds_are_distinct_and_dotted() {
        let mut kinds = HudEvent::KINDS.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 31);
        assert!(kinds.iter().all(|kind| kind.contains('.')));
    }

    #[test]
    fn unknown_kinds_and_newer_payloads_are_kept() {
        let kept = HudEvent::decode("todo.sync", 7, r#"{"n":[1,2.5,null]}"#).unwrap();
        assert_eq!(kept.kind(), "todo.sync");
        assert_eq!(kept.encode().unwrap().payload, r#"{"n":[1,2.5,null]}"#);

        let newer = HudEvent::decode("task.set", 2, r#"{"goals":["a"]}"#).unwrap();
        assert_eq!(
            newer,
            HudEvent::Unknown {
                kind: "task.set".into(),
                v: 2,
                payload: json!({"goals": ["a"]}).into(),
            }
        );
    }

    #[test]
    fn unknown_fields_are_tolerated() {
        let event = HudEvent::decode("file.open", 1, r#"{"path":"a.rs","lines":[1,9]}"#).unwrap();
        assert_eq!(
            event,
            FileOpen {
                path: "a.rs".into()
            }
            .into()
        );
    }

    #[test]
    fn a_payload_that_does_not_fit_names_its_kind() {
        let error = HudEvent::decode("file.open", 1, r#"{"file":"a.rs"}"#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the payload does not fit file.open v1: missing field `path` at line 1 column 15"
        );
    }
}
