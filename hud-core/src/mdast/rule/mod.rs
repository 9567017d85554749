//! The rules of the built-in nodes, with a file for each family. They lower the nodes and lift them
//! again.

mod code;
mod cut;
mod hud;
mod link;
mod list;
mod made;
mod mark;
#[cfg(feature = "mdx")]
mod mdx;
mod measure;
mod part;
mod prose;
mod raw;
mod straight;
mod table;

use markdown::mdast::{Node, Root};

pub(crate) use made::{Made, Write};
pub(super) use mark::strong_of;
pub(crate) use measure::{Measured, Measurer};
pub(crate) use part::{Arranger, parts_text};
pub(super) use prose::{paragraph_of, quote_of};

use super::{Context, Mdast, flow, phrasing};
use crate::element::Element;
use crate::node::Paragraph;
use crate::registry::{Lift, LiftError, Lower, LowerError, LowerResult, Registry};
use crate::visible::visible;

/// Registers all rules. If two could lift the same nodes, the later one wins: `hud` follows
/// `prose`, because its nodes have the shapes of prose.
pub(crate) fn register(registry: &mut Registry) {
    prose::register(registry);
    list::register(registry);
    table::register(registry);
    code::register(registry);
    mark::register(registry);
    link::register(registry);
    raw::register(registry);
    #[cfg(feature = "mdx")]
    mdx::register(registry);
    part::register(registry);
    hud::register(registry);
}

/// Lifts a whole tree.
pub(crate) fn lift_root(root: &Node, registry: &Registry) -> Result<Element<'static>, LiftError> {
    let nodes = match root {
        Node::Root(root) => root.children.as_slice(),
        node => std::slice::from_ref(node),
    };
    lift_blocks(nodes, &Lift::new(registry)).map(Element::fragment)
}

type Elements = Result<Vec<Element<'static>>, LiftError>;

/// Lowers children to blocks.
fn blocks(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(flow(pieces_of_block(children, lower)?))
}

/// Lowers children among blocks, without converting the pieces.
fn pieces_of_block(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    lower
        .with_context(lower.context().in_block(lower.node()))
        .children(children)
}

/// Lowers children to phrasing.
fn line(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(phrasing(pieces_of_line(children, lower)?))
}

/// Lowers children within a line, without converting the pieces.
fn pieces_of_line(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    lower
        .with_context(lower.context().in_line(lower.node()))
        .children(children)
}

/// Children as phrasing or as blocks.
enum Shown {
    Line(Vec<Node>),
    Blocks(Vec<Node>),
}

/// Lowers children to phrasing. If one of them is not allowed in a line and blocks are allowed
/// here, lowers them to blocks.
fn line_or_blocks(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Result<Shown, LowerError> {
    match line(children, lower) {
        Err(LowerError::Misplaced(_)) if !lower.context().inline => {
            Ok(Shown::Blocks(blocks(children, lower)?))
        }
        shown => Ok(Shown::Line(shown?)),
    }
}

/// Returns an error for a block within a line.
fn refuse_in_line(lower: &Lower<'_, Mdast>, fix: &'static str) -> Result<(), LowerError> {
    match lower.context() {
        Context {
            inline: true,
            within,
            ..
        } => Err(lower.misplaced(within, fix)),
        _ => Ok(()),
    }
}

/// Returns an error for a node outside of its parent type.
fn refuse_outside(
    holder: &str,
    lower: &Lower<'_, Mdast>,
    fix: &'static str,
) -> Result<(), LowerError> {
    match lower.context().within {
        within if within == holder => Ok(()),
        within => Err(lower.misplaced(within, fix)),
    }
}

/// Checks the label of a reference.
fn label<'l>(label: &'l str, lower: &Lower<'_, Mdast>) -> Result<&'l str, LowerError> {
    let is_blank = label.is_empty() || label.contains(char::is_whitespace);
    match is_blank || visible(label) != label {
        true => Err(lower.invalid(
            "label",
            label,
            "give it a label without blanks, such as `note-1`",
        )),
        false => Ok(label),
    }
}

/// Blocks that stay blocks among other nodes: see [`flow`].
fn as_blocks(children: Vec<Node>) -> Node {
    Node::Root(Root {
        children,
        position: None,
    })
}

/// Lifts blocks: the opposite of [`blocks`]. A paragraph that is alone needs no node.
fn lift_blocks(nodes: &[Node], lift: &Lift<'_, Mdast>) -> Elements {
    let mut elements = lift_each_block(nodes, lift)?;
    if elements.len() == 1 {
        open_paragraph(&mut elements);
    }
    Ok(elements)
}

fn lift_each_block(nodes: &[Node], lift: &Lift<'_, Mdast>) -> Elements {
    lift.with_context(lift.context().in_block(""))
        .siblings(nodes)
}

/// Lifts phrasing: the opposite of [`line`].
fn lift_line(nodes: &[Node], lift: &Lift<'_, Mdast>) -> Elements {
    lift.with_context(lift.context().in_line(""))
        .siblings(nodes)
}

/// Replaces a paragraph at the start of some blocks with its content.
fn open_paragraph(blocks: &mut Vec<Element<'static>>) {
    let paragraph = blocks
        .first()
        .and_then(|first| first.as_node::<Paragraph>())
        .filter(|(_, children)| !children.is_empty());
    if let Some((_, children)) = paragraph {
        let children = children.to_vec();
        blocks.splice(..1, children);
    }
}

/// Converts a string prop to an optional string of mdast.
fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Converts an optional string of mdast to a string prop.
fn or_empty(text: Option<&String>) -> String {
    text.cloned().unwrap_or_default()
}
