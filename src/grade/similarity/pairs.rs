//! Which of many programs are alike: an inverted index of fingerprints proposes pairs, and their shared parts decide.
//! Memory grows with the programs, never with their pairs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::model::Failure;

use super::matching::{own, shared};
use super::tokens::Program;
use super::winnow::{fingerprints, runs};

/// Of this many programs in one language on, what more than half of them share is nobody's.
const COMMON: usize = 10;
/// A program with fewer tokens of its own is too short to tell whose it is.
pub const SHORTEST: usize = 48;
/// The most pairs that are told; the others are counted.
pub const MOST_PAIRS: usize = 100;
/// The most pairs that are looked at closely.
const MOST_CANDIDATES: usize = 2_000;

/// Two programs that are alike, by their places in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    /// The one; further programs that have the same tokens are in [`Findings::same`].
    pub left: usize,
    /// The other.
    pub right: usize,
    /// How much of both is shared, in thousandths.
    pub likeness: u32,
    /// The tokens of the longest part they share.
    pub longest: usize,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Programs that differ, the most alike first; at most [`MOST_PAIRS`].
    pub pairs: Vec<Alike>,
    /// How many pairs were above the threshold, of the two thousand whose fingerprints are the most alike.
    pub all: usize,
    /// Programs that are the same but for names, literals, comments and layout: the first and the others.
    pub same: BTreeMap<usize, Vec<usize>>,
    /// Programs that are too short to tell.
    pub short: usize,
    /// The hashes of what was given to all or is shared by most.
    ignored: HashSet<u64>,
}

impl Findings {
    /// Whether a run of tokens is no one's own.
    pub fn ignores(&self, hash: u64) -> bool {
        self.ignored.contains(&hash)
    }
}

/// A program among others.
struct Entry {
    /// Its place in the list.
    place: usize,
    /// Its fingerprints, sorted.
    prints: Vec<u64>,
}

/// Compares the programs that `read` gives, by their places from 0 to `count`. It is asked for each more than once, so
/// that they need not be in memory together. Pairs with less than `threshold` thousandths are not told.
///
/// # Errors
/// What `read` says.
pub fn compare(
    count: usize,
    read: &mut dyn FnMut(usize) -> Result<Program, Failure>,
    given: &[Program],
    threshold: u32,
) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let entries = entries(count, read, given, &mut findings)?;
    let mut last: Option<(usize, Program)> = None;
    for (left, right) in candidates(&entries, threshold) {
        let one = match last.take().filter(|(place, _)| *place == left) {
            Some((_, program)) => program,
            None => read(left)?,
        };
        let found = shared(&one, &read(right)?, &|hash| findings.ignored.contains(&hash));
        last = Some((left, one));
        if found.likeness >= threshold {
            let longest = found.parts.iter().map(|part| part.left.len()).max().unwrap_or(0);
            findings.pairs.push(Alike { left, right, likeness: found.likeness, longest });
        }
    }
    findings.pairs.sort_by_key(|pair| (Reverse(pair.likeness), Reverse(pair.longest), pair.left, pair.right));
    findings.all = findings.pairs.len();
    findings.pairs.truncate(MOST_PAIRS);
    Ok(findings)
}

/// The programs that differ and are long enough, with their fingerprints.
fn entries(
    count: usize,
    read: &mut dyn FnMut(usize) -> Result<Program, Failure>,
    given: &[Program],
    findings: &mut Findings,
) -> Result<Vec<Entry>, Failure> {
    let mut first: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut hashed = Vec::new();
    for place in 0..count {
        let program = read(place)?;
        let kinds = program.tokens.iter().map(|token| token.kind).collect();
        match first.get(&kinds) {
            Some(same) => findings.same.entry(*same).or_default().push(place),
            None => {
                first.insert(kinds, place);
                hashed.push((place, program.language(), program.tokens.len(), runs(&program.tokens)));
            }
        }
    }
    drop(first);
    findings.ignored = given.iter().flat_map(|program| runs(&program.tokens)).collect();
    findings.ignored.extend(common(hashed.iter().map(|(_, language, _, hashes)| (*language, &hashes[..]))));
    let ignored = |hash: u64| findings.ignored.contains(&hash);
    let mut entries = Vec::new();
    for (place, _, tokens, hashes) in hashed {
        if own(tokens, &hashes, &ignored).iter().filter(|own| **own).count() < SHORTEST {
            findings.short += 1 + findings.same.remove(&place).map_or(0, |same| same.len());
            continue;
        }
        entries.push(Entry { place, prints: fingerprints(&hashes, &ignored) });
    }
    Ok(entries)
}

/// What more than half of the programs in a language share.
fn common<'h>(programs: impl Iterator<Item = (u32, &'h [u64])>) -> HashSet<u64> {
    let mut counts: HashMap<(u32, u64), usize> = HashMap::new();
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for (language, hashes) in programs {
        *sizes.entry(language).or_default() += 1;
        for hash in hashes.iter().collect::<BTreeSet<_>>() {
            *counts.entry((language, *hash)).or_default() += 1;
        }
    }
    let most = |(language, _): &(u32, u64), count: usize| sizes[language] >= COMMON && count * 2 > sizes[language];
    counts.into_iter().filter(|(of, count)| most(of, *count)).map(|((_, hash), _)| hash).collect()
}

/// The pairs whose fingerprints come near the threshold, as places, in order; the nearest of them if there are too many.
fn candidates(entries: &[Entry], threshold: u32) -> Vec<(usize, usize)> {
    let mut index: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut best: BTreeSet<(usize, Reverse<usize>, Reverse<usize>)> = BTreeSet::new();
    let mut counts = vec![0_usize; entries.len()];
    for (right, entry) in entries.iter().enumerate() {
        for print in &entry.prints {
            let before = index.entry(*print).or_default();
            before.iter().for_each(|&left| counts[left] += 1);
            before.push(right);
        }
        for (left, count) in counts[..right].iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            // A small change in a part costs more fingerprints than tokens.
            let all = entry.prints.len() + entries[left].prints.len();
            let likeness = 2_000 * std::mem::take(count) / all.max(1);
            if likeness * 2 >= threshold as usize {
                best.insert((likeness, Reverse(left), Reverse(right)));
            }
            if best.len() > MOST_CANDIDATES {
                best.pop_first();
            }
        }
    }
    let places = best.into_iter().map(|(_, left, right)| (entries[left.0].place, entries[right.0].place));
    let mut pairs: Vec<(usize, usize)> = places.collect();
    pairs.sort_unstable();
    pairs
}
