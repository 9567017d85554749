//! Asking a model: again where that helps, and never more than a few times.

use std::thread::sleep;
use std::time::Duration;

use hud_agent::distill::{Dialect, Reply, ReplyError, Tokens, request};
use hud_agent::secret::mask;
use hud_components::text::line;
use serde_json::Value;

use super::endpoint::{Answered, EndpointError, Transport};

/// How often a request is sent that the endpoint could not serve at the moment.
const ATTEMPTS: u32 = 3;

/// How long an endpoint is left alone at most before it is asked again, in seconds.
const LONGEST_PAUSE: u64 = 30;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum AskError {
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

/// Asks a model one question after the other.
pub(super) struct Asking<'a> {
    transport: &'a dyn Transport,
    model: &'a str,
    most: u64,
    /// How the endpoint wants to be asked, as far as that is known.
    dialect: Dialect,
}

impl<'a> Asking<'a> {
    pub(super) fn new(transport: &'a dyn Transport, model: &'a str, most: u64) -> Self {
        Self {
            transport,
            model,
            most,
            dialect: Dialect::default(),
        }
    }

    /// Asks a question, and gives what the model wrote. `spent` is given what the endpoint counted of each
    /// answer, be it of use or not; nothing where it may have counted something and does not say what.
    pub(super) fn ask(
        &mut self,
        question: &str,
        spent: &mut dyn FnMut(Option<Tokens>),
    ) -> Result<String, AskError> {
        let answered = self.answered(question).inspect_err(|error| {
            use EndpointError::{Huge, Late};

            if matches!(error, AskError::Endpoint(Late { .. } | Huge { .. })) {
                spent(None);
            }
        })?;
        let body = answered.body.as_bytes();
        spent(Reply::usage(body));
        let reply = Reply::read(body)?;
        // What is of no use is not kept, and can be asked for again.
        reply.items()?;
        Ok(self.transport.scrubbed(&reply.content))
    }

    /// Sends a request until the endpoint answers it.
    fn answered(&mut self, question: &str) -> Result<Answered, AskError> {
        let mut attempt = 1;
        loop {
            let body = request(question, self.model, self.most, self.dialect).to_string();
            let answered = self.transport.post(body.as_bytes())?;
            let said = said(&answered.body);
            match answered.status {
                200..=299 => return Ok(answered),
                // 529 is what some endpoints answer that have too much to do.
                429 | 500 | 502..=504 | 529 if attempt < ATTEMPTS => {
                    sleep(pause(attempt, answered.retry_after));
                    attempt += 1;
                }
                status => match self.dialect.after_refusal(&said) {
                    Some(dialect) if matches!(status, 400 | 422) => self.dialect = dialect,
                    _ => return Err(self.refused(status, answered.elsewhere, said)),
                },
            }
        }
    }

    fn refused(&self, status: u16, elsewhere: Option<String>, said: String) -> AskError {
        let place = self.transport.place().to_owned();
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
}

/// How long an endpoint is left alone after an attempt.
fn pause(attempt: u32, asked: Option<u64>) -> Duration {
    let seconds = asked.unwrap_or(1 << attempt);
    Duration::from_secs(seconds.min(LONGEST_PAUSE))
}

/// What an endpoint says of an error, on one line.
fn said(body: &str) -> String {
    let read: Value = serde_json::from_str(body).unwrap_or_default();
    let message = ["/error/message", "/error", "/message", "/detail"]
        .iter()
        .find_map(|pointer| read.pointer(pointer)?.as_str());
    line(&mask(message.unwrap_or(body)), 200).into_owned()
}
