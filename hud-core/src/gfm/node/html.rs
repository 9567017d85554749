//! Raw HTML.

use markdown::mdast::Html;

use super::super::character::one_line;
use super::super::constructs::Constructs;
use super::super::state::State;

pub(super) fn write(state: &State<'_>, html: &Html) -> String {
    let is_in_line = state
        .constructs
        .has(Constructs::HEADING_ATX.and(Constructs::TABLE_CELL));
    if state.options.strict && is_in_line {
        one_line(&html.value)
    } else {
        html.value.clone()
    }
}
