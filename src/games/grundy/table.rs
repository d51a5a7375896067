//! A table of Grundy values as far as it is asked for: by the definition, and beyond a certified period by repetition.

use super::heap::HeapGame;
use super::period::{Certificate, Period};

/// The Grundy values of heaps of 0 objects on, and how they repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrundyTable {
    /// The values; the index is the size of the heap.
    pub values: Vec<u32>,
    /// How they repeat, if a repetition was found.
    pub period: Option<Period>,
}

/// A table is asked for that takes too long to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a table of these rules goes to {most} at most, found {asked}")]
pub struct TableTooLarge {
    /// What was asked for.
    pub asked: usize,
    /// The largest heap that there can be a table to.
    pub most: usize,
}

/// No table is longer, since it must fit into memory and be read by somebody.
const LONGEST: usize = 10_000_000;

/// A table may cost so many steps: some seconds.
const STEPS: u128 = 8_000_000_000;

/// How far a period is looked for in turn, beyond the table if need be, as long as it costs little.
const LOOKS: [usize; 4] = [1 << 8, 1 << 11, 1 << 14, 1 << 17];

/// What looking for a period may cost.
const LOOKING: u128 = 300_000_000;

impl HeapGame {
    /// The values of heaps of 0 to `to` objects, and their period.
    ///
    /// A period is looked for beyond `to` too; where it is certified, the values after it cost nothing.
    ///
    /// # Errors
    /// If a heap of `to` is too large for these rules.
    pub fn table(&self, to: usize) -> Result<GrundyTable, TableTooLarge> {
        let too_large = |most| TableTooLarge { asked: to, most };
        if to > LONGEST {
            return Err(too_large(LONGEST));
        }
        if let Some(values) = self.closed_form(to) {
            return Ok(values);
        }
        if self.certificate() != Certificate::None {
            for look in LOOKS.into_iter().filter(|look| self.steps_to(*look) <= LOOKING) {
                let values = self.values(look);
                if let Some(period) = self.period(&values).filter(|period| period.certified) {
                    return Ok(GrundyTable { values: repeated(values, &period, to), period: Some(period) });
                }
            }
        }
        if self.steps_to(to) > STEPS {
            return Err(too_large(self.farthest()));
        }
        let values = self.values(to);
        let period = self.period(&values);
        Ok(GrundyTable { values, period })
    }

    /// The largest heap whose table is within what one may cost.
    fn farthest(&self) -> usize {
        let (mut low, mut high) = (0, LONGEST);
        while low < high {
            let middle = usize::midpoint(low, high + 1);
            if self.steps_to(middle) <= STEPS { low = middle } else { high = middle - 1 }
        }
        // A round number is easier to remember, and as good.
        let digits = 10_usize.pow(low.max(1).ilog10().saturating_sub(1));
        low / digits * digits
    }
}

/// The first values, then the period's over and over.
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
    fn a_long_table_of_a_periodic_game_is_as_if_computed() {
        for text in ["octal 0.77", "octal 0.137", "take 2 5 7", "octal 0.156"] {
            let table = game(text).table(20_000).unwrap();
            assert_eq!(table.values, game(text).values(20_000), "{text}");
        }
        assert_eq!(game("octal 0.77").table(9_999_999).unwrap().values.len(), 10_000_000);
    }

    #[test]
    fn closed_forms_are_as_if_computed() {
        for text in ["nim", "take 1 2 3", "split"] {
            let table = game(text).table(300).unwrap();
            assert_eq!(table.values, game(text).values_by_definition(300), "{text}");
        }
        let bounded = HeapGame::from_rules(&crate::games::BoundRules::nim().with(vec![crate::games::MoveRule::Take {
            amount: crate::games::AllowedAmounts::UpTo(1_000_000),
            from: crate::games::HeapChoice::One,
            same: false,
        }]));
        let table = bounded.unwrap().table(5_000_000).unwrap();
        assert_eq!(table.values[1_000_000..1_000_003], [1_000_000, 0, 1]);
        assert_eq!(table.period, Some(Period { preperiod: 0, period: 1_000_001, certified: true }));
    }

    #[test]
    fn too_far_says_how_far() {
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
