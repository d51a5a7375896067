//! Grundy values of Grundy's game for large heaps, by the sparse-space method.

use super::StampedSet;

/// Returns the Grundy values of Grundy's game (a move splits a heap into two of different sizes) for heaps of 0 to `to`
/// objects.
///
/// A value is rare if it has an even number of ones, not counting its lowest bit. The rare values form a group under
/// nim-sum and the common values are its coset, so a split has a common value only if exactly one part is rare. There
/// are few rare heaps. The splits with a rare part determine the smallest missing common value. The other splits are
/// examined only until every smaller rare value has been seen. (Berlekamp, Conway and Guy, "Winning Ways", chapter 4.
/// The method is exact for any number of rare values; their number affects only the running time.)
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

/// Returns the smallest rare value below `common` that no split of the heap has, or `None` if there is none. `seen`
/// contains the values of the splits with a rare part.
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
