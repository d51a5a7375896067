//! Serialization of fields whose wire form in an event differs from the usual serialization of their types: times in
//! milliseconds, sizes in bytes, and keys that other programs rely on.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    ByteSize, CaseId, Credit, Exit, FORMAT, Fault, Isolation, Level, Outcome, Score, TimeSpan, Usage, Verdict,
};

/// The value that the wire form contains in place of a verdict if the judge failed.
const JUDGE_ERROR: &str = "JE";

/// Returns true if `value` is the default of its type and can therefore be omitted.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Serializes times as numbers of milliseconds with up to three decimals. Times of more than 35 years would not be
/// exact, and are rejected when they are read.
pub(super) mod millis {
    use super::*;

    /// The longest time that is read, in milliseconds: 35 years.
    const MOST: f64 = (1_u64 << 50) as f64 / 1_000.0;

    pub(in super::super) fn serialize<S: Serializer>(time: &TimeSpan, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_millis_f64())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TimeSpan, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("expected a time of 0 ms to {MOST} ms, found {millis} ms"));
        from_millis(millis).ok_or_else(wrong)
    }

    pub(super) fn from_millis(millis: f64) -> Option<TimeSpan> {
        (0.0..=MOST).contains(&millis).then(|| TimeSpan::micros((millis * 1_000.0).round() as u64))
    }
}

/// Serializes sizes as numbers of bytes.
pub(super) mod bytes {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(size: &ByteSize, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(size.get())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ByteSize, D::Error> {
        u64::deserialize(deserializer).map(ByteSize::new)
    }
}

/// Serializes credits as fractions of 1.
pub(super) mod credit {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(credit: &Credit, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(credit.as_millionths()) / 1e6)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Credit, D::Error> {
        let credit = f64::deserialize(deserializer)?;
        let valid = (0.0..=1.0).contains(&credit);
        valid
            .then(|| Credit::millionths((credit * 1e6).round() as u32))
            .ok_or_else(|| D::Error::custom(format!("expected a credit from 0 to 1, found {credit}")))
    }
}

/// Serializes the version of the wire form and an isolation.
pub(super) mod isolation {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Keys {
        format: u32,
        #[serde(rename = "isolation")]
        level: Level,
        #[serde(default)]
        strict: bool,
        #[serde(default)]
        missing: Vec<String>,
    }

    pub(in super::super) fn serialize<S: Serializer>(isolation: &Isolation, serializer: S) -> Result<S::Ok, S::Error> {
        let Isolation { level, strict, missing } = isolation.clone();
        Keys { format: FORMAT, level, strict, missing }.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Isolation, D::Error> {
        let Keys { format, level, strict, missing } = Keys::deserialize(deserializer)?;
        if format > FORMAT {
            let message = format!(
                "the events have format {format}, but this version of nimatron supports formats up to {FORMAT}; \
                 use a newer version"
            );
            return Err(D::Error::custom(message));
        }
        Ok(Isolation { level, strict, missing })
    }
}

/// Serializes resource usage, with one key for each resource.
pub(super) mod usage {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Keys {
        #[serde(with = "millis")]
        cpu_ms: TimeSpan,
        #[serde(with = "millis")]
        wall_ms: TimeSpan,
        #[serde(with = "bytes")]
        memory_bytes: ByteSize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions: Option<u64>,
    }

    pub(in super::super) fn serialize<S: Serializer>(usage: &Usage, serializer: S) -> Result<S::Ok, S::Error> {
        let Usage { cpu, wall, memory, instructions } = *usage;
        Keys { cpu_ms: cpu, wall_ms: wall, memory_bytes: memory, instructions }.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Usage, D::Error> {
        let Keys { cpu_ms, wall_ms, memory_bytes, instructions } = Keys::deserialize(deserializer)?;
        Ok(Usage { cpu: cpu_ms, wall: wall_ms, memory: memory_bytes, instructions })
    }
}

/// Serializes an exit status as `exit_code` or `signal`.
pub(super) mod exit {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Keys {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<i32>,
    }

    pub(in super::super) fn serialize<S: Serializer>(exit: &Exit, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = match *exit {
            Exit::Code(code) => Keys { exit_code: Some(code), signal: None },
            Exit::Signal(signal) => Keys { exit_code: None, signal: Some(signal) },
        };
        keys.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Exit, D::Error> {
        match Keys::deserialize(deserializer)? {
            Keys { exit_code: Some(code), signal: None } => Ok(Exit::Code(code)),
            Keys { exit_code: None, signal: Some(signal) } => Ok(Exit::Signal(signal)),
            _ => Err(D::Error::custom("expected exactly one of `exit_code` and `signal`")),
        }
    }
}

/// Serializes the judge's error on a case, with `JE` as the verdict.
pub(super) mod case_fault {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Keys {
        verdict: String,
        fault: Fault,
    }

    pub(in super::super) fn serialize<S: Serializer>(fault: &Fault, serializer: S) -> Result<S::Ok, S::Error> {
        Keys { verdict: JUDGE_ERROR.to_owned(), fault: fault.clone() }.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fault, D::Error> {
        Keys::deserialize(deserializer).map(|keys| keys.fault)
    }
}

/// Serializes the outcome of a run: a verdict with its score, or `JE` with the judge's errors.
pub(super) mod outcome {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Keys {
        verdict: String,
        score: Score,
        #[serde(default)]
        faults: Vec<Fault>,
    }

    pub(in super::super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        let (verdict, score, faults) = match outcome {
            Outcome::Final { verdict, score } => (verdict.short(), *score, Vec::new()),
            Outcome::Inconclusive { faults } => (JUDGE_ERROR, Score::ZERO, faults.clone()),
        };
        Keys { verdict: verdict.to_owned(), score, faults }.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let Keys { verdict, score, faults } = Keys::deserialize(deserializer)?;
        if verdict == JUDGE_ERROR {
            return Ok(Outcome::Inconclusive { faults });
        }
        let known = Verdict::ALL.into_iter().find(|known| known.short() == verdict);
        let verdict = known.ok_or_else(|| D::Error::custom(format!("unknown verdict `{verdict}`")))?;
        Ok(Outcome::Final { verdict, score })
    }
}

/// Serializes the id of the slowest case of a run and its CPU time, or `null`.
pub(super) mod slowest {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Keys {
        case: CaseId,
        #[serde(with = "millis")]
        cpu_ms: TimeSpan,
    }

    pub(in super::super) fn serialize<S: Serializer>(
        slowest: &Option<(CaseId, TimeSpan)>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        slowest.clone().map(|(case, cpu_ms)| Keys { case, cpu_ms }).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<(CaseId, TimeSpan)>, D::Error> {
        let keys = Option::<Keys>::deserialize(deserializer)?;
        Ok(keys.map(|keys| (keys.case, keys.cpu_ms)))
    }
}
