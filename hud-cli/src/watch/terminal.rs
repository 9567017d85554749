//! What comes from the terminal: keys, another size, and that it is no longer there.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event};

/// The shortest wait for an event: the reader looks for none in less.
const SHORTEST: Duration = Duration::from_millis(1);

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
        // The size of the terminal changed, or somebody ends the program: the caller looks again.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    Ok(asked.iter().any(|asked| asked.revents().intersects(gone)))
}

/// A console is closed together with its programs.
#[cfg(not(unix))]
const fn is_hung_up() -> io::Result<bool> {
    Ok(false)
}
