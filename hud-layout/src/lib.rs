//! Layouts of Agent HUD that are written as text, and checked and changed while a session runs.
//!
//! [`expr`] has the expressions that stand in a layout's braces, and `script` (a feature) the functions
//! that they can call.

pub mod expr;
#[cfg(feature = "script")]
pub mod script;
