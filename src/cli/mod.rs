//! The command-line interface of the executables, with one file per subcommand. The commands that need the server are in
//! `nimatron-server`, which passes them to [`main`].

mod announce;
mod args;
mod bar_terminal;
mod cluster_args;
mod context;
mod doctor;
mod exit;
mod export;
mod game;
mod generate;
mod grade;
mod grade_args;
mod grade_screen;
mod grundy;
mod guide;
mod history;
mod list;
mod listen;
mod new;
mod output;
mod place;
mod play;
mod run;
mod run_input;
mod save_counterexample;
mod schema;
mod server;
mod server_executable;
mod shell;
mod show;
mod standing;
mod stress;
mod stress_args;
mod stress_screen;
mod table;
mod verify;
mod watch;

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::model::{Diagnostic, Failure, Fault, FaultKind, Level};
use crate::sandbox::{Cancel, ForkServer, cell_main};

use args::{Cli, Color, Command};
use server::{ServerPart, of_server};

pub use args::Serve;
pub use cluster_args::{GradeCluster, NatsOptions, ServeCluster, WorkerArgs};
pub use context::{Context, say, say_json};
pub use exit::{EarlyExit, Ending, Result};
pub use server::{ClusterCommands, ServerCommands};

/// Parses the arguments, runs the subcommand, and returns the exit code. Without `server`, the executable
/// `nimatron-server` replaces this process if the command needs it.
pub fn main(server: Option<&ServerCommands>) -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "__cell") {
        return cell_main();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let ending = if error.use_stderr() { Ending::Usage } else { Ending::Good };
            let printed = error.print();
            if error.kind() == clap::error::ErrorKind::MissingRequiredArgument
                && let Some(tip) =
                    tip_for_missing_problem(std::env::args_os().skip(1).map_while(|word| word.into_string().ok()))
            {
                anstream::eprintln!("\n{tip}");
            }
            return match printed {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => Ending::Fault.into(),
                _ => ending.into(),
            };
        }
    };
    let color = cli.global.color;
    match dispatch(cli, server) {
        Ok(ending) => ending.into(),
        Err(stop) => explain(&stop, color).into(),
    }
}

/// Returns a tip for a command such as `nimatron run main.cpp`, which specifies a program but no problem; `None` for
/// other commands.
fn tip_for_missing_problem(mut words: impl Iterator<Item = String>) -> Option<String> {
    let command = words.next().filter(|command| ["run", "watch", "stress"].contains(&command.as_str()))?;
    let program = words.next().filter(|program| Path::new(program).is_file())?;
    let typed = shell::quoted(&program);
    Some(format!(
        "tip: specify the problem before the program; to use the samples in this folder, run \
         `nimatron {command} . {typed}`"
    ))
}

fn dispatch(mut cli: Cli, server: Option<&ServerCommands>) -> Result {
    match (ServerPart::of(&cli.command), server) {
        (Some(part), None) => match server_executable::execute(part, cli.global.quiet)? {},
        (Some(ServerPart::Cluster), Some(server)) => _ = server.cluster()?,
        _ => {}
    }
    if let Command::Grade(_) | Command::Worker(_) = cli.command {
        // The programs of a class and of a server are untrusted, so `grade` and `worker` require at least level B unless
        // `--require` is given.
        cli.global.require.get_or_insert(Level::B);
    }
    // The fork server is started first, since a process with several threads cannot be forked safely.
    let start = if cli.command.runs_programs() { ForkServer::forked } else { ForkServer::new };
    let fork_server = std::env::current_exe().map(start);
    let cancel = Cancel::new()?;
    let drain = if let Command::Worker(_) = cli.command { Cancel::new()? } else { cancel.clone() };
    let (first, second) = (drain.clone(), cancel.clone());
    // The first signal drains a worker and the second one cancels it. Any other command is cancelled by the first
    // signal.
    ctrlc::set_handler(move || if first.is_cancelled() { second.cancel() } else { first.cancel() }).map_err(
        |error| Fault::io(FaultKind::Internal, &io::Error::other(error)).context("cannot install a signal handler"),
    )?;
    let context = Context::new(cli.global, cancel, fork_server)?;
    match &cli.command {
        Command::List(args) => list::list(&context, args),
        Command::Show(args) => show::show(&context, args),
        Command::History(args) => history::history(&context, args),
        Command::Listen(args) => listen::listen(&context, args),
        Command::Serve(args) => (of_server(server)?.serve)(&context, args),
        Command::Worker(args) => (of_server(server)?.cluster()?.worker)(&context, args, &drain),
        Command::Run(args) => run::run(&context, args),
        Command::Watch(args) => watch::watch(&context, args),
        Command::Stress(args) => stress::stress(&context, args),
        Command::Generate(args) => generate::generate(&context, args),
        Command::Verify(args) => verify::verify(&context, args),
        Command::Export(args) => export::export(&context, args),
        Command::Grundy(args) => grundy::grundy(&context, args),
        Command::Play(args) => play::play(&context, args),
        Command::Grade(args) => grade::grade(&context, args, server),
        Command::Doctor(args) => doctor::doctor(&context, args),
        Command::New(args) => new::new(&context, args),
        Command::Guide(args) => guide::guide(&context, args),
        Command::Schema => schema::schema(),
        Command::Completions { shell } => schema::completions(*shell),
        Command::Man => schema::man(),
    }
}

/// Prints the reason why a command stopped early, and returns how the command ended.
fn explain(stop: &EarlyExit, color: Color) -> Ending {
    let (complaint, ending) = match stop {
        // A closed pipe means that the reader needs no more output, so it is not an error.
        EarlyExit::Output(error) if error.kind() == ErrorKind::BrokenPipe => return Ending::Good,
        EarlyExit::Output(error) => {
            (Diagnostic::new(format!("cannot write to standard output: {error}")), Ending::Fault)
        }
        // The user stopped the command, so this is not an error either.
        EarlyExit::Failure(Failure::Fault(fault)) if fault.kind == FaultKind::Cancelled => {
            anstream::eprintln!("stopped");
            return Ending::Fault;
        }
        EarlyExit::Failure(Failure::Complaint(complaint)) => (complaint.clone(), Ending::Usage),
        EarlyExit::Failure(Failure::Fault(fault)) => (Diagnostic::new(fault.to_string()), Ending::Fault),
    };
    context::complain(&complaint, color);
    ending
}
