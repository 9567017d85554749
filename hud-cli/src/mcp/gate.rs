//! A limit on open requests. A client that does not read its answers would otherwise fill the memory. While too many
//! requests are unanswered, no message is read. Before the conversation begins, messages other than requests are
//! skipped, because a client may have notifications left from a server that ended.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::Notify;

/// The largest number of open requests.
const MANY: usize = 64;

/// The requests that have no answer yet.
#[derive(Debug, Default)]
struct Open {
    ids: Mutex<HashSet<RequestId>>,
    fewer: Notify,
}

impl Open {
    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, id: &RequestId) {
        if self.ids().remove(id) {
            self.fewer.notify_one();
        }
    }
}

/// A transport that stops reading while too many requests are open.
pub(super) struct Gated<T> {
    inner: T,
    open: Arc<Open>,
    beginning: Beginning,
}

/// The beginning of the conversation.
#[derive(Debug, Default)]
enum Beginning {
    /// No request has begun the conversation yet.
    #[default]
    Waits,
    /// This request begins the conversation once it has a result.
    Asked(RequestId),
    /// The conversation has begun.
    Done,
}

impl<T> Gated<T> {
    pub(super) fn new(inner: T) -> Self {
        Self {
            inner,
            open: Arc::default(),
            beginning: Beginning::default(),
        }
    }
}

impl<T: Transport<RoleServer, Error = io::Error>> Transport<RoleServer> for Gated<T> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let id = match &message {
            JsonRpcMessage::Response(response) => {
                if matches!(&self.beginning, Beginning::Asked(id) if *id == response.id) {
                    self.beginning = Beginning::Done;
                }
                Some(response.id.clone())
            }
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let (sent, open) = (self.inner.send(message), self.open.clone());
        async move {
            let outcome = sent.await;
            if let Some(id) = id {
                open.close(&id);
            }
            outcome
        }
    }

    // The future may be dropped while it waits, and is then created again. No message is consumed before it returns.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        while self.open.ids().len() >= MANY {
            self.open.fewer.notified().await;
        }
        loop {
            let message = self.inner.receive().await?;
            match &message {
                JsonRpcMessage::Request(request) => {
                    if !matches!(self.beginning, Beginning::Done)
                        && !matches!(
                            request.request,
                            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                        )
                    {
                        self.beginning = Beginning::Asked(request.id.clone());
                    }
                    self.open.ids().insert(request.id.clone());
                }
                _ if !matches!(self.beginning, Beginning::Done) => continue,
                JsonRpcMessage::Notification(notification) => {
                    // A cancelled request gets no answer.
                    if let ClientNotification::CancelledNotification(off) =
                        &notification.notification
                        && let Some(id) = &off.params.request_id
                    {
                        self.open.close(id);
                    }
                }
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.inner.close().await
    }
}
