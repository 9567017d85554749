//! The body of an `rsx!`, as data.

use proc_macro2::{Group, Ident, Span, TokenStream};

use super::text::Text;

/// Elements one after the other.
pub(crate) type Nodes = Vec<Node>;

/// One thing that shows something.
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
    /// Its first `<`, for what is said of the tag but is not an answer to what its name is.
    pub(crate) open: Span,
    pub(crate) generics: Option<TokenStream>,
    /// The code to write instead of another library's helper. It is reported where nothing has the name.
    pub(crate) instead: Option<&'static str>,
    /// Whether the name can not be that of a tag, which has been reported.
    pub(crate) misnamed: bool,
    /// Whether something among the props could not be read, which has been reported.
    pub(crate) incomplete: bool,
    /// `{..expression}` among the props.
    pub(crate) spread: Option<Expr>,
    pub(crate) props: Vec<Prop>,
    /// None where the tag closes itself or nothing is between its tags.
    pub(crate) children: Option<Nodes>,
    /// The path in the closing tag, which may be another one.
    pub(crate) closing: Option<TokenStream>,
}

/// `name=value`
pub(crate) struct Prop {
    pub(crate) name: Ident,
    /// Where its `=` is, or the tag's `<` where it has none, for what an editor must not take for the name.
    pub(crate) equals: Span,
    pub(crate) value: Value,
}

/// What is behind a prop's `=`.
pub(crate) enum Value {
    Expr(Expr),
    Text(Text),
    /// `<..>`
    Element(Box<Node>),
    /// Nothing, which has been noted.
    Missing,
}

/// Rust that the macro passes on, with the tags in it.
pub(crate) struct Expr {
    pub(crate) parts: Vec<Part>,
    pub(crate) span: Span,
}

/// A part of Rust.
pub(crate) enum Part {
    Rust(TokenStream),
    /// `<..>`
    Node(Box<Node>),
    /// A group with tags in it.
    Group(Group, Vec<Part>),
}

/// What a branch shows: elements, or, within braces, a Rust block.
pub(crate) enum Body {
    Nodes(Nodes),
    Expr(Expr),
    /// A Rust block whose tags are not read yet.
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

/// `for pattern in iterator { body }`; `head` is all between `for` and the body.
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
