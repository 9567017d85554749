//! The answers of models, and the number of messages of each session that were read, in a file beside the log. If it
//! is lost, a model is asked once more.

use std::collections::BTreeMap;

use hud_agent::distill::Conversation;
use hud_store::event::SessionId;
use serde::{Deserialize, Serialize};

use crate::location::{Location, LocationError};
use crate::output;

/// The largest size of the file, in bytes.
const LONGEST: usize = 512 * 1024;

/// The largest number of sessions that are remembered.
const SESSIONS: usize = 1_000;

/// The content of the file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Kept {
    /// The answers of models, the newest last.
    answers: Vec<Answer>,
    /// The messages of each session that were read.
    read: BTreeMap<String, Read>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Answer {
    /// The hash of the model and the question.
    to: String,
    content: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct Read {
    messages: usize,
    /// The digest of those messages.
    digest: String,
}

impl Kept {
    /// The end of the file's name, after the log's name.
    const FILE: &str = ".distill.json";

    pub(super) fn of(location: &Location) -> Self {
        let text = location.read_beside(Self::FILE).unwrap_or_else(|error| {
            output::warning(format_args!(
                "what models answered before is not known: {error}"
            ));
            None
        });
        serde_json::from_slice(&text.unwrap_or_default()).unwrap_or_default()
    }

    /// Writes the file, for its owner only. Drops the oldest answers if the file is too large, and the sessions
    /// with the first names if there are too many.
    pub(super) fn save(&mut self, location: &Location) -> Result<(), LocationError> {
        while self.read.len() > SESSIONS {
            self.read.pop_first();
        }
        let text = loop {
            let text = serde_json::to_vec(self).unwrap_or_default();
            if text.len() <= LONGEST || self.answers.is_empty() {
                break text;
            }
            self.answers.remove(0);
        };
        location.write_beside(Self::FILE, &text)
    }

    /// The answer of a model to a question, if it is known.
    pub(super) fn answer(&self, model: &str, question: &str) -> Option<&str> {
        let to = name(model, question);
        let found = self.answers.iter().find(|answer| answer.to == to)?;
        Some(&found.content)
    }

    pub(super) fn keep(&mut self, model: &str, question: &str, content: &str) {
        let (to, content) = (name(model, question), content.to_owned());
        self.answers.retain(|answer| answer.to != to);
        self.answers.push(Answer { to, content });
    }

    /// The number of messages of a conversation that were read; 0 if the conversation begins with other messages now.
    pub(super) fn read(&self, session: &SessionId, conversation: &Conversation) -> usize {
        let is_same = |read: &&Read| {
            read.messages <= conversation.messages().len()
                && conversation.digest(read.messages) == read.digest
        };
        let known = self.read.get(session.as_str()).filter(is_same);
        known.map_or(0, |read| read.messages)
    }

    pub(super) fn set_read(
        &mut self,
        session: &SessionId,
        conversation: &Conversation,
        messages: usize,
    ) {
        let digest = conversation.digest(messages);
        self.read
            .insert(session.to_string(), Read { messages, digest });
    }
}

/// The hash that identifies a question to a model.
fn name(model: &str, question: &str) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(&(model.len() as u64).to_le_bytes());
    hash.update(model.as_bytes());
    hash.update(question.as_bytes());
    hash.finalize().to_hex().to_string()
}
