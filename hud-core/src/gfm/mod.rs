//! mdast to GFM markdown, and back.
//!
//! [`to_string`] writes what *the reference* writes, byte for byte: `mdast-util-to-markdown` 2.2.3
//! with all of `mdast-util-gfm`. It is total: every tree gives text, however deep it is and
//! whatever its strings hold. The time it takes grows with the text, not with its square.
//!
//! # Text is data
//!
//! What a node holds is read back as that, and opens nothing. What each does with characters that
//! mean something to markdown:
//!
//! | node | punctuation that could mean something | line endings | tabs and spaces at edges |
//! | --- | --- | --- | --- |
//! | text in a paragraph | backslash | kept; encoded where they would make a blank line | encoded |
//! | text in an ATX heading or a cell | backslash | encoded | encoded in headings; in cells if strict |
//! | link text, image alt, labels | backslash | as in the paragraph around | kept |
//! | titles | backslash | as in the paragraph around; kept in definitions | kept |
//! | destinations | backslash; in `<` and `>` where they need it | encoded | kept |
//! | autolinks | percent-encoded | never has any | never has any |
//! | inline code, inline math | longer fence; backslash before pipes in cells | a space where they would start a block; all if strict | padded |
//! | code, math | longer fence | kept | kept |
//! | code's language | backslash, backticks encoded | encoded | encoded |
//! | html, frontmatter, MDX | kept: these are markup | kept; a space in one line if strict | kept |
//!
//! *Encoded* is as a character reference, `&#xA;`. Control characters are kept. Markdown cannot
//! hold NUL, nor a reference to another control character; both are read as U+FFFD. A reference
//! to a control is only written where a letter beside attention must be one.
//!
//! # Strict
//!
//! The reference is known to lose some text. [`SerializeOptions::strict`] departs from its bytes to keep it:
//!
//! - An escape is not left out because the same pattern used up the character before it (the
//!   second `+` of `"+\n+ a"`, the second `@` of `a@b@c`).
//! - Headings are of one line: ATX, unless `setext` is set. A `#` that begins one is escaped.
//! - Line endings in inline code are spaces, and in HTML in headings and cells.
//! - Inline code without text is a space in a fence, since two fences side by side are one that
//!   opens a span. A space parts code from code right before it.
//! - Whitespace at the edges of cells and of a fence's meta is encoded, and a carriage return that
//!   would join the line ending after a text.
//! - Literal autolinks are escaped in links and images too, and after every `www.`.
//! - Texts side by side are escaped as one: whether the `.` of `1.` begins a list depends on both.
//! - A `<` right before code is escaped, since the backtick may be part of an address.
//! - `^` first in a label and `<` first in a destination are escaped.
//! - An item with an empty paragraph counts as empty where `- - -` would be a thematic break.
//! - Attention takes symbols beyond the basic plane for punctuation, as CommonMark does.
//!
//! # Sparing
//!
//! The reference escapes what could begin a construct, whatever is behind. With [`SerializeOptions::sparing`] a
//! backslash is written only where the whole text of the paragraph, heading or cell leaves it a meaning:
//!
//! | character | keeps its backslash |
//! | --- | --- |
//! | `[` | where a line begins with a check box, a label or an alert; before `^`; where the tree has definitions, references or images beside it |
//! | `(` | behind `]`, if a bracket is open |
//! | `*`, `_` | where one run could open attention and a later one close it; beside and inside of attention |
//! | `~` | the same, whatever is beside it |
//! | `` ` `` | if there is another one, in code too |
//! | `<` | at the beginning of a line, and if a `>` comes later, but not before what no tag and no address goes on with (`<T, U>`) |
//! | `&` | before a name or number with a `;` behind |
//! | `.`, `:`, `@` of addresses | if something in the address is escaped, or no white space ends it |
//! | `#`, `=`, `)` at the beginning of a line | before white space |
//!
//! An address that is left bare is linked by some readers, to itself: it has the same text.
//!
//! What no markdown can say, neither does: adjacent strikethroughs fuse, and without strict inline
//! codes as well; attention that nests in its own kind beside a sibling of it may not form, a hard
//! break at an edge is lost.
//!
//! # Figures
//!
//! `cargo run --release --example gfm-cases -- FILE.jsonl...` compares with the reference's bytes,
//! `--round-trip` what is read from them with what is read from what is written, by [`parse()`] and
//! by comrak or pulldown-cmark, and `--lift` what is written for them with what is written once they
//! were [lifted](crate::lift()) to elements and lowered:
//!
//! | cases | exact | come back | come back through elements |
//! | --- | --- | --- | --- |
//! | the reference's own suites | 498 of 498 | 498 | 498 |
//! | CommonMark 0.31.2 and GFM examples | 1377 of 1377 | 1377 | 1377 |
//! | random trees of usual text | 1000 of 1000 | 1000 | 1000 |
//! | random trees of special characters | 1000 of 1000 | 1000 | 1000 |
//!
//! `PROPTEST_CASES=100000 cargo test --release -p hud-core --test all gfm_safety` puts any text in any place
//! for some minutes; CI does it for a second.
//!
//! `cargo bench -p hud-core --bench gfm` writes documents of about 100 kB, as multiples of the time
//! of comrak's `format_commonmark` in the same run: prose 1.1, tables 1.5 (comrak aligns no pipes),
//! one paragraph with 2,500 emphases 0.8. `mdast_util_to_markdown` takes 95 times as long as comrak
//! for the prose, and knows no tables.
//!
//! # Where what is
//!
//! | file | what is in it |
//! | --- | --- |
//! | `options` | how the text looks |
//! | `node/` | a file for each node, which describes how it is written |
//! | `description`, `context` | what a node says; what it may know of where it is |
//! | `state` | the walk over the tree, with a stack of its own: what is open, where text goes |
//! | `straight` | the usual blocks, written without a tree of them |
//! | `writer` | lines, and what the containers around put before each |
//! | `join` | what is written between two blocks, as a table of rules |
//! | `safe` | escaping text for where it is |
//! | `sparing` | escapes that nothing needs, once a block's text is known |
//! | `unsafe_patterns`, `ascii_set` | what to escape where, as data |
//! | `constructs` | the set of what is open around a text |
//! | `attention/` | emphasis, strong emphasis and strikethrough that form |
//! | `character`, `punctuation` | character classes and references |
//! | `association`, `html_kind` | labels of references; kinds of HTML blocks |
//! | `parse/` | markdown to mdast |

mod ascii_set;
pub(crate) mod association;
mod attention;
mod character;
mod constructs;
mod context;
mod description;
mod html_kind;
mod join;
mod node;
mod options;
mod parse;
mod punctuation;
mod safe;
mod section;
mod sparing;
mod state;
mod straight;
mod unsafe_patterns;
mod writer;

use markdown::mdast::Node;

pub use options::{
    Attention, Bullet, BulletOrdered, Fence, ListItemIndent, QuoteMarker, RuleMarker,
    RuleRepetition, SerializeOptions, StringLength,
};
pub use parse::{ParseError, ParseOptions, parse};
pub use section::section;
pub(crate) use straight::{Straight, Unwritten, Written};

/// Writes a tree as GFM. The text ends with a line ending unless it is empty.
///
/// A tree need not be valid mdast: a root of phrasing is written without blocks, phrasing among
/// blocks as a block, and blocks in phrasing flush with it.
///
/// ```
/// use hud_core::gfm::{SerializeOptions, to_string};
/// use hud_core::mdast::{root, text};
///
/// let tree = root(vec![text("# no heading, *no* emphasis")]);
/// assert_eq!(to_string(&tree, &SerializeOptions::hud()), "\\# no heading, \\*no\\* emphasis\n");
/// ```
pub fn to_string(node: &Node, options: &SerializeOptions) -> String {
    ended(to_open_string(node, options))
}

/// Writes a tree without a line ending behind it.
pub(crate) fn to_open_string(node: &Node, options: &SerializeOptions) -> String {
    state::State::new(node, options).write()
}

/// A text with a line ending behind it, unless it ends with one or is empty.
pub(crate) fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with(character::is_eol) {
        text.push('\n');
    }
    text
}
