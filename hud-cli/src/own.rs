//! What this program is called: as its file is, whoever built it.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;
use std::sync::OnceLock;

/// What it is called as it is built in.
const BUILT_IN: &str = "hud";

static NAME: OnceLock<String> = OnceLock::new();

/// Takes the name from the first word of a command line, and gives it.
pub(crate) fn called_as(words: &[OsString]) -> &'static str {
    NAME.get_or_init(|| {
        let file = words.first().map(Path::new).and_then(Path::file_stem);
        let name = file.and_then(|name| name.to_str()).unwrap_or(BUILT_IN);
        name.to_owned()
    })
}

/// What it is called.
pub(crate) fn name() -> &'static str {
    NAME.get().map_or(BUILT_IN, String::as_str)
}

/// A command of this program, as a user is to type it.
pub(crate) fn command(words: impl Display) -> String {
    format!("{} {words}", name())
}
