//! Checks that test data is reproducible: it is generated again in empty stores, first by one worker and then by four
//! workers.

use crate::data::{Case, Store};
use crate::model::{Failure, counted};
use crate::problem::Problem;
use crate::runner::{Host, Prepared, make_data};
use crate::sandbox::TempFolder;

use super::check_result::{Check, Status};
use super::problem::described;

/// Slots of the workers that generate the data again: one worker the first time and four workers the second time,
/// regardless of the number of CPUs.
const SLOTS: [&[usize]; 2] = [&[0], &[0, 1, 2, 3]];

/// Generates all data again, up to twice, in empty stores, and compares the inputs and answers with those used for
/// judging. Stops at the first store whose data differs.
///
/// # Errors
/// Fails if the judge itself fails.
pub(super) fn check(host: &Host, problem: &Problem, prepared: &Prepared) -> Result<Check, Failure> {
    for slots in SLOTS {
        let dir = TempFolder::new()?;
        let store = Store::new(dir.path().join("blobs"));
        let made = match make_data(host, problem, (&store, &dir.path().join("index.json")), slots, &|_, _| {}) {
            Ok(made) => made,
            Err(Failure::Complaint(complaint)) => {
                let detail = format!("cannot generate the data again: {}", described(&complaint));
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
        "{} generated two more times without the cache, by 1 worker and by 4 workers; the data is identical",
        counted(cases, "case", "cases")
    );
    Ok(Check::new("determinism", Status::Pass, detail).with("cases", cases))
}

/// Describes each case whose input or answer differs, in case order, and then the difference in the number of cases, if
/// there is one.
fn differing(first: &[Case], again: &[Case]) -> Vec<String> {
    let differs = |(one, other): (&Case, &Case)| match (one.input == other.input, one.answer == other.answer) {
        (true, true) => None,
        (false, _) => {
            Some(format!("the input of {} (the generator's output depends on more than the arguments)", one.id))
        }
        (true, false) => Some(format!("the reference's answer to {}", one.id)),
    };
    let missing = first.len().abs_diff(again.len());
    let count = (missing > 0).then(|| format!("the number of cases (difference: {missing})"));
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
        assert!(told[1].contains("the reference's answer to tiny/003"), "{told:?}");
        assert_eq!(differing(&first, &first[..1]), ["the number of cases (difference: 2)"]);
    }
}
