//! How outputs are judged: by one of DMOJ's own checkers, by one in Python that came with the package, by a program in
//! another language (`bridged`), or in a dialogue.

use std::path::PathBuf;

use serde_json::json;

use crate::check::Rule;
use crate::model::{Diagnostic, Failure, Points, Score};
use crate::problem::Protocol;
use crate::yaml::{Value, nearest};

use super::super::defaults::comparison;
use super::super::model::{DmojProgram, OutputCheck};
use super::super::yaml_map::{YamlMap, scalar};
use super::cases::{read_bool, refuse_python_keys};
use super::files::{DmojFiles, contents, is_header};
use super::unbuffered::Unbuffered;

/// The program that calls a checker as DMOJ does, and has DMOJ's own in it.
const CALLER: &str = include_str!("checker.py");
/// The name under which a program begins.
const ENTRY: &str = "__main__.py";

/// DMOJ's own checkers.
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

/// What a checker is told of a case.
pub(super) struct CheckedCase<'t> {
    /// What the case is worth.
    pub(super) points: f64,
    /// Its number, from 0.
    pub(super) position: usize,
    /// The number of its batch, from 1.
    pub(super) batch: usize,
    /// Whether its line ends were left alone.
    pub(super) binary: bool,
    /// The problem's name.
    pub(super) problem: &'t str,
}

impl CheckedCase<'_> {
    fn full(&self) -> Option<Score> {
        Points::nearest(self.points).map(Points::score).filter(|score| *score > Score::ZERO)
    }
}

/// The checker that a value of `checker` names.
///
/// # Errors
/// There is none such, or it can't be used here.
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
        "identical" => Ok(comparison(Rule::Exact)),
        name if name.contains('.') => {
            let file = files.in_folder(name).filter(|_| name.ends_with(".py"));
            let file = file.ok_or_else(|| wrong(format!("there is no file `{name}` with a checker in Python")))?;
            let content = fs_err::read(file).map_err(|error| Failure::unreadable(&error))?;
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
            let diagnostic = top.error("checker", format!("there is no checker `{other}`"));
            Err(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("there are {} and bridged", CHECKERS.join(", "))),
            }
            .into())
        }
    }
}

/// What is said of a checker that DMOJ asks whatever became of the program.
fn not_run_on_error(name: &str) -> String {
    format!(
        "init.yml: the checker `{name}` is not asked here where a program crashed or broke a limit: it gets no points"
    )
}

/// What programs talk with, as `interactive` says.
///
/// # Errors
/// It can't be used here.
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

/// A program in any language: its source, and how it is called. `formats` are the orders of arguments that the plain
/// protocol and testlib's have. It need not flush what it writes if it is to be unbuffered.
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
            let why = format!("`{kind}` is not supported: `default` and `testlib` are");
            return Err(map.error("type", why).into());
        }
    };
    let format = if protocol == Protocol::Plain { formats.first() } else { formats.last() };
    if let Some(own) = map.string("args_format_string")?
        && format != Some(&own.as_str())
    {
        return Err(map.error("args_format_string", "an order of arguments of its own is not supported").into());
    }
    let names = map.strings("files")?.ok_or_else(|| Diagnostic::new("`files`: the program's files are missing"))?;
    if map.strings("flags")?.is_some_and(|flags| !flags.is_empty()) {
        notes.push(format!("init.yml: `flags` of {} are left out: it is built with the usual ones", names.join(", ")));
    }
    // The judge's own bounds hold, and the files' names say the language.
    for key in ["lang", "time_limit", "memory_limit", "compiler_time_limit", "feedback", "cached"] {
        map.take(key);
    }
    for name in map.names() {
        notes.push(format!("init.yml: the key `{name}` of {} is not known and is left out", names.join(", ")));
    }
    let more = unbuffered.then(|| Unbuffered::for_files(&names)).flatten();
    if unbuffered && more.is_none() {
        notes.push(format!("init.yml: {} must flush: its output is buffered here", names.join(", ")));
    }
    let key = names.iter().cloned().chain(more.map(|more| more.name.to_owned())).collect();
    Ok((files.find_once(key, || source(&names, more, map, files))?, protocol))
}

/// One file, with the headers beside it, or a folder with all of them.
fn source(
    names: &[String],
    more: Option<&Unbuffered>,
    map: &YamlMap<'_>,
    files: &DmojFiles<'_>,
) -> Result<PathBuf, Failure> {
    let mut found = Vec::new();
    for name in names {
        let path = files.in_folder(name).ok_or_else(|| map.error("files", format!("there is no file `{name}`")))?;
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

/// The call of a checker, as the caller reads it.
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
