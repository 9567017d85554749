//! Layouts of Agent HUD that are written as text, and can be checked and changed while a session runs.
//!
//! A layout is markdown with the components of a [`catalogue`] as tags and [`expr`]essions in braces. Expressions
//! can call the functions of a `script` (a feature). A [`Template`] is a layout that was parsed and has no errors:
//!
//! ```
//! use hud_layout::{Catalogue, Source, Template};
//!
//! let text = "# Now\n\n{state.task ? state.task.description : 'nothing'}\n\n<NextSteps steps={state.next_steps} />\n";
//! let layout = Template::read(&Source::new("layout.mdx", text), &[], &Catalogue::built_in())?.layout();
//! # Ok::<(), hud_layout::Mistakes>(())
//! ```

pub mod accept;
pub mod catalogue;
mod check;
pub mod expr;
pub mod file;
mod functions;
pub mod live;
mod make;
pub mod report;
#[cfg(feature = "script")]
pub mod script;
pub mod section;
pub mod states;
pub mod template;
mod trial;
mod types;
mod walk;
pub mod wrong;

pub use catalogue::Catalogue;
pub use report::{Mistakes, Placed};
pub use template::{Source, Template};
