//! The descriptions that nodes return for the writer.

use std::borrow::Cow;

use markdown::mdast::{
    Heading, Link, LinkReference, List, ListItem, MdxJsxTextElement, Node, Table,
};

use super::attention::Sequences;
use super::constructs::Constructs;
use super::safe::Info;

/// The description of a node's output.
pub(super) enum Description<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// Its children, on lines of their own.
    Flow(Flow<'a>),
    /// Its children, in a row.
    Phrasing(Phrasing<'a>),
    /// Its children in emphasis, strong emphasis or strikethrough.
    Attention {
        sequences: Sequences,
        children: &'a [Node],
        /// The adjacent characters.
        info: Info,
    },
    Table(&'a Table),
    /// The cells of a row.
    Row(&'a [Node]),
}

/// A container of flow.
pub(super) struct Flow<'a> {
    pub(super) role: FlowRole<'a>,
    pub(super) children: &'a [Node],
    /// The text before the children.
    pub(super) lead: String,
    /// The prefix of each line of the children.
    pub(super) prefix: Option<Prefix>,
    /// The text after the children.
    pub(super) trail: String,
}

/// The prefixes of the lines in a container.
pub(super) struct Prefix {
    pub(super) first: Cow<'static, str>,
    pub(super) rest: Cow<'static, str>,
}

/// The role of a flow container for the blocks in it.
#[derive(Clone, Copy)]
pub(super) enum FlowRole<'a> {
    List {
        list: &'a List,
        bullet: char,
    },
    ListItem(&'a ListItem),
    /// A container without influence on its blocks.
    Plain,
}

/// A container of phrasing.
pub(super) struct Phrasing<'a> {
    pub(super) role: PhrasingRole<'a>,
    pub(super) children: &'a [Node],
    /// The text before the children.
    pub(super) lead: String,
    /// The constructs that are open in it.
    pub(super) constructs: Constructs,
    /// The characters around its text.
    pub(super) info: Info,
}

/// The role of a phrasing container, which decides the output for its text.
pub(super) enum PhrasingRole<'a> {
    Root,
    Paragraph {
        checkbox: &'static str,
    },
    Heading {
        heading: &'a Heading,
        is_setext: bool,
    },
    /// Emphasis, strong emphasis or strikethrough. The text already contains its sequences.
    Attention {
        marker: Option<char>,
    },
    Autolink,
    Link {
        link: &'a Link,
        /// The characters around the link.
        info: Info,
    },
    LinkReference(&'a LinkReference),
    TableCell,
    MdxTextElement(&'a MdxJsxTextElement),
}

impl PhrasingRole<'_> {
    /// True if the text is the whole text of a block.
    pub(super) fn is_block(&self) -> bool {
        matches!(
            self,
            Self::Paragraph { .. } | Self::Heading { .. } | Self::TableCell
        )
    }
}

impl<'a> Flow<'a> {
    /// A container without text around its children.
    pub(super) fn new(role: FlowRole<'a>, children: &'a [Node]) -> Self {
        Self {
            role,
            children,
            lead: String::new(),
            prefix: None,
            trail: String::new(),
        }
    }

    /// The same container with these prefixes of lines.
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
