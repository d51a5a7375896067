//! The arguments of `nimatron stress`.

use std::path::PathBuf;

use clap::Args;

use crate::model::{ByteSize, TimeSpan};

/// Arguments of `nimatron stress`.
#[derive(Debug, Args)]
#[command(after_help = "\
Without a problem.yaml, a folder with your programs suffices:
  nimatron stress . sol.cpp --against brute.py --generator gen.py
  nimatron stress . sol.cpp --against brute.py --input-spec 'n: 1..=10; a[n]: 1..=100'
See `nimatron guide stress`.")]
pub(crate) struct Stress {
    /// Id of a problem, or path to its folder, to a folder of samples, or to a folder of programs.
    pub(crate) problem: String,
    /// A source file, or a folder of source files.
    pub(crate) program: PathBuf,
    /// Language of the program, if its file name does not determine it.
    #[arg(long, short, value_name = "ID")]
    pub(crate) language: Option<String>,
    /// Program, possibly slow, that computes the answers instead of the reference; may be given several times.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) against: Vec<PathBuf>,
    /// Program that prints an input, with its arguments, such as 'gen.cpp 10 20'. The seed replaces {seed} in the
    /// arguments, or is added as the last argument if there is no {seed}.
    #[arg(long, value_name = "'PROGRAM ARGS'")]
    pub(crate) generator: Option<String>,
    /// Description of the inputs, such as 'n: 1..=10; a[n]: 1..=100', or a file that contains one.
    #[arg(long, value_name = "TEXT|FILE", conflicts_with = "generator")]
    pub(crate) input_spec: Option<String>,
    /// Program that checks whether an input is valid, in addition to the validators of the problem.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) validator: Option<String>,
    /// Checker of the outputs: exact, lines, tokens, float:1e-6, unordered, or a checker program.
    #[arg(long, value_name = "NAME|PROGRAM")]
    pub(crate) checker: Option<String>,
    /// Search for at most N seconds; 60 if neither this option nor --count is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: Option<u32>,
    /// Try at most N tests.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,
    /// Seed of the test generator; the same seed produces the same tests.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Shrink the failing input for at most N seconds; 0 disables shrinking.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) shrink: u32,
    /// Override the time limit of the problem, such as `5s`.
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<TimeSpan>,
    /// Override the memory limit of the problem, such as `256MiB`.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,
    /// Write the failing input to this file. Default: PROBLEM-fail.in, with a number if the file exists.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Add the failing input to the problem's tests, as a case of the group `found`.
    #[arg(long)]
    pub(crate) add: bool,
    /// Print events as JSON lines.
    #[arg(long)]
    pub(crate) json: bool,
}
