//! `hud replay`: replays a recorded session into a log and renders its HUD.

use std::path::Path;

use hud_agent::replay::Replay;
use hud_agent::setup::Setup;
use hud_clients::transcript::{Entry, Summary, Transcript};
use hud_store::event::{CompactEvent, FileEvent, HudEvent, SessionId};
use hud_store::log::{Appended, Expected};
use hud_store::sqlite::{Durability, SqliteLog};

use crate::app::App;
use crate::args;
use crate::output::{self, Failure, count};
use crate::passed_over;
use crate::progress::{Unit, bar};
use crate::show::Show;

pub(crate) fn run(args: &args::Replay, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let open = || Transcript::open(&args.file).map(|file| file.conversation(args.conversation));
    let transcript = open()?;
    let session = match &args.session {
        Some(session) => session.clone(),
        None => SessionId::new(open()?.into_session_name()?).map_err(|error| {
            let file = args.file.display();
            Failure::Other(format!(
                "the name of the session in {file} {error}, or give it another with --session"
            ))
        })?,
    };
    let mut log = match &args.db {
        Some(path) => app
            .location(Some(path), Path::new("."))?
            .write(Durability::Full)?,
        None => SqliteLog::open_in_memory()?.with_sections(setup.sections.clone()),
    };
    let (appended, figures) = append(&mut log, &session, &setup, transcript, &mut |_, _| {})?;
    figures.report(&appended, args);
    let show = Show {
        setup: &setup,
        log: &log,
        session: &session,
        shown: args.shown,
    };
    match args.every {
        Some(step) => show.every(step),
        None => show.one(args.turn),
    }
}

/// Returns a log in memory that contains only a recorded session. `see` receives each entry, with the number of
/// model calls before it.
#[cfg(feature = "inspect")]
pub(crate) fn in_memory(
    file: &Path,
    conversation: u64,
    setup: &Setup,
    see: &mut dyn FnMut(&Entry, u64),
) -> Result<SqliteLog, Failure> {
    let open = || Transcript::open(file).map(|file| file.conversation(conversation));
    let transcript = open()?;
    let name = SessionId::new(open()?.into_session_name()?);
    // A session with an invalid name can still be inspected.
    let session = match name {
        Ok(session) => session,
        Err(_) => SessionId::new("session").map_err(|error| Failure::Other(error.to_string()))?,
    };
    let mut log = SqliteLog::open_in_memory()?.with_sections(setup.sections.clone());
    append(&mut log, &session, setup, transcript, see)?;
    Ok(log)
}

/// Appends a session's events in one transaction, so that a damaged recording adds nothing.
pub(crate) fn append(
    log: &mut SqliteLog,
    session: &SessionId,
    setup: &Setup,
    transcript: Transcript,
    see: &mut dyn FnMut(&Entry, u64),
) -> Result<(Appended, Figures), Failure> {
    let bar = bar(transcript.bytes(), Unit::Bytes);
    let mut replay = Replay::new(session.clone()).with(setup);
    let mut figures = Figures::default();
    let appended = log.append_from(session, Expected::Any, |append| {
        figures.read = transcript.read(&mut |entry| {
            bar.set_position(entry.bytes);
            see(&entry, replay.turn());
            for event in replay.observe(entry) {
                figures.count(&event.event);
                append(&event)?;
            }
            figures.see(&replay);
            Ok::<(), Failure>(())
        })?;
        Ok::<(), Failure>(())
    })?;
    bar.finish_and_clear();
    Ok((appended, figures))
}

/// The numbers that a replay reports.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) read: Summary,
    turns: u64,
    pub(crate) events: u64,
    edits: u64,
    compactions: u64,
    peak: Option<u8>,
}

impl Figures {
    fn count(&mut self, event: &HudEvent) {
        self.events += 1;
        self.edits += u64::from(matches!(event, HudEvent::File(FileEvent::Edit(_))));
        self.compactions += u64::from(matches!(event, HudEvent::Compact(CompactEvent::Before(_))));
    }

    fn see(&mut self, replay: &Replay) {
        let context = replay.state().context.as_ref();
        self.turns = replay.turn();
        self.peak = self
            .peak
            .max(context.and_then(|context| context.percentage()));
    }

    /// Reports on standard error the parts of the recording that were read and those that were skipped.
    fn report(&self, appended: &Appended, args: &args::Replay) {
        let file = args.file.display();
        let peak = match self.peak {
            Some(peak) => format!(", context up to {peak}%"),
            None => String::new(),
        };
        output::note(format_args!(
            "{file}: {}, {}, {}, {}{peak}",
            count(self.turns, "turn"),
            count(self.events, "event"),
            count(self.edits, "edit"),
            count(self.compactions, "compaction")
        ));
        if self.read.conversations > 1 {
            let (number, all) = (args.conversation, self.read.conversations);
            output::note(format_args!(
                "{file}: this is conversation {number} of {all}: --conversation N shows another"
            ));
        }
        for (kind, number) in &self.read.unknown {
            output::note(format_args!(
                "{file}: skipped {number} of unknown type `{kind}`"
            ));
        }
        if self.read.repeated > 0 {
            output::note(format_args!(
                "{file}: skipped {} that are there twice",
                count(self.read.repeated, "line")
            ));
        }
        passed_over::note(&args.file, &self.read);
        if let Some(db) = &args.db {
            output::note(format_args!(
                "{}: {} added, {} there already",
                db.display(),
                count(self.events - appended.duplicates, "event"),
                appended.duplicates
            ));
        }
    }
}
