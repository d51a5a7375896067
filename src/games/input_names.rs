//! Analyzes rules without an input: the names of input values that they use, and whether their parts fit together.

use super::bind::BindError;
use super::bit_set::BitSet;
use super::position::Position;
use super::rules_spec::{
    AllowedAmounts, GamePhase, HeapChoice, LastMover, MoveRule, NumberExpr, NumberListExpr, Payoff, PositionSpec,
    RemovalRule, RulesSpec,
};

impl RulesSpec {
    /// Returns the names of the input values that the rules use, without duplicates. The names in the position
    /// come first, followed by the names in the moves, in the phases and in the number of players.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.position.name(&mut names);
        for move_rule in self.move_rules() {
            move_rule.name(&mut names);
        }
        for phase in &self.phases {
            if let GamePhase::Place(number) = phase {
                number.name(&mut names);
            }
        }
        self.players.name(&mut names);
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// Checks, without an input, that the moves fit the kind of position, and that the number of players is valid and
    /// fits the other rules.
    ///
    /// # Errors
    /// Fails if a kind of move does not fit the position, if the number of players is a literal outside 2 to 64, or if
    /// it is a literal above 2 and the other rules require two players. In these cases, [`RulesSpec::bind`] fails for
    /// every input.
    pub fn check_fit(&self) -> Result<(), BindError> {
        let example = self.position.example();
        self.move_rules().try_for_each(|move_rule| move_rule.check(&example))?;
        let many = matches!(self.players, NumberExpr::Literal(players) if players > 2);
        if many && (self.last_mover == LastMover::Loses || self.payoff != Payoff::Outcome) {
            return Err(BindError::Contradiction(
                "a game with more than two players requires that the last mover wins and that the payoff is `[win]`",
            ));
        }
        match self.players {
            NumberExpr::Literal(players) if !(2..=64).contains(&players) => Err(BindError::OutOfRange {
                what: "the number of players".to_owned(),
                expected: "from 2 to 64".to_owned(),
                found: players.into(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns all kinds of moves, including those of phases.
    fn move_rules(&self) -> impl Iterator<Item = &MoveRule> {
        let played = self.phases.iter().filter_map(|phase| match phase {
            GamePhase::Play(move_rules) => Some(move_rules),
            GamePhase::Place(_) => None,
        });
        self.moves.iter().chain(played.flatten())
    }
}

/// A list of the names found so far, which may contain duplicates.
type NameList<'a> = Vec<&'a str>;

impl NumberExpr {
    fn name<'a>(&'a self, found: &mut NameList<'a>) {
        if let NumberExpr::Named { name, .. } = self {
            found.push(name);
        }
    }
}

impl NumberListExpr {
    fn name<'a>(&'a self, found: &mut NameList<'a>) {
        match self {
            NumberListExpr::Named(name) => found.push(name),
            NumberListExpr::Listed(numbers) => numbers.iter().for_each(|number| number.name(found)),
        }
    }
}

impl AllowedAmounts {
    fn name<'a>(&'a self, found: &mut NameList<'a>) {
        match self {
            AllowedAmounts::Any => {}
            AllowedAmounts::UpTo(number) => number.name(found),
            AllowedAmounts::In(numbers) => numbers.name(found),
        }
    }
}

impl PositionSpec {
    fn name<'a>(&'a self, found: &mut NameList<'a>) {
        match self {
            PositionSpec::Heaps { sizes: numbers, .. } | PositionSpec::Row(numbers) => numbers.name(found),
            PositionSpec::Cells(cells) => {
                found.extend(cells.picture.as_deref());
                if let Some(size) = &cells.size {
                    size.name(found);
                }
            }
            PositionSpec::Graph { vertices, edges, .. } => {
                vertices.name(found);
                found.extend([edges.0.as_str(), edges.1.as_str()]);
            }
            PositionSpec::Tokens { tokens, vertices, edges, .. } => {
                tokens.name(found);
                if let Some(vertices) = vertices {
                    vertices.name(found);
                }
                found.extend([edges.0.as_str(), edges.1.as_str()]);
            }
            PositionSpec::Counter(number) => number.name(found),
            PositionSpec::Stacks { stacks, tokens } => {
                stacks.name(found);
                tokens.name(found);
            }
        }
    }

    /// Returns a minimal position of this kind, such as a position without heaps.
    fn example(&self) -> Position {
        match self {
            PositionSpec::Heaps { .. } => Position::Heaps(Vec::new()),
            PositionSpec::Row(_) => Position::Row(Vec::new()),
            PositionSpec::Cells(_) => Position::Cells(BitSet::empty(0)),
            PositionSpec::Graph { .. } => Position::Graph { vertices: BitSet::empty(0), edges: BitSet::empty(0) },
            PositionSpec::Tokens { .. } => Position::Tokens(Vec::new()),
            PositionSpec::Counter(_) => Position::Counter(0),
            PositionSpec::Stacks { .. } => Position::Stacks { heights: Vec::new(), tokens: 0 },
        }
    }
}

impl MoveRule {
    fn name<'a>(&'a self, found: &mut NameList<'a>) {
        match self {
            MoveRule::Take { amount, from, .. } => {
                amount.name(found);
                if let HeapChoice::UpTo(number) = from {
                    number.name(found);
                }
            }
            MoveRule::Split { parts, min, .. } => {
                parts.name(found);
                min.name(found);
            }
            MoveRule::Slide { amount, .. } | MoveRule::Remove(RemovalRule::Run(amount)) => amount.name(found),
            MoveRule::Add { from, to, limit } => [from, to, limit].into_iter().for_each(|number| number.name(found)),
            MoveRule::Octal(_) | MoveRule::Remove(RemovalRule::GraphPart(_)) | MoveRule::Walk => {}
        }
    }
}
