//! Redacts events and reports for students. The results of samples are kept. In an event with the result of another
//! case, and in the event of a case that could not be judged, only the keys on an allowlist are kept, such as the
//! verdict and the time; from a report, the failures of other cases are removed. The message of a fault is replaced
//! unless the run was cancelled. This module does no I/O.
//!
//! With an allowlist, keys that later versions add are removed, too. The keys for the output of a program are not on
//! the allowlist for cases, since a program can print the input of a case.

use serde_json::{Map, Value};

use crate::problem::SAMPLE_GROUP;

/// Keys that are kept in the result of a hidden case.
const OF_CASE: [&str; 12] = [
    "event",
    "number",
    "run",
    "at_ms",
    "case",
    "group",
    "verdict",
    "cpu_ms",
    "wall_ms",
    "memory_bytes",
    "credit",
    "signal",
];
/// Keys that are kept in a report. The log is removed, since the event stream contains it.
const OF_REPORT: [&str; 8] = ["run", "problem", "language", "limits", "summary", "compile_error", "output", "failures"];
/// Message that replaces an error of the judge.
pub(super) const JUDGE_ERROR: &str = "judging failed; ask a teacher for the reason";

/// Removes the values that a student may not see from an event. Returns `{}` if the text is not a JSON object.
pub(super) fn redacted_event(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(Value::Object(mut event)) => {
            redact_event(&mut event);
            Value::Object(event).to_string()
        }
        _ => "{}".to_owned(),
    }
}

fn redact_event(event: &mut Map<String, Value>) {
    let kind = event.get("event").and_then(Value::as_str).unwrap_or("").to_owned();
    match kind.as_str() {
        "case_finished" if !is_sample(event) => event.retain(|key, _| OF_CASE.contains(&key.as_str())),
        "case_faulted" => {
            event.retain(|key, _| key == "fault" || OF_CASE.contains(&key.as_str()));
            if let Some(Value::Object(fault)) = event.get_mut("fault") {
                redact_fault(fault);
            }
        }
        "run_finished" => redact_summary(event),
        _ => {}
    }
}

/// Removes the values that a student may not see from a report. Returns null if the report is not a JSON object.
pub(super) fn redacted_report(report: Value) -> Value {
    let Value::Object(mut report) = report else { return Value::Null };
    let dialogue = report.remove("dialogue").filter(|dialogue| {
        let case = dialogue.get("case").and_then(Value::as_str).unwrap_or("");
        case.split('/').next() == Some(SAMPLE_GROUP)
    });
    report.retain(|key, _| OF_REPORT.contains(&key.as_str()));
    if let Some(Value::Array(failures)) = report.get_mut("failures") {
        failures.retain(|failure| failure.get("result").and_then(Value::as_object).is_some_and(is_sample));
    }
    if let Some(Value::Object(summary)) = report.get_mut("summary") {
        redact_summary(summary);
    }
    report.insert("dialogue".to_owned(), dialogue.unwrap_or(Value::Null));
    Value::Object(report)
}

/// Removes from an event of a search the reasons why a game's positions are won or lost. Returns `{}` if the text is
/// not a JSON object.
pub(super) fn without_reasons(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(Value::Object(mut event)) => {
            hide_reasons(&mut event);
            Value::Object(event).to_string()
        }
        _ => "{}".to_owned(),
    }
}

/// Removes from an event of a search the reasons why positions are won or lost.
pub(super) fn hide_reasons(event: &mut Map<String, Value>) {
    if let Some(reasons) = event.get_mut("why") {
        *reasons = Value::Array(Vec::new());
    }
}

fn is_sample(result: &Map<String, Value>) -> bool {
    result.get("group").and_then(Value::as_str) == Some(SAMPLE_GROUP)
}

/// Redacts the faults in `summary`: replaces each message, which may quote the output of a checker, unless the fault is
/// a cancellation.
fn redact_summary(summary: &mut Map<String, Value>) {
    if let Some(Value::Array(faults)) = summary.get_mut("faults") {
        faults.iter_mut().filter_map(Value::as_object_mut).for_each(redact_fault);
    }
}

fn redact_fault(fault: &mut Map<String, Value>) {
    let is_cancelled = fault.get("kind").and_then(Value::as_str) == Some("cancelled");
    fault.retain(|key, _| ["kind", "message"].contains(&key.as_str()));
    if let Some(message) = fault.get_mut("message").filter(|_| !is_cancelled) {
        *message = Value::from(JUDGE_ERROR);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(group: &str) -> Value {
        json!({ "event": "case_finished", "number": 3, "case": format!("{group}/001"), "group": group, "verdict": "WA",
            "cpu_ms": 1, "exit_code": 7, "stderr": { "text": "secret" }, "message": "secret",
            "difference": { "expected": "secret" }, "of_a_later_version": "secret" })
    }

    #[test]
    fn of_a_hidden_case_only_the_verdict_is_shown() {
        let hidden = redacted_event(&case("random").to_string());
        assert!(!hidden.contains("secret") && !hidden.contains("exit_code"), "{hidden}");
        assert!(hidden.contains("\"WA\"") && hidden.contains("\"number\":3"), "{hidden}");
        let sample: Value = serde_json::from_str(&redacted_event(&case("sample").to_string())).unwrap();
        assert_eq!(sample, case("sample"));
        assert_eq!(redacted_event("not JSON"), "{}");
    }

    #[test]
    fn reasons_are_left_out_of_a_search() {
        let event = json!({ "event": "stress_finished", "found": true, "why": [{ "position": "3 5" }] });
        let shown: Value = serde_json::from_str(&without_reasons(&event.to_string())).unwrap();
        assert_eq!(shown, json!({ "event": "stress_finished", "found": true, "why": [] }));
        let other = json!({ "event": "stress_found", "verdict": "WA" });
        assert_eq!(serde_json::from_str::<Value>(&without_reasons(&other.to_string())).unwrap(), other);
        assert_eq!(without_reasons("not JSON"), "{}");
    }

    #[test]
    fn faults_do_not_quote_the_judge() {
        for event in [
            json!({ "event": "case_faulted", "group": "sample", "verdict": "JE",
                "fault": { "kind": "checker", "message": "secret", "os_error": "secret" } }),
            json!({ "event": "run_finished", "faults": [{ "kind": "checker", "message": "secret" }], "verdict": null }),
        ] {
            let shown = redacted_event(&event.to_string());
            assert!(!shown.contains("secret") && shown.contains(JUDGE_ERROR), "{shown}");
        }
        let cancelled = json!({ "event": "run_finished", "faults": [{ "kind": "cancelled", "message": "cancelled" }] });
        assert_eq!(serde_json::from_str::<Value>(&redacted_event(&cancelled.to_string())).unwrap(), cancelled);
    }

    #[test]
    fn a_report_has_the_evidence_of_samples_alone() {
        let failure = |group: &str| json!({ "result": case(group), "input": "secret", "answer": "secret" });
        let report = json!({ "run": "r", "summary": { "verdict": "WA", "faults": [] }, "failures": [failure("random")],
            "log": [case("random")], "dialogue": { "case": "random/001", "transcript": "secret" }, "later": "secret" });
        let shown = redacted_report(report).to_string();
        assert!(!shown.contains("secret") && shown.contains("\"verdict\":\"WA\""), "{shown}");
        let report =
            json!({ "failures": [failure("sample")], "dialogue": { "case": "sample/001", "transcript": "x" } });
        assert_eq!(redacted_report(report.clone()), report);
    }
}
