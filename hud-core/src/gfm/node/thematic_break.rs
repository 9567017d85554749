//! `***`

use super::super::context::Context;

pub(super) fn write(context: &Context<'_>) -> String {
    let marker = context.options.rule.char().to_string();
    let separator = if context.options.rule_spaces { " " } else { "" };
    vec![marker; usize::from(context.options.rule_repetition.get())].join(separator)
}
