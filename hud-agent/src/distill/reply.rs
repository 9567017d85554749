//! Parses the answers of an endpoint.

use serde::Deserialize;
use serde_json::Value;

use super::budget::Tokens;
use super::prompt::ITEMS;

/// The parsed answer of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text of the model.
    pub content: String,
    /// True if the answer was cut off at its limit.
    pub is_cut: bool,
    /// The token usage that the endpoint reports.
    pub usage: Option<Tokens>,
}

/// An error of an unusable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// It is not the answer of a chat completions endpoint.
    #[error(
        "the endpoint's answer is no chat completion ({begin}): is --endpoint the address that ends in /v1?"
    )]
    Foreign {
        /// Its beginning.
        begin: String,
    },
    /// The model refused.
    #[error("the model refused: {0}")]
    Refused(String),
    /// The model's answer is empty.
    #[error("the model's answer is empty")]
    Empty,
    /// The model's answer exceeds the limit.
    #[error("the model's answer was cut off: raise --max-answer, or lower --batch")]
    CutOff,
    /// The model's answer does not have the requested form.
    #[error("the model's answer is no object with `items` ({begin})")]
    NoItems {
        /// Its beginning.
        begin: String,
    },
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
    #[serde(default)]
    finish_reason: Value,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    content: Value,
    #[serde(default)]
    refusal: Value,
}

/// An item of a model's answer, before any check.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Item {
    /// The name of its kind.
    pub kind: String,
    /// The turn of the quoted message.
    pub turn: u64,
    /// The literal quote from that turn.
    pub quote: String,
    /// The conclusion from the quote.
    #[serde(default)]
    pub text: String,
}

impl Reply {
    /// Parses the body of an endpoint's answer.
    ///
    /// # Errors
    ///
    /// [`ReplyError::Foreign`] and [`ReplyError::Refused`].
    pub fn read(body: &[u8]) -> Result<Self, ReplyError> {
        let foreign = || ReplyError::Foreign {
            begin: beginning(&String::from_utf8_lossy(body)),
        };
        let read: Completion = serde_json::from_slice(body).map_err(|_| foreign())?;
        let usage = usage(&read.usage);
        let choice = read.choices.into_iter().next().ok_or_else(foreign)?;
        if let Some(refusal) = choice.message.refusal.as_str()
            && !refusal.is_empty()
        {
            return Err(ReplyError::Refused(beginning(refusal)));
        }
        Ok(Self {
            content: content(&choice.message.content),
            is_cut: choice.finish_reason == "length",
            usage,
        })
    }

    /// Returns the token usage that an endpoint reports, even in an answer that is otherwise unusable.
    pub fn usage(body: &[u8]) -> Option<Tokens> {
        let body: Value = serde_json::from_slice(body).ok()?;
        usage(&body["usage"])
    }

    /// Returns the items of the answer. A value that is not an item becomes an `Err` with the beginning of its
    /// JSON.
    ///
    /// # Errors
    ///
    /// [`ReplyError::Empty`], [`ReplyError::CutOff`] and [`ReplyError::NoItems`].
    pub fn items(&self) -> Result<Vec<Result<Item, String>>, ReplyError> {
        let content = self.content.trim();
        if self.is_cut {
            return Err(ReplyError::CutOff);
        }
        if content.is_empty() {
            return Err(ReplyError::Empty);
        }
        let no_items = || ReplyError::NoItems {
            begin: beginning(content),
        };
        let value = object(content).ok_or_else(no_items)?;
        let items = value["items"].as_array().ok_or_else(no_items)?;
        let item = |item: &Value| Item::deserialize(item).map_err(|_| beginning(&item.to_string()));
        Ok(items.iter().take(ITEMS).map(item).collect())
    }
}

/// Returns the object of an answer. A model without a schema may write other text around it.
fn object(content: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(content) {
        return Some(value);
    }
    let (begin, end) = (content.find('{')?, content.rfind('}')?);
    serde_json::from_str(content.get(begin..=end)?).ok()
}

/// Returns the text of a message, which is a string or a list of parts.
fn content(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

fn usage(usage: &Value) -> Option<Tokens> {
    let count = |key: &str| usage[key].as_u64().unwrap_or(0);
    let tokens = Tokens {
        input: count("prompt_tokens"),
        output: count("completion_tokens"),
    };
    (tokens.total() > 0).then_some(tokens)
}

/// Returns the beginning of an unusable text on one line.
fn beginning(text: &str) -> String {
    match text.trim() {
        "" => "it is empty".to_owned(),
        text => hud_components::text::line(text, 120).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn answered(content: Value) -> Result<Reply, ReplyError> {
        let choices = json!([{ "message": { "content": content }, "finish_reason": "stop" }]);
        let body =
            json!({ "choices": choices, "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
        Reply::read(body.to_string().as_bytes())
    }

    #[test]
    fn an_answer_without_a_schema_may_have_a_fence_and_words_around_it() {
        let reply = answered(json!("Here it is:\n```json\n{\"items\": []}\n```")).unwrap();
        assert_eq!(reply.items(), Ok(Vec::new()));
        assert_eq!(reply.usage.unwrap().total(), 9);
        let parts = json!([{ "type": "text", "text": "{\"items\":" }, { "text": "[]}" }]);
        assert_eq!(answered(parts).unwrap().items(), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_answer_is_refused_by_what_it_is() {
        for (body, said) in [
            ("<html>", "no chat completion (<html>)"),
            ("", "it is empty"),
            ("{\"choices\": []}", "no chat completion"),
            (
                "{\"choices\": [{\"message\": {\"refusal\": \"I will not\"}}]}",
                "refused: I will not",
            ),
        ] {
            let error = Reply::read(body.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        for (content, expected) in [
            (json!(""), ReplyError::Empty),
            (json!(null), ReplyError::Empty),
        ] {
            assert_eq!(answered(content).unwrap().items(), Err(expected));
        }
        for content in ["[]", "no", "{\"items\": 7}", "{\"items\": [", "}{"] {
            let items = answered(json!(content)).unwrap().items();
            assert!(
                matches!(items, Err(ReplyError::NoItems { .. })),
                "{content}"
            );
        }
    }

    #[test]
    fn one_bad_item_does_not_take_the_others_with_it() {
        let good = json!({ "kind": "finding", "turn": 1, "quote": "q", "text": "t" });
        let items = json!({ "items": [good, { "kind": 7 }, "x", { "turn": -1 }] });
        let items = answered(json!(items.to_string())).unwrap().items().unwrap();
        let read: Vec<bool> = items.iter().map(Result::is_ok).collect();
        assert_eq!(read, [true, false, false, false]);
    }

    proptest! {
        #[test]
        fn no_answer_is_too_odd_to_be_read(content in ".{0,80}", body in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = Reply::read(&body);
            let _ = answered(json!(content)).map(|reply| reply.items());
        }
    }
}
