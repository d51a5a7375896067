//! The admission of workers to a pool: a worker must agree with the standard of the pool.

use std::collections::BTreeMap;

use super::job::WorkerId;
use super::worker_traits::WorkerTraits;

/// Maximum difference between the calibration of a worker and that of its pool, in percent of the latter.
const TOLERANCE_PERCENT: u64 = 5;

/// The properties with which the workers of a pool must agree: CPU, isolation and calibration of the first admitted
/// worker, and for each language the compiler or interpreter of the first admitted worker that has the language.
///
/// The standard is a function of the workers and their order, so that all coordinators admit the same workers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PoolStandard {
    first: Option<(WorkerId, WorkerTraits)>,
    /// For each language, the worker whose compiler or interpreter is the standard, and the hash of that program.
    languages: BTreeMap<String, (WorkerId, String)>,
}

impl PoolStandard {
    /// Admits a worker, and adds the worker's properties that are missing from the standard.
    ///
    /// # Errors
    /// Fails with the reason if the worker does not agree with the standard.
    pub(super) fn admit(&mut self, worker: &WorkerId, traits: &WorkerTraits) -> Result<(), String> {
        if let Some((first, own)) = &self.first {
            check_machine(traits, own, first)?;
        }
        for (language, digest) in &traits.toolchains {
            if let Some((other, known)) = self.languages.get(language)
                && known != digest
            {
                return Err(format!(
                    "its compiler or interpreter for the language `{language}` differs from that of worker `{other}`; \
                     install the same version, or use another pool"
                ));
            }
        }
        self.first.get_or_insert_with(|| (worker.clone(), traits.clone()));
        for (language, digest) in &traits.toolchains {
            if !self.languages.contains_key(language) {
                self.languages.insert(language.clone(), (worker.clone(), digest.clone()));
            }
        }
        Ok(())
    }
}

/// Checks that CPU, isolation and calibration of a worker agree with `pool`, the properties of the worker `first`.
fn check_machine(traits: &WorkerTraits, pool: &WorkerTraits, first: &WorkerId) -> Result<(), String> {
    if traits.cpu != pool.cpu {
        let (cpu, other) = (&traits.cpu, &pool.cpu);
        return Err(format!("its CPU is `{cpu}`, but that of worker `{first}` is `{other}`; use another pool"));
    }
    if traits.isolation != pool.isolation {
        let (level, other) = (&traits.isolation, &pool.isolation);
        return Err(format!(
            "its isolation level is {level}, but that of worker `{first}` is {other}; `nimatron doctor` shows what is \
             missing"
        ));
    }
    let (own, other) = (traits.calibration_us, pool.calibration_us);
    if own.abs_diff(other).saturating_mul(100) > other.saturating_mul(TOLERANCE_PERCENT) {
        return Err(format!(
            "its calibration is {}, but that of worker `{first}` is {}; the difference may be at most \
             {TOLERANCE_PERCENT} % (the calibration is repeated while the worker is idle)",
            milliseconds(own),
            milliseconds(other)
        ));
    }
    Ok(())
}

fn milliseconds(us: u64) -> String {
    format!("{}.{:03} ms", us / 1_000, us % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traits(cpu: &str, isolation: &str, toolchains: &[(&str, &str)], calibration_us: u64) -> WorkerTraits {
        let toolchains = toolchains.iter().map(|(id, digest)| ((*id).to_owned(), (*digest).to_owned())).collect();
        WorkerTraits { cpu: cpu.to_owned(), isolation: isolation.to_owned(), toolchains, calibration_us }
    }

    fn admitted(standard: &mut PoolStandard, name: &str, worker: &WorkerTraits) -> String {
        standard.admit(&WorkerId::new(name), worker).err().unwrap_or_default()
    }

    #[test]
    fn a_worker_must_agree_with_the_first_one() {
        let mut pool = PoolStandard::default();
        assert_eq!(admitted(&mut pool, "w1", &traits("Ryzen", "A", &[("c", "gcc 12")], 20_000)), "");
        assert_eq!(admitted(&mut pool, "w2", &traits("Ryzen", "A", &[("c", "gcc 12")], 20_999)), "");
        for (worker, reason) in [
            (traits("Xeon", "A", &[], 20_000), "its CPU is `Xeon`, but that of worker `w1` is `Ryzen`"),
            (traits("Ryzen", "B", &[], 20_000), "its isolation level is B, but that of worker `w1` is A"),
            (traits("Ryzen", "A", &[("c", "gcc 13")], 20_000), "the language `c` differs from that of worker `w1`"),
            (traits("Ryzen", "A", &[], 21_001), "its calibration is 21.001 ms, but that of worker `w1` is 20.000 ms"),
            (traits("Ryzen", "A", &[], 18_999), "its calibration is 18.999 ms"),
            (traits("Ryzen", "A", &[], 0), "its calibration is 0.000 ms"),
        ] {
            let before = pool.clone();
            let found = admitted(&mut pool, "w3", &worker);
            assert!(found.contains(reason), "{found}");
            assert_eq!(pool, before, "a worker that is not admitted changes nothing");
        }
        for calibration in [19_000, 21_000] {
            assert_eq!(admitted(&mut pool, "w4", &traits("Ryzen", "A", &[], calibration)), "");
        }
    }

    #[test]
    fn the_compiler_of_a_language_is_that_of_the_first_worker_that_has_it() {
        let mut pool = PoolStandard::default();
        assert_eq!(admitted(&mut pool, "w1", &traits("", "A", &[("c", "gcc 12")], 7)), "");
        assert_eq!(admitted(&mut pool, "w2", &traits("", "A", &[("go", "1.26")], 7)), "");
        let other = admitted(&mut pool, "w3", &traits("", "A", &[("c", "gcc 12"), ("go", "1.25")], 7));
        assert!(other.contains("the language `go` differs from that of worker `w2`"), "{other}");
        assert_eq!(admitted(&mut pool, "w3", &traits("", "A", &[("c", "gcc 12"), ("go", "1.26")], 7)), "");
    }
}
