//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.
//! Those that start themselves again have no harness and are programs next to it.

mod agent;
mod built_in;
mod cases;
mod docs;
mod expr_eval;
mod expr_fuzz;
mod expr_infer;
mod expr_parse;
#[cfg(feature = "slow-tests")]
mod hostile;
mod layout_fuzz;
mod mistakes;
