//! Determines which user of this machine opened a connection to a loopback address.
//!
//! A server without accounts must not serve other users of the machine, since they could read the owner's programs and
//! run programs in the owner's name. The kernel tells the owner of one socket by `sock_diag`, and lists the owner of each
//! socket in `/proc/net/tcp` and `/proc/net/tcp6`.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use tokio::sync::{mpsc, oneshot};

use super::sock_diag;

/// State of an established connection in the kernel's tables.
const ESTABLISHED: &str = "01";
/// Maximum number of times that the tables are read to find a connection.
const LOOKS: usize = 2;

/// How the owners of connections are determined.
#[derive(Clone)]
pub(super) enum OwnerChecks {
    /// By `sock_diag`.
    Kernel,
    /// By a task that searches the kernel's tables, where `sock_diag` does not work. A read of the tables takes
    /// milliseconds, so all requests that arrive during a read are answered by the next read.
    Tables(mpsc::Sender<OwnerCheck>),
}

/// A request to determine the owner of a connection.
pub(super) struct OwnerCheck {
    client: SocketAddr,
    server: SocketAddr,
    answer: oneshot::Sender<bool>,
}

impl OwnerChecks {
    /// Chooses the way for connections to the listening address `server`. At most `most` connections are checked at a
    /// time.
    pub(super) fn start(server: SocketAddr, most: usize) -> OwnerChecks {
        if sock_diag::works(server) { OwnerChecks::Kernel } else { OwnerChecks::read_tables(most) }
    }

    /// Starts the task that reads the tables.
    fn read_tables(most: usize) -> OwnerChecks {
        let (sender, mut receiver) = mpsc::channel::<OwnerCheck>(most);
        tokio::spawn(async move {
            let mut checks = Vec::new();
            while receiver.recv_many(&mut checks, most).await > 0 {
                let asked: Vec<_> = checks.iter().map(|check| (check.client, check.server)).collect();
                let owned = tokio::task::spawn_blocking(move || are_owned(&asked)).await.unwrap_or_default();
                for (check, is_owner) in checks.drain(..).zip(owned.into_iter().chain(std::iter::repeat(false))) {
                    // Sending fails if the receiver was dropped because the connection is closed.
                    _ = check.answer.send(is_owner);
                }
            }
        });
        OwnerChecks::Tables(sender)
    }

    /// Returns whether the connection from `client` to `server` belongs to the user of this process or to root. Returns
    /// false if the kernel does not list the connection or the client has closed it.
    pub(super) async fn is_owner(&self, client: SocketAddr, server: SocketAddr) -> bool {
        let OwnerChecks::Tables(requests) = self else {
            // Older kernels tell that root owns a socket that is being closed. It is no longer connected at the second
            // look.
            let owner = || sock_diag::owner(client, server);
            return owner().is_some_and(|user| is_trusted(user) && owner() == Some(user));
        };
        let (answer, answered) = oneshot::channel();
        let asked = requests.send(OwnerCheck { client, server, answer }).await;
        asked.is_ok() && answered.await.unwrap_or(false)
    }
}

/// Returns whether a user is the user of this process or root.
fn is_trusted(user: u32) -> bool {
    user == rustix::process::geteuid().as_raw() || user == 0
}

/// Returns, for each connection (the addresses of its client and server), whether it belongs to the user of this
/// process or to root.
fn are_owned(connections: &[(SocketAddr, SocketAddr)]) -> Vec<bool> {
    let mut owned = vec![false; connections.len()];
    // The kernel may omit lines if the table changes while it is read.
    for _ in 0..LOOKS {
        // An IPv6 socket may be connected to an IPv4 address; the kernel then lists it with IPv4-mapped addresses.
        for (table, mapped) in [("/proc/net/tcp", false), ("/proc/net/tcp6", true)] {
            let missing = connections.iter().enumerate().filter(|(place, _)| !owned[*place]);
            let wanted: HashMap<_, _> = missing
                .map(|(place, (client, server))| ((shown(*client, mapped), shown(*server, mapped)), place))
                .collect();
            if wanted.is_empty() {
                return owned;
            }
            // Every process may read the tables of its own network namespace, so a table that cannot be read does not
            // exist.
            let Ok(text) = fs_err::read_to_string(table) else { continue };
            for (place, user) in owners(&text, &wanted) {
                owned[place] = is_trusted(user);
            }
        }
    }
    owned
}

/// Returns the index of each connection in `wanted` that the table lists as established, with the id of the user who
/// owns the connection.
fn owners(table: &str, wanted: &HashMap<(String, String), usize>) -> Vec<(usize, u32)> {
    let found = table.lines().skip(1).filter_map(|line| {
        let mut columns = line.split_ascii_whitespace().skip(1);
        let (local, remote, state) = (columns.next()?, columns.next()?, columns.next()?);
        if state != ESTABLISHED {
            return None;
        }
        let place = wanted.get(&(local.to_owned(), remote.to_owned()))?;
        Some((*place, columns.nth(3)?.parse().ok()?))
    });
    found.collect()
}

/// Formats an address as in `/proc/net/tcp` and `/proc/net/tcp6`: each group of four bytes as a hexadecimal number in
/// native byte order, then a colon and the port in hexadecimal. If `mapped`, an IPv4 address is formatted as an
/// IPv4-mapped IPv6 address.
fn shown(address: SocketAddr, mapped: bool) -> String {
    let bytes = match address.ip() {
        IpAddr::V4(ip) if mapped => ip.to_ipv6_mapped().octets().to_vec(),
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let groups = bytes.chunks_exact(4).map(|group| {
        let number = group.try_into().map_or(0, u32::from_ne_bytes);
        format!("{number:08X}")
    });
    format!("{}:{:04X}", groups.collect::<String>(), address.port())
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use rustix::net::{AddressFamily, SocketType, connect, socket};

    use super::*;

    #[test]
    fn the_kernel_lists_the_owner_of_a_connection() {
        for place in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(place) else { continue };
            let address = listener.local_addr().unwrap();
            let client = TcpStream::connect(address).unwrap();
            let (server, peer) = listener.accept().unwrap();
            let other = "127.0.0.1:1".parse().unwrap();
            let owned = are_owned(&[(peer, other), (peer, address)]);
            assert_eq!(owned, [false, true], "{place}; the first is another connection from the same port");
            drop((client, server));
        }
    }

    #[tokio::test]
    async fn both_ways_find_the_owner() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).unwrap();
        let (_server, peer) = listener.accept().unwrap();
        let ways = [OwnerChecks::start(address, 4), OwnerChecks::read_tables(4)];
        assert!(matches!(ways, [OwnerChecks::Kernel, OwnerChecks::Tables(_)]));
        for way in &ways {
            assert!(way.is_owner(peer, address).await);
            assert!(!way.is_owner(peer, "127.0.0.1:1".parse().unwrap()).await);
        }
        drop(client);
        for way in &ways {
            assert!(!way.is_owner(peer, address).await, "the client has closed the connection");
        }
    }

    #[test]
    fn an_ipv4_address_of_an_ipv6_socket_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let Ok(client) = socket(AddressFamily::INET6, SocketType::STREAM, None) else { return };
        let mapped: SocketAddr = format!("[::ffff:127.0.0.1]:{}", address.port()).parse().unwrap();
        if connect(&client, &mapped).is_err() {
            return;
        }
        let (_server, peer) = listener.accept().unwrap();
        assert_eq!(are_owned(&[(peer, address)]), [true]);
        let other = "127.0.0.1:3307".parse().unwrap();
        let row = |user: u32| {
            let (local, remote) = (shown(peer, true), shown(address, true));
            format!("head\n 0: {local} {remote} 01 00000000:00000000 00:00000000 00000000 {user} 0 17 1\n")
        };
        let wanted = |peer| HashMap::from([((shown(peer, true), shown(address, true)), 7)]);
        assert_eq!(owners(&row(1001), &wanted(peer)), [(7, 1001)]);
        assert_eq!(owners(&row(1001), &wanted(other)), []);
        assert_eq!(owners(&row(0).replace(" 01 ", " 05 "), &wanted(peer)), [], "the client has closed the connection");
    }
}
