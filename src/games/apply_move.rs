//! Checks and applies a single move, and converts moves to and from the numbers that users type.

use super::bound_rules::BoundRules;
use super::moves::Move;
use super::position::Position;
use super::rules_spec::{BoundAmounts, HeapChoice, MoveRule, SplitTotal};
use std::ops::ControlFlow;

impl BoundRules {
    /// Returns the position after a move, or `None` if the rules do not allow the move.
    ///
    /// Moves on heaps, rows and counters, and moves that take from one stack, are checked directly, so large amounts do
    /// not make the check slower. Other moves are looked up among all legal moves.
    pub fn apply_move(&self, position: &Position, step: &Move) -> Option<Position> {
        match (position, step) {
            (Position::Heaps(sizes), Move::Take { heap, amount }) => {
                self.takes(sizes, &[(*heap, *amount)]).map(Position::Heaps)
            }
            (Position::Heaps(sizes), Move::TakeMany(taken)) => self.takes(sizes, taken).map(Position::Heaps),
            (Position::Stacks { heights, tokens: 0 }, Move::Take { heap, amount }) => {
                let heights = self.takes(heights, &[(*heap, *amount)])?;
                Some(Position::Stacks { heights, tokens: 0 })
            }
            (Position::Heaps(sizes), Move::Split { heap, parts }) => self.splits(sizes, *heap, parts),
            (Position::Row(steps), Move::Slide { step, amount }) => self.slides(steps, *step, *amount),
            (Position::Counter(number), Move::Add(amount)) => self.adds(*number, *amount),
            _ => self.search(position, step),
        }
    }

    fn search(&self, position: &Position, step: &Move) -> Option<Position> {
        let mut found = None;
        let _ = self.each_move(position, &mut |other, after| {
            if other == *step {
                found = Some(after);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    fn takes(&self, sizes: &[u64], taken: &[(usize, u64)]) -> Option<Vec<u64>> {
        let mut after = sizes.to_vec();
        for (heap, amount) in taken {
            let size = after.get_mut(*heap)?;
            *size = size.checked_sub(*amount)?;
        }
        let mut named: Vec<usize> = taken.iter().map(|(heap, _)| *heap).collect();
        named.sort_unstable();
        let distinct = named.windows(2).all(|pair| pair[0] != pair[1]);
        let allowed = self.move_rules.iter().any(|move_rule| match move_rule {
            MoveRule::Take { amount, from, same } => may_take(sizes, taken, amount, from, *same),
            MoveRule::Octal(code) => {
                matches!(taken, [(heap, amount)] if octal_take(sizes[*heap], *amount, code.digits()))
            }
            _ => false,
        });
        (distinct && allowed).then_some(after)
    }

    fn splits(&self, sizes: &[u64], heap: usize, parts: &[u64]) -> Option<Position> {
        let size = *sizes.get(heap)?;
        let sum: u128 = parts.iter().map(|part| u128::from(*part)).sum();
        let sorted = parts.is_sorted();
        let differ = parts.windows(2).all(|pair| pair[0] != pair[1]);
        let allowed = self.move_rules.iter().any(|move_rule| match move_rule {
            MoveRule::Split { parts: count, distinct, total, min } => {
                parts.len() as u64 == *count
                    && parts.iter().all(|part| part >= min && *part < size)
                    && (!distinct || differ)
                    && (*total == SplitTotal::Any || sum == u128::from(size))
            }
            MoveRule::Octal(code) => {
                let taken = u128::from(size).checked_sub(sum).and_then(|taken| usize::try_from(taken).ok());
                let digit = taken.and_then(|taken| code.digits().get(taken));
                parts.len() == 2 && !parts.contains(&0) && digit.is_some_and(|digit| digit & 4 != 0)
            }
            _ => false,
        });
        (sorted && allowed).then(|| {
            let mut after = sizes.to_vec();
            after[heap] = parts.first().copied().unwrap_or(0);
            after.extend(parts.iter().skip(1));
            Position::Heaps(after)
        })
    }

    fn slides(&self, steps: &[u64], step: usize, amount: u64) -> Option<Position> {
        let objects = *steps.get(step)?;
        let allowed = self.move_rules.iter().any(|move_rule| match move_rule {
            MoveRule::Slide { amount: allowed, frozen } => allows(allowed, amount, objects) && (step > 0 || !frozen),
            _ => false,
        });
        if !allowed {
            return None;
        }
        let mut after = steps.to_vec();
        after[step] -= amount;
        if let Some(below) = step.checked_sub(1) {
            after[below] = after[below].saturating_add(amount);
        }
        Some(Position::Row(after))
    }

    fn adds(&self, number: u64, amount: u64) -> Option<Position> {
        let reached = number.checked_add(amount)?;
        let allowed = self.move_rules.iter().any(|move_rule| match move_rule {
            MoveRule::Add { from, to, limit } => (*from..=*to).contains(&amount) && reached <= *limit,
            _ => false,
        });
        allowed.then_some(Position::Counter(reached))
    }

    /// Parses a move from numbers as a user types them, or returns `None` if they do not describe a legal move in this
    /// position. All indices count from 1.
    ///
    /// The expected numbers are, by kind of move: heap and amount (one pair for each heap that the move takes from),
    /// heap and parts, step and amount, token and target vertex, the amount to add, the stack, or the removed cells,
    /// vertices or edges.
    pub fn read_move(&self, position: &Position, numbers: &[u64]) -> Option<Move> {
        let index = |number: u64| usize::try_from(number.checked_sub(1)?).ok();
        let indices = || numbers.iter().map(|number| index(*number)).collect::<Option<Vec<usize>>>();
        let allowed = |step: Move| self.apply_move(position, &step).map(|_| step);
        match position {
            Position::Heaps(_) | Position::Stacks { tokens: 0, .. } => {
                take_of(numbers).and_then(allowed).or_else(|| {
                    let (heap, parts) = numbers.split_first()?;
                    let heap = index(*heap)?;
                    let mut parts = self.with_rest(position, heap, parts)?;
                    parts.sort_unstable();
                    allowed(Move::Split { heap, parts })
                })
            }
            Position::Row(_) => match numbers {
                [step, amount] => allowed(Move::Slide { step: index(*step)?, amount: *amount }),
                _ => None,
            },
            Position::Counter(_) => match numbers {
                [amount] => allowed(Move::Add(*amount)),
                _ => None,
            },
            Position::Stacks { .. } => match numbers {
                [stack] => allowed(Move::Place(index(*stack)?)),
                _ => None,
            },
            Position::Tokens(_) => match indices()?.as_slice() {
                [wanted, vertex] => self.first(
                    position,
                    |step| matches!(step, Move::Walk { token, to, .. } if token == wanted && to == vertex),
                ),
                _ => None,
            },
            Position::Cells(_) | Position::Graph { .. } => {
                let mut wanted = indices()?;
                wanted.sort_unstable();
                self.first(position, |step| match step {
                    Move::Cells(gone) | Move::Vertices(gone) | Move::Edges(gone) => {
                        let mut gone = gone.clone();
                        gone.sort_unstable();
                        gone == wanted
                    }
                    _ => false,
                })
            }
        }
    }

    /// Completes the parts of a split. If a heap is split in two and the sum is fixed, one part is enough, and the
    /// other part is computed. In that case, returns `None` if the heap does not exist or is smaller than the part.
    fn with_rest(&self, position: &Position, heap: usize, parts: &[u64]) -> Option<Vec<u64>> {
        let halves = |move_rule| matches!(move_rule, &MoveRule::Split { parts: 2, total: SplitTotal::Same, .. });
        match (parts, position) {
            ([part], Position::Heaps(sizes)) if self.move_rules.iter().any(halves) => {
                Some(vec![*part, sizes.get(heap)?.checked_sub(*part)?])
            }
            _ => Some(parts.to_vec()),
        }
    }

    fn first(&self, position: &Position, wanted: impl Fn(&Move) -> bool) -> Option<Move> {
        let mut found = None;
        let _ = self.each_move(position, &mut |step, _| {
            if wanted(&step) {
                found = Some(step);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }
}

impl Move {
    /// Returns the move as numbers that [`BoundRules::read_move`] parses.
    pub fn numbers(&self) -> Vec<u64> {
        let one = |index: &usize| *index as u64 + 1;
        match self {
            Move::Take { heap, amount } | Move::Slide { step: heap, amount } => vec![one(heap), *amount],
            Move::TakeMany(taken) => taken.iter().flat_map(|(heap, amount)| [one(heap), *amount]).collect(),
            Move::Split { heap, parts } => std::iter::once(one(heap)).chain(parts.iter().copied()).collect(),
            Move::Cells(gone) | Move::Vertices(gone) | Move::Edges(gone) => gone.iter().map(one).collect(),
            Move::Walk { token, to, .. } => vec![one(token), one(to)],
            Move::Add(amount) => vec![*amount],
            Move::Place(stack) => vec![one(stack)],
        }
    }
}

/// Parses (heap, amount) pairs as a move. Returns `None` if the numbers do not form such pairs.
fn take_of(numbers: &[u64]) -> Option<Move> {
    let pairs = numbers.chunks(2).map(|pair| match pair {
        [heap, amount] => Some((usize::try_from(heap.checked_sub(1)?).ok()?, *amount)),
        _ => None,
    });
    let mut pairs = pairs.collect::<Option<Vec<(usize, u64)>>>()?;
    pairs.sort_unstable();
    match pairs.as_slice() {
        [] => None,
        [(heap, amount)] => Some(Move::Take { heap: *heap, amount: *amount }),
        _ => Some(Move::TakeMany(pairs)),
    }
}

fn allows(amount: &BoundAmounts, taken: u64, size: u64) -> bool {
    taken.checked_sub(1).is_some_and(|below| amount.next_above(below, size) == Some(taken))
}

fn may_take(sizes: &[u64], taken: &[(usize, u64)], amount: &BoundAmounts, from: &HeapChoice<u64>, same: bool) -> bool {
    let equal = taken.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let each = taken.iter().all(|(heap, taken)| sizes.get(*heap).is_some_and(|size| allows(amount, *taken, *size)));
    let count = match from {
        HeapChoice::One => taken.len() == 1,
        HeapChoice::UpTo(most) => taken.len() as u64 <= *most,
        HeapChoice::UpToAll => true,
        HeapChoice::Every => taken.len() == sizes.len(),
        HeapChoice::Largest => matches!(taken, [(heap, _)] if sizes.iter().max() == sizes.get(*heap)),
    };
    !taken.is_empty() && each && count && (equal || !same)
}

fn octal_take(size: u64, taken: u64, digits: &[u8]) -> bool {
    let digit = usize::try_from(taken).ok().filter(|taken| *taken > 0).and_then(|taken| digits.get(taken));
    let needed = if taken == size { 1 } else { 2 };
    digit.is_some_and(|digit| digit & needed != 0)
}
