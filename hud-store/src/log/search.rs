//! Full-text search in events.

use super::{Log, LogError};
use crate::event::{SessionId, StoredEvent};

/// A log with full-text search.
pub trait Search: Log {
    /// Searches the text of tasks, decisions, notes, steps, errors, blockers, summaries, memory and kept outputs.
    /// Returns the best hits first; of equals, the newest.
    ///
    /// ```
    /// # use hud_store::event::{Actor, NewEvent, NoteAdd, SessionId};
    /// # use hud_store::log::{Expected, Log, Query, Search};
    /// # use hud_store::sqlite::SqliteLog;
    /// let mut log = SqliteLog::open_in_memory()?;
    /// let note = NoteAdd { id: "n1".into(), content: "tests need redis: see ci.yml".into() };
    /// let event = NewEvent::now(1, Actor::Agent, note);
    /// log.append(&SessionId::new("ses_01")?, Expected::Any, &[event])?;
    ///
    /// let hits = log.search(&Query::new("(redis) AND-OR test"))?;
    /// assert!(hits.is_empty(), "all words must be there, and none is an operator");
    /// let hits = log.search(&Query::new("redis: test"))?;
    /// assert_eq!(hits[0].event.seq, 1);
    /// assert!(hits[0].snippet.iter().any(|piece| piece.matched && piece.text == "redis"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LogError::Corrupt`] if a hit is damaged, and the errors of the storage.
    fn search(&self, query: &Query) -> Result<Vec<Hit>, LogError>;
}

/// The words to search for, and the events to search.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Any text. An event must contain each of its words; the last may be a prefix. There are no operators.
    pub text: String,
    /// Only in this session.
    pub session: Option<SessionId>,
    /// Only in events of this kind, such as `note.add`, or of this family, such as `note`.
    pub kind: Option<String>,
    /// The maximum number of hits, best first.
    pub limit: usize,
}

impl Query {
    /// The twenty best hits for a text, in all sessions.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            limit: 20,
            ..Self::default()
        }
    }

    /// The words of the query, and true if the last may be a prefix. For the implementation of a log's own search.
    pub fn words(&self) -> (Vec<&str>, bool) {
        (
            words(&self.text).collect(),
            !self.text.ends_with(char::is_whitespace),
        )
    }

    /// The [piece of a text](around) around its first word that matches, for a log that has no index; `None` unless
    /// the text has all words.
    pub fn snippet(&self, text: &str) -> Option<Vec<Piece>> {
        let (wanted, goes_on) = self.words();
        let wanted: Vec<String> = wanted.iter().map(|word| word.to_lowercase()).collect();
        let (last, whole) = wanted.split_last()?;
        let is_last = |word: &str| match goes_on {
            true => word.starts_with(last.as_str()),
            false => word == last,
        };
        let is_match = |word: &str| is_last(word) || whole.iter().any(|wanted| wanted == word);
        let said: Vec<String> = words(text).map(str::to_lowercase).collect();
        let is_found = whole.iter().all(|wanted| said.contains(wanted))
            && said.iter().any(|word| is_last(word));
        is_found.then(|| around(text, is_match))
    }

    /// True if an event is of the session and of the kind of the query.
    pub fn includes(&self, event: &StoredEvent) -> bool {
        let is_of_kind = |kind: &String| {
            let rest = event.event.kind().strip_prefix(kind.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.session.as_ref().is_none_or(|s| *s == event.session)
            && self.kind.as_ref().is_none_or(is_of_kind)
    }
}

/// The number of words in a snippet before the first match, and from it on.
const AROUND: usize = 8;

/// The words of a text: runs of letters, digits and underscores.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// The piece of a text around its first match, or its beginning if there is none. `is_match` receives words in lower
/// case.
pub fn around(text: &str, is_match: impl Fn(&str) -> bool) -> Vec<Piece> {
    let said: Vec<(&str, bool)> = words(text)
        .map(|word| (word, is_match(&word.to_lowercase())))
        .collect();
    let first = said.iter().position(|(_, matched)| *matched);
    let begins = first.unwrap_or(0).saturating_sub(AROUND);
    let shown = said.iter().skip(begins).take(2 * AROUND);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut add = |text: &str, matched: bool| match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(piece) if piece.matched == matched => piece.text.push_str(text),
        _ => pieces.push(Piece {
            text: text.to_owned(),
            matched,
        }),
    };
    if begins > 0 {
        add("…", false);
    }
    let mut end = None;
    for (word, matched) in shown {
        // A word is a slice of the text.
        let at = word.as_ptr().addr() - text.as_ptr().addr();
        add(end.and_then(|end| text.get(end..at)).unwrap_or(""), false);
        add(word, *matched);
        end = Some(at + word.len());
    }
    if begins + 2 * AROUND < said.len() {
        add("…", false);
    }
    pieces
}

/// An event that matches a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The event.
    pub event: StoredEvent,
    /// A piece of its text around the matches.
    pub snippet: Vec<Piece>,
}

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// True if it is a match.
    pub matched: bool,
}

/// The characters that a search engine puts before and after each match in a snippet. No [indexable] text contains
/// them, and [`marked_out`] finds them.
pub const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

/// The text of an event for a log's index, without [`MARKS`] and NUL; `None` if the event has no text.
pub fn indexable(event: &crate::event::HudEvent) -> Option<String> {
    let words = event.words()?;
    Some(words.replace([MARKS[0], MARKS[1], '\0'], " "))
}

/// The pieces of a snippet in which [`MARKS`] enclose each match.
pub fn marked_out(snippet: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut matched = false;
    for text in snippet.split(MARKS) {
        if !text.is_empty() {
            pieces.push(Piece {
                text: text.to_owned(),
                matched,
            });
        }
        matched = !matched;
    }
    pieces
}
