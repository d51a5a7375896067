//! Tests of the queue of a cell: runs that the cell starts one after another without waiting for the judge.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::time::Duration;

use nimatron::model::{Breach, ByteSize, Exit, FaultKind, Level, TimeSpan};
use nimatron::sandbox::{Cell, CellCommand, CellOutput, CellSpec, Output};

use crate::sandbox::{sandboxes, shell};

/// Runs a check in a cell of every sandbox whose cells have a queue.
fn with_queue(check: impl Fn(&mut dyn Cell, Level)) {
    let mut levels = Vec::new();
    for sandbox in sandboxes() {
        let mut cell = sandbox.open(&CellSpec { slot: 0, mounts: Vec::new(), scratch: ByteSize::mib(16) }).unwrap();
        if cell.has_queue() {
            check(&mut *cell, sandbox.isolation().level);
            // The cell can be used without the queue, and then with it again.
            assert_eq!(queued(&mut *cell, &["echo 1", "echo 2"]), ["1\n", "2\n"]);
            assert_eq!(cell.run(shell("echo still here; ls -A")).unwrap().stdout, b"still here\n");
            levels.push(sandbox.isolation().level);
        }
    }
    assert!(std::env::var_os("NIMATRON_STRICT").is_none() || levels == [Level::B, Level::A], "{levels:?}");
}

/// Returns the outputs of queued scripts, all of which end soon.
fn queued(cell: &mut dyn Cell, scripts: &[&str]) -> Vec<String> {
    let runs = first_runs(cell, scripts, scripts.len());
    runs.into_iter().map(|run| text(&run.unwrap().stdout)).collect()
}

/// Returns the results of queued scripts, the first `count` of which end soon. On a busy machine, a run that takes longer
/// than a plain one ends the queue; the scripts are then queued again.
fn first_runs(cell: &mut dyn Cell, scripts: &[&str], count: usize) -> Vec<Option<CellOutput>> {
    let mut tries = std::iter::repeat_with(|| results(cell, scripts)).take(200);
    tries.find(|runs| runs[..count].iter().all(Option::is_some)).unwrap()
}

fn results(cell: &mut dyn Cell, scripts: &[&str]) -> Vec<Option<CellOutput>> {
    scripts.iter().for_each(|script| cell.enqueue(shell(script)).unwrap());
    scripts.iter().map(|_| cell.finish_queued().unwrap()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn each_queued_run_has_its_own_streams_and_measurements() {
    with_queue(|cell, level| {
        let scripts: Vec<String> = (0..20).map(|n| format!("echo {n}; echo e{n} >&2; : {}", "x".repeat(900))).collect();
        let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
        for (n, run) in first_runs(cell, &scripts, 20).into_iter().map(Option::unwrap).enumerate() {
            assert_eq!((text(&run.stdout), &run.execution.stderr.text), (format!("{n}\n"), &format!("e{n}\n")));
            let usage = run.execution.usage;
            assert!(usage.wall >= TimeSpan::micros(100) && usage.wall < TimeSpan::seconds(2), "{usage:?}");
            assert!(
                usage.memory >= ByteSize::kib(100) && usage.memory < ByteSize::mib(64),
                "level {level:?}: {usage:?}"
            );
        }
        assert!(cell.finish_queued().unwrap().is_none(), "the queue is empty");
    });
}

#[test]
fn after_a_run_that_is_not_plain_no_queued_run_is_started() {
    with_queue(|cell, _| {
        let fails = first_runs(cell, &["echo a", "echo b; exit 3", "echo c", "echo d"], 2);
        let ends: Vec<Option<Exit>> = fails.iter().map(|run| Some(run.as_ref()?.execution.exit)).collect();
        assert_eq!(ends, [Some(Exit::Code(0)), Some(Exit::Code(3)), None, None]);
        assert_eq!(text(&fails[1].as_ref().unwrap().stdout), "b\n", "the run itself has a result");
        for last in ["kill -9 $$", "sleep 0.05", "(sleep 20 &)", "echo x > left"] {
            let ended = first_runs(cell, &["echo a", last, "echo b", "echo c"], 2);
            assert_eq!(ended.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false], "{last}");
        }
    });
}

#[test]
fn queued_runs_do_not_see_each_other() {
    with_queue(|cell, _| {
        let look = "echo * .[!.]* /tmp/* /dev/shm/*; set -- /proc/[0-9]*; echo $#";
        let seen = queued(cell, &[look; 5]);
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
    });
}

#[test]
fn a_limit_in_the_queue_is_reported_by_a_run_of_its_own() {
    with_queue(|cell, level| {
        // The program hides that a process of it was killed.
        let memory = "(x=0123456789abcdef; while :; do x=$x$x; done) 2>/dev/null; echo done";
        let limits = nimatron::model::Limits { memory: ByteSize::mib(16), ..shell("").limits };
        let task = |script| CellCommand { limits, ..shell(script) };
        if level == Level::A {
            ["echo a", memory, "echo b"].into_iter().for_each(|script| cell.enqueue(task(script)).unwrap());
            let ran = [(); 3].map(|()| cell.finish_queued().unwrap());
            assert!(ran[1..].iter().all(Option::is_none), "it is not known which run exceeded the limit");
            let later = cell.run(task("echo a")).unwrap().execution;
            assert!(later.breach.is_none() && later.usage.memory < ByteSize::mib(8), "not affected: {later:?}");
            assert_eq!(cell.run(task(memory)).unwrap().execution.breach, Some(Breach::Memory));
        }
        let much = first_runs(cell, &["echo a", "head -c 100000 /dev/zero", "echo b"], 2);
        assert_eq!(much[1].as_ref().unwrap().execution.breach, Some(Breach::Output));
    });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn no_result_of_the_queue_is_that_of_a_run_that_killed_the_cell() {
    with_queue(|cell, level| {
        if level != Level::A {
            return;
        }
        // The files of the program remain when it is killed. The kernel may then also kill the cell.
        let limits =
            nimatron::model::Limits { memory: ByteSize::mib(6), output: ByteSize::mib(64), ..shell("").limits };
        let large = "head -c 12000000 /dev/zero > /dev/shm/x; echo b";
        // The cell sends the first eight results together, which the judge receives before or after the cell is killed. The
        // last request is also sent before or after that.
        for wait in [Duration::ZERO, Duration::from_millis(50)].repeat(10) {
            let scripts = [&["echo a"; 8][..], &[large, "echo c"]].concat();
            for (number, script) in scripts.iter().enumerate() {
                std::thread::sleep(if number == 9 { wait } else { Duration::ZERO });
                cell.enqueue(CellCommand { limits, ..shell(script) }).unwrap();
            }
            let mut runs: Vec<_> = scripts.iter().map(|_| cell.finish_queued().unwrap()).collect();
            let others: Vec<_> = runs.drain(8..).map(|run| run.map(|run| run.execution)).collect();
            assert!(runs.into_iter().flatten().all(|run| run.execution.breach.is_none() && run.stdout == b"a\n"));
            assert_eq!(others, [None, None]);
        }
        let own = cell.run(CellCommand { limits, ..shell(large) }).unwrap();
        assert_eq!(own.execution.breach, Some(Breach::Memory));
    });
}

#[test]
fn a_large_output_in_the_queue_is_complete() {
    with_queue(|cell, _| {
        let limits = nimatron::model::Limits { output: ByteSize::mib(8), ..shell("").limits };
        let mut sizes = || {
            for size in [10, 3_000_000, 20] {
                let stdout = Output::Spill { memory: 1 << 20 };
                cell.enqueue(CellCommand { limits, stdout, ..shell(&format!("head -c {size} /dev/zero")) }).unwrap();
            }
            [(); 3].map(|()| cell.finish_queued().unwrap())
        };
        let [first, large, _] = std::iter::repeat_with(&mut sizes).take(200).find(|runs| runs[1].is_some()).unwrap();
        let large = large.unwrap();
        assert_eq!((first.unwrap().stdout.len(), large.execution.breach), (10, None));
        assert_eq!(
            (large.execution.exit, large.spilled.unwrap().metadata().unwrap().len()),
            (Exit::Code(0), 3_000_000)
        );
    });
}

#[test]
fn a_command_that_does_not_fit_the_queue_is_refused() {
    with_queue(|cell, _| {
        let refused = |cell: &mut dyn Cell, command: CellCommand| {
            let fault = cell.enqueue(command).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Internal, "{fault}");
        };
        refused(cell, CellCommand { take_files: true, ..shell("true") });
        refused(cell, CellCommand { files: vec![("a".into(), Vec::new())], ..shell("true") });
        cell.enqueue(shell("echo a")).unwrap();
        let limits = nimatron::model::Limits { processes: 3, ..shell("").limits };
        refused(cell, CellCommand { limits, ..shell("true") });
        assert_eq!(cell.run(shell("true")).unwrap_err().kind, FaultKind::Internal, "the queue is not empty");
        assert_eq!(cell.finish_queued().unwrap().unwrap().stdout, b"a\n");
        let missing = CellCommand { argv: vec!["/no/program".into()], ..shell("") };
        cell.enqueue(missing).unwrap();
        cell.enqueue(shell("echo b")).unwrap();
        let fault = cell.finish_queued().unwrap_err();
        assert!(fault.message.contains("/no/program"), "{fault}");
        assert!(cell.finish_queued().unwrap().is_none());
        assert!(!Path::new("/no/program").exists());
    });
}

#[test]
fn cancelling_ends_queued_runs() {
    for sandbox in sandboxes() {
        let cancel = nimatron::sandbox::Cancel::new().unwrap();
        let sandbox = sandbox.with_cancel(cancel.clone());
        let mut cell = sandbox.open(&CellSpec { slot: 0, mounts: Vec::new(), scratch: ByteSize::mib(16) }).unwrap();
        if !cell.has_queue() {
            continue;
        }
        // The first run of a queue is started in any case; a run before it might not be plain on a busy machine.
        for script in ["sleep 20", "echo b"] {
            cell.enqueue(shell(script)).unwrap();
        }
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(100));
                cancel.cancel();
            });
            assert_eq!(cell.finish_queued().unwrap_err().kind, FaultKind::Cancelled);
        });
        assert!(cell.finish_queued().unwrap().is_none());
    }
}
