//! The needs for outputs after they were read, from the model's later actions.

use std::collections::{HashMap, HashSet};

use aho_corasick::AhoCorasick;
use hud_derive::outline::{DISTINCTIVE, distinctive, unnumbered};
use hud_observe::action::Action;
use hud_store::state::OutputClass;

use crate::trace::{Recorded, Trace};

/// The evidence of a need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The model writes a distinctive string that only tools had written.
    Quote,
    /// The model replaces a text that an earlier read contains.
    Edit,
    /// The model looks at the same target again, and at least half of the lines are the same.
    Reread,
}

/// A need of the model for an output.
#[derive(Clone, Debug)]
pub struct Need {
    /// The index of the request whose answer is the evidence.
    pub request: usize,
    /// The newest output that meets it.
    pub output: usize,
    /// The kind of the evidence.
    pub kind: Kind,
    /// True if the request is the first one with the output.
    pub at_once: bool,
    /// The needed strings.
    pub parts: Vec<Part>,
}

/// A needed string.
#[derive(Clone, Debug)]
pub struct Part {
    /// The string.
    pub text: String,
    /// The outputs in the conversation that contain it.
    pub holders: Vec<usize>,
}

/// Returns the needs for a trace's outputs, in the order of the requests.
pub fn needs(trace: &Trace) -> Vec<Need> {
    let plain: Vec<String> = trace
        .outputs
        .iter()
        .map(|output| plain(&output.text))
        .collect();
    let places = Places::of(trace);
    let mut needs = Vec::new();
    for (at, request) in trace.requests.iter().enumerate() {
        let is_sent = |index: &usize| trace.outputs[*index].is_sent(at);
        let conversation = Conversation {
            trace,
            plain: &plain,
            places: &places,
            at,
            sent: (0..trace.outputs.len()).filter(is_sent).collect(),
        };
        let before = needs.len();
        for (actions, texts) in &request.calls {
            for action in actions {
                if let Action::Edit { path, .. } = action {
                    needs.extend(conversation.edited(path, texts));
                }
            }
        }
        let edited: Vec<usize> = needs[before..]
            .iter()
            .map(|need: &Need| need.output)
            .collect();
        let quotes = conversation.quoted(&request.said);
        needs.extend(
            quotes
                .into_iter()
                .filter(|need| !edited.contains(&need.output)),
        );
        needs.extend(conversation.reread());
    }
    needs
}

/// The places of the model's distinctive strings, from one search of each text for all strings.
struct Places<'t> {
    /// The strings, with their numbers.
    words: HashMap<&'t str, usize>,
    /// The outputs that contain each string, oldest first.
    outputs: Vec<Vec<usize>>,
    /// The first request before whose answer someone other than a tool had written it.
    said: Vec<Option<usize>>,
}

impl<'t> Places<'t> {
    fn of(trace: &'t Trace) -> Self {
        let mut words: HashMap<&str, usize> = HashMap::new();
        for text in trace.requests.iter().flat_map(|request| &request.said) {
            for word in distinctive(text) {
                let next = words.len();
                words.entry(word).or_insert(next);
            }
        }
        let mut places = Self {
            outputs: vec![Vec::new(); words.len()],
            said: vec![None; words.len()],
            words,
        };
        let mut patterns: Vec<(&str, usize)> = places.words.iter().map(|(w, n)| (*w, *n)).collect();
        patterns.sort_by_key(|(_, number)| *number);
        // A finder that is too large to build finds no needs.
        let Ok(finder) = AhoCorasick::new(patterns.iter().map(|(word, _)| word)) else {
            return places;
        };
        let found = |text: &str, meet: &mut dyn FnMut(usize)| {
            for found in finder.find_overlapping_iter(text) {
                meet(found.pattern().as_usize());
            }
        };
        for (index, output) in trace.outputs.iter().enumerate() {
            found(&output.text, &mut |word| {
                if let Some(outputs) = places.outputs.get_mut(word)
                    && outputs.last() != Some(&index)
                {
                    outputs.push(index);
                }
            });
        }
        for (at, request) in trace.requests.iter().enumerate() {
            let asked = request.asked.iter().map(|text| (text, at));
            let said = request.said.iter().map(|text| (text, at + 1));
            for (text, from) in asked.chain(said) {
                found(text, &mut |word| {
                    if let Some(said) = places.said.get_mut(word) {
                        said.get_or_insert(from);
                    }
                });
            }
        }
        places
    }

    /// Returns the outputs that contain a word, if only tools had written it before the answer to a request.
    fn of_tools(&self, word: &str, request: usize) -> &[usize] {
        let number = self.words.get(word);
        let said = number.and_then(|number| *self.said.get(*number)?);
        match number.and_then(|number| self.outputs.get(*number)) {
            Some(outputs) if said.is_none_or(|from| from > request) => outputs,
            _ => &[],
        }
    }
}

/// The conversation that a request sends.
struct Conversation<'t> {
    trace: &'t Trace,
    /// The outputs without line numbers.
    plain: &'t [String],
    places: &'t Places<'t>,
    /// The index of the request.
    at: usize,
    /// The outputs that it sends, oldest first.
    sent: Vec<usize>,
}

impl Conversation<'_> {
    /// Returns the needs for distinctive strings that only tools had written, by the newest output with them.
    fn quoted(&self, texts: &[String]) -> Vec<Need> {
        let mut needs: Vec<Need> = Vec::new();
        let mut known: HashSet<&str> = HashSet::new();
        let words = texts.iter().flat_map(|text| distinctive(text));
        for word in words.filter(|word| known.insert(word)) {
            let is_sent = |index: &&usize| self.trace.outputs[**index].is_sent(self.at);
            let outputs = self.places.of_tools(word, self.at).iter();
            let holders: Vec<usize> = outputs.filter(is_sent).copied().collect();
            let Some(output) = holders.last().copied() else {
                continue;
            };
            let part = Part {
                text: word.to_owned(),
                holders,
            };
            match needs.iter_mut().find(|need| need.output == output) {
                Some(need) => need.parts.push(part),
                None => needs.push(self.need(output, Kind::Quote, vec![part])),
            }
        }
        needs
    }

    /// Returns the need for an earlier read that contains the text of an edit.
    fn edited(&self, path: &str, texts: &[String]) -> Option<Need> {
        let reads = |index: &&usize| {
            let output = &self.trace.outputs[**index];
            output.class == OutputClass::Read && output.target.as_deref() == Some(path)
        };
        let is_long = |text: &&String| text.trim().chars().count() >= DISTINCTIVE;
        for text in texts.iter().filter(is_long).filter(|text| *text != path) {
            let has = |index: &&usize| self.plain[**index].contains(text.trim());
            let holders: Vec<usize> =
                (self.sent.iter().filter(reads).filter(has).copied()).collect();
            if let Some(output) = holders.last().copied() {
                let part = |line: &str| Part {
                    text: line.to_owned(),
                    holders: holders.clone(),
                };
                return Some(self.need(output, Kind::Edit, lines(text).map(part).collect()));
            }
        }
        None
    }

    /// Returns the needs of the calls in the answer to this request that look at the same target again.
    fn reread(&self) -> Vec<Need> {
        let outputs = self.trace.outputs.iter().enumerate();
        outputs
            .filter(|(_, again)| again.called == self.at)
            .filter_map(|(index, _)| self.same(index))
            .collect()
    }

    /// Returns the need for the newest output of the same target, if at least half of the lines are the same.
    /// `None` for a command or search that is repeated after an edit.
    fn same(&self, index: usize) -> Option<Need> {
        let outputs = &self.trace.outputs;
        let again = &outputs[index];
        let is_same = |other: &Recorded| {
            other.target.is_some()
                && other.target == again.target
                && other.tool == again.tool
                && matches!(
                    other.class,
                    OutputClass::Read | OutputClass::Look | OutputClass::Report
                )
        };
        let output = *self.sent.iter().rfind(|index| is_same(&outputs[**index]))?;
        let is_edit = |other: &Recorded| other.class == OutputClass::Ack;
        if again.class == OutputClass::Look && outputs[output..index].iter().any(is_edit) {
            return None;
        }
        let known: HashSet<&str> = lines(&self.plain[output]).collect();
        let all: Vec<&str> = lines(&self.plain[index]).collect();
        let common: Vec<&str> = (all.iter().copied())
            .filter(|line| known.contains(line))
            .collect();
        if all.is_empty() || common.len() * 2 < all.len() {
            return None;
        }
        let part = |line: &str| Part {
            text: line.to_owned(),
            holders: vec![output],
        };
        Some(self.need(output, Kind::Reread, common.into_iter().map(part).collect()))
    }

    fn need(&self, output: usize, kind: Kind, parts: Vec<Part>) -> Need {
        Need {
            request: self.at,
            output,
            kind,
            at_once: self.trace.outputs[output].read == self.at,
            parts,
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Returns a text without the line numbers that clients add to files.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        plain.push_str(unnumbered(line));
        plain.push('\n');
    }
    plain
}
