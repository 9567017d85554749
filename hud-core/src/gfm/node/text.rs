//! Text, escaped for where it is.

use std::borrow::Cow;

use markdown::mdast::Text;

use super::super::context::Context;
use super::super::safe::Info;

pub(in super::super) fn write<'t>(
    context: &Context<'_>,
    value: &'t str,
    info: Info,
) -> Cow<'t, str> {
    context.safe(context.constructs).text(value, info)
}

/// The first character that is written when nothing is known of what is before.
pub(super) fn peek(context: &Context<'_>, text: &Text) -> Option<char> {
    // No pattern looks further than the character after the next, whose own escape can make this
    // one's needless.
    let end = text.value.char_indices().nth(3);
    let seen = end.map_or(&*text.value, |(end, _)| &text.value[..end]);
    let info = Info {
        before: None,
        after: end.map(|(_, next)| next),
    };
    write(context, seen, info).chars().next()
}
