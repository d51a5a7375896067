//! Options for judging on other machines.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::model::check_cluster_name;

/// The connection to nats-server.
#[derive(Debug, Clone, Args)]
pub struct NatsOptions {
    /// File with the seed of the NKey for logging in to nats-server.
    #[arg(long, value_name = "FILE")]
    pub nkey: Option<PathBuf>,
    /// PEM file with the certificate that signed the certificates of nats-server and `serve`; makes TLS mandatory.
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
}

/// Options of `nimatron serve` for judging on other machines.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Judging on other machines")]
pub struct ServeCluster {
    /// Judge the submissions on workers that are connected to the nats-server at this URL, such as
    /// `nats://127.0.0.1:4222`.
    #[arg(long = "cluster", value_name = "URL")]
    pub nats_url: Option<String>,
    /// PostgreSQL database for the queue, such as `postgres://USER@HOST/DATABASE`. Default: a file in the data folder.
    #[arg(long, value_name = "URL", requires = "nats_url")]
    pub database: Option<String>,
    /// Address at which workers read programs and problems. Port 0 selects a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8708")]
    pub cluster_listen: SocketAddr,
    /// URL at which workers reach the address of --cluster-listen, if it differs, such as `https://judge.example:8708`.
    /// With `https://`, the files are encrypted with the certificate of --tls-cert.
    #[arg(long, value_name = "URL", requires = "nats_url")]
    pub cluster_url: Option<String>,
    /// Pool whose workers judge the submissions.
    #[arg(long, value_name = "NAME", default_value = "main", value_parser = name)]
    pub pool: String,
    /// Let workers of the pool judge even if their CPUs, compilers, isolation levels or speeds differ.
    #[arg(long, requires = "nats_url")]
    pub admit_any: bool,
    /// Options of the connection to nats-server.
    #[command(flatten)]
    pub nats: NatsOptions,
}

/// Options of `nimatron grade` for judging on a server.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Judging on a server")]
pub struct GradeCluster {
    /// Judge the programs on the `nimatron serve` instance at this URL, such as `https://judge.example`.
    // The server accepts only programs that the problem's own checker judges.
    #[arg(long = "cluster", value_name = "URL", conflicts_with = "checker")]
    pub serve_url: Option<String>,
    /// File with the token for the server. Default: $NIMATRON_TOKEN.
    #[arg(long, value_name = "FILE", requires = "serve_url")]
    pub token_file: Option<PathBuf>,
    /// PEM file with the certificate that signed the certificate of the server. Default: the system's certificates.
    #[arg(long, value_name = "FILE", requires = "serve_url")]
    pub cluster_ca: Option<PathBuf>,
}

/// Arguments of `nimatron worker`.
#[derive(Debug, Clone, Args)]
pub struct WorkerArgs {
    /// Address of the nats-server, such as `nats://judge.example:4222`.
    #[arg(long, value_name = "URL", required_unless_present_any = ["create_nkey", "drain"])]
    pub connect: Option<String>,
    /// Create an NKey for a worker or for `serve` in this new file, print its public key, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "connect")]
    pub create_nkey: Option<PathBuf>,
    /// Drain the local worker named by --name: wait until it has finished its programs and exited.
    #[arg(long, conflicts_with_all = ["connect", "create_nkey"])]
    pub drain: bool,
    /// Name of the worker, which must be unique. Default: the name of the machine.
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// Pool whose submissions the worker judges. The machines of a pool should be identical.
    #[arg(long, value_name = "NAME", default_value = "main", value_parser = name)]
    pub pool: String,
    /// Seconds between canary runs, which judge programs with known verdicts to check the worker; 0 disables them.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub canary: u64,
    /// CPU time of the fixed loop in microseconds, instead of a measurement; for tests.
    #[arg(long, value_name = "MICROSECONDS", hide = true)]
    pub calibration: Option<u64>,
    /// Options of the connection to nats-server.
    #[command(flatten)]
    pub nats: NatsOptions,
}

fn name(text: &str) -> Result<String, String> {
    check_cluster_name(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}
