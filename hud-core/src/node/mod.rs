//! The built-in nodes: typed elements that rules match on, a file for each family.
//!
//! | nodes | what they are |
//! | --- | --- |
//! | [`Section`], [`Heading`], [`Paragraph`], [`Quote`], [`Callout`], [`Alert`], [`ThematicBreak`] | blocks of prose |
//! | [`List`], [`Item`] | lists, ordered or not, with or without check boxes |
//! | [`DescriptionList`], [`Description`] | terms with their descriptions |
//! | [`Table`], [`Row`], [`Cell`] | tables |
//! | [`CodeBlock`], [`Code`], [`MathBlock`], [`Math`] | text that is not prose |
//! | [`Strong`], [`Emphasis`], [`Delete`], [`Break`] | marked text |
//! | [`Link`], [`Image`], [`Definition`], [`LinkReference`], [`ImageReference`] | what leads elsewhere |
//! | [`FootnoteReference`], [`FootnoteDefinition`] | footnotes |
//! | [`Html`], [`HtmlBlock`], [`Frontmatter`] | what is written as it is |
#![cfg_attr(
    feature = "mdx",
    doc = "| [`MdxJsxFlowElement`], [`MdxJsxTextElement`], [`MdxFlowExpression`], [`MdxTextExpression`], [`MdxEsm`] | MDX |"
)]
//! | [`Field`], [`Line`], [`Group`], [`Relates`], [`Meter`], [`Status`] | what a HUD needs and markdown does not name |
//! | [`Parts`], [`Part`], [`Beside`] | the [parts](crate::part) of a layout |
//!
//! A crate can add its own: derive [`Node`](macro@crate::Node) for a struct and register a rule.
//!
//! ```
//! use hud_core::{Density, Element, Lower, LowerResult, Node, Registry, Renderer, Scope, one_way, rsx};
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
//! fn lower_key(key: &Key, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
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
#[cfg(feature = "mdx")]
mod mdx;
mod part;
mod prose;
mod raw;
mod table;
mod value;

use std::any::{Any, TypeId};
use std::fmt::{self, Debug};

pub use code::{Code, CodeBlock, Math, MathBlock};
pub use hud::{Field, Group, Line, Meter, Relates, Status};
pub use link::{
    Definition, FootnoteDefinition, FootnoteReference, Image, ImageReference, Link, LinkReference,
    ReferenceForm,
};
pub use list::{Description, DescriptionList, Item, List};
pub use mark::{Break, Delete, Emphasis, Strong};
#[cfg(feature = "mdx")]
pub use mdx::{MdxEsm, MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression};
pub(crate) use part::SEPARATOR;
pub use part::{Beside, Part, Parts};
pub use prose::{Alert, AlertKind, Callout, Heading, Paragraph, Quote, Section, ThematicBreak};
pub use raw::{Frontmatter, FrontmatterFormat, Html, HtmlBlock};
pub use table::{Align, Cell, Row, Table};
pub use value::{ToValue, Value};

use crate::component::{Tag, TagMeta};

/// A typed element that the registry's rules lower, by its type.
///
/// Derive it: `#[derive(Debug, PartialEq, Node)] pub struct Key { .. }`. The struct's fields are
/// the tag's props, its doc comments their docs; `#[node(leaf)]` refuses children.
pub trait Node: Any + Debug + DynPartialEq {
    /// The node's name, docs and props.
    fn meta(&self) -> &'static TagMeta;

    /// The props with their names, as data, in the order of their declaration: for a rule that
    /// does not know the node's type.
    fn props(&self) -> Vec<(&'static str, Value)>;
}

/// A type of nodes, without a node: what [`Registry::check`](crate::Registry::check) looks at.
#[derive(Clone, Copy)]
pub struct NodeType {
    id: fn() -> TypeId,
    meta: &'static TagMeta,
}

impl NodeType {
    /// The type `N`.
    pub const fn of<N: Node + Tag>() -> Self {
        Self {
            id: TypeId::of::<N>,
            meta: N::META,
        }
    }

    /// The nodes' name, docs and props.
    pub const fn meta(&self) -> &'static TagMeta {
        self.meta
    }

    pub(crate) fn id(&self) -> TypeId {
        (self.id)()
    }
}

impl Debug for NodeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeType({})", self.meta.name)
    }
}

/// All built-in nodes.
pub const BUILTIN: &[NodeType] = &[
    NodeType::of::<Section>(),
    NodeType::of::<Heading>(),
    NodeType::of::<Paragraph>(),
    NodeType::of::<Quote>(),
    NodeType::of::<Callout>(),
    NodeType::of::<Alert>(),
    NodeType::of::<ThematicBreak>(),
    NodeType::of::<List>(),
    NodeType::of::<Item>(),
    NodeType::of::<DescriptionList>(),
    NodeType::of::<Description>(),
    NodeType::of::<Table>(),
    NodeType::of::<Row>(),
    NodeType::of::<Cell>(),
    NodeType::of::<CodeBlock>(),
    NodeType::of::<Code>(),
    NodeType::of::<MathBlock>(),
    NodeType::of::<Math>(),
    NodeType::of::<Strong>(),
    NodeType::of::<Emphasis>(),
    NodeType::of::<Delete>(),
    NodeType::of::<Break>(),
    NodeType::of::<Link>(),
    NodeType::of::<Image>(),
    NodeType::of::<Definition>(),
    NodeType::of::<LinkReference>(),
    NodeType::of::<ImageReference>(),
    NodeType::of::<FootnoteReference>(),
    NodeType::of::<FootnoteDefinition>(),
    NodeType::of::<Html>(),
    NodeType::of::<HtmlBlock>(),
    NodeType::of::<Frontmatter>(),
    #[cfg(feature = "mdx")]
    NodeType::of::<MdxJsxFlowElement>(),
    #[cfg(feature = "mdx")]
    NodeType::of::<MdxJsxTextElement>(),
    #[cfg(feature = "mdx")]
    NodeType::of::<MdxFlowExpression>(),
    #[cfg(feature = "mdx")]
    NodeType::of::<MdxTextExpression>(),
    #[cfg(feature = "mdx")]
    NodeType::of::<MdxEsm>(),
    NodeType::of::<Field>(),
    NodeType::of::<Line>(),
    NodeType::of::<Group>(),
    NodeType::of::<Relates>(),
    NodeType::of::<Meter>(),
    NodeType::of::<Status>(),
    NodeType::of::<Parts>(),
    NodeType::of::<Part>(),
    NodeType::of::<Beside>(),
];

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
