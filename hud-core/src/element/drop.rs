//! Drops deep trees level by level, so that the depth takes no stack.

use std::rc::Rc;

use super::{Element, NodeElement, Repr};

/// The elements of a fragment.
#[derive(Clone)]
pub(crate) struct Siblings<'a>(pub(crate) Rc<[Element<'a>]>);

impl Drop for Siblings<'_> {
    fn drop(&mut self) {
        if let Some(children) = Rc::get_mut(&mut self.0) {
            drop_deep(children);
        }
    }
}

impl<N: ?Sized> Drop for NodeElement<'_, N> {
    fn drop(&mut self) {
        drop_deep(&mut self.children);
    }
}

impl<'a> Element<'a> {
    /// The elements that are dropped together with this one.
    fn dropped(&self) -> &[Self] {
        match &self.0 {
            Repr::Fragment(children) => &children.0,
            Repr::Node(element) => &element.children,
            Repr::Text(_) | Repr::Component(_) | Repr::Borrowed(_) => &[],
        }
    }

    /// True if an element that is dropped with this one has further elements.
    fn is_deep(&self) -> bool {
        let mut children = self.dropped().iter();
        children.any(|child| !child.dropped().is_empty())
    }
}

/// Drops deep elements iteratively.
fn drop_deep(elements: &mut [Element<'_>]) {
    let mut rest = Vec::new();
    take_deep(elements, &mut rest);
    while let Some(mut element) = rest.pop() {
        match &mut element.0 {
            Repr::Fragment(children) => {
                if let Some(children) = Rc::get_mut(&mut children.0) {
                    take_deep(children, &mut rest);
                }
            }
            Repr::Node(element) => {
                if let Some(element) = Rc::get_mut(element) {
                    take_deep(&mut element.children, &mut rest);
                }
            }
            Repr::Text(_) | Repr::Component(_) | Repr::Borrowed(_) => {}
        }
    }
}

/// Moves deep elements out of their siblings. Dropping the others needs only a few levels of stack.
fn take_deep<'a>(elements: &mut [Element<'a>], rest: &mut Vec<Element<'a>>) {
    for element in elements {
        if element.is_deep() {
            rest.push(std::mem::take(element));
        }
    }
}
