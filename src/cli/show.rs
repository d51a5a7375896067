//! `nimatron show`: a problem's statement, in the terminal.

use nimatron::model::Diagnostic;
use nimatron::problem::{Problem, Time};
use nimatron::report::markdown;

use super::args::Show;
use super::context::{Context, say};
use super::exit::{Ending, Result};

/// Shows a statement.
pub fn show(context: &Context, args: &Show) -> Result {
    let problem = context.shelf()?.load(&args.problem)?;
    let text = statement(&problem, args.lang.as_deref())?;
    let text = if args.raw { text } else { with_head_and_samples(&problem, &text) };
    let text = if args.raw { text } else { markdown::render(&text, context.width().min(100), context.color()) };
    say(text.trim_end())?;
    Ok(Ending::Good)
}

fn statement(problem: &Problem, language: Option<&str>) -> std::result::Result<String, Diagnostic> {
    let path = problem.statement(language);
    fs_err::read_to_string(&path).map_err(|error| {
        let known = languages(problem).join(", ");
        let diagnostic = match (error.kind(), language) {
            (std::io::ErrorKind::NotFound, Some(language)) => {
                Diagnostic::new(format!("{} has no statement in `{language}`", problem.id))
            }
            (std::io::ErrorKind::NotFound, None) => {
                Diagnostic::new(format!("{} has no statement: statement.md is missing", problem.id))
            }
            _ => Diagnostic::new(error.to_string()),
        };
        if known.is_empty() {
            diagnostic.help("write one: `statement.md` beside `problem.yaml`")
        } else {
            diagnostic.help(format!("there is one in: {known}"))
        }
    })
}

/// The languages in which there is a statement.
fn languages(problem: &Problem) -> Vec<String> {
    let mut found: Vec<String> = problem
        .dir
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_str()?.to_owned();
            let middle = name.strip_prefix("statement")?.strip_suffix("md")?;
            Some(if middle == "." { "en".to_owned() } else { middle.trim_matches('.').to_owned() })
        })
        .collect();
    found.sort();
    found
}

/// The title and the limits before the statement; the samples of the spec behind it, if it shows none itself.
fn with_head_and_samples(problem: &Problem, statement: &str) -> String {
    let time =
        if problem.time == Time::Auto { "from the solutions".to_owned() } else { problem.limits.cpu.to_string() };
    let source = problem.source.as_ref().map(|source| format!(" · {source}")).unwrap_or_default();
    let mut text =
        format!("# {}\n\ntime {time} · memory {}{source}\n\n{statement}\n", problem.name, problem.limits.memory);
    if !statement.contains("```") {
        let block = |text: &str| format!("\n```\n{}\n```\n", text.trim_end_matches('\n'));
        for (index, sample) in problem.samples().iter().enumerate() {
            text += &format!("\n## Sample {}\n{}", index + 1, block(&sample.input));
            text += &sample.answer.as_deref().map(block).unwrap_or_default();
            text += &sample.note.as_ref().map(|note| format!("\n{note}\n")).unwrap_or_default();
        }
    }
    text
}
