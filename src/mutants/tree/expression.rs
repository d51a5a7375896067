//! Expressions: operators, conditionals, assignments, calls, indices and members.

use super::binding::binding;
use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use crate::MutantLanguage;
use crate::lang::LexemeClass;

/// Assignment operators.
pub(super) const ASSIGNMENTS: [&str; 18] = [
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "**=", "//=", "&&=", "||=", "??=", "&^=",
];

impl<'s> TreeParser<'s> {
    /// Parses comma-separated expressions into one node.
    pub(super) fn expressions(&mut self) -> Option<Node> {
        let start = self.at;
        let first = self.expression()?;
        if self.peek() != "," {
            return Some(first);
        }
        let mut all = vec![first];
        while self.eat(",") {
            all.push(self.expression()?);
        }
        Some(self.node(NodeKind::Other, start, all))
    }

    /// Parses an expression without commas outside brackets.
    pub(super) fn expression(&mut self) -> Option<Node> {
        self.deeper(|parser| match parser.language {
            MutantLanguage::Python => parser.python_expression(true),
            MutantLanguage::Go => parser.binary(1),
            _ => parser.assignment(),
        })
    }

    fn assignment(&mut self) -> Option<Node> {
        let start = self.at;
        let target = self.conditional()?;
        if !ASSIGNMENTS.contains(&self.peek()) {
            return Some(target);
        }
        let sign = self.range(self.at);
        self.at += 1;
        let value =
            if self.peek() == "{" && self.language == MutantLanguage::Cpp { self.list()? } else { self.expression()? };
        Some(self.node(NodeKind::Assignment, start, vec![target, value]).signed(sign))
    }

    fn conditional(&mut self) -> Option<Node> {
        let start = self.at;
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Some(condition);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        let condition = Node::new(NodeKind::Condition, condition.span.clone(), vec![condition]);
        Some(self.node(NodeKind::Other, start, vec![condition, yes, no]))
    }

    /// Parses an operand and the binary operators after it whose precedence is at least `least`.
    pub(super) fn binary(&mut self, least: u8) -> Option<Node> {
        let start = self.at;
        let mut left = self.operand()?;
        while let Some(own) = binding(self.language, self.peek()).filter(|own| *own >= least) {
            let (sign, count) = self.infix()?;
            let operator = self.range(self.at).start..self.range(self.at + count - 1).end;
            self.at += count;
            if sign == "instanceof" && self.language == MutantLanguage::Java {
                self.at = self.skip_type(self.at)?;
                self.at += usize::from(self.class(0) == Some(LexemeClass::Name));
                left = self.node(NodeKind::Other, start, vec![left]);
                continue;
            }
            let is_right_associative = sign == "**";
            let right = self.deeper(|parser| parser.binary(if is_right_associative { own } else { own + 1 }))?;
            left = self.node(NodeKind::Binary, start, vec![left, right]).signed(operator);
        }
        Some(left)
    }

    /// Returns the next token, or the operator `not in` or `is not`, as a candidate for a binary operator, with the
    /// number of its tokens. Returns `None` for the prefix operator `not`.
    fn infix(&self) -> Option<(&'s str, usize)> {
        match (self.peek(), self.ahead(1)) {
            ("not", "in") => Some(("not in", 2)),
            ("not", _) => None,
            ("is", "not") => Some(("is not", 2)),
            (sign, _) => Some((sign, 1)),
        }
    }

    /// Parses the parts that can follow an operand: calls, indices, members, `++`, `--` and values in braces.
    pub(super) fn postfix(&mut self, start: usize, mut node: Node) -> Option<Node> {
        loop {
            node = match self.peek() {
                "(" => {
                    let mut children = vec![node];
                    children.extend(self.arguments());
                    self.node(NodeKind::Call, start, children)
                }
                "[" => {
                    let mut children = vec![node];
                    children.extend(self.inside(Self::indices));
                    self.node(NodeKind::Index, start, children)
                }
                "." | "->" | "::" | "?." if self.is_member() => self.member(start, node)?,
                "++" | "--" if self.has_steps() => {
                    let sign = self.range(self.at);
                    self.at += 1;
                    self.node(NodeKind::Postfix, start, vec![node]).signed(sign)
                }
                "{" if self.starts_value(&node) => {
                    let list = self.list()?;
                    self.node(NodeKind::List, start, vec![list])
                }
                "\"" if self.language == MutantLanguage::JavaScript => return None,
                _ => return Some(node),
            };
        }
    }

    fn is_member(&self) -> bool {
        self.peek() != "->" || self.language.is_c_or_cpp()
    }

    fn has_steps(&self) -> bool {
        let fresh = self.is_on_new_line();
        match self.language {
            MutantLanguage::Python | MutantLanguage::Go => false,
            MutantLanguage::JavaScript => !fresh,
            _ => true,
        }
    }

    /// Returns whether the `{` after this node starts a value of the type that the node names.
    fn starts_value(&self, node: &Node) -> bool {
        let is_type = matches!(node.kind, NodeKind::Name | NodeKind::Member | NodeKind::Opaque);
        match self.language {
            MutantLanguage::Cpp => is_type,
            MutantLanguage::Go => (is_type || node.kind == NodeKind::Index) && !self.in_header,
            _ => false,
        }
    }

    fn member(&mut self, start: usize, base: Node) -> Option<Node> {
        let is_optional = self.peek() == "?.";
        self.at += 1;
        match self.peek() {
            "(" if self.language == MutantLanguage::Go => {
                self.skip();
                return Some(self.node(NodeKind::Other, start, vec![base]));
            }
            "(" | "[" if is_optional => return Some(base),
            "<" if self.language == MutantLanguage::Java => self.at = self.template_arguments(self.at)?,
            "#" | "~" => self.at += 1,
            "template" => self.at += 1,
            _ => {}
        }
        if !self.is_word(0) {
            return None;
        }
        let name = self.range(self.at);
        self.at += 1;
        self.explicit_types();
        Some(self.node(NodeKind::Member, start, vec![base]).signed(name))
    }

    /// Skips template arguments after a C++ name, if they are followed by `(`, `::` or `{`.
    pub(super) fn explicit_types(&mut self) {
        if self.peek() != "<" || self.language != MutantLanguage::Cpp {
            return;
        }
        if let Some(end) = self.template_arguments(self.at) {
            let next = self.text(end);
            if ["(", "::", "{"].contains(&next) {
                self.at = end;
            }
        }
    }

    /// Parses the arguments of a call.
    pub(super) fn arguments(&mut self) -> Vec<Node> {
        self.inside(|parser| match parser.language {
            MutantLanguage::Python => parser.python_elements(),
            _ => parser.elements(),
        })
    }

    /// Parses the expressions inside brackets. An expression that is not recognized becomes a [`NodeKind::Opaque`]
    /// node.
    pub(super) fn elements(&mut self) -> Vec<Node> {
        let mut found = Vec::new();
        while !self.is_at_end() {
            let before = self.at;
            // In C++, a comma may separate template arguments, so the code after an unrecognized argument is skipped
            // too.
            let ends: &[&str] = if self.language == MutantLanguage::Cpp { &[] } else { &[","] };
            let start = self.at;
            let parsed = self.element().filter(|_| self.is_at_end() || self.peek() == "," || self.peek() == "...");
            match parsed {
                Some(node) => found.push(node),
                None => {
                    self.at = start;
                    self.skip_to(ends);
                    found.push(self.node(NodeKind::Opaque, start, Vec::new()));
                }
            }
            self.eat("...");
            self.eat(",");
            if self.at == before {
                break;
            }
        }
        found
    }

    fn element(&mut self) -> Option<Node> {
        match (self.peek(), self.language) {
            ("{", MutantLanguage::C | MutantLanguage::Cpp | MutantLanguage::Java | MutantLanguage::Go) => self.list(),
            (".", MutantLanguage::C | MutantLanguage::Cpp) => {
                self.at += 2;
                self.expect("=")?;
                self.element()
            }
            ("...", MutantLanguage::JavaScript) => {
                self.at += 1;
                self.expression()
            }
            (_, MutantLanguage::Go) => {
                let key = self.expression()?;
                if !self.eat(":") {
                    return Some(key);
                }
                // The name of a field is not an expression, so only the value is a child.
                let value = self.element()?;
                let start = key.span.start;
                let children = if key.kind == NodeKind::Name { vec![value] } else { vec![key, value] };
                let end = children.last().map_or(start, |node| node.span.end);
                Some(Node::new(NodeKind::Other, start..end, children))
            }
            _ => self.expression(),
        }
    }

    /// Parses a list in braces.
    pub(super) fn list(&mut self) -> Option<Node> {
        let start = self.at;
        (self.peek() == "{").then_some(())?;
        let elements = self.deeper(|parser| Some(parser.inside(Self::elements)))?;
        Some(self.node(NodeKind::List, start, elements))
    }

    /// Parses the indices in brackets; only Python allows more than one.
    fn indices(&mut self) -> Vec<Node> {
        match self.language {
            MutantLanguage::Python => self.python_indices(),
            MutantLanguage::Go => vec![self.slice()],
            _ => vec![self.or_opaque(&[], Self::expressions)],
        }
    }

    /// Parses an index, or the ends of a range of indices.
    pub(super) fn slice(&mut self) -> Node {
        let start = self.at;
        let mut ends = Vec::new();
        let mut colons = 0;
        while !self.is_at_end() && self.peek() != "," {
            if self.eat(":") {
                colons += 1;
                continue;
            }
            let node = self.or_opaque(&[":", ","], Self::expression);
            // The step of a slice is not an end of the range.
            let is_step = self.language == MutantLanguage::Python && colons == 2;
            ends.push(if is_step { self.node(NodeKind::Other, start, vec![node]) } else { node });
        }
        match (colons, ends.pop()) {
            (0, Some(index)) => index,
            (_, last) => {
                ends.extend(last);
                self.node(NodeKind::Slice, start, ends)
            }
        }
    }
}
