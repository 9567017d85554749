//! The table of policies.

use hud_agent::prune::Figures;
use hud_agent::prune::interval::interval;
use serde::Serialize;

use super::Trial;
use crate::output::{Failure, Output, count};

/// What a policy comes to over all sessions.
#[derive(Serialize)]
pub(super) struct Row {
    policy: String,
    /// Per cent of old outputs that are not sent.
    removed: Figure,
    /// Per cent of later needs that are met.
    needs_met: Figure,
    /// Per cent of what is needed of an output at once that is met.
    at_once_met: Figure,
    /// Needs mostly gone, for 100 requests.
    missed: Figure,
    /// Cost of the input, in per cent of that without pruning.
    cost: Figure,
}

/// A figure with its 90 % interval over sessions.
#[derive(Clone, Copy, Serialize)]
struct Figure {
    value: f64,
    low: f64,
    high: f64,
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

    fn cell(self) -> String {
        format!("{:5.1} ({:.0} to {:.0})", self.value, self.low, self.high)
    }
}

impl Row {
    pub(super) fn of(policy: String, sessions: &[Figures]) -> Self {
        Self {
            policy,
            removed: Figure::of(sessions, Figures::removal),
            needs_met: Figure::of(sessions, Figures::recall),
            at_once_met: Figure::of(sessions, Figures::recall_at_once),
            missed: Figure::of(sessions, Figures::again),
            cost: Figure::of(sessions, Figures::price),
        }
    }

    pub(super) fn cells(&self) -> [String; 6] {
        [
            self.policy.clone(),
            self.removed.cell(),
            self.needs_met.cell(),
            self.at_once_met.cell(),
            format!("{:4.1}", self.missed.value),
            self.cost.cell(),
        ]
    }
}

pub(super) const HEADS: [&str; 6] = [
    "policy",
    "removed %",
    "needs met %",
    "met at once %",
    "missed/100",
    "cost %",
];

pub(super) fn rows(trial: &Trial<'_>) -> impl Iterator<Item = Row> {
    let policies = trial.policies().into_iter();
    policies.map(|(name, policy)| Row::of(name, &trial.each(policy)))
}

pub(super) fn show(trial: &Trial<'_>, output: &mut Output) -> Result<(), Failure> {
    let sum = |of: fn(&hud_agent::prune::Subject) -> u64| trial.subjects.iter().map(of).sum();
    output.text(&format!(
        "{}, {}, {} of {} characters; {}",
        count(trial.subjects.len() as u64, "session"),
        count(sum(|s| s.trace.requests.len() as u64), "request"),
        count(sum(|s| s.trace.outputs.len() as u64), "output"),
        sum(|s| s.chars.iter().sum()),
        count(
            sum(|s| s.needs.iter().filter(|need| !need.at_once).count() as u64),
            "later need"
        ),
    ))?;
    output.text("")?;
    let rows: Vec<[String; 6]> = rows(trial).map(|row| row.cells()).collect();
    aligned(&HEADS, &rows, output)?;
    output.text("")?;
    for line in [
        "removed: of what tools said and the model had read, over all requests. needs met: what the model",
        "quoted, edited or looked at again later, and was there. met at once: the same of what it had not",
        "read before. missed: needs mostly gone, for 100 requests. cost: of the input, to that without",
        "pruning; each miss is one more request. In brackets: 90 % intervals over sessions.",
    ] {
        output.text(line)?;
    }
    Ok(())
}

/// Writes rows in columns.
pub(super) fn aligned<const N: usize>(
    heads: &[&str; N],
    rows: &[[String; N]],
    output: &mut Output,
) -> Result<(), Failure> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| cell.chars().count());
        let head = heads.get(column).map_or(0, |head| head.chars().count());
        widths.chain([head]).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells
            .zip(widths)
            .map(|(cell, width)| {
                let room = width.saturating_sub(cell.chars().count());
                format!("{cell}{}", " ".repeat(room))
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    output.text(&line(&mut heads.iter().copied()))?;
    for row in rows {
        output.text(&line(&mut row.iter().map(String::as_str)))?;
    }
    Ok(())
}
