//! Nodes as `rsx!` makes them.

use crate::element::{Element, Inner};
use crate::node::Node;

/// A node with what is between its tags.
#[inline]
pub fn node<'a>(node: impl Node, children: Inner<'a>) -> Element<'a> {
    Element::node_of(node, children)
}
