//! The text that a call reads or changes, from the arguments of the clients' tools.

use hud_observe::action::Action;
use hud_observe::change::Change;
use hud_observe::patch;
use hud_store::state::Lines;
use serde_json::Value;

/// The arguments with the replaced text.
const OLD: &[&str] = &[
    "old_string",
    "oldString",
    "old_str",
    "old_text",
    "oldText",
    "before",
    "search",
    "find",
];

/// The arguments with the new text.
const NEW: &[&str] = &[
    "new_string",
    "newString",
    "new_str",
    "new_text",
    "newText",
    "new_source",
    "after",
    "replace",
    "content",
    "contents",
    "file_text",
    "text",
    "code",
];

/// The arguments with a list of replacements.
const LISTS: &[&str] = &["edits", "replacements"];

/// The number of lines from which on a read counts as a read of the whole file.
const ALL: u64 = 1_000;

/// Adds the text from the arguments to the actions, unless there are several actions.
pub(super) fn tell(mut actions: Vec<Action>, input: &Value) -> Vec<Action> {
    match &mut actions[..] {
        [Action::Edit { path, change } | Action::Write { path, change }] if change.is_unknown() => {
            *change = changed(path, input);
        }
        [Action::Read { lines, .. }] if lines.is_none() => *lines = read(input),
        _ => {}
    }
    actions
}

fn changed(path: &str, input: &Value) -> Change {
    let lists = LISTS.iter().filter_map(|list| input[*list].as_array());
    let edits: Vec<&Value> = lists.flatten().chain([input]).collect();
    let of = |keys: &[&str]| {
        let text = |edit: &&Value| {
            keys.iter()
                .find_map(|key| edit[*key].as_str().map(str::to_owned))
        };
        edits.iter().filter_map(text).collect::<Vec<_>>()
    };
    let (mut removed, mut added) = (of(OLD), of(NEW));
    if let Some(diff) = input["diff"].as_str() {
        let (old, new) = patch::blocks(diff);
        removed.push(old);
        added.push(new);
    }
    let (numbered, added) = numbered(added.join("\n"));
    let inserted = input["insert_line"].as_u64().map(|line| line + 1);
    Change {
        lines: inserted.or(numbered).map(|first| span(first, &added)),
        ..Change::of(path, &removed.join("\n"), &added)
    }
}

/// Returns the range of lines that a text fills from a first line on.
fn span(first: u64, text: &str) -> Lines {
    let count = text.lines().count().max(1) as u64;
    Lines {
        first,
        last: first.saturating_add(count - 1),
    }
}

/// Returns the first replaced line of a text that begins with a range (`10:20`), and the text without
/// the range and the end mark.
fn numbered(text: String) -> (Option<u64>, String) {
    let text = match text.trim_end().strip_suffix("\nend_of_edit") {
        Some(text) => text.to_owned(),
        None => text,
    };
    let first = text.split_once('\n').and_then(|(range, rest)| {
        let (first, last) = range.trim().split_once(':')?;
        last.parse::<u64>().ok()?;
        Some((first.parse().ok()?, rest))
    });
    match first {
        Some((first, rest)) => (Some(first), rest.trim_end().to_owned()),
        None => (None, text),
    }
}

/// Returns the range of lines that a call reads.
fn read(input: &Value) -> Option<Lines> {
    let number = |key: &str| input[key].as_u64();
    let range = &input["view_range"];
    let named = || number("start_line").zip(number("end_line"));
    let (first, last) = match (number("limit"), range[0].as_u64().zip(range[1].as_u64())) {
        (_, Some(range)) => range,
        (Some(limit), None) => {
            let first = number("offset").unwrap_or(1).max(1);
            (first, first.checked_add(limit)?.checked_sub(1)?)
        }
        (None, None) => named()?,
    };
    let is_part = first > 1 || last < ALL;
    (is_part && first <= last).then_some(Lines { first, last })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(input: &Value) -> Change {
        changed("a.rs", input)
    }

    #[test]
    fn the_texts_of_a_change_are_found_under_any_clients_names() {
        for input in [
            json!({ "old_string": "fn old() {}", "new_string": "fn load_all() {}" }),
            json!({ "oldString": "fn old() {}", "newString": "fn load_all() {}" }),
            json!({ "edits": [{ "old_text": "x", "new_text": "fn load_all() {}" }] }),
            json!({ "content": "fn load_all() {}" }),
            json!({ "before": "", "after": "fn load_all() {}" }),
            json!({ "diff": "------- SEARCH\nx\n=======\nfn load_all() {}\n+++++++ REPLACE" }),
            json!({ "diff": "--- a.rs\n+++ a.rs\n@@ -1 +1 @@\n-x\n+fn load_all() {}" }),
        ] {
            assert_eq!(change(&input).names, ["load_all"], "{input}");
        }
    }

    #[test]
    fn an_insertion_and_a_numbered_edit_say_where_they_are() {
        let lines = |input| change(&input).lines.map(|lines| lines.to_string());
        let inserted = json!({ "insert_line": 9, "new_str": "a\nb" });
        assert_eq!(lines(inserted).as_deref(), Some("10-11"));
        let numbered = json!({ "text": "4:6\nfn x() {}\nend_of_edit" });
        assert_eq!(lines(numbered).as_deref(), Some("4"));
        assert_eq!(lines(json!({ "text": "fn x() {}" })), None);
        let marked = json!({ "text": "fn new_name() {}\nend_of_edit\n" });
        assert_eq!(change(&marked).names, ["new_name"]);
    }

    #[test]
    fn a_read_of_a_part_says_which_lines() {
        let lines = |input| read(&input).map(|lines| lines.to_string());
        let some = |lines: &str| Some(lines.to_owned());
        assert_eq!(
            lines(json!({ "offset": 680, "limit": 27 })),
            some("680-706")
        );
        assert_eq!(lines(json!({ "start_line": 3, "end_line": 3 })), some("3"));
        assert_eq!(lines(json!({ "view_range": [1, 40] })), some("1-40"));
        assert_eq!(lines(json!({ "offset": 1, "limit": 2000 })), None);
        assert_eq!(lines(json!({ "view_range": [7, -1] })), None);
        assert_eq!(
            lines(json!({ "offset": u64::MAX, "limit": u64::MAX })),
            None
        );
        assert_eq!(lines(json!({ "limit": 0 })), None);
    }
}
