//! How many cases of made up input a test tries, and which ones.

#![allow(clippy::expect_used, reason = "a test fails by it")]

use std::str::FromStr;

/// `FUZZ_CASES`, or as many as are tried without it.
pub(crate) fn count<N: FromStr>(otherwise: N) -> N {
    given("FUZZ_CASES").unwrap_or(otherwise)
}

/// `FUZZ_SEED`, or what the cases begin with without it.
pub(crate) fn seed(otherwise: u64) -> u64 {
    given("FUZZ_SEED").unwrap_or(otherwise)
}

fn given<N: FromStr>(name: &str) -> Option<N> {
    let number = std::env::var(name).ok()?.parse().ok();
    Some(number.expect("FUZZ_CASES and FUZZ_SEED are whole numbers"))
}
