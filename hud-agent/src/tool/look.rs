//! Looking: at the whole state, at what happened, at what was said, and at the tool itself.

use hud_store::event::{CompactEvent, HudEvent, OutputEvent, SessionEvent, StoredEvent};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

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
    seq: u64,
}

impl Read for Recall {
    const NAME: &'static str = "recall";
    const DOES: &'static str =
        "an event, whole: what a tool said that was taken out of the conversation";
    const EXAMPLE: &'static str = r#"{"seq":42}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let event = view.lookup().event(self.seq)?;
        let event =
            event.ok_or_else(|| refuse(Self::NAME, format!("there is no event {}", self.seq)))?;
        Ok(whole(&event))
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
