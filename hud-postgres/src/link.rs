//! The thread that talks to the server.
//!
//! The log has a synchronous interface and is also called from threads of an async runtime, where blocking on another
//! runtime is not allowed. So the connection has its own thread with a runtime, and callers wait for its answer.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use hud_store::log::{LogError, Place};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::news::News;
use crate::server::Server;
use crate::spans::Caller;

type Running<'s> = Pin<Box<dyn Future<Output = ()> + 's>>;
type Job = Box<dyn for<'s> FnOnce(&'s mut Server) -> Running<'s> + Send>;

/// A server with a thread that talks to it. The thread ends with this value.
pub(crate) struct Link {
    jobs: UnboundedSender<Job>,
    place: Place,
    news: Arc<News>,
}

impl Link {
    pub(crate) fn new(mut server: Server) -> Result<Self, LogError> {
        let (place, news) = (server.place(), server.news());
        let failed = |error: std::io::Error| LogError::Unavailable {
            place: place.clone(),
            source: error.into(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let (jobs, mut to_do) = unbounded_channel::<Job>();
        thread::Builder::new()
            .name("hud-postgres".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    while let Some(job) = to_do.recv().await {
                        job(&mut server).await;
                    }
                });
                drop(server);
                // A pending name lookup must not delay the end of the thread.
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Self { jobs, place, news })
    }

    /// The notifications of other writers' appends.
    pub(crate) fn news(&self) -> &News {
        &self.news
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Runs a job with the server, and waits for its result. It waits at most for the deadline of each earlier call,
    /// and its own.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        job: impl AsyncFnOnce(&mut Server) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let (answer, answered) = sync_channel(1);
        let caller = Caller::current();
        let job: Job = Box::new(move |server: &mut Server| -> Running<'_> {
            Box::pin(caller.within(async move {
                let outcome = server.within_deadline(job).await;
                // Sending fails if the caller's thread is gone. Nobody needs the result then.
                let _ = answer.send(outcome);
            }))
        });
        let sent = self.jobs.send(job).is_ok();
        match sent.then(|| answered.recv()) {
            Some(Ok(outcome)) => outcome,
            _ => Err(LogError::Unconfirmed {
                place: self.place.clone(),
                source: "the thread that talks to the server has ended".into(),
            }),
        }
    }
}
