//! Processes that die, stop and lose their data while programs are judged.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::count;
use crate::proxy::Proxy;
use crate::rig::{RIGHT, Rig, free_port, slow, wait_until, wait_within};

/// A job of a dead worker runs elsewhere within this time on a machine that is not busy: a lease of 14 s, a second for the
/// next look at it, and one for the messages.
const ELSEWHERE: Duration = Duration::from_secs(16);

/// Checks that each run was accepted, and that each has one job with one result.
#[track_caller]
fn all_accepted(rig: &Rig, runs: &[String]) {
    for run in runs {
        let ended = rig.ended(run);
        assert_eq!(ended["verdict"], "AC", "{ended} {:?}", rig.jobs().iter().find(|job| job.0 == *run));
        let names = rig.events(run);
        assert_eq!(names.iter().filter(|name| *name == "run_finished").count(), 1, "{names:?}");
        assert_eq!(names.last().unwrap(), "run_finished");
    }
    let jobs = rig.jobs();
    let mut states = BTreeMap::<&str, Vec<&str>>::new();
    jobs.iter().for_each(|(run, state, ..)| states.entry(run).or_default().push(state));
    for run in runs {
        assert_eq!(states[run.as_str()], ["finished"], "{run}");
    }
}

#[test]
fn nothing_is_lost_when_workers_are_killed() {
    let kills = count("NIMATRON_CLUSTER_KILLS", 3);
    let Some(rig) = Rig::start(None, 0) else { return };
    let other = rig.worker("w0", 1);
    rig.ended(&rig.submit(RIGHT));
    let mut victim = rig.worker("w1", 1);
    let mut runs = Vec::new();
    for kill in 0..kills {
        let mut comment = 0;
        // Two of the person's programs run at once, so that the victim gets one of them.
        while victim.started() == victim.done() {
            if runs.iter().filter(|run: &&String| rig.run(run)["state"] != "finished").count() < 4 {
                comment += 1;
                runs.push(rig.submit(&slow(0.02, kill * 1_000 + comment)));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        victim.kill();
        victim = rig.worker("w1", 1);
    }
    all_accepted(&rig, &runs);
    let again = rig.jobs().iter().filter(|job| job.2 > 1).count();
    println!("{kills} kills, {} programs, {again} judged by more than one attempt", runs.len());
    assert!(again >= kills * 2 / 3, "{again} programs were interrupted");
    drop(other);
}

#[test]
fn a_dead_worker_is_replaced_and_a_stopped_one_is_refused() {
    let stopped = Duration::from_secs(count("NIMATRON_CLUSTER_STOP", 20) as u64);
    let Some(rig) = Rig::start(None, 0) else { return };
    let first = rig.worker("w1", 1);
    rig.ended(&rig.submit(RIGHT));
    let run = rig.submit(&slow(0.2, 1));
    wait_until("the program does not start", || first.started() == 2);
    // Events of the first attempt are stored, and the second one continues them.
    wait_until("no case ends", || rig.server().get(&format!("/api/v1/runs/{run}")).json()["state"] == "running");
    let second = rig.worker("w2", 1);
    wait_until("the worker does not connect", || second.count("connected") > 0 || second.lines().len() >= 2);
    let stop = Instant::now();
    first.signal(Signal::STOP);
    wait_until("the program does not run elsewhere", || second.started() == 1);
    let after_stop = stop.elapsed();
    println!("elsewhere after {:.1} s", after_stop.as_secs_f64());
    wait_until("the other worker does not finish", || rig.run(&run)["state"] == "finished");
    std::thread::sleep(stopped.saturating_sub(stop.elapsed()));
    first.signal(Signal::CONT);
    // The stopped worker ends its program, or is told to stop; its result does not count, and it works on.
    wait_until("the first worker does not return", || first.done() == 2);
    all_accepted(&rig, std::slice::from_ref(&run));
    let job = rig.jobs().into_iter().find(|job| job.0 == run).unwrap();
    assert_eq!((job.2, job.3.as_deref()), (2, Some("w2")));
    second.kill();
    let next = rig.submit(&slow(0.01, 2));
    wait_within(Duration::from_secs(40), "the first worker takes no more", || rig.run(&next)["state"] == "finished");
    // A worker that is killed and does not come back.
    let third = rig.worker("w3", 1);
    let last = rig.submit(&slow(0.3, 3));
    wait_until("no worker starts", || first.started() == 4 || third.started() == 1);
    let (dead, alive) = if third.started() == 1 { (third, first) } else { (first, third) };
    let before = alive.started();
    let kill = Instant::now();
    dead.kill();
    wait_until("the program does not run elsewhere", || alive.started() > before);
    let after_kill = kill.elapsed();
    println!("after a kill elsewhere after {:.1} s", after_kill.as_secs_f64());
    all_accepted(&rig, &[last]);
    // Both times are those of an expired lease. Beside the tests of `.ci/run`, one of them may be delayed; in `.ci/long`,
    // which sets the variable, neither.
    let is_quiet = std::env::var_os("NIMATRON_CLUSTER_STOP").is_some();
    let counted = if is_quiet { after_stop.max(after_kill) } else { after_stop.min(after_kill) };
    assert!(counted < ELSEWHERE, "{after_stop:?} after a stop, {after_kill:?} after a kill");
}

#[test]
fn a_program_that_kills_its_workers_is_a_fault_and_blocks_no_other() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let mut worker = rig.worker("w1", 1);
    rig.ended(&rig.submit(RIGHT));
    // The worker dies of this program: each time that it starts, the test kills the worker.
    let poison = rig.submit(&slow(0.2, 1));
    wait_until("the program is not in the queue", || rig.jobs().len() == 2);
    let number = 2;
    let mut others = Vec::new();
    let mut deaths = 0;
    let started = format!("job {number}, attempt ");
    let start = Instant::now();
    while rig.run(&poison)["state"] != "finished" {
        if worker.lines().iter().any(|(_, line)| line.starts_with(&started) && line.ends_with(": started")) {
            worker.kill();
            deaths += 1;
            others.push(rig.submit(&format!("{RIGHT} # {deaths}")));
            worker = rig.worker("w1", 1);
        }
        assert!(start.elapsed() < Duration::from_secs(180), "{:?}", rig.jobs());
        std::thread::sleep(Duration::from_millis(20));
    }
    let run = rig.run(&poison);
    assert!(run["verdict"].is_null(), "{run}");
    assert!(run["error"].as_str().unwrap().contains("failed 5 times"), "{run}");
    assert_eq!(deaths, 5);
    println!("a fault after 5 deaths and {:.1} s", start.elapsed().as_secs_f64());
    let last = rig.events(&poison);
    assert_eq!(last.last().unwrap(), "run_finished");
    all_accepted(&rig, &others);
}

#[test]
fn nothing_is_lost_when_nats_server_loses_everything() {
    let times = count("NIMATRON_CLUSTER_NATS_KILLS", 1);
    let Some(mut rig) = Rig::start(None, 0) else { return };
    let _workers = [rig.worker("w1", 1), rig.worker("w2", 1)];
    rig.ended(&rig.submit(RIGHT));
    let mut runs = Vec::new();
    let mut latest = Duration::ZERO;
    for time in 0..times {
        let own: Vec<String> = (0..4).map(|number| rig.submit(&slow(0.05, time * 10 + number))).collect();
        wait_until("no program runs", || own.iter().any(|run| rig.run(run)["state"] == "running"));
        rig.nats.kill_and_lose_all();
        let during = rig.submit(&slow(0.01, time * 10 + 9));
        std::thread::sleep(Duration::from_secs(1));
        rig.nats.restart();
        let start = Instant::now();
        own.iter().chain([&during]).for_each(|run| _ = rig.ended(run));
        latest = latest.max(start.elapsed());
        runs.extend(own);
        runs.push(during);
    }
    all_accepted(&rig, &runs);
    println!("{times} times, {} programs, all judged at the latest {:.1} s later", runs.len(), latest.as_secs_f64());
    // Five programs of 1 s and less on two workers.
    assert!(latest < ELSEWHERE + Duration::from_secs(10), "{latest:?}");
}

#[test]
fn acknowledged_submissions_are_judged_when_the_server_is_killed() {
    let kills = count("NIMATRON_CLUSTER_SERVE_KILLS", 2);
    let programs = count("NIMATRON_CLUSTER_PROGRAMS", 12);
    let Some(mut rig) = Rig::start(None, free_port()) else { return };
    let _workers = [rig.worker("w1", 1), rig.worker("w2", 1)];
    rig.ended(&rig.submit(RIGHT));
    let mut runs = Vec::new();
    let mut killed = 0;
    for number in 0..programs {
        // At most 50 programs of a person wait.
        wait_until("the queue stays full", || {
            let open = runs.iter().rev().take(60).filter(|run: &&String| rig.run(run)["state"] != "finished");
            open.count() < 40
        });
        runs.push(rig.submit(&slow(0.01, number)));
        if (number + 1) * kills / programs > killed {
            killed += 1;
            rig.server.take().unwrap().kill();
            rig.start_server();
        }
    }
    all_accepted(&rig, &runs);
    let again = rig.jobs().iter().filter(|job| job.2 > 1).count();
    println!("{killed} kills, {} acknowledged programs, all judged, {again} by more than one attempt", runs.len());
}

#[test]
fn nothing_is_lost_when_the_network_is_cut() {
    let cuts = count("NIMATRON_CLUSTER_CUTS", 2);
    let seconds = count("NIMATRON_CLUSTER_CUT_SECONDS", 2) as u64;
    let Some(rig) = Rig::start(None, 0) else { return };
    let nats: u16 = rig.nats.url().rsplit(':').next().unwrap().parse().unwrap();
    let proxy = Proxy::start(nats);
    let worker = rig.worker_at("w1", 1, &format!("nats://127.0.0.1:{}", proxy.port));
    rig.ended(&rig.submit(RIGHT));
    let mut runs = Vec::new();
    for cut in 0..cuts {
        let started = worker.started();
        runs.push(rig.submit(&slow(0.05, 2 * cut)));
        wait_until("the program does not start", || worker.started() > started);
        proxy.cut(true);
        runs.push(rig.submit(&slow(0.01, 2 * cut + 1)));
        std::thread::sleep(Duration::from_secs(seconds));
        proxy.cut(false);
        runs.iter().for_each(|run| _ = rig.ended(run));
    }
    all_accepted(&rig, &runs);
    let attempts: Vec<u64> = rig.jobs().iter().map(|job| job.2).collect();
    println!("{cuts} cuts of {seconds} s, {} programs, at most {:?} attempts", runs.len(), attempts.iter().max());
}
