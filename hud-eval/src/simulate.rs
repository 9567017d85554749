//! Simulates a policy on a recorded session, request by request.

use crate::need::{Kind, Need, needs};
use crate::trace::Trace;
use hud_agent::prune::rule::{RATIO, tokens};
use hud_derive::{RATIOS, TELLING};

/// The prices of requests in multiples of an input token, and the lifetime of a provider's cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// The price of an uncached token, which is also written to the cache.
    pub write: f64,
    /// The price of a token that is read from the cache.
    pub read: f64,
    /// The seconds without a request after which the cache is cold.
    pub cache_seconds: u64,
}

impl Default for Prices {
    /// The prices of Anthropic.
    fn default() -> Self {
        Self {
            write: 1.25,
            read: 0.1,
            cache_seconds: hud_agent::prune::CACHE_SECONDS,
        }
    }
}

/// A recorded session for trials of policies.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The recorded session.
    pub trace: Trace,
    /// The needs of the session.
    pub needs: Vec<Need>,
    /// The length of each output, in characters.
    pub chars: Vec<u64>,
    /// The characters per token in tenths, from the session's own usage.
    pub ratio: u64,
    /// The tokens of each request without pruning, and the tokens before its new outputs.
    sent: Vec<(f64, f64)>,
}

/// The tokens of a first request with unknown usage: its instructions and tools.
const FIRST: f64 = 12_000.0;

/// The tokens that a cache still holds after a compaction: the instructions and the tools.
const HEAD: f64 = 10_000.0;

impl Subject {
    /// Returns a session with its needs.
    pub fn new(trace: Trace) -> Self {
        let chars: Vec<u64> = trace
            .outputs
            .iter()
            .map(crate::trace::Recorded::chars)
            .collect();
        let needs = needs(&trace);
        let ratio = ratio(&trace, &chars);
        let mut sent = Vec::new();
        let mut all = FIRST;
        for (at, request) in trace.requests.iter().enumerate() {
            let before = all;
            let asked: usize = request.asked.iter().map(|text| text.chars().count()).sum();
            let fresh = trace
                .outputs
                .iter()
                .zip(&chars)
                .filter(|(output, _)| output.read == at);
            let new = asked as u64 + fresh.map(|(_, chars)| chars).sum::<u64>();
            all = match request.sent {
                Some(sent) => sent as f64,
                None => all + tokens(new, ratio) as f64,
            };
            sent.push((all, before.min(all)));
            let said: usize = request.said.iter().map(|text| text.chars().count()).sum();
            all += match request.written {
                Some(written) => written as f64,
                None => tokens(said as u64, ratio) as f64,
            };
        }
        Self {
            trace,
            needs,
            chars,
            ratio,
            sent,
        }
    }

    /// True if the provider's cache is cold at a request.
    fn is_cold(&self, request: usize, prices: &Prices) -> bool {
        let at = |request: usize| self.trace.requests.get(request)?.at;
        match request
            .checked_sub(1)
            .map(|before| (at(before), at(request)))
        {
            None => true,
            Some((Some(before), Some(now))) => {
                let seconds = now.duration_since(before).as_secs();
                seconds > i64::try_from(prices.cache_seconds).unwrap_or(i64::MAX)
            }
            Some(_) => false,
        }
    }
}

/// Returns the characters per token in tenths. It uses only requests with so much new text that the other text
/// does not matter.
fn ratio(trace: &Trace, chars: &[u64]) -> u64 {
    let (mut all_chars, mut all_tokens) = (0_u64, 0_u64);
    for (at, pair) in trace.requests.windows(2).enumerate() {
        let [before, now] = pair else { continue };
        let (Some(then), Some(sent), Some(written)) = (before.sent, now.sent, before.written)
        else {
            continue;
        };
        let outputs = trace.outputs.iter().zip(chars);
        let new: u64 = outputs
            .filter(|(o, _)| o.read == at + 1)
            .map(|(_, chars)| chars)
            .sum();
        let fresh = sent.saturating_sub(then.saturating_add(written));
        if new >= TELLING && !now.is_anew && fresh > 0 && RATIOS.contains(&(new * 10 / fresh)) {
            all_chars += new;
            all_tokens += fresh;
        }
    }
    match all_tokens {
        0 => RATIO,
        all_tokens => all_chars * 10 / all_tokens,
    }
}

/// The conversation before a request, as a policy pruned it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'s> {
    /// The session.
    pub subject: &'s Subject,
    /// The request.
    pub request: usize,
    /// The replacement of each removed output.
    pub left: &'s [Option<String>],
    /// True if the provider's cache is cold.
    pub is_cold: bool,
}

impl<'s> Moment<'s> {
    /// Returns the outputs that are still whole in the conversation, oldest first. The boolean is true if the
    /// output was read.
    pub fn whole(&self) -> impl DoubleEndedIterator<Item = (usize, bool)> + use<'s> {
        let (request, left) = (self.request, self.left);
        let outputs = self.subject.trace.outputs.iter().zip(left).enumerate();
        outputs
            .filter(move |(_, (output, left))| output.is_sent(request) && left.is_none())
            .map(move |(index, (output, _))| (index, output.read < request))
    }
}

/// A pruning policy.
pub trait Policy {
    /// Returns the outputs to remove before a request, with the replacement of each.
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)>;
}

/// The results of a policy, as sums over requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of requests.
    pub requests: f64,
    /// The characters of outputs that were read before. `removed` is the part that was not sent.
    pub stale: f64,
    /// See [`stale`](Self::stale).
    pub removed: f64,
    /// The number of needs for outputs that were read before. `met` is the part that was met.
    pub needs: f64,
    /// See [`needs`](Self::needs).
    pub met: f64,
    /// The number of needs for outputs that are read for the first time. `at_once_met` is the part that was
    /// met.
    pub at_once: f64,
    /// See [`at_once`](Self::at_once).
    pub at_once_met: f64,
    /// The number of needs that were mostly unmet.
    pub missed: f64,
    /// The cost of the input in input tokens. `whole_cost` is that without pruning.
    pub cost: f64,
    /// See [`cost`](Self::cost).
    pub whole_cost: f64,
    /// The tokens that were sent. `whole_sent` is the number without pruning.
    pub sent: f64,
    /// See [`sent`](Self::sent).
    pub whole_sent: f64,
}

impl Figures {
    /// Returns the sum of two results.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            stale: self.stale + other.stale,
            removed: self.removed + other.removed,
            needs: self.needs + other.needs,
            met: self.met + other.met,
            at_once: self.at_once + other.at_once,
            at_once_met: self.at_once_met + other.at_once_met,
            missed: self.missed + other.missed,
            cost: self.cost + other.cost,
            whole_cost: self.whole_cost + other.whole_cost,
            sent: self.sent + other.sent,
            whole_sent: self.whole_sent + other.whole_sent,
        }
    }

    /// Returns the share of old outputs that was removed, in per cent.
    pub fn removal(&self) -> f64 {
        percent(self.removed, self.stale, 0.0)
    }

    /// Returns the share of later needs that was met, in per cent.
    pub fn recall(&self) -> f64 {
        percent(self.met, self.needs, 100.0)
    }

    /// Returns the share of immediate needs that was met, in per cent.
    pub fn recall_at_once(&self) -> f64 {
        percent(self.at_once_met, self.at_once, 100.0)
    }

    /// Returns the number of mostly unmet needs per 100 requests.
    pub fn again(&self) -> f64 {
        percent(self.missed, self.requests, 0.0)
    }

    /// Returns the cost of the input, in per cent of that without pruning.
    pub fn price(&self) -> f64 {
        percent(self.cost, self.whole_cost, 100.0)
    }
}

fn percent(part: f64, all: f64, of_nothing: f64) -> f64 {
    if all > 0.0 {
        100.0 * part / all
    } else {
        of_nothing
    }
}

/// The simulation of one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The outputs that were removed before it.
    pub left: Vec<usize>,
    /// The tokens that it sent. `whole_sent` is the number without pruning.
    pub sent: f64,
    /// See [`sent`](Self::sent).
    pub whole_sent: f64,
    /// The cost of its input in input tokens. `whole_cost` is that without pruning.
    pub cost: f64,
    /// See [`cost`](Self::cost).
    pub whole_cost: f64,
    /// True if the provider's cache was cold.
    pub is_cold: bool,
    /// The needs for outputs that were read before: the output, the kind, and the share that was met, from 0
    /// to 1.
    pub needs: Vec<(usize, Kind, f64)>,
}

/// Simulates a policy on a session. Returns the steps and their sums.
pub fn simulate(
    subject: &Subject,
    policy: &mut dyn Policy,
    prices: &Prices,
) -> (Vec<Step>, Figures) {
    let Subject { trace, chars, .. } = subject;
    let ratio = subject.ratio as f64 / 10.0;
    let mut left: Vec<Option<String>> = vec![None; trace.outputs.len()];
    // The removed characters of each output.
    let mut less = vec![0.0_f64; trace.outputs.len()];
    let mut figures = Figures::default();
    let mut steps = Vec::new();
    let mut needs = subject.needs.iter().peekable();
    // The tokens in the cache after the last request.
    let (mut cached, mut whole_cached) = (0.0_f64, 0.0_f64);
    for (at, (request, (whole_sent, _))) in trace.requests.iter().zip(&subject.sent).enumerate() {
        let is_cold = subject.is_cold(at, prices);
        let moment = Moment {
            subject,
            request: at,
            left: &left,
            is_cold,
        };
        let mut leaving = policy.leaving(&moment);
        // A policy can only remove an output that is whole in the conversation.
        leaving.retain(|(index, _)| moment.whole().any(|(whole, _)| whole == *index));
        // The prefix before the first removed output stays the same.
        let mut same = f64::INFINITY;
        for (index, _) in &leaving {
            let output = &trace.outputs[*index];
            let before = subject
                .sent
                .get(output.read)
                .map_or(0.0, |(_, before)| *before);
            let gone: f64 = (0..*index)
                .filter(|earlier| trace.outputs[*earlier].is_sent(at))
                .map(|earlier| less[earlier] / ratio)
                .sum();
            // A new output is not in the cache yet.
            if output.read < at {
                same = same.min((before - gone).max(0.0));
            }
        }
        let mut step = Step {
            is_cold,
            whole_sent: *whole_sent,
            ..Step::default()
        };
        for (index, stays) in leaving {
            less[index] = chars[index].saturating_sub(stays.chars().count() as u64) as f64;
            left[index] = Some(stays);
            step.left.push(index);
        }
        let mut gone = 0.0;
        for (index, output) in trace.outputs.iter().enumerate() {
            if output.is_sent(at) {
                gone += less[index];
                if output.read < at {
                    figures.stale += chars[index] as f64;
                    figures.removed += less[index];
                }
            }
        }
        step.sent = (whole_sent - gone / ratio).max(0.0);
        let price = |sent: f64, cached: f64| {
            let known = match (is_cold, request.is_anew) {
                (true, _) => 0.0,
                (false, true) => cached.min(HEAD).min(sent),
                (false, false) => cached.min(sent),
            };
            prices.read * known + prices.write * (sent - known)
        };
        step.cost = price(step.sent, cached.min(same));
        step.whole_cost = price(*whole_sent, whole_cached);
        (cached, whole_cached) = (step.sent, *whole_sent);
        while let Some(need) = needs.next_if(|need| need.request == at) {
            let met = share(need, &left);
            if need.at_once {
                figures.at_once += 1.0;
                figures.at_once_met += met;
                continue;
            }
            figures.needs += 1.0;
            figures.met += met;
            if met < 0.5 {
                // The model asks for it again, which takes one more request.
                figures.missed += 1.0;
                step.cost +=
                    prices.read * step.sent + prices.write * chars[need.output] as f64 / ratio;
            }
            step.needs.push((need.output, need.kind, met));
        }
        figures.requests += 1.0;
        figures.cost += step.cost;
        figures.whole_cost += step.whole_cost;
        figures.sent += step.sent;
        figures.whole_sent += step.whole_sent;
        steps.push(step);
    }
    (steps, figures)
}

/// Returns the share of a need that the conversation meets, from 0 to 1.
fn share(need: &Need, left: &[Option<String>]) -> f64 {
    let has = |part: &&crate::need::Part| {
        let mut holders = part.holders.iter();
        holders.any(|holder| match left.get(*holder) {
            Some(Some(stays)) => stays.contains(&part.text),
            Some(None) => true,
            None => false,
        })
    };
    let met = need.parts.iter().filter(has).count();
    met as f64 / need.parts.len().max(1) as f64
}
