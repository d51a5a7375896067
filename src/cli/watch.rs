//! `nimatron watch`: judges a program whenever it is saved.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecursiveMode, Watcher};

use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::service::ProblemSource;

use super::announce::Announcer;
use super::args::{Run, Watch};
use super::context::{Context, say, say_drawn};
use super::exit::{EarlyExit, Ending, Result};
use super::run::{self, sample_query};
use super::run_input::refuse_standard_input;

/// Time without file events after which a save is considered complete. Editors save a file in several operations.
const QUIET: Duration = Duration::from_millis(200);

/// Judges the program immediately and after every save, until Ctrl-C.
pub(crate) fn watch(context: &Context, args: &Watch) -> Result {
    refuse_standard_input(&args.run)?;
    // JSON output is meant for another program, even if it is written to a terminal.
    let announcer = if args.run.json { Announcer::silent() } else { Announcer::of_terminal(args.notify) };
    announcer.start()?;
    let ending = watch_with(context, &args.run, announcer);
    announcer.end()?;
    ending
}

fn watch_with(context: &Context, args: &Run, announcer: Announcer) -> Result {
    if !args.program.exists() {
        return Err(Diagnostic::new(format!("the program `{}` does not exist", args.program.display())).into());
    }
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event| {
        // Sending fails if the receiver was dropped because watching has ended.
        let _ = sender.send(event);
    })
    .map_err(failed)?;
    let watched = watched(context, args)?;
    for (path, mode) in &watched.folders {
        watcher.watch(path, *mode).map_err(failed)?;
    }
    let mut ending = Ending::Good;
    while !context.cancel().is_cancelled() {
        if context.color() && !args.json {
            // The screen is cleared, so that the newest result is at the top.
            say_drawn("\x1b[2J\x1b[H")?;
        }
        ending = once(context, args, announcer)?;
        if context.cancel().is_cancelled() {
            break;
        }
        if !args.json {
            say("\nwaiting for the next save; press Ctrl-C to stop")?;
        }
        if !wait(context, &watched, &changes) {
            break;
        }
    }
    Ok(ending)
}

/// The watched paths. An editor may replace a file when it saves, so the folder of a file is watched instead of the
/// file.
struct Watched {
    folders: Vec<(PathBuf, RecursiveMode)>,
    /// The paths at or below which an event counts as a save. Other events in the watched folders are ignored.
    roots: Vec<PathBuf>,
}

fn watched(context: &Context, args: &Run) -> std::result::Result<Watched, Failure> {
    let whole = |path: &Path| fs_err::canonicalize(path).map_err(|error| Failure::user_file(&error));
    let program = whole(&args.program)?;
    let query = sample_query(args);
    let problem = whole(ProblemSource::find_for(&context.catalog()?, &args.problem, query)?.path())?;
    let programs = [&args.checker, &args.interactor].into_iter().flatten().map(PathBuf::from);
    let beside = [&args.input, &args.against].into_iter().flatten().cloned();
    // The name of a built-in checker is not the path of a file, so it is omitted.
    let others = programs.chain(beside).filter_map(|path| path.canonicalize().ok());
    let roots: Vec<PathBuf> = [program, problem].into_iter().chain(others).collect();
    let watched_folder = |path: &PathBuf| match path.is_dir() {
        true => (path.clone(), RecursiveMode::Recursive),
        false => (path.parent().unwrap_or(Path::new("/")).to_owned(), RecursiveMode::NonRecursive),
    };
    let mut folders: Vec<_> = roots.iter().map(watched_folder).collect();
    // If a folder is watched twice, the last mode applies. The recursive mode is therefore set last.
    folders.sort_by_key(|(_, mode)| *mode == RecursiveMode::Recursive);
    Ok(Watched { folders, roots })
}

/// Judges the program once. An error in a user file is printed and does not end the command.
fn once(context: &Context, args: &Run, announcer: Announcer) -> Result {
    announcer.judging()?;
    match run::run_and_report(context, args, &mut |report| announcer.judged(&report.summary)) {
        Err(EarlyExit::Failure(Failure::Complaint(complaint))) => {
            announcer.failed()?;
            context.complain(&complaint);
            Ok(Ending::Usage)
        }
        other => other,
    }
}

/// Waits until a save is complete. Returns false if the command was cancelled or the watcher has stopped.
fn wait(context: &Context, watched: &Watched, changes: &Receiver<notify::Result<Event>>) -> bool {
    let mut saved = false;
    loop {
        match changes.recv_timeout(QUIET) {
            Ok(Ok(event)) => saved |= watched.is_save(&event),
            Ok(Err(_)) => {}
            Err(RecvTimeoutError::Timeout) if saved => return true,
            Err(RecvTimeoutError::Timeout) if context.cancel().is_cancelled() => return false,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

impl Watched {
    fn is_save(&self, event: &Event) -> bool {
        let changed = matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_));
        let hidden = |path: &PathBuf| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.starts_with('.') || name.ends_with('~'))
        };
        let ours = |path: &PathBuf| self.roots.iter().any(|root| path.starts_with(root)) && !hidden(path);
        changed && event.paths.iter().any(ours)
    }
}

fn failed(error: notify::Error) -> Failure {
    let paths: Vec<String> = error.paths.iter().map(|path| format!("`{}`", path.display())).collect();
    let watched = if paths.is_empty() { "the files".to_owned() } else { paths.join(", ") };
    let error = match error.kind {
        notify::ErrorKind::Io(error) => error,
        _ => io::Error::other(error),
    };
    Fault::io(FaultKind::Data, &error).context(format!("cannot watch {watched}")).into()
}
