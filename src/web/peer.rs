//! Which user of this machine opened a connection to a loopback address.
//!
//! A server without accounts must not serve other users of the machine: they could read the owner's programs and run
//! programs in the owner's name. The kernel lists the owner of each socket in `/proc/net/tcp`.

use std::net::{IpAddr, SocketAddr};

/// Whether a connection from this address may be used by a server without accounts. It may not if it belongs to another
/// user. A connection whose owner is unknown is accepted: it may come from another network namespace, to which the person
/// who runs the server has connected this one.
pub(super) fn is_owner(client: SocketAddr) -> bool {
    let table = if client.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
    // procfs needs no permission for one's own network namespace.
    let Ok(text) = fs_err::read_to_string(table) else { return true };
    let own = rustix::process::geteuid().as_raw();
    owner(&text, client).is_none_or(|user| user == own || user == 0)
}

/// The user id of the socket with this local address.
fn owner(table: &str, local: SocketAddr) -> Option<u32> {
    let wanted = shown(local);
    let mut lines = table.lines().skip(1).map(|line| line.split_ascii_whitespace());
    lines.find_map(|mut columns| (columns.nth(1)? == wanted).then(|| columns.nth(5)?.parse().ok())?)
}

/// An address as the kernel lists it: each group of four bytes as a number in the machine's byte order, and the port.
fn shown(address: SocketAddr) -> String {
    let bytes = match address.ip() {
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

    use super::*;

    #[test]
    fn the_kernel_lists_the_owner_of_a_connection() {
        for place in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(place) else { continue };
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (_server, peer) = listener.accept().unwrap();
            let table = if peer.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
            let text = fs_err::read_to_string(table).unwrap();
            assert_eq!(owner(&text, peer), Some(rustix::process::geteuid().as_raw()), "{place}");
            assert!(is_owner(peer));
            drop(client);
        }
    }

    #[test]
    fn another_user_is_found_by_address_and_port() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                     0: 0100007F:0CEA 0100007F:2203 01 00000000:00000000 00:00000000 00000000  1001        0 17 1\n";
        assert_eq!(owner(table, "127.0.0.1:3306".parse().unwrap()), Some(1001));
        assert_eq!(owner(table, "127.0.0.1:3307".parse().unwrap()), None);
    }
}
