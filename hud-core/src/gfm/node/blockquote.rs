//! `> quoted`

use markdown::mdast::Blockquote;

use super::super::state::State;
use super::Role;

pub(super) fn enter<'a>(state: &mut State<'a>, blockquote: &'a Blockquote) {
    state.open_flow(Role::Blockquote, &blockquote.children);
    state.writer().open("> ", "> ");
}
