//! The built-in nodes: typed elements that rules match on, a file for each family.
//!
//! | nodes | what they are |
//! | --- | --- |
//! | [`Section`], [`Heading`], [`Paragraph`], [`Quote`], [`Callout`], [`ThematicBreak`] | blocks of prose |
//! | [`List`], [`Item`] | lists, ordered or not, with or without check boxes |
//! | [`Table`], [`Row`], [`Cell`] | tables |
//! | [`CodeBlock`], [`Code`], [`MathBlock`], [`Math`] | text that is not prose |
//! | [`Strong`], [`Emphasis`], [`Delete`], [`Break`] | marked text |
//! | [`Link`], [`Image`], [`Definition`], [`LinkReference`], [`ImageReference`] | what leads elsewhere |
//! | [`FootnoteReference`], [`FootnoteDefinition`] | footnotes |
//! | [`Html`], [`HtmlBlock`], [`Frontmatter`] | what is written as it is |
//! | [`MdxJsxFlowElement`], [`MdxJsxTextElement`], [`MdxFlowExpression`], [`MdxTextExpression`], [`MdxEsm`] | MDX |
//! | [`Field`], [`Line`], [`Group`], [`Meter`], [`Status`] | what a HUD needs and markdown does not name |
//!
//! A crate can add its own: derive [`Node`](macro@crate::Node) for a struct and register a rule.
//!
//! ```
//! use hud_core::{Density, Element, Lower, Lowered, Node, Registry, Renderer, Scope, one_way, rsx};
//! use hud_core::mdast::{Mdast, text};
//!
//! /// A key on the keyboard.
//! #[derive(Debug, PartialEq, Node)]
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
//! registry.register(one_way(lower_key));
//!
//! let help = rsx! { "Press " <Key cap="Esc" /> "." };
//! let markdown = Renderer::new(registry).markdown(&help, Scope::new(Density::Full))?;
//! assert_eq!(markdown, "Press ⟦Esc⟧.\n");
//! # Ok(())
//! # }
//! ```

mod code;
mod hud;
mod link;
mod list;
mod mark;
mod mdx;
mod prose;
mod raw;
mod table;

use std::any::Any;
use std::fmt::Debug;

pub use code::{Code, CodeBlock, Math, MathBlock};
pub use hud::{Field, Group, Line, Meter, Status};
pub use link::{
    Definition, FootnoteDefinition, FootnoteReference, Image, ImageReference, Link, LinkReference,
    ReferenceForm,
};
pub use list::{Item, List};
pub use mark::{Break, Delete, Emphasis, Strong};
pub use mdx::{MdxEsm, MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression};
pub use prose::{Callout, Heading, Paragraph, Quote, Section, ThematicBreak};
pub use raw::{Frontmatter, FrontmatterFormat, Html, HtmlBlock};
pub use table::{Align, Cell, Row, Table};

use crate::component::TagMeta;

/// A typed element that the registry's rules lower, by its type.
///
/// Derive it: `#[derive(Debug, PartialEq, Node)] pub struct Key { .. }`. The struct's fields are
/// the tag's props, its doc comments their docs; `#[node(leaf)]` refuses children.
pub trait Node: Any + Debug + DynPartialEq {
    /// The node's name, docs and props.
    fn meta(&self) -> &'static TagMeta;
}

/// Equality of nodes whose types are not known: what [`PartialEq`] gives by itself.
pub trait DynPartialEq {
    /// Whether the other node is of the same type and equal.
    fn dyn_eq(&self, other: &dyn Any) -> bool;
}

impl<N: Any + PartialEq> DynPartialEq for N {
    fn dyn_eq(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<N>() == Some(self)
    }
}
