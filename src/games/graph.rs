//! Undirected graphs whose parts are removed by moves, and directed acyclic graphs along which tokens move.

use super::bit_set::BitSet;
use std::collections::{BTreeSet, HashSet};

/// An undirected graph without self-loops. Vertices are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Graph {
    /// Number of vertices.
    pub vertices: usize,
    /// The two ends of each edge.
    pub edges: Vec<(usize, usize)>,
}

/// A directed acyclic graph. Vertices are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dag {
    /// The edges that leave each vertex, as (edge number, head).
    pub heads: Vec<Vec<(usize, usize)>>,
}

impl Dag {
    /// Builds a graph from edges (tail, head). Returns `None` if there is a cycle or a vertex number is out of range.
    pub fn new(vertices: usize, edges: &[(usize, usize)]) -> Option<Dag> {
        let mut heads = vec![Vec::new(); vertices];
        for (number, (tail, head)) in edges.iter().enumerate() {
            if *head >= vertices {
                return None;
            }
            heads.get_mut(*tail)?.push((number, *head));
        }
        let dag = Dag { heads };
        (dag.order().len() == vertices).then_some(dag)
    }

    /// Returns the vertices in topological order. Vertices on a cycle or reachable from a cycle are left out.
    pub fn order(&self) -> Vec<usize> {
        let mut incoming = vec![0_usize; self.heads.len()];
        for (_, head) in self.heads.iter().flatten() {
            incoming[*head] += 1;
        }
        let mut order: Vec<usize> = (0..self.heads.len()).filter(|vertex| incoming[*vertex] == 0).collect();
        let mut next = 0;
        while let Some(vertex) = order.get(next).copied() {
            next += 1;
            for (_, head) in &self.heads[vertex] {
                incoming[*head] -= 1;
                if incoming[*head] == 0 {
                    order.push(*head);
                }
            }
        }
        order
    }
}

impl Graph {
    /// Returns the neighbors of each vertex in the subgraph of the given vertices and edges.
    pub(super) fn neighbours(&self, vertices: &BitSet, edges: &BitSet) -> Vec<BTreeSet<usize>> {
        let mut neighbours = vec![BTreeSet::new(); self.vertices];
        for (a, b) in self.alive(vertices, edges).map(|edge| self.edges[edge]) {
            neighbours[a].insert(b);
            neighbours[b].insert(a);
        }
        neighbours
    }

    /// Returns the edges of the subgraph, that is, the elements of `edges` both of whose ends are in `vertices`.
    pub(super) fn alive<'a>(&'a self, vertices: &'a BitSet, edges: &'a BitSet) -> impl Iterator<Item = usize> + 'a {
        edges.iter().filter(|edge| {
            let (a, b) = self.edges[*edge];
            vertices.has(a) && vertices.has(b)
        })
    }

    /// Returns the connected components of the subgraph, each as its sorted vertices.
    pub(super) fn components(&self, vertices: &BitSet, edges: &BitSet) -> Vec<Vec<usize>> {
        let neighbours = self.neighbours(vertices, edges);
        let mut seen = BitSet::empty(self.vertices);
        let mut components = Vec::new();
        for root in vertices.iter() {
            if seen.has(root) {
                continue;
            }
            let mut part = vec![root];
            seen = seen.with(root);
            let mut next = 0;
            while let Some(vertex) = part.get(next).copied() {
                next += 1;
                for other in &neighbours[vertex] {
                    if !seen.has(*other) {
                        seen = seen.with(*other);
                        part.push(*other);
                    }
                }
            }
            part.sort_unstable();
            components.push(part);
        }
        components
    }
}

/// Calls `visit` once for each non-empty clique among `vertices`, with the vertices of the clique in increasing order.
/// Stops when `visit` returns false.
pub(super) fn each_clique(neighbours: &[BTreeSet<usize>], vertices: &BitSet, visit: &mut dyn FnMut(&[usize]) -> bool) {
    let mut stack: Vec<Vec<usize>> = vertices.iter().map(|vertex| vec![vertex]).collect();
    while let Some(clique) = stack.pop() {
        if !visit(&clique) {
            return;
        }
        let Some(last) = clique.last() else { continue };
        for more in neighbours[*last].range(last + 1..) {
            if clique.iter().all(|member| neighbours[*member].contains(more)) {
                let mut larger = clique.clone();
                larger.push(*more);
                stack.push(larger);
            }
        }
    }
}

/// Calls `visit` once for each non-empty connected set among `vertices`. Stops when `visit` returns false.
pub(super) fn each_connected(
    neighbours: &[BTreeSet<usize>],
    vertices: &BitSet,
    visit: &mut dyn FnMut(&[usize]) -> bool,
) {
    let mut seen: HashSet<BTreeSet<usize>> = vertices.iter().map(|vertex| BTreeSet::from([vertex])).collect();
    let mut stack: Vec<BTreeSet<usize>> = seen.iter().cloned().collect();
    stack.sort();
    while let Some(set) = stack.pop() {
        let members: Vec<usize> = set.iter().copied().collect();
        if !visit(&members) {
            return;
        }
        for more in members.iter().flat_map(|member| &neighbours[*member]).filter(|other| !set.contains(other)) {
            let mut larger = set.clone();
            larger.insert(*more);
            if seen.insert(larger.clone()) {
                stack.push(larger);
            }
        }
    }
}
