use crate::Node;

/// A list of [`Item`]s.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct List {
    /// Whether the items are numbered.
    #[prop(default)]
    pub ordered: bool,
    /// The number of the first item of an ordered list.
    #[prop(default = 1)]
    pub start: u32,
    /// Whether there is a blank line between any two items.
    #[prop(default)]
    pub spread: bool,
}

/// An item of a [`List`]. Outside of one, items side by side are a list.
#[derive(Clone, Debug, Default, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Item {
    /// What it is an item of, for whoever looks at the tree: an id, a path. It is not shown.
    #[prop(into)]
    pub key: Option<String>,
    /// A check box: ticked, empty, or none.
    pub checked: Option<bool>,
    /// Whether there is a blank line between the blocks in it.
    #[prop(default)]
    pub spread: bool,
}

/// A list of terms, each with a [`Description`]: the `dl` of HTML.
///
/// Markdown has none, so it is a list whose items begin with the term in strong, and is lifted as that. As
/// [data](crate::data), each description is a member that is named by its term.
///
/// ```
/// use hud_core::node::{Description, DescriptionList};
/// use hud_core::{Density, render, rsx};
///
/// let words = rsx! {
///     <DescriptionList>
///         <Description term="p99">"99 of 100 requests are faster"</Description>
///         <Description term="RPS">"requests per second"</Description>
///     </DescriptionList>
/// };
/// assert_eq!(
///     render(&words, Density::Full)?,
///     "- **p99:** 99 of 100 requests are faster\n- **RPS:** requests per second\n"
/// );
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct DescriptionList {}

/// The description of a term in a [`DescriptionList`]. Outside of one, descriptions side by side are a list.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Description {
    /// The term, without a colon.
    #[prop(into)]
    pub term: String,
}
