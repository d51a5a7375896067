//! Tests of the properties of the sandbox at every level: limits, measurements, streams, cleanup.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test fails by panicking and tells what it skips"
)]

use std::ffi::OsString;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nimatron::model::{Breach, ByteSize, Exit, FaultKind, Level, Limits, TimeSpan};
use nimatron::sandbox::{
    Cancel, Cell, CellCommand, CellOutput, CellSpec, ForkServer, Input, MORE_PIPES_MAX, Namespaced, Output, RlimitOnly,
    Sandbox, host_cpu_time,
};

use crate::project::holds_within;

const LIMITS: Limits = Limits {
    cpu: TimeSpan::seconds(2),
    wall: TimeSpan::seconds(6),
    memory: ByteSize::mib(128),
    output: ByteSize::kib(64),
    processes: 16,
};

/// Creates a sandbox of every available level, the default one last.
pub(crate) fn sandboxes() -> Vec<Box<dyn Sandbox>> {
    let server = ForkServer::from(env!("CARGO_BIN_EXE_nimatron"));
    let mut all: Vec<Box<dyn Sandbox>> =
        vec![Box::new(RlimitOnly::new(server.clone(), Cancel::new().unwrap()).unwrap())];
    let stronger = [(Level::C, false), (Level::B, true), (Level::B, false), (Level::A, true), (Level::A, false)];
    for (level, strict) in stronger {
        let make = if strict { Namespaced::strict } else { Namespaced::at };
        match make(level, server.clone(), Cancel::new().unwrap()) {
            Ok(sandbox) => all.push(Box::new(sandbox)),
            Err(fault) if std::env::var_os("NIMATRON_STRICT").is_some() => panic!("{fault}"),
            Err(fault) => println!("skipped: {fault}"),
        }
    }
    all
}

fn room() -> CellSpec {
    CellSpec { slot: 0, mounts: Vec::new(), scratch: ByteSize::mib(16) }
}

/// Returns a command that runs a shell script.
pub(crate) fn shell(script: &str) -> CellCommand {
    CellCommand {
        argv: ["/bin/sh", "-c", script].map(OsString::from).to_vec(),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        dir: None,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin: Input::Empty,
        stdout: Output::Collect,
        more_pipes: Vec::new(),
        prestart: false,
        limits: LIMITS,
        early_stop: None,
        address_space: None,
        keep_stderr: 1_000,
    }
}

/// Runs a check in a cell of every sandbox.
fn everywhere(check: impl Fn(&mut dyn Cell)) {
    for sandbox in sandboxes() {
        let mut cell = sandbox.open(&room()).unwrap();
        check(&mut *cell);
        // The cell can be reused.
        let run = cell.run(shell("echo still here; ls -A")).unwrap();
        assert_eq!(run.stdout, b"still here\n", "level {}", sandbox.isolation().name());
    }
}

fn run(cell: &mut dyn Cell, script: &str) -> CellOutput {
    cell.run(shell(script)).unwrap()
}

#[test]
fn exit_codes_signals_and_streams_are_returned() {
    everywhere(|cell| {
        let done = run(cell, "echo out; echo err >&2; exit 7");
        assert_eq!(done.execution.exit, Exit::Code(7));
        assert_eq!(done.stdout, b"out\n");
        assert_eq!(done.execution.stderr.text, "err\n");
        assert_eq!(done.execution.breach, None);
        assert_eq!(run(cell, "kill -SEGV $$").execution.exit, Exit::Signal(11));
        assert_eq!(run(cell, "kill -KILL $$").execution.breach, None);
        // A program that writes to a closed pipe is killed by SIGPIPE, as outside the sandbox.
        let piped = run(cell, "(sleep 0.05; echo late; echo $? >&2) | true; echo ${?}");
        assert_eq!(piped.execution.stderr.text, "");
    });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_is_stopped_early_unless_other_processes_disturb_the_run() {
    let limits = Limits { cpu: TimeSpan::millis(600), wall: TimeSpan::seconds(60), ..LIMITS };
    let early_stop = Some(TimeSpan::millis(200));
    everywhere(|cell| {
        // Returns whether the run was stopped early, and the CPU time of other processes during the run.
        let mut endless = || {
            let before = host_cpu_time().unwrap().0;
            let done = cell.run(CellCommand { limits, early_stop, ..shell("while :; do :; done") }).unwrap().execution;
            assert!(done.breach == Some(Breach::Cpu) && Some(done.usage.cpu) > early_stop, "{done:?}");
            let busy = host_cpu_time().unwrap().0.as_micros() - before.as_micros();
            (done.usage.cpu < TimeSpan::millis(500), busy.saturating_sub(done.usage.cpu.as_micros()))
        };
        // On a busy machine, no run is stopped early.
        let others_of_cpus = host_cpu_time().unwrap().1.saturating_sub(1).max(1) as u64;
        let mut runs = Vec::new();
        let is_right = (0..3).any(|_| {
            let (early, others) = endless();
            runs.push((early, others));
            early || others > 40_000 * others_of_cpus
        });
        assert!(is_right, "{runs:?}");
        let idle = cell.run(CellCommand { limits, early_stop, ..shell("sleep 0.4") }).unwrap().execution;
        assert_eq!((idle.breach, idle.exit), (None, Exit::Code(0)), "only CPU time counts");
    });
}

#[test]
fn the_oom_killer_chooses_the_program_and_not_its_cell() {
    everywhere(|cell| {
        // A cell with namespaces is not visible to its programs.
        let done = run(cell, "cat /proc/self/oom_score_adj; cat /proc/$PPID/oom_score_adj || echo hidden");
        let said = String::from_utf8(done.stdout).unwrap();
        let [program, cell] = said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
        assert!(program == "1000" && cell != "1000", "{said}");
    });
}

#[test]
fn the_environment_is_only_what_was_given() {
    everywhere(|cell| {
        let mut task = shell("/usr/bin/env");
        task.env = vec![("ONLY".into(), "this".into())];
        let done = cell.run(task).unwrap();
        let text = String::from_utf8(done.stdout).unwrap();
        let names: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
        assert_eq!(
            names.iter().filter(|name| !["PWD", "SHLVL", "_", "OLDPWD"].contains(name)).collect::<Vec<_>>(),
            [&"ONLY"]
        );
    });
}

#[test]
fn given_files_exist_and_are_removed_after_the_run() {
    everywhere(|cell| {
        let mut task =
            shell("cat a.txt; mkdir -p deep/er; echo x > deep/er/y; chmod 0 deep/er deep; touch .hidden; pwd");
        task.files = vec![("a.txt".into(), b"given\n".to_vec())];
        let done = cell.run(task).unwrap();
        assert_eq!(String::from_utf8_lossy(&done.stdout), format!("given\n{}\n", cell.private_dir().display()));
        assert_eq!(run(cell, "ls -A").stdout, b"");
    });
}

/// The kernel counts the largest resident set of the cell for later programs too.
#[test]
fn the_memory_of_the_cell_is_not_that_of_a_program() {
    everywhere(|cell| {
        let large = Limits { memory: ByteSize::mib(256), output: ByteSize::mib(64), ..LIMITS };
        let files = vec![("a".into(), vec![b'x'; 12 << 20])];
        let done = cell.run(CellCommand { files, limits: large, ..shell("true") }).unwrap();
        assert_eq!(done.execution.breach, None);
        let small = Limits { memory: ByteSize::mib(8), ..LIMITS };
        let done = cell.run(CellCommand { limits: small, ..shell("true") }).unwrap();
        assert_eq!(done.execution.breach, None);
        assert!(done.resident <= small.memory, "{:?}", done.resident);
    });
}

/// Neither the files that a program receives nor the copies that are made of its files take memory from the program.
#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_copies_of_files_do_not_count_as_memory_of_the_program() {
    everywhere(|cell| {
        let limits = Limits { memory: ByteSize::mib(10), output: ByteSize::mib(64), ..LIMITS };
        let content: Vec<u8> = (0..6 << 20).map(|at: u32| (at.wrapping_mul(7_919) >> 11) as u8).collect();
        let files = vec![("a".into(), content.clone()), ("empty".into(), Vec::new())];
        let task = CellCommand { files, limits, read_only: vec!["a".into()], take_files: true, ..shell("cat a >b") };
        let done = cell.run(task).unwrap();
        assert_eq!((done.execution.breach, done.execution.exit), (None, Exit::Code(0)), "{:?}", done.execution);
        let names: Vec<_> = done.files.iter().map(|(name, _)| name.to_str().unwrap()).collect();
        assert_eq!(names, ["a", "b", "empty"]);
        assert!(done.files[0].1 == content && done.files[1].1 == content && done.files[2].1.is_empty());
        // The file that the program writes may count, since it may be in memory.
        assert!(done.execution.usage.memory < ByteSize::mib(10), "{:?}", done.execution.usage);
        // The measurement without a file shows the error of the level.
        let mut usage = |files, output: &[u8]| {
            let task = CellCommand { files, limits, read_only: vec!["a".into()], ..shell("cat a* | wc -c") };
            let done = cell.run(task).unwrap();
            assert_eq!(done.stdout, output);
            done.execution.usage.memory.get()
        };
        let large = usage(vec![("a".into(), content)], b"6291456\n");
        let small = usage(vec![("a".into(), Vec::new())], b"0\n");
        assert!(large < small + (2 << 20), "{large} {small}");
    });
}

#[test]
fn a_program_with_a_user_of_its_own_cannot_change_a_read_only_file() {
    let script = "(echo x >a); rm -f a b; mv a c; cat a; echo 2 >b; cat b";
    everywhere(|cell| {
        let mut output = |read_only| {
            let files = vec![("a".into(), b"1".to_vec()), ("b".into(), b"x".to_vec())];
            cell.run(CellCommand { files, read_only, ..shell(script) }).unwrap().stdout
        };
        assert_eq!(output(Vec::new()), b"2\n");
        let unchanged = output(vec!["a".into()]);
        // Only root can let a program run as another user.
        if rustix::process::geteuid().is_root() && cell.private_dir() == "/box" {
            assert_eq!(String::from_utf8_lossy(&unchanged), "12\n");
        }
        assert_eq!(run(cell, "ls -A").stdout, b"");
    });
}

#[test]
fn files_left_by_a_program_are_returned_on_request() {
    let script = "printf 1 >b; printf 22 >a; chmod 0 a; mkdir d; printf 3 >d/c; ln -s a l; mkfifo p";
    everywhere(|cell| {
        let done = cell.run(CellCommand { take_files: true, ..shell(script) }).unwrap();
        let mut files = vec![("a".into(), b"22".to_vec()), ("b".into(), b"1".to_vec())];
        // Without namespaces, the cell of a judge that does not run as root runs as the same user as the program, so it
        // cannot read a file to which the program has removed its access.
        if !rustix::process::geteuid().is_root() && cell.private_dir() != "/box" {
            files.remove(0);
        }
        assert_eq!(done.files, files);
        assert_eq!(done.execution.breach, None);
        assert_eq!(run(cell, script).files, []);
        let more = CellCommand { take_files: true, ..shell("head -c 60000 /dev/zero >a; head -c 60000 /dev/zero >b") };
        let done = cell.run(more).unwrap();
        assert_eq!(done.files.len(), 1, "in total no more than the output limit");
        assert_eq!(done.execution.breach, Some(Breach::Output));
    });
}

#[test]
fn standard_input_is_the_file_from_its_start() {
    everywhere(|cell| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"1 2 3\n").unwrap();
        let mut task = shell("cat; cat");
        task.stdin = Input::File(file);
        assert_eq!(cell.run(task).unwrap().stdout, b"1 2 3\n");
    });
}

#[test]
fn descriptors_of_the_judge_are_not_inherited() {
    everywhere(|cell| {
        assert_eq!(run(cell, "ls /proc/self/fd").stdout, b"0\n1\n2\n3\n", "3 is the listing itself");
    });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn cpu_time_is_limited_and_measured_for_the_whole_tree() {
    everywhere(|cell| {
        for script in [
            "while :; do :; done",
            "(while :; do :; done) & wait",
            "(while :; do :; done) & (while :; do :; done) & wait",
            "trap '' XCPU TERM; while :; do :; done",
        ] {
            let mut task = shell(script);
            task.limits.cpu = TimeSpan::millis(300);
            let done = cell.run(task).unwrap().execution;
            assert_eq!(done.breach, Some(Breach::Cpu), "{script}");
            let used = done.usage.cpu.duration();
            // The overrun depends on the load of the machine; the benchmark measures it on an idle machine.
            assert!((Duration::from_millis(300)..Duration::from_millis(900)).contains(&used), "{script}: {used:?}");
        }
    });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn sleeping_is_idle_and_not_slow() {
    everywhere(|cell| {
        let mut task = shell("sleep 100");
        task.limits.wall = TimeSpan::millis(200);
        let done = cell.run(task).unwrap().execution;
        assert_eq!(done.breach, Some(Breach::Idle));
        assert!(done.usage.cpu < TimeSpan::millis(150));
        assert!(done.usage.wall < TimeSpan::seconds(20), "{}", done.usage.wall);
    });
}

#[test]
fn output_stops_at_its_limit() {
    everywhere(|cell| {
        for script in ["cat /dev/zero", "cat /dev/zero >&2", "cat /dev/zero > file", "yes & yes >&2; wait"] {
            let done = run(cell, script);
            assert_eq!(done.execution.breach, Some(Breach::Output), "{script}");
            assert!(done.stdout.len() <= 64 * 1024 && done.execution.stderr.text.len() <= 1_000);
        }
        let edge = run(cell, "head -c 65536 /dev/zero");
        assert_eq!((edge.execution.breach, edge.stdout.len()), (None, 65_536));
        assert_eq!(run(cell, "head -c 65537 /dev/zero").execution.breach, Some(Breach::Output));
        assert_eq!(
            run(cell, "head -c 60000 /dev/zero; head -c 6000 /dev/zero > f").execution.breach,
            Some(Breach::Output)
        );
    });
}

#[test]
fn an_output_that_is_larger_than_its_buffer_is_in_a_file() {
    everywhere(|cell| {
        for (bytes, in_memory, in_file) in
            [(1_000, 1_000, None), (1_001, 1_000, Some(1_001)), (65_537, 1_000, Some(65_536))]
        {
            let mut task = shell(&format!("yes abcdefg | head -c {bytes}"));
            task.stdout = Output::Spill { memory: 1_000 };
            let done = cell.run(task).unwrap();
            let whole = "abcdefg\n".repeat(bytes / 8 + 1).into_bytes();
            assert_eq!(done.execution.breach, (bytes > 65_536).then_some(Breach::Output), "{bytes} bytes");
            assert!(done.stdout == whole[..in_memory], "{bytes} bytes");
            let spilled = done.spilled.map(|mut file| {
                let mut text = Vec::new();
                file.rewind().and_then(|()| file.read_to_end(&mut text)).unwrap();
                text
            });
            assert!(spilled.as_deref() == in_file.map(|count| &whole[..count]), "{bytes} bytes");
        }
    });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn memory_is_limited_and_measured_whatever_the_judge_itself_uses() {
    // The judge's own memory must not be counted as memory of the program.
    let ballast = vec![1_u8; 300 << 20];
    everywhere(|cell| {
        let small = run(cell, ":").execution.usage.memory;
        // Without a control group, the measurement includes the pages of the process that starts the program, which is
        // this test without optimization.
        assert!(small < ByteSize::mib(32), "{small}");
        // One allocation far exceeds the limit, so that the time to exceed it does not depend on the machine.
        let big = run(cell, "dd if=/dev/zero of=/dev/null bs=400M count=4").execution;
        assert_eq!(big.breach, Some(Breach::Memory), "{big:?}");
    });
    assert_eq!(ballast[ballast.len() / 2], 1);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_daemon_dies_with_its_run() {
    everywhere(|cell| {
        let marker = format!("{}", 7_000_000 + std::process::id());
        let script = format!("setsid sh -c 'setsid sleep {marker} &' & sleep 0.2; echo done");
        let started = Instant::now();
        assert_eq!(run(cell, &script).stdout, b"done\n");
        assert!(started.elapsed() < Duration::from_secs(60), "the run waited for the daemon");
        assert!(!is_running(&marker), "the daemon is still running");
    });
}

/// Returns whether any process has this argument.
pub(crate) fn is_running(argument: &str) -> bool {
    let processes = fs_err::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| fs_err::read(entry.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
}

#[test]
fn a_program_that_cannot_start_is_a_fault() {
    everywhere(|cell| {
        for program in ["/nowhere/program", "/etc"] {
            let mut task = shell("");
            task.argv = vec![program.into()];
            let fault = cell.run(task).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Sandbox);
            assert!(fault.message.contains(program) && fault.message.contains("execute"), "{}", fault.message);
        }
        let mut task = shell("");
        task.dir = Some("/nowhere".into());
        assert!(cell.run(task).unwrap_err().message.contains("working directory"));
    });
}

#[test]
fn cancelling_ends_a_run_and_leaves_nothing() {
    let cancel = Cancel::new().unwrap();
    let sandbox = RlimitOnly::new(ForkServer::from(env!("CARGO_BIN_EXE_nimatron")), cancel.clone()).unwrap();
    let mut cell = sandbox.open(&room()).unwrap();
    let dir = cell.private_dir().to_path_buf();
    let marker = format!("{}", 8_000_000 + std::process::id());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(150));
            cancel.cancel();
        });
        let started = Instant::now();
        let fault = cell.run(shell(&format!("touch left; sleep {marker}"))).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Cancelled);
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    });
    assert!(!is_running(&marker));
    assert_eq!(cell.run(shell("true")).unwrap_err().kind, FaultKind::Cancelled);
    drop((cell, sandbox));
    assert!(!Path::new(&dir).exists());
}

#[test]
fn pipes_join_two_cells() {
    for sandbox in sandboxes() {
        let (mut left, mut right) = (sandbox.open(&room()).unwrap(), sandbox.open(&room()).unwrap());
        let (read, write) = std::io::pipe().unwrap();
        let mut producer = shell("echo 42");
        producer.stdout = Output::Pipe(write.into());
        let mut consumer = shell("read x; echo got $x; read y || echo end");
        consumer.stdin = Input::Pipe(read.into());
        let consumed = std::thread::scope(|scope| {
            let produced = scope.spawn(|| left.run(producer).unwrap());
            let consumed = right.run(consumer).unwrap();
            assert_eq!(produced.join().unwrap().stdout, b"");
            consumed
        });
        assert_eq!(consumed.stdout, b"got 42\nend\n");
    }
}

#[test]
fn additional_pipes_are_the_descriptors_after_standard_error() {
    everywhere(|cell| {
        // More descriptors than those that the cell uses itself.
        let (readers, writers): (Vec<_>, Vec<_>) = (0..MORE_PIPES_MAX).map(|_| std::io::pipe().unwrap()).unzip();
        for (number, mut writer) in writers.into_iter().enumerate() {
            writer.write_all(format!("{} ", number + 3).as_bytes()).unwrap();
        }
        let mut task = shell("cat <&3; cat <&5; cat <&9; ls /proc/self/fd | wc -l; cat >&2 <&4");
        task.more_pipes = readers.into_iter().map(Into::into).collect();
        let done = cell.run(task).unwrap();
        let expected = format!("3 5 9 {}\n", MORE_PIPES_MAX + 4);
        assert_eq!(
            (done.stdout, done.execution.stderr.text),
            (expected.into_bytes(), "4 ".to_owned()),
            "and the listing itself"
        );
        let after = run(cell, "ls /proc/self/fd");
        assert_eq!(after.stdout, b"0\n1\n2\n3\n", "the next run has none of them");
    });
}

/// Returns what a program can see of earlier runs.
fn traces(cell: &mut dyn Cell) -> String {
    let seen = run(cell, "echo $$; : > a; ls -i a | cut -d' ' -f1; ls -A /tmp /dev/shm | wc -l");
    assert!(seen.execution.exit.success(), "{seen:?}");
    String::from_utf8(seen.stdout).unwrap()
}

#[test]
fn in_strict_mode_runs_do_not_see_earlier_runs() {
    for sandbox in sandboxes().iter().filter(|sandbox| sandbox.isolation().level <= Level::B) {
        let mut cell = sandbox.open(&room()).unwrap();
        let first = traces(&mut *cell);
        run(&mut *cell, "for i in 1 2 3 4 5; do /bin/true; : > $i; done; : > /tmp/b; : > /dev/shm/c");
        let same = traces(&mut *cell) == first;
        // Process ids and inode numbers continue to increase when a cell is reused.
        assert_eq!(same, sandbox.isolation().strict, "level {}", sandbox.isolation().name());
    }
}

/// Returns the IPC namespaces of the running processes with this argument, and of their parents, read from outside.
fn ipc_namespaces(argument: &str) -> Option<(PathBuf, PathBuf)> {
    let processes = fs_err::read_dir("/proc").unwrap().flatten();
    let found = processes.into_iter().find(|entry| {
        let line = fs_err::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
    })?;
    let stat = fs_err::read_to_string(found.path().join("stat")).ok()?;
    let init: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    let stat = fs_err::read_to_string(format!("/proc/{init}/stat")).ok()?;
    let cell: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    let space = |pid: u32| fs_err::read_link(format!("/proc/{pid}/ns/ipc")).ok();
    Some((space(found.file_name().to_str()?.parse().ok()?)?, space(cell)?))
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn in_strict_mode_system_v_objects_cannot_outlive_a_run() {
    let Some(sandbox) = sandboxes().into_iter().find(|sandbox| sandbox.isolation().strict) else { return };
    let mut cell = sandbox.open(&room()).unwrap();
    let marker = format!("{}", 6_000_000 + std::process::id());
    std::thread::scope(|scope| {
        let cell = &mut cell;
        let running = scope.spawn(|| run(&mut **cell, &format!("exec sleep 0.5 {marker}")));
        let mut seen = None;
        holds_within(Duration::from_secs(3), || {
            seen = ipc_namespaces(&marker);
            seen.is_some()
        });
        running.join().unwrap();
        // Only the owner of the cell's user namespace may read the namespaces. If they are readable, the namespace of
        // the run differs from that of the cell.
        if let Some((run, cell)) = seen {
            assert_ne!(run, cell);
        } else {
            println!("skipped: the namespaces of a run cannot be seen from here");
        }
    });
}
