//! Explains why the games in an input are won or lost, which justifies the answer to a problem about a game.

use serde::Serialize;

use crate::games::Game;
use crate::play::{describe_rules, explain_position};
use crate::problem::Problem;

/// Maximum size in bytes of an input whose games are explained.
const LARGEST: usize = 16 << 10;
/// Maximum number of positions that a search visits.
const BUDGET: usize = 50_000;

/// The reason why a position is won or lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameReason {
    /// The position as text.
    pub position: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// Whether the player to move wins or, with more than two players, takes first place.
    pub wins: bool,
    /// The sentences that explain why the position is won or lost.
    pub sentences: Vec<String>,
    /// The table and the sentences as lines of text.
    #[serde(skip)]
    explained: String,
    /// The numbers that determine whether the position is won. Each row consists of the name, the number and the binary
    /// digits of a part of the position. The last row is the nim-sum of the numbers. For a modulus other than 2, it is
    /// the sum of each column of digits modulo the modulus, and its number is empty.
    pub table: Vec<[String; 3]>,
    /// The meaning of the numbers of the table; empty if the numbers are the sizes of the parts.
    pub table_of: String,
    /// The moves of perfect players from the position, in the order of play.
    pub line: Vec<ReasonMove>,
    /// Whether the game ends with the last move in `line`.
    pub ended: bool,
}

/// A move of a perfect player, and the position after the move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReasonMove {
    /// The move as text.
    pub text: String,
    /// The position after the move.
    pub after: String,
}

/// Explains the games of an input of a problem: at most the first `most` games, and only those before the first game
/// whose search would take too long. Returns an empty list if the problem has no game, or if the input is large or
/// invalid.
pub fn game_reasons(problem: &Problem, input: &[u8], most: usize) -> Vec<GameReason> {
    let Some(rules) = problem.game.as_ref().filter(|_| input.len() <= LARGEST) else { return Vec::new() };
    let Ok(instance) = problem.input.read(input, None) else { return Vec::new() };
    let Ok(games) = rules.games(&instance, &problem.input) else { return Vec::new() };
    games.iter().take(most).map_while(reason).collect()
}

fn reason(game: &Game) -> Option<GameReason> {
    let found = explain_position(game, BUDGET)?;
    let table = found.hint.table.as_ref();
    let lines = table.iter().flat_map(|table| table.lines());
    let line = found.line.iter().map(|(step, after)| ReasonMove { text: step.to_string(), after: after.to_string() });
    Some(GameReason {
        position: game.start.to_string(),
        rules: describe_rules(&game.rules, &game.start),
        wins: found.wins,
        explained: found.hint.text(),
        sentences: found.hint.sentences.clone(),
        table: lines.map(|line| [line.name, line.number, line.digits]).collect(),
        table_of: table.map(|table| table.what.clone()).unwrap_or_default(),
        line: line.collect(),
        ended: found.ended,
    })
}

impl GameReason {
    /// Returns the explanation as lines of text.
    pub fn text(&self) -> String {
        let verdict = match self.wins {
            true => "the player to move wins",
            false => "the player to move loses",
        };
        let mut lines = vec![format!("from {}, {verdict} with perfect play", self.position), self.explained.clone()];
        if !self.line.is_empty() {
            let moves: Vec<String> = self.line.iter().map(|step| format!("{} → {}", step.text, step.after)).collect();
            let rest = if self.ended { "" } else { "; …" };
            lines.push(format!("a perfect game: {}{rest}", moves.join("; ")));
        }
        lines.join("\n")
    }
}
