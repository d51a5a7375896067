//! Enumerates the moves of a position from the rules.

use super::bound_rules::{Board, BoundRules};
use super::grundy::OctalCode;
use super::position::Position;
use super::removals::{board_runs, circle_runs, remove};
use super::rules_spec::{AllowedAmounts, BoundAmounts, BoundMoveRule, HeapChoice, MoveRule, RemovalRule, SplitTotal};
use std::fmt;
use std::ops::ControlFlow;

/// A move. Heaps, stacks, steps and tokens are numbered from 0 in the order of the position; cells, vertices and edges
/// are numbered as on the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A move that takes objects from one heap or stack.
    Take {
        /// Index of the heap.
        heap: usize,
        /// Number of objects taken.
        amount: u64,
    },
    /// A move that takes objects from several heaps, as pairs (heap, amount).
    TakeMany(Vec<(usize, u64)>),
    /// A move that replaces one heap by several heaps.
    Split {
        /// Index of the heap.
        heap: usize,
        /// Sizes of the new heaps.
        parts: Vec<u64>,
    },
    /// A move of objects from a step to the step below it, or out of the game from the lowest step.
    Slide {
        /// Index of the step.
        step: usize,
        /// Number of objects moved.
        amount: u64,
    },
    /// A move that removes these cells.
    Cells(Vec<usize>),
    /// A move that removes these vertices.
    Vertices(Vec<usize>),
    /// A move that removes these edges.
    Edges(Vec<usize>),
    /// A move of a token along an edge.
    Walk {
        /// Index of the token.
        token: usize,
        /// Index of the edge.
        edge: usize,
        /// The vertex at the head of the edge.
        to: usize,
    },
    /// A move that adds this number to the counter.
    Add(u64),
    /// A move that places tokens on the stack with this index.
    Place(usize),
}

impl Move {
    /// Returns the move that takes `amounts[i]` objects from the heap with index `i`. Heaps with the amount 0 are left
    /// out.
    pub(super) fn taking(amounts: &[u64]) -> Move {
        let chosen: Vec<(usize, u64)> = amounts.iter().copied().enumerate().filter(|(_, amount)| *amount > 0).collect();
        match chosen.as_slice() {
            [(heap, amount)] => Move::Take { heap: *heap, amount: *amount },
            _ => Move::TakeMany(chosen),
        }
    }

    /// Returns the number of objects, cells, vertices or edges that the move takes or removes. Returns 0 for the other
    /// kinds of moves, including an octal move that leaves two heaps, which is represented as a [`Move::Split`].
    pub fn taken(&self) -> u64 {
        match self {
            Move::Take { amount, .. } => *amount,
            Move::TakeMany(taken) => taken.iter().map(|(_, amount)| amount).sum(),
            Move::Cells(places) | Move::Vertices(places) | Move::Edges(places) => places.len() as u64,
            _ => 0,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Take { heap, amount } => write!(out, "take {amount} from heap {}", heap + 1),
            Move::TakeMany(taken) => {
                let words: Vec<String> =
                    taken.iter().map(|(heap, amount)| format!("{amount} from heap {}", heap + 1)).collect();
                write!(out, "take {}", words.join(" and "))
            }
            Move::Split { heap, parts } => write!(out, "split heap {} into {}", heap + 1, joined(parts.iter())),
            Move::Slide { step, amount } => write!(out, "move {amount} down from step {}", step + 1),
            Move::Cells(cells) => write!(out, "remove {}", joined(cells.iter().map(|cell| cell + 1))),
            Move::Vertices(all) => {
                let noun = if all.len() == 1 { "vertex" } else { "vertices" };
                write!(out, "remove {noun} {}", joined(all.iter().map(|vertex| vertex + 1)))
            }
            Move::Edges(edges) => {
                let noun = if edges.len() == 1 { "edge" } else { "edges" };
                write!(out, "remove {noun} {}", joined(edges.iter().map(|edge| edge + 1)))
            }
            Move::Walk { token, to, .. } => write!(out, "move token {} to vertex {}", token + 1, to + 1),
            Move::Add(amount) => write!(out, "add {amount}"),
            Move::Place(stack) => write!(out, "place on stack {}", stack + 1),
        }
    }
}

fn joined<T: fmt::Display>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

/// A callback that is called with each move and the position after it. It ends the enumeration by returning `Break`.
pub(super) type MoveVisitor<'a> = &'a mut dyn FnMut(Move, Position) -> ControlFlow<()>;

impl BoundRules {
    /// Calls `visit` with each move and the position after it, in a fixed order.
    ///
    /// The parts of a position keep their indices. When a heap is split, the first new heap has the index of the split
    /// heap, and the other new heaps are appended.
    pub fn each_move(&self, position: &Position, visit: MoveVisitor<'_>) -> ControlFlow<()> {
        if let Position::Stacks { heights, tokens } = position
            && *tokens > 0
        {
            return place(heights, *tokens, self.place, visit);
        }
        self.move_rules.iter().try_for_each(|move_rule| self.each_of_kind(move_rule, position, visit))
    }

    /// Returns the first `limit` moves, each with the position after it.
    pub fn moves(&self, position: &Position, limit: usize) -> Vec<(Move, Position)> {
        let mut moves = Vec::new();
        // The result is ignored, since `Break` only means that the limit was reached.
        let _ = self.each_move(position, &mut |step, next| {
            if moves.len() == limit {
                return ControlFlow::Break(());
            }
            moves.push((step, next));
            ControlFlow::Continue(())
        });
        moves
    }

    fn each_of_kind(&self, move_rule: &BoundMoveRule, position: &Position, visit: MoveVisitor<'_>) -> ControlFlow<()> {
        match (move_rule, position, &self.board) {
            (MoveRule::Take { amount, from, same }, Position::Heaps(sizes), _) => {
                take(sizes, amount, from, *same, &mut |step, sizes| visit(step, Position::Heaps(sizes)))
            }
            (MoveRule::Take { amount, from, same }, Position::Stacks { heights, .. }, _) => {
                let mut after = |step, heights| visit(step, Position::Stacks { heights, tokens: 0 });
                take(heights, amount, from, *same, &mut after)
            }
            (MoveRule::Split { parts, distinct, total, min }, Position::Heaps(sizes), _) => {
                let split_shape = SplitShape { parts: *parts, distinct: *distinct, total: *total, min: *min };
                split(sizes, &split_shape, visit)
            }
            (MoveRule::Octal(code), Position::Heaps(sizes), _) => octal(sizes, code, visit),
            (MoveRule::Slide { amount, frozen }, Position::Row(steps), _) => slide(steps, amount, *frozen, visit),
            (MoveRule::Remove(RemovalRule::Run(amount)), Position::Cells(cells), Board::Grid(sides)) => {
                board_runs(cells, sides, amount, visit)
            }
            (MoveRule::Remove(RemovalRule::Run(amount)), Position::Cells(cells), Board::Circle(length)) => {
                circle_runs(cells, *length, amount, visit)
            }
            (
                MoveRule::Remove(RemovalRule::GraphPart(part)),
                Position::Graph { vertices, edges },
                Board::Graph(graph),
            ) => remove(graph, vertices, edges, *part, visit),
            (MoveRule::Walk, Position::Tokens(tokens), Board::Dag(dag)) => {
                tokens.iter().enumerate().try_for_each(|(token, vertex)| {
                    dag.heads[*vertex].iter().try_for_each(|(edge, to)| {
                        let mut after = tokens.clone();
                        after[token] = *to;
                        visit(Move::Walk { token, edge: *edge, to: *to }, Position::Tokens(after))
                    })
                })
            }
            (MoveRule::Add { from, to, limit }, Position::Counter(number), _) => {
                let most = (*to).min(limit.saturating_sub(*number));
                (*from..=most).try_for_each(|step| visit(Move::Add(step), Position::Counter(number + step)))
            }
            // Binding rejects all other combinations.
            _ => ControlFlow::Continue(()),
        }
    }
}

impl BoundAmounts {
    /// Returns the smallest allowed amount above `last`, or `None` if there is none up to `size`.
    pub(super) fn next_above(&self, last: u64, size: u64) -> Option<u64> {
        let next = match self {
            AllowedAmounts::Any => last.checked_add(1)?,
            AllowedAmounts::UpTo(most) => last.checked_add(1).filter(|next| next <= most)?,
            AllowedAmounts::In(amounts) => *amounts.get(amounts.partition_point(|amount| *amount <= last))?,
        };
        (next <= size).then_some(next)
    }

    /// Returns the allowed amounts for a heap of `size`, in increasing order.
    pub(super) fn amounts(&self, size: u64) -> impl Iterator<Item = u64> + '_ {
        std::iter::successors(self.next_above(0, size), move |last| self.next_above(*last, size))
    }
}

fn place(heights: &[u64], tokens: u64, at_once: u64, visit: MoveVisitor<'_>) -> ControlFlow<()> {
    let placed = at_once.min(tokens);
    (0..heights.len()).try_for_each(|stack| {
        let mut after = heights.to_vec();
        after[stack] += placed;
        visit(Move::Place(stack), Position::Stacks { heights: after, tokens: tokens - placed })
    })
}

/// A callback that is called with each move and the heap sizes after it.
type SizesVisitor<'a> = &'a mut dyn FnMut(Move, Vec<u64>) -> ControlFlow<()>;

fn take(
    sizes: &[u64],
    amount: &BoundAmounts,
    from: &HeapChoice<u64>,
    same: bool,
    visit: SizesVisitor<'_>,
) -> ControlFlow<()> {
    let filled = sizes.iter().filter(|size| **size > 0).count();
    let most = match from {
        HeapChoice::One | HeapChoice::UpTo(1) => return take_one(sizes, amount, 0, visit),
        HeapChoice::Largest => return take_one(sizes, amount, sizes.iter().copied().max().unwrap_or(0), visit),
        HeapChoice::UpTo(most) => usize::try_from(*most).unwrap_or(usize::MAX),
        HeapChoice::UpToAll | HeapChoice::Every => filled,
    };
    let every = *from == HeapChoice::Every;
    if !same {
        return take_many(sizes, amount, most, every, visit);
    }
    amount
        .amounts(sizes.iter().copied().max().unwrap_or(0))
        .try_for_each(|equal| take_many(sizes, &AllowedAmounts::In(vec![equal]), most, every, visit))
}

/// Enumerates the moves that take from one heap of at least `least` objects.
fn take_one(sizes: &[u64], amount: &BoundAmounts, least: u64, visit: SizesVisitor<'_>) -> ControlFlow<()> {
    for (heap, size) in sizes.iter().enumerate().filter(|(_, size)| **size >= least) {
        for taken in amount.amounts(*size) {
            let mut after = sizes.to_vec();
            after[heap] -= taken;
            visit(Move::Take { heap, amount: taken }, after)?;
        }
    }
    ControlFlow::Continue(())
}

/// Enumerates the moves that take from 1 to `most` heaps, or from every heap if `every` is true. The amounts are
/// enumerated in lexicographic order, without recursion.
fn take_many(
    sizes: &[u64],
    amount: &BoundAmounts,
    most: usize,
    every: bool,
    visit: SizesVisitor<'_>,
) -> ControlFlow<()> {
    let lowest: Option<Vec<u64>> = match every {
        true => sizes.iter().map(|size| amount.next_above(0, *size)).collect(),
        false => Some(vec![0; sizes.len()]),
    };
    let Some(lowest) = lowest else { return ControlFlow::Continue(()) };
    let mut taken = lowest.clone();
    let mut touched = taken.iter().filter(|amount| **amount > 0).count();
    loop {
        if touched > 0 {
            visit(Move::taking(&taken), sizes.iter().zip(&taken).map(|(size, taken)| size - taken).collect())?;
        }
        let raised = (0..sizes.len()).rev().find_map(|heap| {
            let may = taken[heap] > 0 || touched < most;
            let next = if may { amount.next_above(taken[heap], sizes[heap]) } else { None };
            if next.is_none() && taken[heap] != lowest[heap] {
                touched -= usize::from(lowest[heap] == 0);
                taken[heap] = lowest[heap];
            }
            next.map(|next| (heap, next))
        });
        let Some((heap, next)) = raised else { return ControlFlow::Continue(()) };
        touched += usize::from(taken[heap] == 0);
        taken[heap] = next;
    }
}

/// The conditions on the parts of a split; see [`MoveRule::Split`].
struct SplitShape {
    parts: u64,
    distinct: bool,
    total: SplitTotal,
    min: u64,
}

fn split(sizes: &[u64], split_shape: &SplitShape, visit: MoveVisitor<'_>) -> ControlFlow<()> {
    sizes.iter().enumerate().filter(|(_, size)| **size > 0).try_for_each(|(heap, size)| {
        let mut parts = Vec::new();
        split_shape.extend(*size, *size, &mut parts, &mut |parts| {
            visit(Move::Split { heap, parts: parts.to_vec() }, replaced(sizes, heap, parts))
        })
    })
}

impl SplitShape {
    /// Enumerates the completions of `parts`, with parts in nondecreasing order. The recursion depth is the number of
    /// parts, at most 16.
    fn extend(
        &self,
        size: u64,
        rest: u64,
        parts: &mut Vec<u64>,
        visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let left = self.parts - parts.len() as u64;
        if left == 0 {
            return visit(parts);
        }
        let least = parts.last().map_or(self.min, |last| last + u64::from(self.distinct));
        let (from, to) = match self.total {
            SplitTotal::Any => (least, size - 1),
            // The last part is the remainder. Earlier parts must leave enough objects for the later ones.
            SplitTotal::Same if left == 1 => (rest.max(least), rest.min(size - 1)),
            SplitTotal::Same => (least, rest / left),
        };
        for part in from..=to {
            parts.push(part);
            let rest = if self.total == SplitTotal::Same { rest - part } else { rest };
            self.extend(size, rest, parts, visit)?;
            parts.pop();
        }
        ControlFlow::Continue(())
    }
}

/// Returns the position in which the heap with index `heap` is replaced by `parts`.
fn replaced(sizes: &[u64], heap: usize, parts: &[u64]) -> Position {
    let mut after = sizes.to_vec();
    after[heap] = parts.first().copied().unwrap_or(0);
    after.extend(parts.iter().skip(1));
    Position::Heaps(after)
}

fn octal(sizes: &[u64], code: &OctalCode, visit: MoveVisitor<'_>) -> ControlFlow<()> {
    for (heap, size) in sizes.iter().enumerate() {
        for (taken, digit) in code.digits().iter().enumerate() {
            let Some(rest) = size.checked_sub(taken as u64) else { break };
            let one = (rest > 0 && taken > 0 && digit & 2 != 0).then(|| vec![rest]);
            let none = (rest == 0 && taken > 0 && digit & 1 != 0).then(Vec::new);
            let two = (digit & 4 != 0).then(|| (1..=rest / 2).map(move |part| vec![part, rest - part]));
            for parts in none.into_iter().chain(one).chain(two.into_iter().flatten()) {
                let after = replaced(sizes, heap, &parts);
                let step = match parts.as_slice() {
                    [_, _] => Move::Split { heap, parts },
                    _ => Move::Take { heap, amount: taken as u64 },
                };
                visit(step, after)?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn slide(steps: &[u64], amount: &BoundAmounts, frozen: bool, visit: MoveVisitor<'_>) -> ControlFlow<()> {
    for (step, objects) in steps.iter().enumerate().skip(usize::from(frozen)) {
        for moved in amount.amounts(*objects) {
            let mut after = steps.to_vec();
            after[step] -= moved;
            if step > 0 {
                after[step - 1] = after[step - 1].saturating_add(moved);
            }
            visit(Move::Slide { step, amount: moved }, Position::Row(after))?;
        }
    }
    ControlFlow::Continue(())
}
