//! Writes a run as a JUnit file.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::reporter::Reporter;
use super::text::safe;
use crate::model::{CaseResult, Event, EventKind, Isolation, TimeSpan, Verdict};

/// A reporter that collects the events of a run and, at the end of the run, writes a JUnit document with a suite for
/// each group.
pub struct Junit<W> {
    writer: W,
    problem: String,
    isolation: Option<Isolation>,
    suites: Vec<TestSuite>,
    time: TimeSpan,
}

impl<W: Write> Junit<W> {
    /// Creates a reporter that writes to `writer`.
    pub fn new(writer: W) -> Junit<W> {
        Junit { writer, problem: "nimatron".to_owned(), isolation: None, suites: Vec::new(), time: TimeSpan::ZERO }
    }

    fn add(&mut self, group: &str, mut case: TestCase) {
        case.set_classname(self.problem.as_str());
        match self.suites.iter_mut().find(|suite| suite.name.as_str() == group) {
            Some(suite) => {
                suite.add_test_case(case);
            }
            None => {
                let mut suite = TestSuite::new(group);
                suite.add_test_case(case);
                self.suites.push(suite);
            }
        }
    }

    fn finished(&mut self, result: &CaseResult) {
        let mut status = if result.verdict.accepted() {
            TestCaseStatus::success()
        } else {
            failed(NonSuccessKind::Failure, result.verdict.short(), &reason(result))
        };
        if let Some(message) = &result.message
            && !result.verdict.accepted()
        {
            status.set_description(safe(message));
        }
        let mut case = TestCase::new(result.case.as_str(), status);
        case.set_time(result.usage.wall.duration());
        if result.stderr.bytes > 0 {
            case.set_system_err(result.stderr.text.as_str());
        }
        self.time = self.time.plus(result.usage.wall);
        self.add(&result.group, case);
    }
}

/// Returns the reason why the case was not accepted.
fn reason(result: &CaseResult) -> String {
    match (&result.difference, result.verdict) {
        (Some(difference), _) => difference.message.clone(),
        (None, Verdict::RuntimeError) => format!("{}: {}", result.verdict.long(), result.exit),
        (None, verdict) => verdict.long().to_owned(),
    }
}

fn failed(kind: NonSuccessKind, name: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    status.set_message(message);
    status
}

impl<W: Write> Reporter for Junit<W> {
    fn emit(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted { problem, isolation, .. } => {
                self.problem = problem.to_string();
                self.isolation = Some(isolation.clone());
            }
            EventKind::BuildFinished { error: Some(error), .. } => {
                let mut status = failed(NonSuccessKind::Failure, "CE", "compilation failed");
                status.set_description(error.as_str());
                self.add("build", TestCase::new("build", status));
            }
            EventKind::CaseFinished(result) => self.finished(result),
            EventKind::CaseSkipped { case, group, reason } => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(reason.as_str());
                self.add(group, TestCase::new(case.as_str(), status));
            }
            EventKind::CaseFaulted { case, group, fault } => {
                let status = failed(NonSuccessKind::Error, "JE", &fault.to_string());
                self.add(group, TestCase::new(case.as_str(), status));
            }
            EventKind::BuildStarted { .. }
            | EventKind::BuildFinished { error: None, .. }
            | EventKind::CaseStarted { .. }
            | EventKind::GroupFinished(_)
            | EventKind::Progress(_)
            | EventKind::RunFinished(_) => {}
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let mut report = Report::new(self.problem.as_str());
        report.set_time(self.time.duration());
        let mut suites = std::mem::take(&mut self.suites);
        if let Some(isolation) = &self.isolation {
            for suite in &mut suites {
                suite.add_property(("isolation", isolation.name().as_str()));
                isolation
                    .missing
                    .iter()
                    .for_each(|reason| _ = suite.add_property(("isolation.missing", reason.as_str())));
            }
        }
        report.add_test_suites(suites);
        report.serialize(&mut self.writer).map_err(io::Error::other)?;
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples;

    fn written(events: &[Event]) -> String {
        let mut written = Vec::new();
        let mut junit = Junit::new(&mut written);
        for event in events {
            junit.emit(event).unwrap();
        }
        junit.finish().unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn a_failing_run() {
        assert_snapshot!(written(&samples::failing()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="classic-nim" tests="6" skipped="1" failures="4" errors="0" time="1.029">
            <testsuite name="tiny" tests="2" skipped="0" errors="0" failures="1">
                <properties>
                    <property name="isolation" value="A"/>
                </properties>
                <testcase name="tiny/001" classname="classic-nim" time="0.002"/>
                <testcase name="tiny/002" classname="classic-nim" time="0.002">
                    <failure message="token 2: expected `No`, found `Yes`" type="WA"/>
                </testcase>
            </testsuite>
            <testsuite name="random" tests="2" skipped="0" errors="0" failures="2">
                <properties>
                    <property name="isolation" value="A"/>
                </properties>
                <testcase name="random/001" classname="classic-nim" time="0.002">
                    <failure message="run-time error: SIGSEGV (segmentation fault: invalid memory access or stack overflow)" type="RTE"/>
                    <system-err>reading piles
        index 7
        </system-err>
                </testcase>
                <testcase name="random/002" classname="classic-nim" time="0.002">
                    <failure message="partially accepted" type="PT">7 of 14 moves</failure>
                </testcase>
            </testsuite>
            <testsuite name="large" tests="2" skipped="1" errors="0" failures="1">
                <properties>
                    <property name="isolation" value="A"/>
                </properties>
                <testcase name="large/001" classname="classic-nim" time="1.020">
                    <failure message="time limit exceeded" type="TLE"/>
                </testcase>
                <testcase name="large/002" classname="classic-nim">
                    <skipped message="its group has already failed"/>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn a_compile_error() {
        assert_snapshot!(written(&samples::refused()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="classic-nim" tests="1" skipped="0" failures="1" errors="0" time="0.000">
            <testsuite name="build" tests="1" skipped="0" errors="0" failures="1">
                <properties>
                    <property name="isolation" value="A"/>
                </properties>
                <testcase name="build" classname="classic-nim">
                    <failure message="compilation failed" type="CE">xor.cpp:3:5: error: &apos;cim&apos; was not declared in this scope; did you mean &apos;cin&apos;?
        </failure>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn failure_of_the_judge() {
        assert_snapshot!(written(&samples::faulty()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="classic-nim" tests="2" skipped="0" failures="0" errors="1" time="0.002">
            <testsuite name="tiny" tests="2" skipped="0" errors="1" failures="0">
                <properties>
                    <property name="isolation" value="A"/>
                </properties>
                <testcase name="tiny/001" classname="classic-nim" time="0.002"/>
                <testcase name="tiny/002" classname="classic-nim">
                    <error message="sandbox: cannot create the control group: permission denied" type="JE"/>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }
}
