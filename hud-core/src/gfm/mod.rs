//! mdast to GFM markdown.
//!
//! [`to_string`] is total: every tree gives text. What a text node holds is text for every
//! reader of GFM, whatever stands in it: `escape` has the table of what must be escaped where.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `options` | how the text looks |
//! | `flow` | blocks one after the other, and what is nested in them |
//! | `phrasing` | what stands in a line |
//! | `table` | tables |
//! | `escape` | text that must not be read as markup |
//!
//! References, definitions, footnotes, frontmatter, math and MDX are not written as such yet:
//! they give their text.

mod escape;
mod flow;
mod options;
mod phrasing;
mod table;

use markdown::mdast::Node;

pub use options::Options;

/// Nodes nested more deeply than this give only their text.
const MAX_DEPTH: usize = 200;

/// The text in a tree, however deep it is: without recursion.
fn plain(node: &Node) -> String {
    let mut text = String::new();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match node.children() {
            Some(children) => waiting.extend(children.iter().rev()),
            None => text.push_str(&node.to_string()),
        }
    }
    text
}

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
    let mut text = flow::block(node, flow::State::new(options));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
