//! A grammar as a tree.

/// A variable with its indices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) indices: Vec<Expr>,
}

/// An expression or a test: which of both is seen when it is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
    Variable(Variable),
    Length(Box<Expr>),
    Minus(Box<Expr>),
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// The next character is one of these.
    Match(Box<Expr>),
    AtEnd,
    Unique(Vec<String>),
    InArray(Box<Expr>, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Differs,
    Plus,
    Minus,
    Times,
    Modulo,
    Divided,
    Power,
}

/// How a floating point number must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Any,
    Fixed,
    Scientific,
}

/// A command, with the line it is on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Command {
    pub(super) line: usize,
    pub(super) what: Action,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Space,
    Newline,
    End,
    Int(Expr, Expr, Option<Variable>),
    Float { least: Expr, most: Expr, decimals: Option<(Expr, Expr)>, variable: Option<Variable>, notation: Notation },
    Text(Expr),
    Regex(Expr, Option<Variable>),
    Assert(Expr),
    Set(Vec<(Variable, Expr)>),
    Unset(Vec<String>),
    Repeat { variable: Option<Variable>, count: Expr, separator: Option<Box<Command>>, body: Vec<Command> },
    While { variable: Option<Variable>, test: Expr, separator: Option<Box<Command>>, body: Vec<Command> },
    If(Expr, Vec<Command>, Vec<Command>),
}
