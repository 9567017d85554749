//! The components of Agent HUD: an agent's [`HudState`](hud_store::state::HudState) as elements.
//!
//! Each section of the state has a component, and [`Hud`] puts them together. Every component
//! knows three densities: *full* is a section with a heading, *compact* one labelled line,
//! *minimal* a few words that share a line with others. A section without content shows nothing at
//! any density; only a missing task is mentioned.
//!
//! ```
//! use hud_components::Hud;
//! use hud_core::{Density, render, rsx};
//! use hud_store::state::HudState;
//!
//! # fn main() -> Result<(), hud_core::LowerError> {
//! let state = HudState::default();
//! let hud = render(&rsx! { <Hud state={&state} /> }, Density::Full)?;
//! assert_eq!(hud, "# Task\n\nNot set: record it with `task.set`.\n");
//! # Ok(())
//! # }
//! ```
//!
//! All text of the state is shown on one line and cut to a length that depends on the density;
//! the state keeps it whole. It is data: it opens no block and no mark, ends no piece of a line, and
//! has nothing in it that nobody sees ([`text`]).

mod active_files;
mod blockers_list;
mod changes;
mod compacted_context;
mod context_bar;
mod decisions_list;
mod errors_list;
pub mod layout;
mod next_steps;
mod notes_section;
mod section;
mod section_items;
mod since;
mod task_section;
pub mod text;
pub mod usage;
mod warning_banner;

#[cfg(test)]
mod fixture;

pub use active_files::ActiveFiles;
pub use blockers_list::BlockersList;
pub use changes::Changes;
pub use compacted_context::CompactedContext;
pub use context_bar::ContextBar;
pub use decisions_list::DecisionsList;
pub use errors_list::ErrorsList;
pub use layout::Hud;
pub use next_steps::NextSteps;
pub use notes_section::NotesSection;
pub use section_items::SectionItems;
pub use since::Since;
pub use task_section::TaskSection;
pub use warning_banner::WarningBanner;
