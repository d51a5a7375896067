//! HUSTOJ's free problem set: a single XML file that contains the whole problem.

use crate::check::ComparisonRule;
use crate::data::Entry;
use crate::model::{CaseId, Failure, FaultKind};
use crate::problem::Judging;

use super::case_names::numbered_cases;
use super::checker::{self, Dialect};
use super::escape::{cdata, mebibytes, seconds};
use super::format::{ExportFormat, RenderedPackage, program_kind, unsupported};
use super::html::{FormulaStyle, html};
use super::input::ExportInput;

/// HUSTOJ's names of the languages, by source file extension.
const LANGUAGES: [(&str, &str); 13] = [
    ("c", "C"),
    ("cc", "C++"),
    ("cpp", "C++"),
    ("cs", "C#"),
    ("go", "Go"),
    ("java", "Java"),
    ("js", "JavaScript"),
    ("kt", "Kotlin"),
    ("lua", "Lua"),
    ("pas", "Pascal"),
    ("py", "Python"),
    ("rb", "Ruby"),
    ("rs", "Rust"),
];

pub(super) fn render(export: &ExportInput<'_>) -> Result<RenderedPackage, Failure> {
    let Judging::Compare(comparer) = export.judging() else {
        return Err(unsupported(ExportFormat::Fps, program_kind(export)));
    };
    let mut notes = Vec::new();
    if export.scored() {
        notes.push("group points are not exported, because the format does not support them".to_owned());
    }
    if export.statements.len() > 1 {
        notes.push("only the English statement is exported, because the format supports only one statement".to_owned());
    }
    let problem = export.problem;
    let Some(statement) = export.statements.first() else {
        return Err(Failure::fault(FaultKind::Data, "the English statement is missing"));
    };
    let mut item = String::new();
    let mut add = |name: &str, attributes: &str, text: &str| {
        item.push_str(&format!("    <{name}{attributes}>{}</{name}>\n", cdata(text)));
    };
    let page = |markdown: &str| html(markdown, FormulaStyle::Tex);
    let mut legend = page(&statement.legend);
    for section in statement.others() {
        legend.push_str(&format!("<h2>{}</h2>\n{}", super::html::escaped(&section.title), page(&section.body)));
    }
    add("title", "", &problem.name);
    add("time_limit", " unit=\"s\"", &seconds(export.limits.cpu));
    add("memory_limit", " unit=\"mb\"", &mebibytes(export.limits.memory).to_string());
    add("description", "", &legend);
    add("input", "", &statement.input().map(|section| page(&section.body)).unwrap_or_default());
    add("output", "", &statement.output().map(|section| page(&section.body)).unwrap_or_default());
    let read = |digest, case: &CaseId| -> Result<String, Failure> {
        String::from_utf8(export.store.get(digest)?)
            .map_err(|_| unsupported(ExportFormat::Fps, &format!("the case `{case}`, which is not UTF-8")))
    };
    for case in export.samples().into_iter().flat_map(|group| &group.cases) {
        add("sample_input", "", &read(&case.input.digest, &case.id)?);
        add("sample_output", "", &read(&case.answer.digest, &case.id)?);
    }
    for (_, name, case) in numbered_cases(export) {
        let name = format!(" name=\"{name}\"");
        add("test_input", &name, &read(&case.input.digest, &case.id)?);
        add("test_output", &name, &read(&case.answer.digest, &case.id)?);
    }
    add("hint", "", &statement.notes().map(|notes| page(&notes.body)).unwrap_or_default());
    add("source", "", problem.source.as_deref().unwrap_or_default());
    for solution in export.solutions.iter().filter(|solution| solution.folder == "accepted") {
        let language = LANGUAGES.iter().find(|(end, _)| *end == solution.program.extension());
        let text = solution.program.single().and_then(|bytes| std::str::from_utf8(bytes).ok());
        if let (Some((_, language)), Some(text)) = (language, text) {
            add("solution", &format!(" language=\"{language}\""), text);
        }
    }
    // HUSTOJ's built-in comparison compares tokens, and reports different white space as a presentation error.
    if comparer.rule != ComparisonRule::Tokens || comparer.fold_case {
        add("spj", " language=\"C++\"", &checker::cpp(*comparer, Dialect::Hustoj));
    }
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fps version=\"1.2\">\n  \
         <generator name=\"nimatron\" url=\"\"/>\n  <item>\n{item}  </item>\n</fps>\n"
    );
    Ok(RenderedPackage { files: vec![Entry::new(format!("{}.xml", problem.id), text)], notes })
}
