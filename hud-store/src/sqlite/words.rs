//! The words of erased events, to look for in files afterwards.
//!
//! Files are read directly and not through SQLite, because the gaps of a page are not rows. A word that the log still
//! contains elsewhere proves nothing, and is excluded.

use crate::text::beginning;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use serde_json::Value;

use super::fault::Fault;
use super::redact::each_from;
use super::{SqliteLog, content};
use crate::event::{HudEvent, SessionId};

/// The minimum number of bytes of a word. Shorter ones occur everywhere by chance.
const SHORTEST: usize = 6;

/// The maximum number of bytes of a word that are looked for. A longer one may be in pieces.
const LONGEST: usize = 64;

/// The maximum number of words that are looked for.
const MOST: usize = 200_000;

/// The words of erased events.
#[derive(Debug, Clone, Default)]
pub struct Words(BTreeSet<String>);

/// A file that contains words which the log no longer has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remains {
    /// The file.
    pub path: PathBuf,
    /// The byte offset of the first match.
    pub at: u64,
    /// The number of matches, up to 1000.
    pub count: u64,
}

impl Words {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.add(text);
        words
    }

    fn add(&mut self, text: &str) {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let words = text.split(|c| !is_part(c));
        // A text without words is looked for as a whole, also in its JSON form.
        let json = Value::from(text).to_string();
        for word in words.chain([text, json.trim_matches('"')]) {
            let word = beginning(word, LONGEST);
            if word.len() >= SHORTEST && self.0.len() < MOST {
                self.0.insert(word.to_ascii_lowercase());
            }
        }
    }

    fn add_all(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Array(values) => values.iter().for_each(|value| self.add_all(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.add_all(value)),
            _ => {}
        }
    }

    /// True if there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The files that contain one of the words. Paths without a file are skipped. The log must not be open in this
    /// process, because closing its file would drop the locks of SQLite.
    ///
    /// # Errors
    /// The error of reading a file.
    pub fn in_files<P: AsRef<Path>>(
        &self,
        files: impl IntoIterator<Item = P>,
    ) -> io::Result<Vec<Remains>> {
        /// The maximum number of matches to count.
        const COUNTED: usize = 1000;
        let Some(finder) = self.finder() else {
            return Ok(Vec::new());
        };
        let mut remains = Vec::new();
        for path in files {
            let path = path.as_ref();
            let file = match File::open(path) {
                Ok(file) => BufReader::new(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let mut found = finder.stream_find_iter(file).take(COUNTED);
            let Some(first) = found.next().transpose()? else {
                continue;
            };
            remains.push(Remains {
                path: path.to_owned(),
                at: first.start() as u64,
                count: 1 + found.count() as u64,
            });
        }
        Ok(remains)
    }

    fn finder(&self) -> Option<AhoCorasick> {
        if self.is_empty() {
            return None;
        }
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).build(&self.0).ok()
    }
}

/// The words of an event of a session, or of the whole session.
pub(super) fn of(
    log: &SqliteLog,
    session: &SessionId,
    version: Option<u64>,
) -> Result<Words, Fault> {
    let mut words = Words::default();
    let (mut first, mut last): (i64, i64) = (i64::MAX, 0);
    let mut select = log.conn.prepare_cached(
        "SELECT min(seq), max(seq) FROM event WHERE stream = ?1 AND (?2 IS NULL OR ver = ?2)",
    )?;
    let version = version.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
    let range = select.query_row((session.as_str(), version), |row| {
        Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?))
    })?;
    if let (Some(from), Some(to)) = range {
        (first, last) = (from, to);
    }
    if version.is_none() {
        words.add(session.as_str());
    }
    each_from(log, first, &mut |seq, raw| {
        let is_meant = raw.session == session.as_str() && version.is_none_or(|v| v == raw.version);
        if is_meant && seq <= last {
            if let Ok(payload) = serde_json::from_str(&raw.record.payload) {
                words.add_all(&payload);
            }
            if let Some(text) = kept(log, raw)? {
                words.add(&text);
            }
        }
        Ok(seq < last)
    })?;
    Ok(words)
}

/// The text that an event names by its hash.
fn kept(log: &SqliteLog, raw: &super::row::Raw) -> Result<Option<String>, Fault> {
    let record = &raw.record;
    let event = HudEvent::decode(&record.kind, record.v, &record.payload).ok();
    match event.as_ref().and_then(HudEvent::content) {
        Some(named) => Ok(content::text(log, &named.hash)?),
        None => Ok(None),
    }
}

/// The words that the log no longer contains.
pub(super) fn erased(log: &SqliteLog, words: Words) -> Result<Words, Fault> {
    let Some(finder) = words.finder() else {
        return Ok(words);
    };
    let all: Vec<String> = words.0.into_iter().collect();
    let mut is_said = vec![false; all.len()];
    let mut look = |text: &str| {
        for found in finder.find_overlapping_iter(text) {
            if let Some(is_said) = is_said.get_mut(found.pattern().as_usize()) {
                *is_said = true;
            }
        }
    };
    each_from(log, 1, &mut |_, raw| {
        let record = &raw.record;
        for text in [&raw.session, &record.kind, &record.actor, &record.payload] {
            look(text);
        }
        if record.payload.contains('\\') {
            let payload = serde_json::from_str(&record.payload).unwrap_or_default();
            each_text(&payload, &mut look);
        }
        if let Some(text) = kept(log, raw)? {
            look(&text);
        }
        Ok(true)
    })?;
    let select = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL \
                  UNION ALL SELECT url FROM remote UNION ALL SELECT name FROM remote_session";
    let mut select = log.conn.prepare(select)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        look(&row.get::<_, String>(0)?);
    }
    let erased = all.into_iter().zip(is_said);
    Ok(Words(
        erased
            .filter_map(|(word, is_said)| (!is_said).then_some(word))
            .collect(),
    ))
}

fn each_text(value: &Value, look: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => look(text),
        Value::Array(values) => values.iter().for_each(|value| each_text(value, look)),
        Value::Object(fields) => fields.values().for_each(|value| each_text(value, look)),
        _ => {}
    }
}
