//! Serves the files of jobs to the workers that have the jobs.

#![expect(clippy::disallowed_types, reason = "workers ignore the body of an error response")]

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::Request;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind};
use crate::queue::JobNumber;

use super::cluster_hooks::ClusterHooks;
use super::transfer::{PART, PART_TIME};

/// The pause after a failed attempt to accept a connection.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// Listens on an address, without accepting connections yet.
///
/// # Errors
/// Fails if the address can't be used, for example because it is in use.
pub(super) fn listen(address: SocketAddr) -> Result<(StdListener, SocketAddr), Failure> {
    let listener = StdListener::bind(address).map_err(|error| {
        Diagnostic::new(format!("cannot listen on `{address}` for workers: {error}"))
            .help("choose another address with `--cluster-listen`")
    })?;
    let internal = |error: std::io::Error| Fault::io(FaultKind::Internal, &error).context("cannot listen for workers");
    listener.set_nonblocking(true).map_err(internal)?;
    let address = listener.local_addr().map_err(internal)?;
    Ok((listener, address))
}

/// The limits of the server.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlobServerLimits {
    /// Maximum number of connections. Further connections wait until one ends.
    connections: usize,
    /// Maximum number of files in memory. Requests for further files wait.
    files: usize,
    /// Idle timeout: a connection that transfers no part of a file for this long is closed.
    idle: Duration,
}

impl Default for BlobServerLimits {
    fn default() -> BlobServerLimits {
        BlobServerLimits { connections: 256, files: 16, idle: PART_TIME }
    }
}

/// State that all requests share.
#[derive(Clone)]
struct BlobService {
    hooks: Arc<ClusterHooks>,
    files: Arc<Semaphore>,
}

/// Answers requests until the runtime ends, with TLS if there is an acceptor.
pub(super) async fn serve_blobs(
    (listener, tls): (StdListener, Option<TlsAcceptor>),
    hooks: Arc<ClusterHooks>,
    limits: BlobServerLimits,
) -> std::io::Result<()> {
    let service = BlobService { hooks, files: Arc::new(Semaphore::new(limits.files)) };
    let router = Router::new().route("/v1/jobs/{job}/{epoch}/blobs/{digest}", get(blob)).with_state(service);
    accept((TcpListener::from_std(listener)?, tls), router, limits).await;
    Ok(())
}

/// Accepts connections. Each connection serves one request, because workers open a connection for each request.
async fn accept((listener, tls): (TcpListener, Option<TlsAcceptor>), router: Router, limits: BlobServerLimits) {
    let free = Arc::new(Semaphore::new(limits.connections));
    let mut connections = JoinSet::new();
    while let Ok(slot) = free.clone().acquire_owned().await {
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                let (router, tls) = (router.clone(), tls.clone());
                connections.spawn(async move {
                    let _slot = slot;
                    match tls {
                        None => answer(stream, router, limits.idle).await,
                        // A handshake that fails affects only its client.
                        Some(tls) => {
                            if let Ok(Ok(stream)) = tokio::time::timeout(limits.idle, tls.accept(stream)).await {
                                answer(stream, router, limits.idle).await;
                            }
                        }
                    }
                });
            }
            // The client has disconnected, or no file descriptor is free.
            Err(_) => tokio::time::sleep(ACCEPT_AGAIN).await,
        }
    }
}

/// Answers the request of a connection. Closes the connection if no part of the response is transferred for the time
/// `idle`.
async fn answer(stream: impl AsyncRead + AsyncWrite + Unpin + Send, router: Router, idle: Duration) {
    let passed = Arc::<AtomicUsize>::default();
    let counter = passed.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(PassedParts(counter.clone()));
        TowerToHyperService::new(router.clone()).call(request)
    });
    let connection = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service);
    let idles = async {
        let mut before = None;
        while before.replace(passed.load(Ordering::SeqCst)) != Some(passed.load(Ordering::SeqCst)) {
            tokio::time::sleep(idle).await;
        }
    };
    tokio::select! {
        // An error of the connection affects only its client.
        _ = connection => {}
        () = idles => {}
    }
}

/// The number of parts of a response that have been transferred, for the idle timeout.
#[derive(Debug, Clone)]
struct PassedParts(Arc<AtomicUsize>);

/// The content of a file, as the body of a response. It is sent in parts, so that progress can be detected.
struct FileBody {
    rest: Bytes,
    passed: PassedParts,
    /// The permit that counts the file towards the limit on files in memory.
    _file: OwnedSemaphorePermit,
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        // The connection requests a part after it has sent most of the previous part.
        self.passed.0.fetch_add(1, Ordering::SeqCst);
        let length = self.rest.len().min(PART);
        let part = self.rest.split_to(length);
        Poll::Ready((length > 0).then_some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

/// `GET /v1/jobs/{job}/{epoch}/blobs/{digest}`: returns a file of an open job with this epoch, if the request has
/// the token of the attempt.
async fn blob(
    State(BlobService { hooks, files }): State<BlobService>,
    Extension(passed): Extension<PassedParts>,
    Path((job, epoch, digest)): Path<(u64, u64, String)>,
    headers: HeaderMap,
) -> Response {
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let job = JobNumber(job);
    if !token.is_some_and(|token| hooks.secret.is_token(token, job, epoch)) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(digest) = digest.parse::<Digest>() else { return StatusCode::NOT_FOUND.into_response() };
    let Ok(_file) = files.acquire_owned().await else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let found = tokio::task::spawn_blocking(move || hooks.blob(job, epoch, digest)).await;
    match found {
        Ok(Ok(Some(content))) => Response::new(Body::new(FileBody { rest: content.into(), passed, _file })),
        Ok(Ok(None)) => StatusCode::NOT_FOUND.into_response(),
        _ => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream as StdStream;

    use http_body_util::BodyExt as _;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::rustls::version::TLS13;

    use super::super::http_client::{HttpPeer, TrustedRoots};
    use super::*;

    /// Starts a server with a large file at `/`, and returns its address.
    fn start(runtime: &tokio::runtime::Runtime, limits: BlobServerLimits, tls: Option<TlsAcceptor>) -> SocketAddr {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let files = Arc::new(Semaphore::new(limits.files));
        let file = move |Extension(passed): Extension<PassedParts>| async move {
            let _file = files.acquire_owned().await.unwrap();
            Response::new(Body::new(FileBody { rest: vec![b'x'; 64 << 20].into(), passed, _file }))
        };
        runtime.spawn(accept((listener, tls), Router::new().route("/", get(file)), limits));
        address
    }

    /// Returns the folder with a certificate for `localhost` and its key.
    fn certificate() -> std::path::PathBuf {
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/server/tls")
    }

    fn acceptor() -> TlsAcceptor {
        let chain = CertificateDer::pem_file_iter(certificate().join("cert.pem")).unwrap().map(Result::unwrap);
        let key = PrivateKeyDer::from_pem_file(certificate().join("key.pem")).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_protocol_versions(&[&TLS13])
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain.collect(), key)
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }

    #[test]
    fn files_are_encrypted_and_the_certificate_is_verified() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let address = start(&runtime, BlobServerLimits::default(), Some(acceptor()));
        let own = certificate().join("cert.pem");
        let get = |host: &str, ca: Option<&std::path::Path>| {
            let roots = TrustedRoots::load(ca).unwrap();
            let peer = HttpPeer::new(&format!("https://{host}:{}", address.port()), &roots).unwrap();
            runtime.block_on(async {
                let mut driver = JoinSet::new();
                let mut sender = peer.connect(&mut driver).await?;
                let request = Request::get("/").header(header::HOST, peer.authority()).body(Body::empty()).unwrap();
                let answer = sender.send_request(request).await.unwrap();
                Ok::<_, String>(answer.into_body().collect().await.unwrap().to_bytes().len())
            })
        };
        assert_eq!(get("localhost", Some(&own)), Ok(64 << 20));
        for (host, ca) in [("localhost", None), ("[::ffff:127.0.0.1]", Some(&*own))] {
            let refused = get(host, ca).unwrap_err();
            assert!(refused.contains("the TLS handshake failed"), "{host}: {refused}");
        }
        let mut plain = Vec::new();
        _ = request(address).read_to_end(&mut plain);
        assert!(!plain.starts_with(b"HTTP/1.1 200"), "nothing is sent without TLS");
    }

    fn request(address: SocketAddr) -> StdStream {
        let mut stream = StdStream::connect(address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").unwrap();
        stream
    }

    #[test]
    fn clients_that_send_or_read_nothing_make_room_for_others() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let limits = BlobServerLimits { connections: 1, files: 1, idle: Duration::from_secs(2) };
        let address = start(&runtime, limits, None);
        let silent = StdStream::connect(address).unwrap();
        let mut unread = request(address);
        // Each connection waits until the previous one has been idle for too long.
        let mut content = Vec::new();
        request(address).read_to_end(&mut content).unwrap();
        assert!(content.len() > 64 << 20, "{}", content.len());
        assert!(content.starts_with(b"HTTP/1.1 200"));
        drop(silent);
        let mut rest = Vec::new();
        _ = unread.read_to_end(&mut rest);
        assert!(rest.len() < 64 << 20, "the answer that nobody read was cut: {}", rest.len());
    }
}
