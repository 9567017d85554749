//! What happens with each request of a session: a table and a chart.

use hud_agent::prune::need::Kind;
use hud_agent::prune::rule::Pressure;
use hud_agent::prune::{Step, Subject, simulate};
use hud_components::text::line;
use serde::Serialize;

use super::Trial;
use super::table::aligned;
use crate::output::{Failure, Output};

/// Columns of the chart.
const WIDTH: usize = 72;

/// Rows of the chart.
const HEIGHT: usize = 8;

/// Characters of what an output is of that are shown.
const SHOWN: usize = 44;

/// A request, for programs.
#[derive(Serialize)]
struct Request<'s> {
    session: &'s str,
    request: usize,
    tokens: u64,
    tokens_unpruned: u64,
    cost: u64,
    cost_unpruned: u64,
    cold: bool,
    leaves: Vec<Output_<'s>>,
    needed: Vec<Needed<'s>>,
}

/// An output, for programs.
#[derive(Serialize)]
struct Output_<'s> {
    call: &'s str,
    tool: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'s str>,
    chars: u64,
}

/// What was needed, for programs.
#[derive(Serialize)]
struct Needed<'s> {
    #[serde(flatten)]
    output: Output_<'s>,
    how: &'static str,
    met: f64,
}

pub(super) fn json(
    trial: &Trial<'_>,
    subject: &Subject,
    pressure: Pressure,
    output: &mut Output,
) -> Result<(), Failure> {
    let (steps, _) = simulate(subject, &mut trial.by_need(pressure), &trial.prices);
    for (at, step) in steps.iter().enumerate() {
        let needs = step.needs.iter();
        output.json(&Request {
            session: &subject.trace.name,
            request: at + 1,
            tokens: whole(step.sent),
            tokens_unpruned: whole(step.whole_sent),
            cost: whole(step.cost),
            cost_unpruned: whole(step.whole_cost),
            cold: step.is_cold,
            leaves: (step.left.iter())
                .filter_map(|index| recorded(subject, *index))
                .collect(),
            needed: needs
                .filter_map(|(index, kind, met)| {
                    Some(Needed {
                        output: recorded(subject, *index)?,
                        how: how(*kind),
                        met: (met * 100.0).round() / 100.0,
                    })
                })
                .collect(),
        })?;
    }
    Ok(())
}

fn recorded(subject: &Subject, index: usize) -> Option<Output_<'_>> {
    let output = subject.trace.outputs.get(index)?;
    Some(Output_ {
        call: &output.call,
        tool: &output.tool,
        target: output.target.as_deref(),
        chars: subject.chars.get(index).copied()?,
    })
}

pub(super) fn show(
    trial: &Trial<'_>,
    subject: &Subject,
    pressure: Pressure,
    output: &mut Output,
) -> Result<(), Failure> {
    let (steps, figures) = simulate(subject, &mut trial.by_need(pressure), &trial.prices);
    output.text("")?;
    output.divider(&line(&subject.trace.name, SHOWN))?;
    output.text("")?;
    for row in chart(&steps) {
        output.text(&row)?;
    }
    output.text("")?;
    let mut rows = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let left = step.left.iter().filter_map(|index| said(subject, *index));
        let needed = step.needs.iter().filter_map(|(index, kind, met)| {
            let met = match met {
                met if *met >= 1.0 => "",
                met if *met > 0.0 => ", partly there",
                _ => ", gone",
            };
            Some(format!("{} {}{met}", how(*kind), said(subject, *index)?))
        });
        let (left, needed): (Vec<String>, Vec<String>) = (left.collect(), needed.collect());
        for nth in 0..left.len().max(needed.len()) {
            let figure = |figure: String| if nth == 0 { figure } else { String::new() };
            rows.push([
                figure((at + 1).to_string()),
                figure(whole(step.sent).to_string()),
                figure(whole(step.whole_sent).to_string()),
                figure(if step.is_cold { "cold" } else { "" }.to_owned()),
                left.get(nth).cloned().unwrap_or_default(),
                needed.get(nth).cloned().unwrap_or_default(),
            ]);
        }
    }
    let heads = [
        "request",
        "tokens",
        "unpruned",
        "",
        "leaves",
        "needed of what was read before",
    ];
    aligned(&heads, &rows, output)?;
    output.text("")?;
    output.text(&format!(
        "{:.0} % removed, {:.0} % of later needs met, {:.0} % of the tokens, {:.0} % of the cost",
        figures.removal(),
        figures.recall(),
        100.0 * figures.sent / figures.whole_sent.max(1.0),
        figures.price()
    ))?;
    Ok(())
}

/// An output in words.
fn said(subject: &Subject, index: usize) -> Option<String> {
    let output = recorded(subject, index)?;
    let what = match output.target {
        Some(target) => format!("{} {}", output.tool, end(target)),
        None => output.tool.to_owned(),
    };
    Some(format!("{} ({})", line(&what, SHOWN), output.chars))
}

/// The end of a path or a command that is long.
fn end(target: &str) -> String {
    let chars = target.chars().count();
    let most = SHOWN - 14;
    match target.contains('/') && chars > most {
        true => format!("…{}", target.chars().skip(chars - most).collect::<String>()),
        false => target.to_owned(),
    }
}

const fn how(kind: Kind) -> &'static str {
    match kind {
        Kind::Quote => "quotes",
        Kind::Edit => "edits",
        Kind::Reread => "looks again at",
    }
}

/// Tokens of each request: those that are sent as full blocks, those that left as light ones.
fn chart(steps: &[Step]) -> Vec<String> {
    let most = steps.iter().map(|step| step.whole_sent).fold(1.0, f64::max);
    let columns = steps.len().min(WIDTH);
    let of = |column: usize| {
        let at = column * steps.len() / columns.max(1);
        steps
            .get(at)
            .map_or((0.0, 0.0), |step| (step.sent, step.whole_sent))
    };
    let row = |row: usize| {
        let level = most * (row as f64 + 0.5) / HEIGHT as f64;
        let block = |column| match of(column) {
            (sent, _) if sent >= level => '█',
            (_, whole) if whole >= level => '░',
            _ => ' ',
        };
        let blocks: String = (0..columns).map(block).collect();
        let top = match row + 1 == HEIGHT {
            true => format!("{:>8} tokens", whole(most)),
            false => String::new(),
        };
        format!("{}  {top}", blocks.trim_end())
    };
    let rows = (0..HEIGHT).rev().map(row);
    rows.map(|row| row.trim_end().to_owned())
        .chain(["█ sent  ░ taken out".to_owned()])
        .collect()
}

/// A figure without its fraction.
fn whole(figure: f64) -> u64 {
    figure.round().max(0.0) as u64
}
