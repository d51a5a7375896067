//! Graph Nim on families of graphs: a move removes a vertex or two adjacent vertices.

use crate::grundy::{HeapGame, Period};
use std::sync::OnceLock;

/// Returns the Grundy value of a row of `length` objects in Kayles, where a move removes one object or two adjacent
/// ones. The values have period 12 from length 71 on (Guy and Smith 1956).
pub fn kayles_value(length: u64) -> u32 {
    static VALUES: OnceLock<Vec<u32>> = OnceLock::new();
    let period = Period { preperiod: 71, period: 12, certified: true };
    VALUES.get_or_init(|| HeapGame::rows(2).values(90))[period.index(length)]
}

/// Returns the Grundy value of a path with `vertices` vertices, on which the game is Kayles.
pub fn path_value(vertices: u64) -> u32 {
    kayles_value(vertices)
}

/// Returns the Grundy value of a cycle of three or more vertices, always 0. The first move leaves a path, and a
/// non-empty path is won by taking its middle (the tests cover cycles of up to 12 vertices).
pub fn cycle_value(_vertices: u64) -> u32 {
    0
}

/// Returns the Grundy value of a star with a center and `leaves` leaves: 1 without leaves, otherwise 2 if `leaves` is
/// odd and 3 if it is even (by induction; the tests cover stars with up to 12 leaves).
pub fn star_value(leaves: u64) -> u32 {
    match leaves {
        0 => 1,
        _ if leaves % 2 == 1 => 2,
        _ => 3,
    }
}

/// Returns the Grundy value of a complete graph, which is equivalent to a heap from which a move takes one or two
/// objects.
pub fn complete_value(vertices: u64) -> u32 {
    (vertices % 3) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitSet, Board, BoundRules, Graph, GraphPart, MoveRule, Position, RemovalRule, Solver};

    fn value(vertices: usize, edges: &[(usize, usize)], move_rules: &[GraphPart]) -> u32 {
        let move_rules = move_rules.iter().map(|part| MoveRule::Remove(RemovalRule::GraphPart(*part))).collect();
        let graph = Graph { vertices, edges: edges.to_vec() };
        let start = Position::Graph { vertices: BitSet::full(vertices), edges: BitSet::full(edges.len()) };
        let rules = BoundRules { board: Board::Graph(graph), ..BoundRules::nim() }.with(move_rules);
        Solver::new(rules, 2_000_000).grundy(&start).unwrap()
    }

    fn path(n: usize) -> Vec<(usize, usize)> {
        (1..n).map(|vertex| (vertex - 1, vertex)).collect()
    }

    fn cycle(n: usize) -> Vec<(usize, usize)> {
        (0..n).map(|vertex| (vertex, (vertex + 1) % n)).collect()
    }

    fn star(leaves: usize) -> Vec<(usize, usize)> {
        (1..=leaves).map(|leaf| (0, leaf)).collect()
    }

    fn complete(n: usize) -> Vec<(usize, usize)> {
        (0..n).flat_map(|a| (0..a).map(move |b| (b, a))).collect()
    }

    fn two_and(m: usize) -> Vec<(usize, usize)> {
        (2..m + 2).flat_map(|vertex| [(0, vertex), (1, vertex)]).collect()
    }

    const A: &[GraphPart] = &[GraphPart::Vertex, GraphPart::EdgeEnds];

    #[test]
    fn removing_vertices_or_edge_ends_has_published_values() {
        for n in 1..=12 {
            assert_eq!(value(n, &path(n), A), path_value(n as u64), "path {n}");
            assert_eq!(value(n + 1, &star(n), A), star_value(n as u64), "star {n}");
        }
        assert_eq!((1..=13).map(path_value).collect::<Vec<u32>>(), [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1]);
        for n in 3..=12 {
            assert_eq!(value(n, &cycle(n), A), cycle_value(n as u64), "cycle {n}");
        }
        for n in 1..=8 {
            assert_eq!(value(n, &complete(n), A), complete_value(n as u64), "complete {n}");
        }
        let twos: Vec<u32> = (1..=8).map(|m| value(m + 2, &two_and(m), A)).collect();
        assert_eq!(twos, [3, 0, 1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn removing_cliques_has_published_values() {
        let clique = |n, edges: &[(usize, usize)]| value(n, edges, &[GraphPart::Clique]);
        for n in 1..=8 {
            assert_eq!(clique(n, &complete(n)), n as u32, "complete {n}");
        }
        assert_eq!(clique(3, &cycle(3)), 3);
        for n in 4..=10 {
            assert_eq!(clique(n, &cycle(n)), 0, "cycle {n}");
            assert_eq!(clique(n, &path(n)), path_value(n as u64), "path {n}");
        }
    }

    #[test]
    fn removing_connected_sets_has_published_values() {
        let connected = |n, edges: &[(usize, usize)]| value(n, edges, &[GraphPart::Connected]);
        for n in 3..=9 {
            assert_eq!(connected(n, &path(n)), n as u32, "path {n}");
            assert_eq!(connected(n, &cycle(n)), n as u32, "cycle {n}");
        }
    }

    #[test]
    fn removing_edges_at_a_vertex_has_published_values() {
        let edges = |n, edges: &[(usize, usize)]| value(n, edges, &[GraphPart::EdgesAtVertex]);
        for m in 1..=9 {
            assert_eq!(edges(m + 1, &path(m + 1)), kayles_value(m as u64), "path of {m} edges");
            assert_eq!(edges(m + 1, &star(m)), m as u32, "star of {m} edges");
        }
        for n in 3..=9 {
            assert_eq!(edges(n, &cycle(n)), 0, "cycle {n}");
        }
        assert_eq!((1..=5).map(|n| edges(n, &complete(n))).collect::<Vec<u32>>(), [0, 1, 0, 2, 0]);
        assert_eq!((1..=6).map(|m| edges(m + 2, &two_and(m))).collect::<Vec<u32>>(), [2, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn kayles_is_periodic_for_the_largest_rows() {
        let table = HeapGame::rows(2).values(400);
        assert!((0..=400).all(|n| kayles_value(n as u64) == table[n]));
        assert_eq!(kayles_value(u64::MAX), table[(u64::MAX - 71) as usize % 12 + 71]);
    }
}
