//! Measures of Agent HUD on recorded sessions. The crate is not published, and nothing of it is in a release.
//!
//! - `facts`: the labelled facts that a HUD has and the ones that it must not have.
//! - `lines`: the lines of a section, for readers to judge.
//! - `turns`: sizes of HUDs and of their changes.
//! - `masking`: secrets in all the forms that they are written in.
//! - `hostile`: pastes and summaries that pose as the user.
//! - `prune`: the loss from pruning. A [`trace`] has the requests of a session, what was [needed](mod@need) of an output
//!   afterwards shows in what the model did, and a [simulation](simulate()) of a policy gives what it
//!   would have removed, missed and saved, beside what [others](peers) do.
//!
//! ```sh
//! cargo run --release -p hud-eval --bin facts
//! ```

mod interval;
pub mod need;
pub mod peers;
pub mod policies;
pub mod simulate;
pub mod trace;

pub use simulate::simulate;
