use markdown::mdast::{
    Break as MdastBreak, Delete as MdastDelete, Emphasis as MdastEmphasis, Node,
    Strong as MdastStrong,
};

use super::{Mdast, lift_line, line};
use crate::element::Element;
use crate::node::{Break, Delete, Emphasis, Strong};
use crate::registry::{Lift, Lifted, Lifting, Lower, Lowered, Registry, two_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(strong, lift_strong))
        .register(two_way(emphasis, lift_emphasis))
        .register(two_way(delete, lift_delete))
        .register(two_way(hard_break, lift_hard_break));
}

fn strong(_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![strong_of(line(children, lower)?)])
}

fn lift_strong(nodes: &[Node], lift: &Lift<'_, Mdast>) -> Lifting<Strong> {
    let Some(Node::Strong(strong)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&strong.children, lift)?;
    Ok(Some(Lifted::one(Strong {}, children)))
}

pub(super) fn strong_of(children: Vec<Node>) -> Node {
    Node::Strong(MdastStrong {
        children,
        position: None,
    })
}

fn emphasis(_: &Emphasis, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::Emphasis(MdastEmphasis {
        children: line(children, lower)?,
        position: None,
    })])
}

fn lift_emphasis(nodes: &[Node], lift: &Lift<'_, Mdast>) -> Lifting<Emphasis> {
    let Some(Node::Emphasis(emphasis)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&emphasis.children, lift)?;
    Ok(Some(Lifted::one(Emphasis {}, children)))
}

fn delete(_: &Delete, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::Delete(MdastDelete {
        children: line(children, lower)?,
        position: None,
    })])
}

fn lift_delete(nodes: &[Node], lift: &Lift<'_, Mdast>) -> Lifting<Delete> {
    let Some(Node::Delete(delete)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&delete.children, lift)?;
    Ok(Some(Lifted::one(Delete {}, children)))
}

fn hard_break(_: &Break, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> Lowered<Mdast> {
    Ok(vec![Node::Break(MdastBreak { position: None })])
}

fn lift_hard_break(nodes: &[Node], _: &Lift<'_, Mdast>) -> Lifting<Break> {
    Ok(match nodes.first() {
        Some(Node::Break(_)) => Some(Lifted::one(Break {}, [])),
        _ => None,
    })
}
