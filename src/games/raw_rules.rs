//! The maps under `game:` as they stand in the file, key by key, and what they mean.
//!
//! Each map is read with all the keys it may have; which of them belong together is said here, in words.

use super::grundy::Octal;
use super::rules::{Cells, Choice, Kind, LastMover, Number, Numbers, Payoff, Phase, Rules, Shape, Taking, Total};
use super::spelling::{Moves, Removals, plain};
use serde::Deserialize;

/// The rules as a map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRules {
    position: RawShape,
    #[serde(default, rename = "move", alias = "moves")]
    moves: Option<Moves>,
    #[serde(default)]
    wins: Option<LastMoverWord>,
    #[serde(default)]
    loses: Option<LastMoverWord>,
    #[serde(default, alias = "last-mover")]
    last_mover: Option<EndWord>,
    #[serde(default)]
    players: Option<Number>,
    #[serde(default)]
    payoff: Option<Vec<String>>,
    #[serde(default)]
    phases: Vec<RawPhase>,
}

/// The one player that `wins:` and `loses:` can speak of.
#[derive(Deserialize)]
enum LastMoverWord {
    #[serde(rename = "last-mover", alias = "last_mover")]
    LastMover,
}

/// What `last_mover:` does.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndWord {
    Wins,
    Loses,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPhase {
    place: Option<Number>,
    until: Option<String>,
    play: Option<Moves>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawShape {
    heaps: Option<Numbers>,
    #[serde(default, alias = "keep-empty")]
    keep_empty: Option<bool>,
    row: Option<Numbers>,
    cells: Option<String>,
    shape: Option<String>,
    size: Option<Numbers>,
    occupied: Option<char>,
    graph: Option<Number>,
    edges: Option<(String, String)>,
    base: Option<u64>,
    tokens: Option<Numbers>,
    vertices: Option<Number>,
    counter: Option<Number>,
    stacks: Option<Number>,
}

/// A kind of move as a map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMove {
    take: Option<Taking>,
    #[serde(alias = "heaps")]
    from: Option<Choice>,
    same: Option<bool>,
    split: Option<RawSplit>,
    octal: Option<Octal>,
    slide: Option<Taking>,
    to: Option<String>,
    first: Option<String>,
    remove: Option<Removals>,
    walk: Option<String>,
    add: Option<RawAdd>,
    limit: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSplit {
    parts: Option<Number>,
    sizes: Option<String>,
    total: Option<String>,
    min: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAdd {
    from: Option<Number>,
    to: Number,
}

impl TryFrom<RawRules> for Rules {
    type Error = String;

    fn try_from(raw: RawRules) -> Result<Rules, String> {
        let last_mover = raw.last_mover()?;
        let phases = raw.phases.into_iter().map(RawPhase::phase).collect::<Result<Vec<_>, _>>()?;
        let moves = raw.moves.map_or(Vec::new(), |Moves(kinds)| kinds);
        match (moves.is_empty(), phases.as_slice()) {
            (false, []) | (true, [Phase::Place(_), Phase::Play(_)]) => {}
            (true, []) => return Err("expected `move`, or `phases`".to_owned()),
            (false, _) => return Err("expected either `move` or `phases`, found both".to_owned()),
            (true, _) => {
                return Err("expected two phases, `{place: 1, until: tokens-used}` and `{play: ..}`".to_owned());
            }
        }
        Ok(Rules {
            position: raw.position.shape()?,
            moves,
            last_mover,
            players: raw.players.unwrap_or(Number::Literal(2)),
            payoff: payoff(raw.payoff.as_deref())?,
            phases,
        })
    }
}

impl RawRules {
    fn last_mover(&self) -> Result<LastMover, String> {
        match (&self.wins, &self.loses, &self.last_mover) {
            (None, None, None) | (Some(_), None, None) | (None, None, Some(EndWord::Wins)) => Ok(LastMover::Wins),
            (None, Some(_), None) | (None, None, Some(EndWord::Loses)) => Ok(LastMover::Loses),
            _ => Err("expected one of `wins`, `loses` and `last_mover`, found several".to_owned()),
        }
    }
}

fn payoff(words: Option<&[String]>) -> Result<Payoff, String> {
    let words: Vec<&str> = words.unwrap_or_default().iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["win"] => Ok(Payoff::Outcome),
        ["win", "taken"] => Ok(Payoff::WinThenTaken),
        _ => Err(format!("expected the payoff `[win]` or `[win, taken]`, found `[{}]`", words.join(", "))),
    }
}

impl RawPhase {
    fn phase(self) -> Result<Phase, String> {
        match (self.place, self.until.as_deref().map(plain).as_deref(), self.play) {
            (Some(number), None | Some("tokens-used"), None) => Ok(Phase::Place(number)),
            (None, None, Some(Moves(kinds))) => Ok(Phase::Play(kinds)),
            _ => Err("expected the phase `{place: 1, until: tokens-used}` or `{play: ..}`".to_owned()),
        }
    }
}

impl RawShape {
    fn shape(self) -> Result<Shape, String> {
        let mut given = Given::new([
            ("keep_empty", self.keep_empty.is_some()),
            ("shape", self.shape.is_some()),
            ("size", self.size.is_some()),
            ("occupied", self.occupied.is_some()),
            ("edges", self.edges.is_some()),
            ("base", self.base.is_some()),
            ("vertices", self.vertices.is_some()),
        ]);
        let base = self.base.unwrap_or(1);
        let edges = self.edges.ok_or("expected `edges: [x, y]` beside `graph` or `tokens`");
        let shape = match (self.heaps, self.row, self.cells, self.graph, self.tokens, self.counter, self.stacks) {
            (Some(sizes), None, None, None, None, None, None) => {
                given.may_be(&["keep_empty"]);
                Shape::Heaps { sizes, keep_empty: self.keep_empty.unwrap_or(false) }
            }
            (None, Some(steps), None, None, None, None, None) => Shape::Row(steps),
            (None, None, Some(picture), None, None, None, None) => {
                given.may_be(&["shape", "size", "occupied"]);
                let circle = circle(self.shape.as_deref())?;
                let picture = (picture != "full").then_some(picture);
                Shape::Cells(Cells { picture, circle, size: self.size, occupied: self.occupied.unwrap_or('#') })
            }
            (None, None, None, Some(vertices), None, None, None) => {
                given.may_be(&["edges", "base"]);
                Shape::Graph { vertices, edges: edges?, base }
            }
            (None, None, None, None, Some(tokens), None, None) => {
                given.may_be(&["edges", "base", "vertices"]);
                Shape::Tokens { tokens, vertices: self.vertices, edges: edges?, base }
            }
            (None, None, None, None, None, Some(counter), None) => Shape::Counter(counter),
            (None, None, None, None, Some(tokens), None, Some(stacks)) => {
                Shape::Stacks { stacks, tokens: single(tokens)? }
            }
            _ => {
                let words = "`heaps`, `row`, `cells`, `graph`, `tokens`, `counter` or `stacks` with `tokens`";
                return Err(format!("expected a position made of one of {words}"));
            }
        };
        given.rest("this position").map(|()| shape)
    }
}

/// The one number of a list of one.
fn single(numbers: Numbers) -> Result<Number, String> {
    match numbers {
        Numbers::Named(name) => Ok(Number::Named { name, offset: 0 }),
        Numbers::Listed(mut list) if list.len() == 1 => Ok(list.remove(0)),
        Numbers::Listed(list) => Err(format!("expected one number of tokens, found {}", list.len())),
    }
}

fn circle(shape: Option<&str>) -> Result<bool, String> {
    match shape {
        None | Some("box" | "row") => Ok(false),
        Some("circle") => Ok(true),
        Some(other) => Err(format!("expected the shape `box` or `circle`, found `{other}`")),
    }
}

impl RawMove {
    /// The kinds of moves that this map stands for.
    pub(super) fn kinds(self) -> Result<Vec<Kind>, String> {
        let mut given = Given::new([
            ("from", self.from.is_some()),
            ("same", self.same.is_some()),
            ("to", self.to.is_some()),
            ("first", self.first.is_some()),
            ("limit", self.limit.is_some()),
        ]);
        let kinds = match (self.take, self.split, self.octal, self.slide, self.remove, self.walk, self.add) {
            (Some(amount), None, None, None, None, None, None) => {
                given.may_be(&["from", "same"]);
                let from = self.from.unwrap_or(Choice::One);
                vec![Kind::Take { amount, from, same: self.same.unwrap_or(false) }]
            }
            (None, Some(split), None, None, None, None, None) => vec![split.kind()?],
            (None, None, Some(code), None, None, None, None) => vec![Kind::Octal(code)],
            (None, None, None, Some(amount), None, None, None) => {
                given.may_be(&["to", "first"]);
                word("to", self.to, &["previous"])?;
                vec![Kind::Slide { amount, frozen: word("first", self.first, &["falls-off", "frozen"])? == 1 }]
            }
            (None, None, None, None, Some(Removals(things)), None, None) => {
                things.into_iter().map(Kind::Remove).collect()
            }
            (None, None, None, None, None, Some(walk), None) => {
                word("walk", Some(walk), &["edge"])?;
                vec![Kind::Walk]
            }
            (None, None, None, None, None, None, Some(add)) => {
                given.may_be(&["limit"]);
                let limit = self.limit.ok_or("expected `limit` beside `add`")?;
                vec![Kind::Add { from: add.from.unwrap_or(Number::Literal(1)), to: add.to, limit }]
            }
            _ => {
                let words = "`take`, `split`, `octal`, `slide`, `remove`, `walk` or `add`";
                return Err(format!("expected a move with one of {words}"));
            }
        };
        given.rest("this move").map(|()| kinds)
    }
}

impl RawSplit {
    fn kind(self) -> Result<Kind, String> {
        let distinct = word("sizes", self.sizes, &["any", "distinct"])? == 1;
        let any = word("total", self.total, &["same", "any"])? == 1;
        Ok(Kind::Split {
            parts: self.parts.unwrap_or(Number::Literal(2)),
            distinct,
            total: if any { Total::Any } else { Total::Same },
            min: self.min.unwrap_or(Number::Literal(1)),
        })
    }
}

/// Which of the words it is; the first one if it is left out.
fn word(key: &str, found: Option<String>, words: &[&str]) -> Result<usize, String> {
    let Some(found) = found else { return Ok(0) };
    let place = words.iter().position(|word| *word == plain(&found));
    place.ok_or_else(|| format!("expected `{key}` to be one of `{}`, found `{found}`", words.join("`, `")))
}

/// The keys given beside the main one, to find those that mean nothing there.
struct Given(Vec<&'static str>);

impl Given {
    fn new<const N: usize>(keys: [(&'static str, bool); N]) -> Given {
        Given(keys.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect())
    }

    fn may_be(&mut self, keys: &[&str]) {
        self.0.retain(|key| !keys.contains(key));
    }

    fn rest(self, place: &str) -> Result<(), String> {
        match self.0.first() {
            Some(key) => Err(format!("`{key}` means nothing in {place}")),
            None => Ok(()),
        }
    }
}
