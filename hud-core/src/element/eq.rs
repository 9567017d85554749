//! When two trees are the same.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Element, NodeElement, Repr};
use crate::component::Component;

/// Trees are equal if they say the same in the same nodes: fragments and borrowing make no
/// difference, nor does where a text was cut.
///
/// Calls of components are not evaluated. A call is equal to its clones only.
impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        same(std::slice::from_ref(self), std::slice::from_ref(other))
    }
}

/// What is left among siblings once fragments are opened and texts are joined.
enum Sibling<'t, 'a> {
    Text(Cow<'t, str>),
    Node(&'t NodeElement<'a>),
    Component(&'t Rc<dyn Component + 'a>),
}

fn same(these: &[Element<'_>], those: &[Element<'_>]) -> bool {
    let (these, those) = (siblings(these), siblings(those));
    these.len() == those.len()
        && these.iter().zip(&those).all(|pair| match pair {
            (Sibling::Text(this), Sibling::Text(that)) => this == that,
            (Sibling::Node(this), Sibling::Node(that)) => {
                this.node.dyn_eq(&that.node) && same(&this.children, &that.children)
            }
            (Sibling::Component(this), Sibling::Component(that)) => {
                std::ptr::addr_eq(Rc::as_ptr(this), Rc::as_ptr(that))
            }
            _ => false,
        })
}

fn siblings<'t, 'a>(elements: &'t [Element<'a>]) -> Vec<Sibling<'t, 'a>> {
    let mut all = Vec::with_capacity(elements.len());
    gather(elements, &mut all);
    all
}

fn gather<'t, 'a>(elements: &'t [Element<'a>], all: &mut Vec<Sibling<'t, 'a>>) {
    for element in elements {
        match &element.0 {
            Repr::Text(text) if text.is_empty() => {}
            Repr::Text(text) => match all.last_mut() {
                Some(Sibling::Text(before)) => before.to_mut().push_str(text),
                _ => all.push(Sibling::Text(Cow::Borrowed(text))),
            },
            Repr::Fragment(children) => gather(children, all),
            Repr::Borrowed(element) => gather(std::slice::from_ref(*element), all),
            Repr::Node(node) => all.push(Sibling::Node(node)),
            Repr::Component(component) => all.push(Sibling::Component(component)),
        }
    }
}
