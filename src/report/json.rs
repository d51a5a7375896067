//! Events for other programs: one JSON object a line.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};

use super::reporter::Reporter;
use crate::model::{
    CaseResult, Event, EventKind, Exit, FORMAT, Fault, GroupResult, Outcome, RunSummary, Score, TimeSpan, Verdict,
};

/// The short name of "the judge failed", where a verdict would stand.
const JUDGE_ERROR: &str = "JE";

/// Writes every event as one JSON object on its own line. Keys may be added in later versions, never renamed.
pub struct JsonLines<W> {
    writer: W,
    first: bool,
}

impl<W: Write> JsonLines<W> {
    /// Writes to `writer`.
    pub fn new(writer: W) -> JsonLines<W> {
        JsonLines { writer, first: true }
    }

    /// Writes to `writer`, where so many events were written before.
    pub fn following(writer: W, events: u64) -> JsonLines<W> {
        JsonLines { writer, first: events == 0 }
    }
}

impl<W: Write> Reporter for JsonLines<W> {
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        let (name, keys) = object(&event.kind);
        let mut line = Line(vec![("event", json!(name)), ("number", json!(event.number))]);
        if std::mem::take(&mut self.first) {
            line.0.push(("format", json!(FORMAT)));
        }
        line.0.extend(keys);
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.writer.write_all(&text)?;
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

type Keys = Vec<(&'static str, Value)>;

/// An object whose keys stay in this order.
struct Line(Keys);

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// An event's name, and its keys.
fn object(kind: &EventKind) -> (&'static str, Keys) {
    match kind {
        EventKind::RunStarted { problem, program, language, cases, isolation } => (
            "run_started",
            vec![
                ("problem", json!(problem)),
                ("program", json!(program)),
                ("language", json!(language)),
                ("cases", json!(cases)),
                ("isolation", json!(isolation.level.to_string())),
                ("strict", json!(isolation.strict)),
                ("missing", json!(isolation.missing)),
            ],
        ),
        EventKind::BuildStarted { language } => ("build_started", vec![("language", json!(language))]),
        EventKind::BuildFinished { cached, wall, error } => {
            ("build_finished", vec![("cached", json!(cached)), ("wall_ms", millis(*wall)), ("error", json!(error))])
        }
        EventKind::CaseStarted { case, group } => {
            ("case_started", vec![("case", json!(case)), ("group", json!(group))])
        }
        EventKind::CaseFinished(result) => ("case_finished", case(result)),
        EventKind::CaseSkipped { case, group, reason } => {
            ("case_skipped", vec![("case", json!(case)), ("group", json!(group)), ("reason", json!(reason))])
        }
        EventKind::CaseFaulted { case, group, fault: cause } => (
            "case_faulted",
            vec![
                ("case", json!(case)),
                ("group", json!(group)),
                ("verdict", json!(JUDGE_ERROR)),
                ("fault", fault(cause)),
            ],
        ),
        EventKind::GroupFinished(result) => ("group_finished", group(result)),
        EventKind::RunFinished(result) => ("run_finished", summary(result)),
    }
}

fn case(result: &CaseResult) -> Keys {
    let mut keys = vec![
        ("case", json!(result.case)),
        ("group", json!(result.group)),
        ("verdict", json!(result.verdict.short())),
        ("cpu_ms", millis(result.usage.cpu)),
        ("wall_ms", millis(result.usage.wall)),
        ("memory_bytes", json!(result.usage.memory.get())),
        ("credit", json!(f64::from(result.credit.as_millionths()) / 1e6)),
    ];
    keys.push(match result.exit {
        Exit::Code(code) => ("exit_code", json!(code)),
        Exit::Signal(signal) => ("signal", json!(signal)),
    });
    if let Some(instructions) = result.usage.instructions {
        keys.push(("instructions", json!(instructions)));
    }
    if let Some(difference) = &result.difference {
        keys.push(("difference", json!(difference)));
    }
    if let Some(message) = &result.message {
        keys.push(("message", json!(message)));
    }
    if result.stderr.bytes > 0 {
        keys.push(("stderr", json!(result.stderr)));
    }
    keys
}

fn group(result: &GroupResult) -> Keys {
    vec![
        ("group", json!(result.group)),
        ("verdict", json!(result.verdict.map(Verdict::short))),
        ("score", json!(result.score)),
        ("max_score", json!(result.max_score)),
    ]
}

fn summary(result: &RunSummary) -> Keys {
    let (verdict, score, faults) = match &result.outcome {
        Outcome::Final { verdict, score } => (verdict.short(), *score, Vec::new()),
        Outcome::Inconclusive { faults } => (JUDGE_ERROR, Score::ZERO, faults.iter().map(fault).collect()),
    };
    let slowest = result.slowest.as_ref().map(|(case, cpu)| json!({ "case": case, "cpu_ms": millis(*cpu) }));
    vec![
        ("problem", json!(result.problem)),
        ("program", json!(result.program)),
        ("verdict", json!(verdict)),
        ("score", json!(score)),
        ("max_score", json!(result.max_score)),
        ("cases", json!(result.cases)),
        ("accepted", json!(result.accepted)),
        ("isolation", json!(result.isolation.to_string())),
        ("slowest", json!(slowest)),
        ("memory_bytes", json!(result.memory.get())),
        ("faults", json!(faults)),
    ]
}

fn fault(fault: &Fault) -> Value {
    json!({ "kind": fault.kind, "message": fault.message })
}

fn millis(span: TimeSpan) -> Value {
    json!(span.as_millis_f64())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::report::samples;

    fn written(events: &[Event]) -> String {
        let mut written = Vec::new();
        let mut lines = JsonLines::new(&mut written);
        for event in events {
            lines.tell(event).unwrap();
        }
        lines.finish().unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_failing_run() {
        assert_snapshot!(written(&samples::failing()), @r#"
        {"event":"run_started","number":0,"format":1,"problem":"classic-nim","program":"guess.py","language":"python","cases":6,"isolation":"A","strict":false,"missing":[]}
        {"event":"build_finished","number":1,"cached":true,"wall_ms":0.0,"error":null}
        {"event":"case_finished","number":2,"case":"tiny/001","group":"tiny","verdict":"AC","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":1.0,"exit_code":0}
        {"event":"case_finished","number":3,"case":"tiny/002","group":"tiny","verdict":"WA","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":0.0,"exit_code":0,"difference":{"actual":"Yes","actual_column":1,"actual_line":2,"expected":"No","expected_column":1,"expected_line":2,"index":2,"message":"token 2: expected `No`, found `Yes`"}}
        {"event":"group_finished","number":4,"group":"tiny","verdict":"WA","score":"0","max_score":"20"}
        {"event":"case_finished","number":5,"case":"random/001","group":"random","verdict":"RTE","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":0.0,"signal":11,"stderr":{"bytes":27,"cut":false,"text":"reading \u001b[31mpiles\nindex 7\n"}}
        {"event":"case_finished","number":6,"case":"random/002","group":"random","verdict":"PT","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":0.5,"exit_code":0,"message":"7 of 14 moves"}
        {"event":"group_finished","number":7,"group":"random","verdict":"RTE","score":"0","max_score":"30"}
        {"event":"case_finished","number":8,"case":"large/001","group":"large","verdict":"TLE","cpu_ms":1004.0,"wall_ms":1020.0,"memory_bytes":12582912,"credit":0.0,"signal":9}
        {"event":"case_skipped","number":9,"case":"large/002","group":"large","reason":"its group has failed already"}
        {"event":"group_finished","number":10,"group":"large","verdict":"TLE","score":"0","max_score":"50"}
        {"event":"run_finished","number":11,"problem":"classic-nim","program":"guess.py","verdict":"WA","score":"12.5","max_score":"100","cases":6,"accepted":1,"isolation":"A","slowest":{"case":"large/001","cpu_ms":431.0},"memory_bytes":3565568,"faults":[]}
        "#);
    }

    #[test]
    fn a_judge_that_failed() {
        assert_snapshot!(written(&samples::faulty()), @r#"
        {"event":"run_started","number":0,"format":1,"problem":"classic-nim","program":"xor.cpp","language":"cpp","cases":2,"isolation":"A","strict":false,"missing":[]}
        {"event":"build_finished","number":1,"cached":true,"wall_ms":0.0,"error":null}
        {"event":"case_finished","number":2,"case":"tiny/001","group":"tiny","verdict":"AC","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":1.0,"exit_code":0}
        {"event":"case_faulted","number":3,"case":"tiny/002","group":"tiny","verdict":"JE","fault":{"kind":"sandbox","message":"the control group cannot be made: permission denied"}}
        {"event":"group_finished","number":4,"group":"tiny","verdict":null,"score":"0","max_score":"0"}
        {"event":"run_finished","number":5,"problem":"classic-nim","program":"xor.cpp","verdict":"JE","score":"0","max_score":"0","cases":2,"accepted":1,"isolation":"A","slowest":{"case":"large/001","cpu_ms":431.0},"memory_bytes":3565568,"faults":[{"kind":"sandbox","message":"the control group cannot be made: permission denied"}]}
        "#);
    }

    #[test]
    fn what_a_reader_may_rely_on_is_there() {
        for events in [samples::accepted(), samples::failing(), samples::refused(), samples::faulty(), samples::many()]
        {
            let text = written(&events);
            let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(lines.len(), events.len());
            assert_eq!(lines[0]["format"], FORMAT);
            for line in lines.iter().filter(|line| line["event"] == "case_finished") {
                for key in ["case", "group", "verdict", "cpu_ms", "wall_ms", "memory_bytes"] {
                    assert!(line.get(key).is_some(), "{key} in {line}");
                }
            }
            let last = lines.last().unwrap();
            assert_eq!(last["event"], "run_finished");
            for key in ["problem", "program", "verdict", "score", "max_score", "cases", "isolation", "faults"] {
                assert!(last.get(key).is_some(), "{key} in {last}");
            }
            assert!(last["score"].is_string() && last["max_score"].is_string() && last["cases"].is_number());
        }
    }

    #[test]
    fn the_names_are_those_of_the_events() {
        for event in [samples::accepted(), samples::failing(), samples::faulty()].concat() {
            let whole = serde_json::to_value(&event.kind).unwrap();
            assert!(whole.get(object(&event.kind).0).is_some(), "{whole}");
        }
    }
}
