//! Checks that test data is reproducible: it is generated again in fresh stores, by one worker and by four.

use crate::data::{Case, Store};
use crate::model::{Failure, Fault, FaultKind, counted};
use crate::problem::Problem;
use crate::runner::{Host, Prepared, make_data};

use super::check_result::{Check, Status};
use super::problem::described;

/// Slots on which the data is generated again: first by one worker, then by four, regardless of the number of CPUs.
const SLOTS: [&[usize]; 2] = [&[0], &[0, 1, 2, 3]];

/// Generates all data twice in empty stores, and compares it byte by byte with the data used for judging.
///
/// # Errors
/// Fails if the judge itself fails.
pub(super) fn check(host: &Host, problem: &Problem, prepared: &Prepared) -> Result<Check, Failure> {
    for slots in SLOTS {
        let dir = tempfile::tempdir()
            .map_err(|error| Fault::io(FaultKind::Data, &error).context("cannot create a temporary folder"))?;
        let store = Store::new(dir.path().join("blobs"));
        let made = match make_data(host, problem, (&store, &dir.path().join("index.json")), slots, &|_, _| {}) {
            Ok(made) => made,
            Err(Failure::Complaint(complaint)) => {
                let detail = format!("generating the data again failed: {}", described(&complaint));
                return Ok(Check::new("determinism", Status::Fail, detail));
            }
            Err(fault) => return Err(fault),
        };
        let differing = differing(&prepared.made.cases, &made.cases);
        if let Some(first) = differing.first() {
            let more = differing.len() - 1;
            let more = match more {
                0 => String::new(),
                1 => ", and 1 more difference".to_owned(),
                more => format!(", and {more} more differences"),
            };
            let detail = format!("the data differs when generated again: {first}{more}");
            return Ok(Check::new("determinism", Status::Fail, detail).with("differences", differing.len()));
        }
    }
    let cases = prepared.made.cases.len();
    let detail = format!(
        "{} generated two more times in empty stores, with 1 worker and with 4; all bytes are identical",
        counted(cases, "case", "cases")
    );
    Ok(Check::new("determinism", Status::Pass, detail).with("cases", cases))
}

/// Describes each case that differs, in case order, and the difference in the number of cases, if there is one.
fn differing(first: &[Case], again: &[Case]) -> Vec<String> {
    let differs = |(one, other): (&Case, &Case)| match (one.input == other.input, one.answer == other.answer) {
        (true, true) => None,
        (false, _) => Some(format!("the input of {} (its generator depends on more than its arguments)", one.id)),
        (true, false) => Some(format!("the answer of the reference to {}", one.id)),
    };
    let missing = first.len().abs_diff(again.len());
    let count = (missing > 0).then(|| format!("the number of cases, by {missing}"));
    first.iter().zip(again).filter_map(differs).chain(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Blob;
    use crate::model::{CaseId, Digest};

    fn case(number: usize, input: &str, answer: &str) -> Case {
        let blob = |text: &str| Blob { digest: Digest::of(text.as_bytes()), size: text.len() as u64 };
        Case { id: CaseId::new("tiny", number), group: 0, input: blob(input), answer: blob(answer) }
    }

    #[test]
    fn differences_are_described() {
        let first = [case(1, "a", "b"), case(2, "c", "d"), case(3, "e", "f")];
        assert!(differing(&first, &first).is_empty());
        let again = [case(1, "a", "b"), case(2, "x", "d"), case(3, "e", "y")];
        let told = differing(&first, &again);
        assert!(told[0].contains("the input of tiny/002"), "{told:?}");
        assert!(told[1].contains("the answer of the reference to tiny/003"), "{told:?}");
        assert_eq!(differing(&first, &first[..1]), ["the number of cases, by 2"]);
    }
}
