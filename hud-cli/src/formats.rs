//! `hud formats`: compares the token counts of a session's HUD in each format.

use std::path::Path;

use hud_agent::budget;
use hud_agent::format::Format;
use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::Transcript;
use hud_store::event::SessionId;
use hud_store::log::state_of;
use hud_store::state::HudState;
use serde::Serialize;

use crate::app::App;
use crate::args;
use crate::output::{Failure, Output};
use crate::render::open;

/// The size of a HUD in a format.
#[derive(Serialize)]
struct Row {
    format: &'static str,
    bytes: usize,
    tokens: u64,
    /// The tokens in percent of the tokens of indented JSON.
    percent: u64,
}

pub(crate) fn run(args: &args::Formats, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let state = match &args.file {
        Some(file) => recorded(file, &setup)?,
        None => {
            let (log, session) = open(&args.source, app)?;
            state_of(&*log, &session)?
        }
    };
    let mut rows = Vec::with_capacity(Format::ALL.len());
    for format in Format::ALL {
        let text = format.write(&state, args.density, &setup)?;
        let tokens = budget::count(&text, &state, &setup)
            .map_err(|error| Failure::Other(error.to_string()))?;
        rows.push(Row {
            format: format.name(),
            bytes: text.len(),
            tokens,
            percent: 0,
        });
    }
    let indented = rows
        .iter()
        .find(|row| row.format == Format::PrettyJson.name());
    let indented = indented.map_or(1, |row| row.tokens.max(1));
    for row in &mut rows {
        row.percent = (row.tokens * 100 + indented / 2) / indented;
    }
    let mut output = Output::new();
    if args.json {
        output.json(&rows)?;
    } else {
        show(&mut output, &rows)?;
    }
    Ok(output.flush()?)
}

/// A common claim about a format, that it saves some percentage of another format's tokens.
struct Claim {
    of: Format,
    beside: Format,
    saves: [u64; 2],
}

/// The claims that the results are compared with.
const CLAIMS: [Claim; 4] = [
    Claim::of(Format::Toon, Format::PrettyJson),
    Claim::of(Format::Toon, Format::Json),
    Claim::of(Format::CompactJson, Format::PrettyJson),
    Claim::of(Format::CompactJson, Format::Json),
];

impl Claim {
    const fn of(of: Format, beside: Format) -> Self {
        let saves = [30, 50];
        Self { of, beside, saves }
    }

    /// Returns the claim and the measured result.
    fn judged(&self, rows: &[Row]) -> String {
        let tokens = |format: Format| {
            let row = rows.iter().find(|row| row.format == format.name());
            row.map_or(0.0, |row| row.tokens as f64)
        };
        let beside = tokens(self.beside).max(1.0);
        let saved = ((1.0 - tokens(self.of) / beside) * 100.0).round();
        let (of, beside, [least, most]) = (self.of, self.beside, self.saves);
        let kept = match saved >= least as f64 {
            true => "holds",
            false => "does not hold",
        };
        format!(
            "claim: {of} saves {least} to {most} % of {beside}: {kept} here, it saves {saved} %"
        )
    }
}

/// Returns the state at the end of a recorded session.
fn recorded(file: &Path, setup: &Setup) -> Result<HudState, Failure> {
    let session = SessionId::new("recorded").map_err(|error| Failure::Other(error.to_string()))?;
    let mut replay = Replay::new(session).with(setup);
    Transcript::open(file)?.read(&mut |entry| {
        replay.observe(entry);
        Ok::<(), Failure>(())
    })?;
    Ok(replay.state().clone())
}

fn show(output: &mut Output, rows: &[Row]) -> Result<(), Failure> {
    output.heading("format          bytes   tokens   of indented JSON")?;
    for row in rows {
        let Row {
            format,
            bytes,
            tokens,
            percent,
        } = row;
        output.text(&format!("{format:13} {bytes:7} {tokens:8}   {percent:3} %"))?;
    }
    let least = rows.iter().min_by_key(|row| row.tokens);
    if let Some(least) = least {
        output.text(&format!("least: {}", least.format))?;
    }
    for claim in &CLAIMS {
        output.text(&claim.judged(rows))?;
    }
    Ok(())
}
