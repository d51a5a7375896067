//! Reads the limits in `config.yml`, which apply to all tests, to a group or to a single test, optionally only in one
//! language.

use std::collections::BTreeMap;

use crate::model::{ByteSize, CaseLimits, Diagnostic, LimitChange, TimeSpan};

use super::super::yaml_map::YamlMap;

/// Maximum time limit, in milliseconds.
const LONGEST: f64 = 3_600_000.0;
/// Maximum memory limit, in KiB.
const LARGEST: f64 = 64.0 * 1024.0 * 1024.0;

/// The limits of a package. In each map to a `LimitChange`, the empty key denotes all tests, and other keys denote
/// groups or tests.
#[derive(Debug, Clone, Default)]
pub(crate) struct SinolLimits {
    usual: BTreeMap<String, LimitChange>,
    /// Limits that apply only to one language, by the id of the language.
    languages: BTreeMap<String, BTreeMap<String, LimitChange>>,
}

/// Returns the ids of the languages with this file extension; empty if no such language is supported.
pub(super) fn languages_of(extension: &str) -> &'static [&'static str] {
    match extension {
        "c" => &["c"],
        "cpp" | "cc" => &["cpp"],
        "py" => &["python", "pypy"],
        "rs" => &["rust"],
        "java" => &["java"],
        "pas" => &["pascal"],
        _ => &[],
    }
}

impl SinolLimits {
    /// Takes the keys for limits from the map of `config.yml`, and returns the limits. Adds notes about unknown
    /// languages.
    pub(super) fn take(keys: &mut YamlMap<'_>, notes: &mut Vec<String>) -> Result<SinolLimits, Diagnostic> {
        let mut limits = SinolLimits { usual: changes(keys)?, languages: BTreeMap::new() };
        if let Some(mut own) = keys.map("override_limits")? {
            for extension in own.names() {
                let Some(mut map) = own.map(&extension)? else { continue };
                let found = changes(&mut map)?;
                map.finish(notes);
                if languages_of(&extension).is_empty() {
                    notes.push(format!("config.yml: the limits for the unknown language `{extension}` are ignored"));
                }
                let ids = languages_of(&extension).iter().map(|id| ((*id).to_owned(), found.clone()));
                limits.languages.extend(ids);
            }
        }
        Ok(limits)
    }

    /// Returns the time limit of all tests, or otherwise the longest time limit of a group or test; `None` if none is
    /// specified. Limits that apply only to one language are ignored.
    pub(super) fn longest(&self) -> Option<TimeSpan> {
        let all = self.usual.get("").and_then(|all| all.time);
        all.or_else(|| self.usual.values().filter_map(|change| change.time).max())
    }

    /// Returns the memory limit of all tests, or otherwise the largest memory limit of a group or test; `None` if none
    /// is specified. Limits that apply only to one language are ignored.
    pub(super) fn largest(&self) -> Option<ByteSize> {
        let all = self.usual.get("").and_then(|all| all.memory);
        all.or_else(|| self.usual.values().filter_map(|change| change.memory).max())
    }

    /// Returns the limits of the test `test`, which belongs to the group `group`.
    pub(super) fn of(&self, test: &str, group: u32, decay: bool) -> CaseLimits {
        let own = |map| change(map, test, &group.to_string());
        let languages = self.languages.iter().map(|(id, map)| (id.clone(), own(map))).collect();
        CaseLimits { usual: own(&self.usual), languages, decay }
    }
}

/// Returns the time and memory limits of a test. Each of them is the limit for the test, otherwise for its group,
/// otherwise for all tests. The key `0` denotes group 0, not a test.
fn change(map: &BTreeMap<String, LimitChange>, test: &str, group: &str) -> LimitChange {
    let test = if test == "0" { group } else { test };
    let found = || [test, group, ""].into_iter().filter_map(|key| map.get(key));
    LimitChange { time: found().find_map(|one| one.time), memory: found().find_map(|one| one.memory) }
}

fn changes(keys: &mut YamlMap<'_>) -> Result<BTreeMap<String, LimitChange>, Diagnostic> {
    let mut found: BTreeMap<String, LimitChange> = BTreeMap::new();
    if let Some(time) = time(keys, "time_limit")? {
        found.entry(String::new()).or_default().time = Some(time);
    }
    if let Some(memory) = memory(keys, "memory_limit")? {
        found.entry(String::new()).or_default().memory = Some(memory);
    }
    if let Some(mut map) = keys.map("time_limits")? {
        for key in map.names() {
            found.entry(key.clone()).or_default().time = time(&mut map, &key)?;
        }
    }
    if let Some(mut map) = keys.map("memory_limits")? {
        for key in map.names() {
            found.entry(key.clone()).or_default().memory = memory(&mut map, &key)?;
        }
    }
    Ok(found)
}

fn time(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<TimeSpan>, Diagnostic> {
    match keys.number(key)? {
        Some(millis) if (0.001..=LONGEST).contains(&millis) => {
            Ok(Some(TimeSpan::micros((millis * 1e3).round() as u64)))
        }
        Some(_) => Err(keys.error(key, format!("expected a time in milliseconds from 0.001 to {LONGEST}"))),
        None => Ok(None),
    }
}

fn memory(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<ByteSize>, Diagnostic> {
    match keys.number(key)? {
        Some(kib) if (1.0..=LARGEST).contains(&kib) => Ok(Some(ByteSize::kib(kib.round() as u64))),
        Some(_) => Err(keys.error(key, format!("expected a size in KiB from 1 to {LARGEST}"))),
        None => Ok(None),
    }
}
