//! The conditions of a job: the properties of the worker on which its result depends, in addition to the program, the
//! problem and the options.

use std::collections::BTreeSet;

use crate::model::{Digest, Failure, KeyWriter};
use crate::service::JudgeService;

use super::work_order::WorkResult;

/// The version of the judging procedure. Change it when a new version of Nimatron may return another result for the
/// same program.
const JUDGING: u32 = 2;

/// Returns a hash of the version of Nimatron, the isolation, the effective limits, and the compilers and interpreters
/// of the languages that a job needs and of the judged program. Two results of the same program are comparable only if
/// their hashes are equal. A worker computes the hash after it has judged the program, because the limits and the
/// language are not known earlier.
pub(super) fn conditions(
    service: &JudgeService,
    needs: &BTreeSet<String>,
    result: &WorkResult,
) -> Result<Digest, Failure> {
    let report = match result {
        WorkResult::Judged(report) => Some(report),
        WorkResult::Refused(_) => None,
    };
    let mut key = KeyWriter::new("conditions", JUDGING);
    key.field("nimatron", env!("CARGO_PKG_VERSION"));
    key.field("isolation", &service.isolation().name());
    key.field("limits", &report.and_then(|report| report.limits));
    let judged = report.map(|report| report.language.as_str());
    let languages: BTreeSet<&str> = needs.iter().map(String::as_str).chain(judged).collect();
    for language in languages {
        let toolchain = service.host().languages().digest_of(language)?;
        key.field("language", language).field("toolchain", &toolchain);
    }
    Ok(key.digest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Isolation, Level};
    use crate::runner::Host;
    use crate::sandbox::{Cancel, MockSandbox};

    const LANGUAGES: &str = "
format: 1
languages:
  here: { name: Here, extensions: [here], programs: { sh: [sh] }, probe: { argv: ['{sh}'] }, keep: sources, run: ['{sh}'] }
";

    #[test]
    fn another_compiler_or_isolation_is_another_condition() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("languages.yaml"), LANGUAGES).unwrap();
        let of = |version: &'static str, level: Level, language: &str| {
            let cache = tempfile::tempdir().unwrap();
            let sandbox = MockSandbox::new(move |_, _| Ok(MockSandbox::wrote(version))).claiming(Isolation::of(level));
            let cancel = Cancel::new().unwrap();
            let host = Host::new(Box::new(sandbox), &cancel, cache.path(), Some(folder.path()), 1).unwrap();
            let needs = BTreeSet::from([language.to_owned()]);
            conditions(&JudgeService::new(host), &needs, &WorkResult::Refused(String::new())).unwrap()
        };
        let first = of("here 1.0", Level::A, "here");
        assert_eq!(of("here 1.0", Level::A, "here"), first);
        for (version, level, language) in
            [("here 1.1", Level::A, "here"), ("here 1.0", Level::B, "here"), ("here 1.0", Level::A, "answers")]
        {
            assert_ne!(of(version, level, language), first, "{version} {level} {language}");
        }
    }
}
