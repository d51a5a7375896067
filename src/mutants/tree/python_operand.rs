//! Python expressions: conditionals, comprehensions, literals, arguments and indices.

use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use crate::lang::LexemeClass;

/// The precedence of comparisons, which bind more tightly than `not`.
const COMPARISON: u8 = 4;

impl TreeParser<'_> {
    /// Parses expressions separated by commas, with or without parentheses around them.
    pub(super) fn python_expressions(&mut self) -> Option<Node> {
        let start = self.at;
        let mut all = Vec::new();
        let mut has_comma = false;
        while !self.is_at_end() {
            self.eat("*");
            all.push(self.deeper(|parser| parser.python_expression(true))?);
            if !self.eat(",") {
                break;
            }
            has_comma = true;
            if self.is_at_end() || ["=", ":", ")"].contains(&self.peek()) {
                break;
            }
        }
        if has_comma { Some(self.node(NodeKind::Other, start, all)) } else { all.pop() }
    }

    /// Parses an expression. `has_condition` states whether `x if y else z` is allowed.
    pub(super) fn python_expression(&mut self, has_condition: bool) -> Option<Node> {
        let start = self.at;
        match self.peek() {
            "lambda" => {
                self.skip_to(&[":"]);
                self.expect(":")?;
                let body = self.deeper(|parser| parser.python_expression(has_condition))?;
                return Some(self.node(NodeKind::Function(None), start, vec![body]));
            }
            "yield" => {
                self.at += 1;
                self.eat("from");
                let value = self.python_expressions()?;
                return Some(self.node(NodeKind::Other, start, vec![value]));
            }
            _ => {}
        }
        if self.class(0) == Some(LexemeClass::Name) && self.ahead(1) == ":=" {
            self.at += 2;
            let value = self.deeper(|parser| parser.python_expression(has_condition))?;
            return Some(self.node(NodeKind::Other, start, vec![value]));
        }
        let value = self.binary(1)?;
        if !has_condition || !self.eat("if") {
            return Some(value);
        }
        let condition = self.binary(1)?;
        let condition = Node::new(NodeKind::Condition, condition.span.clone(), vec![condition]);
        self.expect("else")?;
        let other = self.deeper(|parser| parser.python_expression(true))?;
        Some(self.node(NodeKind::Other, start, vec![value, condition, other]))
    }

    /// Parses an operand with its calls, indices and members.
    pub(super) fn python_operand(&mut self) -> Option<Node> {
        let start = self.at;
        let node = match (self.class(0)?, self.peek()) {
            (LexemeClass::Keyword(_), "not") => {
                let sign = self.range(self.at);
                self.at += 1;
                let operand = self.deeper(|parser| parser.binary(COMPARISON))?;
                return Some(self.node(NodeKind::Prefix, start, vec![operand]).signed(sign));
            }
            (LexemeClass::Sign, "-" | "+" | "~") => return self.prefixed(start),
            (LexemeClass::Keyword(_), "await") => {
                self.at += 1;
                let value = self.operand()?;
                return Some(self.node(NodeKind::Other, start, vec![value]));
            }
            (LexemeClass::Sign, "(") => {
                let elements = self.inside(Self::python_elements);
                self.node(NodeKind::Group, start, elements)
            }
            (LexemeClass::Sign, "[" | "{") => {
                let elements = self.inside(Self::python_elements);
                self.node(NodeKind::List, start, elements)
            }
            (LexemeClass::Sign, "...") | (LexemeClass::Keyword(_), "None") => {
                self.at += 1;
                self.node(NodeKind::Name, start, Vec::new())
            }
            (LexemeClass::Keyword(_), "True" | "False") => {
                self.at += 1;
                self.node(NodeKind::Boolean, start, Vec::new())
            }
            (LexemeClass::Number, _) => {
                self.at += 1;
                self.node(NodeKind::Number, start, Vec::new())
            }
            (LexemeClass::Text, _) => {
                let mut has_values = false;
                while let Some(token) = self.token(self.at).filter(|token| token.class == LexemeClass::Text) {
                    let prefix = token.text.chars().take_while(|c| c.is_ascii_alphabetic());
                    has_values |= prefix.into_iter().any(|c| c.eq_ignore_ascii_case(&'f'));
                    self.at += 1;
                }
                // An f-string is a format string, and format strings are not mutated.
                self.node(if has_values { NodeKind::Other } else { NodeKind::Text }, start, Vec::new())
            }
            (LexemeClass::Name | LexemeClass::Type, _) => {
                self.at += 1;
                self.node(NodeKind::Name, start, Vec::new())
            }
            _ => return None,
        };
        self.postfix(start, node)
    }

    /// Parses the inside of a bracket: arguments, elements of a list, map or tuple, or a comprehension.
    pub(super) fn python_elements(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            let element = self.or_opaque(&[",", ":", "for", "async"], Self::python_element);
            all.push(element);
            self.python_clauses(&mut all);
            if !self.is_at_end() && !self.eat(",") && !self.eat(":") {
                // Neither a comma nor a colon follows, so the element is skipped.
                self.at = start;
                self.skip_to(&[","]);
                all.pop();
            }
            self.eat(",");
            if self.at == start {
                break;
            }
        }
        all
    }

    fn python_element(&mut self) -> Option<Node> {
        if !self.eat("*") {
            self.eat("**");
        }
        if self.class(0) == Some(LexemeClass::Name) && self.ahead(1) == "=" {
            self.at += 2;
        }
        self.deeper(|parser| parser.python_expression(true))
    }

    /// Parses the clauses of a comprehension, such as `for x in list if condition`.
    fn python_clauses(&mut self, all: &mut Vec<Node>) {
        loop {
            match self.peek() {
                "async" => self.at += 1,
                "for" => {
                    self.skip_to(&["in"]);
                    self.eat("in");
                    all.push(self.or_opaque(&["if", "for", "async"], |parser| parser.python_expression(false)));
                }
                "if" => {
                    self.at += 1;
                    let condition = self.or_opaque(&["if", "for", "async"], |parser| parser.python_expression(false));
                    all.push(Node::new(NodeKind::Condition, condition.span.clone(), vec![condition]));
                }
                _ => return,
            }
        }
    }

    /// Parses the comma-separated indices and slices of a subscript.
    pub(super) fn python_indices(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let before = self.at;
            all.push(self.slice());
            self.eat(",");
            if self.at == before {
                self.skip();
            }
        }
        all
    }
}
