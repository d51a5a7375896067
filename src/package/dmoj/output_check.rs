//! Checkers and interactors: DMOJ's built-in checkers, checkers in Python from the package, and other programs
//! (`bridged`).

use std::path::PathBuf;

use serde_json::json;

use crate::check::ComparisonRule;
use crate::model::{Failure, Points, Score};
use crate::problem::Protocol;
use crate::yaml::{Value, nearest};

use super::super::defaults::comparison;
use super::super::package_model::{DmojProgram, OutputCheck};
use super::super::yaml_map::{YamlMap, scalar};
use super::cases::{read_bool, refuse_python_keys};
use super::files::{DmojFiles, contents, is_header};
use super::unbuffered::Unbuffered;

/// The Python program that runs a checker as DMOJ does. The program also contains DMOJ's built-in checkers.
const CALLER: &str = include_str!("checker.py");
/// File name and text of the Python module that runs interactive graders.
const INTERACTOR: (&str, &str) = ("nimatron_interactor.py", include_str!("interactor.py"));
/// File name of the entry point of a Python program.
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
    /// Number of the batch, from 1; 0 for a case outside of batches.
    pub(super) batch: usize,
    /// Whether line terminators are left unchanged.
    pub(super) binary: bool,
    /// Id of the problem.
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
/// Fails if the value is invalid or the checker is not supported, if a file of the checker does not exist or can't be
/// read, or if the cache can't be written.
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
        Some(value) => (scalar(value).ok_or_else(|| wrong("expected the name of a checker".to_owned()))?, None),
    };
    let args = args.unwrap_or_else(|| Value::Mapping(Default::default()));
    match name.as_str() {
        "bridged" => {
            let mut map = top.as_map("args", args)?;
            let program = bridged_program(&mut map, files, case, (false, false, notes))?;
            Ok(bridged(program))
        }
        "identical" => Ok(comparison(ComparisonRule::Exact)),
        name if name.contains('.') => {
            let file = match files.in_folder(name) {
                Some(file) if name.ends_with(".py") => file,
                Some(_) => {
                    let why = format!("`{name}` is not a Python file; use the checker `bridged` for other languages");
                    return Err(wrong(why));
                }
                None => return Err(wrong(format!("the file `{name}` does not exist"))),
            };
            let content = fs_err::read(file).map_err(|error| Failure::user_file(&error))?;
            // This is only an estimate: `checker.py` reads the value of the attribute `run_on_error`, which may also be
            // false.
            let after_failure = String::from_utf8_lossy(&content).contains("run_on_error");
            let base = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let base = if base == ENTRY { "checker.py".to_owned() } else { base };
            let call = call_arguments(case, &args, ("file", &base)).map_err(wrong)?;
            call_program(files, vec![(ENTRY.to_owned(), CALLER.into()), (base, content)], call, (after_failure, false))
        }
        name if CHECKERS.contains(&name) => {
            let call = call_arguments(case, &args, ("name", name)).map_err(wrong)?;
            call_program(files, vec![(ENTRY.to_owned(), CALLER.into())], call, (name == "linecount", false))
        }
        other => {
            let near = nearest(other, CHECKERS.into_iter().chain(["bridged"]));
            let diagnostic = top.error("checker", format!("unknown checker `{other}`"));
            Err(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("expected one of: `{}`, `bridged`", CHECKERS.join("`, `"))),
            }
            .into())
        }
    }
}

/// Returns the interactor that runs the Python grader named by `custom_judge`.
///
/// # Errors
/// Fails if the file does not exist, can't be read or does not contain the name `InteractiveGrader`, or if the cache
/// can't be written.
pub(super) fn grader(
    name: &str,
    keys: &YamlMap<'_>,
    files: &DmojFiles<'_>,
    case: &CheckedCase<'_>,
) -> Result<OutputCheck, Failure> {
    let wrong = |why: String| Failure::from(keys.error("custom_judge", why));
    let file = files.in_folder(name).ok_or_else(|| wrong(format!("the file `{name}` does not exist")))?;
    let content = fs_err::read(file).map_err(|error| Failure::user_file(&error))?;
    if !String::from_utf8_lossy(&content).contains("InteractiveGrader") {
        return Err(wrong("only graders that are derived from `InteractiveGrader` are supported".to_owned()));
    }
    let base = "nimatron_grader.py";
    let call = call_arguments(case, &Value::Mapping(Default::default()), ("grader", base)).map_err(wrong)?;
    let own = [(ENTRY, CALLER), INTERACTOR].map(|(name, text)| (name.to_owned(), text.into()));
    let program = own.into_iter().chain([(base.to_owned(), content)]).collect();
    call_program(files, program, call, (false, true))
}

/// Returns the interactor that `interactive` specifies.
///
/// # Errors
/// Fails if the map is invalid or the interactor is not supported, if a file of the interactor does not exist or can't
/// be read, or if the cache can't be written.
pub(super) fn interactor(
    map: &mut YamlMap<'_>,
    files: &DmojFiles<'_>,
    case: &CheckedCase<'_>,
    notes: &mut Vec<String>,
) -> Result<OutputCheck, Failure> {
    refuse_python_keys(map)?;
    map.take("preprocessing_time");
    let unbuffered = read_bool(map, "unbuffered")?.unwrap_or(true);
    let program = bridged_program(map, files, case, (true, unbuffered, notes))?;
    Ok(bridged(program))
}

/// Returns the check that a bridged program performs. A program with the protocol and order of arguments of testlib is
/// run as in other formats.
fn bridged(program: DmojProgram) -> OutputCheck {
    match program {
        DmojProgram { protocol: Protocol::Testlib, file_args: None, path, full, interactive, .. } => {
            let (checker, interactor) = if interactive { (None, Some(path)) } else { (Some(path), None) };
            OutputCheck::Testlib { checker, interactor, full }
        }
        other => OutputCheck::Dmoj(other),
    }
}

/// Returns the protocol that a value of `type` names, and the protocol's default `args_format_string`. Returns `None`
/// for an unsupported type.
fn protocol(kind: &str, interactive: bool) -> Option<(Protocol, &'static str)> {
    const ALL: &str = "{input_file} {output_file} {answer_file}";
    const TWO: &str = "{input_file} {answer_file}";
    Some(match (kind, interactive) {
        ("default", false) => (Protocol::Plain, ALL),
        ("default", true) => (Protocol::Plain, TWO),
        ("testlib", _) => (Protocol::Testlib, ALL),
        ("coci", false) => (Protocol::Coci, ALL),
        ("coci", true) => (Protocol::Coci, TWO),
        ("peg", false) => (Protocol::Peg, "{answer_file} {output_file} {input_file}"),
        _ => return None,
    })
}

/// Splits the value of `args_format_string` into arguments, like a POSIX shell.
///
/// # Errors
/// Returns a message if a quote is not closed, if nothing follows a backslash, or if the value contains a placeholder
/// that does not denote a file of a case.
fn file_args(format: &str) -> Result<Vec<String>, String> {
    let names = ["{input_file}", "{output_file}", "{answer_file}"];
    if names.iter().fold(format.to_owned(), |rest, name| rest.replace(name, "")).contains(['{', '}']) {
        return Err(format!("the only valid placeholders are {}", names.map(|name| format!("`{name}`")).join(", ")));
    }
    shell_words(format).ok_or_else(|| "unclosed quote, or unexpected `\\` at the end".to_owned())
}

/// Splits a text into words by the quoting rules of a POSIX shell, without expansions. Returns `None` if a quote is not
/// closed or nothing follows a backslash.
fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == character => break,
                        // Without expansions, a backslash within double quotes escapes only a backslash or a double
                        // quote.
                        '\\' if character == '"' => match characters.next()? {
                            quoted @ ('\\' | '"') => word.push(quoted),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            space if space.is_ascii_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// Reads the description of a checker or an interactor in any language: finds its files, and determines its protocol
/// and its arguments. If `unbuffered` is true and the language is supported, a file that disables buffering is added.
fn bridged_program(
    map: &mut YamlMap<'_>,
    files: &DmojFiles<'_>,
    case: &CheckedCase<'_>,
    (interactive, unbuffered, notes): (bool, bool, &mut Vec<String>),
) -> Result<DmojProgram, Failure> {
    let kind = map.string("type")?.unwrap_or_else(|| "default".to_owned());
    let Some((protocol, format)) = protocol(&kind, interactive) else {
        let known =
            if interactive { "`default`, `testlib` or `coci`" } else { "`default`, `testlib`, `coci` or `peg`" };
        return Err(map.error("type", format!("unsupported type `{kind}`; expected {known}")).into());
    };
    let own = map.string("args_format_string")?.filter(|own| own != format);
    let file_args = own.map(|own| file_args(&own).map_err(|why| map.error("args_format_string", why))).transpose()?;
    let names = map.strings("files")?;
    let names = names.ok_or_else(|| map.error("files", "expected the names of the program's files"))?;
    let flags = map.strings("flags")?.unwrap_or_default();
    // The judge's own limits apply, and the language is derived from the file names.
    for key in ["lang", "time_limit", "memory_limit", "compiler_time_limit", "feedback", "cached"] {
        map.take(key);
    }
    for name in map.names() {
        notes.push(format!("init.yml: the unknown key `{name}` for the program `{}` is ignored", names.join("`, `")));
    }
    let more = unbuffered.then(|| Unbuffered::for_files(&names)).flatten();
    if unbuffered && more.is_none() {
        let names = names.join("`, `");
        notes.push(format!(
            "init.yml: unbuffered output is not supported for `{names}`; the program must flush its output"
        ));
    }
    let key = names.iter().cloned().chain(more.map(|more| more.name.to_owned())).collect();
    let path = files.find_once(key, || source(&names, more, (map, "files"), files))?;
    files.set_flags(&path, &flags).map_err(|why| map.error("files", why))?;
    Ok(DmojProgram {
        path,
        file_args,
        args: Vec::new(),
        protocol,
        full: case.full(),
        after_failure: false,
        interactive,
    })
}

/// Returns the path of the source: the only source file, next to which its headers are located, or a folder in the
/// cache with all files if there are several source files or if the file `more` is added. Errors point to the value of
/// `key` in `map`.
///
/// # Errors
/// Fails if a file does not exist or can't be read, if the files are too large, or if the cache can't be written.
pub(super) fn source(
    names: &[String],
    more: Option<&Unbuffered>,
    (map, key): (&YamlMap<'_>, &str),
    files: &DmojFiles<'_>,
) -> Result<PathBuf, Failure> {
    let mut found = Vec::new();
    for name in names {
        let path = files.in_folder(name).ok_or_else(|| map.error(key, format!("the file `{name}` does not exist")))?;
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
    let args = serde_json::to_value(args).map_err(|error| format!("invalid `args`: {error}"))?;
    if !args.is_object() {
        return Err("`args` must be a map".to_owned());
    }
    let CheckedCase { points, position, batch, binary, problem } = case;
    let call = json!({
        key: name, "args": args, "point_value": points, "case_position": position, "batch": batch,
        "binary_data": binary, "problem_id": problem,
    });
    Ok(call.to_string())
}

/// Returns the check that a Python program performs when it is called with the arguments of a case.
fn call_program(
    files: &DmojFiles<'_>,
    program: Vec<(String, Vec<u8>)>,
    call: String,
    (after_failure, interactive): (bool, bool),
) -> Result<OutputCheck, Failure> {
    let path = files.write_program(&program)?;
    let (file_args, args, protocol, full) = (None, vec![call], Protocol::Dmoj, None);
    Ok(OutputCheck::Dmoj(DmojProgram { path, file_args, args, protocol, full, after_failure, interactive }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_only_the_files_of_a_case() {
        let words = ["-a", "{answer_file}", "--in={input_file}"].map(str::to_owned).to_vec();
        assert_eq!(file_args(" -a {answer_file}  --in={input_file}"), Ok(words));
        for bad in ["{0}", "{input_file", "{{input_file}}", "'a b", "a\\", "\"a\\\""] {
            assert!(file_args(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn words_are_quoted_like_in_a_shell() {
        let cases: [(&str, &[&str]); 7] = [
            ("", &[]),
            ("'' \"\"", &["", ""]),
            ("\"The arguments\" b", &["The arguments", "b"]),
            ("a'b c'd", &["ab cd"]),
            ("a\\ b \\'", &["a b", "'"]),
            ("\"a\\\"b\\n\"", &["a\"b\\n"]),
            ("'a\\'", &["a\\"]),
        ];
        for (text, words) in cases {
            assert_eq!(shell_words(text).unwrap(), words, "{text}");
        }
    }
}
