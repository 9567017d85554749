//! Layout files: from text to pieces that can be made into elements.
//!
//! A file is markdown with tags and expressions in braces. What is between tags is read by the `markdown`
//! crate as MDX, with a character in place of each tag and each brace: it would stop at the first mistake,
//! and it keeps no places of props. Tags and braces are read here, so that all mistakes are found at once.

mod frontmatter;
mod prose;
mod scan;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::expr::{Expr, Mistake, Name, Prop, Span};

pub use frontmatter::Declared;

/// How many bytes a file may have.
pub const MAX_BYTES: usize = crate::expr::MAX_SOURCE;

/// How many bytes a layout may have with all components that have files of their own.
pub const MAX_ALL_BYTES: usize = 2 * MAX_BYTES;

/// How many components a layout may declare, those that have files of their own among them.
pub const MAX_COMPONENTS: usize = 128;

/// How many tags may be within one another.
pub const MAX_TAGS_DEEP: usize = 64;

/// How many lines a file may have.
pub const MAX_LINES: usize = 4_000;

/// The name that no prop has: a tag with it could not be read, and is not checked further.
pub(crate) const BROKEN: &str = "";

/// A layout file as it was read, unchecked.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// What its frontmatter says.
    pub head: Declared,
    /// What it shows.
    pub pieces: Vec<Piece>,
    /// The components that are declared in it, by their names.
    pub components: BTreeMap<Arc<str>, Component>,
}

/// A component that a layout declares.
#[derive(Clone, Debug)]
pub struct Component {
    /// What is said of it.
    pub head: Declared,
    /// Where its name is written.
    pub span: Span,
    /// What it shows.
    pub pieces: Vec<Piece>,
}

/// A piece of a layout.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Words.
    Text(Arc<str>),
    /// An expression in braces.
    Expr(Arc<Expr>),
    /// A tag.
    Tag(Arc<Tag>),
    /// Markdown around other pieces.
    Mark(Mark, Vec<Piece>),
}

/// A tag of a layout, outside of expressions.
#[derive(Clone, Debug)]
pub struct Tag {
    /// Its name; none for `<>..</>`.
    pub name: Option<Name>,
    /// Its props, as they are written.
    pub props: Vec<Prop>,
    /// What is between its tags.
    pub children: Vec<Piece>,
    /// Its opening tag.
    pub span: Span,
}

/// What markdown says of what it is around.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "they are named as the nodes that they become")]
pub enum Mark {
    Paragraph,
    Heading(u8),
    Strong,
    Emphasis,
    Delete,
    Code,
    CodeBlock {
        lang: String,
        meta: String,
    },
    Quote,
    Alert(hud_core::node::AlertKind),
    List {
        ordered: bool,
        start: u32,
        spread: bool,
    },
    Item {
        checked: Option<bool>,
        spread: bool,
    },
    ThematicBreak,
    Break,
    Link {
        url: String,
        title: String,
    },
    Image {
        url: String,
        alt: String,
        title: String,
    },
    Table(Vec<hud_core::node::Align>),
    Row,
    Cell,
}

/// Reads a file. What is wrong with it is noted, and what can be read besides is given.
pub fn read(source: &str) -> (File, Vec<Mistake>) {
    let mut mistakes = Vec::new();
    if let Some(mistake) = too_large(source) {
        return (File::default(), vec![mistake]);
    }
    let (head, body) = frontmatter::read(source, &mut mistakes);
    let mut file = File {
        head,
        ..File::default()
    };
    file.pieces = scan::pieces(source, body, &mut file.components, &mut mistakes);
    (file, mistakes)
}

/// What is wrong with a source that is not read at all.
fn too_large(source: &str) -> Option<Mistake> {
    if source.len() > MAX_BYTES {
        let message = format!(
            "this layout has {} bytes, and at most {MAX_BYTES} are allowed",
            source.len()
        );
        return Some(
            Mistake::new(Span::new(0, 1), message).with_help(
                "put parts of it into components of their own: .hud/components/NAME.mdx",
            ),
        );
    }
    let (index, _) = source.match_indices('\n').nth(MAX_LINES)?;
    let message = format!("this layout has more than {MAX_LINES} lines");
    Some(Mistake::new(Span::new(index, index + 1), message))
}
