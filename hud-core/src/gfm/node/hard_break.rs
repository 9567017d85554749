//! A backslash at the end of a line.

use super::super::context::Context;
use super::super::safe::Info;
use super::super::unsafe_patterns::Scope;

/// A hard break, or a space if no line ending is allowed (ATX headings, cells).
pub(super) fn write(context: &Context<'_>, info: Info) -> &'static str {
    if !Scope::new(context.constructs, context.options).forbids_eol() {
        "\\\n"
    } else if matches!(info.before, Some('\t' | ' ')) {
        ""
    } else {
        " "
    }
}
