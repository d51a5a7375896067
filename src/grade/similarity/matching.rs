//! Finds the regions that two programs share, and computes their similarity. Regions are chosen greedily by length and
//! do not overlap.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::tokens::{SourceToken, TokenizedProgram};
use super::winnow::{KGRAM, kgram_hashes};

/// Maximum number of positions in the other program at which a k-gram is compared, since tables repeat the same k-gram
/// many times.
const MAX_PLACES: usize = 32;

/// A region that two programs share, as token ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedRegion {
    /// The tokens of the first program.
    pub left: Range<usize>,
    /// The tokens of the second program.
    pub right: Range<usize>,
}

/// The shared regions and the similarity of two programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairComparison {
    /// The regions, in the order of the first program.
    pub regions: Vec<SharedRegion>,
    /// The share of both programs' tokens that lies in the regions, in thousandths. Ignored tokens are not counted.
    pub similarity: u32,
}

/// Marks a program's own tokens, which are not covered by ignored k-grams.
pub(super) fn own_tokens(tokens: usize, hashes: &[u64], ignored: &dyn Fn(u64) -> bool) -> Vec<bool> {
    let mut own = vec![true; tokens];
    for (at, _) in hashes.iter().enumerate().filter(|(_, hash)| ignored(**hash)) {
        own[at..at + KGRAM].fill(false);
    }
    own
}

/// Finds the regions that two programs share. K-grams with `ignored` hashes count for neither.
pub fn compare_pair(
    left: &TokenizedProgram,
    right: &TokenizedProgram,
    ignored: &dyn Fn(u64) -> bool,
) -> PairComparison {
    let (a, b) = (&left.tokens[..], &right.tokens[..]);
    let hashes = (kgram_hashes(a), kgram_hashes(b));
    let own = (own_tokens(a.len(), &hashes.0, ignored), own_tokens(b.len(), &hashes.1, ignored));
    let mut free = (vec![true; a.len()], vec![true; b.len()]);
    let mut regions = Vec::new();
    for SharedRegion { left, right } in candidates((a, &hashes.0), (b, &hashes.1), ignored) {
        // Use only the tokens that no longer region covers.
        let mut start = 0;
        for at in 0..=left.len() {
            if at < left.len() && free.0[left.start + at] && free.1[right.start + at] {
                continue;
            }
            if at - start >= KGRAM {
                let region = SharedRegion {
                    left: left.start + start..left.start + at,
                    right: right.start + start..right.start + at,
                };
                free.0[region.left.clone()].fill(false);
                free.1[region.right.clone()].fill(false);
                regions.push(region);
            }
            start = at + 1;
        }
    }
    regions.sort_by_key(|region| region.left.start);
    let count = |own: &[bool]| own.iter().filter(|own| **own).count();
    let inside = |region: &SharedRegion| count(&own.0[region.left.clone()]) + count(&own.1[region.right.clone()]);
    let (covered, all) = (regions.iter().map(inside).sum::<usize>(), count(&own.0) + count(&own.1));
    let similarity = u32::try_from(covered * 1_000 / all.max(1)).unwrap_or(1_000);
    PairComparison { regions, similarity }
}

/// The tokens of a program and the hashes of its k-grams.
type Hashed<'t> = (&'t [SourceToken], &'t [u64]);

/// All maximal regions that contain a common k-gram which is not ignored, the longest first.
fn candidates((a, of_a): Hashed<'_>, (b, of_b): Hashed<'_>, ignored: &dyn Fn(u64) -> bool) -> Vec<SharedRegion> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, hash) in of_b.iter().enumerate().filter(|(_, hash)| !ignored(**hash)) {
        let places = places.entry(*hash).or_default();
        if places.len() < MAX_PLACES {
            places.push(at);
        }
    }
    let mut found = Vec::new();
    // End of the last region on each diagonal. Earlier k-grams on the diagonal belong to that region.
    let mut ends: HashMap<(bool, usize), usize> = HashMap::new();
    for (at, hash) in of_a.iter().enumerate() {
        for &other in places.get(hash).into_iter().flatten() {
            let end = ends.entry((at < other, at.abs_diff(other))).or_default();
            if at < *end {
                continue;
            }
            let alike = |(x, y): &(&SourceToken, &SourceToken)| x.kind == y.kind;
            let back = a[..at].iter().rev().zip(b[..other].iter().rev()).take_while(alike).count();
            let ahead = a[at..].iter().zip(&b[other..]).take_while(alike).count();
            *end = at + ahead;
            // Two different k-grams may have the same hash.
            if back + ahead >= KGRAM {
                found.push(SharedRegion { left: at - back..at + ahead, right: other - back..other + ahead });
            }
        }
    }
    let mut by_length: BTreeMap<(std::cmp::Reverse<usize>, usize, usize), SharedRegion> = BTreeMap::new();
    for region in found {
        by_length.insert((std::cmp::Reverse(region.left.len()), region.left.start, region.right.start), region);
    }
    by_length.into_values().collect()
}
