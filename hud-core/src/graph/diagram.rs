//! Builds vertices and edges from pieces.

use std::collections::HashSet;
use std::sync::Arc;

use super::refer::Mentions;
use super::{Branch, GraphPiece, Reference};

/// A directed graph. Its vertices and edges are in the order of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The vertices. Edges refer to them by index.
    pub vertices: Vec<Vertex>,
    /// The edges, those of [`Relation::Contains`] first.
    pub edges: Vec<Edge>,
}

/// A vertex of a [`Diagram`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// The kind, such as `section`.
    pub kind: &'static str,
    /// The label, which may have several lines.
    pub label: String,
}

/// An edge of a [`Diagram`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The index of the source vertex.
    pub from: usize,
    /// The index of the target vertex.
    pub to: usize,
    /// The relation of the source to the target.
    pub relation: Relation,
}

/// The relation of a vertex to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relation {
    /// The other vertex is within it.
    Contains,
    /// It names the other vertex.
    Refers,
    /// A custom relation, given by [`Relates`](crate::node::Relates).
    Relates(Arc<str>),
}

impl Relation {
    /// The name of the relation: `contains`, `refers`, or that of
    /// [`Relates`](crate::node::Relates).
    pub fn name(&self) -> &str {
        match self {
            Self::Contains => "contains",
            Self::Refers => "refers",
            Self::Relates(how) => how,
        }
    }
}

impl Diagram {
    /// The graph of adjacent pieces.
    pub fn of(pieces: impl IntoIterator<Item = GraphPiece>) -> Self {
        let mut builder = Builder::default();
        builder.siblings(None, nested(pieces));
        builder.finish()
    }
}

/// The pieces, with the content under each heading in a vertex.
fn nested(pieces: impl IntoIterator<Item = GraphPiece>) -> Vec<GraphPiece> {
    let mut open: Vec<(u8, String, Vec<GraphPiece>)> = Vec::new();
    let mut siblings = Vec::new();
    let close =
        |open: &mut Vec<(u8, String, Vec<GraphPiece>)>, siblings: &mut Vec<GraphPiece>, level| {
            while let Some((_, title, around)) = open.pop_if(|(other, ..)| *other >= level) {
                let within = std::mem::replace(siblings, around);
                siblings.push(GraphPiece::Branch(Branch::around("heading", title, within)));
            }
        };
    for piece in pieces {
        match piece {
            GraphPiece::Heading { level, title } => {
                close(&mut open, &mut siblings, level);
                open.push((level, title, std::mem::take(&mut siblings)));
            }
            piece => siblings.push(piece),
        }
    }
    close(&mut open, &mut siblings, 0);
    siblings
}

#[derive(Default)]
struct Builder {
    diagram: Diagram,
    mentions: Mentions,
}

/// Text that forms one label.
#[derive(Default)]
struct Words {
    label: String,
    /// The text's own name, if it begins with one.
    own: Option<String>,
    /// The other names in the text.
    named: Vec<Reference>,
}

impl Words {
    fn push(&mut self, piece: GraphPiece) {
        match piece {
            GraphPiece::Words(words) => self.label.push_str(&words),
            GraphPiece::Name(name) => {
                let is_first = self.label.trim().is_empty() && self.own.is_none();
                self.label.push_str(&name);
                match is_first {
                    true => self.own = Some(name),
                    false => self.named.push(Reference::to(name)),
                }
            }
            GraphPiece::Reference(reference) => self.named.push(reference),
            GraphPiece::End if !self.label.ends_with('\n') => self.label.push('\n'),
            GraphPiece::End | GraphPiece::Heading { .. } | GraphPiece::Branch(_) => {}
        }
    }
}

impl Builder {
    fn siblings(&mut self, parent: Option<usize>, pieces: Vec<GraphPiece>) {
        let mut words = Words::default();
        for piece in pieces {
            match piece {
                GraphPiece::Branch(branch) => {
                    self.text(parent, std::mem::take(&mut words));
                    self.branch(parent, branch);
                }
                GraphPiece::End => self.text(parent, std::mem::take(&mut words)),
                piece => words.push(piece),
            }
        }
        self.text(parent, words);
    }

    /// Adds text that no enclosing vertex takes as its own.
    fn text(&mut self, parent: Option<usize>, words: Words) {
        let is_said = !words.label.trim().is_empty();
        match parent {
            Some(parent) if !is_said => self.mention(parent, words.named),
            _ if is_said || !words.named.is_empty() => {
                self.vertex(parent, "text", "", words);
            }
            _ => {}
        }
    }

    fn mention(&mut self, from: usize, named: Vec<Reference>) {
        { named.into_iter() }.for_each(|reference| self.mentions.mention(from, reference));
    }

    fn branch(&mut self, parent: Option<usize>, branch: Branch) {
        let within = nested(branch.within);
        let (words, others) = match branch.takes_words {
            true => split(within),
            false => (Words::default(), within),
        };
        let at = self.vertex(parent, branch.kind, &branch.label, words);
        for name in branch.names {
            self.mentions.name(name, at);
        }
        self.siblings(Some(at), others);
    }

    fn vertex(
        &mut self,
        parent: Option<usize>,
        kind: &'static str,
        label: &str,
        words: Words,
    ) -> usize {
        let at = self.diagram.vertices.len();
        let said = words.label.trim();
        let label = match (label.trim(), said) {
            ("", "") => kind.to_owned(),
            (label, "") => label.to_owned(),
            ("", said) => said.to_owned(),
            (label, said) => format!("{label}: {said}"),
        };
        self.diagram.vertices.push(Vertex { kind, label });
        if let Some(from) = parent {
            let relation = Relation::Contains;
            self.diagram.edges.push(Edge {
                from,
                to: at,
                relation,
            });
        }
        if let Some(own) = words.own {
            self.mentions.name(own, at);
        }
        self.mention(at, words.named);
        at
    }

    fn finish(mut self) -> Diagram {
        self.mentions.resolve(&mut self.diagram);
        let edges = std::mem::take(&mut self.diagram.edges);
        let ends = |edge: &Edge| (edge.from, edge.to);
        let related = edges
            .iter()
            .filter(|edge| matches!(edge.relation, Relation::Relates(_)));
        let related: HashSet<(usize, usize)> = related.map(ends).collect();
        let mut seen = HashSet::new();
        // A custom relation replaces a plain reference between the same vertices.
        self.diagram.edges = { edges.into_iter() }
            .filter(|edge| edge.relation != Relation::Refers || !related.contains(&ends(edge)))
            .filter(|edge| seen.insert(edge.clone()))
            .collect();
        self.diagram
    }
}

/// Splits the content of a vertex into its own text and everything else.
fn split(within: Vec<GraphPiece>) -> (Words, Vec<GraphPiece>) {
    let mut words = Words::default();
    let mut others = Vec::new();
    for piece in within {
        match piece {
            branch @ GraphPiece::Branch(_) => others.push(branch),
            piece => words.push(piece),
        }
    }
    (words, others)
}
