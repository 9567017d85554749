use crate::Node;

/// Text kept letter by letter, as a block. Its children are read as text.
#[derive(Debug, Node)]
pub struct CodeBlock {
    /// The language, as it stands behind the fence.
    #[prop(into, default)]
    pub lang: String,
}

/// Text kept letter by letter, within a line: a path, a command, a name. Its children are read
/// as text.
#[derive(Debug, Node)]
pub struct Code {}
