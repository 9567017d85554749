//! A chat completion that comes as a stream of events, or whole.

use hud_agent::distill::{Dialect, Reply, Tokens};
use serde_json::{Value, json};

use crate::endpoint::{AskError, Endpoint, Transport as _, said, until_answered};

/// What a model answered.
#[derive(Debug)]
pub(super) struct Chat {
    /// What it wrote.
    pub(super) content: String,
    /// What the endpoint says it counted.
    pub(super) usage: Option<Tokens>,
}

/// A question to a model.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) model: String,
    pub(super) hud: String,
    /// How many tokens the answer may have.
    pub(super) most: u64,
}

/// Asks an endpoint, again where that helps.
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

/// What came of a stream until now.
#[derive(Debug, Default)]
struct Streamed {
    content: String,
    usage: Option<Tokens>,
    /// What went wrong behind the beginning of the answer.
    error: Option<String>,
}

impl Streamed {
    /// Takes in a line. What is no event of a chat completion says nothing.
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
