//! The state of a match: whose turn it is, the moves so far, and the reply to each line.

use crate::games::{BoundRules, Game, LastMover, Move, Payoff, PerfectPlayer, Position};
use crate::input::Rng;
use crate::report::wrap;

use super::command::{PlayCommand, parse_command};
use super::draw::draw;
use super::hint::{Hint, hint};
use super::level::PlayLevel;
use super::rules_text::{describe_rules, move_syntax};

/// The kind of player that makes the moves of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerKind {
    /// The user.
    Human,
    /// Nimatron itself.
    Machine,
    /// A program under test.
    Program,
}

/// Returns the kinds of the players in the order of turns. `me` has the first turn if `first` is true, and otherwise
/// the last turn; `other` has all other turns.
pub fn turn_order((me, other): (PlayerKind, PlayerKind), players: usize, first: bool) -> Vec<PlayerKind> {
    let others = std::iter::repeat_n(other, players.saturating_sub(1));
    if first { std::iter::once(me).chain(others).collect() } else { others.chain([me]).collect() }
}

/// The settings of a match.
#[derive(Debug)]
pub struct MatchSetup {
    /// The rules and the start position.
    pub game: Game,
    /// The players in the order of turns, as many as the game has.
    pub turn_order: Vec<PlayerKind>,
    /// Strength of the machine.
    pub level: PlayLevel,
    /// Generator of the random moves of [`PlayLevel::Beginner`].
    pub rng: Rng,
    /// Maximum number of positions that a search may store.
    pub budget: usize,
    /// Maximum total size of the moves that a search may enumerate, in 64-bit words.
    pub work: u64,
    /// Width of the terminal in columns.
    pub width: usize,
}

/// The state of a match.
#[derive(Debug)]
pub struct Match {
    pub(super) turn_order: Vec<PlayerKind>,
    level: PlayLevel,
    rng: Rng,
    width: usize,
    pub(super) perfect: PerfectPlayer,
    pub(super) position: Position,
    pub(super) turn: usize,
    pub(super) taken: Vec<u64>,
    pub(super) history: Vec<PastMove>,
    pub(super) ended: bool,
}

/// A past move, and the state of the match before the move.
#[derive(Debug, Clone)]
pub(super) struct PastMove {
    pub(super) step: Move,
    pub(super) position: Position,
    pub(super) turn: usize,
    taken: Vec<u64>,
}

/// The reply to an input: text to show, and the next input that the match expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchReply {
    /// The text to show.
    pub text: String,
    /// The next input that the match expects.
    pub next: NextInput,
}

/// The next input that a match expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextInput {
    /// A line from the user.
    Line,
    /// A move from the program.
    Program,
    /// No input: the match is over.
    None,
}

/// The reply of a program to the request for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramReply {
    /// The numbers of a move, in the order that [`BoundRules::read_move`] expects.
    Move(Vec<u64>),
    /// The program resigns.
    Resigns,
    /// The output is not a move. Contains the reason.
    Invalid(String),
}

const HELP: &str = "  hint   suggest a move and explain it
  undo   take your last move back
  moves  list the legal moves
  rules  show the rules
  show   show the position
  quit   end the match";

impl Match {
    /// Creates a match without any moves.
    pub fn new(setup: MatchSetup) -> Match {
        let MatchSetup { game: Game { rules, start }, turn_order, level, rng, budget, work, width } = setup;
        let taken = vec![0; turn_order.len()];
        let perfect = PerfectPlayer::new(rules, budget).with_work(work);
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

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &BoundRules {
        self.perfect.rules()
    }

    /// Returns whether the player to move wins or, with more than two players, comes first. Returns `None` if the
    /// position cannot be evaluated.
    pub fn is_won(&mut self) -> Option<bool> {
        self.perfect.wins(&self.position).ok()
    }

    /// Returns the kind of the player who won or came first, or `None` while the match is in progress. If the user
    /// quit, the result is unspecified.
    pub fn winner(&self) -> Option<PlayerKind> {
        let players = self.turn_order.len();
        let last = (self.turn + players - 1) % players;
        let loser_moves_last = self.rules().last_mover == LastMover::Loses;
        self.ended.then(|| self.turn_order[if loser_moves_last { self.turn } else { last }])
    }

    /// Starts the match: shows the rules and the position, and makes the machine's moves if the machine has the first
    /// turn.
    pub fn begin(&mut self) -> MatchReply {
        let text = format!("{}\n\n{}", self.rules_text(), self.picture());
        let text = if self.turn_order[0] == PlayerKind::Machine { text + "\n" } else { text };
        self.continue_play(text)
    }

    /// Handles a line that the user typed.
    pub fn handle_line(&mut self, line: &str) -> MatchReply {
        if self.ended {
            return self.reply("The match is over. Start a new match to play again.".to_owned());
        }
        let text = match parse_command(line) {
            PlayCommand::Nothing => format!("Type {}; `help` lists all commands.", self.move_syntax()),
            PlayCommand::Move(numbers) => {
                let illegal = |why: String| format!("{why} `moves` lists the legal moves.");
                return self.make_move(&numbers).map_err(illegal).unwrap_or_else(|why| self.reply(why));
            }
            PlayCommand::Hint => self.hint().text(),
            PlayCommand::Undo => self.undo(),
            PlayCommand::Moves => self.moves(),
            PlayCommand::Rules => self.rules_text(),
            PlayCommand::Show => self.picture(),
            PlayCommand::Help => format!("Type {}.\n{HELP}", self.move_syntax()),
            PlayCommand::Quit => {
                self.ended = true;
                return MatchReply { text: "Good-bye.".to_owned(), next: NextInput::None };
            }
            PlayCommand::Unknown(near) => {
                let meant = near.map(|word| format!("Did you mean `{word}`? ")).unwrap_or_default();
                format!("{meant}Type {}; `help` lists all commands.", self.move_syntax())
            }
        };
        self.reply(text)
    }

    /// Handles a program's move. A program loses if it resigns, makes no move, or makes an illegal move.
    pub fn handle_program(&mut self, reply: &ProgramReply) -> MatchReply {
        let why = match reply {
            ProgramReply::Move(numbers) => match self.rules().read_move(&self.position, numbers) {
                Some(step) => {
                    let text = self.play_move(&step);
                    return self.continue_play(text);
                }
                None => {
                    let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
                    format!(
                        "The program's move `{}` is not legal in this position. The program loses.",
                        words.join(" ")
                    )
                }
            },
            ProgramReply::Resigns => "The program resigns.".to_owned(),
            ProgramReply::Invalid(why) => format!("The program makes no move and loses: {why}."),
        };
        // The program loses. The turn is set as if the opponent had moved last or, in misère play, the program.
        if self.rules().last_mover == LastMover::Loses {
            self.turn = (self.turn + 1) % self.turn_order.len();
        }
        self.ended = true;
        MatchReply { text: why, next: NextInput::None }
    }

    /// Returns a hint for the player to move.
    pub fn hint(&mut self) -> Hint {
        hint(&mut self.perfect, &self.position)
    }

    /// Returns the rules in a few sentences.
    pub fn rules_text(&self) -> String {
        describe_rules(self.rules(), &self.position)
    }

    /// Returns the syntax of a move, as a phrase that follows the word "Type".
    pub fn move_syntax(&self) -> &'static str {
        move_syntax(self.rules(), &self.position)
    }

    fn picture(&self) -> String {
        draw(self.rules(), &self.position, self.width)
    }

    fn reply(&self, text: String) -> MatchReply {
        // The lines of drawings begin with a space and are not wrapped.
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

    /// Makes the user's move, and then the machine's moves. `numbers` are the numbers of the user's move in the order
    /// that [`BoundRules::read_move`] expects.
    ///
    /// # Errors
    /// Returns a message for the user if the move is not legal or the match is over.
    pub fn make_move(&mut self, numbers: &[u64]) -> Result<MatchReply, String> {
        if self.ended {
            return Err("The match is over. Start a new match to play again.".to_owned());
        }
        let step = self.rules().read_move(&self.position, numbers).ok_or_else(|| self.why_not(numbers))?;
        let text = self.play_move(&step);
        Ok(self.continue_play(text))
    }

    fn why_not(&self, numbers: &[u64]) -> String {
        if let (Position::Heaps(sizes) | Position::Row(sizes), [heap, amount]) = (&self.position, numbers) {
            let (part, within) = match self.position {
                Position::Heaps(_) => ("heap", "in heap"),
                _ => ("step", "on step"),
            };
            let size = usize::try_from(*heap).ok().and_then(|heap| sizes.get(heap.checked_sub(1)?));
            match size {
                None if sizes.len() == 1 => return format!("There is no {part} {heap}; the only {part} is {part} 1."),
                None => return format!("There is no {part} {heap}; expected a {part} from 1 to {}.", sizes.len()),
                Some(size) if amount > size && self.takes_only() => {
                    return match size {
                        0 => format!("There are no objects {within} {heap}."),
                        1 => format!("There is only 1 object {within} {heap}."),
                        size => format!("There are only {size} objects {within} {heap}."),
                    };
                }
                Some(_) => {}
            }
        }
        format!("That move is not legal here. Type {}.", self.move_syntax())
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
        match self.take_back() {
            false => "You have no move to take back.".to_owned(),
            true => format!("Your last move has been taken back.\n\n{}", self.picture()),
        }
    }

    /// Takes back the user's last move and all later moves. Returns false if there is no move by the user.
    pub fn take_back(&mut self) -> bool {
        let last = self.history.iter().rposition(|past| self.turn_order[past.turn] == PlayerKind::Human);
        let Some(at) = last else { return false };
        let PastMove { position, turn, taken, .. } = self.history.swap_remove(at);
        self.history.truncate(at);
        (self.position, self.turn, self.taken) = (position, turn, taken);
        self.ended = false;
        true
    }

    /// Makes a move and returns its description. If the move is illegal, does nothing and returns an empty string.
    fn play_move(&mut self, step: &Move) -> String {
        let Some(after) = self.rules().apply_move(&self.position, step) else { return String::new() };
        let past = PastMove {
            step: step.clone(),
            position: self.position.clone(),
            turn: self.turn,
            taken: self.taken.clone(),
        };
        self.history.push(past);
        let text = format!("{}: {step}", self.name(self.turn));
        self.taken[self.turn] += step.taken();
        self.position = after;
        self.turn = (self.turn + 1) % self.turn_order.len();
        text
    }

    /// Makes the machine's moves as long as it is the machine's turn. Appends the moves to `text`, followed by the
    /// result if the game has ended, and otherwise by the position if a move has been made.
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

    /// Returns the name of the player whose index in the order of turns is `turn`. The name has a number if several
    /// players are of the same kind.
    pub fn name(&self, turn: usize) -> String {
        let seat = self.turn_order[turn];
        let word = match seat {
            PlayerKind::Human => "You",
            PlayerKind::Machine => "Nimatron",
            PlayerKind::Program => "The program",
        };
        let several = self.turn_order.iter().filter(|other| **other == seat).count() > 1;
        if several { format!("{word} ({})", turn + 1) } else { word.to_owned() }
    }

    /// Describes the result of a finished game.
    pub(super) fn end(&self) -> String {
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
            return format!("No move is left. Places: {}", places.join(", "));
        }
        let reason = if self.history.is_empty() { "There is no legal move" } else { "That was the last move" };
        let winner = if self.rules().last_mover == LastMover::Wins { last } else { self.turn };
        match self.rules().payoff {
            Payoff::Outcome => format!("{reason}: {}.", wins(winner)),
            Payoff::WinThenTaken => {
                let (mine, theirs) = (self.taken[winner], self.taken[(winner + 1) % players]);
                format!("{reason}: {}. Objects taken: {mine} by the winner, {theirs} by the loser.", wins(winner))
            }
        }
    }
}
