//! Reports on standard error the parts of a recorded session that were replaced or skipped.

use std::path::Path;

use hud_clients::transcript::Summary;

use crate::output::{self, count};

/// Reports the replaced and the skipped parts of a file.
pub(crate) fn note(file: &Path, read: &Summary) {
    let file = file.display();
    if let Some(line) = read.truncated {
        output::note(format_args!(
            "{file}:{line}: the last line is cut short: skipped"
        ));
    }
    if read.mended > 0 {
        let lines = count(read.mended, "line");
        output::note(format_args!(
            "{file}: replaced what is no character on {lines}"
        ));
    }
    if let Some(line) = read.first_damaged {
        let lines = count(read.damaged, "damaged line");
        output::note(format_args!(
            "{file}:{line}: skipped what cannot be read of {lines}, of which this is the first"
        ));
    }
    if read.sidechain > 0 {
        let lines = count(read.sidechain, "line");
        output::note(format_args!("{file}: skipped {lines} of sub-agents"));
    }
}
