//! Serializes mdast as GFM markdown, and parses it.
//!
//! [`to_string`] writes the same bytes as *the reference*: `mdast-util-to-markdown` 2.2.3 with all
//! of `mdast-util-gfm`. It is total: every tree has an output, regardless of its depth and its
//! strings. It takes linear time.
//!
//! # Text is data
//!
//! The content of a node is parsed as the same content, and starts no construct. Special characters
//! are handled as follows:
//!
//! | node | special punctuation | line endings | tabs and spaces at edges |
//! | --- | --- | --- | --- |
//! | text in a paragraph | backslash | kept; encoded if they would form a blank line | encoded |
//! | text in an ATX heading or a cell | backslash | encoded | encoded in headings; in cells if strict |
//! | link text, image alt, labels | backslash | as in the enclosing paragraph | kept |
//! | titles | backslash | as in the enclosing paragraph; kept in definitions | kept |
//! | destinations | backslash; within `<` and `>` if needed | encoded | kept |
//! | autolinks | percent-encoded | never has any | never has any |
//! | inline code, inline math | longer fence; backslash before pipes in cells | a space if they would start a block; all if strict | padded |
//! | code, math | longer fence | kept | kept |
//! | code's language | backslash, backticks encoded | encoded | encoded |
//! | html, frontmatter, MDX | kept: these are markup | kept; a space in one line if strict | kept |
//!
//! *Encoded* means written as a character reference, such as `&#xA;`. Control characters are kept.
//! Markdown cannot represent NUL or a reference to another control character; both are parsed as
//! U+FFFD. A reference to a control character is written only if a letter next to attention must be
//! encoded.
//!
//! # Strict
//!
//! The reference is known to lose some text. [`SerializeOptions::strict`] deviates from its bytes
//! to keep it:
//!
//! - A character is also escaped if the same pattern consumed it in a match before (the second `+`
//!   of `"+\n+ a"`, the second `@` of `a@b@c`).
//! - Headings have one line: they are ATX, unless `setext` is set. A `#` at the start of one is
//!   escaped.
//! - Line endings become spaces in inline code, and in HTML in headings and cells.
//! - Empty inline code is a space within a fence, because two adjacent fences would open a span. A
//!   space separates inline code from inline code right before it.
//! - White space at the edges of cells and of a fence's meta is encoded. So is a carriage return
//!   that would merge with the line ending after a text.
//! - Literal autolinks are also escaped in links and images, and after every `www.`.
//! - Adjacent texts are escaped as one, because the `.` of `1.` begins a list depending on both.
//! - A `<` right before code is escaped, because the backtick may be part of an address.
//! - `^` at the start of a label and `<` at the start of a destination are escaped.
//! - An item with an empty paragraph counts as empty if `- - -` would be a thematic break.
//! - Attention treats symbols beyond the basic plane as punctuation, as CommonMark does.
//!
//! # Minimal escapes
//!
//! The reference escapes every character that could begin a construct, regardless of the text after
//! it. With [`SerializeOptions::sparing`], a backslash is written only if the character has a
//! meaning in the whole text of the paragraph, heading or cell:
//!
//! | character | backslash |
//! | --- | --- |
//! | `[` | at the start of a line before a check box, a label or an alert; before `^`; if the tree has definitions, or the block has links, references or images |
//! | `(` | after `]`, if a bracket is open |
//! | `*`, `_` | if one run could open attention and a later one close it; next to and inside of attention |
//! | `~` | the same, regardless of adjacent characters |
//! | `` ` `` | if there is another one, also in code |
//! | `<` | at the start of a line, and if a `>` comes later, except before characters that neither a tag nor an address contains (`<T, U>`) |
//! | `&` | before a name or number with a `;` after it |
//! | `.`, `:`, `@` of addresses | if something in the address is escaped, or no white space ends it |
//! | `#`, `=`, `)` at the start of a line | before white space |
//!
//! Some parsers link a bare address to itself. The text stays the same.
//!
//! The output cannot represent what markdown cannot. Adjacent strikethroughs merge, and so do
//! inline codes without strict. Attention may not form if it is nested in its own kind next to a
//! sibling of that kind. A hard break at an edge is lost.
//!
//! # Tests and benchmarks
//!
//! `cargo run --release --example gfm-cases -- FILE.jsonl...` compares the output with the
//! reference's bytes. `--round-trip` compares the parsed reference output with the parsed output,
//! by [`parse()`] and by comrak or pulldown-cmark. `--lift` compares the output with the output
//! after a [lift](crate::lift()) to elements and back:
//!
//! | cases | exact | same after parsing | same after lifting |
//! | --- | --- | --- | --- |
//! | the reference's own suites | 498 of 498 | 498 | 498 |
//! | CommonMark 0.31.2 and GFM examples | 1377 of 1377 | 1377 | 1377 |
//! | random trees of common text | 1000 of 1000 | 1000 | 1000 |
//! | random trees of special characters | 1000 of 1000 | 1000 | 1000 |
//!
//! `PROPTEST_CASES=100000 cargo test --release -p hud-core --test all gfm_safety` puts random texts
//! in all places for some minutes. CI runs it for a second.
//!
//! `cargo bench -p hud-core --bench gfm` writes documents of about 100 kB. The results are
//! multiples of the time of comrak's `format_commonmark` in the same run: prose 1.1, tables 1.5
//! (comrak aligns no pipes), one paragraph with 2,500 emphases 0.8. `mdast_util_to_markdown` takes
//! 95 times as long as comrak for the prose, and does not support tables.
//!
//! # Files
//!
//! | file | content |
//! | --- | --- |
//! | `options` | the options of the output |
//! | `node/` | a file for each node, which describes its output |
//! | `description`, `context` | the description that a node returns; the surroundings that it may know |
//! | `state` | the walk over the tree, with an explicit stack: the open containers, and the destination of text |
//! | `straight` | common blocks, written without a tree |
//! | `writer` | lines, with the prefixes of the enclosing containers |
//! | `join` | the separators between blocks, as a table of rules |
//! | `safe` | escaping |
//! | `sparing` | removal of needless escapes, once a block's text is known |
//! | `unsafe_patterns`, `ascii_set` | the patterns of unsafe characters, as data |
//! | `constructs` | the set of constructs that are open around a text |
//! | `attention/` | emphasis, strong emphasis and strikethrough |
//! | `character`, `punctuation` | character classes and references |
//! | `association`, `html_kind` | labels of references; kinds of HTML blocks |
//! | `parse/` | the parser from markdown to mdast |

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

/// Serializes a tree as GFM. The text is empty or ends with a line ending.
///
/// The tree need not be valid mdast. A root of phrasing is written without blocks, phrasing among
/// blocks as a block, and blocks among phrasing without line breaks.
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

/// Serializes a tree without a line ending at the end.
pub(crate) fn to_open_string(node: &Node, options: &SerializeOptions) -> String {
    state::State::new(node, options).write()
}

/// Adds a line ending to a non-empty text without one.
pub(crate) fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with(character::is_eol) {
        text.push('\n');
    }
    text
}
