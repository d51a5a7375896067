//! Writes the log of a run as JSON lines, one per event, in the wire form of [`Event`].

use std::io::{self, Write};

use super::reporter::Reporter;
use crate::model::Event;

/// A reporter that writes each event of the log as a line of JSON and flushes it. Progress events are omitted.
///
/// Later versions may add keys, but do not rename existing keys. The first line has the key `format`.
pub struct JsonLines<W> {
    writer: W,
}

impl<W: Write> JsonLines<W> {
    /// Creates a reporter that writes to `writer`.
    pub fn new(writer: W) -> JsonLines<W> {
        JsonLines { writer }
    }
}

impl<W: Write> Reporter for JsonLines<W> {
    fn emit(&mut self, event: &Event) -> io::Result<()> {
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
    use crate::samples;

    fn written(events: &[Event]) -> String {
        let mut written = Vec::new();
        let mut lines = JsonLines::new(&mut written);
        for event in events {
            lines.emit(event).unwrap();
        }
        lines.finish().unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_failing_run() {
        assert_snapshot!(written(&samples::failing()), @r#"
        {"event":"run_started","problem":"classic-nim","program":"guess.py","language":"python","cases":6,"format":1,"isolation":"A","strict":false,"missing":[],"number":0,"run":"0123456789abcdef","at_ms":0.0}
        {"event":"build_finished","cached":true,"wall_ms":0.0,"error":null,"number":1,"run":"0123456789abcdef","at_ms":1.0}
        {"event":"case_finished","case":"tiny/001","group":"tiny","verdict":"AC","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":1.0,"exit_code":0,"number":2,"run":"0123456789abcdef","at_ms":2.0}
        {"event":"case_finished","case":"tiny/002","group":"tiny","verdict":"WA","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":0.0,"exit_code":0,"difference":{"expected_line":2,"expected_column":1,"actual_line":2,"actual_column":1,"index":2,"expected":"No","actual":"Yes","message":"token 2: expected `No`, found `Yes`"},"number":3,"run":"0123456789abcdef","at_ms":3.0}
        {"event":"group_finished","group":"tiny","verdict":"WA","score":"0","max_score":"20","number":4,"run":"0123456789abcdef","at_ms":4.0}
        {"event":"case_finished","case":"random/001","group":"random","verdict":"RTE","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":0.0,"signal":11,"stderr":{"text":"reading \u001b[31mpiles\nindex 7\n","bytes":27,"cut":false},"number":5,"run":"0123456789abcdef","at_ms":5.0}
        {"event":"case_finished","case":"random/002","group":"random","verdict":"PT","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":0.5,"exit_code":0,"message":"7 of 14 moves","number":6,"run":"0123456789abcdef","at_ms":6.0}
        {"event":"group_finished","group":"random","verdict":"RTE","score":"0","max_score":"30","number":7,"run":"0123456789abcdef","at_ms":7.0}
        {"event":"case_finished","case":"large/001","group":"large","verdict":"TLE","cpu_ms":1004.0,"wall_ms":1020.0,"memory_bytes":12582912,"credit":0.0,"signal":9,"number":8,"run":"0123456789abcdef","at_ms":8.0}
        {"event":"case_skipped","case":"large/002","group":"large","reason":"its group has already failed","number":9,"run":"0123456789abcdef","at_ms":9.0}
        {"event":"group_finished","group":"large","verdict":"TLE","score":"0","max_score":"50","number":10,"run":"0123456789abcdef","at_ms":10.0}
        {"event":"run_finished","problem":"classic-nim","program":"guess.py","verdict":"WA","score":"12.5","faults":[],"max_score":"100","cases":6,"accepted":1,"slowest":{"case":"large/001","cpu_ms":431.0},"memory_bytes":3565568,"isolation":"A","number":11,"run":"0123456789abcdef","at_ms":11.0}
        "#);
    }

    #[test]
    fn failure_of_the_judge() {
        assert_snapshot!(written(&samples::faulty()), @r#"
        {"event":"run_started","problem":"classic-nim","program":"xor.cpp","language":"cpp","cases":2,"format":1,"isolation":"A","strict":false,"missing":[],"number":0,"run":"0123456789abcdef","at_ms":0.0}
        {"event":"build_finished","cached":true,"wall_ms":0.0,"error":null,"number":1,"run":"0123456789abcdef","at_ms":1.0}
        {"event":"case_finished","case":"tiny/001","group":"tiny","verdict":"AC","cpu_ms":1.234,"wall_ms":2.345,"memory_bytes":1467392,"credit":1.0,"exit_code":0,"number":2,"run":"0123456789abcdef","at_ms":2.0}
        {"event":"case_faulted","case":"tiny/002","group":"tiny","verdict":"JE","fault":{"kind":"sandbox","message":"cannot create the control group: permission denied"},"number":3,"run":"0123456789abcdef","at_ms":3.0}
        {"event":"group_finished","group":"tiny","verdict":null,"score":"0","max_score":"0","number":4,"run":"0123456789abcdef","at_ms":4.0}
        {"event":"run_finished","problem":"classic-nim","program":"xor.cpp","verdict":"JE","score":"0","faults":[{"kind":"sandbox","message":"cannot create the control group: permission denied"}],"max_score":"0","cases":2,"accepted":1,"slowest":{"case":"large/001","cpu_ms":431.0},"memory_bytes":3565568,"isolation":"A","number":5,"run":"0123456789abcdef","at_ms":5.0}
        "#);
    }

    #[test]
    fn documented_keys_are_present() {
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
