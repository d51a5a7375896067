//! Computes tables of Grundy values, and extends them by a certified period if there is one.

use super::heap::HeapGame;
use super::period::{Certificate, Period};

/// The Grundy values of heaps of 0, 1, 2, ... objects, and their period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrundyTable {
    /// The values, indexed by the size of the heap.
    pub values: Vec<u32>,
    /// The period, if a repetition was found.
    pub period: Option<Period>,
}

/// The error for a table that would be too large, or that would take too long to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the table of Grundy values for this game is limited to heaps of at most {most} objects, but heaps of up to \
     {asked} objects were requested"
)]
pub struct TableTooLarge {
    /// The size of the largest requested heap.
    pub asked: usize,
    /// The size of the largest heap that the table of the game can contain.
    pub most: usize,
}

/// Size of the largest heap in a table. Larger tables would need too much memory.
const MAX_TABLE_SIZE: usize = 10_000_000;

/// Maximum cost of a table in steps. A table of this cost takes a few seconds to compute.
const MAX_TABLE_STEPS: u128 = 8_000_000_000;

/// Sizes of the tables that are searched for a period, in this order, even if the requested table is smaller.
const PERIOD_SEARCH_SIZES: [usize; 4] = [1 << 8, 1 << 11, 1 << 14, 1 << 17];

/// Maximum cost, in steps, of computing a table of one of the [`PERIOD_SEARCH_SIZES`] to find a period.
const MAX_PERIOD_SEARCH_STEPS: u128 = 300_000_000;

impl HeapGame {
    /// Returns the Grundy values of heaps of 0 to `to` objects, and their period if one is found.
    ///
    /// The search for a period may compute values beyond `to`. Values after a certified period are copied instead of
    /// computed.
    ///
    /// # Errors
    /// Fails if `to` exceeds the largest supported heap, which depends on the game.
    pub fn table(&self, to: usize) -> Result<GrundyTable, TableTooLarge> {
        let too_large = |most| TableTooLarge { asked: to, most };
        if to > MAX_TABLE_SIZE {
            return Err(too_large(MAX_TABLE_SIZE));
        }
        if let Some(values) = self.closed_form(to) {
            return Ok(values);
        }
        if self.certificate() != Certificate::None {
            for size in
                PERIOD_SEARCH_SIZES.into_iter().filter(|size| self.cost_of_table(*size) <= MAX_PERIOD_SEARCH_STEPS)
            {
                let values = self.values(size);
                if let Some(period) = self.period(&values).filter(|period| period.certified) {
                    return Ok(GrundyTable { values: repeated(values, &period, to), period: Some(period) });
                }
            }
        }
        if self.cost_of_table(to) > MAX_TABLE_STEPS {
            return Err(too_large(self.largest_affordable_heap()));
        }
        let values = self.values(to);
        let period = self.period(&values);
        Ok(GrundyTable { values, period })
    }

    /// Returns the largest heap whose table is within the cost limit, rounded down to two significant digits, for an
    /// error message.
    fn largest_affordable_heap(&self) -> usize {
        let (mut low, mut high) = (0, MAX_TABLE_SIZE);
        while low < high {
            let middle = usize::midpoint(low, high + 1);
            if self.cost_of_table(middle) <= MAX_TABLE_STEPS { low = middle } else { high = middle - 1 }
        }
        let digits = 10_usize.pow(low.max(1).ilog10().saturating_sub(1));
        low / digits * digits
    }
}

/// Returns `values`, truncated or extended to heaps of 0 to `to` objects. The added values repeat the period.
fn repeated(mut values: Vec<u32>, period: &Period, to: usize) -> Vec<u32> {
    values.truncate(to + 1);
    for size in values.len()..=to {
        let value = values.get(period.index(size as u64)).copied().unwrap_or_default();
        values.push(value);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game(text: &str) -> HeapGame {
        text.parse().unwrap()
    }

    #[test]
    fn a_period_is_found_beyond_a_short_table() {
        let table = game("octal 0.137").table(10).unwrap();
        assert_eq!(table.values, [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3]);
        assert_eq!(table.period, Some(Period { preperiod: 52, period: 34, certified: true }));
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn tables_of_periodic_games_match_computed_values() {
        for text in ["octal 0.77", "octal 0.137", "take 2 5 7", "octal 0.156"] {
            let table = game(text).table(20_000).unwrap();
            assert_eq!(table.values, game(text).values(20_000), "{text}");
        }
        assert_eq!(game("octal 0.77").table(9_999_999).unwrap().values.len(), 10_000_000);
    }

    #[test]
    fn closed_forms_match_computed_values() {
        for text in ["nim", "take 1 2 3", "split"] {
            let table = game(text).table(300).unwrap();
            assert_eq!(table.values, game(text).values_by_definition(300), "{text}");
        }
        let bounded = HeapGame::from_rules(&crate::BoundRules::nim().with(vec![crate::MoveRule::Take {
            amount: crate::AllowedAmounts::UpTo(1_000_000),
            from: crate::HeapChoice::One,
            same: false,
        }]));
        let table = bounded.unwrap().table(5_000_000).unwrap();
        assert_eq!(table.values[1_000_000..1_000_003], [1_000_000, 0, 1]);
        assert_eq!(table.period, Some(Period { preperiod: 0, period: 1_000_001, certified: true }));
    }

    #[test]
    fn the_error_names_the_largest_heap() {
        assert_eq!(game("nim").table(10_000_001), Err(TableTooLarge { asked: 10_000_001, most: 10_000_000 }));
        let error = game("octal 0.777").table(5_000_000).unwrap_err();
        assert!((10_000..1_000_000).contains(&error.most), "{error}");
    }

    proptest! {
        #[test]
        fn subtraction_tables_follow_the_definition(set in prop::collection::vec(1_u64..20, 1..5), to in 0_usize..600) {
            let game = HeapGame::subtraction(&set);
            let table = game.table(to).unwrap();
            prop_assert_eq!(table.values, game.values_by_definition(to));
        }
    }
}
