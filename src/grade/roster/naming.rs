//! Finds the problem, the student and the attempt in a file name.

use unicode_normalization::UnicodeNormalization;

use super::listing::Named;

/// Trims a name and normalizes it to composed Unicode (NFC), since operating systems encode accented letters
/// differently.
pub fn composed(name: &str) -> String {
    name.trim().nfc().collect()
}

/// The problem and the other parts that were found in the name of a file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameReading {
    /// Problem, as an index into the list of problems.
    pub(super) problem: usize,
    /// The name without the problem and the number of the attempt.
    pub(super) rest: String,
    /// Number of the attempt; 0 if there is none.
    pub(super) attempt: u64,
    /// Whether the name refers to the problem and contains neither other words nor the number of an attempt.
    pub(super) whole: bool,
    /// Whether the name refers to the problem only by its index in the list, such as `B` or `p2`.
    pub(super) by_place: bool,
    /// The misspelled words that are interpreted as the id or title of the problem; `None` if no words are misspelled.
    pub(super) misspelt: Option<String>,
}

/// A word of a name: its position, and its letters in lower case.
struct NameWord {
    start: usize,
    end: usize,
    folded: String,
}

fn words(name: &str) -> Vec<NameWord> {
    let mut words: Vec<NameWord> = Vec::new();
    let mut open = false;
    for (at, c) in name.char_indices() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open {
            words.push(NameWord { start: at, end: at, folded: String::new() });
            open = true;
        }
        if let Some(word) = words.last_mut() {
            word.folded.extend(c.to_lowercase());
            word.end = at + c.len_utf8();
        }
    }
    words
}

/// Returns the words of a name in lower case.
pub(super) fn folded_words(name: &str) -> Vec<String> {
    words(name).into_iter().map(|word| word.folded).collect()
}

fn folded(name: &str) -> String {
    folded_words(name).concat()
}

/// Finds the problem to which a name refers: the problem with the longest id or title that occurs in the name as a
/// sequence of whole words. Falls back to the index of a problem, such as `B`, `p2` or `task_2`, and then to a slightly
/// misspelled id or title. Returns `None` if there is no match, or if several problems match equally well.
pub(super) fn find_problem(name: &str, problems: &[Named]) -> Option<NameReading> {
    let words = words(name);
    let misspelt = |(problem, from, to): (usize, usize, usize)| {
        let said = name[words[from].start..words[to - 1].end].to_owned();
        NameReading { misspelt: Some(said), ..heard(name, &words, problem, from, to) }
    };
    match spelt(&words, problems).as_slice() {
        // `misre-nim` is interpreted as `misere-nim` even if there is a problem `nim`.
        [(problem, from, to)] => match misspelling(&words, problems) {
            Some(longer) if longer.0 != *problem && longer.1 <= *from && longer.2 >= *to => Some(misspelt(longer)),
            _ => Some(heard(name, &words, *problem, *from, *to)),
        },
        [] => {
            let by_place = by_place(&folded(name), problems.len());
            let reading = |problem| NameReading {
                problem,
                rest: String::new(),
                attempt: 0,
                whole: true,
                by_place: true,
                misspelt: None,
            };
            by_place.map(reading).or_else(|| misspelling(&words, problems).map(misspelt))
        }
        _ => None,
    }
}

/// Returns the problems whose ids or titles are the longest that occur in a name, or an empty list if there are fewer
/// than two such problems.
pub(super) fn several(name: &str, problems: &[Named]) -> Vec<usize> {
    let found: Vec<usize> = spelt(&words(name), problems).into_iter().map(|(problem, ..)| problem).collect();
    if found.len() > 1 { found } else { Vec::new() }
}

/// Returns the problems whose ids or titles are the longest that occur in `words`, each with the start and the end of
/// the range of matching words.
fn spelt(words: &[NameWord], problems: &[Named]) -> Vec<(usize, usize, usize)> {
    let mut longest = 0;
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for (problem, named) in problems.iter().enumerate() {
        for wanted in [folded(named.id.as_str()), folded(&named.name)] {
            let Some((from, to)) = run_of(words, &wanted).filter(|_| wanted.len() >= longest) else { continue };
            if wanted.len() > longest {
                longest = wanted.len();
                found.clear();
            }
            if found.iter().all(|(other, ..)| *other != problem) {
                found.push((problem, from, to));
            }
        }
    }
    found
}

/// Returns the problem whose id or title differs the least from a sequence of words, if the difference is small enough
/// for a typing error and no other problem has the same difference. Ids and titles of at most four letters and digits
/// are ignored, since they must match exactly.
fn misspelling(words: &[NameWord], problems: &[Named]) -> Option<(usize, usize, usize)> {
    let mut found: Vec<(usize, std::cmp::Reverse<usize>, usize, usize, usize)> = Vec::new();
    for (problem, named) in problems.iter().enumerate() {
        for wanted in [folded(named.id.as_str()), folded(&named.name)] {
            let length = wanted.chars().count();
            let most = match length {
                0..=4 => continue,
                5..=8 => 1,
                _ => 2,
            };
            for from in 0..words.len() {
                let mut said = String::new();
                for (at, word) in words.iter().enumerate().skip(from) {
                    said += &word.folded;
                    // The edit distance is at least the difference of the lengths.
                    let letters = said.chars().count();
                    if letters > length + most {
                        break;
                    }
                    if letters + most < length {
                        continue;
                    }
                    let distance = strsim::damerau_levenshtein(&said, &wanted);
                    if (1..=most).contains(&distance) {
                        found.push((distance, std::cmp::Reverse(length), problem, from, at + 1));
                    }
                }
            }
        }
    }
    let best = *found.iter().min()?;
    let tied = found.iter().any(|other| other.0 == best.0 && other.2 != best.2);
    (!tied).then_some((best.2, best.3, best.4))
}

/// Returns the range of consecutive words that form the text `wanted`, or `None` if there is no such range.
fn run_of(words: &[NameWord], wanted: &str) -> Option<(usize, usize)> {
    if wanted.is_empty() {
        return None;
    }
    (0..words.len()).find_map(|from| {
        let mut rest = wanted;
        for (index, word) in words.iter().enumerate().skip(from) {
            rest = rest.strip_prefix(word.folded.as_str())?;
            if rest.is_empty() {
                return Some((from, index + 1));
            }
        }
        None
    })
}

fn heard(name: &str, words: &[NameWord], problem: usize, from: usize, to: usize) -> NameReading {
    let before = name[..words[from].start].trim_matches(is_joint);
    let after = &words[to..];
    let attempt = attempt_of(after);
    let kept = match attempt {
        Some(_) => "",
        None => name[words[to - 1].end..].trim_matches(is_joint),
    };
    let rest = match (before.is_empty(), kept.is_empty()) {
        (true, _) => kept.to_owned(),
        (_, true) => before.to_owned(),
        (false, false) => format!("{before} {kept}"),
    };
    NameReading {
        problem,
        whole: rest.is_empty() && attempt.is_none(),
        rest,
        attempt: attempt.unwrap_or(0),
        by_place: false,
        misspelt: None,
    }
}

fn is_joint(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, ')' | '(' | '.' | '\'')
}

/// Returns the number of the attempt that these words denote, as in `2`, `v2`, `attempt 2` or `(2)`. Returns `None` if
/// the words do not consist only of such a designation.
fn attempt_of(words: &[NameWord]) -> Option<u64> {
    let number = |text: &str| if text.len() <= 3 { text.parse::<u64>().ok() } else { None };
    match words {
        [word] => number(&word.folded).or_else(|| SAID.iter().find_map(|said| number(word.folded.strip_prefix(said)?))),
        [said, word] if SAID.contains(&said.folded.as_str()) => number(&word.folded),
        _ => None,
    }
}

/// Words that can precede the number of an attempt.
const SAID: [&str; 6] = ["v", "attempt", "try", "version", "submission", "rev"];

/// Splits the name of an attempt's file or folder, such as `attempt-2`, `main_2` or `2`, into the part before the final
/// number, and this number. Returns `None` if the name does not end in a number.
pub(super) fn numbered(name: &str) -> Option<(String, u64)> {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (base, number) = name.split_at(name.len() - digits);
    Some((base.trim_end_matches(is_joint).to_owned(), number.parse().ok()?))
}

/// Parses a problem index in lower case, such as `a`, `p1` or `task2`, and returns it counted from 0. Returns `None` if
/// `folded` is not an index, or if the index is not below `problems`.
fn by_place(folded: &str, problems: usize) -> Option<usize> {
    let place = match folded.as_bytes() {
        [letter @ b'a'..=b'z'] => usize::from(letter - b'a'),
        _ => {
            let said = ["problem", "exercise", "task", "question", "p", "q", "ex", "t"];
            let digits = said.iter().find_map(|word| folded.strip_prefix(word))?;
            digits.parse::<usize>().ok()?.checked_sub(1)?
        }
    };
    (place < problems).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems() -> Vec<Named> {
        [("nim", "Nim"), ("misere-nim", "Misère Nim"), ("split-nim", "Splitting")]
            .map(|(id, name)| Named { id: id.parse().unwrap(), name: name.to_owned() })
            .to_vec()
    }

    fn said(name: &str) -> Option<(usize, String, u64)> {
        find_problem(name, &problems()).map(|heard| (heard.problem, heard.rest, heard.attempt))
    }

    #[test]
    fn longest_match_counts_and_rest_is_kept() {
        assert_eq!(said("nim"), Some((0, String::new(), 0)));
        assert_eq!(said("Misere_Nim"), Some((1, String::new(), 0)));
        assert_eq!(said("misère nim"), Some((1, String::new(), 0)));
        assert_eq!(said("alice_split-nim"), Some((2, "alice".to_owned(), 0)));
        assert_eq!(said("split-nim-Zoë Łuk"), Some((2, "Zoë Łuk".to_owned(), 0)));
        assert_eq!(said("s001-splitting-v2"), Some((2, "s001".to_owned(), 2)));
        assert_eq!(said("split-nim (3)"), Some((2, String::new(), 3)));
        assert_eq!(said("minimum"), None);
        assert_eq!(said("solution"), None);
    }

    #[test]
    fn slightly_misspelt_names_are_guessed() {
        let guess = |name: &str| {
            let heard = find_problem(name, &problems())?;
            Some((heard.problem, heard.rest, heard.misspelt?))
        };
        let some = |problem, rest: &str, said: &str| Some((problem, rest.to_owned(), said.to_owned()));
        assert_eq!(guess("misre-nim"), some(1, "", "misre-nim"));
        assert_eq!(guess("ann_Spilt Nim"), some(2, "ann", "Spilt Nim"));
        assert_eq!(guess("splitttinng-2"), some(2, "", "splitttinng"));
        assert_eq!(said("splittng-2"), Some((2, String::new(), 2)), "the number of the attempt is read as well");
        assert_eq!(guess("split-nim"), None, "the name is correct");
        for other in ["nmi", "nin", "minimum", "splash", "miserable", "tim"] {
            assert_eq!(find_problem(other, &problems()), None, "{other}");
        }
        let near =
            ["heap-one", "heap-two", "heap-owe"].map(|id| Named { id: id.parse().unwrap(), name: String::new() });
        assert_eq!(find_problem("heap-ose", &near), None, "two problems are equally near");
    }

    #[test]
    fn several_problems_in_a_name_are_listed() {
        let named = ["one-nim", "two-nim"].map(|id| Named { id: id.parse().unwrap(), name: id.to_owned() });
        assert_eq!(several("one-nim two-nim", &named), [0, 1]);
        assert!(several("one-nim", &named).is_empty());
        assert!(several("misre-nim", &problems()).is_empty());
    }

    #[test]
    fn index_in_list_is_accepted() {
        assert_eq!(said("B"), Some((1, String::new(), 0)));
        assert_eq!(said("task_3"), Some((2, String::new(), 0)));
        assert_eq!(said("p9"), None);
        assert_eq!(said("D"), None);
    }

    #[test]
    fn final_number_is_attempt() {
        assert_eq!(numbered("attempt-2"), Some(("attempt".to_owned(), 2)));
        assert_eq!(numbered("12"), Some((String::new(), 12)));
        assert_eq!(numbered("main"), None);
    }
}
