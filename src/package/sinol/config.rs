//! Reads `config.yml`: titles, scores, limits, files that are compiled with solutions, and expected scores of
//! solutions.

use std::collections::BTreeMap;

use crate::model::{Diagnostic, Score};
use crate::problem::AuxProgram;

use super::super::yaml_map::YamlMap;
use super::limits::SinolLimits;
use super::promises::Promises;

/// Keys that affect only sinol-make and the website of SIO2.
const IGNORED: [&str; 9] = [
    "fake_time",
    "sinol_kolejka_compilation_image",
    "sinol_latex_compiler",
    "sinol_static_tests",
    "sinol_total_score",
    "sinol_undocumented_test_limits",
    "sinol_undocumented_time_tool",
    "sinol_undocumented_options",
    "sinol_make_version",
];
/// Maximum number of points of a group.
const MOST_POINTS: f64 = 1e6;

/// The contest type, which determines how tests are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContestType {
    /// A contest in which groups earn points. The contest type `oij` is treated in the same way.
    Default,
    /// A contest like [`ContestType::Default`], except that a program that uses more than half of the time limit earns
    /// fewer points.
    Oi,
    /// A contest in which a solution must pass all tests.
    Icpc,
}

/// The files that are compiled or executed with the solutions.
#[derive(Debug, Default)]
pub(super) struct IncludedFiles {
    /// The value of `extra_compilation_files`: names of files in `prog/`.
    pub(super) compiled: Vec<String>,
    /// The values of `extra_compilation_args`, by file extension: names of files, and other arguments of the compiler.
    pub(super) args: BTreeMap<String, Vec<String>>,
    /// The values of `extra_execution_files`, by file extension.
    pub(super) executed: BTreeMap<String, Vec<String>>,
}

/// The content of `config.yml`.
#[derive(Debug)]
pub(super) struct SinolConfig {
    /// The id of the task, with which the names of programs, inputs and answers begin; `None` if it must be derived
    /// from the name of the package.
    pub(super) task: Option<String>,
    /// Titles by language code.
    pub(super) titles: BTreeMap<String, String>,
    pub(super) contest: ContestType,
    /// The number of processes of a submission with which an interactor communicates.
    pub(super) processes: u32,
    /// Points by group; `None` if all groups are worth the same.
    pub(super) scores: Option<BTreeMap<u32, Score>>,
    /// The groups on which each group depends. Their tests also count for the dependent group.
    pub(super) dependencies: BTreeMap<u32, Vec<u32>>,
    pub(super) limits: SinolLimits,
    pub(super) include: IncludedFiles,
    pub(super) promises: Promises,
}

impl SinolConfig {
    /// Parses `config.yml`.
    ///
    /// # Errors
    /// Fails if the file is not valid YAML or a value is invalid.
    pub(super) fn parse(origin: &str, text: &str, notes: &mut Vec<String>) -> Result<SinolConfig, Diagnostic> {
        let mut keys = YamlMap::parse(origin, text)?;
        let task = keys.string("sinol_task_id")?;
        if task.as_ref().is_some_and(|task| !crate::unzip::name::plain(task)) {
            let message = "expected a file name prefix that contains only ASCII letters, digits, `_`, `.` and `-`, and \
                           begins with neither `.` nor `-`";
            return Err(keys.error("sinol_task_id", message));
        }
        let contest = match keys.string("sinol_contest_type")?.map(|name| name.to_ascii_lowercase()).as_deref() {
            None | Some("default" | "oij") => ContestType::Default,
            Some("oi") => ContestType::Oi,
            Some("icpc") => ContestType::Icpc,
            Some(other) => {
                let message = format!("unknown contest type `{other}`; expected `default`, `oi`, `oij` or `icpc`");
                return Err(keys.error("sinol_contest_type", message));
            }
        };
        let processes = processes(&mut keys)?;
        let dependencies = dependencies(&mut keys)?;
        let config = SinolConfig {
            task,
            titles: titles(&mut keys)?,
            contest,
            processes,
            scores: scores(&mut keys)?,
            limits: SinolLimits::take(&mut keys, notes)?,
            include: IncludedFiles {
                compiled: keys.strings("extra_compilation_files")?.unwrap_or_default(),
                args: by_language(&mut keys, "extra_compilation_args")?,
                executed: by_language(&mut keys, "extra_execution_files")?,
            },
            promises: Promises::take(&mut keys, contest, notes)?,
            dependencies,
        };
        IGNORED.iter().for_each(|key| _ = keys.take(key));
        keys.finish(notes);
        Ok(config)
    }
}

/// Takes the number of processes with which an interactor communicates.
fn processes(keys: &mut YamlMap<'_>) -> Result<u32, Diagnostic> {
    let most = AuxProgram::MOST_PROCESSES;
    let Some(count) = keys.number("num_processes")? else { return Ok(1) };
    if count.fract() != 0.0 || !(1.0..=f64::from(most)).contains(&count) {
        return Err(keys.error("num_processes", format!("expected a number of processes from 1 to {most}")));
    }
    Ok(count as u32)
}

/// Takes the key `title` and keys such as `title_pl` from the map, and returns the titles by language code.
fn titles(keys: &mut YamlMap<'_>) -> Result<BTreeMap<String, String>, Diagnostic> {
    let mut found = BTreeMap::new();
    for key in keys.names() {
        let language = match key.strip_prefix("title_") {
            Some(language) => language,
            None if key == "title" => "en",
            None => continue,
        };
        // `title_en` takes precedence over `title`.
        if let Some(title) = keys.string(&key)?
            && (key != "title" || !found.contains_key("en"))
        {
            found.insert(language.to_owned(), title);
        }
    }
    Ok(found)
}

/// Parses the key of a map as the number of a group.
pub(super) fn group(map: &YamlMap<'_>, key: &str) -> Result<u32, Diagnostic> {
    key.trim().parse().map_err(|_| map.error(key, "expected a group number as the key"))
}

/// Takes the value of a key, which must be a number of points.
pub(super) fn points(map: &mut YamlMap<'_>, key: &str) -> Result<Option<Score>, Diagnostic> {
    match map.number(key)? {
        Some(points) if (0.0..=MOST_POINTS).contains(&points) => {
            Ok(Some(Score::thousandths((points * 1e3).round() as u64)))
        }
        Some(_) => Err(map.error(key, format!("expected a number of points from 0 to {MOST_POINTS}"))),
        None => Ok(None),
    }
}

fn scores(keys: &mut YamlMap<'_>) -> Result<Option<BTreeMap<u32, Score>>, Diagnostic> {
    let Some(mut map) = keys.map("scores")? else { return Ok(None) };
    let mut found = BTreeMap::new();
    for key in map.names() {
        let number = group(&map, &key)?;
        found.insert(number, points(&mut map, &key)?.unwrap_or_default());
    }
    Ok(Some(found))
}

/// Takes the key `subtask_dependencies` from the map, and returns the groups on which each group depends. Fails if a
/// group depends on itself, directly or through other groups.
fn dependencies(keys: &mut YamlMap<'_>) -> Result<BTreeMap<u32, Vec<u32>>, Diagnostic> {
    let Some(mut map) = keys.map("subtask_dependencies")? else { return Ok(BTreeMap::new()) };
    let mut found = BTreeMap::new();
    for key in map.names() {
        let number = group(&map, &key)?;
        let wrong = "expected a list of group numbers, without group 0";
        let before = map.strings(&key)?.unwrap_or_default();
        let before: Option<Vec<u32>> = before.iter().map(|text| text.parse().ok().filter(|one| *one > 0)).collect();
        found.insert(number, before.filter(|_| number > 0).ok_or_else(|| map.error(&key, wrong))?);
    }
    match is_cyclic(&found) {
        true => Err(keys.error("subtask_dependencies", "a group depends on itself, directly or through other groups")),
        false => Ok(found),
    }
}

/// Returns whether a group depends on itself, directly or through other groups.
fn is_cyclic(dependencies: &BTreeMap<u32, Vec<u32>>) -> bool {
    let mut left = dependencies.clone();
    loop {
        let free: Vec<u32> = left
            .iter()
            .filter(|(_, before)| before.iter().all(|one| !left.contains_key(one)))
            .map(|(group, _)| *group)
            .collect();
        if free.is_empty() {
            return !left.is_empty();
        }
        free.iter().for_each(|group| _ = left.remove(group));
    }
}

/// Takes the value of a key, which must be a map from file extensions to lists of strings. Returns an empty map if the
/// key is missing.
fn by_language(keys: &mut YamlMap<'_>, key: &str) -> Result<BTreeMap<String, Vec<String>>, Diagnostic> {
    let Some(mut map) = keys.map(key)? else { return Ok(BTreeMap::new()) };
    let names = map.names();
    names.into_iter().map(|extension| Ok((extension.clone(), map.strings(&extension)?.unwrap_or_default()))).collect()
}
