//! Computes the verdict on a dialogue from the results of the program and the interactor, and the order in which they
//! exited.
//!
//! The rule is that of the ICPC package format's tools. If the interactor rejected before the program exited, the
//! interactor decides. Otherwise a crash or an exceeded limit of the program decides; without one, the interactor
//! decides. A failure of the interactor is an error of the judge, unless the program crashed or exceeded a limit and
//! exited first. If the program was stopped at its wall limit while the interactor hung or used at least half of that
//! time, the result is also an error of the judge, unless the interactor had already rejected.

use crate::model::{Fault, FaultKind, Side, Verdict};

use super::checker_protocol::CheckerResult;

/// The result of the program's run in a dialogue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProgramEnd {
    /// The verdict that the measurements of the run determine; `None` if the output must be judged.
    pub decided: Option<Verdict>,
    /// Whether the program was stopped at its wall limit; it may have been waiting for the interactor.
    pub waited: bool,
}

/// The result of the interactor's run in a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InteractorEnd {
    /// The result that the interactor reported, or its failure.
    pub ruling: Result<CheckerResult, Fault>,
    /// Whether the interactor was stopped at its CPU time limit or wall time limit.
    pub stuck: bool,
    /// Whether the interactor used CPU time of at least half of the program's wall limit.
    pub busy: bool,
}

/// The side that decides the verdict, with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InteractionDecision {
    /// The measurements of the program's run decide.
    Program(Verdict),
    /// The interactor decides.
    Interactor(CheckerResult),
}

/// Decides which side determines the verdict on a dialogue. `first` is the side that exited first.
///
/// # Errors
/// Returns the interactor's failure unless the result of the program takes precedence, and a fault if the program was
/// stopped at its wall limit and the interactor used CPU time of at least half of this limit, unless the interactor had
/// already rejected.
pub fn decide_interaction(
    first: Side,
    program: ProgramEnd,
    interactor: InteractorEnd,
) -> Result<InteractionDecision, Fault> {
    let InteractorEnd { ruling, stuck, busy } = interactor;
    match (first, program.decided, ruling) {
        (Side::Interactor, _, Ok(ruling)) if rejected(&ruling) => Ok(InteractionDecision::Interactor(ruling)),
        (Side::Interactor, _, Err(fault)) => Err(fault),
        (_, Some(_), Err(fault)) if program.waited && stuck => Err(fault),
        (_, Some(_), Ok(_)) if program.waited && busy => {
            let why = "the interactor used most of the wall time of the program, so the program cannot be judged";
            Err(Fault::new(FaultKind::Checker, why))
        }
        (_, Some(verdict), _) => Ok(InteractionDecision::Program(verdict)),
        (_, None, Ok(mut ruling)) => {
            if first == Side::Program && rejected(&ruling) {
                let said = ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned());
                ruling.message = Some(format!("{said} (the program ended first)"));
            }
            Ok(InteractionDecision::Interactor(ruling))
        }
        (_, None, Err(fault)) => Err(fault),
    }
}

fn rejected(ruling: &CheckerResult) -> bool {
    matches!(ruling.verdict, Verdict::WrongAnswer | Verdict::PresentationError)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Credit;

    fn ruling(verdict: Verdict) -> Result<CheckerResult, Fault> {
        let credit = if verdict.accepted() { Credit::FULL } else { Credit::NONE };
        Ok(CheckerResult { verdict, credit, points: None, message: None, next_pass: None })
    }

    fn of(first: Side, decided: Option<Verdict>, ruling: Result<CheckerResult, Fault>) -> Result<Verdict, Fault> {
        let waited = decided == Some(Verdict::IdleLimit);
        let interactor = InteractorEnd { ruling, stuck: false, busy: false };
        decide_interaction(first, ProgramEnd { decided, waited }, interactor).map(|settled| match settled {
            InteractionDecision::Program(verdict) => verdict,
            InteractionDecision::Interactor(ruling) => ruling.verdict,
        })
    }

    #[test]
    fn the_table() {
        use Side::{Interactor, Program};
        use Verdict::{Accepted, IdleLimit, RuntimeError, TimeLimit, WrongAnswer};
        let fault = || Err(Fault::new(FaultKind::Checker, "it crashed"));
        for first in [Program, Interactor] {
            assert_eq!(of(first, None, ruling(Accepted)), Ok(Accepted));
            assert_eq!(of(first, None, ruling(WrongAnswer)), Ok(WrongAnswer));
            assert_eq!(of(first, None, fault()), fault().map(|_: CheckerResult| Accepted));
            for own in [RuntimeError, TimeLimit, IdleLimit] {
                assert_eq!(of(first, Some(own), ruling(Accepted)), Ok(own), "a failure of the program decides");
            }
        }
        for own in [RuntimeError, TimeLimit, IdleLimit] {
            assert_eq!(of(Interactor, Some(own), ruling(WrongAnswer)), Ok(WrongAnswer), "the interactor exited first");
            assert_eq!(of(Program, Some(own), ruling(WrongAnswer)), Ok(own));
            assert!(of(Interactor, Some(own), fault()).is_err());
            assert_eq!(of(Program, Some(own), fault()), Ok(own), "the program exited first");
        }
    }

    #[test]
    fn who_waited_for_an_interactor_that_hangs_is_not_to_blame() {
        let fault = Fault::new(FaultKind::Checker, "it hangs");
        let waited = ProgramEnd { decided: Some(Verdict::IdleLimit), waited: true };
        let interactor = InteractorEnd { ruling: Err(fault.clone()), stuck: true, busy: false };
        assert_eq!(decide_interaction(Side::Program, waited, interactor.clone()), Err(fault));
        let crashed = ProgramEnd { decided: Some(Verdict::RuntimeError), waited: false };
        assert_eq!(
            decide_interaction(Side::Program, crashed, interactor),
            Ok(InteractionDecision::Program(Verdict::RuntimeError))
        );
        let slow = InteractorEnd { ruling: ruling(Verdict::WrongAnswer), stuck: false, busy: true };
        assert!(decide_interaction(Side::Program, waited, slow).is_err());
    }

    #[test]
    fn an_early_end_is_told() {
        let interactor = InteractorEnd { ruling: ruling(Verdict::WrongAnswer), stuck: false, busy: false };
        let settled = decide_interaction(Side::Program, ProgramEnd::default(), interactor).unwrap();
        let InteractionDecision::Interactor(ruling) = settled else { panic!("the interactor decides") };
        assert_eq!(ruling.message.as_deref(), Some("wrong answer (the program ended first)"));
    }
}
