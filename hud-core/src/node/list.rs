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
