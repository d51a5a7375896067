//! Tests of the service's public interface: events, cancellation of one of several runs, and a log that does not depend
//! on the number of slots.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use nimatron::model::{Activity, EventKind, FaultKind, Outcome, Verdict};
use nimatron::sandbox::{Cancel, IsolationRequirement};
use nimatron::service::{
    JudgeRequest, JudgeService, PreparedProblem, ProblemSource, RunReport, ServiceConfig, SourceBundle,
};

use crate::project::Project;

const RIGHT: &str = "read n; read a; s=0; for x in $a; do s=$((s+x)); done; echo $s";
const WRONG: &str = "read n; read a; [ $n -gt 3 ] && echo 1; s=0; for x in $a; do s=$((s+x)); done; echo $s";
const ENDLESS: &str = "while :; do :; done";

fn service(project: &Project, jobs: usize) -> (JudgeService, Arc<PreparedProblem>) {
    let config = ServiceConfig {
        fork_server: env!("CARGO_BIN_EXE_nimatron").into(),
        cache: project.path("cache"),
        problems: None,
        jobs,
        isolation: IsolationRequirement::default(),
        cells: 0,
    };
    let service = JudgeService::open(&config, &Cancel::new().unwrap()).unwrap();
    let problem = service.prepare(&ProblemSource::Native(project.path("problems/sum"))).unwrap();
    (service, problem)
}

/// Returns a report as JSON without the values that vary: ids, times, memory, and whether the build was cached.
fn stable(report: &RunReport) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(map) => {
                map.retain(|key, _| {
                    !key.ends_with("_ms") && !["run", "memory_bytes", "slowest", "cached"].contains(&&**key)
                });
                map.values_mut().for_each(strip);
            }
            serde_json::Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(report).unwrap();
    strip(&mut value);
    value
}

fn judged(service: &JudgeService, problem: &PreparedProblem, text: &str) -> RunReport {
    service.submit(JudgeRequest::new(problem, SourceBundle::of_text("a.sh", text))).unwrap().wait().unwrap()
}

#[test]
fn programs_of_a_package_that_generate_its_files_are_reported() {
    let project = Project::with_sum()
        .own_data()
        .file("abc/config.yml", "title: Abc\ntime_limit: 1000\nmemory_limit: 65536\n")
        .file("abc/prog/abc.py", "print(sum(map(int, input().split())))\n")
        .file("abc/prog/abcingen.py", "for name in '123': open(f'abc{name}.in', 'w').write(f'{name} 2\\n')\n");
    let (service, _) = service(&project, 1);
    let source = ProblemSource::of_path(project.path("abc"));
    let prepare = || {
        let seen = Mutex::new(Vec::new());
        let problem = source.read(&project.path("cache")).unwrap();
        service.prepare_read(problem, &|activity| seen.lock().unwrap().push(activity)).unwrap();
        seen.into_inner().unwrap()
    };
    // The inputs are written by one program, and the answers by a run of the model solution each.
    let steps = [(0, 1), (1, 1), (0, 3), (1, 3), (2, 3), (3, 3)];
    assert_eq!(prepare(), steps.map(|(done, total)| Activity::MakingTestData { done, total }));
    assert_eq!(prepare(), [], "the files are in the cache");
}

#[test]
fn a_run_reports_its_start_first_and_its_end_last() {
    let project = Project::with_sum().own_data();
    let (service, problem) = service(&project, 2);
    for (name, text) in [("a.sh", RIGHT), ("a.sh", WRONG), ("a.rs", "fn main() { this is not Rust }")] {
        let mut run = service.submit(JudgeRequest::new(&problem, SourceBundle::of_text(name, text))).unwrap();
        let id = run.id().clone();
        let events: Vec<_> = run.events().collect();
        let report = run.wait().unwrap();
        assert!(events.iter().all(|event| event.run == id) && report.run == id);
        assert!(matches!(events[0].kind, EventKind::RunStarted { .. }), "{events:?}");
        let logged: Vec<_> = events.iter().filter(|event| event.number.is_some()).collect();
        assert!(matches!(logged[logged.len() - 1].kind, EventKind::RunFinished(_)), "{events:?}");
        assert!(logged.iter().map(|event| event.number).eq((0..).map(Some).take(logged.len())));
        assert!(logged.iter().map(|event| &event.kind).eq(report.log.iter().map(|entry| &entry.kind)));
        assert!(events.is_sorted_by_key(|event| event.at));
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn cancelling_one_run_does_not_affect_the_other() {
    let project = Project::with_sum().own_data();
    let (service, problem) = service(&project, 2);
    let alone = judged(&service, &problem, WRONG);
    assert_eq!(
        alone.failures.len(),
        alone
            .log
            .iter()
            .filter(|entry| {
                matches!(&entry.kind, EventKind::GroupFinished(group) if group.verdict != Some(Verdict::Accepted))
            })
            .count()
    );
    let request = |text: &str| JudgeRequest {
        slots: Some(1),
        ..JudgeRequest::new(&problem, SourceBundle::of_text("a.sh", text))
    };
    let mut endless = service.submit(request(ENDLESS)).unwrap();
    let canceller = endless.canceller();
    let events = endless.events();
    let other = service.submit(request(WRONG)).unwrap();
    let cancelled_at = std::thread::spawn(move || {
        // The program is running when its first case is reported.
        for event in events {
            if matches!(event.kind, EventKind::CaseStarted { .. }) {
                break;
            }
        }
        canceller.cancel();
        std::time::Instant::now()
    });
    let report = endless.wait().unwrap();
    let waited = cancelled_at.join().unwrap().elapsed();
    let Outcome::Inconclusive { faults } = &report.summary.outcome else { panic!("{report:?}") };
    assert!(faults.iter().all(|fault| fault.kind == FaultKind::Cancelled), "{faults:?}");
    assert!(waited.as_secs() < 2, "cancelling took {waited:?}");
    let other = other.wait().unwrap();
    assert_eq!(stable(&other), stable(&alone));
    assert_eq!(stable(&judged(&service, &problem, WRONG)), stable(&alone), "the service is still usable");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_log_is_the_same_on_any_number_of_slots() {
    let project = Project::with_sum().own_data();
    let reports: Vec<serde_json::Value> = [1, 2, 8]
        .into_iter()
        .map(|jobs| {
            let (service, problem) = service(&project, jobs);
            stable(&judged(&service, &problem, WRONG))
        })
        .collect();
    assert!(reports.iter().all(|report| *report == reports[0]));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_request_from_json_is_judged_equally() {
    let project = Project::with_sum().own_data();
    let (service, problem) = service(&project, 2);
    let request = JudgeRequest::new(&problem, SourceBundle::of_text("a.sh", WRONG));
    let sent: JudgeRequest = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    let [here, there] = [request, sent].map(|request| service.submit(request).unwrap().wait().unwrap());
    assert_eq!(stable(&here), stable(&there));
    let received: RunReport = serde_json::from_str(&serde_json::to_string(&here).unwrap()).unwrap();
    assert_eq!(received, here);
}

#[test]
fn an_unprepared_problem_is_rejected() {
    let project = Project::with_sum().own_data();
    let (first, problem) = service(&project, 1);
    let request = JudgeRequest::new(&problem, SourceBundle::of_text("a.sh", RIGHT));
    let (mut unknown, changed) = (request.clone(), problem.digest().to_string().replace(['0', '1'], "2"));
    unknown.problem.digest = changed.parse().unwrap();
    let message = first.submit(unknown).unwrap_err().to_string();
    assert!(message.contains("is not prepared"), "{message}");
    assert!(first.submit(request).unwrap().wait().is_ok());
}

/// `cargo test` builds the example.
#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_example_of_the_documentation_judges_a_program() {
    let example = Path::new(env!("CARGO_BIN_EXE_nimatron")).with_file_name("examples").join("judge");
    let output = Command::new(&example).output().unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo build --example judge` builds it", example.display());
    });
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let accepted = printed.lines().last().and_then(|line| line.strip_suffix(" cases accepted")).unwrap();
    let (accepted, cases) = accepted.split_once(" of ").unwrap();
    let (accepted, cases): (usize, usize) = (accepted.parse().unwrap(), cases.parse().unwrap());
    assert!(accepted > 0 && accepted < cases && cases > 100, "{printed}");
    assert!(printed.contains("WrongAnswer"), "{printed}");
}
