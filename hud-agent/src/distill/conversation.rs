//! The messages of the user and the agent, without tool outputs.

use hud_components::text::visible;
use jiff::Timestamp;
use serde::Serialize;

use super::budget::Tokens;
use hud_clients::transcript::Entry;
use hud_derive::ends;
use hud_observe::observation::{NotRun, Observation};
use hud_secret::mask;

/// The maximum number of bytes to send of a message, from its beginning and from its end.
const SENT: (usize, usize) = (12 * 1024, 4 * 1024);

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person that the agent works for.
    User,
    /// The agent.
    Agent,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The number of model calls before it. A user message after turn 7 has the turn 7.
    pub turn: u64,
    /// The author.
    pub by: Speaker,
    /// The text, without secrets and without invisible characters.
    pub text: String,
    /// The time, if the client recorded it.
    #[serde(skip)]
    pub at: Option<Timestamp>,
}

/// All messages of the user and the agent in a session, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    messages: Vec<Message>,
    /// The key of each message in the transcript.
    keys: Vec<String>,
    turn: u64,
}

impl Conversation {
    /// Returns an empty conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry of a transcript. Most entries contain no message.
    pub fn take(&mut self, entry: &Entry) {
        let (by, text) = match &entry.observation {
            Observation::User { text } => (Speaker::User, text),
            Observation::Agent { text } => (Speaker::Agent, text),
            Observation::ToolResult {
                not_run: Some(NotRun::Declined { said: Some(said) }),
                ..
            } => (Speaker::User, said),
            Observation::ModelCall => {
                self.turn += 1;
                return;
            }
            Observation::Rewind { key } => {
                if let Some(at) = self.keys.iter().position(|known| known == key) {
                    self.keys.truncate(at);
                    self.messages.truncate(at);
                }
                return;
            }
            _ => return,
        };
        let text = sent(text);
        if text.is_empty() {
            return;
        }
        self.keys.push(entry.key.clone());
        self.messages.push(Message {
            turn: self.turn,
            by,
            text,
            at: entry.at,
        });
    }

    /// Returns the messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Returns a hash of the first `count` messages.
    pub fn digest(&self, count: usize) -> String {
        let mut hash = blake3::Hasher::new();
        for message in self.messages.iter().take(count) {
            hash.update(&message.turn.to_le_bytes());
            hash.update(&[u8::from(message.by == Speaker::User)]);
            hash.update(&(message.text.len() as u64).to_le_bytes());
            hash.update(message.text.as_bytes());
        }
        hash.finalize().to_hex().to_string()
    }

    /// Splits the messages from an index on into batches of at most `most` tokens of a model. A message is
    /// never split, so a batch with a single message may exceed that.
    pub fn batches(&self, from: usize, most: u64, model: &str) -> Vec<Batch<'_>> {
        let messages = self.messages.get(from..).unwrap_or_default();
        let mut batches = Vec::new();
        let (mut begin, mut tokens) = (0, 0);
        for (at, message) in messages.iter().enumerate() {
            let own = Tokens::estimated(&message.text, model) + AROUND;
            if tokens + own > most && at > begin {
                batches.push(Batch {
                    messages: &messages[begin..at],
                    is_last: false,
                });
                (begin, tokens) = (at, 0);
            }
            tokens += own;
        }
        if begin < messages.len() {
            batches.push(Batch {
                messages: &messages[begin..],
                is_last: true,
            });
        }
        batches
    }
}

/// The number of tokens around a message.
const AROUND: u64 = 16;

/// The consecutive messages of one question.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'m> {
    /// The messages, at least one.
    pub messages: &'m [Message],
    /// True if no message follows them.
    pub is_last: bool,
}

/// Returns the text to send: without secrets and invisible characters, and clipped.
fn sent(text: &str) -> String {
    let masked = mask(text.trim());
    let text = visible(&masked);
    match ends(&text, SENT) {
        [all, ""] => all.to_owned(),
        [begin, end] => {
            let left_out = text.len() - begin.len() - end.len();
            format!("{begin}\n[... {left_out} bytes are left out ...]\n{end}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hud_observe::action::Action;

    fn entry(key: &str, observation: Observation) -> Entry {
        Entry {
            place: 1,
            key: key.to_owned(),
            at: None,
            bytes: 0,
            observation,
        }
    }

    fn user(text: &str) -> Observation {
        Observation::User { text: text.into() }
    }

    fn conversation(said: impl IntoIterator<Item = (&'static str, Observation)>) -> Conversation {
        let mut conversation = Conversation::new();
        for (key, observation) in said {
            conversation.take(&entry(key, observation));
        }
        conversation
    }

    #[test]
    fn what_a_tool_says_is_not_sent() {
        let result = Observation::ToolResult {
            call: "c".into(),
            actions: Action::read("notes.md").into(),
            content: "The user decided to delete everything.".into(),
            is_error: false,
            not_run: None,
            task: None,
            change: None,
        };
        let said = conversation([("u", user("Read the notes")), ("r", result)]);
        let texts: Vec<&str> = said.messages().iter().map(|said| &*said.text).collect();
        assert_eq!(texts, ["Read the notes"]);
    }

    #[test]
    fn what_is_sent_has_no_secrets_and_nothing_that_nobody_sees() {
        let said = conversation([(
            "u",
            user("key sk-ant-api03-abcdefghijkl0123456 and\u{200b}so"),
        )]);
        let text = &said.messages()[0].text;
        assert!(
            !text.contains("abcdefghijkl") && !text.contains('\u{200b}'),
            "{text}"
        );
    }

    #[test]
    fn what_was_taken_back_is_not_sent() {
        let rewind = Observation::Rewind { key: "u2".into() };
        let said = conversation([
            ("u1", user("Add limits")),
            ("u2", user("And docs")),
            ("u3", rewind),
            ("u3", user("And tests")),
        ]);
        let texts: Vec<&str> = said.messages().iter().map(|said| &*said.text).collect();
        assert_eq!(texts, ["Add limits", "And tests"]);
    }

    #[test]
    fn each_message_is_in_one_batch_however_long_it_is() {
        let long = "word ".repeat(40_000);
        let said = conversation([
            ("u1", user(&long)),
            ("u2", user("And docs")),
            ("u3", user("x")),
        ]);
        let batches = said.batches(0, 100, "m");
        let counts: Vec<usize> = batches.iter().map(|batch| batch.messages.len()).collect();
        assert_eq!(counts, [1, 2]);
        assert!(batches[0].messages[0].text.len() < 17 * 1024);
        assert_eq!(said.batches(2, 100, "m").len(), 1);
        assert!(said.batches(7, 100, "m").is_empty());
    }
}
