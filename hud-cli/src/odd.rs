//! Odd test input that no client sends.

use proptest::prelude::*;
use serde_json::Value;

/// Returns a strategy for any JSON, sometimes with strings that have a meaning.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just("*** Update File: \n[Command exited with code ]".into()),
    ];
    let key = prop_oneof![
        "[a-z]{0,4}",
        Just("path".to_owned()),
        Just("command".to_owned()),
        Just("files".to_owned()),
        Just("output".to_owned()),
        Just("name".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}
