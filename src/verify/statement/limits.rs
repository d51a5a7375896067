//! Compares the time and memory limits in a statement with the spec, in several languages.

use crate::model::{ByteSize, TimeSpan};
use crate::problem::{Problem, TimeLimitSource};

/// Phrases for the time limit, in several languages.
const TIME: [&str; 8] = [
    "time limit",
    "ограничение по времени",
    "ограничение времени",
    "лимит времени",
    "limit czasu",
    "时间限制",
    "時間限制",
    "límite de tiempo",
];

/// Phrases for the memory limit, in several languages.
const MEMORY: [&str; 9] = [
    "memory limit",
    "ограничение по памяти",
    "ограничение памяти",
    "лимит памяти",
    "limit pamięci",
    "内存限制",
    "空间限制",
    "記憶體限制",
    "límite de memoria",
];

/// Initial letters that identify the name of a time unit, with the length of the unit in microseconds. An entry
/// precedes all other entries that are prefixes of it.
const TIMES: [(&str, f64); 13] = [
    ("毫秒", 1e3),
    ("миллисек", 1e3),
    ("milli", 1e3),
    ("ms", 1e3),
    ("мс", 1e3),
    ("min", 6e7),
    ("мин", 6e7),
    ("分", 6e7),
    ("秒", 1e6),
    ("s", 1e6),
    ("с", 1e6),
    ("h", 3.6e9),
    ("час", 3.6e9),
];

/// Initial letters that identify the name of a memory unit, with the size of the unit in bytes. Statements use `MB` for
/// 10^6 and for 2^20 bytes, so both are accepted.
const SIZES: [(&str, [f64; 2]); 10] = [
    ("gib", [1_073_741_824.0; 2]),
    ("mib", [1_048_576.0; 2]),
    ("kib", [1_024.0; 2]),
    ("миб", [1_048_576.0; 2]),
    ("gb", [1e9, 1_073_741_824.0]),
    ("mb", [1e6, 1_048_576.0]),
    ("kb", [1e3, 1_024.0]),
    ("гб", [1e9, 1_073_741_824.0]),
    ("мб", [1e6, 1_048_576.0]),
    ("兆", [1e6, 1_048_576.0]),
];

/// Compares the stated limits with the spec. Returns descriptions of the limits that agree, and descriptions of the
/// limits that differ.
pub(super) fn compare(problem: &Problem, prose: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut agreeing, mut differing) = (Vec::new(), Vec::new());
    let mut hold = |same: bool, what: &str, stated: &str, real: String| match same {
        true => agreeing.push(format!("the {what} limit is stated")),
        false => differing.push(format!("the {what} limit is {stated} in the statement, but {real} in the spec")),
    };
    for line in prose {
        if let (Some((number, unit, stated)), TimeLimitSource::Fixed) = (stated(line, &TIME), problem.time)
            && let Some(micros) = micros_of(&unit)
        {
            let same = close(number * micros, problem.limits.cpu.as_micros() as f64);
            hold(same, "time", &stated, TimeSpan::to_string(&problem.limits.cpu));
        }
        if let Some((number, unit, stated)) = stated(line, &MEMORY)
            && let Some((_, sizes)) = SIZES.iter().find(|(name, _)| unit.starts_with(name))
        {
            let same = sizes.iter().any(|bytes| close(number * bytes, problem.limits.memory.get() as f64));
            hold(same, "memory", &stated, ByteSize::to_string(&problem.limits.memory));
        }
    }
    (agreeing, differing)
}

/// Returns the length of a unit of time in microseconds; `None` if the unit is unknown. A time without a unit is in
/// seconds.
fn micros_of(unit: &str) -> Option<f64> {
    let unit = if unit.is_empty() { "s" } else { unit };
    TIMES.iter().find(|(name, _)| unit.starts_with(name)).map(|(_, micros)| *micros)
}

fn close(stated: f64, real: f64) -> bool {
    (stated - real).abs() <= real * 1e-9
}

/// Finds the number after one of the phrases `names`. Returns the number, its unit in lower case, and the text that
/// contains both. Returns `None` if the line contains none of the phrases, or no number soon after it.
fn stated(line: &str, names: &[&str]) -> Option<(f64, String, String)> {
    let small = line.to_lowercase();
    let after = names.iter().find_map(|name| small.find(name).map(|at| &small[at + name.len()..]))?;
    // Fewer than 30 characters may precede the number, as in "Time limit per test: 2 seconds".
    let start = after.char_indices().take(30).find(|(_, c)| c.is_ascii_digit())?.0;
    let rest = &after[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(rest.len());
    let number: f64 = rest[..end].trim_end_matches(['.', ',']).replace(',', ".").parse().ok()?;
    let blank = |c: char| c.is_whitespace() || c == '\u{a0}' || c == '$' || c == '\\';
    let unit: String = rest[end..].trim_start_matches(blank).chars().take_while(|c| c.is_alphabetic()).collect();
    let stated = format!("{} {unit}", &rest[..end]);
    Some((number, unit, stated.trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_found_in_several_languages() {
        let time = |line: &str| {
            let (number, unit, _) = stated(line, &TIME)?;
            Some(number * micros_of(&unit)?)
        };
        assert_eq!(time("Time limit: 2 s"), Some(2e6));
        assert_eq!(time("Time limit per test: 1.5 seconds."), Some(1.5e6));
        assert_eq!(time("Ограничение по времени: 500 мс"), Some(5e5));
        assert_eq!(time("Limit czasu: 3 sekundy"), Some(3e6));
        assert_eq!(time("时间限制：1 秒"), Some(1e6));
        assert_eq!(time("Time limit: 1 minute"), Some(6e7));
        assert_eq!(time("Time limit: 2"), Some(2e6));
        assert_eq!(time("Time limit: 2 hours"), Some(7.2e9));
        assert_eq!(time("Time limit: 2 rounds"), None);
        assert_eq!(time("There is no limit on time."), None);
        assert_eq!(stated("Memory limit: 256 MB", &MEMORY), Some((256.0, "mb".into(), "256 mb".into())));
    }
}
