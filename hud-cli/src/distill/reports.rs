//! The conversation of a client whose recordings can't be read. It is given as reports like those of
//! [`hud bridge`](crate::bridge), as JSON Lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use hud_clients::report;
use hud_clients::transcript::Entry;

use crate::output::Failure;

/// The largest number of bytes that are read.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Passes each report to `sink`.
pub(super) fn read(path: &Path, sink: &mut dyn FnMut(&Entry)) -> Result<(), Failure> {
    let file = path.display();
    let failed = |error: io::Error| Failure::Other(format!("{file}: {error}"));
    let input: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path).map_err(failed)?),
    };
    let mut input = BufReader::new(input.take(LONGEST));
    let mut text = String::new();
    for place in 1.. {
        text.clear();
        if input.read_line(&mut text).map_err(failed)? == 0 {
            break;
        }
        if text.trim().is_empty() {
            continue;
        }
        let report = serde_json::from_str(&text).and_then(report);
        let report = report.map_err(|error| {
            Failure::Other(format!("{file}:{place}: this is no report: {error}"))
        })?;
        sink(&Entry {
            place,
            key: place.to_string(),
            at: None,
            bytes: 0,
            observation: report.observation,
        });
    }
    match input.get_ref().limit() {
        0 => Err(Failure::Other(format!(
            "{file} has more than {LONGEST} bytes: give what was said since the last time"
        ))),
        _ => Ok(()),
    }
}
