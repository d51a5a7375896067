//! Changes two values at the same time, for the shrinker: a failure may depend on a sum, a difference, an xor or the
//! length of a cycle, so that no single change preserves it.
//!
//! A list has many pairs, so these changes are tried last, and only in short lists.

use super::description::GraphClauses;
use super::edit::{Family, numbers_mut};
use super::layout::Shape;
use super::shrink::Shrinker;
use super::simpler::{simplest, steps};

/// Maximum number of list members or vertices for which all pairs are tried.
const PAIRS: usize = 16;
/// Maximum length of lists in which adjacent members are merged.
const ADJACENT: usize = 256;
/// Maximum length of lists in which pairs of numbers are lowered. All single integers count as one list.
const LOWERED: usize = 8;
/// Maximum number of rounds in which numbers are lowered in pairs. If only small steps succeed, as for a quotient that
/// must stay the same, reaching the smallest numbers would take too many rounds.
pub(super) const LOWERING_ROUNDS: u32 = 4;

impl Shrinker<'_> {
    pub(super) fn two_at_once(&mut self) {
        for family in self.d.families() {
            self.merged(&family);
            self.pairs(&family);
        }
        for graph in self.graphs.clone() {
            self.shorter_cycles(graph);
        }
        if self.lowering_rounds > 0 {
            self.lowering_rounds -= 1;
            self.lowered_together();
        }
    }

    /// Tries to replace two members of a list with a single member, whose value is the sum of the two values.
    fn merged(&mut self, family: &Family) {
        let block = family.blocks.iter().flat_map(|item| self.d.layout.vars_of(*item));
        let vars: Vec<usize> = family.lists.iter().copied().chain(block).filter(|var| self.adds_up(*var)).collect();
        for var in vars {
            let mut j = 1;
            while j < self.current.columns[var].len() && !self.cut {
                let length = self.current.columns[var].len();
                if length > ADJACENT {
                    return;
                }
                let first = if length > PAIRS { j - 1 } else { 0 };
                if !(first..j).any(|i| self.merge(family, var, (i, j))) {
                    j += 1;
                }
            }
        }
    }

    /// Returns whether the variable is a list of integers that are neither vertices nor a permutation, so that two of
    /// them can be added.
    fn adds_up(&self, var: usize) -> bool {
        let described = &self.d.layout.vars[var];
        let vertex = self.graphs.iter().any(|graph| graph.from == var || graph.to == var);
        !vertex && described.is_int() && described.shape() == Shape::List && !self.d.marks[var].permutation
    }

    fn merge(&mut self, family: &Family, var: usize, (i, j): (usize, usize)) -> bool {
        self.attempt(|d, columns| {
            let numbers = numbers_mut(&mut columns[var]);
            numbers[i] = numbers[i].checked_add(numbers[j])?;
            d.remove(columns, family, j..j + 1);
            Some(())
        })
    }

    /// Removes two members in a single change. In games such as Nim, two members can cancel out, so that neither can be
    /// removed alone.
    fn pairs(&mut self, family: &Family) {
        let mut again = true;
        while again && !self.cut {
            again = false;
            let length = self.d.family_len(family, &self.current.columns);
            if length > PAIRS {
                return;
            }
            'all: for (i, j) in (0..length).flat_map(|j| (0..j).map(move |i| (i, j))) {
                again = self.attempt(|d, columns| {
                    d.remove(columns, family, j..j + 1);
                    d.remove(columns, family, i..i + 1);
                    Some(())
                });
                if again {
                    break 'all;
                }
                for var in &family.lists {
                    self.common_bits(*var, i, j);
                }
            }
        }
    }

    /// Tries to clear each bit that is set in both the numbers `i` and `j` of a list. This preserves the xor of the
    /// numbers.
    fn common_bits(&mut self, var: usize, i: usize, j: usize) {
        if !self.d.layout.vars[var].is_int() {
            return;
        }
        for bit in (0..63).rev().map(|bit| 1_i64 << bit) {
            let cells = self.current.columns[var].numbers();
            let (Some(a), Some(b)) = (cells.get(i).copied(), cells.get(j).copied()) else { return };
            if a.min(b) > 0 && a & b & bit != 0 {
                self.attempt(|_, columns| {
                    let cells = numbers_mut(&mut columns[var]);
                    (cells[i], cells[j]) = (a - bit, b - bit);
                    Some(())
                });
            }
        }
    }

    /// Merges a vertex and one of its neighbors into another neighbor. This preserves the parity of a cycle's length.
    fn shorter_cycles(&mut self, graph: GraphClauses) {
        let bounds = |shrinker: &Shrinker<'_>| shrinker.d.bounds_of(graph.from, 0, &shrinker.current.columns);
        let Some((least, greatest)) = bounds(self) else { return };
        if i128::from(greatest) - i128::from(least) >= PAIRS as i128 {
            return;
        }
        let mut middle = least;
        while bounds(self).is_some_and(|(_, greatest)| middle <= greatest) && !self.cut {
            let neighbours = self.neighbours(graph, middle);
            let pairs = neighbours.iter().flat_map(|u| neighbours.iter().map(move |v| (*u, *v)));
            let mut pairs = pairs.filter(|(u, v)| u < v);
            if !pairs.any(|(into, other)| self.contract_both(graph, [middle, other], into)) {
                middle += 1;
            }
        }
    }

    /// Merges two vertices into a third vertex, which must be less than the second.
    fn contract_both(&mut self, graph: GraphClauses, [first, second]: [i64; 2], into: i64) -> bool {
        self.attempt(|d, columns| {
            d.remove_vertices(columns, graph, first..first + 1, Some(into))?;
            let now = |vertex: i64| if vertex > first { vertex - 1 } else { vertex };
            d.remove_vertices(columns, graph, now(second)..now(second) + 1, Some(now(into)))
        })
    }

    /// Moves two numbers towards their simplest values by the same amount. This preserves the difference of the
    /// numbers.
    fn lowered_together(&mut self) {
        let vars = 0..self.d.layout.vars.len();
        let mut lists: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for var in vars.filter(|var| self.d.layout.vars[*var].is_int() && !self.d.marks[*var].permutation) {
            let length = self.current.columns[var].len();
            match self.d.layout.vars[var].shape() {
                Shape::One => lists[0].extend((0..length).map(|at| (var, at))),
                Shape::List | Shape::Rows => lists.push((0..length).map(|at| (var, at)).collect()),
            }
        }
        for cells in lists.iter().filter(|cells| cells.len() <= LOWERED) {
            for (j, b) in cells.iter().enumerate() {
                cells[..j].iter().for_each(|a| self.lower_both(*a, *b));
            }
        }
    }

    fn lower_both(&mut self, a: (usize, usize), b: (usize, usize)) {
        let both = |shrinker: &Shrinker<'_>| {
            let (a, b) = (shrinker.distance(a)?, shrinker.distance(b)?);
            let least = a.unsigned_abs().min(b.unsigned_abs());
            (a.signum() * b.signum() == 1).then_some((a.signum(), i64::try_from(least).ok()?))
        };
        let Some((sign, distance)) = both(self) else { return };
        for step in steps(distance, 0) {
            let near = both(self).is_none_or(|(_, distance)| distance < step);
            if near {
                continue;
            }
            self.attempt(|_, columns| {
                for (var, at) in [a, b] {
                    numbers_mut(&mut columns[var])[at] -= step * sign;
                }
                Some(())
            });
        }
    }

    /// Returns the signed distance of a number from its simplest value, or `None` if there is no such number or the
    /// distance exceeds 64 bits.
    fn distance(&self, (var, at): (usize, usize)) -> Option<i64> {
        let column = self.current.columns.get(var)?;
        let bounds = self.d.bounds_of(var, column.row_of(at), &self.current.columns)?;
        let number = column.numbers().get(at)?;
        number.checked_sub(simplest(&self.d.layout.vars[var].kind, bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Instance, sample};

    /// Shrinks an input, and asserts that the result is minimal.
    fn shrunk(text: &str, bytes: &str, fails: impl Fn(&Instance) -> bool) -> String {
        let (bytes, shrunk) = sample::shrunk(text, bytes, fails);
        assert!(shrunk.minimal);
        bytes
    }

    #[test]
    fn members_are_merged_to_preserve_a_sum() {
        let text = "n: 1..=100; q: 1..=9\na[n]: 0..=1000\nrepeat q: l: 1..=n; r: l..=n";
        let numbers: Vec<String> = (0..30).map(|at| (at * 7 % 120).to_string()).collect();
        let bytes = format!("30 1\n{}\n1 30\n", numbers.join(" "));
        let fails = |i: &Instance| {
            let (l, r) = (i.ints("l").unwrap()[0] as usize, i.ints("r").unwrap()[0] as usize);
            i.ints("a").unwrap()[l - 1..r].iter().sum::<i64>() > 1500
        };
        let bytes = shrunk(text, &bytes, fails);
        assert!(bytes.starts_with("2 1\n") && bytes.ends_with("\n1 2\n"), "{bytes}");
    }

    #[test]
    fn an_odd_cycle_becomes_a_triangle() {
        let text = "n: 1..=99; m: 0..=99\nrepeat m: u: 1..=n; v: 1..=n\nwhere u != v";
        let cycle = |i: &Instance| {
            let edges: Vec<(i64, i64)> =
                i.ints("u").unwrap().iter().copied().zip(i.ints("v").unwrap().iter().copied()).collect();
            let degree = |v: i64| edges.iter().filter(|(a, b)| *a == v || *b == v).count();
            let on = (1..=99).filter(|v| degree(*v) > 0).count();
            // The input fails if it consists of an odd number of edges that form cycles without vertex 1.
            edges.len() % 2 == 1 && on == edges.len() && (1..=99).all(|v| [0, 2].contains(&degree(v))) && degree(1) == 0
        };
        let bytes = shrunk(text, "40 7\n5 9\n9 33\n33 12\n12 40\n40 7\n7 21\n21 5\n", cycle);
        assert!(bytes.starts_with("4 3\n"), "{bytes}");
    }

    #[test]
    fn two_numbers_are_lowered_with_their_difference() {
        let near = |i: &Instance| (i.int("a").unwrap() - i.int("b").unwrap()).abs() == 3;
        assert_eq!(shrunk("a: 1..=10^9; b: 1..=10^9", "777777 777780\n", near), "1 4\n");
        let equal = |i: &Instance| i.ints("a").unwrap().windows(2).any(|pair| pair[0] == pair[1] && pair[0] != 1);
        assert_eq!(shrunk("n: 2..=9\na[n]: 1..=999", "3\n600 77 77\n", equal), "2\n2 2\n");
        let below = |i: &Instance| i.int("a").unwrap() + 5 == i.int("b").unwrap();
        assert_eq!(shrunk("a: -50..=50; b: -50..=50", "-48 -43\n", below), "-5 0\n");
    }

    #[test]
    fn a_long_run_of_equal_members_is_minimal() {
        let n = 30_000;
        let text = format!("n: 1..={}\na[n]: 1..=9", 2 * n);
        let bytes = format!("{}\n{}\n", n + 5, vec!["1"; n + 5].join(" "));
        let bytes = shrunk(&text, &bytes, |i| i.ints("a").unwrap().len() >= n);
        assert!(bytes.starts_with(&format!("{n}\n")));
    }
}
