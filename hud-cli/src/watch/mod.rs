//! `hud watch`: shows a session in a terminal, turn by turn, during the session or afterwards.
//!
//! [`page`] has the contents of a turn, [`screen`] has the position of the user and the effect of each key, and
//! [`view`] draws both. The drawing depends only on them and on the terminal's size. Only this module uses the
//! terminal and the log.

mod chart;
mod page;
mod panes;
mod screen;
mod sessions;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod view;

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEventKind};
use hud_agent::setup::Setup;
use hud_inspect::model::History;
use hud_store::event::SessionId;
use hud_store::log::{Query, Search as _};
use hud_store::sqlite::SqliteLog;
use ratatui::DefaultTerminal;
use ratatui::layout::{Rect, Size};

use self::page::{Page, PageError};
use self::screen::{Act, Screen};
use self::sessions::listed;
use self::terminal::Heard;
use self::theme::Theme;
use crate::app::App;
use crate::args::{Source, Watch};
use crate::location::{FileId, Location, LocationError};
use crate::opened::FileOnly;
use crate::output::Failure;
use crate::own;
use crate::render::session_of;

/// The time to wait for a key before the log is read again.
const INTERVAL: Duration = Duration::from_millis(50);

/// The maximum number of events that are read before the terminal is checked again.
const READ: usize = 20_000;

/// The maximum number of hits of a search.
const HITS: usize = 1_000;

pub(crate) fn run(args: &Watch, app: &App) -> Result<(), Failure> {
    let setup = app.setup(Path::new("."))?;
    let source = Source {
        db: args.db.clone(),
        session: args.session.clone(),
    };
    let location = source.db.file(FileOnly::Page, app)?;
    let log = location.read()?;
    let session = session_of(&log, &location.log().into(), &source)?;
    if !io::stdout().is_terminal() {
        return Err(Failure::Other(format!(
            "standard output is no terminal: write the HUD with `{}`, or events with `{}`",
            own::command("render"),
            own::command("log --follow")
        )));
    }
    let theme = Theme {
        colours: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    // A signal that ends the program leaves a usable terminal.
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    ctrlc::set_handler(move || {
        over.store(true, Ordering::Relaxed);
        // Drawing never returns while the terminal accepts no output.
        thread::sleep(LAST_LOOK);
        let _ = ratatui::try_restore();
        std::process::exit(0);
    })
    .map_err(|error| Failure::Other(format!("signals can't be waited for: {error}")))?;
    let watched = Watched {
        is_over,
        file: location.file_id(),
        location,
        history: History::new(session, &setup),
        log: Some(log),
        setup,
    };
    // The terminal is restored in every case, even after a panic.
    let mut terminal = ratatui::try_init()?;
    let outcome = watched.show(&mut terminal, theme);
    ratatui::try_restore()?;
    outcome
}

/// The time that the program has to end after it was asked to.
const LAST_LOOK: Duration = Duration::from_secs(5);

/// A session that is watched.
struct Watched {
    /// True if the program was asked to end.
    is_over: Arc<AtomicBool>,
    location: Location,
    /// The file of the log. Another file has other events.
    file: Option<FileId>,
    /// The log, unless it is missing at the moment.
    log: Option<SqliteLog>,
    history: History,
    setup: Setup,
}

/// The result of reading the log.
enum Read {
    /// Nothing is new.
    Nothing,
    /// Something is new.
    News,
    /// Something is new, and there is more to read.
    More,
}

impl Watched {
    fn show(mut self, terminal: &mut DefaultTerminal, theme: Theme) -> Result<(), Failure> {
        let mut screen = Screen::following();
        let mut act = Some(Act::Show);
        loop {
            let started = Instant::now();
            let read = self.read(&mut screen);
            if !matches!(read, Read::Nothing) {
                act = act.or(Some(Act::Show));
            }
            match act.take() {
                Some(Act::Quit) => return Ok(()),
                Some(Act::Search(words)) => {
                    self.search(&mut screen, &words);
                    self.turn_page(&mut screen);
                    draw(terminal, &mut screen, theme)?;
                }
                Some(Act::Show) => {
                    self.turn_page(&mut screen);
                    draw(terminal, &mut screen, theme)?;
                }
                Some(Act::Sessions) => {
                    self.list(&mut screen);
                    draw(terminal, &mut screen, theme)?;
                }
                Some(Act::Open(session)) => {
                    self.history = History::new(session, &self.setup);
                    screen = Screen::following();
                    continue;
                }
                Some(Act::Draw) => draw(terminal, &mut screen, theme)?,
                None => {}
            }
            if self.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let patience = match read {
                Read::More => Duration::ZERO,
                Read::Nothing | Read::News => INTERVAL.saturating_sub(started.elapsed()),
            };
            act = match terminal::heard(patience)? {
                Heard::Event(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                    Some(screen.press(key))
                }
                Heard::Event(Event::Resize(..)) => Some(Act::Draw),
                Heard::Event(_) | Heard::Nothing => None,
                Heard::HungUp => return Ok(()),
            };
        }
    }

    /// Reads the new events of the log. An error is shown, and the log is read again later.
    fn read(&mut self, screen: &mut Screen) -> Read {
        let before = (self.history.state().version, screen.notice.clone());
        let outcome = self.read_on();
        let is_unreadable = |notice: &String| notice.starts_with(UNREADABLE);
        match &outcome {
            Ok(_) if screen.notice.as_ref().is_some_and(is_unreadable) => screen.notice = None,
            Ok(_) => {}
            Err(error) => screen.notice = Some(format!("{UNREADABLE}{error}")),
        }
        let version = self.history.state().version;
        let is_all = outcome.unwrap_or(true);
        screen.reading = (!is_all).then_some(version);
        let is_same = (version, &screen.notice) == (before.0, &before.1);
        match (is_all, is_same) {
            (false, _) => Read::More,
            (true, true) => Read::Nothing,
            (true, false) => Read::News,
        }
    }

    fn read_on(&mut self) -> Result<bool, LocationError> {
        let file = self.location.file_id();
        if file != self.file {
            // A file that was removed never has new events.
            self.log = None;
            self.history.forget();
            self.file = file;
        }
        let log = match self.log.take() {
            Some(log) => log,
            None => self.location.read()?,
        };
        let is_all = self.history.read(&log, READ);
        self.log = Some(log);
        Ok(is_all?)
    }

    /// Shows the requested turn. If that fails, the current page stays.
    fn turn_page(&self, screen: &mut Screen) {
        let Some(log) = &self.log else { return };
        let Self { history, setup, .. } = self;
        let asked = screen.asked();
        let page = match (screen.follows, screen.reading) {
            // A long log takes time to read, and the user wants to see its end.
            (true, Some(_)) => Page::newest(history, log, setup, asked),
            (true, None) => Page::of(history, log, setup, u64::MAX, asked),
            (false, _) => Page::of(history, log, setup, screen.turn, asked),
        };
        match page {
            Ok(page) => screen.take(page),
            Err(error) => screen.notice = Some(error.to_string()),
        }
    }

    /// Lists the sessions of the log.
    fn list(&self, screen: &mut Screen) {
        let Some(log) = &self.log else { return };
        match listed(log, self.history.session()) {
            Ok(sessions) => screen.sessions = Some(sessions),
            Err(error) => screen.notice = Some(error.to_string()),
        }
    }

    fn search(&self, screen: &mut Screen, words: &str) {
        let Some(log) = &self.log else { return };
        match self.hits(log, words) {
            Ok(hits) => screen.take_found(words, hits),
            Err(error) => screen.notice = Some(error.to_string()),
        }
    }

    /// Returns the versions and turns of the events that contain all of the words.
    fn hits(&self, log: &SqliteLog, words: &str) -> Result<Vec<(u64, u64)>, PageError> {
        let session: &SessionId = self.history.session();
        let hits = log.search(&Query {
            session: Some(session.clone()),
            limit: HITS,
            ..Query::new(words)
        })?;
        Ok(hits
            .iter()
            .map(|hit| (hit.event.version, hit.event.turn))
            .collect())
    }
}

/// The beginning of the notice that the log cannot be read.
const UNREADABLE: &str = "waiting for the log: ";

fn draw(terminal: &mut DefaultTerminal, screen: &mut Screen, theme: Theme) -> io::Result<()> {
    let Size { width, height } = terminal.size()?;
    view::settle(screen, Rect::new(0, 0, width, height), theme);
    terminal.draw(|frame| view::draw(frame, screen, theme))?;
    Ok(())
}
