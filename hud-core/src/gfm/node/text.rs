//! Text, escaped for its place.

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

/// The first character of the output, if the character before is unknown.
pub(super) fn peek(context: &Context<'_>, text: &Text) -> Option<char> {
    // No pattern looks beyond two characters ahead. The escape of the second can make that of the
    // first needless.
    let end = text.value.char_indices().nth(3);
    let seen = end.map_or(&*text.value, |(end, _)| &text.value[..end]);
    let info = Info {
        before: None,
        after: end.map(|(_, next)| next),
    };
    write(context, seen, info).chars().next()
}
