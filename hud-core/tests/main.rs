//! Tests of the crate, a module for each file, in one program: each program links the whole crate once more.

mod alerts;
mod ambient;
#[cfg(feature = "slow-tests")]
mod applied;
mod boundaries;
mod data;
mod fit;
mod generics;
mod gfm;
mod gfm_cases;
mod gfm_depth;
mod gfm_parse;
mod gfm_safety;
mod graph;
mod html;
mod hygiene;
mod lift;
mod mdx;
mod nodes;
mod nothing_silent;
#[path = "../examples/gfm-cases/outline/mod.rs"]
#[allow(dead_code, reason = "the example uses the rest of it")]
mod outline;
mod part_cache;
mod parts;
mod props;
mod registry;
mod rsx;
mod sparing;
mod straight;
mod suggestions;
mod terminal;
mod toon;
