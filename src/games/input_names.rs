//! What can be said of rules before they are bound: the input values they name, and whether their parts fit together.

use super::bind::BindError;
use super::bits::Bits;
use super::position::Position;
use super::rules::{Choice, Kind, LastMover, Number, Numbers, Payoff, Phase, Removal, Rules, Shape, Taking};

impl Rules {
    /// The input values that the rules name, each once, in the order of the rules.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.position.name(&mut names);
        for kind in self.kinds() {
            kind.name(&mut names);
        }
        for phase in &self.phases {
            if let Phase::Place(number) = phase {
                number.name(&mut names);
            }
        }
        self.players.name(&mut names);
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// Whether the kinds of moves fit the kind of position, and players and payoff fit the ending, whatever the input.
    ///
    /// # Errors
    /// What does not fit; [`Rules::bind`] would say the same of every input.
    pub fn fit(&self) -> Result<(), BindError> {
        let example = self.position.example();
        self.kinds().try_for_each(|kind| kind.check(&example))?;
        let many = matches!(self.players, Number::Literal(players) if players > 2);
        if many && (self.last_mover == LastMover::Loses || self.payoff != Payoff::Outcome) {
            return Err(BindError::Contradiction("more than two players need normal play and a payoff of places only"));
        }
        match self.players {
            Number::Literal(players) if !(2..=64).contains(&players) => Err(BindError::OutOfRange {
                what: "the number of players",
                expected: "from 2 to 64".to_owned(),
                found: players.into(),
            }),
            _ => Ok(()),
        }
    }

    /// All kinds of moves, those of phases too.
    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        let played = self.phases.iter().filter_map(|phase| match phase {
            Phase::Play(kinds) => Some(kinds),
            Phase::Place(_) => None,
        });
        self.moves.iter().chain(played.flatten())
    }
}

/// Names found so far.
type Found<'a> = Vec<&'a str>;

impl Number {
    fn name<'a>(&'a self, found: &mut Found<'a>) {
        if let Number::Named { name, .. } = self {
            found.push(name);
        }
    }
}

impl Numbers {
    fn name<'a>(&'a self, found: &mut Found<'a>) {
        match self {
            Numbers::Named(name) => found.push(name),
            Numbers::Listed(numbers) => numbers.iter().for_each(|number| number.name(found)),
        }
    }
}

impl Taking {
    fn name<'a>(&'a self, found: &mut Found<'a>) {
        match self {
            Taking::Any => {}
            Taking::UpTo(number) => number.name(found),
            Taking::In(numbers) => numbers.name(found),
        }
    }
}

impl Shape {
    fn name<'a>(&'a self, found: &mut Found<'a>) {
        match self {
            Shape::Heaps { sizes: numbers, .. } | Shape::Row(numbers) => numbers.name(found),
            Shape::Cells(cells) => {
                found.extend(cells.picture.as_deref());
                if let Some(size) = &cells.size {
                    size.name(found);
                }
            }
            Shape::Graph { vertices, edges, .. } => {
                vertices.name(found);
                found.extend([edges.0.as_str(), edges.1.as_str()]);
            }
            Shape::Tokens { tokens, vertices, edges, .. } => {
                tokens.name(found);
                if let Some(vertices) = vertices {
                    vertices.name(found);
                }
                found.extend([edges.0.as_str(), edges.1.as_str()]);
            }
            Shape::Counter(number) => number.name(found),
            Shape::Stacks { stacks, tokens } => {
                stacks.name(found);
                tokens.name(found);
            }
        }
    }

    /// A position of this shape with nothing in it.
    fn example(&self) -> Position {
        match self {
            Shape::Heaps { .. } => Position::Heaps(Vec::new()),
            Shape::Row(_) => Position::Row(Vec::new()),
            Shape::Cells(_) => Position::Cells(Bits::empty(0)),
            Shape::Graph { .. } => Position::Graph { vertices: Bits::empty(0), edges: Bits::empty(0) },
            Shape::Tokens { .. } => Position::Tokens(Vec::new()),
            Shape::Counter(_) => Position::Counter(0),
            Shape::Stacks { .. } => Position::Stacks { heights: Vec::new(), tokens: 0 },
        }
    }
}

impl Kind {
    fn name<'a>(&'a self, found: &mut Found<'a>) {
        match self {
            Kind::Take { amount, from, .. } => {
                amount.name(found);
                if let Choice::UpTo(number) = from {
                    number.name(found);
                }
            }
            Kind::Split { parts, min, .. } => {
                parts.name(found);
                min.name(found);
            }
            Kind::Slide { amount, .. } | Kind::Remove(Removal::Run(amount)) => amount.name(found),
            Kind::Add { from, to, limit } => [from, to, limit].into_iter().for_each(|number| number.name(found)),
            Kind::Octal(_) | Kind::Remove(Removal::Corners(_)) | Kind::Walk => {}
        }
    }
}
