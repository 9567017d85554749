//! GFM markdown to mdast.
//!
//! The `markdown` crate parses; what it gets wrong and can be mended from outside is mended, so
//! that the tree is the one that micromark gives, which the reference is made for:
//!
//! | `markdown` 1.0.0 | here |
//! | --- | --- |
//! | a run of `#` that begins a heading's text is lost (`# #a`) | it is there |
//! | an identifier lacks its first space (`[a b]:`), and others resolve to it | it has it; what resolves to nothing is text |
//! | a literal autolink in a link is a link in a link | it is text |
//! | line endings around inline code are part of it | they are padding |
//! | the label of a reference lacks its markup (`[*a*]`) | it has it |
//! | lines of indented code in a quote are blocks of their own | they are one |
//! | escapes stay in what was taken for an autolink in a link or an image | they are none there |
//! | some NUL stay | they are U+FFFD |
//! | an item counts as spread for what is behind it | blank lines between its own children count |
//! | a list behind an item that ends in open code or HTML is in that item's list | its items go on with the list, or are one behind it |
//! | braces in strings of MDX expressions are counted | strings, templates and comments are skipped |
//! | it does not know alerts (`> [!NOTE]`) | the mark is an `html` node in the quote's first paragraph |
//! | it panics at a tag that ends unfinished with the text, in a list item or a quote behind a table | it is text |
//! | it can panic with MDX (`Hi <>\n=====`) | that is an error |
//!
//! What can not: a table's row that begins with attention and no pipe ends the table; a tab behind
//! a list's marker or a `>` loses columns of indented code; `![^a](b)` is a text and a link; an
//! image in an image's alt is left out of it.
//!
//! The crate takes a time that grows with the square of how many events a text has: 16 KB of list
//! items take some 20 milliseconds, 100 KB half a second. It grows with the cube of how deep
//! containers are within one another, so a text with more than 256 is refused before it is parsed;
//! how deep emphasis is cannot be known beforehand (48 KB of nothing but that take over a second).

mod depth;
#[cfg(feature = "mdx")]
mod mdx;
mod mend;

use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};

use markdown::mdast::Node;
use markdown::message::{Message, Place};
use markdown::{Constructs, to_mdast};

/// What is markdown beside GFM, and what the tree holds.
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
    /// Whether a document may begin with yaml (`---`) or toml (`+++`).
    pub frontmatter: bool,
    /// Whether `$` and `$$` enclose math.
    pub math: bool,
    /// Whether it is MDX: JSX, expressions in braces, `import` and `export`, but no HTML, no
    /// indented code and no `<autolinks>`.
    #[cfg(feature = "mdx")]
    pub mdx: bool,
    /// Whether nodes have their places in the text. Without, equal texts give equal trees.
    pub positions: bool,
}

/// Why a text is not read: it is no MDX, or nested too deeply. Any other text is markdown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
#[non_exhaustive]
pub struct ParseError {
    /// The line, from 1; 0 where it is not known.
    pub line: usize,
    /// The column, from 1; 0 where it is not known.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads GFM as an mdast tree, whose root is a [`Node::Root`].
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
/// If it is read as MDX (with the feature `mdx`) and a tag or an expression is not closed, or closes
/// nothing. Else only if more than 256 quotes, list items and footnotes are within one another.
pub fn parse(markdown: &str, options: &ParseOptions) -> Result<Node, ParseError> {
    // CommonMark 2.3, which the crate heeds in some places only.
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
    // The crate fails at the end of a text where it would not at the end of a line.
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
