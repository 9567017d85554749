//! The events of the terminal, such as keys, a new size and its end.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event};

/// The shortest wait for an event. In less time, the terminal returns none.
const SHORTEST: Duration = Duration::from_millis(1);

/// An event of the terminal.
pub(super) enum Heard {
    /// No event within the time.
    Nothing,
    Event(Event),
    /// The terminal was closed, and there are no more events.
    HungUp,
}

/// Waits for the next event of the terminal, up to a maximum time.
///
/// # Errors
/// The error that the terminal reports.
pub(super) fn heard(patience: Duration) -> io::Result<Heard> {
    if is_hung_up()? {
        return Ok(Heard::HungUp);
    }
    match event::poll(patience.max(SHORTEST)) {
        Ok(true) => event::read().map(Heard::Event),
        Ok(false) => Ok(Heard::Nothing),
        Err(_) if is_hung_up()? => Ok(Heard::HungUp),
        Err(error) => Err(error),
    }
}

/// True if the terminal was closed, which no event reports.
#[cfg(unix)]
fn is_hung_up() -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let terminal = io::stdout();
    let mut asked = [PollFd::new(&terminal, PollFlags::IN)];
    match poll(&mut asked, Some(&Timespec::default())) {
        // A new size of the terminal or a signal interrupted the call, and the caller tries again.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    Ok(asked.iter().any(|asked| asked.revents().intersects(gone)))
}

/// Returns false, because a console is closed together with its programs.
#[cfg(not(unix))]
const fn is_hung_up() -> io::Result<bool> {
    Ok(false)
}
