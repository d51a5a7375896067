//! Generates random graphs that satisfy their requirements by construction.

use std::collections::HashSet;

use super::rng::Rng;

/// Maximum number of possible edges of a simple graph for which a list of all possible edges is created and shuffled.
const LISTED: u128 = 1 << 22;
/// Maximum number of vertices of a generated graph.
const MOST: usize = 1 << 26;

/// Requirements on a generated graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GraphRequirements {
    pub(crate) acyclic: bool,
    /// Whether each edge leads to a greater vertex.
    pub(crate) upward: bool,
    pub(crate) tree: bool,
    pub(crate) connected: bool,
    pub(crate) simple: bool,
    /// Whether edges that join a vertex to itself are excluded.
    pub(crate) loopless: bool,
}

/// Generates `count` edges between the vertices `0..vertices`. Returns `None` if no such graph exists or if there are
/// more than [`MOST`] vertices.
pub(crate) fn edges(
    required: GraphRequirements,
    vertices: usize,
    count: usize,
    rng: &mut Rng,
) -> Option<Vec<(usize, usize)>> {
    if vertices > MOST || !possible(required, vertices, count) {
        return None;
    }
    let mut edges = Vec::with_capacity(count);
    if required.tree || required.connected {
        edges = tree(vertices, rng);
    }
    let order =
        if required.acyclic || !(required.tree || required.connected) { Vec::new() } else { rng.permutation(vertices) };
    if !order.is_empty() {
        edges.iter_mut().for_each(|(u, v)| (*u, *v) = (order[*u], order[*v]));
    }
    more(required, vertices, count, &mut edges, rng);
    direct(required, vertices, &mut edges, rng);
    rng.shuffle(&mut edges);
    Some(edges)
}

/// Returns whether a graph exists that meets these requirements.
fn possible(required: GraphRequirements, vertices: usize, count: usize) -> bool {
    let (n, m) = (vertices as u128, count as u128);
    let lonely =
        n <= 1 && (required.acyclic || required.upward || required.simple || required.loopless || required.tree);
    let fits = !(n == 0 || lonely) || m == 0;
    let tree = !required.tree || m + 1 == n;
    let connected = !required.connected || m + 1 >= n && n > 0;
    let simple = !required.simple || m <= n * n.saturating_sub(1) / 2;
    fits && tree && connected && simple
}

/// Generates the edges of a tree with root 0, from parent to child.
fn tree(vertices: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    let parents: Vec<usize> = match rng.below(8) {
        0 => (1..vertices).map(|v| v - 1).collect(),
        1 => vec![0; vertices.saturating_sub(1)],
        // Half of the vertices form a path, and the others are attached to it.
        2 => {
            let spine = vertices.div_ceil(2);
            (1..vertices).map(|v| if v < spine { v - 1 } else { rng.place(spine) }).collect()
        }
        3 => (1..vertices).map(|v| (v - 1) / 2).collect(),
        // The parent of each vertex is one of the four previous vertices, so the tree is deep.
        4 => (1..vertices).map(|v| v - 1 - rng.place(v.min(4))).collect(),
        _ => rng.tree_parents(vertices),
    };
    parents.into_iter().enumerate().map(|(child, parent)| (parent, child + 1)).collect()
}

/// Adds random edges until there are `count` edges.
fn more(required: GraphRequirements, vertices: usize, count: usize, edges: &mut Vec<(usize, usize)>, rng: &mut Rng) {
    if required.simple {
        return more_simple(vertices, count, edges, rng);
    }
    let loopless = required.acyclic || required.upward || required.loopless;
    // Joining only vertices that are close in the order creates long paths.
    let reach = if loopless && rng.once_in(4) { 4.min(vertices) } else { vertices };
    while edges.len() < count {
        let u = rng.place(vertices);
        let v = if reach == vertices { rng.place(vertices) } else { (u + 1 + rng.place(reach)).min(vertices - 1) };
        if u != v || !loopless {
            edges.push((u, v));
        }
    }
}

fn more_simple(vertices: usize, count: usize, edges: &mut Vec<(usize, usize)>, rng: &mut Rng) {
    let ordered = |u: usize, v: usize| (u.min(v), u.max(v));
    let mut taken: HashSet<(usize, usize)> = edges.iter().map(|(u, v)| ordered(*u, *v)).collect();
    let possible = vertices as u128 * vertices.saturating_sub(1) as u128 / 2;
    if possible <= LISTED && 3 * count as u128 > possible {
        let all = (0..vertices).flat_map(|u| (u + 1..vertices).map(move |v| (u, v)));
        let mut free: Vec<(usize, usize)> = all.filter(|edge| !taken.contains(edge)).collect();
        rng.shuffle(&mut free);
        edges.extend(free.into_iter().take(count.saturating_sub(edges.len())));
        return;
    }
    let reach = if rng.once_in(4) && (count as u128) < 2 * vertices as u128 { 8.min(vertices) } else { vertices };
    let mut tries = 0_u64;
    while edges.len() < count {
        // If there are too few pairs of close vertices, any pair is allowed.
        tries += 1;
        let near = reach < vertices && tries < 4 * count as u64;
        let u = rng.place(vertices);
        let v = if near { (u + 1 + rng.place(reach)).min(vertices - 1) } else { rng.place(vertices) };
        if u != v && taken.insert(ordered(u, v)) {
            edges.push((u, v));
        }
    }
}

/// Directs the edges. If the graph must be acyclic but not upward, also relabels the vertices at random.
fn direct(required: GraphRequirements, vertices: usize, edges: &mut [(usize, usize)], rng: &mut Rng) {
    if required.upward {
        edges.iter_mut().for_each(|(u, v)| (*u, *v) = ((*u).min(*v), (*u).max(*v)));
    } else if required.acyclic {
        // All edges lead forward in a random order of the vertices.
        let name = rng.permutation(vertices);
        edges.iter_mut().for_each(|(u, v)| (*u, *v) = (name[(*u).min(*v)], name[(*u).max(*v)]));
    } else {
        for (u, v) in edges {
            if rng.once_in(2) {
                std::mem::swap(u, v);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clause::GraphProperty;
    use super::super::predicate::graph_is;
    use super::*;
    use crate::model::Digest;

    #[test]
    fn satisfiable_requirements_are_satisfied() {
        let mut rng = Rng::from_digest(&Digest::of(b"graphs"));
        let mut built = 0;
        for bits in 0..64_u32 {
            let bit = |at: u32| bits >> at & 1 == 1;
            let required = GraphRequirements {
                acyclic: bit(0),
                upward: bit(1),
                tree: bit(2),
                connected: bit(3),
                simple: bit(4),
                loopless: bit(5),
            };
            for (n, m) in (0..8_usize).flat_map(|n| (0..12_usize).map(move |m| (n, m))) {
                let Some(edges) = edges(required, n, m, &mut rng) else { continue };
                built += 1;
                assert_eq!(edges.len(), m);
                let (from, to): (Vec<i64>, Vec<i64>) = edges.iter().map(|(u, v)| (*u as i64, *v as i64)).unzip();
                let is = |property| graph_is(property, &from, &to, (0, n as i64 - 1));
                assert!(!required.acyclic || is(GraphProperty::Acyclic), "{required:?} {n} {edges:?}");
                assert!(!required.tree || is(GraphProperty::Tree), "{required:?} {n} {edges:?}");
                assert!(!required.connected || is(GraphProperty::Connected), "{required:?} {n} {edges:?}");
                assert!(!required.simple || is(GraphProperty::Simple), "{required:?} {n} {edges:?}");
                assert!(edges.iter().all(|(u, v)| *u < n && *v < n));
                assert!(edges.iter().all(|(u, v)| (!required.upward || u < v) && (!required.loopless || u != v)));
            }
        }
        assert!(built > 1000, "{built}");
    }
}
