//! Statements of the theorems that determine the winners of games, with their sources.

use crate::{
    AllowedAmounts, Board, BoundAmounts, BoundMoveRule, BoundRules, Game, GraphPart, HeapChoice, LastMover, MoveRule,
    Payoff, Position, RemovalRule, SplitTotal,
};

/// A theorem or pattern about the positions of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theorem {
    /// The criterion, in a few sentences.
    pub statement: &'static str,
    /// The publication of the proof, or the range in which the statement was checked.
    pub source: &'static str,
}

const fn theorem(statement: &'static str, source: &'static str) -> Theorem {
    Theorem { statement, source }
}

const BOUTON: &str = "Bouton 1901";
const SPRAGUE_GRUNDY: &str = "Sprague 1935, Grundy 1939";

impl Theorem {
    /// Returns the theorem about the positions of a game, or `None` if no criterion is known.
    pub fn about(game: &Game) -> Option<Theorem> {
        let Game { rules, start } = game;
        let normal = rules.last_mover == LastMover::Wins;
        if rules.payoff == Payoff::WinThenTaken {
            let is_nim = normal && rules.players == 2 && rules.move_rules == [NIM];
            return is_nim.then_some(theorem(
                "To win, a player must always move to a position with nim-sum 0, as in Nim. No formula is known for \
                 the number of objects that the loser can take. From two equal heaps, both players take the same \
                 number of objects. In all searched P-positions of three heaps of different sizes, the loser takes \
                 more objects than the winner.",
                "Bouton 1901 for the winner; for the number of objects, an exhaustive search of three heaps of up to 127 objects each",
            ));
        }
        if rules.players > 2 {
            return of_many(rules, start);
        }
        let slides_any = matches!(rules.move_rules.as_slice(), [MoveRule::Slide { amount: AllowedAmounts::Any, .. }]);
        match start {
            Position::Heaps(sizes) => of_heaps(rules, sizes.len(), normal),
            Position::Row(_) => (normal && slides_any).then_some(theorem(
                "Consider every second step, starting with the lowest step that objects can leave. The player to move \
                 wins iff the nim-sum of the numbers of objects on these steps is not 0. The reply to a move from any \
                 other step is to move the same objects one step further.",
                BOUTON,
            )),
            Position::Counter(_) => adds_from_1(rules).then(|| of_counter(normal)),
            Position::Cells(_) => of_cells(rules, normal),
            Position::Tokens(_) => normal.then_some(theorem(
                "The Grundy value of a vertex is the mex of the values of its successors, that is, the smallest \
                 natural number that is not one of these values. The player to move wins iff the nim-sum of the values of \
                 the tokens' vertices is not 0.",
                SPRAGUE_GRUNDY,
            )),
            Position::Graph { .. } => normal.then(|| of_graph(rules)),
            Position::Stacks { heights, .. } => (normal && builds_nim(rules, heights)).then_some(theorem(
                "With an odd number of tokens or an even number of stacks, the second player wins. With one stack and \
                 a positive even number of tokens, the first player wins. With three stacks and an even number of \
                 tokens, the second player wins iff the number of tokens plus 2 is a power of two.",
                "Duchêne, Dufour, Heubach and Larsson 2016; three stacks: a pattern, verified by search for up to 130 tokens",
            )),
        }
    }
}

/// Returns true if a move adds any number from 1 to a bound.
fn adds_from_1(rules: &BoundRules) -> bool {
    matches!(rules.move_rules.as_slice(), [MoveRule::Add { from: 1, .. }])
}

/// Returns true if Nim is played on stacks that are empty at first and receive one token per move.
fn builds_nim(rules: &BoundRules, heights: &[u64]) -> bool {
    rules.place == 1 && rules.move_rules == [NIM] && heights.iter().all(|height| *height == 0)
}

fn of_many(rules: &BoundRules, start: &Position) -> Option<Theorem> {
    match start {
        Position::Heaps(_) if rules.move_rules == [NIM] => Some(theorem(
            "With p players, the player to move comes last iff, for every binary digit, the number of heaps whose \
             size has a 1 there is divisible by p. A move that leaves such a position secures first place.",
            "Li 1978",
        )),
        Position::Counter(_) if adds_from_1(rules) => Some(theorem(
            "With p players, each of whom adds a number from 1 to k, let m be the distance to the target modulo \
             (p - 1) k + 1. If m is 0, the player to move comes last; otherwise, that player gets place (m - 1) / k + 1, rounded down.",
            "proof by induction on the distance; verified by search for up to 7 players",
        )),
        _ => None,
    }
}

const NIM: BoundMoveRule = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::One, same: false };

fn of_heaps(rules: &BoundRules, heaps: usize, normal: bool) -> Option<Theorem> {
    match rules.move_rules.as_slice() {
        [MoveRule::Take { amount, from, same: false }] => of_taking(amount, from, normal),
        [MoveRule::Split { parts: 2, distinct: false, total: SplitTotal::Any, min: 0 }] if normal => Some(theorem(
            "A heap of n objects has the n-th odious number as its Grundy value, that is, the n-th number with an odd \
             number of binary ones: 1, 2, 4, 7, 8, 11, … The player to move wins iff the nim-sum of the values is not 0.",
            "Mock Turtles; Berlekamp, Conway and Guy, “Winning Ways”, chapter 14",
        )),
        [MoveRule::Split { parts: 2, distinct: true, total: SplitTotal::Same, min: 1 }] if normal => Some(theorem(
            "The player to move wins iff the nim-sum of the Grundy values of the heaps is not 0. It is not known \
             whether these values are periodic.",
            "Grundy 1939; the P-positions with one heap were computed for heaps of up to 1,000,000 objects",
        )),
        [nim, MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true }]
            if normal && *nim == NIM =>
        {
            Some(match heaps {
                2 => theorem(
                    "The player to move loses iff the heap sizes are ⌊dφ⌋ and ⌊dφ⌋ + d, where d is their difference and \
                     φ is the golden ratio: (0, 0), (1, 2), (3, 5), (4, 7), (6, 10), …",
                    "Wythoff 1907",
                ),
                _ => theorem(
                    "With an odd number of heaps, or with an empty heap, the same player wins as in Nim: taking the same \
                     amount from an odd number of heaps changes the nim-sum at the lowest set bit of the amount. With two \
                     heaps, the game is Wythoff's game. For an even number of four or more heaps, no criterion is known.",
                    "Bouton 1901, Wythoff 1907",
                ),
            })
        }
        _ if normal && rules.has_independent_heaps() => Some(theorem(
            "The player to move wins iff the nim-sum of the Grundy values of the heaps is not 0.",
            SPRAGUE_GRUNDY,
        )),
        _ => None,
    }
}

fn of_taking(amount: &BoundAmounts, from: &HeapChoice<u64>, normal: bool) -> Option<Theorem> {
    Some(match (amount, from, normal) {
        (AllowedAmounts::Any, HeapChoice::One, true) => theorem(
            "The player to move wins iff the nim-sum of the heap sizes, that is, their bitwise exclusive or, is not 0. A \
             winning move makes it 0.",
            BOUTON,
        ),
        (AllowedAmounts::Any, HeapChoice::One, false) => theorem(
            "While some heap has two or more objects, the player to move wins iff the nim-sum is not 0, as in normal \
             play. When only heaps of 1 are left, the player to move wins iff their number is even.",
            BOUTON,
        ),
        (AllowedAmounts::Any, HeapChoice::UpTo(_), true) => theorem(
            "If a move may take from up to k heaps, the player to move wins iff for some binary digit the number of heaps \
             whose size has a 1 there is not divisible by k + 1.",
            "Moore 1910",
        ),
        (AllowedAmounts::Any, HeapChoice::UpTo(_), false) => theorem(
            "Let a move take from up to k heaps. While some heap has two or more objects, the player to move wins as \
             in normal play: iff for some binary digit the number of heaps whose size has a 1 there is not divisible by \
             k + 1. When only heaps of 1 are left, the player to move loses iff their number is 1 modulo k + 1.",
            "proof by the argument of Moore 1910; verified by search for k up to 5",
        ),
        (AllowedAmounts::UpTo(_), HeapChoice::One, true) => theorem(
            "If a move takes 1 to r objects, a heap of n objects has the Grundy value n modulo r + 1. The player to \
             move wins iff the nim-sum of these remainders is not 0.",
            SPRAGUE_GRUNDY,
        ),
        (AllowedAmounts::UpTo(_), HeapChoice::One, false) => theorem(
            "If a move takes 1 to r objects, the winner is the same as in misère Nim on the remainders of the heap \
             sizes modulo r + 1: if some remainder is two or more, the same player wins as in normal play; otherwise, \
             the other player wins.",
            "Conway, “On Numbers and Games”, 1976, chapter 12",
        ),
        (AllowedAmounts::UpTo(_), HeapChoice::UpTo(_), true) => theorem(
            "Let a move take 1 to r objects from each of up to k heaps. With at most k heaps, the player to move loses \
             iff all sizes are divisible by r + 1; with k + 1 heaps, iff all sizes are equal modulo r + 1. With more \
             heaps, no criterion is known. Moore's rule does not hold for the remainders: the smallest counterexample \
             is the position 2 1 1 1 with k = 2 and r = 1.",
            "proof by a pairing argument on the remainders; compared with a search",
        ),
        (AllowedAmounts::Any, HeapChoice::Largest, true) => theorem(
            "The player to move wins iff the number of heaps of the largest size is odd.",
            "Albert and Nowakowski 2004",
        ),
        (AllowedAmounts::Any, HeapChoice::Largest, false) => theorem(
            "While some heap has two or more objects, the player to move wins iff the number of heaps of the largest size \
             is odd. When only heaps of 1 are left, the player to move wins iff their number is even.",
            "proof by induction; compared with a search",
        ),
        (AllowedAmounts::In(_), HeapChoice::One, true) => theorem(
            "The player to move wins iff the nim-sum of the Grundy values of the heaps is not 0. For a finite set of \
             amounts, the values are periodic, because each value depends on a bounded number of values before it.",
            SPRAGUE_GRUNDY,
        ),
        _ => return None,
    })
}

fn of_counter(normal: bool) -> Theorem {
    if normal {
        theorem(
            "If a move adds a number from 1 to k, the player to move wins iff the distance to the target is not \
             divisible by k + 1. A winning move makes it divisible.",
            "Bachet 1612",
        )
    } else {
        theorem(
            "If a move adds a number from 1 to k and the player who reaches the target loses, the player who reaches \
             the number before the target wins. The player to move wins iff the distance to that number is not \
             divisible by k + 1.",
            "Bachet 1612",
        )
    }
}

fn of_cells(rules: &BoundRules, normal: bool) -> Option<Theorem> {
    let [MoveRule::Remove(RemovalRule::Run(amount))] = rules.move_rules.as_slice() else { return None };
    match (&rules.board, amount) {
        (Board::Circle(_), AllowedAmounts::UpTo(_)) if normal => Some(theorem(
            "If a move removes 1 to k adjacent objects and k ≥ 2, the second player wins on a full circle of more than \
             k objects: the first reply leaves two equal arcs, and every later move is mirrored. A circle with gaps is \
             a sum of rows: the player to move wins iff the nim-sum of their Grundy values is not 0.",
            "Loyd and Dudeney for k = 2; Guy and Smith 1956 for the rows",
        )),
        (Board::Grid(_), AllowedAmounts::Any) if normal => Some(theorem(
            "The player to move wins on a full grid iff at most one side is even: the first move takes the central cell \
             or the central line along the even side, and every reply is then answered by its point reflection.",
            "proof by symmetry; compared with a search on grids of up to 20 cells",
        )),
        (Board::Grid(sides), _) if normal && sides.len() == 1 => Some(theorem(
            "The runs of adjacent objects are independent games. The player to move wins iff the nim-sum of their \
             Grundy values is not 0.",
            SPRAGUE_GRUNDY,
        )),
        _ => None,
    }
}

fn of_graph(rules: &BoundRules) -> Theorem {
    let part = |part| MoveRule::Remove(RemovalRule::GraphPart(part));
    if rules.move_rules == [part(GraphPart::Vertex), part(GraphPart::EdgeEnds)] {
        return theorem(
            "The connected components are independent games: the player to move wins iff the nim-sum of their Grundy \
             values is not 0. A path is a row of Kayles, whose values have period 12 from length 71 on; a cycle has \
             value 0; a star with m leaves has value 2 if m is odd and 3 if m is even and not 0.",
            "Sprague 1935, Grundy 1939; Guy and Smith 1956 for Kayles",
        );
    }
    theorem(
        "The connected components are independent games. The player to move wins iff the nim-sum of their Grundy \
         values is not 0.",
        SPRAGUE_GRUNDY,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theorem_follows_the_rules() {
        let about = |rules: BoundRules, heaps: &[u64]| {
            Theorem::about(&Game { rules, start: Position::Heaps(heaps.to_vec()) }).map(|theorem| theorem.source)
        };
        assert_eq!(about(BoundRules::nim(), &[3, 5]), Some("Bouton 1901"));
        assert_eq!(about(BoundRules { players: 3, ..BoundRules::nim() }, &[3, 5]), Some("Li 1978"));
        let every = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true };
        assert_eq!(about(BoundRules::nim().with(vec![NIM, every]), &[3, 5]), Some("Wythoff 1907"));
        let grundy = MoveRule::Split { parts: 2, distinct: true, total: SplitTotal::Same, min: 1 };
        assert_eq!(about(BoundRules::nim().with(vec![grundy.clone()]).misere(), &[7]), None);
        assert!(about(BoundRules::nim().with(vec![grundy]), &[7]).is_some());
    }
}
