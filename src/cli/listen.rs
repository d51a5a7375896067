//! `nimatron listen`: receives problems from the browser extension Competitive Companion.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::history::{HistoryStore, KnownProblem, ProblemKey};
use crate::listen::{Arrival, DEFAULT_PORTS, Inbox, InboxSettings, Received, ReceivedStatus, Receiver, Reply};
use crate::model::{Diagnostic, Failure};
use crate::report::safe;

use super::args::Listen;
use super::context::{Context, say, say_json};
use super::exit::{EarlyExit, Ending, Result};
use super::place::shown_path;
use super::standing::warn;

/// Runs `nimatron listen` until Ctrl-C, or until the problems that `--once` or `--count` specifies were received.
pub(crate) fn listen(context: &Context, args: &Listen) -> Result {
    let settings = settings(args)?;
    let receiver = bind(&args.ports)?;
    let history = HistoryStore::open(context.state()).map_err(|failure| {
        warn(context, "received problems will not be recorded in the history", &failure);
    });
    let mut session = ListenSession {
        context,
        args,
        into: settings.into.clone(),
        inbox: Inbox::new(settings),
        history: history.ok(),
        received: 0,
        opened: None,
        output: Ok(()),
    };
    session.announce(&receiver.ports())?;
    receiver.receive(context.cancel(), |arrival| session.handle(arrival))?;
    session.output?;
    Ok(Ending::Good)
}

/// Creates the folder given by `--into`, reads the template, and returns the settings for storing problems.
fn settings(args: &Listen) -> std::result::Result<InboxSettings, Failure> {
    let into = args.into.clone().unwrap_or_else(|| PathBuf::from("."));
    fs_err::create_dir_all(&into).map_err(|error| Failure::user_file(&error))?;
    let into = fs_err::canonicalize(&into).map_err(|error| Failure::user_file(&error))?;
    let template = args.template.as_deref().map(template).transpose()?;
    Ok(InboxSettings { into, name: args.name.clone().unwrap_or_default(), template })
}

/// Returns the file name for the copies of a template, which is `main` with the template's extension, and the content
/// of the template.
fn template(file: &Path) -> std::result::Result<(String, Vec<u8>), Failure> {
    let content = fs_err::read(file).map_err(|error| Failure::user_file(&error))?;
    let Some(ending) = file.extension().and_then(|ending| ending.to_str()) else {
        let message = format!("the template `{}` has no extension, so its language is unknown", file.display());
        return Err(Diagnostic::new(message).help("add an extension to the template's name, as in `main.cpp`").into());
    };
    Ok((format!("main.{ending}"), content))
}

/// Listens on the given ports or, if none are given, on those of the default ports that are free.
fn bind(given: &[u16]) -> std::result::Result<Receiver, Failure> {
    let ports = if given.is_empty() { &DEFAULT_PORTS } else { given };
    let (receiver, errors) = Receiver::bind(ports);
    let listed = |errors: &[(u16, std::io::Error)]| {
        errors.iter().map(|(port, error)| format!("port {port}: {error}")).collect::<Vec<_>>().join("; ")
    };
    if receiver.ports().is_empty() || (!given.is_empty() && !errors.is_empty()) {
        let help = "another program may be using the port; choose a different port with `--port`, and add that port to \
                    the custom ports in the extension's settings";
        return Err(Diagnostic::new(format!("cannot listen on {}", listed(&errors))).help(help).into());
    }
    if !errors.is_empty() {
        anstream::eprintln!("note: cannot listen on {}", listed(&errors));
    }
    Ok(receiver)
}

/// The state of a running `listen`.
struct ListenSession<'c> {
    context: &'c Context,
    args: &'c Listen,
    into: PathBuf,
    inbox: Inbox,
    history: Option<HistoryStore>,
    /// The number of problems that were received.
    received: u32,
    /// The contest of the last problem for which the editor was run; `None` if there is no such problem or it has no
    /// contest.
    opened: Option<String>,
    output: std::result::Result<(), EarlyExit>,
}

impl ListenSession<'_> {
    fn announce(&self, ports: &[u16]) -> std::io::Result<()> {
        if self.args.json {
            return say_json(&json!({ "event": "listening", "ports": ports, "into": self.into }));
        }
        if self.context.quiet() {
            return Ok(());
        }
        let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
        let place = shown_path(&self.into);
        let word = if ports.len() == 1 { "port" } else { "ports" };
        let ports = ports.join(", ");
        say(&format!("listening on {word} {ports}; problems are stored in `{place}`; press Ctrl-C to stop"))
    }

    /// Handles a message or a refused request, and returns the reply.
    fn handle(&mut self, arrival: Arrival) -> Reply {
        let handled = match arrival.message {
            Ok(body) => self.message(&body, arrival.port),
            Err((status, reason)) => {
                self.refused(status, &reason).map(|()| Reply { status, text: reason, continues: true })
            }
        };
        handled.unwrap_or_else(|error| {
            self.output = Err(error.into());
            Reply {
                status: 500,
                text: "`nimatron listen` cannot write to standard output".to_owned(),
                continues: false,
            }
        })
    }

    fn message(&mut self, body: &[u8], port: u16) -> std::io::Result<Reply> {
        let history = self.history.as_ref();
        let written = |folder: &Path| history?.message_digest(&ProblemKey::at(folder)).ok()?;
        match self.inbox.receive(body, port, &written) {
            Ok(None) => Ok(Reply { status: 200, text: "already received".to_owned(), continues: true }),
            Ok(Some(received)) => {
                self.tell(&received)?;
                self.remember(&received);
                self.open(&received);
                self.received += 1;
                let enough = self.args.count.is_some_and(|count| self.received >= count);
                let ends = enough || (self.args.once && received.complete);
                Ok(Reply { status: 200, text: received.status.word().to_owned(), continues: !ends })
            }
            Err(failure) => {
                let status = if matches!(failure, Failure::Complaint(_)) { 400 } else { 500 };
                self.refused(status, &failure.to_string())?;
                Ok(Reply { status, text: failure.to_string().replace('\n', " "), continues: true })
            }
        }
    }

    /// Prints a received problem, as a line of text or of JSON.
    fn tell(&self, received: &Received) -> std::io::Result<()> {
        if self.args.json {
            return say_json(&as_json(received));
        }
        let (number, size) = received.position;
        let place = if size > 1 { format!("[{number}/{size}] ") } else { String::new() };
        say(&format!("{place}{}: {}", shown_path(&received.folder), description(received)))
    }

    /// Reports a request that was refused, or a problem that could not be stored.
    fn refused(&self, status: u16, reason: &str) -> std::io::Result<()> {
        if self.args.json {
            return say_json(&json!({ "event": "refused", "status": status, "reason": reason }));
        }
        // GET requests, with which other tools poll the same ports, are answered with the status 405 and are not
        // reported.
        if status != 405 && !self.context.quiet() {
            anstream::eprintln!(
                "warning: rejected a request (HTTP status {status}): {}",
                safe(reason).replace('\n', " ")
            );
        }
        Ok(())
    }

    fn remember(&mut self, received: &Received) {
        let Some(history) = &mut self.history else { return };
        let problem = KnownProblem {
            key: ProblemKey::at(&received.folder),
            id: received.folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            title: received.problem.name.clone(),
            url: received.problem.url.clone(),
            received: None,
            standing: None,
        };
        if let Err(failure) = history.receive(&problem, received.message_digest) {
            let what = format!("`{}` was not recorded in the history", problem.title);
            warn(self.context, &what, &failure);
        }
    }

    /// Runs the command of `--open` for the folder of a new problem. For a contest, the folder that contains its
    /// problems is opened once, when the first problem is received.
    fn open(&mut self, received: &Received) {
        let Some(command) = &self.args.open else { return };
        if received.status != ReceivedStatus::New {
            return;
        }
        let contest = received.problem.batch.as_ref().filter(|batch| batch.size > 1).map(|batch| batch.id.clone());
        if contest.is_some() && contest == self.opened {
            return;
        }
        let folder = match contest {
            Some(_) => received.folder.parent().unwrap_or(&self.into),
            None => &received.folder,
        };
        if let Err(error) = open_editor(command, folder) {
            anstream::eprintln!("warning: cannot run `{command}`, the command of `--open`: {error}");
        }
        self.opened = contest;
    }
}

/// Starts `command` in the folder `folder`, with the path of the folder as its last argument, and does not wait until
/// the command exits. The command does not receive Ctrl-C, and its output is written to standard error.
fn open_editor(command: &str, folder: &Path) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt as _;
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!("{command} \"$@\""))
        .arg(command)
        .arg(folder)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .process_group(0)
        .spawn()?;
    // The thread waits for the editor, so that no zombie process remains.
    std::thread::Builder::new().spawn(move || child.wait())?;
    Ok(())
}

/// Describes a received problem: the number of samples, the limits, and the files that were updated.
fn description(received: &Received) -> String {
    let problem = &received.problem;
    let samples = match problem.tests.len() {
        1 => "1 sample".to_owned(),
        count => format!("{count} samples"),
    };
    let mut parts = vec![samples];
    parts.extend(problem.time().map(|time| time.to_string()));
    parts.extend(problem.memory().map(|memory| memory.to_string()));
    if problem.interactive {
        parts.push("interactive".to_owned());
    }
    let files = [&problem.input.file_name, &problem.input.pattern, &problem.output.file_name];
    let files: Vec<&str> = files.into_iter().flatten().map(String::as_str).collect();
    if !files.is_empty() {
        parts.push(format!("files {}", files.join(", ")));
    }
    match received.status {
        ReceivedStatus::New => {}
        ReceivedStatus::Updated => parts.push(format!("updated {}", received.written.join(", "))),
        ReceivedStatus::Unchanged => parts.push("unchanged".to_owned()),
    }
    if !received.kept.is_empty() {
        parts.push(format!("kept your version of {}", received.kept.join(", ")));
    }
    parts.join(", ")
}

fn as_json(received: &Received) -> serde_json::Value {
    let problem = &received.problem;
    json!({
        "event": "problem",
        "folder": received.folder,
        "status": received.status.word(),
        "name": problem.name,
        "group": problem.group,
        "url": problem.url,
        "number": received.position.0,
        "size": received.position.1,
        "samples": problem.tests.len(),
        "interactive": problem.interactive,
        "time_ms": problem.time().map(|time| time.as_millis_f64()),
        "memory_bytes": problem.memory().map(|memory| memory.get()),
        "written": received.written,
        "kept": received.kept,
    })
}
