//! Enumerates the moves that remove runs of cells or parts of a graph.

use super::bit_set::BitSet;
use super::cell_lines::lines;
use super::graph::{Graph, each_clique, each_connected};
use super::moves::{Move, MoveVisitor};
use super::position::Position;
use super::rules_spec::{BoundAmounts, GraphPart};
use std::ops::ControlFlow;

fn remove_cells(cells: &BitSet, run: Vec<usize>, visit: MoveVisitor<'_>) -> ControlFlow<()> {
    let after = run.iter().fold(cells.clone(), |after, cell| after.without(*cell));
    visit(Move::Cells(run), Position::Cells(after))
}

/// Enumerates the removals of runs on all lines of a grid.
pub(super) fn board_runs(
    cells: &BitSet,
    sides: &[usize],
    amount: &BoundAmounts,
    visit: MoveVisitor<'_>,
) -> ControlFlow<()> {
    let all = lines(sides);
    let along_first = sides.iter().skip(1).product::<usize>();
    for (number, line) in all.iter().enumerate() {
        for start in 0..line.len() {
            let free = line[start..].iter().take_while(|cell| cells.has(**cell)).count();
            // A single cell is on one line for each axis. It is enumerated on the line along the first axis only.
            for length in amount.amounts(free as u64).filter(|length| *length > 1 || number < along_first) {
                let length = usize::try_from(length).unwrap_or(free);
                remove_cells(cells, line[start..start + length].to_vec(), visit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Enumerates the removals of runs on a circle.
pub(super) fn circle_runs(
    cells: &BitSet,
    length: usize,
    amount: &BoundAmounts,
    visit: MoveVisitor<'_>,
) -> ControlFlow<()> {
    for start in cells.iter() {
        let free = (0..length).take_while(|step| cells.has((start + step) % length)).count();
        // Removing a whole full circle is the same move from every start, so it is enumerated once.
        for run in amount.amounts(free as u64).filter(|run| *run < length as u64 || start == 0) {
            let run = usize::try_from(run).unwrap_or(free);
            remove_cells(cells, (start..start + run).map(|cell| cell % length).collect(), visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Enumerates the moves that remove a part of this kind from a graph.
pub(super) fn remove(
    graph: &Graph,
    vertices: &BitSet,
    edges: &BitSet,
    part: GraphPart,
    visit: MoveVisitor<'_>,
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    let mut without = |gone: &[usize]| {
        let left = gone.iter().fold(vertices.clone(), |left, vertex| left.without(*vertex));
        flow = visit(Move::Vertices(gone.to_vec()), Position::Graph { vertices: left, edges: edges.clone() });
        flow.is_continue()
    };
    match part {
        GraphPart::Vertex => {
            let _ = vertices.iter().all(|vertex| without(&[vertex]));
        }
        GraphPart::EdgeEnds => {
            let mut alive = graph.alive(vertices, edges);
            let _ = alive.all(|edge| without(&[graph.edges[edge].0, graph.edges[edge].1]));
        }
        GraphPart::Clique => each_clique(&graph.neighbours(vertices, edges), vertices, &mut without),
        GraphPart::Connected => each_connected(&graph.neighbours(vertices, edges), vertices, &mut without),
        GraphPart::EdgesAtVertex => return edges_at_vertex(graph, vertices, edges, visit),
    }
    flow
}

fn edges_at_vertex(graph: &Graph, vertices: &BitSet, edges: &BitSet, visit: MoveVisitor<'_>) -> ControlFlow<()> {
    for vertex in vertices.iter() {
        let touches = |edge: &usize| graph.edges[*edge].0 == vertex || graph.edges[*edge].1 == vertex;
        let here: Vec<usize> = graph.alive(vertices, edges).filter(touches).collect();
        let mut chosen = vec![false; here.len()];
        // The non-empty subsets of the edges are enumerated like binary numbers, with the first edge as the lowest bit.
        while let Some(up) = chosen.iter().position(|chosen| !chosen) {
            chosen[..up].fill(false);
            chosen[up] = true;
            let gone: Vec<usize> = here.iter().zip(&chosen).filter(|(_, on)| **on).map(|(edge, _)| *edge).collect();
            // A single edge is incident to two vertices. It is enumerated at the smaller one only.
            let (a, b) = graph.edges[gone[0]];
            if gone.len() == 1 && vertex != a.min(b) {
                continue;
            }
            let left = gone.iter().fold(edges.clone(), |left, edge| left.without(*edge));
            visit(Move::Edges(gone), Position::Graph { vertices: vertices.clone(), edges: left })?;
        }
    }
    ControlFlow::Continue(())
}
