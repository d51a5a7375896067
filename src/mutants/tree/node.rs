//! Nodes of a syntax tree.

use std::ops::Range;

/// The return type that is recorded for a `main` function, whose return value is an exit code in C and C++.
pub(crate) const MAIN: &str = "main";

/// Maximum height of a tree. It is limited because the code that walks trees is recursive.
const HIGHEST: u32 = 200;

/// The kind of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A name, or a keyword that denotes a value, such as `this`.
    Name,
    /// A number literal.
    Number,
    /// A string literal.
    Text,
    /// A character literal.
    Character,
    /// `true` or `false`.
    Boolean,
    /// An expression in parentheses.
    Group,
    /// A call. The children are the function and then the arguments.
    Call,
    /// An indexed value. The children are the value and then the index.
    Index,
    /// A range of indices. The children are its ends in the order of the text; an omitted end has no node.
    Slice,
    /// A field or method of the only child. The sign of the node is the name of the field or method.
    Member,
    /// A prefix operator and its operand.
    Prefix,
    /// A postfix operator and its operand.
    Postfix,
    /// A binary operator with its operands.
    Binary,
    /// An assignment. The children are the target and then the value.
    Assignment,
    /// A list, map or object in brackets.
    List,
    /// A condition, such as that of an `if`. The only child is the expression.
    Condition,
    /// A function, with its return type if the type is known. The children are its statements, or the expression
    /// that is its body.
    Function(Option<String>),
    /// Constant code, which can't be switched at run time.
    Fixed,
    /// A sequence of statements. The children are the statements in the order of the text.
    Block,
    /// The body of a loop.
    Loop,
    /// A statement that consists of an expression.
    Statement,
    /// A `return` statement. The only child is the returned value, if there is one.
    Return,
    /// A jump such as `break` or `continue`.
    Jump,
    /// The step of a `for` loop.
    Step,
    /// The name of a local Java variable that is declared without a value.
    Unset,
    /// Code of any other kind. The children are its parts.
    Other,
    /// Code that is not recognized. It has no children.
    Opaque,
}

/// A node of a syntax tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// The kind of the node.
    pub(crate) kind: NodeKind,
    /// The byte range of the node.
    pub(crate) span: Range<usize>,
    /// The byte range of the node's operator or name; empty if it has none.
    pub(crate) sign: Range<usize>,
    /// The parts of the node in the order of the text.
    pub(crate) children: Vec<Node>,
    /// Height of the subtree, which is the number of nodes on the longest path to a leaf.
    pub(super) height: u32,
}

impl Node {
    /// Creates a node without a sign. A node whose subtree would be too high is opaque and has no children.
    pub(super) fn new(kind: NodeKind, span: Range<usize>, children: Vec<Node>) -> Node {
        let sign = span.start..span.start;
        let height = children.iter().map(|child| child.height).max().unwrap_or(0) + 1;
        if height > HIGHEST {
            return Node { kind: NodeKind::Opaque, span, sign, children: Vec::new(), height: 1 };
        }
        Node { kind, span, sign, children, height }
    }

    /// Sets the byte range of the operator or name.
    pub(super) fn signed(self, sign: Range<usize>) -> Node {
        Node { sign, ..self }
    }

    /// Returns whether the expression never needs parentheses.
    pub(crate) fn is_of_one_piece(&self) -> bool {
        use NodeKind::{Boolean, Call, Character, Group, Index, List, Member, Name, Number, Text};
        matches!(self.kind, Name | Number | Text | Character | Boolean | Group | Call | Index | Member | List)
    }
}
