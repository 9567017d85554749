//! Calls of the `hud` tool that undo what a user did.

use hud_store::state::HudState;
use serde_json::{Value, json};

/// Returns the call that restores the state `before` another call. `None` if there is none.
pub(super) fn undo_of(
    before: &HudState,
    tool: &str,
    args: &Value,
    answer: &Value,
) -> Option<Value> {
    let call = |tool: &str, args: Value| Some(json!({ "tool": tool, "args": args }));
    if answer.get("unchanged") == Some(&Value::Bool(true)) {
        return None;
    }
    let task = before.task.as_ref();
    match tool {
        "task.set" if task.is_none_or(|task| !task.done) => {
            let description = task.map_or("", |task| &task.description);
            return call("task.set", json!({ "description": description }));
        }
        "task.update" => {
            return call("task.update", json!({ "description": task?.description }));
        }
        "task.pin" => {
            let description = task.map_or("", |task| &task.description);
            let pinned = task.is_some_and(|task| task.pinned);
            return call(
                "task.pin",
                json!({ "pinned": pinned, "description": description }),
            );
        }
        "review" => {
            let dropped = args.get("drop")?.as_array()?;
            let [id] = dropped.as_slice() else {
                return None;
            };
            return said_again(before, id.as_str()?);
        }
        _ => {}
    }
    let id = args.get("id").or_else(|| answer.get("id"))?.as_str();
    let id = id.unwrap_or_default();
    match tool {
        "notes.add" | "steps.add" | "blockers.add" => {
            call(&tool.replace(".add", ".remove"), json!({ "id": id }))
        }
        "constraints.add" => call("constraints.lift", json!({ "id": id })),
        "findings.record" => call("findings.remove", json!({ "id": id })),
        "decisions.record" => call("decisions.remove", json!({ "id": id })),
        "errors.resolve" => call("errors.reopen", json!({ "id": id })),
        "errors.reopen" => call("errors.resolve", json!({ "id": id })),
        "notes.update" => {
            let note = before.notes.iter().find(|note| note.id == id)?;
            call("notes.update", json!({ "id": id, "content": note.content }))
        }
        _ if tool.ends_with(".remove") || tool == "constraints.lift" => said_again(before, id),
        _ => None,
    }
}

/// Returns the call that records a removed item again.
fn said_again(before: &HudState, id: &str) -> Option<Value> {
    let call = |tool: &str, args: Value| Some(json!({ "tool": tool, "args": args }));
    if let Some(note) = before.notes.iter().find(|one| one.id == id) {
        return call("notes.add", json!({ "content": note.content }));
    }
    if let Some(one) = before.decisions.iter().find(|one| one.id == id) {
        let args = json!({ "summary": one.summary, "details": one.details });
        return call("decisions.record", args);
    }
    if let Some(one) = before.findings.iter().find(|one| one.id == id) {
        return call("findings.record", json!({ "text": one.text }));
    }
    if let Some(one) = before.constraints.iter().find(|one| one.id == id) {
        return call("constraints.add", json!({ "text": one.text }));
    }
    if let Some(one) = before.blockers.iter().find(|one| one.id == id) {
        return call("blockers.add", json!({ "description": one.description }));
    }
    let step = before.next_steps.iter().find(|one| one.id == id)?;
    call("steps.add", json!({ "description": step.description }))
}
