//! Anonymous functions of C++, Java and JavaScript.

use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use crate::MutantLanguage;
use crate::lang::LexemeClass;

impl TreeParser<'_> {
    /// Parses the anonymous function that starts here. Returns `None` if no anonymous function starts here, and
    /// `Some(None)` if its code is not recognized.
    pub(super) fn lambda(&mut self) -> Option<Option<Node>> {
        match self.language {
            MutantLanguage::Cpp if self.peek() == "[" => Some(self.cpp_lambda()),
            MutantLanguage::Java => self.arrow_function("->"),
            MutantLanguage::JavaScript => self.arrow_function("=>"),
            _ => None,
        }
    }

    /// Parses `[captures](parameters) -> type { body }`.
    fn cpp_lambda(&mut self) -> Option<Node> {
        let start = self.at;
        self.skip();
        if self.peek() == "<" {
            self.at = self.template_arguments(self.at)?;
        }
        if self.peek() == "(" {
            self.skip();
        }
        while ["mutable", "noexcept", "constexpr"].contains(&self.peek()) {
            self.at += 1;
        }
        let mut returns = None;
        if self.eat("->") {
            let from = self.at;
            self.at = self.skip_type(self.at)?;
            returns = Some(self.source.get(self.since(from))?.to_owned());
        }
        let function = self.function_body(start, returns)?;
        self.postfix(start, function)
    }

    /// Parses the body of a function: statements in braces. `start` is the index of the function's first token.
    pub(super) fn function_body(&mut self, start: usize, returns: Option<String>) -> Option<Node> {
        (self.peek() == "{").then_some(())?;
        let statements = self.deeper(|parser| Some(parser.inside(Self::statements)))?;
        Some(self.node(NodeKind::Function(returns), start, statements))
    }

    /// Parses `x => …` or `(x, y) => …`, with the arrow of the language. Returns the same values as
    /// [`Self::lambda`].
    fn arrow_function(&mut self, arrow: &str) -> Option<Option<Node>> {
        let start = self.at;
        let is_async = self.peek() == "async" && self.ahead(1) != arrow;
        let first = self.at + usize::from(is_async);
        let token = self.token(first)?;
        let after = match (token.class, token.text) {
            (LexemeClass::Sign, "(") => token.partner + 1,
            (LexemeClass::Name, _) => first + 1,
            _ => return None,
        };
        if self.token(after)?.text != arrow {
            return None;
        }
        self.at = after + 1;
        if self.peek() == "{" {
            return Some(self.function_body(start, None));
        }
        let body = self.expression();
        Some(body.map(|body| self.node(NodeKind::Function(None), start, vec![body])))
    }
}
