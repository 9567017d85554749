//! The pruning rule and the rules of others as policies.

use std::collections::{BTreeMap, HashMap};

use hud_store::state::{OutputClass, covers};

use crate::simulate::{Moment, Policy, Subject};
use hud_agent::prune::PLACEHOLDER;
use hud_agent::prune::Placeholder;
use hud_agent::prune::rule::{Aged, Pressure, is_worth_it, tokens};
use hud_agent::settings::Prune;
use hud_derive::Spoken;
use hud_derive::outline::{Whole, outline};
use hud_observe::action::Action;

/// The [rule](hud_agent::prune::rule) at one pressure.
#[derive(Clone, Debug)]
pub struct ByNeed {
    /// The user's settings.
    pub prune: Prune,
    /// The pressure.
    pub pressure: Pressure,
    spoken: Spoken,
    /// The number of requests whose words are known.
    known: usize,
    /// The requests with calls on each file, oldest first. The boolean is true if the call changed it.
    touched: HashMap<String, Vec<(usize, bool)>>,
    /// The newer output that contains all of each output, if there is one. The outer `None` means that it is
    /// not computed yet.
    superseded: Option<Vec<Option<usize>>>,
}

impl ByNeed {
    /// Returns the rule at a pressure.
    pub fn new(prune: Prune, pressure: Pressure) -> Self {
        Self {
            prune,
            pressure,
            spoken: Spoken::default(),
            known: 0,
            touched: HashMap::new(),
            superseded: None,
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
                if let Some(target) = action.target() {
                    let edits = matches!(action, Action::Edit { .. } | Action::Write { .. });
                    let touched = self.touched.entry(target.to_owned()).or_default();
                    touched.push((at, edits));
                }
            }
        }
        self.known = request;
    }

    /// Returns the inputs of the rule for an output before a request.
    fn aged(&self, subject: &Subject, index: usize, request: usize) -> Aged {
        let output = &subject.trace.outputs[index];
        let touched = output
            .target
            .as_ref()
            .and_then(|path| self.touched.get(path));
        let touched = touched.map_or(&[][..], Vec::as_slice);
        let since = touched.partition_point(|(at, _)| *at < output.read);
        let since = touched.get(since..).unwrap_or_default();
        let age = request.saturating_sub(output.read) as u64;
        let newer = self.superseded.as_ref().and_then(|all| *all.get(index)?);
        let newer = newer.and_then(|newer| subject.trace.outputs.get(newer));
        Aged {
            class: output.class,
            age,
            untouched: since.last().map_or(age, |(at, _)| (request - at) as u64),
            edited: since.iter().any(|(_, edits)| *edits),
            superseded: newer.is_some_and(|newer| newer.is_sent(request)),
        }
    }
}

/// Returns the first newer output that contains all of each output, whether or not the conversation still has
/// it.
fn superseded(subject: &Subject) -> Vec<Option<usize>> {
    let outputs = &subject.trace.outputs;
    let mut superseded = vec![None; outputs.len()];
    // The outputs by source that no newer one supersedes yet.
    let mut open: HashMap<(OutputClass, &str, &str), Vec<usize>> = HashMap::new();
    for (index, newer) in outputs.iter().enumerate() {
        let Some(target) = newer.target.as_deref() else {
            continue;
        };
        let same = open
            .entry((newer.class, newer.tool.as_str(), target))
            .or_default();
        if !newer.error {
            same.retain(|older| {
                let Some(known) = outputs.get(*older) else {
                    return false;
                };
                let is_covered = covers(newer.lines, known.lines);
                if is_covered && let Some(by) = superseded.get_mut(*older) {
                    *by = Some(index);
                }
                !is_covered
            });
        }
        same.push(index);
    }
    superseded
}

impl Policy for ByNeed {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let (subject, request) = (moment.subject, moment.request);
        self.listen(subject, request);
        if self.superseded.is_none() {
            self.superseded = Some(superseded(subject));
        }
        let limit = self.pressure.age(&self.prune);
        let mut due = Vec::new();
        let mut gained = 0_u64;
        for (index, _) in moment.whole() {
            let output = &subject.trace.outputs[index];
            let aged = self.aged(subject, index, request);
            let chars = subject.chars[index];
            if is_worth_it(chars, PLACEHOLDER)
                && !self.prune.protects(&output.tool)
                && aged.is_due(limit)
            {
                gained = gained.saturating_add(chars.saturating_sub(PLACEHOLDER));
                due.push((index, aged.superseded));
            }
        }
        let gained = tokens(gained, subject.ratio);
        // A recorded session has no limit for its client's compaction.
        match self
            .pressure
            .lets_go(gained, moment.is_cold, true, &self.prune)
        {
            true => due
                .into_iter()
                .map(|(index, is_superseded)| {
                    (index, self.placeholder(subject, index, is_superseded))
                })
                .collect(),
            false => Vec::new(),
        }
    }
}

impl ByNeed {
    /// Returns the placeholder of an output.
    fn placeholder(&self, subject: &Subject, index: usize, is_superseded: bool) -> String {
        let output = &subject.trace.outputs[index];
        let whole = Whole {
            class: output.class,
            has_errors: output.error || output.is_run,
            text: &output.text,
            kept: &[],
        };
        let outline = match is_superseded {
            true => String::new(),
            false => outline(&whole, |line| self.spoken.used_in(line, output.read as u64)),
        };
        let placeholder = Placeholder {
            version: Some(1_000),
            call: output.call.clone(),
            tool: output.tool.clone(),
            target: output.target.clone(),
            lines: output.text.lines().count() as u64,
            chars: subject.chars[index],
            outline: Some(outline).filter(|outline| !outline.is_empty()),
        };
        placeholder.to_string()
    }
}

/// The rule of opencode. The newest so many tokens stay, and the older ones are removed if they are more than
/// a minimum. It stops at the last removed output. A token counts as four characters.
#[derive(Clone, Copy, Debug)]
pub struct Opencode {
    /// The tokens that stay.
    pub protect: u64,
    /// The minimum gain in tokens.
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

/// A policy that keeps the newest so many tokens of all outputs.
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

/// A policy that removes outputs of this age in requests.
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

/// A pool of targets, whose scores fade by `exp(-0.85 * age) + mentions` with the age in outputs. Outputs with
/// a score under 0.01 are removed: after six outputs, unless the target is mentioned again.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// The last output with each target, and the number of repeated mentions.
    known: BTreeMap<String, (usize, u32)>,
    /// The number of outputs that it has seen.
    seen: usize,
}

/// The age at which a target without another mention scores under 0.01: `exp(-0.85 * 6)` is 0.006.
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

/// A policy that removes only outputs without a later need, which requires knowledge of the future.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    /// The last request in which each output is needed.
    last: Option<HashMap<usize, usize>>,
}

impl Policy for Oracle {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let last = self.last.get_or_insert_with(|| {
            let mut last = HashMap::new();
            for need in &moment.subject.needs {
                for holder in need.parts.iter().flat_map(|part| &part.holders) {
                    let known = last.entry(*holder).or_insert(need.request);
                    *known = need.request.max(*known);
                }
            }
            last
        });
        let is_over = |index: &usize| last.get(index).is_none_or(|last| *last < moment.request);
        let read = moment
            .whole()
            .filter_map(|(index, is_read)| is_read.then_some(index));
        read.filter(is_over)
            .map(|index| (index, String::new()))
            .collect()
    }
}

/// A policy that cuts long outputs before the model reads them.
#[derive(Clone, Copy, Debug)]
pub struct AtEntry {
    /// The maximum number of lines of an output.
    pub longest: usize,
    /// The number of lines to keep at each end.
    pub kept: usize,
}

impl Policy for AtEntry {
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)> {
        let mut leaving = Vec::new();
        for (index, is_read) in moment.whole() {
            let output = &moment.subject.trace.outputs[index];
            if !is_read
                && output.class != OutputClass::Kept
                && let Some(cut) =
                    hud_agent::prune::entry::cut(&output.text, self.longest, self.kept)
            {
                leaving.push((index, cut));
            }
        }
        leaving
    }
}
