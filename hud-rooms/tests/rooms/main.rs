//! Worlds of rooms, from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests may fail like the tests themselves"
)]

mod answers;
#[path = "../../../hud-layout/tests/cases/mod.rs"]
mod cases;
mod example;
mod file;
mod gates;
mod hostile;
mod running;
mod world;
