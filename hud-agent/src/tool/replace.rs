//! Lists of texts that are replaced as a whole.

use hud_store::event::HudEvent;
use serde_json::{Value, json};

use super::{Draft, ToolError, said};

/// Removes the items whose texts are not among the new ones, and adds what is new: `add` gives the answer of
/// the operation that adds one, which is not added where there is one that says the same.
pub(super) fn replace<T>(
    items: &[T],
    texts: Vec<String>,
    operation: &'static str,
    draft: &mut Draft<'_>,
    text: impl Fn(&T) -> &String,
    remove: impl Fn(&T) -> HudEvent,
    add: impl Fn(&mut Draft<'_>, String) -> Value,
) -> Result<Value, ToolError> {
    let texts = texts
        .into_iter()
        .map(|text| said(operation, "value", text))
        .collect::<Result<Vec<_>, _>>()?;
    for gone in items.iter().filter(|item| !texts.contains(text(item))) {
        draft.record(remove(gone));
    }
    let ids: Vec<Value> = texts
        .into_iter()
        .map(|text| add(draft, text)["id"].clone())
        .collect();
    Ok(json!({ "ids": ids }))
}

/// Removes all items.
pub(super) fn clear<T>(
    items: &[T],
    draft: &mut Draft<'_>,
    remove: impl Fn(&T) -> HudEvent,
) -> bool {
    for item in items {
        draft.record(remove(item));
    }
    true
}
