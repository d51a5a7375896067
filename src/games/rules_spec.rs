//! Rules as data: the contents of `game:` in `problem.yaml`.
//!
//! A number is a literal, or the name of an input value with an optional offset (`r`, `L-1`).
//! [`RulesSpec::bind`](super::RulesSpec::bind) replaces names with the values of an input. Some types are therefore
//! generic: `MoveRule<NumberExpr, NumberListExpr>` is a kind of move as written, and [`BoundMoveRule`] is a kind of
//! move whose numbers are known.

use super::grundy::OctalCode;

/// The rules of a game as written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "super::raw_rules::RawRules")]
pub struct RulesSpec {
    /// The kind of position, and the input values that it is built from.
    pub position: PositionSpec,
    /// The kinds of moves that a player may make.
    pub moves: Vec<MoveRule>,
    /// Whether the last mover wins (normal play) or loses (misère play).
    pub last_mover: LastMover,
    /// The number of players. With more than two players, the last mover comes first, the player before the last mover
    /// comes second, and so on backwards.
    pub players: NumberExpr,
    /// The objective of the players.
    pub payoff: Payoff,
    /// Phases of the game: placing tokens, then play. Empty for most games.
    pub phases: Vec<GamePhase>,
}

/// Whether the player who makes the last move wins or loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LastMover {
    /// Normal play: a player who cannot move loses.
    Wins,
    /// Misère play: a player who cannot move wins.
    Loses,
}

/// The objective of the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Payoff {
    /// Winning or, with more than two players, finishing in the best possible place.
    #[default]
    Outcome,
    /// Winning and, as a secondary aim, taking as many objects as possible.
    WinThenTaken,
}

/// A number: a literal, or the name of an input value with an offset.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NumberExpr {
    /// A literal number.
    Literal(u64),
    /// An input value plus an offset, such as `L-1`.
    Named {
        /// Name of the input value.
        name: String,
        /// Number added to the value.
        offset: i64,
    },
}

/// A list of numbers, as its elements or as the name of an input array.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NumberListExpr {
    /// The elements. The name of an array stands for all its elements.
    Listed(Vec<NumberExpr>),
    /// The input array of this name.
    Named(String),
}

/// The kind of position, and the input values that its parts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionSpec {
    /// Heaps of objects, in any order.
    Heaps {
        /// Sizes of the heaps.
        sizes: NumberListExpr,
        /// Whether empty heaps are part of the position.
        keep_empty: bool,
    },
    /// Numbers of objects on the steps of a staircase, from the lowest step up.
    Row(NumberListExpr),
    /// Occupied cells of a grid or circle.
    Cells(CellsSpec),
    /// An undirected graph whose parts are removed.
    Graph {
        /// Number of vertices.
        vertices: NumberExpr,
        /// Names of the two input arrays with the ends of the edges.
        edges: (String, String),
        /// Number of the first vertex in the input, usually 1.
        base: u64,
    },
    /// Tokens on the vertices of a directed acyclic graph.
    Tokens {
        /// The vertex of each token.
        tokens: NumberListExpr,
        /// Number of vertices. Default: the smallest number for which all vertices of the tokens and edges exist.
        vertices: Option<NumberExpr>,
        /// Names of the input arrays with the tails and heads of the edges.
        edges: (String, String),
        /// Number of the first vertex in the input, usually 1.
        base: u64,
    },
    /// A counter with its initial value. Each move increases the counter.
    Counter(NumberExpr),
    /// Stacks on which tokens are placed first, and from which objects are taken when no token is left.
    Stacks {
        /// Number of empty stacks, or the name of an array with the heights of the stacks.
        stacks: NumberExpr,
        /// Number of tokens to place.
        tokens: NumberExpr,
    },
}

/// The board of a game on cells, and the cells that are occupied at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellsSpec {
    /// Name of the input value with the occupied cells: a picture (one word, or one word for each row) or an array of
    /// zeros and ones. `None` if all cells are occupied.
    pub picture: Option<String>,
    /// Whether the cells form a circle. Otherwise they form a grid.
    pub circle: bool,
    /// Side lengths; the coordinate along the last side varies fastest. `None` means the size of the picture.
    pub size: Option<NumberListExpr>,
    /// The character of an occupied cell in a picture.
    pub occupied: char,
}

/// A kind of move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MoveRule<N = NumberExpr, S = NumberListExpr> {
    /// A move that takes objects from heaps.
    Take {
        /// The amounts that may be taken from a chosen heap.
        amount: AllowedAmounts<N, S>,
        /// The heaps that may be chosen.
        from: HeapChoice<N>,
        /// Whether the move takes the same amount from each chosen heap.
        same: bool,
    },
    /// A move that replaces one heap by several smaller heaps.
    Split {
        /// Number of new heaps.
        parts: N,
        /// Whether the new heaps must have different sizes.
        distinct: bool,
        /// Whether the new heaps must hold as many objects in total as the replaced heap.
        total: SplitTotal,
        /// Smallest allowed size of a new heap.
        min: N,
    },
    /// A move that takes from a heap and may split the remaining objects in two, as an octal code specifies.
    Octal(OctalCode),
    /// A move of objects from a step to the step below it.
    Slide {
        /// The amounts that may be moved.
        amount: AllowedAmounts<N, S>,
        /// Whether the objects on the lowest step are fixed. Otherwise, a move from that step removes objects from the
        /// game.
        frozen: bool,
    },
    /// A move that removes cells, vertices or edges.
    Remove(RemovalRule<N, S>),
    /// A move of one token along one edge.
    Walk,
    /// A move that adds to the counter.
    Add {
        /// Smallest number that may be added.
        from: N,
        /// Largest number that may be added.
        to: N,
        /// The largest value that the counter may reach.
        limit: N,
    },
}

impl<N, S> MoveRule<N, S> {
    /// Returns the key that defines a move of this kind in `game:`.
    pub(crate) fn keyword(&self) -> &'static str {
        match self {
            MoveRule::Take { .. } => "take",
            MoveRule::Split { .. } => "split",
            MoveRule::Octal(_) => "octal",
            MoveRule::Slide { .. } => "slide",
            MoveRule::Remove(_) => "remove",
            MoveRule::Walk => "walk",
            MoveRule::Add { .. } => "add",
        }
    }
}

/// The amounts that a move may take.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AllowedAmounts<N = NumberExpr, S = NumberListExpr> {
    /// Any amount of at least 1.
    Any,
    /// Any amount from 1 to this number.
    UpTo(N),
    /// Any of these amounts.
    In(S),
}

/// The heaps that a move may take from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HeapChoice<N = NumberExpr> {
    /// One heap.
    One,
    /// From 1 to this number of heaps.
    UpTo(N),
    /// Any number of heaps, at least one.
    UpToAll,
    /// One of the largest heaps.
    Largest,
    /// Every heap. The move is not allowed while a heap is empty.
    Every,
}

/// Whether a split preserves the number of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SplitTotal {
    /// The new heaps hold exactly as many objects in total as the replaced heap.
    Same,
    /// The new heaps hold any number of objects in total, but each of them holds fewer than the replaced heap.
    Any,
}

/// The part of the position that a move removes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RemovalRule<N = NumberExpr, S = NumberListExpr> {
    /// A run of consecutive occupied cells on a line or circle. Contains the allowed lengths of the run.
    Run(AllowedAmounts<N, S>),
    /// A part of a graph.
    GraphPart(GraphPart),
}

/// A part of a graph that a move can remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GraphPart {
    /// One vertex and its edges.
    Vertex,
    /// The two ends of an edge.
    EdgeEnds,
    /// A clique: vertices that are pairwise adjacent.
    Clique,
    /// A connected set of vertices.
    Connected,
    /// One or more edges at one vertex. The vertices are not removed.
    EdgesAtVertex,
}

/// A phase of a game: placing tokens, or making moves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GamePhase<N = NumberExpr, S = NumberListExpr> {
    /// A phase in which each turn places this number of tokens on one stack, until no token is left.
    Place(N),
    /// A phase in which the players make moves of these kinds until no move is left.
    Play(Vec<MoveRule<N, S>>),
}

/// A kind of move whose numbers are bound to an input.
pub type BoundMoveRule = MoveRule<u64, Vec<u64>>;

/// The allowed amounts of a bound kind of move.
pub type BoundAmounts = AllowedAmounts<u64, Vec<u64>>;
