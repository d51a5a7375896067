//! Accepts and serves connections: limits their number, closes idle or slow connections at the limit, and shuts down
//! gracefully.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr, TcpListener as StdListener};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use tokio_rustls::TlsAcceptor;

use crate::sandbox::Cancel;
use crate::sandbox::raise_descriptor_limit;

use super::class::ClientAddress;
use super::peer::OwnerChecks;
use super::slow_clients::{OpenCount, ReadByClient, ReceivedBody};

/// Maximum number of open connections, if the limit on file descriptors permits it.
const MOST: usize = 4_096;
/// Minimum number of file descriptors reserved for other purposes.
const OTHERS: usize = 64;
/// Maximum number of connections that the kernel queues until they are accepted.
const BACKLOG: i32 = 4_096;
/// Time limit for receiving the headers of the next request. It is also the time after which an idle connection is
/// closed.
const HEADER_TIME: Duration = Duration::from_secs(20);
/// Time limit for the TLS handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Time within which a client must read some data while a response is being written.
const READ_TIME: Duration = Duration::from_secs(30);
/// Maximum size of the headers of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// Time limit for the requests that are in progress at shutdown.
const END_TIME: Duration = Duration::from_millis(500);
/// Interval at which cancellation is checked.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// Age below which a connection is closed only if no older connection can be closed, since its first request may still
/// arrive.
const YOUNG: Duration = Duration::from_secs(1);
/// Interval at which the server looks for a connection to close while no slot is free.
const FULL_CHECK: Duration = Duration::from_millis(50);

/// Raises the limit on file descriptors to the hard limit if that is possible, and returns the maximum number of
/// connections, which is from 1 to [`MOST`]. A quarter of the descriptors, or [`OTHERS`] if that is more, is reserved
/// for the database and for judging.
pub(super) fn connections_allowed() -> usize {
    raise_descriptor_limit();
    allowed_by(getrlimit(Resource::Nofile).current)
}

fn allowed_by(descriptors: Option<u64>) -> usize {
    let descriptors = descriptors.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    (descriptors / 4 * 3).min(descriptors.saturating_sub(OTHERS)).clamp(1, MOST)
}

/// State of a connection that the accept loop shares with the task of the connection.
struct OpenConnection {
    /// Time at which the connection was accepted.
    accepted: Instant,
    /// Number of requests whose responses are not complete.
    requests: Arc<AtomicUsize>,
    /// Number of requests whose bodies are not complete.
    receiving: Arc<AtomicUsize>,
    /// Whether a write is waiting for the client to read.
    unread: Arc<AtomicBool>,
    close: Notify,
}

impl OpenConnection {
    fn new() -> OpenConnection {
        OpenConnection {
            accepted: Instant::now(),
            requests: Arc::default(),
            receiving: Arc::default(),
            unread: Arc::default(),
            close: Notify::new(),
        }
    }
}

/// Slots for connections. When no slot is free, a connection is closed: the oldest one without a request, otherwise the
/// oldest one whose request body is incomplete, otherwise the oldest one whose client does not read the response.
struct ConnectionSlots {
    most: usize,
    free: Arc<Semaphore>,
    /// Connections in the order in which they were accepted. Some may already be closed.
    accepted: VecDeque<Weak<OpenConnection>>,
}

impl ConnectionSlots {
    fn new(most: usize) -> ConnectionSlots {
        ConnectionSlots { most, free: Arc::new(Semaphore::new(most)), accepted: VecDeque::new() }
    }

    /// Waits for a free slot, and closes connections while there is none. Returns `None` only if the semaphore is
    /// closed.
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
        let had_time = |one: &OpenConnection| one.accepted.elapsed() >= YOUNG;
        let idle = |one: &OpenConnection| one.requests.load(Ordering::SeqCst) == 0;
        let receiving = |one: &OpenConnection| one.receiving.load(Ordering::SeqCst) > 0;
        let unread = |one: &OpenConnection| one.unread.load(Ordering::SeqCst);
        let preferred: [&dyn Fn(&OpenConnection) -> bool; 4] = [
            &|one| had_time(one) && idle(one),
            &|one| had_time(one) && receiving(one),
            &|one| had_time(one) && unread(one),
            &|one| idle(one) || receiving(one) || unread(one),
        ];
        let open: Vec<_> = self.accepted.iter().filter_map(Weak::upgrade).collect();
        let oldest = preferred.into_iter().find_map(|closes| open.iter().find(|one| closes(one)));
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

/// Settings for accepting connections.
pub(super) struct ConnectionRules {
    /// Maximum number of open connections.
    pub(super) most: usize,
    /// Whether only the user of this process and root may connect.
    pub(super) owners_only: bool,
    /// TLS acceptor; `None` for plain HTTP.
    pub(super) tls: Option<TlsAcceptor>,
}

/// Accepts and serves connections until cancellation.
pub(super) async fn serve(
    listener: StdListener,
    router: Router,
    cancel: Cancel,
    rules: ConnectionRules,
) -> std::io::Result<()> {
    let ConnectionRules { most, owners_only, tls } = rules;
    // The standard library listens with a backlog of 128.
    rustix::net::listen(&listener, BACKLOG)?;
    let listener = TcpListener::from_std(listener)?;
    let mut slots = ConnectionSlots::new(most);
    let owners = OwnerChecks::start(listener.local_addr()?, most);
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
                let open = Arc::new(OpenConnection::new());
                slots.add(&open);
                let (router, owners, ended, tls) = (router.clone(), owners.clone(), ended.clone(), tls.clone());
                connections.spawn(async move {
                    let _slot = slot;
                    if owners_only && !is_owner(&stream, client, &owners).await {
                        return;
                    }
                    // Small events must not be delayed by Nagle's algorithm.
                    _ = stream.set_nodelay(true);
                    let Some(tls) = tls else { return answer(stream, client.ip(), router, &open, ended).await };
                    // A handshake that fails or times out affects only its client.
                    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIME, tls.accept(stream)).await {
                        answer(stream, client.ip(), router, &open, ended).await;
                    }
                });
            }
            // The client has disconnected, or no file descriptor is free.
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

/// Serves the requests of a connection. At shutdown, the connection is closed after the response in progress.
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
    let service = service_fn(|request: Request<Incoming>| {
        let mut request = request.map(|body| ReceivedBody::new(body, &open.receiving));
        request.extensions_mut().insert(ClientAddress(client));
        let in_progress = OpenCount::of(&open.requests);
        let response = router.call(request);
        async move { response.await.map(|response| held_by(response, in_progress)) }
    });
    let connection =
        builder.serve_connection(TokioIo::new(ReadByClient::new(stream, READ_TIME, &open.unread)), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // An error of the connection affects only its client.
        _ = connection.as_mut() => {}
        () = open.close.notified() => {}
        _ = ended.changed() => {
            connection.as_mut().graceful_shutdown();
            _ = connection.await;
        }
    }
}

/// Stores `request` in the body of the response, so that the request counts as in progress until the body has been
/// sent.
fn held_by<B: Body>(
    response: Response<B>,
    request: OpenCount,
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
        let open: Vec<_> = (0..3).map(|_| Arc::new(OpenConnection::new())).collect();
        let taken: Vec<_> = [slots.take().await, slots.take().await, slots.take().await].into();
        open.iter().for_each(|connection| slots.add(connection));
        let busy = OpenCount::of(&open[0].requests);
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

    /// Returns a connection whose age is at least [`YOUNG`].
    fn aged() -> Arc<OpenConnection> {
        let accepted = Instant::now().checked_sub(YOUNG).unwrap();
        Arc::new(OpenConnection { accepted, ..OpenConnection::new() })
    }

    #[tokio::test]
    async fn a_new_connection_is_not_closed_before_those_that_had_time() {
        let mut slots = ConnectionSlots::new(2);
        let (old, new) = (aged(), Arc::new(OpenConnection::new()));
        [&new, &old].into_iter().for_each(|connection| slots.add(connection));
        let _request = OpenCount::of(&old.requests);
        old.receiving.fetch_add(1, Ordering::SeqCst);
        slots.close_idle();
        let is_closed = async |open: &OpenConnection| {
            tokio::time::timeout(Duration::from_millis(1), open.close.notified()).await.is_ok()
        };
        assert_eq!((is_closed(&new).await, is_closed(&old).await), (false, true));
    }

    #[tokio::test]
    async fn a_client_that_neither_sends_nor_reads_gives_way() {
        let mut slots = ConnectionSlots::new(3);
        let open: Vec<_> = (0..3).map(|_| aged()).collect();
        open.iter().for_each(|connection| slots.add(connection));
        let _requests = [0, 1, 2].map(|at| OpenCount::of(&open[at].requests));
        open[1].unread.store(true, Ordering::SeqCst);
        open[2].receiving.fetch_add(1, Ordering::SeqCst);
        slots.close_idle();
        let is_closed =
            async |at: usize| tokio::time::timeout(Duration::from_millis(1), open[at].close.notified()).await.is_ok();
        assert_eq!((is_closed(0).await, is_closed(1).await, is_closed(2).await), (false, false, true));
        open[2].receiving.store(0, Ordering::SeqCst);
        slots.close_idle();
        assert_eq!((is_closed(0).await, is_closed(1).await, is_closed(2).await), (false, true, false));
    }
}
