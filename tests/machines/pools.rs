//! Two pools of different speed: the worker of one of them runs in a control group with a CPU quota. The limit of a
//! problem is one of CPU time, which a quota does not change, so both pools give the same verdicts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use serde_json::json;

use crate::count;
use crate::project::SUM;
use crate::rig::{Rig, WorkerProcess, wait_until};

/// The CPU time limit of the problem, in milliseconds.
const LIMIT_MS: usize = 400;
/// The share of one CPU that the worker of the slow pool gets, in percent.
const QUOTA: u32 = 50;
/// The words in the report of a case whose verdict another measurement may change.
const MARK: &str = "close to the limit";
/// Number of programs that are in a queue at once.
const BATCH: usize = 20;

/// Programs with different verdicts for the problem `sum`: the verdict, the CPU time in percent of the limit, and what
/// the program does between reading the numbers and printing their sum.
const CLEAR: [(&str, usize, &str); 5] = [
    ("AC", 20, ""),
    ("WA", 20, "s++;"),
    ("RTE", 5, "abort();"),
    ("TLE", 400, ""),
    ("MLE", 0, "char *p = malloc(256 << 20); memset(p, 1, 256 << 20); s += p[n] - 1;"),
];

/// A control group with a CPU quota.
struct Throttle {
    group: PathBuf,
}

impl Throttle {
    /// Creates the group; `None` if this process may not set a quota.
    fn new() -> Option<Throttle> {
        let name = format!("nimatron-test-{}", std::process::id());
        let period = 100_000;
        let quota = period / 100 * QUOTA;
        let root = Path::new("/sys/fs/cgroup");
        // With the greatest weight, the quota limits the group, not the other processes of the machine.
        let (parent, files) = if root.join("cgroup.controllers").exists() {
            // The worker makes groups with limits on memory and processes below its own.
            _ = fs_err::write(root.join("cgroup.subtree_control"), "+cpu +memory +pids");
            (root.to_owned(), [("cpu.max", format!("{quota} {period}")), ("cpu.weight", "10000".to_owned())])
        } else {
            (root.join("cpu"), [("cpu.cfs_quota_us", quota.to_string()), ("cpu.shares", "262144".to_owned())])
        };
        let throttle = Throttle { group: parent.join(name) };
        let is_set = fs_err::create_dir(&throttle.group).is_ok()
            && files.iter().all(|(file, value)| fs_err::write(throttle.group.join(file), value).is_ok());
        if !is_set {
            println!("skipped: no control group with a CPU quota can be made in {}", parent.display());
        }
        is_set.then_some(throttle)
    }

    /// Starts a worker in the group.
    fn worker(&self, rig: &Rig, name: &str, pool: &str) -> WorkerProcess {
        let processes = self.group.join("cgroup.procs").display().to_string();
        rig.worker_by(name, &["sh", "-c", "echo $$ > \"$0\" && exec \"$@\"", &processes], &["--pool", pool])
    }

    /// Returns how often the kernel has kept the group from running.
    fn throttled(&self) -> u64 {
        let stat = fs_err::read_to_string(self.group.join("cpu.stat")).unwrap();
        stat.lines().find_map(|line| line.strip_prefix("nr_throttled ")?.parse().ok()).unwrap()
    }
}

impl Drop for Throttle {
    fn drop(&mut self) {
        // A worker makes groups below its own. A group can be removed when its last process is gone.
        for _ in 0..100 {
            let groups = walkdir::WalkDir::new(&self.group).contents_first(true).into_iter().flatten();
            for group in groups.filter(|entry| entry.file_type().is_dir()) {
                _ = fs_err::remove_dir(group.path());
            }
            if !self.group.exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

/// Returns a program that uses this CPU time in the second case, and a hundredth of the limit less in the first.
fn program(number: usize, micros: usize, then: &str) -> String {
    format!(
        "// {number}\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\
         static long used(void) {{ struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); \
         return t.tv_sec * 1000000 + t.tv_nsec / 1000; }}\n\
         int main(void) {{ long n, a, s = 0; if (scanf(\"%ld\", &n) != 1) return 1; \
         while (used() < {micros} - (n == 2 ? {less} : 0)) {{}} \
         for (long i = 0; i < n && scanf(\"%ld\", &a) == 1; i++) s += a; {then} printf(\"%ld\\n\", s); }}\n",
        less = LIMIT_MS * 10,
    )
}

/// The verdict on a program, and the verdicts of the cases, each with whether it is marked.
#[derive(Debug)]
struct Judged {
    verdict: String,
    cases: BTreeMap<String, (String, bool)>,
}

fn judged(rig: &Rig, run: &str) -> Judged {
    let ended = rig.ended(run);
    assert!(ended["verdict"].is_string(), "{ended}");
    let report = rig.server().get(&format!("/api/v1/runs/{run}/report")).json();
    let log = report["log"].as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let cases = log
        .iter()
        .filter(|entry| entry["event"] == "case_finished")
        .map(|case| (text(&case["case"]), (text(&case["verdict"]), text(&case["message"]).contains(MARK))));
    Judged { verdict: text(&ended["verdict"]), cases: cases.collect() }
}

/// Judges programs in both pools.
fn judge(rigs: &[Rig; 2], sources: &[String]) -> Vec<[Judged; 2]> {
    let mut all = Vec::new();
    for batch in sources.chunks(BATCH) {
        let submit = |rig: &Rig| -> Vec<String> {
            let one = |source| rig.server().submit(&json!({ "problem": "sum", "name": "a.c", "source": source }));
            batch.iter().map(one).collect()
        };
        let runs = rigs.each_ref().map(submit);
        for (first, second) in runs[0].iter().zip(&runs[1]) {
            all.push([judged(&rigs[0], first), judged(&rigs[1], second)]);
        }
    }
    all
}

#[test]
fn a_pool_with_a_cpu_quota_gives_the_same_verdicts() {
    let clear = count("NIMATRON_CLUSTER_CLEAR", 10);
    let borderline = count("NIMATRON_CLUSTER_BORDERLINE", 6);
    let Some(throttle) = Throttle::new() else { return };
    let start = |pool: &str| Rig::start_with(None, 0, vec!["--pool".to_owned(), pool.to_owned()]);
    let (Some(quick), Some(slow)) = (start("quick"), start("slow")) else { return };
    let rigs = [quick, slow];
    let tests = "  sample:\n    - { input: \"2\\n1 2\\n\", answer: \"3\\n\" }\n    - { input: \"3\\n1 2 3\\n\", answer: \"6\\n\" }\n";
    let (head, _) = SUM.split_once("  sample:").unwrap();
    let spec = head.replacen("time: 1s, memory: 256MiB", &format!("time: {LIMIT_MS}ms, memory: 64MiB"), 1) + tests;
    for rig in &rigs {
        fs_err::write(rig.project.path("problems/sum/problem.yaml"), &spec).unwrap();
    }
    let workers = [rigs[0].worker_by("w1", &[], &["--pool", "quick"]), throttle.worker(&rigs[1], "w2", "slow")];

    let expected: Vec<_> = CLEAR.iter().cycle().take(clear).collect();
    let sources: Vec<String> = (expected.iter().enumerate())
        .map(|(number, (_, percent, then))| program(number, LIMIT_MS * 10 * percent, then))
        .collect();
    for ((verdict, ..), both) in expected.iter().zip(judge(&rigs, &sources)) {
        assert!(both.iter().all(|judged| judged.verdict == *verdict), "{verdict}: {both:?}");
    }

    // Evenly from 0.8 to 1.2 of the limit.
    let micros = |number: usize| LIMIT_MS * 800 + LIMIT_MS * 400 * (2 * number + 1) / (2 * borderline);
    let sources: Vec<String> = (0..borderline).map(|number| program(clear + number, micros(number), "")).collect();
    let (mut different, mut marked) = (0, 0);
    for (number, both) in judge(&rigs, &sources).iter().enumerate() {
        let [one, other] = both;
        different += usize::from(one.verdict != other.verdict);
        for (case, (verdict, is_marked)) in &one.cases {
            let Some((second, is_second_marked)) = other.cases.get(case) else { continue };
            let is_told = *is_marked || *is_second_marked;
            assert!(verdict == second || is_told, "{} us: a difference without a mark: {both:?}", micros(number));
            marked += usize::from(is_told);
        }
    }
    let throttled = throttle.throttled();
    println!(
        "{clear} clear programs: equal verdicts; {borderline} within 20 % of the limit: {different} verdicts differ, \
         {marked} cases are marked; the quota was reached {throttled} times"
    );
    assert!(throttled > 0, "the worker does not run in the group");
    assert!(marked >= borderline, "each program has a case that is close to the limit");
    assert!(different * 200 <= borderline, "{different} of {borderline} verdicts differ");
    for worker in workers {
        // A worker that is killed leaves control groups to the next one.
        worker.signal(Signal::TERM);
        wait_until("the worker does not drain", || worker.has_told("accepts no more programs"));
        assert!(worker.wait());
    }
}
