//! Endpoints for matches against the machine.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::games::{Board, BoundRules, Game, GraphPart, Move, MoveRule, Payoff, Position, RemovalRule};
use crate::input::Rng;
use crate::model::{Diagnostic, Digest, Failure, ProblemId};
use crate::play::{BUDGET, BinaryTable, Match, MatchSetup, PlayLevel, PlayerKind, WORK, parse_numbers, turn_order};
use crate::problem::{Problem, load};
use crate::sandbox::Cancel;
use crate::service::{GameSource, ProblemSource, game_of, start_position};
use crate::submissions::random_text;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::matches::LiveMatch;
use super::super::state::WebState;
use super::json::{json_of, read_json};

/// Maximum size of a request body, in bytes.
const MAX_BODY: usize = 16 << 10;

/// Maximum length of a typed position, in bytes. The memory that a search needs grows with the length.
pub(in crate::web) const LONGEST_POSITION: usize = 400;

/// Maximum total size of the moves that a search of a match enumerates, in 64-bit words, if the start position was
/// typed. A typed position may be large.
const TYPED_WORK: u64 = 2_000_000;

/// Maximum number of legal moves in a response.
const MOVES: usize = 1_000;

/// Maximum width of the lines of a drawn position, in columns.
const WIDTH: usize = 10_000;

/// Body of `POST /api/v1/games`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "NewGame")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewGameJson {
    /// Id of a problem with a game.
    problem: String,
    #[serde(default)]
    level: LevelJson,
    #[serde(default)]
    first: SideJson,
    /// Start position, in the syntax of `nimatron play --position`. By default, a random position that the player can
    /// win, if one is found.
    position: Option<String>,
}

/// Playing strength of the machine.
#[derive(Debug, Default, Clone, Copy, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameLevel")]
#[serde(rename_all = "lowercase")]
enum LevelJson {
    #[default]
    Perfect,
    Beginner,
}

/// A side of a match: the user or the machine.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GameSide")]
#[serde(rename_all = "lowercase")]
pub(in crate::web) enum SideJson {
    #[default]
    You,
    Nimatron,
}

/// Body of `POST /api/v1/games/{id}/moves`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameMove")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewMoveJson {
    r#move: MoveNumbersJson,
}

/// A move, as a list of numbers or as text that contains the numbers.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "GameMoveNumbers")]
#[serde(untagged)]
enum MoveNumbersJson {
    Numbers(Vec<u64>),
    Text(String),
}

/// State of a match.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Game")]
pub(in crate::web) struct GameJson {
    id: String,
    problem: String,
    level: &'static str,
    /// Rules in a few sentences.
    rules: String,
    /// Syntax of a move, as a phrase that can follow the word "Type".
    syntax: &'static str,
    position: PositionJson,
    /// Legal moves, at most 1,000.
    moves: Vec<MoveJson>,
    /// Whether `moves` contains all legal moves.
    complete: bool,
    /// Players in turn order.
    players: Vec<PlayerJson>,
    /// Index of the player to move.
    turn: usize,
    history: Vec<PlayedJson>,
    ended: bool,
    winner: Option<SideJson>,
    /// Result of an ended match, as a sentence; null before the end.
    result: Option<String>,
    /// Explanation of how an ended match was decided; empty for students while an assignment with the problem is open.
    review: Vec<String>,
}

/// A position. Vertices, cells, heaps and steps are numbered from 1.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GamePosition")]
struct PositionJson {
    /// Kind: `heaps`, `stacks`, `row`, `cells`, `graph`, `tokens` or `counter`.
    kind: &'static str,
    /// Sizes of heaps, stacks or steps; occupied cells; remaining vertices; vertices with tokens; or the value of the
    /// counter.
    numbers: Vec<u64>,
    /// The position as text.
    text: String,
    /// Number of tokens that have not been placed on a stack yet; null unless the kind is `stacks`.
    to_place: Option<u64>,
    /// Target of a counting game; null if there is none.
    limit: Option<u64>,
    /// Side lengths of a grid; null if the cells form no grid.
    grid: Option<Vec<usize>>,
    /// Number of cells of a circle; null if the cells form no circle.
    circle: Option<usize>,
    /// Number of vertices of a graph; null if there is no graph.
    vertices: Option<usize>,
    /// Remaining edges, each as its number and its ends; null if there is no graph. The edges of a graph with tokens
    /// are directed.
    edges: Option<Vec<[usize; 3]>>,
    /// Whether a move removes edges instead of vertices.
    removes_edges: bool,
    /// Whether a move may split a heap.
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
    /// Number of objects that the player has taken; null if it does not affect the result.
    taken: Option<u64>,
}

/// A move that was made in a match.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "PlayedMove")]
struct PlayedJson {
    /// Index of the player who made the move.
    player: usize,
    numbers: Vec<u64>,
    text: String,
    /// Position before the move, as text.
    before: String,
}

/// A hint for the player.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GameHint")]
pub(in crate::web) struct HintJson {
    /// Numbers of the suggested move; null if there is no move.
    numbers: Option<Vec<u64>>,
    text: Option<String>,
    wins: bool,
    /// Explanation of the hint.
    sentences: Vec<String>,
    /// Numbers that determine whether the position is won, in binary; null if no such numbers are known.
    table: Option<HintTableJson>,
}

/// Table of the numbers that determine whether a position is won.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GameHintTable")]
struct HintTableJson {
    /// Meaning of the numbers; empty if they are the sizes of the parts.
    what: String,
    /// Lines of the table, each with a name, a number and digits. There is a line with the binary digits of each part
    /// of the position, and a last line with the sum of each column, modulo the modulus of the game. The number in the
    /// last line is empty unless the modulus is 2.
    lines: Vec<[String; 3]>,
}

/// Returns the problem with this id if it has a game.
pub(in crate::web) fn problem_with_game(state: &WebState, actor: &Actor, id: &str) -> WebResult<Problem> {
    let listing = state.listing(actor)?;
    let missing = || WebError::missing(format!("there is no game `{id}`")).help("open `/games` for the list of games");
    let known: ProblemId = id.parse().map_err(|_| missing())?;
    match listing.source(&known) {
        Some(ProblemSource::Native(path)) => Ok(load(path)?).and_then(|problem| match problem.game {
            Some(_) => Ok(problem),
            None => Err(missing()),
        }),
        _ => Err(missing()),
    }
}

/// Handles `POST /api/v1/games`.
pub(in crate::web) async fn create(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let asked: NewGameJson = read_json(body, MAX_BODY).await?;
    let work = move |state: &WebState, actor: &Actor| {
        let problem = problem_with_game(state, actor, &asked.problem)?;
        let mut rng = Rng::from_digest(&Digest::of(random_text().map_err(Failure::from)?.as_bytes()));
        let found = start(&problem, &asked, &mut rng)?;
        let is_typed = asked.position.is_some();
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
            work: if is_typed { TYPED_WORK } else { WORK },
            width: WIDTH,
        };
        let mut game = Match::new(setup);
        game.begin();
        let problem = problem.id;
        let id = state.matches.add(actor.person(), LiveMatch { problem, level: name, game }).map_err(Failure::from)?;
        answer(state, actor, &id, StatusCode::CREATED, |_| Ok(()))
    };
    state.computing(actor, work).await
}

fn start(problem: &Problem, asked: &NewGameJson, rng: &mut Rng) -> WebResult<GameSource> {
    match asked.position.as_deref().filter(|text| !text.trim().is_empty()) {
        None => Ok(start_position(problem, asked.first == SideJson::You, rng, &Cancel::new().map_err(Failure::from)?)?),
        Some(text) if text.len() > LONGEST_POSITION => {
            let found = text.len();
            let message = format!("the start position has {found} bytes, but at most {LONGEST_POSITION} are allowed");
            Err(WebError::unprocessable(message))
        }
        Some(text) => {
            let complaint = |why: String| Diagnostic::new(format!("invalid start position: {why}"));
            let found = game_of(problem, None)?.at(text).map_err(|why| {
                complaint(why)
                    .help("write, for example, `3 5 6` for heaps, `0 0 + 4` for stacks, `1 2 4` or `##.#` for cells")
            })?;
            Ok(found)
        }
    }
}

/// Handles `GET /api/v1/games/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    state.computing(actor, move |state, actor| answer(state, actor, &id, StatusCode::OK, |_| Ok(()))).await
}

/// Handles `POST /api/v1/games/{id}/moves`.
pub(in crate::web) async fn make_move(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    let NewMoveJson { r#move } = read_json(body, MAX_BODY).await?;
    let work = move |state: &WebState, actor: &Actor| {
        answer(state, actor, &id, StatusCode::OK, |game| {
            let numbers = match r#move {
                MoveNumbersJson::Numbers(numbers) => numbers,
                MoveNumbersJson::Text(text) => parse_numbers(&text.to_lowercase()).ok_or_else(|| {
                    WebError::unprocessable(format!("expected a move, found `{text}`"))
                        .help(format!("write {}", game.move_syntax()))
                })?,
            };
            game.make_move(&numbers).map(|_| ()).map_err(WebError::unprocessable)
        })
    };
    state.computing(actor, work).await
}

/// Handles `POST /api/v1/games/{id}/undo`.
pub(in crate::web) async fn undo(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    let work = move |state: &WebState, actor: &Actor| {
        answer(state, actor, &id, StatusCode::OK, |game| match game.take_back() {
            true => Ok(()),
            false => Err(WebError::unprocessable("you have no move to take back")),
        })
    };
    state.computing(actor, work).await
}

/// Handles `POST /api/v1/games/{id}/hint`.
pub(in crate::web) async fn hint(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    let work = move |state: &WebState, actor: &Actor| {
        let live = find(state, actor, &id)?;
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        state.require_theory(actor, live.problem.as_str())?;
        if live.game.result().is_some() {
            return Err(WebError::unprocessable("the match is over, so there is no move to suggest"));
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
    };
    state.computing(actor, work).await
}

fn find(state: &WebState, actor: &Actor, id: &str) -> WebResult<Arc<Mutex<LiveMatch>>> {
    state.matches.find(actor.person(), id).ok_or_else(|| {
        WebError::missing(format!("there is no match with the id `{id}`"))
            .help("the server keeps only the latest matches and discards them when it restarts; start a new match")
    })
}

/// Calls `change` with a match, and responds with the new state of the match.
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
    let is_closed = state.closed_by(actor, live.problem.as_str())?.is_some();
    let review = if is_closed { Vec::new() } else { live.game.review() };
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

/// Returns the game of a problem, bound to the values of the problem's first sample.
pub(in crate::web) fn sample_game(problem: &Problem) -> WebResult<Game> {
    Ok(game_of(problem, None)?.game)
}
