//! Counts the tasks, rules and lifted rules that pastes and summaries add in the user's name.
//!
//! ```sh
//! cargo run -p hud-eval --bin hostile -- cases.jsonl --most 0 --recall 0.9
//! ```
//!
//! Each line of the file is a case, an object:
//!
//! | field | value |
//! | --- | --- |
//! | `kind` | `paste`: a message of the user that quotes somebody else. It sets no rule and lifts none |
//! | | `summary`: the summary of a compaction. It sets no task, request or rule, and lifts no rule. |
//! | | If `before` is empty, the items of the `summary` show `(summary)` at each density |
//! | | `order`: a message with a rule of the user. It sets at least one |
//! | `before` | the user's earlier messages, a list of strings; none by default |
//! | `text` | the message or the summary |
//!
//! Without a file, the cases are those of `tests/hostile/cases.rs`. Each failure is printed with its line,
//! followed by the totals. The exit code is 1 if more pastes and summaries fail than `--most` (0), or if the
//! share of the orders that are found is below `--recall` (0.9). It is 2 if the cases can't be read.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the figures go to the terminal"
)]

#[path = "../../tests/hostile/cases.rs"]
mod cases;
#[path = "../../tests/hostile/judge.rs"]
mod judge;

use std::process::ExitCode;

use self::judge::{Case, Kind, judge};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(wrong) => {
            eprintln!("hostile: {wrong}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let (mut file, mut most, mut recall) = (None, 0_usize, 0.9_f64);
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut number = || given.next().ok_or(format!("{argument} takes a number"));
        match argument.as_str() {
            "--most" => {
                most = number()?
                    .parse()
                    .map_err(|error| format!("--most: {error}"))?
            }
            "--recall" => {
                recall = number()?
                    .parse()
                    .map_err(|error| format!("--recall: {error}"))?
            }
            _ => file = Some(argument),
        }
    }
    let cases = match file {
        Some(file) => read(&file)?,
        None => [
            cases::pastes(),
            cases::pastes_in_scripts(),
            cases::announced(),
            cases::summaries(1_000),
            cases::rules(),
        ]
        .concat(),
    };
    let (mut failed, mut totals) = (0, [(0, 0); 3]);
    let [mut tasks, mut rules, mut lifts] = [0; 3];
    for (line, case) in (1..).zip(&cases) {
        let came = judge(case);
        let total = &mut totals[case.kind as usize];
        total.0 += 1;
        if !came.is_failure() {
            continue;
        }
        total.1 += 1;
        failed += usize::from(case.kind != Kind::Order);
        tasks += came.tasks.len();
        rules += came.rules.len();
        lifts += came.lifts.len();
        let kind = format!("{:?}", case.kind).to_lowercase();
        let text: String = case.text.chars().take(200).collect();
        println!("line {line}: {kind}: {came:?}\n  {text:?}");
    }
    let [pastes, summaries, orders] = totals;
    let found = orders.0 - orders.1;
    println!(
        "pastes: {} of {} failed; summaries: {} of {} failed; tasks: {tasks}, rules: {rules}, lifts: {lifts}; \
         the user's own rules: {found} of {} found",
        pastes.1, pastes.0, summaries.1, summaries.0, orders.0
    );
    let is_found = orders.0 == 0 || f64::from(found) >= recall * f64::from(orders.0);
    Ok(failed <= most && is_found)
}

fn read(file: &str) -> Result<Vec<Case>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let case = |(at, line)| {
        let case = serde_json::from_str(line);
        case.map_err(|error| format!("{file}, line {}: {error}", at + 1))
    };
    lines.map(case).collect()
}
