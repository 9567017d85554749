//! Spans of the queries to the server (feature `tracing`), with the query and its outcome. They contain no name of a
//! session, no content and no address.

use hud_store::log::LogError;
use tokio_postgres::Row;

use crate::query::Query;

/// The rows of a query, or the error with which the server refused it.
pub(crate) type Asked = Result<Result<Vec<Row>, tokio_postgres::Error>, LogError>;

/// Runs a query in a span.
#[cfg(feature = "tracing")]
pub(crate) async fn ask(query: Query, asked: impl Future<Output = Asked>) -> Asked {
    use tracing::Instrument as _;

    let span = tracing::info_span!(
        "ask",
        ?query,
        rows = tracing::field::Empty,
        error = tracing::field::Empty
    );
    let outcome = asked.instrument(span.clone()).await;
    match &outcome {
        Ok(Ok(rows)) => span.record("rows", rows.len()),
        Ok(Err(_)) => span.record("error", "refused"),
        Err(error) => span.record("error", error.kind()),
    };
    outcome
}

#[cfg(not(feature = "tracing"))]
pub(crate) async fn ask(_: Query, asked: impl Future<Output = Asked>) -> Asked {
    asked.await
}

/// The span of the caller, for the thread that runs its job.
#[derive(Debug)]
pub(crate) struct Caller(#[cfg(feature = "tracing")] tracing::Span);

impl Caller {
    /// The span of this thread.
    pub(crate) fn current() -> Self {
        Self(
            #[cfg(feature = "tracing")]
            tracing::Span::current(),
        )
    }

    /// Runs a job within the span.
    #[cfg(feature = "tracing")]
    pub(crate) fn within<T>(self, job: impl Future<Output = T>) -> impl Future<Output = T> {
        tracing::Instrument::instrument(job, self.0)
    }

    #[cfg(not(feature = "tracing"))]
    pub(crate) fn within<T>(self, job: impl Future<Output = T>) -> impl Future<Output = T> {
        job
    }
}
