//! What a model says, as the chat completions endpoint streams it.

use serde_json::{Value, json};

/// The model calls a tool; so many tokens are in the context then.
pub(crate) fn call(turn: usize, name: &str, arguments: &Value, used: u64) -> String {
    let call = json!({
        "index": 0, "id": format!("call_{turn}"), "type": "function",
        "function": { "name": name, "arguments": arguments.to_string() },
    });
    let delta = json!({ "role": "assistant", "tool_calls": [call] });
    stream(delta, "tool_calls", used)
}

/// The model says something; so many tokens are in the context then.
pub(crate) fn text(text: &str, used: u64) -> String {
    stream(
        json!({ "role": "assistant", "content": text }),
        "stop",
        used,
    )
}

fn stream(delta: Value, finish: &str, used: u64) -> String {
    let chunk = |choices: Value, usage: Value| {
        let mut chunk = json!({
            "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": choices,
        });
        if !usage.is_null() {
            chunk["usage"] = usage;
        }
        format!("data: {chunk}\n\n")
    };
    let choice = |delta: Value, finish: Value| json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
    let usage =
        json!({ "prompt_tokens": used, "completion_tokens": 10, "total_tokens": used + 10 });
    [
        chunk(choice(delta, Value::Null), Value::Null),
        chunk(choice(json!({}), finish.into()), Value::Null),
        chunk(json!([]), usage),
        "data: [DONE]\n\n".to_owned(),
    ]
    .concat()
}
