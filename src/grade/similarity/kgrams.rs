//! K-grams: sequences of [`KGRAM`] consecutive tokens, represented by their hashes. A program has few tokens, so
//! all its k-grams are used as fingerprints.

use super::tokens::SourceToken;

/// Number of consecutive tokens that are hashed together.
pub(super) const KGRAM: usize = 3;

/// Returns the hashes of all k-grams. The index of a hash is the index of the first token of the k-gram.
pub(super) fn kgram_hashes(tokens: &[SourceToken]) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let hash = |run: &[SourceToken]| {
        run.iter().fold(0_u64, |hash, token| hash.wrapping_mul(BASE).wrapping_add(u64::from(token.kind) + 1))
    };
    tokens.windows(KGRAM).map(hash).collect()
}

/// Returns the fingerprints of a program, which are the hashes of its k-grams, sorted and without duplicates. Hashes
/// for which `ignored` returns true are left out.
pub(super) fn fingerprints(hashes: &[u64], ignored: &dyn Fn(u64) -> bool) -> Vec<u64> {
    let mut kept: Vec<u64> = hashes.iter().copied().filter(|hash| !ignored(*hash)).collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(kinds: &[u32]) -> Vec<SourceToken> {
        kinds.iter().map(|&kind| SourceToken { kind, range: 0..0 }).collect()
    }

    #[test]
    fn a_hash_depends_on_the_tokens_and_their_order_alone() {
        let hashes = kgram_hashes(&tokens(&[7, 1, 2, 3, 1, 2, 3]));
        assert_eq!(hashes.len(), 5);
        assert_eq!(hashes[1], hashes[4]);
        assert_eq!(fingerprints(&hashes, &|_| false).len(), 4);
        assert!(kgram_hashes(&tokens(&[1, 2])).is_empty());
    }

    #[test]
    fn ignored_hashes_give_no_fingerprint() {
        let hashes = kgram_hashes(&tokens(&(0..40).collect::<Vec<_>>()));
        assert!(fingerprints(&hashes, &|_| true).is_empty());
        assert_eq!(fingerprints(&hashes[..3], &|hash| hash == hashes[1]).len(), 2);
    }
}
