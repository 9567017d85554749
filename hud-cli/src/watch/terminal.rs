//! What comes from the terminal: keys, another size, and that it is no longer there.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

/// What came from the terminal.
pub(super) enum Heard {
    /// Nothing did within the time.
    Nothing,
    Event(Event),
    /// It was closed, and nothing comes any more.
    HungUp,
}

/// Waits for the next event of the terminal, for so long at most.
///
/// # Errors
/// What the terminal reports.
pub(super) fn heard(patience: Duration) -> io::Result<Heard> {
    if hangs_up_within(Duration::ZERO)? {
        return Ok(Heard::HungUp);
    }
    // What was read before may hold several events.
    if !event::poll(Duration::ZERO)? {
        if hangs_up_within(patience)? {
            return Ok(Heard::HungUp);
        }
        if !event::poll(Duration::ZERO)? {
            return Ok(Heard::Nothing);
        }
    }
    event::read().map(Heard::Event)
}

/// Waits until there is something to read or so much time has passed, and says whether the terminal was closed.
///
/// The events must not be waited for otherwise: their reader never returns from a terminal that is closed while
/// it waits.
#[cfg(unix)]
fn hangs_up_within(patience: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let terminal = io::stdout();
    let mut asked = [PollFd::new(&terminal, PollFlags::IN)];
    let patience = Timespec::try_from(patience).unwrap_or_default();
    match poll(&mut asked, Some(&patience)) {
        // The size of the terminal changed, or somebody ends the program: the caller looks.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    Ok(asked.iter().any(|asked| asked.revents().intersects(gone)))
}

/// A console is closed together with its programs.
#[cfg(not(unix))]
fn hangs_up_within(patience: Duration) -> io::Result<bool> {
    event::poll(patience)?;
    Ok(false)
}
