//! Determines the properties of a worker on which results depend: its CPU, isolation, compilers and speed.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Failure;
use crate::queue::WorkerTraits;
use crate::service::{JudgeService, Timing};

/// The file from which the model of the CPU is read.
const CPUS: &str = "/proc/cpuinfo";
/// The keys of the lines of this file that describe the model. The available keys depend on the architecture.
const MODEL: [&str; 4] = ["model name", "CPU implementer", "CPU part", "uarch"];
/// Maximum number of characters of the model.
const LONGEST: usize = 100;

/// Returns the properties of this machine on which results depend. `languages` are the ids of the installed languages.
///
/// # Errors
/// Fails if the executable of a compiler or interpreter can't be read.
pub(super) fn machine_traits(
    service: &JudgeService,
    languages: &BTreeSet<String>,
    calibration_us: u64,
) -> Result<WorkerTraits, Failure> {
    let mut toolchains = BTreeMap::new();
    for language in languages {
        if let Some(digest) = service.host().languages().digest_of(language)? {
            toolchains.insert(language.clone(), digest.to_string());
        }
    }
    let cpu = cpu_model(&fs_err::read_to_string(CPUS).unwrap_or_default());
    let cpu = cpu.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    Ok(WorkerTraits { cpu, isolation: service.isolation().name(), toolchains, calibration_us })
}

/// Measures the calibration: the shortest of many CPU times of a fixed loop, in microseconds. Other programs on the
/// machine lengthen most of the times, but hardly ever all of them.
pub(super) fn calibration_us() -> u64 {
    Timing::measure().least.as_micros()
}

/// Returns the model of the first CPU in the text of `/proc/cpuinfo`; `None` if the text does not contain a model.
fn cpu_model(text: &str) -> Option<String> {
    let first = text.split("\n\n").next()?;
    let lines = first.lines().filter_map(|line| line.split_once(':')).map(|(name, value)| (name.trim(), value.trim()));
    let named: Vec<&str> = lines.filter(|(name, _)| MODEL.contains(name)).map(|(_, value)| value).collect();
    let model: String = named.join(" ").chars().filter(|character| !character.is_control()).take(LONGEST).collect();
    Some(model).filter(|model| !model.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_that_of_the_first_cpu() {
        let ryzen = "processor\t: 0\nmodel name\t: AMD Ryzen 7\ncpu MHz : 1\n\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(cpu_model(ryzen).as_deref(), Some("AMD Ryzen 7"));
        let arm = "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\n";
        assert_eq!(cpu_model(arm).as_deref(), Some("0x41 0xd0c"));
        assert_eq!(cpu_model(""), None);
        assert!(cpu_model(&format!("model name: {}", "x".repeat(1 << 20))).unwrap().len() <= LONGEST);
    }
}
