//! Looking: at the whole state, at what happened, at what was said, and at the tool itself.

use hud_store::event::{
    CompactEvent, HudEvent, OutputEvent, OutputKeep, SessionEvent, SessionId, StoredEvent,
};
use hud_store::state::PrunedOutput;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::outputs::range;
use super::{Operations, Read, ToolError, View, refuse, said};
use hud_derive::left_at;

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
        let mut events: Vec<Value> = events.iter().map(brief).collect();
        // There, a version by itself may name an output of the original.
        let origin = view.state().origin.as_ref();
        if origin.is_some_and(|origin| origin.forks.is_some()) {
            for event in &mut events {
                event["session"] = json!(view.lookup().session());
            }
        }
        Ok(json!({ "events": events }))
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
                "session": found.event.session,
                "version": found.event.version,
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
    /// The `version` that `search`, `history` or a placeholder gives.
    version: Option<u64>,
    /// The session of that version, where it is given too.
    session: Option<SessionId>,
    /// What older programs gave instead of a version: a place in one log.
    #[schemars(skip)]
    seq: Option<u64>,
    /// Instead, the call whose output left, as a placeholder names it.
    call: Option<String>,
    /// Of what a tool said, only these lines, as `10-40`.
    lines: Option<String>,
}

impl Read for Recall {
    const NAME: &'static str = "recall";
    const DOES: &'static str =
        "an event, whole: what a tool said that was taken out of the conversation";
    const EXAMPLE: &'static str = r#"{"version":42}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let event = self.event(view)?;
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

impl Recall {
    /// The event that is asked for.
    fn event(&self, view: &View<'_>) -> Result<StoredEvent, ToolError> {
        let lookup = view.lookup();
        let state = view.state();
        // A version by itself is from a placeholder, if an output left by that name.
        let placed = left_at(state, self.version).filter(|_| self.session.is_none());
        if let Some(left) = placed
            && let Some(event) = lookup.kept(left)?
        {
            return Ok(event);
        }
        let (event, missing) = match self {
            Self {
                version: Some(version),
                session,
                ..
            } => {
                let missing = match session {
                    Some(session) => format!("there is no event {version} of session {session}"),
                    None => format!("there is no event {version}"),
                };
                (lookup.event(session.as_ref(), *version)?, missing)
            }
            Self {
                call: Some(call), ..
            } => {
                let mut left = state.pruned.iter();
                // Where the conversation was compacted since, only the log knows it.
                let event = match left.find(|left| left.call == *call) {
                    Some(left) => lookup.kept(left)?,
                    None => lookup.kept(&PrunedOutput {
                        call: call.clone(),
                        ..PrunedOutput::default()
                    })?,
                };
                (
                    event,
                    format!("nothing of `{call}` left: outputs.list names what did"),
                )
            }
            Self { seq: Some(seq), .. } => {
                let event = lookup.at(*seq)?;
                if let Some(event) = &event
                    && !is_its_own(event, view)
                {
                    return Err(refuse(Self::NAME, not_here(event)));
                }
                (event, format!("there is no event at {seq} in the log"))
            }
            _ => return Err(refuse(Self::NAME, "name the `version`, or the `call`")),
        };
        event.ok_or_else(|| refuse(Self::NAME, missing))
    }
}

/// Whether an event is of the session that asks, or of one that its conversation comes from.
fn is_its_own(event: &StoredEvent, view: &View<'_>) -> bool {
    let origin = view.state().origin.as_ref();
    let from = origin
        .into_iter()
        .flat_map(|origin| [&origin.resumes, &origin.forks]);
    let mut own = view.lookup().session().into_iter().chain(from.flatten());
    own.any(|own| *own == event.session)
}

/// Why an event is not shown that only its place in the log names: a session that moved into this log has
/// other events at the places that were in the old one.
fn not_here(event: &StoredEvent) -> String {
    let call = json!({ "session": event.session, "version": event.version });
    format!(
        "a `seq` names events of this session only, and that one is of another: {{\"tool\":\"recall\",\"args\":{call}}}"
    )
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
        "version": event.version,
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
