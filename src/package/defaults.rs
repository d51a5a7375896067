//! Defaults for packages whose format does not require a name or limits. The solutions of such packages are in folders
//! named after verdicts.

use std::collections::BTreeMap;
use std::path::Path;

use crate::check::Comparer;
use crate::model::{
    Aggregate, AggregateKind, ByteSize, Grading, ProblemId, Requirement, Rule, Score, TimeSpan, Verdict,
};

use super::package_model::{
    ExpectedOutcome, OutputCheck, Package, PackageFormat, PackageLimits, PackageStatement, PackageSubmission,
    ProblemType, SubmissionExpectation, TimeLimitUse,
};
use super::tree::{PackageTree, TreeEntry, join};

/// Default time limit.
const TIME: TimeSpan = TimeSpan::seconds(2);
/// Default memory limit.
const MEMORY: ByteSize = ByteSize::mib(256);

/// Returns the description of the default limits for [`Package::guess`].
pub(super) fn limits_guess() -> String {
    format!(
        "no limits are specified, so the defaults {TIME} and {MEMORY} are used; override them with `--time` and `--memory`"
    )
}

impl Package {
    /// Returns a package without cases, with the statements, submissions and notes of the tree. All values that neither
    /// the tree nor the parameters specify are set to defaults.
    pub(super) fn bare(tree: &PackageTree, id: ProblemId, format: PackageFormat, output: OutputCheck) -> Package {
        Package {
            root: tree.root().to_owned(),
            format,
            guess: None,
            content: None,
            default_limits: true,
            text: String::new(),
            names: BTreeMap::from([("en".to_owned(), id.to_string())]),
            id,
            author: None,
            source: None,
            license: None,
            keywords: Vec::new(),
            kind: ProblemType::default(),
            limits: PackageLimits {
                time: Some(TIME),
                resolution: TimeSpan::millis(100),
                ac_to_limit: 2_000,
                limit_to_tle: 1_500,
                memory: MEMORY,
                output: ByteSize::mib(64),
                code: None,
                validation_time: TimeSpan::seconds(20),
                validation_memory: ByteSize::mib(1_024),
                validation_output: ByteSize::mib(64),
            },
            constants: BTreeMap::new(),
            languages: Vec::new(),
            statements: statements(tree),
            cases: Vec::new(),
            case_limits: BTreeMap::new(),
            input_maker: None,
            generated_cases: Vec::new(),
            grading: Grading { name: String::new(), rule: sum(None, Vec::new(), false), parts: Vec::new() },
            validator_tests: Vec::new(),
            input_validators: Vec::new(),
            output,
            static_validator: None,
            grader: None,
            include: BTreeMap::new(),
            prelude: BTreeMap::new(),
            compiler_args: Default::default(),
            program_rules: Default::default(),
            output_file: None,
            submissions: submissions(tree),
            skipped_cases: Vec::new(),
            notes: tree.notes().to_vec(),
        }
    }
}

/// Returns a check that compares outputs with answers by this rule.
pub(super) fn comparison(rule: crate::check::ComparisonRule) -> OutputCheck {
    OutputCheck::Compare(Comparer::new(rule))
}

/// Returns a rule that adds up the points of a group's parts, up to the maximum `most`.
pub(super) fn sum(most: Option<Score>, require: Vec<Requirement>, scored: bool) -> Rule {
    Rule::Aggregate(Aggregate { kind: AggregateKind::Sum, most, require, scored, text: None })
}

/// Finds the statements, such as `statement.md` and `statement.de.md`. English statements come first.
fn statements(tree: &PackageTree) -> Vec<PackageStatement> {
    let one = |(name, entry): (&str, &TreeEntry)| {
        let language = name.strip_prefix("statement")?.strip_suffix(".md")?;
        let language = match language.strip_prefix('.') {
            Some(language) => language,
            None if language.is_empty() => "en",
            None => return None,
        };
        let TreeEntry::File { path, .. } = entry else { return None };
        Some(PackageStatement { language: language.to_owned(), path: path.clone() })
    };
    let mut found: Vec<PackageStatement> = tree.list("").filter_map(one).collect();
    found.sort_by_key(|statement| statement.language != "en");
    found
}

/// Finds the programs in the subfolders of `solutions/` and `submissions/`. The subfolder of a program determines its
/// expected verdicts. Accepted programs come first, and programs are otherwise sorted by name.
fn submissions(tree: &PackageTree) -> Vec<PackageSubmission> {
    let mut found = Vec::new();
    for above in ["solutions", "submissions"] {
        for (folder, entry) in tree.list(above) {
            if *entry != TreeEntry::Folder || folder.starts_with('.') {
                continue;
            }
            let below = join(above, folder);
            for (file, entry) in tree.list(&below).filter(|(name, _)| !name.starts_with('.')) {
                let path = match entry {
                    TreeEntry::File { path, .. } => path.clone(),
                    TreeEntry::Folder => tree.root().join(&below).join(file),
                };
                found.push(submission(folder, file, &path));
            }
        }
    }
    found.sort_by_key(|submission| (!submission.name.starts_with("accepted/"), submission.name.clone()));
    found
}

fn submission(folder: &str, file: &str, path: &Path) -> PackageSubmission {
    use Verdict::{
        Accepted, CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, Partial, PresentationError,
        RuntimeError, TimeLimit, WrongAnswer,
    };
    let verdicts = match folder {
        "accepted" => vec![Accepted],
        "partially_accepted" | "partial" => vec![Partial],
        "wrong_answer" => vec![WrongAnswer, PresentationError, OutputLimit, Partial],
        // A program that never stops writing exceeds the output limit in this judge, but the time limit in a judge
        // without an output limit.
        "time_limit_exceeded" | "brute_force" => vec![TimeLimit, IdleLimit, OutputLimit, Partial],
        "memory_limit_exceeded" => vec![MemoryLimit, RuntimeError, Partial],
        "run_time_error" => vec![RuntimeError, MemoryLimit, Forbidden, Partial],
        "compile_error" => vec![CompileError],
        _ => Vec::new(),
    };
    let want =
        SubmissionExpectation { source: folder.to_owned(), cases: None, outcome: ExpectedOutcome::Final(verdicts) };
    let expectations = if want.outcome == ExpectedOutcome::Final(Vec::new()) { Vec::new() } else { vec![want] };
    PackageSubmission {
        name: format!("{folder}/{file}"),
        path: path.to_owned(),
        language: None,
        entry: None,
        expectations,
        time_limit_use: match folder {
            "accepted" => TimeLimitUse::Lower,
            "time_limit_exceeded" => TimeLimitUse::Upper,
            _ => TimeLimitUse::None,
        },
        in_time_cases: Vec::new(),
    }
}
