//! Trees and acyclic graphs. Vertices are numbered from 1.

use super::random::Random;

/// Edges, each from a vertex to a vertex.
pub type Edges = Vec<(usize, usize)>;

/// The shapes of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// Each vertex hangs on one before it, by chance: about log n deep.
    Random,
    /// One path.
    Path,
    /// All hang on the first.
    Star,
    /// A path with leaves on it.
    Caterpillar,
    /// Each has two below it, as long as there are vertices.
    Binary,
    /// Each hangs on one of the three before it: deep, and no path.
    Deep,
}

/// A tree: its n - 1 edges, each from the parent (the smaller number) to the child. [`relabel`] hides that.
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

/// An acyclic graph with m different edges (as many as there can be if that is more), each from a smaller number to a
/// greater, each set of edges as likely as any other.
pub fn dag(random: &mut Random, n: usize, m: usize) -> Edges {
    let n = n as u64;
    let most = n * n.saturating_sub(1) / 2;
    if most == 0 {
        return Vec::new();
    }
    let chosen = super::counts::distinct(random, m, 0, most - 1);
    // Edges are numbered by their greater end, then by the smaller: edge 0 is 1-2, 1 is 1-3, 2 is 2-3.
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

/// Gives the vertices from 1 to n other numbers by chance, and puts the edges into another order. Directions stay.
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

    /// Whether the edges join all vertices: with n - 1 of them, that is a tree.
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
    fn trees_are_trees_whatever_their_shape() {
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
    fn acyclic_graphs_have_the_edges_asked_for() {
        let mut random = Random::new(5);
        for (n, m, there) in [(0, 3, 0), (1, 3, 0), (2, 3, 1), (5, 4, 4), (5, 100, 10), (1_000, 5_000, 5_000)] {
            let edges = dag(&mut random, n, m);
            let different: std::collections::BTreeSet<_> = edges.iter().copied().collect();
            assert_eq!((edges.len(), different.len()), (there, there));
            assert!(edges.iter().all(|&(u, v)| 1 <= u && u < v && v <= n));
        }
    }
}
