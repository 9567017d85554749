//! Serializes mdast as HTML that is safe to show.
//!
//! All text is escaped. Markup in a tree is shown as text, and links only lead to [`http`, `https`,
//! `mailto`](SCHEMES) and addresses without a scheme. So the output has only the elements below,
//! and none of their attributes can contain a script.
//!
//! ```
//! use hud_core::node::{Html, Item, Link, List, Section};
//! use hud_core::{Density, Renderer, Scope, html, rsx};
//!
//! let layout = rsx! {
//!     <Section title="Steps & more">
//!         <List>
//!             <Item checked=true>"Read <b>"</Item>
//!             <Item><Link url="javascript:alert(1)">"no"</Link> " " <Html value="<script>" /></Item>
//!         </List>
//!     </Section>
//! };
//! let tree = Renderer::builtin().mdast(&layout, Scope::new(Density::Full))?;
//! assert_eq!(html::to_string(&tree), "\
//! <h1>Steps &amp; more</h1>
//! <ul>
//! <li><input type=\"checkbox\" disabled checked> Read &lt;b&gt;</li>
//! <li><a>no</a> &lt;script&gt;</li>
//! </ul>
//! ");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! | mdast | HTML |
//! | --- | --- |
//! | `heading` | `h1` to `h6` |
//! | `paragraph`, `blockquote`, `thematicBreak`, `break` | `p`, `blockquote`, `hr`, `br` |
//! | the `blockquote` of an [alert](crate::node::Alert) | `blockquote` with `class="alert alert-…"`, and its title first |
//! | `list`, `listItem` | `ul`, `ol` with `start`, `li`, with a disabled check box |
//! | `table` | `table` with `thead`, `tbody` and aligned cells |
//! | `code`, `inlineCode` | `pre` and `code` with `class="language-…"`, `code` |
//! | `math`, `inlineMath` | `pre` and `code` with `class="math"`, `code` |
//! | `strong`, `emphasis`, `delete` | `strong`, `em`, `del` |
//! | `link`, `linkReference`, `image`, `imageReference` | `a`, `img`, with the address of the definition |
//! | `footnoteReference`, `footnoteDefinition` | `sup` with a link, a section at the end |
//! | `html`, MDX | their source as text |
//! | `yaml`, `toml`, `definition` | nothing |

#![cfg_attr(
    feature = "html",
    doc = "\n[`parse`] reads it again, and refuses what is not written."
)]

mod escape;
#[cfg(feature = "html")]
mod fragment;
#[cfg(feature = "html")]
mod read;
mod writer;

use markdown::mdast::Node;

pub use escape::{SCHEMES, escape, is_safe};
#[cfg(feature = "html")]
pub use read::{HtmlError, parse};

/// Serializes a tree as an HTML fragment. It is empty or ends with a line ending.
pub fn to_string(tree: &Node) -> String {
    writer::Writer::of(tree).document(tree)
}
