//! The syntax tree of the body of an `rsx!`.

use proc_macro2::{Group, Ident, Span, TokenStream};

use super::text::Text;

/// A sequence of nodes.
pub(crate) type Nodes = Vec<Node>;

/// A node that can show content.
pub(crate) enum Node {
    Tag(Tag),
    /// `<>..</>`
    Fragment(Nodes),
    /// `"text"`
    Text(Text),
    /// `{expression}`
    Expr(Expr),
    If(If),
    For(For),
    Match(Match),
}

/// `<path<generics> props>children</path>`; the generics may have `::` in front
pub(crate) struct Tag {
    pub(crate) path: TokenStream,
    /// The path as text, to compare it with the closing tag's.
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The span of the first `<`, for errors about the tag that do not concern its name.
    pub(crate) open: Span,
    pub(crate) generics: Option<TokenStream>,
    /// The replacement for a helper of another library. It is reported if no item has the name.
    pub(crate) instead: Option<&'static str>,
    /// True if the name can't be that of a tag. The error is already reported.
    pub(crate) misnamed: bool,
    /// True if a prop could not be parsed. The error is already reported.
    pub(crate) incomplete: bool,
    /// `{..expression}` among the props.
    pub(crate) spread: Option<Expr>,
    pub(crate) props: Vec<Prop>,
    /// The children, or `None` if the tag closes itself or is empty.
    pub(crate) children: Option<Nodes>,
    /// The path in the closing tag, which may differ.
    pub(crate) closing: Option<TokenStream>,
}

/// `name=value`
pub(crate) struct Prop {
    pub(crate) name: Ident,
    /// The span of its `=`, or of the tag's `<` if there is none. It is used for code that an editor must not take
    /// for the name.
    pub(crate) equals: Span,
    pub(crate) value: Value,
}

/// The value after a prop's `=`.
pub(crate) enum Value {
    Expr(Expr),
    Text(Text),
    /// `<..>`
    Element(Box<Node>),
    /// A missing value. The error is already reported.
    Missing,
}

/// Rust code that the macro passes on, with the tags in it.
pub(crate) struct Expr {
    pub(crate) parts: Vec<Part>,
    pub(crate) span: Span,
}

/// A part of Rust code.
pub(crate) enum Part {
    Rust(TokenStream),
    /// `<..>`
    Node(Box<Node>),
    /// A group with tags in it.
    Group(Group, Vec<Part>),
}

/// The body of a branch: nodes, or a Rust block if the branch is in braces.
pub(crate) enum Body {
    Nodes(Nodes),
    Expr(Expr),
    /// A Rust block whose tags are not parsed yet.
    Unread(Group),
}

/// `if condition { body } else ..`
pub(crate) struct If {
    pub(crate) condition: TokenStream,
    pub(crate) then: Body,
    pub(crate) otherwise: Option<Else>,
}

pub(crate) enum Else {
    If(Box<If>),
    Body(Body),
}

/// `for pattern in iterator { body }`. `head` has all tokens between `for` and the body.
pub(crate) struct For {
    pub(crate) head: TokenStream,
    pub(crate) body: Body,
}

/// `match value { arms }`
pub(crate) struct Match {
    pub(crate) value: TokenStream,
    pub(crate) arms: Vec<Arm>,
}

/// `pattern if guard => body`
pub(crate) struct Arm {
    pub(crate) pattern: TokenStream,
    pub(crate) body: Nodes,
}
