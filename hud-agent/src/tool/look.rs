//! Looking: at the whole state, at what happened, at what was said, and at the tool itself.

use hud_store::event::{
    CompactEvent, HudEvent, OutputEvent, OutputKeep, SessionEvent, StoredEvent,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::outputs::range;
use super::{Operations, Read, ToolError, View, refuse, said};

pub(super) fn operations(operations: Operations) -> Operations {
    operations
        .read::<Snapshot>()
        .read::<History>()
        .read::<Search>()
        .read::<Recall>()
        .read::<Help>()
}

/// How many events, hits or sessions are shown if it is not said.
pub(super) const FEW: u8 = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Snapshot {}

impl Read for Snapshot {
    const NAME: &'static str = "snapshot";
    const DOES: &'static str = "the whole state";
    const EXAMPLE: &'static str = "{}";

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let mut state = json!(view.state());
        // What an epoch began with is in the conversation already.
        if let Some(state) = state.as_object_mut() {
            state.remove("epoch");
            // They are in the conversation, and `outputs.list` has them.
            state.remove("outputs");
        }
        Ok(state)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct History {
    /// How many events, 20 if it is not said.
    limit: Option<u8>,
}

impl Read for History {
    const NAME: &'static str = "history";
    const DOES: &'static str = "what happened last";
    const EXAMPLE: &'static str = r#"{"limit":20}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let events = view.lookup().newest(self.limit.unwrap_or(FEW).into())?;
        Ok(json!({ "events": events.iter().map(brief).collect::<Vec<_>>() }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// Words that must all be there.
    query: String,
    /// How many hits, 20 if it is not said.
    limit: Option<u8>,
}

impl Read for Search {
    const NAME: &'static str = "search";
    const DOES: &'static str = "what was said, in this session and in earlier ones";
    const EXAMPLE: &'static str = r#"{"query":"redis port"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let words = said(Self::NAME, "query", self.query)?;
        let found = view
            .lookup()
            .search(&words, self.limit.unwrap_or(FEW).into())?;
        let hits = found.iter().map(|found| {
            json!({
                "seq": found.event.seq,
                "session": found.event.session,
                "kind": found.event.event.kind(),
                "at": found.event.at,
                "snippet": found.snippet,
            })
        });
        Ok(json!({ "hits": hits.collect::<Vec<_>>() }))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Recall {
    /// The `seq` that `search`, `history` or a placeholder gives.
    seq: Option<u64>,
    /// Instead, the call whose output left, as `outputs.list` names it.
    call: Option<String>,
    /// Of what a tool said, only these lines, as `10-40`.
    lines: Option<String>,
}

impl Read for Recall {
    const NAME: &'static str = "recall";
    const DOES: &'static str =
        "an event, whole: what a tool said that was taken out of the conversation";
    const EXAMPLE: &'static str = r#"{"seq":42}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let seq = match (self.seq, &self.call) {
            (Some(seq), _) => seq,
            (None, Some(call)) => {
                let mut left = view.state().pruned.iter();
                let left = left.find(|left| left.call == *call);
                left.map(|left| left.seq).ok_or_else(|| {
                    let reason = format!("nothing of `{call}` left: outputs.list names what did");
                    refuse(Self::NAME, reason)
                })?
            }
            (None, None) => return Err(refuse(Self::NAME, "name the `seq`, or the `call`")),
        };
        let event = view.lookup().event(seq)?;
        let event = event.ok_or_else(|| refuse(Self::NAME, format!("there is no event {seq}")))?;
        let mut shown = whole(&event);
        if let HudEvent::Output(OutputEvent::Keep(kept)) = &event.event {
            let text = match kept.content.text() {
                Some(text) => Some(text.to_owned()),
                None => view.lookup().content(&kept.content.hash)?,
            };
            let text = text.ok_or_else(|| refuse(Self::NAME, gone(kept)))?;
            shown["payload"]["content"] = match &self.lines {
                Some(lines) => json!(part(&text, lines)?),
                None => json!(text),
            };
        }
        // What stays of it in the conversation is there.
        if let Some(payload) = shown["payload"].as_object_mut() {
            drop(payload.remove("outline"));
        }
        Ok(shown)
    }
}

/// What there was of an output that is kept no longer, and the call to repeat.
fn gone(kept: &OutputKeep) -> String {
    let tool = kept.tool.as_str();
    let again = match (tool, &kept.target) {
        ("Read" | "read", Some(path)) => format!("read {path} again"),
        ("Bash" | "bash", Some(command)) => format!("run `{command}` again"),
        (_, Some(target)) => format!("call {tool} of `{target}` again"),
        (_, None) => format!("call {tool} again"),
    };
    format!("gone: {again} (it had {} lines)", kept.content.rows)
}

/// Some lines of a text, counted from 1: `10-40`, or `10`.
fn part(text: &str, lines: &str) -> Result<String, ToolError> {
    let range = range(Recall::NAME, lines)?;
    let skipped = usize::try_from(range.first - 1).unwrap_or(usize::MAX);
    let last = usize::try_from(range.last).unwrap_or(usize::MAX);
    let part = text
        .lines()
        .skip(skipped)
        .take(last.saturating_sub(skipped));
    let part = part.fold(String::new(), |all, line| all + line + "\n");
    match part.is_empty() {
        true => {
            let count = text.lines().count();
            Err(refuse(
                Recall::NAME,
                format!("it has lines 1-{count}, and not {lines}"),
            ))
        }
        false => Ok(part),
    }
}

/// An event without what is long in it.
fn brief(event: &StoredEvent) -> Value {
    let mut shown = whole(event);
    // A state is for comparing, or is on the HUD, and what a tool said is for `recall`.
    if let Some(payload) = shown["payload"].as_object_mut() {
        match &event.event {
            HudEvent::Compact(CompactEvent::Before(_))
            | HudEvent::Session(SessionEvent::Restore(_)) => {
                drop(payload.remove("state"));
            }
            HudEvent::Output(OutputEvent::Keep(_)) => drop(payload.remove("content")),
            _ => {}
        }
    }
    shown
}

fn whole(event: &StoredEvent) -> Value {
    let encoded = event.event.encode();
    let payload: Option<Value> = encoded
        .ok()
        .and_then(|encoded| serde_json::from_str(&encoded.payload).ok());
    json!({
        "seq": event.seq,
        "turn": event.turn,
        "at": event.at,
        "kind": event.event.kind(),
        "payload": payload,
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Help {
    /// An operation; without, all of them are listed.
    #[serde(rename = "for")]
    operation: Option<String>,
}

impl Read for Help {
    const NAME: &'static str = "help";
    const DOES: &'static str = "the operations, or the args of one";
    const EXAMPLE: &'static str = r#"{"for":"notes.add"}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let operations = view.operations();
        let Some(name) = self.operation else {
            let all = operations
                .listed()
                .map(|entry| (entry.name.to_owned(), json!(entry.does)));
            return Ok(Value::Object(all.collect()));
        };
        let entry = operations.find(&name).ok_or_else(|| {
            let nearest = operations.nearest(&name);
            refuse(
                Self::NAME,
                format!("there is no operation `{name}`{nearest}"),
            )
        })?;
        Ok(json!({
            "operation": entry.name,
            "does": entry.does,
            "args": entry.schema(),
            "example": entry.example(),
        }))
    }
}
