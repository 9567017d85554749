//! `hud cost`: what the HUD costs of a provider's prompt cache, and what sessions really read from it.

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

/// A share of all, for people.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
