use crate::Node;

/// A list of [`Item`]s.
#[derive(Debug, Node)]
pub struct List {
    /// Whether the items are numbered.
    #[prop(default)]
    pub ordered: bool,
    /// The number of the first item of an ordered list.
    #[prop(default = 1)]
    pub start: u32,
}

/// An item of a [`List`].
#[derive(Debug, Node)]
pub struct Item {
    /// A check box: ticked, empty, or none.
    pub checked: Option<bool>,
}
