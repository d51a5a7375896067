//! The maps under `game:` as they appear in the file, and their conversion to [`RulesSpec`].
//!
//! Each raw map accepts all keys of its kind. The conversion checks which keys may occur together.

use super::grundy::OctalCode;
use super::rules_serde::{MoveRules, RemovalRules, hyphenated};
use super::rules_spec::{
    AllowedAmounts, CellsSpec, GamePhase, HeapChoice, LastMover, MoveRule, NumberExpr, NumberListExpr, Payoff,
    PositionSpec, RulesSpec, SplitTotal,
};
use serde::Deserialize;

/// The map under `game:`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRules {
    position: RawPosition,
    #[serde(default, rename = "move", alias = "moves")]
    moves: Option<MoveRules>,
    #[serde(default)]
    wins: Option<LastMoverWord>,
    #[serde(default)]
    loses: Option<LastMoverWord>,
    #[serde(default, alias = "last-mover")]
    last_mover: Option<LastMoverOutcome>,
    #[serde(default)]
    players: Option<NumberExpr>,
    #[serde(default)]
    payoff: Option<Vec<String>>,
    #[serde(default)]
    phases: Vec<RawPhase>,
}

/// The only value of `wins:` and `loses:`.
#[derive(Deserialize)]
enum LastMoverWord {
    #[serde(rename = "last-mover", alias = "last_mover")]
    LastMover,
}

/// The value of `last_mover:`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum LastMoverOutcome {
    Wins,
    Loses,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPhase {
    place: Option<NumberExpr>,
    until: Option<String>,
    play: Option<MoveRules>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPosition {
    heaps: Option<NumberListExpr>,
    #[serde(default, alias = "keep-empty")]
    keep_empty: Option<bool>,
    row: Option<NumberListExpr>,
    cells: Option<String>,
    shape: Option<String>,
    size: Option<NumberListExpr>,
    occupied: Option<char>,
    graph: Option<NumberExpr>,
    edges: Option<(String, String)>,
    base: Option<u64>,
    tokens: Option<NumberListExpr>,
    vertices: Option<NumberExpr>,
    counter: Option<NumberExpr>,
    stacks: Option<NumberExpr>,
}

/// A map that describes one or more kinds of moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMove {
    take: Option<AllowedAmounts>,
    #[serde(alias = "heaps")]
    from: Option<HeapChoice>,
    same: Option<bool>,
    split: Option<RawSplit>,
    octal: Option<OctalCode>,
    slide: Option<AllowedAmounts>,
    to: Option<String>,
    first: Option<String>,
    remove: Option<RemovalRules>,
    walk: Option<String>,
    add: Option<RawAdd>,
    limit: Option<NumberExpr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSplit {
    parts: Option<NumberExpr>,
    sizes: Option<String>,
    total: Option<String>,
    min: Option<NumberExpr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAdd {
    from: Option<NumberExpr>,
    to: NumberExpr,
}

impl TryFrom<RawRules> for RulesSpec {
    type Error = String;

    fn try_from(raw: RawRules) -> Result<RulesSpec, String> {
        let last_mover = raw.last_mover()?;
        let phases = raw.phases.into_iter().map(RawPhase::phase).collect::<Result<Vec<_>, _>>()?;
        let moves = raw.moves.map_or(Vec::new(), |MoveRules(move_rules)| move_rules);
        match (moves.is_empty(), phases.as_slice()) {
            (false, []) | (true, [GamePhase::Place(_), GamePhase::Play(_)]) => {}
            (true, []) => return Err("expected at least one move in `moves`, or `phases`, found neither".to_owned()),
            (false, _) => return Err("expected either `moves` or `phases`, found both".to_owned()),
            (true, _) => {
                return Err(
                    "expected two phases: the first phase with `place`, such as `{place: 1, until: tokens-used}`, \
                            and the second with `play`, such as `{play: nim}`"
                        .to_owned(),
                );
            }
        }
        Ok(RulesSpec {
            position: raw.position.shape()?,
            moves,
            last_mover,
            players: raw.players.unwrap_or(NumberExpr::Literal(2)),
            payoff: payoff(raw.payoff.as_deref())?,
            phases,
        })
    }
}

impl RawRules {
    fn last_mover(&self) -> Result<LastMover, String> {
        match (&self.wins, &self.loses, &self.last_mover) {
            (None, None, None) | (Some(_), None, None) | (None, None, Some(LastMoverOutcome::Wins)) => {
                Ok(LastMover::Wins)
            }
            (None, Some(_), None) | (None, None, Some(LastMoverOutcome::Loses)) => Ok(LastMover::Loses),
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
    fn phase(self) -> Result<GamePhase, String> {
        match (self.place, self.until.as_deref().map(hyphenated).as_deref(), self.play) {
            (Some(number), None | Some("tokens-used"), None) => Ok(GamePhase::Place(number)),
            (None, None, Some(MoveRules(move_rules))) => Ok(GamePhase::Play(move_rules)),
            _ => Err("expected a phase such as `{place: 1, until: tokens-used}` or `{play: nim}`".to_owned()),
        }
    }
}

impl RawPosition {
    fn shape(self) -> Result<PositionSpec, String> {
        let mut extra_keys = ExtraKeys::new([
            ("keep_empty", self.keep_empty.is_some()),
            ("shape", self.shape.is_some()),
            ("size", self.size.is_some()),
            ("occupied", self.occupied.is_some()),
            ("edges", self.edges.is_some()),
            ("base", self.base.is_some()),
            ("vertices", self.vertices.is_some()),
        ]);
        let base = self.base.unwrap_or(1);
        let edges = self.edges.ok_or(
            "a position with `graph` or `tokens` requires `edges`, the names of two arrays, such as `edges: [x, y]`",
        );
        let shape = match (self.heaps, self.row, self.cells, self.graph, self.tokens, self.counter, self.stacks) {
            (Some(sizes), None, None, None, None, None, None) => {
                extra_keys.allow(&["keep_empty"]);
                PositionSpec::Heaps { sizes, keep_empty: self.keep_empty.unwrap_or(false) }
            }
            (None, Some(steps), None, None, None, None, None) => PositionSpec::Row(steps),
            (None, None, Some(picture), None, None, None, None) => {
                extra_keys.allow(&["shape", "size", "occupied"]);
                let circle = circle(self.shape.as_deref())?;
                let picture = (picture != "full").then_some(picture);
                PositionSpec::Cells(CellsSpec {
                    picture,
                    circle,
                    size: self.size,
                    occupied: self.occupied.unwrap_or('#'),
                })
            }
            (None, None, None, Some(vertices), None, None, None) => {
                extra_keys.allow(&["edges", "base"]);
                PositionSpec::Graph { vertices, edges: edges?, base }
            }
            (None, None, None, None, Some(tokens), None, None) => {
                extra_keys.allow(&["edges", "base", "vertices"]);
                PositionSpec::Tokens { tokens, vertices: self.vertices, edges: edges?, base }
            }
            (None, None, None, None, None, Some(counter), None) => PositionSpec::Counter(counter),
            (None, None, None, None, Some(tokens), None, Some(stacks)) => {
                PositionSpec::Stacks { stacks, tokens: single(tokens)? }
            }
            _ => {
                let words = "`heaps`, `row`, `cells`, `graph`, `tokens`, `counter` or `stacks` with `tokens`";
                return Err(format!("expected a position with exactly one of {words}"));
            }
        };
        extra_keys.finish(&format!("a position with {}", keyword(&shape))).map(|()| shape)
    }
}

/// Returns the keyword of a kind of position, with an article if it is not plural.
fn keyword(shape: &PositionSpec) -> &'static str {
    match shape {
        PositionSpec::Heaps { .. } => "`heaps`",
        PositionSpec::Row(_) => "a `row`",
        PositionSpec::Cells(_) => "`cells`",
        PositionSpec::Graph { .. } => "a `graph`",
        PositionSpec::Tokens { .. } => "`tokens`",
        PositionSpec::Counter(_) => "a `counter`",
        PositionSpec::Stacks { .. } => "`stacks`",
    }
}

/// Converts a list of one number, or a name, to a number. Fails if a list does not contain exactly one number.
fn single(numbers: NumberListExpr) -> Result<NumberExpr, String> {
    match numbers {
        NumberListExpr::Named(name) => Ok(NumberExpr::Named { name, offset: 0 }),
        NumberListExpr::Listed(mut list) if list.len() == 1 => Ok(list.remove(0)),
        NumberListExpr::Listed(list) => {
            Err(format!("expected a single number in `tokens`, found {} numbers", list.len()))
        }
    }
}

fn circle(shape: Option<&str>) -> Result<bool, String> {
    match shape {
        None | Some("box" | "row") => Ok(false),
        Some("circle") => Ok(true),
        Some(other) => Err(format!("expected the shape `box`, `row` or `circle`, found `{other}`")),
    }
}

impl RawMove {
    /// Returns the kinds of moves that this map describes.
    pub(super) fn move_rules(self) -> Result<Vec<MoveRule>, String> {
        let mut extra_keys = ExtraKeys::new([
            ("from", self.from.is_some()),
            ("same", self.same.is_some()),
            ("to", self.to.is_some()),
            ("first", self.first.is_some()),
            ("limit", self.limit.is_some()),
        ]);
        let move_rules = match (self.take, self.split, self.octal, self.slide, self.remove, self.walk, self.add) {
            (Some(amount), None, None, None, None, None, None) => {
                extra_keys.allow(&["from", "same"]);
                let from = self.from.unwrap_or(HeapChoice::One);
                vec![MoveRule::Take { amount, from, same: self.same.unwrap_or(false) }]
            }
            (None, Some(split), None, None, None, None, None) => vec![split.move_rule()?],
            (None, None, Some(code), None, None, None, None) => vec![MoveRule::Octal(code)],
            (None, None, None, Some(amount), None, None, None) => {
                extra_keys.allow(&["to", "first"]);
                word("to", self.to, &["previous"])?;
                vec![MoveRule::Slide { amount, frozen: word("first", self.first, &["falls-off", "frozen"])? == 1 }]
            }
            (None, None, None, None, Some(RemovalRules(things)), None, None) => {
                things.into_iter().map(MoveRule::Remove).collect()
            }
            (None, None, None, None, None, Some(walk), None) => {
                word("walk", Some(walk), &["edge"])?;
                vec![MoveRule::Walk]
            }
            (None, None, None, None, None, None, Some(add)) => {
                extra_keys.allow(&["limit"]);
                let limit = self.limit.ok_or("`add` requires `limit`, the largest value that the counter may reach")?;
                vec![MoveRule::Add { from: add.from.unwrap_or(NumberExpr::Literal(1)), to: add.to, limit }]
            }
            _ => {
                let words = "`take`, `split`, `octal`, `slide`, `remove`, `walk` or `add`";
                return Err(format!("expected a move with exactly one of {words}"));
            }
        };
        // `move_rules` is empty if `remove:` is an empty list.
        let kind = move_rules.first().map_or("remove", MoveRule::keyword);
        extra_keys.finish(&format!("a move of the kind `{kind}`")).map(|()| move_rules)
    }
}

impl RawSplit {
    fn move_rule(self) -> Result<MoveRule, String> {
        let distinct = word("sizes", self.sizes, &["any", "distinct"])? == 1;
        let any = word("total", self.total, &["same", "any"])? == 1;
        Ok(MoveRule::Split {
            parts: self.parts.unwrap_or(NumberExpr::Literal(2)),
            distinct,
            total: if any { SplitTotal::Any } else { SplitTotal::Same },
            min: self.min.unwrap_or(NumberExpr::Literal(1)),
        })
    }
}

/// Returns the index of `found`, the value of the key `key`, in `words`, or 0 if the key is absent. Fails if `words`
/// does not contain the value.
fn word(key: &str, found: Option<String>, words: &[&str]) -> Result<usize, String> {
    let Some(found) = found else { return Ok(0) };
    let place = words.iter().position(|word| *word == hyphenated(&found));
    place.ok_or_else(|| format!("expected `{key}` to be `{}`, found `{found}`", words.join("` or `")))
}

/// The optional keys of a map that [`ExtraKeys::allow`] has not accepted. [`ExtraKeys::finish`] returns an error if any
/// are left.
struct ExtraKeys(Vec<&'static str>);

impl ExtraKeys {
    fn new<const N: usize>(keys: [(&'static str, bool); N]) -> ExtraKeys {
        ExtraKeys(keys.into_iter().filter(|(_, given)| *given).map(|(key, _)| key).collect())
    }

    fn allow(&mut self, keys: &[&str]) {
        self.0.retain(|key| !keys.contains(key));
    }

    fn finish(self, place: &str) -> Result<(), String> {
        match self.0.first() {
            Some(key) => Err(format!("`{key}` does not apply to {place}")),
            None => Ok(()),
        }
    }
}
