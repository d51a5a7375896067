//! Reads a package in the ICPC format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::model::{Diagnostic, ProblemId, TimeSpan};
use crate::unzip::name;

use super::super::package_model::{
    InputValidator, OutputCheck, Package, PackageFormat, PackageStatement, ValidatorKind,
};
use super::super::tree::{PackageTree, TreeEntry, join};
use super::cases::is_accepted_name;
use super::ini::{DomjudgeIni, seconds};
use super::problem_yaml::{self, Metadata};
use super::submissions;
use super::testdata::{self, PackagePrograms, has_group_file};

/// Extensions of the source files that are recognized as programs.
pub(crate) const PROGRAMS: [&str; 22] = [
    "py", "py2", "py3", "c", "cc", "cpp", "cxx", "c++", "C", "java", "kt", "rs", "go", "hs", "rb", "js", "pl", "sh",
    "ml", "pas", "cs", "lua",
];

/// Returns whether a tree is a package in the ICPC format.
pub(crate) fn is_package(tree: &PackageTree) -> bool {
    let described = tree.file("problem.yaml").is_some() || tree.file("domjudge-problem.ini").is_some();
    let versioned = || tree.bytes("problem.yaml").ok().flatten().is_some_and(|text| names_version(&text));
    described && tree.is_folder("data") || versioned()
}

/// Returns whether the text of a `problem.yaml` specifies a version of the ICPC format. Such a package is
/// recognized even without data.
pub(crate) fn names_version(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"problem_format_version:"))
}

/// Reads a package in the ICPC format.
///
/// # Errors
/// Fails if a file can't be read or the package is invalid.
pub(crate) fn read(tree: &PackageTree, id: ProblemId) -> Result<Package, Diagnostic> {
    let mut notes = tree.notes().to_vec();
    let text = tree.text("problem.yaml")?.unwrap_or_default();
    let mut metadata = problem_yaml::read(&tree.origin("problem.yaml"), &text, &mut notes)?;
    domjudge(tree, &mut metadata, &mut notes)?;
    let statements = statements(tree);
    if metadata.names.is_empty() {
        metadata.names = names_from(&statements, &id);
    }
    let grader = grader(tree, &metadata, &mut notes);
    let static_validator = single_program(tree, "static_validator", metadata.format, &mut notes);
    if static_validator.is_some() && metadata.kind.submit_answer {
        notes.push("the static validator is ignored, because submitted answers have no source code".to_owned());
    }
    let static_validator = static_validator.filter(|_| !metadata.kind.submit_answer);
    let own = PackagePrograms { grader: grader.is_some(), static_validator: static_validator.is_some() };
    let submissions = submissions::read(tree, metadata.format, &mut notes)?;
    let by_domjudge =
        grader.is_none() && is_scored_by_domjudge(tree, &metadata) && submissions::specify_points(&submissions);
    if by_domjudge {
        notes.push("points are counted as in DOMjudge, because a submission has the tag `@EXPECTED_SCORE@`".to_owned());
    }
    let data = testdata::read(tree, &metadata, own, by_domjudge, &mut notes)?;
    let output = output(tree, &metadata, &mut notes)?;
    if data.custom_grader && grader.is_none() {
        let why = if metadata.kind.scoring { "`graders/` contains none" } else { "only scoring problems can have one" };
        notes.push(format!("a group requires a custom grader, but {why}; the default grader is used"));
    }
    Ok(Package {
        id,
        root: tree.root().to_owned(),
        format: metadata.format,
        guess: None,
        content: None,
        default_limits: false,
        text,
        names: metadata.names,
        author: metadata.author,
        source: metadata.source,
        license: metadata.license,
        keywords: metadata.keywords,
        kind: metadata.kind,
        limits: metadata.limits,
        constants: metadata.constants,
        languages: metadata.languages,
        statements,
        cases: data.cases,
        case_limits: BTreeMap::new(),
        input_maker: None,
        generated_cases: Vec::new(),
        grading: data.grading,
        validator_tests: data.validator_tests,
        input_validators: input_validators(tree, metadata.format),
        output,
        static_validator,
        grader: grader.filter(|_| data.custom_grader),
        include: include(tree),
        prelude: BTreeMap::new(),
        compiler_args: Default::default(),
        program_rules: Default::default(),
        output_file: None,
        submissions,
        skipped_cases: data.skipped_cases,
        notes,
    })
}

/// Sets the time limit and the name to the values in DOMjudge's additional files if `problem.yaml` does not specify
/// them. Kattis tools ignore these files.
fn domjudge(tree: &PackageTree, metadata: &mut Metadata, notes: &mut Vec<String>) -> Result<(), Diagnostic> {
    let ini = tree.text("domjudge-problem.ini")?.map(|text| DomjudgeIni::parse(&text)).unwrap_or_default();
    let own = tree.text(".timelimit")?.and_then(|text| seconds(&text));
    let file = if own.is_some() { ".timelimit" } else { "domjudge-problem.ini" };
    if let (Some(time), None) = (own.or(ini.time), metadata.limits.time) {
        if time > 3_600.0 {
            return Err(Diagnostic::new(format!("the time limit of {time} s exceeds the maximum of 3600 s"))
                .in_file(tree.origin(file)));
        }
        notes.push(format!("the time limit of {time} s is taken from `{file}`"));
        metadata.limits.time = Some(TimeSpan::micros((time * 1e6).round() as u64));
    }
    if let (Some(name), true) = (ini.name, metadata.names.is_empty()) {
        metadata.names.insert("en".to_owned(), name);
    }
    Ok(())
}

/// Returns whether the package has points that DOMjudge can count. In DOMjudge, no secret case counts unless both folders
/// have a configuration file.
fn is_scored_by_domjudge(tree: &PackageTree, metadata: &Metadata) -> bool {
    let folders = ["data", "data/secret"];
    metadata.kind.scoring && metadata.format.is_legacy() && folders.iter().all(|folder| has_group_file(tree, folder))
}

/// Finds statements: `problem.LANGUAGE.EXTENSION` in the folder of statements, or a file at the root as in DOMjudge.
/// English statements come first, and several statements in one language are sorted by preference.
fn statements(tree: &PackageTree) -> Vec<PackageStatement> {
    let mut found = Vec::new();
    for folder in ["statement", "problem_statement", ""] {
        for (file, entry) in tree.list(folder) {
            let TreeEntry::File { path, .. } = entry else { continue };
            let Some(rest) = file.strip_prefix("problem.") else { continue };
            let (language, ending) = rest.rsplit_once('.').unwrap_or(("en", rest));
            if ["md", "tex", "html", "txt", "pdf"].contains(&ending) {
                found.push(PackageStatement { language: language.to_owned(), path: path.clone() });
            }
        }
    }
    let rank = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["md", "tex", "txt", "html", "pdf"].iter().position(|known| *known == ending)
    };
    found.sort_by_key(|statement: &PackageStatement| {
        (statement.language != "en", statement.language.clone(), rank(&statement.path))
    });
    found
}

/// Returns the problem's names by language, as the LaTeX statements define them, or the problem's id if they define
/// none.
fn names_from(statements: &[PackageStatement], id: &ProblemId) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for statement in statements {
        let tex = statement.path.extension().is_some_and(|ending| ending == "tex");
        let text = if tex { fs_err::read(&statement.path).unwrap_or_default() } else { Vec::new() };
        let text = String::from_utf8_lossy(&text);
        let named = text.split_once("plainproblemname:").and_then(|(_, rest)| rest.lines().next());
        let named = named.or_else(|| text.split_once("\\problemname{").and_then(|(_, rest)| rest.split('}').next()));
        if let Some(name) = named.map(str::trim).filter(|name| !name.is_empty()) {
            names.entry(statement.language.clone()).or_insert_with(|| name.to_owned());
        }
    }
    if names.is_empty() {
        names.insert("en".to_owned(), id.to_string());
    }
    names
}

/// Returns the programs in a folder with their names. Each source file is a program, and each subfolder that contains
/// source files or scripts is a program.
fn programs(tree: &PackageTree, folder: &str, format: PackageFormat) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for (file, entry) in tree.list(folder) {
        match entry {
            TreeEntry::Folder if is_accepted_name(format, file) && has_program(tree, &join(folder, file)) => {
                found.push((file.to_owned(), tree.root().join(folder).join(file)));
            }
            TreeEntry::File { path, .. } if is_accepted_name(format, file) && is_program(file) => {
                let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
                found.push((stem.to_owned(), path.clone()));
            }
            _ => {}
        }
    }
    found
}

fn is_program(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && PROGRAMS.contains(&ending))
}

fn has_program(tree: &PackageTree, folder: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    scripts(tree, folder) || tree.files_below(folder).iter().any(|path| is_program(&name(path)))
}

/// Returns whether a folder contains scripts to build or run the program.
fn scripts(tree: &PackageTree, folder: &str) -> bool {
    ["build", "run"].iter().any(|script| tree.file(&join(folder, script)).is_some())
}

fn input_validators(tree: &PackageTree, format: PackageFormat) -> Vec<InputValidator> {
    let mut found = Vec::new();
    for folder in ["input_validators", "input_format_validators"] {
        for (name, path) in programs(tree, folder, format) {
            found.push(InputValidator { name, path, kind: ValidatorKind::Icpc });
        }
        for (file, entry) in tree.list(folder) {
            let kind = match file.rsplit_once('.') {
                Some((_, "ctd")) => ValidatorKind::Checktestdata,
                Some((_, "viva")) => ValidatorKind::Viva,
                _ => continue,
            };
            if let TreeEntry::File { path, .. } = entry {
                let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
                found.push(InputValidator { name, path: path.clone(), kind });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Returns the custom grader, or `None` if there is none or the problem is not a scoring problem.
fn grader(tree: &PackageTree, metadata: &Metadata, notes: &mut Vec<String>) -> Option<PathBuf> {
    let all = programs(tree, "graders", metadata.format);
    let (name, path) = all.first().filter(|_| metadata.kind.scoring)?;
    if all.len() > 1 {
        notes.push(format!("the package has several graders; `{name}` is used"));
    }
    Some(path.clone())
}

/// Returns the program in a folder, or `None` if there is none. If the folder has scripts, or a source file next to
/// other files, the folder is the program. Since version 2023-07 of the format, several source files also form one
/// program. Otherwise, the first of several programs is returned with a note.
fn single_program(tree: &PackageTree, folder: &str, format: PackageFormat, notes: &mut Vec<String>) -> Option<PathBuf> {
    let legacy = format.is_legacy();
    let all = programs(tree, folder, format);
    let direct = all.iter().filter(|(_, path)| path.is_file()).count();
    let others =
        tree.list(folder).any(|(file, entry)| *entry != TreeEntry::Folder && !is_program(file) && name::plain(file));
    let with_others = if legacy { all.len() == 1 && others } else { all.len() > 1 || others };
    if scripts(tree, folder) || direct > 1 && !legacy || direct == 1 && with_others {
        return Some(tree.root().join(folder));
    }
    let (name, path) = all.first()?;
    if all.len() > 1 {
        notes.push(format!("`{folder}` has several programs; `{name}` is used"));
    }
    Some(path.clone())
}

/// Returns the custom output validator, or otherwise the default validator. Fails if the problem requires a custom
/// validator and the package has none.
fn output(tree: &PackageTree, metadata: &Metadata, notes: &mut Vec<String>) -> Result<OutputCheck, Diagnostic> {
    let legacy = metadata.format.is_legacy();
    let folders =
        if legacy { ["output_validators", "output_validator"] } else { ["output_validator", "output_validators"] };
    let args = metadata.validator_flags.clone();
    let found = folders.iter().find_map(|folder| single_program(tree, folder, metadata.format, notes));
    let wanted = metadata.custom || metadata.kind.interactive || metadata.kind.passes.is_some();
    match found {
        Some(path) if !legacy || wanted => {
            // DOMjudge's scoring packages omit the word `score`, although their validators award points.
            let score = metadata.kind.scoring || legacy && metadata.score;
            Ok(OutputCheck::Icpc { path, args, score })
        }
        None if wanted => {
            let help = format!("add a validator in the folder `{}`", folders[0]);
            let message = "the problem requires a custom output validator, but the package has none";
            Err(Diagnostic::new(message).in_file(tree.origin("problem.yaml")).help(help))
        }
        Some(_) => {
            notes.push(
                "the output validator is ignored, because `validation` in `problem.yaml` is not `custom`".to_owned(),
            );
            Ok(OutputCheck::Default(args))
        }
        None => Ok(OutputCheck::Default(args)),
    }
}

/// Returns the files that are added to every submission, by language.
fn include(tree: &PackageTree) -> BTreeMap<String, Vec<(String, PathBuf)>> {
    let mut found = BTreeMap::new();
    for (language, entry) in tree.list("include") {
        if *entry == TreeEntry::Folder {
            let folder = join("include", language);
            let files = tree.files_below(&folder).into_iter().filter_map(|path| {
                let file = tree.file(&path)?.to_owned();
                Some((path[folder.len() + 1..].to_owned(), file))
            });
            found.insert(language.to_owned(), files.collect());
        }
    }
    found
}
