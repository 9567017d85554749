//! The response of a model: a text that is parsed as far as possible.
//!
//! ```
//! use hud_rooms::response::{Response, Syntax};
//!
//! let response = Response::read("Sure!\n```json\n{responses: [{room_id: 8, message: 'Hi',}]}\n```")?;
//! assert_eq!((response.syntax, response.says.len(), response.mends), (Syntax::Json, 1, 7));
//! # Ok::<(), hud_rooms::gate::Refusal>(())
//! ```

mod lenient;
mod toon;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::lenient::Read;
use crate::action::{Action, begin};
use crate::gate::{Gate, Refusal};
use crate::limits::{ENTRIES, RESPONSE_BYTES};
use crate::world::AgentId;

/// The syntax in which an agent responds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Syntax {
    /// JSON.
    #[default]
    Json,
    /// TOON.
    Toon,
}

/// The error for an unknown syntax name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no way to answer: write `json` or `toon`")]
pub struct UnknownSyntax(String);

impl std::str::FromStr for Syntax {
    type Err = UnknownSyntax;

    fn from_str(text: &str) -> Result<Self, UnknownSyntax> {
        match text {
            "json" => Ok(Self::Json),
            "toon" => Ok(Self::Toon),
            _ => Err(UnknownSyntax(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Syntax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Json => "json",
            Self::Toon => "toon",
        })
    }
}

/// The text with which an agent stays silent.
pub const NO_RESPONSE: &str = "[no response]";

/// A message to send in a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Say {
    /// The number of the room.
    pub room: AgentId,
    /// The text.
    pub message: String,
}

/// An entry that could not be read, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The entry, for people.
    pub entry: String,
    /// The reason.
    pub refusal: Refusal,
}

/// The response of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// The actions that it requests.
    pub actions: Vec<Result<Action, Unread>>,
    /// The messages that it sends. Silence is left out.
    pub says: Vec<Result<Say, Unread>>,
    /// The syntax that it was written in.
    pub syntax: Syntax,
    /// The number of syntax errors that were fixed.
    pub mends: u32,
}

impl Response {
    /// Parses a response. An error in one entry affects only that entry.
    ///
    /// # Errors
    ///
    /// [`Refusal`] at the gate `size` if the response is too long, and at `form` if nothing in it has
    /// `responses` or `actions`.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        if text.len() > RESPONSE_BYTES {
            return Err(Refusal::at(
                Gate::Size,
                format!(
                    "the answer has {} bytes, and at most {RESPONSE_BYTES} are read: say less",
                    text.len()
                ),
            ));
        }
        // An empty response is also silence.
        if matches!(text.trim(), "" | NO_RESPONSE) {
            return Ok(Self::default());
        }
        let (text, thought) = match text.trim_start().strip_prefix("<think>") {
            None => (text, 0),
            Some(thought) => match thought.split_once("</think>") {
                Some((_, text)) => (text, 1),
                None => return Err(Refusal::at(Gate::Form, format!("{CUT}: think less"))),
            },
        };
        let mut found = lenient::read(text).map(|read| (read, Syntax::Json));
        if found
            .as_ref()
            .is_none_or(|(read, _)| !is_response(&read.value))
        {
            let toon = toon::read(text).filter(|read| is_response(&read.value));
            found = toon.map(|read| (read, Syntax::Toon)).or(found);
        }
        let Some((mut read, syntax)) = found else {
            // Silence, in a fence or with other text around it.
            if text.to_ascii_lowercase().contains(NO_RESPONSE) {
                return Ok(Self {
                    mends: thought + 1,
                    ..Self::default()
                });
            }
            return Err(Refusal::at(
                Gate::Form,
                format!(
                    "the answer `{}` is neither JSON nor TOON: write {{\"responses\":[..],\"actions\":[..]}}",
                    begin(text.trim())
                ),
            ));
        };
        if is_deep(&read.value, DEEPEST) {
            return Err(Refusal::at(
                Gate::Form,
                format!(
                    "the answer has more than {DEEPEST} lists and objects within one another: write it flatter"
                ),
            ));
        }
        read.mends += thought;
        Self::of(read, syntax)
    }

    fn of(read: Read, syntax: Syntax) -> Result<Self, Refusal> {
        let Read {
            value,
            mut mends,
            is_cut,
        } = read;
        let has_lists = is_response(&value);
        let (mut actions, mut responses) = match value {
            Value::Object(mut fields) if has_lists => {
                let mut list = |name: &str| match fields.remove(name) {
                    Some(Value::Array(list)) => list,
                    None | Some(Value::Null) => Vec::new(),
                    Some(one) => {
                        mends += 1;
                        vec![one]
                    }
                };
                (list("actions"), list("responses"))
            }
            // An entry that is cut off is dropped.
            Value::Object(fields) if is_cut || fields.is_empty() => (Vec::new(), Vec::new()),
            // A single entry.
            Value::Object(fields) => {
                mends += 1;
                sorted(vec![Value::Object(fields)])
            }
            Value::Array(list) => {
                mends += 1;
                sorted(list)
            }
            other => {
                return Err(Refusal::at(
                    Gate::Form,
                    format!(
                        "{} has neither `responses` nor `actions`: write {{\"responses\":[..],\"actions\":[..]}}",
                        begin(&other.to_string())
                    ),
                ));
            }
        };
        let over = |name: &str, list: &mut Vec<Value>| {
            let over = list.len() > ENTRIES;
            let count = list.len();
            list.truncate(ENTRIES);
            over.then(|| Unread {
                entry: name.to_owned(),
                refusal: Refusal::at(
                    Gate::Size,
                    format!(
                        "{count} entries in `{name}`, and the first {ENTRIES} are read: write fewer"
                    ),
                ),
            })
        };
        let (too_many_actions, too_many_says) = (
            over("actions", &mut actions),
            over("responses", &mut responses),
        );
        let cut = is_cut.then(|| Unread {
            entry: "the end of the answer".to_owned(),
            refusal: Refusal::at(Gate::Form, format!("{CUT}: write less at once")),
        });
        let actions = actions.iter().map(|value| {
            Action::read(value).map_err(|refusal| Unread {
                entry: value
                    .get("type")
                    .and_then(Value::as_str)
                    .map_or_else(|| begin(&value.to_string()), begin),
                refusal,
            })
        });
        let says = responses.iter().filter_map(|value| {
            let read = say(value).map_err(|refusal| Unread {
                entry: format!("response {}", begin(&value.to_string())),
                refusal,
            });
            let is_silent = |say: &Say| matches!(say.message.trim(), "" | NO_RESPONSE);
            (!read.as_ref().is_ok_and(is_silent)).then_some(read)
        });
        Ok(Self {
            actions: actions.chain(too_many_actions.map(Err)).collect(),
            says: says
                .chain(too_many_says.into_iter().chain(cut).map(Err))
                .collect(),
            syntax,
            mends,
        })
    }
}

/// The message about a response that is cut off.
const CUT: &str = "the answer ends before it is over, and what it ends with was not done";

/// The maximum nesting depth of values.
const DEEPEST: usize = 64;

fn is_deep(value: &Value, most: usize) -> bool {
    match (value, most.checked_sub(1)) {
        (Value::Array(values), Some(rest)) => values.iter().any(|value| is_deep(value, rest)),
        (Value::Object(fields), Some(rest)) => fields.values().any(|value| is_deep(value, rest)),
        (Value::Array(_) | Value::Object(_), None) => true,
        _ => false,
    }
}

fn is_response(value: &Value) -> bool {
    value.get("responses").is_some() || value.get("actions").is_some()
}

/// Splits a list into actions, which have a type, and messages.
fn sorted(list: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
    list.into_iter()
        .partition(|value| value.get("type").is_some())
}

/// Parses an entry of `responses`, which is a `send_message` action without its type.
fn say(value: &Value) -> Result<Say, Refusal> {
    let Value::Object(fields) = value else {
        return Err(Refusal::at(
            Gate::Form,
            "an entry of `responses` is an object: write {\"room_id\":8,\"message\":\"..\"}",
        ));
    };
    let mut fields = fields.clone();
    fields.insert("type".to_owned(), json!("send_message"));
    match Action::read(&Value::Object(fields))? {
        Action::SendMessage { room_id, content } => Ok(Say {
            room: room_id,
            message: content,
        }),
        _ => Err(Refusal::at(
            Gate::Form,
            "an entry of `responses` has `room_id` and `message`",
        )),
    }
}
