//! Layouts of Agent HUD that are written as text, and checked and changed while a session runs.
//!
//! [`expr`] has the expressions that stand in a layout's braces.

pub mod expr;
