//! The phrase file of a language, and its faults.

use std::collections::HashMap;
use std::fmt;

use toml::de::{DeTable, DeValue};

use super::Intent;
use super::phrases::Phrase;

/// A fault in a file of phrases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {fault}")]
pub struct LexiconError {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The fault.
    pub fault: Fault,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file is not TOML.
    Syntax(String),
    /// A key is not the name of an intent. The second field is the nearest name.
    UnknownIntent(String, &'static str),
    /// The value of a key is not a list of strings.
    NoList(Intent),
    /// A phrase is empty, or begins or ends with white space.
    Blank(Intent),
    /// The first field is a phrase with capital letters or a typographic apostrophe. The second is its lowered form.
    Unmatchable(String, String),
    /// A phrase is twice in the list of its intent. The last field is the line of the first one.
    Repeated(Intent, String, usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "{error}"),
            Self::UnknownIntent(key, nearest) => {
                write!(f, "no intent is named `{key}`. Did you mean `{nearest}`?")
            }
            Self::NoList(intent) => write!(
                f,
                "`{intent}` is no list of phrases. Write `{intent} = [\"a phrase\"]`"
            ),
            Self::Blank(intent) => write!(
                f,
                "a phrase of `{intent}` is empty, or begins or ends with white space. Remove the space, or the phrase"
            ),
            Self::Unmatchable(phrase, lowered) => write!(
                f,
                "no text has `{phrase}`, as texts are compared in small letters. Write `{lowered}`"
            ),
            Self::Repeated(intent, phrase, line) => write!(
                f,
                "`{phrase}` is in `{intent}` already, in line {line}. Remove one of them"
            ),
        }
    }
}

/// Returns the intent of each phrase of a file, and the faults of the others.
pub(super) fn parse(name: &str, text: &str) -> (Vec<Intent>, Vec<LexiconError>) {
    let mut all = Reader {
        name,
        text,
        phrases: Vec::new(),
        errors: Vec::new(),
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let at = error.span().map_or(0, |span| span.start);
        all.fault(at, Fault::Syntax(error.message().to_owned()));
    }
    for (key, value) in table.get_ref() {
        match Intent::named(key.get_ref()) {
            Some(intent) => all.list(intent, value.span().start, value.get_ref()),
            None => {
                let nearest = Intent::nearest(key.get_ref());
                let fault = Fault::UnknownIntent(key.get_ref().to_string(), nearest);
                all.fault(key.span().start, fault);
            }
        }
    }
    all.errors.sort_by_key(|error| error.line);
    (all.phrases, all.errors)
}

/// The state of the parser of a file.
struct Reader<'f> {
    name: &'f str,
    text: &'f str,
    phrases: Vec<Intent>,
    errors: Vec<LexiconError>,
}

impl Reader<'_> {
    fn fault(&mut self, at: usize, fault: Fault) {
        let error = LexiconError {
            file: self.name.to_owned(),
            line: self.line(at),
            fault,
        };
        self.errors.push(error);
    }

    fn line(&self, at: usize) -> usize {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn list(&mut self, intent: Intent, at: usize, value: &DeValue<'_>) {
        let Some(list) = value.as_array() else {
            return self.fault(at, Fault::NoList(intent));
        };
        let mut known: HashMap<&str, usize> = HashMap::new();
        for phrase in list {
            let at = phrase.span().start;
            let Some(written) = phrase.get_ref().as_str() else {
                self.fault(at, Fault::NoList(intent));
                continue;
            };
            let read = Phrase::of(written);
            let lowered = crate::prose::lower(written);
            if read.text.is_empty() || *read.text != *read.text.trim() {
                self.fault(at, Fault::Blank(intent));
            } else if lowered != written {
                self.fault(at, Fault::Unmatchable(written.to_owned(), lowered));
            } else if let Some(other) = known.insert(written, at) {
                let line = self.line(other);
                self.fault(at, Fault::Repeated(intent, written.to_owned(), line));
            } else {
                self.phrases.push(intent);
            }
        }
    }
}
