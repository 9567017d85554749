//! Writes mdast for a terminal: wrapped to its width, aligned in columns, with or without colours.
//!
//! Nothing in a tree can give the terminal an order: characters that would move the cursor, begin an escape
//! sequence or turn the direction of writing are shown as U+FFFD or left out. The only escape sequences are those
//! of the styles that are written here, and each line ends all that it begins.
//!
//! ```
//! use hud_core::node::{Code, Item, List, Section};
//! use hud_core::terminal::{self, TerminalOptions};
//! use hud_core::{Density, Renderer, Scope, rsx};
//!
//! let layout = rsx! {
//!     <Section title="Steps">
//!         <List>
//!             <Item checked=true>"Read " <Code>"limit.rs"</Code> " from its first line to its last"</Item>
//!             <Item checked=false>"Ring \u{7}\u{1b}[2J"</Item>
//!         </List>
//!     </Section>
//! };
//! let tree = Renderer::builtin().mdast(&layout, Scope::new(Density::Full))?;
//! let options = TerminalOptions { width: Some(24), colours: false };
//! assert_eq!(terminal::to_string(&tree, &options), "\
//! ## Steps
//!
//! • [x] Read limit.rs from
//!       its first line to
//!       its last
//! • [ ] Ring [2J
//! ");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! Rendering asks nobody how wide a terminal is or whether it has colours: whoever calls it says so.

mod line;
mod table;
mod text;
mod writer;

use markdown::mdast::Node;

/// What is known of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// How many columns it has: no line is wider, except that none is made narrower than [`LEAST`]. Without it, lines
    /// end where the text says.
    pub width: Option<usize>,
    /// Whether styles are written. The text is the same without them.
    pub colours: bool,
}

/// A terminal of 80 columns without colours.
impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            width: Some(80),
            colours: false,
        }
    }
}

/// How many columns are always used.
pub const LEAST: usize = 20;

/// Writes a tree. The text ends with a line ending unless it is empty.
pub fn to_string(tree: &Node, options: &TerminalOptions) -> String {
    let width = options.width.map_or(usize::MAX, |width| width.max(LEAST));
    let lines = writer::Writer::of(tree).document(tree, width);
    line::written(&lines, options.colours)
}
