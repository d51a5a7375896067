//! The content of a job that is sent to a worker, and the result that the worker returns.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use crate::model::{Digest, EventKind, Fault, FaultKind, Outcome, of_hex, to_hex};
use crate::service::RunReport;

/// Maximum length in bytes of a result that is sent uncompressed. Longer results are compressed.
const PLAIN: usize = 32 << 10;
/// The prefix of the text of a compressed result.
const COMPRESSED: &str = "zlib ";
/// Maximum size of a result as JSON, in bytes. The largest parts of a report are the log, with a few hundred bytes for
/// each of at most 100,000 cases, and the input, answer and output of the first failed case, each of which is truncated
/// to 4 MiB and grows at most sixfold when it is escaped. A compressed text may expand to a thousand times its size.
/// Without this limit, one message could fill the memory of the coordinator.
const LARGEST_RESULT: usize = 128 << 20;

/// The content of a job, as sent to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JobContent {
    /// The program can be judged.
    Order(WorkOrder),
    /// The reason why the coordinator can't read the problem or the program.
    Unreadable(String),
}

/// The address and token with which a worker fetches the files of a job, and the hashes of its problem and its program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WorkOrder {
    /// The address of the coordinator's files, such as `http://10.0.0.1:8708`.
    pub url: String,
    /// The token with which the worker may read the files until the attempt ends.
    pub token: String,
    /// The hash of the problem's [`ProblemManifest`](super::problem_bundle::ProblemManifest).
    pub problem: Digest,
    /// The hash of the [`ProgramOrder`](crate::submissions::ProgramOrder) as JSON.
    pub request: Digest,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WorkResult {
    /// The program was judged.
    Judged(Box<RunReport>),
    /// The reason why the program or the problem is invalid.
    Refused(String),
}

impl WorkResult {
    /// Returns the part of the result that must be equal for equal keys and conditions: verdict, score and verdicts of
    /// the cases.
    pub(super) fn outcome(&self) -> String {
        let report = match self {
            WorkResult::Judged(report) => report,
            WorkResult::Refused(reason) => return format!("refused: {reason}"),
        };
        let verdict = match &report.summary.outcome {
            Outcome::Final { verdict, score } => format!("{} {}", verdict.short(), score.as_thousandths()),
            Outcome::Inconclusive { .. } => "inconclusive".to_owned(),
        };
        let case = |kind: &EventKind| match kind {
            EventKind::CaseFinished(result) => Some(format!(" {}:{}", result.case, result.verdict.short())),
            _ => None,
        };
        let cases = report.log.iter().filter_map(|entry| case(&entry.kind));
        std::iter::once(verdict).chain(cases).collect()
    }

    /// Returns the result as JSON. If the JSON is long, returns [`COMPRESSED`] followed by the compressed JSON in
    /// hexadecimal digits.
    pub(super) fn to_text(&self) -> Result<String, Fault> {
        let failed = |error: std::io::Error| Fault::io(FaultKind::Data, &error).context("cannot encode the result");
        let json = serde_json::to_string(self).map_err(|error| failed(error.into()))?;
        check_size(json.len())?;
        if json.len() <= PLAIN {
            return Ok(json);
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let bytes = encoder.write_all(json.as_bytes()).and_then(|()| encoder.finish()).map_err(failed)?;
        Ok(format!("{COMPRESSED}{}", to_hex(&bytes)))
    }

    /// Parses the text of a result that [`WorkResult::to_text`] returned.
    ///
    /// # Errors
    /// Fails if the text does not encode a result, or if the result is larger than [`LARGEST_RESULT`].
    pub(super) fn of_text(text: &str) -> Result<WorkResult, Fault> {
        let failed = |error: std::io::Error| Fault::io(FaultKind::Data, &error).context("cannot decode the result");
        let Some(digits) = text.strip_prefix(COMPRESSED) else {
            check_size(text.len())?;
            return serde_json::from_str(text).map_err(|error| failed(error.into()));
        };
        let invalid = || failed(std::io::Error::other("the compressed text is not hexadecimal"));
        let bytes = of_hex(digits).ok_or_else(invalid)?;
        let mut json = Vec::new();
        // At most one byte more than the limit is read, which suffices to detect a result that is too large.
        ZlibDecoder::new(&*bytes).take(LARGEST_RESULT as u64 + 1).read_to_end(&mut json).map_err(failed)?;
        check_size(json.len())?;
        serde_json::from_slice(&json).map_err(|error| failed(error.into()))
    }
}

/// Returns a fault if `bytes`, the size of a result, exceeds [`LARGEST_RESULT`].
fn check_size(bytes: usize) -> Result<(), Fault> {
    if bytes <= LARGEST_RESULT {
        return Ok(());
    }
    let most = LARGEST_RESULT >> 20;
    Err(Fault::new(FaultKind::Data, format!("the result is larger than {most} MiB, the maximum size of a result")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_equal_and_long_ones_are_compressed() {
        for length in [0, 10, PLAIN, 1 << 20] {
            let result = WorkResult::Refused("ä\"".repeat(length));
            let text = result.to_text().unwrap();
            assert_eq!(WorkResult::of_text(&text).unwrap(), result);
            assert!(text.len() <= PLAIN, "{length} {}", text.len());
        }
        for text in ["", "{}", "zlib 0", "zlib zz", "zlib 00"] {
            assert!(WorkResult::of_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_result_that_inflates_beyond_the_limit_is_refused() {
        let refused = |text: &str| WorkResult::of_text(text).unwrap_err().to_string();
        let compressed = |bytes: u64| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            std::io::copy(&mut std::io::repeat(b' ').take(bytes), &mut encoder).unwrap();
            format!("{COMPRESSED}{}", to_hex(&encoder.finish().unwrap()))
        };
        let small = compressed(LARGEST_RESULT as u64);
        assert!(refused(&small).contains("cannot decode the result"), "{}", refused(&small));
        let large = compressed(LARGEST_RESULT as u64 + 1);
        assert!(large.len() < 1 << 20, "{}", large.len());
        assert!(refused(&large).contains("larger than 128 MiB"), "{}", refused(&large));
        let sent = WorkResult::Refused("x".repeat(LARGEST_RESULT)).to_text();
        assert!(sent.unwrap_err().to_string().contains("larger than 128 MiB"));
    }
}
