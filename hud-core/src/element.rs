//! The element tree: a layout before it is rendered.

mod drop;
mod eq;
mod inner;
mod into;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use drop::Siblings;

#[doc(hidden)]
pub use inner::Inner;
pub use into::{BorrowedIntoElement, IntoElement};

use crate::component::Component;
use crate::density::Density;
use crate::node::Node;
use crate::render::render;

/// The children of a component: the elements between its opening and closing tag.
///
/// A component that takes children has an argument `children: Children`.
pub type Children<'a> = Element<'a>;

/// A tree of text, fragments, nodes, component calls and borrowed subtrees.
///
/// It borrows the data that it shows (`'a`) and copies none of it. Cloning an element clones a
/// pointer, except for owned text.
///
/// It is not `Send`, as subtrees are shared with `Rc`. In an async function, await the data first,
/// then build and render the tree. Send the rendered [`String`] between threads.
///
/// Comparing, formatting and dropping a deep tree do not use the stack for each level. The
/// exception is calls of components that are nested in each other's props.
#[derive(Clone)]
#[must_use = "an element shows nothing until it is rendered"]
pub struct Element<'a>(pub(crate) Repr<'a>);

#[derive(Clone)]
pub(crate) enum Repr<'a> {
    Text(Cow<'a, str>),
    Fragment(Siblings<'a>),
    Node(Rc<NodeElement<'a>>),
    Component(Rc<dyn Component + 'a>),
    Borrowed(&'a Element<'a>),
}

/// A node with its children, in one allocation.
pub(crate) struct NodeElement<'a, N: ?Sized = dyn Node> {
    pub(crate) children: Inner<'a>,
    pub(crate) node: N,
}

impl<'a> Element<'a> {
    /// The element that shows nothing.
    pub fn empty() -> Self {
        Self(Repr::Text(Cow::Borrowed("")))
    }

    /// Text that is shown literally. Each target escapes its markup characters.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self(Repr::Text(text.into()))
    }

    /// A sequence of elements, without a node around them.
    pub fn fragment(children: impl Into<Rc<[Element<'a>]>>) -> Self {
        let mut children = children.into();
        match Rc::get_mut(&mut children) {
            Some([only]) => std::mem::take(only),
            _ => Self(Repr::Fragment(Siblings(children))),
        }
    }

    /// A node with its children.
    pub fn node(node: impl Node, children: impl Into<Vec<Element<'a>>>) -> Self {
        let children: Vec<Element<'a>> = children.into();
        Self::node_of(node, children.into())
    }

    /// A node with children that are already collected.
    pub(crate) fn node_of(node: impl Node, children: Inner<'a>) -> Self {
        Self(Repr::Node(Rc::new(NodeElement { children, node })))
    }

    /// The elements of a fragment, borrowed or not. `None` for any other element.
    pub fn as_fragment(&self) -> Option<&[Self]> {
        match &self.opened().0 {
            Repr::Fragment(children) => Some(&children.0),
            _ => None,
        }
    }

    /// The node and its children. `None` for any other element.
    pub fn as_node<N: Node>(&self) -> Option<(&N, &[Self])> {
        match &self.0 {
            Repr::Node(element) => {
                let node: &dyn Any = &element.node;
                Some((node.downcast_ref()?, &*element.children))
            }
            _ => None,
        }
    }

    /// True if the element has no text, no node and no call of a component. A call counts as
    /// content, because its output is unknown before it is lowered.
    ///
    /// ```
    /// use hud_core::node::Strong;
    /// use hud_core::rsx;
    ///
    /// let nobody: Vec<String> = Vec::new();
    /// let guests = rsx! { for guest in &nobody { <Strong>{guest}</Strong> } };
    /// assert!(guests.is_empty());
    /// assert!(!rsx! { <Strong /> }.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        let mut rest = vec![self];
        while let Some(element) = rest.pop() {
            match &element.opened().0 {
                Repr::Text(text) if text.is_empty() => {}
                Repr::Fragment(children) => rest.extend(children.0.iter()),
                _ => return false,
            }
        }
        true
    }

    /// Resolves borrowed elements to the element that they point to.
    fn opened(&self) -> &Self {
        let mut element = self;
        while let Repr::Borrowed(other) = &element.0 {
            element = other;
        }
        element
    }

    /// The number of elements at the top level: the length of a fragment, or 1.
    pub(crate) fn width(&self) -> usize {
        match &self.0 {
            Repr::Fragment(children) => children.0.len(),
            _ => 1,
        }
    }

    /// A call of a component, to be rendered later.
    pub fn component(component: impl Component + 'a) -> Self {
        Self(Repr::Component(Rc::new(component)))
    }

    /// A borrowed subtree.
    pub fn borrowed(element: &'a Element<'a>) -> Self {
        Self(Repr::Borrowed(element))
    }
}

/// The empty element.
impl Default for Element<'_> {
    fn default() -> Self {
        Self::empty()
    }
}

/// The tree as it was written: tags with their children, and component calls unevaluated. Levels
/// deeper than 64 are shown as `..`.
impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Shown(self, WRITTEN), f)
    }
}

/// The number of levels that `Debug` writes.
const WRITTEN: usize = 64;

/// An element and the number of its levels to write.
struct Shown<'t, 'a>(&'t Element<'a>, usize);

impl fmt::Debug for Shown<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(deeper) = self.1.checked_sub(1) else {
            return f.write_str("..");
        };
        let list = |f: &mut fmt::Formatter<'_>, children: &[Element<'_>]| {
            let children = children.iter().map(|child| Shown(child, deeper));
            f.debug_list().entries(children).finish()
        };
        match &self.0.opened().0 {
            Repr::Text(text) => fmt::Debug::fmt(text, f),
            Repr::Fragment(children) => list(f, &children.0),
            Repr::Node(element) => {
                fmt::Debug::fmt(&element.node, f)?;
                f.write_str(" ")?;
                list(f, &element.children)
            }
            Repr::Component(component) => write!(f, "<{} />", component.meta().name),
            Repr::Borrowed(_) => f.write_str(".."),
        }
    }
}

/// The markdown at full density, as [`render()`](crate::render()) returns it. An element that
/// cannot be rendered shows its error.
impl fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match render(self, Density::Full) {
            Ok(markdown) => f.write_str(markdown.trim_end_matches('\n')),
            Err(error) => write!(f, "[{error}]"),
        }
    }
}
