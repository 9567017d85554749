//! `record.list`: the entries of the record of a turn, of which a handoff shows parts.

use hud_store::state::{Fact, RecordEntry};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Operations, Read, ToolError, View, refuse};

pub(super) fn operations(operations: Operations) -> Operations {
    operations.read::<List>()
}

/// The number of bytes of an answer from which on further entries are left to another call.
const MOST: usize = 24 * 1024;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// The turn, as the HUD shows it: 19 for `t19`.
    turn: u64,
    /// The last turn, by default the same.
    until: Option<u64>,
    /// The number of entries of these turns to leave out, as the answer before gave it.
    skip: Option<usize>,
}

impl Read for List {
    const NAME: &'static str = "record.list";
    const DOES: &'static str =
        "all that was said, changed, run and read in a turn, also before a compaction";
    const EXAMPLE: &'static str = r#"{"turn":19}"#;

    fn run(self, view: &View<'_>) -> Result<Value, ToolError> {
        let turns = self.turn..=self.until.unwrap_or(self.turn);
        let entries = view.state().record.entries();
        let of_turns = entries.iter().filter(|entry| turns.contains(&entry.turn));
        let of_turns: Vec<&RecordEntry> = of_turns.collect();
        if let (true, [first, .., last] | [first @ last]) = (of_turns.is_empty(), entries) {
            let reason = format!(
                "nothing of that turn is kept here: the record has turns {} to {}; `search` finds what is older",
                first.turn, last.turn
            );
            return Err(refuse(Self::NAME, reason));
        }
        let skip = self.skip.unwrap_or(0);
        let (mut shown, mut bytes) = (Vec::new(), 0);
        for entry in of_turns.iter().skip(skip) {
            let written = written(entry);
            bytes += written.to_string().len();
            // One is shown in any case, so that each call leads on.
            if bytes > MOST && !shown.is_empty() {
                break;
            }
            shown.push(written);
        }
        let next = skip + shown.len();
        let left = of_turns.len().saturating_sub(next);
        Ok(match left {
            0 => json!({ "entries": shown }),
            _ => json!({ "entries": shown, "left": left, "skip": next }),
        })
    }
}

/// An entry with its turn, without its time.
fn written(entry: &RecordEntry) -> Value {
    let mut written = json!(entry);
    if let Some(fields) = written.as_object_mut() {
        fields.remove("at");
        if let Fact::Message { .. } = entry.fact {
            fields.remove("id");
        }
    }
    written
}
