//! The connections of the server: how many there are, which of them are closed to make room, and their orderly end.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr, TcpListener as StdListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use tokio_rustls::TlsAcceptor;

use crate::sandbox::Cancel;

use super::class::ClientAddress;
use super::peer::OwnerChecks;

/// Maximum number of open connections, if the limit on file descriptors permits it.
const MOST: usize = 4_096;
/// Minimum number of descriptors that are left for other things.
const OTHERS: usize = 64;
/// Number of connections that the kernel keeps until they are accepted.
const BACKLOG: i32 = 4_096;
/// Time in which a client must send the headers of its next request. An idle connection is closed after it.
const HEADER_TIME: Duration = Duration::from_secs(20);
/// Time in which a client must complete the handshake of TLS.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Maximum size of the headers of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// Time that requests in progress get at the end.
const END_TIME: Duration = Duration::from_millis(500);
/// Interval at which cancellation is checked.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// Time after which an idle connection is looked for again if all were in use.
const FULL_CHECK: Duration = Duration::from_millis(50);

/// Raises the limit on file descriptors as far as the system permits, and returns the number of connections for which there
/// are descriptors. A quarter of all, and at least [`OTHERS`], is left for the database and for judging.
pub(super) fn connections_allowed() -> usize {
    let limit = getrlimit(Resource::Nofile);
    // If it cannot be raised, the present limit stays.
    _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    allowed_by(getrlimit(Resource::Nofile).current)
}

fn allowed_by(descriptors: Option<u64>) -> usize {
    let descriptors = descriptors.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    (descriptors / 4 * 3).min(descriptors.saturating_sub(OTHERS)).clamp(1, MOST)
}

/// A connection, as the one that accepts connections sees it.
#[derive(Default)]
struct OpenConnection {
    /// The number of requests whose responses are not complete.
    requests: AtomicUsize,
    close: Notify,
}

/// A request of a connection whose response is not complete.
struct OpenRequest(Arc<OpenConnection>);

impl OpenRequest {
    fn of(connection: &Arc<OpenConnection>) -> OpenRequest {
        connection.requests.fetch_add(1, Ordering::SeqCst);
        OpenRequest(connection.clone())
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The places for connections. When all are taken, the oldest connection without a request is closed.
struct ConnectionSlots {
    most: usize,
    free: Arc<Semaphore>,
    /// The connections in the order in which they were accepted. Some have ended.
    accepted: VecDeque<Weak<OpenConnection>>,
}

impl ConnectionSlots {
    fn new(most: usize) -> ConnectionSlots {
        ConnectionSlots { most, free: Arc::new(Semaphore::new(most)), accepted: VecDeque::new() }
    }

    /// Waits for a free place.
    async fn take(&mut self) -> Option<OwnedSemaphorePermit> {
        loop {
            let free = self.free.clone();
            if self.free.available_permits() == 0 {
                self.close_idle();
            }
            if let Ok(slot) = tokio::time::timeout(FULL_CHECK, free.acquire_owned()).await {
                return slot.ok();
            }
        }
    }

    fn close_idle(&mut self) {
        self.accepted.retain(|connection| connection.strong_count() > 0);
        let idle = |connection: &Arc<OpenConnection>| connection.requests.load(Ordering::SeqCst) == 0;
        let oldest = self.accepted.iter().filter_map(Weak::upgrade).find(idle);
        if let Some(connection) = oldest {
            connection.close.notify_one();
        }
    }

    fn add(&mut self, connection: &Arc<OpenConnection>) {
        if self.accepted.len() >= 2 * self.most {
            self.accepted.retain(|connection| connection.strong_count() > 0);
        }
        self.accepted.push_back(Arc::downgrade(connection));
    }
}

/// Which connections are accepted, and how.
pub(super) struct ConnectionRules {
    /// Maximum number of connections at a time.
    pub(super) most: usize,
    /// Whether only the user of this process and root may connect.
    pub(super) owners_only: bool,
    /// TLS, if it is used.
    pub(super) tls: Option<TlsAcceptor>,
}

/// Accepts connections until cancellation.
pub(super) async fn serve(
    listener: StdListener,
    router: Router,
    cancel: Cancel,
    rules: ConnectionRules,
) -> std::io::Result<()> {
    let ConnectionRules { most, owners_only, tls } = rules;
    // The standard library permits 128 connections that are not accepted yet.
    rustix::net::listen(&listener, BACKLOG)?;
    let listener = TcpListener::from_std(listener)?;
    let mut slots = ConnectionSlots::new(most);
    let owners = OwnerChecks::start(most);
    let (ending, ended) = watch::channel(());
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let free = async {
            let slot = slots.take().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            accepted = free => accepted,
            () = cancelled(&cancel) => break,
        };
        let Some(slot) = slot else { break };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, client)) => {
                let open = Arc::new(OpenConnection::default());
                slots.add(&open);
                let (router, owners, ended, tls) = (router.clone(), owners.clone(), ended.clone(), tls.clone());
                connections.spawn(async move {
                    let _slot = slot;
                    if owners_only && !is_owner(&stream, client, &owners).await {
                        return;
                    }
                    // Small events must not wait for more data.
                    _ = stream.set_nodelay(true);
                    let Some(tls) = tls else { return answer(stream, client.ip(), router, &open, ended).await };
                    // A handshake that fails or takes too long concerns only its client.
                    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIME, tls.accept(stream)).await {
                        answer(stream, client.ip(), router, &open, ended).await;
                    }
                });
            }
            // The client is gone, or there are no descriptors left for the moment.
            Err(_) => tokio::time::sleep(CANCEL_CHECK).await,
        }
    }
    drop(listener);
    drop(ending);
    _ = tokio::time::timeout(END_TIME, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

async fn cancelled(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(CANCEL_CHECK).await;
    }
}

async fn is_owner(stream: &TcpStream, client: SocketAddr, owners: &OwnerChecks) -> bool {
    match stream.local_addr() {
        Ok(server) => owners.is_owner(client, server).await,
        Err(_) => false,
    }
}

/// Answers the requests of a connection. At the end of the server it is closed after the response in progress.
async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    client: IpAddr,
    router: Router,
    open: &Arc<OpenConnection>,
    mut ended: watch::Receiver<()>,
) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD);
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(ClientAddress(client));
        let in_progress = OpenRequest::of(open);
        let response = router.call(request);
        async move { response.await.map(|response| held_by(response, in_progress)) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A broken connection concerns only its client.
        _ = connection.as_mut() => {}
        () = open.close.notified() => {}
        _ = ended.changed() => {
            connection.as_mut().graceful_shutdown();
            _ = connection.await;
        }
    }
}

/// A response whose body keeps the request in progress until it was sent.
fn held_by<B: Body>(
    response: Response<B>,
    request: OpenRequest,
) -> Response<impl Body<Data = B::Data, Error = B::Error>> {
    response.map(|body| {
        body.map_frame(move |frame| {
            let _in_progress = &request;
            frame
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_judging() {
        assert_eq!(allowed_by(Some(1_024)), 768);
        assert_eq!(allowed_by(Some(1_000_000)), MOST);
        assert_eq!(allowed_by(None), MOST);
        assert_eq!(allowed_by(Some(128)), 64);
        assert_eq!(allowed_by(Some(3)), 1);
    }

    #[tokio::test]
    async fn the_oldest_connection_without_a_request_is_closed() {
        let mut slots = ConnectionSlots::new(3);
        let open: Vec<_> = (0..3).map(|_| Arc::new(OpenConnection::default())).collect();
        let taken: Vec<_> = [slots.take().await, slots.take().await, slots.take().await].into();
        open.iter().for_each(|connection| slots.add(connection));
        let busy = OpenRequest::of(&open[0]);
        slots.close_idle();
        let is_closed =
            async |at: usize| tokio::time::timeout(Duration::from_millis(1), open[at].close.notified()).await.is_ok();
        assert_eq!((is_closed(0).await, is_closed(1).await, is_closed(2).await), (false, true, false));
        drop(busy);
        slots.close_idle();
        assert_eq!((is_closed(0).await, is_closed(1).await, is_closed(2).await), (true, false, false));
        drop(taken);
        assert!(slots.take().await.is_some());
    }
}
