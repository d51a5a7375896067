//! Parses a program into its syntax tree.

use std::ops::Range;

use super::cursor::TreeParser;
use super::node::{Node, NodeKind};
use super::token::{match_brackets, template_parts, tokens};
use crate::MutantLanguage;

/// Maximum nesting depth of the code around a template string whose values are parsed.
const DEEPEST_TEMPLATE: usize = 40;
/// Number of levels by which a template string increases the nesting depth of its values.
const TEMPLATE_DEPTH: usize = 20;

/// The error for a program whose brackets don't match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeError {
    /// Byte position of an unmatched bracket.
    pub(crate) at: usize,
}

/// Parses a program into a syntax tree. Fails only if the brackets of the program don't match.
pub(crate) fn parse(source: &str, language: MutantLanguage) -> Result<Node, TreeError> {
    let mut tokens = tokens(source, 0..source.len(), language);
    match_brackets(&mut tokens).map_err(|at| TreeError { at })?;
    let mut parser = TreeParser::new(source, language, &tokens);
    let children = match language {
        MutantLanguage::C | MutantLanguage::Cpp | MutantLanguage::Java | MutantLanguage::Rust => parser.declarations(),
        MutantLanguage::JavaScript => parser.statements(),
        MutantLanguage::Go => parser.go_declarations(),
        MutantLanguage::Python => parser.python_lines(),
    };
    Ok(Node::new(NodeKind::Block, 0..source.len(), children))
}

impl TreeParser<'_> {
    /// Returns the expressions in the `${…}` of the template string in the byte range `span`, or no expressions if the
    /// string is nested too deeply.
    pub(super) fn template(&self, span: Range<usize>) -> Vec<Node> {
        let parts = self.source.get(span.clone()).and_then(template_parts);
        let values = parts.filter(|_| self.depth < DEEPEST_TEMPLATE).map(|parts| parts.values).unwrap_or_default();
        values
            .into_iter()
            .filter_map(|value| self.template_value(span.start + value.start..span.start + value.end))
            .collect()
    }

    fn template_value(&self, part: Range<usize>) -> Option<Node> {
        let mut inner = tokens(self.source, part, self.language);
        match_brackets(&mut inner).ok()?;
        let mut parser = TreeParser::new(self.source, self.language, &inner);
        parser.depth = self.depth + TEMPLATE_DEPTH;
        Some(parser.or_opaque(&[], TreeParser::expressions))
    }
}
