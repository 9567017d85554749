//! The log on disks that lose power, that fail, and that are full.
//!
//! By default every few operations are tried. `HUD_POWER_EVERY=1` tries them all; `--nocapture`
//! shows the counts.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests may fail and print like the tests themselves"
)]

mod failing;
mod power_loss;

/// Each how many operations there is a fault.
fn every(by_default: usize) -> usize {
    std::env::var("HUD_POWER_EVERY").map_or(by_default, |every| every.parse().unwrap())
}
