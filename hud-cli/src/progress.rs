//! Progress bars. They are shown on standard error if that is a terminal and the work takes long.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use hud_store::sqlite::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// The unit of progress.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Bytes,
    Events,
    Pages,
}

impl Unit {
    /// Returns the amount of work from which a bar is shown.
    fn few(self) -> u64 {
        match self {
            Self::Bytes => 4 * 1024 * 1024,
            Self::Events => 50_000,
            Self::Pages => 10_000,
        }
    }

    fn template(self) -> &'static str {
        match self {
            Self::Bytes => "{wide_bar} {bytes}/{total_bytes} {eta}",
            Self::Events => "{wide_bar} {human_pos}/{human_len} events {eta}",
            Self::Pages => "{wide_bar} {human_pos}/{human_len} pages {eta}",
        }
    }
}

/// Returns a bar for an amount of work.
pub(crate) fn bar(total: u64, unit: Unit) -> ProgressBar {
    if total < unit.few() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(unit.template()) {
        bar.set_style(style);
    }
    bar
}

/// Shows the progress of work on a log. The work reports its total amount after it has begun.
pub(crate) fn watched<T>(unit: Unit, work: impl FnOnce(&mut dyn FnMut(Progress)) -> T) -> T {
    let mut shown = None;
    let done = work(&mut |progress| {
        shown
            .get_or_insert_with(|| bar(progress.total, unit))
            .set_position(progress.done);
    });
    if let Some(bar) = shown {
        bar.finish_and_clear();
    }
    done
}

/// Does work of an unknown amount. Shows `what` after one second.
pub(crate) fn waiting<T>(what: &str, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (is_done, done) = mpsc::channel::<()>();
        scope.spawn(move || {
            if done.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                let bar = ProgressBar::new_spinner().with_message(what.to_owned());
                bar.enable_steady_tick(Duration::from_millis(100));
                // This returns when the sender is dropped.
                let _ = done.recv();
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(is_done);
        result
    })
}
