//! `nimatron show`: prints a problem's statement.

use nimatron::history::ProblemKey;
use nimatron::model::{Diagnostic, ProblemId};
use nimatron::package::latex::{NEXT_SAMPLE, REMAINING_SAMPLES};
use nimatron::package::{Package, PackageCase, PackageFormat, latex};
use nimatron::problem::{Problem, TimeLimitSource};
use nimatron::report::markdown;

use super::args::Show;
use super::context::{Context, catalog_key, package_key, say_drawn};
use super::exit::{Ending, Result};
use super::standing::{known_problem, now, summary};

/// Number of tests that are shown if a folder of tests has no samples.
const FIRST_TESTS: usize = 3;
/// Maximum length of the shown part of a sample's file, in bytes.
const LONGEST_SAMPLE: usize = 64 << 10;

/// Runs `nimatron show` and returns how the command ended.
pub fn show(context: &Context, args: &Show) -> Result {
    if let Some(package) = context.package(&args.problem)? {
        return show_package(context, args, &package);
    }
    let catalog = context.catalog()?;
    let problem = catalog.load(&args.problem)?;
    let text = statement(&problem, args.lang.as_deref())?;
    let runs = || runs(context, &catalog_key(&catalog, &problem.dir, &problem.id), &problem.id);
    let text = if args.raw { text } else { with_head_and_samples(&problem, &runs(), &text) };
    let text = if args.raw { text } else { markdown::render(&text, context.width().min(100), context.color()) };
    say_drawn(text.trim_end())?;
    Ok(Ending::Good)
}

/// Returns the information of the history about a problem as paragraphs: the address of the statement, and the runs.
fn runs(context: &Context, key: &ProblemKey, id: &ProblemId) -> String {
    let Some(known) = known_problem(context, key, id) else { return String::new() };
    let link = if known.url.is_empty() { String::new() } else { format!("{}\n\n", known.url) };
    let runs = known.standing.map(|standing| format!("{}\n\n", summary(&standing, now()))).unwrap_or_default();
    format!("{link}{runs}")
}

/// Prints the statement of a package as text, or the path of its file if the statement is not text.
fn show_package(context: &Context, args: &Show, package: &Package) -> Result {
    if package.statements.is_empty() && package.guess.is_some() && !args.raw {
        let head = format!("{}There is no statement.\n", package_head(context, args, package));
        return shown(context, &head, package);
    }
    let (path, text) = package_statement(package, args.lang.as_deref())?;
    if args.raw {
        say_drawn(text.trim_end())?;
        return Ok(Ending::Good);
    }
    let tex = path.extension().is_some_and(|ending| ending == "tex");
    let text = if tex { latex::to_markdown(&text) } else { text };
    shown(context, &format!("{}{text}\n", package_head(context, args, package)), package)
}

/// Prints a statement with samples at its sample marks. Samples without a mark are printed at the end.
fn shown(context: &Context, text: &str, package: &Package) -> Result {
    let samples = package.tests().filter(|case| case.name.starts_with("sample/")).zip(1..);
    let mut samples: Vec<String> = samples.map(|(case, number)| sample(&format!("Sample {number}"), case)).collect();
    if samples.is_empty() && package.format == PackageFormat::Folder {
        samples = package.tests().take(FIRST_TESTS).map(|case| sample(&case.name, case)).collect();
    }
    let whole = with_samples(text, &samples);
    let shown = markdown::render(&whole, context.width().min(100), context.color());
    say_drawn(shown.trim_end())?;
    Ok(Ending::Good)
}

/// Formats a sample as Markdown.
fn sample(title: &str, case: &PackageCase) -> String {
    let [input, answer] = &case.shown;
    let files = match &case.interaction {
        Some(dialogue) => vec![dialogue],
        None => {
            let answer = answer.as_ref().or(case.output.as_ref()).or(case.answer.as_ref());
            [Some(input.as_ref().unwrap_or(&case.input)), answer].into_iter().flatten().collect()
        }
    };
    let mut text = format!("\n## {title}\n");
    for file in files {
        let bytes = fs_err::read(file).unwrap_or_default();
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_SAMPLE)]).into_owned();
        text += &format!("\n```\n{}\n```\n", shown.trim_end_matches('\n'));
    }
    text
}

/// Inserts samples at the marks for the next sample and for all remaining samples. Samples without a mark are appended.
fn with_samples(text: &str, samples: &[String]) -> String {
    let mut left = samples.iter();
    let mut whole = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        whole += &rest[..at];
        rest = &rest[at..];
        if let Some(tail) = rest.strip_prefix(NEXT_SAMPLE) {
            whole += left.next().map_or("", String::as_str);
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix(REMAINING_SAMPLES) {
            whole.extend(left.by_ref().map(String::as_str));
            rest = tail;
        } else {
            whole += "{{";
            rest = &rest[2..];
        }
    }
    whole += rest;
    whole.extend(left.map(String::as_str));
    whole
}

/// Returns the title, limits, source, format and runs of a package, which are printed before its statement.
fn package_head(context: &Context, args: &Show, package: &Package) -> String {
    let runs = runs(context, &package_key(&args.problem, package), &package.id);
    let time = package.limits.time.map_or("derived from its programs".to_owned(), |time| time.to_string());
    let source = package.source.as_ref().map(|source| format!(" · {source}")).unwrap_or_default();
    let guess = package.whole_guess().map(|guess| format!("{guess}.\n\n")).unwrap_or_default();
    let (title, memory, format) = (package.title(), package.limits.memory, package.format.name());
    format!("# {title}\n\ntime {time} · memory {memory}{source}\n\n*{format}*\n\n{guess}{runs}")
}

/// Returns the path and the text of the statement.
fn package_statement(
    package: &Package,
    language: Option<&str>,
) -> std::result::Result<(std::path::PathBuf, String), Diagnostic> {
    let found: Vec<_> =
        package.statements.iter().filter(|one| language.is_none_or(|wanted| one.language == wanted)).collect();
    let is_text =
        |path: &std::path::Path| path.extension().is_some_and(|end| end == "md" || end == "tex" || end == "txt");
    if let Some(one) = found.iter().find(|one| is_text(&one.path)) {
        let bytes = fs_err::read(&one.path).map_err(|error| Diagnostic::user_file(&error))?;
        return Ok((one.path.clone(), package.with_constants(&String::from_utf8_lossy(&bytes))));
    }
    let message = match language {
        Some(language) => format!("`{}` has no text statement in language `{language}`", package.id),
        None => format!("`{}` has no text statement", package.id),
    };
    let known: Vec<String> =
        package.statements.iter().map(|one| format!("{} ({})", one.language, one.path.display())).collect();
    let diagnostic = Diagnostic::new(message);
    Err(if known.is_empty() { diagnostic } else { diagnostic.help(format!("available: {}", known.join(", "))) })
}

fn statement(problem: &Problem, language: Option<&str>) -> std::result::Result<String, Diagnostic> {
    let path = problem.statement(language);
    fs_err::read_to_string(&path).map_err(|error| {
        let known = languages(problem).join(", ");
        let diagnostic = match (error.kind(), language) {
            (std::io::ErrorKind::NotFound, Some(language)) => {
                Diagnostic::new(format!("`{}` has no statement in language `{language}`", problem.id))
            }
            (std::io::ErrorKind::NotFound, None) => {
                Diagnostic::new(format!("`{}` has no statement: statement.md is missing", problem.id))
            }
            _ => Diagnostic::new(error.to_string()),
        };
        if known.is_empty() {
            diagnostic.help("create `statement.md` in the folder of `problem.yaml`")
        } else {
            diagnostic.help(format!("available languages: {known}"))
        }
    })
}

/// Returns the languages of the problem's statements.
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

/// Prepends the title and the limits. Appends the samples of problem.yaml if the statement contains none.
fn with_head_and_samples(problem: &Problem, runs: &str, statement: &str) -> String {
    let time = if problem.time == TimeLimitSource::Auto {
        "derived from the solutions".to_owned()
    } else {
        problem.limits.cpu.to_string()
    };
    let source = problem.source.as_ref().map(|source| format!(" · {source}")).unwrap_or_default();
    let mut text =
        format!("# {}\n\ntime {time} · memory {}{source}\n\n{runs}{statement}\n", problem.name, problem.limits.memory);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_replace_marks_or_are_appended() {
        let samples = ["1", "2", "3"].map(str::to_owned);
        let with = |text: &str| with_samples(text, &samples);
        assert_eq!(with("a"), "a123");
        assert_eq!(with("a{{nextsample}}b{{other}}{{remainingsamples}}c"), "a1b{{other}}23c");
        assert_eq!(with("{{nextsample}}{{nextsample}}{{nextsample}}{{nextsample}}a{{"), "123a{{");
        let tex = latex::to_markdown("a \\nextsample{} b\n\\remainingsamples\n");
        assert_eq!(with(&tex).matches(['1', '2', '3']).collect::<String>(), "123");
        assert!(!with(&tex).contains("sample"), "{tex}");
    }
}
