//! Typed element trees and the rules that turn them into text.
//!
//! A layout is a function from data to an [`Element`]. [`rsx!`] writes elements in angle brackets,
//! [`macro@component`] turns a function into a tag, and [`render()`] returns markdown:
//!
//! ```
//! use hud_core::node::{Item, List, Section};
//! use hud_core::{Density, Element, component, render, rsx};
//!
//! /// The guests of a party.
//! #[component]
//! fn Guests<'a>(
//!     /// Who comes.
//!     names: &'a [String],
//!     density: Density,
//! ) -> Element<'a> {
//!     match density {
//!         Density::Full => rsx! {
//!             <Section title="Guests">
//!                 <List>for name in names { <Item>{name}</Item> }</List>
//!             </Section>
//!         },
//!         _ => rsx! { {names.len()} " guests" },
//!     }
//! }
//!
//! # fn main() -> Result<(), hud_core::LowerError> {
//! let names = ["Ada".to_owned(), "# Grace".to_owned()];
//! let layout = rsx! { <Guests names={&names} /> };
//!
//! assert_eq!(render(&layout, Density::Full)?, "# Guests\n\n- Ada\n- \\# Grace\n");
//! assert_eq!(render(&layout, Density::Minimal)?, "2 guests\n");
//! # Ok(())
//! # }
//! ```
//!
//! Text is data: `# Grace` above stays a name and does not become a heading.
//!
//! The [guide] continues from here to custom nodes and the tests of a layout.
//!
//! # The path of a tree
//!
//! 1. [`rsx!`] builds an [`Element`]: text, fragments, typed [nodes](node::Node) and calls of
//!    [components](Component). Building never fails and renders nothing.
//! 2. [`Lower`] walks the tree for a [`Target`]. It calls each component with the [`Density`] of
//!    the scope, and looks up the [`Registry`]'s rule for each node by the node's type.
//! 3. For the target [`Mdast`](mdast::Mdast), the rules return mdast nodes, and [`gfm`] serializes
//!    them.
//!
//! [`lift()`] does the opposite: it turns mdast, as [`gfm::parse`] returns it, into a tree that
//! lowers to the same text.
//!
//! Each format is a module, and its functions have the same names: `to_string` serializes, `parse`
//! reads mdast, and `from_str` reads values, as in serde. Call them with the module's name:
//! `gfm::to_string`.
//!
//! | source | formats |
//! | --- | --- |
//! | [mdast] | [`gfm`], [`html`], `mdx`, `terminal` |
//! | [values](data) | `data::json`, `data::toon`, `data::xml` |
//! | [diagrams](graph::Diagram) | [`graph::dot`], [`graph::graphml`], [`graph::mermaid`] |
//!
//! Rendering is pure: the same tree, scope and registry give the same bytes.

// The macros name this crate `::hud_core`; its own nodes use them too.
extern crate self as hud_core;

pub mod ambient;
mod characters;
pub mod component;
pub mod data;
pub mod density;
pub mod element;
#[doc(hidden)]
pub mod expansion;
pub mod fit;
pub mod gfm;
pub mod graph;
pub mod guide;
pub mod html;
pub mod marker;
pub mod mdast;
#[cfg(feature = "mdx")]
pub mod mdx;
pub mod node;
pub mod part;
pub mod registry;
pub mod render;
pub mod schema;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod tokens;
pub mod trace;
pub mod visible;

pub use ambient::{Ambient, Provide, Scope};
pub use component::{Component, PropMeta, Tag, TagKind, TagMeta};
pub use density::{Band, Bands, Density};
pub use element::{Children, Element, IntoElement};
pub use hud_macros::{Node, component, rsx};
pub use node::Node;
pub use part::Layer;
pub use registry::{
    Lift, LiftError, LiftResult, Lifted, Lower, LowerError, LowerResult, MissingRules, Registry,
    Target, one_way, two_way,
};
pub use render::{Renderer, lift, lift_markdown, render, render_densities, render_within};
