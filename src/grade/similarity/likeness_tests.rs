//! Precision and recall of the comparison on the labeled programs in `tests/likeness`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::pairs::{MIN_LEXEMES, likeness, usual_share};
use super::rewriting::CHANGES;
use super::*;

/// The default of `grade --likeness`, in thousandths.
const THRESHOLD: u32 = 700;
/// Changes that a comparison of lexemes does not detect.
const BY_HAND: [&str; 4] = ["rewritten", "extracted", "inlined", "translated"];

/// The likeness and the names of pairs, by label. A label is a kind of change or, for independent programs, `honest`
/// with the languages.
type LabelledPairs = BTreeMap<String, Vec<(u32, String)>>;

/// A program of the labeled set.
struct LabelledProgram {
    name: String,
    text: String,
    /// The kind of change and the name of the original; `None` if the program is not a copy.
    copied: Option<(String, String)>,
}

impl LabelledProgram {
    /// Returns the name of the original from which this program was copied, or its own name if it is not a copy.
    fn original(&self) -> &str {
        self.copied.as_ref().map_or(&self.name, |(_, original)| original)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/likeness")
}

/// Returns the programs in the part `part` of the labeled set, by problem. `tests/likeness/README.md` describes the
/// files.
fn labelled(part: &str) -> BTreeMap<String, Vec<LabelledProgram>> {
    let folder = root().join(part);
    let files = fs_err::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| (file.file_stem().unwrap().to_string_lossy().into_owned(), programs(&file))).collect()
}

fn programs(file: &Path) -> Vec<LabelledProgram> {
    let mut found: Vec<LabelledProgram> = Vec::new();
    for line in fs_err::read_to_string(file).unwrap().lines() {
        match line.strip_prefix("=== ").map(|label| label.split(' ').map(str::to_owned).collect::<Vec<_>>()) {
            Some(label) => found.push(LabelledProgram {
                name: label[0].clone(),
                text: String::new(),
                copied: (label.len() == 3).then(|| (label[1].clone(), label[2].clone())),
            }),
            None => found.last_mut().unwrap().text += &format!("{line}\n"),
        }
    }
    found
}

fn tokenized(name: &str, text: &str) -> TokenizedProgram {
    TokenizedProgram::new([(name, text.as_bytes())])
}

/// Returns the likeness that a comparison of a class with the baseline share `usual` reports for two programs.
/// Identical programs have a likeness of 1,000.
fn measured(one: &TokenizedProgram, other: &TokenizedProgram, usual: u32) -> u32 {
    if one.identity == other.identity && one.lexemes >= MIN_LEXEMES {
        return 1_000;
    }
    if one.tokens.len().min(other.tokens.len()) < MIN_TOKENS {
        return 0;
    }
    likeness(compare_pair(one, other, &|_| false).shared, usual)
}

/// Returns the baseline share of a class that consists of these independent programs.
fn usual(programs: &[TokenizedProgram]) -> u32 {
    let long: Vec<&TokenizedProgram> = programs.iter().filter(|one| one.tokens.len() >= MIN_TOKENS).collect();
    let pairs = (0..long.len()).flat_map(|at| (0..at).map(move |other| (other, at)));
    usual_share(pairs.map(|(left, right)| compare_pair(long[left], long[right], &|_| false).shared).collect())
}

/// Measures the likeness of the pairs in the part `part` of the labeled set.
fn measure(part: &str) -> LabelledPairs {
    let mut found = LabelledPairs::new();
    for (problem, programs) in labelled(part) {
        let all: Vec<TokenizedProgram> = programs.iter().map(|one| tokenized(&one.name, &one.text)).collect();
        let independent = programs.iter().zip(&all).filter(|(one, _)| one.copied.is_none());
        let usual = usual(&independent.map(|(_, tokens)| tokens.clone()).collect::<Vec<_>>());
        for (at, one) in programs.iter().enumerate() {
            let mut add = |label: &str, other: &str, likeness: u32| {
                let pair = format!("{problem} {} {other}", one.name);
                found.entry(label.to_owned()).or_default().push((likeness, pair));
            };
            for (number, other) in
                programs[..at].iter().enumerate().filter(|(_, other)| other.original() != one.original())
            {
                let across = if all[at].family == all[number].family { "one language" } else { "two languages" };
                add(&format!("honest, {across}"), &other.name, measured(&all[at], &all[number], usual));
            }
            if let Some((change, original)) = &one.copied {
                let of = programs.iter().position(|other| other.name == *original).unwrap();
                add(change, original, measured(&all[at], &all[of], usual));
                continue;
            }
            for (label, change) in CHANGES {
                let copy = change(&one.name, &one.text);
                if copy != one.text {
                    add(label, "changed", measured(&all[at], &tokenized(&one.name, &copy), usual));
                }
            }
        }
    }
    found
}

/// Precision and recall of the detection of copies.
struct Rates {
    precision: f64,
    recall: f64,
    /// Recall for copies with manual changes.
    by_hand: f64,
}

fn f1(precision: f64, recall: f64) -> f64 {
    2.0 * precision * recall / (precision + recall).max(f64::EPSILON)
}

/// Returns the number of pairs that have a likeness of at least `least` and a label for which `is` returns true.
fn count(found: &LabelledPairs, least: u32, is: &dyn Fn(&str) -> bool) -> f64 {
    let pairs = found.iter().filter(|(label, _)| is(label)).flat_map(|(_, pairs)| pairs);
    pairs.filter(|(likeness, _)| *likeness >= least).count() as f64
}

fn is_honest(label: &str) -> bool {
    label.starts_with("honest")
}

fn rates(found: &LabelledPairs, threshold: u32) -> Rates {
    let listed = |is: &dyn Fn(&str) -> bool| count(found, threshold, is);
    let recall = |is: &dyn Fn(&str) -> bool| listed(is) / count(found, 0, is);
    let copies = listed(&|label| !is_honest(label));
    Rates {
        precision: copies / (copies + listed(&is_honest)),
        recall: recall(&|label| !is_honest(label)),
        by_hand: recall(&|label| BY_HAND.contains(&label)),
    }
}

fn print(part: &str, found: &LabelledPairs) {
    println!("\n{part}: share of pairs in percent with a likeness of at least (F1: with as many honest pairs)");
    println!("{:24}{:>6} {:>5} {:>5} {:>5} {:>5} {:>5}  F1 at 70", "change", "pairs", 50, 60, 70, 80, 90);
    let share = |least: u32, is: &dyn Fn(&str) -> bool| count(found, least, is) / count(found, 0, is);
    for (label, pairs) in found {
        let shares =
            [500, 600, 700, 800, 900].map(|least| format!(" {:5.1}", 100.0 * share(least, &|one| one == label)));
        let (copies, honest) = (share(THRESHOLD, &|one| one == label), share(THRESHOLD, &is_honest));
        let f1 = if is_honest(label) { 0.0 } else { f1(copies / (copies + honest), copies) };
        println!("{label:24}{:6}{}  {f1:.3}", pairs.len(), shares.concat());
    }
    for threshold in [500, 600, 650, 700, 750, 800, 850, 900] {
        let Rates { precision, recall, by_hand } = rates(found, threshold);
        let f1 = f1(precision, recall);
        println!("{threshold}: precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}, recall by hand {by_hand:.3}");
    }
    for (label, pairs) in found {
        let is_wrong = |likeness: u32| (likeness >= THRESHOLD) == is_honest(label);
        for (likeness, pair) in pairs.iter().filter(|(likeness, _)| is_wrong(*likeness)) {
            println!("  {label}: {likeness} {pair}");
        }
    }
}

#[test]
fn precision_and_recall_on_labelled_pairs_stay_above_their_floors() {
    // The minimums of precision, recall, and recall of manual changes are slightly below the measured values.
    let mut all = LabelledPairs::new();
    for (part, floors) in [("develop", (0.95, 0.94, 0.66)), ("hold-out", (0.95, 0.88, 0.66))] {
        let found = measure(part);
        print(part, &found);
        let (pairs, copies) = (count(&found, 0, &|_| true), count(&found, 0, &|label| !is_honest(label)));
        assert!(pairs >= 800.0 && copies >= 250.0, "{part}: {pairs} pairs, {copies} copies");
        let Rates { precision, recall, by_hand } = rates(&found, THRESHOLD);
        assert!(
            precision >= floors.0 && recall >= floors.1 && by_hand >= floors.2,
            "{part}: {precision} {recall} {by_hand}"
        );
        for (label, pairs) in found {
            all.entry(label).or_default().extend(pairs);
        }
    }
    print("all", &all);
}

/// The index of fingerprints must not lose pairs that a comparison of all pairs finds.
#[test]
fn a_class_with_copies_lists_the_pairs_above_the_threshold() {
    for (problem, programs) in ["develop", "hold-out"].into_iter().flat_map(labelled) {
        let all: Vec<TokenizedProgram> = programs.iter().map(|one| tokenized(&one.name, &one.text)).collect();
        let found = compare_all(all.len(), &mut |at| Ok(all[at].clone()), &[], THRESHOLD).unwrap();
        let mut expected = Vec::new();
        for (right, other) in all.iter().enumerate() {
            for (left, one) in all[..right].iter().enumerate() {
                let is_long = one.tokens.len().min(other.tokens.len()) >= MIN_TOKENS;
                let shared = compare_pair(one, other, &|_| false).shared;
                if is_long && likeness(shared, found.usual) >= THRESHOLD {
                    expected.push((left, right));
                }
            }
        }
        let mut listed: Vec<(usize, usize)> = found.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(listed, expected, "{problem}");
        let across = |pair: &SimilarPair| all[pair.left].family != all[pair.right].family;
        assert!(found.pairs.iter().all(|pair| pair.across_languages == across(pair)), "{problem}");
    }
}
