//! What a model says, as Anthropic's messages endpoint streams it.

use serde_json::{Value, json};

use super::events;

/// The model calls a tool; so many tokens were sent to it.
pub(crate) fn call(turn: usize, name: &str, input: &Value, sent: u64) -> String {
    counted(turn, name, input, &uncached(sent))
}

/// The model calls a tool; its provider counts what was sent so.
pub(crate) fn counted(turn: usize, name: &str, input: &Value, usage: &Value) -> String {
    let call =
        json!({ "type": "tool_use", "id": format!("toolu_{turn}"), "name": name, "input": {} });
    let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
    stream(turn, &call, &delta, "tool_use", usage)
}

/// The model says something; so many tokens were sent to it.
pub(crate) fn text(turn: usize, text: &str, sent: u64) -> String {
    let block = json!({ "type": "text", "text": "" });
    let delta = json!({ "type": "text_delta", "text": text });
    stream(turn, &block, &delta, "end_turn", &uncached(sent))
}

/// What a provider counts of which nothing was in its cache.
fn uncached(sent: u64) -> Value {
    json!({
        "input_tokens": sent, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": 1,
    })
}

/// Two messages of one name would be one to the client.
fn stream(turn: usize, block: &Value, delta: &Value, stop: &str, usage: &Value) -> String {
    let message = json!({
        "id": format!("msg_{turn}"), "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    events(&[
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null },
                "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ])
}
