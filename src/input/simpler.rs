//! Simpler values than a given one, for the shrinker.

use super::instance::Cell;
use super::layout::Kind;

/// The simplest value within bounds: nought, or what is nearest to it.
pub(crate) fn simplest(kind: &Kind, bounds: (i64, i64)) -> i64 {
    match kind {
        Kind::Choice { allowed, .. } => allowed.first().and_then(|at| i64::try_from(*at).ok()).unwrap_or(0),
        _ => 0.clamp(bounds.0, bounds.1),
    }
}

/// Numbers between `now` and `simple`, the simplest first, the nearest to `now` last.
pub(crate) fn simpler_numbers(now: i64, simple: i64) -> Vec<Cell> {
    let mut numbers = Vec::new();
    let mut step = i128::from(now) - i128::from(simple);
    while step != 0 {
        numbers.extend(i64::try_from(i128::from(now) - step).map(Cell::Number));
        step /= 2;
    }
    numbers
}

/// Shorter words and words with simpler letters, the shortest first.
pub(crate) fn simpler_words(word: &str, letters: &[u8], bounds: (i64, i64)) -> Vec<Cell> {
    let least = usize::try_from(bounds.0).unwrap_or(0);
    let mut words = Vec::new();
    let mut step = word.len().saturating_sub(least);
    while step > 0 {
        words.push(word[step..].to_owned());
        words.push(word[..word.len() - step].to_owned());
        step /= 2;
    }
    let first = letters.first().copied().map_or('a', char::from);
    for (at, _) in word.char_indices().filter(|(_, letter)| *letter != first) {
        words.push(format!("{}{first}{}", &word[..at], &word[at + 1..]));
    }
    words.into_iter().map(Cell::Text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_to_the_simplest_in_halves_and_end_with_the_next() {
        let numbers = |now, simple| {
            simpler_numbers(now, simple)
                .into_iter()
                .map(|cell| match cell {
                    Cell::Number(number) => number,
                    Cell::Text(_) => panic!("a text"),
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(10, 0), [0, 5, 8, 9]);
        assert_eq!(numbers(-3, 0), [0, -2]);
        assert_eq!(numbers(7, 7), [0; 0]);
        assert_eq!(numbers(i64::MAX, i64::MIN)[0], i64::MIN);
    }

    #[test]
    fn words_become_shorter_and_their_letters_simpler() {
        let words = simpler_words("bab", b"ab", (2, 9));
        let texts = ["ab", "ba", "aab", "baa"].map(|word| Cell::Text(word.to_owned()));
        assert_eq!(words, texts);
    }
}
