use markdown::mdast::AttributeContent;

use crate::Node;

/// A JSX element of MDX as a block.
#[derive(Clone, Debug, PartialEq, Node)]
pub struct MdxJsxFlowElement {
    /// Its name; none for a fragment.
    #[prop(into)]
    pub name: Option<String>,
    /// Its attributes.
    #[prop(default)]
    pub attributes: Vec<AttributeContent>,
}

/// A JSX element of MDX within a line.
#[derive(Clone, Debug, PartialEq, Node)]
pub struct MdxJsxTextElement {
    /// Its name; none for a fragment.
    #[prop(into)]
    pub name: Option<String>,
    /// Its attributes.
    #[prop(default)]
    pub attributes: Vec<AttributeContent>,
}

/// An expression of MDX as a block, written as it is.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct MdxFlowExpression {
    /// The expression, without its braces.
    #[prop(into)]
    pub value: String,
}

/// An expression of MDX within a line, written as it is.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct MdxTextExpression {
    /// The expression, without its braces.
    #[prop(into)]
    pub value: String,
}

/// Imports and exports of MDX, written as they are.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct MdxEsm {
    /// The code.
    #[prop(into)]
    pub value: String,
}
