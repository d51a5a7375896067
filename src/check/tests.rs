//! Compares the checkers with their reference implementation, and runs them on texts that are longer than a window.

use std::io::{self, Read};

use proptest::prelude::*;

use super::naive::{first_token, fold, huge, naive_verdict, place};
use super::window::WINDOW;
use super::{Comparer, ComparisonResult, ComparisonRule};
use crate::model::{Difference, Verdict};

/// A reader that returns a text in pieces, whose maximum lengths cycle through `sizes`.
struct Pieces<'a> {
    text: &'a [u8],
    sizes: Vec<usize>,
    turn: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        let count = self.sizes[self.turn % self.sizes.len()].min(buffer.len()).min(self.text.len());
        buffer[..count].copy_from_slice(&self.text[..count]);
        self.text = &self.text[count..];
        Ok(count)
    }
}

/// Returns a reader of a repeated byte followed by a tail, without storing the text.
fn repeated(byte: u8, count: u64, tail: &[u8]) -> impl Read + '_ {
    io::repeat(byte).take(count).chain(tail)
}

fn verdict(finding: &ComparisonResult) -> Option<Verdict> {
    match finding {
        ComparisonResult::Same => None,
        ComparisonResult::Differs { verdict, .. } => Some(*verdict),
    }
}

fn differs(finding: ComparisonResult) -> Difference {
    match finding {
        ComparisonResult::Same => panic!("found no difference"),
        ComparisonResult::Differs { difference, .. } => difference,
    }
}

fn rule() -> impl Strategy<Value = ComparisonRule> {
    let bound = || proptest::option::of(proptest::sample::select(vec![0.0, 1e-6, 0.1, 1.0]));
    prop_oneof![
        Just(ComparisonRule::Exact),
        Just(ComparisonRule::Lines),
        Just(ComparisonRule::Tokens),
        Just(ComparisonRule::Unordered),
        (bound(), bound(), any::<bool>()).prop_map(|(absolute, relative, spaces)| ComparisonRule::Numbers {
            absolute,
            relative,
            spaces
        }),
    ]
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => proptest::sample::select(vec!["a", "A", "b", "1", "1.0", "1.05", "2", "1e0", "-0", "0", "nan", ".", "\0", "\u{feff}"])
            .prop_map(|text| text.as_bytes().to_vec()),
        4 => proptest::sample::select(vec![" ", "\n", "\r\n", "\t", "  ", "\n\n", " \n", "\x0b", "\x0c"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
        1 => (proptest::sample::select(b"0a1. ".to_vec()), 1_usize..6000).prop_map(|(byte, count)| vec![byte; count]),
    ]
}

/// Generates an answer and a similar output, in which some pieces are replaced, inserted, removed or swapped.
fn texts() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edits = proptest::collection::vec((any::<proptest::sample::Index>(), 0_u8..4, piece()), 0..4);
    (proptest::collection::vec(piece(), 0..40), edits, 1_usize..200).prop_map(|(pieces, edits, repeat)| {
        let times = repeat.saturating_sub(150).max(1);
        let mut changed: Vec<Vec<u8>> = pieces.iter().cloned().cycle().take(pieces.len() * times).collect();
        let expected = changed.concat();
        for (place, kind, piece) in edits {
            if changed.is_empty() {
                break;
            }
            let place = place.index(changed.len());
            match kind {
                0 => changed[place] = piece,
                1 => changed.insert(place, piece),
                2 => drop(changed.remove(place)),
                _ => changed.swap(place, 0),
            }
        }
        (expected, changed.concat())
    })
}

proptest! {
    #[test]
    fn piece_sizes_do_not_matter(
        rule in rule(),
        (expected, actual) in texts(),
        sizes in proptest::collection::vec(1_usize..5000, 1..5),
        others in proptest::collection::vec(1_usize..70, 1..5),
    ) {
        let comparer = Comparer::new(rule);
        let windows = |text: Vec<u8>| text[..text.len().min(2 * WINDOW)].to_vec();
        let (expected, actual) = (windows(expected), windows(actual));
        let a = Pieces { text: &expected, sizes, turn: 0 };
        let b = Pieces { text: &actual, sizes: others, turn: 0 };
        prop_assert_eq!(comparer.compare(a, b).unwrap(), comparer.compare(&expected[..], &actual[..]).unwrap());
    }
}

type Texts = (Vec<u8>, Vec<u8>);

fn check_verdict(rule: ComparisonRule, fold_case: bool, (expected, actual): Texts) -> Result<(), TestCaseError> {
    prop_assume!(!huge(&expected) && !huge(&actual));
    let comparer = Comparer { rule, fold_case };
    let finding = comparer.compare_bytes(&expected, &actual);
    prop_assert_eq!(verdict(&finding), naive_verdict(comparer, &expected, &actual));
    Ok(())
}

fn check_token_position(rule: ComparisonRule, fold_case: bool, (expected, actual): Texts) -> Result<(), TestCaseError> {
    prop_assume!(rule != ComparisonRule::Unordered && !huge(&expected) && !huge(&actual));
    let finding = Comparer { rule, fold_case }.compare_bytes(&expected, &actual);
    if let ComparisonResult::Differs { verdict: Verdict::WrongAnswer, difference } = finding {
        let rule = match rule {
            ComparisonRule::Exact | ComparisonRule::Lines => ComparisonRule::Tokens,
            rule => rule,
        };
        let found = (
            difference.index,
            (difference.expected_line, difference.expected_column),
            (difference.actual_line, difference.actual_column),
        );
        prop_assert_eq!(Some(found), first_token(rule, fold_case, &expected, &actual));
    }
    Ok(())
}

proptest! {
    #[test]
    fn verdict_equals_the_reference(rule in rule(), fold_case: bool, texts in texts()) {
        check_verdict(rule, fold_case, texts)?;
    }

    #[test]
    fn position_of_a_wrong_token_equals_the_reference(rule in rule(), fold_case: bool, texts in texts()) {
        check_token_position(rule, fold_case, texts)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn verdict_equals_the_reference_on_many_texts(rule in rule(), fold_case: bool, texts in texts()) {
        check_verdict(rule, fold_case, texts)?;
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn position_of_a_wrong_token_equals_the_reference_on_many_texts(
        rule in rule(), fold_case: bool, texts in texts(),
    ) {
        check_token_position(rule, fold_case, texts)?;
    }

    #[test]
    fn files_are_compared_like_streams(rule in rule(), (expected, actual) in texts(), from in 0_u64..3) {
        let comparer = Comparer::new(rule);
        let cursor = |text: &[u8]| {
            let mut cursor = io::Cursor::new([&b"xxx"[..from as usize], text].concat());
            cursor.set_position(from);
            cursor
        };
        let found = comparer.compare_files(cursor(&expected), cursor(&actual)).unwrap();
        prop_assert_eq!(found, comparer.compare(&expected[..], &actual[..]).unwrap());
    }

    #[test]
    fn position_of_wrong_white_space_is_exact(fold_case: bool, (expected, actual) in texts()) {
        let finding = Comparer { rule: ComparisonRule::Exact, fold_case }.compare_bytes(&expected, &actual);
        if let ComparisonResult::Differs { verdict: Verdict::PresentationError, difference } = finding {
            let (a, b) = (fold(&expected, fold_case), fold(&actual, fold_case));
            let at = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
            prop_assert_eq!((difference.expected_line, difference.expected_column), place(&a, at));
            prop_assert_eq!((difference.actual_line, difference.actual_column), place(&b, at));
        }
    }
}

#[test]
fn rules_on_small_texts() {
    use Verdict::{PresentationError, WrongAnswer};
    let numbers = ComparisonRule::Numbers { absolute: Some(0.01), relative: None, spaces: false };
    let formatted = ComparisonRule::Numbers { absolute: Some(0.01), relative: None, spaces: true };
    for (rule, expected, actual, verdict_of) in [
        (ComparisonRule::Exact, "1 2\n", "1 2\n", None),
        (ComparisonRule::Exact, "1 2\n", "1 2", Some(PresentationError)),
        (ComparisonRule::Exact, "1 2\n", "1\r2\n", Some(PresentationError)),
        (ComparisonRule::Exact, "1 2\n", "12\n", Some(WrongAnswer)),
        (ComparisonRule::Lines, "1 2\n3\n", "1 2 \r\n3\n\n \n", None),
        (ComparisonRule::Lines, "1 2\n3\n", "1 2\n3", None),
        (ComparisonRule::Lines, "", "\n\n  ", None),
        (ComparisonRule::Lines, "1 2\n3\n", "1  2\n3\n", Some(PresentationError)),
        (ComparisonRule::Lines, "1\n2\n", "1 2\n", Some(PresentationError)),
        (ComparisonRule::Lines, "1\n2\n", "1\n\n2\n", Some(PresentationError)),
        (ComparisonRule::Lines, "1\n2\n", " 1\n2\n", Some(PresentationError)),
        (ComparisonRule::Lines, "1\n2\n", "1\n3\n", Some(WrongAnswer)),
        (ComparisonRule::Tokens, "1 2\n", "\x0b1\t\n2\x0c", None),
        (ComparisonRule::Tokens, "1 2\n", "1 2\u{a0}", Some(WrongAnswer)),
        (ComparisonRule::Tokens, "1\n", "\u{feff}1\n", Some(WrongAnswer)),
        (ComparisonRule::Tokens, "a\0b", "a\0b\n", None),
        (ComparisonRule::Tokens, "a\0b", "a\0c\n", Some(WrongAnswer)),
        (ComparisonRule::Tokens, "", "", None),
        (ComparisonRule::Tokens, "", "0", Some(WrongAnswer)),
        (numbers, "1.0 x", "1.009 x", None),
        (numbers, "1.0 x", "1.011 x", Some(WrongAnswer)),
        (numbers, "1", "1e0", None),
        (numbers, "1", "nan", Some(WrongAnswer)),
        (numbers, "1", "inf", Some(WrongAnswer)),
        (numbers, "nan", "nan", None),
        (numbers, "nan", "NaN", Some(WrongAnswer)),
        (numbers, "nan", "1", Some(WrongAnswer)),
        (numbers, "16", "0x10", Some(WrongAnswer)),
        (numbers, "1.5 2.5", "1.50", Some(WrongAnswer)),
        (numbers, "1e999", "1e999", None),
        (formatted, "1.0  x\n", "1.009  x\n", None),
        (formatted, "1.0  x\n", "1.009 x\n", Some(PresentationError)),
        (formatted, "1.0\tx\n", "1.009 x\n", Some(PresentationError)),
        (formatted, "1.0", "1.009\n", Some(PresentationError)),
        (formatted, "1.0\n", "\n1.0\n", Some(PresentationError)),
        (formatted, "1.0  x\n", "1.009 y\n", Some(WrongAnswer)),
        (formatted, "1.0  x\n", "1.02  x\n", Some(WrongAnswer)),
        (formatted, "12 x\n", "1 2 x\n", Some(WrongAnswer)),
        (ComparisonRule::Unordered, "a\nb\nb\n", "b \na\n\nb", None),
        (ComparisonRule::Unordered, "a\nb\nb\n", "a\nb\n", Some(WrongAnswer)),
        (ComparisonRule::Unordered, "a\nb\n", "a\nb\na\n", Some(WrongAnswer)),
    ] {
        let comparer = Comparer::new(rule);
        let finding = comparer.compare_bytes(expected.as_bytes(), actual.as_bytes());
        assert_eq!(verdict(&finding), verdict_of, "{rule:?} {expected:?} {actual:?}");
        let itself = comparer.compare(actual.as_bytes(), actual.as_bytes()).unwrap();
        assert_eq!(itself, ComparisonResult::Same, "{rule:?} {actual:?} with itself");
    }
}

#[test]
fn messages_of_differences() {
    let numbers = ComparisonRule::Numbers { absolute: Some(1e-6), relative: Some(1e-9), spaces: false };
    let formatted = ComparisonRule::Numbers { absolute: Some(1e-6), relative: Some(1e-9), spaces: true };
    let long = "x".repeat(100);
    let other = format!("{}y", "x".repeat(99));
    let mut told = String::new();
    for (rule, expected, actual) in [
        (ComparisonRule::Tokens, "1 2 3\n", "1 2\n4\n"),
        (ComparisonRule::Tokens, "1 2 3\n", "1 2\n"),
        (ComparisonRule::Tokens, "1 2\n", "1 2 3\n"),
        (ComparisonRule::Tokens, "1\n", ""),
        (ComparisonRule::Tokens, "", "1\n"),
        (ComparisonRule::Tokens, "Yes\n", "YES\n"),
        (ComparisonRule::Tokens, "Yes\n", "\x1b[2J\n"),
        (ComparisonRule::Tokens, &long, &other),
        (numbers, "0.5\n", "0.50001\n"),
        (numbers, "0.5\n", "half\n"),
        (formatted, "0.5 1\n", "0.500\t1\n"),
        (ComparisonRule::Exact, "1 2\n3\n", "1  2\n3\n"),
        (ComparisonRule::Exact, "1 2\n", "1 2"),
        (ComparisonRule::Lines, "1\n2\n", "1 2\n"),
        (ComparisonRule::Lines, "1\n2\n", "1\n3\n"),
        (ComparisonRule::Unordered, "a\nb\nb\n", "a\nb\nc\n"),
        (ComparisonRule::Unordered, "a\nb\nb\n", "a\nb\n"),
        (ComparisonRule::Unordered, "a\nb\nb\n", "b\nb\n"),
        (ComparisonRule::Unordered, "a\nb\n", "a\na\n"),
    ] {
        let difference = differs(Comparer::new(rule).compare_bytes(expected.as_bytes(), actual.as_bytes()));
        told += &format!(
            "{}:{} {}:{} {}\n",
            difference.expected_line,
            difference.expected_column,
            difference.actual_line,
            difference.actual_column,
            difference.message
        );
    }
    insta::assert_snapshot!(told, @r"
    1:5 2:1 token 3: expected `3`, found `4`
    1:5 2:1 the output ends too early: expected `3` as token 3
    2:1 1:5 the answer has 2 tokens, but the output continues with `3`
    1:1 1:1 the output is empty, expected `1`
    1:1 1:1 expected an empty output, found `1`
    1:1 1:1 token 1: expected `Yes`, found `YES`, which differs only in case
    1:1 1:1 token 1: expected `Yes`, found `␛[2J`
    1:1 1:1 token 1: expected `…xxxxxxxxxxxxxxxxxxxxx`, found `…xxxxxxxxxxxxxxxxxxxxy`, first difference at byte 100 of the token
    1:1 1:1 token 1: expected `0.5`, found `0.50001`, an error of 1.000e-5; the tolerance is 1e-6 absolute or 1e-9 relative
    1:1 1:1 token 1: expected `0.5`, found `half`
    1:4 1:6 the tokens match, but the white space differs: line 1 of the output continues with `→1↵`, expected `·1↵`
    1:3 1:3 the tokens match, but the white space differs: line 1 of the output continues with `·2↵`, expected `2↵`
    1:4 1:4 the tokens match, but the white space differs: the output ends in line 1, expected `↵`
    1:2 1:2 the tokens match, but the white space differs: line 1 of the output continues with `·2↵`, expected `↵`
    2:1 2:1 token 2: expected `2`, found `3`
    1:1 3:1 line 3 of the output is not in the answer: `c`
    2:1 1:1 the output has only 1 of the 2 lines that equal line 2 of the answer: `b`
    1:1 1:1 line 1 of the answer is missing from the output: `a`
    1:1 2:1 line 2 of the output occurs more often than in the answer, which contains it once: `a`
    ");
}

#[test]
fn reading_stops_at_the_first_difference() {
    struct Never;
    impl Read for Never {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("read past the first difference")
        }
    }
    for rule in [
        ComparisonRule::Exact,
        ComparisonRule::Lines,
        ComparisonRule::Tokens,
        ComparisonRule::Numbers { absolute: None, relative: None, spaces: false },
    ] {
        let filler = vec![b'z'; 1000];
        let expected = [&b"1 2 "[..], &filler].concat();
        let actual = [&b"1 3 "[..], &filler].concat();
        let finding = Comparer::new(rule).compare(expected.chain(Never), actual.chain(Never)).unwrap();
        assert_eq!(differs(finding).index, 2, "{rule:?}");
    }
}

#[test]
fn reader_errors_are_returned() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    for rule in [ComparisonRule::Exact, ComparisonRule::Lines, ComparisonRule::Tokens, ComparisonRule::Unordered] {
        assert!(Comparer::new(rule).compare(b"1".chain(Broken), &b"1"[..]).is_err(), "{rule:?}");
        assert!(Comparer::new(rule).compare(&b"1 2"[..], b"1".chain(Broken)).is_err(), "{rule:?}");
    }
}

#[test]
fn tokens_longer_than_any_window_are_compared_in_place() {
    const LENGTH: u64 = 10_000_000;
    let numbers = |spaces| ComparisonRule::Numbers { absolute: Some(0.5), relative: None, spaces };
    for rule in [ComparisonRule::Exact, ComparisonRule::Lines, ComparisonRule::Tokens, numbers(false), numbers(true)] {
        let comparer = Comparer::new(rule);
        let expected = || b"a\nb ".chain(repeated(b'x', LENGTH, b"y z"));
        assert_eq!(comparer.compare(expected(), expected()).unwrap(), ComparisonResult::Same);
        let actual = b"a\nb ".chain(repeated(b'x', LENGTH, b"w z"));
        let difference = differs(comparer.compare(expected(), actual).unwrap());
        assert_eq!((difference.expected_line, difference.expected_column, difference.index), (2, 3, 3));
        assert_eq!(difference.expected.as_deref(), Some(&*format!("…{}y", "x".repeat(20))));
        assert_eq!(difference.actual.as_deref(), Some(&*format!("…{}w", "x".repeat(20))));
        assert!(
            difference.message.ends_with("first difference at byte 10000001 of the token"),
            "{}",
            difference.message
        );
    }
}

#[test]
fn numbers_longer_than_any_window_are_read() {
    const LENGTH: u64 = 3_000_000;
    let comparer = Comparer::new(ComparisonRule::Numbers { absolute: None, relative: Some(1e-9), spaces: false });
    let zeros = |head: &'static [u8], tail: &'static [u8]| head.chain(repeated(b'0', LENGTH, tail));
    let same = |a: &mut dyn Read, b: &mut dyn Read| comparer.compare(a, b).unwrap() == ComparisonResult::Same;
    assert!(same(&mut zeros(b"x 1.", b" y"), &mut &b"x 1 y"[..]));
    assert!(same(&mut &b"x 1 y"[..], &mut zeros(b"x 1.", b" y")));
    assert!(same(&mut zeros(b"x 1.", b"1 y"), &mut zeros(b"x 1.", b"2 y")));
    assert!(same(&mut zeros(b"x 1", b"e-3000000 y"), &mut &b"x 1e0 y"[..]));
    assert!(same(&mut zeros(b"", b"1"), &mut &b"1"[..]));
    assert!(!same(&mut zeros(b"x 1.", b"1e1 y"), &mut zeros(b"x 1.", b"2 y")));
    assert!(!same(&mut zeros(b"x 1.", b"1 y"), &mut zeros(b"x 1.", b"2 z")));
    assert!(!same(&mut zeros(b"x 1.", b"1.1 y"), &mut zeros(b"x 1.", b"2 y")));
    assert!(!same(&mut zeros(b"x 1.", b"1 y"), &mut zeros(b"x 1.", b"2 ")));
}

#[test]
fn blanks_longer_than_any_window_are_passed() {
    const LENGTH: u64 = 3_000_000;
    let blanks = |tail: &'static [u8]| b"1".chain(repeated(b' ', LENGTH, tail));
    let check = |rule, tail, other: &[u8]| verdict(&Comparer::new(rule).compare(blanks(tail), other).unwrap());
    assert_eq!(check(ComparisonRule::Lines, b"\n2\n", b"1\n2\n"), None);
    assert_eq!(check(ComparisonRule::Lines, b"2\n", b"1\n2\n"), Some(Verdict::PresentationError));
    assert_eq!(check(ComparisonRule::Lines, b"2\n", b"1\n3\n"), Some(Verdict::WrongAnswer));
    assert_eq!(check(ComparisonRule::Lines, b"", b"1\n\n"), None);
    assert_eq!(check(ComparisonRule::Lines, b"\n\n", b"1"), None);
    assert_eq!(check(ComparisonRule::Tokens, b"2", b"1 2"), None);
    assert_eq!(check(ComparisonRule::Tokens, b"2", b"1"), Some(Verdict::WrongAnswer));
    assert_eq!(check(ComparisonRule::Unordered, b"\n2", b"2\n1"), None);
    assert_eq!(check(ComparisonRule::Unordered, b"2", b"2\n1"), Some(Verdict::WrongAnswer));
    let mut newlines = b"1".chain(repeated(b'\n', LENGTH, b""));
    assert_eq!(Comparer::new(ComparisonRule::Lines).compare(&b"1"[..], &mut newlines).unwrap(), ComparisonResult::Same);
}

#[test]
fn lines_longer_than_any_window_are_hashed_whole() {
    const LENGTH: u64 = 1_000_000;
    let line = |tail: &'static [u8]| repeated(b'x', LENGTH, tail);
    let comparer = Comparer::new(ComparisonRule::Unordered).fold_case(true);
    assert_eq!(comparer.compare(line(b"Y  \nz"), b"Z\n".chain(line(b"y"))).unwrap(), ComparisonResult::Same);
    let difference = differs(comparer.compare(line(b"y"), line(b"w")).unwrap());
    assert_eq!(difference.actual.as_deref(), Some(&*format!("{}…", "x".repeat(60))));
}
