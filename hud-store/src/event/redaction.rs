//! What is taken out of the log.

crate::events! {@built_in
    /// What happens to events themselves.
    pub enum RedactionEvent {
        /// what an event said is taken out of the log.
        "event.redact" 2 Redact(
            /// What an event said is taken out of the log.
            EventRedact {
                /// The version of the event, which is of the same session; `None` where an older program
                /// recorded it, by the place of the event in one log.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                version: Option<u64>,
                /// The kind that it had.
                kind: String,
                /// Why.
                #[serde(skip_serializing_if = "Option::is_none")]
                reason: Option<String>,
            }
        ),
        /// takes the place of an event that was redacted.
        "event.redacted" 1 Redacted(
            /// Takes the place of an event that was redacted.
            EventRedacted {
                /// The kind that it had.
                kind: String,
                /// The call whose output it kept: that stays out of the conversation, and is not kept again.
                #[serde(skip_serializing_if = "Option::is_none")]
                call: Option<String>,
            }
        ),
    }
}
