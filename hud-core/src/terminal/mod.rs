//! Serializes mdast for a terminal: wrapped to its width, aligned in columns, with or without
//! colors.
//!
//! No tree can control the terminal: characters that would move the cursor, begin an escape
//! sequence or change the direction of writing are shown as U+FFFD or left out. The only escape
//! sequences are those of the styles, and each line ends all styles that it begins.
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
//! Rendering does not query the width or the colors of a terminal. The caller passes them.

mod line;
mod table;
mod text;
mod writer;

use markdown::mdast::Node;

/// The properties of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// The number of columns. No line is wider, but lines of [`LEAST`] columns are always allowed.
    /// Without a width, lines end only where the text has line endings.
    pub width: Option<usize>,
    /// True if styles are written. The text is the same without them.
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

/// The minimum number of columns that is used.
pub const LEAST: usize = 20;

/// Serializes a tree. The text is empty or ends with a line ending.
pub fn to_string(tree: &Node, options: &TerminalOptions) -> String {
    let width = options.width.map_or(usize::MAX, |width| width.max(LEAST));
    let lines = writer::Writer::of(tree).document(tree, width);
    line::written(&lines, options.colours)
}
