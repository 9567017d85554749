//! What a policy would have done to a recorded session, request by request.

use crate::need::{Kind, Need, needs};
use crate::trace::Trace;
use hud_agent::prune::rule::{RATIO, tokens};
use hud_derive::{RATIOS, TELLING};

/// What requests cost, in multiples of an input token, and how long a provider remembers a conversation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// A token that is read anew, and written to the cache.
    pub write: f64,
    /// A token that is read from the cache.
    pub read: f64,
    /// Seconds without a request after which the cache is cold.
    pub cache_seconds: u64,
}

impl Default for Prices {
    /// Those of Anthropic.
    fn default() -> Self {
        Self {
            write: 1.25,
            read: 0.1,
            cache_seconds: hud_agent::prune::CACHE_SECONDS,
        }
    }
}

/// A recorded session that policies are tried on.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What was recorded.
    pub trace: Trace,
    /// What was needed.
    pub needs: Vec<Need>,
    /// The length of each output, in characters.
    pub chars: Vec<u64>,
    /// Characters for a token, in tenths, as the session's own usage shows.
    pub ratio: u64,
    /// What each request sent in tokens, where nothing is taken out; and how much of that there was
    /// before the outputs that it is the first to send.
    sent: Vec<(f64, f64)>,
}

/// Tokens of a first request, where its client does not say how many it has: its instructions and tools.
const FIRST: f64 = 12_000.0;

/// How much of the conversation a cache holds behind a compaction: the instructions and the tools.
const HEAD: f64 = 10_000.0;

impl Subject {
    /// A session, with what was needed in it.
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

    /// Whether the provider has forgotten the conversation when a request comes.
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

/// Characters for a token, in tenths: over the requests with so much that is new in them that what it
/// shares them with does not matter.
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

/// The conversation before a request, as a policy left it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'s> {
    /// The session.
    pub subject: &'s Subject,
    /// The request.
    pub request: usize,
    /// What stays of each output that left.
    pub left: &'s [Option<String>],
    /// Whether the provider has forgotten the conversation.
    pub is_cold: bool,
}

impl<'s> Moment<'s> {
    /// The outputs that are in the conversation whole, oldest first, with whether they were read.
    pub fn whole(&self) -> impl DoubleEndedIterator<Item = (usize, bool)> + use<'s> {
        let (request, left) = (self.request, self.left);
        let outputs = self.subject.trace.outputs.iter().zip(left).enumerate();
        outputs
            .filter(move |(_, (output, left))| output.is_sent(request) && left.is_none())
            .map(move |(index, (output, _))| (index, output.read < request))
    }
}

/// Which outputs leave.
pub trait Policy {
    /// The outputs that leave before a request, with what stays of each.
    fn leaving(&mut self, moment: &Moment<'_>) -> Vec<(usize, String)>;
}

/// What a policy did, and what came of it: sums over requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Requests.
    pub requests: f64,
    /// Characters of outputs that were read before, and how many of them were not sent.
    pub stale: f64,
    /// See [`stale`](Self::stale).
    pub removed: f64,
    /// What was needed of outputs that were read before, and how much of it was there.
    pub needs: f64,
    /// See [`needs`](Self::needs).
    pub met: f64,
    /// The same of outputs that had never been read.
    pub at_once: f64,
    /// See [`at_once`](Self::at_once).
    pub at_once_met: f64,
    /// Needs of which most was gone.
    pub missed: f64,
    /// What the input cost, in input tokens; and without pruning.
    pub cost: f64,
    /// See [`cost`](Self::cost).
    pub whole_cost: f64,
    /// Tokens that were sent; and without pruning.
    pub sent: f64,
    /// See [`sent`](Self::sent).
    pub whole_sent: f64,
}

impl Figures {
    /// The sum of two.
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

    /// The share of old outputs that was taken out, in per cent.
    pub fn removal(&self) -> f64 {
        percent(self.removed, self.stale, 0.0)
    }

    /// The share of later needs that was met, in per cent.
    pub fn recall(&self) -> f64 {
        percent(self.met, self.needs, 100.0)
    }

    /// The share of what was needed of outputs when they were first read that was met, in per cent.
    pub fn recall_at_once(&self) -> f64 {
        percent(self.at_once_met, self.at_once, 100.0)
    }

    /// Needs of which most was gone, for 100 requests.
    pub fn again(&self) -> f64 {
        percent(self.missed, self.requests, 0.0)
    }

    /// What the input cost, in per cent of what it would have cost without pruning.
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

/// What happened with a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The outputs that left before it.
    pub left: Vec<usize>,
    /// Tokens that it sent; and without pruning.
    pub sent: f64,
    /// See [`sent`](Self::sent).
    pub whole_sent: f64,
    /// What its input cost, in input tokens; and without pruning.
    pub cost: f64,
    /// See [`cost`](Self::cost).
    pub whole_cost: f64,
    /// Whether the provider had forgotten the conversation.
    pub is_cold: bool,
    /// What was needed of outputs that were read before: the output, how it shows, and the share that
    /// was there, from 0 to 1.
    pub needs: Vec<(usize, Kind, f64)>,
}

/// What a policy does to a session, and the sums.
pub fn simulate(
    subject: &Subject,
    policy: &mut dyn Policy,
    prices: &Prices,
) -> (Vec<Step>, Figures) {
    let Subject { trace, chars, .. } = subject;
    let ratio = subject.ratio as f64 / 10.0;
    let mut left: Vec<Option<String>> = vec![None; trace.outputs.len()];
    // Characters that each output has less.
    let mut less = vec![0.0_f64; trace.outputs.len()];
    let mut figures = Figures::default();
    let mut steps = Vec::new();
    let mut needs = subject.needs.iter().peekable();
    // What the last request left in the cache.
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
        // What is not there, or left before, can not leave.
        leaving.retain(|(index, _)| moment.whole().any(|(whole, _)| whole == *index));
        // Up to where the first of them was, the conversation is as it was.
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
            // What is new has no place in the cache yet.
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
                // It is asked for again: one more request.
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

/// How much of what was needed is in the conversation, from 0 to 1.
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
