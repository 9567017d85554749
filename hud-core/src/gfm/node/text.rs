//! Text, escaped for where it is.

use markdown::mdast::Text;

use super::super::context::Context;
use super::super::safe::Info;

pub(in super::super) fn write(context: &Context<'_>, value: &str, info: Info) -> String {
    let mut out = String::with_capacity(value.len());
    context
        .safe(context.constructs)
        .write(&mut out, value, info);
    out
}

/// The first character that is written when nothing is known of what is before.
pub(super) fn peek(context: &Context<'_>, text: &Text) -> Option<char> {
    // No pattern looks further than the character after the next, whose own escape can make this
    // one's needless.
    let mut rest = text.value.chars();
    let seen: String = rest.by_ref().take(3).collect();
    let info = Info {
        before: None,
        after: rest.next(),
    };
    write(context, &seen, info).chars().next()
}
