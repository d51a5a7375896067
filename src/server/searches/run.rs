//! Runs a search, and creates the events of its log.

use serde_json::{Value, json};

use crate::model::{Activity, FailedCase, Failure, Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::service::JudgeService;
use crate::stress::{HuntEnd, ShrinkProgress, StressEvent, StressReport, StressSearch};

use super::log::SearchLog;
use super::new_search::ReadSearch;

/// The name of the failing input in the result of a search.
const INPUT: &str = "input";

/// Runs a search, and returns its last event and the failing input, if there is one. Calls `changed` after each change
/// to the log.
pub(super) fn search(
    service: &JudgeService,
    cancel: &Cancel,
    read: ReadSearch,
    (log, changed): (&SearchLog, &(dyn Fn() + Sync)),
) -> (Value, Option<FailedCase>) {
    let service = service.with_cancel(cancel);
    let ReadSearch { target, request } = read;
    let preparing = |activity: Activity| {
        if log.progress(|| preparing_json(&activity)) {
            changed();
        }
    };
    let searched = StressSearch::prepare(&service, &target, request, &preparing).and_then(|search| {
        let mut emit = |event: StressEvent<'_>| {
            let is_new = match &event {
                StressEvent::Started | StressEvent::Found(..) => {
                    log.add(search.event_json(&event));
                    true
                }
                StressEvent::Shrinking(ShrinkProgress { smaller: Some(_), .. }) => {
                    log.add_step(|| search.event_json(&event))
                }
                StressEvent::Tried(_) | StressEvent::Shrinking(_) => log.progress(|| search.event_json(&event)),
            };
            if is_new {
                changed();
            }
        };
        search.run(&mut emit)
    });
    match searched {
        Ok(report) => {
            let found = report.failed_case(INPUT);
            (finished(&report, found.as_ref()), found)
        }
        Err(failure) => (unfinished(&failure), None),
    }
}

/// Returns the last event of a search that has a report.
fn finished(report: &StressReport, found: Option<&FailedCase>) -> Value {
    let mut last = report.finished_json();
    if let Some(case) = found {
        last["input"] = json!(case.input);
        last["failure"] = json!(case);
    }
    if let HuntEnd::Broken { broken, input, .. } = &report.hunted.end {
        last["error"] = json!(broken.message());
        last["broken_input"] = json!(String::from_utf8_lossy(&input[..input.len().min(2_000)]));
    }
    last
}

/// Returns the last event of a search that failed or was cancelled, and therefore has no report.
pub(super) fn unfinished(failure: &Failure) -> Value {
    let cancelled = matches!(failure, Failure::Fault(Fault { kind: FaultKind::Cancelled, .. }));
    let mut last = json!({
        "event": "stress_finished", "found": false, "verdict": null, "tests": 0, "seconds": 0.0, "input": null,
        "size_before": null, "size_after": null, "minimal": null, "cancelled": cancelled,
    });
    if !cancelled {
        last["error"] = json!(failure.to_string());
    }
    last
}

fn preparing_json(activity: &Activity) -> Value {
    let mut object = serde_json::to_value(activity).unwrap_or_default();
    object["event"] = json!("stress_progress");
    object
}
