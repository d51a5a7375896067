//! A cluster on loopback: nats-server, `nimatron serve --cluster`, and workers, each a process of its own.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::client::Server;
use crate::nats_server::NatsServer;
use crate::project::{Project, ProjectProcess};

/// Longest time that a test waits for the judge. A test that passes takes a small part of it.
const TEST_TIMEOUT: Duration = Duration::from_secs(180);

/// The calibration of a worker, in microseconds, unless a test chooses another one.
pub(crate) const CALIBRATION: &str = "10000";

/// Programs for the problem `sum`.
pub(crate) const RIGHT: &str = "read n; read a; s=0; for x in $a; do s=$((s+x)); done; echo $s";
pub(crate) const WRONG: &str = "read n; read a; [ $n -gt 3 ] && echo 1; s=0; for x in $a; do s=$((s+x)); done; echo $s";

/// Returns a correct program that sleeps on each case. The comment makes its hash differ from those of others.
pub(crate) fn slow(seconds: f64, comment: usize) -> String {
    format!("sleep {seconds}; {RIGHT} # {comment}")
}

/// A cluster on loopback.
pub(crate) struct Rig {
    pub(crate) project: Project,
    pub(crate) nats: NatsServer,
    pub(crate) server: Option<Server>,
    options: Vec<String>,
}

/// A running `nimatron worker`.
pub(crate) struct WorkerProcess {
    child: ProjectProcess,
    lines: Arc<Mutex<Vec<(Instant, String)>>>,
}

/// Returns a free port. It is below the ports that the kernel gives to connections and to listeners on port 0, so that
/// no other test gets it before it is used. Each process begins at another port.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = (std::process::id() % 100) as u16 * 100;
    (0..10_000)
        .map(|_| 20_000 + (first + NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .unwrap()
}

/// Waits until a condition holds.
#[track_caller]
pub(crate) fn wait_until(what: &str, condition: impl FnMut() -> bool) {
    wait_within(TEST_TIMEOUT, what, condition);
}

#[track_caller]
pub(crate) fn wait_within(limit: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < limit, "after {limit:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Rig {
    /// Starts nats-server and the server; `None` if nats-server is not installed. Workers reach the server's files at
    /// the last port, or at `url`.
    pub(crate) fn start(url: Option<&str>, port: u16) -> Option<Rig> {
        Rig::start_with(url, port, Vec::new())
    }

    /// Like [`Rig::start`], with further options of the server.
    pub(crate) fn start_with(url: Option<&str>, port: u16, more: Vec<String>) -> Option<Rig> {
        Some(Rig::start_at(NatsServer::start()?, url, port, more))
    }

    /// Like [`Rig::start_with`], with this nats-server.
    pub(crate) fn start_at(nats: NatsServer, url: Option<&str>, port: u16, more: Vec<String>) -> Rig {
        let listen = format!("127.0.0.1:{port}");
        let nats_url = nats.url();
        let mut options = vec!["--data", "data", "--cluster", &nats_url, "--cluster-listen", &listen];
        options.extend(url.iter().flat_map(|url| ["--cluster-url", url]));
        let mut options: Vec<String> = options.into_iter().map(str::to_owned).collect();
        options.extend(more);
        let mut rig = Rig { project: Project::with_sum(), nats, server: None, options };
        rig.start_server();
        rig
    }

    /// Starts the server, again after its end.
    pub(crate) fn start_server(&mut self) {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        self.server = Some(Server::start(&self.project, &options));
    }

    /// Ends the server, and starts it again with this option more.
    pub(crate) fn restart_with(&mut self, option: &str) {
        self.options.push(option.to_owned());
        self.restart();
    }

    /// Ends the server, and starts it again.
    pub(crate) fn restart(&mut self) {
        self.server.take().unwrap().kill();
        self.start_server();
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    /// Returns the folder of a worker's cache.
    pub(crate) fn cache_of(&self, name: &str) -> PathBuf {
        self.project.path(&format!("cache-{name}"))
    }

    /// Starts a worker, which reaches nats-server at this URL.
    pub(crate) fn worker_at(&self, name: &str, slots: usize, nats: &str) -> WorkerProcess {
        self.worker_with(name, slots, nats, &[])
    }

    /// Like [`Rig::worker_at`], with further options.
    pub(crate) fn worker_with(&self, name: &str, slots: usize, nats: &str, more: &[String]) -> WorkerProcess {
        let slots = slots.to_string();
        let options = ["--connect", nats, "--name", name, "--jobs", &slots];
        let options: Vec<&str> = options.into_iter().chain(more.iter().map(String::as_str)).collect();
        self.start_worker(&self.cache_of(name), &[], &options)
    }

    /// Starts a worker with one slot through another program, which receives the command line after these arguments.
    pub(crate) fn worker_by(&self, name: &str, before: &[&str], more: &[&str]) -> WorkerProcess {
        let nats = self.nats.url();
        let options = [&["--connect", &nats, "--name", name, "--jobs", "1"], more].concat();
        self.start_worker(&self.cache_of(name), before, &options)
    }

    /// Returns how `/api/v1/cluster` shows a worker; null if it does not.
    pub(crate) fn view_of(&self, name: &str) -> Value {
        let view = self.server().get("/api/v1/cluster").json();
        let workers = view["workers"].as_array().cloned().unwrap_or_default();
        workers.into_iter().find(|worker| worker["name"] == name).unwrap_or_default()
    }

    /// Waits until a worker is shown in this state.
    #[track_caller]
    pub(crate) fn wait_for_state(&self, name: &str, state: &str) {
        wait_until(&format!("worker {name} is not {state}"), || self.view_of(name)["state"] == state);
    }

    fn start_worker(&self, cache: &Path, before: &[&str], options: &[&str]) -> WorkerProcess {
        let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
        if !cache.exists() {
            fs_err::create_dir(cache).unwrap();
            // Built programs and detected languages are shared between the tests.
            for folder in ["builds", "toolchains"] {
                fs_err::create_dir_all(shared.join(folder)).unwrap();
                fs_err::os::unix::fs::symlink(shared.join(folder), cache.join(folder)).unwrap();
            }
        }
        let args = ["worker", "--require", "C", "--cache", cache.to_str().unwrap()];
        let mut args: Vec<&str> = args.into_iter().chain(options.iter().copied()).collect();
        // Other programs on the machine would disturb a measurement, and a worker of another speed is not admitted.
        if !args.contains(&"--calibration") {
            args.extend(["--calibration", CALIBRATION]);
        }
        let before = [&["--pdeathsig=KILL", "--"], before].concat();
        let mut child = self.project.start_by("setpriv", &before, &args);
        let lines = Arc::<Mutex<Vec<(Instant, String)>>>::default();
        let output = BufReader::new(child.stdout.take().unwrap());
        let written = lines.clone();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                written.lock().unwrap().push((Instant::now(), line));
            }
        });
        WorkerProcess { child, lines }
    }

    /// Starts a worker with a cache that it does not share with other workers of its name, as on another machine.
    pub(crate) fn worker_elsewhere(&self, name: &str) -> WorkerProcess {
        let cache = self.cache_of(&format!("{name}-elsewhere"));
        self.start_worker(&cache, &[], &["--connect", &self.nats.url(), "--name", name, "--jobs", "1"])
    }

    pub(crate) fn worker(&self, name: &str, slots: usize) -> WorkerProcess {
        self.worker_at(name, slots, &self.nats.url())
    }

    pub(crate) fn submit(&self, source: &str) -> String {
        self.server().submit(&json!({ "problem": "sum", "name": "a.sh", "source": source }))
    }

    pub(crate) fn run(&self, id: &str) -> Value {
        self.server().get(&format!("/api/v1/runs/{id}")).json()
    }

    /// Waits for the end of a run without following its events, and returns the run.
    #[track_caller]
    pub(crate) fn ended(&self, id: &str) -> Value {
        let mut run = Value::Null;
        wait_until("the run does not end", || {
            run = self.run(id);
            run["state"] == "finished" || run["state"] == "cancelled"
        });
        run
    }

    /// The names of the events of a run that has ended. Their numbers have no gaps.
    #[track_caller]
    pub(crate) fn events(&self, id: &str) -> Vec<String> {
        let events = self.server().events(id, None);
        for (place, (number, json)) in events.iter().enumerate() {
            assert_eq!((*number, &json["run"]), (Some(place as u64), &json!(id)), "{json}");
        }
        events.iter().map(|(_, json)| json["event"].as_str().unwrap().to_owned()).collect()
    }

    /// The jobs of the queue: submission, state, attempts, and the worker of the last attempt.
    pub(crate) fn jobs(&self) -> Vec<(String, String, u64, Option<String>)> {
        let database = rusqlite::Connection::open(self.project.path("data/cluster/queue.sqlite")).unwrap();
        let mut query =
            database.prepare("SELECT submission, stage, attempts, worker FROM jobs ORDER BY number").unwrap();
        let row = |row: &rusqlite::Row<'_>| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.cast_unsigned(), row.get(3)?))
        };
        query.query_map([], row).unwrap().map(Result::unwrap).collect()
    }
}

impl WorkerProcess {
    /// The lines that the worker has printed, and when.
    pub(crate) fn lines(&self) -> Vec<(Instant, String)> {
        self.lines.lock().unwrap().clone()
    }

    /// Returns how many lines end with this text.
    pub(crate) fn count(&self, ending: &str) -> usize {
        self.lines().iter().filter(|(_, line)| line.ends_with(ending)).count()
    }

    /// Returns whether a line contains this text.
    pub(crate) fn has_told(&self, text: &str) -> bool {
        self.lines().iter().any(|(_, line)| line.contains(text))
    }

    pub(crate) fn started(&self) -> usize {
        self.count(": started")
    }

    pub(crate) fn done(&self) -> usize {
        self.lines().iter().filter(|(_, line)| line.starts_with("job ") && !line.ends_with(": started")).count()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end, and returns whether the worker ended well.
    pub(crate) fn wait(mut self) -> bool {
        self.child.wait().unwrap().success()
    }
}
