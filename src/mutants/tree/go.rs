//! Go declarations, statements, types and operands.

use super::cursor::TreeParser;
use super::expression::ASSIGNMENTS;
use super::node::{Node, NodeKind};
use crate::lang::LexemeClass;

impl TreeParser<'_> {
    /// Parses the declarations of a file.
    pub(super) fn go_declarations(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            match self.peek() {
                "func" => match self.go_function() {
                    Some(function) => all.push(function),
                    None => {
                        self.at = start + 1;
                        self.skip_to(&[";"]);
                    }
                },
                "var" | "const" => all.push(self.go_variables()),
                _ => self.skip_to(&[";"]),
            }
            self.skip_to(&[";"]);
            self.eat(";");
        }
        all
    }

    /// Parses the declaration of a function or method.
    fn go_function(&mut self) -> Option<Node> {
        let start = self.at;
        self.at += 1;
        if self.peek() == "(" {
            self.skip();
        }
        let is_main = self.peek() == "main";
        self.is_word(0).then_some(())?;
        self.at += 1;
        if self.peek() == "[" {
            self.skip();
        }
        let returns = self.go_signature()?;
        self.go_body(start, returns.filter(|_| !is_main))
    }

    /// Skips parameters and results, and returns the result type. Returns `Some(None)` if the function has no result,
    /// and `None` if no parameters start here.
    fn go_signature(&mut self) -> Option<Option<String>> {
        (self.peek() == "(").then_some(())?;
        self.skip();
        let from = self.at;
        if self.peek() == "{" {
            return Some(None);
        }
        if self.peek() == "(" {
            self.skip();
        } else if let Some(end) = self.skip_go_type(self.at) {
            self.at = end;
        }
        Some((self.at > from).then(|| self.source.get(self.since(from)))?.map(str::to_owned))
    }

    fn go_body(&mut self, start: usize, returns: Option<String>) -> Option<Node> {
        (self.peek() == "{").then_some(())?;
        let statements = self.deeper(|parser| Some(parser.inside(Self::go_statements)))?;
        Some(self.node(NodeKind::Function(returns), start, statements))
    }

    /// Parses `var` or `const` with one declaration, or with several declarations in parentheses.
    fn go_variables(&mut self) -> Node {
        let start = self.at;
        let is_constant = self.peek() == "const";
        self.at += 1;
        let values = if self.peek() == "(" {
            self.inside(|parser| {
                let mut values = Vec::new();
                while !parser.is_at_end() {
                    values.extend(parser.go_values());
                    parser.skip_to(&[";"]);
                    parser.eat(";");
                }
                values
            })
        } else {
            self.go_values().into_iter().collect()
        };
        let kind = if is_constant { NodeKind::Fixed } else { NodeKind::Other };
        self.node(kind, start, values)
    }

    fn go_values(&mut self) -> Option<Node> {
        self.skip_to(&["=", ";"]);
        self.eat("=").then(|| self.or_opaque(&[";"], Self::expressions))
    }

    /// Parses the remaining tokens as statements.
    fn go_statements(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            let in_header = std::mem::take(&mut self.in_header);
            match self.deeper(Self::go_statement) {
                Some(statement) => all.push(statement),
                None => {
                    self.at = start;
                    self.skip_to(&[";"]);
                    all.push(self.node(NodeKind::Opaque, start, Vec::new()));
                }
            }
            self.in_header = in_header;
            self.eat(";");
            if self.at == start {
                self.skip();
            }
        }
        all
    }

    fn go_statement(&mut self) -> Option<Node> {
        let start = self.at;
        match self.peek() {
            ";" => Some(Node::new(NodeKind::Other, self.range(start), Vec::new())),
            "{" => Some(self.go_block(start)),
            "if" => self.go_if(start),
            "for" => self.go_for(start),
            "switch" | "select" => self.go_switch(start),
            "case" | "default" => self.go_case(start),
            "return" => {
                self.at += 1;
                let value = if self.peek() == ";" || self.is_at_end() { None } else { Some(self.expressions()?) };
                Some(self.node(NodeKind::Return, start, value.into_iter().collect()))
            }
            "break" | "continue" | "fallthrough" | "goto" => {
                self.at += 1;
                self.at += usize::from(self.is_word(0));
                Some(self.node(NodeKind::Jump, start, Vec::new()))
            }
            "go" | "defer" => {
                self.at += 1;
                let call = self.expression()?;
                Some(self.node(NodeKind::Other, start, vec![call]))
            }
            "var" | "const" => Some(self.go_variables()),
            "type" => {
                self.skip_to(&[";"]);
                Some(self.node(NodeKind::Opaque, start, Vec::new()))
            }
            _ if self.class(0) == Some(LexemeClass::Name) && self.ahead(1) == ":" => {
                self.at += 2;
                Some(self.node(NodeKind::Other, start, Vec::new()))
            }
            _ => self.go_simple(),
        }
    }

    fn go_block(&mut self, start: usize) -> Node {
        let statements = self.inside(Self::go_statements);
        self.node(NodeKind::Block, start, statements)
    }

    /// Parses a simple statement: an expression, an assignment, a declaration, or an increment or decrement.
    fn go_simple(&mut self) -> Option<Node> {
        let start = self.at;
        let target = self.expressions()?;
        let sign = self.range(self.at);
        let inner = match self.peek() {
            "++" | "--" => {
                self.at += 1;
                self.node(NodeKind::Postfix, start, vec![target]).signed(sign)
            }
            ":=" => {
                self.at += 1;
                let value = self.expressions()?;
                return Some(self.node(NodeKind::Other, start, vec![value]));
            }
            "<-" => {
                self.at += 1;
                let value = self.expression()?;
                return Some(self.node(NodeKind::Other, start, vec![target, value]));
            }
            sign_text if ASSIGNMENTS.contains(&sign_text) => {
                self.at += 1;
                let value = self.expressions()?;
                self.node(NodeKind::Assignment, start, vec![target, value]).signed(sign)
            }
            _ => target,
        };
        Some(self.node(NodeKind::Statement, start, vec![inner]))
    }

    /// Parses a simple statement in a header. Its node does not have the kind [`NodeKind::Statement`], since it can't
    /// be dropped.
    fn go_header_part(&mut self) -> Option<Node> {
        let part = self.go_simple()?;
        Some(if part.kind == NodeKind::Statement { Node { kind: NodeKind::Other, ..part } } else { part })
    }

    fn go_if(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        self.in_header = true;
        let mut children = Vec::new();
        let mut last = self.or_opaque(&[";", "{"], Self::go_header_part);
        if self.eat(";") {
            children.push(last);
            last = self.or_opaque(&["{"], Self::go_header_part);
        }
        self.in_header = false;
        children.push(Node::new(NodeKind::Condition, last.span.clone(), inner_of(last)));
        (self.peek() == "{").then_some(())?;
        children.push(self.go_block(self.at));
        if self.eat("else") {
            children.push(if self.peek() == "if" {
                let at = self.at;
                self.deeper(|parser| parser.go_if(at))?
            } else {
                (self.peek() == "{").then_some(())?;
                self.go_block(self.at)
            });
        }
        Some(self.node(NodeKind::Other, start, children))
    }

    fn go_for(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        self.in_header = true;
        let mut children = Vec::new();
        let from = self.at;
        self.skip_to(&["range", "{", ";"]);
        if self.eat("range") {
            children.push(self.or_opaque(&["{"], Self::expression));
        } else {
            self.at = from;
            let mut parts = Vec::new();
            while !self.is_at_end() && self.peek() != "{" {
                let at = self.at;
                let part = if self.peek() == ";" {
                    Node::new(NodeKind::Other, self.range(at), Vec::new())
                } else {
                    self.or_opaque(&[";", "{"], Self::go_header_part)
                };
                parts.push(part);
                self.eat(";");
            }
            let index = if parts.len() == 1 { 0 } else { 1 };
            for (at, part) in parts.into_iter().enumerate() {
                children.push(match at {
                    _ if at == index && !part.span.is_empty() && part.kind == NodeKind::Other => {
                        Node::new(NodeKind::Condition, part.span.clone(), inner_of(part))
                    }
                    2 => Node::new(NodeKind::Step, part.span.clone(), part.children),
                    _ => part,
                });
            }
        }
        self.in_header = false;
        (self.peek() == "{").then_some(())?;
        let at = self.at;
        let body = self.go_block(at);
        children.push(Node::new(NodeKind::Loop, body.span.clone(), vec![body]));
        Some(self.node(NodeKind::Other, start, children))
    }

    fn go_switch(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        self.in_header = true;
        let mut children = Vec::new();
        while !self.is_at_end() && self.peek() != "{" {
            children.push(self.or_opaque(&[";", "{"], Self::go_header_part));
            self.eat(";");
        }
        self.in_header = false;
        children.push(self.go_block(self.at));
        Some(self.node(NodeKind::Other, start, children))
    }

    /// Parses `case a, b:`. The code after the colon is a separate statement.
    fn go_case(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        let value = if self.peek() == ":" { None } else { Some(self.or_opaque(&[":"], Self::expressions)) };
        self.expect(":")?;
        Some(self.node(NodeKind::Other, start, value.into_iter().collect()))
    }

    /// Parses an operand of an expression.
    pub(super) fn go_operand(&mut self) -> Option<Node> {
        let start = self.at;
        let class = self.class(0)?;
        let node = match (class, self.peek()) {
            (LexemeClass::Sign, "-" | "+" | "!" | "^" | "*" | "&" | "<-") => return self.prefixed(start),
            (LexemeClass::Sign, "(") => self.group(start)?,
            (LexemeClass::Sign, "[") | (LexemeClass::Keyword(_), "map" | "chan" | "struct" | "interface") => {
                self.at = self.skip_go_type(self.at)?;
                let node = self.node(NodeKind::Opaque, start, Vec::new());
                // A composite literal that starts with a type literal is also allowed in headers.
                if self.peek() == "{" { self.list()? } else { node }
            }
            (LexemeClass::Keyword(_), "func") => {
                self.at += 1;
                let returns = self.go_signature()?;
                self.go_body(start, returns)?
            }
            (LexemeClass::Keyword(_), "true" | "false") | (LexemeClass::Number | LexemeClass::Text, _) => {
                return self.literal(start);
            }
            (LexemeClass::Name | LexemeClass::Type, _) | (LexemeClass::Keyword(_), "nil") => {
                self.at += 1;
                self.node(NodeKind::Name, start, Vec::new())
            }
            _ => return None,
        };
        self.postfix(start, node)
    }

    /// Returns the index after the type that starts at `index`, or `None` if no type starts there.
    pub(super) fn skip_go_type(&self, mut index: usize) -> Option<usize> {
        // Index after a function type, whose result may be missing.
        let mut end = None;
        while let Some(part) = self.go_type_part(index) {
            match part {
                GoTypePart::Whole(after) => return Some(after),
                GoTypePart::Prefix(after) => index = after,
                GoTypePart::Parameters(after) => (index, end) = (after, Some(after)),
            }
        }
        end
    }

    fn go_type_part(&self, index: usize) -> Option<GoTypePart> {
        let token = self.token(index)?;
        let bracket = |open: &str| self.token(index + 1).filter(|next| next.text == open).map(|next| next.partner + 1);
        Some(match (token.class, token.text) {
            (LexemeClass::Sign, "*" | "<-") => GoTypePart::Prefix(index + 1),
            (LexemeClass::Sign, "[") => GoTypePart::Prefix(token.partner + 1),
            (LexemeClass::Sign, "(") => GoTypePart::Whole(token.partner + 1),
            (LexemeClass::Keyword(_), "map") => GoTypePart::Prefix(bracket("[")?),
            (LexemeClass::Keyword(_), "chan") => GoTypePart::Prefix(index + 1),
            (LexemeClass::Keyword(_), "struct" | "interface") => GoTypePart::Whole(bracket("{")?),
            (LexemeClass::Keyword(_), "func") => GoTypePart::Parameters(bracket("(")?),
            (LexemeClass::Name | LexemeClass::Type, _) => {
                let mut end = index + 1;
                while self.text(end) == "." {
                    end += 2;
                }
                GoTypePart::Whole(end)
            }
            _ => return None,
        })
    }
}

/// A part of a Go type, with the index after it.
enum GoTypePart {
    /// A part that completes the type, such as a name.
    Whole(usize),
    /// A part that another type must follow, such as `*`, `[]` or `map[string]`.
    Prefix(usize),
    /// The keyword and the parameter list of a function type, `func(…)`, which a result type may follow.
    Parameters(usize),
}

/// Returns the child of a part of a header if the part has exactly one child and is not opaque. Otherwise, returns the
/// part itself.
fn inner_of(part: Node) -> Vec<Node> {
    if part.kind == NodeKind::Opaque || part.children.len() != 1 { vec![part] } else { part.children }
}
