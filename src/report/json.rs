//! The log of a run for other programs: one event a line, in the wire form of [`Event`].

use std::io::{self, Write};

use super::reporter::Reporter;
use crate::model::Event;

/// Writes each event of the log as a line of JSON and flushes it. Progress is left out.
///
/// Keys may be added later and are never renamed. The first line has the key `format`.
pub struct JsonLines<W> {
    writer: W,
}

impl<W: Write> JsonLines<W> {
    /// Lines to this writer.
    pub fn new(writer: W) -> JsonLines<W> {
        JsonLines { writer }
    }
}

impl<W: Write> Reporter for JsonLines<W> {
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        if event.number.is_none() {
            return Ok(());
        }
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.writer.write_all(&line)?;
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use serde_json::Value;

    use super::*;
    use crate::model::FORMAT;
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
    fn every_line_is_read_back_by_the_same_type() {
        for events in [samples::accepted(), samples::failing(), samples::refused(), samples::faulty(), samples::many()]
        {
            let lines: Vec<Event> = written(&events).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(lines, events);
        }
    }
}
