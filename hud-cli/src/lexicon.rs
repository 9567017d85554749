//! `hud lexicon`: checks the phrases of a language.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use hud_derive::lexicon::{Checked, Intent, check};

use crate::args::{Lexicon, LexiconAction};
use crate::output::{self, Failure, Output};

/// The maximum size of a file in bytes.
const LARGEST: u64 = 1024 * 1024;

pub(crate) fn run(args: &Lexicon) -> Result<(), Failure> {
    match &args.action {
        LexiconAction::Check { file } => check_file(file),
    }
}

fn check_file(file: &Path) -> Result<(), Failure> {
    let name = file.display().to_string();
    let text = read(file).map_err(|error| Failure::Other(format!("{name}: {error}")))?;
    let Checked {
        phrases,
        missing,
        errors,
    } = check(&name, &text);
    for error in &errors {
        output::problem(error);
    }
    if !errors.is_empty() {
        let count = output::count(errors.len() as u64, "fault");
        return Err(Failure::Other(format!("{name} has {count}")));
    }
    let mut out = Output::new();
    let phrases = output::count(phrases as u64, "phrase");
    let found = Intent::ALL.len() - missing.len();
    let all = Intent::ALL.len();
    out.text(&format!("{name}: {phrases} for {found} of {all} intents"))?;
    if !missing.is_empty() {
        let missing: Vec<&str> = missing.iter().map(|intent| intent.name()).collect();
        out.text(&format!("without a phrase: {}", missing.join(", ")))?;
    }
    Ok(out.flush()?)
}

/// Reads the text of a file, up to the maximum size of a file of phrases.
fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let opened = File::open(file).map_err(|error| error.to_string())?;
    let mut limited = opened.take(LARGEST + 1);
    let read = limited.read_to_string(&mut text);
    read.map_err(|error| error.to_string())?;
    match text.len() as u64 > LARGEST {
        true => Err(format!("more than {LARGEST} bytes are no file of phrases")),
        false => Ok(text),
    }
}
