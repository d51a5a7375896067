//! Checkers and interactors: DMOJ's built-in checkers, checkers in Python from the package, and programs in other
//! languages (`bridged`).

use std::path::PathBuf;

use serde_json::json;

use crate::check::ComparisonRule;
use crate::model::{Diagnostic, Failure, Points, Score};
use crate::problem::Protocol;
use crate::yaml::{Value, nearest};

use super::super::defaults::comparison;
use super::super::model::{DmojProgram, OutputCheck};
use super::super::yaml_map::{YamlMap, scalar};
use super::cases::{read_bool, refuse_python_keys};
use super::files::{DmojFiles, contents, is_header};
use super::unbuffered::Unbuffered;

/// The Python program that runs a checker as DMOJ does. It also contains DMOJ's built-in checkers.
const CALLER: &str = include_str!("checker.py");
/// File name of the program's entry point.
const ENTRY: &str = "__main__.py";

/// DMOJ's built-in checkers.
const CHECKERS: [&str; 11] = [
    "easy",
    "floats",
    "floatsabs",
    "floatsrel",
    "identical",
    "linecount",
    "linematches",
    "rstripped",
    "sorted",
    "standard",
    "unordered",
];

/// Properties of a case that are passed to the checker.
pub(super) struct CheckedCase<'t> {
    /// Maximum points of the case.
    pub(super) points: f64,
    /// Index of the case, from 0.
    pub(super) position: usize,
    /// Number of the batch, from 1.
    pub(super) batch: usize,
    /// Whether line terminators are left unchanged.
    pub(super) binary: bool,
    /// Name of the problem.
    pub(super) problem: &'t str,
}

impl CheckedCase<'_> {
    fn full(&self) -> Option<Score> {
        Points::nearest(self.points).map(Points::score).filter(|score| *score > Score::ZERO)
    }
}

/// Returns the check that a value of `checker` specifies.
///
/// # Errors
/// Fails if the checker does not exist or is not supported.
pub(super) fn checker(
    value: Option<&Value>,
    top: &YamlMap<'_>,
    files: &DmojFiles<'_>,
    case: &CheckedCase<'_>,
    notes: &mut Vec<String>,
) -> Result<OutputCheck, Failure> {
    let wrong = |why: String| Failure::from(top.error("checker", why));
    let (name, args) = match value {
        None => ("standard".to_owned(), None),
        Some(value @ Value::Mapping(_)) => {
            let mut map = top.as_map("checker", value.clone())?;
            refuse_python_keys(&map)?;
            let name = map.string("name")?.ok_or_else(|| wrong("`name` is missing".to_owned()))?;
            (name, map.take("args"))
        }
        Some(value) => (scalar(value).ok_or_else(|| wrong("expected a name".to_owned()))?, None),
    };
    let args = args.unwrap_or_else(|| Value::Mapping(Default::default()));
    match name.as_str() {
        "bridged" => {
            let mut map = top.as_map("args", args)?;
            let formats = ["{input_file} {output_file} {answer_file}"];
            let (path, protocol) = bridged_program(&mut map, files, &formats, (false, notes))?;
            Ok(match protocol {
                Protocol::Testlib => OutputCheck::Testlib { checker: Some(path), interactor: None, full: case.full() },
                _ => OutputCheck::Dmoj(DmojProgram { path, args: Vec::new(), protocol, interactive: false }),
            })
        }
        "identical" => Ok(comparison(ComparisonRule::Exact)),
        name if name.contains('.') => {
            let file = files.in_folder(name).filter(|_| name.ends_with(".py"));
            let file = file.ok_or_else(|| wrong(format!("the Python checker `{name}` does not exist")))?;
            let content = fs_err::read(file).map_err(|error| Failure::user_file(&error))?;
            if String::from_utf8_lossy(&content).contains("run_on_error") {
                notes.push(not_run_on_error(name));
            }
            let base = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let base = if base == ENTRY { "checker.py".to_owned() } else { base };
            let call = call_arguments(case, &args, ("file", &base)).map_err(wrong)?;
            call_checker(files, vec![(ENTRY.to_owned(), CALLER.into()), (base, content)], call)
        }
        name if CHECKERS.contains(&name) => {
            if name == "linecount" {
                notes.push(not_run_on_error(name));
            }
            call_checker(
                files,
                vec![(ENTRY.to_owned(), CALLER.into())],
                call_arguments(case, &args, ("name", name)).map_err(wrong)?,
            )
        }
        other => {
            let near = nearest(other, CHECKERS.into_iter().chain(["bridged"]));
            let diagnostic = top.error("checker", format!("unknown checker `{other}`"));
            Err(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("expected one of: {}, bridged", CHECKERS.join(", "))),
            }
            .into())
        }
    }
}

/// Returns the note about a checker that DMOJ also runs after a submission failed.
fn not_run_on_error(name: &str) -> String {
    format!("init.yml: the checker `{name}` is not run after a crash or an exceeded limit; such a case earns no points")
}

/// Returns the interactor that `interactive` specifies.
///
/// # Errors
/// Fails if the interactor is not supported.
pub(super) fn interactor(
    map: &mut YamlMap<'_>,
    files: &DmojFiles<'_>,
    case: &CheckedCase<'_>,
    notes: &mut Vec<String>,
) -> Result<OutputCheck, Failure> {
    let formats = ["{input_file} {answer_file}", "{input_file} {output_file} {answer_file}"];
    refuse_python_keys(map)?;
    map.take("preprocessing_time");
    let unbuffered = read_bool(map, "unbuffered")?.unwrap_or(true);
    let (path, protocol) = bridged_program(map, files, &formats, (unbuffered, notes))?;
    Ok(match protocol {
        Protocol::Testlib => OutputCheck::Testlib { checker: None, interactor: Some(path), full: case.full() },
        _ => OutputCheck::Dmoj(DmojProgram { path, args: Vec::new(), protocol, interactive: true }),
    })
}

/// Finds a program in any language, and determines its protocol. `formats` are the argument orders of the plain
/// protocol and of testlib. If the program is to be unbuffered, a helper file disables buffering of its output.
fn bridged_program(
    map: &mut YamlMap<'_>,
    files: &DmojFiles<'_>,
    formats: &[&str],
    (unbuffered, notes): (bool, &mut Vec<String>),
) -> Result<(PathBuf, Protocol), Failure> {
    let kind = map.string("type")?.unwrap_or_else(|| "default".to_owned());
    let protocol = match kind.as_str() {
        "default" => Protocol::Plain,
        "testlib" => Protocol::Testlib,
        _ => {
            let why = format!("unsupported type `{kind}`; expected `default` or `testlib`");
            return Err(map.error("type", why).into());
        }
    };
    let format = if protocol == Protocol::Plain { formats.first() } else { formats.last() };
    if let Some(own) = map.string("args_format_string")?
        && format != Some(&own.as_str())
    {
        return Err(map.error("args_format_string", "this order of arguments is not supported").into());
    }
    let names = map.strings("files")?.ok_or_else(|| Diagnostic::new("`files`: expected the program's files"))?;
    if map.strings("flags")?.is_some_and(|flags| !flags.is_empty()) {
        notes.push(format!("init.yml: `flags` of {} are ignored; the default flags are used", names.join(", ")));
    }
    // The judge's own limits apply, and the language is derived from the file names.
    for key in ["lang", "time_limit", "memory_limit", "compiler_time_limit", "feedback", "cached"] {
        map.take(key);
    }
    for name in map.names() {
        notes.push(format!("init.yml: the unknown key `{name}` of {} is ignored", names.join(", ")));
    }
    let more = unbuffered.then(|| Unbuffered::for_files(&names)).flatten();
    if unbuffered && more.is_none() {
        let names = names.join(", ");
        notes.push(format!("init.yml: unbuffered output is not supported for {names}; the program must flush it"));
    }
    let key = names.iter().cloned().chain(more.map(|more| more.name.to_owned())).collect();
    Ok((files.find_once(key, || source(&names, more, map, files))?, protocol))
}

/// Returns the source: one file with the headers next to it, or a folder with all files.
fn source(
    names: &[String],
    more: Option<&Unbuffered>,
    map: &YamlMap<'_>,
    files: &DmojFiles<'_>,
) -> Result<PathBuf, Failure> {
    let mut found = Vec::new();
    for name in names {
        let path = files.in_folder(name).ok_or_else(|| map.error("files", format!("file `{name}` does not exist")))?;
        found.push((name.clone(), path.to_owned()));
    }
    let mut programs = found.iter().filter(|(name, _)| !is_header(name));
    if let (Some((name, path)), None) = (programs.next(), programs.next()) {
        if more.is_none() {
            return Ok(path.clone());
        }
        let beside = files.headers_next_to(name);
        found.extend(beside.into_iter().filter(|(name, _)| !names.contains(name)));
    }
    let mut content = contents(&found)?;
    let own = |file: &&Unbuffered| content.iter().all(|(name, _)| name != file.name);
    content.extend(more.filter(own).map(Unbuffered::file));
    files.write_program(&content)
}

/// Encodes the arguments of a checker in the format that `checker.py` reads.
fn call_arguments(case: &CheckedCase<'_>, args: &Value, (key, name): (&str, &str)) -> Result<String, String> {
    let args = serde_json::to_value(args).map_err(|error| format!("`args`: {error}"))?;
    if !args.is_object() {
        return Err("`args`: expected a map".to_owned());
    }
    let CheckedCase { points, position, batch, binary, problem } = case;
    let call = json!({
        key: name, "args": args, "point_value": points, "case_position": position, "batch": batch,
        "binary_data": binary, "problem_id": problem,
    });
    Ok(call.to_string())
}

fn call_checker(files: &DmojFiles<'_>, program: Vec<(String, Vec<u8>)>, call: String) -> Result<OutputCheck, Failure> {
    let path = files.write_program(&program)?;
    Ok(OutputCheck::Dmoj(DmojProgram { path, args: vec![call], protocol: Protocol::Icpc, interactive: false }))
}
