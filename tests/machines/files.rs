//! Files of jobs that are damaged on the wire, in the coordinator's store and in a worker's cache.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::project::Project;
use crate::proxy::Proxy;
use crate::rig::{RIGHT, Rig, free_port, wait_until, wait_within};

/// Changes the last byte of all files below a folder, and returns their number.
fn damage(folder: &Path) -> usize {
    let files =
        walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let damage = |entry: walkdir::DirEntry| {
        let mut content = fs_err::read(entry.path()).unwrap();
        *content.last_mut().unwrap() ^= 1;
        fs_err::write(entry.path(), content).unwrap();
    };
    files.map(damage).count()
}

#[test]
fn damaged_files_are_fetched_again() {
    let port = free_port();
    let proxy = Proxy::start(port);
    let Some(rig) = Rig::start(Some(&format!("http://127.0.0.1:{}", proxy.port)), port) else { return };
    // On the wire.
    proxy.damage(3);
    let first = rig.worker("w1", 1);
    let judged = |comment: &str| {
        let run = rig.submit(&format!("{RIGHT} # {comment}"));
        assert_eq!(rig.ended(&run)["verdict"], "AC", "{comment}");
        let job = rig.jobs().pop().unwrap();
        assert_eq!(job.2, 1, "{comment}: no attempt is lost");
    };
    judged("wire");
    assert_eq!(proxy.damaged(), 3);
    // In the worker's cache.
    let problems = rig.cache_of("w1").join("cluster/problems");
    let files = damage(&problems);
    assert!(files >= 4, "{files}");
    judged("cache");
    first.kill();
    // In the coordinator's store. The second worker has no files yet.
    let damaged = damage(&rig.project.path("data/cluster/blobs"));
    assert_eq!(damaged, files);
    let _second = rig.worker("w2", 1);
    judged("store");
    // A changed problem is another problem: its new files are fetched.
    fs_err::write(rig.project.path("problems/sum/statement.md"), "Print the sum of all.\n").unwrap();
    judged("changed");
    let kept = fs_err::read_dir(rig.cache_of("w2").join("cluster/problems")).unwrap().count();
    assert_eq!(kept, 2);
}

#[test]
fn a_cancelled_program_ends_although_its_files_do_not_arrive() {
    // Accepts connections, as far as the kernel does, and never answers.
    let stuck = TcpListener::bind("127.0.0.1:0").unwrap();
    let Some(rig) = Rig::start(Some(&format!("http://{}", stuck.local_addr().unwrap())), free_port()) else { return };
    let worker = rig.worker("w1", 1);
    let run = rig.submit(RIGHT);
    wait_until("the program does not start", || worker.started() == 1);
    let _connection = stuck.accept().unwrap();
    let answer = rig.server().write("DELETE", &format!("/api/v1/runs/{run}"), &Value::Null);
    assert!(answer.status < 300, "{answer:?}");
    // An attempt to fetch a file lasts 30 s, and there are four.
    wait_within(Duration::from_secs(20), "the program does not end on its worker", || worker.done() == 1);
    assert_eq!(rig.ended(&run)["state"], "cancelled");
}

#[test]
fn addresses_that_workers_cannot_use_are_refused() {
    let project = Project::with_sum();
    let serve = |more: [&str; 2]| {
        let nats =
            ["serve", "problems", "--listen", "127.0.0.1:0", "--data", "data", "--cluster", "nats://127.0.0.1:1"];
        project.run(&[&nats[..], &more[..]].concat()).code(2)
    };
    serve(["--cluster-url", "https://judge.example"]).complains("`--tls-cert` and `--tls-key`");
    serve(["--cluster-url", "judge.example"]).complains("begins neither with `http://` nor with `https://`");
    serve(["--cluster-listen", "0.0.0.0:0"]).complains("--cluster-url http://");
}
