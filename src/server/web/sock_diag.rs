//! Asks the kernel for the owner of one connection, with the netlink protocol `sock_diag` (see `sock_diag(7)`).
//!
//! An answer takes microseconds. `/proc/net/tcp` takes milliseconds, because the kernel searches its whole table of
//! connections for each read of that file.

use std::net::{IpAddr, SocketAddr};

use rustix::net::netlink::{self, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

/// Length of the header of a netlink message, in bytes.
const HEADER: usize = 16;
/// Length of a request (`struct inet_diag_req_v2`), in bytes.
const REQUEST: usize = 56;
/// Length of an answer (`struct inet_diag_msg`) without the attributes that may follow it, in bytes.
const ANSWER: usize = 72;
/// Type of a request for sockets of an address family, and of the answer.
const SOCK_DIAG_BY_FAMILY: u16 = 20;
/// Flag of a message that is a request.
const NLM_F_REQUEST: u16 = 1;
/// Protocol number of TCP.
const TCP: u8 = 6;
/// Index of the network interface `lo`.
const LOOPBACK_INTERFACE: u32 = 1;
/// State of an established connection.
const ESTABLISHED: u8 = 1;
/// State of a socket that waits for connections.
const LISTENING: u8 = 10;

/// Returns whether the kernel answers such requests, which it does for the socket that listens at `server`.
pub(super) fn works(server: SocketAddr) -> bool {
    let any = SocketAddr::new(if server.is_ipv4() { [0; 4].into() } else { [0; 16].into() }, 0);
    ask(server, any).is_some_and(|message| answer(&message).is_some_and(|answer| answer[1] == LISTENING))
}

/// Returns the id of the user who owns the socket at `client` of the established connection from `client` to `server`.
/// Returns `None` if the kernel does not know such a connection.
pub(super) fn owner(client: SocketAddr, server: SocketAddr) -> Option<u32> {
    let [client, server] = [client, server].map(|address| SocketAddr::new(address.ip().to_canonical(), address.port()));
    owner_in(&ask(client, server)?, client, server)
}

/// Asks the kernel for the socket at `client` that is connected to `server`, and returns its message.
fn ask(client: SocketAddr, server: SocketAddr) -> Option<Vec<u8>> {
    let kernel = SocketAddrNetlink::new(0, 0);
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, Some(netlink::SOCK_DIAG));
    let socket = socket.ok()?;
    sendto(&socket, &request(client, server), SendFlags::empty(), &kernel).ok()?;
    // The kernel has put its answer into the socket before `sendto` returns.
    let mut message = vec![0; 512];
    let (length, _) = recv(&socket, &mut message, RecvFlags::DONTWAIT).ok()?;
    message.truncate(length);
    Some(message)
}

/// Returns a request for the socket at `client` that is connected to `server`.
fn request(client: SocketAddr, server: SocketAddr) -> Vec<u8> {
    let mut message = Vec::with_capacity(HEADER + REQUEST);
    message.extend(((HEADER + REQUEST) as u32).to_ne_bytes());
    message.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    message.extend(NLM_F_REQUEST.to_ne_bytes());
    // The sequence number, and the number of this socket, which the kernel sets.
    message.extend([0; 8]);
    let family = if client.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    // The family and the protocol, and that no attributes are wanted.
    message.extend([family.as_raw() as u8, TCP, 0, 0]);
    message.extend((1_u32 << ESTABLISHED).to_ne_bytes());
    message.extend(identity(client, server));
    // The interface `lo`, to which the socket may be bound, and no cookie, which would name one of several sockets with
    // these addresses.
    message.extend(LOOPBACK_INTERFACE.to_ne_bytes());
    message.extend([u8::MAX; 8]);
    message
}

/// Returns the ports and addresses of a connection as in `struct inet_diag_sockid`.
fn identity(client: SocketAddr, server: SocketAddr) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(36);
    bytes.extend(client.port().to_be_bytes());
    bytes.extend(server.port().to_be_bytes());
    for address in [client, server] {
        match address.ip() {
            IpAddr::V4(ip) => bytes.extend(ip.octets().into_iter().chain([0; 12])),
            IpAddr::V6(ip) => bytes.extend(ip.octets()),
        }
    }
    bytes
}

/// Returns the answer in a message, or `None` if the message is an error.
fn answer(message: &[u8]) -> Option<&[u8; ANSWER]> {
    let kind = u16::from_ne_bytes(*message.get(4..)?.first_chunk()?);
    (kind == SOCK_DIAG_BY_FAMILY).then_some(message.get(HEADER..)?.first_chunk()?)
}

/// Returns the id of the user in a message if it describes the established connection from `client` to `server`.
fn owner_in(message: &[u8], client: SocketAddr, server: SocketAddr) -> Option<u32> {
    let answer = answer(message)?;
    // The kernel answers with the socket that listens at an address if none is connected there. For a socket of IPv6
    // that is connected to an IPv4 address, it shows the addresses as IPv4-mapped.
    let (state, shown) = (answer[1], &answer[4..]);
    let wanted = [identity(client, server), identity(mapped(client), mapped(server))];
    let is_described = state == ESTABLISHED && wanted.iter().any(|one| shown.starts_with(one));
    answer[64..].first_chunk().filter(|_| is_described).map(|user| u32::from_ne_bytes(*user))
}

/// Returns an address with its IP address as an IPv4-mapped IPv6 address, if it is an IPv4 address.
fn mapped(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) => SocketAddr::new(ip.to_ipv6_mapped().into(), address.port()),
        IpAddr::V6(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn the_kernel_knows_the_owner_of_a_connection() {
        let own = rustix::process::geteuid().as_raw();
        for place in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(place) else { continue };
            let server = listener.local_addr().unwrap();
            assert!(works(server) && !works(SocketAddr::new(server.ip(), 1)), "{place}");
            let client = TcpStream::connect(server).unwrap();
            let (accepted, peer) = listener.accept().unwrap();
            assert_eq!(owner(peer, server), Some(own), "{place}");
            let other = SocketAddr::new(server.ip(), 1);
            assert_eq!(owner(peer, other), None, "{place}: another connection from the same port");
            assert_eq!(owner(server, peer), Some(own), "{place}: the server's socket of the connection");
            assert_eq!(owner(server, other), None, "{place}: the socket that listens");
            drop(client);
            assert_eq!(owner(peer, server), None, "{place}: the client has closed the connection");
            drop(accepted);
        }
    }

    #[test]
    fn ipv4_addresses_of_ipv6_sockets_are_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        let Ok(client) = rustix::net::socket(AddressFamily::INET6, SocketType::STREAM, None) else { return };
        if rustix::net::connect(&client, &mapped(server)).is_err() {
            return;
        }
        let (_accepted, peer) = listener.accept().unwrap();
        let own = Some(rustix::process::geteuid().as_raw());
        assert_eq!(owner(peer, server), own);
        assert_eq!(owner(mapped(peer), mapped(server)), own);
    }

    #[test]
    fn only_an_answer_that_describes_the_connection_counts() {
        let (client, server) = ("127.0.0.1:40000".parse().unwrap(), "127.0.0.1:80".parse().unwrap());
        let answer = |kind: u16, state: u8, identity: Vec<u8>| {
            let mut message = vec![0; HEADER + ANSWER];
            message[4..6].copy_from_slice(&kind.to_ne_bytes());
            message[HEADER + 1] = state;
            message[HEADER + 4..HEADER + 4 + identity.len()].copy_from_slice(&identity);
            message[HEADER + 64..HEADER + 68].copy_from_slice(&1001_u32.to_ne_bytes());
            message
        };
        let good = answer(SOCK_DIAG_BY_FAMILY, ESTABLISHED, identity(client, server));
        assert_eq!(owner_in(&good, client, server), Some(1001));
        let as_mapped = answer(SOCK_DIAG_BY_FAMILY, ESTABLISHED, identity(mapped(client), mapped(server)));
        assert_eq!(owner_in(&as_mapped, client, server), Some(1001));
        let other = answer(SOCK_DIAG_BY_FAMILY, ESTABLISHED, identity(server, client));
        assert_eq!(owner_in(&other, client, server), None);
        let error = answer(2, ESTABLISHED, identity(client, server));
        assert_eq!(owner_in(&error, client, server), None);
        let closed = answer(SOCK_DIAG_BY_FAMILY, 8, identity(client, server));
        assert_eq!(owner_in(&closed, client, server), None);
        for length in 0..good.len() {
            assert_eq!(owner_in(&good[..length], client, server), None, "{length} bytes");
        }
    }
}
