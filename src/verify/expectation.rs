//! Compares the results of a program with the results that its folder or its package expects. The module does no I/O.

use serde::{Deserialize, Serialize};

use crate::model::{CaseResult, Points, Score, Verdict};
use crate::package::{ExpectedOutcome, ProblemType, SubmissionExpectation, glob_matches};

use Verdict::{
    Accepted, CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, Partial, PresentationError, RuntimeError,
    TimeLimit, WrongAnswer,
};

/// Maximum number of characters of a checker's message that are shown.
const SAID: usize = 100;
/// The folders of solutions, each with the verdicts of its expected failures. At least one case must have one of these
/// verdicts, and all other cases must be accepted or have one of these verdicts. In a folder without verdicts, all
/// cases must be accepted.
const FOLDERS: [(&str, &[Verdict]); 8] = [
    ("accepted", &[]),
    ("wrong_answer", &[WrongAnswer, PresentationError]),
    ("time_limit_exceeded", &[TimeLimit, IdleLimit]),
    ("run_time_error", &[RuntimeError, MemoryLimit]),
    ("memory_limit_exceeded", &[MemoryLimit]),
    ("output_limit_exceeded", &[OutputLimit]),
    ("compile_error", &[CompileError]),
    (
        "rejected",
        &[
            WrongAnswer,
            PresentationError,
            TimeLimit,
            IdleLimit,
            RuntimeError,
            MemoryLimit,
            OutputLimit,
            Forbidden,
            CompileError,
            Partial,
        ],
    ),
];

/// Returns the names of the folders of solutions for which there are expectations.
pub(super) fn folders() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().map(|(folder, _)| *folder)
}

/// Returns the expectations of solutions in this folder, or `None` if the folder is not known.
pub(super) fn of_folder(folder: &str) -> Option<Vec<SubmissionExpectation>> {
    let (_, failures) = FOLDERS.iter().find(|(name, _)| *name == folder)?;
    let expect = |outcome| SubmissionExpectation { source: folder.to_owned(), cases: None, outcome };
    let permitted = [&[Accepted], *failures].concat();
    let mut expected = vec![expect(ExpectedOutcome::Permitted(permitted))];
    if !failures.is_empty() {
        expected.push(expect(ExpectedOutcome::Required(failures.to_vec())));
    }
    Some(expected)
}

/// Returns whether exceeding the time limit is one of the expected failures.
pub(super) fn may_be_too_slow(wants: &[SubmissionExpectation]) -> bool {
    wants
        .iter()
        .any(|want| matches!(&want.outcome, ExpectedOutcome::Required(verdicts) if verdicts.contains(&TimeLimit)))
}

/// Returns whether exceeding the time limit and idling are the only expected failures.
pub(super) fn must_be_too_slow(wants: &[SubmissionExpectation]) -> bool {
    let slow = |verdict: &Verdict| [TimeLimit, IdleLimit].contains(verdict);
    wants.iter().any(|want| matches!(&want.outcome, ExpectedOutcome::Required(verdicts) if verdicts.iter().all(slow)))
}

/// Returns whether a program is expected to be accepted: an expectation permits only accepted and partially accepted
/// results on all cases, and no expectation excludes the best score.
pub(super) fn must_be_accepted(wants: &[SubmissionExpectation]) -> bool {
    let right = |verdict: &Verdict| [Accepted, Partial].contains(verdict);
    let whole = |what: &ExpectedOutcome| match what {
        ExpectedOutcome::Final(verdicts) | ExpectedOutcome::Permitted(verdicts) => {
            verdicts.contains(&Accepted) && verdicts.iter().all(right)
        }
        _ => false,
    };
    wants.iter().any(|want| want.cases.is_none() && whole(&want.outcome))
        && !wants.iter().any(|want| want.outcome == ExpectedOutcome::NotBest)
}

/// The failing verdicts that the package format defines. The verdict of a skipped case may be any of them.
const FAILURES: [Verdict; 3] = [WrongAnswer, TimeLimit, RuntimeError];

/// The results of a program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SubmissionResults {
    /// The verdict on the whole program; `None` if the judge failed.
    pub(super) verdict: Option<Verdict>,
    /// The score, and the maximum score.
    pub(super) score: (Score, Score),
    /// The best possible score; `None` if scores are unbounded.
    pub(super) best: Option<Points>,
    /// The results of the cases that were run, in case order.
    pub(super) cases: Vec<CaseResult>,
    /// The cases that were skipped because groups that they require were not accepted.
    pub(super) skipped: Vec<String>,
    /// The names of the groups, with their scores.
    pub(super) groups: Vec<(String, Score)>,
}

/// Describes each expectation that is not met. If no case was judged, returns a single description with the reason.
pub(super) fn violations(
    wants: &[SubmissionExpectation],
    kind: ProblemType,
    results: &SubmissionResults,
) -> Vec<String> {
    match (wants.first(), unjudged(wants, results)) {
        (Some(first), Some(why)) => vec![by(first, why)],
        _ => wants.iter().filter_map(|want| check(want, kind, results).err().map(|why| by(want, &why))).collect(),
    }
}

/// Describes a result that is not permitted, with the message of the checker or interactor.
fn not_permitted(want: &SubmissionExpectation, permitted: &[Verdict], result: &CaseResult) -> String {
    let said = result.message.as_ref().and_then(|message| message.lines().next()).filter(|line| !line.is_empty());
    let said = said.map(|line| format!(": {}", line.chars().take(SAID).collect::<String>())).unwrap_or_default();
    let is_other_failure = FAILURES.contains(&result.verdict) && permitted.iter().any(|one| FAILURES.contains(one));
    let advice = match is_other_failure && of_folder(&want.source).is_some() {
        true => "; move the program to the folder `rejected` to permit any failure",
        false => "",
    };
    format!("the verdict {} in {} is not permitted{said}{advice}", result.verdict, result.case)
}

fn by(want: &SubmissionExpectation, why: &str) -> String {
    format!("{why} ({})", want.source)
}

/// Returns whether the first rejected case determines whether a program meets its expectations, regardless of the later
/// cases. This requires that no expectation concerns only some cases, points or messages, and that every permitted
/// failure is also a required one. `decides` states whether the verdict on the program is the verdict on its first
/// rejected case.
pub(super) fn settled_by_first(wants: &[SubmissionExpectation], decides: bool) -> bool {
    let permitted = |verdict: &Verdict| {
        wants
            .iter()
            .all(|want| !matches!(&want.outcome, ExpectedOutcome::Permitted(verdicts) if !verdicts.contains(verdict)))
    };
    let settled = |want: &SubmissionExpectation| match &want.outcome {
        ExpectedOutcome::Permitted(_) => true,
        ExpectedOutcome::Final(_) => decides,
        ExpectedOutcome::Required(verdicts) => {
            FAILURES.iter().filter(|one| permitted(one)).all(|one| verdicts.contains(one))
        }
        ExpectedOutcome::Score(..) | ExpectedOutcome::NotBest | ExpectedOutcome::Message(_) => false,
    };
    !wants.is_empty() && wants.iter().all(|want| want.cases.is_none() && settled(want))
}

/// Returns the reason why all expectations of a program are violated, if there is one. If no case was judged,
/// expectations about every case would hold trivially.
fn unjudged(wants: &[SubmissionExpectation], results: &SubmissionResults) -> Option<&'static str> {
    let expects_compile_error = |want: &SubmissionExpectation| match &want.outcome {
        ExpectedOutcome::Final(verdicts) | ExpectedOutcome::Required(verdicts) => verdicts.contains(&CompileError),
        _ => false,
    };
    match results.verdict? {
        CompileError if wants.iter().any(expects_compile_error) => None,
        CompileError => Some("the program does not compile"),
        _ if results.cases.is_empty() => Some("no case was judged"),
        _ => None,
    }
}

fn check(want: &SubmissionExpectation, kind: ProblemType, results: &SubmissionResults) -> Result<(), String> {
    let wanted = |name: &str| want.cases.as_ref().is_none_or(|of| glob_matches(of, name));
    let cases = || results.cases.iter().filter(|result| wanted(result.case.as_str()));
    let skipped = || results.skipped.iter().find(|name| wanted(name));
    let of = want.cases.as_ref().map(|of| format!(" in {of}")).unwrap_or_default();
    match &want.outcome {
        ExpectedOutcome::Final(verdicts) => whole(verdicts, kind, results),
        ExpectedOutcome::Permitted(verdicts) => {
            match (cases().find(|result| !among(verdicts, result.verdict, kind)), skipped()) {
                (Some(result), _) => Err(not_permitted(want, verdicts, result)),
                (None, Some(name)) if !FAILURES.iter().any(|failure| verdicts.contains(failure)) => {
                    Err(format!("{name} was skipped, but must be accepted"))
                }
                _ => Ok(()),
            }
        }
        ExpectedOutcome::Required(verdicts) => {
            if results.verdict == Some(CompileError) && verdicts.contains(&CompileError) {
                return Ok(());
            }
            // The verdict of a skipped case is unknown, so it counts only if all of these failures are expected.
            let any_failure = || FAILURES.iter().all(|failure| verdicts.contains(failure));
            let found =
                cases().any(|result| among(verdicts, result.verdict, kind)) || any_failure() && skipped().is_some();
            let names: Vec<&str> = verdicts.iter().map(|verdict| verdict.short()).collect();
            found.then_some(()).ok_or_else(|| format!("no case has the verdict {}{of}", names.join(" or ")))
        }
        ExpectedOutcome::Score(low, high) => score(want, (*low, *high), results, &of),
        ExpectedOutcome::NotBest => {
            let reached = |best: &Points| *best >= Points::ZERO && best.score() == results.score.0;
            results
                .best
                .filter(reached)
                .map_or(Ok(()), |_| Err("the score is the best possible score, but must be lower".to_owned()))
        }
        ExpectedOutcome::Message(text) => {
            let said = |result: &CaseResult| result.message.as_ref().is_some_and(|message| message.contains(text));
            cases().any(said).then_some(()).ok_or_else(|| format!("no judge message{of} contains `{text}`"))
        }
    }
}

fn whole(verdicts: &[Verdict], kind: ProblemType, results: &SubmissionResults) -> Result<(), String> {
    let Some(verdict) = results.verdict else { return Err("the judge failed, so there is no verdict".to_owned()) };
    // In scoring problems a partial score counts as accepted.
    let partial = kind.scoring && verdict == Partial && verdicts.contains(&Accepted);
    if verdicts.contains(&verdict) || partial {
        return Ok(());
    }
    let wanted: Vec<&str> = verdicts.iter().take(1).map(|verdict| verdict.short()).collect();
    Err(format!("expected {}, found {verdict} ({})", wanted.join("/"), verdict.long()))
}

fn score(
    want: &SubmissionExpectation,
    (low, high): (f64, f64),
    results: &SubmissionResults,
    of: &str,
) -> Result<(), String> {
    let scores: Vec<Score> = match &want.cases {
        Some(of) if of != "secret" => {
            results.groups.iter().filter(|(name, _)| glob_matches(of, name)).map(|(_, score)| *score).collect()
        }
        _ => vec![results.score.0],
    };
    let scores: Vec<f64> = scores.into_iter().map(Score::as_points).collect();
    let wanted = if low == high { low.to_string() } else { format!("{low} to {high}") };
    match scores.iter().find(|score| !(low - 0.0005..=high + 0.0005).contains(*score)) {
        Some(score) => {
            let unit = if *score == 1.0 { "point" } else { "points" };
            Err(format!("expected a score of {wanted}{of}, found {score} {unit}"))
        }
        None if scores.is_empty() => Err(format!("expected a score of {wanted}{of}, but no group has a score")),
        None => Ok(()),
    }
}

/// Returns whether the verdict is one of `verdicts`. In scoring problems a partial score counts as accepted.
fn among(verdicts: &[Verdict], verdict: Verdict, kind: ProblemType) -> bool {
    verdicts.contains(&verdict) || kind.scoring && verdict == Partial && verdicts.contains(&Accepted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Capture, CaseId, Credit, Exit, Usage};

    fn want(what: ExpectedOutcome) -> SubmissionExpectation {
        SubmissionExpectation { source: "x".to_owned(), cases: None, outcome: what }
    }

    fn result(case: &str, verdict: Verdict, message: &str) -> CaseResult {
        CaseResult {
            case: CaseId::named(case),
            group: String::new(),
            verdict,
            usage: Usage::default(),
            credit: Credit::NONE,
            points: None,
            exit: Exit::Code(0),
            difference: None,
            message: Some(message.to_owned()),
            stderr: Capture::default(),
        }
    }

    fn results(verdict: Verdict, score: u32, cases: &[(&str, Verdict)]) -> SubmissionResults {
        SubmissionResults {
            verdict: Some(verdict),
            score: (Score::points(score), Score::points(100)),
            best: Some(Points::thousandths(100_000)),
            skipped: Vec::new(),
            cases: cases.iter().map(|(name, verdict)| result(name, *verdict, "said")).collect(),
            groups: vec![("secret/a".to_owned(), Score::points(score)), ("secret/b".to_owned(), Score::ZERO)],
        }
    }

    #[test]
    fn expectations_are_met_or_violated() {
        let scoring = ProblemType { scoring: true, ..ProblemType::default() };
        let cases = [("sample/1", Accepted), ("secret/a/1", TimeLimit)];
        let result = results(Partial, 40, &cases);
        let kept = |what: ExpectedOutcome, of: Option<&str>| {
            let want = SubmissionExpectation { cases: of.map(str::to_owned), ..want(what) };
            violations(&[want], scoring, &result).is_empty()
        };
        assert!(kept(ExpectedOutcome::Final(vec![Accepted]), None));
        assert!(!kept(ExpectedOutcome::Final(vec![WrongAnswer]), None));
        assert!(kept(ExpectedOutcome::NotBest, None));
        assert!(kept(ExpectedOutcome::Permitted(vec![Accepted, TimeLimit]), None));
        assert!(!kept(ExpectedOutcome::Permitted(vec![Accepted]), None));
        assert!(kept(ExpectedOutcome::Permitted(vec![Accepted]), Some("sample")));
        assert!(kept(ExpectedOutcome::Required(vec![TimeLimit]), Some("secret/*")));
        assert!(!kept(ExpectedOutcome::Required(vec![WrongAnswer]), None));
        assert!(kept(ExpectedOutcome::Score(40.0, 40.0), None));
        assert!(!kept(ExpectedOutcome::Score(41.0, 50.0), Some("secret/a")));
        assert!(kept(ExpectedOutcome::Score(0.0, 40.0), Some("secret/*")));
        assert!(!kept(ExpectedOutcome::Score(40.0, 40.0), Some("secret/*")), "every group must have the score");
        assert!(kept(ExpectedOutcome::Message("ai".to_owned()), None));
        assert!(!kept(ExpectedOutcome::Message("no".to_owned()), None));
        let pass_fail = violations(
            &[want(ExpectedOutcome::Final(vec![Accepted]))],
            ProblemType::default(),
            &results(WrongAnswer, 0, &cases),
        );
        assert_eq!(pass_fail, ["expected AC, found WA (wrong answer) (x)"]);
    }

    #[test]
    fn the_message_of_a_checker_is_shown() {
        let failed = result("sample/1", WrongAnswer, "too many queries\nmore");
        let results =
            SubmissionResults { verdict: Some(WrongAnswer), cases: vec![failed], ..SubmissionResults::default() };
        let found = violations(&of_folder("accepted").unwrap(), ProblemType::default(), &results);
        assert_eq!(found, ["the verdict WA in sample/1 is not permitted: too many queries (accepted)"]);
    }

    #[test]
    fn folders_expect_verdicts() {
        let check = |folder: &str, verdicts: &[Verdict]| {
            let cases = verdicts.iter().enumerate();
            let cases = cases.map(|(at, verdict)| result(&format!("sample/{at}"), *verdict, "")).collect();
            let failed = verdicts.iter().copied().find(|verdict| !verdict.accepted());
            let results =
                SubmissionResults { verdict: Some(failed.unwrap_or(Accepted)), cases, ..SubmissionResults::default() };
            violations(&of_folder(folder).unwrap(), ProblemType::default(), &results)
        };
        assert!(check("accepted", &[Accepted, Accepted]).is_empty());
        assert_eq!(
            check("accepted", &[Accepted, WrongAnswer]),
            ["the verdict WA in sample/1 is not permitted (accepted)"]
        );
        assert_eq!(check("accepted", &[Accepted, Partial]), ["the verdict PT in sample/1 is not permitted (accepted)"]);
        assert!(check("wrong_answer", &[Accepted, WrongAnswer]).is_empty());
        assert_eq!(check("wrong_answer", &[Accepted, Accepted]), ["no case has the verdict WA or PE (wrong_answer)"]);
        let other = "the verdict RTE in sample/1 is not permitted; move the program to the folder `rejected` to permit any failure (wrong_answer)";
        assert_eq!(check("wrong_answer", &[WrongAnswer, RuntimeError]), [other]);
        assert!(check("rejected", &[WrongAnswer, RuntimeError]).is_empty());
        assert!(check("rejected", &[WrongAnswer, RuntimeError]).is_empty());
        assert_eq!(of_folder("mixed"), None);
        let not_compiled = SubmissionResults { verdict: Some(CompileError), ..SubmissionResults::default() };
        let of = |folder: &str| violations(&of_folder(folder).unwrap(), ProblemType::default(), &not_compiled);
        assert!(of("compile_error").is_empty() && of("rejected").is_empty());
        assert_eq!(of("wrong_answer"), ["the program does not compile (wrong_answer)"]);
    }

    #[test]
    fn the_first_failure_decides_expectations_of_all_cases() {
        let settled = |whats: &[ExpectedOutcome]| {
            let wants: Vec<SubmissionExpectation> = whats.iter().cloned().map(want).collect();
            settled_by_first(&wants, true)
        };
        let (permitted, required) =
            (ExpectedOutcome::Permitted(vec![Accepted, TimeLimit]), ExpectedOutcome::Required(vec![TimeLimit]));
        assert!(settled(&[permitted.clone(), required.clone()]));
        assert!(settled(&[ExpectedOutcome::Permitted(vec![Accepted])]));
        // The verdict on the first rejected case may be a wrong answer, and a later case may exceed the time limit.
        assert!(!settled(&[ExpectedOutcome::Permitted(vec![Accepted, WrongAnswer, TimeLimit]), required.clone()]));
        assert!(!settled(&[required]));
        assert!(!settled(&[]));
        assert!(!settled(&[permitted.clone(), ExpectedOutcome::Message("slow".to_owned())]));
        let of_some = SubmissionExpectation { cases: Some("sample".to_owned()), ..want(permitted) };
        assert!(!settled_by_first(&[of_some], true));
        let whole = [want(ExpectedOutcome::Final(vec![WrongAnswer]))];
        assert!(settled_by_first(&whole, true));
        assert!(!settled_by_first(&whole, false), "a later case may be worse");
    }

    #[test]
    fn a_program_that_does_not_compile_meets_only_the_expectation_of_that() {
        let result = results(CompileError, 0, &[]);
        let wants = |what: ExpectedOutcome| violations(&[want(what)], ProblemType::default(), &result);
        for what in [
            ExpectedOutcome::Permitted(vec![Accepted]),
            ExpectedOutcome::Permitted(vec![Accepted, WrongAnswer, TimeLimit, RuntimeError]),
            ExpectedOutcome::Required(vec![WrongAnswer]),
            ExpectedOutcome::Final(vec![Accepted]),
            ExpectedOutcome::Score(0.0, 0.0),
            ExpectedOutcome::NotBest,
        ] {
            assert_eq!(wants(what.clone()), ["the program does not compile (x)"], "{what:?}");
        }
        assert!(wants(ExpectedOutcome::Final(vec![Accepted, CompileError])).is_empty());
        let both = [want(ExpectedOutcome::Final(vec![CompileError])), want(ExpectedOutcome::Score(0.0, 0.0))];
        assert!(violations(&both, ProblemType::default(), &result).is_empty());
        assert!(violations(&[], ProblemType::default(), &result).is_empty(), "no expectation");
    }

    #[test]
    fn without_judged_cases_no_expectation_is_met() {
        let result = results(Accepted, 0, &[]);
        let wants = [want(ExpectedOutcome::Permitted(vec![Accepted])), want(ExpectedOutcome::Final(vec![Accepted]))];
        assert_eq!(violations(&wants, ProblemType::default(), &result), ["no case was judged (x)"]);
    }

    #[test]
    fn a_skipped_case_is_not_accepted() {
        let skipped = vec!["secret/b/1".to_owned()];
        let result = SubmissionResults {
            skipped,
            ..results(WrongAnswer, 0, &[("sample/1", Accepted), ("secret/a/1", WrongAnswer)])
        };
        let kept = |what: ExpectedOutcome, of: Option<&str>| {
            violations(
                &[SubmissionExpectation { cases: of.map(str::to_owned), ..want(what) }],
                ProblemType::default(),
                &result,
            )
        };
        let left_out = ["secret/b/1 was skipped, but must be accepted (x)"];
        assert_eq!(kept(ExpectedOutcome::Permitted(vec![Accepted]), Some("secret/b")), left_out);
        assert_eq!(kept(ExpectedOutcome::Permitted(vec![Accepted]), Some("sample")), Vec::<String>::new());
        assert_eq!(kept(ExpectedOutcome::Permitted(vec![Accepted, WrongAnswer]), None), Vec::<String>::new());
        // The failure of a skipped case is unknown.
        let any = vec![RuntimeError, TimeLimit, WrongAnswer];
        assert_eq!(kept(ExpectedOutcome::Required(any), Some("secret/b")), Vec::<String>::new());
        let one = kept(ExpectedOutcome::Required(vec![WrongAnswer]), Some("secret/b"));
        assert_eq!(one, ["no case has the verdict WA in secret/b (x)"]);
    }

    #[test]
    fn the_best_points_are_those_of_the_bound_if_there_is_one() {
        let kept = |best: Option<i64>, score: u32| {
            let result = SubmissionResults {
                best: best.map(Points::thousandths),
                ..results(Partial, score, &[("secret/1", Partial)])
            };
            violations(
                &[want(ExpectedOutcome::NotBest)],
                ProblemType { scoring: true, ..ProblemType::default() },
                &result,
            )
            .is_empty()
        };
        assert!(!kept(Some(100_000), 100) && kept(Some(100_000), 99));
        assert!(!kept(Some(2_000), 2) && kept(Some(2_000), 0), "the best score may be a low one");
        assert!(kept(None, 100) && kept(None, 0));
        assert!(kept(Some(-5_000), 0), "a score of 0 is not the best score of -5");
    }

    #[test]
    fn unexpected_points_are_shown_with_the_expected_ones() {
        let wrong = |low, high| {
            violations(
                &[want(ExpectedOutcome::Score(low, high))],
                ProblemType::default(),
                &results(Partial, 40, &[("secret/1", Partial)]),
            )
        };
        assert_eq!(wrong(74.42, 74.42), ["expected a score of 74.42, found 40 points (x)"]);
        assert_eq!(wrong(50.0, 60.0), ["expected a score of 50 to 60, found 40 points (x)"]);
    }
}
