//! Recordings as a stream of records. A client's reader handles one JSON value at a time, and never
//! holds the whole file.
//!
//! A recording consists of lines that are records, or of a document with lists of records.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Client;
use super::chat::first_keys;
use super::placed::{Messages, Place, Placed};
use crate::transcript::{BYTE_ORDER_MARK, Entry, LONGEST, Summary, TranscriptError, whole};

/// The use of a field of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// A list of records, each of which is handled separately.
    Records,
    /// A small value, which is read whole.
    Value,
    /// A field that is skipped.
    Other,
}

/// A client's reader of records.
pub(crate) trait Records {
    /// Handles a record.
    fn record(&mut self, record: &Value, messages: &mut Messages<'_>);

    /// True if a value in a damaged line is a record. A record that is cut off contains other values.
    fn is_record(&self, value: &Value) -> bool {
        let _ = value;
        true
    }

    /// True if an object of a document is one record, because fields that its lists need may follow
    /// them.
    fn is_whole(&self) -> bool {
        false
    }

    /// Returns the use of a field of a document.
    fn field(&self, key: &str) -> Field {
        let _ = key;
        Field::Other
    }

    /// Handles a [value](Field::Value) of a document.
    fn value(&mut self, value: &Value, messages: &mut Messages<'_>) {
        let _ = (value, messages);
    }

    /// Reports what is still held after the last record.
    fn end(&mut self, messages: &mut Messages<'_>) {
        let _ = messages;
    }
}

/// Reads the records of a client's file.
///
/// # Errors
///
/// [`TranscriptError::Read`] if reading the file fails, [`TranscriptError::Document`] if a document is
/// damaged before its first record, and [`TranscriptError::Unread`] if no part of the conversation could
/// be read.
pub(crate) fn read(
    client: &dyn Client,
    path: &Path,
    file: &mut dyn BufRead,
    records: &mut dyn Records,
    sink: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Result<Summary, TranscriptError> {
    let beginning = file.fill_buf().map_err(|source| failed(path, source))?;
    let is_document = is_document(beginning, records);
    let place = Place::new();
    let mut messages = Messages::new(&place, sink);
    let mut file = BufReader::new(Placed::new(file, &place));
    match is_document {
        true => document(path, &mut file, records, &mut messages, &place)?,
        false => lines(path, &mut file, records, &mut messages, &place)?,
    }
    records.end(&mut messages);
    if !messages.is_over() && !messages.has_conversation() {
        return Err(TranscriptError::Unread {
            path: path.to_owned(),
            client: client.name(),
        });
    }
    messages.summary.mended = place.mended();
    Ok(messages.summary)
}

/// True if a file with this beginning is one value: a list, an object on several lines, or one with
/// lists of records.
fn is_document(beginning: &[u8], records: &dyn Records) -> bool {
    let text = beginning.trim_ascii_start();
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    let has_list = |key: &String| records.field(key) == Field::Records;
    text.starts_with(b"[")
        || (first.len() < text.len() && continues(first))
        || first_keys(text).iter().any(has_list)
}

/// True if JSON continues after a line: it opens a value, or ends with a comma.
pub(crate) fn continues(line: &[u8]) -> bool {
    matches!(line.trim_ascii_end(), [.., b'{' | b'[' | b','])
}

/// Reads a record on each line.
fn lines(
    path: &Path,
    file: &mut dyn BufRead,
    records: &mut dyn Records,
    messages: &mut Messages<'_>,
    place: &Place,
) -> Result<(), TranscriptError> {
    let (mut line, mut number) = (Vec::new(), 0);
    while !messages.is_over() {
        line.clear();
        place.bound();
        let read = file.read_until(b'\n', &mut line);
        if read.map_err(|source| failed(path, source))? == 0 {
            break;
        }
        number += 1;
        take_line(&line, number, records, messages);
    }
    Ok(())
}

/// The beginning of a record with any first field.
pub(crate) const BEGINNINGS: &[&str] = &["{\""];

/// Handles the record of a line, or the complete records of a damaged line.
fn take_line(line: &[u8], number: u64, records: &mut dyn Records, messages: &mut Messages<'_>) {
    let text = line.trim_ascii();
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    if text.is_empty() {
        return;
    }
    if let Ok(record) = serde_json::from_slice(text) {
        return take(&record, records, messages);
    }
    let (found, is_damaged) = whole::records(text, BEGINNINGS);
    let values = found.iter().filter_map(|record| {
        let value = serde_json::from_slice(record).ok()?;
        records.is_record(&value).then_some(value)
    });
    let values: Vec<Value> = values.collect();
    for value in &values {
        take(value, records, messages);
    }
    match line.ends_with(b"\n") || !values.is_empty() {
        true if is_damaged => messages.summary.damage(number),
        false => messages.summary.truncated = Some(number),
        true => {}
    }
}

fn take(record: &Value, records: &mut dyn Records, messages: &mut Messages<'_>) {
    messages.summary.lines += 1;
    records.record(record, messages);
}

/// Reads the records in the lists of a document, or of several consecutive documents.
fn document(
    path: &Path,
    file: &mut dyn BufRead,
    records: &mut dyn Records,
    messages: &mut Messages<'_>,
    place: &Place,
) -> Result<(), TranscriptError> {
    let mut document = serde_json::Deserializer::from_reader(file);
    loop {
        let mut is_begun = false;
        place.bound();
        let read = match records.is_whole() {
            true => Value::deserialize(&mut document).map(|value| take(&value, records, messages)),
            false => Within {
                records,
                messages,
                place,
                is_begun: &mut is_begun,
            }
            .deserialize(&mut document),
        };
        match read {
            Ok(()) if messages.is_over() => return Ok(()),
            Ok(()) => {}
            Err(_) if messages.is_over() => return Ok(()),
            Err(error) if error.is_io() => return Err(failed(path, error.into())),
            // Nothing follows the last value.
            Err(error) if error.is_eof() && !is_begun => return Ok(()),
            Err(error) if messages.summary.lines > 0 => {
                messages.summary.damage(error.line() as u64);
                return Ok(());
            }
            Err(source) => {
                return Err(TranscriptError::Document {
                    path: path.to_owned(),
                    source,
                });
            }
        }
    }
}

fn failed(path: &Path, source: io::Error) -> TranscriptError {
    TranscriptError::Read {
        path: path.to_owned(),
        source,
    }
}

/// A value of a document that has records.
struct Within<'w, 'm> {
    records: &'w mut dyn Records,
    messages: &'w mut Messages<'m>,
    place: &'w Place,
    /// True once anything was read of the value.
    is_begun: &'w mut bool,
}

impl<'m> Within<'_, 'm> {
    fn reborrow(&mut self) -> Within<'_, 'm> {
        Within {
            records: self.records,
            messages: self.messages,
            place: self.place,
            is_begun: self.is_begun,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Within<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Within<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list with the records of a session")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        *self.is_begun = true;
        loop {
            self.place.bound();
            let Some(record) = list.next_element::<Value>()? else {
                return Ok(());
            };
            take(&record, self.records, self.messages);
            if self.messages.is_over() {
                return Err(A::Error::custom("the sink wants no more"));
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        *self.is_begun = true;
        while let Some(key) = map.next_key::<String>()? {
            self.place.bound();
            match self.records.field(&key) {
                Field::Records => map.next_value_seed(self.reborrow())?,
                Field::Value => {
                    let value: Value = map.next_value()?;
                    self.records.value(&value, self.messages);
                }
                Field::Other => {
                    self.place.unbound();
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// Opens the file with a name in a folder. `None` if there is none.
pub(crate) fn file_in(folder: &Path, name: &str) -> Option<io::Result<Box<dyn Read>>> {
    let path = folder.join(name);
    path.is_file().then(|| {
        let file = File::open(&path)?;
        Ok(Box::new(file) as Box<dyn Read>)
    })
}

/// Returns the JSON files of a folder, sorted by name. A pipe is none: opening it would block.
pub(crate) fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "json") && path.is_file())
        .collect();
    paths.sort();
    paths
}

/// Returns the text of a JSON file. If the file is not JSON, it returns `null`, which readers skip and
/// count.
pub(crate) fn json_in(path: &Path) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    match read.is_ok() && serde_json::from_str::<IgnoredAny>(&text).is_ok() {
        true => text,
        false => "null".to_owned(),
    }
}

/// A document that is read from pieces, one at a time.
pub(crate) struct Joined<I> {
    pieces: I,
    piece: Cursor<String>,
}

impl<I: Iterator<Item = String>> Joined<I> {
    pub(crate) fn of(pieces: I) -> Self {
        Self {
            pieces,
            piece: Cursor::new(String::new()),
        }
    }
}

impl<I: Iterator<Item = String>> Read for Joined<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.piece.read(buffer)? {
                0 if !buffer.is_empty() => match self.pieces.next() {
                    Some(piece) => self.piece = Cursor::new(piece),
                    None => return Ok(0),
                },
                read => return Ok(read),
            }
        }
    }
}

/// Returns the values with commas between them.
pub(crate) fn separated(values: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let separator = |index| if index == 0 { "" } else { "," };
    values
        .enumerate()
        .map(move |(index, value)| format!("{}{value}", separator(index)))
}
