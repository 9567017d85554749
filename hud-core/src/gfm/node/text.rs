//! Text, escaped for where it stands.

use markdown::mdast::Text;

use super::super::safe::Info;
use super::super::state::State;

pub(in super::super) fn write(state: &State<'_>, value: &str, info: Info) -> String {
    let mut out = String::with_capacity(value.len());
    state.safe(state.constructs).write(&mut out, value, info);
    out
}

/// The first character that is written when nothing is known of what stands before.
pub(super) fn peek(state: &State<'_>, text: &Text) -> Option<char> {
    // No pattern looks further than the character after the next, whose own escape can make this
    // one's needless.
    let mut rest = text.value.chars();
    let seen: String = rest.by_ref().take(3).collect();
    let info = Info {
        before: None,
        after: rest.next(),
    };
    write(state, &seen, info).chars().next()
}
