//! Raw HTML.

use std::borrow::Cow;

use markdown::mdast::Html;

use super::super::character::one_line;
use super::super::constructs::Constructs;
use super::super::context::Context;

pub(super) fn write<'h>(context: &Context<'_>, html: &'h Html) -> Cow<'h, str> {
    let is_in_line = context
        .constructs
        .has(Constructs::HEADING_ATX.and(Constructs::TABLE_CELL));
    if context.options.strict && is_in_line {
        one_line(&html.value)
    } else {
        Cow::Borrowed(&html.value)
    }
}
