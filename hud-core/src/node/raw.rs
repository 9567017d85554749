use crate::Node;

/// Markup within a line, written as it is.
///
/// Text in an element is data and stays text; this is the way to mean markup. Give it nothing
/// that comes from outside.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct Html {
    /// The markup.
    #[prop(into)]
    pub value: String,
}

/// Markup as a block, written as it is: see [`struct@Html`].
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct HtmlBlock {
    /// The markup.
    #[prop(into)]
    pub value: String,
}

/// What is in front of a document, for tools that know it, written as it is.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct Frontmatter {
    /// The language it is written in.
    #[prop(default)]
    pub format: FrontmatterFormat,
    /// What it says, without the fences.
    #[prop(into)]
    pub value: String,
}

/// The language of [`struct@Frontmatter`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontmatterFormat {
    /// YAML, between `---`.
    #[default]
    Yaml,
    /// TOML, between `+++`.
    Toml,
}
