//! The graph target: elements lowered to a [`Diagram`] of what holds what, and what refers to what.
//!
//! Each section, item, field and row is a vertex, and so is each run of words among them. An edge leads from each to
//! what is in it, and from each to what it names: [`Code`](crate::node::Code) that a vertex begins with is its name
//! (a path, a command, a test), and any other vertex with that name in it refers to it. A path has the same name with
//! a line behind it, and with fewer directories before it where no other one ends so. What several vertices name and
//! none begins with is a vertex by itself. [`Relates`](crate::node::Relates) around a tree, or in it, says how what it
//! is in is related to what is named there: a decision `affects` a file, a step `belongs to` the task.
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
//! [`dot`], [`mermaid`] and [`graphml`] write it. In each of them labels are data: no text ends the label that it is
//! in.
//!
//! # What becomes what
//!
//! | node | in the graph |
//! | --- | --- |
//! | `Section`, `Heading` | a vertex, around what is under it |
//! | `Item`, `Field`, `Callout`, `Alert`, `Description`, `Quote`, `Row`, `FootnoteDefinition` | a vertex whose label has the words in it |
//! | `CodeBlock`, `MathBlock`, `Frontmatter`, `Definition` | a vertex |
//! | `Paragraph` | words, as those without one |
//! | `Relates` | what is in it, and how that is related to what it names |
//! | `Code` | words that name something |
//! | `Link`, `Image` | words, and a name: the address |
//! | `LinkReference`, `ImageReference`, `FootnoteReference` | words, and a name: that of the definition |
//! | `ThematicBreak` | nothing |
//! | `Meter`, `Status` and what else is in a line | words |
//! | `List`, `Table`, `Parts` and what else groups | what is in it |
//! | a node that has no rule | a vertex, named by the node's name, with its props |
//!
//! There is no way back: a graph keeps neither the order of words and edges nor what kind of text a label was.

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

/// The target of graphs: rules give [pieces](GraphPiece), and [`Diagram::of`] makes a graph of those.
#[derive(Clone, Copy, Debug)]
pub enum Graph {}

/// A piece of a diagram: a rule of the graph target gives them, and [`Diagram::of`] makes one diagram of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphPiece {
    /// Words of what is around it.
    Words(String),
    /// Words that name something.
    Name(String),
    /// Something that what is around it is related to, and that is not said.
    Reference(Reference),
    /// The end of a line of words.
    End,
    /// The title of what is behind it, up to the next heading of its level.
    Heading {
        /// Its level, 1 to 6.
        level: u8,
        /// What it says.
        title: String,
    },
    /// A vertex and what is in it.
    Branch(Branch),
}

/// What a vertex is related to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// What that is called.
    pub name: String,
    /// How it is related to it.
    pub relation: Relation,
    /// Whether it is a vertex even where nothing else names it.
    pub is_needed: bool,
}

impl Reference {
    /// What a vertex names and says no more of.
    pub fn to(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            relation: Relation::Refers,
            is_needed: false,
        }
    }
}

/// A vertex and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What it is: a word of the program, not of its data.
    pub kind: &'static str,
    /// What it says before the words in it.
    pub label: String,
    /// What others refer to it by.
    pub names: Vec<String>,
    /// Whether words in it are its own; otherwise they are a vertex in it.
    pub takes_words: bool,
    /// What is in it.
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

    /// A vertex that says the words in it.
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
