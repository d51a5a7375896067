//! Grundy's game to a million: the sparse-space method.

use super::StampedSet;

/// The Grundy values of Grundy's game (split a heap into two of different sizes) for heaps of 0 to `to` objects.
///
/// A value is rare if it has an even number of ones beside its lowest bit. Rare values form a group under nim-sum and the
/// others its coset, so a common value comes only from a rare part and a common one. Rare heaps are few: the splits with
/// a rare part settle the least common value that is missing, and the others are looked at only until every rare value
/// below it has been seen. (The method of Berlekamp, Conway and Guy, "Winning Ways", chapter 4. It is exact however
/// many rare values there are; their number decides only the time.)
pub fn grundys_game(to: usize) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::with_capacity(to.saturating_add(1));
    let mut rare_heaps: Vec<usize> = Vec::new();
    let mut seen = StampedSet::new();
    for size in 0..=to {
        seen.clear();
        for part in rare_heaps.iter().copied().take_while(|part| *part < size).filter(|part| 2 * part != size) {
            seen.mark(values[part] ^ values[size - part]);
        }
        let common = (0..).find(|value| !is_rare(*value) && !seen.has(*value)).unwrap_or(u32::MAX);
        let value = least_rare(size, common, &values, &mut seen).unwrap_or(common);
        if is_rare(value) && size > 0 {
            rare_heaps.push(size);
        }
        values.push(value);
    }
    values
}

fn is_rare(value: u32) -> bool {
    (value >> 1).count_ones().is_multiple_of(2)
}

/// The least rare value below `common` that no split of the heap has.
fn least_rare(size: usize, common: u32, values: &[u32], seen: &mut StampedSet) -> Option<u32> {
    let mut missing: Vec<u32> = (0..common).filter(|value| is_rare(*value) && !seen.has(*value)).collect();
    for part in 1..size.div_ceil(2) {
        if missing.is_empty() {
            return None;
        }
        let sum = values[part] ^ values[size - part];
        missing.retain(|value| *value != sum);
    }
    missing.first().copied()
}
