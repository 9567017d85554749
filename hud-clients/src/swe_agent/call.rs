//! An action as a call of a tool.

use serde_json::{Value, json};

/// Returns the tool call of an action's text. SWE-agent's own commands are calls by name, with the
/// arguments that function calls have. Any other text is a shell command.
pub(super) fn call(action: &str) -> (String, Value) {
    let (name, rest) = action.split_once([' ', '\n']).unwrap_or((action, ""));
    let input = match name {
        "open" => json!({ "path": first_word(rest) }),
        "create" => json!({ "filename": first_word(rest) }),
        "edit" | "insert" => json!({ "text": rest }),
        "find_file" | "search_dir" | "search_file" => json!({ "query": rest.trim() }),
        "goto" | "scroll_down" | "scroll_up" | "set_cursors" | "submit" | "exit" => json!({}),
        _ => return ("bash".to_owned(), json!({ "command": action })),
    };
    (name.to_owned(), input)
}

/// Returns the first word, without quotes around it.
fn first_word(text: &str) -> &str {
    let text = text.trim();
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let (word, _) = text.strip_prefix(quote)?.split_once(quote)?;
        Some(word)
    });
    quoted.unwrap_or_else(|| text.split_whitespace().next().unwrap_or_default())
}
