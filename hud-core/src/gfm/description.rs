//! What a node says of how it is written.

use std::borrow::Cow;

use markdown::mdast::{
    Heading, Link, LinkReference, List, ListItem, MdxJsxTextElement, Node, Table,
};

use super::attention::Sequences;
use super::constructs::Constructs;
use super::safe::Info;

/// What is written for a node.
pub(super) enum Description<'a> {
    /// This text.
    Text(Cow<'a, str>),
    /// Its children, in lines of their own.
    Flow(Flow<'a>),
    /// Its children, one behind the other.
    Phrasing(Phrasing<'a>),
    /// Its children in emphasis, strong emphasis or strikethrough.
    Attention {
        sequences: Sequences,
        children: &'a [Node],
        /// The characters beside it.
        info: Info,
    },
    Table(&'a Table),
    /// These cells.
    Row(&'a [Node]),
}

/// A container of flow.
pub(super) struct Flow<'a> {
    pub(super) role: FlowRole<'a>,
    pub(super) children: &'a [Node],
    /// The text in front of the children.
    pub(super) lead: String,
    /// What each line of the children begins with.
    pub(super) prefix: Option<Prefix>,
    /// The text behind the children.
    pub(super) trail: String,
}

/// What the lines in a container begin with.
pub(super) struct Prefix {
    pub(super) first: Cow<'static, str>,
    pub(super) rest: Cow<'static, str>,
}

/// What a container of flow is to the blocks in it.
#[derive(Clone, Copy)]
pub(super) enum FlowRole<'a> {
    List {
        list: &'a List,
        bullet: char,
    },
    ListItem(&'a ListItem),
    /// A container that its blocks need to know nothing of.
    Plain,
}

/// A container of phrasing.
pub(super) struct Phrasing<'a> {
    pub(super) role: PhrasingRole<'a>,
    pub(super) children: &'a [Node],
    /// The text in front of the children.
    pub(super) lead: String,
    /// The constructs that are open in it.
    pub(super) constructs: Constructs,
    /// The characters that its text is between.
    pub(super) info: Info,
}

/// What is made of the text of a container of phrasing.
pub(super) enum PhrasingRole<'a> {
    Root,
    Paragraph {
        checkbox: &'static str,
    },
    Heading {
        heading: &'a Heading,
        is_setext: bool,
    },
    /// Emphasis, strong emphasis or strikethrough, whose sequences are in the text already.
    Attention {
        marker: Option<char>,
    },
    Autolink,
    Link {
        link: &'a Link,
        /// The characters beside the link.
        info: Info,
    },
    LinkReference(&'a LinkReference),
    TableCell,
    MdxTextElement(&'a MdxJsxTextElement),
}

impl PhrasingRole<'_> {
    /// Whether it is the whole text of a block.
    pub(super) fn is_block(&self) -> bool {
        matches!(
            self,
            Self::Paragraph { .. } | Self::Heading { .. } | Self::TableCell
        )
    }
}

impl<'a> Flow<'a> {
    /// A container with nothing around its children.
    pub(super) fn new(role: FlowRole<'a>, children: &'a [Node]) -> Self {
        Self {
            role,
            children,
            lead: String::new(),
            prefix: None,
            trail: String::new(),
        }
    }

    /// The same with these beginnings of lines.
    pub(super) fn prefixed(
        self,
        first: impl Into<Cow<'static, str>>,
        rest: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (first, rest) = (first.into(), rest.into());
        Self {
            prefix: Some(Prefix { first, rest }),
            ..self
        }
    }
}
