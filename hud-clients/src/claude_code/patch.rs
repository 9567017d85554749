//! The change that Claude Code reports with a result: the lines, from its own comparison of the texts.

use hud_observe::change::Change;
use hud_store::state::Lines;
use serde_json::Value;

/// Returns the change that the hunks of `structuredPatch` make in a file. `kind` is the `type` of the
/// result, which is `create` for a new file. If the call already `named` the new names, they are left
/// out.
pub(super) fn change(path: &str, hunks: &Value, kind: Option<&str>, named: bool) -> Option<Change> {
    let hunks = hunks.as_array()?;
    let mut lines: Option<Lines> = None;
    let (mut removed, mut added) = (String::new(), String::new());
    for hunk in hunks {
        if let Some(of) = span(hunk) {
            lines = Some(match lines {
                Some(known) => Lines {
                    first: known.first.min(of.first),
                    last: known.last.max(of.last),
                },
                None => of,
            });
        }
        for line in texts(hunk) {
            let (sides, line) = match (line.strip_prefix('+'), line.strip_prefix('-')) {
                (Some(new), _) => ([Some(&mut added), None], new),
                (None, Some(old)) => ([Some(&mut removed), None], old),
                // The lines around a change are in both texts.
                (None, None) => {
                    let line = line.get(1..).unwrap_or_default();
                    ([Some(&mut added), Some(&mut removed)], line)
                }
            };
            for side in sides.into_iter().flatten() {
                side.push_str(line);
                side.push('\n');
            }
        }
    }
    Some(Change {
        lines,
        created: kind == Some("create"),
        ..match named {
            true => Change::without_names(path, &removed, &added),
            false => Change::of(path, &removed, &added),
        }
    })
}

/// The range of the changed lines of a hunk, without the context lines.
fn span(hunk: &Value) -> Option<Lines> {
    let start = hunk["newStart"].as_u64()?;
    let mut at = start;
    let mut found: Option<Lines> = None;
    for line in texts(hunk) {
        let is_new = line.starts_with('+');
        if is_new || line.starts_with('-') {
            let first = found.map_or(at, |lines| lines.first);
            found = Some(Lines { first, last: at });
        }
        at = at.saturating_add(u64::from(is_new || line.starts_with(' ')));
    }
    found
}

fn texts(hunk: &Value) -> impl Iterator<Item = &str> {
    hunk["lines"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_lines_that_changed_are_those_without_what_is_around_them() {
        let hunks = json!([{
            "oldStart": 1033, "oldLines": 4, "newStart": 1033, "newLines": 5,
            "lines": [" a", "-b", "+fn load_all() {", "+c", " d"]
        }]);
        let change = change("a.rs", &hunks, Some("update"), false).unwrap();
        assert_eq!(change.names, ["load_all"]);
        assert_eq!(
            change.lines,
            Some(Lines {
                first: 1034,
                last: 1035
            })
        );
        assert!(!change.created);
    }

    #[test]
    fn hunks_of_another_shape_say_nothing() {
        for hunks in [json!(null), json!({}), json!("x")] {
            assert_eq!(super::change("a", &hunks, None, false), None);
        }
        let odd = json!([7, { "newStart": "x", "lines": 3 }, { "newStart": 4, "lines": [7, ""] }]);
        assert_eq!(super::change("a", &odd, None, false).unwrap().lines, None);
    }
}
