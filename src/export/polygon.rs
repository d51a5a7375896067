//! The format of Polygon, in which `problem.xml` describes the whole package.

use std::collections::HashSet;

use crate::data::Entry;
use crate::model::Failure;
use crate::problem::Judging;

use super::case_names::numbered_cases;
use super::checker::{self, Dialect};
use super::escape::language_name;
use super::format::{ExportFormat, RenderedPackage, TESTLIB, unsupported, validator};
use super::html::escaped;
use super::input::{ExportInput, ExportSolution};
use super::latex::latex;
use super::program_files::{JudgeRole, ProgramFiles, for_testlib};
use super::statement::ParsedStatement;

/// Polygon's names of the compilers, by source file extension.
const TYPES: [(&str, &str); 12] = [
    ("c", "c.gcc"),
    ("cc", "cpp.gcc14-64-msys2-g++23"),
    ("cpp", "cpp.gcc14-64-msys2-g++23"),
    ("cs", "csharp.dotnet-core"),
    ("go", "go"),
    ("hs", "haskell.ghc"),
    ("java", "java21"),
    ("kt", "kotlin19"),
    ("ml", "ocaml"),
    ("pas", "pas.fpc"),
    ("py", "python.3"),
    ("rs", "rust"),
];

/// Tags of solutions, by folder.
const TAGS: [(&str, &str); 7] = [
    ("accepted", "accepted"),
    ("wrong_answer", "wrong-answer"),
    ("time_limit_exceeded", "time-limit-exceeded"),
    ("run_time_error", "rejected"),
    ("memory_limit_exceeded", "memory-limit-exceeded"),
    ("output_limit_exceeded", "rejected"),
    ("rejected", "rejected"),
];

pub(super) fn render(export: &ExportInput<'_>) -> Result<RenderedPackage, Failure> {
    let mut notes = Vec::new();
    let mut files = vec![Entry::new("files/validator.cpp", validator(export, TESTLIB))];
    if !export.problem.validators.is_empty() {
        notes.push("only the generated validator is exported, not the problem's own validators".to_owned());
    }
    let (judges, more) = judges(export)?;
    files.extend(more);
    let width = numbered_cases(export).len().to_string().len().max(2);
    let mut tests = String::new();
    let mut first_of: HashSet<usize> = HashSet::new();
    for (at, (group, _, case)) in numbered_cases(export).into_iter().enumerate() {
        let name = format!("tests/{:0width$}", at + 1);
        files.extend([Entry::stored(&name, case.input.digest), Entry::stored(format!("{name}.a"), case.answer.digest)]);
        let mut line = String::from("                <test method=\"manual\"");
        if export.groups[group].sample {
            line.push_str(" sample=\"true\"");
        }
        if export.scored() {
            line.push_str(&format!(" group=\"{}\"", escaped(export.groups[group].name)));
            // In a group that passes or fails as a whole, the first test has all points of the group.
            let points = export.groups[group].points.filter(|_| first_of.insert(group)).unwrap_or_default();
            line.push_str(&format!(" points=\"{points}\""));
        }
        tests.push_str(&format!("{line}/>\n"));
    }
    let mut listed = String::new();
    let mut taken = HashSet::new();
    for solution in &export.solutions {
        match place_solution(solution, &mut taken) {
            Ok((path, kind, tag, bytes)) => {
                listed.push_str(&format!(
                    "            <solution tag=\"{tag}\">\n                <source path=\"{path}\" type=\"{kind}\"/>\n            </solution>\n"
                ));
                files.push(Entry::new(path, bytes));
            }
            Err(why) => notes.push(why),
        }
    }
    for statement in &export.statements {
        files.extend(sections(export, statement));
    }
    let programs = listing(&files);
    files.push(Entry::new("problem.xml", descriptor(export, width, &tests, &programs, &judges, &listed)));
    Ok(RenderedPackage { files, notes })
}

/// A checker that accepts every output. Polygon requires a checker even if the interactor determines the verdict.
const ACCEPT_ALL_CHECKER: &str =
    "// Accepts every output, because the interactor determines the verdict.\nint main() { return 0; }\n";

/// Returns the part of `problem.xml` about the checker and the interactor, and their files.
fn judges(export: &ExportInput<'_>) -> Result<(String, Vec<Entry>), Failure> {
    let source =
        |path: &str| format!("<source path=\"{path}\" type=\"{}\"/>", kind(extension(path)).unwrap_or("python.3"));
    let checker =
        |path: &str| format!("        <checker type=\"testlib\">\n            {}\n        </checker>\n", source(path));
    let put = |program: &ProgramFiles| -> (String, Vec<Entry>) {
        (format!("files/{}", program.main()), program.entries_with_prefix("files/"))
    };
    match export.judging() {
        Judging::Compare(comparer) => {
            let path = "files/check.cpp";
            Ok((checker(path), vec![Entry::new(path, checker::cpp(*comparer, Dialect::Testlib))]))
        }
        Judging::Checker { passes: 2.., .. } | Judging::Interactor { passes: 2.., .. } => {
            Err(unsupported(ExportFormat::Polygon, "multi-pass problems"))
        }
        Judging::Checker { checker: program, .. } => {
            let (path, files) = put(&for_testlib(program, JudgeRole::Checker, "Polygon")?);
            Ok((checker(&path), files))
        }
        Judging::Interactor { interactor, checker: judge, .. } => {
            let (path, mut files) = put(&for_testlib(interactor, JudgeRole::Interactor, "Polygon")?);
            let mut text = format!("        <interactor>\n            {}\n        </interactor>\n", source(&path));
            let (path, more) = match judge {
                Some(judge) => put(&for_testlib(judge, JudgeRole::Checker, "Polygon")?),
                None => ("files/check.cpp".to_owned(), vec![Entry::new("files/check.cpp", ACCEPT_ALL_CHECKER)]),
            };
            text = checker(&path) + &text;
            files.extend(more);
            Ok((text, files))
        }
    }
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, end)| end)
}

fn kind(extension: &str) -> Option<&'static str> {
    TYPES.iter().find(|(end, _)| *end == extension).map(|(_, kind)| *kind)
}

/// Returns the path, compiler, tag and text of a solution, or the note that it is not exported.
fn place_solution(
    solution: &ExportSolution,
    taken: &mut HashSet<String>,
) -> Result<(String, &'static str, &'static str, Vec<u8>), String> {
    let folder = solution.folder.as_str();
    let left_out = |why: &str| solution.skip_note(why);
    let bytes =
        solution.program.single().ok_or_else(|| left_out("Polygon requires each solution to be a single file"))?;
    let end = solution.program.extension();
    let kind = kind(end).ok_or_else(|| left_out("Polygon does not support its language"))?;
    let tag = TAGS.iter().find(|(known, _)| *known == folder).map(|(_, tag)| *tag);
    let tag = tag.ok_or_else(|| left_out("Polygon has no tag for its expected verdict"))?;
    let stem = solution.program.stem();
    let mut path = format!("solutions/{stem}.{end}");
    // Solutions in different folders may have the same name.
    if !taken.insert(path.to_lowercase()) {
        path = format!("solutions/{folder}/{stem}.{end}");
        taken.insert(path.to_lowercase());
    }
    Ok((path, kind, if solution.reference { "main" } else { tag }, bytes.to_vec()))
}

/// Returns a file for each section of a statement, as required by Polygon's editor, and a file with the whole
/// statement.
fn sections(export: &ExportInput<'_>, statement: &ParsedStatement) -> Vec<Entry> {
    let language = language_name(&statement.language);
    let mut legend = latex(&statement.legend);
    for section in statement.others() {
        legend.push_str(&format!(
            "\n\\textbf{{{}}}\n\n{}",
            super::latex::escaped(&section.title),
            latex(&section.body)
        ));
    }
    let body = |section: Option<&super::statement::StatementSection>| {
        section.map(|section| latex(&section.body)).unwrap_or_default()
    };
    let parts = [
        ("name", format!("{}\n", super::latex::escaped(&export.problem.name))),
        ("legend", legend),
        ("input", body(statement.input())),
        ("output", body(statement.output())),
        ("notes", body(statement.notes().as_ref())),
    ];
    let texts = parts.iter().map(|(name, text)| (format!("statement-sections/{language}/{name}.tex"), text.clone()));
    let mut files: Vec<Entry> = texts.map(|(path, text)| Entry::new(path, text)).collect();
    files.push(Entry::new(
        format!("statements/{language}/problem.tex"),
        super::icpc::tex(&export.problem.name, statement),
    ));
    files
}

/// Returns the part of `problem.xml` that lists the programs in `files` and the resources with which they are
/// compiled.
fn listing(files: &[Entry]) -> String {
    let (mut resources, mut programs) = (String::new(), String::new());
    for path in files.iter().map(|file| file.path.as_str()).filter(|path| path.starts_with("files/")) {
        match kind(extension(path)) {
            Some(kind) => programs.push_str(&format!(
                "            <executable>\n                <source path=\"{path}\" type=\"{kind}\"/>\n            </executable>\n"
            )),
            None => resources.push_str(&format!("            <file path=\"{path}\"/>\n")),
        }
    }
    format!(
        "    <files>\n        <resources>\n{resources}        </resources>\n        \
         <executables>\n{programs}        </executables>\n    </files>\n"
    )
}

fn descriptor(
    export: &ExportInput<'_>,
    width: usize,
    tests: &str,
    programs: &str,
    judges: &str,
    solutions: &str,
) -> String {
    let name = escaped(&export.problem.name);
    let languages: Vec<&str> = export.statements.iter().map(|statement| language_name(&statement.language)).collect();
    let names = languages.iter().map(|language| format!("        <name language=\"{language}\" value=\"{name}\"/>\n"));
    let statements = languages.iter().map(|language| {
        format!(
            "        <statement charset=\"UTF-8\" language=\"{language}\" path=\"statements/{language}/problem.tex\" type=\"application/x-tex\"/>\n"
        )
    });
    let tags = export.problem.keywords.iter().map(|word| format!("        <tag value=\"{}\"/>\n", escaped(word)));
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n\
         <problem revision=\"1\" short-name=\"{id}\" url=\"\">\n    <names>\n{names}    </names>\n    \
         <statements>\n{statements}    </statements>\n    \
         <judging cpu-name=\"\" cpu-speed=\"\" input-file=\"\" output-file=\"\" run-count=\"1\">\n        \
         <testset name=\"tests\">\n            <time-limit>{time}</time-limit>\n            \
         <memory-limit>{memory}</memory-limit>\n            <test-count>{count}</test-count>\n            \
         <input-path-pattern>tests/%0{width}d</input-path-pattern>\n            \
         <answer-path-pattern>tests/%0{width}d.a</answer-path-pattern>\n            \
         <tests>\n{tests}            </tests>\n{groups}        </testset>\n    </judging>\n{programs}    <assets>\n{judges}        \
         <validators>\n            <validator>\n                \
         <source path=\"files/validator.cpp\" type=\"cpp.gcc14-64-msys2-g++23\"/>\n            </validator>\n        \
         </validators>\n        <solutions>\n{solutions}        </solutions>\n    </assets>\n    \
         <tags>\n{tags}    </tags>\n</problem>\n",
        id = export.problem.id,
        names = names.collect::<String>(),
        statements = statements.collect::<String>(),
        time = export.limits.cpu.as_micros() / 1_000,
        memory = export.limits.memory.get(),
        count = numbered_cases(export).len(),
        groups = groups(export),
        tags = tags.collect::<String>(),
    )
}

fn groups(export: &ExportInput<'_>) -> String {
    if !export.scored() {
        return String::new();
    }
    let group = |group: &super::input::ExportGroup<'_>| {
        let needed = group.after.iter().map(|index| {
            format!("                        <dependency group=\"{}\"/>\n", escaped(export.groups[*index].name))
        });
        let needed: String = needed.collect();
        let inside = match needed.as_str() {
            "" => "/>\n".to_owned(),
            _ => format!(
                ">\n                    <dependencies>\n{needed}                    </dependencies>\n                </group>\n"
            ),
        };
        let (name, points) = (escaped(group.name), group.points.unwrap_or_default());
        format!(
            "                <group feedback-policy=\"icpc\" name=\"{name}\" points=\"{points}\" points-policy=\"complete-group\"{inside}"
        )
    };
    format!("            <groups>\n{}            </groups>\n", export.groups.iter().map(group).collect::<String>())
}
