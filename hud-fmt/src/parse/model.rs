//! What is read: a model that keeps places, line breaks and comments.

use crate::source::{Comment, Place};

/// Things one below the other or side by side.
#[derive(Debug)]
pub(crate) struct List<'s, T> {
    pub(crate) items: Vec<Item<'s, T>>,
    /// Whether its last line ends behind the last item.
    pub(crate) ends_line: bool,
}

/// One of a list.
#[derive(Debug)]
pub(crate) struct Item<'s, T> {
    /// How many line ends are in front of it.
    pub(crate) lines: usize,
    pub(crate) what: Listed<'s, T>,
}

#[derive(Debug)]
pub(crate) enum Listed<'s, T> {
    Comment(Comment<'s>),
    Node(T),
}

/// Rust that keeps its text.
#[derive(Debug)]
pub(crate) struct Rust<'s> {
    pub(crate) place: Place,
    /// What is not indented as the rest is, in order.
    pub(crate) parts: Vec<Part<'s>>,
}

#[derive(Debug)]
pub(crate) enum Part<'s> {
    /// A literal of several lines.
    Literal(Place),
    /// What follows `rsx!`.
    Call(Call<'s>),
    /// A tag in the braces of a layout.
    Tag(Place, Node<'s>),
}

impl Part<'_> {
    /// Where it is.
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
    /// A string, or what has a comment where none is kept apart.
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
    /// What is between them, from its first token or comment to its last.
    pub(crate) rust: Rust<'s>,
    /// Whether it is on lines of its own, or must because of a comment.
    pub(crate) apart: bool,
    /// Whether a comment ends it that goes to the end of its line.
    pub(crate) ends_in_comment: bool,
}

#[derive(Debug)]
pub(crate) struct Element<'s> {
    /// The path and the generics; of a fragment, nothing.
    pub(crate) name: Rust<'s>,
    pub(crate) props: List<'s, Prop<'s>>,
    /// What is between the tags; None where it closes itself.
    pub(crate) children: Option<List<'s, Node<'s>>>,
    /// The path in the closing tag; empty where there is none.
    pub(crate) closing: Place,
}

#[derive(Debug)]
pub(crate) enum Prop<'s> {
    /// `{..base}`, or a name alone.
    Alone(Node<'s>),
    /// `name=value`
    Given(Place, Node<'s>),
}

#[derive(Debug)]
pub(crate) struct Branch<'s> {
    /// `if`, `else if`, `else` or `for`.
    pub(crate) keyword: &'static str,
    /// What is between it and the braces; nothing behind `else`.
    pub(crate) head: Rust<'s>,
    pub(crate) body: List<'s, Node<'s>>,
}

#[derive(Debug)]
pub(crate) enum Arm<'s> {
    /// One with a comment where none is kept apart.
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
