//! Tests of the measures, a module for each file, in one program: each program links the whole crate once more.

#[cfg(feature = "slow-tests")]
mod hostile;
#[cfg(feature = "slow-tests")]
mod masking;
mod policies;
mod prune;
mod replayed;
