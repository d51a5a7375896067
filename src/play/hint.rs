//! Hints: a good move, and the numbers that explain it.

use crate::games::theory::{bounded_value, split_nim_value};
use crate::games::{
    AllowedAmounts, BoundRules, HeapChoice, Justification, LastMover, Move, MoveAdvice, MoveRule, PerfectPlayer,
    Position, Solver, SplitTotal,
};

use super::level::best;

/// Limit for counting winning moves: the number of legal moves must be less than this limit, and the search stores at
/// most this many positions.
const COUNTED: usize = 20_000;

/// Maximum total size of the moves that the search for winning moves enumerates, in 64-bit words.
const COUNTED_WORK: u64 = COUNTED as u64 * 64;

/// A suggested move for the player to move, and its explanation.
#[derive(Debug)]
pub struct Hint {
    /// The move; `None` if there is no legal move.
    pub step: Option<Move>,
    /// Whether the move wins against any play or, with more than two players, whether it secures first place.
    pub wins: bool,
    /// The numbers that determine the outcome; `None` if the outcome is not determined by a sum of binary digits.
    pub table: Option<BinaryTable>,
    /// The explanation, in one or two paragraphs.
    pub sentences: Vec<String>,
}

/// The numbers that determine the outcome of a position, and the condition on their binary digits for a P-position.
#[derive(Debug)]
pub struct BinaryTable {
    /// Meaning of the numbers; empty if they are the sizes of the parts.
    pub what: String,
    /// For each part: its label, the displayed number, and the number whose binary digits are summed.
    rows: Vec<(String, u64, u128)>,
    /// The modulus: in a P-position of normal play, the number of rows in which a bit is set is divisible by the
    /// modulus for every bit.
    modulus: u64,
}

/// A line of the table of binary digits.
#[derive(Debug)]
pub struct BinaryLine {
    /// The part, or `nim-sum` or `modulo M` in the last line.
    pub name: String,
    /// The displayed number, followed by `→` and the number whose digits are summed if the two differ. In the last
    /// line, the nim-sum, or an empty string if the modulus is not 2.
    pub number: String,
    /// The binary digits, separated by spaces; in the last line the sum of each column, modulo the modulus.
    pub digits: String,
}

impl Hint {
    /// Returns the hint as text: the table and the sentences.
    pub fn text(&self) -> String {
        let table = self.table.iter().map(BinaryTable::draw);
        table.chain(self.sentences.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}

/// Returns a hint for the player to move.
pub(super) fn hint(perfect: &mut PerfectPlayer, position: &Position) -> Hint {
    let Some(advice) = best(perfect, position) else {
        return Hint { step: None, wins: false, table: None, sentences: vec!["There is no legal move.".to_owned()] };
    };
    let rules = perfect.rules().clone();
    let table = columns(&rules, position).or_else(|| valued(&rules, position, &advice));
    let after = advice.wins.then(|| {
        let next = || best(perfect, &advice.after).and_then(|next| valued(&rules, &advice.after, &next));
        self::columns(&rules, &advice.after).or_else(next)
    });
    let balance = after.flatten().filter(BinaryTable::balanced).map(|after| after.balance());
    let last = || rules.moves(&advice.after, 1).is_empty().then(|| "no move is left".to_owned());
    let balance = last().or(balance);
    let mut sentences = vec![reason(&rules, position, &advice, table.as_ref(), balance.as_deref())];
    if advice.wins {
        let several = rules.players > 2;
        let count = count(&rules, position).map(|count| match count {
            1 if several => "It is the only move that secures first place.".to_owned(),
            1 => "It is the only winning move.".to_owned(),
            count if several => format!("{count} moves secure first place here."),
            count => format!("{count} moves win here."),
        });
        let goal = if several { "secures first place" } else { "wins" };
        let said: Vec<String> = count.into_iter().chain(equal_heaps(position, &advice.step, goal)).collect();
        sentences.extend((!said.is_empty()).then(|| said.join(" ")));
    }
    Hint { step: Some(advice.step), wins: advice.wins, table, sentences }
}

/// Explains the suggested move. `balance` is the condition that holds after a winning move and makes the next position
/// a P-position; `None` if there is no such condition.
fn reason(
    rules: &BoundRules,
    position: &Position,
    advice: &MoveAdvice,
    columns: Option<&BinaryTable>,
    balance: Option<&str>,
) -> String {
    let step = &advice.step;
    let how = match (&advice.why, columns) {
        (Justification::Caution, _) => {
            let what = if step.taken() > 0 {
                format!("`{step}` is a cautious move that removes few objects.")
            } else {
                format!("It is not known whether `{step}` wins.")
            };
            return format!("No known theorem applies to this position, and it is too large to search. {what}");
        }
        (_, Some(columns)) => columns.verdict(position, rules),
        (Justification::Theory(rule), None) => format!("Theory used: {rule}. "),
        (Justification::Search, None) => "The game was searched exhaustively. ".to_owned(),
        (Justification::Values(_), None) => String::new(),
    };
    let best = if rules.players > 2 { "secures first place" } else { "wins" };
    if !advice.wins {
        let lost = match rules.players {
            2 => "Every move loses against perfect play",
            _ => "No move leads to first place against perfect play",
        };
        return format!("{how}{lost}; try `{step}`.");
    }
    let then = match (balance, columns) {
        (Some(balance), _) => format!("; afterwards {balance}"),
        (None, Some(columns)) if rules.last_mover == LastMover::Loses && rules.players == 2 => {
            let ones = match columns.modulus {
                2 => "an odd number of ones".to_owned(),
                modulus => format!("a number of ones that is 1 modulo {modulus}"),
            };
            format!("; in misère play, once no number in the table exceeds 1, a winning move leaves {ones}")
        }
        _ => String::new(),
    };
    let taken = columns.map(|columns| columns.taking(step, rules)).unwrap_or_default();
    format!("{how}{taken}`{step}` {best}{then}.")
}

/// Returns a sentence which states that the same move on any heap or stack of the same size reaches `goal`, such as
/// "wins". Returns `None` if no other heap or stack has this size.
fn equal_heaps(position: &Position, step: &Move, goal: &str) -> Option<String> {
    let (sizes, index) = match (position, step) {
        (
            Position::Heaps(sizes) | Position::Stacks { heights: sizes, .. },
            Move::Take { heap: index, .. } | Move::Split { heap: index, .. } | Move::Place(index),
        ) => (sizes, *index),
        _ => return None,
    };
    let what = if matches!(position, Position::Heaps(_)) { "heaps" } else { "stacks" };
    let size = sizes.get(index)?;
    match sizes.iter().filter(|other| *other == size).count() {
        0 | 1 => None,
        2 => Some(format!("The same move {goal} on either of the two {what} of {size}.")),
        equal => Some(format!("The same move {goal} on any of the {equal} {what} of {size}.")),
    }
}

/// Returns the number of winning moves, or `None` if counting them would exceed the limit [`COUNTED`] or
/// [`COUNTED_WORK`], or if the payoff is not [`Payoff::Outcome`](crate::games::Payoff::Outcome).
fn count(rules: &BoundRules, position: &Position) -> Option<usize> {
    if rules.payoff != crate::games::Payoff::Outcome || rules.moves(position, COUNTED).len() == COUNTED {
        return None;
    }
    Solver::new(rules.clone(), COUNTED).with_work(COUNTED_WORK).winning_moves(position).ok().map(|moves| moves.len())
}

/// Returns the numbers that the closed form of the game uses, or `None` if no closed form uses binary digits.
fn columns(rules: &BoundRules, position: &Position) -> Option<BinaryTable> {
    let name = |word: &str, index: usize| format!("{word} {}", index + 1);
    let heaps = |sizes: &[u64], value: &dyn Fn(u64) -> u128| {
        sizes.iter().enumerate().map(|(heap, size)| (name("heap", heap), *size, value(*size))).collect::<Vec<_>>()
    };
    let two = rules.players == 2;
    let normal = rules.last_mover == LastMover::Wins;
    match (position, rules.move_rules.as_slice()) {
        (Position::Heaps(sizes) | Position::Stacks { heights: sizes, tokens: 0 }, [move_rule]) => match move_rule {
            MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::One, same: false } => {
                let modulus = u64::from(rules.players);
                Some(BinaryTable { what: String::new(), rows: heaps(sizes, &u128::from), modulus })
            }
            MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::UpTo(most), same: false } if two => {
                Some(BinaryTable { what: String::new(), rows: heaps(sizes, &u128::from), modulus: most + 1 })
            }
            MoveRule::Take { amount: AllowedAmounts::UpTo(most), from: HeapChoice::One, .. } if two => {
                Some(BinaryTable {
                    what: format!("modulo {}", u128::from(*most) + 1),
                    rows: heaps(sizes, &|size| bounded_value(size, *most).into()),
                    modulus: 2,
                })
            }
            MoveRule::Split { parts: 2, distinct: false, total: SplitTotal::Any, min: 0 } if two && normal => {
                Some(BinaryTable { what: "value".to_owned(), rows: heaps(sizes, &split_nim_value), modulus: 2 })
            }
            _ => None,
        },
        (Position::Row(steps), [MoveRule::Slide { amount: AllowedAmounts::Any, frozen }]) if two && normal => {
            let counted = steps.iter().enumerate().skip(usize::from(*frozen)).step_by(2);
            let rows = counted.map(|(step, count)| (name("step", step), *count, u128::from(*count))).collect();
            Some(BinaryTable { what: "numbers of objects on every second step".to_owned(), rows, modulus: 2 })
        }
        _ => None,
    }
}

/// Returns the Grundy values of the parts, or `None` if the advice is not based on them.
fn valued(rules: &BoundRules, position: &Position, advice: &MoveAdvice) -> Option<BinaryTable> {
    let Justification::Values(values) = &advice.why else { return None };
    let parts = rules.parts(position)?;
    let rows = parts.iter().zip(values).enumerate().map(|(index, (part, value))| {
        let (word, shown) = match part {
            Position::Heaps(sizes) => ("heap", sizes.first().copied().unwrap_or(0)),
            Position::Tokens(places) => ("token", places.first().map_or(0, |place| *place as u64 + 1)),
            Position::Cells(cells) => ("run", cells.count() as u64),
            Position::Graph { vertices, .. } => ("part", vertices.count() as u64),
            _ => ("part", 0),
        };
        (format!("{word} {}", index + 1), shown, u128::from(*value))
    });
    Some(BinaryTable { what: "Grundy value".to_owned(), rows: rows.collect(), modulus: 2 })
}

impl BinaryTable {
    fn bits(&self) -> usize {
        let most = self.rows.iter().map(|(_, _, value)| *value).max().unwrap_or(0);
        (u128::BITS - most.leading_zeros()).max(1) as usize
    }

    /// Returns, for each bit from the highest down, the number of rows in which the bit is set, modulo `modulus`.
    fn counts(&self) -> Vec<u64> {
        let count = |bit: usize| self.rows.iter().filter(|(_, _, value)| value >> bit & 1 == 1).count() as u64;
        (0..self.bits()).rev().map(|bit| count(bit) % self.modulus).collect()
    }

    fn balanced(&self) -> bool {
        self.counts().iter().all(|count| *count == 0)
    }

    fn sum(&self) -> u128 {
        self.rows.iter().fold(0, |sum, (_, _, value)| sum ^ value)
    }

    fn balance(&self) -> String {
        if self.modulus == 2 {
            "the nim-sum is 0".to_owned()
        } else {
            format!("every such number is divisible by {}", self.modulus)
        }
    }

    /// Returns one line per part, followed by the line of the sums.
    pub fn lines(&self) -> Vec<BinaryLine> {
        let shown = |size: &u64, value: &u128| {
            if self.what.is_empty() || u128::from(*size) == *value {
                size.to_string()
            } else {
                format!("{size} → {value}")
            }
        };
        let digits = |value: u128| {
            let bits = (0..self.bits()).rev().map(|bit| (value >> bit & 1).to_string());
            bits.collect::<Vec<_>>().join(" ")
        };
        let part = |(name, size, value): &(String, u64, u128)| BinaryLine {
            name: name.clone(),
            number: shown(size, value),
            digits: digits(*value),
        };
        let is_nim = self.modulus == 2;
        let counts: Vec<String> = self.counts().iter().map(u64::to_string).collect();
        let last = BinaryLine {
            name: if is_nim { "nim-sum".to_owned() } else { format!("modulo {}", self.modulus) },
            number: if is_nim { self.sum().to_string() } else { String::new() },
            digits: counts.join(" "),
        };
        self.rows.iter().map(part).chain([last]).collect()
    }

    /// Draws the lines with aligned columns.
    fn draw(&self) -> String {
        let lines = self.lines();
        let label = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
        let width = lines.iter().map(|line| line.number.chars().count()).max().unwrap_or(0);
        let lines = lines.iter().map(|BinaryLine { name, number, digits }| {
            let pad = " ".repeat(width - number.chars().count());
            format!("  {name:<label$}  {pad}{number}  {digits}")
        });
        let head = match self.what.is_empty() {
            true => String::new(),
            false => format!("  ({})\n", self.what),
        };
        head + &lines.collect::<Vec<_>>().join("\n")
    }

    /// Describes the criterion by which the position is won or lost: the last row of the table, or the number of heaps
    /// in misère play when no heap exceeds 1.
    fn verdict(&self, position: &Position, rules: &BoundRules) -> String {
        let misere = rules.last_mover == LastMover::Loses;
        let small = matches!(position, Position::Heaps(_)) && self.rows.iter().all(|(_, _, value)| *value <= 1);
        match (misere && small, self.modulus) {
            (true, _) if self.what.is_empty() => {
                "Only heaps of 1 are left, and taking the last object loses, so the number of heaps determines the \
                 winner. "
                    .to_owned()
            }
            // The numbers in the table are remainders in this case.
            (true, _) => {
                "Every remainder is 0 or 1, and the last mover loses, so the number of remainders of 1 determines the \
                 winner. "
                    .to_owned()
            }
            (false, 2) => format!("The nim-sum is {}. ", self.sum()),
            (false, modulus) if self.balanced() => {
                format!(
                    "For every binary digit, the number of heaps whose size has a 1 there is divisible by {modulus}. "
                )
            }
            (false, modulus) => {
                format!(
                    "For some binary digit, the number of heaps whose size has a 1 there is not divisible by {modulus}. "
                )
            }
        }
    }

    /// Explains the new size of the heap after a winning move in plain Nim: the old size xor the nim-sum. Returns an
    /// empty string for other moves and games.
    fn taking(&self, step: &Move, rules: &BoundRules) -> String {
        let plain = self.modulus == 2 && self.what.is_empty() && rules.last_mover == LastMover::Wins;
        let (true, Move::Take { heap, .. }) = (plain, step) else { return String::new() };
        let sum = self.sum();
        match self.rows.get(*heap) {
            Some((name, _, size)) if size ^ sum < *size => {
                format!("Its highest bit is set in {name}, and {size} xor {sum} = {}: ", size ^ sum)
            }
            _ => String::new(),
        }
    }
}
