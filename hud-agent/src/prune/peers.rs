//! The rule as a policy, and what others do, to be tried on the same sessions.

use std::collections::BTreeMap;

use hud_store::state::{OutputClass, covers};

use super::Placeholder;
use super::outline::{Whole, outline};
use super::rule::{Aged, Pressure, is_worth_it, tokens};
use super::simulate::{Moment, Policy, Subject};
use super::spoken::Spoken;
use crate::action::Action;
use crate::settings::Prune;

/// The [rule](super::rule), at one pressure.
#[derive(Clone, Debug)]
pub struct ByNeed {
    /// What a user has set.
    pub prune: Prune,
    /// The pressure.
    pub pressure: Pressure,
    spoken: Spoken,
    /// Up to which request the words are known.
    known: usize,
}

impl ByNeed {
    /// The rule at a pressure.
    pub fn new(prune: Prune, pressure: Pressure) -> Self {
        Self {
            prune,
            pressure,
            spoken: Spoken::default(),
            known: 0,
        }
    }

    fn listen(&mut self, subject: &Subject, request: usize) {
        let requests = subject.trace.requests.iter().enumerate();
        for (at, answered) in requests.take(request).skip(self.known) {
            for text in &answered.spoken {
                self.spoken.say(text, at as u64);
            }
            for action in answered.calls.iter().flat_map(|(actions, _)| actions) {
                self.spoken.call(action, at as u64);
            }
        }
        self.known = request;
    }
}

/// An output as its age is counted before a request.
fn aged(subject: &Subject, index: usize, request: usize) -> Aged {
    let trace = &subject.trace;
    let output = &trace.outputs[index];
    let is_on_file =
        |action: &&Action| output.target.is_some() && action.target() == output.target.as_deref();
    let since = trace
        .requests
        .iter()
        .enumerate()
        .take(request)
        .skip(output.read);
    let (mut touched, mut edited) = (None, false);
    for (at, answered) in since {
        for action in answered
            .calls
            .iter()
            .flat_map(|(actions, _)| actions)
            .filter(is_on_file)
        {
            touched = Some(at);
            edited |= matches!(action, Action::Edit { .. } | Action::Write { .. });
        }
    }
    let age = request.saturating_sub(output.read) as u64;
    let later = trace.outputs.iter().skip(index + 1);
    Aged {
        class: output.class,
        age,
        untouched: touched.map_or(age, |at| (request - at) as u64),
        edited,
        superseded: later
            .filter(|other| other.is_sent(request) && !other.error)
            .any(|other| {
                let same = (other.class, &other.tool, &other.target);
                same == (output.class, &output.tool, &output.target)
                    && output.target.is_some()
                    && covers(other.lines, output.lines)
            }),
    }
}

impl Policy for ByNeed {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let (subject, request) = (moment.subject, moment.request);
        self.listen(subject, request);
        let limit = self.pressure.age(&self.prune);
        let mut leaving = Vec::new();
        let mut gained = 0;
        for (index, _) in moment.whole() {
            let output = &subject.trace.outputs[index];
            let aged = aged(subject, index, request);
            if self.prune.protects(&output.tool) || !aged.is_due(limit) {
                continue;
            }
            let whole = Whole {
                class: output.class,
                has_errors: output.error || output.is_run,
                text: &output.text,
            };
            let outline = match aged.superseded {
                true => String::new(),
                false => outline(&whole, |line| self.spoken.used_in(line, output.read as u64)),
            };
            let placeholder = Placeholder {
                seq: 1_000,
                tool: output.tool.clone(),
                target: output.target.clone(),
                lines: output.text.lines().count() as u64,
                chars: subject.chars[index],
                outline: Some(outline).filter(|outline| !outline.is_empty()),
            };
            let stays = placeholder.to_string();
            let length = stays.chars().count() as u64;
            if is_worth_it(subject.chars[index], length) {
                gained += subject.chars[index].saturating_sub(length);
                leaving.push((index, stays));
            }
        }
        let gained = tokens(gained, subject.ratio);
        match self.pressure.lets_go(gained, moment.is_cold, &self.prune) {
            true => leaving,
            false => Vec::new(),
        }
    }
}

/// opencode's rule: from the newest output on so many tokens stay, and the others leave if they are more
/// than so many. It stops at what left before. A token is four characters.
#[derive(Clone, Copy, Debug)]
pub struct Opencode {
    /// Tokens that stay.
    pub protect: u64,
    /// Tokens that must be gained.
    pub minimum: u64,
}

impl Policy for Opencode {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let left = moment.left.iter().rposition(Option::is_some);
        let (mut seen, mut gained) = (0, 0);
        let mut leaving = Vec::new();
        for (index, is_read) in moment.whole().rev() {
            if left.is_some_and(|left| index < left) {
                break;
            }
            let tokens = moment.subject.chars[index] / 4;
            seen += tokens;
            if seen > self.protect && is_read {
                gained += tokens;
                leaving.push((index, String::new()));
            }
        }
        if gained > self.minimum {
            leaving
        } else {
            Vec::new()
        }
    }
}

/// Of all outputs, the newest so many tokens stay.
#[derive(Clone, Copy, Debug)]
pub struct Newest(pub u64);

impl Policy for Newest {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let mut seen = 0;
        let mut leaving = Vec::new();
        for (index, is_read) in moment.whole().rev() {
            seen += tokens(moment.subject.chars[index], moment.subject.ratio);
            if seen > self.0 && is_read {
                leaving.push((index, String::new()));
            }
        }
        leaving
    }
}

/// Whatever is so many requests old leaves.
#[derive(Clone, Copy, Debug)]
pub struct OlderThan(pub usize);

impl Policy for OlderThan {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let outputs = &moment.subject.trace.outputs;
        let is_old = |index: &usize| moment.request - outputs[*index].read >= self.0;
        let read = moment
            .whole()
            .filter_map(|(index, is_read)| is_read.then_some(index));
        read.filter(is_old)
            .map(|index| (index, String::new()))
            .collect()
    }
}

/// A pool of what outputs are of, in which each fades by `exp(-0.85 * age) + mentions`, an age counted in
/// outputs. What scores under 0.01 leaves: what was never mentioned again, after six outputs.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// By its name, the output that mentioned it last, and how often it was mentioned again.
    known: BTreeMap<String, (usize, u32)>,
    /// How many outputs it has seen.
    seen: usize,
}

/// The age at which what nobody mentioned again scores under 0.01: `exp(-0.85 * 6)` is 0.006.
const FADED: usize = 6;

impl Policy for Pool {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let outputs = &moment.subject.trace.outputs;
        let new = outputs.iter().enumerate().skip(self.seen);
        for (at, output) in new.take_while(|(_, output)| output.read <= moment.request) {
            self.seen = at + 1;
            if let Some(target) = &output.target {
                let known = self.known.entry(target.clone());
                let known = known.and_modify(|(_, mentions)| *mentions += 1);
                known.or_insert((at, 0)).0 = at;
            }
        }
        let is_faded = |index: &usize| {
            let target = outputs
                .get(*index)
                .and_then(|output| output.target.as_ref());
            let known = target.and_then(|target| self.known.get(target));
            known.is_none_or(|(at, mentions)| *mentions == 0 && self.seen - at > FADED)
        };
        let read = moment
            .whole()
            .filter_map(|(index, is_read)| is_read.then_some(index));
        read.filter(is_faded)
            .map(|index| (index, String::new()))
            .collect()
    }
}

/// What leaves is never needed again: only who knows what comes can do that.
#[derive(Clone, Copy, Debug)]
pub struct Oracle;

impl Policy for Oracle {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let coming = moment.subject.needs.iter();
        let coming = coming.filter(|need| need.request >= moment.request);
        let parts: Vec<_> = coming.flat_map(|need| &need.parts).collect();
        let is_over = |index: &usize| !parts.iter().any(|part| part.holders.contains(index));
        let read = moment
            .whole()
            .filter_map(|(index, is_read)| is_read.then_some(index));
        read.filter(is_over)
            .map(|index| (index, String::new()))
            .collect()
    }
}

/// Long outputs are cut before anybody reads them: the first and the last lines stay.
#[derive(Clone, Copy, Debug)]
pub struct AtEntry {
    /// Lines that an output may have.
    pub longest: usize,
    /// Lines that stay at each end.
    pub kept: usize,
}

impl Policy for AtEntry {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let mut leaving = Vec::new();
        for (index, is_read) in moment.whole() {
            let output = &moment.subject.trace.outputs[index];
            if !is_read
                && output.class != OutputClass::Kept
                && let Some(cut) = super::entry::cut(&output.text, self.longest, self.kept)
            {
                leaving.push((index, cut));
            }
        }
        leaving
    }
}
