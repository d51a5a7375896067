//! Functions that recognize white space, find the first difference between two texts, and count tokens. The loops over
//! whole texts are written so that the compiler vectorizes them.

/// Returns true if the byte is white space for ICPC's default validator: tab, line feed, vertical tab, form feed,
/// carriage return or space.
pub(super) const fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// Returns true if the byte is white space other than a line feed.
pub(super) const fn is_blank(byte: u8) -> bool {
    is_space(byte) && byte != b'\n'
}

/// Returns the number of leading white space bytes.
pub(super) fn spaces(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !is_space(byte)).unwrap_or(bytes.len())
}

/// Returns the number of leading bytes that are white space other than a line feed.
pub(super) fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !is_blank(byte)).unwrap_or(bytes.len())
}

/// Returns the number of leading bytes that are not white space.
pub(super) fn word(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| is_space(byte)).unwrap_or(bytes.len())
}

/// Returns the number of trailing bytes that are not white space.
pub(super) fn word_before(bytes: &[u8]) -> usize {
    bytes.iter().rev().position(|&byte| is_space(byte)).unwrap_or(bytes.len())
}

/// Returns the number of tokens that begin in `bytes`. `after_space` must be true if `bytes` is preceded by white space
/// or is the start of the text.
pub(super) fn token_starts(bytes: &[u8], after_space: bool) -> u64 {
    /// The number of bytes in a block. Counts of at most 255 fit in a byte, which lets the compiler vectorize the loop
    /// over the bytes of a block.
    const LANES: usize = 192;
    let Some(&first) = bytes.first() else { return 0 };
    let mut count = u64::from(after_space && !is_space(first));
    for (before, here) in bytes[..bytes.len() - 1].chunks(LANES).zip(bytes[1..].chunks(LANES)) {
        let starts: u8 = before.iter().zip(here).map(|(&b, &h)| u8::from(is_space(b)) & u8::from(!is_space(h))).sum();
        count += u64::from(starts);
    }
    count
}

/// The differences between two bytes that a comparison ignores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leniency {
    /// Whether different kinds of white space are considered equal.
    pub(super) spaces: bool,
    /// Whether the upper and lower case of an ASCII letter are considered equal.
    pub(super) case: bool,
}

/// Returns the length of the common prefix of `a` and `b`, ignoring the differences that `leniency` allows.
pub(super) fn agreement(a: &[u8], b: &[u8], leniency: Leniency) -> usize {
    match (leniency.spaces, leniency.case) {
        (false, false) => agree::<false, false>(a, b),
        (false, true) => agree::<false, true>(a, b),
        (true, false) => agree::<true, false>(a, b),
        (true, true) => agree::<true, true>(a, b),
    }
}

/// Compares `a[i..]` with `b[j..]`, and returns the indices in `a` and `b` of the first difference, or of the point at
/// which one of them ends. White space between tokens may differ in length and kind. If `case` is true, the case of
/// letters is ignored.
pub(super) fn token_agreement(a: &[u8], b: &[u8], mut i: usize, mut j: usize, case: bool) -> (usize, usize) {
    let leniency = Leniency { spaces: true, case };
    loop {
        let agreed = agreement(&a[i..], &b[j..], leniency);
        (i, j) = (i + agreed, j + agreed);
        let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) else { return (i, j) };
        let between = i > 0 && j > 0 && (is_space(a[i - 1]) || is_space(b[j - 1]));
        match (is_space(x), is_space(y)) {
            (true, false) if between => i += spaces(&a[i..]),
            (false, true) if between => j += spaces(&b[j..]),
            _ => return (i, j),
        }
    }
}

fn same<const SPACES: bool, const CASE: bool>(a: u8, b: u8) -> bool {
    (a == b) | (SPACES && (is_space(a) & is_space(b))) | (CASE && a.eq_ignore_ascii_case(&b))
}

/// Implements [`agreement`] in three stages: words of eight bytes first, since an ignored difference is often followed
/// by another one nearby; then whole pages with a memory comparison; then vectorized blocks in a page that has ignored
/// differences.
fn agree<const SPACES: bool, const CASE: bool>(a: &[u8], b: &[u8]) -> usize {
    const PAGE: usize = 4096;
    const BLOCK: usize = 32;
    const NEAR: usize = 32;
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut at = 0;
    while at < NEAR
        && let (Some(x), Some(y)) = (word_at(a, at), word_at(b, at))
    {
        if x == y {
            at += 8;
            continue;
        }
        at += ((x ^ y).trailing_zeros() / 8) as usize;
        if !same::<SPACES, CASE>(a[at], b[at]) {
            return at;
        }
        at += 1;
    }
    loop {
        while at + PAGE <= length && a[at..at + PAGE] == b[at..at + PAGE] {
            at += PAGE;
        }
        let page = (at + PAGE).min(length);
        while at + BLOCK <= page {
            let (x, y) = (&a[at..at + BLOCK], &b[at..at + BLOCK]);
            if !x.iter().zip(y).fold(true, |all, (&x, &y)| all & same::<SPACES, CASE>(x, y)) {
                break;
            }
            at += BLOCK;
        }
        let end = (at + BLOCK).min(page);
        match a[at..end].iter().zip(&b[at..end]).position(|(&x, &y)| !same::<SPACES, CASE>(x, y)) {
            Some(parted) => return at + parted,
            None => at = end,
        }
        if at == length {
            return length;
        }
    }
}

fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(a: &[u8], b: &[u8], leniency: Leniency) -> usize {
        a.iter()
            .zip(b)
            .take_while(|&(&x, &y)| {
                x == y
                    || (leniency.spaces && b" \t\n\x0b\x0c\r".contains(&x) && b" \t\n\x0b\x0c\r".contains(&y))
                    || (leniency.case && x.eq_ignore_ascii_case(&y))
            })
            .count()
    }

    #[test]
    fn exactly_six_bytes_are_white_space() {
        let spaces: Vec<u8> = (0..=255).filter(|&byte| is_space(byte)).collect();
        assert_eq!(spaces, [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
    }

    proptest! {
        #[test]
        fn agreement_equals_the_simple_loop(
            text in proptest::collection::vec(proptest::sample::select(b"aAb \n\r\t0".to_vec()), 0..300),
            repeat in 1_usize..40,
            changes in proptest::collection::vec((any::<proptest::sample::Index>(), proptest::sample::select(b"aAb \n\t\0".to_vec())), 0..4),
            spaces: bool,
            case: bool,
        ) {
            let a = text.repeat(repeat);
            let mut b = a.clone();
            for (place, byte) in changes {
                if !b.is_empty() {
                    let place = place.index(b.len());
                    b[place] = byte;
                }
            }
            let leniency = Leniency { spaces, case };
            prop_assert_eq!(agreement(&a, &b, leniency), naive(&a, &b, leniency));
        }

        #[test]
        fn token_starts_equal_splitting(text in proptest::collection::vec(proptest::sample::select(b"a \n0".to_vec()), 0..2000)) {
            let tokens = text.split(|&b| is_space(b)).filter(|token| !token.is_empty()).count();
            prop_assert_eq!(token_starts(&text, true), tokens as u64);
        }
    }
}
