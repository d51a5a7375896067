//! A game being played: whose turn it is, what has been done, and the answer to everything that is typed.

use crate::games::{BoundRules, Game, LastMover, Move, Payoff, PerfectPlayer, Position};
use crate::input::Rng;
use crate::report::wrap;

use super::command::{PlayCommand, parse_command};
use super::draw::draw;
use super::hint::hint;
use super::level::Level;
use super::rules_text::{describe_rules, move_syntax};

/// Who makes the moves of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerKind {
    /// The person at the terminal.
    Human,
    /// Ourselves.
    Machine,
    /// A program.
    Program,
}

/// What a match begins with.
#[derive(Debug)]
pub struct MatchSetup {
    /// The game.
    pub game: Game,
    /// Who sits where, in the order of turns; as many as the game has players.
    pub turn_order: Vec<PlayerKind>,
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
    turn_order: Vec<PlayerKind>,
    level: Level,
    rng: Rng,
    width: usize,
    perfect: PerfectPlayer,
    position: Position,
    turn: usize,
    taken: Vec<u64>,
    history: Vec<UndoState>,
    ended: bool,
}

/// What was there before a move.
#[derive(Debug, Clone)]
struct UndoState {
    position: Position,
    turn: usize,
    taken: Vec<u64>,
}

/// An answer: what to show, and whom to ask next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchReply {
    /// What to show.
    pub text: String,
    /// Whose move it is.
    pub next: NextInput,
}

/// Whom to ask next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextInput {
    /// A line of the person.
    Line,
    /// A move of the program.
    Program,
    /// Nobody: it is over.
    None,
}

/// What a program said when it was asked for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramReply {
    /// A move, as [`BoundRules::read_move`] reads it.
    Move(Vec<u64>),
    /// That its position is lost.
    Resigns,
    /// Nothing that is a move; why, in words.
    Invalid(String),
}

const HELP: &str = "  hint   a good move, and why it is good
  undo   take your last move back
  moves  the moves that are allowed
  rules  the rules
  show   the position once more
  quit   the end";

impl Match {
    /// A match before its first move.
    pub fn new(setup: MatchSetup) -> Match {
        let MatchSetup { game: Game { rules, start }, turn_order, level, rng, budget, width } = setup;
        let taken = vec![0; turn_order.len()];
        let perfect = PerfectPlayer::new(rules, budget);
        Match {
            turn_order,
            level,
            rng,
            width,
            perfect,
            position: start,
            turn: 0,
            taken,
            history: Vec::new(),
            ended: false,
        }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The rules.
    pub fn rules(&self) -> &BoundRules {
        self.perfect.rules()
    }

    /// Whether the one to move wins, if that can be known.
    pub fn is_won(&mut self) -> Option<bool> {
        self.perfect.wins(&self.position).ok()
    }

    /// Whose turn made the last move, once it is over and somebody has moved; and whether that wins.
    pub fn winner(&self) -> Option<PlayerKind> {
        let players = self.turn_order.len();
        let last = (self.turn + players - 1) % players;
        let loser_moves_last = self.rules().last_mover == LastMover::Loses;
        self.ended.then(|| self.turn_order[if loser_moves_last { self.turn } else { last }])
    }

    /// The rules, the position, and the machine's moves if it is first.
    pub fn begin(&mut self) -> MatchReply {
        let text = format!("{}\n\n{}", self.rules_text(), self.picture());
        let text = if self.turn_order[0] == PlayerKind::Machine { text + "\n" } else { text };
        self.continue_play(text)
    }

    /// The answer to a line.
    pub fn handle_line(&mut self, line: &str) -> MatchReply {
        if self.ended {
            return self.reply("It is over.".to_owned());
        }
        let text = match parse_command(line) {
            PlayCommand::Nothing => format!("A move is {}; `help` tells what else you can say.", self.move_syntax()),
            PlayCommand::Move(numbers) => return self.human_move(&numbers),
            PlayCommand::Hint => hint(&mut self.perfect, &self.position),
            PlayCommand::Undo => self.undo(),
            PlayCommand::Moves => self.moves(),
            PlayCommand::Rules => self.rules_text(),
            PlayCommand::Show => self.picture(),
            PlayCommand::Help => format!("A move is {}.\n{HELP}", self.move_syntax()),
            PlayCommand::Quit => {
                self.ended = true;
                return MatchReply { text: "Good-bye.".to_owned(), next: NextInput::None };
            }
            PlayCommand::Unknown(near) => {
                let meant = near.map(|word| format!("Did you mean `{word}`? ")).unwrap_or_default();
                format!("{meant}A move is {}; `help` tells what else you can say.", self.move_syntax())
            }
        };
        self.reply(text)
    }

    /// The answer to a program's move. A program that makes no move, or none that is allowed, has lost.
    pub fn handle_program(&mut self, reply: &ProgramReply) -> MatchReply {
        let why = match reply {
            ProgramReply::Move(numbers) => match self.rules().read_move(&self.position, numbers) {
                Some(step) => {
                    let text = self.play_move(&step);
                    return self.continue_play(text);
                }
                None => format!("The program says {numbers:?}, which the rules don't allow here: it loses."),
            },
            ProgramReply::Resigns => "The program says that its position is lost, and gives up.".to_owned(),
            ProgramReply::Invalid(why) => format!("The program makes no move: {why}. It loses."),
        };
        // As if the one before had made the last move, or in misère play as if the program had.
        if self.rules().last_mover == LastMover::Loses {
            self.turn = (self.turn + 1) % self.turn_order.len();
        }
        self.ended = true;
        MatchReply { text: why, next: NextInput::None }
    }

    fn rules_text(&self) -> String {
        describe_rules(self.rules(), &self.position)
    }

    fn move_syntax(&self) -> &'static str {
        move_syntax(self.rules(), &self.position)
    }

    fn picture(&self) -> String {
        draw(self.rules(), &self.position, self.width)
    }

    fn reply(&self, text: String) -> MatchReply {
        // Pictures are as wide as they are; sentences are broken.
        let fit = |line: &str| if line.starts_with(' ') { vec![line.to_owned()] } else { wrap(line, self.width) };
        let text = text.lines().flat_map(fit).collect::<Vec<_>>().join("\n");
        let next = match self.turn_order.get(self.turn) {
            _ if self.ended => NextInput::None,
            Some(PlayerKind::Human) => NextInput::Line,
            Some(PlayerKind::Program) => NextInput::Program,
            _ => NextInput::None,
        };
        MatchReply { text, next }
    }

    fn human_move(&mut self, numbers: &[u64]) -> MatchReply {
        match self.rules().read_move(&self.position, numbers) {
            Some(step) => {
                let text = self.play_move(&step);
                self.continue_play(text)
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
        format!("The rules don't allow that here. A move is {}; `moves` shows what is allowed.", self.move_syntax())
    }

    fn takes_only(&self) -> bool {
        use crate::games::MoveRule;
        self.rules()
            .move_rules
            .iter()
            .all(|move_rule| matches!(move_rule, MoveRule::Take { .. } | MoveRule::Slide { .. }))
    }

    fn moves(&self) -> String {
        const SHOWN: usize = 20;
        let moves = self.rules().moves(&self.position, SHOWN + 1);
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
        match self.history.iter().rposition(|history| self.turn_order[history.turn] == PlayerKind::Human) {
            None => "There is no move of yours to take back.".to_owned(),
            Some(at) => {
                let UndoState { position, turn, taken } = self.history.swap_remove(at);
                self.history.truncate(at);
                (self.position, self.turn, self.taken) = (position, turn, taken);
                format!("Your last move is taken back.\n\n{}", self.picture())
            }
        }
    }

    /// Makes a move that is allowed, and says so.
    fn play_move(&mut self, step: &Move) -> String {
        let Some(after) = self.rules().apply_move(&self.position, step) else { return String::new() };
        let before = UndoState { position: self.position.clone(), turn: self.turn, taken: self.taken.clone() };
        self.history.push(before);
        let text = format!("{}: {step}", self.name(self.turn));
        self.taken[self.turn] += step.taken();
        self.position = after;
        self.turn = (self.turn + 1) % self.turn_order.len();
        text
    }

    /// Lets the machine move as long as it is its turn, and tells the end if it has come.
    fn continue_play(&mut self, mut text: String) -> MatchReply {
        loop {
            if self.rules().moves(&self.position, 1).is_empty() {
                self.ended = true;
                text += &format!("\n\n{}", self.end());
                break;
            }
            if self.turn_order[self.turn] != PlayerKind::Machine {
                break;
            }
            let Some(step) = self.level.choose(&mut self.perfect, &self.position, &mut self.rng) else { break };
            text += "\n";
            text += &self.play_move(&step);
        }
        if !self.ended && !self.history.is_empty() {
            text += &format!("\n\n{}", self.picture());
        }
        self.reply(text)
    }

    fn name(&self, turn: usize) -> String {
        let seat = self.turn_order[turn];
        let word = match seat {
            PlayerKind::Human => "You",
            PlayerKind::Machine => "Nimatron",
            PlayerKind::Program => "The program",
        };
        let several = self.turn_order.iter().filter(|other| **other == seat).count() > 1;
        if several { format!("{word} ({})", turn + 1) } else { word.to_owned() }
    }

    /// How it ended.
    fn end(&self) -> String {
        let players = self.turn_order.len();
        let wins = |turn: usize| {
            let verb = if self.turn_order[turn] == PlayerKind::Human { "win" } else { "wins" };
            format!("{} {verb}", self.name(turn))
        };
        let last = (self.turn + players - 1) % players;
        if players > 2 {
            let places: Vec<String> = (1..=players)
                .map(|place| format!("{place}. {}", self.name((self.turn + players - place) % players)))
                .collect();
            return format!("Nothing is left to do. {}", places.join(", "));
        }
        let nobody = if self.history.is_empty() { "There is no move to begin with" } else { "That was the last move" };
        let winner = if self.rules().last_mover == LastMover::Wins { last } else { self.turn };
        match self.rules().payoff {
            Payoff::Outcome => format!("{nobody}: {}.", wins(winner)),
            Payoff::WinThenTaken => {
                let (mine, theirs) = (self.taken[winner], self.taken[(winner + 1) % players]);
                format!("{nobody}: {}, with {mine} taken to {theirs}.", wins(winner))
            }
        }
    }
}
