//! How sending is going, for those who run many machines: metrics that Prometheus reads, and spans for a collector of
//! OpenTelemetry. They say how much, how long and how it ended; never what an event or a session says, what it is called,
//! or who sends it.

mod metrics;
mod traces;

pub(super) use metrics::{Metrics, gauges};
pub(super) use traces::Traces;

use hud_postgres::Pushed;
use tracing::field::Empty;

use crate::location::LocationError;
use crate::output::Failure;

/// Sends, in a span that says what came of it.
pub(super) fn push(send: impl FnOnce() -> Result<Pushed, Failure>) -> Result<Pushed, Failure> {
    let span = tracing::info_span!("push", events = Empty, duplicates = Empty, error = Empty);
    let outcome = span.in_scope(send);
    match &outcome {
        Ok(done) => {
            span.record("events", done.events);
            span.record("duplicates", done.duplicates);
        }
        Err(failure) => {
            span.record("error", reason(failure));
        }
    }
    outcome
}

/// Why something failed, in a word.
fn reason(failure: &Failure) -> &'static str {
    match failure {
        Failure::Log(error) | Failure::Location(LocationError::Log(error)) => error.kind(),
        Failure::Location(_) => "location",
        _ => "other",
    }
}
