//! Patches between `*** Begin Patch` and `*** End Patch`, which several clients take.

use crate::action::Action;

/// What a patch does to the files that its headers name, each named once.
pub(super) fn actions(patch: &str) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    for line in patch.lines() {
        let header = |header| {
            let path = str::trim(line.strip_prefix(header)?);
            (!path.is_empty()).then(|| path.to_owned())
        };
        let action = if let Some(path) = header("*** Add File: ") {
            Action::Write { path }
        } else if let Some(path) = header("*** Update File: ") {
            Action::Edit { path }
        } else if let Some(path) = header("*** Delete File: ") {
            Action::Delete { path }
        } else if let Some(to) = header("*** Move to: ") {
            // It is of the file that the header before names.
            match actions.pop() {
                Some(Action::Edit { path: from }) => Action::Move { from, to },
                before => {
                    actions.extend(before);
                    Action::Write { path: to }
                }
            }
        } else {
            continue;
        };
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files_and_what_becomes_of_them() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-*** Add File: no\n+x\n\
                     *** Add File: n.rs\n*** Update File: old.rs\n*** Move to: new.rs\n\
                     *** Delete File: b c.md\n*** Update File: src/a.rs\n*** End Patch\n";
        let of = |path: &str| path.to_owned();
        assert_eq!(
            actions(patch),
            [
                Action::Edit {
                    path: of("src/a.rs")
                },
                Action::Write { path: of("n.rs") },
                Action::Move {
                    from: of("old.rs"),
                    to: of("new.rs")
                },
                Action::Delete { path: of("b c.md") },
            ]
        );
    }
}
