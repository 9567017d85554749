//! `***`

use super::super::state::State;

pub(super) fn write(state: &State<'_>) -> String {
    let marker = state.options.rule.char().to_string();
    let separator = if state.options.rule_spaces { " " } else { "" };
    vec![marker; usize::from(state.options.rule_repetition.get())].join(separator)
}
