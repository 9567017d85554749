//! The end of trees: a deep one is dropped level by level, so that its depth takes no stack.

use std::rc::Rc;

use super::{Element, Inner, NodeElement, Repr};

/// The elements of a fragment.
#[derive(Clone)]
pub(crate) struct Siblings<'a>(pub(crate) Rc<[Element<'a>]>);

impl Drop for Siblings<'_> {
    fn drop(&mut self) {
        if let Some(children) = Rc::get_mut(&mut self.0)
            && children.iter().any(Element::has_children)
        {
            let mut rest: Vec<_> = children.iter_mut().map(std::mem::take).collect();
            drop_all(&mut rest);
        }
    }
}

impl<N: ?Sized> Drop for NodeElement<'_, N> {
    fn drop(&mut self) {
        if self.children.iter().any(Element::has_children) {
            drop_all(&mut std::mem::take(&mut self.children).into());
        }
    }
}

impl Element<'_> {
    /// True if something is dropped with it that has children itself.
    fn has_children(&self) -> bool {
        match &self.0 {
            Repr::Fragment(_) => true,
            Repr::Node(element) => !element.children.is_empty(),
            Repr::Text(_) | Repr::Component(_) | Repr::Borrowed(_) => false,
        }
    }
}

/// Drops elements, those within them after them.
fn drop_all(rest: &mut Vec<Element<'_>>) {
    while let Some(mut element) = rest.pop() {
        match &mut element.0 {
            Repr::Fragment(children) => {
                if let Some(children) = Rc::get_mut(&mut children.0) {
                    rest.extend(children.iter_mut().map(std::mem::take));
                }
            }
            Repr::Node(element) => {
                if let Some(element) = Rc::get_mut(element) {
                    rest.append(&mut std::mem::take(&mut element.children).into());
                }
            }
            Repr::Text(_) | Repr::Component(_) | Repr::Borrowed(_) => {}
        }
    }
}

impl<'a> From<Inner<'a>> for Vec<Element<'a>> {
    fn from(inner: Inner<'a>) -> Self {
        match inner {
            Inner::None => Vec::new(),
            Inner::One(one) => vec![one],
            Inner::Many(all) => all,
        }
    }
}
