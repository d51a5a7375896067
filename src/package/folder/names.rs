//! Guesses from paths alone which files are inputs and answers, and which files belong together.
//!
//! Paths such as `in/abc1a.in`, `input1.txt`, `1_in.txt` and `1.in` contain a marker word for the kind of file. Without
//! the marker words, an input has the same path as its answer: `abc1a`, `1`. If no case is found, looser rules apply:
//! `task.in1`, `I.1`, `1/input.txt`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::icpc::PROGRAMS;

/// Marker words of inputs.
const INPUTS: [&str; 4] = ["in", "inp", "input", "inputs"];
/// Marker words of answers. If a case has several answers, the answer whose marker word comes first in this list is
/// used.
const ANSWERS: [&str; 10] = ["ans", "a", "answer", "answers", "out", "output", "outputs", "expected", "ok", "sol"];
/// Letters that mark an answer only next to a number, as in `task.ou1` and `O.1`.
const SHORT_ANSWERS: [&str; 2] = ["ou", "o"];
/// The letter that marks an input only next to a number, as in `I.1`.
const SHORT_INPUT: &str = "i";
/// Extensions that do not determine the kind of file.
const NEUTRAL: [&str; 3] = ["txt", "dat", "text"];

/// Suffix of test runs in the naming scheme of the sinol format.
pub(super) const TEST_RUN: &str = "ocen";
/// The reason for leaving out an input without an answer.
pub(super) const NO_ANSWER: &str = "it has no answer";
/// The reason for leaving out an answer without an input.
pub(super) const NO_INPUT: &str = "it has no input";
/// The reason for leaving out a program, or a file without a marker word.
pub(super) const NO_PART: &str = "it is not part of a case";

/// The files of a case, and the key of the case, which is the common part of the paths of the files. The key ends with
/// `/` if it consists of folders only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestPair {
    pub(super) key: String,
    pub(super) input: String,
    /// The answer file; `None` for an input that has none.
    pub(super) answer: Option<String>,
}

/// The result of guessing the cases among a list of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Guess {
    /// Cases, in natural order of their keys.
    pub(super) pairs: Vec<TestPair>,
    /// Paths that belong to no case, each with the reason.
    pub(super) left: Vec<(String, &'static str)>,
}

/// The interpretation of a path as the path of an input or an answer.
#[derive(Debug, PartialEq, Eq)]
struct PathReading {
    /// Index of the answer's marker word in the list of [`ANSWERS`] followed by [`SHORT_ANSWERS`]; `None` for an input.
    answer: Option<usize>,
    /// Whether the path has a marker word.
    marked: bool,
    key: String,
}

/// Returns whether the path has the extension of a program. Such a path may contain a marker word, as in `sol.cpp`.
fn is_program(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| PROGRAMS.contains(&ending))
}

/// Guesses the cases. Programs belong to no case. The looser rules apply only if the marker words yield no case, so
/// that other files, such as the files of a program next to the tests, do not become cases.
pub(super) fn guess(paths: &[String]) -> Guess {
    let (programs, files): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| is_program(path));
    let mut found = paired(files.into_iter().map(|path| (path, read(path))));
    if found.pairs.is_empty() {
        found = pair_loosely(found.left);
    }
    found.left.extend(programs.into_iter().map(|path| (path.clone(), NO_PART)));
    found.left.sort();
    found.pairs.sort_by_cached_key(|pair| natural(&pair.key));
    found
}

/// Guesses the cases like [`guess`], but treats each input without an answer as a case too.
pub(super) fn guess_inputs(paths: &[String]) -> Guess {
    let mut found = guess(paths);
    let (alone, left) = found.left.into_iter().partition(|(_, why)| *why == NO_ANSWER);
    found.left = left;
    for (input, _) in alone {
        let key = read_loosely(&input).filter(|_| found.pairs.is_empty()).unwrap_or_else(|| read(&input)).key;
        found.pairs.push(TestPair { key, input, answer: None });
    }
    found.pairs.sort_by_cached_key(|pair| natural(&pair.key));
    found
}

/// Returns whether the name of a file without its extensions is a marker word of at least two letters, as in
/// `input.txt` and `out`.
pub(super) fn is_whole_word(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, _) = endings(file);
    stem.len() > 1 && mark(stem).is_some()
}

/// Applies the looser rules to the files that belong to no case.
fn pair_loosely(left: Vec<(String, &'static str)>) -> Guess {
    let bold = paired(left.iter().filter_map(|(path, _)| Some((path, read_loosely(path)?))));
    let taken: BTreeSet<&String> =
        bold.pairs.iter().flat_map(|pair| std::iter::once(&pair.input).chain(&pair.answer)).collect();
    let reasons: BTreeMap<&String, &'static str> = bold.left.iter().map(|(path, why)| (path, *why)).collect();
    let rest = left.iter().filter(|(path, _)| !taken.contains(path));
    let reason = |path, why| if why == NO_PART { reasons.get(path).copied().unwrap_or(NO_PART) } else { why };
    let left = rest.map(|(path, why)| (path.clone(), reason(path, *why))).collect();
    Guess { left, pairs: bold.pairs }
}

/// Pairs inputs and answers that have the same key.
fn paired<'a>(readings: impl Iterator<Item = (&'a String, PathReading)>) -> Guess {
    let mut inputs: BTreeMap<String, Vec<(&String, bool)>> = BTreeMap::new();
    let mut answers: BTreeMap<String, Vec<(usize, &String)>> = BTreeMap::new();
    for (path, reading) in readings {
        match reading.answer {
            Some(place) => answers.entry(reading.key).or_default().push((place, path)),
            None => inputs.entry(reading.key).or_default().push((path, reading.marked)),
        }
    }
    let mut guess = Guess::default();
    for (key, mut found) in inputs {
        // A file with a marker word is preferred as the input over files without a marker word.
        found.sort_by_key(|(path, marked)| (!marked, path.len()));
        let (input, marked) = found.remove(0);
        guess.left.extend(found.into_iter().map(|(path, _)| (path.clone(), "another input is used for the same case")));
        let mut fitting = answers.remove(&key).unwrap_or_default();
        fitting.sort();
        if fitting.is_empty() {
            let why = if marked { NO_ANSWER } else { NO_PART };
            guess.left.push((input.clone(), why));
            continue;
        }
        let (_, answer) = fitting.remove(0);
        guess
            .left
            .extend(fitting.into_iter().map(|(_, path)| (path.clone(), "another answer is used for the same case")));
        guess.pairs.push(TestPair { key, input: input.clone(), answer: Some(answer.clone()) });
    }
    for path in answers.into_values().flatten().map(|(_, path)| path) {
        guess.left.push((path.clone(), NO_INPUT));
    }
    guess
}

/// Interprets a path: its marker words determine the kind of file, and the remaining parts form the key. If the marker
/// words contradict each other, the extension takes precedence over the name, and the name over folders.
fn read(path: &str) -> PathReading {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, mut marks) = endings(file);
    let rest = match word_of(stem) {
        Some((mark, rest)) => {
            marks.push(mark);
            rest
        }
        None => stem.to_owned(),
    };
    let mut key: Vec<&str> = Vec::new();
    for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
        match mark(folder) {
            Some(mark) => marks.push(mark),
            None => key.push(folder),
        }
    }
    key.push(&rest);
    PathReading { answer: marks.first().copied().flatten(), marked: !marks.is_empty(), key: key.join("/") }
}

/// Interprets a path by the looser rules: the extension is a marker word followed by a number, the name is a marker
/// word or letter followed by a number, or the whole name of a file in a folder is a marker word. Returns `None` for
/// all other paths.
fn read_loosely(path: &str) -> Option<PathReading> {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    // A folder named `a` may denote a case rather than answers.
    let other = |folder: &&str| !folder.is_empty() && (folder.len() == 1 || mark(folder).is_none());
    let mut key: Vec<&str> = folders.split('/').filter(other).collect();
    let (stem, marks) = endings(file);
    let whole = || {
        let word = mark(stem).filter(|_| stem.len() > 1)?;
        Some((marks.first().copied().unwrap_or(word), String::new()))
    };
    let (answer, rest) = numbered_ending(file).or_else(|| numbered(stem)).or_else(whole)?;
    key.push(&rest);
    Some(PathReading { answer, marked: true, key: key.join("/") })
}

/// Parses a file name with an extension such as `in1` in `task.in1`, and returns the kind of file and a key such as
/// `task/1`. Returns `None` for other names.
fn numbered_ending(file: &str) -> Option<(Option<usize>, String)> {
    let (stem, ending) = file.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let (mark, number) = numbered(ending)?;
    Some((mark, format!("{stem}/{number}")))
}

/// Parses a word or letter followed by a number, such as `ou1` or `I.1`, and returns the kind of file and the number.
/// Returns `None` for other strings.
fn numbered(stem: &str) -> Option<(Option<usize>, String)> {
    let (word, rest) = stem.split_at(stem.find(|c: char| !c.is_ascii_alphabetic())?);
    let number = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.to_ascii_lowercase();
    let short = SHORT_ANSWERS.iter().position(|answer| *answer == word).map(|at| Some(ANSWERS.len() + at));
    let found = match word.as_str() {
        SHORT_INPUT => Some(None),
        word => mark(word).filter(|_| word.len() > 1).or(short),
    };
    Some((found.filter(|_| is_number)?, number.to_owned()))
}

/// Removes an extension that is a marker word or in [`NEUTRAL`], and after an extension in [`NEUTRAL`] also a second
/// such extension. Returns the remaining name and the kinds of file that the removed marker words denote.
fn endings(file: &str) -> (&str, Vec<Option<usize>>) {
    let mut marks = Vec::new();
    let mut stem = file;
    for _ in 0..2 {
        let Some((before, ending)) = stem.rsplit_once('.').filter(|(before, _)| !before.is_empty()) else { break };
        let neutral = NEUTRAL.contains(&ending.to_ascii_lowercase().as_str());
        let mark = mark(ending);
        if mark.is_none() && !neutral {
            break;
        }
        stem = before;
        marks.extend(mark);
        if !neutral {
            break;
        }
    }
    (stem, marks)
}

/// Returns the kind of file that a word marks: `Some(None)` for an input, `Some(Some(index))` for an answer, `None`
/// for other words.
fn mark(word: &str) -> Option<Option<usize>> {
    let word = word.to_ascii_lowercase();
    match INPUTS.contains(&word.as_str()) {
        true => Some(None),
        false => ANSWERS.iter().position(|answer| *answer == word).map(Some),
    }
}

/// Finds a marker word of at least two letters at the start or end of a name, or between separators, as in `input1`,
/// `1_in` and `test-out-2`. Returns the kind of file that the word denotes and the rest of the name. Returns `None` if
/// the name has no marker word or consists only of one.
fn word_of(stem: &str) -> Option<(Option<usize>, String)> {
    let letters = |c: char| c.is_ascii_alphabetic();
    let cut = |c: char| !c.is_ascii_alphanumeric();
    let head = stem.find(|c| !letters(c)).unwrap_or(stem.len());
    let tail = stem.rfind(|c| !letters(c)).map_or(0, |at| at + stem[at..].chars().next().map_or(1, char::len_utf8));
    let rest = |rest: &str| Some(rest.trim_matches(cut).to_owned()).filter(|rest| !rest.is_empty());
    // A single letter denotes a case or a task, as in `1a` and `a1`.
    if let (Some(mark), Some(rest)) = (mark(&stem[..head]).filter(|_| head > 1), rest(&stem[head..])) {
        return Some((mark, rest));
    }
    if let (Some(mark), Some(rest)) = (mark(&stem[tail..]).filter(|_| stem.len() - tail > 1), rest(&stem[..tail])) {
        return Some((mark, rest));
    }
    let mut pieces: Vec<&str> = stem.split(cut).collect();
    let at = pieces.iter().position(|piece| piece.len() > 1 && mark(piece).is_some())?;
    let found = mark(pieces.remove(at))?;
    (!pieces.is_empty()).then(|| (found, pieces.join("-")))
}

/// Returns a sort key for names: the runs of digits, which are compared by value, and the strings between them.
pub(super) fn natural(name: &str) -> Vec<(u128, String)> {
    let mut found = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[text..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - text);
        if text > 0 {
            found.push((0, rest[..text].to_owned()));
        }
        if digits > 0 {
            let number = &rest[text..text + digits];
            // Numbers sort after other text, and numbers that do not fit in a `u128` sort last.
            found.push((number.parse::<u128>().unwrap_or(u128::MAX - 1).saturating_add(1), number.to_owned()));
        }
        rest = &rest[text + digits..];
    }
    found
}

/// Returns the patterns of a case's input and answer paths, such as `in/*.in` for `in/abc1a.in`.
pub(super) fn shape(pair: &TestPair) -> (String, Option<String>) {
    let (folders, core) = pair.key.rsplit_once('/').unwrap_or(("", &pair.key));
    let folder = folders.rsplit('/').next().unwrap_or(folders);
    let shaped = |path: &str| match core.is_empty() {
        true => with_star_as_folder(path, folder),
        false => with_star_in_name(path, core),
    };
    (shaped(&pair.input), pair.answer.as_deref().map(shaped))
}

/// Replaces `core` in the file name by `*`, so that `in/1.in` becomes `in/*.in`. If `core` is a number at the end of
/// the name, as in `task1.in1`, the last occurrence is replaced, and otherwise the first.
fn with_star_in_name(path: &str, core: &str) -> String {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let number = core.bytes().all(|byte| byte.is_ascii_digit());
    let file = match file.strip_suffix(core).filter(|_| number) {
        Some(before) => format!("{before}*"),
        None => file.replacen(core, "*", 1),
    };
    if folders.is_empty() { file } else { format!("{folders}/{file}") }
}

/// Replaces the folder of the case by `*`, so that `tests/1/input.txt` becomes `tests/*/input.txt`.
fn with_star_as_folder(path: &str, folder: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(at) = parts.iter().rposition(|part| *part == folder) {
        parts[at] = "*";
    }
    parts.join("/")
}

/// Returns the groups of the cases by sinol's naming scheme: `abc1a` and `abc1b` belong to group 1 if all names start
/// with the same three lower-case letters and at least one name ends in a letter. Names that end in `ocen` are test
/// runs, which belong to group 0 like the examples and earn no points. Returns `None` if the names do not follow the
/// scheme.
pub(super) fn groups(pairs: &[TestPair]) -> Option<Vec<u64>> {
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_lowercase());
    let part = |pair: &'_ TestPair| -> Option<(String, u64, bool)> {
        let (task, rest) = pair.key.split_at_checked(3)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, letters) = rest.split_at(end);
        (plain(task) && plain(letters)).then_some(())?;
        let number = number.parse().ok()?;
        Some((task.to_owned(), if letters == TEST_RUN { 0 } else { number }, !letters.is_empty()))
    };
    let parts: Vec<(String, u64, bool)> = pairs.iter().map(part).collect::<Option<_>>()?;
    let one_task = parts.iter().all(|(task, ..)| *task == parts[0].0);
    let lettered = parts.iter().any(|(.., letters)| *letters);
    (one_task && lettered).then(|| parts.into_iter().map(|(_, number, _)| number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn guessed(paths: &[&str]) -> (Vec<String>, Vec<String>) {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let Guess { pairs, left } = guess(&paths);
        let pair = |pair: TestPair| format!("{}: {} {}", pair.key, pair.input, pair.answer.unwrap_or_default());
        (pairs.into_iter().map(pair).collect(), left.into_iter().map(|(path, why)| format!("{path}: {why}")).collect())
    }

    #[test]
    fn common_naming_schemes_are_recognized() {
        for (input, answer, key) in [
            ("1.in", "1.out", "1"),
            ("1.in", "1.ans", "1"),
            ("01", "01.a", "01"),
            ("input1.txt", "output1.txt", "1"),
            ("in1.txt", "out1.txt", "1"),
            ("input.1", "output.1", "1"),
            ("1_in.txt", "1_out.txt", "1"),
            ("1.in.txt", "1.out.txt", "1"),
            ("in/1.txt", "out/1.txt", "1"),
            ("in/abc1a.in", "out/abc1a.out", "abc1a"),
            ("input/input0.txt", "output/output0.txt", "0"),
            ("inputs/a", "answers/a", "a"),
            ("sample/1.in", "sample/1.ans", "sample/1"),
            ("sample-1.in", "sample-1.out", "sample-1"),
            ("test-input-7.txt", "test-output-7.txt", "test-7"),
            ("A.IN", "A.OUT", "A"),
            ("ним 1.in", "ним 1.out", "ним 1"),
        ] {
            let (pairs, left) = guessed(&[answer, input]);
            assert_eq!((pairs, left), (vec![format!("{key}: {input} {answer}")], vec![]));
        }
    }

    #[test]
    fn unmatched_files_are_read_loosely() {
        for (input, answer, key, shape) in [
            ("1/input.txt", "1/output.txt", "1/", ["*/input.txt", "*/output.txt"]),
            ("tests/a/in", "tests/a/ans", "tests/a/", ["tests/*/in", "tests/*/ans"]),
            ("1/1/input.in", "1/1/output.out", "1/1/", ["1/*/input.in", "1/*/output.out"]),
            ("in/1/input.txt", "out/1/output.txt", "1/", ["in/*/input.txt", "out/*/output.txt"]),
            ("task.in1", "task.ou1", "task/1", ["task.in*", "task.ou*"]),
            ("task1.in1", "task1.out1", "task1/1", ["task1.in*", "task1.out*"]),
            ("task.i01", "task.o01", "task/01", ["task.i*", "task.o*"]),
            ("t/TASK.I01", "t/TASK.O01", "t/TASK/01", ["t/TASK.I*", "t/TASK.O*"]),
            ("I.1", "O.1", "1", ["I.*", "O.*"]),
            ("in1", "ou1", "1", ["in*", "ou*"]),
            ("i1.txt", "o1.txt", "1", ["i*.txt", "o*.txt"]),
        ] {
            let (pairs, left) = guessed(&[answer, input]);
            assert_eq!((pairs, left), (vec![format!("{key}: {input} {answer}")], vec![]));
            let pair = TestPair { key: key.into(), input: input.into(), answer: Some(answer.into()) };
            assert_eq!(super::shape(&pair), (shape[0].to_owned(), Some(shape[1].to_owned())));
        }
    }

    #[test]
    fn loose_rules_do_not_apply_next_to_a_case() {
        let bold = ["1/input.txt", "1/answer.txt", "2/input.txt", "O.1", "notes/x.o1"];
        let (pairs, left) = guessed(&bold);
        assert_eq!(pairs, ["1/: 1/input.txt 1/answer.txt"]);
        assert_eq!(left, ["2/input.txt: it has no answer", "O.1: it has no input", "notes/x.o1: it has no input"]);
        let (pairs, left) = guessed(&[&bold[..], &["in/abc1a.in", "out/abc1a.out"]].concat());
        assert_eq!(pairs, ["abc1a: in/abc1a.in out/abc1a.out"]);
        assert_eq!(left.len(), bold.len(), "{left:?}");
        // Letters without a number do not form a case.
        assert_eq!(guessed(&["main.i", "main.o", "i/x", "o/x"]).0, Vec::<String>::new());
        assert_eq!(guessed(&["input.txt", "output.txt", "main.cpp"]).0, [": input.txt output.txt"]);
    }

    #[test]
    fn programs_are_part_of_no_case() {
        let found = guess(&["1.in", "1.out", "in.c", "ok.c", "sol.cpp"].map(str::to_owned));
        assert_eq!(found.pairs.len(), 1);
        let left = ["in.c", "ok.c", "sol.cpp"].map(|path| (path.to_owned(), NO_PART));
        assert_eq!(found.left, left);
    }

    #[test]
    fn inputs_without_answers_are_cases_if_wanted() {
        let paths = ["2.in", "1.in", "1.out", "main.py", "3.out"].map(str::to_owned);
        let found = guess_inputs(&paths);
        let pairs: Vec<(&str, Option<&str>)> =
            found.pairs.iter().map(|pair| (pair.input.as_str(), pair.answer.as_deref())).collect();
        assert_eq!(pairs, [("1.in", Some("1.out")), ("2.in", None)]);
        assert_eq!(found.left, [("3.out".to_owned(), NO_INPUT), ("main.py".to_owned(), NO_PART)]);
    }

    #[test]
    fn cases_are_sorted_and_other_files_have_reasons() {
        let (pairs, left) = guessed(&["10.in", "10.out", "9.in", "9.out", "8.in", "7.out", "readme.md", "9.ans"]);
        assert_eq!(pairs, ["9: 9.in 9.ans", "10: 10.in 10.out"]);
        let wanted = [
            "7.out: it has no input",
            "8.in: it has no answer",
            "9.out: another answer is used for the same case",
            "readme.md: it is not part of a case",
        ];
        assert_eq!(left, wanted);
        assert_eq!(guessed(&["main.rs", "lib.rs", "Cargo.toml"]).0, Vec::<String>::new());
    }

    #[test]
    fn groups_require_names_of_sinol() {
        let of = |keys: &[&str]| {
            let pair = |key: &&str| TestPair { key: (*key).to_owned(), input: String::new(), answer: None };
            groups(&keys.iter().map(pair).collect::<Vec<_>>())
        };
        assert_eq!(of(&["abc0", "abc1a", "abc1b", "abc12bc"]), Some(vec![0, 1, 1, 12]));
        assert_eq!(of(&["abc0", "abc1a", "abc1ocen", "abc2ocen"]), Some(vec![0, 1, 0, 0]));
        for others in [&["abc1", "abc2"][..], &["abc1a", "abd1b"], &["1a", "1b"], &["abc", "abcd"], &["ним1a"], &[]]
        {
            assert_eq!(of(others), None, "{others:?}");
        }
    }

    #[test]
    fn shapes_have_a_star_where_names_differ() {
        let pair = |key: &str, input: &str, answer: &str| TestPair {
            key: key.into(),
            input: input.into(),
            answer: Some(answer.into()),
        };
        let shaped = shape(&pair("abc1a", "in/abc1a.in", "out/abc1a.out"));
        assert_eq!(shaped, ("in/*.in".into(), Some("out/*.out".into())));
    }

    proptest! {
        #[test]
        fn loosely_read_paths_are_in_a_case_or_left_out(paths in proptest::collection::btree_set(
            "([1a]/|in/){0,2}(in|out|ou|i|o|t)(put)?([.-]?(in|ou|i|o))?[.12]{0,2}", 0..12
        )) {
            let paths: Vec<String> = paths.into_iter().collect();
            let found = guess(&paths);
            let cases = found.pairs.iter().flat_map(|pair| [Some(pair.input.clone()), pair.answer.clone()]).flatten();
            let mut all: Vec<String> = cases.chain(found.left.into_iter().map(|(path, _)| path)).collect();
            all.sort();
            prop_assert_eq!(all, paths);
        }

        #[test]
        fn every_path_is_in_a_case_or_left_out(paths in proptest::collection::btree_set("(in/|out/|x/)?(in|out|a)?[-_.1-3a]{1,4}(\\.(in|out|ans|txt|é))?", 0..12)) {
            let paths: Vec<String> = paths.into_iter().collect();
            let found = guess(&paths);
            let mut all: Vec<String> = found.pairs.iter().flat_map(|pair| [Some(pair.input.clone()), pair.answer.clone()]).flatten().collect();
            all.extend(found.left.into_iter().map(|(path, _)| path));
            all.sort();
            prop_assert_eq!(all, paths);
        }
    }
}
