//! Parses GFM markdown to mdast.
//!
//! The `markdown` crate parses. Its errors are fixed in the tree if that is possible, so that the
//! tree is that of micromark, which the reference expects:
//!
//! | `markdown` 1.0.0 | here |
//! | --- | --- |
//! | a run of `#` at the start of a heading's text is lost (`# #a`) | kept |
//! | an identifier lacks its first space (`[a b]:`), and others resolve to it | the space is restored; unresolved references are text |
//! | a literal autolink in a link is a link in a link | text |
//! | line endings around inline code are part of it | padding |
//! | the label of a reference lacks its markup (`[*a*]`) | restored |
//! | lines of indented code in a quote are separate blocks | one block |
//! | escapes are kept in the text of an autolink in a link or an image | decoded |
//! | some NUL are kept | U+FFFD |
//! | an item counts as spread because of the content after it | only blank lines between its own children count |
//! | a list after an item that ends in open code or HTML is in that item's list | its items continue the list, or form a list after it |
//! | braces in strings of MDX expressions are counted | strings, templates and comments are skipped |
//! | no support for alerts (`> [!NOTE]`) | the marker is an `html` node in the quote's first paragraph |
//! | panics at an unfinished tag at the end of the text, in a list item or a quote after a table | text |
//! | can panic with MDX (`Hi <>\n=====`) | an error |
//!
//! Some errors cannot be fixed. A table row that begins with attention and has no pipe ends the
//! table. A tab after a list's marker or a `>` loses columns of indented code. `![^a](b)` is a text
//! and a link. An image in an image's alt is left out of it.
//!
//! The crate's time grows with the square of the number of events in a text: 16 KB of list items
//! take some 20 milliseconds, 100 KB half a second. It grows with the cube of the nesting depth of
//! containers, so a text with a depth of more than 256 is refused before it is parsed. The depth of
//! emphasis cannot be computed beforehand (48 KB of nothing but emphasis take over a second).

mod depth;
#[cfg(feature = "mdx")]
mod mdx;
mod mend;

use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};

use markdown::mdast::Node;
use markdown::message::{Message, Place};
use markdown::{Constructs, to_mdast};

/// The syntax extensions beyond GFM, and the content of the tree.
///
/// ```
/// use hud_core::gfm::ParseOptions;
///
/// let mut options = ParseOptions::default();
/// options.math = true;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseOptions {
    /// True if a document may begin with yaml (`---`) or toml (`+++`).
    pub frontmatter: bool,
    /// True if `$` and `$$` enclose math.
    pub math: bool,
    /// True if the text is MDX: JSX, expressions in braces, `import` and `export`, but no HTML, no
    /// indented code and no `<autolinks>`.
    #[cfg(feature = "mdx")]
    pub mdx: bool,
    /// True if nodes have their positions in the text. Without positions, equal texts give equal
    /// trees.
    pub positions: bool,
}

/// The error of a text that is invalid MDX or nested too deeply. Any other text is valid markdown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
#[non_exhaustive]
pub struct ParseError {
    /// The line, from 1. 0 if unknown.
    pub line: usize,
    /// The column, from 1. 0 if unknown.
    pub column: usize,
    /// The error message.
    pub message: String,
}

/// Parses GFM to an mdast tree whose root is a [`Node::Root`].
///
/// ```
/// use hud_core::gfm::{self, ParseOptions};
///
/// let tree = gfm::parse("# #1\n\n- [x] *done*\n", &ParseOptions::default())?;
/// assert_eq!(gfm::to_string(&tree, &gfm::SerializeOptions::hud()), "# \\#1\n\n- [x] *done*\n");
/// # Ok::<(), gfm::ParseError>(())
/// ```
///
/// # Errors
///
/// If the text is parsed as MDX (with the feature `mdx`) and a tag or an expression is unclosed, or
/// closes nothing. Otherwise only if more than 256 quotes, list items and footnotes are nested.
pub fn parse(markdown: &str, options: &ParseOptions) -> Result<Node, ParseError> {
    // CommonMark 2.3. The crate only follows it in some places.
    let markdown = &*if markdown.contains('\0') {
        Cow::Owned(markdown.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(markdown)
    };
    if let Some(line) = depth::line_too_deep(markdown) {
        return Err(ParseError {
            line,
            column: 1,
            message: format!(
                "more than {} quotes and list items are nested",
                depth::MAX_DEPTH
            ),
        });
    }
    // The crate fails at the end of some texts that it accepts with a line ending at the end.
    let read = attempt(markdown, options).or_else(|_| {
        let mut read = attempt(&format!("{markdown}\n"), options)?;
        if let Ok(tree) = &mut read {
            mend::end_with(tree, markdown);
        }
        Ok(read)
    });
    let mut tree = match read {
        Ok(Ok(tree)) => tree,
        Ok(Err(message)) => return Err(located(&message)),
        Err(Panicked) => {
            return Err(ParseError {
                line: 0,
                column: 0,
                message: "the parser fails on this text".to_owned(),
            });
        }
    };
    mend::mend(&mut tree, markdown);
    if !options.positions {
        mend::forget_positions(&mut tree);
    }
    Ok(tree)
}

struct Panicked;

fn attempt(markdown: &str, options: &ParseOptions) -> Result<Result<Node, Message>, Panicked> {
    let parse = AssertUnwindSafe(|| to_mdast(markdown, &configured(options)));
    panic::catch_unwind(parse).map_err(|_| Panicked)
}

fn configured(options: &ParseOptions) -> markdown::ParseOptions {
    let gfm = Constructs::gfm();
    let mut configured = markdown::ParseOptions::default();
    #[cfg(feature = "mdx")]
    if options.mdx {
        configured.constructs = Constructs::mdx();
        configured.mdx_expression_parse = Some(Box::new(|code, _| mdx::expression(code)));
        configured.mdx_esm_parse = Some(Box::new(|_| markdown::MdxSignal::Ok));
    }
    configured.constructs = Constructs {
        frontmatter: options.frontmatter,
        gfm_autolink_literal: gfm.gfm_autolink_literal,
        gfm_footnote_definition: gfm.gfm_footnote_definition,
        gfm_label_start_footnote: gfm.gfm_label_start_footnote,
        gfm_strikethrough: gfm.gfm_strikethrough,
        gfm_table: gfm.gfm_table,
        gfm_task_list_item: gfm.gfm_task_list_item,
        math_flow: options.math,
        math_text: options.math,
        ..configured.constructs
    };
    configured
}

fn located(message: &Message) -> ParseError {
    let point = message.place.as_deref().map(|place| match place {
        Place::Position(position) => &position.start,
        Place::Point(point) => point,
    });
    ParseError {
        line: point.map_or(0, |point| point.line),
        column: point.map_or(0, |point| point.column),
        message: message.reason.clone(),
    }
}
