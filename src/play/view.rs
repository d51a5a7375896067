//! A match as data, for front ends that draw it themselves.

use crate::games::{Move, Position};

use super::level::best;
use super::match_state::{Match, PlayerKind};

/// Maximum number of decisive moves that a review lists.
const NAMED: usize = 3;

/// Maximum number of moves of a match that is reviewed.
const REVIEWED: usize = 200;

/// A move of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove<'a> {
    /// The turn of the player who made the move, as an index in the order of turns.
    pub turn: usize,
    /// The move.
    pub step: &'a Move,
    /// The position before the move.
    pub before: &'a Position,
}

impl Match {
    /// Returns the players in the order of turns.
    pub fn turn_order(&self) -> &[PlayerKind] {
        &self.turn_order
    }

    /// Returns whose turn it is, as an index in the order of turns.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// Returns the number of objects that each player has taken, in the order of turns.
    pub fn taken(&self) -> &[u64] {
        &self.taken
    }

    /// Returns the moves so far, the oldest first.
    pub fn played(&self) -> impl Iterator<Item = PlayedMove<'_>> {
        self.history.iter().map(|past| PlayedMove { turn: past.turn, step: &past.step, before: &past.position })
    }

    /// Returns at most `limit` legal moves.
    pub fn legal_moves(&self, limit: usize) -> Vec<Move> {
        self.rules().moves(&self.position, limit).into_iter().map(|(step, _)| step).collect()
    }

    /// Describes the result, or returns `None` while the match is in progress.
    pub fn result(&self) -> Option<String> {
        self.ended.then(|| self.end())
    }

    /// Explains how a finished match of two players was decided: who could win from the start, and the moves that let
    /// the other player win. Returns no sentences for other matches, for matches without moves or with more than 200
    /// moves, and if a search exceeds its budget.
    pub fn review(&mut self) -> Vec<String> {
        if !self.ended || self.turn_order.len() != 2 || self.history.is_empty() || self.history.len() > REVIEWED {
            return Vec::new();
        }
        self.decided().unwrap_or_default()
    }

    fn decided(&mut self) -> Option<Vec<String>> {
        let history = self.history.clone();
        let outcomes = history.iter().map(|past| self.perfect.wins(&past.position).ok()).collect::<Option<Vec<_>>>()?;
        let first = history.first()?.turn;
        let favoured = if outcomes.first().copied()? { first } else { 1 - first };
        let verb = |turn: usize| if self.turn_order[turn] == PlayerKind::Human { "win" } else { "wins" };
        let mut sentences =
            vec![format!("From the start position, {} {} with perfect play.", self.called(favoured), verb(favoured))];
        // If a move leads from a position that is won for the mover to a position that is won for the opponent, it
        // changes which player can win.
        let changes: Vec<usize> = (0..history.len().saturating_sub(1))
            .filter(|at| outcomes.get(*at) == Some(&true) && outcomes.get(at + 1) == Some(&true))
            .collect();
        for at in changes.iter().rev().take(NAMED).rev() {
            let past = history.get(*at)?;
            let better = best(&mut self.perfect, &past.position).filter(|advice| advice.wins);
            let instead =
                better.map(|advice| format!("; `{}` would have kept the win", advice.step)).unwrap_or_default();
            let (mover, other) = (self.name(past.turn), self.called(1 - past.turn));
            sentences.push(format!(
                "Move {} ({mover}: `{}`) gave {other} a winning position{instead}.",
                at + 1,
                past.step
            ));
        }
        if changes.is_empty() {
            sentences.push("No move changed which player could win.".to_owned());
        }
        Some(sentences)
    }

    /// Returns the name of a player as it is written inside a sentence.
    fn called(&self, turn: usize) -> String {
        if self.turn_order[turn] == PlayerKind::Human { "you".to_owned() } else { self.name(turn) }
    }
}
