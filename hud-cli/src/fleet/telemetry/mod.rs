//! Telemetry on sending, for operators of many machines: metrics for Prometheus, and spans for an OpenTelemetry
//! collector. They contain amounts, durations and outcomes. They never contain the content of an event or a session,
//! its name, or its sender.

mod metrics;
mod traces;

pub(super) use metrics::{Metrics, gauges};
pub(super) use traces::Traces;

use hud_postgres::Pushed;
use tracing::field::Empty;

use crate::location::LocationError;
use crate::output::Failure;

/// Sends events in a span that records the outcome.
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

/// The reason of a failure in one word.
fn reason(failure: &Failure) -> &'static str {
    match failure {
        Failure::Log(error) | Failure::Location(LocationError::Log(error)) => error.kind(),
        Failure::Location(_) => "location",
        _ => "other",
    }
}
