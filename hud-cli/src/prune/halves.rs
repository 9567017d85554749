//! How the rule does on sessions that its figures were not chosen by: they are chosen by half of the
//! sessions, and tried on the other half.
//!
//! A half has too few needs to choose by: the best of what was tried on it is the best of its noise too. So what is
//! chosen lies between the default and the best of the half, the nearer to that the more needs the half has; and
//! only the age is chosen. What the best of the half alone does on the other is shown beside it.

use std::collections::{BTreeMap, BTreeSet};

use hud_agent::prune::Figures;
use hud_agent::prune::interval::Draw;
use hud_agent::prune::peers::ByNeed;
use hud_agent::prune::rule::Pressure;
use hud_agent::settings::Prune;

use super::Trial;
use super::table::{HEADS, Row, aligned};
use crate::output::{Failure, Output};

/// How often the sessions are split, and each half is tried.
const SPLITS: usize = 20;

/// The ages that are tried, in requests.
const AGES: std::ops::RangeInclusive<u64> = 5..=14;

/// How many needs the default counts for, beside those of a half.
const PRIOR: f64 = 128.0;

/// What is chosen for a pressure: what must be removed at least, in per cent, and, where the half chooses alone,
/// tokens that must be gained. Of those that remove that much, the one is best that meets most needs.
struct Choice {
    name: &'static str,
    pressure: Pressure,
    gains: [u64; 5],
    least: f64,
}

/// A setting that is tried: the age, and the tokens that must be gained.
type Setting = (u64, u64);

const CHOICES: [Choice; 2] = [
    Choice {
        name: "moderate",
        pressure: Pressure::Moderate,
        gains: [10_000, 15_000, 20_000, 25_000, 30_000],
        least: 45.0,
    },
    Choice {
        name: "high",
        pressure: Pressure::High,
        gains: [3_000, 4_000, 5_000, 6_000, 8_000],
        least: 68.0,
    },
];

impl Choice {
    /// The settings as they are by default.
    fn default_of(&self, prune: &Prune) -> Setting {
        let gain = match self.pressure {
            Pressure::Moderate => prune.minimum,
            _ => prune.minimum_red,
        };
        (prune.age, gain)
    }

    /// The figures of each session, for each setting that is tried.
    fn tried(&self, trial: &Trial<'_>) -> BTreeMap<Setting, Vec<Figures>> {
        let default = self.default_of(trial.prune);
        let settings = AGES.flat_map(|age| self.gains.map(|gain| (age, gain)));
        let ages = AGES.map(|age| (age, default.1));
        let settings: BTreeSet<Setting> = settings.chain(ages).chain([default]).collect();
        settings
            .into_iter()
            .map(|(age, gain)| {
                let mut prune: Prune = trial.prune.clone();
                (prune.age, prune.minimum, prune.minimum_red) = (age, gain, gain);
                let figures = trial.each(|| Box::new(ByNeed::new(prune.clone(), self.pressure)));
                ((age, gain), figures)
            })
            .collect()
    }

    /// The best of what was tried, by some of the sessions.
    fn best(&self, tried: &BTreeMap<Setting, Vec<Figures>>, sessions: &[usize]) -> Option<Setting> {
        let worth = |each: &Vec<Figures>| {
            let figures = sum(each, sessions);
            // What is short of the least counts more than anything that is met.
            figures.recall() - 10.0 * (self.least - figures.removal()).max(0.0)
        };
        let best = tried
            .iter()
            .max_by(|(_, a), (_, b)| worth(a).total_cmp(&worth(b)));
        best.map(|(setting, _)| *setting)
    }

    /// What is chosen by some of the sessions: between the default and the best.
    fn chosen(
        &self,
        tried: &BTreeMap<Setting, Vec<Figures>>,
        sessions: &[usize],
        default: Setting,
    ) -> Option<Setting> {
        let best = self.best(tried, sessions)?;
        let needs = sum(tried.get(&best)?, sessions).needs;
        let weight = needs / (needs + PRIOR);
        let age = default.0 as f64 + weight * (best.0 as f64 - default.0 as f64);
        Some((age.round().max(1.0) as u64, default.1))
    }
}

/// The figures of some of the sessions together.
fn sum(each: &[Figures], sessions: &[usize]) -> Figures {
    let some = sessions.iter().filter_map(|session| each.get(*session));
    some.fold(Figures::default(), Figures::and)
}

/// For each pressure, what comes of the sessions that were left out, over all splits: with what is chosen, and with
/// the best of the half alone.
pub(super) fn rows(trial: &Trial<'_>) -> Vec<Row> {
    let rows = |choice: &Choice| {
        let tried = choice.tried(trial);
        let default = choice.default_of(trial.prune);
        let mut draw = Draw(17);
        let mut left_out = [(); 2].map(|()| vec![Figures::default(); trial.subjects.len()]);
        for _ in 0..SPLITS {
            let mut sessions: Vec<usize> = (0..trial.subjects.len()).collect();
            for at in (1..sessions.len()).rev() {
                sessions.swap(at, draw.below(at + 1));
            }
            let (one, other) = sessions.split_at(sessions.len() / 2);
            for (by, tried_on) in [(one, other), (other, one)] {
                let settings = [choice.chosen(&tried, by, default), choice.best(&tried, by)];
                for (setting, left_out) in settings.iter().zip(&mut left_out) {
                    let figures = setting.and_then(|setting| tried.get(&setting));
                    for session in tried_on {
                        if let Some(figures) = figures.and_then(|each| each.get(*session))
                            && let Some(sum) = left_out.get_mut(*session)
                        {
                            *sum = sum.and(figures);
                        }
                    }
                }
            }
        }
        let [chosen, alone] = left_out;
        let name = choice.name;
        [
            Row::of(
                format!("{name}, chosen by the other half and the default"),
                &chosen,
            ),
            Row::of(format!("{name}, best of the other half alone"), &alone),
        ]
    };
    CHOICES.iter().flat_map(rows).collect()
}

pub(super) fn show(trial: &Trial<'_>, output: &mut Output) -> Result<(), Failure> {
    output.text("")?;
    let rows: Vec<[String; 6]> = rows(trial).iter().map(Row::cells).collect();
    aligned(&HEADS, &rows, output)
}
