//! Fingerprints of a token sequence by winnowing: Schleimer, Wilkerson, Aiken, *Winnowing: Local Algorithms for Document
//! Fingerprinting*, SIGMOD 2003. Every run of [`KGRAM`] tokens (a k-gram) is hashed, and the least hash of every
//! [`WINDOW`] neighbours is kept. Two programs that share `KGRAM + WINDOW - 1` consecutive tokens therefore share a
//! fingerprint, and a shared run of fewer than `KGRAM` tokens never gives one.

use super::tokens::SourceToken;

/// Number of consecutive tokens that are hashed together.
pub const KGRAM: usize = 13;
/// Number of neighbouring hashes of which one is kept.
pub const WINDOW: usize = 8;

/// Hashes every k-gram; the index of a hash is that of the k-gram's first token.
pub(super) fn kgram_hashes(tokens: &[SourceToken]) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let term = |token: &SourceToken| u64::from(token.kind) + 1;
    let leaving = BASE.wrapping_pow(KGRAM as u32);
    let mut hash = 0_u64;
    let mut hashes = Vec::with_capacity((tokens.len() + 1).saturating_sub(KGRAM));
    for (at, token) in tokens.iter().enumerate() {
        hash = hash.wrapping_mul(BASE).wrapping_add(term(token));
        if at >= KGRAM {
            hash = hash.wrapping_sub(term(&tokens[at - KGRAM]).wrapping_mul(leaving));
        }
        if at + 1 >= KGRAM {
            hashes.push(mix(hash));
        }
    }
    hashes
}

/// Mixes the bits (the finalizer of splitmix64), so that the least hash of a window is an arbitrary one.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Selects the fingerprints among these hashes, sorted and without duplicates. Hashes that are `ignored` are left out.
pub(super) fn fingerprints(hashes: &[u64], ignored: &dyn Fn(u64) -> bool) -> Vec<u64> {
    let mut kept = Vec::new();
    for own in hashes.split(|hash| ignored(*hash)) {
        let least = |window: &[u64]| window.iter().copied().min();
        match own.len() {
            0..WINDOW => kept.extend(least(own)),
            _ => kept.extend(own.windows(WINDOW).filter_map(least)),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(kinds: &[u32]) -> Vec<SourceToken> {
        kinds.iter().map(|&kind| SourceToken { kind, range: 0..0 }).collect()
    }

    proptest! {
        #[test]
        fn shared_runs_of_guaranteed_length_share_a_fingerprint(
            part in prop::collection::vec(0_u32..9, KGRAM + WINDOW - 1..60),
            before in prop::collection::vec(0_u32..9, 0..40),
            behind in prop::collection::vec(0_u32..9, 0..40),
        ) {
            let none = |_| false;
            let one = fingerprints(&kgram_hashes(&tokens(&[&before[..], &part[..]].concat())), &none);
            let other = fingerprints(&kgram_hashes(&tokens(&[&part[..], &behind[..]].concat())), &none);
            prop_assert!(one.iter().any(|print| other.contains(print)));
        }

        #[test]
        fn the_hash_of_a_kgram_does_not_depend_on_its_position(before in prop::collection::vec(0_u32..9, 0..40)) {
            let run: Vec<u32> = (0..KGRAM as u32).collect();
            let hashes = kgram_hashes(&tokens(&[&before[..], &run[..]].concat()));
            prop_assert_eq!(hashes[before.len()], kgram_hashes(&tokens(&run))[0]);
        }
    }

    #[test]
    fn ignored_hashes_give_no_fingerprint() {
        let hashes = kgram_hashes(&tokens(&(0..40).collect::<Vec<_>>()));
        assert!(fingerprints(&hashes, &|_| true).is_empty());
        assert_eq!(fingerprints(&hashes[..3], &|hash| hash == hashes[1]).len(), 2);
        assert!(kgram_hashes(&tokens(&[1, 2, 3])).is_empty());
    }
}
