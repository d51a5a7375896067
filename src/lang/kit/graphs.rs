//! Random trees and acyclic graphs. Vertices are numbered from 1.

use super::random::Random;

/// A list of edges, each a pair of vertices.
pub type Edges = Vec<(usize, usize)>;

/// The shape of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// Each vertex except the first has a random earlier vertex as its parent. The expected depth of a vertex is about
    /// ln n.
    Random,
    /// A single path.
    Path,
    /// All other vertices are children of the first vertex.
    Star,
    /// A path with leaves attached.
    Caterpillar,
    /// A complete binary tree.
    Binary,
    /// Each vertex except the first has a random parent among the (at most three) vertices directly before it. The tree
    /// is deep, but usually not a path.
    Deep,
}

/// Returns a tree of this shape as its n - 1 edges from parent to child. The parent has the smaller number; use
/// [`relabel`] to hide this.
pub fn tree(random: &mut Random, n: usize, shape: Tree) -> Edges {
    let mut parent = |child: usize| match shape {
        Tree::Random => random.between(1, child - 1),
        Tree::Path => child - 1,
        Tree::Star => 1,
        Tree::Caterpillar => random.between(1, (n / 2).max(1)).min(child - 1),
        Tree::Binary => child / 2,
        Tree::Deep => random.between(child.saturating_sub(3).max(1), child - 1),
    };
    (2..=n)
        .map(|child| match shape {
            Tree::Caterpillar if child <= n / 2 => (child - 1, child),
            _ => (parent(child), child),
        })
        .collect()
}

/// Returns a random acyclic graph with m distinct edges, each from a vertex to a vertex with a larger number. Every set
/// of edges is equally likely. If fewer than m edges are possible, all possible edges are returned.
pub fn dag(random: &mut Random, n: usize, m: usize) -> Edges {
    let n = n as u64;
    let most = n * n.saturating_sub(1) / 2;
    if most == 0 {
        return Vec::new();
    }
    let chosen = super::counts::distinct(random, m, 0, most - 1);
    // Edges are numbered by their larger end, then by their smaller end: edge 0 is 1-2, edge 1 is 1-3, edge 2 is 2-3.
    let (mut below, mut high) = (0, 2);
    let mut edges = Vec::with_capacity(chosen.len());
    for number in chosen {
        while number >= below + high - 1 {
            below += high - 1;
            high += 1;
        }
        edges.push(((number - below + 1) as usize, high as usize));
    }
    edges
}

/// Renames the vertices randomly, with the numbers from 1 to n, and shuffles the edges. The directions of the edges are
/// kept.
pub fn relabel(random: &mut Random, n: usize, edges: &mut Edges) {
    let names = super::counts::permutation(random, n);
    for edge in edges.iter_mut() {
        *edge = (names[edge.0 - 1], names[edge.1 - 1]);
    }
    random.shuffle(edges);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the edges connect all vertices. A connected graph with n - 1 edges is a tree.
    fn joined(n: usize, edges: &Edges) -> bool {
        let mut root: Vec<usize> = (0..=n).collect();
        fn find(root: &mut [usize], mut v: usize) -> usize {
            while root[v] != v {
                root[v] = root[root[v]];
                v = root[v];
            }
            v
        }
        for &(u, v) in edges {
            let (u, v) = (find(&mut root, u), find(&mut root, v));
            root[u] = v;
        }
        let first = find(&mut root, 1);
        (1..=n).all(|v| find(&mut root, v) == first)
    }

    #[test]
    fn every_shape_is_a_tree() {
        let mut random = Random::new(4);
        for shape in [Tree::Random, Tree::Path, Tree::Star, Tree::Caterpillar, Tree::Binary, Tree::Deep] {
            for n in 1..40 {
                let mut edges = tree(&mut random, n, shape);
                assert_eq!(edges.len(), n - 1);
                assert!(edges.iter().all(|&(u, v)| u < v && v <= n), "{:?} {:?}", shape, edges);
                relabel(&mut random, n, &mut edges);
                assert!(joined(n, &edges), "{:?} {} {:?}", shape, n, edges);
            }
        }
    }

    #[test]
    fn acyclic_graphs_have_the_requested_number_of_edges() {
        let mut random = Random::new(5);
        for (n, m, there) in [(0, 3, 0), (1, 3, 0), (2, 3, 1), (5, 4, 4), (5, 100, 10), (1_000, 5_000, 5_000)] {
            let edges = dag(&mut random, n, m);
            let different: std::collections::BTreeSet<_> = edges.iter().copied().collect();
            assert_eq!((edges.len(), different.len()), (there, there));
            assert!(edges.iter().all(|&(u, v)| 1 <= u && u < v && v <= n));
        }
    }
}
