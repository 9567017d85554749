//! `hud prune`: what pruning would have done to recorded sessions, and what it would have missed.

mod halves;
mod requests;
mod table;

use std::path::Path;

use hud_agent::prune::peers::{AtEntry, ByNeed, Newest, OlderThan, Opencode, Oracle, Pool};
use hud_agent::prune::rule::Pressure;
use hud_agent::prune::trace::Trace;
use hud_agent::prune::{CACHE_SECONDS, Figures, Policy, Prices, Subject, simulate};
use hud_agent::settings::Prune;

use crate::app::App;
use crate::args;
use crate::output::{self, Failure, Output};
use crate::passed_over;
use crate::progress::waiting;

pub(crate) fn run(args: &args::Prune, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let prune = &setup.settings.prune;
    let (subjects, failed) = waiting("reading the sessions", || read(args));
    if subjects.is_empty() {
        return Err(Failure::Other("no session could be read".to_owned()));
    }
    let prices = Prices {
        cache_seconds: prune.cache_seconds.unwrap_or(CACHE_SECONDS),
        ..Prices::default()
    };
    let trial = Trial {
        subjects: &subjects,
        prune,
        prices,
    };
    let mut output = Output::new();
    match args.json {
        true => json(&trial, args, &mut output)?,
        false => people(&trial, args, &mut output)?,
    }
    output.flush()?;
    match failed {
        0 => Ok(()),
        failed => Err(Failure::Other(format!(
            "{} could not be read",
            output::count(failed, "file")
        ))),
    }
}

/// Reads the sessions, and reports those that can not be read.
fn read(args: &args::Prune) -> (Vec<Subject>, u64) {
    let (mut subjects, mut failed) = (Vec::new(), 0);
    for file in &args.files {
        match Trace::read(file) {
            Ok(trace) => {
                passed_over::note(file, &trace.summary);
                subjects.push(Subject::new(trace));
            }
            Err(error) => {
                output::problem(error);
                failed += 1;
            }
        }
    }
    (subjects, failed)
}

fn people(trial: &Trial<'_>, args: &args::Prune, output: &mut Output) -> Result<(), Failure> {
    table::show(trial, output)?;
    if args.cross_check {
        halves::show(trial, output)?;
    }
    if args.requests || trial.subjects.len() == 1 {
        for subject in trial.subjects {
            requests::show(trial, subject, args.pressure, output)?;
        }
    }
    Ok(())
}

fn json(trial: &Trial<'_>, args: &args::Prune, output: &mut Output) -> Result<(), Failure> {
    for row in table::rows(trial) {
        output.json(&row)?;
    }
    if args.cross_check {
        for row in halves::rows(trial) {
            output.json(&row)?;
        }
    }
    for subject in trial.subjects {
        requests::json(trial, subject, args.pressure, output)?;
    }
    Ok(())
}

/// Makes a policy anew for each session.
type Make<'p> = Box<dyn Fn() -> Box<dyn Policy> + 'p>;

/// What is tried, and on what.
pub(crate) struct Trial<'s> {
    subjects: &'s [Subject],
    prune: &'s Prune,
    prices: Prices,
}

impl Trial<'_> {
    /// The figures of a policy, for each session.
    fn each(&self, policy: impl Fn() -> Box<dyn Policy>) -> Vec<Figures> {
        let each = self.subjects.iter();
        each.map(|subject| simulate(subject, &mut *policy(), &self.prices).1)
            .collect()
    }

    /// The rule at a pressure.
    fn by_need(&self, pressure: Pressure) -> ByNeed {
        ByNeed::new(self.prune.clone(), pressure)
    }

    /// All policies, by their names.
    fn policies(&self) -> Vec<(String, Make<'_>)> {
        let mut policies: Vec<(String, Make<'_>)> = Vec::new();
        let levels = [
            ("safe", Pressure::Safe),
            ("moderate", Pressure::Moderate),
            ("high", Pressure::High),
            ("critical", Pressure::Critical),
        ];
        for (name, pressure) in levels {
            let policy = move || Box::new(self.by_need(pressure)) as Box<dyn Policy>;
            policies.push((format!("by need, {name}"), Box::new(policy)));
        }
        for (protect, minimum) in [(40_000, 20_000), (10_000, 5_000)] {
            let rule = Opencode { protect, minimum };
            let name = format!("opencode {}k/{}k", protect / 1_000, minimum / 1_000);
            policies.push((name, Box::new(move || Box::new(rule))));
        }
        policies.push((
            "newest 5k tokens".to_owned(),
            Box::new(|| Box::new(Newest(5_000))),
        ));
        policies.push((
            "newest 10k tokens".to_owned(),
            Box::new(|| Box::new(Newest(10_000))),
        ));
        policies.push((
            "age, 12 requests".to_owned(),
            Box::new(|| Box::new(OlderThan(12))),
        ));
        policies.push((
            "fading pool".to_owned(),
            Box::new(|| Box::new(Pool::default())),
        ));
        for (longest, kept) in [(50, 30), (30, 20), (15, 10)] {
            let cut = AtEntry { longest, kept };
            let name = format!("at entry {longest}, {kept}+{kept}");
            policies.push((name, Box::new(move || Box::new(cut))));
        }
        policies.push((
            "oracle".to_owned(),
            Box::new(|| Box::new(Oracle::default())),
        ));
        policies
    }
}
