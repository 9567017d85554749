use hud_core::node::{Code, Field};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{Asked, Decision, Finding, HudState};
use serde_json::json;

use crate::text::{line, piece};

/// How much of a step is in the call.
const STEP: usize = 80;

/// What the HUD asks the agent to record, with a call to copy: the last line, and the first to give way.
#[component(layer = dynamic, worth = 1, part = "reminder", schema)]
pub fn ReminderLine<'a>(
    /// What is asked for.
    asks: Option<&'a Asked>,
    /// Decisions that it may be for.
    decisions: &'a [Decision],
    /// Findings that it may be for.
    findings: &'a [Finding],
    density: Density,
) -> Element<'a> {
    let Some(asked) = asks else {
        return rsx! {};
    };
    let items: Vec<Named<'a>> = asked
        .items
        .iter()
        .filter_map(|id| named(id, decisions, findings))
        .collect();
    let Some(call) = call(asked, &items) else {
        return rsx! {};
    };
    let code = rsx! { <Code>{format!("hud {call}")}</Code> };
    let most = match density {
        Density::Full => 140,
        Density::Compact => 70,
        Density::Minimal => return rsx! { "not recorded: " {code} },
    };
    rsx! {
        <Field label="Not recorded">
            for (index, item) in items.iter().enumerate() {
                if index > 0 { "; " }
                {item.how} " at t" {item.turn} ": " {piece(item.text, most)} " (" {item.id} ")"
            }
            if items.is_empty() && !asked.steps.is_empty() {
                "your plan of " {asked.steps.len()} " steps"
            }
            if items.is_empty() && asked.steps.is_empty() {
                "what a compaction must not take"
            }
            ". Record it? " {code}
        </Field>
    }
}

/// Something that is worth a record.
struct Named<'a> {
    id: &'a str,
    how: &'static str,
    text: &'a str,
    turn: u64,
}

/// An item by its id, unless somebody recorded it meanwhile.
fn named<'a>(id: &str, decisions: &'a [Decision], findings: &'a [Finding]) -> Option<Named<'a>> {
    // Names of ours are of letters and digits, and need nothing to be said in a call.
    if !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) || id.len() > 12 {
        return None;
    }
    let found = findings.iter().find(|found| found.id == id);
    let found = found
        .filter(|found| !found.by.is_agent())
        .map(|found| Named {
            id: &found.id,
            how: "found",
            text: &found.text,
            turn: found.turn,
        });
    found.or_else(|| {
        let made = decisions.iter().find(|made| made.id == id)?;
        (!made.by.is_agent()).then_some(Named {
            id: &made.id,
            how: "decided",
            text: &made.summary,
            turn: made.turn,
        })
    })
}

/// The call that records what is asked for, as JSON on one line; none if nothing of it is left.
fn call(asked: &Asked, items: &[Named<'_>]) -> Option<String> {
    let (tool, args) = if !items.is_empty() {
        let ids: Vec<&str> = items.iter().map(|item| item.id).collect();
        ("review", json!({ "confirm": ids }))
    } else if !asked.steps.is_empty() {
        let steps: Vec<_> = asked.steps.iter().map(|step| line(step, STEP)).collect();
        (
            "section.update",
            json!({ "section": "steps", "value": steps }),
        )
    } else if asked.compaction {
        ("notes.add", json!({ "content": "…" }))
    } else {
        return None;
    };
    Some(format!(r#"{{"tool":"{tool}","args":{args}}}"#))
}

/// What the HUD of a state asks for, for one that shows only what changed.
#[component(layer = dynamic)]
pub fn Asks<'a>(
    /// The state that the session's events fold to.
    state: &'a HudState,
) -> Element<'a> {
    rsx! {
        <ReminderLine
            asks={state.reminder.asks.as_ref()}
            decisions={&state.decisions}
            findings={&state.findings}
        />
    }
}
