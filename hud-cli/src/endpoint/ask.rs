//! Asking an endpoint: again where that helps, and never more than a few times.

use std::thread::sleep;
use std::time::Duration;

use hud_agent::distill::{Dialect, ReplyError};
use hud_components::text::line;
use hud_secret::mask;
use serde_json::Value;

use super::{Answered, EndpointError};

/// How often a request is sent that the endpoint could not serve at the moment.
const ATTEMPTS: u32 = 3;

/// How long an endpoint is left alone at most before it is asked again, in seconds.
const LONGEST_PAUSE: u64 = 30;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AskError {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    #[error(transparent)]
    Reply(#[from] ReplyError),
    #[error("{place} redirects to {to}, which is not followed: give that address if you trust it")]
    Redirect { place: String, to: String },
    #[error("{place} does not take the key ({status}: {said}): see --key-env")]
    Key {
        place: String,
        status: u16,
        said: String,
    },
    #[error("{place} answered {status}: {said}")]
    Status {
        place: String,
        status: u16,
        said: String,
    },
}

/// Sends a request until the endpoint at a place answers it. `send` sends it once, as the endpoint wants to be
/// asked; what is learnt of that is kept in `dialect`.
pub(crate) fn until_answered(
    place: &str,
    dialect: &mut Dialect,
    send: &mut dyn FnMut(Dialect) -> Result<Answered, EndpointError>,
) -> Result<Answered, AskError> {
    let mut attempt = 1;
    loop {
        let answered = send(*dialect)?;
        let said = said(&answered.body);
        match answered.status {
            200..=299 => return Ok(answered),
            // 529 is what some endpoints answer that have too much to do.
            429 | 500 | 502..=504 | 529 if attempt < ATTEMPTS => {
                sleep(pause(attempt, answered.retry_after));
                attempt += 1;
            }
            status => match dialect.after_refusal(&said) {
                Some(other) if matches!(status, 400 | 422) => *dialect = other,
                _ => return Err(refused(place, status, answered.elsewhere, said)),
            },
        }
    }
}

fn refused(place: &str, status: u16, elsewhere: Option<String>, said: String) -> AskError {
    let place = place.to_owned();
    match (status, elsewhere) {
        (300..=399, Some(to)) => AskError::Redirect { place, to },
        (401 | 403, _) => AskError::Key {
            place,
            status,
            said,
        },
        _ => AskError::Status {
            place,
            status,
            said,
        },
    }
}

/// How long an endpoint is left alone after an attempt.
fn pause(attempt: u32, asked: Option<u64>) -> Duration {
    let seconds = asked.unwrap_or(1 << attempt);
    Duration::from_secs(seconds.min(LONGEST_PAUSE))
}

/// What an endpoint says of an error, on one line.
pub(crate) fn said(body: &str) -> String {
    let read: Value = serde_json::from_str(body).unwrap_or_default();
    let message = ["/error/message", "/error", "/message", "/detail"]
        .iter()
        .find_map(|pointer| read.pointer(pointer)?.as_str());
    line(&mask(message.unwrap_or(body)), 200).into_owned()
}
