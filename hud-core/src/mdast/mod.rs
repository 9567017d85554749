//! The markdown target: elements lowered to mdast.
//!
//! mdast tells blocks ([flow](https://github.com/syntax-tree/mdast#flowcontent)) from what stands
//! in a line ([phrasing](https://github.com/syntax-tree/mdast#phrasingcontent)). Elements do not,
//! so the rules mend it: text where blocks are wanted becomes a paragraph, and a block where a
//! line is wanted gives its text. Every tree of built-in nodes lowers to valid mdast.

mod content;
mod lower;

use markdown::mdast::{Node, Root, Text};

pub use content::{flow, phrasing};

use crate::registry::{Registry, Target};

/// The target of GFM markdown: rules give mdast nodes.
#[derive(Clone, Copy, Debug)]
pub enum Mdast {}

impl Target for Mdast {
    const NAME: &'static str = "mdast";
    type Piece = Node;
    type Context = Context;

    fn text(value: &str) -> Node {
        text(value)
    }
}

/// What the rules of the markdown target tell their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The level of the next section's heading, 1 to 6.
    pub level: u8,
}

/// The outermost place: a section here has a heading of level 1.
impl Default for Context {
    fn default() -> Self {
        Self { level: 1 }
    }
}

/// An mdast text node.
pub fn text(value: impl Into<String>) -> Node {
    Node::Text(Text {
        value: value.into(),
        position: None,
    })
}

/// An mdast root of these nodes.
pub fn root(nodes: Vec<Node>) -> Node {
    Node::Root(Root {
        children: flow(nodes),
        position: None,
    })
}

pub(crate) fn register(registry: &mut Registry) {
    lower::register(registry);
}
