//! The rendered result for a part, which can be shared and reused.

use std::sync::{Arc, OnceLock};

use markdown::mdast::Node;

use super::as_blocks;
use super::prose::paragraph_of;
use crate::gfm::ended;
use crate::mdast::{flow, is_phrasing, phrasing, root};
use crate::node::SEPARATOR;
use crate::tokens::{CountError, TokenCounter};

/// Serializes a root, without a line ending at the end.
pub(crate) type Write<'w> = dyn Fn(&Node) -> String + 'w;

/// A part at an amount.
#[derive(Debug)]
pub(crate) struct Made {
    pub(super) piece: Piece,
    /// The level of its first heading, if it begins with one.
    pub(super) heading: Option<u8>,
    /// True if the text of the blocks is independent of the blocks around them.
    stands_alone: bool,
    written: OnceLock<String>,
    measured: OnceLock<String>,
    counted: OnceLock<u32>,
}

/// The output of a part.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Nothing,
    /// Phrasing that can share a line with other parts.
    Short(Vec<Node>),
    /// A root of blocks.
    Blocks(Node),
}

impl Made {
    /// Classifies nodes. With `is_beside`, a whole line can share a line, too.
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

    /// The nodes. They are cloned if they are shared.
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

    /// The blocks. Empty for phrasing that can share a line.
    pub(super) fn blocks(&self) -> &[Node] {
        match &self.piece {
            Piece::Nothing | Piece::Short(_) => &[],
            Piece::Blocks(root) => blocks_in(root),
        }
    }

    /// True if the text of the blocks is independent of the blocks around them.
    pub(super) fn stands_alone(&self) -> bool {
        self.stands_alone
    }

    /// The text of the blocks alone.
    pub(super) fn written(&self, write: &Write<'_>) -> &str {
        self.written.get_or_init(|| match &self.piece {
            Piece::Nothing | Piece::Short(_) => String::new(),
            Piece::Blocks(root) if self.stands_alone => write(root),
            Piece::Blocks(other) => write(&root(blocks_of(other.clone()))),
        })
    }

    /// The text alone, with the separator from its neighbors. Empty without output.
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

    /// The count of that text.
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
        // An empty paragraph would take up blank lines, and the fit assumes that nothing costs
        // nothing.
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

/// The level of the heading that the nodes begin with, if they do.
pub(super) fn first_heading(nodes: &[Node]) -> Option<u8> {
    match nodes.first() {
        Some(Node::Root(root)) => first_heading(&root.children),
        Some(Node::Heading(heading)) => Some(heading.depth),
        _ => None,
    }
}

/// True if the text of blocks is independent of the blocks around them. For most blocks, the
/// separator and the marker of a list depend on the block before; headings and paragraphs are the
/// exceptions. The escapes of brackets depend on the definitions of the whole document.
pub(super) fn stand_alone(root: &Node) -> bool {
    let blocks = blocks_in(root);
    matches!(blocks.first(), Some(Node::Heading(_) | Node::Paragraph(_)))
        && !blocks
            .iter()
            .any(|block| is_phrasing(block) || defines(block))
}

/// True if a node contains something that others may refer to.
fn defines(node: &Node) -> bool {
    matches!(node, Node::Definition(_) | Node::FootnoteDefinition(_))
        || node
            .children()
            .is_some_and(|children| children.iter().any(defines))
}
