//! RulesSpec as data: what a person writes under `game:` to say what a position is and what a move may do.
//!
//! A number may stand literally or as the name of an input value (`r`, `L-1`); [`RulesSpec::bind`](super::Rules::bind)
//! puts the input's values in. The types are generic in that: `MoveRule<NumberExpr, NumberListExpr>` is written,
//! `BoundMoveRule` is bound.

use super::grundy::OctalCode;

/// The rules of a game as written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "super::raw_rules::RawRules")]
pub struct RulesSpec {
    /// What a position is made of, and which input values make one.
    pub position: PositionSpec,
    /// The kinds of moves; a player may make any one of them.
    pub moves: Vec<MoveRule>,
    /// Whether who moves last wins (normal play) or loses (misère).
    pub last_mover: LastMover,
    /// How many players take turns; with more than two the last mover is first, the player before him second, and
    /// so on backwards.
    pub players: NumberExpr,
    /// What the players play for.
    pub payoff: Payoff,
    /// What happens before the moves begin; empty for nearly every game.
    pub phases: Vec<GamePhase>,
}

/// Who wins at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LastMover {
    /// Normal play: who cannot move loses.
    Wins,
    /// Misère play: who cannot move wins.
    Loses,
}

/// What the players play for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Payoff {
    /// To win (or for the best place).
    #[default]
    Outcome,
    /// First to win, then to have taken as many objects as possible.
    WinThenTaken,
}

/// A number: literal, or the name of an input value with an offset.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NumberExpr {
    /// The number itself.
    Literal(u64),
    /// The input value of this name, plus an offset (`L-1`).
    Named {
        /// The input value.
        name: String,
        /// What is added.
        offset: i64,
    },
}

/// Several numbers: listed, or the name of an array in the input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NumberListExpr {
    /// Each by itself; a name of an array stands for all its values.
    Listed(Vec<NumberExpr>),
    /// The input value of this name.
    Named(String),
}

/// What a position is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionSpec {
    /// Heaps of objects, in no order.
    Heaps {
        /// Their sizes.
        sizes: NumberListExpr,
        /// Whether empty heaps make a difference.
        keep_empty: bool,
    },
    /// Steps of a staircase, from the lowest.
    Row(NumberListExpr),
    /// Occupied cells of a board.
    Cells(CellsSpec),
    /// A graph that is taken apart.
    Graph {
        /// The number of vertices.
        vertices: NumberExpr,
        /// The ends of the edges.
        edges: (String, String),
        /// The number of the first vertex.
        base: u64,
    },
    /// Tokens on the vertices of a directed acyclic graph.
    Tokens {
        /// Where the tokens stand.
        tokens: NumberListExpr,
        /// The number of vertices; without it, as many as the edges and tokens need.
        vertices: Option<NumberExpr>,
        /// Tails and heads of the edges.
        edges: (String, String),
        /// The number of the first vertex.
        base: u64,
    },
    /// A number that grows.
    Counter(NumberExpr),
    /// Stacks that are built before they are played on.
    Stacks {
        /// How many empty stacks; if it names an array, the heights of the stacks.
        stacks: NumberExpr,
        /// How many tokens are still to be placed.
        tokens: NumberExpr,
    },
}

/// Which cells of which board are occupied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellsSpec {
    /// The input value that tells the occupied cells: a picture (a word, or a word a row) or an array of zeros and
    /// ones. `None` is the full board.
    pub picture: Option<String>,
    /// Whether the cells stand in a circle; otherwise on a board with straight lines.
    pub circle: bool,
    /// The lengths of the board's sides, the last one running fastest; without it, as the picture has it.
    pub size: Option<NumberListExpr>,
    /// The character of an occupied cell.
    pub occupied: char,
}

/// A kind of move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MoveRule<N = NumberExpr, S = NumberListExpr> {
    /// Takes objects from heaps.
    Take {
        /// How many from a chosen heap.
        amount: AllowedAmounts<N, S>,
        /// Which heaps.
        from: HeapChoice<N>,
        /// Whether the same number must be taken from each chosen heap.
        same: bool,
    },
    /// Puts several smaller heaps in the place of one.
    Split {
        /// How many there are afterwards.
        parts: N,
        /// Whether their sizes must all differ.
        distinct: bool,
        /// What they hold together.
        total: SplitTotal,
        /// The smallest size allowed.
        min: N,
    },
    /// Takes from a heap and perhaps breaks the rest, as an octal code tells.
    Octal(OctalCode),
    /// Moves objects from a step to the one below.
    Slide {
        /// How many.
        amount: AllowedAmounts<N, S>,
        /// Whether objects of the lowest step cannot be moved; otherwise they leave the game.
        frozen: bool,
    },
    /// Removes cells, vertices or edges.
    Remove(RemovalRule<N, S>),
    /// Pushes one token along one edge.
    Walk,
    /// Adds to the counter.
    Add {
        /// The least that may be added.
        from: N,
        /// The most that may be added.
        to: N,
        /// What the counter may not exceed.
        limit: N,
    },
}

/// How many objects a move takes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AllowedAmounts<N = NumberExpr, S = NumberListExpr> {
    /// One or more.
    Any,
    /// One to this many.
    UpTo(N),
    /// One of these.
    In(S),
}

/// The heaps that a move takes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HeapChoice<N = NumberExpr> {
    /// One heap.
    One,
    /// At least one and at most this many.
    UpTo(N),
    /// At least one and at most all.
    UpToAll,
    /// One heap of the largest size.
    Largest,
    /// Every heap, the empty ones too (so that an empty heap forbids the move).
    Every,
}

/// What the parts of a split heap hold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SplitTotal {
    /// As much as the heap did.
    Same,
    /// Anything; each part is smaller than the heap was.
    Any,
}

/// What a move removes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RemovalRule<N = NumberExpr, S = NumberListExpr> {
    /// Consecutive occupied cells of a line.
    Run(AllowedAmounts<N, S>),
    /// Parts of a graph.
    GraphPart(GraphPart),
}

/// What a move removes from a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GraphPart {
    /// One vertex with its edges.
    Vertex,
    /// The two ends of an edge.
    EdgeEnds,
    /// Vertices that are all joined to each other.
    Clique,
    /// Vertices that hang together.
    Connected,
    /// One or more edges at one vertex; the vertices stay.
    EdgesAtVertex,
}

/// A part of a game that is played in parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GamePhase<N = NumberExpr, S = NumberListExpr> {
    /// Each turn puts this many tokens on one stack, until none is left.
    Place(N),
    /// These moves, to the end.
    Play(Vec<MoveRule<N, S>>),
}

/// A kind of move whose numbers are bound.
pub type BoundMoveRule = MoveRule<u64, Vec<u64>>;

/// The amounts of a bound move.
pub type BoundAmounts = AllowedAmounts<u64, Vec<u64>>;
