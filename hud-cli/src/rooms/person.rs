//! A person in a room during a run. Their lines are messages to the room, and they see the messages of others.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read as _};

use hud_rooms::world::{AgentId, Message, World};
use jiff::Timestamp;

use crate::output::Output;

/// The maximum number of bytes of a line. It is much larger than a message can be.
const LONGEST: u64 = 64 * 1024;

/// The number of earlier messages that are shown to a person who enters a room.
const BEFORE: usize = 10;

/// The input of a person.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A line that is not empty, without its end.
    Line(String),
    /// A line that is too long.
    TooLong,
    /// The end of the input.
    End,
}

/// Reads lines until the input ends or `takes` returns false.
pub(super) fn listen(mut input: impl BufRead, mut takes: impl FnMut(Typed) -> bool) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        let typed = match read {
            Ok(0) | Err(_) => Typed::End,
            Ok(read) if read as u64 == LONGEST && !bytes.ends_with(b"\n") => {
                match input.skip_until(b'\n') {
                    Ok(_) => Typed::TooLong,
                    Err(_) => Typed::End,
                }
            }
            Ok(_) => match String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']) {
                line if line.trim().is_empty() => continue,
                line => Typed::Line(line.to_owned()),
            },
        };
        let is_over = typed == Typed::End;
        if !takes(typed) || is_over {
            return;
        }
    }
}

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Order<'l> {
    /// A message to the room.
    Say(&'l str),
    /// A move to another room.
    Room(AgentId),
    /// A line that begins with a slash but is no known order.
    Unknown(&'l str),
}

/// Parses a line. A line that begins with a slash is an order. With a space before the slash, it is a message.
pub(super) fn order(line: &str) -> Order<'_> {
    if !line.starts_with('/') {
        return Order::Say(line);
    }
    let mut words = line.split_whitespace();
    let number = match (words.next(), words.next(), words.next()) {
        (Some("/room"), Some(number), None) => number.parse().ok(),
        _ => None,
    };
    number.map_or(Order::Unknown(line), Order::Room)
}

/// A person in a room.
#[derive(Debug)]
pub(super) struct Person {
    room: AgentId,
    /// The available messages that were already shown, or that are too old to be shown.
    shown: BTreeSet<u64>,
}

impl Person {
    /// Creates a person who enters a room. The last messages in the room are shown next.
    pub(super) fn in_room(room: AgentId, world: &World, now: Timestamp) -> Self {
        let said = said(world, room, now);
        let before = said.len().saturating_sub(BEFORE);
        let shown = said.iter().take(before).map(|message| message.id);
        Self {
            room,
            shown: shown.collect(),
        }
    }

    /// Returns the person's room.
    pub(super) const fn room(&self) -> AgentId {
        self.room
    }

    /// Shows the messages of others since the last call.
    pub(super) fn look(
        &mut self,
        world: &World,
        now: Timestamp,
        output: &mut Output,
    ) -> io::Result<()> {
        let said = said(world, self.room, now);
        let mut is_new = false;
        for message in &said {
            if self.shown.insert(message.id) {
                super::line(
                    output,
                    self.room,
                    message.id,
                    message.sender,
                    &message.content,
                )?;
                is_new = true;
            }
        }
        if !is_new {
            return Ok(());
        }
        // Messages that the room has dropped do not return.
        let first = said.iter().map(|message| message.id).min();
        if let Some(first) = first {
            self.shown = self.shown.split_off(&first);
        }
        output.flush()
    }
}

/// Returns the messages in a room that have been typed, in the order of their typing.
fn said(world: &World, room: AgentId, now: Timestamp) -> Vec<&Message> {
    let messages = world.room(room).into_iter().flat_map(|room| &room.messages);
    let mut said: Vec<&Message> = messages
        .map(|message| &**message)
        .filter(|message| message.due <= now)
        .collect();
    said.sort_by_key(|message| (message.due, message.id));
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_whatever_is_in_them() {
        let long = "x".repeat(LONGEST as usize + 7);
        let input = format!("Hello\r\n\n  \nto \u{fffd} you\n{long}\nlast");
        let mut bytes = input.into_bytes();
        bytes[12] = 0xff;
        let mut typed = Vec::new();
        listen(bytes.as_slice(), |line| {
            typed.push(line);
            true
        });
        assert_eq!(typed.len(), 5);
        assert_eq!(typed[0], Typed::Line("Hello".to_owned()));
        assert!(matches!(&typed[1], Typed::Line(line) if line.contains('\u{fffd}')));
        assert_eq!(typed[2], Typed::TooLong);
        assert_eq!(typed[3], Typed::Line("last".to_owned()));
        assert_eq!(typed[4], Typed::End);
        let mut count = 0;
        listen(&b"one\ntwo\n"[..], |_| {
            count += 1;
            false
        });
        assert_eq!(count, 1, "nobody takes more");
    }

    #[test]
    fn a_line_is_said_unless_it_is_an_order() {
        for (line, expected) in [
            ("Good morning", Order::Say("Good morning")),
            (" /room 2", Order::Say(" /room 2")),
            ("/room 2", Order::Room(2)),
            ("/room  12 ", Order::Room(12)),
            ("/room", Order::Unknown("/room")),
            ("/room two", Order::Unknown("/room two")),
            ("/room 2 3", Order::Unknown("/room 2 3")),
            ("/leave", Order::Unknown("/leave")),
        ] {
            assert_eq!(order(line), expected);
        }
    }
}
