//! What is kept beside the log of what models answered, and of how far each session was read. If it is lost,
//! a model is asked once more.

use std::collections::BTreeMap;

use hud_agent::distill::Conversation;
use hud_store::event::SessionId;
use serde::{Deserialize, Serialize};

use crate::location::{Location, LocationError};
use crate::output;

/// How many bytes are kept.
const LONGEST: usize = 512 * 1024;

/// How many sessions are remembered.
const SESSIONS: usize = 1_000;

/// What is kept.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Kept {
    /// What models answered, the newest last.
    answers: Vec<Answer>,
    /// How far each session was read.
    read: BTreeMap<String, Read>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Answer {
    /// Names the model and the question.
    to: String,
    content: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct Read {
    messages: usize,
    /// Names those messages.
    digest: String,
}

impl Kept {
    /// The end of the file's name, behind the log's.
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

    /// Writes it, for nobody but its owner. What is oldest of too much leaves.
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

    /// What a model answered to a question.
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

    /// How many messages of a conversation were read: none if it begins with others than it did.
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

/// What a question to a model is called.
fn name(model: &str, question: &str) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(&(model.len() as u64).to_le_bytes());
    hash.update(model.as_bytes());
    hash.update(question.as_bytes());
    hash.finalize().to_hex().to_string()
}
