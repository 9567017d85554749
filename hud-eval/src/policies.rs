//! The pruning rule and other policies on the same sessions.

use std::fmt;

use hud_agent::prune::CACHE_SECONDS;
use hud_agent::prune::rule::Pressure;
use hud_agent::settings::Prune;
use serde::Serialize;

use crate::interval::interval;
use crate::peers::{AtEntry, ByNeed, Newest, OlderThan, Opencode, Oracle, Pool};
use crate::simulate::{Figures, Policy, Prices, Subject, simulate};

/// A constructor of a policy. Each session gets a new policy.
type Make<'p> = Box<dyn Fn() -> Box<dyn Policy> + 'p>;

/// Sessions, with the settings and prices for policies.
#[derive(Debug)]
pub struct Trial<'s> {
    subjects: &'s [Subject],
    prune: &'s Prune,
    prices: Prices,
}

impl<'s> Trial<'s> {
    /// Returns a trial on some sessions.
    pub fn new(subjects: &'s [Subject], prune: &'s Prune) -> Self {
        let cache_seconds = prune.cache_seconds.unwrap_or(CACHE_SECONDS);
        let prices = Prices {
            cache_seconds,
            ..Prices::default()
        };
        Self {
            subjects,
            prune,
            prices,
        }
    }

    /// Returns the figures of each policy over all sessions.
    pub fn rows(&self) -> Vec<Row> {
        let policies = self.policies().into_iter();
        let row = |(name, policy): (String, Make<'_>)| Row::of(name, &self.each(policy));
        policies.map(row).collect()
    }

    /// Returns the figures of a policy for each session.
    fn each(&self, policy: impl Fn() -> Box<dyn Policy>) -> Vec<Figures> {
        let each = self.subjects.iter();
        each.map(|subject| simulate(subject, &mut *policy(), &self.prices).1)
            .collect()
    }

    /// Returns the rule at a pressure.
    fn by_need(&self, pressure: Pressure) -> ByNeed {
        ByNeed::new(self.prune.clone(), pressure)
    }

    /// Returns all policies, by name.
    fn policies(&self) -> Vec<(String, Make<'_>)> {
        let mut policies: Vec<(String, Make<'_>)> = Vec::new();
        let levels = [
            ("safe", Pressure::Safe),
            ("moderate", Pressure::Moderate),
            ("high", Pressure::High),
            ("critical", Pressure::Critical),
        ];
        for (name, pressure) in levels {
            let policy = move || Box::new(self.by_need(pressure)) as Box<dyn Policy>;
            policies.push((format!("by need, {name}"), Box::new(policy)));
        }
        for (protect, minimum) in [(40_000, 20_000), (10_000, 5_000)] {
            let rule = Opencode { protect, minimum };
            let name = format!("opencode {}k/{}k", protect / 1_000, minimum / 1_000);
            policies.push((name, Box::new(move || Box::new(rule))));
        }
        policies.push((
            "newest 5k tokens".to_owned(),
            Box::new(|| Box::new(Newest(5_000))),
        ));
        policies.push((
            "newest 10k tokens".to_owned(),
            Box::new(|| Box::new(Newest(10_000))),
        ));
        policies.push((
            "age, 12 requests".to_owned(),
            Box::new(|| Box::new(OlderThan(12))),
        ));
        policies.push((
            "fading pool".to_owned(),
            Box::new(|| Box::new(Pool::default())),
        ));
        for (longest, kept) in [(50, 30), (30, 20), (15, 10)] {
            let cut = AtEntry { longest, kept };
            let name = format!("at entry {longest}, {kept}+{kept}");
            policies.push((name, Box::new(move || Box::new(cut))));
        }
        policies.push((
            "oracle".to_owned(),
            Box::new(|| Box::new(Oracle::default())),
        ));
        policies
    }
}

/// The figures of a policy over all sessions.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The name of the policy.
    pub policy: String,
    /// The share of old outputs that are not sent, in per cent.
    pub removed: Figure,
    /// The share of later needs that are met, in per cent.
    pub needs_met: Figure,
    /// The share of immediate needs of an output that are met, in per cent.
    pub at_once_met: Figure,
    /// The number of mostly unmet needs per 100 requests.
    pub missed: Figure,
    /// The cost of the input, in per cent of that without pruning.
    pub cost: Figure,
}

/// A figure with its 90 % interval over sessions.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figure {
    /// The figure over all sessions.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

impl Figure {
    fn of(sessions: &[Figures], figure: impl Fn(&Figures) -> f64) -> Self {
        let all = sessions.iter().fold(Figures::default(), Figures::and);
        let (low, high) = interval(sessions, &figure);
        let rounded = |figure: f64| (figure * 10.0).round() / 10.0;
        Self {
            value: rounded(figure(&all)),
            low: rounded(low),
            high: rounded(high),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, low, high } = self;
        write!(f, "{value:5.1} ({low:.0} to {high:.0})")
    }
}

impl Row {
    fn of(policy: String, sessions: &[Figures]) -> Self {
        Self {
            policy,
            removed: Figure::of(sessions, Figures::removal),
            needs_met: Figure::of(sessions, Figures::recall),
            at_once_met: Figure::of(sessions, Figures::recall_at_once),
            missed: Figure::of(sessions, Figures::again),
            cost: Figure::of(sessions, Figures::price),
        }
    }
}
