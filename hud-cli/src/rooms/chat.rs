//! A chat completion, which arrives as a stream of events or as a whole.

use hud_agent::distill::{Dialect, Reply, Tokens};
use serde_json::{Value, json};

use crate::endpoint::{AskError, Endpoint, Transport as _, said, until_answered};

/// The answer of a model.
#[derive(Debug)]
pub(super) struct Chat {
    /// The text of the answer.
    pub(super) content: String,
    /// The tokens that the endpoint counted.
    pub(super) usage: Option<Tokens>,
}

/// A question to a model.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) model: String,
    pub(super) hud: String,
    /// The maximum number of tokens of the answer.
    pub(super) most: u64,
}

/// Asks an endpoint, and retries if that can help.
pub(super) fn ask(endpoint: &Endpoint, question: &Question) -> Result<Chat, AskError> {
    let mut dialect = Dialect {
        takes_schema: false,
        ..Dialect::default()
    };
    let mut streamed = Streamed::default();
    let answered = until_answered(endpoint.place(), &mut dialect, &mut |dialect| {
        streamed = Streamed::default();
        let body = body(question, dialect).to_string();
        endpoint.stream(body.as_bytes(), &mut |line| streamed.take(line))
    })?;
    if !answered.body.is_empty() {
        let reply = Reply::read(answered.body.as_bytes())?;
        return Ok(Chat {
            content: reply.content,
            usage: reply.usage,
        });
    }
    match streamed.error {
        Some(said) => Err(AskError::Status {
            place: endpoint.place().to_owned(),
            status: answered.status,
            said,
        }),
        None => Ok(Chat {
            content: streamed.content,
            usage: streamed.usage,
        }),
    }
}

fn body(question: &Question, dialect: Dialect) -> Value {
    let mut body = json!({
        "model": question.model,
        "messages": [{ "role": "user", "content": question.hud }],
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    let bound = match dialect.counts_completion {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    body[bound] = question.most.into();
    body
}

/// The part of a stream that has arrived so far.
#[derive(Debug, Default)]
struct Streamed {
    content: String,
    usage: Option<Tokens>,
    /// An error after the beginning of the answer.
    error: Option<String>,
}

impl Streamed {
    /// Adds a line of the stream. A line that is no event of a chat completion is ignored.
    fn take(&mut self, line: &str) {
        let Some(data) = line.strip_prefix("data:") else {
            return;
        };
        let Ok(event) = serde_json::from_str::<Value>(data.trim()) else {
            return;
        };
        if let Some(text) = event
            .pointer("/choices/0/delta/content")
            .and_then(Value::as_str)
        {
            self.content.push_str(text);
        }
        if event.get("error").is_some_and(|error| !error.is_null()) {
            self.error = Some(said(data));
        }
        self.usage = Reply::usage(data.trim().as_bytes()).or(self.usage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_put_together_and_what_is_no_event_is_passed_over() {
        let mut streamed = Streamed::default();
        let lines = [
            ": keep-alive",
            "",
            r#"data: {"choices":[{"delta":{"role":"assistant"}}]}"#,
            r#"data: {"choices":[{"delta":{"content":"{\"respon"}}]}"#,
            "event: ping",
            r#"data: {"choices":[{"delta":{"content":"ses\":[]}"}}]}"#,
            "data: {broken",
            r#"data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#,
            "data: [DONE]",
        ];
        lines.iter().for_each(|line| streamed.take(line));
        assert_eq!(streamed.content, r#"{"responses":[]}"#);
        assert_eq!(streamed.error, None);
        assert_eq!(
            streamed.usage,
            Some(Tokens {
                input: 7,
                output: 3
            })
        );
        streamed.take(r#"data: {"error":{"message":"too much to do"}}"#);
        assert_eq!(streamed.error.as_deref(), Some("too much to do"));
    }
}
