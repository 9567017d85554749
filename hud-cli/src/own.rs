//! The name of this program, which is the name of its file.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;
use std::sync::OnceLock;

/// The default name.
const BUILT_IN: &str = "hud";

static NAME: OnceLock<String> = OnceLock::new();

/// Sets the name from the first word of a command line, and returns it.
pub(crate) fn called_as(words: &[OsString]) -> &'static str {
    NAME.get_or_init(|| {
        let file = words.first().map(Path::new).and_then(Path::file_stem);
        let name = file.and_then(|name| name.to_str()).unwrap_or(BUILT_IN);
        name.to_owned()
    })
}

/// Returns the name.
pub(crate) fn name() -> &'static str {
    NAME.get().map_or(BUILT_IN, String::as_str)
}

/// Returns a command of this program as the user has to type it.
pub(crate) fn command(words: impl Display) -> String {
    format!("{} {words}", name())
}
