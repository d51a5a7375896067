//! Removes vertices from graphs together with their edges, or merges them into other vertices.

use std::ops::Range as Places;

use super::description::{Description, GraphClauses};
use super::edit::{Family, numbers_mut, set_number, solve};
use super::expr::Expr;
use super::instance::Column;
use super::layout::{Range, Shape};

impl Description {
    /// Returns the graphs of the clauses, and every other pair of consecutive lists that may contain the ends of edges:
    /// two columns of a block, or two lists of the same length, whose values have the same range, such as `1..=n`.
    pub(crate) fn vertex_pairs(&self) -> Vec<GraphClauses> {
        let mut graphs = self.graphs.clone();
        for from in 0..self.layout.vars.len().saturating_sub(1) {
            let to = from + 1;
            let [a, b] = [from, to].map(|at| &self.layout.vars[at]);
            let (Some(range), Shape::List) = (a.range(), a.shape()) else { continue };
            let aligned = a.in_block == b.in_block && a.length == b.length && (!a.in_block || a.item == b.item);
            let vertices = range.lo.constant().is_some() && solve(&range.hi, 0).is_some();
            let marks = [from, to].map(|at| self.marks[at]);
            let free = marks.iter().all(|marks| !marks.permutation && !marks.sorted);
            let known = graphs.iter().any(|graph| [from, to].iter().any(|at| [graph.from, graph.to].contains(at)));
            if aligned && vertices && free && !known && b.shape() == Shape::List && b.range() == Some(range) {
                graphs.push(GraphClauses { from, to, ..GraphClauses::default() });
            }
        }
        graphs
    }

    /// Removes the vertices `gone` from a graph, together with their edges and with their values in lists that have one
    /// value per vertex. Renumbers the remaining vertices in every variable whose range equals the range of the
    /// vertices. With `into`, redirects the edges to that vertex instead of removing them. Returns `None` if the bounds
    /// of the vertices are unknown, or if no edges can be removed from the graph.
    pub(crate) fn remove_vertices(
        &self,
        columns: &mut [Column],
        graph: GraphClauses,
        gone: Places<i64>,
        into: Option<i64>,
    ) -> Option<()> {
        let range = self.layout.vars[graph.from].range()?;
        let (least, greatest) = self.bounds_of(graph.from, 0, columns)?;
        let lost = gone.end - gone.start;
        if let Some(into) = into {
            for var in [graph.from, graph.to] {
                numbers_mut(&mut columns[var]).iter_mut().filter(|v| gone.contains(v)).for_each(|v| *v = into);
            }
        }
        let (from, to) = (columns[graph.from].numbers().to_vec(), columns[graph.to].numbers().to_vec());
        let dead =
            |at: usize| gone.contains(&from[at]) || gone.contains(&to[at]) || into.is_some() && from[at] == to[at];
        let families = self.families();
        let dead: Vec<bool> = (0..from.len()).map(dead).collect();
        if dead.contains(&true) {
            let edges = families.iter().find(|family| self.holds(family, graph.from))?;
            self.remove_each(columns, edges, &dead);
        }
        let counts_vertices = |family: &&Family| {
            !self.holds(family, graph.from) && self.family_len(family, columns) as i64 == greatest - least + 1
        };
        let per_vertex: Vec<&Family> = families.iter().filter(counts_vertices).collect();
        let place = |v: i64| usize::try_from(v - least).unwrap_or(0);
        for family in per_vertex.into_iter().filter(|family| self.counted_like(family, range)) {
            self.remove(columns, family, place(gone.start)..place(gone.end));
        }
        for (at, var) in self.layout.vars.iter().enumerate() {
            if var.range() == Some(range) {
                let last = (greatest - lost).max(least);
                numbers_mut(&mut columns[at]).iter_mut().for_each(|v| *v = renumbered(*v, &gone, last));
            }
        }
        let count = usize::try_from(greatest - lost - least + 1).ok()?;
        // The upper bound determines the number of vertices. It is `n`, or `n-1` if vertices are numbered from 0.
        if let Some((var, _)) = solve(&range.hi, count) {
            let number = columns[var].number(0)? - lost;
            set_number(columns, 0, Some((var, i128::from(number))));
        }
        Some(())
    }

    /// Returns whether a variable belongs to the family.
    fn holds(&self, family: &Family, var: usize) -> bool {
        let described = &self.layout.vars[var];
        family.lists.contains(&var) || described.in_block && family.blocks.contains(&described.item)
    }

    /// Returns whether the length of a list or block of the family depends on the same variable as the upper bound of
    /// the range.
    fn counted_like(&self, family: &Family, range: &Range) -> bool {
        let lists = family.lists.iter().filter_map(|var| self.layout.vars[*var].length.as_ref());
        let blocks = family.blocks.iter().filter_map(|item| self.layout.items[*item].repeat.as_ref());
        let named = |expr: &Expr| solve(expr, 0).map(|(var, _)| var);
        lists.chain(blocks).any(|length| named(&length.expr).is_some() && named(&length.expr) == named(&range.hi))
    }
}

fn renumbered(v: i64, gone: &Places<i64>, last: i64) -> i64 {
    let lost = gone.end - gone.start;
    if v >= gone.end {
        v - lost
    } else if v >= gone.start {
        gone.start.min(last)
    } else {
        v
    }
}
