//! What was made of a part, which may be given again.

use std::sync::{Arc, OnceLock};

use markdown::mdast::Node;

use super::as_blocks;
use super::prose::paragraph_of;
use crate::gfm::ended;
use crate::mdast::{flow, is_phrasing, phrasing, root};
use crate::node::SEPARATOR;
use crate::tokens::{CountError, TokenCounter};

/// Writes a root, without a line ending behind it.
pub(crate) type Write<'w> = dyn Fn(&Node) -> String + 'w;

/// A part in an amount.
#[derive(Debug)]
pub(crate) struct Made {
    pub(super) piece: Piece,
    /// The level of the heading that it begins with.
    pub(super) heading: Option<u8>,
    /// Whether the blocks are written as they would be by themselves, whatever is around them.
    stands_alone: bool,
    written: OnceLock<String>,
    measured: OnceLock<String>,
    counted: OnceLock<u32>,
}

/// What a part shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Nothing,
    /// What can share a line with others.
    Short(Vec<Node>),
    /// A root of blocks.
    Blocks(Node),
}

impl Made {
    /// What nodes are among others; `is_beside` is where a line can be shared, too.
    pub(super) fn of(nodes: Vec<Node>, is_beside: bool) -> Self {
        let heading = first_heading(&nodes);
        let piece = piece(nodes, is_beside);
        Self {
            stands_alone: matches!(&piece, Piece::Blocks(root) if stand_alone(root)),
            heading,
            piece,
            written: OnceLock::new(),
            measured: OnceLock::new(),
            counted: OnceLock::new(),
        }
    }

    /// The nodes of it, of which others may have the same.
    pub(super) fn into_nodes(this: Arc<Self>) -> Vec<Node> {
        let piece = match Arc::try_unwrap(this) {
            Ok(made) => made.piece,
            Err(shared) => shared.piece.clone(),
        };
        match piece {
            Piece::Nothing => Vec::new(),
            Piece::Short(nodes) => nodes,
            Piece::Blocks(root) => blocks_of(root),
        }
    }

    /// Its blocks; none for what can share a line.
    pub(super) fn blocks(&self) -> &[Node] {
        match &self.piece {
            Piece::Nothing | Piece::Short(_) => &[],
            Piece::Blocks(root) => blocks_in(root),
        }
    }

    /// Whether what is written of its blocks is the same wherever they are.
    pub(super) fn stands_alone(&self) -> bool {
        self.stands_alone
    }

    /// What is written of its blocks by themselves.
    pub(super) fn written(&self, write: &Write<'_>) -> &str {
        self.written.get_or_init(|| match &self.piece {
            Piece::Nothing | Piece::Short(_) => String::new(),
            Piece::Blocks(root) if self.stands_alone => write(root),
            Piece::Blocks(other) => write(&root(blocks_of(other.clone()))),
        })
    }

    /// What it says by itself, with what keeps it apart from its neighbours; empty where it says nothing.
    pub(crate) fn measured(&self, write: &Write<'_>) -> &str {
        self.measured.get_or_init(|| match &self.piece {
            Piece::Nothing => String::new(),
            Piece::Short(nodes) => {
                let line = write(&root(vec![paragraph_of(nodes.clone())]));
                format!("{}{SEPARATOR}", line.trim_end())
            }
            Piece::Blocks(_) => match ended(self.written(write).to_owned()) {
                text if text.is_empty() => text,
                text => text + "\n",
            },
        })
    }

    /// What a counter counts of that.
    pub(crate) fn count(
        &self,
        counter: &dyn TokenCounter,
        write: &Write<'_>,
    ) -> Result<u32, CountError> {
        if let Some(count) = self.counted.get() {
            return Ok(*count);
        }
        let count = counter.count(self.measured(write))?;
        let _ = self.counted.set(count);
        Ok(count)
    }
}

pub(super) fn piece(nodes: Vec<Node>, is_beside: bool) -> Piece {
    if nodes.iter().all(is_phrasing) {
        let line = phrasing(nodes);
        let is_blank =
            |node: &Node| matches!(node, Node::Text(text) if text.value.trim().is_empty());
        return match line.iter().all(is_blank) {
            true => Piece::Nothing,
            false => Piece::Short(line),
        };
    }
    let is_empty = |node: &Node| matches!(node, Node::Text(text) if text.value.is_empty());
    let mut blocks = flow(nodes);
    match blocks.as_mut_slice() {
        [] => Piece::Nothing,
        // It would take the blank lines around it, and the fit counts nothing for what says nothing.
        [Node::Paragraph(paragraph)] if paragraph.children.iter().all(is_empty) => Piece::Nothing,
        [Node::Paragraph(paragraph)] if is_beside => {
            Piece::Short(std::mem::take(&mut paragraph.children))
        }
        _ => Piece::Blocks(as_blocks(blocks)),
    }
}

/// The blocks in a root.
pub(super) fn blocks_in(root: &Node) -> &[Node] {
    root.children().map_or(&[], Vec::as_slice)
}

/// The blocks of a root.
pub(super) fn blocks_of(root: Node) -> Vec<Node> {
    match root {
        Node::Root(root) => root.children,
        block => vec![block],
    }
}

/// The level of the heading that nodes begin with.
pub(super) fn first_heading(nodes: &[Node]) -> Option<u8> {
    match nodes.first() {
        Some(Node::Root(root)) => first_heading(&root.children),
        Some(Node::Heading(heading)) => Some(heading.depth),
        _ => None,
    }
}

/// Whether blocks are written behind any others, and before such ones, as they are by themselves. What is between two
/// blocks, and the marker of a list, depends on what is before them, but for headings and paragraphs; and whether a
/// bracket may refer to something, on the definitions of the whole document.
pub(super) fn stand_alone(root: &Node) -> bool {
    let blocks = blocks_in(root);
    matches!(blocks.first(), Some(Node::Heading(_) | Node::Paragraph(_)))
        && !blocks
            .iter()
            .any(|block| is_phrasing(block) || defines(block))
}

/// Whether there is something in a node that others may refer to.
fn defines(node: &Node) -> bool {
    matches!(node, Node::Definition(_) | Node::FootnoteDefinition(_))
        || node
            .children()
            .is_some_and(|children| children.iter().any(defines))
}
