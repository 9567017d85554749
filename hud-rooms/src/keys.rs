//! Short names for the fields of a HUD, in both directions.
//!
//! The table is the same for every HUD, so it is part of the content that never changes. Names within
//! text that an agent wrote or is to write are kept, so renaming stops at those fields ([`is_opaque`]).
//!
//! ```
//! use hud_core::data::json;
//! use hud_rooms::keys::{lengthen, shorten};
//!
//! let hud = json::from_str(r#"{"self":{"memory_used":"4%","knowledge":{"self":1}}}"#)?;
//! let short = shorten(&hud);
//! assert_eq!(json::to_string(&short)?, r#"{"me":{"mem":"4%","k":{"self":1}}}"#);
//! assert_eq!(lengthen(&short), hud);
//! # Ok::<(), hud_core::data::DataError>(())
//! ```

use hud_core::node::Value;

/// The long and the short names. No name is on both sides.
pub const KEYS: &[(&str, &str)] = &[
    ("system", "sys"),
    ("directives", "dir"),
    ("meta", "m"),
    ("instructions", "ins"),
    ("available_actions", "aa"),
    ("response_format", "rf"),
    ("type", "t"),
    ("description", "d"),
    ("example", "ex"),
    ("self", "me"),
    ("identity", "who"),
    ("name", "n"),
    ("model", "mo"),
    ("seed", "sd"),
    ("role", "ro"),
    ("knowledge", "k"),
    ("memory_used", "mem"),
    ("knowledge_not_shown", "kns"),
    ("rooms_not_shown", "rns"),
    ("recent_actions", "ra"),
    ("refused_actions", "ref"),
    ("rooms", "r"),
    ("you", "u"),
    ("is_self_room", "own"),
    ("members", "mb"),
    ("more_members", "mm"),
    ("attention_pct", "at"),
    ("time_since_last", "tsl"),
    ("word_budget", "wb"),
    ("billboard", "bb"),
    ("my_keys", "mk"),
    ("pending_access_requests", "par"),
    ("requester_id", "rq"),
    ("key_used", "ku"),
    ("messages", "msg"),
    ("timestamp", "ts"),
    ("sender", "s"),
    ("content", "c"),
    ("reply_to", "rt"),
    ("reactions", "rx"),
];

/// True if the names within a field are not renamed: knowledge, actions, and reactions.
pub fn is_opaque(long: &str) -> bool {
    matches!(
        long,
        "knowledge" | "available_actions" | "recent_actions" | "refused_actions" | "reactions"
    )
}

/// Returns a HUD with short names.
pub fn shorten(value: &Value) -> Value {
    renamed(value, |name| {
        let found = KEYS.iter().find(|(long, _)| *long == name);
        (found.map_or(name, |(_, short)| *short), is_opaque(name))
    })
}

/// Returns a HUD with long names again. It is the inverse of [`shorten`].
pub fn lengthen(value: &Value) -> Value {
    renamed(value, |name| {
        let found = KEYS.iter().find(|(_, short)| *short == name);
        let long = found.map_or(name, |(long, _)| *long);
        (long, is_opaque(long))
    })
}

fn renamed(value: &Value, rename: fn(&str) -> (&str, bool)) -> Value {
    match value {
        Value::List(values) => Value::List(values.iter().map(|v| renamed(v, rename)).collect()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let (name, is_opaque) = rename(name);
                let value = match is_opaque {
                    true => value.clone(),
                    false => renamed(value, rename),
                };
                (name.to_owned(), value)
            });
            Value::Object(members.collect())
        }
        value => value.clone(),
    }
}

/// Returns the table in one line, for readers of short names.
pub fn legend() -> String {
    let pairs = KEYS.iter().map(|(long, short)| format!("{short}={long}"));
    pairs.collect::<Vec<_>>().join(" ")
}
