//! Turns the parts of a layout into vertices.

use super::{Branch, Diagram, Graph, GraphPiece};
use crate::part::{Gathered, RenderedPart};

/// The name of a part. No text of a layout can equal it.
pub(super) fn part_name(part: &str) -> String {
    format!("\0{part}")
}

/// The parts of a layout as one graph, and the facts of each part. If a part's output is no vertex,
/// it becomes a vertex with the name of the part. Around all parts is a vertex with the name
/// `root`, which also contains `before`.
pub(crate) fn diagram_of(
    root: &str,
    before: Vec<GraphPiece>,
    gathered: Vec<Gathered<Graph>>,
) -> (Diagram, Vec<RenderedPart>) {
    let mut within = before;
    let mut parts = Vec::with_capacity(gathered.len());
    for mut of in gathered {
        let (part, density, error) = (of.part, of.density, of.error);
        let is_vertex = |piece: &GraphPiece| {
            matches!(piece, GraphPiece::Branch(_) | GraphPiece::Heading { .. })
        };
        let says = |piece: &GraphPiece| !matches!(piece, GraphPiece::End);
        let first = of.pieces.iter_mut().find_map(|piece| match piece {
            GraphPiece::Branch(branch) => Some(branch),
            _ => None,
        });
        if let Some(first) = first.filter(|_| !part.name.is_empty()) {
            first.names.push(part_name(&part.name));
        }
        if part.name.is_empty() || of.pieces.iter().any(is_vertex) {
            within.extend(of.pieces);
            within.push(GraphPiece::End);
        } else if of.pieces.iter().any(says) {
            let label = part.name.replace('_', " ");
            within.push(GraphPiece::Branch(Branch {
                names: vec![part_name(&part.name)],
                ..Branch::saying("part", label, of.pieces)
            }));
        }
        parts.push(RenderedPart {
            part,
            density,
            error,
        });
    }
    let root = GraphPiece::Branch(Branch::around("root", root, within));
    (Diagram::of([root]), parts)
}
