//! Gemini CLI's conversation file. Each line is a JSON object: a message, or a change to the whole
//! conversation (`$set`).

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use hud_observe::observation::Observation;
use serde::Deserialize;
use serde_json::Value;

use crate::host::SOME;
use crate::json::{parts, time};
use crate::{Found, Host};

/// The maximum number of bytes that are read from the end of a file. A file may contain images.
const LONGEST: u64 = 64 * 1024 * 1024;

/// The beginning of a line that replaces the list of messages.
const ANEW: &str = "{\"$set\":{\"messages\":[";

/// The beginning of the message with which Gemini CLI sets up a conversation.
pub(super) const SETUP: &str = "<session_context>";

#[derive(Default)]
struct Chat {
    /// True if a message has a text after another part, such as an image.
    is_mixed: bool,
    /// The ids of the messages.
    messages: Vec<String>,
    /// The byte offset of the end of the line with the last compression.
    compressed: Option<u64>,
    /// The agent's texts.
    said: Vec<Found>,
    /// The byte offset up to which the file was read.
    end: u64,
}

#[derive(Deserialize)]
struct Anew {
    #[serde(rename = "$set")]
    set: Messages,
}

#[derive(Deserialize)]
struct Messages {
    messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    id: String,
    #[serde(default)]
    content: Value,
}

/// True if a hook could not return the request unchanged. Gemini CLI passes only the texts of a message
/// to a hook, and puts the hook's output before all of its other parts.
pub(super) fn is_mixed(host: &dyn Host, file: &Path) -> bool {
    chat(host, file).is_some_and(|chat| chat.is_mixed)
}

/// True if Gemini CLI set up the conversation of a file with its own message.
pub(super) fn has_setup(host: &dyn Host, file: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = host
        .open(file)
        .and_then(|file| file.take(SOME).read_to_end(&mut beginning).ok());
    let setup = format!("\"text\":\"{SETUP}");
    read.is_some() && String::from_utf8_lossy(&beginning).contains(&setup)
}

/// Returns the agent's texts and the compression after a byte offset, and the byte offset of the end of
/// the file. No event reports them.
pub(super) fn behind(host: &dyn Host, file: &Path, from: u64) -> (Vec<Found>, u64) {
    let Some(chat) = chat_from(host, file, from) else {
        return (Vec::new(), from);
    };
    let mut found = chat.said;
    if let Some(at) = chat.compressed.filter(|at| *at > from) {
        found.push(Found {
            name: format!("compressed {at}"),
            at: None,
            observations: vec![Observation::CompactionEnds {
                summary: None,
                boundary: None,
            }],
        });
    }
    (found, chat.end)
}

fn chat(host: &dyn Host, file: &Path) -> Option<Chat> {
    chat_from(host, file, u64::MAX)
}

/// Reads the conversation, with the agent's texts after a byte offset.
fn chat_from(host: &dyn Host, file: &Path, from: u64) -> Option<Chat> {
    let mut file = BufReader::new(host.open(file)?);
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let mut chat = Chat {
        end: length.saturating_sub(LONGEST),
        ..Chat::default()
    };
    file.seek(SeekFrom::Start(chat.end)).ok()?;
    let mut is_whole = chat.end == 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = Read::take(&mut file, LONGEST)
            .read_until(b'\n', &mut line)
            .ok()?;
        if !line.ends_with(b"\n") {
            return Some(chat);
        }
        chat.end += read as u64;
        if std::mem::replace(&mut is_whole, true) {
            let line = String::from_utf8_lossy(&line);
            chat.line(&line);
            if chat.end > from {
                chat.say(&line);
            }
        }
    }
}

impl Chat {
    fn line(&mut self, line: &str) {
        if line.starts_with(ANEW) {
            // A damaged line yields nothing.
            if let Ok(anew) = serde_json::from_str::<Anew>(line) {
                self.anew(&anew.set.messages);
            }
            return;
        }
        let Some(id) = id(line) else { return };
        if self.messages.last() != Some(&id) {
            self.messages.push(id);
        }
        // A message is not parsed if it has only texts, or none.
        let has_others = || line.contains("Data\":{") || line.contains("{\"function");
        if !self.is_mixed && line.contains("{\"text\":") && has_others() {
            let message = serde_json::from_str::<Message>(line);
            self.is_mixed = message.is_ok_and(|message| is_mixed_up(&message.content));
        }
    }

    /// Adds the agent's texts in a line.
    fn say(&mut self, line: &str) {
        if !line.contains("\"type\":\"gemini\"") {
            return;
        }
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if message["type"] != "gemini" {
            return;
        }
        let parts = parts(&message["content"]);
        let said = parts.iter().filter(|part| part["thought"] != true);
        let texts = said.filter_map(|part| part.as_str().or_else(|| part["text"].as_str()));
        let at = time(&message, "/timestamp");
        self.said
            .extend(texts.filter_map(|text| Found::said(text, at)));
    }

    /// Replaces the messages. The conversation was compressed if its first message (after the client's
    /// own) was removed and another was added. If a turn is undone, the last messages are removed and
    /// none is added.
    fn anew(&mut self, messages: &[Message]) {
        let known: HashSet<&str> = self.messages.iter().map(String::as_str).collect();
        let now: HashSet<&str> = messages.iter().map(|message| &*message.id).collect();
        let has_left = self
            .messages
            .get(1)
            .is_some_and(|first| !now.contains(&**first));
        let has_come = now.iter().any(|id| !known.contains(id));
        if has_left && has_come {
            self.compressed = Some(self.end);
        }
        self.is_mixed = messages.iter().any(|message| is_mixed_up(&message.content));
        self.messages = messages.iter().map(|message| message.id.clone()).collect();
    }
}

/// Returns the id that a line of a message begins with.
fn id(line: &str) -> Option<String> {
    let (id, _) = line.strip_prefix("{\"id\":\"")?.split_once('"')?;
    Some(id.to_owned())
}

/// True if a message has a text after a part that is not a text.
fn is_mixed_up(content: &Value) -> bool {
    let parts = content.as_array().into_iter().flatten();
    let is_text = |part: &&Value| part["text"].is_string();
    parts.skip_while(is_text).any(|part| is_text(&part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Files;

    /// Returns a message as Gemini CLI writes it, with its id first.
    fn message(id: &str, parts: &str) -> String {
        format!("{{\"id\":\"{id}\",\"type\":\"user\",\"content\":[{parts}]}}")
    }

    fn text(id: &str) -> String {
        message(id, r#"{"text":"{\"inlineData\":{"}"#)
    }

    fn anew(messages: &[String]) -> String {
        format!("{{\"$set\":{{\"messages\":[{}]}}}}", messages.join(","))
    }

    fn written(lines: &[String]) -> Files {
        Files::of("chat.jsonl", lines.join("\n") + "\n{\"id\":")
    }

    #[test]
    fn a_text_behind_an_image_makes_a_conversation_mixed_until_it_leaves() {
        let (said, image) = (r#"{"text":"a"}"#, r#"{"inlineData":{"data":"x"}}"#);
        let mixed = message("m2", &[said, image, said].join(","));
        let last = message("m2", &[said, image].join(","));
        let is = |lines: &[String]| is_mixed(&written(lines), "chat.jsonl".as_ref());
        assert!(!is(&[text("m1"), last]));
        assert!(is(&[text("m1"), mixed.clone(), text("m3")]));
        assert!(is(&[anew(&[text("m1"), mixed.clone()])]));
        assert!(!is(&[text("m1"), mixed, anew(&[text("m1"), text("m4")])]));
        assert!(!is_mixed(&written(&[]), "/nowhere".as_ref()));
    }

    #[test]
    fn a_compression_is_found_once_and_a_turn_that_is_taken_back_is_none() {
        let found = |lines: &[String], from| {
            let host = written(lines);
            let (found, end) = behind(&host, "chat.jsonl".as_ref(), from);
            assert!(end <= host.0[0].1.len() as u64);
            (found.len(), end)
        };
        let begun = [anew(&[text("m1")]), text("m2"), text("m3")];
        assert_eq!(found(&begun, 0).0, 0);
        let mut back = begun.to_vec();
        back.push(anew(&[text("m1"), text("m2")]));
        assert_eq!(found(&back, 0).0, 0);
        let mut back = begun[..2].to_vec();
        back.push(anew(&[text("m1")]));
        assert_eq!(found(&back, 0).0, 0);
        let mut compressed = begun.to_vec();
        compressed.push(anew(&[text("m1"), text("m8"), text("m9"), text("m3")]));
        let (count, end) = found(&compressed, 0);
        assert_eq!(count, 1);
        compressed.push(text("m10"));
        assert_eq!(found(&compressed, end).0, 0);
    }
}
