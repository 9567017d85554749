use crate::Node;

/// Text kept letter by letter, as a block. Its children are read as text.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct CodeBlock {
    /// The language, as it is written behind the fence.
    #[prop(into, default)]
    pub lang: String,
    /// What is written behind the language, for tools that know it.
    #[prop(into, default)]
    pub meta: String,
}

/// Text kept letter by letter, within a line: a path, a command, a name. Its children are read
/// as text.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Code {}

/// A formula, as a block. Its children are read as text.
///
/// Written with `$$`, which readers of plain GFM take for text.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct MathBlock {
    /// What is written behind the fence.
    #[prop(into, default)]
    pub meta: String,
}

/// A formula within a line. Its children are read as text.
///
/// Written with `$`: see [`SerializeOptions::math`](crate::gfm::SerializeOptions::math).
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Math {}
