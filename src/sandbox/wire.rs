//! Frames between the judge and a cell or the fork server, on a Unix socket that keeps packets apart. File descriptors
//! are sent with the first packet of a frame.
//!
//! A frame consists of its kind, a run number and the body's length (three little-endian 64-bit words), and the body. Most
//! frames fit in one packet, which needs one system call to send and one to receive.
//! Both ends are the same binary, so the format has no version. Received frames are still validated.

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};

/// The maximum number of descriptors in a frame.
const DESCRIPTORS_MAX: usize = 64;
/// The maximum number of pipe ends that a program inherits in addition to the standard streams. A request may also carry
/// the descriptor of the contents of its files.
pub const MORE_PIPES_MAX: usize = DESCRIPTORS_MAX - 4;
/// The maximum length of a body, in bytes. It is larger than any request, and small enough not to exhaust memory.
const BODY_MAX: u64 = 1 << 30;
/// The size of the header (kind, number and length), in bytes.
const HEAD: usize = 24;
/// The maximum size of a packet, in bytes. It is below the smallest size of a socket's buffer.
const PACKET_MAX: usize = 4 << 10;

/// The maximum length of the body of a frame that consists of one packet, in bytes.
pub(super) const SINGLE_PACKET_BODY_MAX: usize = PACKET_MAX - HEAD;

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum FrameKind {
    /// Judge to cell: configure the cell.
    Setup = 1,
    /// Cell to judge: the cell is prepared.
    Ready = 2,
    /// Judge to cell: run a program.
    Request = 3,
    /// Cell to judge: the results of runs.
    Reply = 4,
    /// Judge to cell, on the control socket: stop the run with this number.
    Stop = 5,
    /// Cell or fork server to judge: it failed, and the body is the error message.
    Trouble = 6,
    /// Cell to judge, before the reply: a part of a file that the program left.
    FilePart = 7,
    /// Judge to fork server: fork a process for the cell whose socket is the first descriptor, into the control group
    /// whose directory is the second one, if any. The body is whether the cell will have namespaces, the number of CPUs on
    /// which the process may run until it is prepared, and the CPUs of the judge, of which these are the first.
    Fork = 8,
    /// Fork server to judge: the number is the id of the forked process. The body is empty if the process is not in the
    /// requested control group.
    Forked = 9,
    /// Judge to cell, on the control socket: send the results of the runs that have ended, and that of the run with this
    /// number as soon as it has ended.
    Report = 10,
}

impl FrameKind {
    fn read(word: u64) -> Result<FrameKind> {
        use FrameKind::{FilePart, Fork, Forked, Ready, Reply, Report, Request, Setup, Stop, Trouble};
        [Setup, Ready, Request, Reply, Stop, Trouble, FilePart, Fork, Forked, Report]
            .into_iter()
            .find(|kind| *kind as u64 == word)
            .ok_or_else(|| Error::new(ErrorKind::InvalidData, "unknown frame kind"))
    }
}

/// A received frame.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// The number of the run to which the frame belongs; 0 outside of runs.
    pub(super) number: u64,
    pub(super) body: Vec<u8>,
    pub(super) descriptors: Vec<OwnedFd>,
}

/// Sends a frame with at most [`DESCRIPTORS_MAX`] file descriptors.
pub(super) fn send(
    socket: impl AsFd,
    kind: FrameKind,
    number: u64,
    body: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> Result<()> {
    let mut bytes = Vec::with_capacity(HEAD + body.len());
    for word in [kind as u64, number, body.len() as u64] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(body);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(descriptors)) {
        let message = format!("a frame may have at most {DESCRIPTORS_MAX} descriptors, found {}", descriptors.len());
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    let (first, rest) = bytes.split_at(bytes.len().min(PACKET_MAX));
    retry(|| {
        rustix::net::sendmsg(&socket, &[IoSlice::new(first)], &mut ancillary, SendFlags::NOSIGNAL).map_err(Error::from)
    })?;
    for packet in rest.chunks(PACKET_MAX) {
        retry(|| rustix::net::send(&socket, packet, SendFlags::NOSIGNAL).map_err(Error::from))?;
    }
    Ok(())
}

/// Returns the result of [`send`], but success if the other end of the socket is closed. The caller must notice the closed
/// socket when it receives the next frame.
pub(super) fn unless_closed(sent: Result<()>) -> Result<()> {
    match sent {
        // The second error means that the other end did not receive everything before it was closed.
        Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => Ok(()),
        sent => sent,
    }
}

/// Receives a frame. Returns `None` if the other end has closed the socket, even in the middle of a frame.
pub(super) fn receive(socket: impl AsFd) -> Result<Option<Frame>> {
    receive_frame(socket, RecvFlags::empty())
}

/// Receives a frame that has arrived. Fails with [`ErrorKind::WouldBlock`] if there is none.
pub(super) fn receive_at_once(socket: impl AsFd) -> Result<Option<Frame>> {
    receive_frame(socket, RecvFlags::DONTWAIT)
}

/// Receives a frame, whose first packet is received with `flags`.
fn receive_frame(socket: impl AsFd, flags: RecvFlags) -> Result<Option<Frame>> {
    let mut first = [0_u8; PACKET_MAX];
    let mut descriptors = Vec::new();
    let count = receive_packet(&socket, flags, &mut first, &mut descriptors)?;
    if count == 0 {
        return Ok(None);
    }
    let (head, start) = first[..count]
        .split_at_checked(HEAD)
        .ok_or_else(|| Error::new(ErrorKind::InvalidData, "a frame is shorter than its header"))?;
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let (kind, number, length) = (FrameKind::read(word(0))?, word(8), word(16));
    if length > BODY_MAX {
        let message = format!("the body of a frame may have at most {BODY_MAX} bytes, found {length}");
        return Err(Error::new(ErrorKind::InvalidData, message));
    }
    let length = length as usize;
    if start.len() > length {
        return Err(Error::new(ErrorKind::InvalidData, "a packet is longer than its frame"));
    }
    let mut body = start.to_vec();
    let mut have = body.len();
    body.resize(length, 0);
    while have < length {
        let count = receive_packet(&socket, RecvFlags::empty(), &mut body[have..], &mut descriptors)?;
        if count == 0 {
            return Ok(None);
        }
        have += count;
    }
    Ok(Some(Frame { kind, number, body, descriptors }))
}

/// Receives a packet. Returns its size, or 0 if the other end has closed the socket.
fn receive_packet(
    socket: impl AsFd,
    flags: RecvFlags,
    buffer: &mut [u8],
    descriptors: &mut Vec<OwnedFd>,
) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut receive = || {
        let mut slices = [IoSliceMut::new(buffer)];
        rustix::net::recvmsg(&socket, &mut slices, &mut ancillary, flags | RecvFlags::CMSG_CLOEXEC).map_err(Error::from)
    };
    let received = match retry(&mut receive) {
        // The other end was closed before it received everything. This is reported once, before the packets that it sent.
        Err(error) if error.kind() == ErrorKind::ConnectionReset => retry(&mut receive),
        other => other,
    }?;
    if received.flags.contains(ReturnFlags::TRUNC) {
        return Err(Error::new(ErrorKind::InvalidData, "a packet is longer than its frame"));
    }
    if received.flags.contains(ReturnFlags::CTRUNC) {
        return Err(Error::other("cannot receive all descriptors of a frame; the limit on open files may be too low"));
    }
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    Ok(received.bytes)
}

fn retry<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// An encoder for the body of a frame, which consists of 64-bit words and of byte strings preceded by their lengths.
#[derive(Debug, Default)]
pub(super) struct BodyWriter(pub(super) Vec<u8>);

impl BodyWriter {
    pub(super) fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    /// Encodes a list of words, which [`BodyReader::list`] decodes.
    pub(super) fn words(&mut self, words: &[u64]) {
        self.word(words.len() as u64);
        words.iter().for_each(|word| self.word(*word));
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// A decoder for the body of a frame that [`BodyWriter`] encoded.
#[derive(Debug)]
pub(super) struct BodyReader<'a>(pub(super) &'a [u8]);

impl<'a> BodyReader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (head, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| Error::new(ErrorKind::InvalidData, "unexpected end of a frame"))?;
        self.0 = rest;
        Ok(head)
    }

    pub(super) fn word(&mut self) -> Result<u64> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>> {
        let count = self.word()?;
        let count =
            usize::try_from(count).map_err(|_| Error::new(ErrorKind::InvalidData, "invalid length in a frame"))?;
        Ok(self.take(count)?.to_vec())
    }

    /// Decodes a list: a word with the number of items, then the items.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut BodyReader<'a>) -> Result<T>) -> Result<Vec<T>> {
        let count = self.word()?;
        (0..count).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    fn pair() -> (OwnedFd, OwnedFd) {
        socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).unwrap()
    }

    #[test]
    fn frames_arrive_complete_and_in_order_with_descriptors() {
        let (here, there) = pair();
        let body: Vec<u8> = (0..300_000).map(|i| i as u8).collect();
        let sender = std::thread::spawn({
            let body = body.clone();
            move || {
                send(&here, FrameKind::Request, 7, &body, &[here.as_fd(), here.as_fd()]).unwrap();
                send(&here, FrameKind::Stop, 8, &[], &[]).unwrap();
            }
        });
        let first = receive(&there).unwrap().unwrap();
        assert_eq!((first.kind, first.number, first.descriptors.len()), (FrameKind::Request, 7, 2));
        assert_eq!(first.body, body);
        drop(first);
        let second = receive(&there).unwrap().unwrap();
        assert_eq!((second.kind, second.number, second.body.len()), (FrameKind::Stop, 8, 0));
        sender.join().unwrap();
        assert!(receive(&there).unwrap().is_none(), "the other end is closed");
    }

    #[test]
    fn a_frame_arrives_although_its_sender_did_not_receive_everything() {
        let (here, there) = pair();
        send(&here, FrameKind::Stop, 1, &[], &[]).unwrap();
        send(&there, FrameKind::Trouble, 1, b"broken", &[]).unwrap();
        drop(there);
        assert_eq!(receive(&here).unwrap().unwrap().body, b"broken");
        assert!(receive(&here).unwrap().is_none());
    }

    #[test]
    fn sending_to_a_closed_socket_is_reported_by_the_next_frame() {
        let (here, there) = pair();
        send(&here, FrameKind::Stop, 1, &[], &[]).unwrap();
        send(&there, FrameKind::Trouble, 1, b"broken", &[]).unwrap();
        drop(there);
        for _ in 0..2 {
            unless_closed(send(&here, FrameKind::Stop, 1, &[], &[])).unwrap();
        }
        assert!(send(&here, FrameKind::Stop, 1, &[], &[]).is_err());
        assert_eq!(receive(&here).unwrap().unwrap().body, b"broken");
        assert!(receive(&here).unwrap().is_none());
    }

    #[test]
    fn invalid_frames_are_rejected() {
        let (here, there) = pair();
        rustix::io::write(&here, &[9; HEAD]).unwrap();
        assert!(receive(&there).is_err());
        let mut words = Vec::new();
        for word in [FrameKind::Reply as u64, 0, u64::MAX] {
            words.extend_from_slice(&word.to_le_bytes());
        }
        rustix::io::write(&here, &words).unwrap();
        assert!(receive(&there).is_err());
        assert!(BodyReader(&[1, 2, 3]).word().is_err());
        assert!(BodyReader(&u64::MAX.to_le_bytes()).bytes().is_err());
    }
}
