//! Older payloads, brought up to date when they are read.
//!
//! Stored bytes are never rewritten. When a payload changes in a way that serde's defaults can't
//! bridge, raise its version in [`events!`](crate::events) and add to its `from` one function that
//! turns the old form into the next. They compose: a payload of version 1 read by a program that knows
//! version 3 goes through two.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::PayloadError;

/// Turns the payload of one version into the form of the next. Pure and total.
pub type Upcast = fn(Value) -> Value;

/// Reads a payload of version `v` as the payload of version `current`. `from[0]` turns the form of
/// version 1 into that of version 2; a version without a function changed nothing that needs work.
///
/// # Errors
/// When the payload is not JSON, or lacks what its kind and version demand.
pub fn decode_payload<P: DeserializeOwned>(
    kind: &str,
    v: u32,
    current: u32,
    from: &[Upcast],
    payload: &str,
) -> Result<P, PayloadError> {
    let passed = usize::try_from(v.saturating_sub(1)).unwrap_or(usize::MAX);
    let read = match from.get(passed..) {
        // A value of JSON takes many times what the payload does.
        Some([]) | None => serde_json::from_str(payload),
        Some(_) if v == current => serde_json::from_str(payload),
        Some(rest) => serde_json::from_str(payload)
            .map(|payload| rest.iter().fold(payload, |payload, next| next(payload)))
            .and_then(serde_json::from_value),
    };
    read.map_err(|source| PayloadError {
        kind: kind.to_owned(),
        v,
        source,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_payload_goes_through_every_version_after_its_own() {
        let from: &[Upcast] = &[
            |p| json!({"body": p["text"]}),
            |p| json!({"content": p["body"]}),
        ];
        let read = |v| -> Value {
            decode_payload("note.add", v, 3, from, r#"{"text":"x","body":"y"}"#).unwrap()
        };
        assert_eq!(read(1), json!({"content": "x"}));
        assert_eq!(read(2), json!({"content": "y"}));
        assert_eq!(read(3), json!({"text": "x", "body": "y"}));
    }
}
