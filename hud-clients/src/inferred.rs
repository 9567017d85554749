//! The actions of tools that are in no table: tools of MCP servers, and custom tools of an agent. The
//! name and the arguments together show that a tool works on a file or runs a command line. Neither is
//! enough alone.

use hud_observe::action::Action;
use hud_observe::patch;
use serde_json::Value;

use super::texts;
use super::tools::{other, text};

/// The arguments that name a file.
const PATHS: &[&str] = &[
    "path",
    "file_path",
    "filePath",
    "filepath",
    "file_name",
    "filename",
    "fileName",
    "absolute_path",
    "absolutePath",
    "relative_path",
    "target_file",
    "file",
];

/// The arguments that show that a path is on another machine.
const REMOTE: &[&str] = &[
    "owner",
    "repo",
    "repository",
    "project_id",
    "bucket",
    "host",
    "hostname",
    "url",
    "uri",
];

/// The arguments with the replaced text, each paired with the argument that has the new text.
const REPLACED: &[(&str, &str)] = &[
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
    ("search", "replace"),
    ("find", "replace"),
];

/// The arguments with the whole text of a file.
const WHOLE: &[&str] = &["content", "contents", "file_text", "text", "code"];

/// The arguments with a command line.
const COMMANDS: &[&str] = &["command", "cmd"];

/// The words in the names of tools that create a file.
const WRITES: &[&str] = &["write", "create", "save", "overwrite", "put"];

/// The words in the names of tools that change a part of a file.
const EDITS: &[&str] = &[
    "edit", "editor", "insert", "append", "update", "replace", "modify", "patch", "apply",
    "prepend",
];

/// The words in the names of tools that read a file.
const READS: &[&str] = &["read", "view", "open", "cat"];

/// The words in the names of tools that work on files. Without one of them, a tool such as
/// `write_message` does not write a file.
const FILES: &[&str] = &["file", "files", "text", "code", "notebook", "str"];

/// The words in the names of tools that run a command line.
const RUNS: &[&str] = &["bash", "shell", "terminal", "command", "cmd", "powershell"];

/// Returns the actions of a call, from the name of the tool and its arguments. There is at least one.
pub(super) fn actions(tool: &str, input: &Value) -> Vec<Action> {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let words = words(name);
    let has = |of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    let given = |keys: &[&str]| keys.iter().find_map(|key| text(input, key));
    if REMOTE.iter().any(|key| input.get(key).is_some()) {
        return vec![other(tool, input)];
    }
    let Some(path) = given(PATHS) else {
        let run = given(COMMANDS).filter(|_| has(RUNS));
        let patched = given(&["patch", "diff", "input"]).filter(|_| has(&["patch"]));
        let patched = patched.map_or_else(Vec::new, |text| patch::actions(&text));
        return match run {
            Some(command) => vec![Action::Run { command }],
            None if !patched.is_empty() => patched,
            None => vec![other(tool, input)],
        };
    };
    let is_replaced = |of: &Value| {
        let both = |(old, new): &(&str, &str)| text(of, old).is_some() && text(of, new).is_some();
        REPLACED.iter().any(both)
    };
    let mut lists = ["edits", "replacements"]
        .into_iter()
        .filter_map(|key| input.get(key)?.as_array());
    let replaces = is_replaced(input) || lists.any(|list| list.iter().any(is_replaced));
    let is_whole = given(WHOLE).is_some();
    let only_does = |of: &[&str]| words.iter().all(|word| of.contains(&word.as_str()));
    let is_of_file = |of: &[&str]| has(of) && (has(FILES) || only_does(of));
    let action = if replaces || (is_of_file(EDITS) && (is_whole || text(input, "diff").is_some())) {
        Action::edit(path)
    } else if is_whole && is_of_file(WRITES) {
        Action::write(path)
    } else if !is_whole && is_of_file(READS) {
        Action::read(path)
    } else {
        return vec![other(tool, input)];
    };
    texts::tell(vec![action], input)
}

/// Returns the words of a name in lowercase. `writeFile` and `write_file` have the same words.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut is_within, mut is_small) = (false, false);
    for c in name.chars() {
        let is_letter = c.is_alphanumeric();
        if is_letter && (!is_within || (is_small && c.is_uppercase())) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| is_letter) {
            word.extend(c.to_lowercase());
        }
        (is_within, is_small) = (is_letter, !c.is_uppercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn does(tool: &str, input: &Value) -> &'static str {
        match &actions(tool, input)[..] {
            [Action::Read { .. }] => "read",
            [Action::Write { .. }] => "write",
            [Action::Edit { .. }] => "edit",
            [Action::Run { .. }] => "run",
            [Action::Other { .. }] => "other",
            _ => "several",
        }
    }

    #[test]
    fn a_tool_of_no_table_does_what_its_name_and_its_arguments_say() {
        for (tool, input, wanted) in [
            (
                "save_file",
                json!({ "filename": "a", "contents": "x" }),
                "write",
            ),
            (
                "mcp__fs__write_file",
                json!({ "path": "a", "content": "x" }),
                "write",
            ),
            (
                "createFile",
                json!({ "filePath": "a", "content": "" }),
                "write",
            ),
            (
                "file_editor",
                json!({ "path": "a", "oldText": "x", "newText": "y" }),
                "edit",
            ),
            (
                "mcp__fs__edit_file",
                json!({ "path": "a", "edits": [{ "oldText": "x", "newText": "y" }] }),
                "edit",
            ),
            (
                "replace_text",
                json!({ "file": "a", "search": "x", "replace": "y" }),
                "edit",
            ),
            (
                "append_to_file",
                json!({ "path": "a", "text": "x" }),
                "edit",
            ),
            ("view_file", json!({ "path": "a", "start": 3 }), "read"),
            ("mcp__fs__read_text_file", json!({ "path": "a" }), "read"),
            ("execute_bash", json!({ "command": "make" }), "run"),
            ("run_terminal_cmd", json!({ "command": "make" }), "run"),
        ] {
            assert_eq!(does(tool, &input), wanted, "{tool} {input}");
        }
    }

    #[test]
    fn a_name_or_an_argument_alone_says_nothing() {
        for (tool, input) in [
            ("write_file", json!({ "content": "x" })),
            ("send_message", json!({ "path": "a", "text": "x" })),
            ("write_message", json!({ "path": "a", "text": "x" })),
            ("create_comment", json!({ "path": "a", "content": "x" })),
            (
                "mcp__hub__create_or_update_file",
                json!({ "owner": "o", "repo": "r", "path": "a", "content": "x" }),
            ),
            ("open_door", json!({ "path": "a" })),
            ("run_query", json!({ "command": "select 1" })),
            ("search", json!({ "path": "a", "search": "x" })),
            ("write_file", json!({ "path": 7, "content": "x" })),
            ("", json!({ "path": "a", "content": "x" })),
            ("write_file", json!(null)),
        ] {
            assert_eq!(does(tool, &input), "other", "{tool} {input}");
        }
    }
}
