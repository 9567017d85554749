//! Older payloads, brought up to date when they are read.
//!
//! Stored bytes are never rewritten. When a payload changes in a way that serde's defaults can't
//! bridge, raise its `v` in the table of kinds and add one row here that turns the old form into
//! the next. Rows compose: a payload of v1 read by a program that knows v3 goes through two.

use serde_json::Value;

/// Turns the payload of one `(kind, v)` into the form of `v + 1`. Pure and total.
pub(super) type Upcast = fn(Value) -> Value;

/// Every change of a payload so far: none yet.
pub(super) const UPCASTS: &[(&str, u32, Upcast)] = &[];

/// Brings a payload from version `v` up to version `current`.
///
/// A version without a row changed nothing that needs work.
pub(super) fn upcast(
    rows: &[(&str, u32, Upcast)],
    kind: &str,
    v: u32,
    current: u32,
    payload: Value,
) -> Value {
    (v..current).fold(payload, |payload, v| {
        match rows.iter().find(|row| (row.0, row.1) == (kind, v)) {
            Some((_, _, next)) => next(payload),
            None => payload,
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_run_in_order_and_only_for_their_kind() {
        let rows: &[(&str, u32, Upcast)] = &[
            ("note.add", 2, |p| json!({"content": p["body"]})),
            ("note.add", 1, |p| json!({"body": p["text"]})),
        ];
        let up = |kind, v| upcast(rows, kind, v, 3, json!({"text": "x", "body": "y"}));
        assert_eq!(up("note.add", 1), json!({"content": "x"}));
        assert_eq!(up("note.add", 2), json!({"content": "y"}));
        assert_eq!(up("note.add", 3), json!({"text": "x", "body": "y"}));
        assert_eq!(up("task.set", 1), json!({"text": "x", "body": "y"}));
    }
}
