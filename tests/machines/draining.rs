//! `nimatron worker --drain`.

use std::io::{BufRead as _, BufReader};

use crate::rig::{RIGHT, Rig, slow, wait_until};

#[test]
fn a_worker_is_drained_by_another_process() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let worker = rig.worker("w1", 1);
    rig.ended(&rig.submit(RIGHT));
    let run = rig.submit(&slow(0.1, 1));
    wait_until("the program does not start", || worker.started() == 2);
    let cache = rig.cache_of("w1").display().to_string();
    let args = ["worker", "--drain", "--name", "w1", "--cache", &cache];
    let mut first = rig.project.start(&args);
    let mut output = BufReader::new(first.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(output.next().unwrap(), "worker w1 is draining; it is still judging job 2, attempt 1");
    // A second request does not stop the program.
    let second = rig.project.run(&args).code(0);
    assert!(second.stdout.ends_with("worker w1 has ended\n"), "{second:?}");
    assert_eq!(output.last().unwrap(), "worker w1 has ended");
    assert!(first.wait().unwrap().success());
    assert!(worker.wait());
    assert_eq!(rig.ended(&run)["verdict"], "AC");
    let job = rig.jobs().pop().unwrap();
    assert_eq!((job.1.as_str(), job.2), ("finished", 1), "the program was not interrupted");
    rig.project.run(&args).code(2).complains("no worker with the name `w1`");
    // The request counts for one process only.
    let _worker = rig.worker("w1", 1);
    assert_eq!(rig.ended(&rig.submit(&format!("{RIGHT} # again")))["verdict"], "AC");
}
