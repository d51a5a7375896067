//! The commands that only `nimatron-server` has, and which command line needs them.

use crate::grade::class::ProgramJudge;
use crate::model::Diagnostic;
use crate::sandbox::Cancel;

use super::args::{Command, Serve};
use super::cluster_args::{GradeCluster, WorkerArgs};
use super::context::Context;
use super::exit::Result;

/// The implementations of the commands that serve pages and judge on other machines.
#[derive(Debug)]
pub struct ServerCommands {
    /// Runs `nimatron serve` until it is cancelled.
    pub serve: fn(&Context, &Serve) -> Result,
    /// Judging on other machines; `None` without the feature `cluster`.
    pub cluster: Option<ClusterCommands>,
}

/// The implementations of the commands that judge on other machines.
#[derive(Debug)]
pub struct ClusterCommands {
    /// Runs `nimatron worker`. If the last argument is cancelled, the worker finishes its jobs and accepts no further
    /// jobs.
    pub worker: fn(&Context, &WorkerArgs, &Cancel) -> Result,
    /// Returns a judge that sends programs to the server at this URL.
    pub remote_judge: fn(&Context, &str, &GradeCluster) -> Result<Box<dyn ProgramJudge>>,
}

/// What a command line needs of `nimatron-server`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerPart {
    /// The pages and the API.
    Pages,
    /// Judging on other machines, which requires the feature `cluster`.
    Cluster,
}

impl ServerPart {
    /// Returns what this command needs; `None` if every executable can run it.
    pub(crate) fn of(command: &Command) -> Option<ServerPart> {
        match command {
            Command::Serve(args) if args.cluster.nats_url.is_none() => Some(ServerPart::Pages),
            Command::Serve(_) | Command::Worker(_) => Some(ServerPart::Cluster),
            Command::Grade(args) if args.cluster.serve_url.is_some() => Some(ServerPart::Cluster),
            _ => None,
        }
    }

    /// Returns the arguments with which Cargo builds this part.
    pub(crate) fn features(self) -> &'static [&'static str] {
        match self {
            ServerPart::Pages => &[],
            ServerPart::Cluster => &["--features", "cluster"],
        }
    }

    /// Returns the command that installs an executable with this part.
    pub(crate) fn installation(self) -> String {
        [&["cargo", "install", "--path", "src/server"], self.features()].concat().join(" ")
    }
}

/// Returns the commands of the server, for a command that needs them: without them, `nimatron-server` has been executed
/// before.
///
/// # Errors
/// Fails if this executable does not contain them.
pub(crate) fn of_server(server: Option<&ServerCommands>) -> std::result::Result<&ServerCommands, Diagnostic> {
    server.ok_or_else(|| Diagnostic::new("this executable does not contain the server"))
}

impl ServerCommands {
    /// Returns the commands for judging on other machines.
    ///
    /// # Errors
    /// Fails if this executable was built without the feature `cluster`.
    pub(crate) fn cluster(&self) -> std::result::Result<&ClusterCommands, Diagnostic> {
        self.cluster.as_ref().ok_or_else(|| {
            Diagnostic::new("this executable was built without judging on other machines")
                .help(format!("in a clone of the repository, run `{}`", ServerPart::Cluster.installation()))
        })
    }
}
