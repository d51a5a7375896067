//! Reads statements, converts them to Markdown, and inserts their samples.

use std::path::PathBuf;

use crate::model::Diagnostic;
use crate::package::latex::{NEXT_SAMPLE, REMAINING_SAMPLES};
use crate::package::{Package, PackageCase, PackageFormat, latex};
use crate::problem::Problem;

/// Number of tests that are shown as samples if a folder of tests contains no samples.
const FIRST_TESTS: usize = 3;
/// Length to which the files of a sample are truncated, in bytes.
const LONGEST_SAMPLE: usize = 64 << 10;

/// The statement of a problem in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemStatement {
    /// The text as the author wrote it.
    pub text: String,
    /// The text as Markdown, in which samples replace the author's placeholders.
    pub markdown: String,
    /// The samples.
    pub samples: Vec<StatementSample>,
    /// The number of samples that the Markdown text contains. The remaining samples follow the text.
    pub placed: usize,
}

/// A sample in the form in which a statement shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementSample {
    /// The heading above the sample.
    pub name: String,
    /// The input, or the dialogue of an interactive problem.
    pub input: String,
    /// The answer, if it is shown.
    pub answer: Option<String>,
    /// An explanation, as Markdown, if there is one.
    pub note: Option<String>,
}

impl StatementSample {
    fn markdown(&self) -> String {
        let block = |text: &str| format!("\n```\n{}\n```\n", text.trim_end_matches('\n'));
        let answer = self.answer.as_deref().map(block).unwrap_or_default();
        let note = self.note.as_ref().map(|note| format!("\n{note}\n")).unwrap_or_default();
        format!("\n## {}\n{}{answer}{note}", self.name, block(&self.input))
    }
}

impl ProblemStatement {
    /// Reads the statement of a native problem in `language`. If `language` is `None`, reads the file `statement.md`.
    /// The samples in `problem.yaml` follow the text if the text has no code blocks.
    ///
    /// # Errors
    /// Fails if there is no statement in `language`, or if it can't be read.
    pub fn of_problem(problem: &Problem, language: Option<&str>) -> Result<ProblemStatement, Diagnostic> {
        let text = problem_text(problem, language)?;
        let given = problem.samples().iter().zip(1..);
        let samples: Vec<StatementSample> = given
            .map(|(sample, number)| StatementSample {
                name: format!("Sample {number}"),
                input: sample.input.clone(),
                answer: sample.answer.clone(),
                note: sample.note.clone(),
            })
            .collect();
        let placed = if text.contains("```") { samples.len() } else { 0 };
        Ok(ProblemStatement { markdown: format!("{text}\n"), text, samples, placed })
    }

    /// Reads the statement of a package. Samples replace the placeholders of the format; the remaining samples follow
    /// the text.
    ///
    /// # Errors
    /// Fails if there is no text statement in `language`, or if it can't be read. For a folder of tests, a missing
    /// statement is not an error.
    pub fn of_package(package: &Package, language: Option<&str>) -> Result<ProblemStatement, Diagnostic> {
        let (text, written) = if package.statements.is_empty() && package.guess.is_some() {
            (String::new(), "There is no statement.\n".to_owned())
        } else {
            let (path, text) = package_text(package, language)?;
            let is_tex = path.extension().is_some_and(|ending| ending == "tex");
            let markdown = if is_tex { latex::to_markdown(&text) } else { text.clone() };
            (text, format!("{markdown}\n"))
        };
        let samples = package_samples(package);
        let blocks: Vec<String> = samples.iter().map(StatementSample::markdown).collect();
        let (markdown, placed) = with_samples(&written, &blocks);
        Ok(ProblemStatement { text, markdown, samples, placed })
    }

    /// Returns the text as Markdown, followed by the samples that it does not contain.
    pub fn with_all_samples(&self) -> String {
        let mut whole = self.markdown.clone();
        whole.extend(self.samples.iter().skip(self.placed).map(StatementSample::markdown));
        whole
    }
}

/// Returns the languages of a problem's statements, sorted.
pub fn statement_languages(problem: &Problem) -> Vec<String> {
    let mut found = problem.translations().unwrap_or_default();
    if problem.statement(None).is_file() {
        found.push("en".to_owned());
    }
    found.sort_unstable();
    found
}

/// Returns the samples of a package, or the first tests of a folder of tests without samples.
fn package_samples(package: &Package) -> Vec<StatementSample> {
    let marked = package.tests().filter(|case| case.name.starts_with("sample/")).zip(1..);
    let samples: Vec<_> = marked.map(|(case, number)| sample(format!("Sample {number}"), case)).collect();
    if samples.is_empty() && package.format == PackageFormat::Folder {
        return package.tests().take(FIRST_TESTS).map(|case| sample(case.name.clone(), case)).collect();
    }
    samples
}

fn sample(name: String, case: &PackageCase) -> StatementSample {
    let read = |file: &PathBuf| {
        let bytes = fs_err::read(file).unwrap_or_default();
        String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_SAMPLE)]).into_owned()
    };
    let [input, answer] = &case.shown;
    let (input, answer) = match &case.interaction {
        Some(dialogue) => (dialogue, None),
        None => {
            (input.as_ref().unwrap_or(&case.input), answer.as_ref().or(case.output.as_ref()).or(case.answer.as_ref()))
        }
    };
    StatementSample { name, input: read(input), answer: answer.map(read), note: None }
}

/// Replaces the placeholders for the next sample and for all remaining samples with `samples`. Returns the text and the
/// number of samples that were inserted.
fn with_samples(text: &str, samples: &[String]) -> (String, usize) {
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
    (whole, samples.len() - left.len())
}

/// Returns the path and the content of the first text statement in `language`, or in any language if `language` is
/// `None`.
fn package_text(package: &Package, language: Option<&str>) -> Result<(PathBuf, String), Diagnostic> {
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
    Err(match known.is_empty() {
        true => diagnostic.help("add a statement in Markdown, TeX or plain text to the package"),
        false => diagnostic.help(format!("available: {}", known.join(", "))),
    })
}

/// Returns the text of a native problem's statement.
fn problem_text(problem: &Problem, language: Option<&str>) -> Result<String, Diagnostic> {
    let path = problem.statement(language);
    fs_err::read_to_string(&path).map_err(|error| {
        let known = statement_languages(problem).join(", ");
        let diagnostic = match (error.kind(), language) {
            (std::io::ErrorKind::NotFound, Some(language)) => {
                Diagnostic::new(format!("`{}` has no statement in language `{language}`", problem.id))
            }
            (std::io::ErrorKind::NotFound, None) => {
                Diagnostic::new(format!("`{}` has no statement: `statement.md` is missing", problem.id))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_replace_marks_or_follow_the_text() {
        let samples = ["1", "2", "3"].map(str::to_owned);
        let with = |text: &str| with_samples(text, &samples).0;
        assert_eq!(with_samples("a", &samples), ("a".to_owned(), 0));
        assert_eq!(with_samples("a{{nextsample}}", &samples), ("a1".to_owned(), 1));
        assert_eq!(with("a{{nextsample}}b{{other}}{{remainingsamples}}c"), "a1b{{other}}23c");
        assert_eq!(with("{{nextsample}}{{nextsample}}{{nextsample}}{{nextsample}}a{{"), "123a{{");
        let tex = latex::to_markdown("a \\nextsample{} b\n\\remainingsamples\n");
        assert_eq!(with(&tex).matches(['1', '2', '3']).collect::<String>(), "123");
        assert!(!with(&tex).contains("sample"), "{tex}");
    }
}
