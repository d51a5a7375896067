//! Fingerprints of a list of tokens by winnowing: Schleimer, Wilkerson, Aiken, *Winnowing: Local Algorithms for Document
//! Fingerprinting*, SIGMOD 2003. Of the hashes of all runs of [`RUN`] tokens, the least of every [`WINDOW`] neighbours
//! is kept. So any part of `RUN + WINDOW - 1` tokens that two programs share gives both a common fingerprint, and no
//! shorter part than `RUN` tokens ever does.

use super::tokens::Token;

/// How many tokens are hashed together.
pub const RUN: usize = 13;
/// Of how many neighbouring hashes one is kept.
pub const WINDOW: usize = 8;

/// The hash of each run of [`RUN`] tokens, by its first token.
pub(super) fn runs(tokens: &[Token]) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let term = |token: &Token| u64::from(token.kind) + 1;
    let leaving = BASE.wrapping_pow(RUN as u32);
    let mut hash = 0_u64;
    let mut hashes = Vec::with_capacity((tokens.len() + 1).saturating_sub(RUN));
    for (at, token) in tokens.iter().enumerate() {
        hash = hash.wrapping_mul(BASE).wrapping_add(term(token));
        if at >= RUN {
            hash = hash.wrapping_sub(term(&tokens[at - RUN]).wrapping_mul(leaving));
        }
        if at + 1 >= RUN {
            hashes.push(mixed(hash));
        }
    }
    hashes
}

/// The same number with its bits mixed, so that the least of several is any of them (the end of splitmix64).
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The fingerprints of these hashes, sorted, each once. Hashes that are `ignored` are no one's.
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

    fn tokens(kinds: &[u32]) -> Vec<Token> {
        kinds.iter().map(|&kind| Token { kind, place: 0..0 }).collect()
    }

    proptest! {
        #[test]
        fn a_shared_part_of_the_guaranteed_length_shares_a_fingerprint(
            part in prop::collection::vec(0_u32..9, RUN + WINDOW - 1..60),
            before in prop::collection::vec(0_u32..9, 0..40),
            behind in prop::collection::vec(0_u32..9, 0..40),
        ) {
            let none = |_| false;
            let one = fingerprints(&runs(&tokens(&[&before[..], &part[..]].concat())), &none);
            let other = fingerprints(&runs(&tokens(&[&part[..], &behind[..]].concat())), &none);
            prop_assert!(one.iter().any(|print| other.contains(print)));
        }

        #[test]
        fn a_run_has_one_hash_wherever_it_is(before in prop::collection::vec(0_u32..9, 0..40)) {
            let run: Vec<u32> = (0..RUN as u32).collect();
            let hashes = runs(&tokens(&[&before[..], &run[..]].concat()));
            prop_assert_eq!(hashes[before.len()], runs(&tokens(&run))[0]);
        }
    }

    #[test]
    fn what_is_ignored_gives_no_fingerprint() {
        let hashes = runs(&tokens(&(0..40).collect::<Vec<_>>()));
        assert!(fingerprints(&hashes, &|_| true).is_empty());
        assert_eq!(fingerprints(&hashes[..3], &|hash| hash == hashes[1]).len(), 2);
        assert!(runs(&tokens(&[1, 2, 3])).is_empty());
    }
}
