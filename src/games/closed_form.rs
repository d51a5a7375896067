//! Selects the closed form that applies to given rules, and finds a move with it. For heaps, the running time depends
//! on their number but not on their sizes.

use super::bit_set::BitSet;
use super::bound_rules::{Board, BoundRules};
use super::moves::Move;
use super::position::Position;
use super::rules_spec::{
    AllowedAmounts, BoundAmounts, BoundMoveRule, HeapChoice, LastMover, MoveRule, Payoff, RemovalRule, SplitTotal,
};
use super::theory;

/// The result of a closed form for one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClosedFormAdvice {
    /// A best move, or `None` if the theorem yields no move. With two players and at least one legal move, `None` means
    /// that the position is a P-position.
    pub(super) step: Option<Move>,
    /// Whether the player to move wins or, with more than two players, gets first place.
    pub(super) wins: bool,
    /// The quantity or property that the theorem uses, as a phrase for hints.
    pub(super) why: &'static str,
}

/// Returns the result of a closed form, or `None` if no closed form covers the rules and the position.
pub(super) fn closed_form(rules: &BoundRules, position: &Position) -> Option<ClosedFormAdvice> {
    if rules.payoff != Payoff::Outcome {
        return None;
    }
    if rules.players > 2 {
        return many(rules, position);
    }
    let normal = rules.last_mover == LastMover::Wins;
    let (step, why) = match position {
        Position::Heaps(sizes) | Position::Stacks { heights: sizes, tokens: 0 } => heaps(rules, sizes, normal)?,
        Position::Row(steps) => match rules.move_rules.as_slice() {
            [MoveRule::Slide { amount: AllowedAmounts::Any, frozen }] if normal => (
                theory::staircase_moves(steps, *frozen).into_iter().next(),
                "the nim-sum of the numbers of objects on every second step",
            ),
            _ => return None,
        },
        Position::Counter(number) => match rules.move_rules.as_slice() {
            [MoveRule::Add { from: 1, to, limit }] => {
                (count(*number, *to, *limit, normal), "the distance to the target modulo (largest addend + 1)")
            }
            _ => return None,
        },
        Position::Cells(cells) if normal => full_board(rules, cells)?,
        _ => return None,
    };
    Some(ClosedFormAdvice { wins: step.is_some(), step, why })
}

type ClosedFormMove = (Option<Move>, &'static str);

fn heaps(rules: &BoundRules, sizes: &[u64], normal: bool) -> Option<ClosedFormMove> {
    match rules.move_rules.as_slice() {
        [MoveRule::Take { amount, from, same: false }] => taking(sizes, amount, from, normal),
        [MoveRule::Split { parts: 2, distinct: false, total: SplitTotal::Any, min: 0 }] if normal => {
            Some((theory::split_nim_move(sizes), "the nim-sum of odious numbers"))
        }
        [nim, MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true }]
            if normal && *nim == NIM =>
        {
            theory::equal_nim_wins(sizes)?;
            match sizes {
                [a, b] => Some((theory::wythoff_moves(*a, *b).into_iter().next(), "Wythoff's pairs")),
                _ => Some((theory::nim_moves(sizes).into_iter().next(), "the nim-sum")),
            }
        }
        _ => None,
    }
}

const NIM: BoundMoveRule = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::One, same: false };

fn taking(sizes: &[u64], amount: &BoundAmounts, from: &HeapChoice<u64>, normal: bool) -> Option<ClosedFormMove> {
    let all = (sizes.len() as u64).max(1);
    Some(match (amount, from, normal) {
        (AllowedAmounts::Any, HeapChoice::One, true) => (theory::nim_moves(sizes).into_iter().next(), "the nim-sum"),
        (AllowedAmounts::Any, HeapChoice::One, false) => {
            let step = theory::misere_nim_moves(sizes).into_iter().next();
            (step, "the nim-sum, and, once no heap has more than one object, the number of heaps modulo 2")
        }
        (AllowedAmounts::Any, HeapChoice::UpTo(k), true) => (
            theory::moore_move(sizes, *k),
            "for each binary digit, the number of heaps whose size has a 1 there, modulo (largest number of heaps in a move + 1)",
        ),
        (AllowedAmounts::Any, HeapChoice::UpTo(k), false) => (
            theory::moore_misere_move(sizes, *k),
            "for each binary digit, the number of heaps whose size has a 1 there, modulo (largest number of heaps in a move + 1), and, \
             once no heap has more than one object, the number of heaps modulo the same number",
        ),
        (AllowedAmounts::Any, HeapChoice::UpToAll, true) => {
            (theory::moore_move(sizes, all), "all heaps can be taken in one move")
        }
        (AllowedAmounts::Any, HeapChoice::UpToAll, false) => match theory::moore_misere_move(sizes, all) {
            None => (None, "the player who must take the last object loses"),
            step => (step, "all objects except one can be taken in one move"),
        },
        (AllowedAmounts::UpTo(most), HeapChoice::One, true) => (
            theory::bounded_moves(sizes, *most).into_iter().next(),
            "the nim-sum of the sizes modulo (largest allowed amount + 1)",
        ),
        (AllowedAmounts::UpTo(most), HeapChoice::One, false) => {
            (theory::bounded_misere_move(sizes, *most), "misère Nim on the sizes modulo (largest allowed amount + 1)")
        }
        (AllowedAmounts::Any, HeapChoice::Largest, true) => {
            (theory::greedy_move(sizes), "the number of heaps of the largest size")
        }
        (AllowedAmounts::Any, HeapChoice::Largest, false) => {
            (theory::greedy_misere_move(sizes), "the number of heaps of the largest size")
        }
        _ => return None,
    })
}

/// Returns a winning move on a full circle or grid, if there is one, and the strategy as a phrase. Returns `None` if no
/// closed form applies.
fn full_board(rules: &BoundRules, cells: &BitSet) -> Option<ClosedFormMove> {
    match (&rules.board, rules.move_rules.as_slice()) {
        (Board::Circle(length), [MoveRule::Remove(RemovalRule::Run(AllowedAmounts::UpTo(most)))])
            if cells.count() == *length && *most > 1 =>
        {
            let all = theory::circle_wins(*length as u64, *most).then(|| Move::Cells((0..*length).collect()));
            let mirroring = "mirroring on two equal arcs";
            let why = if all.is_some() { "all objects can be removed in one move" } else { mirroring };
            Some((all, why))
        }
        (Board::Grid(sides), [MoveRule::Remove(RemovalRule::Run(AllowedAmounts::Any))])
            if cells.count() == sides.iter().product::<usize>() =>
        {
            let sides: Vec<u64> = sides.iter().map(|side| *side as u64).collect();
            let run = theory::board_move(&sides).map(|run| Move::Cells(run.cells(&sides)));
            Some((run, "point reflection"))
        }
        _ => None,
    }
}

/// Returns the winning move of a counting game, if there is one. In misère play the target is one less than the limit.
fn count(number: u64, most: u64, limit: u64, normal: bool) -> Option<Move> {
    let target = if normal { limit } else { limit.checked_sub(1)? };
    theory::counting_step(target.checked_sub(number)?, most).map(Move::Add)
}

/// Returns the result of the closed form for Nim or a counting game with several players, or `None` if it does not
/// apply.
fn many(rules: &BoundRules, position: &Position) -> Option<ClosedFormAdvice> {
    let players = u64::from(rules.players);
    match (position, rules.move_rules.as_slice()) {
        (Position::Heaps(sizes), [move_rule]) if *move_rule == NIM => {
            let (step, wins) = many_heaps(sizes, players)?;
            Some(ClosedFormAdvice {
                step,
                wins,
                why: "for each binary digit, the number of heaps whose size has a 1 there, modulo the number of players",
            })
        }
        (Position::Counter(number), [MoveRule::Add { from: 1, to, limit }]) => {
            let left = limit.checked_sub(*number)?;
            let step = theory::counting_multiplayer_step(left, *to, players);
            let wins = theory::counting_place(left, *to, players) == 0;
            Some(ClosedFormAdvice {
                step: step.map(Move::Add),
                wins,
                why: "the distance to the target modulo ((players - 1) × largest addend + 1)",
            })
        }
        _ => None,
    }
}

/// Returns a best move in Nim with several players, and whether it secures first place, that is, whether the next
/// player then comes last. If no move secures first place, but lowering two heaps would lead to a position whose next
/// player comes last, the returned move lowers one of the two. If the player to move already comes last, no move is
/// returned. Returns `None` if the closed form does not apply.
fn many_heaps(sizes: &[u64], players: u64) -> Option<(Option<Move>, bool)> {
    if let Some(step) = theory::multiplayer_first_moves(sizes, players).into_iter().next() {
        return Some((Some(step), true));
    }
    match theory::moore_move(sizes, players - 1) {
        None => Some((None, false)),
        // Lowering a single heap does not secure first place, so at least two heaps must be lowered. After one of
        // the two heaps is lowered, the next player secures first place by lowering the other one.
        Some(Move::TakeMany(taken)) if taken.len() == 2 => {
            let (heap, amount) = *taken.first()?;
            Some((Some(Move::Take { heap, amount }), false))
        }
        // Moore's construction does not always lower the fewest heaps, so the best place is not known.
        Some(_) => None,
    }
}
