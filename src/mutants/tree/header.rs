//! Parses the header of a Go function, so that copies of the function can be called with the same arguments.

use std::ops::Range;

use super::cursor::TreeParser;
use super::token::{match_brackets, tokens};
use crate::MutantLanguage;
use crate::lang::LexemeClass;

/// The parts of a Go function that are needed to copy it and to call the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoHeader {
    /// Byte range of the name.
    pub(crate) name: Range<usize>,
    /// Byte position after the opening brace.
    pub(crate) body: usize,
    /// The name of the receiver of a method; `None` for a function.
    pub(crate) receiver: Option<String>,
    /// The arguments of a call that forwards all parameters.
    pub(crate) arguments: String,
    /// Whether the function has a result.
    pub(crate) has_result: bool,
}

/// Parses the header of the Go function whose source text is `function`. Returns `None` if its copies can't be called,
/// for example because a parameter has no name or the function has type parameters.
pub(crate) fn go_header(function: &str) -> Option<GoHeader> {
    let mut list = tokens(function, 0..function.len(), MutantLanguage::Go);
    match_brackets(&mut list).ok()?;
    let mut parser = TreeParser::new(function, MutantLanguage::Go, &list);
    parser.expect("func")?;
    let receiver = if parser.peek() == "(" { Some(parser.inside(TreeParser::parameters)?) } else { None };
    (parser.class(0) == Some(LexemeClass::Name)).then_some(())?;
    let name = parser.range(parser.at);
    if ["init", "_"].contains(&parser.peek()) {
        return None;
    }
    parser.at += 1;
    (parser.peek() == "(").then_some(())?;
    let arguments = parser.inside(TreeParser::parameters)?;
    let from = parser.at;
    if parser.peek() != "{" {
        parser.at = parser.skip_go_type(parser.at)?;
    }
    let has_result = parser.at > from;
    (parser.peek() == "{").then_some(())?;
    let body = parser.range(parser.at).end;
    Some(GoHeader { name, body, receiver, arguments, has_result })
}

impl TreeParser<'_> {
    /// Returns the names of the parameters as arguments of a call, or `None` if a parameter has no name.
    fn parameters(&mut self) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        let mut has_types = self.is_at_end();
        while !self.is_at_end() {
            let name = self.peek();
            (self.class(0) == Some(LexemeClass::Name) && name != "_").then_some(())?;
            self.at += 1;
            let is_last_of_type = !self.is_at_end() && self.peek() != ",";
            has_types |= is_last_of_type;
            let is_variadic = self.peek() == "...";
            names.push(if is_variadic { format!("{name}...") } else { name.to_owned() });
            self.skip_to(&[","]);
            self.eat(",");
        }
        has_types.then(|| names.join(", "))
    }
}
