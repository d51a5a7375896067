//! All positions that are reachable from a position, and the moves between them, for diagrams of small games.

use std::collections::HashMap;

use super::bound_rules::BoundRules;
use super::position::Position;
use super::rules_spec::LastMover;

/// Maximum number of moves of a position. A position with more moves has too many successors for a diagram.
const MOVES: usize = 200;

/// Maximum number of moves until the end of the game. The diagram of a longer game would be too tall.
const HEIGHT: usize = 24;

/// Number of positions below which [`PositionGraph::example`] prefers another start position.
const FEW: usize = 10;

/// Maximum number of moves that [`PositionGraph::example`] makes from a large position.
const STEPS: usize = 60;

/// Maximum number of successors that [`PositionGraph::example`] compares at each step.
const COMPARED: usize = 8;

/// Maximum size of the smallest heap in the positions that [`PositionGraph::example`] tries.
const HEAP: u64 = 12;

/// Maximum number of heaps in the positions that [`PositionGraph::example`] tries.
const HEAPS: u64 = 3;

/// The positions of a two-player game that are reachable from a start position. Positions with the same canonical form
/// count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionGraph {
    /// The positions. The first one is the root.
    pub nodes: Vec<PositionNode>,
    /// The moves as pairs of indices of `nodes`: the position before and the position after. Each pair occurs once.
    pub moves: Vec<(usize, usize)>,
}

/// A position of a [`PositionGraph`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionNode {
    /// The position in its canonical form.
    pub position: Position,
    /// Whether the player to move loses.
    pub loses: bool,
    /// The maximum number of moves until the end of the game.
    pub height: usize,
}

impl PositionGraph {
    /// Returns the graph of the positions that are reachable from `start`. Returns `None` if there are more than `most`
    /// positions, if one of them has more than 200 moves, if the game can last for more than 24 moves, or if the number
    /// of players is not two.
    pub fn of(rules: &BoundRules, start: &Position, most: usize) -> Option<PositionGraph> {
        if rules.players != 2 {
            return None;
        }
        let root = rules.canonical(start.clone());
        let mut indices = HashMap::from([(root.clone(), 0)]);
        let mut positions = vec![root];
        let mut successors: Vec<Vec<usize>> = Vec::new();
        while let Some(position) = positions.get(successors.len()).cloned() {
            let moves = rules.moves(&position, MOVES + 1);
            if moves.len() > MOVES {
                return None;
            }
            let mut own = Vec::new();
            for (_, after) in moves {
                let after = rules.canonical(after);
                let next = positions.len();
                let index = *indices.entry(after.clone()).or_insert(next);
                if index == next {
                    positions.push(after);
                }
                own.push(index);
            }
            if positions.len() > most {
                return None;
            }
            own.sort_unstable();
            own.dedup();
            successors.push(own);
        }
        let facts = evaluate(&successors, rules.last_mover)?;
        if facts.iter().any(|(_, height)| *height > HEIGHT) {
            return None;
        }
        let nodes = positions.into_iter().zip(facts);
        let nodes = nodes.map(|(position, (loses, height))| PositionNode { position, loses, height }).collect();
        let pairs = successors.iter().enumerate();
        let moves = pairs.flat_map(|(from, after)| after.iter().map(move |to| (from, *to))).collect();
        Some(PositionGraph { nodes, moves })
    }

    /// Returns the graph of `start` if [`PositionGraph::of`] returns one with at least 10 positions. Otherwise returns
    /// the first of these that exists: the graph of a similar position, the graph of `start` with fewer than 10
    /// positions, and the graph of a position that is reachable from `start`. Returns `None` if none of them exists.
    pub fn example(rules: &BoundRules, start: &Position, most: usize) -> Option<PositionGraph> {
        let own = PositionGraph::of(rules, start, most);
        if own.as_ref().is_some_and(|graph| graph.nodes.len() >= FEW) {
            return own;
        }
        let sized = |sizes: &[u64], smallest: u64| {
            (0..HEAPS.min(sizes.len() as u64)).map(|place| smallest + place).collect::<Vec<_>>()
        };
        let similar: Vec<Position> = match start {
            Position::Heaps(sizes) => (1..=HEAP).rev().map(|size| Position::Heaps(sized(sizes, size))).collect(),
            Position::Row(sizes) => (1..=HEAP).rev().map(|size| Position::Row(sized(sizes, size))).collect(),
            _ => Vec::new(),
        };
        let found = similar.iter().find_map(|position| PositionGraph::of(rules, position, most));
        found.or(own).or_else(|| reachable(rules, start, most))
    }
}

/// Makes moves from a large position until [`PositionGraph::of`] returns a graph for at least one of the compared
/// successors, and returns the largest such graph. Returns `None` if no move is left or [`STEPS`] moves were made.
fn reachable(rules: &BoundRules, start: &Position, most: usize) -> Option<PositionGraph> {
    let mut position = start.clone();
    for _ in 0..STEPS {
        let moves = rules.moves(&position, MOVES);
        let step = moves.len().div_ceil(COMPARED).max(1);
        let compared = moves.iter().step_by(step).map(|(_, after)| after);
        let graphs = compared.filter_map(|after| PositionGraph::of(rules, after, most));
        if let Some(largest) = graphs.max_by_key(|graph| graph.nodes.len()) {
            return Some(largest);
        }
        position = moves.into_iter().next_back()?.1;
    }
    None
}

/// Returns for each position whether the player to move loses, and the maximum number of moves until the end of the
/// game. Returns `None` if the moves form a cycle.
fn evaluate(successors: &[Vec<usize>], last_mover: LastMover) -> Option<Vec<(bool, usize)>> {
    let mut facts: Vec<Option<(bool, usize)>> = vec![None; successors.len()];
    let mut open = successors.len();
    while open > 0 {
        let before = open;
        for (index, after) in successors.iter().enumerate() {
            if facts[index].is_some() {
                continue;
            }
            let Some(known) = after.iter().map(|next| facts[*next]).collect::<Option<Vec<_>>>() else { continue };
            let height = known.iter().map(|(_, height)| height + 1).max().unwrap_or(0);
            let loses =
                if known.is_empty() { last_mover == LastMover::Wins } else { !known.iter().any(|(loses, _)| *loses) };
            facts[index] = Some((loses, height));
            open -= 1;
        }
        if open == before {
            return None;
        }
    }
    facts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::rules_spec::{AllowedAmounts, HeapChoice, MoveRule, SplitTotal};
    use super::super::solver::Solver;
    use super::*;

    fn heaps(sizes: &[u64]) -> Position {
        Position::Heaps(sizes.to_vec())
    }

    #[test]
    fn outcomes_and_moves_are_those_of_the_solver() {
        let split = MoveRule::Split { parts: 2, distinct: true, total: SplitTotal::Same, min: 1 };
        let every = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true };
        let nim = BoundRules::nim();
        let wythoff = nim.clone().with([nim.move_rules.clone(), vec![every]].concat());
        for rules in [nim.clone(), nim.clone().misere(), wythoff, nim.clone().with(vec![split])] {
            let graph = PositionGraph::of(&rules, &heaps(&[2, 3, 4]), 100).unwrap();
            let mut solver = Solver::new(rules.clone(), 10_000);
            for (index, node) in graph.nodes.iter().enumerate() {
                assert_eq!(node.loses, !solver.wins(&node.position).unwrap(), "{}", node.position);
                let mut after: Vec<Position> =
                    rules.moves(&node.position, 1_000).into_iter().map(|(_, after)| rules.canonical(after)).collect();
                after.sort_unstable();
                after.dedup();
                let own = graph.moves.iter().filter(|(from, _)| *from == index);
                let mut drawn: Vec<Position> = own.map(|(_, to)| graph.nodes[*to].position.clone()).collect();
                drawn.sort_unstable();
                assert_eq!(drawn, after, "{}", node.position);
            }
            for (from, to) in &graph.moves {
                assert!(graph.nodes[*from].height > graph.nodes[*to].height);
            }
        }
    }

    #[test]
    fn an_example_has_a_suitable_size() {
        let nim = BoundRules::nim();
        assert_eq!(PositionGraph::of(&nim, &heaps(&[3, 4]), 60).unwrap().nodes.len(), 14);
        assert_eq!(PositionGraph::of(&nim, &heaps(&[1_000_000_000]), 60), None);
        assert_eq!(PositionGraph::of(&nim, &heaps(&[9, 9, 9]), 60), None);
        for start in [heaps(&[1_000_000_000]), heaps(&[50, 60]), heaps(&[9; 20]), heaps(&[1])] {
            let graph = PositionGraph::example(&nim, &start, 60).unwrap();
            assert!((FEW..=60).contains(&graph.nodes.len()), "{start}: {}", graph.nodes.len());
        }
        let (small, three) = (heaps(&[2, 4]), BoundRules { players: 3, ..BoundRules::nim() });
        assert_eq!(PositionGraph::example(&nim, &small, 60).unwrap().nodes[0].position, small);
        assert_eq!(PositionGraph::example(&three, &small, 60), None);
    }

    #[test]
    fn a_long_game_starts_near_its_end() {
        let rules = BoundRules::nim().with(vec![MoveRule::Add { from: 1, to: 2, limit: 100 }]);
        assert_eq!(PositionGraph::of(&rules, &Position::Counter(0), 200), None, "a game of 100 moves is too high");
        let graph = PositionGraph::example(&rules, &Position::Counter(0), 60).unwrap();
        assert!(matches!(graph.nodes[0].position, Position::Counter(start) if start >= 76), "{:?}", graph.nodes[0]);
    }
}
