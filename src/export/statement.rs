//! Splits a statement into its legend, the sections about input and output, and the remarks about samples.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, TagEnd};

/// Returns the Markdown extensions that statements may use.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH
}

/// A statement in one language. All of its text is Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedStatement {
    /// Language code.
    pub language: String,
    /// The text before the first heading of level 1 or 2.
    pub legend: String,
    /// The sections except the samples' section. The first describes the input, and the second the output.
    pub sections: Vec<StatementSection>,
    /// The heading of the samples' section, and the remark about each sample, which may be empty; `None` if there is no
    /// such section.
    pub samples: Option<(String, Vec<String>)>,
    /// The unmodified text of the statement.
    pub whole: String,
}

/// A section of a statement: a heading and the text below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementSection {
    /// The text of the heading.
    pub title: String,
    /// The text below the heading.
    pub body: String,
}

/// A top-level Markdown block of a statement.
#[derive(Debug)]
enum StatementBlock {
    Heading(HeadingLevel, String),
    Code(String),
    Other,
}

impl ParsedStatement {
    /// Parses a statement. The samples' section is the section with a code block that equals one of `inputs`, apart
    /// from leading and trailing white space.
    pub fn parse(language: &str, text: &str, inputs: &[&str]) -> ParsedStatement {
        let blocks = blocks(text);
        let starts: Vec<usize> = (0..blocks.len()).filter(|at| is_section(&blocks[*at].0)).collect();
        let first = starts.first().copied().unwrap_or(blocks.len());
        let mut statement = ParsedStatement {
            language: language.to_owned(),
            legend: slice(text, &blocks[..first]),
            sections: Vec::new(),
            samples: None,
            whole: text.to_owned(),
        };
        for (number, start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(blocks.len());
            let (title, inside) = match &blocks[*start].0 {
                StatementBlock::Heading(_, title) => (title.clone(), &blocks[start + 1..end]),
                _ => continue,
            };
            let shows = |block: &StatementBlock| matches!(block, StatementBlock::Code(code) if inputs.iter().any(|input| input.trim() == code.trim()));
            if inside.iter().any(|(block, _)| shows(block)) {
                statement.samples = Some((title, remarks(text, inside)));
            } else {
                statement.sections.push(StatementSection { title, body: slice(text, inside) });
            }
        }
        statement
    }

    /// Returns the section about the input, if the statement has one.
    pub fn input(&self) -> Option<&StatementSection> {
        self.sections.first()
    }

    /// Returns the section about the output, if the statement has one.
    pub fn output(&self) -> Option<&StatementSection> {
        self.sections.get(1)
    }

    /// Returns the sections after those about input and output.
    pub fn others(&self) -> &[StatementSection] {
        self.sections.get(2..).unwrap_or_default()
    }

    /// Returns the remarks about samples as a section of numbered paragraphs, or `None` if there are no remarks.
    pub fn notes(&self) -> Option<StatementSection> {
        let (title, remarks) = self.samples.as_ref()?;
        let said = remarks.iter().enumerate().filter(|(_, remark)| !remark.is_empty());
        let body: String = said.map(|(at, remark)| format!("**{}.** {remark}\n\n", at + 1)).collect();
        (!body.is_empty()).then(|| StatementSection { title: title.clone(), body })
    }
}

fn is_section(block: &StatementBlock) -> bool {
    matches!(block, StatementBlock::Heading(level, _) if *level <= HeadingLevel::H2)
}

/// Returns the remark about each sample, which consists of the blocks below the sample's heading except code blocks and
/// the labels directly before them.
fn remarks(text: &str, blocks: &[(StatementBlock, Range<usize>)]) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    for (at, (block, range)) in blocks.iter().enumerate() {
        let labels = matches!(blocks.get(at + 1), Some((StatementBlock::Code(_), _)));
        match block {
            StatementBlock::Heading(..) => remarks.push(String::new()),
            StatementBlock::Other if !labels => {
                if remarks.is_empty() {
                    remarks.push(String::new());
                }
                if let Some(last) = remarks.last_mut() {
                    let gap = if last.is_empty() { "" } else { "\n\n" };
                    last.push_str(&format!("{gap}{}", text[range.clone()].trim()));
                }
            }
            _ => {}
        }
    }
    remarks
}

/// Returns the text of consecutive blocks.
fn slice(text: &str, blocks: &[(StatementBlock, Range<usize>)]) -> String {
    match (blocks.first(), blocks.last()) {
        (Some((_, first)), Some((_, last))) => text[first.start..last.end].trim().to_owned() + "\n",
        _ => String::new(),
    }
}

fn blocks(text: &str) -> Vec<(StatementBlock, Range<usize>)> {
    let mut blocks = Vec::new();
    let (mut depth, mut inside) = (0_usize, String::new());
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    inside.clear();
                }
                depth += 1;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let block = match end {
                        TagEnd::Heading(level) => StatementBlock::Heading(level, inside.clone()),
                        TagEnd::CodeBlock => StatementBlock::Code(inside.clone()),
                        _ => StatementBlock::Other,
                    };
                    blocks.push((block, range));
                }
            }
            Event::Text(part) | Event::Code(part) | Event::InlineMath(part) => inside.push_str(&part),
            _ if depth == 0 => blocks.push((StatementBlock::Other, range)),
            _ => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The *game*.\n\n## Input\n\nA number $n$.\n\n## Output\n\n`Yes`.\n\n## Limits\n\n* $n > 0$\n\n\
        ## Examples\n\n### 1\n\nInput:\n\n```\n2\n```\n\nOutput:\n\n```\nYes\n```\n\nTwo is even.\n\n### 2\n\n```\n3\n```\n";

    #[test]
    fn samples_are_removed_and_their_remarks_are_kept() {
        let statement = ParsedStatement::parse("en", TEXT, &["2\n", "3\n"]);
        assert_eq!(statement.legend, "The *game*.\n");
        assert_eq!(statement.input().unwrap().body, "A number $n$.\n");
        assert_eq!(statement.output().unwrap().title, "Output");
        assert_eq!(statement.others().len(), 1);
        assert_eq!(statement.samples, Some(("Examples".to_owned(), vec!["Two is even.".to_owned(), String::new()])));
        assert_eq!(statement.notes().unwrap().body, "**1.** Two is even.\n\n");
    }

    #[test]
    fn statements_without_headings_are_legends() {
        let statement = ParsedStatement::parse("en", "Print the sum.\n", &["1\n"]);
        assert_eq!((statement.legend.as_str(), statement.input()), ("Print the sum.\n", None));
        assert_eq!(statement.notes(), None);
    }
}
