//! Tests of fetching files from servers that do not respond or respond too slowly.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use tokio::runtime::Runtime;

use super::super::problem_bundle::{BundleKind, ProblemManifest};
use super::super::problem_cache::ProblemCache;
use super::*;

/// A server that never answers requests for `stuck`, sends `slow` one byte at a time with pauses, and serves the file
/// `good`.
struct StuckServer {
    url: String,
    /// Receives a message for each request.
    requests: Receiver<()>,
}

fn slow() -> Digest {
    Digest::of(b"slow")
}

fn stuck() -> Digest {
    Digest::of(b"stuck")
}

/// Returns the manifest of a problem without files, as JSON.
fn good() -> Vec<u8> {
    let manifest = ProblemManifest { kind: BundleKind::Package, main: "problems/a".to_owned(), files: Vec::new() };
    serde_json::to_vec(&manifest).unwrap()
}

impl StuckServer {
    fn start() -> StuckServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let sender = sender.clone();
                std::thread::spawn(move || answer(stream, || _ = sender.send(())));
            }
        });
        StuckServer { url, requests }
    }
}

fn answer(mut stream: TcpStream, requested: impl Fn()) {
    let mut head = [0; 4 << 10];
    let length = stream.read(&mut head).unwrap_or(0);
    let head = String::from_utf8_lossy(&head[..length]);
    requested();
    if head.contains(&slow().to_string()) {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
        while sent.is_ok() {
            std::thread::sleep(Duration::from_millis(5));
            sent = stream.write_all(b"x");
        }
    } else if head.contains(&stuck().to_string()) {
        // Returns when the client closes the connection.
        _ = stream.read(&mut [0]);
    } else {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", good().len());
        _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&good()));
    }
}

/// Calls `work` with a client that waits for at most `part` for each part of a file, and with the sender that stops the
/// client's job.
fn with_client<T>(url: &str, part: Duration, work: impl FnOnce(&BlobClient<'_>, watch::Sender<bool>) -> T) -> T {
    let runtime = Runtime::new().unwrap();
    let (stop, stopped) = watch::channel(false);
    let digest = Digest::of(b"");
    let order = WorkOrder { url: url.to_owned(), token: String::new(), problem: digest, request: digest };
    let policy = FetchPolicy { attempts: 2, pause: Duration::from_millis(1), part };
    let (runtime, job) = (runtime.handle(), JobNumber(1));
    let roots = TrustedRoots::load(None).unwrap();
    work(&BlobClient { runtime, order: &order, roots: &roots, job, epoch: 1, stopped, policy }, stop)
}

#[test]
fn a_server_that_does_not_answer_and_one_that_trickles_are_given_up() {
    let server = StuckServer::start();
    for (digest, reason) in [(stuck(), "no response within 0.2 s"), (slow(), "less than 1024 KiB of the file")] {
        let failed = with_client(&server.url, Duration::from_millis(200), |client, _| client.fetch(digest));
        let failed = failed.unwrap_err().to_string();
        assert!(failed.contains(reason), "{failed}");
        assert_eq!(server.requests.try_iter().count(), 2, "{reason}");
    }
}

#[test]
fn a_job_stops_while_it_fetches_and_while_it_waits_for_another() {
    let server = StuckServer::start();
    let folder = tempfile::tempdir().unwrap();
    let cache = ProblemCache::new(folder.path().to_owned());
    let forever = Duration::from_secs(600);
    let start = Instant::now();
    std::thread::scope(|scope| {
        let (sender, stops) = channel();
        let (cache, url) = (&cache, &server.url);
        for _ in 0..2 {
            let sender = sender.clone();
            let job = move |client: &BlobClient<'_>, stop| {
                sender.send(stop).unwrap();
                let failed = cache.problem(stuck(), client).unwrap_err().to_string();
                assert!(failed.contains("was stopped while its files were being fetched"), "{failed}");
            };
            scope.spawn(move || with_client(url, forever, job));
        }
        server.requests.recv().unwrap();
        // A job for another problem does not wait for the stuck jobs.
        with_client(url, forever, |client, _stop| cache.problem(Digest::of(&good()), client)).unwrap();
        stops.iter().take(2).for_each(|stop| _ = stop.send_replace(true));
    });
    assert!(start.elapsed() < forever);
}

#[test]
fn a_full_cache_loses_the_problems_that_no_job_has() {
    let server = StuckServer::start();
    let folder = tempfile::tempdir().unwrap();
    let root = |problem: Digest| folder.path().join(problem.to_string());
    let cache = ProblemCache::limited(folder.path().to_owned(), 1);
    let forever = Duration::from_secs(600);
    let old = Digest::of(b"old");
    fs_err::create_dir(root(old)).unwrap();
    fs_err::write(root(old).join("manifest.json"), "old").unwrap();
    let good = Digest::of(&good());
    with_client(&server.url, forever, |client, _stop| {
        let _held = cache.problem(good, client).unwrap();
        assert!(!root(old).exists() && root(good).exists());
    });
}
