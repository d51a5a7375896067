//! Property tests that relate the validator, the reader, the writer, the generator and the enumerator.

use std::collections::HashSet;

use proptest::prelude::*;

use super::instance::Instance;
use super::sample::{FORMATS, describe, describe_answer, narrowing, try_describe};
use super::{Description, Rng};
use crate::model::Digest;

fn rng(seed: u64) -> Rng {
    Rng::from_digest(&Digest::of(&seed.to_le_bytes()))
}

/// Generates an instance, and checks that its bytes are valid and are read back as the same instance.
fn goes_round(description: &Description, seed: u64) -> (Instance, Vec<u8>) {
    let instance = description.generate(&mut rng(seed)).unwrap_or_else(|why| panic!("{why}"));
    let mut bytes = Vec::new();
    description.write(&instance, &mut bytes);
    let shown = || String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
    description.validate(bytes.as_slice(), None).unwrap_or_else(|why| panic!("{why} in {}", shown()));
    let again = description.read(&bytes, None).unwrap_or_else(|why| panic!("{why} in {}", shown()));
    assert!(again == instance, "{}", shown());
    (instance, bytes)
}

#[test]
fn every_format_generates_writes_validates_and_reads() {
    for text in FORMATS {
        let description = describe(text);
        let mut different = HashSet::new();
        for seed in 0..12 {
            different.insert(goes_round(&description, seed).1);
        }
        assert!(different.len() > 3, "{text}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for text in FORMATS {
        let description = describe(text);
        assert_eq!(goes_round(&description, 7).1, goes_round(&description, 7).1, "{text}");
    }
}

/// Test data is locked by hashes, so the inputs that are generated from a seed must not change by accident.
#[test]
fn inputs_of_a_seed_are_pinned() {
    let digest = |text: &&str| {
        let description = describe(text);
        let bytes: Vec<Vec<u8>> = (0..4).map(|seed| goes_round(&description, seed).1).collect();
        Digest::of_parts(bytes.iter().map(Vec::as_slice)).to_string()[..8].to_owned()
    };
    let found: Vec<String> = FORMATS.iter().map(digest).collect();
    assert_eq!(found.join(" "), GOLDEN);
}

const GOLDEN: &str = "5fbea253 77ae4734 032e6202 1ec9ebf7 0d993295 6c2ae735 16a63c98 e3c25edb fe1a0557 018f22e2 \
    911cca68 6c6df903 47f91b64 a77e3360 85346cc9 b147256e cff0b465 3c8f1175 2297981d a54d1c62 903040fd 3da0cb80";

/// Descriptions with few inputs, which together use every kind of clause.
const SMALL: [&str; 14] = [
    "n: 1..=3\na[n]: 0..=2\nwhere sum(a) > 0",
    "n: 0..=3\na[n]: 1..=3\nwhere distinct(a)",
    "n: 0..=3; m: 2\na[n]: 1..=3; b[m]: -1..=1\nwhere sorted(a)\nwhere sum(b) == 0",
    "n: 1..=4\np[n]: 1..=4\nwhere permutation(p)",
    "n: 1..=3; m: 0..=2\nrepeat m: u: 1..=n; v: 1..=n\nwhere acyclic(u, v)",
    "n: 1..=3\nrepeat n-1: u: 1..=n; v: 1..=n\nwhere tree(u, v)",
    "n: 1..=3; m: 0..=3\nrepeat m: u: 0..=n-1; v: 0..=n-1\nwhere connected(u, v)\nwhere simple(u, v)",
    "t: 0..=2\nrepeat t: n: 0..=2; c: [x, y] | a[n]: 0..=1\nwhere sum(n) <= 2",
    "s: word ab 1..=2; k: 1..=2\nw[k]: word xy 1..=1\nwhere sorted(w)",
    "r: real -0.1..=0.1 places 1; n: 0..=1\nrepeat n: l: 1..=3; h: l..=3\nwhere l != h",
    "n: 1..=3\na[n]: 0..=3\nx: 0..=max(a)\nwhere xor(a) == 0\nwhere x < count(a, 0) + n",
    "t: 1..=2\nrepeat t: m: 0..=2 | u[m]: 1..=2 | v[m]: 1..=2\nwhere simple(u, v)",
    "a: 1..=4; b: 1..=4; c: a..=4\nwhere a * b == c + 2\nwhere a <= b",
    "k: 1..=2; p[k]: 0..=2\nrepeat k: q: 1..=3\nwhere permutation(p)\nwhere distinct(q)\nwhere q <= sum(q) - k",
];

/// Finds all inputs by brute force: enumerates the description without its clauses, and filters the result by the
/// validator. The result does not depend on the pruning of the enumerator, which uses the clauses.
fn by_brute_force(text: &str) -> HashSet<Vec<u8>> {
    let open: Vec<&str> = text.lines().filter(|line| !line.starts_with("where")).collect();
    let (space, strict) = (describe(&open.join("\n")), describe(text));
    let mut found = HashSet::new();
    for instance in space.enumerate() {
        let bytes = instance.to_bytes(&space);
        if strict.validate(bytes.as_slice(), None).is_ok() {
            found.insert(bytes);
        }
    }
    found
}

#[test]
fn enumeration_equals_brute_force() {
    for text in SMALL {
        let description = describe(text);
        let all: Vec<Vec<u8>> = description.enumerate().map(|instance| instance.to_bytes(&description)).collect();
        let set: HashSet<Vec<u8>> = all.iter().cloned().collect();
        assert_eq!(set.len(), all.len(), "repeated inputs of {text}");
        assert_eq!(set, by_brute_force(text), "{text}");
        assert!(all.len() > 2, "{text}");
        assert_eq!(description.count_up_to(100_000), Some(all.len() as u64), "{text}");
        assert_eq!(description.count_up_to(all.len() as u64 - 1), None, "{text}");
    }
}

#[test]
fn enumeration_without_clauses_has_the_expected_count() {
    let count = |text: &str| describe(text).count_up_to(1_000_000);
    assert_eq!(count("n: 1..=4\na[n]: 0..=4"), Some(5 + 25 + 125 + 625));
    assert_eq!(count("s: word a-c 1..=3"), Some(3 + 9 + 27));
    assert_eq!(count("n: 0..=2\nrepeat n: u: 1..=2; v: 1..=u"), Some(1 + 3 + 9));
    assert_eq!(count("n: 3\nrepeat n-1: u: 1..=n; v: 1..=n\nwhere tree(u, v)"), Some(3 * 8));
    assert_eq!(count("n: 4\np[n]: 1..=n\nwhere permutation(p)"), Some(24));
    assert_eq!(count("a: 0..=10^9; b: 0..=10^9"), None);
    assert_eq!(describe("n: 60\na[n]: 0..=1\nwhere sum(a) > 60").count_up_to(1000), None);
    assert_eq!(count("n: -2^63..=-2^63+1; m: 2^63-2..=2^63-1"), Some(4));
}

#[test]
fn enumeration_is_lexicographic() {
    let description = describe("n: 0..=2; a[n]: -1..=0");
    let all: Vec<Vec<i64>> = description.enumerate().map(|i| i.ints("a").unwrap().to_vec()).collect();
    assert_eq!(all, [vec![], vec![-1], vec![0], vec![-1, -1], vec![-1, 0], vec![0, -1], vec![0, 0]]);
}

#[test]
fn generated_inputs_are_exactly_the_enumerated_ones() {
    for text in SMALL {
        let description = describe(text);
        let all: HashSet<Vec<u8>> = description.enumerate().map(|i| i.to_bytes(&description)).collect();
        let mut seen = HashSet::new();
        for seed in 0..200 * all.len() as u64 {
            let bytes = description.generate(&mut rng(seed)).unwrap().to_bytes(&description);
            assert!(all.contains(&bytes), "{}", String::from_utf8_lossy(&bytes));
            seen.insert(bytes);
            if seen.len() == all.len() {
                break;
            }
        }
        assert_eq!(seen.len(), all.len(), "{text}");
    }
}

#[test]
fn mutants_and_shrunk_inputs_are_enumerated() {
    for text in SMALL {
        let description = describe(text);
        let all: Vec<Instance> = description.enumerate().collect();
        let known: HashSet<Vec<u8>> = all.iter().map(|i| i.to_bytes(&description)).collect();
        let mut rng = rng(5);
        for (number, instance) in all.iter().enumerate().take(60) {
            if let Some(mutant) = description.mutate(instance, &mut rng) {
                assert!(known.contains(&mutant.to_bytes(&description)), "{text}: {mutant:?}");
                assert_ne!(mutant, *instance);
            }
            // An input fails if it is not among the first inputs of the enumeration. Whether it fails is therefore
            // unrelated to its size.
            let shrunk = description.shrink(instance, &mut |candidate| {
                assert!(known.contains(&candidate.to_bytes(&description)), "{text}: {candidate:?}");
                all.iter().position(|other| other == candidate).is_some_and(|at| at >= number.min(7))
            });
            assert!(shrunk.minimal, "{text}");
            assert!(known.contains(&shrunk.instance.to_bytes(&description)), "{text}");
        }
    }
}

#[test]
fn answer_bounds_use_the_input() {
    let input = describe("n: 1..=5\na[n]: 0..=9");
    let answer = describe_answer(&input, "w: [Yes, No]; k: n; m: 0..=max(a)\nx[n]: word WL n..=n");
    for seed in 0..20 {
        let given = input.generate(&mut rng(seed)).unwrap();
        let instance = answer.generate_given(Some(&given), &mut rng(seed)).unwrap();
        let bytes = instance.to_bytes(&answer);
        assert_eq!(answer.read(&bytes, Some(&given)).as_ref(), Ok(&instance));
        answer.validate(bytes.as_slice(), Some(&given)).unwrap();
        assert_eq!(instance.ints("a"), None);
        assert!(["Yes", "No"].contains(&instance.word("w").unwrap()));
        assert_eq!(instance.int("m").map(|m| m <= *given.ints("a").unwrap().iter().max().unwrap()), Some(true));
    }
    let given = input.read(b"2\n3 4\n", None).unwrap();
    let judge = |bytes: &[u8]| answer.validate(bytes, Some(&given)).map_err(|why| why.to_string());
    assert_eq!(judge(b"Yes 2 4\nWL LL\n"), Ok(()));
    assert!(judge(b"Yes 2 5\nWL LL\n").unwrap_err().contains("0..=4"));
    assert!(judge(b"Yes 2 4\nWL LLL\n").unwrap_err().contains("2..=2 letters"));
    assert!(answer.validate(&b"Yes 2 4\nWL LL\n"[..], None).unwrap_err().to_string().contains("not available"));
}

#[test]
fn narrowed_inputs_are_valid_in_the_full_description() {
    for (text, narrower) in [
        (FORMATS[0], "n: 1..=5; a: 0..=3"),
        (FORMATS[3], "n: 1..=5; t: 1..=3"),
        (FORMATS[16], "c: [No, 1]; s: word ac 2..=3; r: real 0.5..=1 places 2"),
        (FORMATS[12], "m: 3..=8"),
    ] {
        let text = text.replace("a[n]: 1..=10^9", "a[n]: 0..=10^9");
        let description = describe(&text);
        let narrow = description.narrow(&narrowing(narrower)).unwrap();
        for seed in 0..40 {
            let (instance, bytes) = goes_round(&narrow, seed);
            assert_eq!(description.read(&bytes, None).as_ref(), Ok(&instance));
        }
    }
    let narrow = describe("n: 1..=9\na[n]: 1..=n").narrow(&narrowing("a: 1..=5")).unwrap();
    assert!(narrow.validate(&b"3\n1 2 3\n"[..], None).is_ok());
    assert!(narrow.validate(&b"3\n1 2 4\n"[..], None).is_err());
    assert!(narrow.validate(&b"9\n1 2 3 4 5 5 5 5 6\n"[..], None).is_err());
}

#[test]
fn impossible_inputs_name_the_clause() {
    let why = |text: &str| describe(text).generate(&mut rng(1)).unwrap_err();
    let impossible = why("n: 3\na[n]: 1..=2\nwhere distinct(a)");
    assert_eq!(impossible.clause.as_deref(), Some("distinct(a)"));
    let impossible = why("a: 0..=10^9; b: 0..=10^9\nwhere a * b == 10^18 - 1");
    assert_eq!(impossible.clause.as_deref(), Some("a * b == 10^18 - 1"));
    assert!(impossible.to_string().contains("did not hold"));
    let impossible = why("n: 2..=3; m: 1..=9\na: n/2+4..=m-6");
    assert_eq!(impossible.clause, None);
    assert!(impossible.reason.contains("is empty here"), "{impossible}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Randomly changed bytes are rejected, or are a valid input that is read and written unchanged.
    #[test]
    fn changed_bytes_are_refused_or_valid(
        format in 0..SMALL.len() + FORMATS.len(),
        seed in any::<u64>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"0123456789- \n\t+.aXY\r".to_vec()), 0..3), 1..4),
    ) {
        let text = SMALL.iter().chain(&FORMATS).nth(format).unwrap();
        let description = describe(text);
        let mut small = indexmap::IndexMap::new();
        for (name, range) in [("n", "1..=6"), ("t", "1..=3")] {
            if text.contains(&format!("{name}: 1..=")) && !text.contains(&format!("; {name}: ")) && !text.contains(&format!(": {name}: ")) {
                small.insert(name.to_owned(), super::RawValue::Text(range.to_owned()));
            }
        }
        let small = description.narrow(&small).unwrap_or_else(|_| description.clone());
        let Ok(instance) = small.generate(&mut rng(seed)) else { return Ok(()) };
        let mut bytes = instance.to_bytes(&small);
        for (at, byte, how) in changes {
            let place = at.index(bytes.len());
            match how {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => drop(bytes.remove(place)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let read = description.read(&bytes, None);
        prop_assert_eq!(read.is_ok(), description.validate(bytes.as_slice(), None).is_ok());
        match (read, description.validate(bytes.as_slice(), None)) {
            (Ok(instance), _) => prop_assert_eq!(instance.to_bytes(&description), bytes),
            (Err(a), b) => prop_assert_eq!(Err(a), b),
        }
    }
}

proptest! {
    /// Any text is either accepted or rejected. If the error has a byte range, the range is inside the text.
    #[test]
    fn any_text_is_accepted_or_reported(
        key in "[a-z\\[\\]0-9 ]{0,6}",
        value in "[-a-z0-9 .=<>()*^,+/%]{0,16}",
        clause in "(sum|min|distinct|tree|x)?[-a-z0-9 .=<>()*^,+/%!]{0,12}",
    ) {
        let mut line = indexmap::IndexMap::new();
        line.insert("n".to_owned(), super::RawValue::Text("1..=5".to_owned()));
        line.insert(key.clone(), super::RawValue::Text(value.clone()));
        if let Err(complaint) = Description::parse(&[super::RawItem::Line(line)], std::slice::from_ref(&clause)) {
            let text = match &complaint.at {
                super::At::Key { key, .. } => key.clone(),
                super::At::Value { .. } => value,
                super::At::Clause(_) => clause,
                _ => String::new(),
            };
            if let Some(range) = complaint.range {
                prop_assert!(text.get(range.clone()).is_some(), "{:?} in {:?}: {}", range, text, complaint.message);
            }
        }
    }
}

#[test]
fn formats_of_the_sourced_problems_are_parsed() {
    for text in FORMATS.iter().chain(&SMALL) {
        assert!(try_describe(text).is_ok(), "{text}");
    }
}
