//! Keeps a client that does not read its answers from filling our memory: while an answer can't be
//! written, nothing more is read.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What the two ends know of each other.
#[derive(Debug, Default)]
struct Gate {
    is_closed: bool,
    /// Who waits for it to open.
    reader: Option<Waker>,
}

/// A reader and a writer as they are, but that the reader waits for the writer.
pub(super) fn gated<R, W>(reader: R, writer: W) -> (Reader<R>, Writer<W>) {
    let gate = Arc::<Mutex<Gate>>::default();
    (Reader(reader, gate.clone()), Writer(writer, gate))
}

pub(super) struct Reader<R>(R, Arc<Mutex<Gate>>);

pub(super) struct Writer<W>(W, Arc<Mutex<Gate>>);

fn lock(gate: &Mutex<Gate>) -> MutexGuard<'_, Gate> {
    gate.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: AsyncRead + Unpin> AsyncRead for Reader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        {
            let mut gate = lock(&self.1);
            if gate.is_closed {
                gate.reader = Some(context.waker().clone());
                return Poll::Pending;
            }
        }
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<W> Writer<W> {
    /// Closes the gate if the writer can't go on, and opens it if it can.
    fn after<T>(&self, outcome: Poll<T>) -> Poll<T> {
        let mut gate = lock(&self.1);
        gate.is_closed = outcome.is_pending();
        if !gate.is_closed
            && let Some(reader) = gate.reader.take()
        {
            reader.wake();
        }
        outcome
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Writer<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        text: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.0).poll_write(context, text);
        self.after(outcome)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.0).poll_flush(context);
        self.after(outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.0).poll_shutdown(context);
        self.after(outcome)
    }
}
