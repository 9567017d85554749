//! News: what others append.

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

/// How many news wait for a page that is slow. Where there are more, it hears only that it missed some.
const WAITING: usize = 256;

/// How long it takes until a log that can't be read is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// How often a page hears that the server is there.
const ALIVE: Duration = Duration::from_secs(15);

/// Tells pages what others append.
#[derive(Clone)]
pub(crate) struct News(broadcast::Sender<String>);

impl News {
    pub(super) fn new() -> Self {
        Self(broadcast::channel(WAITING).0)
    }

    /// Follows the log from a place on, in a thread of its own, for as long as the process runs.
    pub(super) fn follow(&self, open: Arc<Open>, which: Arc<Which>, newest: u64) -> io::Result<()> {
        let Self(sender) = self.clone();
        // Nobody may be listening.
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
                    // Another log: all that is in it is new.
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

    /// The stream of a page.
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

/// Tells what is appended until the log is another file.
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
