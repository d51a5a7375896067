//! The implementations of the commands of `nimatron-server`.

#[cfg(feature = "cluster")]
mod nats_address;
#[cfg(feature = "cluster")]
mod remote_grading;
mod serve;
#[cfg(feature = "cluster")]
mod worker;

#[cfg(feature = "cluster")]
use crate::cli::ClusterCommands;
use crate::cli::ServerCommands;

/// The commands of the server.
pub const COMMANDS: ServerCommands = ServerCommands {
    serve: serve::serve,
    #[cfg(feature = "cluster")]
    cluster: Some(ClusterCommands { worker: worker::worker, remote_judge: remote_grading::remote_judge }),
    #[cfg(not(feature = "cluster"))]
    cluster: None,
};
