//! The parsed model, which keeps places, line breaks and comments.

use crate::source::{Comment, Place};

/// A list of nodes or arms, with the comments between them.
#[derive(Debug)]
pub(crate) struct List<'s, T> {
    pub(crate) items: Vec<Item<'s, T>>,
    /// True if a line break follows the last item.
    pub(crate) ends_line: bool,
}

/// An item of a list.
#[derive(Debug)]
pub(crate) struct Item<'s, T> {
    /// The number of line breaks before it.
    pub(crate) lines: usize,
    pub(crate) what: Listed<'s, T>,
}

#[derive(Debug)]
pub(crate) enum Listed<'s, T> {
    Comment(Comment<'s>),
    Node(T),
}

/// Rust code that keeps its text.
#[derive(Debug)]
pub(crate) struct Rust<'s> {
    pub(crate) place: Place,
    /// The parts whose lines are not indented with the rest, in their order.
    pub(crate) parts: Vec<Part<'s>>,
}

#[derive(Debug)]
pub(crate) enum Part<'s> {
    /// A literal with several lines.
    Literal(Place),
    /// The argument of an `rsx!`.
    Call(Call<'s>),
    /// A tag in the braces of a layout.
    Tag(Place, Node<'s>),
}

impl Part<'_> {
    /// The place of the part.
    pub(crate) fn place(&self) -> &Place {
        match self {
            Self::Literal(place) | Self::Call(Call { place, .. }) | Self::Tag(place, _) => place,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Call<'s> {
    /// The group, with its delimiters.
    pub(crate) place: Place,
    pub(crate) body: List<'s, Node<'s>>,
}

#[derive(Debug)]
pub(crate) enum Node<'s> {
    /// A string, or a node with a misplaced comment.
    Kept(Rust<'s>),
    Braces(Braces<'s>),
    Element(Element<'s>),
    /// `if`, `else if`, `else` and `for`, each with its body.
    Branches(Vec<Branch<'s>>),
    Match {
        value: Rust<'s>,
        arms: List<'s, Arm<'s>>,
    },
}

/// `{..}`
#[derive(Debug)]
pub(crate) struct Braces<'s> {
    /// The code between the braces, from its first token or comment to its last.
    pub(crate) rust: Rust<'s>,
    /// True if the code is on separate lines, or must be because of a comment.
    pub(crate) apart: bool,
    /// True if it ends in a line comment.
    pub(crate) ends_in_comment: bool,
}

#[derive(Debug)]
pub(crate) struct Element<'s> {
    /// The path and the generics, or nothing for a fragment.
    pub(crate) name: Rust<'s>,
    pub(crate) props: List<'s, Prop<'s>>,
    /// The children, or `None` if the tag closes itself.
    pub(crate) children: Option<List<'s, Node<'s>>>,
    /// The path in the closing tag, or nothing if there is no closing tag.
    pub(crate) closing: Place,
}

#[derive(Debug)]
pub(crate) enum Prop<'s> {
    /// `{..base}`, or a name without a value.
    Alone(Node<'s>),
    /// `name=value`
    Given(Place, Node<'s>),
}

#[derive(Debug)]
pub(crate) struct Branch<'s> {
    /// `if`, `else if`, `else` or `for`.
    pub(crate) keyword: &'static str,
    /// The code between the keyword and the braces. It is empty after `else`.
    pub(crate) head: Rust<'s>,
    pub(crate) body: List<'s, Node<'s>>,
}

#[derive(Debug)]
pub(crate) enum Arm<'s> {
    /// An arm with a misplaced comment.
    Kept(Rust<'s>),
    Shown {
        pattern: Rust<'s>,
        body: ArmBody<'s>,
        comma: bool,
    },
}

#[derive(Debug)]
pub(crate) enum ArmBody<'s> {
    Node(Node<'s>),
    Braces(List<'s, Node<'s>>),
}
