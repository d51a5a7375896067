//! Finds the regions that two programs have in common, and computes their share of the tokens of both programs.
//! Common runs are chosen greedily by length. Between neighboring runs, individual tokens are aligned, so that an
//! inserted or changed token does not affect its neighbors.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::kgrams::{KGRAM, kgram_hashes};
use super::tokens::{SourceToken, TokenizedProgram};

/// Maximum number of positions in the other program at which a k-gram is compared, since tables repeat the same k-gram
/// many times.
const MAX_PLACES: usize = 32;
/// Maximum number of tokens next to a run that are aligned one by one.
const MAX_GAP: usize = 64;
/// Maximum distance between two consecutive aligned tokens of one region, in tokens.
const MAX_SKIP: usize = 6;

/// A region that two programs share, as token ranges. Individual tokens in it may differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedRegion {
    /// The tokens of the first program.
    pub left: Range<usize>,
    /// The tokens of the second program.
    pub right: Range<usize>,
}

/// The shared regions of two programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairComparison {
    /// The regions, in the order of the first program.
    pub regions: Vec<SharedRegion>,
    /// The share of the tokens of both programs that match in the regions, in thousandths. Tokens in ignored k-grams
    /// are not counted.
    pub shared: u32,
}

/// Returns, for each of `tokens` tokens, whether no k-gram that contains the token is ignored.
pub(super) fn own_tokens(tokens: usize, hashes: &[u64], ignored: &dyn Fn(u64) -> bool) -> Vec<bool> {
    let mut own = vec![true; tokens];
    for (at, _) in hashes.iter().enumerate().filter(|(_, hash)| ignored(**hash)) {
        own[at..at + KGRAM].fill(false);
    }
    own
}

/// Finds the regions that two programs share. K-grams for whose hashes `ignored` returns true do not count.
pub fn compare_pair(
    left: &TokenizedProgram,
    right: &TokenizedProgram,
    ignored: &dyn Fn(u64) -> bool,
) -> PairComparison {
    let (a, b) = (&left.tokens[..], &right.tokens[..]);
    let hashes = (kgram_hashes(a), kgram_hashes(b));
    let own = (own_tokens(a.len(), &hashes.0, ignored), own_tokens(b.len(), &hashes.1, ignored));
    let runs = common_runs((a, &hashes.0), (b, &hashes.1), ignored);
    let groups = groups(&Alignment::of(a, b, &runs).pairs);
    let count = |own: &[bool]| own.iter().filter(|own| **own).count();
    let matches = groups.iter().flatten();
    let matched: usize = matches.map(|(x, y)| usize::from(own.0[*x]) + usize::from(own.1[*y])).sum();
    let all = count(&own.0) + count(&own.1);
    let shared = u32::try_from(matched * 1_000 / all.max(1)).unwrap_or(1_000);
    PairComparison { regions: groups.iter().filter_map(|group| region(group)).collect(), shared }
}

/// The tokens of a program and the hashes of its k-grams.
type Hashed<'t> = (&'t [SourceToken], &'t [u64]);

/// Returns non-overlapping common runs of at least [`KGRAM`] tokens each. Where candidates overlap, the longer
/// candidate takes precedence.
fn common_runs(a: Hashed<'_>, b: Hashed<'_>, ignored: &dyn Fn(u64) -> bool) -> Vec<SharedRegion> {
    let mut free = (vec![true; a.0.len()], vec![true; b.0.len()]);
    let mut runs = Vec::new();
    for SharedRegion { left, right } in candidates(a, b, ignored) {
        // Tokens that an earlier run already covers are excluded.
        let mut start = 0;
        for at in 0..=left.len() {
            if at < left.len() && free.0[left.start + at] && free.1[right.start + at] {
                continue;
            }
            if at - start >= KGRAM {
                let run = SharedRegion {
                    left: left.start + start..left.start + at,
                    right: right.start + start..right.start + at,
                };
                free.0[run.left.clone()].fill(false);
                free.1[run.right.clone()].fill(false);
                runs.push(run);
            }
            start = at + 1;
        }
    }
    runs
}

/// Returns the maximal common runs of at least [`KGRAM`] tokens with at least one k-gram that is not ignored, the
/// longest first. Only the first [`MAX_PLACES`] positions of a k-gram in `b` are tried.
fn candidates((a, of_a): Hashed<'_>, (b, of_b): Hashed<'_>, ignored: &dyn Fn(u64) -> bool) -> Vec<SharedRegion> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, hash) in of_b.iter().enumerate().filter(|(_, hash)| !ignored(**hash)) {
        let places = places.entry(*hash).or_default();
        if places.len() < MAX_PLACES {
            places.push(at);
        }
    }
    let mut found = Vec::new();
    // The end of the last run on each diagonal. A k-gram that starts before this end belongs to that run.
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

/// The matching tokens of two programs.
struct Alignment<'t> {
    left: &'t [SourceToken],
    right: &'t [SourceToken],
    /// Whether each token of the first and of the second program matches a token of the other program.
    taken: (Vec<bool>, Vec<bool>),
    /// Pairs of matching tokens.
    pairs: Vec<(usize, usize)>,
}

impl<'t> Alignment<'t> {
    /// Matches the tokens of two programs: all tokens of the runs, and in the gaps before and after each run the tokens
    /// of a longest common subsequence.
    fn of(left: &'t [SourceToken], right: &'t [SourceToken], runs: &[SharedRegion]) -> Alignment<'t> {
        let taken = (vec![false; left.len()], vec![false; right.len()]);
        let mut alignment = Alignment { left, right, taken, pairs: Vec::new() };
        for run in runs {
            alignment.take(run.left.clone().zip(run.right.clone()).collect());
        }
        let runs_only = alignment.taken.clone();
        for run in runs {
            let behind = |taken: &[bool], end: usize| {
                end..end + taken[end..].iter().take(MAX_GAP).take_while(|taken| !**taken).count()
            };
            let before = |taken: &[bool], start: usize| {
                start - taken[..start].iter().rev().take(MAX_GAP).take_while(|taken| !**taken).count()..start
            };
            alignment.fill(behind(&runs_only.0, run.left.end), behind(&runs_only.1, run.right.end));
            alignment.fill(before(&runs_only.0, run.left.start), before(&runs_only.1, run.right.start));
        }
        alignment.pairs.sort_unstable();
        alignment
    }

    fn take(&mut self, pairs: Vec<(usize, usize)>) {
        for (x, y) in &pairs {
            self.taken.0[*x] = true;
            self.taken.1[*y] = true;
        }
        self.pairs.extend(pairs);
    }

    /// Matches the tokens of a longest common subsequence of the unmatched tokens in two ranges.
    fn fill(&mut self, left: Range<usize>, right: Range<usize>) {
        let alike =
            |x: usize, y: usize| self.left[x].kind == self.right[y].kind && !self.taken.0[x] && !self.taken.1[y];
        let width = right.len() + 1;
        let mut best = vec![0_u16; (left.len() + 1) * width];
        for (row, x) in left.clone().enumerate().rev() {
            for (column, y) in right.clone().enumerate().rev() {
                let (here, below) = (row * width + column, (row + 1) * width + column);
                best[here] = if alike(x, y) { best[below + 1] + 1 } else { best[below].max(best[here + 1]) };
            }
        }
        let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
        while row < left.len() && column < right.len() {
            if alike(left.start + row, right.start + column) {
                pairs.push((left.start + row, right.start + column));
                (row, column) = (row + 1, column + 1);
            } else if best[(row + 1) * width + column] >= best[row * width + column + 1] {
                row += 1;
            } else {
                column += 1;
            }
        }
        self.take(pairs);
    }
}

/// Groups neighboring pairs of tokens. Groups of fewer than [`KGRAM`] pairs occur by chance and are left out.
fn groups(aligned: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
    let mut found: Vec<Vec<(usize, usize)>> = Vec::new();
    for &(x, y) in aligned {
        let is_near = |last: &(usize, usize)| x <= last.0 + MAX_SKIP && y > last.1 && y <= last.1 + MAX_SKIP;
        match found.last_mut() {
            Some(group) if group.last().is_some_and(is_near) => group.push((x, y)),
            _ => found.push(vec![(x, y)]),
        }
    }
    found.retain(|group| group.len() >= KGRAM);
    found
}

/// Returns the region that a group of pairs spans.
fn region(group: &[(usize, usize)]) -> Option<SharedRegion> {
    let (first, last) = (group.first()?, group.last()?);
    Some(SharedRegion { left: first.0..last.0 + 1, right: first.1..last.1 + 1 })
}
