//! Converts the events and the result of a search to JSON, for the lines of `--json` and for the web page.

use serde_json::{Value, json};

use crate::model::{FORMAT, FailedCase, Verdict};

use super::hunt::{HuntEnd, HuntProgress};
use super::minimize::{Minimized, ShrinkProgress, ShrinkWay};
use super::search::{StressEvent, StressReport, StressSearch};

/// Maximum size in bytes of an input in an event of the search.
const SHOWN: usize = 1 << 10;
/// Maximum size in bytes of each input, answer and output in the result.
pub const LARGEST_TEXT: usize = 64 << 10;

impl StressSearch<'_> {
    /// Returns an event as a JSON object. The value of its key `event` is `stress_started`, `stress_progress`,
    /// `stress_found` or `stress_shrunk`.
    pub fn event_json(&self, event: &StressEvent<'_>) -> Value {
        match event {
            StressEvent::Started => json!({
                "event": "stress_started", "format": FORMAT, "problem": self.problem(), "program": self.request().program,
                "language": self.request().source.language().id, "seed": self.request().seed,
                "isolation": self.isolation(),
            }),
            StressEvent::Tried(progress) => {
                let mut object = json!({ "event": "stress_progress", "rate": progress.rate() });
                set(&mut object, tried(progress));
                object
            }
            StressEvent::Found(found, progress) => json!({
                "event": "stress_found", "verdict": found.failure.verdict.short(), "test": found.number,
                "size": found.input.len(), "seconds": progress.time.as_seconds_f64(), "tests": progress.tests,
                "largest": progress.largest, "shown": shown(&found.input),
            }),
            StressEvent::Shrinking(ShrinkProgress { trials, smaller: Some(input) }) => json!({
                "event": "stress_shrunk", "shrink_tests": trials, "size": input.len(), "shown": shown(input),
            }),
            StressEvent::Shrinking(ShrinkProgress { trials, smaller: None }) => {
                json!({ "event": "stress_progress", "shrink_tests": trials })
            }
        }
    }
}

impl StressReport {
    /// Returns the last event, `stress_finished`. The value of its key `input` is null; front ends replace this value
    /// with the path or the text of the failing input.
    pub fn finished_json(&self) -> Value {
        let verdict = match (&self.rejected, self.found()) {
            (Some(_), _) => Some(Verdict::CompileError),
            (None, found) => found.map(|found| found.failure.verdict),
        };
        let hunted = &self.hunted;
        let mut last = json!({
            "event": "stress_finished", "found": self.minimized.is_some(), "verdict": verdict.map(Verdict::short),
            "input": null, "size_before": null, "size_after": null, "minimal": null, "seed": self.seed,
            "unanswered": hunted.unanswered, "all": hunted.end == HuntEnd::All,
            "cancelled": hunted.end == HuntEnd::Cancelled,
        });
        set(&mut last, tried(&hunted.progress));
        if let Some(output) = &self.rejected {
            set(&mut last, [("message", json!(output))]);
        }
        if let (Some(minimized), HuntEnd::Found(found)) = (&self.minimized, &hunted.end) {
            let failure = &minimized.found.failure;
            let Minimized { way, minimal, trials, time, repeats, cancelled, .. } = minimized;
            set(
                &mut last,
                [
                    ("size_before", json!(found.input.len())),
                    ("size_after", json!(minimized.found.input.len())),
                    ("minimal", json!(minimal)),
                    ("repeats", json!(repeats)),
                    ("cancelled", json!(cancelled)),
                    ("test", json!(found.number)),
                    ("shrink_seconds", json!(time.as_seconds_f64())),
                    ("shrink_tests", json!(trials)),
                    ("added", json!(false)),
                    ("sample", json!(found.sample)),
                    ("origin", json!(found.origin)),
                    ("suspect", json!(failure.suspect)),
                    ("answered_by", json!(failure.answered_by)),
                    ("agree", json!(failure.agreement.groups)),
                    ("no_answer", json!(failure.agreement.unanswered)),
                    ("guessed_form", json!(if let ShrinkWay::Guess(form) = way { Some(form) } else { None })),
                    ("why", json!(self.why)),
                ],
            );
        }
        last
    }

    /// Returns the failing input with the answer and the output, in the form of a failed case called `name`. Inputs,
    /// answers and outputs longer than [`LARGEST_TEXT`] are truncated. Returns `None` if no failing input was found.
    pub fn failed_case(&self, name: &str) -> Option<FailedCase> {
        let found = self.found()?;
        let head = |text: &[u8]| text[..text.len().min(LARGEST_TEXT)].to_vec().into();
        Some(FailedCase {
            result: found.failure.result(name),
            input: head(&found.input),
            answer: head(found.failure.answer.as_deref().unwrap_or_default()),
            output: head(&found.failure.output),
        })
    }
}

fn tried(progress: &HuntProgress) -> [(&'static str, Value); 3] {
    let seconds = progress.time.as_seconds_f64();
    [("tests", json!(progress.tests)), ("seconds", json!(seconds)), ("largest", json!(progress.largest))]
}

/// Returns the start of an input as text.
fn shown(input: &[u8]) -> String {
    String::from_utf8_lossy(&input[..input.len().min(SHOWN)]).into_owned()
}

/// Sets the keys in `values` of a JSON object; does nothing if `object` is not an object.
fn set<const N: usize>(object: &mut Value, values: [(&str, Value); N]) {
    if let Some(map) = object.as_object_mut() {
        map.extend(values.map(|(key, value)| (key.to_owned(), value)));
    }
}
