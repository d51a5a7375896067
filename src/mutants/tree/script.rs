//! Parses the syntax that is specific to JavaScript: objects, functions and classes as values, and destructuring.

use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use crate::lang::LexemeClass;

impl TreeParser<'_> {
    /// Parses an object in braces.
    pub(super) fn object(&mut self, start: usize) -> Node {
        let entries = self.inside(|parser| {
            let mut entries = Vec::new();
            while !parser.is_at_end() {
                entries.push(parser.or_opaque(&[","], Self::entry));
                parser.eat(",");
            }
            entries
        });
        self.node(NodeKind::List, start, entries)
    }

    fn entry(&mut self) -> Option<Node> {
        let start = self.at;
        if self.eat("...") {
            return self.expression();
        }
        let is_key = self.peek() == "["
            || self.is_word(0)
            || matches!(self.class(0), Some(LexemeClass::Text | LexemeClass::Number));
        is_key.then_some(())?;
        let is_name = self.is_word(0);
        self.skip();
        if self.eat(":") {
            return self.expression();
        }
        if is_name && (self.is_at_end() || self.peek() == ",") {
            return Some(self.node(NodeKind::Name, start, Vec::new()));
        }
        self.script_method(start)
    }

    /// Parses a method, starting after its name or after a word that precedes its name.
    fn script_method(&mut self, start: usize) -> Option<Node> {
        while self.is_word(0) || ["*", "#", "["].contains(&self.peek()) {
            self.skip();
        }
        (self.peek() == "(").then_some(())?;
        self.skip();
        self.function_body(start, None)
    }

    /// Parses a `function`, `async function` or `class`, with or without a name.
    pub(super) fn script_function(&mut self, start: usize) -> Option<Node> {
        if self.peek() == "class" {
            while !self.is_at_end() && self.peek() != "{" {
                self.skip();
            }
            let members = self.deeper(|parser| Some(parser.inside(Self::members)))?;
            return Some(self.node(NodeKind::Other, start, members));
        }
        self.eat("async");
        self.expect("function")?;
        self.eat("*");
        if self.is_word(0) {
            self.at += 1;
        }
        (self.peek() == "(").then_some(())?;
        self.skip();
        self.function_body(start, None)
    }

    fn members(&mut self) -> Vec<Node> {
        let mut members = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            while self.is_word(0) || ["*", "#", "["].contains(&self.peek()) {
                self.skip();
            }
            let member = match self.peek() {
                "(" => self.script_method(start),
                "{" => self.function_body(start, None),
                "=" => {
                    self.at += 1;
                    self.expression()
                }
                _ => None,
            };
            members.extend(member);
            self.eat(";");
            if self.at == start {
                self.skip();
            }
        }
        members
    }

    /// Parses `let`, `const` or `var` with names or patterns and their values.
    pub(super) fn script_declaration(&mut self) -> Option<Node> {
        let start = self.at;
        self.at += 1;
        let mut values = Vec::new();
        loop {
            (self.is_word(0) || ["[", "{"].contains(&self.peek())).then_some(())?;
            self.skip();
            if self.eat("=") {
                values.push(self.expression()?);
            }
            if !self.eat(",") {
                break;
            }
        }
        Some(self.node(NodeKind::Other, start, values))
    }
}
