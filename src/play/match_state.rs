//! A game being played: whose turn it is, what has been done, and the answer to everything that is typed.

use crate::games::{Game, LastMover, Laws, Move, Payoff, Perfect, Position};
use crate::input::Rng;
use crate::report::wrap;

use super::command::{Command, command};
use super::draw::draw;
use super::explain::hint;
use super::level::Level;
use super::rules::{how, rules};

/// Who makes the moves of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// The person at the terminal.
    You,
    /// Ourselves.
    Machine,
    /// A program.
    Program,
}

/// What a match begins with.
#[derive(Debug)]
pub struct Setup {
    /// The game.
    pub game: Game,
    /// Who sits where, in the order of turns; as many as the game has players.
    pub seats: Vec<Seat>,
    /// How well the machine plays.
    pub level: Level,
    /// What a beginner's moves are drawn from.
    pub rng: Rng,
    /// How many positions a search may look at.
    pub budget: usize,
    /// How many columns the terminal has.
    pub width: usize,
}

/// A game being played.
#[derive(Debug)]
pub struct Match {
    seats: Vec<Seat>,
    level: Level,
    rng: Rng,
    width: usize,
    perfect: Perfect,
    position: Position,
    turn: usize,
    taken: Vec<u64>,
    past: Vec<Past>,
    ended: bool,
}

/// What was there before a move.
#[derive(Debug, Clone)]
struct Past {
    position: Position,
    turn: usize,
    taken: Vec<u64>,
}

/// An answer: what to show, and whom to ask next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// What to show.
    pub text: String,
    /// Whose move it is.
    pub awaits: Awaits,
}

/// Whom to ask next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// A line of the person.
    You,
    /// A move of the program.
    Program,
    /// Nobody: it is over.
    Nobody,
}

/// What a program said when it was asked for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A move, as [`Laws::read_move`] reads it.
    Move(Vec<u64>),
    /// That its position is lost.
    GivesUp,
    /// Nothing that is a move; why, in words.
    Nonsense(String),
}

const HELP: &str = "  hint   a good move, and why it is good
  undo   take your last move back
  moves  the moves that are allowed
  rules  the rules
  show   the position once more
  quit   the end";

impl Match {
    /// A match before its first move.
    pub fn new(setup: Setup) -> Match {
        let Setup { game: Game { laws, start }, seats, level, rng, budget, width } = setup;
        let taken = vec![0; seats.len()];
        let perfect = Perfect::new(laws, budget);
        Match { seats, level, rng, width, perfect, position: start, turn: 0, taken, past: Vec::new(), ended: false }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The laws.
    pub fn laws(&self) -> &Laws {
        self.perfect.laws()
    }

    /// Whether the one to move wins, if that can be known.
    pub fn is_won(&mut self) -> Option<bool> {
        self.perfect.wins(&self.position).ok()
    }

    /// Whose turn made the last move, once it is over and somebody has moved; and whether that wins.
    pub fn winner(&self) -> Option<Seat> {
        let players = self.seats.len();
        let last = (self.turn + players - 1) % players;
        let loser_moves_last = self.laws().last_mover == LastMover::Loses;
        self.ended.then(|| self.seats[if loser_moves_last { self.turn } else { last }])
    }

    /// The rules, the position, and the machine's moves if it is first.
    pub fn begin(&mut self) -> Reply {
        let text = format!("{}\n\n{}", self.rules(), self.picture());
        let text = if self.seats[0] == Seat::Machine { text + "\n" } else { text };
        self.go_on(text)
    }

    /// The answer to a line.
    pub fn told(&mut self, line: &str) -> Reply {
        if self.ended {
            return self.reply("It is over.".to_owned());
        }
        let text = match command(line) {
            Command::Nothing => format!("A move is {}; `help` tells what else you can say.", self.how()),
            Command::Move(numbers) => return self.your_move(&numbers),
            Command::Hint => hint(&mut self.perfect, &self.position),
            Command::Undo => self.undo(),
            Command::Moves => self.moves(),
            Command::Rules => self.rules(),
            Command::Show => self.picture(),
            Command::Help => format!("A move is {}.\n{HELP}", self.how()),
            Command::Quit => {
                self.ended = true;
                return Reply { text: "Good-bye.".to_owned(), awaits: Awaits::Nobody };
            }
            Command::Unknown(near) => {
                let meant = near.map(|word| format!("Did you mean `{word}`? ")).unwrap_or_default();
                format!("{meant}A move is {}; `help` tells what else you can say.", self.how())
            }
        };
        self.reply(text)
    }

    /// The answer to a program's move. A program that makes no move, or none that is allowed, has lost.
    pub fn program(&mut self, said: &Said) -> Reply {
        let why = match said {
            Said::Move(numbers) => match self.laws().read_move(&self.position, numbers) {
                Some(step) => {
                    let text = self.make(&step);
                    return self.go_on(text);
                }
                None => format!("The program says {numbers:?}, which the rules don't allow here: it loses."),
            },
            Said::GivesUp => "The program says that its position is lost, and gives up.".to_owned(),
            Said::Nonsense(why) => format!("The program makes no move: {why}. It loses."),
        };
        // As if the one before had made the last move, or in misère play as if the program had.
        if self.laws().last_mover == LastMover::Loses {
            self.turn = (self.turn + 1) % self.seats.len();
        }
        self.ended = true;
        Reply { text: why, awaits: Awaits::Nobody }
    }

    fn rules(&self) -> String {
        rules(self.laws(), &self.position)
    }

    fn how(&self) -> &'static str {
        how(self.laws(), &self.position)
    }

    fn picture(&self) -> String {
        draw(self.laws(), &self.position, self.width)
    }

    fn reply(&self, text: String) -> Reply {
        // Pictures are as wide as they are; sentences are broken.
        let fit = |line: &str| if line.starts_with(' ') { vec![line.to_owned()] } else { wrap(line, self.width) };
        let text = text.lines().flat_map(fit).collect::<Vec<_>>().join("\n");
        let awaits = match self.seats.get(self.turn) {
            _ if self.ended => Awaits::Nobody,
            Some(Seat::You) => Awaits::You,
            Some(Seat::Program) => Awaits::Program,
            _ => Awaits::Nobody,
        };
        Reply { text, awaits }
    }

    fn your_move(&mut self, numbers: &[u64]) -> Reply {
        match self.laws().read_move(&self.position, numbers) {
            Some(step) => {
                let text = self.make(&step);
                self.go_on(text)
            }
            None => {
                let why = self.why_not(numbers);
                self.reply(why)
            }
        }
    }

    fn why_not(&self, numbers: &[u64]) -> String {
        if let (Position::Heaps(sizes) | Position::Row(sizes), [heap, amount]) = (&self.position, numbers) {
            let (part, within) = match self.position {
                Position::Heaps(_) => ("heap", "in heap"),
                _ => ("step", "on step"),
            };
            let size = usize::try_from(*heap).ok().and_then(|heap| sizes.get(heap.checked_sub(1)?));
            match size {
                None => return format!("There is no {part} {heap}: the numbers are 1 to {}.", sizes.len()),
                Some(size) if amount > size && self.takes_only() => {
                    return match size {
                        0 => format!("There is nothing {within} {heap}."),
                        1 => format!("There is only one {within} {heap}."),
                        size => format!("There are only {size} {within} {heap}."),
                    };
                }
                Some(_) => {}
            }
        }
        format!("The rules don't allow that here. A move is {}; `moves` shows what is allowed.", self.how())
    }

    fn takes_only(&self) -> bool {
        use crate::games::Kind;
        self.laws().kinds.iter().all(|kind| matches!(kind, Kind::Take { .. } | Kind::Slide { .. }))
    }

    fn moves(&self) -> String {
        const SHOWN: usize = 20;
        let moves = self.laws().moves(&self.position, SHOWN + 1);
        let line = |(step, _): &(Move, Position)| {
            let numbers: Vec<String> = step.numbers().iter().map(u64::to_string).collect();
            format!("  {:<12} {step}", numbers.join(" "))
        };
        let mut lines: Vec<String> = moves.iter().take(SHOWN).map(line).collect();
        if moves.len() > SHOWN {
            lines.push("  … and more".to_owned());
        }
        lines.join("\n")
    }

    fn undo(&mut self) -> String {
        match self.past.iter().rposition(|past| self.seats[past.turn] == Seat::You) {
            None => "There is no move of yours to take back.".to_owned(),
            Some(at) => {
                let Past { position, turn, taken } = self.past.swap_remove(at);
                self.past.truncate(at);
                (self.position, self.turn, self.taken) = (position, turn, taken);
                format!("Your last move is taken back.\n\n{}", self.picture())
            }
        }
    }

    /// Makes a move that is allowed, and says so.
    fn make(&mut self, step: &Move) -> String {
        let Some(after) = self.laws().after(&self.position, step) else { return String::new() };
        let before = Past { position: self.position.clone(), turn: self.turn, taken: self.taken.clone() };
        self.past.push(before);
        let text = format!("{}: {step}", self.name(self.turn));
        self.taken[self.turn] += step.taken();
        self.position = after;
        self.turn = (self.turn + 1) % self.seats.len();
        text
    }

    /// Lets the machine move as long as it is its turn, and tells the end if it has come.
    fn go_on(&mut self, mut text: String) -> Reply {
        loop {
            if self.laws().moves(&self.position, 1).is_empty() {
                self.ended = true;
                text += &format!("\n\n{}", self.end());
                break;
            }
            if self.seats[self.turn] != Seat::Machine {
                break;
            }
            let Some(step) = self.level.choose(&mut self.perfect, &self.position, &mut self.rng) else { break };
            text += "\n";
            text += &self.make(&step);
        }
        if !self.ended && !self.past.is_empty() {
            text += &format!("\n\n{}", self.picture());
        }
        self.reply(text)
    }

    fn name(&self, turn: usize) -> String {
        let seat = self.seats[turn];
        let word = match seat {
            Seat::You => "You",
            Seat::Machine => "Nimatron",
            Seat::Program => "The program",
        };
        let several = self.seats.iter().filter(|other| **other == seat).count() > 1;
        if several { format!("{word} ({})", turn + 1) } else { word.to_owned() }
    }

    /// How it ended.
    fn end(&self) -> String {
        let players = self.seats.len();
        let wins = |turn: usize| {
            let verb = if self.seats[turn] == Seat::You { "win" } else { "wins" };
            format!("{} {verb}", self.name(turn))
        };
        let last = (self.turn + players - 1) % players;
        if players > 2 {
            let places: Vec<String> = (1..=players)
                .map(|place| format!("{place}. {}", self.name((self.turn + players - place) % players)))
                .collect();
            return format!("Nothing is left to do. {}", places.join(", "));
        }
        let nobody = if self.past.is_empty() { "There is no move to begin with" } else { "That was the last move" };
        let winner = if self.laws().last_mover == LastMover::Wins { last } else { self.turn };
        match self.laws().payoff {
            Payoff::Outcome => format!("{nobody}: {}.", wins(winner)),
            Payoff::WinThenTaken => {
                let (mine, theirs) = (self.taken[winner], self.taken[(winner + 1) % players]);
                format!("{nobody}: {}, with {mine} taken to {theirs}.", wins(winner))
            }
        }
    }
}
