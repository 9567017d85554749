use crate::Node;

/// Text of strong importance.
#[derive(Debug, Node)]
pub struct Strong {}

/// Text with stress.
#[derive(Debug, Node)]
pub struct Emphasis {}

/// Text that no longer holds.
#[derive(Debug, Node)]
pub struct Delete {}

/// A link. Its children are what is shown.
#[derive(Debug, Node)]
pub struct Link {
    /// Where it leads.
    #[prop(into)]
    pub url: String,
    /// What is told about it besides.
    #[prop(into, default)]
    pub title: String,
}
