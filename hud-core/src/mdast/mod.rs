//! The markdown target: elements lowered to mdast, and lifted from it.
//!
//! mdast keeps blocks ([flow](https://github.com/syntax-tree/mdast#flowcontent)) apart from what is
//! in a line ([phrasing](https://github.com/syntax-tree/mdast#phrasingcontent)). Elements do not,
//! so the rules fix it: text where blocks are wanted becomes a paragraph, and a paragraph where a
//! line is wanted gives what is in it. Every tree of built-in nodes lowers to valid mdast, or is refused with
//! [`LowerError::Misplaced`] or [`LowerError::Invalid`]: nothing is lost without an error.
//!
//! | refused | where it can be |
//! | --- | --- |
//! | lists, tables, sections, headings, quotes, code blocks and other blocks in a line | anywhere but in a [`Cell`](crate::node::Cell), a [`Heading`](crate::node::Heading), a mark, a link, a [`Field`](crate::node::Field) |
//! | a [`Row`](crate::node::Row), a [`Cell`](crate::node::Cell) | in a [`Table`](crate::node::Table), in a row |
//! | a link in a link | elsewhere |
//! | [`Frontmatter`](crate::node::Frontmatter) | before everything else |
//! | a level that is not 1 to 6, a footnote's label with blanks or brackets | |
//!
//! A block in a [`Paragraph`](crate::node::Paragraph) or a [`Line`](crate::node::Line) ends it, and what follows the block
//! begins another one.
//!
//! Three things are written otherwise than they are in the tree. Blanks at the ends of a mark are outside of it
//! (`down **SEV1**`, not `down** SEV1**`), and a mark around nothing is nothing. A [`Break`](crate::node::Break) with
//! nothing after it in its line is left out, and in a cell it is a space. Characters that nobody sees are removed, as
//! [`visible`](crate::visible) describes.
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
//! - a quote that begins with a mark of GitHub, such as `[!NOTE]`, as an [`Alert`](crate::node::Alert);
//! - no [`Paragraph`](crate::node::Paragraph) around what is alone in its section, item, quote or
//!   footnote, nor around what an item that is not spread begins with; one around each other
//!   paragraph;
//! - items in lists, rows in tables and cells in rows; blocks not within what is in a line;
//!   [`Code`](crate::node::Code) and its like with one text.
//!
//! Ten nodes leave figures, plain text, a list or nothing of themselves behind and are one-way:
//! [`DescriptionList`](crate::node::DescriptionList), [`Description`](crate::node::Description),
//! [`Line`](crate::node::Line), [`Group`](crate::node::Group), [`Relates`](crate::node::Relates),
//! [`Meter`](crate::node::Meter), [`Status`](crate::node::Status), and [`Parts`](crate::node::Parts), [`Part`](crate::node::Part) and
//! [`Beside`](crate::node::Beside). So are calls of components: what they gave is lifted.

pub(crate) mod alert;
mod content;
mod notes;
mod rule;

pub use alert::alert_of;
pub(crate) use content::is_phrasing;
pub use content::{flow, phrasing};
/// The nodes of mdast, which rules give and read: those of the crate `markdown`.
#[doc(no_inline)]
pub use markdown::mdast::*;
pub(crate) use notes::Notes;

use crate::characters::touch;
use crate::registry::{LiftTarget, LowerError, Misplaced, Target};
use crate::trace::Recorder;
use crate::visible::show;

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

/// The text of a node that is one, and for any other a text without blanks at its ends.
fn seen(node: &Node) -> &str {
    match node {
        Node::Text(text) => &text.value,
        _ => "x",
    }
}

/// What the rules of the markdown target pass to their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The level of the next section's heading, 1 to 6.
    pub level: u8,
    /// True in a line, where no block can be.
    pub inline: bool,
    /// The name of the node that it is in; empty at the top. Nodes that are nothing of themselves are passed over.
    within: &'static str,
    /// True in a link, where no other link can be.
    is_in_link: bool,
}

impl Context {
    /// The same place, in a line in a node.
    fn in_line(self, within: &'static str) -> Self {
        Self {
            inline: true,
            within,
            ..self
        }
    }

    /// The same place, among blocks in a node.
    fn in_block(self, within: &'static str) -> Self {
        Self {
            inline: false,
            within,
            ..self
        }
    }

    /// The same place, with sections of a level.
    fn at_level(self, level: u8) -> Self {
        Self { level, ..self }
    }
}

/// The outermost place: a section here has a heading of level 1.
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

/// An mdast root of these nodes.
pub fn root(nodes: Vec<Node>) -> Node {
    Node::Root(Root {
        children: flow(nodes),
        position: None,
    })
}

/// The fix for frontmatter that is elsewhere.
const FRONTMATTER: &str = "put it before everything else of the layout";

/// Refuses frontmatter that is not the first of the blocks of a document.
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

/// Removes from nodes the characters that nobody sees. What is written as it is keeps them: HTML, frontmatter and MDX.
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
