//! The mutator: derives valid inputs that differ slightly from a given input.

use super::description::Description;
use super::edit::{Family, numbers_mut, remove_in_row};
use super::generate::random_cell;
use super::instance::{CellValue, Column, Instance};
use super::layout::Shape;
use super::rng::Rng;
use super::simpler::simplest;

/// Maximum number of attempts to find a mutant.
const TRIES: usize = 100;

impl Description {
    /// Returns a valid input that differs from `instance` by one or two changes, or `None` if no such input is found
    /// within a bounded number of attempts. A change replaces a value, swaps two values, or adds or removes a row or an
    /// element of a list.
    pub fn mutate(&self, instance: &Instance, rng: &mut Rng) -> Option<Instance> {
        (0..TRIES).find_map(|_| {
            let mut columns = instance.columns.clone();
            self.change(&mut columns, rng)?;
            // A second change is applied occasionally, since some inputs cannot be reached by a single change.
            if rng.once_in(4) {
                self.change(&mut columns, rng)?;
            }
            self.repaired(columns).filter(|mutant| mutant != instance)
        })
    }

    fn change(&self, columns: &mut [Column], rng: &mut Rng) -> Option<()> {
        match rng.below(9) {
            0 | 1 => self.change_member(columns, rng),
            8 => self.change_row(columns, rng).or_else(|| self.change_member(columns, rng)),
            kind => self.change_value(columns, kind, rng),
        }
    }

    /// Adds or removes an element at the same index of all lists and blocks of a family. Returns `None` if the chosen
    /// change is impossible.
    fn change_member(&self, columns: &mut [Column], rng: &mut Rng) -> Option<()> {
        let families = self.families();
        let family = rng.choose(&families)?;
        let length = self.family_len(family, columns);
        if length == 0 {
            self.add_first(columns, family, rng);
            return Some(());
        }
        let place = rng.place(length);
        if rng.once_in(2) {
            self.remove(columns, family, place..place + 1);
            return Some(());
        }
        let to = rng.place(length + 1);
        self.copy_place(columns, family, place, to);
        // Most values of the copy are replaced with random values.
        let blocks = family.blocks.iter().flat_map(|item| self.layout.vars_of(*item));
        for var in family.lists.iter().copied().chain(blocks) {
            if self.layout.vars[var].shape() == Shape::List && !rng.once_in(4) {
                self.redraw(columns, var, to, rng)?;
            }
        }
        Some(())
    }

    /// Adds the first element to the empty lists and blocks of a family. Lists in the first row of a block are empty.
    fn add_first(&self, columns: &mut [Column], family: &Family, rng: &mut Rng) {
        let mut vars: Vec<usize> = family.blocks.iter().flat_map(|item| self.layout.vars_of(*item)).collect();
        vars.extend(&family.lists);
        vars.sort_unstable();
        for var in vars {
            if self.layout.vars[var].shape() == Shape::Rows {
                columns[var].ends.push(0);
            } else if let Some(bounds) = self.bounds_of(var, 0, columns) {
                columns[var].push(random_cell(&self.layout.vars[var].kind, bounds, rng));
            }
        }
    }

    /// Adds or removes a value at the same index of related lists in one row. Returns `None` if the chosen change is
    /// impossible.
    fn change_row(&self, columns: &mut [Column], rng: &mut Rng) -> Option<()> {
        let families = self.row_families();
        let lists = rng.choose(&families)?;
        let rows = columns[*lists.first()?].ends.len();
        let row = rng.place(rows);
        let cells = columns[*lists.first()?].row(row);
        let place = rng.place(cells.len());
        if rows == 0 {
            return None;
        }
        let add = rng.once_in(2) || cells.is_empty();
        for var in lists {
            if !add {
                remove_in_row(&mut columns[*var], row, place..place + 1);
                continue;
            }
            let bounds = self.bounds_of(*var, row, columns)?;
            let column = &mut columns[*var];
            column.insert(column.row(row).start + place, random_cell(&self.layout.vars[*var].kind, bounds, rng));
            column.ends[row..].iter_mut().for_each(|end| *end += 1);
        }
        Some(())
    }

    fn redraw(&self, columns: &mut [Column], var: usize, at: usize, rng: &mut Rng) -> Option<()> {
        let bounds = self.bounds_of(var, columns[var].row_of(at), columns)?;
        columns[var].set(at, random_cell(&self.layout.vars[var].kind, bounds, rng));
        Some(())
    }

    fn change_value(&self, columns: &mut [Column], kind: u64, rng: &mut Rng) -> Option<()> {
        let filled: Vec<usize> = (0..columns.len()).filter(|var| columns[*var].len() > 0).collect();
        let var = *rng.choose(&filled)?;
        let length = columns[var].len();
        let (at, other) = (rng.place(length), rng.place(length));
        let (one, two) = (columns[var].cell(at)?, columns[var].cell(other)?);
        match kind {
            2 => {
                columns[var].set(at, two);
                columns[var].set(other, one);
            }
            3 => columns[var].set(at, two),
            4 => return self.redraw(columns, var, at, rng),
            _ => return self.nudge(columns, var, at, rng),
        }
        Some(())
    }

    /// Increments or decrements a number, sets it to the simplest value or to an end of its range, or flips one of its
    /// bits. Replaces a word with a random word. Returns `None` if the chosen change is impossible.
    fn nudge(&self, columns: &mut [Column], var: usize, at: usize, rng: &mut Rng) -> Option<()> {
        let CellValue::Number(now) = columns[var].cell(at)? else { return self.redraw(columns, var, at, rng) };
        let bounds = self.bounds_of(var, columns[var].row_of(at), columns)?;
        let number = match rng.below(6) {
            0 => now.checked_add(1)?,
            1 => now.checked_sub(1)?,
            2 => simplest(&self.layout.vars[var].kind, bounds),
            3 => bounds.0,
            4 => bounds.1,
            _ => now ^ 1 << rng.below(63 - u64::from(now.unsigned_abs().leading_zeros().min(62)) + 1),
        };
        *numbers_mut(&mut columns[var]).get_mut(at)? = number;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::sample::{FORMATS, describe, narrowing};
    use super::*;
    use crate::model::Digest;

    #[test]
    fn mutants_are_valid_and_new() {
        for text in FORMATS {
            let description = describe(text);
            let small = description.narrow(&narrowing("n: 2..=9")).unwrap_or_else(|_| description.clone());
            let mut rng = Rng::from_digest(&Digest::of(text.as_bytes()));
            let Ok(mut instance) = small.generate(&mut rng) else { continue };
            if instance.size() > 20_000 {
                continue;
            }
            let mut seen = HashSet::new();
            for _ in 0..20 {
                let mutant = description.mutate(&instance, &mut rng).unwrap_or_else(|| panic!("{text}: {instance:?}"));
                assert_ne!(mutant, instance);
                let bytes = mutant.to_bytes(&description);
                assert_eq!(description.read(&bytes, None).as_ref(), Ok(&mutant), "{text}");
                seen.insert(bytes);
                instance = mutant;
            }
            assert!(seen.len() > 5, "{text}");
        }
    }

    #[test]
    fn every_neighbour_of_a_small_input_is_found() {
        let description = describe("n: 1..=3\na[n]: 0..=1");
        let instance = description.read(b"2\n0 1\n", None).unwrap();
        let mut rng = Rng::from_digest(&Digest::of(b"neighbours"));
        let found: HashSet<Vec<u8>> = (0..2000)
            .filter_map(|_| description.mutate(&instance, &mut rng))
            .map(|mutant| mutant.to_bytes(&description))
            .collect();
        let wanted = ["1\n0\n", "1\n1\n", "2\n1 0\n", "2\n0 0\n", "2\n1 1\n", "3\n0 1 0\n", "3\n0 1 1\n", "3\n1 0 1\n"];
        for bytes in wanted {
            assert!(found.contains(bytes.as_bytes()), "{bytes:?}");
        }
    }

    #[test]
    fn single_input_has_no_mutant() {
        let description = describe("n: 3; m: n\na[n]: 7");
        let instance = description.generate(&mut Rng::from_digest(&Digest::of(b"x"))).unwrap();
        assert_eq!(description.mutate(&instance, &mut Rng::from_digest(&Digest::of(b"y"))), None);
    }
}
