//! Requests to an endpoint, with a few attempts if another one may help.

use std::thread::sleep;
use std::time::Duration;

use hud_agent::distill::{Dialect, ReplyError};
use hud_components::text::line;
use hud_secret::mask;
use serde_json::Value;

use super::{Answered, EndpointError};

/// The number of attempts for a request that the endpoint can't serve at the moment.
const ATTEMPTS: u32 = 3;

/// The longest pause before the next attempt, in seconds.
const LONGEST_PAUSE: u64 = 30;

/// The reason why there is no answer.
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

/// Sends a request until the endpoint at a place answers it. `send` sends it once in the given dialect. If the
/// endpoint refuses the dialect, `dialect` is changed to one that it may accept.
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
            // Some endpoints answer 529 if they are overloaded.
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

/// The pause after an attempt.
fn pause(attempt: u32, asked: Option<u64>) -> Duration {
    let seconds = asked.unwrap_or(1 << attempt);
    Duration::from_secs(seconds.min(LONGEST_PAUSE))
}

/// The error message of an endpoint, on one line.
pub(crate) fn said(body: &str) -> String {
    let read: Value = serde_json::from_str(body).unwrap_or_default();
    let message = ["/error/message", "/error", "/message", "/detail"]
        .iter()
        .find_map(|pointer| read.pointer(pointer)?.as_str());
    line(&mask(message.unwrap_or(body)), 200).into_owned()
}
