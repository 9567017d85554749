//! The actions that an agent can request, and the descriptions of them that it is shown.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json};

use crate::gate::{Gate, Refusal};
use crate::world::{AgentId, AgentType, Reaction};

/// An action that an agent requests.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Sets the value at a path.
    Set {
        /// The path.
        path: String,
        /// The value.
        value: Value,
        /// The weight of the value, from 0 to 1.
        #[serde(default)]
        w: Option<Value>,
    },
    /// Deletes the value at a path.
    Delete {
        /// The path.
        path: String,
    },
    /// Appends to the list at a path.
    Append {
        /// The path.
        path: String,
        /// The value.
        value: Value,
    },
    /// Reacts to a message.
    React {
        /// The number of the message.
        #[serde(deserialize_with = "number")]
        message_id: u64,
        /// The reaction.
        reaction: Reaction,
    },
    /// Wakes a sleeping agent.
    WakeAgent {
        /// The number of the agent.
        #[serde(deserialize_with = "number")]
        agent_id: AgentId,
    },
    /// Sends a message that replies to another one.
    Reply {
        /// The number of the room.
        #[serde(deserialize_with = "number")]
        room_id: AgentId,
        /// The number of the message that it replies to.
        #[serde(deserialize_with = "number")]
        message_id: u64,
        /// The text.
        #[serde(alias = "content")]
        message: String,
    },
    /// Sends a message. It is an entry of `responses` in the form of an action.
    SendMessage {
        /// The number of the room.
        #[serde(deserialize_with = "number")]
        room_id: AgentId,
        /// The text.
        #[serde(alias = "message")]
        content: String,
    },
    /// Sets the billboard of the agent's own room.
    SetBillboard {
        /// The text.
        message: String,
    },
    /// Removes the billboard.
    ClearBillboard {},
    /// Sets the pace of the agent's own room.
    SetWpm {
        /// The words per minute.
        #[serde(deserialize_with = "number")]
        wpm: u64,
    },
    /// Creates a key for the agent's own room.
    CreateKey {
        /// The key.
        key: String,
    },
    /// Revokes a key.
    RevokeKey {
        /// The key.
        key: String,
    },
    /// Requests access to a room.
    RequestAccess {
        /// The number of the room.
        #[serde(deserialize_with = "number")]
        room_id: AgentId,
        /// A key of the room.
        key: String,
    },
    /// Grants a request for access.
    GrantAccess {
        /// The number of the request.
        #[serde(deserialize_with = "number")]
        request_id: u64,
    },
    /// Denies a request for access.
    DenyAccess {
        /// The number of the request.
        #[serde(deserialize_with = "number")]
        request_id: u64,
    },
    /// Leaves a room.
    LeaveRoom {
        /// The number of the room.
        #[serde(deserialize_with = "number")]
        room_id: AgentId,
    },
    /// Sets the share of the attention that a room gets.
    SetAttention {
        /// The number of the room.
        #[serde(deserialize_with = "number")]
        room_id: AgentId,
        /// The share, such as `30%` or `%*`.
        value: Value,
    },
    /// Changes the agent's name.
    SetName {
        /// The name.
        name: String,
    },
    /// Sleeps.
    Sleep {
        /// The time until which it sleeps.
        until: String,
    },
    /// Creates an agent.
    CreateAgent {
        /// The name.
        name: String,
        /// Its seed or its role.
        background_prompt: String,
        /// The type.
        #[serde(default)]
        agent_type: AgentType,
        /// A room that it joins at the beginning, in addition to its own.
        #[serde(default, deserialize_with = "some_number")]
        in_room_id: Option<AgentId>,
    },
    /// Changes an agent.
    AlterAgent {
        /// The number of the agent.
        #[serde(deserialize_with = "number")]
        agent_id: AgentId,
        /// The new seed or role.
        #[serde(default)]
        background_prompt: Option<String>,
        /// The new name.
        #[serde(default)]
        name: Option<String>,
        /// The new model.
        #[serde(default)]
        model: Option<String>,
    },
    /// Retires an agent.
    RetireAgent {
        /// The number of the agent.
        #[serde(deserialize_with = "number")]
        agent_id: AgentId,
    },
}

/// Deserializes a number, also from a string.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(from)?;
    let whole = |number: f64| {
        (number.fract() == 0.0 && (0.0..9.0e15).contains(&number)).then_some(number as u64)
    };
    let number = match &value {
        Value::Number(number) => number.as_u64().or_else(|| number.as_f64().and_then(whole)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| {
        de::Error::custom(format_args!("{} is no number", begin(&value.to_string())))
    })
}

fn some_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        value => number(value).map(Some).map_err(de::Error::custom),
    }
}

/// Returns the beginning of a text, for a message.
pub(crate) fn begin(text: &str) -> String {
    let mut chars = text.chars();
    let begin: String = chars.by_ref().take(60).collect();
    match chars.next() {
        Some(_) => begin + "…",
        None => begin,
    }
}

impl Action {
    /// Parses an action.
    ///
    /// # Errors
    ///
    /// [`Refusal`] at the gate `form` that names the error.
    pub fn read(value: &Value) -> Result<Self, Refusal> {
        let refuse = |said: String| Err(Refusal::at(Gate::Form, said));
        let Some(name) = value.get("type").and_then(Value::as_str) else {
            return refuse(format!(
                "{} is no action: write an object with `type`, as {{\"type\":\"set\",..}}",
                begin(&value.to_string())
            ));
        };
        let known = || {
            ACTIONS
                .iter()
                .flat_map(|category| category.actions)
                .map(|action| action.name)
        };
        if !known().chain(["send_message"]).any(|known| known == name) {
            let like = |known: &str| strsim::normalized_damerau_levenshtein(known, name);
            let nearest = known().max_by(|one, other| like(one).total_cmp(&like(other)));
            let hint = nearest.filter(|nearest| like(nearest) >= 0.5).map_or_else(
                || "see meta.available_actions".to_owned(),
                |nearest| format!("did you mean `{nearest}`?"),
            );
            return refuse(format!("there is no action `{}`: {hint}", begin(name)));
        }
        serde_json::from_value(value.clone()).or_else(|error| {
            refuse(format!(
                "{error} in `{name}`: write it as meta.available_actions says"
            ))
        })
    }
}

/// A category of actions, as agents are shown it.
pub struct Category {
    /// Its name.
    pub name: &'static str,
    /// Its description.
    pub description: &'static str,
    /// Its actions.
    pub actions: &'static [Signature],
}

/// The form of an action.
pub struct Signature {
    /// Its type.
    pub name: &'static str,
    /// Its other fields, with the values that each takes.
    pub fields: &'static [(&'static str, &'static str)],
}

const fn action(name: &'static str, fields: &'static [(&'static str, &'static str)]) -> Signature {
    Signature { name, fields }
}

/// The category that is shown only to agents that may use it.
pub const AGENT_MANAGEMENT: &str = "agent_management";

/// All actions, in the form in which agents are shown them.
pub const ACTIONS: &[Category] = &[
    Category {
        name: "knowledge_management",
        description: "What you know, by path. Nobody else can read it; it is all that you keep.",
        actions: &[
            action(
                "set",
                &[
                    ("path", "dot.path"),
                    ("value", "any"),
                    ("w", "0.0-1.0 (optional)"),
                ],
            ),
            action("delete", &[("path", "dot.path")]),
            action("append", &[("path", "dot.path"), ("value", "any")]),
        ],
    },
    Category {
        name: "social_interactions",
        description: "React to others. A thumb changes how often its author is asked.",
        actions: &[
            action(
                "react",
                &[
                    ("message_id", "int"),
                    ("reaction", "thumbs_up|thumbs_down|brain|heart"),
                ],
            ),
            action("wake_agent", &[("agent_id", "int (in a room with you)")]),
        ],
    },
    Category {
        name: "messaging",
        description: "Say something that replies to a message.",
        actions: &[action(
            "reply",
            &[
                ("room_id", "int"),
                ("message_id", "int"),
                ("message", "string"),
            ],
        )],
    },
    Category {
        name: "room_management",
        description: "Your own room. All of its members see the billboard.",
        actions: &[
            action("set_billboard", &[("message", "string")]),
            action("clear_billboard", &[]),
            action("set_wpm", &[("wpm", "int (10-200)")]),
        ],
    },
    Category {
        name: "access_control",
        description: "Who comes into which room. Keys are shown to you alone.",
        actions: &[
            action("create_key", &[("key", "string (for your room)")]),
            action("revoke_key", &[("key", "string")]),
            action("request_access", &[("room_id", "int"), ("key", "string")]),
            action("grant_access", &[("request_id", "int")]),
            action("deny_access", &[("request_id", "int")]),
            action("leave_room", &[("room_id", "int (not your own)")]),
        ],
    },
    Category {
        name: "attention",
        description: "How much of your HUD a room gets: 30%, or %* for an equal part of the rest.",
        actions: &[action(
            "set_attention",
            &[("room_id", "int"), ("value", "percent or %*")],
        )],
    },
    Category {
        name: "identity",
        description: "What you are called.",
        actions: &[action("set_name", &[("name", "string (max 50 chars)")])],
    },
    Category {
        name: "timing",
        description: "When you are asked.",
        actions: &[action("sleep", &[("until", "ISO datetime, UTC")])],
    },
    Category {
        name: AGENT_MANAGEMENT,
        description: "Make, change and retire agents that are in a room with you.",
        actions: &[
            action(
                "create_agent",
                &[
                    ("name", "string"),
                    ("background_prompt", "string"),
                    ("agent_type", "persona|bot (optional, default persona)"),
                    ("in_room_id", "int (optional, default your own)"),
                ],
            ),
            action(
                "alter_agent",
                &[
                    ("agent_id", "int (in a room with you, not yourself)"),
                    ("background_prompt", "string (optional)"),
                    ("name", "string (optional)"),
                    ("model", "string (optional)"),
                ],
            ),
            action(
                "retire_agent",
                &[("agent_id", "int (in a room with you, not yourself)")],
            ),
        ],
    },
];

/// Returns an action in the form in which it is remembered. Long values are cut.
pub(crate) fn remembered(
    name: &str,
    fields: impl IntoIterator<Item = (&'static str, Value)>,
) -> Value {
    let mut action = serde_json::Map::new();
    action.insert("type".to_owned(), json!(name));
    for (field, value) in fields {
        let value = match &value {
            Value::String(text) if text.chars().count() > 60 => json!(begin(text)),
            Value::Array(_) | Value::Object(_) if value.to_string().len() > 120 => {
                json!(begin(&value.to_string()))
            }
            _ => value,
        };
        action.insert(field.to_owned(), value);
    }
    Value::Object(action)
}
