//! A disk that fails on command, and what must be left of a log that was on it.
//!
//! - `disk` is the model: what was written, what of it is durable, what a power loss leaves. It
//!   is safe code and knows nothing of SQLite but its error codes and its rules of locking.
//! - `sqlite` hands such disks to SQLite, for every connection of the process.
//! - [`Workload`] is what is written, [`client`] how a program writes it, [`check`] what must hold
//!   after, and [`Tally`] the count of what did.
//!
//! The disk is harsher than most: what was not flushed survives sector by sector and in no
//! order, names of files too. It is as honest as the log asks for: a flush is kept.

pub mod check;
pub mod client;
mod disk;
mod rng;
mod sqlite;
mod tally;
mod workload;

pub use disk::{Disk, Fault};
pub use rng::Rng;
pub use sqlite::Mounted;
pub use tally::Tally;
pub use workload::{Batch, Step, Workload};
