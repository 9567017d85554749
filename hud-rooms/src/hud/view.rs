//! The parts of a world that a HUD shows, as props.

use hud_core::node::Value;
use jiff::Timestamp;
use serde_json::Value as Json;

use crate::own::{Refused, Taken};
use crate::world::{Agent, AgentId, Message, Room};

/// The parts of an agent's own state that are shown.
#[derive(Clone, Debug)]
pub struct SelfView<'a> {
    /// The agent.
    pub agent: &'a Agent,
    /// Its knowledge.
    pub knowledge: Value,
    /// The used part of its knowledge tokens, in percent.
    pub memory_used: u64,
    /// The paths of knowledge that is not shown, because it needs too many tokens in the format.
    pub knowledge_not_shown: Vec<String>,
    /// The rooms that do not fit.
    pub rooms_not_shown: Vec<String>,
    /// The refused entries of its last response.
    pub refused: &'a [Refused],
    /// Its last actions, oldest first.
    pub recent: &'a [Taken],
}

/// The parts of a room that are shown.
#[derive(Clone, Debug)]
pub struct RoomView<'a> {
    /// The room.
    pub room: &'a Room,
    /// The agent that the HUD is for.
    pub you: AgentId,
    /// The share of the attention that the room gets, in percent.
    pub attention_pct: f64,
    /// The time of the agent's last message here.
    pub said_at: Option<Timestamp>,
    /// The number of words that the agent may use.
    pub word_budget: u32,
    /// The time.
    pub now: Timestamp,
    /// The messages that are shown, oldest first.
    pub messages: Vec<&'a Message>,
}

/// Returns the time that has passed, in words.
///
/// ```
/// use hud_rooms::hud::since;
/// use jiff::Timestamp;
///
/// let at = |second| Timestamp::from_second(second).ok();
/// let texts = [1, 30, 60, 300, 9_000, 400_000].map(|second| since(at(0), at(second).unwrap()));
/// assert_eq!(texts, ["1 second", "30 seconds", "1 minute", "5 minutes", "2.5 hours", "4.6 days"]);
/// assert_eq!(since(None, Timestamp::UNIX_EPOCH), "never (just joined)");
/// ```
pub fn since(then: Option<Timestamp>, now: Timestamp) -> String {
    let Some(then) = then else {
        return "never (just joined)".to_owned();
    };
    let seconds = now.duration_since(then).as_secs().max(0);
    let (tenths, unit) = match seconds {
        0..60 => (seconds * 10, "second"),
        60..3_600 => (seconds / 60 * 10, "minute"),
        3_600..86_400 => (seconds / 360, "hour"),
        _ => (seconds / 8_640, "day"),
    };
    let s = if tenths == 10 { "" } else { "s" };
    match tenths % 10 {
        0 => format!("{} {unit}{s}", tenths / 10),
        rest => format!("{}.{rest} {unit}{s}", tenths / 10),
    }
}

/// Converts JSON to a value.
pub(super) fn data(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => Value::Integer(number.into()),
            (_, Some(number), _) => Value::Integer(number.into()),
            (.., Some(number)) => Value::Float(number),
            _ => Value::Text(number.to_string()),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(values) => Value::List(values.iter().map(data).collect()),
        Json::Object(fields) => {
            let members = fields
                .iter()
                .map(|(name, value)| (name.clone(), data(value)));
            Value::Object(members.collect())
        }
    }
}

/// Returns the type of an action, and its other fields.
pub(super) fn fields(action: &Json) -> (Value, Vec<(String, Value)>) {
    let Value::Object(mut members) = data(action) else {
        return (Value::None, Vec::new());
    };
    let at = members.iter().position(|(name, _)| name == "type");
    let named = at.map_or(Value::None, |at| members.remove(at).1);
    (named, members)
}

/// Returns the first ten of several names, and the number of the others, so that a list of omissions
/// stays short.
pub(super) fn first(names: impl Iterator<Item = String>) -> Vec<String> {
    const SHOWN: usize = 10;
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(SHOWN);
    if more > 0 {
        names.truncate(SHOWN);
        names.push(format!("and {more} more"));
    }
    names
}
