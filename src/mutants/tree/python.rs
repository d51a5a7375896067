//! Parses Python statements: splits the tokens into logical lines, and forms blocks by their indentation.

use super::cursor::TreeParser;
use super::expression::ASSIGNMENTS;
use super::node::{Node, NodeKind};

/// Tokens that start a statement in which nothing is mutated.
const PLAIN: [&str; 10] = ["import", "from", "global", "nonlocal", "assert", "del", "pass", "raise", "yield", "@"];
/// Keywords that start a block. The code between the keyword and the colon is skipped.
const BLOCKS: [&str; 8] = ["else", "try", "finally", "except", "with", "class", "match", "case"];

/// A logical line.
#[derive(Debug, Clone, Copy)]
struct PythonLine {
    /// Index of the first token of the line.
    first: usize,
    /// Index after the last token of the line.
    end: usize,
    /// Width of the indentation of the line, in columns.
    indent: usize,
}

impl TreeParser<'_> {
    /// Parses all statements of the program.
    pub(super) fn python_lines(&mut self) -> Vec<Node> {
        let mut lines = Vec::new();
        let mut first = self.at;
        for index in self.at..=self.end {
            let ends = self.tokens.get(index).is_none_or(|token| token.text == "\n");
            if ends && index > first {
                lines.push(PythonLine { first, end: index, indent: self.indent_of(first) });
            }
            if ends {
                first = index + 1;
            }
        }
        let mut next = 0;
        let mut all = Vec::new();
        while next < lines.len() {
            let indent = lines[next].indent;
            all.extend(self.python_suite(&lines, &mut next, indent));
        }
        all
    }

    /// Returns the width of the space before a token. A tab extends to the next multiple of eight.
    fn indent_of(&self, token: usize) -> usize {
        let before = &self.source[..self.range(token).start];
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}');
        line.chars().fold(0, |width, c| if c == '\t' { width / 8 * 8 + 8 } else { width + 1 })
    }

    /// Parses consecutive lines, starting at `next`, that are indented by at least `indent`. Sets `next` to the index
    /// of the line after them.
    fn python_suite(&mut self, lines: &[PythonLine], next: &mut usize, indent: usize) -> Vec<Node> {
        let mut all = Vec::new();
        while let Some(line) = lines.get(*next).copied().filter(|line| line.indent >= indent) {
            let (at, end) = (self.at, self.end);
            (self.at, self.end) = (line.first, line.end);
            *next += 1;
            let node = self.deeper(|parser| parser.python_line(lines, next, line));
            let skipped = || Node::new(NodeKind::Opaque, 0..0, Vec::new());
            all.push(node.unwrap_or_else(skipped));
            (self.at, self.end) = (at, end);
        }
        all
    }

    fn python_line(&mut self, lines: &[PythonLine], next: &mut usize, line: PythonLine) -> Option<Node> {
        let start = self.at;
        self.eat("async");
        match self.peek() {
            "if" | "elif" | "while" => {
                let is_loop = self.peek() == "while";
                self.at += 1;
                let condition = self.or_opaque(&[":"], |parser| parser.python_expression(true));
                let condition = Node::new(NodeKind::Condition, condition.span.clone(), vec![condition]);
                self.expect(":")?;
                let body = self.python_body(lines, next, line);
                let kind = if is_loop { NodeKind::Loop } else { NodeKind::Block };
                let body = Node { kind, ..body };
                Some(self.node(NodeKind::Other, start, vec![condition, body]))
            }
            "for" => {
                self.skip_to(&["in"]);
                self.expect("in")?;
                let list = self.or_opaque(&[":"], Self::python_expressions);
                self.expect(":")?;
                let body = self.python_body(lines, next, line);
                Some(self.node(NodeKind::Other, start, vec![list, Node { kind: NodeKind::Loop, ..body }]))
            }
            "def" => {
                self.skip_to(&[":"]);
                self.expect(":")?;
                let body = self.python_body(lines, next, line);
                Some(Node { kind: NodeKind::Function(None), ..body })
            }
            word if BLOCKS.contains(&word) && self.is_block_line(word, line) => {
                self.skip_to(&[":"]);
                self.expect(":")?;
                Some(self.python_body(lines, next, line))
            }
            _ => {
                self.at = start;
                let mut parts = self.python_simple_line();
                if parts.len() == 1 { parts.pop() } else { Some(self.node(NodeKind::Block, start, parts)) }
            }
        }
    }

    /// Returns whether the line starts a block. `match` and `case` are names if no block follows.
    fn is_block_line(&self, word: &str, line: PythonLine) -> bool {
        let is_soft = ["match", "case"].contains(&word);
        let last = self.tokens.get(line.end - 1).map_or("", |token| token.text);
        !is_soft || last == ":" && !["=", ".", "(", "["].contains(&self.ahead(1))
    }

    /// Parses the block after a colon: the rest of the line, or the lines with more indentation.
    fn python_body(&mut self, lines: &[PythonLine], next: &mut usize, line: PythonLine) -> Node {
        let start = self.at;
        if !self.is_at_end() {
            let parts = self.python_simple_line();
            return self.node(NodeKind::Block, start, parts);
        }
        let first = lines.get(*next).filter(|body| body.indent > line.indent).copied();
        let Some(first) = first else { return self.node(NodeKind::Block, start, Vec::new()) };
        let parts = self.deeper(|parser| Some(parser.python_suite(lines, next, first.indent)));
        let end = lines.get(next.saturating_sub(1)).map_or(first.end, |last| last.end);
        let span = self.range(first.first).start..self.range(end - 1).end;
        Node::new(NodeKind::Block, span, parts.unwrap_or_default())
    }

    /// Parses statements on one line, separated by semicolons.
    fn python_simple_line(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            all.push(self.or_opaque(&[";"], Self::python_statement));
            self.eat(";");
        }
        all
    }

    fn python_statement(&mut self) -> Option<Node> {
        let start = self.at;
        match self.peek() {
            "return" => {
                self.at += 1;
                let ends = self.is_at_end() || self.peek() == ";";
                let value = if ends { None } else { Some(self.python_expressions()?) };
                Some(self.node(NodeKind::Return, start, value.into_iter().collect()))
            }
            "break" | "continue" => {
                self.at += 1;
                Some(self.node(NodeKind::Jump, start, Vec::new()))
            }
            word if PLAIN.contains(&word) => None,
            _ => self.python_assignment(start),
        }
    }

    /// Parses an expression or an assignment.
    fn python_assignment(&mut self, start: usize) -> Option<Node> {
        let mut target = self.python_expressions()?;
        if self.eat(":") {
            // The annotation with the type of a variable follows.
            self.python_expression(true)?;
            if self.is_at_end() {
                return Some(self.node(NodeKind::Other, start, Vec::new()));
            }
        }
        while ASSIGNMENTS.contains(&self.peek()) || self.peek() == "@=" {
            let sign = self.range(self.at);
            self.at += 1;
            let value = self.python_expressions()?;
            target = self.node(NodeKind::Assignment, start, vec![target, value]).signed(sign);
        }
        // A statement that is only a string is documentation.
        let kind = if target.kind == NodeKind::Text { NodeKind::Opaque } else { NodeKind::Statement };
        let children = if kind == NodeKind::Opaque { Vec::new() } else { vec![target] };
        Some(self.node(kind, start, children))
    }
}
