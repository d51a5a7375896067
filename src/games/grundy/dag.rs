//! Grundy values of the vertices of a directed acyclic graph.

use super::StampedSet;
use crate::Dag;

/// Returns the Grundy value of a token on each vertex: the mex of the values of its successors.
///
/// Runs in O(V + E). A value is at most the out-degree of its vertex.
pub fn dag_values(dag: &Dag) -> Vec<u32> {
    let mut values = vec![0; dag.heads.len()];
    let mut seen = StampedSet::new();
    // In reverse topological order, the values of all successors are known.
    for vertex in dag.order().into_iter().rev() {
        seen.clear();
        dag.heads[vertex].iter().for_each(|(_, head)| seen.mark(values[*head]));
        values[vertex] = seen.mex();
    }
    values
}
