//! Measurements of Agent HUD on recorded sessions. The crate is not published, and no release contains it.
//!
//! - `facts`: the labelled facts that a HUD contains, and those that it must not contain.
//! - `lines`: the lines of a section, for readers to judge.
//! - `turns`: the sizes of HUDs and of their changes.
//! - `masking`: secrets in all forms in which they are written.
//! - `hostile`: pastes and summaries that pose as the user.
//! - `prune`: the loss from pruning. A [`trace`] has the requests of a session. The model's later actions show
//!   the [needs](mod@need) for an output. A [simulation](simulate::simulate()) of a policy computes the removed text,
//!   the missed needs and the savings, in comparison with [other policies](peers).
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
