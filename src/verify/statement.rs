//! Checks a statement against the spec: samples, bounds and limits.

mod bounds;
mod limits;

use std::io::ErrorKind;
use std::path::PathBuf;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::model::counted;
use crate::problem::Problem;

use super::check_result::{Check, Status};

/// Returns a check for each language of the statement.
pub(super) fn checks(problem: &Problem) -> Vec<Check> {
    languages(problem).into_iter().map(|(name, path)| one(problem, name, &path)).collect()
}

/// Returns the name of the check and the path of the statement for each language. `statement.md` comes first, even if
/// the file does not exist; the others are the translations in the folder.
fn languages(problem: &Problem) -> Vec<(String, PathBuf)> {
    let path = |language: String| (format!("statement.{language}"), problem.statement(Some(&language)));
    let others = problem.translations().unwrap_or_default().into_iter().map(path);
    std::iter::once(("statement".to_owned(), problem.statement(None))).chain(others).collect()
}

/// Checks that the statement exists, is UTF-8 text, is not empty, and shows all samples of the spec if it has code
/// blocks. Also checks that the bounds and limits that the statement contains equal those of the spec.
fn one(problem: &Problem, name: String, path: &std::path::Path) -> Check {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let text = match fs_err::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Check::new(name, Status::Fail, format!("`{file}` is missing"));
        }
        Err(error) => return Check::new(name, Status::Fail, error.to_string()),
    };
    if text.trim().is_empty() {
        return Check::new(name, Status::Fail, format!("`{file}` is empty"));
    }
    let parts = Parts::of(&text);
    let mut wrong = Vec::new();
    let mut right = Vec::new();
    let samples = problem.samples();
    let shown = |sample: &str| parts.blocks.iter().any(|block| block.trim() == sample.trim());
    match samples.iter().position(|sample| !shown(&sample.input)) {
        _ if parts.blocks.is_empty() => right.push("no code blocks, so the samples are taken from the spec".to_owned()),
        Some(index) => wrong.push(format!("no code block contains the input of sample {} from the spec", index + 1)),
        None if samples.is_empty() => right.push("the spec has no samples".to_owned()),
        None => right.push(counted(samples.len(), "sample shown", "samples shown")),
    }
    if !parts.blocks.is_empty() {
        let differs = |sample: &crate::problem::Given| {
            sample.answer.as_ref().is_some_and(|answer| !shown(answer)) && shown(&sample.input)
        };
        if let Some(index) = samples.iter().position(differs) {
            wrong.push(format!("no code block contains the answer to sample {} from the spec", index + 1));
        }
    }
    let bounds = bounds::compare(&problem.input, &parts.formulas);
    wrong.extend(bounds.wrong);
    if !bounds.agreeing.is_empty() {
        right.push(format!("the bounds of {} are stated", bounds.agreeing.join(", ")));
    }
    if !bounds.unstated.is_empty() {
        right.push(format!("warning: the bounds of {} are not stated", bounds.unstated.join(", ")));
    }
    let (agreeing, differing) = limits::compare(problem, &parts.prose);
    right.extend(agreeing);
    wrong.extend(differing);
    match wrong.is_empty() {
        true => Check::new(name, Status::Pass, right.join("; ")),
        false => Check::new(name, Status::Fail, format!("{file}: {}", wrong.join("; "))),
    }
}

/// The parts of a statement that are checked.
#[derive(Debug, Default)]
struct Parts {
    /// Contents of the code blocks.
    blocks: Vec<String>,
    /// TeX formulas.
    formulas: Vec<String>,
    /// All text outside code blocks, including the TeX of formulas. Each entry is a block such as a paragraph, a list
    /// item or a table row.
    prose: Vec<String>,
}

impl Parts {
    fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let (mut block, mut line): (Option<String>, String) = (None, String::new());
        for event in Parser::new_ext(text, Options::ENABLE_MATH | Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                    block = Some(String::new());
                }
                Event::Text(text) if block.is_some() => {
                    if let Some(block) = &mut block {
                        block.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock) => parts.blocks.extend(block.take()),
                Event::InlineMath(tex) | Event::DisplayMath(tex) => {
                    line.push_str(&tex);
                    parts.formulas.push(tex.into_string());
                }
                Event::Text(text) | Event::Code(text) => line.push_str(&text),
                Event::SoftBreak | Event::HardBreak => line.push(' '),
                Event::End(TagEnd::Strong | TagEnd::Emphasis | TagEnd::Link | TagEnd::TableCell) => line.push(' '),
                Event::End(_) => parts.prose.extend((!line.is_empty()).then(|| std::mem::take(&mut line))),
                _ => {}
            }
        }
        parts.prose.extend((!line.is_empty()).then_some(line));
        parts
    }
}
