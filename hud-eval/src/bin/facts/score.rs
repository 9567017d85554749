//! Scores texts by the facts that they must contain or must not contain.

use std::collections::BTreeMap;

use fancy_regex::{Regex, RegexBuilder};
use serde::Deserialize;

use super::Outcome;

/// A fact that an agent must know at a turn, or that would mislead it.
#[derive(Deserialize)]
pub(super) struct Fact {
    pub(super) session: String,
    pub(super) turn: u64,
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) want: Want,
    pub(super) weight: u64,
    #[serde(default)]
    pub(super) all: Vec<String>,
    #[serde(default)]
    pub(super) any: Vec<String>,
    pub(super) why: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Want {
    Show,
    Not,
}

impl Fact {
    pub(super) fn holds(&self, text: &str) -> Outcome<bool> {
        let matches = |pattern: &String| -> Outcome<bool> {
            let regex: Regex = RegexBuilder::new(pattern)
                .case_insensitive(true)
                .dot_matches_new_line(true)
                .build()
                .map_err(|error| format!("{}, fact {}: {error}", self.session, self.id))?;
            Ok(regex.is_match(text)?)
        };
        for pattern in &self.all {
            if !matches(pattern)? {
                return Ok(self.want == Want::Not);
            }
        }
        for pattern in &self.any {
            if matches(pattern)? {
                return Ok(self.want == Want::Show);
            }
        }
        Ok((self.want == Want::Show) == self.any.is_empty())
    }
}

/// The scores of several texts, by name.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) scores: BTreeMap<String, Score>,
    pub(super) order: Vec<String>,
}

#[derive(Default)]
pub(super) struct Score {
    pub(super) states: u64,
    pub(super) chars: usize,
    pub(super) kinds: BTreeMap<(Want, String), Share>,
}

impl Score {
    /// Returns the share of the facts of one kind that hold, by weight, in percent.
    pub(super) fn of(&self, want: Want, kind: &str) -> f64 {
        let share = self.kinds.get(&(want, kind.to_owned()));
        share.copied().unwrap_or_default().percent()
    }

    /// Returns the share of the facts with one `want` that hold, by weight, in percent.
    pub(super) fn percent(&self, want: Want) -> f64 {
        let shares = self.kinds.iter().filter(|((of, _), _)| *of == want);
        shares
            .fold(Share::default(), |sum, (_, share)| sum.add(*share))
            .percent()
    }
}

/// The facts that hold, out of all facts: their numbers and their weights.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    pub(super) held: u64,
    pub(super) all: u64,
    pub(super) held_weight: u64,
    pub(super) all_weight: u64,
}

impl Share {
    pub(super) fn of(fact: &Fact, holds: bool) -> Self {
        Self {
            held: holds.into(),
            all: 1,
            held_weight: if holds { fact.weight } else { 0 },
            all_weight: fact.weight,
        }
    }

    pub(super) fn add(self, other: Self) -> Self {
        Self {
            held: self.held + other.held,
            all: self.all + other.all,
            held_weight: self.held_weight + other.held_weight,
            all_weight: self.all_weight + other.all_weight,
        }
    }

    pub(super) fn percent(self) -> f64 {
        match self.all_weight {
            0 => 100.0,
            all => 100.0 * self.held_weight as f64 / all as f64,
        }
    }
}

impl Sheet {
    pub(super) fn score(
        &mut self,
        name: &str,
        (session, turn): &(String, u64),
        text: &str,
        facts: &[Fact],
        misses: bool,
    ) -> Outcome<()> {
        if !self.scores.contains_key(name) {
            self.order.push(name.to_owned());
        }
        let score = self.scores.entry(name.to_owned()).or_default();
        score.states += 1;
        score.chars += text.chars().count();
        for fact in facts {
            let holds = fact.holds(text)?;
            let share = score
                .kinds
                .entry((fact.want, fact.kind.clone()))
                .or_default();
            *share = share.add(Share::of(fact, holds));
            if misses && !holds {
                let wrong = match fact.want {
                    Want::Show => "misses",
                    Want::Not => "shows wrongly",
                };
                println!(
                    "{name}: {session} t{turn} {wrong} {} ({}, {}): {}",
                    fact.id, fact.kind, fact.weight, fact.why
                );
            }
        }
        Ok(())
    }

    /// Fails if a HUD holds less of the facts, or keeps out less of the wrong ones, in percent. Summaries and
    /// ends of the conversation are not HUDs.
    pub(super) fn holds(&self, (held, out): (f64, f64)) -> Outcome<()> {
        for (name, score) in &self.scores {
            let is_anchor = name.starts_with("summary") || name.starts_with("the last");
            if !is_anchor && (score.percent(Want::Show) < held || score.percent(Want::Not) < out) {
                return Err(format!("{name}: less than {held} % held or {out} % kept out").into());
            }
        }
        Ok(())
    }

    /// Returns the kinds of a text's facts.
    pub(super) fn kinds(&self, name: &str) -> Vec<(Want, String)> {
        let score = self.scores.get(name);
        score.map_or_else(Vec::new, |score| score.kinds.keys().cloned().collect())
    }

    /// Returns the share of the facts of one kind that hold in a text, by weight, in percent.
    pub(super) fn percent(&self, name: &str, want: Want, kind: &str) -> f64 {
        let score = self.scores.get(name);
        score.map_or(0.0, |score| score.of(want, kind))
    }

    pub(super) fn print(&self) {
        for name in &self.order {
            let Some(score) = self.scores.get(name) else {
                continue;
            };
            println!(
                "{name}: {} states of {} characters, facts held {:.1} %, wrong things kept out {:.1} %",
                score.states,
                score.chars / score.states.max(1) as usize,
                score.percent(Want::Show),
                score.percent(Want::Not)
            );
            for ((want, kind), share) in &score.kinds {
                let what = match want {
                    Want::Show => "held",
                    Want::Not => "kept out",
                };
                println!(
                    "  {kind:<12} {what:<9} {:>5.1} %  {:>3} of {:<3}",
                    share.percent(),
                    share.held,
                    share.all
                );
            }
        }
    }
}

/// The share of a summary's facts that the HUD also holds.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) share: Share,
}

impl Kept {
    pub(super) fn add(
        &mut self,
        hud: &str,
        summary: &str,
        facts: &[Fact],
        (session, turn): &(String, u64),
        misses: bool,
    ) -> Outcome<()> {
        for fact in facts.iter().filter(|fact| fact.want == Want::Show) {
            if !fact.holds(summary)? {
                continue;
            }
            let holds = fact.holds(hud)?;
            self.share = self.share.add(Share::of(fact, holds));
            if misses && !holds {
                println!(
                    "lost of its summary: {session} t{turn} {} ({})",
                    fact.id, fact.kind
                );
            }
        }
        Ok(())
    }
}
