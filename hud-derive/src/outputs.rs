//! Outputs of tools: the facts that are recorded about them, and their outlines once they are pruned.

use std::borrow::Cow;

use hud_observe::action::Action;
use hud_store::event::{HudEvent, OutputKeep, OutputMeasure, OutputSeen};
use hud_store::state::{HudState, OutputClass, PrunedOutput, ToolOutput};
use serde_json::Value;

use super::printed::Printed;
use super::{Deriver, ToolResult};
use crate::class::Seen;
use crate::outline::{Whole, outline};

/// The least number of characters of new outputs in a request from which the length of a token is measured.
pub const TELLING: u64 = 3_000;

/// The plausible lengths of a token, in tenths of characters.
pub const RATIOS: std::ops::RangeInclusive<u64> = 10..=80;

impl Deriver {
    /// An output is removed from the conversation. An output that was removed before is not kept again.
    pub(super) fn leaves(
        &self,
        call: Option<&str>,
        tool: &str,
        target: Option<&str>,
        content: &str,
        state: &HudState,
    ) -> Vec<HudEvent> {
        let mut left = state.pruned.iter();
        if left.any(|left| call == Some(&*left.call)) {
            return Vec::new();
        }
        let known = call.and_then(|call| state.outputs.of(call));
        let content = said(content, known);
        let of = known.map_or(target, |known| known.target.as_deref());
        vec![
            OutputKeep {
                call: call.map(ToOwned::to_owned),
                tool: known.map_or(tool, |known| &known.tool).to_owned(),
                target: of.map(ToOwned::to_owned),
                outline: call.and_then(|_| self.outline(known, &content)),
                content: content.into_owned().into(),
            }
            .into(),
        ]
    }

    /// The lines that stay in the conversation in place of a pruned output.
    fn outline(&self, known: Option<&ToolOutput>, content: &str) -> Option<String> {
        let whole = Whole {
            class: known.map_or(OutputClass::Look, |known| known.class),
            has_errors: known.is_some_and(|known| known.error || known.is_run()),
            text: content,
            kept: known.map_or(&[], |known| &known.kept),
        };
        let from = known.map_or(u64::MAX, |known| known.turn.saturating_add(1));
        let is_superseded = known.is_some_and(|known| known.superseded);
        let outline = outline(&whole, |line| self.spoken.used_in(line, from));
        Some(outline).filter(|outline| !is_superseded && !outline.is_empty())
    }

    /// Returns the number of tokens of the new outputs of tools. `None` if the outputs are too short to measure, or if
    /// the length of a token would not be plausible.
    pub(super) fn measured(&self, sent: u64, state: &HudState) -> Option<HudEvent> {
        let before = state.context.as_ref()?.used;
        let new = state.outputs.seen.iter().rev();
        let chars = new
            .take_while(|output| output.turn.saturating_add(1) >= self.turn)
            .filter(|output| output.turn.saturating_add(1) == self.turn)
            .fold(0_u64, |sum, output| sum.saturating_add(output.chars));
        let tokens = sent.saturating_sub(before);
        let ratio = chars.saturating_mul(10).checked_div(tokens)?;
        let is_telling = chars >= TELLING && RATIOS.contains(&ratio);
        is_telling.then(|| OutputMeasure { chars, tokens }.into())
    }
}

/// The least number of characters of an output that is recorded. The replacement of a shorter one would be as long.
const SEEN: usize = 300;

/// A tool returned an output.
pub(super) fn seen(
    call: &str,
    actions: &[Action],
    result: &ToolResult<'_>,
    state: &HudState,
) -> Vec<HudEvent> {
    if result.content.len() < SEEN || call.is_empty() || actions.is_empty() {
        return Vec::new();
    }
    let chars = result.content.chars();
    if chars < SEEN {
        return Vec::new();
    }
    let again = match actions {
        [Action::Hud { call }] => recalled(call, &result.content, state),
        _ => None,
    };
    // A recalled output is in the conversation again, and ages by its original class.
    let Seen {
        class,
        tool,
        target,
        lines,
    } = match again {
        Some(left) => Seen {
            class: left.class.unwrap_or(OutputClass::Look),
            tool: left.tool.clone(),
            target: left.target.clone(),
            lines: None,
        },
        None => Seen::of(actions),
    };
    vec![
        OutputSeen {
            call: call.to_owned(),
            tool,
            class,
            target: target.map(|target| target.chars().take(TARGET).collect()),
            lines,
            rows: result.content.rows(),
            chars: chars as u64,
            error: result.failed(),
            recalls: again.map(|left| left.call.clone()),
        }
        .into(),
    ]
}

/// Returns the pruned output that a `recall` call of the `hud` tool returns. The answer contains the id of its call,
/// if the client passes it on unchanged.
fn recalled<'s>(
    call: &Value,
    answer: &Printed<'_>,
    state: &'s HudState,
) -> Option<&'s PrunedOutput> {
    if call["tool"] != "recall" {
        return None;
    }
    let args = &call["args"];
    let answer: Option<Value> = serde_json::from_str(answer.text()).ok();
    let said = answer
        .as_ref()
        .and_then(|answer| answer.pointer("/payload/call"));
    let name = said.unwrap_or(&args["call"]).as_str();
    let version = args["version"].as_u64();
    match name {
        Some(name) => state.pruned.iter().find(|left| left.call == name),
        None => left_at(state, version),
    }
}

/// The text of an output. For a recalled output it is the original text.
fn said<'c>(content: &'c str, known: Option<&ToolOutput>) -> Cow<'c, str> {
    let again = known
        .and_then(|known| known.recalls.as_ref())
        .and_then(|_| {
            let answer: Value = serde_json::from_str(content).ok()?;
            Some(answer.pointer("/payload/content")?.as_str()?.to_owned())
        });
    again.map_or(Cow::Borrowed(content), Cow::Owned)
}

/// The number of characters of a target that are recorded.
const TARGET: usize = 200;
/// The pruned output that has a version. With several sessions, the oldest one is returned.
pub fn left_at(state: &HudState, version: Option<u64>) -> Option<&PrunedOutput> {
    let mut left = state.pruned.iter();
    left.find(|left| version.is_some() && left.version == version)
}
