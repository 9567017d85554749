//! The built-in nodes: typed elements that rules match on, a file for each family.
//!
//! | nodes | what they are |
//! | --- | --- |
//! | [`Section`], [`Paragraph`], [`Quote`], [`Callout`] | blocks of prose |
//! | [`List`], [`Item`] | lists, ordered or not, with or without check boxes |
//! | [`Table`], [`Row`], [`Cell`] | tables |
//! | [`CodeBlock`], [`Code`] | text that is not prose |
//! | [`Strong`], [`Emphasis`], [`Delete`], [`Link`] | marked text |
//! | [`Field`], [`Line`], [`Meter`], [`Status`] | what a HUD needs and markdown does not name |
//!
//! A crate can add its own: derive [`Node`](macro@crate::Node) for a struct and register a rule.
//!
//! ```
//! use hud_core::{Density, Element, Lower, Lowered, Node, Registry, Renderer, Scope, rsx};
//! use hud_core::mdast::{Mdast, text};
//!
//! /// A key on the keyboard.
//! #[derive(Debug, Node)]
//! #[node(leaf)]
//! pub struct Key {
//!     /// What is printed on it.
//!     #[prop(into)]
//!     pub cap: String,
//! }
//!
//! fn lower_key(key: &Key, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> Lowered<Mdast> {
//!     Ok(vec![text(format!("⟦{}⟧", key.cap))])
//! }
//!
//! # fn main() -> Result<(), hud_core::LowerError> {
//! let mut registry = Registry::builtin();
//! registry.register(lower_key);
//!
//! let help = rsx! { "Press " <Key cap="Esc" /> "." };
//! let markdown = Renderer::new(registry).markdown(&help, Scope::new(Density::Full))?;
//! assert_eq!(markdown, "Press ⟦Esc⟧.\n");
//! # Ok(())
//! # }
//! ```

mod code;
mod hud;
mod list;
mod mark;
mod prose;
mod table;

use std::any::Any;
use std::fmt::Debug;

pub use code::{Code, CodeBlock};
pub use hud::{Field, Line, Meter, Status};
pub use list::{Item, List};
pub use mark::{Delete, Emphasis, Link, Strong};
pub use prose::{Callout, Paragraph, Quote, Section};
pub use table::{Align, Cell, Row, Table};

use crate::component::TagMeta;

/// A typed element that the registry's rules lower, by its type.
///
/// Derive it: `#[derive(Debug, Node)] pub struct Key { .. }`. The struct's fields are the tag's
/// props, its doc comments their docs; `#[node(leaf)]` refuses children.
pub trait Node: Any + Debug {
    /// The node's name, docs and props.
    fn meta(&self) -> &'static TagMeta;
}
