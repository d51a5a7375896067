//! Finds properties that all examples have, such as sorted lists and trees.

use std::collections::{BTreeMap, BTreeSet};

use super::super::predicate::{is_simple, parts};
use super::super::raw::RawValue;
use super::shape::ShapeLength;
use super::values::{FieldValues, ShapeValues};

/// Minimum total number of values for which a property of lists is not considered a coincidence.
const EVIDENCE: usize = 12;

/// A list whose value at the 1-based index `i` is at most `i + plus` in all examples, such as the parents in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rising {
    pub(super) name: String,
    plus: i64,
}

impl Rising {
    pub(super) fn holds(&self, list: &[i64]) -> bool {
        list.iter().zip(1..).all(|(value, place): (&i64, i64)| *value <= place + self.plus)
    }
}

/// Returns clauses that hold in all examples and are unlikely to hold by coincidence.
pub(super) fn find(values: &ShapeValues<'_, '_>) -> Vec<String> {
    let mut clauses = Vec::new();
    let fields: Vec<&FieldValues<'_, '_>> = values.fields().collect();
    for field in &fields {
        clauses.extend(of_list(values, field));
    }
    for pair in fields.windows(2) {
        let [from, to] = pair else { continue };
        let together = from.in_block && to.in_block && from.item == to.item;
        if together && from.length.is_none() && to.length.is_none() {
            clauses.extend(of_edges(values, from, to));
        }
    }
    clauses
}

/// Returns the lists that are [`Rising`], a property that no clause expresses.
pub(super) fn rising(values: &ShapeValues<'_, '_>) -> Vec<Rising> {
    let lists = values.fields().filter(|field| field.length.is_some() && !field.in_block);
    let found = lists.filter_map(|field| {
        let rows = field.integers.as_ref()?;
        let members = rows.iter().map(Vec::len).sum::<usize>();
        let long = rows.iter().filter(|row| row.len() > 2).count();
        let plus = |row: &Vec<i64>| row.iter().zip(1..).map(|(value, place): (&i64, i64)| value - place).max();
        let most = rows.iter().filter_map(plus).max()?;
        let greatest = rows.iter().flatten().max()?;
        let reaching = rows.iter().map(Vec::len).max()? as i64;
        // The second condition alone would also hold for a list of small values.
        let rises = *greatest + 1 >= reaching && most <= 1;
        (members >= EVIDENCE && long >= 3 && rises).then(|| Rising { name: field.name.clone(), plus: most })
    });
    found.collect()
}

/// Returns the sequences of integers of a field: its lists, or its column in each example. Returns `None` if the values
/// are not integers, and for a single value outside of blocks.
fn sequences(field: &FieldValues<'_, '_>) -> Option<Vec<Vec<i64>>> {
    let integers = field.integers.as_ref()?;
    if field.length.is_some() {
        return Some(integers.clone());
    }
    if !field.in_block {
        return None;
    }
    let mut columns: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for (row, values) in field.rows.iter().zip(integers) {
        columns.entry(row.example).or_default().extend(values);
    }
    Some(columns.into_values().collect())
}

/// Returns the clauses about a list, or about a column of a block.
fn of_list(values: &ShapeValues<'_, '_>, field: &FieldValues<'_, '_>) -> Vec<String> {
    let Some(lists) = sequences(field) else { return Vec::new() };
    let members: usize = lists.iter().map(Vec::len).sum();
    if members < EVIDENCE || !lists.iter().any(|list| list.len() > 2) {
        return Vec::new();
    }
    let name = &field.name;
    let increasing = lists.iter().any(|list| list.windows(2).any(|pair| pair[0] < pair[1]));
    let sorted = increasing && lists.iter().all(|list| list.is_sorted());
    let mut clauses: Vec<String> = sorted.then(|| format!("sorted({name})")).into_iter().collect();
    let distinct = |list: &Vec<i64>| list.iter().collect::<BTreeSet<_>>().len() == list.len();
    if let (true, Some(lo), Some(hi)) =
        (lists.iter().all(distinct), lists.iter().flatten().min(), lists.iter().flatten().max())
    {
        let whole = |list: &Vec<i64>| {
            list.iter().min().is_none_or(|least| least == lo)
                && list.iter().max().is_none_or(|most| most.abs_diff(*lo) + 1 == list.len() as u64)
        };
        // The number of pairs of values, divided by the size of the range, is the expected number of equal pairs in
        // random lists.
        let pairs: f64 = lists.iter().map(|list| (list.len() * list.len().saturating_sub(1)) as f64 / 2.0).sum();
        if lists.iter().all(whole) && bounded_by_length(values, field) {
            clauses = vec![format!("permutation({name})")];
        } else if pairs / (hi.abs_diff(*lo) as f64 + 1.0) > 4.0 {
            clauses.push(format!("distinct({name})"));
        }
    }
    clauses
}

/// Returns whether the upper bound of a list's range is the variable that determines the list's length, possibly plus
/// or minus a constant, as for a permutation `p[n]: 1..=n`.
fn bounded_by_length(values: &ShapeValues<'_, '_>, field: &FieldValues<'_, '_>) -> bool {
    let RawValue::Text(range) = &field.value else { return false };
    let Some((_, end)) = range.split_once("..=") else { return false };
    match field.length {
        Some(ShapeLength::Counted(count)) => end.split(['-', '+']).next() == Some(values.name(count.field)),
        _ => false,
    }
}

/// Returns the clauses about the graph with these edges.
fn of_edges(values: &ShapeValues<'_, '_>, from: &FieldValues<'_, '_>, to: &FieldValues<'_, '_>) -> Vec<String> {
    let (Some(sources), Some(targets)) = (&from.integers, &to.integers) else { return Vec::new() };
    let (u, v) = (&from.name, &to.name);
    let mut edges: BTreeMap<usize, Vec<(i64, i64)>> = BTreeMap::new();
    for ((row, source), target) in from.rows.iter().zip(sources).zip(targets) {
        if let (Some(source), Some(target)) = (source.first(), target.first()) {
            edges.entry(row.example).or_default().push((*source, *target));
        }
    }
    let graphs: Vec<&Vec<(i64, i64)>> = edges.values().collect();
    let count: usize = graphs.iter().map(|edges| edges.len()).sum();
    let no_loops = graphs.iter().all(|edges| edges.iter().all(|(u, v)| u != v));
    let unequal = (no_loops && count >= EVIDENCE).then(|| format!("{u} != {v}"));
    let Some(sizes) = vertices(values, from, to) else {
        // Only columns with equal ranges are likely to be the ends of edges.
        return unequal.filter(|_| from.value == to.value).into_iter().collect();
    };
    if count < EVIDENCE {
        return unequal.into_iter().collect();
    }
    let of = |example: &usize| sizes.get(example).copied().unwrap_or_default();
    let connected = edges.iter().all(|(example, edges)| parts(edges.iter().copied(), of(example).into()) <= 1);
    let tree = connected && edges.iter().all(|(example, edges)| edges.len() as i64 == of(example) - 1);
    if tree {
        return vec![format!("tree({u}, {v})")];
    }
    let mut clauses = Vec::new();
    if connected {
        clauses.push(format!("connected({u}, {v})"));
    }
    match graphs.iter().all(|edges| is_simple(edges.iter().copied())) {
        true => clauses.push(format!("simple({u}, {v})")),
        false => clauses.extend(unequal),
    }
    if !connected && edges.values().all(|edges| edges.iter().all(|(u, v)| u < v)) {
        clauses.push(format!("{u} < {v}"));
    }
    clauses
}

/// Returns the number of vertices in each example, or `None` unless both columns have the same range, whose upper bound
/// depends on a single value of the input, as in `1..=n`.
fn vertices(
    values: &ShapeValues<'_, '_>,
    from: &FieldValues<'_, '_>,
    to: &FieldValues<'_, '_>,
) -> Option<BTreeMap<usize, i64>> {
    let RawValue::Text(range) = &from.value else { return None };
    if from.value != to.value {
        return None;
    }
    let (lo, end) = range.split_once("..=")?;
    let base = end.split(['-', '+']).next()?;
    let counter = values.fields().find(|field| field.name == base && field.length.is_none() && !field.in_block)?;
    let plus: i64 = end[base.len()..].parse().unwrap_or_default();
    let lo: i64 = lo.parse().ok()?;
    let size =
        |(row, values): (&super::shape::Row<'_>, &Vec<i64>)| Some((row.example, values.first()? + plus - lo + 1));
    counter.rows.iter().zip(counter.integers.as_ref()?).map(size).collect()
}
