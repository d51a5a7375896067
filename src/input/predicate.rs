//! Evaluates predicates of lists and graphs.

use std::collections::{HashMap, HashSet};

use super::clause::{GraphProperty, Property};
use super::instance::{CellValue, Column};

/// Returns the index of the first value that violates the property, or `None` if the property holds.
///
/// `range` is the range of indices to check. `least` is the lower bound of the list's values; it is used only for
/// permutations.
pub(crate) fn first_breach(
    property: Property,
    cells: &Column,
    range: std::ops::Range<usize>,
    least: i64,
) -> Option<usize> {
    let cell = |at: usize| cells.cell(at);
    match property {
        Property::Sorted => range.clone().skip(1).find(|at| cell(*at) < cell(*at - 1)),
        Property::Distinct => {
            let mut seen = HashSet::with_capacity(range.len());
            range.clone().find(|at| !seen.insert(cell(*at)))
        }
        Property::Permutation => {
            let greatest = permutation_end(least, range.len());
            let mut seen = HashSet::with_capacity(range.len());
            range.clone().find(|at| match cell(*at) {
                Some(CellValue::Number(number)) => !(least..=greatest).contains(&number) || !seen.insert(number),
                _ => true,
            })
        }
    }
}

/// Returns the greatest value of a permutation of `count` values, of which `least` is the least.
pub(crate) fn permutation_end(least: i64, count: usize) -> i64 {
    least.saturating_add(i64::try_from(count).unwrap_or(i64::MAX)).saturating_sub(1)
}

/// Returns whether the graph with the vertices `least..=greatest` and these edges has the property.
pub(crate) fn graph_is(property: GraphProperty, from: &[i64], to: &[i64], vertices: (i64, i64)) -> bool {
    let count = i128::from(vertices.1) - i128::from(vertices.0) + 1;
    let edges = from.iter().copied().zip(to.iter().copied());
    match property {
        GraphProperty::Simple => is_simple(edges),
        GraphProperty::Acyclic => is_acyclic(edges),
        GraphProperty::Connected => parts(edges, count) == 1,
        GraphProperty::Tree => from.len() as i128 == count - 1 && parts(edges, count) == 1,
    }
}

/// Returns whether a graph has neither loops nor two edges between the same vertices.
pub(super) fn is_simple(edges: impl Iterator<Item = (i64, i64)>) -> bool {
    let mut seen = HashSet::new();
    edges.into_iter().all(|(u, v)| u != v && seen.insert((u.min(v), u.max(v))))
}

/// Consecutive numbers for the vertices that occur in edges, since the range may contain far more vertices.
#[derive(Default)]
struct Touched(HashMap<i64, usize>);

impl Touched {
    fn number(&mut self, vertex: i64) -> usize {
        let next = self.0.len();
        *self.0.entry(vertex).or_insert(next)
    }
}

/// Returns whether a directed graph has no cycle. Vertices without incoming edges are removed repeatedly, until only
/// vertices remain that are on a cycle or reachable from one.
fn is_acyclic(edges: impl Iterator<Item = (i64, i64)>) -> bool {
    let mut touched = Touched::default();
    let edges: Vec<(usize, usize)> = edges.map(|(u, v)| (touched.number(u), touched.number(v))).collect();
    let count = touched.0.len();
    let (mut inward, mut outward) = (vec![0_usize; count], vec![Vec::new(); count]);
    for (u, v) in edges {
        inward[v] += 1;
        outward[u].push(v);
    }
    let mut free: Vec<usize> = (0..count).filter(|v| inward[*v] == 0).collect();
    let mut taken = 0;
    while let Some(u) = free.pop() {
        taken += 1;
        for v in &outward[u] {
            inward[*v] -= 1;
            if inward[*v] == 0 {
                free.push(*v);
            }
        }
    }
    taken == count
}

/// Returns the number of connected components of a graph with `count` vertices.
pub(super) fn parts(edges: impl Iterator<Item = (i64, i64)>, count: i128) -> i128 {
    let mut touched = Touched::default();
    let mut leader: Vec<usize> = Vec::new();
    let mut joined = 0;
    for (u, v) in edges {
        let (u, v) = (touched.number(u), touched.number(v));
        leader.extend(leader.len()..touched.0.len());
        let (u, v) = (lead(&mut leader, u), lead(&mut leader, v));
        if u != v {
            leader[u] = v;
            joined += 1;
        }
    }
    count - joined
}

/// Returns the representative of the component of `v`, and shortens the path to it by path halving.
pub(crate) fn lead(leader: &mut [usize], mut v: usize) -> usize {
    while leader[v] != v {
        leader[v] = leader[leader[v]];
        v = leader[v];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::super::instance::Cells;
    use super::*;

    fn breach(property: Property, numbers: &[i64]) -> Option<usize> {
        let column = Column { cells: Cells::Numbers(numbers.to_vec()), ends: vec![] };
        first_breach(property, &column, 0..numbers.len(), 1)
    }

    #[test]
    fn lists() {
        assert_eq!(breach(Property::Distinct, &[3, 1, 2]), None);
        assert_eq!(breach(Property::Distinct, &[3, 1, 3, 1]), Some(2));
        assert_eq!(breach(Property::Sorted, &[1, 1, 2]), None);
        assert_eq!(breach(Property::Sorted, &[1, 3, 2]), Some(2));
        assert_eq!(breach(Property::Permutation, &[3, 1, 2]), None);
        assert_eq!(breach(Property::Permutation, &[3, 1, 4]), Some(2));
        assert_eq!(breach(Property::Permutation, &[]), None);
    }

    #[test]
    fn graphs() {
        let is = |property, edges: &[(i64, i64)], n: i64| {
            let (from, to): (Vec<i64>, Vec<i64>) = edges.iter().copied().unzip();
            graph_is(property, &from, &to, (1, n))
        };
        assert!(is(GraphProperty::Acyclic, &[(1, 2), (1, 3), (3, 2), (1, 2)], 3));
        assert!(!is(GraphProperty::Acyclic, &[(1, 2), (2, 3), (3, 1)], 3));
        assert!(!is(GraphProperty::Acyclic, &[(2, 2)], 3));
        assert!(is(GraphProperty::Tree, &[(2, 1), (2, 3)], 3));
        assert!(is(GraphProperty::Tree, &[], 1));
        assert!(!is(GraphProperty::Tree, &[(1, 2), (2, 1)], 3));
        assert!(!is(GraphProperty::Tree, &[(1, 2)], 3));
        assert!(is(GraphProperty::Connected, &[(1, 2), (2, 1), (3, 3), (2, 3)], 3));
        assert!(!is(GraphProperty::Connected, &[(1, 2), (1, 2)], 3));
        assert!(is(GraphProperty::Simple, &[(1, 2), (1, 3)], 3));
        assert!(!is(GraphProperty::Simple, &[(1, 2), (2, 1)], 3));
        assert!(!is(GraphProperty::Simple, &[(1, 1)], 3));
    }
}
