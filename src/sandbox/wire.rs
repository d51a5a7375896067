//! What judge and cell say to each other: frames on a unix stream socket, descriptors beside the first byte.
//!
//! A frame is its kind, a number and the length of its body (three little-endian 64-bit words), then the body. Both
//! ends are the same binary, so the format has no version; still nothing that is read is trusted to be well formed.

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};

/// The most descriptors that travel in one frame.
const DESCRIPTORS_MAX: usize = 64;
/// The longest body. Larger than any request; smaller than what could exhaust memory.
const BODY_MAX: u64 = 1 << 30;
/// Kind, number and length.
const HEAD: usize = 24;

/// What a frame is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Kind {
    /// Judge to cell: prepare yourself so.
    Setup = 1,
    /// Cell to judge: prepared.
    Ready = 2,
    /// Judge to cell: run this.
    Request = 3,
    /// Cell to judge: it ended so.
    Reply = 4,
    /// Judge to cell: end the run of this number.
    Stop = 5,
    /// Cell to judge: something of ours failed; the body says what.
    Trouble = 6,
    /// Both ways, while the cell is born: go on.
    Go = 7,
}

impl Kind {
    fn read(word: u64) -> Result<Kind> {
        [Kind::Setup, Kind::Ready, Kind::Request, Kind::Reply, Kind::Stop, Kind::Trouble, Kind::Go]
            .into_iter()
            .find(|kind| *kind as u64 == word)
            .ok_or_else(|| Error::new(ErrorKind::InvalidData, "a frame of unknown kind"))
    }
}

/// One message.
#[derive(Debug)]
pub(super) struct Frame {
    /// What it is about.
    pub(super) kind: Kind,
    /// Of which run.
    pub(super) number: u64,
    /// What it says.
    pub(super) body: Vec<u8>,
    /// The descriptors that came with it.
    pub(super) descriptors: Vec<OwnedFd>,
}

/// Sends a frame with descriptors.
pub(super) fn send(
    socket: impl AsFd,
    kind: Kind,
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
        return Err(Error::new(ErrorKind::InvalidInput, "more descriptors than a frame holds"));
    }
    let mut sent = retry(|| {
        rustix::net::sendmsg(&socket, &[IoSlice::new(&bytes)], &mut ancillary, SendFlags::NOSIGNAL).map_err(Error::from)
    })?;
    while sent < bytes.len() {
        sent += retry(|| rustix::net::send(&socket, &bytes[sent..], SendFlags::NOSIGNAL).map_err(Error::from))?;
    }
    Ok(())
}

/// Receives a frame; `None` when the other end is gone.
pub(super) fn receive(socket: impl AsFd) -> Result<Option<Frame>> {
    let mut head = [0_u8; HEAD];
    let mut descriptors = Vec::new();
    let mut have = 0;
    while have < HEAD {
        let count = receive_some(&socket, &mut head[have..], &mut descriptors)?;
        if count == 0 {
            return Ok(None);
        }
        have += count;
    }
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let (kind, number, length) = (Kind::read(word(0))?, word(8), word(16));
    if length > BODY_MAX {
        return Err(Error::new(ErrorKind::InvalidData, "a frame that is too long"));
    }
    let mut body = vec![0; length as usize];
    let mut have = 0;
    while have < body.len() {
        let count = receive_some(&socket, &mut body[have..], &mut descriptors)?;
        if count == 0 {
            return Ok(None);
        }
        have += count;
    }
    Ok(Some(Frame { kind, number, body, descriptors }))
}

fn receive_some(socket: impl AsFd, buffer: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received = retry(|| {
        let mut slices = [IoSliceMut::new(buffer)];
        rustix::net::recvmsg(&socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC).map_err(Error::from)
    })?;
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

/// Writes a body.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// Reads a body.
#[derive(Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (head, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| Error::new(ErrorKind::InvalidData, "a frame that ends too early"))?;
        self.0 = rest;
        Ok(head)
    }

    pub(super) fn word(&mut self) -> Result<u64> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>> {
        let count = self.word()?;
        let count = usize::try_from(count).map_err(|_| Error::new(ErrorKind::InvalidData, "a length beyond memory"))?;
        Ok(self.take(count)?.to_vec())
    }

    /// A list: its length, then each item.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Reader<'a>) -> Result<T>) -> Result<Vec<T>> {
        let count = self.word()?;
        (0..count).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    fn pair() -> (OwnedFd, OwnedFd) {
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap()
    }

    #[test]
    fn frames_arrive_whole_and_in_order_with_their_descriptors() {
        let (here, there) = pair();
        let body: Vec<u8> = (0..300_000).map(|i| i as u8).collect();
        let sender = std::thread::spawn({
            let body = body.clone();
            move || {
                send(&here, Kind::Request, 7, &body, &[here.as_fd(), here.as_fd()]).unwrap();
                send(&here, Kind::Stop, 8, &[], &[]).unwrap();
            }
        });
        let first = receive(&there).unwrap().unwrap();
        assert_eq!((first.kind, first.number, first.descriptors.len()), (Kind::Request, 7, 2));
        assert_eq!(first.body, body);
        drop(first);
        let second = receive(&there).unwrap().unwrap();
        assert_eq!((second.kind, second.number, second.body.len()), (Kind::Stop, 8, 0));
        sender.join().unwrap();
        assert!(receive(&there).unwrap().is_none(), "the other end is closed");
    }

    #[test]
    fn nonsense_is_refused() {
        let (here, there) = pair();
        rustix::io::write(&here, &[9; HEAD]).unwrap();
        assert!(receive(&there).is_err());
        let mut words = Vec::new();
        for word in [Kind::Reply as u64, 0, u64::MAX] {
            words.extend_from_slice(&word.to_le_bytes());
        }
        rustix::io::write(&here, &words).unwrap();
        assert!(receive(&there).is_err());
        assert!(Reader(&[1, 2, 3]).word().is_err());
        assert!(Reader(&u64::MAX.to_le_bytes()).bytes().is_err());
    }
}
