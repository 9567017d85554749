use markdown::mdast::{
    Break as MdastBreak, Delete as MdastDelete, Emphasis as MdastEmphasis, Node,
    Strong as MdastStrong,
};

use super::{Mdast, lift_line, line};
use crate::element::Element;
use crate::mdast::text;
use crate::node::{Break, Delete, Emphasis, Strong};
use crate::registry::{Lift, LiftResult, Lifted, Lower, LowerResult, Registry, two_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(strong, lift_strong))
        .register(two_way(emphasis, lift_emphasis))
        .register(two_way(delete, lift_delete))
        .register(two_way(hard_break, lift_hard_break));
}

fn strong(_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    marked(children, lower, strong_of)
}

/// A mark around a line. Markdown recognizes no mark next to a blank, so blanks at the ends are
/// moved outside of it.
fn marked(
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
    mark: fn(Vec<Node>) -> Node,
) -> LowerResult<Mdast> {
    let mut inner = line(children, lower)?;
    let mut before = Vec::new();
    while let Some(first) = inner.first_mut() {
        match first {
            Node::Break(_) => before.push(inner.remove(0)),
            Node::Text(first) => {
                let blank = first.value.len() - first.value.trim_start().len();
                if blank > 0 {
                    before.push(text(first.value.drain(..blank).collect::<String>()));
                }
                if !first.value.is_empty() {
                    break;
                }
                inner.remove(0);
            }
            _ => break,
        }
    }
    let mut after = Vec::new();
    while let Some(last) = inner.last_mut() {
        match last {
            Node::Break(_) => after.extend(inner.pop()),
            Node::Text(last) => {
                let blank = last.value.split_off(last.value.trim_end().len());
                if !blank.is_empty() {
                    after.push(text(blank));
                }
                if !last.value.is_empty() {
                    break;
                }
                inner.pop();
            }
            _ => break,
        }
    }
    if !inner.is_empty() {
        before.push(mark(inner));
    }
    before.extend(after.into_iter().rev());
    Ok(before)
}

fn lift_strong(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Strong> {
    let Some(Node::Strong(strong)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&strong.children, lift)?;
    Ok(Some(Lifted::one(Strong {}, children)))
}

pub(crate) fn strong_of(children: Vec<Node>) -> Node {
    Node::Strong(MdastStrong {
        children,
        position: None,
    })
}

fn emphasis(
    _: &Emphasis,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    marked(children, lower, |children| {
        Node::Emphasis(MdastEmphasis {
            children,
            position: None,
        })
    })
}

fn lift_emphasis(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Emphasis> {
    let Some(Node::Emphasis(emphasis)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&emphasis.children, lift)?;
    Ok(Some(Lifted::one(Emphasis {}, children)))
}

fn delete(_: &Delete, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    marked(children, lower, |children| {
        Node::Delete(MdastDelete {
            children,
            position: None,
        })
    })
}

fn lift_delete(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Delete> {
    let Some(Node::Delete(delete)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&delete.children, lift)?;
    Ok(Some(Lifted::one(Delete {}, children)))
}

fn hard_break(_: &Break, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![Node::Break(MdastBreak { position: None })])
}

fn lift_hard_break(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<Break> {
    Ok(match nodes.first() {
        Some(Node::Break(_)) => Some(Lifted::one(Break {}, [])),
        _ => None,
    })
}
