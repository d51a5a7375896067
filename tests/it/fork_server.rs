//! The fork server of cells: what it keeps of the judge, and what happens when it is killed.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use nimatron::sandbox::{Cancel, CellSpec, ForkServer, RlimitOnly, Sandbox};

use crate::project::{Project, children};

#[test]
fn a_killed_fork_server_is_replaced() {
    let server = ForkServer::from(env!("CARGO_BIN_EXE_nimatron"));
    let sandbox = RlimitOnly::new(server.clone(), Cancel::new().unwrap()).unwrap();
    let spec = CellSpec { slot: 0, mounts: Vec::new(), scratch: nimatron::model::ByteSize::mib(1) };
    assert_eq!(server.id(), None, "it is started when it is needed");
    let first = sandbox.open(&spec).unwrap();
    let killed = server.id().unwrap();
    assert!(Command::new("kill").args(["-KILL", &killed.to_string()]).status().unwrap().success());
    let second = sandbox.open(&spec).unwrap();
    assert_ne!(server.id().unwrap(), killed);
    drop((first, second, sandbox));
    let last = server.id().unwrap();
    drop(server);
    assert!(!fs_err::exists(format!("/proc/{last}")).unwrap(), "dropping it waits for its end");
}

#[test]
fn cells_keep_neither_the_environment_nor_the_arguments_of_the_judge() {
    let project = Project::with_sum().file("idle.py", "import time\ntime.sleep(60)\n");
    let judge = project.start_with(&["run", "sum", "idle.py"], &[("NIMATRON_TEST_WORD", "secret")]);
    let read = |id: u32, name: &str| fs_err::read(format!("/proc/{id}/{name}")).unwrap_or_default();
    let output = fs_err::read_link(format!("/proc/{}/fd/1", judge.id())).unwrap();
    let is_detached = |id: u32| read(id, "cmdline").starts_with(b"nimatron\0__cell\0");
    let deadline = Instant::now() + Duration::from_secs(60);
    // The fork server and the cell are children of the judge. Until it is detached, the fork server is a copy of the judge.
    let detached = loop {
        let detached: Vec<u32> = children(judge.id()).into_iter().filter(|id| is_detached(*id)).collect();
        if detached.len() >= 2 {
            break detached;
        }
        assert!(Instant::now() < deadline, "{:?}", children(judge.id()));
        std::thread::sleep(Duration::from_millis(5));
    };
    for id in detached {
        let line = String::from_utf8(read(id, "cmdline")).unwrap();
        assert_eq!(line.trim_end_matches('\0'), "nimatron\0__cell");
        // The environment of a fork server that was executed, and not forked, would be empty.
        let environment = read(id, "environ");
        assert!(!environment.is_empty() && environment.iter().all(|byte| *byte == 0), "{environment:?}");
        let targets: Vec<PathBuf> = fs_err::read_dir(format!("/proc/{id}/fd"))
            .unwrap()
            .filter_map(|descriptor| fs_err::read_link(descriptor.ok()?.path()).ok())
            .collect();
        assert!(targets.len() >= 4, "the standard streams and a socket: {targets:?}");
        assert!(!targets.contains(&output) && !targets.contains(&project.path("")), "{targets:?}");
        assert_eq!(fs_err::read_link(format!("/proc/{id}/cwd")).unwrap().to_str(), Some("/"));
    }
    judge.interrupt();
    assert_eq!(judge.wait_with_output().unwrap().status.code(), Some(3));
}
