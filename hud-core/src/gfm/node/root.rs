//! The whole document, or a fragment: phrasing in a root is written as phrasing.

use markdown::mdast::{Node, Root};

use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{Description, Flow, FlowRole, Phrasing, PhrasingRole};
use super::super::safe::Info;

pub(super) fn describe<'a>(context: &Context<'a>, root: &'a Root, info: Info) -> Description<'a> {
    if root.children.iter().any(is_phrasing) {
        Description::Phrasing(Phrasing {
            role: PhrasingRole::Root,
            children: &root.children,
            lead: String::new(),
            constructs: context.constructs.and(Constructs::PHRASING),
            info,
        })
    } else {
        Description::Flow(Flow::new(FlowRole::Plain, &root.children))
    }
}

/// True if a node can only be phrasing. HTML can be phrasing or flow.
pub(in super::super) fn is_phrasing(node: &Node) -> bool {
    matches!(
        node,
        Node::Break(_)
            | Node::Delete(_)
            | Node::Emphasis(_)
            | Node::FootnoteReference(_)
            | Node::Image(_)
            | Node::ImageReference(_)
            | Node::InlineCode(_)
            | Node::InlineMath(_)
            | Node::Link(_)
            | Node::LinkReference(_)
            | Node::MdxJsxTextElement(_)
            | Node::MdxTextExpression(_)
            | Node::Strong(_)
            | Node::Text(_)
    )
}
