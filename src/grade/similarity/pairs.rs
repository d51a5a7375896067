//! Finds similar pairs among many programs. An inverted index of fingerprints selects candidate pairs, whose shared
//! regions are then compared. Memory use is linear in the number of programs.
//!
//! Independent programs for a short problem also have a large share in common. Similarity is therefore measured
//! relative to a baseline, the median share that two programs for the problem have in common: 0 % means that the share
//! does not exceed the baseline, and 100 % means that both programs have the same steps.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::model::{Digest, Failure};

use super::kgrams::{fingerprints, kgram_hashes};
use super::matching::{compare_pair, own_tokens};
use super::tokens::TokenizedProgram;

/// Minimum number of tokens, not counting template code, of a program that is compared. Shorter programs are often
/// similar by chance.
pub const MIN_TOKENS: usize = 8;
/// Minimum number of lexemes of a program that is listed as identical to another.
pub(super) const MIN_LEXEMES: usize = 48;
/// Maximum number of pairs that are listed. Further pairs are only counted.
pub const MAX_PAIRS: usize = 100;
/// Maximum number of candidate pairs whose tokens are compared.
const MAX_CANDIDATES: usize = 4_000;
/// Expected share of the tokens that two independent programs have in common, in thousandths. It is the median over the
/// pairs of independent programs in `tests/likeness`, and determines the baseline share of a small class.
pub(super) const EXPECTED_SHARE: u32 = 450;
/// Number of pairs with [`EXPECTED_SHARE`] that are added to the pairs of the class when the baseline share is
/// computed.
const EXPECTED_PAIRS: usize = 8;
/// Maximum baseline share, in thousandths. It is less than 1,000, so that the similarity can vary even if all solutions
/// of a problem are similar.
const MAX_USUAL: u32 = 900;
/// Maximum number of pairs from which the baseline share is computed.
const MAX_SAMPLE: usize = 200;

/// Two similar programs, as indices into the list of programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarPair {
    /// The first program. Programs identical to it are in [`SimilarPrograms::identical`].
    pub left: usize,
    /// The second program.
    pub right: usize,
    /// The similarity in thousandths: 0 if `shared` does not exceed the baseline share of the problem, and 1,000 if
    /// both programs have the same tokens.
    pub similarity: u32,
    /// The share of the tokens of both programs that match, in thousandths.
    pub shared: u32,
    /// The number of tokens in the longest shared region.
    pub longest: usize,
    /// Whether the programs are written in different languages.
    pub across_languages: bool,
}

/// The similar programs of one problem.
#[derive(Debug, Clone, Default)]
pub struct SimilarPrograms {
    /// Pairs of different programs, the most similar first; at most [`MAX_PAIRS`].
    pub pairs: Vec<SimilarPair>,
    /// Number of pairs whose similarity is at least the threshold. At most 4,000 pairs are compared: the pairs with the
    /// largest shares of common fingerprints.
    pub above_threshold: usize,
    /// Programs that differ at most in names, literals, comments and layout. The key is the first of these
    /// programs, and the value contains the others.
    pub identical: BTreeMap<usize, Vec<usize>>,
    /// Number of programs that are too short to be compared.
    pub too_short: usize,
    /// The baseline share: the median share of the tokens that two programs for the problem have in common, in
    /// thousandths.
    pub usual: u32,
    /// Hashes of k-grams in template code.
    pub(in crate::grade) ignored: HashSet<u64>,
}

impl SimilarPrograms {
    /// Returns whether the k-gram with this hash occurs in template code.
    pub fn is_ignored(&self, hash: u64) -> bool {
        self.ignored.contains(&hash)
    }
}

/// A program with its fingerprints.
struct FingerprintedProgram {
    /// Index of the program in the list of programs.
    index: usize,
    program: TokenizedProgram,
    /// Fingerprints of the program, sorted.
    fingerprints: Vec<u64>,
}

/// Compares the programs that `read` returns for the indices below `count`. Pairs whose similarity is below `threshold`
/// thousandths are left out.
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
    let ignored = |hash: u64| similar.ignored.contains(&hash);
    let compare = |left: usize, right: usize| compare_pair(&entries[left].program, &entries[right].program, &ignored);
    similar.usual = usual_share(sample(entries.len()).map(|(left, right)| compare(left, right).shared).collect());
    let mut pairs = Vec::new();
    for (left, right) in candidates(&entries, share_of(threshold, similar.usual)) {
        let found = compare(left, right);
        let similarity = likeness(found.shared, similar.usual);
        if similarity >= threshold {
            pairs.push(SimilarPair {
                left: entries[left].index,
                right: entries[right].index,
                similarity,
                shared: found.shared,
                longest: found.regions.iter().map(|region| region.left.len()).max().unwrap_or(0),
                across_languages: entries[left].program.family != entries[right].program.family,
            });
        }
    }
    pairs.sort_by_key(|pair| (Reverse(pair.similarity), Reverse(pair.longest), pair.left, pair.right));
    similar.above_threshold = pairs.len();
    pairs.truncate(MAX_PAIRS);
    similar.pairs = pairs;
    Ok(similar)
}

/// Returns pairs of programs that represent the class: all pairs of a small class, or at most [`MAX_SAMPLE`] evenly
/// spaced pairs.
fn sample(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = count * count.saturating_sub(1) / 2;
    let distance = all.div_ceil(MAX_SAMPLE).max(1);
    let pairs = (0..count).flat_map(move |left| (left + 1..count).map(move |right| (left, right)));
    pairs.step_by(distance)
}

/// Returns the baseline share of a problem, in thousandths: the median of `shares` together with [`EXPECTED_PAIRS`]
/// copies of [`EXPECTED_SHARE`], but at most [`MAX_USUAL`]. A few copies in a class hardly change the median.
pub(super) fn usual_share(mut shares: Vec<u32>) -> u32 {
    shares.extend([EXPECTED_SHARE; EXPECTED_PAIRS]);
    shares.sort_unstable();
    shares[shares.len() / 2].min(MAX_USUAL)
}

/// Returns the similarity, in thousandths, of two programs that have the share `shared` of their tokens in common.
/// `usual` is the baseline share.
pub(super) fn likeness(shared: u32, usual: u32) -> u32 {
    shared.saturating_sub(usual) * 1_000 / (1_000 - usual.min(MAX_USUAL))
}

/// Returns the share of the tokens, in thousandths, that two programs with the similarity `likeness` have in common.
fn share_of(likeness: u32, usual: u32) -> u32 {
    usual + likeness * (1_000 - usual) / 1_000
}

/// Returns the programs that are long enough and not identical to an earlier program, with their fingerprints. Records
/// the other programs in `similar`.
fn entries(
    count: usize,
    read: &mut dyn FnMut(usize) -> Result<TokenizedProgram, Failure>,
    template: &[TokenizedProgram],
    similar: &mut SimilarPrograms,
) -> Result<Vec<FingerprintedProgram>, Failure> {
    let mut first: HashMap<Vec<Digest>, usize> = HashMap::new();
    let mut entries = Vec::new();
    similar.ignored = template.iter().flat_map(|program| kgram_hashes(&program.tokens)).collect();
    let ignored = |hash: u64| similar.ignored.contains(&hash);
    for index in 0..count {
        let program = read(index)?;
        let hashes = kgram_hashes(&program.tokens);
        let own = own_tokens(program.tokens.len(), &hashes, &ignored).iter().filter(|own| **own).count();
        let is_short = own < MIN_TOKENS;
        similar.too_short += usize::from(is_short);
        if let Some(same) = first.get(&program.identity) {
            similar.identical.entry(*same).or_default().push(index);
            continue;
        }
        let is_template = is_short && own < program.tokens.len();
        if !is_template && program.lexemes >= MIN_LEXEMES {
            first.insert(program.identity.clone(), index);
        }
        if !is_short {
            let fingerprints = fingerprints(&hashes, &ignored);
            entries.push(FingerprintedProgram { index, program, fingerprints });
        }
    }
    Ok(entries)
}

/// Returns the candidate pairs, sorted by their indices in `entries`: the pairs whose share of common fingerprints is
/// at least an eighth of `least`, the minimum share of matching tokens. If there are more than [`MAX_CANDIDATES`] such
/// pairs, only the pairs with the largest shares are returned.
fn candidates(entries: &[FingerprintedProgram], least: u32) -> Vec<(usize, usize)> {
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
            // A changed token changes all fingerprints that contain it, so the share of common fingerprints can be much
            // smaller than the share of matching tokens.
            let all = entry.fingerprints.len() + entries[left].fingerprints.len();
            let similarity = 2_000 * std::mem::take(count) / all.max(1);
            if similarity * 8 >= least as usize {
                best.insert((similarity, Reverse(left), Reverse(right)));
            }
            if best.len() > MAX_CANDIDATES {
                best.pop_first();
            }
        }
    }
    let mut pairs: Vec<(usize, usize)> = best.into_iter().map(|(_, left, right)| (left.0, right.0)).collect();
    pairs.sort_unstable();
    pairs
}
