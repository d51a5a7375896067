//! Finds the samples below a folder, and selects the samples of one problem.

use std::collections::BTreeSet;
use std::path::Path;

use crate::model::{Diagnostic, counted};

use super::super::companion::{CompanionProblem, MESSAGE_FILE};
use super::super::tree::PackageTree;
use super::SampleQuery;
use super::names::{Guess, NO_ANSWER, NO_INPUT, guess, guess_inputs};
use super::places::{by_problem, fitting, is_folder_of, is_named_after};
use super::text::split;

/// Main files of other formats. A folder that contains one of them is not a folder of samples.
const OTHERS: [&str; 5] = ["problem.yaml", "problem.xml", "init.yml", "domjudge-problem.ini", "contest.yaml"];
/// Top-level folders that are not searched for tests.
const ASIDE: [&str; 4] = ["solutions", "submissions", "__MACOSX", "node_modules"];
/// Names of text files with several samples.
const TEXTS: [&str; 6] = ["samples.txt", "sample.txt", "examples.txt", "example.txt", "tests.txt", "samples.md"];
/// Folder of the files that the editor extension cph writes.
const CPH_FOLDER: &str = ".cph";
/// Extension of the files that the editor extension cph writes.
const CPH_ENDING: &str = ".prob";
/// Maximum number of names that a message lists.
const LISTED: usize = 8;

/// The kind of a file with samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleFile {
    /// A message of Competitive Companion, or a file of cph.
    Message,
    /// A text file with several samples.
    Text,
}

/// Returns the kind of a file with samples as determined by its extension, or `None` for other files.
pub(crate) fn is_sample_file(path: &Path) -> Option<SampleFile> {
    match path.extension()?.to_str()? {
        "prob" | "json" => Some(SampleFile::Message),
        "txt" | "text" | "md" | "samples" => Some(SampleFile::Text),
        _ => None,
    }
}

/// The samples of one problem below a folder.
#[derive(Debug)]
pub(crate) struct FoundSamples {
    /// The folder of the problem, relative to the searched folder; empty for the searched folder itself.
    pub(super) folder: String,
    /// The form in which the samples are stored.
    pub(super) form: SampleForm,
    /// The name of the selected problem, or the name of its program if the samples are in a file of cph, and the names
    /// of the candidates that were not selected; `None` if there was only one candidate.
    pub(super) among: Option<(String, Vec<String>)>,
}

/// The form in which the samples of a problem are stored.
#[derive(Debug)]
pub(super) enum SampleForm {
    /// Files that each contain an input or an answer.
    Files(Guess),
    /// A message of Competitive Companion or a file of cph, at this path.
    Message(String, Box<CompanionProblem>),
    /// A text file with several samples, at this path.
    Text(String),
    /// No samples, which is allowed only if [`SampleQuery::may_be_empty`] is set.
    Nothing,
}

/// Returns whether the folder itself contains the main file of another format.
pub(crate) fn is_described(tree: &PackageTree) -> bool {
    OTHERS.iter().any(|other| tree.file(other).is_some())
}

/// Returns the folders below the searched folder that contain the main file of another format, except hidden folders.
fn described_below(paths: &[String]) -> BTreeSet<String> {
    let folder = |path: &String| {
        let (folder, file) = path.rsplit_once('/')?;
        let hidden = folder.split('/').any(|part| part.starts_with('.'));
        (!hidden && OTHERS.contains(&file)).then(|| folder.to_owned())
    };
    paths.iter().filter_map(folder).collect()
}

/// Finds the samples of one problem.
///
/// # Errors
/// Fails if there are no samples, or if several problems have samples and no rule selects one of them. If the query
/// allows a result without samples, such a result is returned instead of these errors.
pub(crate) fn find(tree: &PackageTree, query: &SampleQuery) -> Result<FoundSamples, Diagnostic> {
    let paths = tree.files_below("");
    let described = described_below(&paths);
    let files = candidates(&paths, &described);
    let messages = files.iter().filter_map(|path| Some(path.strip_suffix(MESSAGE_FILE)?.trim_end_matches('/')));
    let known: BTreeSet<String> = messages.filter(|folder| !folder.is_empty()).map(str::to_owned).collect();
    let mut incomplete = Vec::new();
    let mut found = Vec::new();
    for (folder, files) in by_problem(&files, &known) {
        let form = form_of(tree, &folder, &files, query, &mut incomplete);
        found.extend(form.map(|form| FoundSamples { folder, form, among: None }));
    }
    let cph = of_cph(tree, &paths);
    match select(found, cph, tree, query) {
        Ok(Some(found)) => Ok(found),
        Ok(None) if query.may_be_empty => Ok(nothing()),
        Ok(None) => Err(no_tests(tree, &incomplete, &described)),
        Err(_) if query.may_be_empty => Ok(nothing()),
        Err(several) => Err(several),
    }
}

fn nothing() -> FoundSamples {
    FoundSamples { folder: String::new(), form: SampleForm::Nothing, among: None }
}

/// Selects the files that may be part of a case. Hidden files, statements, and files in the folders `described` or in
/// [`ASIDE`] are excluded.
fn candidates(paths: &[String], described: &BTreeSet<String>) -> Vec<String> {
    let is_below = |path: &str, folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let seen = |path: &&String| {
        if described.iter().any(|folder| is_below(path, folder)) {
            return false;
        }
        let aside = path.split('/').next().is_some_and(|folder| ASIDE.contains(&folder));
        let statement = path.starts_with("statement") && path.ends_with(".md");
        !aside && !statement && !path.split('/').any(|part| part.starts_with('.'))
    };
    paths.iter().filter(seen).cloned().collect()
}

/// Returns how the samples in the folder of a problem are stored, or `None` if there are no samples. Adds the error of
/// an invalid message to `incomplete`, and, if there are no samples, each file without a counterpart.
fn form_of(
    tree: &PackageTree,
    folder: &str,
    files: &[String],
    query: &SampleQuery,
    incomplete: &mut Vec<String>,
) -> Option<SampleForm> {
    let whole = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let message = match files.iter().find(|file| *file == MESSAGE_FILE).map(|file| message(tree, &whole(file))) {
        Some(Ok(message)) => message,
        Some(Err(error)) => {
            incomplete.push(format!("`{}`: {}", whole(MESSAGE_FILE), error.message));
            None
        }
        None => None,
    };
    let inputs_only = query.inputs_only || message.as_ref().is_some_and(|message| message.interactive);
    let guess = if inputs_only { guess_inputs(files) } else { guess(files) };
    if !guess.pairs.is_empty() {
        return Some(SampleForm::Files(guess));
    }
    if let Some(message) = message.filter(|message| !message.tests.is_empty()) {
        return Some(SampleForm::Message(whole(MESSAGE_FILE), Box::new(message)));
    }
    let text = TEXTS.iter().find(|text| files.iter().any(|file| file == *text));
    let is_text = |path: &String| tree.text(path).ok().flatten().is_some_and(|text| split(&text).is_ok());
    if let Some(path) = text.map(|text| whole(text)).filter(is_text) {
        return Some(SampleForm::Text(path));
    }
    let lonely = guess.left.iter().filter(|(_, why)| [NO_ANSWER, NO_INPUT].contains(why));
    incomplete.extend(lonely.map(|(path, why)| format!("`{}`: {why}", whole(path))));
    None
}

/// Returns the message in a file, or `None` if there is no such file.
fn message(tree: &PackageTree, path: &str) -> Result<Option<CompanionProblem>, Diagnostic> {
    tree.bytes(path)?.map(|bytes| CompanionProblem::parse(&bytes)).transpose()
}

/// A file of cph, with the program for which it was written and the message that it contains.
struct CphFile {
    path: String,
    /// The folder of the program.
    folder: String,
    /// The file name of the program.
    program: String,
    message: CompanionProblem,
}

fn of_cph(tree: &PackageTree, paths: &[String]) -> Vec<CphFile> {
    let read = |path: &String| {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let name = file.strip_suffix(CPH_ENDING)?;
        let folder = match folders.strip_suffix(CPH_FOLDER) {
            Some(folder) => folder.trim_end_matches('/'),
            // The searched folder is `.cph` itself.
            None if folders.is_empty() => "",
            None => return None,
        };
        let message = message(tree, path).ok()??;
        // The file name consists of the program's name and a hash of the program's path.
        let of_name = || name.trim_start_matches('.').rsplit_once('_').map_or(name, |(program, _)| program);
        let source = message.src_path.as_deref().unwrap_or_else(of_name);
        let program = source.rsplit(['/', '\\']).next().unwrap_or(source).to_owned();
        Some(CphFile { path: path.clone(), folder: folder.to_owned(), program, message })
    };
    paths.iter().filter_map(read).collect()
}

/// Selects the samples for the program, in this order of preference: the samples that cph stores for it, the samples of
/// the folder that matches the program, the samples in the searched folder itself, and the only samples that were
/// found. Returns `None` if there are no samples, and an error if several problems have samples and no rule selects one
/// of them.
fn select(
    mut found: Vec<FoundSamples>,
    mut cph: Vec<CphFile>,
    tree: &PackageTree,
    query: &SampleQuery,
) -> Result<Option<FoundSamples>, Diagnostic> {
    let names: Vec<String> = found.iter().map(|found| shown(&found.folder)).collect();
    let programs: Vec<String> = cph.iter().map(|file| file.program.clone()).collect();
    if let Some(at) = query.program.as_deref().and_then(|program| cph_for(&cph, tree, program)) {
        return Ok(Some(taken_from_cph(cph.swap_remove(at), &programs)));
    }
    let folders: Vec<&str> = found.iter().map(|found| found.folder.as_str()).collect();
    let fit = query.program.as_deref().and_then(|program| {
        fitting(&folders, program, below(tree, program).as_deref())
            .and_then(|fit| folders.iter().position(|one| *one == fit))
    });
    let own = || folders.iter().position(|folder| folder.is_empty());
    let only = || (found.len() == 1 && cph.is_empty()).then_some(0);
    if let Some(at) = fit.or_else(own).or_else(only) {
        let among = (names.len() > 1).then(|| (names[at].clone(), others(&names, &names[at])));
        return Ok(Some(FoundSamples { among, ..found.swap_remove(at) }));
    }
    match (found.is_empty(), cph.len()) {
        (true, 0) => Ok(None),
        (true, 1) => Ok(Some(taken_from_cph(cph.swap_remove(0), &programs))),
        (true, _) => Err(several(&[], &cph, query)),
        (false, _) => Err(several(&names, &cph, query)),
    }
}

/// Returns the index of the file that cph wrote for a program, or `None` if no file or more than one file matches.
fn cph_for(cph: &[CphFile], tree: &PackageTree, program: &Path) -> Option<usize> {
    let name = program.file_name()?.to_str()?;
    let folder =
        below(tree, program).map(|below| below.rsplit_once('/').map_or(String::new(), |(up, _)| up.to_owned()));
    let same: Vec<usize> = (0..cph.len()).filter(|at| cph[*at].program == name).collect();
    let near = same.iter().find(|at| folder.as_ref().is_some_and(|folder| cph[**at].folder == *folder));
    let stem = program.file_stem()?.to_str()?;
    let named = |at: &usize| is_named_after(&cph[*at].message.name, stem);
    let mut by_name = (0..cph.len()).filter(named);
    match (near, same.as_slice(), by_name.next(), by_name.next()) {
        (Some(at), ..) => Some(*at),
        (None, [at], ..) => Some(*at),
        (None, [], Some(at), None) => Some(at),
        _ => None,
    }
}

fn taken_from_cph(file: CphFile, programs: &[String]) -> FoundSamples {
    let among = (programs.len() > 1).then(|| (file.program.clone(), others(programs, &file.program)));
    let form = SampleForm::Message(file.path, Box::new(file.message));
    FoundSamples { folder: file.folder, form, among }
}

/// Returns the path of a program relative to the searched folder, or `None` if the program is elsewhere.
fn below(tree: &PackageTree, program: &Path) -> Option<String> {
    let whole = program.canonicalize().ok()?;
    Some(whole.strip_prefix(tree.root()).ok()?.to_str()?.to_owned())
}

fn others(names: &[String], one: &str) -> Vec<String> {
    names.iter().filter(|name| *name != one).cloned().collect()
}

fn shown(folder: &str) -> String {
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}

/// Lists at most [`LISTED`] names, and counts the others.
pub(super) fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    first_of(&names, ", ")
}

/// Joins the first [`LISTED`] strings, and states how many more there are.
fn first_of(texts: &[String], separator: &str) -> String {
    let some = texts[..texts.len().min(LISTED)].join(separator);
    match texts.len().saturating_sub(LISTED) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}

/// Returns the error that no rule selects one of several problems with samples, or one of several files in `cph`.
fn several(problems: &[String], cph: &[CphFile], query: &SampleQuery) -> Diagnostic {
    let fits = query.program.as_deref().and_then(|program| {
        let name = program.file_name()?.to_string_lossy();
        let stem = program.file_stem()?.to_string_lossy();
        let of_cph = |file: &CphFile| file.program == *name || is_named_after(&file.message.name, &stem);
        let matches_any = cph.iter().any(of_cph) || problems.iter().any(|folder| is_folder_of(folder, &stem));
        // If exactly one problem matched, its samples would have been selected.
        Some(format!("; `{name}` matches {} of them", if matches_any { "several" } else { "none" }))
    });
    let fits = fits.unwrap_or_default();
    let cph: Vec<String> = cph.iter().map(|file| file.program.clone()).collect();
    let part = |names: &[String], one: &str, many: &str| {
        (!names.is_empty()).then(|| format!("{}: {}", counted(names.len(), one, many), listed(names)))
    };
    let parts =
        [part(problems, "problem", "problems"), part(&cph, "program with a cph file", "programs with cph files")];
    let found: Vec<String> = parts.into_iter().flatten().collect();
    let help = match (problems.is_empty(), &query.program) {
        (true, _) => "specify one of the files `.cph/*.prob` as the problem",
        (false, Some(_)) => "specify the folder of one problem, or name the program after the problem",
        (false, None) => "specify the folder of one problem",
    };
    Diagnostic::new(format!("found samples for {}{fits}", found.join(", and for "))).help(help)
}

/// Returns a diagnostic for a problem's folder whose description is missing or has another name, or `None` for
/// other folders.
fn missing_description(tree: &PackageTree) -> Option<Diagnostic> {
    let origin = tree.root().display().to_string();
    if let Some(other) = ["problem.yml", "problem.YAML", "Problem.yaml"].iter().find(|name| tree.file(name).is_some()) {
        let diagnostic = Diagnostic::new("`problem.yaml` is missing").in_file(origin);
        return Some(diagnostic.help(format!("rename `{other}` to `problem.yaml`")));
    }
    let is_problem = tree.file("statement.md").is_some() && (tree.is_folder("programs") || tree.is_folder("solutions"));
    is_problem.then(|| {
        let help = "see `nimatron guide problems` for an example, or create a problem with `nimatron new`";
        Diagnostic::new("`problem.yaml` is missing").in_file(origin).help(help)
    })
}

fn no_tests(tree: &PackageTree, incomplete: &[String], described: &BTreeSet<String>) -> Diagnostic {
    if let Some(missing) = missing_description(tree) {
        return missing;
    }
    if incomplete.is_empty() && !described.is_empty() {
        let names: Vec<String> = described.iter().cloned().collect();
        let message =
            format!("this folder does not directly contain tests, but contains problems in {}", listed(&names));
        return Diagnostic::new(message)
            .in_file(tree.root().display().to_string())
            .help("specify the folder of one problem");
    }
    let what = if incomplete.is_empty() {
        "there are no tests in this folder".to_owned()
    } else {
        format!("there is no complete test in this folder ({})", first_of(incomplete, "; "))
    };
    let help = "expected an input with its answer (`1.in` and `1.out` or `1.ans`, `sample-1.in`, `input1.txt` and \
                `output1.txt`, `01` and `01.a`, `in/1` and `out/1`), `.cph/*.prob`, `problem.json` from Competitive \
                Companion, `samples.txt`, or a package for another judge; to run without an answer, use `--input FILE` \
                or, for an interactive problem, `--interactor PROGRAM`";
    Diagnostic::new(what).in_file(tree.root().display().to_string()).help(help)
}
