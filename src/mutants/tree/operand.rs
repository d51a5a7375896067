//! Operands of expressions: names, literals, prefix operators, groups, casts and object creation.

use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use crate::MutantLanguage;
use crate::lang::LexemeClass;

/// Keywords that denote a value.
const VALUES: [&str; 8] = ["this", "super", "null", "nullptr", "NULL", "undefined", "nil", "iota"];
/// Keywords that are parsed as prefix operators.
const WORDS_BEFORE: [&str; 8] = ["typeof", "void", "delete", "await", "yield", "throw", "co_await", "co_yield"];
/// Keywords of C++ casts, which are followed by a type in angle brackets.
const NAMED_CASTS: [&str; 4] = ["static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"];

impl TreeParser<'_> {
    /// Parses an operand together with its prefix and postfix operators.
    pub(super) fn operand(&mut self) -> Option<Node> {
        self.deeper(|parser| match parser.language {
            MutantLanguage::Python => parser.python_operand(),
            MutantLanguage::Go => parser.go_operand(),
            _ => parser.brace_operand(),
        })
    }

    fn brace_operand(&mut self) -> Option<Node> {
        let start = self.at;
        let class = self.class(0)?;
        let word = self.peek();
        if let Some(function) = self.lambda() {
            return function;
        }
        match class {
            LexemeClass::Sign => self.signed_operand(start),
            LexemeClass::Number | LexemeClass::Text => self.literal(start),
            LexemeClass::Keyword(_) if word == "true" || word == "false" => self.literal(start),
            LexemeClass::Keyword(_) => self.keyword_operand(start),
            LexemeClass::Name | LexemeClass::Type => self.named(start),
            LexemeClass::Space | LexemeClass::Comment => None,
        }
    }

    /// Parses a prefix operator with its operand.
    pub(super) fn prefixed(&mut self, start: usize) -> Option<Node> {
        let sign = self.range(self.at);
        self.at += 1;
        let operand = self.operand()?;
        Some(self.node(NodeKind::Prefix, start, vec![operand]).signed(sign))
    }

    fn signed_operand(&mut self, start: usize) -> Option<Node> {
        let node = match self.peek() {
            "!" | "-" | "+" | "~" | "++" | "--" => return self.prefixed(start),
            "*" | "&" if self.language.is_c_or_cpp() => return self.prefixed(start),
            "(" if self.language != MutantLanguage::JavaScript && self.is_cast() => {
                self.skip();
                let value = if self.peek() == "{" { self.list()? } else { self.operand()? };
                return Some(self.node(NodeKind::Other, start, vec![value]));
            }
            "(" => self.group(start)?,
            "[" if self.language == MutantLanguage::JavaScript => {
                let elements = self.inside(Self::elements);
                self.node(NodeKind::List, start, elements)
            }
            "{" if self.language == MutantLanguage::JavaScript => self.object(start),
            "::" => {
                self.at += 1;
                return self.named(start);
            }
            _ => return None,
        };
        self.postfix(start, node)
    }

    /// Parses an expression in parentheses.
    pub(super) fn group(&mut self, start: usize) -> Option<Node> {
        let inner = self.deeper(|parser| Some(parser.inside(|parser| parser.or_opaque(&[], Self::expressions))))?;
        Some(self.node(NodeKind::Group, start, vec![inner]))
    }

    pub(super) fn literal(&mut self, start: usize) -> Option<Node> {
        let token = self.token(self.at)?;
        self.at += 1;
        let kind = match token.class {
            LexemeClass::Number => NodeKind::Number,
            LexemeClass::Keyword(_) => NodeKind::Boolean,
            _ if token.text.starts_with('`') && self.language == MutantLanguage::JavaScript => {
                let inner = self.template(token.start..token.end);
                let node = self.node(NodeKind::Other, start, inner);
                return self.postfix(start, node);
            }
            // The literal is a regular expression.
            _ if token.text.starts_with('/') => NodeKind::Other,
            _ if token.text.ends_with('\'') && self.language != MutantLanguage::JavaScript => NodeKind::Character,
            _ => NodeKind::Text,
        };
        if kind == NodeKind::Text && self.language.is_c_or_cpp() {
            // Consecutive string literals form one string.
            while self.class(0) == Some(LexemeClass::Text) {
                self.at += 1;
            }
            // A name after a string literal is a macro that expands to a string. Such an expression is not recognized.
            (self.class(0) != Some(LexemeClass::Name)).then_some(())?;
        }
        let node = self.node(kind, start, Vec::new());
        self.postfix(start, node)
    }

    fn keyword_operand(&mut self, start: usize) -> Option<Node> {
        let word = self.peek();
        if VALUES.contains(&word) {
            self.at += 1;
            let node = self.node(NodeKind::Name, start, Vec::new());
            return self.postfix(start, node);
        }
        match word {
            "sizeof" | "alignof" | "typeid" | "decltype" => {
                self.at += 1;
                if self.peek() == "(" {
                    self.skip();
                } else {
                    self.operand()?;
                }
                let node = self.node(NodeKind::Opaque, start, Vec::new());
                self.postfix(start, node)
            }
            "not" if self.language == MutantLanguage::Cpp => self.prefixed(start),
            "new" => self.new_object(start),
            "function" | "async" | "class" if self.language == MutantLanguage::JavaScript => {
                let node = self.script_function(start)?;
                self.postfix(start, node)
            }
            "switch" if self.language == MutantLanguage::Java => {
                self.at += 1;
                let value = self.group(self.at).filter(|_| self.peek() == "{")?;
                let body = self.inside(Self::statements);
                let mut children = vec![value];
                children.extend(body);
                Some(self.node(NodeKind::Other, start, children))
            }
            "import" | "of" | "get" | "set" | "final" | "override" => self.named(start),
            _ if NAMED_CASTS.contains(&word) => {
                self.at = self.template_arguments(self.at + 1)?;
                let value = (self.peek() == "(").then(|| self.group(self.at)).flatten()?;
                let node = self.node(NodeKind::Other, start, vec![value]);
                self.postfix(start, node)
            }
            _ if WORDS_BEFORE.contains(&word) => {
                self.at += 1;
                let value = self.operand()?;
                Some(self.node(NodeKind::Other, start, vec![value]))
            }
            _ => None,
        }
    }

    /// Parses a name, or a type that is used like a name.
    pub(super) fn named(&mut self, start: usize) -> Option<Node> {
        if !self.is_word(0) {
            return None;
        }
        let is_type = self.class(0) == Some(LexemeClass::Type);
        self.at += 1;
        while is_type && self.class(0) == Some(LexemeClass::Type) {
            self.at += 1;
        }
        self.explicit_types();
        if self.language == MutantLanguage::Java && self.is_array_type() {
            // The expression is `int[]::new` or `int[].class`.
            self.at += 2;
        }
        let node = self.node(NodeKind::Name, start, Vec::new());
        self.postfix(start, node)
    }

    fn is_array_type(&self) -> bool {
        self.peek() == "[" && self.ahead(1) == "]"
    }

    /// Parses a `new` expression and the postfix operators after it. The children of the node are the lengths of an
    /// array, then the arguments or the list of an initializer, and in Java the members of an anonymous class. The type
    /// has no node.
    fn new_object(&mut self, start: usize) -> Option<Node> {
        self.at += 1;
        let mut children = Vec::new();
        match self.language {
            MutantLanguage::JavaScript => {
                // The name of the class is skipped, but not its arguments.
                while self.is_word(0) || self.peek() == "." {
                    self.at += 1;
                }
            }
            _ => self.at = self.skip_type(self.at)?,
        }
        while self.peek() == "[" {
            children.push(self.inside(|parser| parser.or_opaque(&[], Self::expression)));
        }
        match self.peek() {
            "(" => {
                let mut arguments = self.arguments();
                children.append(&mut arguments);
                if self.peek() == "{" && self.language == MutantLanguage::Java {
                    children.extend(self.inside(Self::declarations));
                }
            }
            "{" if self.language != MutantLanguage::JavaScript => children.push(self.list()?),
            _ => {}
        }
        let node = self.node(NodeKind::Other, start, children);
        self.postfix(start, node)
    }
}
