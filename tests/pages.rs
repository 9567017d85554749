//! The blocks of Rust in the documentation, compiled and run as doctests.

#[cfg(doctest)]
#[doc = include_str!("../docs/writing.md")]
pub mod writing {}

#[cfg(doctest)]
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
