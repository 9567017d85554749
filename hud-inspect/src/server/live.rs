//! News: events that other processes append.

use std::convert::Infallible;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use hud_store::log::Follow as _;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{Open, Which};

/// The maximum number of news that wait for a slow page. If there are more, it gets only a
/// message that it missed some.
const WAITING: usize = 256;

/// The time until a log that cannot be read is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// The interval of keep-alive messages to a page.
const ALIVE: Duration = Duration::from_secs(15);

/// Sends the events that others append to the pages.
#[derive(Clone)]
pub(crate) struct News(broadcast::Sender<String>);

impl News {
    pub(super) fn new() -> Self {
        Self(broadcast::channel(WAITING).0)
    }

    /// Follows the log from a sequence number on, in a separate thread, until the process ends.
    pub(super) fn follow(&self, open: Arc<Open>, which: Arc<Which>, newest: u64) -> io::Result<()> {
        let Self(sender) = self.clone();
        // There may be no receiver.
        let tell = move |news: String| drop(sender.send(news));
        let mut from = newest.saturating_add(1);
        let mut seen = which();
        let follow = move || {
            loop {
                if let Err(error) = follow(&*open, (&*which, &seen), &mut from, &tell) {
                    tell(json!({ "error": error }).to_string());
                }
                let now = which();
                if now != seen {
                    // Another log, in which all events are new.
                    (from, seen) = (1, now);
                    tell(json!({ "missed": true }).to_string());
                }
                thread::sleep(AGAIN);
            }
        };
        thread::Builder::new()
            .name("hud-inspect-news".to_owned())
            .spawn(follow)
            .map(drop)
    }

    /// Returns the event stream of a page.
    pub(super) fn stream(&self) -> Response {
        let receiver = self.0.subscribe();
        let events = stream::unfold(receiver, async |mut receiver| {
            let data = match receiver.recv().await {
                Ok(data) => data,
                Err(RecvError::Lagged(_)) => json!({ "missed": true }).to_string(),
                Err(RecvError::Closed) => return None,
            };
            Some((Ok::<_, Infallible>(Event::default().data(data)), receiver))
        });
        Sse::new(events)
            .keep_alive(KeepAlive::new().interval(ALIVE))
            .into_response()
    }
}

/// Sends the appended events until another file replaces the log.
fn follow(
    open: &Open,
    (which, seen): (&Which, &str),
    from: &mut u64,
    tell: &dyn Fn(String),
) -> Result<(), String> {
    let log = open()?;
    let begin = *from;
    let mut each = |event: hud_store::event::StoredEvent| {
        *from = event.seq.saturating_add(1);
        tell(told(&event));
        ControlFlow::Continue(())
    };
    let mut idle = || match which() == seen {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    log.follow_all(begin, &mut each, &mut idle)
        .map_err(|error| error.to_string())
}

fn told(event: &hud_store::event::StoredEvent) -> String {
    json!({
        "seq": event.seq,
        "session": event.session.as_str(),
        "version": event.version,
        "turn": event.turn,
    })
    .to_string()
}
