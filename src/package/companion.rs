//! The message that the browser extension Competitive Companion sends for one problem on a judge's web page. The
//! editor extension cph stores the same message, with additional fields, in `.cph/*.prob`.

use serde::{Deserialize, Deserializer, Serialize};

use crate::model::{ByteSize, Diagnostic, TimeSpan};

/// Name of the file in a problem's folder that contains the extension's message.
pub const MESSAGE_FILE: &str = "problem.json";

/// The message of the extension. Only the name is required, because other tools omit fields or set them to `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionProblem {
    /// The problem's name as displayed by the judge, such as `G. Castle Defense`.
    pub name: String,
    /// The judge and the contest, such as `Codeforces - Educational Round 40`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub group: String,
    /// Address of the statement.
    #[serde(default, deserialize_with = "null_as_default")]
    pub url: String,
    /// Whether the program communicates with an interactor.
    #[serde(default, deserialize_with = "null_as_default")]
    pub interactive: bool,
    /// Memory limit in MiB; see [`CompanionProblem::memory`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<f64>,
    /// Time limit in milliseconds; see [`CompanionProblem::time`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
    /// The samples.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tests: Vec<CompanionTest>,
    /// `single`, or `multiNumber` if an input begins with the number of the tests that it contains; `None` if the
    /// message does not specify the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_type: Option<String>,
    /// The source of the program's input.
    #[serde(default, deserialize_with = "null_as_default")]
    pub input: CompanionInput,
    /// The destination of the program's output.
    #[serde(default, deserialize_with = "null_as_default")]
    pub output: CompanionOutput,
    /// The batch to which this message belongs, such as the messages for all problems of a contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<CompanionBatch>,
    /// The program, as a path or a file name. Only files written by cph have this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src_path: Option<String>,
}

/// A sample of the problem that a message describes: an input and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompanionTest {
    /// The input.
    #[serde(default, deserialize_with = "null_as_default")]
    pub input: String,
    /// The answer.
    #[serde(default, deserialize_with = "null_as_default")]
    pub output: String,
}

/// The source of a program's input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionInput {
    /// Kind of the input: `stdin`, `file` or `regex`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of the file if `kind` is `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// Pattern of the file's name if `kind` is `regex`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

impl Default for CompanionInput {
    fn default() -> CompanionInput {
        CompanionInput { kind: "stdin".to_owned(), file_name: None, pattern: None }
    }
}

/// The destination of a program's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionOutput {
    /// Kind of the output: `stdout` or `file`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of the file if `kind` is `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
}

impl Default for CompanionOutput {
    fn default() -> CompanionOutput {
        CompanionOutput { kind: "stdout".to_owned(), file_name: None }
    }
}

/// A batch of messages that were sent together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompanionBatch {
    /// Identifier of the batch, the same in all its messages.
    pub id: String,
    /// Number of messages in the batch.
    pub size: u32,
}

impl CompanionProblem {
    /// Parses a message, or the content of a file that contains a message.
    ///
    /// # Errors
    /// Returns a diagnostic whose message states the line and the column of the error. The caller adds the name of the
    /// file.
    pub fn parse(json: &[u8]) -> Result<CompanionProblem, Diagnostic> {
        serde_json::from_slice(json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json)).map_err(|error| {
            Diagnostic::new(format!("invalid Competitive Companion message: {error}"))
                .help("expected a JSON object such as `{\"name\": …, \"tests\": [{\"input\": …, \"output\": …}]}`")
        })
    }

    /// Returns the time limit, or `None` if the message has no limit or the limit is outside the range
    /// of 1 to 10^15 microseconds.
    pub fn time(&self) -> Option<TimeSpan> {
        scaled(self.time_limit?, 1e3).map(TimeSpan::micros)
    }

    /// Returns the memory limit, or `None` if the message has no limit or the limit is outside the range
    /// of 1 to 10^15 bytes.
    pub fn memory(&self) -> Option<ByteSize> {
        scaled(self.memory_limit?, 1_048_576.0).map(ByteSize::new)
    }
}

/// Multiplies `value` by `factor` and rounds the product to an integer. Returns `None` unless the integer is from 1 to
/// 10^15.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn scaled(value: f64, factor: f64) -> Option<u64> {
    let scaled = (value * factor).round();
    (1.0..=1e15).contains(&scaled).then_some(scaled as u64)
}

/// Deserializes `null` as the default value, like a missing field.
fn null_as_default<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Option::<T>::deserialize(from).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_with_its_limits_and_comes_back_equal() {
        let text = r#"{"name": "G. Castle", "group": "Codeforces - Round 40", "url": "https://example.org/954/G",
            "interactive": false, "memoryLimit": 256, "timeLimit": 1500, "testType": "single",
            "input": {"type": "stdin"}, "output": {"type": "file", "fileName": "castle.out"},
            "languages": {"java": {"mainClass": "Main", "taskClass": "GCastle"}},
            "tests": [{"input": "5 0\n", "output": "5\n"}, {"input": "1\n", "output": "6\n"}],
            "batch": {"id": "123e67c8", "size": 2}}"#;
        let message = CompanionProblem::parse(text.as_bytes()).unwrap();
        assert_eq!((message.time(), message.memory()), (Some(TimeSpan::millis(1_500)), Some(ByteSize::mib(256))));
        assert_eq!(message.tests[1].output, "6\n");
        assert_eq!(message.output.file_name.as_deref(), Some("castle.out"));
        assert_eq!(message.batch.as_ref().unwrap().size, 2);
        let again = serde_json::to_vec(&message).unwrap();
        assert_eq!(CompanionProblem::parse(&again).unwrap(), message);
    }

    #[test]
    fn missing_and_null_fields_have_defaults() {
        let message = CompanionProblem::parse(
            br#"{"name": "x", "group": null, "tests": [{"id": 1, "input": "1"}], "interactive": null,
            "timeLimit": -1, "input": null}"#,
        )
        .unwrap();
        assert_eq!((message.time(), message.memory(), message.interactive), (None, None, false));
        assert_eq!((message.input.kind.as_str(), message.output.kind.as_str()), ("stdin", "stdout"));
        assert_eq!(message.tests, [CompanionTest { input: "1".to_owned(), output: String::new() }]);
    }

    #[test]
    fn broken_messages_are_refused_with_the_position() {
        for text in ["", "{", "[]", r#"{"tests": []}"#, r#"{"name": "x", "tests": 3}"#] {
            let refused = CompanionProblem::parse(text.as_bytes()).unwrap_err();
            assert!(refused.message.contains("line "), "{text}: {}", refused.message);
        }
    }
}
