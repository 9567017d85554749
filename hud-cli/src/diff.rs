//! `hud diff`: shows the changes of a session between two moments.

use hud_components::text::line;
use hud_store::log::{Moment, diff};
use hud_store::state::Change;
use serde::Serialize;

use crate::app::App;
use crate::args::Diff;
use crate::at::past_state;
use crate::log;
use crate::output::{self, Failure, Output};
use crate::render::open;

/// The maximum number of characters of an item in the output.
const SHOWN: usize = 160;

pub(crate) fn run(args: &Diff, app: &App) -> Result<(), Failure> {
    let (log, session) = open(&args.source, app)?;
    let before = past_state(&*log, &session, args.from)?;
    if let Some(to) = args.to {
        let after = past_state(&*log, &session, to)?;
        if after.version < before.version {
            return Err(Failure::Other(format!(
                "{} is behind {to}: give the earlier moment first",
                args.from
            )));
        }
    }
    let to = args.to.unwrap_or(Moment::Version(u64::MAX));
    let diff = diff(&*log, &session, args.from, to)?;
    if diff.events.is_empty() {
        output::note("nothing happened between the two moments");
    }
    let mut output = Output::new();
    for change in diff.changes() {
        show(&mut output, &change, args.json)?;
    }
    if args.events {
        for event in &diff.events {
            log::show(&mut output, event, args.json, false)?;
        }
    }
    Ok(output.flush()?)
}

/// A change in the JSON output.
#[derive(Serialize)]
struct JsonChange<'c> {
    section: &'static str,
    item: &'c str,
    before: Option<&'c str>,
    after: Option<&'c str>,
}

fn show(output: &mut Output, change: &Change, json: bool) -> Result<(), Failure> {
    if json {
        output.json(&JsonChange {
            section: change.section,
            item: &change.id,
            before: change.before.as_deref(),
            after: change.after.as_deref(),
        })?;
        return Ok(());
    }
    let name = match change.id.as_str() {
        "" => change.section.to_owned(),
        item => format!("{} {}", change.section, line(item, SHOWN)),
    };
    if let Some(before) = &change.before {
        output.removed(&format!("- {name}: {}", line(before, SHOWN)))?;
    }
    if let Some(after) = &change.after {
        output.added(&format!("+ {name}: {}", line(after, SHOWN)))?;
    }
    Ok(())
}
