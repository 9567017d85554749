//! From pieces to vertices and edges.

use std::collections::HashSet;

use super::refer::Mentions;
use super::{Branch, Piece};

/// Vertices, and edges between them, both in the order of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The vertices. Edges name them by their places here.
    pub vertices: Vec<Vertex>,
    /// The edges: those to what is in something first.
    pub edges: Vec<Edge>,
}

/// A vertex of a [`Diagram`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// What it is, for example `section`.
    pub kind: &'static str,
    /// What it says: text, which may have several lines.
    pub label: String,
}

/// An edge of a [`Diagram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The place of the vertex that it leads from.
    pub from: usize,
    /// The place of the vertex that it leads to.
    pub to: usize,
    /// How they are related.
    pub relation: Relation,
}

/// How a vertex is related to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The other one is in it.
    Contains,
    /// It names the other one.
    Refers,
}

impl Relation {
    /// The relation's name in lower case: `contains` or `refers`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::Refers => "refers",
        }
    }
}

impl Diagram {
    /// The graph of pieces that follow each other.
    pub fn of(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut builder = Builder::default();
        builder.siblings(None, nested(pieces));
        builder.finish()
    }
}

/// Pieces with what is under each heading in a vertex.
fn nested(pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    let mut open: Vec<(u8, String, Vec<Piece>)> = Vec::new();
    let mut siblings = Vec::new();
    let close = |open: &mut Vec<(u8, String, Vec<Piece>)>, siblings: &mut Vec<Piece>, level| {
        while let Some((_, title, around)) = open.pop_if(|(other, ..)| *other >= level) {
            let within = std::mem::replace(siblings, around);
            siblings.push(Piece::Branch(Branch::around("heading", title, within)));
        }
    };
    for piece in pieces {
        match piece {
            Piece::Heading { level, title } => {
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

/// Words that are one label.
#[derive(Default)]
struct Words {
    label: String,
    /// What is named in them; the first one is their own name where they begin with it.
    named: Vec<String>,
    begin_with_name: bool,
}

impl Words {
    fn push(&mut self, piece: Piece) {
        match piece {
            Piece::Words(words) => self.label.push_str(&words),
            Piece::Name(name) => {
                self.begin_with_name |= self.label.trim().is_empty() && self.named.is_empty();
                self.label.push_str(&name);
                self.named.push(name);
            }
            Piece::Reference(name) => self.named.push(name),
            Piece::End if !self.label.ends_with('\n') => self.label.push('\n'),
            Piece::End | Piece::Heading { .. } | Piece::Branch(_) => {}
        }
    }
}

impl Builder {
    fn siblings(&mut self, parent: Option<usize>, pieces: Vec<Piece>) {
        let mut words = Words::default();
        for piece in pieces {
            match piece {
                Piece::Branch(branch) => {
                    self.text(parent, std::mem::take(&mut words));
                    self.branch(parent, branch);
                }
                Piece::End => self.text(parent, std::mem::take(&mut words)),
                piece => words.push(piece),
            }
        }
        self.text(parent, words);
    }

    /// Words that are in no vertex which takes them.
    fn text(&mut self, parent: Option<usize>, words: Words) {
        if !words.label.trim().is_empty() || !words.named.is_empty() {
            self.vertex(parent, "text", "", words);
        }
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
        let mut named = words.named.into_iter();
        if words.begin_with_name
            && let Some(own) = named.next()
        {
            self.mentions.name(own, at);
        }
        named.for_each(|name| self.mentions.mention(at, name));
        at
    }

    fn finish(mut self) -> Diagram {
        self.mentions.resolve(&mut self.diagram);
        let mut seen = HashSet::new();
        self.diagram.edges.retain(|edge| seen.insert(*edge));
        self.diagram
    }
}

/// What a vertex says itself, and what else is in it.
fn split(within: Vec<Piece>) -> (Words, Vec<Piece>) {
    let mut words = Words::default();
    let mut others = Vec::new();
    for piece in within {
        match piece {
            branch @ Piece::Branch(_) => others.push(branch),
            piece => words.push(piece),
        }
    }
    (words, others)
}
