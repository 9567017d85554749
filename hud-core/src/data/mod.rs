//! The data target: elements lowered to a [`Value`], and lifted from one.
//!
//! Markdown is for models, and programs want the same HUD as values. Each section becomes a member
//! of an object, each list a list, and the text of a line a string:
//!
//! ```
//! use hud_core::node::{Field, Item, List, Section, Value};
//! use hud_core::{Density, Renderer, Scope, rsx};
//!
//! let layout = rsx! {
//!     <Section title="Next Steps (1/2 done)">
//!         <List>
//!             <Item checked=true>"Read the code"</Item>
//!             <Item checked=false>"Write the test"</Item>
//!         </List>
//!     </Section>
//!     <Field label="Branch">"main"</Field>
//! };
//! let value = Renderer::builtin().data(&layout, Scope::new(Density::Full))?;
//!
//! let step = |text: &str, done| Value::Object(vec![
//!     ("text".to_owned(), Value::Text(text.to_owned())),
//!     ("done".to_owned(), Value::Bool(done)),
//! ]);
//! let steps = Value::List(vec![step("Read the code", true), step("Write the test", false)]);
//! assert_eq!(value, Value::Object(vec![
//!     ("next_steps".to_owned(), steps),
//!     ("branch".to_owned(), Value::Text("main".to_owned())),
//! ]));
//! # Ok::<(), hud_core::LowerError>(())
//! ```
#![cfg_attr(
    feature = "data",
    doc = "\n[`json`], [`toon`] and [`xml`] write values, and [`json`] and [`xml`] read them."
)]
//!
//! # Nodes and values
//!
//! | node | value |
//! | --- | --- |
//! | `Section`, `Field`, `Callout`, `Alert`, `Description`, `FootnoteDefinition` | a member, named by the [`key`] of its title, label, kind, term or name |
//! | `Heading` | a member with the content after it, up to the next heading of its level |
//! | `List` | a list; its items have the same members, null where one lacks it |
//! | `Item` | its content; with a check box an object with `done` |
//! | `Table` | a list of objects, whose members are named by the first row |
//! | `Meter` | the members `used`, `limit`, `percent`, `rounded` and `unit` of the enclosing value |
//! | `Status` | the member `status` of the enclosing value |
//! | `Link`, `Image` | an object of `text` and `url`; within other text, `text (url)` |
//! | `CodeBlock` | its text; with a language an object of `language` and `code` |
//! | `Delete` | its text between `~~` |
//! | `ThematicBreak` | nothing |
//! | `Html`, `Frontmatter`, MDX | their text |
//! | all others | their content |
//! | a node that has no rule | a member, named by the node's name, with its props and its content |
//!
//! Text beside members becomes the member `text`, and a list beside members becomes `items`.
//! Several members with the same name form a list. If a title has more than a name and a count, it
//! is kept as `title`.
//!
//! # The way back
//!
//! [`Renderer::lift_data`](crate::Renderer::lift_data) returns a tree that lowers to the same
//! value. It is not the original tree, because marks, counts in titles and the kinds of blocks are
//! not in the data. A value that no tree lowers to, such as one with a number outside of a meter,
//! is an error.

mod assemble;
#[cfg(feature = "data")]
mod format;
mod key;
mod lift;
mod parts;
mod rule;

pub use assemble::assemble;
#[cfg(feature = "data")]
pub use format::{DataError, ShortKeys, json, toon, xml};
pub use key::key;
pub(crate) use lift::lift_value;
pub(crate) use parts::object_of;
pub(crate) use rule::register;

use crate::characters::touch;
use crate::node::Value;
use crate::registry::{LiftTarget, Target};

/// The target of data. Rules return [pieces](DataPiece), and [`assemble`] turns them into a value.
#[derive(Clone, Copy, Debug)]
pub enum Data {}

/// A piece of a value. The rules of the data target return pieces, and [`assemble`] turns them into
/// one value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DataPiece {
    /// Text in a line.
    Text(String),
    /// A link in a line.
    Link {
        /// The visible text.
        text: String,
        /// The address.
        url: String,
    },
    /// A member of the enclosing value that appears within a line.
    Aside(String, Value),
    /// A member of the enclosing value.
    Member(String, Value),
    /// The name of the content after it, up to the next heading of its level.
    Heading {
        /// The level, 1 to 6.
        level: u8,
        /// The text.
        title: String,
    },
    /// An item of a list.
    Item(Value),
    /// A value without a name, such as a paragraph or a list.
    Value(Value),
}

impl Target for Data {
    const NAME: &'static str = "data";
    type Piece = DataPiece;
    type Context = ();

    fn text(text: &str) -> DataPiece {
        DataPiece::Text(text.to_owned())
    }

    fn runs_on(before: &DataPiece, after: &DataPiece) -> bool {
        match (before, after) {
            (
                DataPiece::Text(before) | DataPiece::Link { text: before, .. },
                DataPiece::Text(after) | DataPiece::Link { text: after, .. },
            ) => touch(before, after),
            _ => false,
        }
    }
}

impl LiftTarget for Data {
    fn as_text(piece: &DataPiece) -> Option<&str> {
        match piece {
            DataPiece::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The name of the piece's JSON type, for most pieces.
    fn kind(piece: &DataPiece) -> &'static str {
        match piece {
            DataPiece::Text(_) => "text",
            DataPiece::Link { .. } => "link",
            DataPiece::Heading { .. } => "heading",
            DataPiece::Aside(_, value)
            | DataPiece::Member(_, value)
            | DataPiece::Item(value)
            | DataPiece::Value(value) => match value {
                Value::None | Value::Hidden => "null",
                Value::Bool(_) => "boolean",
                Value::Integer(_) | Value::Float(_) => "number",
                Value::Text(_) => "text",
                Value::List(_) => "list",
                Value::Object(_) => "object",
            },
        }
    }
}
