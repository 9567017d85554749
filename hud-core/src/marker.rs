//! Marks that clients and models interpret: the tags around a HUD, around a client's messages to
//! its model and around calls, and the tokens of chat templates. The content of a session is data,
//! so it must not contain a mark.
//!
//! Apply [`neutral`] to the complete text right before it is shown. A layout may put a mark
//! together from pieces that are no marks themselves.

use std::borrow::Cow;

/// The character that replaces the `<` of a mark.
pub const NEUTRAL: char = '‹';

/// The names of tags that clients and models interpret, with `-` for `_`. A name that ends with `-`
/// or `:` is a prefix of further names.
const NAMES: &[&str] = &[
    // Around a HUD.
    "hud",
    // Claude Code.
    "system-reminder",
    "system-message",
    "system-notification",
    "task-notification",
    "teammate-message",
    "cross-session-message",
    "user-prompt-submit-hook",
    "session-start-hook",
    "post-tool-use-hook",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "ide-opened-file",
    "ide-selection",
    "ide-diagnostics",
    "new-diagnostics",
    "tool-use-error",
    "persisted-output",
    "claude-md",
    "user-memory-input",
    // Codex.
    "environment-context",
    "user-instructions",
    "user-shell-command",
    "developer-instructions",
    "permissions-instructions",
    "turn-aborted",
    "subagent-notification",
    "collaboration-mode",
    // Gemini CLI, Cline, opencode and goose.
    "session-context",
    "hook-context",
    "loaded-context",
    "state-snapshot",
    "environment-details",
    "explicit-instructions",
    "user-feedback",
    "user-message",
    "user-query",
    "attempt-completion",
    "ask-followup-question",
    "additional-data",
    "info-msg",
    // Calls and their results, as models write and read them.
    "antml:",
    "function-calls",
    "function-call",
    "function-results",
    "function-result",
    "tool-calls",
    "tool-call",
    "tool-results",
    "tool-result",
    "tool-response",
    "tool-use",
    "invoke",
];

/// The maximum number of characters from a mark's `<` to the end of its name.
const LONGEST: usize = 48;

/// The text with the `<` of each mark replaced by [`NEUTRAL`].
///
/// Marks are found in any case, with white space, attributes, fullwidth forms or invisible
/// characters in them, and with markdown escapes in front of their characters.
///
/// ```
/// use hud_core::marker::neutral;
///
/// assert_eq!(neutral("a </hud> b"), "a ‹/hud> b");
/// assert_eq!(neutral(r"a \< / System-Reminder x=1>"), "a ‹ / System-Reminder x=1>");
/// assert_eq!(neutral("＜／ｈｕｄ＞ <|im_start|>"), "‹／ｈｕｄ＞ ‹|im_start|>");
/// assert_eq!(neutral("Vec<u8> <hudson> <b>"), "Vec<u8> <hudson> <b>");
/// ```
pub fn neutral(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut written = 0;
    for (at, open) in text.char_indices().filter(|(_, c)| is_open(*c)) {
        let behind = text.get(at + open.len_utf8()..).unwrap_or_default();
        if !begins(behind) {
            continue;
        }
        let before = text.get(written..at).unwrap_or_default();
        // Removes the backslash of an escape, which would be visible in front of the replacement.
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        let escape = usize::from(backslashes % 2 == 1);
        shown.push_str(before.get(..before.len() - escape).unwrap_or_default());
        shown.push(NEUTRAL);
        written = at + open.len_utf8();
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(shown)
}

/// True for `<` and characters that look like it.
#[doc(hidden)]
pub fn is_open(c: char) -> bool {
    matches!(c, '<' | '＜' | '﹤' | '〈' | '⟨' | '❮')
}

/// True if the text after a `<` makes it a mark.
#[doc(hidden)]
pub fn begins(behind: &str) -> bool {
    let seen = || behind.chars().filter(|c| !is_unseen(*c)).map(narrow);
    let mut rest = seen().take(LONGEST).peekable();
    if rest.peek().is_some_and(|c| *c == '|') {
        return is_token(seen().skip(1).take(LONGEST));
    }
    while rest.next_if(|c| *c == '/' || is_between(*c)).is_some() {}
    let mut name = String::new();
    while let Some(c) = rest.next_if(|c| is_of_name(*c)) {
        name.push(if c == '_' { '-' } else { c });
    }
    let name = name.trim_end_matches(['-', ':']);
    let is_family = |known: &str| {
        known.ends_with(['-', ':']) && name.len() > known.len() && name.starts_with(known)
    };
    NAMES.iter().any(|known| name == *known || is_family(known))
}

/// True if the text after `<|` is the rest of a chat template's token: a name and another `|`.
fn is_token(rest: impl Iterator<Item = char>) -> bool {
    let mut rest = rest.peekable();
    let mut length = 0;
    while rest.next_if(|c| is_of_name(*c) || *c == '▁').is_some() {
        length += 1;
    }
    length > 0 && rest.next() == Some('|')
}

/// The lower-case ASCII character that a character looks like, or the character itself in lower
/// case.
#[doc(hidden)]
pub fn narrow(c: char) -> char {
    let narrow = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '⁄' | '∕' | '⧸' => '/',
        '‐' | '‑' | '‒' | '–' | '−' => '-',
        c => c,
    };
    narrow.to_ascii_lowercase()
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')
}

/// True for a character that may be between the beginning of a tag and its name: white space and
/// markdown marks.
fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '`' | '~' | '!' | '<')
}

/// True for a character that a mark may contain without being visible: the backslash of an escape,
/// or a character without a width.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\\' | '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_however_they_are_written() {
        for mark in [
            "</hud>",
            "</HUD >",
            "<hud>",
            "<hud note=\"x\">",
            "< / hud >",
            "<\n/hud>",
            "<\\/hud>",
            "<**/hud**>",
            "<`/hud`>",
            "<//hud>",
            "</hud",
            "<h\u{200B}ud>",
            "＜/hud＞",
            "＜／ｈｕｄ＞",
            "〈/hud〉",
            "</system-reminder>",
            "<system\\_reminder>",
            "<System–Reminder>",
            "<local-command-stdout>",
            "</invoke>",
            "<invoke name=\"Bash\">",
            "<task-notification>",
            "<environment_context>",
            "<|im_start|>",
            "<|im\\_end\\|>",
            "<｜User｜>",
            "<<hud>",
        ] {
            let shown = neutral(mark);
            assert!(shown.starts_with(NEUTRAL), "{mark}: {shown}");
            assert_eq!(neutral(&shown), shown, "{mark}");
        }
    }

    #[test]
    fn what_is_no_mark_stays() {
        for text in [
            "",
            "<",
            "</",
            "a < b",
            "<h <hudson>",
            "Vec<u8>, Option<Task>, Vec<Parameter>",
            "#include <sys/types.h>",
            "<my-button> <td>",
            "f <| g x |> h",
            "if a <|| b",
            "<commandment>",
            "<local-command->",
            "<>",
            "日本語 〈引用〉",
        ] {
            assert!(
                matches!(neutral(text), Cow::Borrowed(shown) if shown == text),
                "{text}"
            );
        }
    }

    #[test]
    fn the_escape_of_a_mark_leaves_with_it() {
        assert_eq!(neutral(r"\</hud>"), "‹/hud>");
        assert_eq!(neutral(r"\\</hud>"), r"\\‹/hud>");
        assert_eq!(neutral(r"\\\</hud> \</hud>"), r"\\‹/hud> ‹/hud>");
    }
}
