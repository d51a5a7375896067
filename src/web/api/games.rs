//! `/api/v1/games`: matches against the machine.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::games::{Board, BoundRules, Game, GraphPart, Move, MoveRule, Payoff, Position, RemovalRule};
use crate::input::Rng;
use crate::model::{Diagnostic, Digest, Failure, ProblemId};
use crate::play::{BUDGET, BinaryTable, Match, MatchSetup, PlayLevel, PlayerKind, parse_numbers, turn_order};
use crate::problem::{Problem, load};
use crate::sandbox::Cancel;
use crate::service::{GameSource, ProblemSource, game_of, opening};
use crate::submissions::random_text;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::matches::LiveMatch;
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};

/// Maximum size of a body, in bytes.
const MAX_BODY: usize = 16 << 10;

/// Maximum number of legal moves in a state.
const MOVES: usize = 1_000;

/// Width of texts in columns. The page wraps them itself.
const WIDTH: usize = 10_000;

/// A new match.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "NewGame")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewGameJson {
    /// The id of a problem with a game.
    problem: String,
    #[serde(default)]
    level: LevelJson,
    #[serde(default)]
    first: SideJson,
    /// The start position, as `nimatron play --position` reads it. Without one, a random position is chosen that is won for
    /// the player.
    position: Option<String>,
}

/// The strength of the machine.
#[derive(Debug, Default, Clone, Copy, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameLevel")]
#[serde(rename_all = "lowercase")]
enum LevelJson {
    #[default]
    Perfect,
    Beginner,
}

/// A side of a match.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GameSide")]
#[serde(rename_all = "lowercase")]
pub(in crate::web) enum SideJson {
    #[default]
    You,
    Nimatron,
}

/// A move of the player.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameMove")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewMoveJson {
    r#move: MoveNumbersJson,
}

/// A move as numbers, or as text that contains them.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameMoveNumbers")]
#[serde(untagged)]
enum MoveNumbersJson {
    Numbers(Vec<u64>),
    Text(String),
}

/// The state of a match.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Game")]
pub(in crate::web) struct GameJson {
    id: String,
    problem: String,
    level: &'static str,
    /// The rules in a few sentences.
    rules: String,
    /// How a move is typed, as it follows the word "Type".
    syntax: &'static str,
    position: PositionJson,
    /// The legal moves, at most 1,000.
    moves: Vec<MoveJson>,
    /// Whether `moves` has all legal moves.
    complete: bool,
    /// The players in the order of turns.
    players: Vec<PlayerJson>,
    /// The index of the player to move.
    turn: usize,
    history: Vec<PlayedJson>,
    ended: bool,
    winner: Option<SideJson>,
    /// The result in a sentence.
    result: Option<String>,
    /// How an ended match was decided.
    review: Vec<String>,
}

/// A position. Vertices, cells, heaps and steps count from 1.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GamePosition")]
struct PositionJson {
    /// `heaps`, `stacks`, `row`, `cells`, `graph`, `tokens` or `counter`.
    kind: &'static str,
    /// Sizes of heaps, stacks or steps; occupied cells; vertices that are left; places of tokens; or the number.
    numbers: Vec<u64>,
    /// The position as a text.
    text: String,
    /// Tokens that are still to be placed on stacks.
    to_place: Option<u64>,
    /// The target of a counting game.
    limit: Option<u64>,
    /// The sides of a grid; the number of cells of a circle.
    grid: Option<Vec<usize>>,
    circle: Option<usize>,
    /// The number of vertices of a graph.
    vertices: Option<usize>,
    /// The edges that are left, as number and ends. The edges of a graph with tokens have a direction.
    edges: Option<Vec<[usize; 3]>>,
    /// Whether moves remove edges and not vertices.
    removes_edges: bool,
    /// Whether moves replace a heap by several.
    splits: bool,
}

/// A legal move.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "LegalMove")]
struct MoveJson {
    numbers: Vec<u64>,
    text: String,
}

/// A player of a match.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GamePlayer")]
struct PlayerJson {
    side: SideJson,
    name: String,
    /// The number of objects taken, if it counts for the result.
    taken: Option<u64>,
}

/// A move that was made.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "PlayedMove")]
struct PlayedJson {
    /// The index of the player.
    player: usize,
    numbers: Vec<u64>,
    text: String,
    /// The position before the move.
    before: String,
}

/// A hint.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GameHint")]
pub(in crate::web) struct HintJson {
    /// The suggested move.
    numbers: Option<Vec<u64>>,
    text: Option<String>,
    wins: bool,
    /// The explanation.
    sentences: Vec<String>,
    /// The numbers that decide the position, in binary.
    table: Option<HintTableJson>,
}

/// The numbers that decide a position.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GameHintTable")]
struct HintTableJson {
    /// Meaning of the numbers; empty if they are the sizes.
    what: String,
    /// Name, number and binary digits of each part; the last line has the sums.
    lines: Vec<[String; 3]>,
}

/// The problem of this id, if it has a game.
pub(in crate::web) fn problem_with_game(state: &WebState, actor: &Actor, id: &str) -> WebResult<Problem> {
    let listing = state.listing(actor)?;
    let missing = || WebError::missing(format!("there is no game `{id}`")).help("GET /games lists the games");
    let known: ProblemId = id.parse().map_err(|_| missing())?;
    match listing.source(&known) {
        Some(ProblemSource::Native(path)) => Ok(load(path)?).and_then(|problem| match problem.game {
            Some(_) => Ok(problem),
            None => Err(missing()),
        }),
        _ => Err(missing()),
    }
}

/// `POST /api/v1/games`.
pub(in crate::web) async fn create(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let asked: NewGameJson = read_json(body, MAX_BODY).await?;
    blocking(move || {
        let problem = problem_with_game(&state, &actor, &asked.problem)?;
        let mut rng = Rng::from_digest(&Digest::of(random_text().map_err(Failure::from)?.as_bytes()));
        let found = start(&problem, &asked, &mut rng)?;
        let (level, name) = match asked.level {
            LevelJson::Perfect => (PlayLevel::Perfect, "perfect"),
            LevelJson::Beginner => (PlayLevel::Beginner, "beginner"),
        };
        let setup = MatchSetup {
            turn_order: turn_order(
                (PlayerKind::Human, PlayerKind::Machine),
                found.game.rules.players as usize,
                asked.first == SideJson::You,
            ),
            game: found.game,
            level,
            rng,
            budget: BUDGET,
            width: WIDTH,
        };
        let mut game = Match::new(setup);
        game.begin();
        let problem = problem.id;
        let id = state.matches.add(actor.person(), LiveMatch { problem, level: name, game }).map_err(Failure::from)?;
        answer(&state, &actor, &id, StatusCode::CREATED, |_| Ok(()))
    })
    .await
}

fn start(problem: &Problem, asked: &NewGameJson, rng: &mut Rng) -> WebResult<GameSource> {
    match asked.position.as_deref().filter(|text| !text.trim().is_empty()) {
        None => Ok(opening(problem, asked.first == SideJson::You, rng, &Cancel::new().map_err(Failure::from)?)?),
        Some(text) => {
            let complaint = |why: String| Diagnostic::new(format!("the start position can't be used: {why}"));
            let found = game_of(problem, None)?.at(text).map_err(|why| {
                complaint(why).help("examples: `3 5 6`; for stacks `0 0 + 4`; for cells their numbers or `##.#`")
            })?;
            Ok(found)
        }
    }
}

/// `GET /api/v1/games/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || answer(&state, &actor, &id, StatusCode::OK, |_| Ok(()))).await
}

/// `POST /api/v1/games/{id}/moves`.
pub(in crate::web) async fn make_move(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    let NewMoveJson { r#move } = read_json(body, MAX_BODY).await?;
    blocking(move || {
        answer(&state, &actor, &id, StatusCode::OK, |game| {
            let numbers = match r#move {
                MoveNumbersJson::Numbers(numbers) => numbers,
                MoveNumbersJson::Text(text) => parse_numbers(&text.to_lowercase()).ok_or_else(|| {
                    WebError::unprocessable("there are no numbers of a move")
                        .help(format!("write {}", game.move_syntax()))
                })?,
            };
            game.make_move(&numbers).map(|_| ()).map_err(WebError::unprocessable)
        })
    })
    .await
}

/// `POST /api/v1/games/{id}/undo`.
pub(in crate::web) async fn undo(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        answer(&state, &actor, &id, StatusCode::OK, |game| match game.take_back() {
            true => Ok(()),
            false => Err(WebError::unprocessable("you have no move to take back")),
        })
    })
    .await
}

/// `POST /api/v1/games/{id}/hint`.
pub(in crate::web) async fn hint(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let live = find(&state, &actor, &id)?;
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if live.game.result().is_some() {
            return Err(WebError::unprocessable("the match is over"));
        }
        let hint = live.game.hint();
        let lines =
            |table: &BinaryTable| table.lines().into_iter().map(|line| [line.name, line.number, line.digits]).collect();
        let json = HintJson {
            numbers: hint.step.as_ref().map(Move::numbers),
            text: hint.step.as_ref().map(ToString::to_string),
            wins: hint.wins,
            table: hint.table.as_ref().map(|table| HintTableJson { what: table.what.clone(), lines: lines(table) }),
            sentences: hint.sentences,
        };
        Ok(json_of(StatusCode::OK, &json))
    })
    .await
}

fn find(state: &WebState, actor: &Actor, id: &str) -> WebResult<Arc<Mutex<LiveMatch>>> {
    state.matches.find(actor.person(), id).ok_or_else(|| {
        WebError::missing("there is no match with this id")
            .help("the server keeps the latest 200 matches until it ends; start a new one")
    })
}

/// Changes a match, and answers with its state.
fn answer(
    state: &WebState,
    actor: &Actor,
    id: &str,
    status: StatusCode,
    change: impl FnOnce(&mut Match) -> WebResult<()>,
) -> WebResult {
    let live = find(state, actor, id)?;
    let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
    change(&mut live.game)?;
    let review = live.game.review();
    Ok(json_of(status, &state_of(id, &live, review)))
}

fn state_of(id: &str, live: &LiveMatch, review: Vec<String>) -> GameJson {
    let game = &live.game;
    let side = |kind: PlayerKind| if kind == PlayerKind::Human { SideJson::You } else { SideJson::Nimatron };
    let counts = game.rules().payoff == Payoff::WinThenTaken;
    let player = |(turn, kind): (usize, &PlayerKind)| PlayerJson {
        side: side(*kind),
        name: game.name(turn),
        taken: game.taken().get(turn).copied().filter(|_| counts),
    };
    let mut moves = game.legal_moves(MOVES + 1);
    let complete = moves.len() <= MOVES;
    moves.truncate(MOVES);
    let played = game.played().map(|past| PlayedJson {
        player: past.turn,
        numbers: past.step.numbers(),
        text: past.step.to_string(),
        before: past.before.to_string(),
    });
    GameJson {
        id: id.to_owned(),
        problem: live.problem.to_string(),
        level: live.level,
        rules: game.rules_text(),
        syntax: game.move_syntax(),
        position: position_of(game.rules(), game.position()),
        moves: moves.iter().map(|step| MoveJson { numbers: step.numbers(), text: step.to_string() }).collect(),
        complete,
        players: game.turn_order().iter().enumerate().map(player).collect(),
        turn: game.turn(),
        history: played.collect(),
        ended: game.result().is_some(),
        winner: game.winner().map(side),
        result: game.result(),
        review,
    }
}

fn position_of(rules: &BoundRules, position: &Position) -> PositionJson {
    let one = |index: usize| index as u64 + 1;
    let (kind, numbers) = match position {
        Position::Heaps(sizes) => ("heaps", sizes.clone()),
        Position::Row(steps) => ("row", steps.clone()),
        Position::Stacks { heights, .. } => ("stacks", heights.clone()),
        Position::Cells(cells) => ("cells", cells.iter().map(one).collect()),
        Position::Graph { vertices, .. } => ("graph", vertices.iter().map(one).collect()),
        Position::Tokens(places) => ("tokens", places.iter().map(|place| one(*place)).collect()),
        Position::Counter(number) => ("counter", vec![*number]),
    };
    let edges = match (&rules.board, position) {
        (Board::Dag(dag), _) => {
            let from = dag.heads.iter().enumerate();
            Some(
                from.flat_map(|(tail, heads)| heads.iter().map(move |(edge, head)| [edge + 1, tail + 1, head + 1]))
                    .collect(),
            )
        }
        (Board::Graph(graph), Position::Graph { vertices, edges }) => {
            let all = graph.edges.iter().enumerate();
            let left = all.filter(|(edge, (a, b))| edges.has(*edge) && vertices.has(*a) && vertices.has(*b));
            Some(left.map(|(edge, (a, b))| [edge + 1, a + 1, b + 1]).collect())
        }
        _ => None,
    };
    let vertices = match &rules.board {
        Board::Dag(dag) => Some(dag.heads.len()),
        Board::Graph(graph) => Some(graph.vertices),
        _ => None,
    };
    let limit = rules.move_rules.iter().find_map(|rule| match rule {
        MoveRule::Add { limit, .. } => Some(*limit),
        _ => None,
    });
    PositionJson {
        kind,
        numbers,
        text: position.to_string(),
        to_place: match position {
            Position::Stacks { tokens, .. } => Some(*tokens),
            _ => None,
        },
        limit,
        grid: match &rules.board {
            Board::Grid(sides) => Some(sides.clone()),
            _ => None,
        },
        circle: match &rules.board {
            Board::Circle(length) => Some(*length),
            _ => None,
        },
        vertices,
        edges,
        removes_edges: rules.move_rules.contains(&MoveRule::Remove(RemovalRule::GraphPart(GraphPart::EdgesAtVertex))),
        splits: rules.move_rules.iter().any(|rule| matches!(rule, MoveRule::Split { .. } | MoveRule::Octal(_))),
    }
}

/// The game of a problem with the values of its first sample.
pub(in crate::web) fn sample_game(problem: &Problem) -> WebResult<Game> {
    Ok(game_of(problem, None)?.game)
}
