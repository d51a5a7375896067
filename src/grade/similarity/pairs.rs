//! Finds similar pairs among many programs. An inverted index of fingerprints selects candidate pairs, whose shared
//! regions are then compared. Memory use is linear in the number of programs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::model::Failure;

use super::matching::{compare_pair, own_tokens};
use super::tokens::TokenizedProgram;
use super::winnow::{fingerprints, kgram_hashes};

/// Minimum number of programs in a language for ignoring k-grams that occur in more than half of them.
const MIN_FOR_COMMON: usize = 10;
/// Minimum number of own tokens of a program to be compared, since short programs are similar by chance.
pub const MIN_TOKENS: usize = 48;
/// Maximum number of pairs listed. Further pairs are only counted.
pub const MAX_PAIRS: usize = 100;
/// Maximum number of pairs whose tokens are compared.
const MAX_CANDIDATES: usize = 2_000;

/// Two similar programs, as indices into the list of programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarPair {
    /// The first program. Others with the same tokens are in [`SimilarPrograms::identical`].
    pub left: usize,
    /// The second program.
    pub right: usize,
    /// The share of both programs' tokens that lies in shared regions, in thousandths.
    pub similarity: u32,
    /// The number of tokens in the longest shared region.
    pub longest: usize,
}

/// The similar programs of one problem.
#[derive(Debug, Clone, Default)]
pub struct SimilarPrograms {
    /// Pairs of different programs, the most similar first; at most [`MAX_PAIRS`].
    pub pairs: Vec<SimilarPair>,
    /// Number of pairs at or above the threshold. Only the 2,000 pairs with the largest share of common fingerprints
    /// are compared.
    pub above_threshold: usize,
    /// Programs with the same tokens: the first program, and the others.
    pub identical: BTreeMap<usize, Vec<usize>>,
    /// Number of programs that are too short to be compared.
    pub too_short: usize,
    /// Hashes of k-grams in template code or in most programs.
    ignored: HashSet<u64>,
}

impl SimilarPrograms {
    /// Whether the k-gram with this hash occurs in template code or in most programs.
    pub fn is_ignored(&self, hash: u64) -> bool {
        self.ignored.contains(&hash)
    }
}

/// A program with its fingerprints.
struct FingerprintedProgram {
    /// Its index in the list of programs.
    index: usize,
    /// Its fingerprints, sorted.
    fingerprints: Vec<u64>,
}

/// Compares the programs that `read` returns for the indices below `count`. `read` is called several times for each
/// program, so that the programs need not be in memory at the same time. Pairs below `threshold` thousandths are left
/// out.
///
/// # Errors
/// Fails if `read` fails.
pub fn compare_all(
    count: usize,
    read: &mut dyn FnMut(usize) -> Result<TokenizedProgram, Failure>,
    template: &[TokenizedProgram],
    threshold: u32,
) -> Result<SimilarPrograms, Failure> {
    let mut similar = SimilarPrograms::default();
    let entries = entries(count, read, template, &mut similar)?;
    let mut last: Option<(usize, TokenizedProgram)> = None;
    for (left, right) in candidates(&entries, threshold) {
        let one = match last.take().filter(|(index, _)| *index == left) {
            Some((_, program)) => program,
            None => read(left)?,
        };
        let found = compare_pair(&one, &read(right)?, &|hash| similar.ignored.contains(&hash));
        last = Some((left, one));
        if found.similarity >= threshold {
            let longest = found.regions.iter().map(|region| region.left.len()).max().unwrap_or(0);
            similar.pairs.push(SimilarPair { left, right, similarity: found.similarity, longest });
        }
    }
    similar.pairs.sort_by_key(|pair| (Reverse(pair.similarity), Reverse(pair.longest), pair.left, pair.right));
    similar.above_threshold = similar.pairs.len();
    similar.pairs.truncate(MAX_PAIRS);
    Ok(similar)
}

/// The fingerprints of programs that are long enough, without those whose tokens equal an earlier program's.
fn entries(
    count: usize,
    read: &mut dyn FnMut(usize) -> Result<TokenizedProgram, Failure>,
    template: &[TokenizedProgram],
    similar: &mut SimilarPrograms,
) -> Result<Vec<FingerprintedProgram>, Failure> {
    let mut first: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut hashed = Vec::new();
    for index in 0..count {
        let program = read(index)?;
        let kinds = program.tokens.iter().map(|token| token.kind).collect();
        match first.get(&kinds) {
            Some(same) => similar.identical.entry(*same).or_default().push(index),
            None => {
                first.insert(kinds, index);
                hashed.push((index, program.language(), program.tokens.len(), kgram_hashes(&program.tokens)));
            }
        }
    }
    drop(first);
    similar.ignored = template.iter().flat_map(|program| kgram_hashes(&program.tokens)).collect();
    similar.ignored.extend(common(hashed.iter().map(|(_, language, _, hashes)| (*language, &hashes[..]))));
    let ignored = |hash: u64| similar.ignored.contains(&hash);
    let mut entries = Vec::new();
    for (index, _, tokens, hashes) in hashed {
        if own_tokens(tokens, &hashes, &ignored).iter().filter(|own| **own).count() < MIN_TOKENS {
            similar.too_short += 1 + similar.identical.remove(&index).map_or(0, |same| same.len());
            continue;
        }
        entries.push(FingerprintedProgram { index, fingerprints: fingerprints(&hashes, &ignored) });
    }
    Ok(entries)
}

/// K-grams that occur in more than half of the programs in a language.
fn common<'h>(programs: impl Iterator<Item = (u32, &'h [u64])>) -> HashSet<u64> {
    let mut counts: HashMap<(u32, u64), usize> = HashMap::new();
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for (language, hashes) in programs {
        *sizes.entry(language).or_default() += 1;
        for hash in hashes.iter().collect::<BTreeSet<_>>() {
            *counts.entry((language, *hash)).or_default() += 1;
        }
    }
    let most =
        |(language, _): &(u32, u64), count: usize| sizes[language] >= MIN_FOR_COMMON && count * 2 > sizes[language];
    counts.into_iter().filter(|(of, count)| most(of, *count)).map(|((_, hash), _)| hash).collect()
}

/// Pairs whose share of common fingerprints is at least half of the threshold, as sorted indices. Of more than
/// [`MAX_CANDIDATES`] pairs, those with the largest shares are returned.
fn candidates(entries: &[FingerprintedProgram], threshold: u32) -> Vec<(usize, usize)> {
    let mut programs_with: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut best: BTreeSet<(usize, Reverse<usize>, Reverse<usize>)> = BTreeSet::new();
    let mut counts = vec![0_usize; entries.len()];
    for (right, entry) in entries.iter().enumerate() {
        for print in &entry.fingerprints {
            let before = programs_with.entry(*print).or_default();
            before.iter().for_each(|&left| counts[left] += 1);
            before.push(right);
        }
        for (left, count) in counts[..right].iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            // A small change in a region changes more fingerprints than tokens.
            let all = entry.fingerprints.len() + entries[left].fingerprints.len();
            let similarity = 2_000 * std::mem::take(count) / all.max(1);
            if similarity * 2 >= threshold as usize {
                best.insert((similarity, Reverse(left), Reverse(right)));
            }
            if best.len() > MAX_CANDIDATES {
                best.pop_first();
            }
        }
    }
    let places = best.into_iter().map(|(_, left, right)| (entries[left.0].index, entries[right.0].index));
    let mut pairs: Vec<(usize, usize)> = places.collect();
    pairs.sort_unstable();
    pairs
}
