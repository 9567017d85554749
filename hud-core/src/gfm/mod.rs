//! mdast to GFM markdown.
//!
//! [`to_string`] writes what *the reference* writes, byte for byte: `mdast-util-to-markdown` 2.2.3
//! with all of `mdast-util-gfm`. It is total (every tree gives text, however deep), and what a
//! text node holds is text for whoever reads the result.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `node/` | how each node is written, a file for each |
//! | `options` | how the text looks, where GFM leaves a choice |
//! | `state`, `writer` | the walk over the tree, without recursion, and the lines it writes |
//! | `join` | what stands between two blocks |
//! | `safe`, `unsafe_patterns` | what is escaped in text, and where, as a table |
//! | `attention/` | emphasis, strong and strikethrough: markers that are read as what they mean |
//! | `association` | what a reference and its definition are matched by |
//! | `character`, `punctuation`, `html_kind`, `constructs` | what the above ask about a text |
//!
//! # Control characters
//!
//! Line endings become character references where they would end what they stand in (a heading, a
//! cell) or would be doubled in a line of text; spaces and tabs at the ends of lines do as well. In
//! code they stay, and in code within a line a line ending that would begin a block becomes a
//! space. In an autolink they are percent-encoded, in a link's destination they put it between
//! `<` and `>`. All others are written as they are: CommonMark reads NUL as U+FFFD.

mod association;
mod attention;
mod character;
mod constructs;
mod html_kind;
mod join;
mod node;
mod options;
mod punctuation;
mod safe;
mod state;
mod unsafe_patterns;
mod writer;

use markdown::mdast::Node;

pub use options::{
    Attention, Bullet, BulletOrdered, Fence, ListItemIndent, Options, Quote, Rule, RuleRepetition,
};

/// Writes a tree as GFM. The text ends with a line ending unless it is empty.
///
/// ```
/// use hud_core::gfm::{Options, to_string};
/// use hud_core::mdast::{root, text};
///
/// let tree = root(vec![text("# no heading, *no* emphasis")]);
/// assert_eq!(to_string(&tree, &Options::hud()), "\\# no heading, \\*no\\* emphasis\n");
/// ```
pub fn to_string(node: &Node, options: &Options) -> String {
    state::State::new(options).write(node)
}
