//! Random piles with a specified nim-sum. Independent random piles rarely have nim-sum zero.

use super::random::Random;

/// Returns the nim-sum: the exclusive or of all piles.
pub fn nim_sum(piles: &[u64]) -> u64 {
    piles.iter().fold(0, |sum, pile| sum ^ pile)
}

/// Returns the mex: the smallest non-negative integer that is not in `values`.
pub fn mex(values: &[u64]) -> u64 {
    let mut seen = vec![false; values.len() + 1];
    for &value in values {
        if let Some(place) = seen.get_mut(value as usize) {
            *place = true;
        }
    }
    seen.iter().take_while(|there| **there).count() as u64
}

/// Returns `count` random piles, each with a size from `least` to `most`.
pub fn piles(random: &mut Random, count: usize, least: u64, most: u64) -> Vec<u64> {
    (0..count).map(|_| random.between(least, most)).collect()
}

/// Returns `count` random piles, each with a size from `least` to `most`, whose nim-sum is `wanted`. Draws random piles
/// and then corrects the nim-sum with [`set_nim_sum`]. Returns `None` if 100 attempts fail.
pub fn piles_with_nim_sum(random: &mut Random, count: usize, least: u64, most: u64, wanted: u64) -> Option<Vec<u64>> {
    for _ in 0..100 {
        let mut drawn = piles(random, count, least, most);
        if set_nim_sum(random, &mut drawn, least, most, wanted) {
            return Some(drawn);
        }
    }
    None
}

/// Changes as few piles as necessary, at most two, so that the nim-sum becomes `wanted`. Returns false if no suitable
/// sizes from `least` to `most` were found; the piles are then unchanged.
pub fn set_nim_sum(random: &mut Random, piles: &mut [u64], least: u64, most: u64, wanted: u64) -> bool {
    let change = nim_sum(piles) ^ wanted;
    if change == 0 {
        return true;
    }
    if piles.is_empty() || least > most {
        return false;
    }
    let start = random.below(piles.len());
    let place =
        (0..piles.len()).map(|i| (start + i) % piles.len()).find(|&i| (least..=most).contains(&(piles[i] ^ change)));
    if let Some(i) = place {
        piles[i] ^= change;
        return true;
    }
    if piles.len() < 2 {
        return false;
    }
    let (i, j) = (start, (start + 1) % piles.len());
    let both = change ^ piles[i] ^ piles[j];
    for _ in 0..1_000 {
        let pile = random.between(least, most);
        if (least..=most).contains(&(pile ^ both)) {
            piles[i] = pile;
            piles[j] = pile ^ both;
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_have_the_nim_sum_and_stay_in_range() {
        let mut random = Random::new(3);
        for count in 2..12 {
            for wanted in [0, 1, 5, 32] {
                let piles = piles_with_nim_sum(&mut random, count, 1, 63, wanted).unwrap();
                assert_eq!((piles.len(), nim_sum(&piles)), (count, wanted));
                assert!(piles.iter().all(|pile| (1..=63).contains(pile)), "{:?}", piles);
            }
        }
        assert_eq!(piles_with_nim_sum(&mut random, 1, 1, 63, 9), Some(vec![9]));
    }

    #[test]
    fn impossible_nim_sums_are_not_found() {
        let mut random = Random::new(3);
        assert_eq!(piles_with_nim_sum(&mut random, 0, 1, 9, 1), None);
        assert_eq!(piles_with_nim_sum(&mut random, 1, 1, 9, 0), None);
        assert_eq!(piles_with_nim_sum(&mut random, 3, 1, 7, 8), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_piles() {
        let drawn = piles_with_nim_sum(&mut Random::new(11), 5, 0, 100, 0).unwrap();
        assert_eq!(drawn, GOLDEN);
    }

    const GOLDEN: [u64; 5] = [31, 26, 39, 50, 16];

    #[test]
    fn mex_is_the_smallest_missing_number() {
        assert_eq!(mex(&[]), 0);
        assert_eq!(mex(&[1, 2]), 0);
        assert_eq!(mex(&[0, 1, 1, 3, u64::MAX]), 2);
    }
}
