//! Lists of texts that are replaced as a whole.

use std::collections::{HashMap, HashSet};

use hud_store::event::HudEvent;
use serde_json::{Value, json};

use super::{Draft, ToolError, refuse, said};

/// Removes the items whose texts are not among the new ones, and adds what is new: `add` gives the answer of
/// the operation that adds one, which is not added where there is one with the same text. A text that is given twice is
/// one item.
///
/// # Errors
///
/// [`ToolError::Refused`] for more than `most` texts, of which the section would keep the last ones only, and for an empty
/// one.
pub(super) fn replace<T>(
    (items, most): (&[T], usize),
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
    let distinct: HashSet<&String> = texts.iter().collect();
    if distinct.len() > most {
        let reason = format!(
            "{} are given, and no more than {most} are kept: leave out what matters least",
            distinct.len()
        );
        return Err(refuse(operation, reason));
    }
    for gone in items.iter().filter(|item| !texts.contains(text(item))) {
        draft.record(remove(gone));
    }
    let mut known: HashMap<String, Value> = HashMap::new();
    let ids: Vec<Value> = texts
        .into_iter()
        .map(|text| match known.get(&text) {
            Some(id) => id.clone(),
            None => {
                let id = add(draft, text.clone())["id"].clone();
                known.insert(text, id.clone());
                id
            }
        })
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
