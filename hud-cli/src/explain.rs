//! Explains the choices that fit a HUD into a budget, as text and as JSON.

use std::io;

use hud_components::handoff::Shown;
use hud_core::fit::{PartReport, Report};
use serde::Serialize;

use crate::output::Output;

/// Writes a line for each part of a HUD, below it. `budget` is `None` if nothing limits the HUD.
pub(crate) fn write(output: &mut Output, report: &Report, budget: Option<u64>) -> io::Result<()> {
    let of = budget.map_or_else(String::new, |tokens| format!(" of {tokens}"));
    let has_shares = report.parts.iter().any(|part| part.share.is_some());
    let within = if has_shares { " within the shares" } else { "" };
    output.divider(&format!(
        "{}{of} tokens ({}), worth {} of at most {}{within}",
        report.count, report.counter, report.worth, report.bound
    ))?;
    let rows: Vec<[String; 5]> = report.parts.iter().map(row).collect();
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for [name, tokens, worth, choice, reason] in &rows {
        let [names, of_tokens, worths, choices, _] = widths;
        output.text(&format!(
            "{name:names$}  {tokens:>of_tokens$}  {worth:>worths$}  {choice:choices$}  {reason}"
        ))?;
    }
    Ok(())
}

/// Writes a line for each item of a handoff, below it.
pub(crate) fn write_handoff(output: &mut Output, shown: &Shown) -> io::Result<()> {
    output.divider(&format!("{} tokens", shown.tokens))?;
    for item in &shown.items {
        let how = match item.shown {
            None => "left out".to_owned(),
            Some(_) if item.units == 0 => "shown".to_owned(),
            Some(units) => format!("{units} of {}", item.units),
        };
        let priority = item.priority / 1_000;
        let tenths = item.priority % 1_000 / 100;
        output.text(&format!(
            "{how:>10}  priority {priority}.{tenths}  {}: {}",
            item.heading, item.name
        ))?;
    }
    Ok(())
}

fn row(part: &PartReport) -> [String; 5] {
    let odd = part
        .larger_at
        .map(|density| format!("; it takes more at {density} than when it says more"));
    let because = part.whole.because.as_ref();
    let because = because.map_or_else(String::new, |because| format!("; worth {because}"));
    let share = part.share.map(|share| format!("; its share is {share}"));
    let name = match &*part.part.name {
        "" => "(no part)",
        name => name,
    };
    [
        name.to_owned(),
        format!("{} tokens", part.count),
        format!("worth {}", part.worth),
        part.choice.to_string(),
        format!(
            "{}{}{because}{}",
            part.reason,
            odd.unwrap_or_default(),
            share.unwrap_or_default()
        ),
    ]
}

/// A report in the JSON output.
#[derive(Serialize)]
pub(crate) struct JsonReport<'r> {
    /// The budget in tokens, or `None` if nothing limits the HUD.
    tokens: Option<u64>,
    counter: &'r str,
    taken: u64,
    worth: f64,
    /// The maximum by which the priority of another choice within the shares could be higher.
    gap: f64,
    parts: Vec<JsonChoice<'r>>,
}

/// The choice for a part.
#[derive(Serialize)]
struct JsonChoice<'r> {
    name: &'r str,
    choice: String,
    tokens: u32,
    worth: f64,
    /// The priority of the whole part.
    whole: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'r str>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    larger_at: Option<&'static str>,
}

impl<'r> JsonReport<'r> {
    pub(crate) fn new(report: &'r Report) -> Self {
        let parts = report.parts.iter().map(|part| JsonChoice {
            name: &part.part.name,
            choice: part.choice.to_string(),
            tokens: part.count,
            worth: part.worth.thousandths() as f64 / 1_000.0,
            whole: part.whole.worth.thousandths() as f64 / 1_000.0,
            because: part.whole.because.as_deref(),
            reason: part.reason.to_string(),
            share: part.share.map(|share| share.to_string()),
            larger_at: part.larger_at.map(|density| density.name()),
        });
        Self {
            tokens: Some(report.budget).filter(|tokens| *tokens < u64::MAX),
            counter: &report.counter,
            taken: report.count,
            worth: report.worth.thousandths() as f64 / 1_000.0,
            gap: report.gap().thousandths() as f64 / 1_000.0,
            parts: parts.collect(),
        }
    }
}
