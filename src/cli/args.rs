//! The command line: options and subcommands. The man page and the shell completions are generated from it.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::export::ExportFormat;
use crate::listen::FolderPattern;
use crate::model::{ByteSize, Level, TimeSpan, Verdict};

use super::grade_args::Grade;
use super::stress_args::Stress;

/// Practice problems, grade programs, and generate test data.
#[derive(Debug, Parser)]
#[command(name = "nimatron", bin_name = "nimatron", version, max_term_width = 100, propagate_version = false)]
#[command(after_help = "\
Exit codes: 0 success, 1 unexpected verdict, 2 invalid usage or file, 3 error of the judge or interruption.
Start with `nimatron list`, or read `nimatron guide introduction`.")]
pub(crate) struct Cli {
    /// Command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Options that every command accepts.
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options that every command accepts.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Search this folder for problems first; may be given several times. Default: $NIMATRON_PROBLEMS.
    #[arg(long = "problems", global = true, value_name = "DIR", value_delimiter = ':')]
    pub(crate) problem_dirs: Vec<PathBuf>,
    /// Folder for builds and test data. Default: $NIMATRON_CACHE, or $XDG_CACHE_HOME/nimatron (~/.cache/nimatron).
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Maximum number of programs that run concurrently; the number of CPUs if omitted.
    #[arg(long, short, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Lowest acceptable isolation level: A, B, C or D.
    #[arg(long, global = true, value_name = "LEVEL", value_parser = level)]
    pub(crate) require: Option<Level>,
    /// Create new sandbox resources for every run instead of reusing them; slower.
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Count executed instructions, if the machine supports it.
    #[arg(long, global = true)]
    pub(crate) instructions: bool,
    /// When to use colors: auto (in a terminal), always or never.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", hide_possible_values = true)]
    pub(crate) color: Color,
    /// Print only the result.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Print more details.
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// The values of `--color`, which specify when to use colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Colors in a terminal only.
    Auto,
    /// Colors in terminals, files and pipes.
    Always,
    /// No colors.
    Never,
}

fn level(text: &str) -> Result<Level, String> {
    Ok(match text {
        "A" | "a" => Level::A,
        "B" | "b" => Level::B,
        "C" | "c" => Level::C,
        "D" | "d" => Level::D,
        _ => return Err("expected A, B, C or D; see `nimatron guide sandbox`".to_owned()),
    })
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List problems and show which ones you have solved.
    List(List),
    /// Show the statement of a problem.
    Show(Show),
    /// List the programs that were judged, with their verdicts.
    History(History),
    /// Receive problems from the browser extension Competitive Companion.
    Listen(Listen),
    /// Serve web pages for reading problems and submitting programs, and an API.
    Serve(Serve),
    /// Judge the submissions of `nimatron serve --cluster` on another machine.
    Worker(super::cluster_args::WorkerArgs),
    /// Compile a program, run it on every test case of a problem, and judge it.
    Run(Run),
    /// Run a program again whenever it is saved.
    Watch(Watch),
    /// Search for an input that a program fails, and shrink it.
    Stress(Box<Stress>),
    /// Generate the test data of problems.
    Generate(Generate),
    /// Check data, statement and solutions of problems.
    Verify(Verify),
    /// Export a problem as a package for another judge.
    Export(Export),
    /// Play a problem's game against a perfect player.
    Play(Play),
    /// Compute Grundy values and their period, and plot them.
    Grundy(Grundy),
    /// Grade a class: turn a download of submissions into a gradebook and a report.
    Grade(Box<Grade>),
    /// Show the installed languages, the isolation level, and how to install missing parts.
    Doctor(Doctor),
    /// Create a problem from a template that passes `verify`.
    New(New),
    /// Read the guides offline.
    Guide(Guide),
    /// Print the JSON Schema of problem.yaml, for editors.
    Schema,
    /// Print completions for a shell.
    Completions {
        /// Name of the shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page as roff.
    Man,
}

impl Command {
    /// Returns whether the command usually runs programs in the sandbox.
    pub(crate) fn runs_programs(&self) -> bool {
        use Command::{Completions, Grundy, Guide, History, List, Man, Schema, Show};
        !matches!(self, List(_) | Show(_) | History(_) | Grundy(_) | Guide(_) | Schema | Completions { .. } | Man)
    }
}

/// Arguments of `nimatron list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Show only problems with this word in their id, name, source or keywords.
    pub(crate) word: Option<String>,
    /// Show all other folders with problems that were run or received, not only the latest 20.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one JSON object per problem.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `nimatron history`.
#[derive(Debug, Args)]
pub(crate) struct History {
    /// Show only runs on this problem: its id, or the path to its folder.
    pub(crate) problem: Option<String>,
    /// Show only runs with this verdict, such as `WA`; may be given several times.
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    pub(crate) verdict: Vec<Verdict>,
    /// Show only runs since this time: `7d`, `2w`, `12h`, `30min`, or a date such as `2026-10-01`.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Show only runs of programs in this language, such as `cpp`.
    #[arg(long, short, value_name = "ID")]
    pub(crate) language: Option<String>,
    /// Show only the latest N runs.
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// Print one JSON object per run.
    #[arg(long)]
    pub(crate) json: bool,
}

fn verdict(text: &str) -> Result<Verdict, String> {
    let short = |verdict: &Verdict| verdict.short().eq_ignore_ascii_case(text);
    Verdict::ALL
        .into_iter()
        .find(short)
        .ok_or_else(|| format!("expected one of {}", Verdict::ALL.map(Verdict::short).join(", ")))
}

/// Arguments of `nimatron listen`.
#[derive(Debug, Args)]
#[command(after_help = "\
Fields of --name: {group}, {judge}, {contest}, {index}, {number}, {title}.
See `nimatron guide browser` for details.")]
pub(crate) struct Listen {
    /// Folder in which the folders of problems are created; the current directory if omitted.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Port to listen on; may be given several times. Default: 10043 and 27121.
    #[arg(long = "port", value_name = "PORT")]
    pub(crate) ports: Vec<u16>,
    /// Pattern for the names of the folders. Default: '{group}/{index}-{title}'.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) name: Option<FolderPattern>,
    /// Copy this file into every new folder, as `main` with its extension.
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
    /// Run this command outside the sandbox with each new folder as its last argument; for a contest, run it once.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) open: Option<String>,
    /// Stop after one problem or one whole contest.
    #[arg(long, conflicts_with = "count")]
    pub(crate) once: bool,
    /// Stop after N problems.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: Option<u32>,
    /// Print events as JSON lines.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `nimatron show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Id of a problem, or path to its folder, to a folder of samples, or to a file with samples.
    pub(crate) problem: String,
    /// Language of the statement, such as `zh`.
    #[arg(long, short, value_name = "CODE")]
    pub(crate) lang: Option<String>,
    /// Print the statement's source without formatting.
    #[arg(long)]
    pub(crate) raw: bool,
}

/// Arguments of `nimatron serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Problems, packages, or folders of them; all known problems if omitted.
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<PathBuf>,
    /// Address to listen on. Port 0 selects a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8707")]
    pub listen: SocketAddr,
    /// Folder in which submissions and accounts are stored. Default: the folder of the history.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// File with the token that permits writes; created if it does not exist. Default: a new token for each start.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Require accounts: students, assistants and teachers log in. Prints a link for creating the first account.
    #[arg(long)]
    pub class: bool,
    /// Another name under which browsers reach the server, such as `judge.example`; may be given several times.
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// PEM file with the TLS certificate of the server, followed by the certificates that signed it.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// PEM file with the private key of the certificate.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Accept connections from other machines even without --class or TLS. Without TLS, passwords and programs can be
    /// read on the network. Without --class, everyone who can reach the server can run programs as you.
    #[arg(long)]
    pub insecure_network: bool,
    /// With --class: maximum total size of the submissions and reports that are stored per user.
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub person_storage: ByteSize,
    /// Print the address and the token as a JSON object.
    #[arg(long)]
    pub json: bool,
    /// Options for judging on other machines.
    #[command(flatten)]
    pub cluster: super::cluster_args::ServeCluster,
}

/// Arguments of `nimatron run`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Run {
    /// Id of a problem, or path to its folder, to a folder of samples, or to a file with samples.
    pub(crate) problem: String,
    /// A source file, or a folder of source files.
    pub(crate) program: PathBuf,
    /// Language of the program, if its file name does not determine it.
    #[arg(long, short, value_name = "ID")]
    pub(crate) language: Option<String>,
    /// Run only this case or group, such as `tiny` or `tiny/007`; may be given several times.
    #[arg(long = "case", short, value_name = "CASE")]
    pub(crate) cases: Vec<String>,
    /// Run on this input instead of the tests, and show the output; `-` reads standard input. The output is compared
    /// with that of the reference solution, if there is one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "fail_fast"])]
    pub(crate) input: Option<PathBuf>,
    /// With --input: compare with the output of this program.
    #[arg(long, value_name = "PROGRAM", requires = "input")]
    pub(crate) against: Option<PathBuf>,
    /// Checker of the outputs: exact, lines, tokens, float:1e-6, unordered, or a checker program.
    #[arg(long, value_name = "NAME|PROGRAM")]
    pub(crate) checker: Option<String>,
    /// Interactor: a program that exchanges messages with the judged program.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) interactor: Option<String>,
    /// Stop at the first failure; if groups of a problem.yaml have points, stop each group at its first failure.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Run all cases, even after a time, idle, memory or output limit was exceeded and the verdict is certain.
    #[arg(long, conflicts_with = "fail_fast")]
    pub(crate) all_cases: bool,
    /// Override the time limit of the problem, such as `5s`.
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<TimeSpan>,
    /// Override the memory limit of the problem, such as `512MiB`.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,
    /// For an interactive problem: show the dialogue of the first case that is not accepted, or else of the first case.
    #[arg(long, conflicts_with = "json")]
    pub(crate) transcript: bool,
    /// Print events as JSON lines.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a JUnit report to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// Arguments of `nimatron watch`.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// The problem, the program, and the options for judging it.
    #[command(flatten)]
    pub(crate) run: Run,
    /// Show every verdict as a desktop notification, if the terminal supports it.
    #[arg(long)]
    pub(crate) notify: bool,
}

/// Arguments of `nimatron generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example of --names: '{nn}.in {nn}.out'.

Fields:
  {nn}     number of the test from 1, padded with zeros; with a single `n`, not padded
  {n0}     number of the test from 0
  {group}  name of the test's group
  {k}      number of the test in its group, from 1
  {id}     id of the case, with `-` in place of `/`")]
pub(crate) struct Generate {
    /// Ids of problems, or paths to their folders.
    #[arg(required_unless_present = "all")]
    pub(crate) problems: Vec<String>,
    /// Generate the test data of all problems.
    #[arg(long, conflicts_with = "problems")]
    pub(crate) all: bool,
    /// Write the tests for another judge: to a folder, or to a zip file if the path ends in `.zip`.
    #[arg(long, short, value_name = "DIR|FILE.zip")]
    pub(crate) out: Option<PathBuf>,
    /// Patterns for the names of inputs and answers, separated by a space.
    #[arg(long, value_name = "'IN OUT'", requires = "out")]
    pub(crate) names: Option<String>,
    /// Rewrite tests.lock.
    #[arg(long)]
    pub(crate) update_lock: bool,
}

/// Arguments of `nimatron verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Ids of problems, or paths to their folders; all problems if omitted.
    pub(crate) problems: Vec<String>,
    /// Measure the strength of the tests: run them on mutants of the reference or of another accepted solution.
    #[arg(long, value_name = "SOLUTION", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) strength: Option<String>,
    /// Time per problem for the search for inputs that kill the surviving mutants.
    #[arg(long, value_name = "TIME", default_value = "30s", requires = "strength")]
    pub(crate) strength_time: TimeSpan,
    /// Run each solution that is expected to fail only until its first failing case. This is faster, but provides less
    /// information. In a package, solutions with expectations for individual cases or for scores still run on all
    /// cases.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Judge all programs, including those that met their expectations earlier and have not changed since.
    #[arg(long)]
    pub(crate) again: bool,
    /// Minimum number of positions on which the reference is compared with the rules of its game; all positions if there
    /// are fewer.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) positions: u32,
    /// Print one JSON object per check.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the results to a self-contained HTML page.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Arguments of `nimatron export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Id of a problem, or path to its folder.
    pub(crate) problem: String,
    /// Format: icpc, domjudge, kattis-legacy, polygon, dmoj, hydro, cms or fps.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: ExportFormat,
    /// Output path: a zip file if it ends in `.zip`, otherwise a new folder. Default: PROBLEM-FORMAT.zip.
    #[arg(long, short, visible_alias = "output", value_name = "DIR|FILE.zip")]
    pub(crate) out: Option<PathBuf>,
}

/// Arguments of `nimatron play`.
#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Id of a problem, or path to its folder.
    pub(crate) problem: String,
    /// Program that plays one side, if the answers of the problem are moves.
    pub(crate) program: Option<PathBuf>,
    /// Side that the program plays: yours, or the machine's.
    #[arg(long = "as", value_enum, default_value_t = GameSide::Me, requires = "program", value_name = "SIDE")]
    pub(crate) program_as: GameSide,
    /// Language of the program, if its file name does not determine it.
    #[arg(long, short, value_name = "ID", requires = "program")]
    pub(crate) language: Option<String>,
    /// Start position, such as `3 5 6`; for stacks `0 0 + 4`, for cells their numbers or `##.#`.
    #[arg(long, value_name = "POSITION")]
    pub(crate) position: Option<String>,
    /// Read the start position from this input file.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Side that moves first.
    #[arg(long, value_enum, default_value_t = GameSide::Me, value_name = "SIDE")]
    pub(crate) first: GameSide,
    /// Play misère: the player who makes the last move loses.
    #[arg(long)]
    pub(crate) misere: bool,
    /// Strength of the machine.
    #[arg(long, value_enum, default_value_t = Skill::Perfect, value_name = "LEVEL")]
    pub(crate) level: Skill,
    /// Seed of the machine's random choices.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

/// A side of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameSide {
    /// The user.
    Me,
    /// The machine.
    Machine,
}

/// Strength of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Skill {
    /// Plays a winning move if there is one and the position can be evaluated.
    Perfect,
    /// Plays a move that wins immediately if there is one, otherwise a random move.
    Beginner,
}

/// Arguments of `nimatron grundy`.
#[derive(Debug, Args)]
#[command(after_help = "\
RULES is `octal 0.137` (any octal code), `take 1 3 4` (any amounts), `nim`, `kayles`, `dawson`, `grundy`, `split`, \
or a problem in which each move changes one heap; input values in its rules are taken from its first sample.")]
pub(crate) struct Grundy {
    /// Rules of the game.
    #[arg(required = true, value_name = "RULES")]
    pub(crate) rules: Vec<String>,
    /// Size of the largest heap.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) to: usize,
    /// Read the input values of a problem from this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Print one JSON object: rules, values, preperiod, period, certified.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a plot to this SVG file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// Arguments of `nimatron doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Measure how much the run time of a fixed loop varies.
    #[arg(long)]
    pub(crate) timing: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `nimatron new`.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// Id of the new problem, or path of a new folder that also contains its solutions, such as `./my-problem`.
    pub(crate) problem: String,
    /// Kind of the problem.
    #[arg(long, short, value_enum, value_name = "KIND", default_value_t = ProblemKind::Sum)]
    pub(crate) kind: ProblemKind,
    /// Language of the solutions: c, cpp, go, java, javascript, python or rust.
    #[arg(long, short, value_name = "ID", default_value = "rust")]
    pub(crate) language: String,
}

/// The kinds of problems for which there are templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProblemKind {
    /// One correct answer for each input.
    Sum,
    /// An interactor that replies to the program.
    Interactive,
    /// Several correct answers for an input, checked by a checker program.
    Checker,
    /// Points for test groups.
    Subtasks,
    /// Two runs of the program on each case.
    Multipass,
    /// A game that `verify` solves by brute force.
    Games,
}

/// Arguments of `nimatron guide`.
#[derive(Debug, Args)]
pub(crate) struct Guide {
    /// Topic of the guide; lists the topics if omitted.
    pub(crate) topic: Option<String>,
}
