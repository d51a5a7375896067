//! Simplifies values for the shrinker.

use super::layout::ValueKind;

/// Returns the simplest value within the bounds: the number nearest to zero, or the first allowed word of a choice.
pub(crate) fn simplest(kind: &ValueKind, bounds: (i64, i64)) -> i64 {
    match kind {
        ValueKind::Choice { allowed, .. } => allowed.first().and_then(|at| i64::try_from(*at).ok()).unwrap_or(0),
        _ => 0.clamp(bounds.0, bounds.1),
    }
}

/// Returns the step widths from `now` towards `simple`, from the whole distance down to one.
pub(crate) fn steps(now: i64, simple: i64) -> Vec<i64> {
    /// Distance beyond which the steps are quartered instead of halved, since each step requires a run.
    const FAR: u128 = 1 << 16;
    let way = i128::from(now) - i128::from(simple);
    let sizes =
        std::iter::successors(Some(way.unsigned_abs()), |size| Some(if *size > FAR { size / 4 } else { size / 2 }));
    let sizes = sizes.take_while(|size| *size > 0);
    sizes.filter_map(|size| i64::try_from(i128::try_from(size).ok()? * way.signum()).ok()).collect()
}

/// Returns suffixes and prefixes of `word`, the shortest first, and then the words in which one letter is replaced with
/// the first letter of `letters`.
pub(crate) fn simpler_words(word: &str, letters: &[u8], bounds: (i64, i64)) -> Vec<String> {
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
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_range_from_the_whole_distance_to_one() {
        assert_eq!(steps(10, 0), [10, 5, 2, 1]);
        assert_eq!(steps(-3, 0), [-3, -1]);
        assert_eq!(steps(7, 7), [0; 0]);
        assert_eq!(steps(i64::MAX, 0)[..2], [i64::MAX, i64::MAX / 4]);
        assert_eq!(*steps(i64::MAX, i64::MIN).last().unwrap(), 1);
        assert!(steps(i64::MAX, i64::MIN).len() < 45);
    }

    #[test]
    fn words_become_shorter_and_their_letters_simpler() {
        let words = simpler_words("bab", b"ab", (2, 9));
        assert_eq!(words, ["ab", "ba", "aab", "baa"]);
    }
}
