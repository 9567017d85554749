//! The markdown target: elements lowered to mdast, and lifted from it.
//!
//! mdast keeps blocks ([flow](https://github.com/syntax-tree/mdast#flowcontent)) apart from what is
//! in a line ([phrasing](https://github.com/syntax-tree/mdast#phrasingcontent)). Elements do not,
//! so the rules mend it: text where blocks are wanted becomes a paragraph, and a block where a
//! line is wanted gives its text. Every tree of built-in nodes lowers to valid mdast.
//!
//! # The way back
//!
//! Each variant of [`Node`] is read by a rule, so any markdown that [`gfm::parse`](crate::gfm::parse)
//! takes lifts to a tree that lowers to the same text:
//!
//! ```
//! use hud_core::node::{Emphasis, Field, Item, List, Section};
//! use hud_core::{Density, gfm, lift, render, rsx};
//!
//! let markdown = "# Task\n\n**Title:** Add *rate* limits\n\n- [x] one\n- [ ] two\n";
//! let tree = lift(&gfm::parse(markdown, &gfm::ParseOptions::default())?)?;
//!
//! assert_eq!(tree, rsx! {
//!     <Section title="Task">
//!         <Field label="Title">"Add " <Emphasis>"rate"</Emphasis> " limits"</Field>
//!         <List>
//!             <Item checked=true>"one"</Item>
//!             <Item checked=false>"two"</Item>
//!         </List>
//!     </Section>
//! });
//! assert_eq!(render(&tree, Density::Full)?, markdown);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! mdast knows less than a layout says, so many trees lower to the same mdast. One of them is in
//! *normal form*, and lifting gives that one: `lift(lower(tree)) == tree` for a tree in normal
//! form, and for any other tree it is the normal form. Normal is
//!
//! - a heading of plain text as a [`Section`](crate::node::Section) with all that is under it,
//!   its level left out where it is one more than that of the section around it; only a heading
//!   with markup in it, or with nothing under it, is a [`Heading`](crate::node::Heading);
//! - a label in strong, with a colon and a space, as a [`Field`](crate::node::Field), or as a
//!   [`Callout`](crate::node::Callout) where a quote begins with it;
//! - no [`Paragraph`](crate::node::Paragraph) around what is alone in its section, item, quote or
//!   footnote, nor around what an item that is not spread begins with; one around each other
//!   paragraph;
//! - items in lists, rows in tables and cells in rows; blocks not within what is in a line;
//!   [`Code`](crate::node::Code) and its like with one text.
//!
//! Eight nodes leave figures, plain text or nothing of themselves behind and are one-way:
//! [`Line`](crate::node::Line), [`Group`](crate::node::Group), [`Relates`](crate::node::Relates),
//! [`Meter`](crate::node::Meter), [`Status`](crate::node::Status), and [`Parts`](crate::node::Parts), [`Part`](crate::node::Part) and
//! [`Beside`](crate::node::Beside). So are calls of components: what they gave is lifted.

mod content;
mod notes;
mod rule;

pub(crate) use content::is_phrasing;
pub use content::{flow, phrasing};
/// The nodes of mdast, which rules give and read: those of the crate `markdown`.
#[doc(no_inline)]
pub use markdown::mdast::*;
pub(crate) use notes::Notes;

use crate::registry::{LiftTarget, Target};
use crate::trace::Recorder;

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

    fn mark(node: &mut Node, recorder: &Recorder, call: usize) {
        recorder.mark(node, call);
    }
}

impl LiftTarget for Mdast {
    fn as_text(node: &Node) -> Option<&str> {
        match node {
            Node::Text(text) => Some(&text.value),
            _ => None,
        }
    }

    fn kind(node: &Node) -> &'static str {
        kind_of(node)
    }
}

/// The node's `type` in mdast.
pub fn kind_of(node: &Node) -> &'static str {
    match node {
        Node::Root(_) => "root",
        Node::Blockquote(_) => "blockquote",
        Node::FootnoteDefinition(_) => "footnoteDefinition",
        Node::MdxJsxFlowElement(_) => "mdxJsxFlowElement",
        Node::List(_) => "list",
        Node::MdxjsEsm(_) => "mdxjsEsm",
        Node::Toml(_) => "toml",
        Node::Yaml(_) => "yaml",
        Node::Break(_) => "break",
        Node::InlineCode(_) => "inlineCode",
        Node::InlineMath(_) => "inlineMath",
        Node::Delete(_) => "delete",
        Node::Emphasis(_) => "emphasis",
        Node::MdxTextExpression(_) => "mdxTextExpression",
        Node::FootnoteReference(_) => "footnoteReference",
        Node::Html(_) => "html",
        Node::Image(_) => "image",
        Node::ImageReference(_) => "imageReference",
        Node::MdxJsxTextElement(_) => "mdxJsxTextElement",
        Node::Link(_) => "link",
        Node::LinkReference(_) => "linkReference",
        Node::Strong(_) => "strong",
        Node::Text(_) => "text",
        Node::Code(_) => "code",
        Node::Math(_) => "math",
        Node::MdxFlowExpression(_) => "mdxFlowExpression",
        Node::Heading(_) => "heading",
        Node::Table(_) => "table",
        Node::ThematicBreak(_) => "thematicBreak",
        Node::TableRow(_) => "tableRow",
        Node::TableCell(_) => "tableCell",
        Node::ListItem(_) => "listItem",
        Node::Definition(_) => "definition",
        Node::Paragraph(_) => "paragraph",
    }
}

/// What the rules of the markdown target pass to their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The level of the next section's heading, 1 to 6.
    pub level: u8,
    /// Whether it is in a line, where no block can be.
    pub inline: bool,
}

impl Context {
    /// The same place, in a line.
    fn in_line(self) -> Self {
        Self {
            inline: true,
            ..self
        }
    }

    /// The same place, among blocks.
    fn in_block(self) -> Self {
        Self {
            inline: false,
            ..self
        }
    }
}

/// The outermost place: a section here has a heading of level 1.
impl Default for Context {
    fn default() -> Self {
        Self {
            level: 1,
            inline: false,
        }
    }
}

/// An mdast text node.
pub fn text(value: impl Into<String>) -> Node {
    Node::Text(Text {
        value: value.into(),
        position: None,
    })
}

/// An mdast link without a title, around these nodes.
pub fn link(url: impl Into<String>, children: Vec<Node>) -> Node {
    Node::Link(Link {
        children,
        url: url.into(),
        title: None,
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

pub(crate) use rule::{Arranger, Made, Measured, Measurer, Write, lift_root, parts_text, register};
