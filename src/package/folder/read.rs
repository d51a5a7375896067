//! Reads samples as a package. All cases must pass, and outputs are compared token by token.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::check::ComparisonRule;
use crate::model::{Diagnostic, Failure, Part, ProblemId, counted};

use super::super::cache::PackageCache;
use super::super::companion::{CompanionProblem, MESSAGE_FILE};
use super::super::defaults::comparison;
use super::super::package_model::{InputArgs, Package, PackageCase, PackageFormat};
use super::super::tree::{PackageTree, TreeEntry};
use super::Sample;
use super::find::{FoundSamples, SampleFile, SampleForm, listed};
use super::names::{Guess, NO_PART, TEST_RUN, TestPair, groups, shape};
use super::text::split;

/// Maximum number of ignored files and of name patterns that the description of the guess lists.
const NAMED: usize = 5;

/// Reads the samples that were found in a tree. Samples from a message or a text file are written to `cache`.
///
/// # Errors
/// Fails if a file can't be read or was removed since the folder was scanned, or if the cache can't be written.
pub(crate) fn read(tree: &PackageTree, found: FoundSamples, id: ProblemId, cache: &Path) -> Result<Package, Failure> {
    let FoundSamples { folder, form, among } = found;
    let own = tree.below(&folder);
    let tree_of_problem = if folder.is_empty() { tree } else { &own };
    let id = folder.rsplit('/').next().filter(|name| !name.is_empty()).map_or(Ok(id), super::super::open::id)?;
    let mut package = Package::bare(tree_of_problem, id, PackageFormat::Folder, comparison(ComparisonRule::Tokens));
    let cache = PackageCache::new(cache);
    let what = match form {
        SampleForm::Files(guess) => {
            let what = add_files(&mut package, tree_of_problem, guess)?;
            if let Some(bytes) = tree_of_problem.bytes(MESSAGE_FILE)? {
                match CompanionProblem::parse(&bytes) {
                    Ok(message) => describe_by_message(&mut package, &message),
                    Err(error) => package.notes.push(format!("`{MESSAGE_FILE}` is ignored: {}", error.message)),
                }
                content(&mut package).extend(tree_of_problem.file(MESSAGE_FILE).map(Path::to_owned));
            }
            what
        }
        SampleForm::Message(path, message) => {
            content(&mut package).extend(tree.file(&path).map(Path::to_owned));
            add_message(&mut package, &path, &message, cache)?
        }
        SampleForm::Text(path) => {
            content(&mut package).extend(tree.file(&path).map(Path::to_owned));
            add_text(&mut package, &path, &tree.text(&path)?.unwrap_or_default(), cache)?
        }
        SampleForm::Nothing => {
            content(&mut package);
            "no tests".to_owned()
        }
    };
    package.guess = Some(match among {
        Some((name, others)) => format!("{what} for `{name}` (samples found but not used: {})", listed(&others)),
        None => what,
    });
    Ok(package)
}

/// Reads one file with samples: a message of Competitive Companion, a file of cph, or a text file.
///
/// # Errors
/// Fails if the file can't be read, if its content is not of the kind `kind` or has no samples, or if the cache can't
/// be written.
pub(crate) fn read_file(path: &Path, kind: SampleFile, id: ProblemId, cache: &Path) -> Result<Package, Failure> {
    let bytes = fs_err::read(path).map_err(|error| Failure::user_file(&error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let origin = path.display().to_string();
    let tree = PackageTree::default();
    let mut package = Package::bare(&tree, id, PackageFormat::Folder, comparison(ComparisonRule::Tokens));
    package.root = path.to_owned();
    content(&mut package).push(path.to_owned());
    let cache = PackageCache::new(cache);
    let what = match kind {
        SampleFile::Message => {
            let message = CompanionProblem::parse(&bytes).map_err(|error| error.in_file(&origin))?;
            if message.tests.is_empty() {
                return Err(Diagnostic::new("the file contains no tests").in_file(&origin).into());
            }
            add_message(&mut package, &name, &message, cache)?
        }
        SampleFile::Text => {
            let text = String::from_utf8(bytes).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                let message = format!("the file is not UTF-8: the byte at offset {at} is invalid");
                Failure::from(Diagnostic::new(message).in_file(&origin))
            })?;
            let text = text.trim_start_matches('\u{feff}');
            add_text(&mut package, &name, text, cache)?
        }
    };
    package.guess = Some(what);
    Ok(package)
}

/// Returns the list of the problem's files, which is created if it does not exist.
fn content(package: &mut Package) -> &mut Vec<PathBuf> {
    package.content.get_or_insert_default()
}

/// Adds the guessed cases, and returns a description of the guess for the user.
fn add_files(package: &mut Package, tree: &PackageTree, guess: Guess) -> Result<String, Diagnostic> {
    let Guess { pairs, left } = guess;
    let (pairs, groups) = grouped(pairs);
    let mut names = BTreeSet::new();
    for (index, pair) in pairs.iter().enumerate() {
        let group = groups.as_ref().and_then(|groups| groups.get(index).copied());
        let name = name(pair, group, &mut names);
        let file = |path: &str| match tree.get(path) {
            Some(TreeEntry::File { path, .. }) => Ok(path.clone()),
            _ => Err(Diagnostic::new("the file no longer exists").in_file(tree.origin(path))),
        };
        let (input, answer) = (file(&pair.input)?, pair.answer.as_deref().map(file).transpose()?);
        content(package).extend([&input].into_iter().chain(&answer).cloned());
        add_case(package, name, input, answer);
    }
    let left: Vec<(String, &str)> = left.into_iter().filter(|(path, _)| path != MESSAGE_FILE).collect();
    package.notes.extend(left.iter().map(|(path, why)| format!("`{path}` is left out: {why}")));
    Ok(description(&pairs, &left))
}

/// Adds the samples of a message with its limits and names, and returns a description of the samples for the user.
fn add_message(
    package: &mut Package,
    path: &str,
    message: &CompanionProblem,
    cache: PackageCache<'_>,
) -> Result<String, Failure> {
    if let Ok(id) = super::super::open::id(&message.name) {
        package.id = id;
    }
    let samples =
        message.tests.iter().map(|test| Sample { input: test.input.clone(), answer: Some(test.output.clone()) });
    add_samples(package, samples.collect(), cache)?;
    describe_by_message(package, message);
    Ok(format!("{} of `{}` from `{path}`", counted(package.cases.len(), "sample", "samples"), message.name.trim()))
}

/// Adds the samples of a text file, and returns their description for the user.
fn add_text(package: &mut Package, path: &str, text: &str, cache: PackageCache<'_>) -> Result<String, Failure> {
    let samples = split(&text.replace("\r\n", "\n")).map_err(|why| {
        let message = format!("cannot read samples from `{path}`: {why}");
        Failure::from(
            Diagnostic::new(message).help("write the input, a line `---`, the answer, a line `---`, the next input, …"),
        )
    })?;
    add_samples(package, samples, cache)?;
    Ok(format!("{} from `{path}`", counted(package.cases.len(), "sample", "samples")))
}

fn add_samples(package: &mut Package, samples: Vec<Sample>, cache: PackageCache<'_>) -> Result<(), Failure> {
    for (index, Sample { input, answer }) in samples.into_iter().enumerate() {
        let input = cache.sample_file(&input.replace("\r\n", "\n"))?;
        let answer = answer.map(|answer| cache.sample_file(&answer.replace("\r\n", "\n"))).transpose()?;
        add_case(package, format!("sample/{}", index + 1), input, answer);
    }
    Ok(())
}

/// Sets the properties that a message specifies: the name, the source, the limits, the names of the input and output
/// files, and whether the problem is interactive.
fn describe_by_message(package: &mut Package, message: &CompanionProblem) {
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(name) = given(&message.name) {
        package.names.insert("en".to_owned(), name);
    }
    package.source = given(&message.url).or_else(|| given(&message.group));
    package.kind.interactive = message.interactive;
    if let Some(time) = message.time() {
        package.limits.time = Some(time);
        package.default_limits = false;
    }
    package.limits.memory = message.memory().unwrap_or(package.limits.memory);
    let plain = |name: &&String| crate::unzip::name::plain(name);
    if let Some(name) = message.input.file_name.as_ref().filter(plain) {
        for case in &mut package.cases {
            case.files.push((name.clone(), case.input.clone()));
        }
    }
    package.output_file = message.output.file_name.as_ref().filter(plain).cloned();
}

fn add_case(package: &mut Package, name: String, input: PathBuf, answer: Option<PathBuf>) {
    package.grading.parts.push(Part::Case(package.cases.len()));
    package.cases.push(PackageCase {
        name,
        input,
        answer,
        output: None,
        shown: [None, None],
        interaction: None,
        args: Vec::new(),
        files: Vec::new(),
        input_args: InputArgs::default(),
        output_args: Vec::new(),
        text_args: None,
        hint: None,
        description: None,
    });
}

/// Returns the cases with their groups, or with `None` if the names do not follow sinol's scheme. If they do, the cases
/// of group 0, which are the samples and the test runs, come first.
fn grouped(pairs: Vec<TestPair>) -> (Vec<TestPair>, Option<Vec<u64>>) {
    let Some(groups) = groups(&pairs) else { return (pairs, None) };
    let mut both: Vec<(TestPair, u64)> = pairs.into_iter().zip(groups).collect();
    both.sort_by_key(|(_, group)| *group > 0);
    let (pairs, groups) = both.into_iter().unzip();
    (pairs, Some(groups))
}

/// Returns a unique name for a case: a folder, such as `sample`, `group1` or `tests`, and the common part of its file
/// names.
fn name(pair: &TestPair, group: Option<u64>, names: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let key = pair.key.trim_end_matches('/');
    let (folder, stem) = key.rsplit_once('/').unwrap_or(("", key));
    let sample = |text: &str| text.to_ascii_lowercase().starts_with("sample") || text.starts_with("example");
    let folder = match group {
        _ if sample(folder) || sample(stem) => "sample".to_owned(),
        // Test runs may be too large for a statement, so they are not samples.
        Some(0) if stem.ends_with(TEST_RUN) => TEST_RUN.to_owned(),
        Some(0) => "sample".to_owned(),
        Some(number) => format!("group{number}"),
        None if folder.is_empty() => "tests".to_owned(),
        None => folder.chars().map(plain).collect(),
    };
    // The key is empty if the only case consists of `input.txt` and `output.txt`.
    let stem: String = if stem.is_empty() { "1".to_owned() } else { stem.chars().map(plain).collect() };
    let whole = format!("{folder}/{stem}");
    let mut number = 1;
    let mut free = whole.clone();
    while !names.insert(free.clone()) {
        number += 1;
        free = format!("{whole}-{number}");
    }
    free
}

/// Describes the guess for the user.
fn description(pairs: &[TestPair], left: &[(String, &str)]) -> String {
    let mut shapes: Vec<((String, Option<String>), usize)> = Vec::new();
    for pair in pairs {
        let shape = shape(pair);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, count)) => *count += 1,
            None => shapes.push((shape, 1)),
        }
    }
    let described = |((input, answer), count): &((String, Option<String>), usize)| {
        let answer = answer.as_ref().map(|answer| format!(" and `{answer}`")).unwrap_or_default();
        format!("{} from `{input}`{answer}", counted(*count, "case", "cases"))
    };
    let mut parts: Vec<String> = shapes.iter().take(NAMED).map(described).collect();
    if shapes.len() > NAMED {
        parts.push(counted(shapes.len() - NAMED, "other name pattern", "other name patterns"));
    }
    // Files without a marker word, such as programs, are expected next to samples.
    let left: Vec<&str> = left.iter().filter(|(_, why)| *why != NO_PART).map(|(path, _)| path.as_str()).collect();
    if !left.is_empty() {
        let names: Vec<String> = left.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
        let more = if left.len() > NAMED { format!(" and {} more", left.len() - NAMED) } else { String::new() };
        parts.push(format!("left out: {}{more}", names.join(", ")));
    }
    parts.join("; ")
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
