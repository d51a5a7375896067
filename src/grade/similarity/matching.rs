//! The parts that two programs share, longest first, none over another: by it likeness is measured and shown.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::tokens::{Program, Token};
use super::winnow::{RUN, runs};

/// How often one run of tokens is looked up in the other program; tables repeat themselves without end.
const MOST_PLACES: usize = 32;

/// A part that two programs share, as the tokens of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// In the first program.
    pub left: Range<usize>,
    /// In the second.
    pub right: Range<usize>,
}

/// What two programs share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shared {
    /// The parts, in the order of the first program.
    pub parts: Vec<Part>,
    /// The share of both programs' own tokens that lie in the parts, in thousandths.
    pub likeness: u32,
}

/// Which tokens are a program's own: not in a run that is ignored.
pub(super) fn own(tokens: usize, hashes: &[u64], ignored: &dyn Fn(u64) -> bool) -> Vec<bool> {
    let mut own = vec![true; tokens];
    for (at, _) in hashes.iter().enumerate().filter(|(_, hash)| ignored(**hash)) {
        own[at..at + RUN].fill(false);
    }
    own
}

/// What two programs share, beside what is ignored.
pub fn shared(left: &Program, right: &Program, ignored: &dyn Fn(u64) -> bool) -> Shared {
    let (a, b) = (&left.tokens[..], &right.tokens[..]);
    let hashes = (runs(a), runs(b));
    let own = (own(a.len(), &hashes.0, ignored), own(b.len(), &hashes.1, ignored));
    let mut free = (vec![true; a.len()], vec![true; b.len()]);
    let mut parts = Vec::new();
    for Part { left, right } in candidates((a, &hashes.0), (b, &hashes.1), ignored) {
        // What is left of it between parts that are longer.
        let mut start = 0;
        for at in 0..=left.len() {
            if at < left.len() && free.0[left.start + at] && free.1[right.start + at] {
                continue;
            }
            if at - start >= RUN {
                let part =
                    Part { left: left.start + start..left.start + at, right: right.start + start..right.start + at };
                free.0[part.left.clone()].fill(false);
                free.1[part.right.clone()].fill(false);
                parts.push(part);
            }
            start = at + 1;
        }
    }
    parts.sort_by_key(|part| part.left.start);
    let count = |own: &[bool]| own.iter().filter(|own| **own).count();
    let inside = |part: &Part| count(&own.0[part.left.clone()]) + count(&own.1[part.right.clone()]);
    let (covered, all) = (parts.iter().map(inside).sum::<usize>(), count(&own.0) + count(&own.1));
    let likeness = u32::try_from(covered * 1_000 / all.max(1)).unwrap_or(1_000);
    Shared { parts, likeness }
}

/// A program's tokens, and the hashes of their runs.
type Hashed<'t> = (&'t [Token], &'t [u64]);

/// All parts that begin with a run of both that is not ignored, each as long as it goes; the longest first.
fn candidates((a, of_a): Hashed<'_>, (b, of_b): Hashed<'_>, ignored: &dyn Fn(u64) -> bool) -> Vec<Part> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, hash) in of_b.iter().enumerate().filter(|(_, hash)| !ignored(**hash)) {
        let places = places.entry(*hash).or_default();
        if places.len() < MOST_PLACES {
            places.push(at);
        }
    }
    let mut found = Vec::new();
    // Where the last part on each diagonal ends: what begins inside it is a part of it.
    let mut ends: HashMap<(bool, usize), usize> = HashMap::new();
    for (at, hash) in of_a.iter().enumerate() {
        for &other in places.get(hash).into_iter().flatten() {
            let end = ends.entry((at < other, at.abs_diff(other))).or_default();
            if at < *end {
                continue;
            }
            let alike = |(x, y): &(&Token, &Token)| x.kind == y.kind;
            let back = a[..at].iter().rev().zip(b[..other].iter().rev()).take_while(alike).count();
            let ahead = a[at..].iter().zip(&b[other..]).take_while(alike).count();
            *end = at + ahead;
            // Two runs may have one hash by chance.
            if back + ahead >= RUN {
                found.push(Part { left: at - back..at + ahead, right: other - back..other + ahead });
            }
        }
    }
    let mut by_length: BTreeMap<(std::cmp::Reverse<usize>, usize, usize), Part> = BTreeMap::new();
    for part in found {
        by_length.insert((std::cmp::Reverse(part.left.len()), part.left.start, part.right.start), part);
    }
    by_length.into_values().collect()
}
