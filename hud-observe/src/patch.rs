//! Parses patches between `*** Begin Patch` and `*** End Patch`, which several clients accept.

use crate::action::Action;
use crate::change::Change;

/// Returns the actions of a patch on the files in its headers, each action once.
pub fn actions(patch: &str) -> Vec<Action> {
    let mut parts: Vec<(Action, String)> = Vec::new();
    for line in patch.lines() {
        let header = |header| {
            let path = str::trim(line.strip_prefix(header)?);
            (!path.is_empty()).then(|| path.to_owned())
        };
        let action = if let Some(path) = header("*** Add File: ") {
            Action::write(path)
        } else if let Some(path) = header("*** Update File: ") {
            Action::edit(path)
        } else if let Some(path) = header("*** Delete File: ") {
            Action::Delete { path }
        } else if let Some(to) = header("*** Move to: ") {
            // It refers to the file of the previous header.
            match parts.pop() {
                Some((Action::Edit { path: from, .. }, _)) => Action::Move { from, to },
                before => {
                    parts.extend(before);
                    Action::write(to)
                }
            }
        } else {
            if let Some((_, body)) = parts.last_mut() {
                body.push_str(line);
                body.push('\n');
            }
            continue;
        };
        // The following lines belong to the last action.
        let known = parts.iter().position(|(known, _)| *known == action);
        let body = known.map(|known| parts.remove(known).1);
        parts.push((action, body.unwrap_or_default()));
    }
    parts.into_iter().map(changing).collect()
}

/// Returns an action with the change in the lines below its header.
fn changing((mut action, body): (Action, String)) -> Action {
    let is_new = matches!(action, Action::Write { .. });
    if let Action::Edit { path, change } | Action::Write { path, change } = &mut action {
        let (removed, added) = blocks(&body);
        *change = Change {
            created: is_new,
            ..Change::of(path, &removed, &added)
        };
    }
    action
}

/// Returns the removed and the added text of a diff: blocks of `SEARCH` and `REPLACE`, or lines with `-` and
/// `+`.
pub fn blocks(diff: &str) -> (String, String) {
    let (mut removed, mut added) = (String::new(), String::new());
    let mut side = None;
    for line in diff.lines() {
        if line.ends_with("SEARCH") || line.ends_with("SEARCH>") {
            side = Some(true);
        } else if side == Some(true) && line.starts_with("=====") {
            side = Some(false);
        } else if side.is_some() && (line.ends_with("REPLACE") || line.ends_with("REPLACE>")) {
            side = None;
        } else {
            let (text, line) = match (side, line.strip_prefix('-'), line.strip_prefix('+')) {
                (Some(true), ..) => (&mut removed, line),
                (Some(false), ..) => (&mut added, line),
                (None, Some(old), _) if !old.starts_with("--") => (&mut removed, old),
                (None, _, Some(new)) if !new.starts_with("++") => (&mut added, new),
                // Context lines are in both texts.
                (None, None, None) => {
                    added.push_str(line);
                    added.push('\n');
                    (&mut removed, line)
                }
                _ => continue,
            };
            text.push_str(line);
            text.push('\n');
        }
    }
    (removed, added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files_and_what_becomes_of_them() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-*** Add File: no\n+x\n\
                     *** Add File: n.rs\n+fn load_all() {}\n*** Update File: old.rs\n*** Move to: new.rs\n\
                     *** Delete File: b c.md\n*** Update File: src/a.rs\n+struct Way;\n*** End Patch\n";
        let actions = actions(patch);
        let labels: Vec<String> = actions.iter().map(Action::label).collect();
        assert_eq!(
            labels,
            ["Edit n.rs", "Edit old.rs", "Edit b c.md", "Edit src/a.rs"]
        );
        let [
            Action::Write { change, .. },
            Action::Move { to, .. },
            Action::Delete { .. },
            Action::Edit { change: edit, .. },
        ] = &actions[..]
        else {
            panic!("{actions:?}");
        };
        assert!(change.created);
        assert_eq!(change.names, ["load_all"]);
        assert_eq!(to, "new.rs");
        assert_eq!(edit.names, ["Way"]);
    }
}
