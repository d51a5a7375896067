//! Statements of languages with braces: C, C++, Java and JavaScript.

use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use crate::MutantLanguage;
use crate::lang::LexemeClass;

/// Words that start a statement in which nothing is mutated, up to its semicolon.
const PLAIN: [&str; 10] =
    ["using", "typedef", "goto", "import", "export", "package", "static_assert", "debugger", "friend", "assert"];

impl TreeParser<'_> {
    /// Parses the remaining tokens as statements.
    pub(super) fn statements(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            match self.deeper(Self::statement) {
                Some(statement) => all.push(statement),
                None => {
                    self.at = start;
                    self.recover();
                    all.push(self.node(NodeKind::Opaque, start, Vec::new()));
                }
            }
            if self.at == start {
                self.skip();
            }
        }
        all
    }

    /// Skips a statement that is not recognized, up to its semicolon, the end of its block or, in JavaScript, a
    /// line break.
    fn recover(&mut self) {
        self.skip();
        while !self.is_at_end() {
            let is_new = self.language == MutantLanguage::JavaScript && self.is_on_new_line();
            if is_new || self.eat(";") {
                return;
            }
            let is_block = self.peek() == "{";
            self.skip();
            if is_block && !matches!(self.peek(), ";" | "," | ")") {
                return;
            }
        }
    }

    fn statement(&mut self) -> Option<Node> {
        let start = self.at;
        match self.peek() {
            "{" => {
                let inner = self.inside(Self::statements);
                Some(self.node(NodeKind::Block, start, inner))
            }
            ";" => {
                self.at += 1;
                Some(self.node(NodeKind::Other, start, Vec::new()))
            }
            "if" => self.if_statement(start),
            "while" => {
                self.at += 1;
                let condition = self.condition()?;
                let body = self.body()?;
                Some(self.node(NodeKind::Other, start, vec![condition, body]))
            }
            "do" => {
                self.at += 1;
                let body = self.body()?;
                self.expect("while")?;
                let condition = self.condition()?;
                self.eat(";");
                Some(self.node(NodeKind::Other, start, vec![body, condition]))
            }
            "for" => self.for_statement(start),
            "switch" | "synchronized" => self.switch_statement(start),
            "return" => self.return_statement(start),
            "break" | "continue" => {
                self.at += 1;
                let is_label = self.is_word(0) && !self.is_on_new_line();
                self.at += usize::from(is_label);
                self.end_statement()?;
                Some(self.node(NodeKind::Jump, start, Vec::new()))
            }
            "try" => self.try_statement(start),
            "case" | "default" => self.case_label(start),
            word if PLAIN.contains(&word) => {
                self.recover();
                Some(self.node(NodeKind::Opaque, start, Vec::new()))
            }
            _ => self.simple_statement(start),
        }
    }

    /// Parses the end of a statement: a semicolon, the end of the tokens or, in JavaScript, a line break.
    fn end_statement(&mut self) -> Option<()> {
        if self.eat(";") || self.is_at_end() {
            return Some(());
        }
        let is_new = self.is_on_new_line() || self.peek() == "}";
        (self.language == MutantLanguage::JavaScript && is_new).then_some(())
    }

    /// Parses a condition in parentheses.
    fn condition(&mut self) -> Option<Node> {
        (self.peek() == "(").then_some(())?;
        Some(self.inside(|parser| {
            let start = parser.at;
            let condition = parser.or_opaque(&[], Self::condition_of_expression);
            if condition.kind != NodeKind::Opaque {
                return condition;
            }
            // The condition follows a declaration, as in `if (auto found = map.find(x); found != map.end())`.
            parser.at = start;
            let children = parser.header_parts();
            parser.node(NodeKind::Other, start, children)
        }))
    }

    pub(super) fn condition_of_expression(&mut self) -> Option<Node> {
        if self.language.is_c_or_cpp() && self.starts_declaration() {
            return None;
        }
        let start = self.at;
        let expression = self.expression()?;
        if self.peek() == "," {
            self.at = start;
            return self.expressions();
        }
        Some(Node::new(NodeKind::Condition, expression.span.clone(), vec![expression]))
    }

    /// Parses the parts of a condition that begins with a declaration, as in `if (auto x = f(); x > 0)`. The parts are
    /// separated by `;` or `:`.
    fn header_parts(&mut self) -> Vec<Node> {
        let mut parts = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            let part = self.or_opaque(&[";", ":"], |parser| parser.header_part(start));
            parts.push(part);
            self.at += usize::from(!self.is_at_end());
        }
        parts
    }

    fn header_part(&mut self, start: usize) -> Option<Node> {
        if self.peek() == ";" {
            return Some(Node::new(NodeKind::Other, self.range(start), Vec::new()));
        }
        if let Some(declaration) = self.local_declaration() {
            return Some(declaration);
        }
        self.at = start;
        self.expressions()
    }

    /// Parses the statement that is the body of a loop.
    fn body(&mut self) -> Option<Node> {
        let start = self.at;
        let statement = self.deeper(Self::statement)?;
        Some(self.node(NodeKind::Loop, start, vec![statement]))
    }

    fn if_statement(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        self.eat("constexpr");
        let mut children = vec![self.condition()?, self.deeper(Self::statement)?];
        if self.eat("else") {
            children.push(self.deeper(Self::statement)?);
        }
        Some(self.node(NodeKind::Other, start, children))
    }

    fn for_statement(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        self.eat("await");
        (self.peek() == "(").then_some(())?;
        let mut children = self.inside(Self::for_header);
        children.push(self.body()?);
        Some(self.node(NodeKind::Other, start, children))
    }

    fn for_header(&mut self) -> Vec<Node> {
        let start = self.at;
        self.skip_to(&[";"]);
        let counts = !self.is_at_end();
        self.at = start;
        if !counts {
            // This is a loop over a list: `for (x of list)`, `for (int x : list)`.
            self.skip_to(&["of", "in", ":"]);
            self.at += 1;
            return vec![self.or_opaque(&[], Self::expressions)];
        }
        let first = self.at;
        let init = self.or_opaque(&[";"], |parser| parser.header_part(first));
        self.eat(";");
        let mut parts = vec![init];
        if self.peek() != ";" {
            parts.push(self.or_opaque(&[";"], Self::condition_of_expression));
        }
        self.eat(";");
        while !self.is_at_end() {
            let start = self.at;
            let step = self.or_opaque(&[","], Self::expression);
            parts.push(self.node(NodeKind::Step, start, vec![step]));
            self.eat(",");
        }
        parts
    }

    fn switch_statement(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        (self.peek() == "(").then_some(())?;
        let value = self.inside(|parser| parser.or_opaque(&[], Self::expressions));
        (self.peek() == "{").then_some(())?;
        let at = self.at;
        let statements = self.inside(Self::statements);
        let body = self.node(NodeKind::Block, at, statements);
        Some(self.node(NodeKind::Other, start, vec![value, body]))
    }

    /// Parses `case 1:` or `case 1 ->`, whose values are constants.
    fn case_label(&mut self, start: usize) -> Option<Node> {
        let has_values = self.peek() == "case";
        self.at += 1;
        let mut values = Vec::new();
        if has_values {
            values.push(self.case_value());
            while self.eat(",") {
                values.push(self.case_value());
            }
        }
        let values = self.node(NodeKind::Fixed, start, values);
        if self.eat(":") {
            return Some(values);
        }
        self.expect("->")?;
        let result = match self.peek() {
            "{" | "throw" => self.statement()?,
            _ => {
                let value = self.expression()?;
                self.expect(";")?;
                value
            }
        };
        Some(self.node(NodeKind::Other, start, vec![values, result]))
    }

    fn case_value(&mut self) -> Node {
        self.or_opaque(&[":", ",", "->"], |parser| parser.binary(1))
    }

    fn return_statement(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        let fresh = self.is_on_new_line();
        let ends = self.is_at_end() || self.peek() == ";" || fresh && self.language == MutantLanguage::JavaScript;
        let mut value = Vec::new();
        if !ends {
            let braced = self.peek() == "{" && self.language == MutantLanguage::Cpp;
            value.push(if braced { self.list()? } else { self.expressions()? });
        }
        self.end_statement()?;
        Some(self.node(NodeKind::Return, start, value))
    }

    fn try_statement(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        if self.peek() == "(" {
            self.skip();
        }
        let mut children = vec![self.statement()?];
        while ["catch", "finally"].contains(&self.peek()) {
            self.at += 1;
            if self.peek() == "(" {
                self.skip();
            }
            children.push(self.statement()?);
        }
        Some(self.node(NodeKind::Other, start, children))
    }

    /// Parses a declaration, an expression, a label, or a loop macro such as `rep(i, n) { … }`.
    fn simple_statement(&mut self, start: usize) -> Option<Node> {
        if self.class(0) == Some(LexemeClass::Name) && self.ahead(1) == ":" {
            self.at += 2;
            return Some(self.node(NodeKind::Other, start, Vec::new()));
        }
        if let Some(node) = self.local_type(start) {
            return node;
        }
        if let Some(declaration) = self.local_declaration() {
            self.end_statement()?;
            let span = self.since(start);
            return Some(Node { span, ..declaration });
        }
        self.at = start;
        if let Some(node) = self.loop_macro(start) {
            return Some(node);
        }
        let expression = self.expressions()?;
        self.end_statement()?;
        Some(self.node(NodeKind::Statement, start, vec![expression]))
    }

    /// Parses a local class or function. Returns `None` if none starts here, and `Some(None)` if its code is not
    /// recognized.
    fn local_type(&mut self, start: usize) -> Option<Option<Node>> {
        let word = self.peek();
        match self.language {
            MutantLanguage::JavaScript => {
                let is_function =
                    word == "function" || word == "class" || word == "async" && self.ahead(1) == "function";
                is_function.then(|| self.script_function(start))
            }
            MutantLanguage::C | MutantLanguage::Cpp => {
                let is_type = ["struct", "union", "class", "enum"].contains(&word);
                let has_body = self.ahead(1) == "{" || ["{", ":"].contains(&self.ahead(2));
                (is_type && has_body).then(|| Some(self.declaration(start)))
            }
            _ => {
                let mut index = self.at;
                while ["final", "abstract", "static"].contains(&self.text(index)) {
                    index += 1;
                }
                let is_type = ["class", "interface", "enum"].contains(&self.text(index))
                    || self.text(index) == "record" && self.text(index + 2) == "(";
                is_type.then(|| Some(self.declaration(start)))
            }
        }
    }

    /// Parses a loop macro such as `rep(i, n) { … }`. A name that is followed by parentheses and a block is assumed to
    /// be a loop macro, and its arguments are not parsed.
    fn loop_macro(&mut self, start: usize) -> Option<Node> {
        let is_call = self.language.is_c_or_cpp() && self.class(0) == Some(LexemeClass::Name) && self.ahead(1) == "(";
        let close = self.tokens.get(self.at + 1)?.partner;
        let next = self.token(close + 1)?;
        let starts_statement =
            next.text == "{" || matches!(next.class, LexemeClass::Name | LexemeClass::Type | LexemeClass::Keyword(_));
        let is_operator = ["and", "or", "xor"].contains(&next.text);
        if !is_call || !starts_statement || is_operator {
            return None;
        }
        self.at = close + 1;
        let body = self.body()?;
        Some(self.node(NodeKind::Other, start, vec![body]))
    }
}
