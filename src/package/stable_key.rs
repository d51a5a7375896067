//! Encodes the parts of a package in persistent cache keys.

use crate::model::{KeyWriter, StableKey};

use super::package_model::{DmojProgram, OutputCheck, PackageLimits, TimeLimitUse};

impl StableKey for PackageLimits {
    fn write_key(&self, key: &mut KeyWriter) {
        #[rustfmt::skip]
        let PackageLimits {
            time, resolution, ac_to_limit, limit_to_tle, memory, output, code, validation_time, validation_memory,
            validation_output,
        } = self;
        key.field("time", time).field("resolution", resolution);
        key.field("ac_to_limit", ac_to_limit).field("limit_to_tle", limit_to_tle);
        key.field("memory", memory).field("output", output).field("code", code);
        key.field("validation_time", validation_time).field("validation_memory", validation_memory);
        key.field("validation_output", validation_output);
    }
}

impl StableKey for OutputCheck {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            OutputCheck::Default(args) => key.variant("default").write(args),
            OutputCheck::Icpc { path, args, score } => {
                key.variant("icpc").field("path", path).field("args", args).field("score", score)
            }
            OutputCheck::Testlib { checker, interactor, full } => {
                key.variant("testlib").field("checker", checker).field("interactor", interactor).field("full", full)
            }
            OutputCheck::Compare(comparer) => key.variant("compare").write(comparer),
            OutputCheck::Dmoj(DmojProgram { path, file_args, args, protocol, full, after_failure, interactive }) => {
                key.variant("dmoj").field("path", path).field("args", args).field("protocol", protocol);
                // Fields with default values are left out, so that keys written before these fields existed stay
                // valid.
                if file_args.is_some() {
                    key.field("file_args", file_args).field("full", full);
                }
                if *after_failure {
                    key.field("after_failure", after_failure);
                }
                key.field("interactive", interactive)
            }
            OutputCheck::Sinol { path, processes } => {
                key.variant("sinol").field("path", path).field("interactive", &processes.is_some());
                // Most interactors communicate with one process. Their keys are those of earlier versions.
                if processes.is_some_and(|count| count > 1) {
                    key.field("processes", processes);
                }
                key
            }
            OutputCheck::Each(checks) => key.variant("each").write(checks),
        };
    }
}

impl StableKey for TimeLimitUse {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            TimeLimitUse::None => "none",
            TimeLimitUse::Lower => "lower",
            TimeLimitUse::Upper => "upper",
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::check::{Comparer, ComparisonRule};
    use crate::model::{ByteSize, Digest, Score, TimeSpan};
    use crate::problem::Protocol;

    fn digest(value: &impl StableKey) -> Digest {
        KeyWriter::new("test", 1).write(value).digest()
    }

    #[test]
    fn keys_of_output_checks_are_fixed() {
        let args = vec!["-x".to_owned()];
        let bridged = DmojProgram {
            path: "check.py".into(),
            file_args: None,
            args: args.clone(),
            protocol: Protocol::Plain,
            full: None,
            after_failure: false,
            interactive: true,
        };
        let checks = vec![
            OutputCheck::Default(args.clone()),
            OutputCheck::Icpc { path: "check.py".into(), args, score: true },
            OutputCheck::Testlib { checker: Some("c.cpp".into()), interactor: None, full: Some(Score::points(1)) },
            OutputCheck::Dmoj(bridged),
            OutputCheck::Each(BTreeMap::from([(
                "a".to_owned(),
                OutputCheck::Compare(Comparer::new(ComparisonRule::Exact)),
            )])),
        ];
        insta::assert_snapshot!(digest(&checks), @"37c4957745a70a34ed5a4030c44ffe1604621dba064e9569354444e1c40c9dea");
    }

    #[test]
    fn keys_of_limits_and_timings_are_fixed() {
        let limits = PackageLimits {
            time: Some(TimeSpan::seconds(1)),
            resolution: TimeSpan::seconds(1),
            ac_to_limit: 2_000,
            limit_to_tle: 1_500,
            memory: ByteSize::mib(1),
            output: ByteSize::mib(2),
            code: None,
            validation_time: TimeSpan::seconds(60),
            validation_memory: ByteSize::mib(3),
            validation_output: ByteSize::mib(4),
        };
        insta::assert_snapshot!(digest(&(limits, vec![TimeLimitUse::None, TimeLimitUse::Lower, TimeLimitUse::Upper])), @"801d13a887263c9e81cab54bbdd81e8b6e46ed2eeeae3a1e15d634da49ef356b");
    }
}
