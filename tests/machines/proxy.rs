//! A TCP proxy that cuts connections, or damages what passes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Interval at which a connection checks whether it is cut.
const CHECK: Duration = Duration::from_millis(20);

#[derive(Default)]
struct ProxyState {
    is_cut: AtomicBool,
    /// The number of answers that are still to be damaged.
    to_damage: AtomicUsize,
    damaged: AtomicUsize,
}

/// A proxy for connections to a port of loopback.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    state: Arc<ProxyState>,
}

impl Proxy {
    /// Starts a proxy for this port.
    pub(crate) fn start(target: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<ProxyState>::default();
        let shared = state.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let state = shared.clone();
                std::thread::spawn(move || {
                    if state.is_cut.load(Ordering::SeqCst) {
                        return;
                    }
                    let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else { return };
                    let (client2, server2) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                    let state2 = state.clone();
                    let up = std::thread::spawn(move || forward(client2, server2, &state2, false));
                    forward(server, client, &state, true);
                    up.join().unwrap();
                });
            }
        });
        Proxy { port, state }
    }

    /// Damages the last byte of this number of answers.
    pub(crate) fn damage(&self, answers: usize) {
        self.state.to_damage.store(answers, Ordering::SeqCst);
    }

    /// Returns the number of answers that were damaged.
    pub(crate) fn damaged(&self) -> usize {
        self.state.damaged.load(Ordering::SeqCst)
    }

    /// Cuts all connections and refuses new ones, or permits them again.
    pub(crate) fn cut(&self, is_cut: bool) {
        self.state.is_cut.store(is_cut, Ordering::SeqCst);
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, state: &ProxyState, is_answer: bool) {
    from.set_read_timeout(Some(CHECK)).unwrap();
    let mut buffer = [0; 16 << 10];
    loop {
        if state.is_cut.load(Ordering::SeqCst) {
            break;
        }
        let length = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::TimedOut].contains(&error.kind()) => {
                continue;
            }
            Err(_) => break,
        };
        let less = |count: usize| count.checked_sub(1);
        if is_answer && state.to_damage.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok() {
            buffer[length - 1] ^= 1;
            state.damaged.fetch_add(1, Ordering::SeqCst);
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    _ = from.shutdown(Shutdown::Both);
    _ = to.shutdown(Shutdown::Both);
}
