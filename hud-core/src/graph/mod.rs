//! The graph target: elements lowered to a [`Diagram`] with containment and references.
//!
//! Each section, item, field and row is a vertex, and so is each run of text among them. Edges lead
//! from a vertex to its content and to the vertices that it names. [`Code`](crate::node::Code) at
//! the beginning of a vertex is the name of that vertex (a path, a command, a test). Any other
//! vertex that contains the name refers to it. A path also matches with a line number after it, and
//! with fewer leading directories if that is unambiguous. If several vertices contain a name and
//! none begins with it, the name is a vertex of its own. [`Relates`](crate::node::Relates) sets the
//! relation of the enclosing vertex to the names within it: a decision `affects` a file, a step
//! `belongs to` the task.
//!
//! ```
//! use hud_core::graph::dot;
//! use hud_core::node::{Code, Item, List, Section};
//! use hud_core::{Density, Renderer, Scope, rsx};
//!
//! let layout = rsx! {
//!     <Section title="Files">
//!         <List><Item><Code>"src/limit.rs"</Code> " (editing)"</Item></List>
//!     </Section>
//!     <Section title="Errors">
//!         <List><Item>"no method `get` in " <Code>"src/limit.rs:7"</Code></Item></List>
//!     </Section>
//! };
//! let diagram = Renderer::builtin().diagram(&layout, Scope::new(Density::Full))?;
//! assert_eq!(dot::to_string(&diagram), r#"digraph {
//!   node [shape=box];
//!   v0 [label="Files", class="section"];
//!   v1 [label="src/limit.rs (editing)", class="item"];
//!   v2 [label="Errors", class="section"];
//!   v3 [label="no method `get` in src/limit.rs:7", class="item"];
//!   v0 -> v1;
//!   v2 -> v3;
//!   v3 -> v1 [style=dashed];
//! }
//! "#);
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! [`dot`], [`mermaid`] and [`graphml`] serialize it. Labels are data: no text can end its label.
//!
//! # Nodes and vertices
//!
//! | node | graph |
//! | --- | --- |
//! | `Section`, `Heading` | a vertex, around the content under it |
//! | `Item`, `Field`, `Callout`, `Alert`, `Description`, `Quote`, `Row`, `FootnoteDefinition` | a vertex with its text as the label |
//! | `CodeBlock`, `MathBlock`, `Frontmatter`, `Definition` | a vertex |
//! | `Paragraph` | text, as without a paragraph |
//! | `Relates` | its content, and the relation to the names in it |
//! | `Code` | text that is a name |
//! | `Link`, `Image` | text, and a name: the address |
//! | `LinkReference`, `ImageReference`, `FootnoteReference` | text, and a name: that of the definition |
//! | `ThematicBreak` | nothing |
//! | `Meter`, `Status` and other nodes in a line | text |
//! | `List`, `Table`, `Parts` and other groups | their content |
//! | a node that has no rule | a vertex, named by the node's name, with its props |
//!
//! A graph cannot be lifted: it has neither the order of text and edges nor the kind of text of a
//! label.

mod diagram;
pub mod dot;
pub mod graphml;
pub mod mermaid;
mod parts;
mod refer;
mod rule;

pub use diagram::{Diagram, Edge, Relation, Vertex};
pub(crate) use parts::diagram_of;
pub(crate) use rule::register;

use crate::characters::touch;
use crate::registry::Target;
use crate::visible::visible;

/// The target of graphs. Rules return [pieces](GraphPiece), and [`Diagram::of`] builds a graph from
/// them.
#[derive(Clone, Copy, Debug)]
pub enum Graph {}

/// A piece of a diagram. The rules of the graph target return pieces, and [`Diagram::of`] builds
/// one diagram from them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphPiece {
    /// Text of the enclosing vertex.
    Words(String),
    /// Text that is a name.
    Name(String),
    /// A reference of the enclosing vertex that is not part of its text.
    Reference(Reference),
    /// The end of a line of text.
    End,
    /// The title of the content after it, up to the next heading of its level.
    Heading {
        /// The level, 1 to 6.
        level: u8,
        /// The text.
        title: String,
    },
    /// A vertex and its content.
    Branch(Branch),
}

/// A reference of a vertex to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name of the other vertex.
    pub name: String,
    /// The relation to it.
    pub relation: Relation,
    /// True if a vertex is created for the name even if nothing else mentions it.
    pub is_needed: bool,
}

impl Reference {
    /// A plain reference to a name.
    pub fn to(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            relation: Relation::Refers,
            is_needed: false,
        }
    }
}

/// A vertex and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The kind: a word of the program, not of its data.
    pub kind: &'static str,
    /// The label before the text in it.
    pub label: String,
    /// The names that others refer to it by.
    pub names: Vec<String>,
    /// True if the text in it is part of its label. Otherwise the text is a vertex in it.
    pub takes_words: bool,
    /// The content.
    pub within: Vec<GraphPiece>,
}

impl Branch {
    /// A vertex around others.
    pub fn around(kind: &'static str, label: impl Into<String>, within: Vec<GraphPiece>) -> Self {
        Self {
            kind,
            label: label.into(),
            names: Vec::new(),
            takes_words: false,
            within,
        }
    }

    /// A vertex whose label includes the text in it.
    pub fn saying(kind: &'static str, label: impl Into<String>, within: Vec<GraphPiece>) -> Self {
        Self {
            takes_words: true,
            ..Self::around(kind, label, within)
        }
    }
}

impl Target for Graph {
    const NAME: &'static str = "graph";
    type Piece = GraphPiece;
    type Context = ();

    fn text(text: &str) -> GraphPiece {
        GraphPiece::Words(visible(text).into_owned())
    }

    fn runs_on(before: &GraphPiece, after: &GraphPiece) -> bool {
        match (before, after) {
            (
                GraphPiece::Words(before) | GraphPiece::Name(before),
                GraphPiece::Words(after) | GraphPiece::Name(after),
            ) => touch(before, after),
            _ => false,
        }
    }
}
