//! What was typed. Only here is the command line described; the man page and completions come from it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use nimatron::export::ExportFormat;
use nimatron::grade::policy::Select;
use nimatron::grade::roster::Pattern;
use nimatron::model::{Level, TimeSpan};

/// Practise target problems, grade programs, make test data.
#[derive(Debug, Parser)]
#[command(name = "nimatron", version, max_term_width = 100, propagate_version = false)]
#[command(after_help = "\
Exit codes: 0 as expected, 1 judged and not as expected, 2 usage or a spec that cannot be read, 3 our own failure.
Start with `nimatron list`, or read `nimatron guide`.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What goes for every command.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Look problems up in this folder first; may be given several times.
    #[arg(long = "problems", global = true, value_name = "DIR", env = "NIMATRON_PROBLEMS", value_delimiter = ':')]
    pub problem_dirs: Vec<PathBuf>,
    /// Keep builds and test data here.
    #[arg(long, global = true, value_name = "DIR", env = "NIMATRON_CACHE", hide_env_values = true)]
    pub cache: Option<PathBuf>,
    /// How many programs run at once; as many as there are processors if left out.
    #[arg(long, short, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// The weakest isolation that will do: A, B, C or D.
    #[arg(long, global = true, value_name = "LEVEL", value_parser = level)]
    pub require: Option<Level>,
    /// Give every run everything of its own, sharing nothing with the run before; somewhat slower.
    #[arg(long, global = true)]
    pub strict: bool,
    /// Count the instructions that programs execute, where the machine can.
    #[arg(long, global = true)]
    pub instructions: bool,
    /// Colours: in a terminal, always or never.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Say less: only the result.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Say more.
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// In a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

fn level(text: &str) -> Result<Level, String> {
    Ok(match text {
        "A" | "a" => Level::A,
        "B" | "b" => Level::B,
        "C" | "c" => Level::C,
        "D" | "d" => Level::D,
        _ => return Err("the levels are A, B, C and D; `nimatron guide sandbox` explains them".to_owned()),
    })
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The problems, and which of them you have solved.
    List(List),
    /// A problem's statement.
    Show(Show),
    /// Compile a program, run it on every test of a problem, judge it.
    Run(Run),
    /// The same at every save.
    Watch(Run),
    /// Hunt for an input that a program fails, and make it small.
    Stress(Stress),
    /// Make a problem's test data.
    Generate(Generate),
    /// Everything a setter must know before trusting a problem.
    Verify(Verify),
    /// A problem as another judge's package.
    Export(Export),
    /// Play a problem's game against the perfect player.
    Play(Play),
    /// Grundy values: a table, their period, a plot.
    Grundy(Grundy),
    /// A class: from a download of submissions to a gradebook and a report.
    Grade(Box<Grade>),
    /// Languages found, isolation in force, what is missing and how to get it.
    Doctor(Doctor),
    /// A new problem from a template that already verifies.
    New(New),
    /// The guides, offline.
    Guide(Guide),
    /// The JSON Schema of problem.yaml, for editors.
    Schema,
    /// Completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// The man page, as roff.
    Man,
}

/// `nimatron list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only problems with this word in their id, name or keywords.
    pub word: Option<String>,
    /// One JSON object a problem.
    #[arg(long)]
    pub json: bool,
}

/// `nimatron show`.
#[derive(Debug, Args)]
pub struct Show {
    /// A problem's id, or the path to its folder.
    pub problem: String,
    /// The statement's language, such as `zh`.
    #[arg(long, short, value_name = "CODE")]
    pub lang: Option<String>,
    /// The statement as it was written.
    #[arg(long)]
    pub raw: bool,
}

/// `nimatron run` and `nimatron watch`.
#[derive(Debug, Clone, Args)]
pub struct Run {
    /// A problem's id, or the path to its folder.
    pub problem: String,
    /// A source file, or a folder of them.
    pub program: PathBuf,
    /// The program's language, where its name does not say it.
    #[arg(long, short, value_name = "ID")]
    pub language: Option<String>,
    /// Only these cases or groups, such as `tiny` or `tiny/007`.
    #[arg(long = "case", short, value_name = "CASE")]
    pub cases: Vec<String>,
    /// On this input and no case; the answer is the reference's.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "fail_fast"])]
    pub input: Option<PathBuf>,
    /// With --input: the answer is that of another program.
    #[arg(long, value_name = "PROGRAM", requires = "input")]
    pub against: Option<PathBuf>,
    /// Stop at the first failure (of a group, where groups have points).
    #[arg(long)]
    pub fail_fast: bool,
    /// Run all cases, also after a time, idle or memory limit was exceeded and the verdict is certain.
    #[arg(long, conflicts_with = "fail_fast")]
    pub all_cases: bool,
    /// Another time limit than the problem's, such as `5s`.
    #[arg(long, value_name = "TIME")]
    pub time: Option<TimeSpan>,
    /// In an interactive problem, show what was said in the first case that was not accepted, or in the first of all.
    #[arg(long, conflicts_with = "json")]
    pub transcript: bool,
    /// Events as JSON, one a line.
    #[arg(long)]
    pub json: bool,
    /// Write a JUnit report.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// `nimatron stress`.
#[derive(Debug, Args)]
pub struct Stress {
    /// A problem's id, or the path to its folder.
    pub problem: String,
    /// A source file, or a folder of them.
    pub program: PathBuf,
    /// The program's language, where its name does not say it.
    #[arg(long, short, value_name = "ID")]
    pub language: Option<String>,
    /// Take the answers from this program instead of the reference; it may be slow.
    #[arg(long, value_name = "PROGRAM")]
    pub against: Option<PathBuf>,
    /// Hunt at most so long; 60 if neither this nor --count is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: Option<u32>,
    /// Hunt through at most so many tests.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// Other tests: the same seed gives the same ones.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Make the failing input smaller for at most so many seconds; 0 leaves it as it was found.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub shrink: u32,
    /// Another time limit than the problem's, such as `5s`.
    #[arg(long, value_name = "TIME")]
    pub time: Option<TimeSpan>,
    /// Keep the failing input in this file; PROBLEM-fail.in, or the next free number, if left out.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Put the failing input into the problem's tests, as a case of the group `found`.
    #[arg(long)]
    pub add: bool,
    /// Events as JSON, one a line.
    #[arg(long)]
    pub json: bool,
}

/// `nimatron generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// The problems' ids, or paths to their folders.
    #[arg(required_unless_present = "all")]
    pub problems: Vec<String>,
    /// All problems.
    #[arg(long, conflicts_with = "problems")]
    pub all: bool,
    /// Write the tests for another judge: into a folder, or a zip if it ends in `.zip`.
    #[arg(long, short, value_name = "DIR|FILE.zip")]
    pub out: Option<PathBuf>,
    /// How its files are named, with {n}, {nn}, {n0}, {group}, {k}, {id}.
    #[arg(long, value_name = "'IN OUT'", requires = "out")]
    pub names: Option<String>,
    /// Write tests.lock anew.
    #[arg(long)]
    pub update_lock: bool,
}

/// `nimatron verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The problems' ids, or paths to their folders; all if left out.
    pub problems: Vec<String>,
    /// Change the reference in one small place at a time, and see whether the tests notice.
    #[arg(long)]
    pub strength: bool,
    /// How long to look for inputs that tell the changed programs apart which no test does, for each problem.
    #[arg(long, value_name = "TIME", default_value = "30s", requires = "strength")]
    pub strength_time: TimeSpan,
    /// Stop solutions that must fail at their first failing case: sooner done, and less is seen of them. In a package,
    /// those of which something is promised in some cases only, or in points, are judged whole.
    #[arg(long)]
    pub fail_fast: bool,
    /// One JSON object a check.
    #[arg(long)]
    pub json: bool,
    /// Write it all as a page: one file that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// `nimatron export`.
#[derive(Debug, Args)]
pub struct Export {
    /// A problem's id, or the path to its folder.
    pub problem: String,
    /// The format: icpc, domjudge, kattis-legacy, polygon, dmoj, hydro, cms or fps.
    #[arg(long, value_name = "FORMAT")]
    pub to: ExportFormat,
    /// Where it goes: a zip if it ends in `.zip`, else a new folder; PROBLEM-FORMAT.zip if left out.
    #[arg(long, short, visible_alias = "output", value_name = "DIR|FILE.zip")]
    pub out: Option<PathBuf>,
}

/// `nimatron play`.
#[derive(Debug, Args)]
pub struct Play {
    /// A problem's id, or the path to its folder.
    pub problem: String,
    /// A program for the problem that plays too, if its answers are moves.
    pub program: Option<PathBuf>,
    /// Where the program sits: in your place, or in the machine's.
    #[arg(long = "as", value_enum, default_value_t = Side::Me, requires = "program", value_name = "SIDE")]
    pub program_as: Side,
    /// The program's language, where its name does not say it.
    #[arg(long, short, value_name = "ID", requires = "program")]
    pub language: Option<String>,
    /// The position to begin with, such as `3 5 6`; for stacks `0 0 + 4`, for cells their numbers or `##.#`.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Begin with the position of this input.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Who moves first.
    #[arg(long, value_enum, default_value_t = Side::Me, value_name = "SIDE")]
    pub first: Side,
    /// Who moves last loses.
    #[arg(long)]
    pub misere: bool,
    /// How well the machine plays.
    #[arg(long, value_enum, default_value_t = Skill::Perfect, value_name = "LEVEL")]
    pub level: Skill,
    /// What is left to chance comes from this number.
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
}

/// A side of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Yours.
    Me,
    /// The machine's.
    Machine,
}

/// How well the machine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Skill {
    /// It never loses what is won.
    Perfect,
    /// By chance, seeing only a win at once.
    Beginner,
}

/// `nimatron grundy`.
#[derive(Debug, Args)]
#[command(after_help = "\
RULES is `octal 0.137` (any octal code), `take 1 3 4` (any amounts), one of `nim`, `kayles`, `dawson`, `grundy`, `split`,
or a problem whose moves touch one heap; where its rules name input values, they come from its first sample.")]
pub struct Grundy {
    /// The rules.
    #[arg(required = true, value_name = "RULES")]
    pub rules: Vec<String>,
    /// The largest heap.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub to: usize,
    /// Take a problem's values from this input.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// One JSON object: rules, values, preperiod, period, certified.
    #[arg(long)]
    pub json: bool,
    /// Write a plot.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `nimatron grade`.
#[derive(Debug, Args)]
#[command(override_usage = "nimatron grade [OPTIONS] <PROBLEM>... <SUBMISSIONS>")]
#[command(after_help = "\
The same command again goes on from where it was stopped, and judges only what is new or has changed.
`nimatron guide grading` tells all of it.")]
pub struct Grade {
    /// The problems' ids or paths, and last the download: a folder, a zip, or a CSV list.
    #[arg(required = true, num_args = 2.., value_names = ["PROBLEM", "SUBMISSIONS"])]
    pub what: Vec<String>,
    /// Where the gradebook, the report and the store go.
    #[arg(long, short, value_name = "DIR", default_value = "grades")]
    pub out: PathBuf,
    /// Only show whose each file is and which problem it is on; run nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// How files are named, such as '{student}/{problem}.{ext}'; may be given several times.
    #[arg(long = "pattern", value_name = "PATTERN")]
    pub patterns: Vec<Pattern>,
    /// Which of several attempts counts: best, last or best-before-due.
    #[arg(long, value_name = "WHICH")]
    pub select: Option<Select>,
    /// How marks are made: due dates, lateness, weights, feedback, a rubric.
    #[arg(long, value_name = "FILE.yaml")]
    pub policy: Option<PathBuf>,
    /// Marks and comments by hand.
    #[arg(long, value_name = "FILE.yaml")]
    pub manual: Option<PathBuf>,
    /// Later dates for some students.
    #[arg(long, value_name = "FILE.csv")]
    pub extensions: Option<PathBuf>,
    /// Judge everything anew; the log keeps the reason.
    #[arg(long, value_name = "WHY")]
    pub rejudge: Option<String>,
    /// Judge, show which marks would change, and write no gradebook.
    #[arg(long, conflicts_with = "dry_run")]
    pub preview: bool,
    /// Run all cases; without it a group ends at its first failure.
    #[arg(long, alias = "every-case")]
    pub all_cases: bool,
    /// Code that was given to all: a file or a folder; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub given: Vec<PathBuf>,
    /// From how many percent on programs are shown as alike; 0 does not compare them.
    #[arg(long, value_name = "PERCENT", default_value_t = 70, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub likeness: u32,
    /// Put totals and comments into a worksheet that Moodle gave out.
    #[arg(long, value_name = "WORKSHEET.csv")]
    pub moodle: Option<PathBuf>,
    /// Put totals into a gradebook that Canvas gave out, or make the least that it takes.
    #[arg(long, value_name = "GRADEBOOK.csv", num_args = 0..=1, require_equals = true)]
    pub canvas: Option<Option<PathBuf>>,
    /// The assignment's title in Canvas.
    #[arg(long, value_name = "TITLE", default_value = "nimatron")]
    pub assignment: String,
    /// Write Gradescope's results.json for each student.
    #[arg(long)]
    pub gradescope: bool,
    /// Write a JUnit report.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// One JSON object a submission.
    #[arg(long)]
    pub json: bool,
}

/// `nimatron doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Measure how much the times of a fixed loop differ here.
    #[arg(long)]
    pub timing: bool,
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `nimatron new`.
#[derive(Debug, Args)]
pub struct New {
    /// The new problem's id.
    pub problem: String,
}

/// `nimatron guide`.
#[derive(Debug, Args)]
pub struct Guide {
    /// The topic; a list of topics if left out.
    pub topic: Option<String>,
}
