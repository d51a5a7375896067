//! What can be checked of a statement without understanding it.

use crate::problem::Problem;

use super::check_result::{Check, Status};

/// There is one, it is text, it is not empty, and it shows the samples of the spec, if it shows any.
pub(super) fn check(problem: &Problem) -> Check {
    let path = problem.statement(None);
    let text = match fs_err::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return Check::new("statement", Status::Fail, format!("statement.md is missing: {error}")),
    };
    if text.trim().is_empty() {
        return Check::new("statement", Status::Fail, "statement.md is empty");
    }
    let shown = blocks(&text);
    if shown.is_empty() {
        return Check::new("statement", Status::Pass, "the samples are shown from the spec");
    }
    let missing =
        problem.samples().iter().position(|sample| !shown.iter().any(|block| block.trim() == sample.input.trim()));
    match missing {
        Some(index) => {
            let detail = format!("sample {} of the spec is not among the statement's code blocks", index + 1);
            Check::new("statement", Status::Fail, detail)
        }
        None => Check::new("statement", Status::Pass, format!("shows all {} samples", problem.samples().len())),
    }
}

/// The contents of the code blocks.
fn blocks(text: &str) -> Vec<String> {
    use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
    let mut blocks = Vec::new();
    let mut inside = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                inside = true;
                blocks.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(part) if inside => {
                if let Some(block) = blocks.last_mut() {
                    block.push_str(&part);
                }
            }
            _ => {}
        }
    }
    blocks
}
