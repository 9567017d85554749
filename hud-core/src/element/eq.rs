//! Equality of trees.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Element, NodeElement, Repr};
use crate::component::Component;

/// Trees are equal if they have the same texts in the same nodes. Fragments, borrowing and the
/// boundaries between texts make no difference.
///
/// Calls of components are not evaluated. A call is equal only to its clones.
impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        same(std::slice::from_ref(self), std::slice::from_ref(other))
    }
}

/// A sibling after fragments are flattened and texts are joined.
enum Sibling<'t, 'a> {
    Text(Cow<'t, str>),
    Node(&'t NodeElement<'a>),
    Component(&'t Rc<dyn Component + 'a>),
}

fn same(these: &[Element<'_>], those: &[Element<'_>]) -> bool {
    let mut rest = vec![(these, those)];
    while let Some((these, those)) = rest.pop() {
        let (these, those) = (siblings(these), siblings(those));
        let is_same = these.len() == those.len()
            && these.iter().zip(&those).all(|pair| match pair {
                (Sibling::Text(this), Sibling::Text(that)) => this == that,
                (Sibling::Node(this), Sibling::Node(that)) => {
                    rest.push((&this.children, &that.children));
                    this.node.dyn_eq(&that.node)
                }
                (Sibling::Component(this), Sibling::Component(that)) => {
                    std::ptr::addr_eq(Rc::as_ptr(this), Rc::as_ptr(that))
                }
                _ => false,
            });
        if !is_same {
            return false;
        }
    }
    true
}

fn siblings<'t, 'a>(elements: &'t [Element<'a>]) -> Vec<Sibling<'t, 'a>> {
    let mut all: Vec<Sibling<'t, 'a>> = Vec::with_capacity(elements.len());
    // A stack of iterators over nested fragments.
    let mut rest = vec![elements.iter()];
    while let Some(next) = rest.last_mut() {
        let Some(element) = next.next() else {
            rest.pop();
            continue;
        };
        match &element.opened().0 {
            Repr::Text(text) if text.is_empty() => {}
            Repr::Text(text) => match all.last_mut() {
                Some(Sibling::Text(before)) => before.to_mut().push_str(text),
                _ => all.push(Sibling::Text(Cow::Borrowed(text))),
            },
            Repr::Fragment(children) => rest.push(children.0.iter()),
            Repr::Node(node) => all.push(Sibling::Node(node)),
            Repr::Component(component) => all.push(Sibling::Component(component)),
            Repr::Borrowed(_) => {}
        }
    }
    all
}
