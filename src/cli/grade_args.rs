//! The arguments of `nimatron grade`.

use std::path::PathBuf;

use clap::Args;

use crate::grade::policy::Select;
use crate::grade::roster::Pattern;
use crate::model::{ByteSize, TimeSpan};

/// Arguments of `nimatron grade`.
#[derive(Debug, Args)]
#[command(override_usage = "nimatron grade [OPTIONS] <PROBLEM>... <SUBMISSIONS>")]
#[command(after_help = "\
Run the same command again to resume. The command judges only submissions that are new or have changed.
See `nimatron guide grading` for details.")]
pub(crate) struct Grade {
    /// Ids or paths of the problems, then the submissions: a folder, a zip file, or a CSV file that lists them.
    #[arg(required = true, num_args = 2.., value_names = ["PROBLEM", "SUBMISSIONS"])]
    pub(crate) what: Vec<String>,
    /// Folder for the gradebook, the report and the store.
    #[arg(long, short, value_name = "DIR", default_value = "grades")]
    pub(crate) out: PathBuf,
    /// Show the student and the problem of each file without running anything.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Naming pattern of the files, such as '{student}/{problem}.{ext}'; may be given several times.
    #[arg(long = "pattern", value_name = "PATTERN")]
    pub(crate) patterns: Vec<Pattern>,
    /// Attempt that counts: best, last or best-before-due.
    #[arg(long, value_name = "WHICH")]
    pub(crate) select: Option<Select>,
    /// File that defines how marks are computed: due dates, lateness, weights, feedback, a rubric.
    #[arg(long, value_name = "FILE.yaml")]
    pub(crate) policy: Option<PathBuf>,
    /// File with manual marks and comments.
    #[arg(long, value_name = "FILE.yaml")]
    pub(crate) manual: Option<PathBuf>,
    /// File with extended due dates for some students.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) extensions: Option<PathBuf>,
    /// Judge all submissions again, and record the reason in the log.
    #[arg(long, value_name = "WHY")]
    pub(crate) rejudge: Option<String>,
    /// Judge and show which marks would change, but write no gradebook.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) preview: bool,
    /// Run all cases; by default a group stops at its first failure.
    #[arg(long, alias = "every-case")]
    pub(crate) all_cases: bool,
    /// Override the time limit of the problems, such as `5s`.
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<TimeSpan>,
    /// Override the memory limit of the problems, such as `512MiB`.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,
    /// Checker of the outputs: exact, lines, tokens, float:1e-6, unordered, or a checker program.
    #[arg(long, value_name = "NAME|PROGRAM")]
    pub(crate) checker: Option<String>,
    /// Template code that all students received: a file or a folder; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(crate) given: Vec<PathBuf>,
    /// Minimum similarity of reported pairs, in percent above the usual similarity; 0 disables the comparison.
    #[arg(long, visible_alias = "similarity", value_name = "PERCENT", default_value_t = 70, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) likeness: u32,
    /// Fill in the totals and comments of a worksheet exported from Moodle.
    #[arg(long, value_name = "WORKSHEET.csv")]
    pub(crate) moodle: Option<PathBuf>,
    /// Fill in the totals of a gradebook exported from Canvas, or write a minimal gradebook.
    #[arg(long, value_name = "GRADEBOOK.csv", num_args = 0..=1, require_equals = true)]
    pub(crate) canvas: Option<Option<PathBuf>>,
    /// Title of the assignment in Canvas.
    #[arg(long, value_name = "TITLE", default_value = "nimatron")]
    pub(crate) assignment: String,
    /// Write a file in Gradescope's results.json format for each student.
    #[arg(long)]
    pub(crate) gradescope: bool,
    /// Write a JUnit report to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print one JSON object per submission, and one per change with --preview.
    #[arg(long)]
    pub(crate) json: bool,
    /// Options for judging on a server.
    #[command(flatten)]
    pub(crate) cluster: super::cluster_args::GradeCluster,
}
