//! Receives messages on ports of the loopback interface. Each connection has its own thread. The number of connections
//! and their duration are limited. Every message is handled by the thread that called [`Receiver::receive`].

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::model::{Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::workers::start_scoped;

use super::http::{HttpRefusal, read_request, response};

/// Ports on which Nimatron listens by default. The browser extension Competitive Companion sends to these ports in its
/// default configuration.
pub const DEFAULT_PORTS: [u16; 2] = [10043, 27121];
/// Maximum number of open connections.
const MAX_CONNECTIONS: usize = 8;
/// Maximum time for receiving a request.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// Timeout for writing a response, and for reading the rest of a refused request, which is discarded so that the client
/// receives the response.
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// A received message, or a refused request.
#[derive(Debug)]
pub struct Arrival {
    /// The port at which the request arrived.
    pub port: u16,
    /// The body of the request, or the status and the reason of the refusal.
    pub message: Result<Vec<u8>, (u16, String)>,
}

/// The response to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The line of text that is the body of the response.
    pub text: String,
    /// Whether to receive more messages.
    pub continues: bool,
}

/// The listening sockets on the loopback interface.
#[derive(Debug)]
pub struct Receiver {
    listeners: Vec<(u16, TcpListener)>,
}

/// An arrival with the channel for its reply.
type Pending = (Arrival, SyncSender<Reply>);

impl Receiver {
    /// Listens on these ports of 127.0.0.1, and of ::1 if available. Port 0 selects a free port. Also returns
    /// the errors of the ports that can't be used.
    pub fn bind(ports: &[u16]) -> (Receiver, Vec<(u16, io::Error)>) {
        let mut receiver = Receiver { listeners: Vec::new() };
        let mut errors = Vec::new();
        for port in ports {
            match bound(IpAddr::V4(Ipv4Addr::LOCALHOST), *port) {
                Ok((port, listener)) => {
                    receiver.listeners.push((port, listener));
                    receiver.listeners.extend(bound(IpAddr::V6(Ipv6Addr::LOCALHOST), port).ok());
                }
                Err(error) => errors.push((*port, error)),
            }
        }
        (receiver, errors)
    }

    /// Returns the ports on which the receiver listens.
    pub fn ports(&self) -> Vec<u16> {
        let mut ports: Vec<u16> = self.listeners.iter().map(|(port, _)| *port).collect();
        ports.dedup();
        ports
    }

    /// Receives messages, one after the other, until `continues` is false in a reply or `cancel` is cancelled. `handle`
    /// is also called for refused requests; the status and the text of its reply are then ignored.
    ///
    /// # Errors
    /// Returns a fault if the sockets can't be watched, if the thread that accepts connections can't be started or
    /// panics, or if no file descriptor is available.
    pub fn receive(&self, cancel: &Cancel, mut handle: impl FnMut(Arrival) -> Reply) -> Result<(), Fault> {
        let stop = cancel.child()?;
        let open = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, arrivals) = channel::<Pending>();
            let acceptor = start_scoped(scope, {
                let (stop, open) = (&stop, &open);
                move || {
                    accept_all(&self.listeners, stop, |port, stream| {
                        admit(scope, (stop, open), &sender, (port, stream))
                    })
                }
            })?;
            for (arrival, answer) in arrivals {
                let reply = handle(arrival);
                let continues = reply.continues;
                // Sending fails if the thread of the connection has ended.
                let _ = answer.send(reply);
                if !continues {
                    break;
                }
            }
            stop.cancel();
            let lost = |_| Fault::new(FaultKind::Internal, "the thread that accepts connections panicked");
            acceptor
                .join()
                .map_err(lost)?
                .map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot listen"))
        })
    }
}

fn bound(address: IpAddr, port: u16) -> io::Result<(u16, TcpListener)> {
    let listener = TcpListener::bind(SocketAddr::new(address, port))?;
    listener.set_nonblocking(true)?;
    Ok((listener.local_addr()?.port(), listener))
}

/// Accepts connections until `stop` is cancelled.
fn accept_all(
    listeners: &[(u16, TcpListener)],
    stop: &Cancel,
    mut admit: impl FnMut(u16, TcpStream),
) -> io::Result<()> {
    while !stop.is_cancelled() {
        let mut watched: Vec<PollFd<'_>> =
            listeners.iter().map(|(_, listener)| PollFd::new(listener, PollFlags::IN)).collect();
        watched.push(PollFd::from_borrowed_fd(stop.event(), PollFlags::IN));
        wait(&mut watched, None)?;
        for (port, listener) in listeners {
            match listener.accept() {
                Ok((stream, _)) => admit(*port, stream),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // The client has disconnected, or no file descriptor is available. The pause prevents a busy loop in
                // the second case.
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }
    Ok(())
}

/// Waits until a descriptor is ready, `time` has passed, or a signal arrives. A signal is not an error.
fn wait(watched: &mut [PollFd<'_>], time: Option<Duration>) -> io::Result<()> {
    let time = time.and_then(|time| Timespec::try_from(time).ok());
    match poll(watched, time.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Serves a connection on a new thread, or refuses it if too many connections are open.
fn admit<'scope, 'env>(
    scope: &'scope std::thread::Scope<'scope, 'env>,
    (stop, open): (&'scope Cancel, &'scope AtomicUsize),
    sender: &Sender<Pending>,
    (port, mut stream): (u16, TcpStream),
) {
    if open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
        open.fetch_sub(1, Ordering::SeqCst);
        // A short response fits in the empty send buffer of the socket, so writing does not block.
        let _ = stream.write_all(&response(503, "too many open connections; try again later"));
        return;
    }
    let sender = sender.clone();
    let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
        // An error affects only this connection.
        let _ = serve(stream, port, stop, &sender);
        open.fetch_sub(1, Ordering::SeqCst);
    });
    if spawned.is_err() {
        open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reads a request, passes it to the thread that handles messages, and sends the response.
fn serve(stream: TcpStream, port: u16, stop: &Cancel, sender: &Sender<Pending>) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(DISCARD_TIME))?;
    let mut timed = TimedStream { stream, stop, until: Instant::now() + REQUEST_TIME };
    let read = read_request(&mut timed);
    let refused = read.as_ref().err().cloned();
    let (answer, reply) = sync_channel(1);
    let arrival = Arrival { port, message: read.map_err(|HttpRefusal { status, reason }| (status, reason)) };
    let handed_over = !stop.is_cancelled() && sender.send((arrival, answer)).is_ok();
    let reply = handed_over.then(|| reply.recv().ok()).flatten();
    let answer = match (&refused, reply) {
        (Some(refusal), _) => response(refusal.status, &refusal.reason),
        (None, Some(reply)) => response(reply.status, &reply.text),
        (None, None) => response(503, "the server has stopped receiving messages"),
    };
    timed.stream.write_all(&answer)?;
    timed.stream.shutdown(Shutdown::Write)?;
    if refused.is_some() {
        timed.until = Instant::now() + DISCARD_TIME;
        io::copy(&mut timed, &mut io::sink())?;
    }
    Ok(())
}

/// A connection whose reads fail after a deadline, or when receiving stops.
struct TimedStream<'s> {
    stream: TcpStream,
    stop: &'s Cancel,
    until: Instant,
}

impl Read for TimedStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stop.is_cancelled() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let mut watched = [
                PollFd::from_borrowed_fd(self.stream.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.stop.event(), PollFlags::IN),
            ];
            wait(&mut watched, Some(left))?;
            if !watched[0].revents().is_empty() {
                return self.stream.read(buffer);
            }
        }
    }
}

impl Write for TimedStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
