//! Layout files, and the pieces that they are parsed to.
//!
//! A file is markdown with tags and expressions in braces. The text between tags is parsed as MDX by the `markdown`
//! crate, with a character in place of each tag and each brace. The crate alone would stop at the first error and
//! does not keep the positions of props. Tags and braces are parsed here, so that all errors are found at once.

mod frontmatter;
mod prose;
mod scan;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::expr::{Expr, Mistake, Name, Prop, Span};

pub use frontmatter::Declared;

/// The maximum size of a file in bytes.
pub const MAX_BYTES: usize = crate::expr::MAX_SOURCE;

/// The maximum size in bytes of a layout with all component files.
pub const MAX_ALL_BYTES: usize = 2 * MAX_BYTES;

/// The maximum number of components of a layout, including those in component files.
pub const MAX_COMPONENTS: usize = 128;

/// The maximum depth of nested tags.
pub const MAX_TAGS_DEEP: usize = 64;

/// The maximum number of lines of a file.
pub const MAX_LINES: usize = 4_000;

/// The name of a prop that marks a tag with a syntax error. Such a tag is not checked further.
pub(crate) const BROKEN: &str = "";

/// A parsed layout file, before it is checked.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The frontmatter.
    pub head: Declared,
    /// The content that is shown.
    pub pieces: Vec<Piece>,
    /// The components that it declares, by their names.
    pub components: BTreeMap<Arc<str>, Component>,
}

/// A component that a layout declares.
#[derive(Clone, Debug)]
pub struct Component {
    /// The declared properties.
    pub head: Declared,
    /// The span of its name.
    pub span: Span,
    /// The content that it shows.
    pub pieces: Vec<Piece>,
}

/// A piece of a layout.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text.
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
    /// The name of the tag, or `None` for `<>..</>`.
    pub name: Option<Name>,
    /// The props, as they are written.
    pub props: Vec<Prop>,
    /// The children between the opening and the closing tag.
    pub children: Vec<Piece>,
    /// The span of the opening tag.
    pub span: Span,
}

/// A markdown construct around other pieces.
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

/// Reads a file. It returns everything that can be parsed, and all errors.
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

/// The error for a source that is too large to be read.
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
