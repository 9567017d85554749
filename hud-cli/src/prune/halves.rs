//! How the rule does on sessions that its figures were not chosen by: they are chosen by half of the
//! sessions, and tried on the other half.

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

/// What is chosen for a pressure: tokens that must be gained, and what must be removed at least, in per
/// cent. Of those that remove that much, the one is chosen that meets most needs.
struct Choice {
    name: &'static str,
    pressure: Pressure,
    gains: [u64; 5],
    least: f64,
}

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
    /// The figures of each session, for each setting that is tried.
    fn tried(&self, trial: &Trial<'_>) -> Vec<Vec<Figures>> {
        let settings = AGES.flat_map(|age| self.gains.map(|gain| (age, gain)));
        settings
            .map(|(age, gain)| {
                let mut prune: Prune = trial.prune.clone();
                (prune.age, prune.minimum, prune.minimum_red) = (age, gain, gain);
                trial.each(|| Box::new(ByNeed::new(prune.clone(), self.pressure)))
            })
            .collect()
    }

    /// The best of what was tried, by some of the sessions.
    fn best(&self, tried: &[Vec<Figures>], sessions: &[usize]) -> usize {
        let of = |at: &usize| -> Figures {
            let each = tried.get(*at);
            let some = sessions.iter().filter_map(|session| each?.get(*session));
            some.fold(Figures::default(), Figures::and)
        };
        let worth = |at: &usize| {
            let figures = of(at);
            // What is short of the least counts more than anything that is met.
            figures.recall() - 10.0 * (self.least - figures.removal()).max(0.0)
        };
        let all = 0..tried.len();
        all.max_by(|a, b| worth(a).total_cmp(&worth(b)))
            .unwrap_or(0)
    }
}

/// For each pressure, what comes of the sessions that were left out, over all splits.
pub(super) fn rows(trial: &Trial<'_>) -> Vec<Row> {
    let row = |choice: &Choice| {
        let tried = choice.tried(trial);
        let mut draw = Draw(17);
        let mut left_out = vec![Figures::default(); trial.subjects.len()];
        for _ in 0..SPLITS {
            let mut sessions: Vec<usize> = (0..trial.subjects.len()).collect();
            for at in (1..sessions.len()).rev() {
                sessions.swap(at, draw.below(at + 1));
            }
            let (one, other) = sessions.split_at(sessions.len() / 2);
            for (chosen_by, tried_on) in [(one, other), (other, one)] {
                let best = choice.best(&tried, chosen_by);
                for session in tried_on {
                    if let Some(figures) = tried.get(best).and_then(|each| each.get(*session))
                        && let Some(sum) = left_out.get_mut(*session)
                    {
                        *sum = sum.and(figures);
                    }
                }
            }
        }
        let name = format!("{}, chosen by the other half", choice.name);
        Row::of(name, &left_out)
    };
    CHOICES.iter().map(row).collect()
}

pub(super) fn show(trial: &Trial<'_>, output: &mut Output) -> Result<(), Failure> {
    output.text("")?;
    let rows: Vec<[String; 6]> = rows(trial).iter().map(Row::cells).collect();
    aligned(&HEADS, &rows, output)
}
