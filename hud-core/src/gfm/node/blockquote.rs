//! `> quoted`

use markdown::mdast::Blockquote;

use super::super::description::{Flow, FlowRole};

pub(super) fn describe(blockquote: &Blockquote) -> Flow<'_> {
    Flow::new(FlowRole::Plain, &blockquote.children).prefixed("> ", "> ")
}
