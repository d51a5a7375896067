//! A grammar as a tree.

use std::sync::Arc;

use super::decimal::Decimal;
use super::int::Int;

/// A variable with its indices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) indices: Vec<Expr>,
}

/// An expression or a test.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Int(Int),
    Float(Decimal),
    Text(Arc<[u8]>),
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

impl Expr {
    /// Whether it is true or false and no value.
    pub(super) fn is_test(&self) -> bool {
        match self {
            Expr::Not(_) | Expr::Match(_) | Expr::AtEnd | Expr::Unique(_) | Expr::InArray(..) => true,
            Expr::Binary(operator, ..) => operator.compares() || operator.joins(),
            Expr::Int(_) | Expr::Float(_) | Expr::Text(_) | Expr::Variable(_) | Expr::Length(_) | Expr::Minus(_) => {
                false
            }
        }
    }
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

impl Operator {
    /// It makes a test of two values.
    pub(super) fn compares(self) -> bool {
        use Operator::{AtLeast, AtMost, Differs, Equal, Greater, Less};
        matches!(self, Less | Greater | AtMost | AtLeast | Equal | Differs)
    }

    /// It makes a test of two tests.
    pub(super) fn joins(self) -> bool {
        matches!(self, Operator::Or | Operator::And)
    }
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
