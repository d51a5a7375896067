//! Generators, which print the input of a case on standard output and its answer on standard error.

use crate::model::{ByteSize, Diagnostic, Failure, TimeSpan};
use crate::yaml::Value;

use super::super::package_model::{GeneratedCase, PrintedCase};
use super::super::yaml_map::{YamlMap, strings};
use super::cases::{CaseSettings, arguments, refuse_python_keys};
use super::files::DmojFiles;
use super::output_check::source;

/// Returns the run of a generator that prints the missing files of the case with this index, or `None` if no file is
/// missing or there is no generator.
///
/// # Errors
/// Fails if the description of the generator is invalid, if a file of the generator or its standard input does not
/// exist or can't be read, or if the cache can't be written.
pub(super) fn generated_case(
    index: usize,
    case: &CaseSettings,
    keys: &YamlMap<'_>,
    files: &DmojFiles<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<GeneratedCase>, Failure> {
    let Some(value) = case.generator() else { return Ok(None) };
    let mut args = case.generator_args.clone().unwrap_or_default();
    let mut flags = Vec::new();
    let (mut time_limit, mut memory_limit) = (None, None);
    let names = match value {
        Value::Mapping(_) => {
            let mut map = keys.as_map("generator", value.clone())?;
            refuse_python_keys(&map)?;
            let names = map.strings("source")?;
            if let Some(own) = map.take("args").filter(|_| args.is_empty()) {
                args = arguments(&own).ok_or_else(|| {
                    map.error("args", "expected a list whose items are strings, numbers, booleans or null")
                })?;
            }
            flags = map.strings("flags")?.unwrap_or_default();
            time_limit =
                positive(&mut map, "time_limit", 1e6)?.map(|seconds| TimeSpan::millis((seconds * 1e3).ceil() as u64));
            memory_limit = positive(&mut map, "memory_limit", 1e9)?.map(|kib| ByteSize::kib(kib.ceil() as u64));
            // These keys are ignored: the language is derived from the file names, and the judge limits the compiler.
            for key in ["language", "compiler_time_limit"] {
                map.take(key);
            }
            map.finish(notes);
            names
        }
        other => strings(other),
    };
    let names = names.filter(|names| !names.is_empty());
    let names = names.ok_or_else(|| keys.error("generator", "expected the names of the program's files"))?;
    let generator = files.find_once(names.clone(), || source(&names, None, (keys, "generator"), files))?;
    files.set_flags(&generator, &flags).map_err(|why| keys.error("generator", why))?;
    let stdin = case.generator_in.as_deref().map(|name| files.case_file(Some(name), true)).transpose()?;
    let (input, answer) = (case.input().is_none(), case.answer().is_none());
    let (name, lines) = (names.join(", "), !case.binary.unwrap_or(false));
    let printed = PrintedCase { generator, name, args, stdin, input, answer, lines, time_limit, memory_limit };
    Ok(Some(GeneratedCase { case: index, input: None, answer: None, printed: Some(printed) }))
}

/// Takes the value of a key, which must be a number greater than 0 and at most `most`.
fn positive(map: &mut YamlMap<'_>, key: &str, most: f64) -> Result<Option<f64>, Diagnostic> {
    match map.number(key)? {
        Some(value) if value <= 0.0 || value > most => {
            Err(map.error(key, format!("expected a number greater than 0 and at most {most}")))
        }
        value => Ok(value),
    }
}
