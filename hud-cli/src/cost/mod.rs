//! `hud cost`: simulates the HUD's cost with a provider's prompt cache, and reports the cache use of real
//! sessions.

mod db;
mod simulated;

use crate::app::App;
use crate::args;
use crate::output::Failure;

pub(crate) fn run(args: &args::Cost, app: &App) -> Result<(), Failure> {
    match args.db() {
        Some(db) => db::run(&db, args, app),
        None => simulated::run(args, app),
    }
}

/// Formats a share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
