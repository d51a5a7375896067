//! Checks a package's data with its own validators.

use std::path::Path;

use crate::checktestdata::{CtdGrammar, check};
use crate::judge::CheckerResult;
use crate::model::{Failure, Fault, FaultKind, Verdict};
use crate::package::{InputValidator, Package, PackageCase, ValidatorKind};
use crate::problem::Judging;
use crate::workers::in_parallel;

use super::aux_program::AuxPrograms;
use super::case_runner::working_files;
use super::checked_output::CheckedOutput;
use super::host::Host;
use super::text_source::{TextSource, compare};

/// The reason why a validator rejects a case; `None` if it accepts the case.
pub type Refusal = Option<String>;

/// Runs an input validator on each case, and returns the results in case order. The list is empty if there are no
/// cases, or if Nimatron can't run the kind of the validator.
///
/// # Errors
/// Fails if the validator can't be built or its grammar is invalid, if a file can't be read, or if the judge itself
/// fails.
pub fn validate_inputs(
    host: &Host,
    package: &Package,
    validator: &InputValidator,
    cases: &[&PackageCase],
) -> Result<Vec<Refusal>, Failure> {
    if validator.kind == ValidatorKind::Checktestdata {
        return by_grammar(package, validator, cases);
    }
    let Some(first) = cases.first().and_then(|case| package.input_validator(validator, case)) else {
        return Ok(Vec::new());
    };
    host.languages().build_aux(&first)?;
    for_each_case(host, cases, |aux_programs, case| {
        let Some(aux_program) = package.input_validator(validator, case) else { return Ok(None) };
        let input = fs_err::read(&case.input).map_err(|error| Failure::user_file(&error))?;
        let files = working_files(&case.files)?;
        match aux_programs.at(&aux_program)?.admit(&input, files) {
            // A failure of the validator, such as an undefined exit code, also rejects the input.
            Err(Failure::Complaint(complaint)) => Ok(Some(complaint.to_string())),
            said => said,
        }
    })
}

/// Checks an output for each case with the package's output validator or, without one, by comparing it with the answer.
/// The output is the case's own output if it has one, otherwise the answer. The results are in case order. An inner
/// error is a failure of the validator on that case. Cases without an answer and interactive cases are not validated
/// and count as accepted.
///
/// # Errors
/// Fails if the validator can't be built, if a file can't be read, or if the judge itself fails.
pub fn validate_outputs(
    host: &Host,
    package: &Package,
    cases: &[&PackageCase],
) -> Result<Vec<Result<Refusal, Fault>>, Failure> {
    for_each_case(host, cases, |aux_programs, case| {
        let Some(answer) = &case.answer else { return Ok(Ok(None)) };
        let output = case.output.as_ref().unwrap_or(answer);
        match package.judging(case)? {
            Judging::Compare(comparer) => {
                let [answer, output] = [answer, output].map(|path| TextSource::File(path));
                let compared = compare(&comparer, answer, output).map_err(|error| Failure::user_file(&error))?;
                Ok(Ok(match compared {
                    crate::check::ComparisonResult::Same => None,
                    crate::check::ComparisonResult::Differs { difference, .. } => Some(difference.message),
                }))
            }
            Judging::Checker { checker, .. } => {
                let [input, output, answer] = [&case.input, output, answer].map(|path| TextSource::File(path));
                match aux_programs.at(&checker)?.check(input, CheckedOutput::of(output), answer, Vec::new()) {
                    Ok((ruling, _)) => Ok(Ok(refusal(ruling))),
                    Err(fault) if fault.kind == FaultKind::Checker => Ok(Err(fault)),
                    Err(fault) => Err(fault.into()),
                }
            }
            Judging::Interactor { .. } => Ok(Ok(None)),
        }
    })
}

/// Calls `each` for each case, in parallel on the free slots, and returns the results in case order.
fn for_each_case<T: Send>(
    host: &Host,
    cases: &[&PackageCase],
    each: impl Fn(&mut AuxPrograms<'_>, &PackageCase) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let lease = host.slots().lease(cases.len(), host.cancel(), &mut || {})?;
    let start = |slot: usize| Ok(AuxPrograms::new(host, slot));
    let (results, ended) = in_parallel(cases, lease.slots(), start, |programs, case| each(programs, case), |_| {});
    ended?;
    Ok(results.into_iter().flatten().collect())
}

/// Returns the reason why an output is rejected; `None` if it is accepted or receives partial credit.
fn refusal(ruling: CheckerResult) -> Refusal {
    let rejected = !ruling.verdict.accepted() && ruling.verdict != Verdict::Partial;
    rejected.then(|| ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned()))
}

/// Checks the input of each case against a checktestdata grammar, and returns the results in case order.
fn by_grammar(package: &Package, validator: &InputValidator, cases: &[&PackageCase]) -> Result<Vec<Refusal>, Failure> {
    let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::user_file(&error));
    let text = package.with_constants(&String::from_utf8_lossy(&read(&validator.path)?));
    let grammar = CtdGrammar::parse(&validator.path.display().to_string(), &text)?;
    cases.iter().map(|case| Ok(check(&grammar, &read(&case.input)?).err())).collect()
}
