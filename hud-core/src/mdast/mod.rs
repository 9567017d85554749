//! The markdown target: elements lowered to mdast, and lifted from it.
//!
//! mdast separates blocks ([flow](https://github.com/syntax-tree/mdast#flowcontent)) from the
//! content of a line ([phrasing](https://github.com/syntax-tree/mdast#phrasingcontent)). Elements
//! do not, so the rules convert: text among blocks becomes a paragraph, and a paragraph within a
//! line is replaced by its content. Every tree of built-in nodes lowers to valid mdast, or fails
//! with [`LowerError::Misplaced`] or [`LowerError::Invalid`]. Nothing is lost without an error.
//!
//! | refused | allowed |
//! | --- | --- |
//! | lists, tables, sections, headings, quotes, code blocks and other blocks in a line | anywhere but in a [`Cell`](crate::node::Cell), a [`Heading`](crate::node::Heading), a mark, a link, a [`Field`](crate::node::Field) |
//! | a [`Row`](crate::node::Row), a [`Cell`](crate::node::Cell) | in a [`Table`](crate::node::Table), in a row |
//! | a link in a link | elsewhere |
//! | [`Frontmatter`](crate::node::Frontmatter) | before everything else |
//! | a level that is not 1 to 6, a footnote's label with blanks or brackets | |
//!
//! A block in a [`Paragraph`](crate::node::Paragraph) or a [`Line`](crate::node::Line) ends it, and
//! the content after the block begins another one.
//!
//! The output differs from the tree in three cases. Blanks at the ends of a mark are written
//! outside of it (`down **SEV1**`, not `down** SEV1**`), and a mark without content is left out. A
//! [`Break`](crate::node::Break) at the end of its line is left out, and in a cell it is a space.
//! Invisible characters are removed, as [`visible`](crate::visible) describes.
//!
//! # The way back
//!
//! A rule lifts each variant of [`Node`]. So any markdown that [`gfm::parse`](crate::gfm::parse)
//! accepts lifts to a tree that lowers to the same text:
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
//! mdast has less information than a layout, so many trees lower to the same mdast. One of them is
//! in *normal form*, and lifting returns that one: `lift(lower(tree)) == tree` for a tree in normal
//! form. For any other tree it returns the normal form of that tree. In normal form
//!
//! - a heading of plain text is a [`Section`](crate::node::Section) with everything under it,
//!   without a level if it is one deeper than the enclosing section. A heading with markup in it or
//!   with nothing under it is a [`Heading`](crate::node::Heading);
//! - a label in strong, with a colon and a space, is a [`Field`](crate::node::Field), or a
//!   [`Callout`](crate::node::Callout) at the beginning of a quote;
//! - a quote that begins with a marker of GitHub, such as `[!NOTE]`, is an
//!   [`Alert`](crate::node::Alert);
//! - a paragraph that is alone in its section, item, quote or footnote, or that begins an item that
//!   is not spread, has no [`Paragraph`](crate::node::Paragraph) around it, and every other
//!   paragraph has one;
//! - items are in lists, rows in tables and cells in rows. No block is within a line, and
//!   [`Code`](crate::node::Code) and similar nodes have a single text.
//!
//! Ten nodes are one-way, because their output is numbers, plain text, a list or nothing:
//! [`DescriptionList`](crate::node::DescriptionList), [`Description`](crate::node::Description),
//! [`Line`](crate::node::Line), [`Group`](crate::node::Group), [`Relates`](crate::node::Relates),
//! [`Meter`](crate::node::Meter), [`Status`](crate::node::Status), [`Parts`](crate::node::Parts),
//! [`Part`](crate::node::Part) and [`Beside`](crate::node::Beside). Calls of components are
//! one-way, too: lifting returns their output.

pub(crate) mod alert;
mod content;
mod notes;
mod rule;

pub use alert::alert_of;
pub(crate) use content::is_phrasing;
pub use content::{flow, phrasing};
/// The nodes of mdast, which rules return and lift. They are those of the crate `markdown`.
#[doc(no_inline)]
pub use markdown::mdast::*;
pub(crate) use notes::Notes;

use crate::characters::touch;
use crate::registry::{LiftTarget, LowerError, Misplaced, Target};
use crate::trace::Recorder;
use crate::visible::show;

/// The target of GFM markdown. Its pieces are mdast nodes.
#[derive(Clone, Copy, Debug)]
pub enum Mdast {}

impl Target for Mdast {
    const NAME: &'static str = "mdast";
    type Piece = Node;
    type Context = Context;

    fn text(value: &str) -> Node {
        text(value)
    }

    fn runs_on(before: &Node, after: &Node) -> bool {
        let is_inline = |node: &Node| {
            is_phrasing(node)
                && !matches!(
                    node,
                    Node::Break(_)
                        | Node::FootnoteReference(_)
                        | Node::Html(_)
                        | Node::MdxTextExpression(_)
                        | Node::MdxJsxTextElement(_)
                )
        };
        is_inline(before) && is_inline(after) && touch(seen(before), seen(after))
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

/// The text of a text node. For any other node, a text without blanks at its ends.
fn seen(node: &Node) -> &str {
    match node {
        Node::Text(text) => &text.value,
        _ => "x",
    }
}

/// The state that the rules of the markdown target pass to their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The level of the next section's heading, 1 to 6.
    pub level: u8,
    /// True within a line, where blocks are not allowed.
    pub inline: bool,
    /// The name of the enclosing node. Empty at the top. Nodes without output of their own do not
    /// count.
    within: &'static str,
    /// True within a link, where other links are not allowed.
    is_in_link: bool,
}

impl Context {
    /// The same context within a line of a node.
    fn in_line(self, within: &'static str) -> Self {
        Self {
            inline: true,
            within,
            ..self
        }
    }

    /// The same context among blocks of a node.
    fn in_block(self, within: &'static str) -> Self {
        Self {
            inline: false,
            within,
            ..self
        }
    }

    /// The same context with another level of sections.
    fn at_level(self, level: u8) -> Self {
        Self { level, ..self }
    }
}

/// The top of a document: a section here has a heading of level 1.
impl Default for Context {
    fn default() -> Self {
        Self {
            level: 1,
            inline: false,
            within: "",
            is_in_link: false,
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

/// An mdast root with these nodes as blocks.
pub fn root(nodes: Vec<Node>) -> Node {
    Node::Root(Root {
        children: flow(nodes),
        position: None,
    })
}

/// The fix for misplaced frontmatter.
const FRONTMATTER: &str = "put it before everything else of the layout";

/// Returns an error for frontmatter that is not the first block of a document.
pub(crate) fn check_frontmatter<'n>(
    blocks: impl IntoIterator<Item = &'n Node>,
) -> Result<(), LowerError> {
    let is_frontmatter = |node: &&Node| matches!(node, Node::Yaml(_) | Node::Toml(_));
    match blocks.into_iter().skip(1).find(is_frontmatter) {
        None => Ok(()),
        Some(_) => Err(LowerError::Misplaced(Box::new(Misplaced {
            node: "Frontmatter",
            within: "",
            component: "",
            fix: FRONTMATTER,
        }))),
    }
}

/// Removes invisible characters from nodes. Raw HTML, frontmatter and MDX keep them.
pub(crate) fn make_visible(nodes: &mut [Node]) {
    for node in nodes {
        match node {
            Node::Text(node) => show(&mut node.value),
            Node::InlineCode(node) => show(&mut node.value),
            Node::InlineMath(node) => show(&mut node.value),
            Node::Math(node) => {
                show(&mut node.value);
                node.meta.iter_mut().for_each(show);
            }
            Node::Code(node) => {
                show(&mut node.value);
                node.lang.iter_mut().for_each(show);
                node.meta.iter_mut().for_each(show);
            }
            Node::Link(node) => {
                show(&mut node.url);
                node.title.iter_mut().for_each(show);
            }
            Node::Image(node) => {
                show(&mut node.alt);
                show(&mut node.url);
                node.title.iter_mut().for_each(show);
            }
            Node::ImageReference(node) => show(&mut node.alt),
            Node::Definition(node) => {
                show(&mut node.url);
                node.title.iter_mut().for_each(show);
            }
            _ => {}
        }
        if let Some(children) = node.children_mut() {
            make_visible(children);
        }
    }
}

pub(crate) use rule::{Arranger, Made, Measured, Measurer, Write, lift_root, parts_text, register};
