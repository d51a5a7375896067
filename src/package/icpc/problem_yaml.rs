//! Reads `problem.yaml` in all versions of the ICPC format.

use std::collections::BTreeMap;

use crate::model::{ByteSize, Diagnostic, Points, TimeSpan};
use crate::yaml::Value;

use super::super::package_model::{PackageFormat, PackageLimits, ProblemType};
use super::super::yaml_map::{YamlMap, scalar, strings};

/// Maximum time limit in seconds. Larger values are rejected as mistakes.
const MOST_SECONDS: f64 = 3_600.0;
/// Maximum memory or output limit in MiB. Larger values are rejected as mistakes.
const MOST_MIB: f64 = 65_536.0;

/// The content of `problem.yaml`.
#[derive(Debug, Clone)]
pub(super) struct Metadata {
    pub(super) format: PackageFormat,
    pub(super) names: BTreeMap<String, String>,
    pub(super) author: Option<String>,
    pub(super) source: Option<String>,
    pub(super) license: Option<String>,
    pub(super) keywords: Vec<String>,
    pub(super) kind: ProblemType,
    pub(super) limits: PackageLimits,
    pub(super) constants: BTreeMap<String, String>,
    pub(super) languages: Vec<String>,
    /// Whether the legacy key `validation` contains the word `custom`.
    pub(super) custom: bool,
    /// Whether the legacy key `validation` contains the words `custom` and `score`.
    pub(super) score: bool,
    pub(super) validator_flags: Vec<String>,
    pub(super) grading: LegacyGrading,
}

/// The keys of the legacy map `grading`, which take precedence over the keys of the test data.
#[derive(Debug, Clone, Default)]
pub(super) struct LegacyGrading {
    pub(super) accept_score: Option<Points>,
    pub(super) reject_score: Option<Points>,
    pub(super) range: Option<String>,
    pub(super) stop: Option<bool>,
}

/// Reads `problem.yaml`.
///
/// # Errors
/// Fails if the text is not valid YAML, if the version is unknown, or if a value is invalid.
pub(super) fn read(origin: &str, text: &str, notes: &mut Vec<String>) -> Result<Metadata, Diagnostic> {
    let mut keys = YamlMap::parse(origin, text)?;
    let format = format(&mut keys, notes)?;
    let mut kind = ProblemType::default();
    read_type(&mut keys, &mut kind)?;
    let (custom, score) = read_validation(&mut keys, &mut kind, notes)?;
    let mut limits = limits(&mut keys, format, &mut kind, notes)?;
    if kind.submit_answer {
        // Submitted answers have no running time from which a time limit could be derived.
        limits.time = limits.time.or(Some(limits.resolution));
    }
    let grading = legacy_grading(&mut keys, &mut kind, notes)?;
    let metadata = Metadata {
        format,
        names: names(&mut keys)?,
        author: author(&mut keys)?,
        source: source(&mut keys)?,
        license: keys.string("license")?,
        keywords: keywords(&mut keys)?,
        kind,
        limits,
        constants: constants(&mut keys)?,
        languages: languages(&mut keys)?,
        custom,
        score,
        validator_flags: keys.words("validator_flags")?.unwrap_or_default(),
        grading,
    };
    for known in [
        "uuid",
        "version",
        "source_url",
        "rights_owner",
        "embargo_until",
        "allow_file_writing",
        "libraries",
        "license_url",
    ] {
        keys.take(known);
    }
    keys.finish(notes);
    Ok(metadata)
}

fn format(keys: &mut YamlMap<'_>, notes: &mut Vec<String>) -> Result<PackageFormat, Diagnostic> {
    let Some(version) = keys.string("problem_format_version")? else { return Ok(PackageFormat::Legacy) };
    Ok(match version.as_str() {
        "legacy" => PackageFormat::Legacy,
        "legacy-icpc" => PackageFormat::LegacyIcpc,
        "2023-07" | "2023-07-draft" => PackageFormat::Draft2023,
        "2025-09" => PackageFormat::V2025,
        "2025-09-draft" | "draft" => {
            notes.push(format!("problem.yaml: the draft version `{version}` is read as `2025-09`"));
            PackageFormat::V2025
        }
        _ => {
            let message = format!("unknown version `{version}`");
            let help = "expected one of: `legacy`, `legacy-icpc`, `2023-07`, `2025-09`";
            return Err(keys.error("problem_format_version", message).help(help));
        }
    })
}

fn read_type(keys: &mut YamlMap<'_>, kind: &mut ProblemType) -> Result<(), Diagnostic> {
    let words = keys.strings("type")?.unwrap_or_default();
    let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    for word in &words {
        match *word {
            "pass-fail" => {}
            "scoring" => kind.scoring = true,
            "interactive" => kind.interactive = true,
            "multi-pass" => kind.passes = Some(2),
            "submit-answer" => kind.submit_answer = true,
            _ => {
                let help = "expected one of: `pass-fail`, `scoring`, `interactive`, `multi-pass`, `submit-answer`";
                return Err(keys.error("type", format!("unknown type `{word}`")).help(help));
            }
        }
    }
    if kind.scoring && words.contains(&"pass-fail") {
        return Err(keys.error("type", "`pass-fail` cannot be combined with `scoring`"));
    }
    if kind.submit_answer && (kind.interactive || kind.passes.is_some()) {
        return Err(keys.error("type", "`submit-answer` cannot be combined with `interactive` or `multi-pass`"));
    }
    Ok(())
}

/// Reads the legacy key `validation`, such as `custom interactive score`, and sets in `kind` whether the problem is
/// interactive or multi-pass. Returns whether the validator is custom, and whether a custom validator awards points.
fn read_validation(
    keys: &mut YamlMap<'_>,
    kind: &mut ProblemType,
    notes: &mut Vec<String>,
) -> Result<(bool, bool), Diagnostic> {
    let words = keys.words("validation")?.unwrap_or_default();
    let custom = match words.first().map(String::as_str) {
        None | Some("default") => false,
        Some("custom") => true,
        Some(other) => {
            let message = format!("unknown validation `{other}`; expected `default` or `custom` as the first word");
            return Err(keys.error("validation", message));
        }
    };
    let mut score = false;
    for word in words.iter().skip(1) {
        match word.as_str() {
            "score" => score = true,
            "interactive" => kind.interactive = true,
            "multi-pass" => kind.passes = Some(2),
            _ => notes.push(format!("problem.yaml: the unknown word `{word}` in `validation` is ignored")),
        }
    }
    Ok((custom, custom && score))
}

/// Default output limit of interactive problems, in MiB. The specification leaves the limit to the system. The default
/// is larger than that of other problems, since solutions of some existing packages that set no output limit make half
/// a million queries.
const DIALOGUE_MIB: u64 = 64;

fn limits(
    keys: &mut YamlMap<'_>,
    format: PackageFormat,
    kind: &mut ProblemType,
    notes: &mut Vec<String>,
) -> Result<PackageLimits, Diagnostic> {
    let legacy = format.is_legacy();
    let mut limits = PackageLimits {
        time: None,
        resolution: TimeSpan::seconds(1),
        ac_to_limit: if legacy { 5_000 } else { 2_000 },
        limit_to_tle: if legacy { 2_000 } else { 1_500 },
        memory: ByteSize::mib(2_048),
        output: ByteSize::mib(if kind.interactive { DIALOGUE_MIB } else { 8 }),
        code: None,
        validation_time: TimeSpan::seconds(60),
        validation_memory: ByteSize::mib(2_048),
        validation_output: ByteSize::mib(8),
    };
    let Some(mut map) = keys.map("limits")? else { return Ok(limits) };
    limits.time = span(&mut map, "time_limit")?;
    limits.resolution = span(&mut map, "time_resolution")?.unwrap_or(limits.resolution);
    // The legacy format does not define this key, so a value that is not a map is ignored with a note.
    let times = if !legacy || map.is_map("time_multipliers") { map.map("time_multipliers")? } else { None };
    if let Some(mut times) = times {
        limits.ac_to_limit = factor(&mut times, "ac_to_time_limit")?.unwrap_or(limits.ac_to_limit);
        limits.limit_to_tle = factor(&mut times, "time_limit_to_tle")?.unwrap_or(limits.limit_to_tle);
        times.finish(notes);
    }
    limits.ac_to_limit = factor(&mut map, "time_multiplier")?.unwrap_or(limits.ac_to_limit);
    limits.limit_to_tle = factor(&mut map, "time_safety_margin")?.unwrap_or(limits.limit_to_tle);
    limits.memory = size(&mut map, "memory", 1 << 20)?.unwrap_or(limits.memory);
    limits.output = size(&mut map, "output", 1 << 20)?.unwrap_or(limits.output);
    limits.code = code(&mut map)?;
    limits.validation_time = span(&mut map, "validation_time")?.unwrap_or(limits.validation_time);
    limits.validation_memory = size(&mut map, "validation_memory", 1 << 20)?.unwrap_or(limits.validation_memory);
    limits.validation_output = size(&mut map, "validation_output", 1 << 20)?.unwrap_or(limits.validation_output);
    if let Some(passes) = map.number("validation_passes")? {
        if !(2.0..=1_000.0).contains(&passes) || passes.fract() != 0.0 {
            return Err(map.error("validation_passes", "expected an integer from 2 to 1000"));
        }
        if kind.passes.is_some() {
            kind.passes = Some(passes as u32);
        }
    }
    map.take("compilation_time");
    map.take("compilation_memory");
    map.finish(notes);
    Ok(limits)
}

/// Removes the entry `key` and returns its value as a time; `None` if the key is missing. Fails unless the value is a
/// number of seconds from 0.001 to 3600.
fn span(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<TimeSpan>, Diagnostic> {
    let Some(seconds) = keys.number(key)? else { return Ok(None) };
    if !(0.001..=MOST_SECONDS).contains(&seconds) {
        return Err(keys.error(key, "expected a number of seconds from 0.001 to 3600"));
    }
    Ok(Some(TimeSpan::micros((seconds * 1e6).round() as u64)))
}

/// Removes the entry `key` and returns its value, a number of units of `unit` bytes, as a size; `None` if the key is
/// missing. Fails unless the number is greater than 0 and at most [`MOST_MIB`].
fn size(keys: &mut YamlMap<'_>, key: &str, unit: u64) -> Result<Option<ByteSize>, Diagnostic> {
    let Some(count) = keys.number(key)? else { return Ok(None) };
    if count <= 0.0 || count > MOST_MIB {
        return Err(keys.error(key, "expected a size in MiB that is greater than 0 and at most 65536"));
    }
    Ok(Some(ByteSize::new((count * unit as f64) as u64)))
}

/// Removes the entry `code`, a number of KiB, and returns it as a size; `None` if the key is missing. Any positive
/// value is accepted, since packages that need no limit use large values.
fn code(keys: &mut YamlMap<'_>) -> Result<Option<ByteSize>, Diagnostic> {
    match keys.number("code")? {
        Some(count) if count <= 0.0 => Err(keys.error("code", "expected a size in KiB that is greater than 0")),
        count => Ok(count.map(|count| ByteSize::new((count * 1_024.0) as u64))),
    }
}

/// Removes the entry `key`, a factor from 0.1 to 10000, and returns it in thousandths; `None` if the key is missing.
/// Factors below 1 occur in the legacy format.
fn factor(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<u64>, Diagnostic> {
    let Some(factor) = keys.number(key)? else { return Ok(None) };
    if !(0.1..=10_000.0).contains(&factor) {
        return Err(keys.error(key, "expected a factor from 0.1 to 10000"));
    }
    Ok(Some((factor * 1_000.0).round() as u64))
}

fn legacy_grading(
    keys: &mut YamlMap<'_>,
    kind: &mut ProblemType,
    notes: &mut Vec<String>,
) -> Result<LegacyGrading, Diagnostic> {
    let mut old = LegacyGrading::default();
    let Some(mut map) = keys.map("grading")? else { return Ok(old) };
    kind.minimize = map.string("objective")?.is_some_and(|word| word == "min");
    map.take("show_test_data_groups");
    old.accept_score = map.number("accept_score")?.and_then(Points::nearest);
    old.reject_score = map.number("reject_score")?.and_then(Points::nearest);
    old.range = map.string("range")?;
    old.stop = match map.string("on_reject")?.as_deref() {
        Some("first_error") => Some(true),
        Some("grade") => Some(false),
        _ => None,
    };
    map.finish(notes);
    Ok(old)
}

fn names(keys: &mut YamlMap<'_>) -> Result<BTreeMap<String, String>, Diagnostic> {
    let Some(value) = keys.take("name") else { return Ok(BTreeMap::new()) };
    if let Some(name) = scalar(&value) {
        return Ok(BTreeMap::from([("en".to_owned(), name)]));
    }
    let mut map = keys.as_map("name", value)?;
    let mut names = BTreeMap::new();
    for language in map.names() {
        if let Some(name) = map.string(&language)? {
            names.insert(language, name);
        }
    }
    Ok(names)
}

/// Returns the names of the authors, separated by commas, from `credits` or otherwise from the legacy key `author`;
/// `None` if neither key specifies an author. Removes both keys.
fn author(keys: &mut YamlMap<'_>) -> Result<Option<String>, Diagnostic> {
    let old = match keys.take("author") {
        Some(Value::Mapping(map)) => Some(map.values().map(persons).collect::<Vec<_>>().join(", ")),
        Some(value) => strings(&value).map(|names| names.join(", ")),
        None => None,
    };
    let Some(value) = keys.take("credits") else { return Ok(old) };
    let authors = match &value {
        Value::Mapping(_) => keys.as_map("credits", value)?.take("authors"),
        _ => Some(value),
    };
    Ok(authors.as_ref().map(persons).filter(|names| !names.is_empty()).or(old))
}

/// Joins the names of one or more persons, each of which is a string, such as `Name <address>`, or a map with a `name`.
fn persons(value: &Value) -> String {
    match value {
        Value::Sequence(list) => list.iter().map(persons).collect::<Vec<_>>().join(", "),
        Value::Mapping(map) => map.get("name").and_then(scalar).unwrap_or_default(),
        other => {
            let name = scalar(other).unwrap_or_default();
            name.split(" <").next().unwrap_or_default().trim().to_owned()
        }
    }
}

fn source(keys: &mut YamlMap<'_>) -> Result<Option<String>, Diagnostic> {
    Ok(keys.take("source").as_ref().map(persons).filter(|text| !text.is_empty()))
}

/// Removes and returns the keywords, which are a list or, in the legacy format, a string of words separated by spaces.
fn keywords(keys: &mut YamlMap<'_>) -> Result<Vec<String>, Diagnostic> {
    let Some(value) = keys.take("keywords") else { return Ok(Vec::new()) };
    match scalar(&value) {
        Some(text) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        None => Ok(strings(&value).unwrap_or_default()),
    }
}

fn languages(keys: &mut YamlMap<'_>) -> Result<Vec<String>, Diagnostic> {
    let list = keys.words("languages")?.unwrap_or_default();
    Ok(if list.iter().any(|word| word == "all") { Vec::new() } else { list })
}

/// Removes the map `constants`, and returns the value for each placeholder, such as `n`, `n.value` and `n.tex`.
fn constants(keys: &mut YamlMap<'_>) -> Result<BTreeMap<String, String>, Diagnostic> {
    let mut found = BTreeMap::new();
    let Some(mut map) = keys.map("constants")? else { return Ok(found) };
    for name in map.names() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(word) || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(map.error(
                &name,
                "the name of a constant must consist of ASCII letters, digits and `_`, and must not start with a digit",
            ));
        }
        let Some(value) = map.take(&name) else { continue };
        if let Some(text) = scalar(&value) {
            found.insert(format!("{name}.value"), text.clone());
            found.insert(name, text);
            continue;
        }
        let mut variants = map.as_map(&name, value)?;
        for variant in variants.names() {
            let Some(text) = variants.take(&variant).as_ref().and_then(scalar) else { continue };
            if variant == "value" {
                found.insert(name.clone(), text.clone());
            }
            found.insert(format!("{name}.{variant}"), text);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(text: &str) -> (Metadata, Vec<String>) {
        let mut notes = Vec::new();
        let read = read("problem.yaml", text, &mut notes);
        (read.unwrap_or_else(|error| panic!("{error}")), notes)
    }

    #[test]
    fn defaults_depend_on_the_version() {
        let (old, notes) = meta("name: A\nauthor: X and Y\nkeywords: a b\nvalidation: custom interactive score\n");
        assert_eq!(
            (old.format, old.limits.ac_to_limit, old.limits.limit_to_tle),
            (PackageFormat::Legacy, 5_000, 2_000)
        );
        assert!(old.custom && old.score && old.kind.interactive && notes.is_empty());
        let output = |text: &str| meta(text).0.limits.output;
        assert_eq!((old.limits.output, output("name: A\n")), (ByteSize::mib(64), ByteSize::mib(8)));
        assert_eq!(output("validation: custom interactive\nlimits: {output: 4}\n"), ByteSize::mib(4));
        assert_eq!(old.keywords, ["a", "b"]);
        let new = "problem_format_version: 2025-09\ntype: [scoring, multi-pass]\nname: {en: A, sv: B}\nuuid: x\n\
                   credits: {authors: [A <a@b>, {name: B}]}\nkeywords: [a b]\n\
                   limits: {time_limit: 1.5, time_multipliers: {ac_to_time_limit: 3}, validation_passes: 4, memory: 64}\n\
                   constants: {n: 5, k: {value: 7, tex: '7,0'}}\n";
        let (new, notes) = meta(new);
        assert_eq!((new.format, new.limits.ac_to_limit, new.limits.limit_to_tle), (PackageFormat::V2025, 3_000, 1_500));
        assert_eq!(new.limits.time, Some(TimeSpan::millis(1_500)));
        assert_eq!(new.limits.memory, ByteSize::mib(64));
        assert_eq!(new.kind, ProblemType { scoring: true, passes: Some(4), ..ProblemType::default() });
        assert_eq!(new.author.as_deref(), Some("A, B"));
        assert_eq!(new.keywords, ["a b"]);
        assert_eq!(new.names["sv"], "B");
        assert_eq!(new.constants["k.tex"], "7,0");
        assert_eq!(new.constants["n"], new.constants["n.value"]);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn any_code_size_is_a_limit() {
        assert_eq!(meta("name: A\n").0.limits.code, None);
        assert_eq!(meta("limits: {code: 64}\n").0.limits.code, Some(ByteSize::kib(64)));
        assert_eq!(meta("limits: {code: 100000}\n").0.limits.code, Some(ByteSize::kib(100_000)));
    }

    #[test]
    fn unknown_values_are_noted_or_refused() {
        assert_eq!(meta("limits: {time_multipliers: 1}\n").0.limits.ac_to_limit, 5_000, "a key of another version");
        assert_eq!(meta("author: {one: A, other: B}\n").0.author.as_deref(), Some("A, B"));
        assert_eq!(meta("name: A\nlimits: {speed: 3}\ncolour: red\n").1.len(), 2);
        let refused = |text: &str| read("problem.yaml", text, &mut Vec::new()).unwrap_err().message;
        assert!(refused("problem_format_version: 2031-01\n").contains("unknown version"));
        assert!(refused("type: [scoring, pass-fail]\n").contains("cannot be combined with `scoring`"));
        assert!(refused("limits: {memory: -1}\n").contains("memory"));
        assert!(refused("limits: {code: 0}\n").contains("size"));
        assert!(refused("problem_format_version: 2025-09\nname: A\nlimits: {time_multipliers: 1}\n").contains("map"));
        assert!(refused("limits: {output: 100000}\n").contains("size"));
        assert!(refused("validation: odd\n").contains("odd"));
        assert!(refused("- a\n").contains("list"), "{}", refused("- a\n"));
    }
}
