//! The syntax tree of a grammar.

use std::sync::Arc;

use super::decimal::Decimal;
use super::integer::Integer;

/// A reference to a variable, with the expressions for its indices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct VariableRef {
    pub(super) name: String,
    pub(super) indices: Vec<CtdExpr>,
}

/// An expression or a test.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CtdExpr {
    Int(Integer),
    Float(Decimal),
    Text(Arc<[u8]>),
    Variable(VariableRef),
    Length(Box<CtdExpr>),
    Minus(Box<CtdExpr>),
    Not(Box<CtdExpr>),
    Binary(BinaryOperator, Box<CtdExpr>, Box<CtdExpr>),
    /// A test of whether a string contains the next character of the input.
    Match(Box<CtdExpr>),
    AtEnd,
    Unique(Vec<String>),
    InArray(Box<CtdExpr>, String),
}

impl CtdExpr {
    /// Returns whether the expression is a test rather than a value.
    pub(super) fn is_test(&self) -> bool {
        match self {
            CtdExpr::Not(_) | CtdExpr::Match(_) | CtdExpr::AtEnd | CtdExpr::Unique(_) | CtdExpr::InArray(..) => true,
            CtdExpr::Binary(operator, ..) => operator.is_comparison() || operator.is_logical(),
            CtdExpr::Int(_)
            | CtdExpr::Float(_)
            | CtdExpr::Text(_)
            | CtdExpr::Variable(_)
            | CtdExpr::Length(_)
            | CtdExpr::Minus(_) => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BinaryOperator {
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

impl BinaryOperator {
    /// Returns whether the operator compares two values.
    pub(super) fn is_comparison(self) -> bool {
        use BinaryOperator::{AtLeast, AtMost, Differs, Equal, Greater, Less};
        matches!(self, Less | Greater | AtMost | AtLeast | Equal | Differs)
    }

    /// Returns whether the operator combines two tests.
    pub(super) fn is_logical(self) -> bool {
        matches!(self, BinaryOperator::Or | BinaryOperator::And)
    }
}

/// The notation that a floating point number must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FloatNotation {
    Any,
    Fixed,
    Scientific,
}

/// A command, and its line in the grammar.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CtdCommand {
    pub(super) line: usize,
    pub(super) kind: CommandKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum CommandKind {
    Space,
    Newline,
    End,
    Int(CtdExpr, CtdExpr, Option<VariableRef>),
    Float {
        least: CtdExpr,
        most: CtdExpr,
        decimals: Option<(CtdExpr, CtdExpr)>,
        variable: Option<VariableRef>,
        notation: FloatNotation,
    },
    Text(CtdExpr),
    Regex(CtdExpr, Option<VariableRef>),
    Assert(CtdExpr),
    Set(Vec<(VariableRef, CtdExpr)>),
    Unset(Vec<String>),
    Repeat {
        variable: Option<VariableRef>,
        count: CtdExpr,
        separator: Option<Box<CtdCommand>>,
        body: Vec<CtdCommand>,
    },
    While {
        variable: Option<VariableRef>,
        test: CtdExpr,
        separator: Option<Box<CtdCommand>>,
        body: Vec<CtdCommand>,
    },
    If(CtdExpr, Vec<CtdCommand>, Vec<CtdCommand>),
}
