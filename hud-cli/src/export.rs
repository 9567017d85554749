//! `hud export`: writes events as JSON Lines.

use hud_store::jsonl;

use crate::app::App;
use crate::args::Export;
use crate::opened::Opened;
use crate::output::{self, Failure, Output, count};
use crate::sessions::known;

pub(crate) fn run(args: &Export, app: &App) -> Result<(), Failure> {
    let Opened { log, place } = args.db.open(app)?;
    if let Some(session) = &args.session {
        known(&*log, &place, session)?;
    }
    output::keep_private();
    let mut output = Output::new();
    let written = jsonl::export(&*log, args.session.as_ref(), output.raw());
    // Events that were written before an error are still useful.
    output.flush()?;
    output::note(count(written?, "event"));
    Ok(())
}
