//! Which user of this machine opened a connection to a loopback address.
//!
//! A server without accounts must not serve other users of the machine: they could read the owner's programs and run
//! programs in the owner's name. The kernel lists the owner of each socket in `/proc/net/tcp` and `/proc/net/tcp6`.

use std::net::{IpAddr, SocketAddr};

/// State of a connection that neither side has closed, in the kernel's table.
const ESTABLISHED: &str = "01";

/// Whether a connection from this address to the server's address belongs to the user of this process or to root. A
/// connection that the kernel does not list, or that the client has closed already, belongs to nobody.
pub(super) fn is_owner(client: SocketAddr, server: SocketAddr) -> bool {
    let own = rustix::process::geteuid().as_raw();
    // A socket for IPv6 may be connected to an IPv4 address; the kernel then lists it with mapped addresses.
    let tables = [("/proc/net/tcp", false), ("/proc/net/tcp6", true)];
    let found = tables.into_iter().find_map(|(table, mapped)| {
        // procfs needs no permission for one's own network namespace.
        let text = fs_err::read_to_string(table).ok()?;
        owner(&text, (shown(client, mapped), shown(server, mapped)))
    });
    found.is_some_and(|user| user == own || user == 0)
}

/// The user id of the open connection between these addresses.
fn owner(table: &str, (local, remote): (String, String)) -> Option<u32> {
    table.lines().skip(1).find_map(|line| {
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_it = columns.get(1..4)? == [&local[..], &remote[..], ESTABLISHED];
        is_it.then(|| columns.get(7)?.parse().ok())?
    })
}

/// An address as the kernel lists it: each group of four bytes as a number in the machine's byte order, and the port.
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
            assert!(is_owner(peer, address), "{place}");
            assert!(!is_owner(peer, "127.0.0.1:1".parse().unwrap()), "another connection from the same port");
            drop((client, server));
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
        assert!(is_owner(peer, address));
        let other = "127.0.0.1:3307".parse().unwrap();
        let row = |user: u32| {
            let (local, remote) = (shown(peer, true), shown(address, true));
            format!("head\n 0: {local} {remote} 01 00000000:00000000 00:00000000 00000000 {user} 0 17 1\n")
        };
        let pair = |peer| (shown(peer, true), shown(address, true));
        assert_eq!(owner(&row(1001), pair(peer)), Some(1001));
        assert_eq!(owner(&row(1001), pair(other)), None);
        assert_eq!(owner(&row(0).replace(" 01 ", " 05 "), pair(peer)), None, "the client has closed it");
    }
}
