//! Mutants of expressions in languages other than Rust.

use super::language::MutantLanguage;
use super::mutant::MutationOperator;
use super::tree::{Node, NodeKind, binding};
use super::tree_finder::TreeFinder;
use super::tree_operators::{
    has_opposite, other_character, other_function, other_numbers, other_text, other_values, replacements, takes_format,
};

impl TreeFinder<'_> {
    /// Adds the mutants of the expression itself, but not those of its parts.
    pub(super) fn expression(&mut self, node: &Node) {
        match node.kind {
            NodeKind::Number => {
                for other in other_numbers(self.language, self.text(node)) {
                    self.replace(MutationOperator::Constant, node, other);
                }
            }
            NodeKind::Character => {
                if let Some(other) = other_character(self.text(node)) {
                    self.replace(MutationOperator::Constant, node, other);
                }
            }
            NodeKind::Text => {
                if let Some(other) = other_text(self.text(node)) {
                    self.replace(MutationOperator::Constant, node, other);
                }
            }
            NodeKind::Boolean => {
                let [no, yes] = self.language.truths();
                let is_yes = self.text(node).eq_ignore_ascii_case("true");
                self.replace(MutationOperator::Constant, node, if is_yes { no } else { yes }.to_owned());
            }
            NodeKind::Binary => self.binary(node),
            NodeKind::Prefix => self.prefix(node),
            NodeKind::Assignment => self.assignment(node, node),
            NodeKind::Call => self.call(node),
            NodeKind::Index => self.index(node),
            _ => {}
        }
    }

    /// Returns the operator of the node with single spaces, such as `not in`.
    fn spaced_sign(&self, node: &Node) -> String {
        self.sign(node).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn binary(&mut self, node: &Node) {
        let [left, right] = &node.children[..] else { return };
        let sign = self.spaced_sign(node);
        let Some((operator, others)) = replacements(self.language, &sign).filter(|_| !self.is_stream(node)) else {
            return;
        };
        if operator == MutationOperator::Arithmetic && (self.is_of_texts(left) || self.is_of_texts(right)) {
            return;
        }
        let language = self.language;
        let is_end = |side: &Node| {
            let callee = side.children.first().filter(|_| side.kind == NodeKind::Call);
            callee.is_some_and(|callee| ["end", "begin", "rend", "rbegin", "cend"].contains(&self.sign(callee)))
        };
        let is_nothing =
            |side: &Node| ["null", "nullptr", "NULL", "nil", "None", "undefined"].contains(&self.text(side));
        // Iterators such as `v.end()` in C++ and null values are usually compared only for equality.
        let has_order =
            !(language.is_c_or_cpp() && (is_end(left) || is_end(right)) || is_nothing(left) || is_nothing(right));
        let others = others.iter().filter(|other| has_order || has_opposite(other));
        let others: Vec<&str> = others.copied().collect();
        let binds = |sign: &str| binding(language, sign.split(' ').next().unwrap_or_default());
        for other in others {
            if binds(&sign) == binds(other) {
                let text = self.apart(&node.sign, other);
                self.mutate(operator, node.sign.clone(), text, node);
            } else {
                let text = format!("({} {other} {})", self.bracketed(left), self.bracketed(right));
                self.replace(operator, node, text);
            }
        }
        if operator == MutationOperator::Logic {
            for side in [left, right] {
                self.replace_condition(MutationOperator::Logic, node, self.text(side).to_owned());
            }
        }
    }

    /// Returns the operator `other` as the replacement of `span`, with a space where it would otherwise merge with an
    /// adjacent operator.
    fn apart(&self, span: &std::ops::Range<usize>, other: &str) -> String {
        let grows = |byte: Option<&u8>| byte.is_some_and(|byte| b"+-*/%&|^<>=!~".contains(byte));
        let bytes = self.source.as_bytes();
        let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(span.end);
        let (left, right) = (if grows(before) { " " } else { "" }, if grows(after) { " " } else { "" });
        format!("{left}{other}{right}")
    }

    /// Returns whether the operand is a string, a list or a function, or a sum that contains one of these, so that
    /// `+` does not add numbers.
    fn is_of_texts(&self, node: &Node) -> bool {
        match node.kind {
            NodeKind::Text | NodeKind::List | NodeKind::Function(_) => true,
            // The operand is a string with embedded values.
            NodeKind::Other => ["`", "f\"", "f'"].iter().any(|start| self.text(node).starts_with(start)),
            NodeKind::Group => node.children.iter().any(|child| self.is_of_texts(child)),
            NodeKind::Binary => self.sign(node) == "+" && node.children.iter().any(|child| self.is_of_texts(child)),
            _ => false,
        }
    }

    /// Returns the text of an operand, in parentheses unless it is atomic.
    fn bracketed(&self, operand: &Node) -> String {
        let text = self.text(operand);
        if operand.is_of_one_piece() { text.to_owned() } else { format!("({text})") }
    }

    fn prefix(&mut self, node: &Node) {
        let Some(operand) = node.children.first() else { return };
        let operator = match self.sign(node) {
            "!" | "not" => MutationOperator::Logic,
            "-" => MutationOperator::Arithmetic,
            _ => return,
        };
        self.replace(operator, node, self.text(operand).to_owned());
    }

    /// Adds the mutants of an assignment with an operator, such as `+=`. `whole` is the statement or expression that is
    /// switched.
    pub(super) fn assignment(&mut self, node: &Node, whole: &Node) {
        let sign = self.sign(node).to_owned();
        let Some((operator, others)) = replacements(self.language, &sign).filter(|_| sign.ends_with('=')) else {
            return;
        };
        let is_of_texts = node.children.get(1).is_some_and(|value| self.is_of_texts(value));
        if operator == MutationOperator::Arithmetic && is_of_texts {
            return;
        }
        for other in others {
            let text = self.apart(&node.sign, other);
            if whole.kind == NodeKind::Statement {
                self.in_statement(operator, node.sign.clone(), text, whole);
            } else {
                self.mutate(operator, node.sign.clone(), text, whole);
            }
        }
    }

    fn call(&mut self, node: &Node) {
        let Some(callee) = node.children.first() else { return };
        let span = if callee.kind == NodeKind::Member { callee.sign.clone() } else { callee.span.clone() };
        let name = self.source.get(span.clone()).unwrap_or_default();
        let plain = name.rsplit("::").next().unwrap_or_default();
        if let Some(other) = other_function(self.language, plain) {
            let start = span.end - plain.len();
            let is_callee = callee.kind == NodeKind::Member || callee.kind == NodeKind::Name;
            // Deques have methods for their first element, but C++ vectors and Python lists do not.
            let is_of_deque = ["push_front", "pop_front", "appendleft", "popleft"].contains(&other);
            if is_callee && (!is_of_deque || self.source.contains("deque")) {
                self.mutate(MutationOperator::Method, start..span.end, other.to_owned(), node);
            }
        }
        if self.language == MutantLanguage::Python && self.text(callee) == "range" {
            let ends = &node.children[1..];
            let ends = if ends.len() > 2 { &ends[..2] } else { ends };
            ends.iter().for_each(|end| self.by_one(end));
        }
    }

    fn index(&mut self, node: &Node) {
        for index in &node.children[1..] {
            if index.kind == NodeKind::Slice {
                let ends = index.children.iter().filter(|end| end.kind != NodeKind::Other);
                ends.for_each(|end| self.by_one(end));
            } else {
                self.by_one(index);
            }
        }
    }

    /// Adds a mutant in which an index or the end of a range is larger by one, and a mutant in which it is smaller
    /// by one.
    fn by_one(&mut self, index: &Node) {
        let is_text = matches!(
            index.kind,
            NodeKind::Text | NodeKind::Character | NodeKind::List | NodeKind::Function(_) | NodeKind::Opaque
        );
        if is_text || has_number(self.source, index) {
            return;
        }
        for off in ["+ 1", "- 1"] {
            let text = format!("{} {off}", self.bracketed(index));
            self.replace(MutationOperator::OffByOne, index, text);
        }
    }

    /// Adds mutants that replace or negate the condition of an `if` or a loop.
    pub(super) fn condition(&mut self, condition: &Node) {
        if matches!(condition.kind, NodeKind::Opaque | NodeKind::Number | NodeKind::Boolean) {
            return;
        }
        for truth in self.language.truths() {
            self.replace_condition(MutationOperator::Condition, condition, truth.to_owned());
        }
        // Conditions such as `!a` or `a == b` are not negated, since another mutant removes the `!` or inverts the
        // comparison.
        let sign = self.sign(condition);
        let negated = match condition.kind {
            NodeKind::Prefix => matches!(sign, "!" | "not"),
            NodeKind::Binary => has_opposite(&self.spaced_sign(condition)),
            _ => false,
        };
        if !negated {
            let text = self.language.negated(self.text(condition));
            self.replace_condition(MutationOperator::Condition, condition, text);
        }
    }

    /// Adds mutants that replace a returned value.
    pub(super) fn returned(&mut self, value: &Node) {
        if matches!(value.kind, NodeKind::Opaque | NodeKind::Other) {
            return;
        }
        let kind = self.returns.last().cloned().flatten();
        let others = match (kind, self.language) {
            (Some(kind), _) => other_values(self.language, &kind),
            (None, MutantLanguage::Python | MutantLanguage::JavaScript) => self.values_like(value),
            (None, _) => Vec::new(),
        };
        for other in others {
            if self.text(value) != other {
                self.replace(MutationOperator::Returned, value, other);
            }
        }
    }

    /// Returns simple values of the type that the expression seems to have, or no values if its type is unclear.
    fn values_like(&self, value: &Node) -> Vec<String> {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        let sign = self.spaced_sign(value);
        match value.kind {
            NodeKind::Boolean => Vec::new(),
            NodeKind::Number => texts(&["0", "1"]),
            NodeKind::Binary => match replacements(self.language, &sign).map(|(operator, _)| operator) {
                Some(MutationOperator::Comparison) => texts(&self.language.truths()),
                Some(MutationOperator::Arithmetic | MutationOperator::Bitwise) if !self.is_of_texts(value) => {
                    texts(&["0", "1"])
                }
                _ => Vec::new(),
            },
            NodeKind::Prefix if matches!(&*sign, "!" | "not") => texts(&self.language.truths()),
            NodeKind::Prefix => texts(&["0", "1"]),
            NodeKind::Group => value.children.first().map(|inner| self.values_like(inner)).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Returns the index of the child that must not be mutated because it is a format string, an encoding, a file name
    /// or a module name; `None` if there is no such child.
    pub(super) fn untouched_text(&self, node: &Node) -> Option<usize> {
        let first = node.children.first()?;
        match node.kind {
            NodeKind::Call => {
                let name = if first.kind == NodeKind::Member { self.sign(first) } else { self.text(first) };
                let name = name.rsplit("::").next().unwrap_or_default();
                let is_text = |node: &Node| node.kind == NodeKind::Text;
                takes_format(name).then(|| node.children[1..].iter().position(is_text).map(|at| at + 1))?
            }
            // The string is a format string, as in `"{} {}".format(a, b)`.
            NodeKind::Member if first.kind == NodeKind::Text && takes_format(self.sign(node)) => Some(0),
            // The string is a format string, as in `"%d %d" % (a, b)`.
            NodeKind::Binary if first.kind == NodeKind::Text && self.sign(node) == "%" => Some(0),
            _ => None,
        }
    }

    /// Returns whether the expression reads from or writes to a standard stream of C++, such as `cin >> n`.
    pub(super) fn is_stream(&self, node: &Node) -> bool {
        const STREAMS: [&str; 8] = ["cin", "cout", "cerr", "clog", "std::cin", "std::cout", "std::cerr", "std::clog"];
        self.is_shift(node) && STREAMS.contains(&self.text(leftmost(node)))
    }

    /// Returns whether the expression applies `<<` or `>>` in C++. A statement that consists of such an expression is
    /// assumed to be stream input or output.
    pub(super) fn is_shift(&self, node: &Node) -> bool {
        self.language == MutantLanguage::Cpp && node.kind == NodeKind::Binary && matches!(self.sign(node), "<<" | ">>")
    }

    /// Visits the operands that are written to or read from the stream in a chain of `<<` or `>>`.
    pub(super) fn stream_parts(&mut self, node: &Node) {
        let [left, right] = &node.children[..] else { return };
        if self.is_shift(left) {
            self.stream_parts(left);
        }
        self.visit(right);
    }
}

/// Returns the leftmost operand of a chain of binary operators.
fn leftmost(node: &Node) -> &Node {
    match node.children.first() {
        Some(left) if node.kind == NodeKind::Binary => leftmost(left),
        _ => node,
    }
}

/// Returns whether the expression is a number, possibly signed or in parentheses, or a sum or difference that has a
/// number as an operand. Such numbers are already mutated as constants.
fn has_number(source: &str, node: &Node) -> bool {
    match node.kind {
        NodeKind::Number => true,
        NodeKind::Group | NodeKind::Prefix => node.children.iter().all(|inner| has_number(source, inner)),
        NodeKind::Binary => {
            let is_sum = matches!(source.get(node.sign.clone()), Some("+" | "-"));
            is_sum && node.children.iter().any(|side| side.kind == NodeKind::Number)
        }
        _ => false,
    }
}
