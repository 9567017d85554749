use crate::Node;

/// A heading and what belongs under it.
#[derive(Debug, Node)]
pub struct Section {
    /// The heading's text.
    #[prop(into)]
    pub title: String,
    /// The heading's level, 1 to 6. By default one more than that of the section around it.
    pub level: Option<u8>,
}

/// A paragraph. Text that stands alone becomes one by itself.
#[derive(Debug, Node)]
pub struct Paragraph {}

/// What somebody else said.
#[derive(Debug, Node)]
pub struct Quote {}

/// A remark that must be seen, with a label in front.
#[derive(Debug, Node)]
pub struct Callout {
    /// What kind of remark it is, for example `Warning`.
    #[prop(into)]
    pub label: String,
}
