//! The moves that remove runs of cells or parts of graphs.

use super::bits::Bits;
use super::board::lines;
use super::graph::{Graph, each_clique, each_connected};
use super::moves::{Move, Tell};
use super::position::Position;
use super::rules::{Corners, Taking};
use std::ops::ControlFlow;

fn remove_cells(cells: &Bits, run: Vec<usize>, tell: Tell<'_>) -> ControlFlow<()> {
    let after = run.iter().fold(cells.clone(), |after, cell| after.without(*cell));
    tell(Move::Cells(run), Position::Cells(after))
}

/// Every run on every line of a board.
pub(super) fn board_runs(
    cells: &Bits,
    sides: &[usize],
    amount: &Taking<u64, Vec<u64>>,
    tell: Tell<'_>,
) -> ControlFlow<()> {
    let all = lines(sides);
    let along_first = sides.iter().skip(1).product::<usize>();
    for (number, line) in all.iter().enumerate() {
        for start in 0..line.len() {
            let free = line[start..].iter().take_while(|cell| cells.has(**cell)).count();
            // A single cell lies on a line of every axis; the first axis speaks for all.
            for length in amount.amounts(free as u64).filter(|length| *length > 1 || number < along_first) {
                let length = usize::try_from(length).unwrap_or(free);
                remove_cells(cells, line[start..start + length].to_vec(), tell)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Every run on a circle.
pub(super) fn circle_runs(
    cells: &Bits,
    length: usize,
    amount: &Taking<u64, Vec<u64>>,
    tell: Tell<'_>,
) -> ControlFlow<()> {
    for start in cells.iter() {
        let free = (0..length).take_while(|step| cells.has((start + step) % length)).count();
        // All the cells of a full circle are one move, whichever cell it begins with.
        for run in amount.amounts(free as u64).filter(|run| *run < length as u64 || start == 0) {
            let run = usize::try_from(run).unwrap_or(free);
            remove_cells(cells, (start..start + run).map(|cell| cell % length).collect(), tell)?;
        }
    }
    ControlFlow::Continue(())
}

/// Every way to remove such a part of a graph.
pub(super) fn remove(
    graph: &Graph,
    vertices: &Bits,
    edges: &Bits,
    corners: Corners,
    tell: Tell<'_>,
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    let mut without = |gone: &[usize]| {
        let left = gone.iter().fold(vertices.clone(), |left, vertex| left.without(*vertex));
        flow = tell(Move::Vertices(gone.to_vec()), Position::Graph { vertices: left, edges: edges.clone() });
        flow.is_continue()
    };
    match corners {
        Corners::Vertex => {
            let _ = vertices.iter().all(|vertex| without(&[vertex]));
        }
        Corners::EdgeEnds => {
            let mut alive = graph.alive(vertices, edges);
            let _ = alive.all(|edge| without(&[graph.edges[edge].0, graph.edges[edge].1]));
        }
        Corners::Clique => each_clique(&graph.neighbours(vertices, edges), vertices, &mut without),
        Corners::Connected => each_connected(&graph.neighbours(vertices, edges), vertices, &mut without),
        Corners::EdgesAtVertex => return edges_at_vertex(graph, vertices, edges, tell),
    }
    flow
}

fn edges_at_vertex(graph: &Graph, vertices: &Bits, edges: &Bits, tell: Tell<'_>) -> ControlFlow<()> {
    for vertex in vertices.iter() {
        let touches = |edge: &usize| graph.edges[*edge].0 == vertex || graph.edges[*edge].1 == vertex;
        let here: Vec<usize> = graph.alive(vertices, edges).filter(touches).collect();
        let mut chosen = vec![false; here.len()];
        // Counts in binary, the first edge fastest.
        while let Some(up) = chosen.iter().position(|chosen| !chosen) {
            chosen[..up].fill(false);
            chosen[up] = true;
            let gone: Vec<usize> = here.iter().zip(&chosen).filter(|(_, on)| **on).map(|(edge, _)| *edge).collect();
            // One edge alone is at both its ends; the smaller end speaks for it.
            let (a, b) = graph.edges[gone[0]];
            if gone.len() == 1 && vertex != a.min(b) {
                continue;
            }
            let left = gone.iter().fold(edges.clone(), |left, edge| left.without(*edge));
            tell(Move::Edges(gone), Position::Graph { vertices: vertices.clone(), edges: left })?;
        }
    }
    ControlFlow::Continue(())
}
