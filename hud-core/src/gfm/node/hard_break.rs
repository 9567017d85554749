//! A backslash at the end of a line.

use super::super::safe::Info;
use super::super::state::State;
use super::super::unsafe_patterns::Scope;

/// A hard break; a space where there can be no line ending (ATX headings, cells).
pub(super) fn write(state: &State<'_>, info: Info) -> &'static str {
    if !Scope::new(state.constructs, state.options).forbids_eol() {
        "\\\n"
    } else if matches!(info.before, Some('\t' | ' ')) {
        ""
    } else {
        " "
    }
}
