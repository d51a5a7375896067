//! Detects clients that do not read a response, and clients that do not send the body of a request.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A stream whose writes fail if the client reads nothing for some time.
pub(super) struct ReadByClient<S> {
    stream: S,
    timeout: Duration,
    /// Time at which a pending write fails.
    deadline: Pin<Box<Sleep>>,
    /// Whether a write is pending.
    waits: Arc<AtomicBool>,
}

impl<S> ReadByClient<S> {
    /// Wraps a stream whose client must read something within `timeout`. `waits` is true while a write is pending.
    pub(super) fn new(stream: S, timeout: Duration, waits: &Arc<AtomicBool>) -> ReadByClient<S> {
        ReadByClient { stream, timeout, deadline: Box::pin(tokio::time::sleep(timeout)), waits: waits.clone() }
    }

    /// Returns `written`, the result of a write, or an error if the write has been pending for longer than the timeout.
    fn watched<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits.store(false, Ordering::SeqCst);
            return written;
        }
        if !self.waits.swap(true, Ordering::SeqCst) {
            self.deadline.as_mut().reset(Instant::now() + self.timeout);
        }
        self.deadline.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ReadByClient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ReadByClient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watched(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watched(closed, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watched(written, context)
    }
}

/// The body of a request, which is counted until it has arrived completely.
pub(super) struct ReceivedBody {
    body: Incoming,
    receiving: Option<OpenCount>,
}

/// A request or body that is counted until it is dropped.
pub(super) struct OpenCount(Arc<AtomicUsize>);

impl OpenCount {
    pub(super) fn of(count: &Arc<AtomicUsize>) -> OpenCount {
        count.fetch_add(1, Ordering::SeqCst);
        OpenCount(count.clone())
    }
}

impl Drop for OpenCount {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ReceivedBody {
    /// Counts the body in `receiving` until it has arrived completely.
    pub(super) fn new(body: Incoming, receiving: &Arc<AtomicUsize>) -> ReceivedBody {
        let receiving = (!body.is_end_stream()).then(|| OpenCount::of(receiving));
        ReceivedBody { body, receiving }
    }
}

impl Body for ReceivedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) || self.body.is_end_stream() {
            self.receiving = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read;
    use std::net::TcpStream as Client;

    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// Sends data until at least `most` bytes were sent, and returns their number. Fails if a write times out.
    async fn send(server: &mut ReadByClient<TcpStream>, most: usize) -> io::Result<usize> {
        let block = vec![7; 64 << 10];
        let mut sent = 0;
        while sent < most {
            sent += poll_fn(|context| Pin::new(&mut *server).poll_write(context, &block)).await?;
        }
        Ok(sent)
    }

    #[tokio::test]
    #[ignore = "slow; .ci/run runs it"]
    async fn a_client_that_reads_nothing_is_given_up_and_a_slow_one_is_not() {
        let timeout = Duration::from_secs(3);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = Client::connect(listener.local_addr().unwrap()).unwrap();
        let waits = Arc::default();
        let mut server = ReadByClient::new(listener.accept().await.unwrap().0, timeout, &waits);
        let most = 64 << 20;
        let reads = tokio::task::spawn_blocking(move || {
            let mut buffer = vec![0; 8 << 20];
            for _ in 0..8 {
                // Each pause is shorter than the allowed time, but the sum of the pauses is longer.
                std::thread::sleep(timeout / 6);
                client.read_exact(&mut buffer).unwrap();
            }
            client
        });
        assert!(send(&mut server, most).await.unwrap() >= most);
        let _client = reads.await.unwrap();
        assert!(!waits.load(Ordering::SeqCst));
        assert_eq!(send(&mut server, most).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(waits.load(Ordering::SeqCst));
    }
}
