//! Changes that tools make in other programs: an issue, a booking, a page. No file shows such a change, and an
//! agent that does not know of it makes it twice.

use hud_observe::action::Action;

/// The first words of the names of tools that change something.
const CHANGES: &[&str] = &[
    "add",
    "apply",
    "approve",
    "archive",
    "assign",
    "book",
    "buy",
    "cancel",
    "close",
    "commit",
    "create",
    "delete",
    "deploy",
    "exchange",
    "insert",
    "merge",
    "modify",
    "move",
    "order",
    "pay",
    "post",
    "publish",
    "push",
    "refund",
    "register",
    "reject",
    "remove",
    "rename",
    "reopen",
    "replace",
    "reply",
    "reserve",
    "restart",
    "return",
    "schedule",
    "send",
    "set",
    "submit",
    "subscribe",
    "transfer",
    "update",
    "upload",
    "write",
];

/// Returns the change of a successful call as one line. `None` if the call is not known to change anything. A name
/// of one word is not enough to know.
pub(super) fn by(action: &Action) -> Option<String> {
    let Action::Other { tool, .. } = action else {
        return None;
    };
    // Clients put the name of a server before the names of its tools.
    let own = tool.rsplit("__").next().unwrap_or(tool);
    let first = own
        .find(|c: char| !c.is_ascii_lowercase())
        .and_then(|end| own.get(..end))?;
    CHANGES
        .contains(&first)
        .then(|| format!("done: {}", action.label()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(tool: &str) -> Option<String> {
        by(&Action::Other {
            tool: tool.to_owned(),
            target: Some("X7".to_owned()),
        })
    }

    #[test]
    fn a_tool_that_says_so_changes_something_and_another_is_not_known_to() {
        for tool in [
            "cancel_reservation",
            "mcp__linear__create_issue",
            "sendMail",
            "close-ticket",
        ] {
            assert_eq!(done(tool), Some(format!("done: {tool} X7")));
        }
        for tool in [
            "get_reservation",
            "submit",
            "settings_get",
            "think",
            "Cancel",
            "",
        ] {
            assert_eq!(done(tool), None, "{tool}");
        }
    }
}
