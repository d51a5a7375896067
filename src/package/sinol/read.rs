//! Reads a package: its configuration, its programs, and the cases whose inputs it contains.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::check::ComparisonRule;
use crate::model::{Diagnostic, ProblemId};

use super::super::defaults::{comparison, limits_guess};
use super::super::package_model::{
    InputMaker, InputValidator, OutputCheck, Package, PackageFormat, PackageStatement, TimeLimitUse, ValidatorKind,
};
use super::super::tree::{PackageTree, TreeEntry};
use super::config::{ContestType, SinolConfig};
use super::programs::SinolPrograms;
use super::{cases::SinolTests, promises};

/// Name of the package's main file.
const MAIN: &str = "config.yml";

/// Returns whether a tree is a sinol package.
pub(crate) fn is_package(tree: &PackageTree) -> bool {
    tree.file(MAIN).is_some() && tree.is_folder("prog")
}

/// Reads a package. A case is created for each input that the package contains. If a program generates inputs,
/// [`Package::add_made_inputs`] adds the other cases.
///
/// # Errors
/// Fails if the package is invalid or requires a feature that is not supported, or if a file can't be read.
pub(crate) fn read(tree: &PackageTree, id: ProblemId) -> Result<Package, Diagnostic> {
    let (origin, text) = (tree.origin(MAIN), tree.text(MAIN)?.unwrap_or_default());
    let mut package = Package::bare(tree, id, PackageFormat::Sinol, comparison(ComparisonRule::Tokens));
    let config = SinolConfig::parse(&origin, &text, &mut package.notes)?;
    let task = match &config.task {
        Some(task) => task.clone(),
        None => guessed_task(tree, &package.id).ok_or_else(|| {
            let help = "set `sinol_task_id` to the prefix of the task's file names";
            Diagnostic::new("cannot determine the id of the task").help(help).in_file(&origin)
        })?,
    };
    package.id = super::super::open::id(&task)?;
    package.names.extend(config.titles);
    package.text = text.clone();
    package.kind.scoring = config.contest != ContestType::Icpc;
    package.limits.time = config.limits.longest().or(package.limits.time);
    package.limits.memory = config.limits.largest().unwrap_or(package.limits.memory);
    package.default_limits = config.limits.longest().is_none();
    package.guess = package.default_limits.then(limits_guess);
    package.statements = statements(tree, &task);
    let programs = SinolPrograms { tree, task: &task };
    programs.include(&config.include, &mut package)?;
    package.input_validators = programs.special("inwer").map(validator).into_iter().collect();
    let (checker, interactor) = (programs.special("chk"), programs.special("soc"));
    package.kind.interactive = interactor.is_some();
    if let Some(path) = interactor.clone().or(checker) {
        package.output = OutputCheck::Sinol { path, processes: interactor.is_some().then_some(config.processes) };
    }
    package.submissions = programs.submissions();
    for submission in &mut package.submissions {
        let is_model = submission.time_limit_use == TimeLimitUse::Lower;
        submission.expectations =
            promises::expectations(&submission.name, &config.promises, &config.dependencies, is_model);
    }
    let missing = config.promises.files.keys().filter(|file| package.submissions.iter().all(|one| one.name != **file));
    let note = |file| format!("{MAIN}: the program `{file}` in `sinol_expected_scores` does not exist in `prog/`");
    package.notes.extend(missing.map(note));
    let tests = SinolTests {
        decay: config.contest == ContestType::Oi,
        scoring: package.kind.scoring,
        scores: config.scores,
        dependencies: config.dependencies,
        limits: config.limits,
        inputs: files(tree, "in"),
        answers: files(tree, "out"),
        model: package.submissions.first().filter(|first| first.time_limit_use == TimeLimitUse::Lower).cloned(),
        interactive: package.kind.interactive,
        task: task.clone(),
        origin,
    };
    let maker = programs.special("ingen");
    if maker.is_none() || tests.has_inputs() {
        tests.add_to(&mut package, &[])?;
    }
    package.input_maker = maker.map(|program| {
        let script = script_path(&program);
        let beside = script.iter().flat_map(|_| files(tree, "prog")).map(|(name, path)| (beside_script(&name), path));
        InputMaker { files: tests.input_files().into_iter().chain(beside).collect(), script, program, tests }
    });
    Ok(package)
}

/// Returns the path of a program of the package in the working directory of a shell script.
fn beside_script(name: &str) -> String {
    format!("{}/prog/{name}", InputMaker::SCRIPT_FOLDER)
}

/// If the program that generates inputs is a shell script, returns its path relative to the working directory. Returns
/// `None` for any other program.
fn script_path(program: &Path) -> Option<String> {
    program.extension().filter(|end| *end == "sh")?;
    Some(beside_script(&program.file_name()?.to_string_lossy()))
}

impl InputMaker {
    /// The path of the folder that represents the package's folder in the working directory of a shell script. The
    /// working directory itself represents the package's folder `in`.
    pub const SCRIPT_FOLDER: &str = ".package";

    /// Returns the paths of the program that generates the inputs and, if there is one, of the model solution, which
    /// generates the answers.
    pub fn programs(&self) -> impl Iterator<Item = &Path> {
        [self.program.as_path()].into_iter().chain(self.tests.model.as_ref().map(|model| model.path.as_path()))
    }
}

impl Package {
    /// Replaces the cases with cases for the inputs that `maker` wrote and for the other inputs of the package. `made`
    /// contains the names of the written files and the paths of their copies; files that are not inputs are ignored.
    ///
    /// # Errors
    /// Fails if there is no input.
    pub fn add_made_inputs(&mut self, maker: &InputMaker, made: &[(String, PathBuf)]) -> Result<(), Diagnostic> {
        maker.tests.add_to(self, made)
    }
}

/// Guesses the id of the task: the folder's name, or otherwise the package's id, if the name of a program begins with
/// it. Returns `None` if no program's name begins with either.
fn guessed_task(tree: &PackageTree, id: &ProblemId) -> Option<String> {
    let folder = tree.root().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names_programs = |task: &String| tree.list("prog").any(|(name, _)| name.starts_with(task.as_str()));
    [folder, id.to_string()].into_iter().find(names_programs)
}

/// Returns the files of a folder by name.
fn files(tree: &PackageTree, folder: &str) -> BTreeMap<String, PathBuf> {
    let file = |(name, entry): (&str, &TreeEntry)| match entry {
        TreeEntry::File { path, .. } => Some((name.to_owned(), path.clone())),
        TreeEntry::Folder => None,
    };
    tree.list(folder).filter_map(file).collect()
}

fn validator(path: PathBuf) -> InputValidator {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    InputValidator { name, path, kind: ValidatorKind::Sinol }
}

/// Returns the statements in `doc`, sorted by language. The name of a Polish statement may omit the language, as in
/// `abczad.pdf`. Other names contain it, as in `abczad-en.pdf`.
fn statements(tree: &PackageTree, task: &str) -> Vec<PackageStatement> {
    const ENDINGS: [&str; 4] = ["md", "tex", "html", "pdf"];
    let start = format!("{task}zad");
    let statement = |(name, path): (String, PathBuf)| {
        let (stem, ending) = name.rsplit_once('.')?;
        let language = match stem.strip_prefix(&start)? {
            "" => "pl",
            rest => rest.strip_prefix(['-', '_'])?,
        };
        ENDINGS.contains(&ending).then(|| PackageStatement { language: language.to_owned(), path })
    };
    let mut found: Vec<PackageStatement> = files(tree, "doc").into_iter().filter_map(statement).collect();
    let rank = |one: &PackageStatement| {
        let ending = one.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ENDINGS.iter().position(|known| *known == ending)
    };
    found.sort_by_key(|one| (one.language.clone(), rank(one)));
    found
}

#[cfg(test)]
#[path = "sinol_tests.rs"]
mod tests;
