//! Nodes of a syntax tree.

use std::ops::Range;

/// Stands for the return type of the `main` function of C and C++, whose value is an exit code.
pub(in crate::mutants) const MAIN: &str = "main";

/// Maximum height of a tree. It is limited because the code that walks trees is recursive.
const HIGHEST: u32 = 200;

/// The kind of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mutants) enum NodeKind {
    /// A name, or a keyword that stands for a value.
    Name,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A character.
    Character,
    /// `true` or `false`.
    Truth,
    /// An expression in parentheses.
    Group,
    /// A call: the function, then the arguments.
    Call,
    /// An indexed value: the value, then the index.
    Index,
    /// A range of indices: its ends in order. Its sign is empty.
    Slice,
    /// A field or method of the only child; the sign is its name.
    Member,
    /// A prefix operator and its operand.
    Prefix,
    /// A postfix operator and its operand.
    Postfix,
    /// A binary operator with its operands.
    Binary,
    /// An assignment: the target, then the value.
    Assignment,
    /// A list, map or object in brackets.
    List,
    /// A condition, such as that of an `if`: its expression.
    Condition,
    /// A function: its statements, or the expression that is its body; with its return type if that is known.
    Function(Option<String>),
    /// Constant code, which can't be switched at run time.
    Fixed,
    /// Statements in their order.
    Block,
    /// The body of a loop.
    Loop,
    /// A statement that consists of an expression.
    Statement,
    /// `return`, with the value if there is one.
    Return,
    /// `break`, `continue` and the like.
    Jump,
    /// The step of a `for` loop.
    Step,
    /// The name of a local Java variable that is declared without a value.
    Unset,
    /// Any other code, with its parts.
    Other,
    /// Code that is not understood.
    Opaque,
}

/// A node of a syntax tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mutants) struct Node {
    /// The kind of the node.
    pub(in crate::mutants) kind: NodeKind,
    /// The byte range of the node.
    pub(in crate::mutants) span: Range<usize>,
    /// The byte range of the node's operator or name; empty if it has none.
    pub(in crate::mutants) sign: Range<usize>,
    /// The parts of the node in the order of the text.
    pub(in crate::mutants) children: Vec<Node>,
    /// Height of the subtree: the number of nodes on the longest path to a leaf.
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

    /// Sets the sign.
    pub(super) fn signed(self, sign: Range<usize>) -> Node {
        Node { sign, ..self }
    }

    /// Whether the expression never needs parentheses.
    pub(in crate::mutants) fn is_of_one_piece(&self) -> bool {
        use NodeKind::{Call, Character, Group, Index, List, Member, Name, Number, Text, Truth};
        matches!(self.kind, Name | Number | Text | Character | Truth | Group | Call | Index | Member | List)
    }
}
