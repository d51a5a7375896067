//! The format of DMOJ: `init.yml` and a zip archive with the tests. Limits, statements and names are not part of the
//! package, but are set on the site.

use std::path::Path;

use pulldown_cmark::{Event, Parser};

use crate::check::ComparisonRule;
use crate::data::{Entry, write_zip};
use crate::lang::java::outline;
use crate::model::Failure;
use crate::problem::{AuxProgram, Judging};

use super::case_names::{case_files, numbered_cases, numbers};
use super::checker;
use super::escape::{mebibytes, seconds, yaml_list};
use super::format::{ExportFormat, RenderedPackage, unsupported, whole_points};
use super::input::{ExportInput, ExportSolution};
use super::program_files::{JudgeRole, for_testlib};
use super::statement::options;

/// Extensions of the input and answer files.
const EXTENSIONS: [&str; 2] = [".in", ".out"];
/// Name of the archive with the tests.
const ARCHIVE: &str = "tests.zip";

pub(super) fn render(export: &ExportInput<'_>) -> Result<RenderedPackage, Failure> {
    let (judging, mut files) = judging(export)?;
    let tests: Vec<Entry> =
        numbered_cases(export).into_iter().flat_map(|(_, name, case)| case_files(&name, EXTENSIONS, case)).collect();
    let zip = write_zip(&tests, export.store, Path::new(ARCHIVE), std::io::Cursor::new(Vec::new()))?.into_inner();
    files.push(Entry::new(ARCHIVE, zip));
    files.push(Entry::new("init.yml", format!("archive: {ARCHIVE}\n{judging}test_cases:\n{}", batches(export)?)));
    for statement in &export.statements {
        files.push(Entry::new(format!("statement.{}.md", statement.language), markdown(&statement.whole)));
    }
    files.extend(export.solutions_below("solutions"));
    let (time, memory) = (seconds(export.limits.cpu), mebibytes(export.limits.memory) * 1024);
    let limits = format!("set the time limit to {time} s and the memory limit to {memory} KiB on the DMOJ site");
    let points = export.scored().then(|| "enable partial points for the problem on the DMOJ site".to_owned());
    let java = export.solutions.iter().filter_map(java_note);
    Ok(RenderedPackage { files, notes: std::iter::once(limits).chain(points).chain(java).collect() })
}

/// Returns a note if DMOJ does not compile this solution because it is in Java and has no public type or is in a package.
fn java_note(solution: &ExportSolution) -> Option<String> {
    let (name, text) = solution.program.files.first().filter(|(name, _)| name.ends_with(".java"))?;
    let outline = outline(&String::from_utf8_lossy(text));
    let is_public = outline.types.iter().any(|(_, public)| *public) && outline.package.is_empty();
    let why = "DMOJ does not compile it, because it has no public class or is in a package";
    (!is_public).then(|| format!("`{}/{name}`: {why}", solution.folder))
}

/// Returns the keys that specify the checker or interactor, and the files to which they refer.
fn judging(export: &ExportInput<'_>) -> Result<(String, Vec<Entry>), Failure> {
    let bridged = |role: JudgeRole, program: &AuxProgram| -> Result<(String, Vec<Entry>), Failure> {
        let program = for_testlib(program, role, "DMOJ")?;
        let names: Vec<&str> = program.files.iter().map(|(name, _)| name.as_str()).collect();
        let language = if program.extension() == "py" { "PY3" } else { "CPP17" };
        let args = format!("files: {}, lang: {language}, type: testlib", yaml_list(&names));
        let text = match role {
            JudgeRole::Checker => format!("checker: {{ name: bridged, args: {{ {args} }} }}\n"),
            JudgeRole::Interactor => format!("interactive: {{ {args} }}\n"),
        };
        Ok((text, program.entries_with_prefix("")))
    };
    match export.judging() {
        Judging::Compare(comparer) if comparer.rule == ComparisonRule::Exact && !comparer.fold_case => {
            Ok(("checker: { name: identical, args: { pe_allowed: false } }\n".to_owned(), Vec::new()))
        }
        Judging::Compare(comparer) => {
            let name = "checker.py";
            Ok((format!("checker: {name}\n"), vec![Entry::new(name, checker::python(*comparer))]))
        }
        Judging::Checker { checker, passes: 1 } => bridged(JudgeRole::Checker, checker),
        Judging::Interactor { interactor, checker: None, passes: 1 } => bridged(JudgeRole::Interactor, interactor),
        Judging::Interactor { checker: Some(_), .. } => {
            Err(unsupported(ExportFormat::Dmoj, "a checker that runs after an interactor"))
        }
        _ => Err(unsupported(ExportFormat::Dmoj, "multi-pass problems")),
    }
}

/// Returns the YAML of the batches, one for each group. A batch earns all of its points or none. If no group has
/// points, all cases form one batch.
fn batches(export: &ExportInput<'_>) -> Result<String, Failure> {
    let case = |name: &str| format!("      - {{ in: {name}{}, out: {name}{} }}\n", EXTENSIONS[0], EXTENSIONS[1]);
    let named = numbered_cases(export);
    if !export.scored() {
        let cases: String = named.iter().map(|(_, name, _)| case(name)).collect();
        return Ok(format!("  - points: 100\n    batched:\n{cases}"));
    }
    let mut text = String::new();
    let subtasks = export.subtasks();
    for subtask in &subtasks {
        let points = whole_points(&export.groups[subtask.group], ExportFormat::Dmoj)?;
        text.push_str(&format!("  - points: {points}\n"));
        if !subtask.after.is_empty() {
            text.push_str(&format!("    dependencies: {}\n", numbers(&subtask.after)));
        }
        text.push_str("    batched:\n");
        text.extend(named.iter().filter(|(of, ..)| subtask.cases_of.contains(of)).map(|(_, name, _)| case(name)));
    }
    // DMOJ stops judging at a failed batch without points, so batches without points come last.
    for index in (0..export.groups.len()).filter(|index| subtasks.iter().all(|subtask| subtask.group != *index)) {
        text.push_str("  - points: 0\n    batched:\n");
        text.extend(named.iter().filter(|(of, ..)| *of == index).map(|(_, name, _)| case(name)));
    }
    Ok(text)
}

/// Converts Markdown to the site's notation of formulas: `~x~` for an inline formula.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    let mut last = 0;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        if let Event::InlineMath(tex) = event {
            out.push_str(&text[last..range.start]);
            out.push_str(&format!("~{tex}~"));
            last = range.end;
        }
    }
    out.push_str(&text[last..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_formulas_use_tildes() {
        assert_eq!(markdown("Of $n$ `$` and\n\n$$x$$\n"), "Of ~n~ `$` and\n\n$$x$$\n");
    }
}
