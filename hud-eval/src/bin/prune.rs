//! Compares the loss and the gain of pruning on recorded sessions with other policies.
//!
//! ```text
//! cargo run --release -p hud-eval --bin prune -- [--json] SESSION...
//! ```
//!
//! | column | figure |
//! | --- | --- |
//! | removed | the share of the outputs that the model had read and that is not sent, over all requests |
//! | needs met | the share of the text that the model quoted, edited or looked at again later, and that was there |
//! | met at once | the same share for outputs that the model had not read before |
//! | missed | mostly unmet needs per 100 requests |
//! | cost | the cost of the input, relative to that without pruning; each miss is one more request |
//!
//! The 90 % intervals over sessions are in parentheses. With `--json`, each policy is an object on its own
//! line.
#![allow(
    clippy::print_stdout,
    reason = "the figures are what the command is for"
)]

use std::error::Error;
use std::process::ExitCode;

use hud_agent::settings::Settings;
use hud_eval::policies::Trial;
use hud_eval::simulate::Subject;
use hud_eval::trace::Trace;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg == "--json");
    if files.is_empty() {
        return Err("usage: prune [--json] SESSION...".into());
    }
    let read = |file: &String| Ok(Subject::new(Trace::read(file)?));
    let subjects: Vec<Subject> = files
        .iter()
        .map(read)
        .collect::<Result<_, Box<dyn Error>>>()?;
    let settings = Settings::default();
    let rows = Trial::new(&subjects, &settings.prune).rows();
    if !options.is_empty() {
        for row in rows {
            println!("{}", serde_json::to_string(&row)?);
        }
        return Ok(());
    }
    let heads = [
        "policy",
        "removed %",
        "needs met %",
        "met at once %",
        "missed/100",
        "cost %",
    ];
    println!(
        "{:20}  {:21}  {:21}  {:21}  {:21}  {}",
        heads[0], heads[1], heads[2], heads[3], heads[4], heads[5]
    );
    for row in rows {
        println!(
            "{:20}  {:21}  {:21}  {:21}  {:21}  {}",
            row.policy,
            row.removed.to_string(),
            row.needs_met.to_string(),
            row.at_once_met.to_string(),
            row.missed.to_string(),
            row.cost
        );
    }
    Ok(())
}
