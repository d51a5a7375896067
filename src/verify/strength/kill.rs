//! Runs mutants on the tests. A mutant is run until tests of two groups have killed it or it has exceeded a limit.

use std::collections::BTreeMap;

use crate::data::Case;
use crate::model::{Failure, Limits, TimeSpan, Verdict, default_wall};
use crate::runner::{BatchRunner, Host};
use crate::workers::in_parallel;

use super::field::MutationContext;

/// Ratio of a mutant's time limit to the time that the original needs for its slowest test.
const SLOWER: u64 = 5;
/// Minimum time limit of a mutant, unless the problem's limit is smaller, since short times vary.
const LEAST: TimeSpan = TimeSpan::millis(500);
/// Width in bytes of a size class of inputs. All tests of a size class are tried before the tests of the next one.
const LARGE: u64 = 64 << 10;

/// The results of running a mutant on the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MutantResult {
    /// Id of the mutant.
    pub(super) id: u32,
    /// Tests that killed the mutant, with their verdicts. The tests are indices of cases, in the order in which the
    /// tests were tried. The mutant was run on all tests, unless tests of two groups killed it or it exceeded a limit
    /// before that.
    pub(super) kills: Vec<(usize, Verdict)>,
}

impl MutantResult {
    /// Returns whether the mutant exceeded a limit on a test, after which no further tests were tried.
    pub(super) fn by_limit(&self) -> bool {
        self.kills.iter().any(|(_, verdict)| ends(*verdict))
    }
}

/// Returns whether the mutant exceeded a limit, so that further tests would take too long.
fn ends(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::WrongAnswer | Verdict::PresentationError | Verdict::RuntimeError | Verdict::Forbidden)
}

/// Returns the order in which tests are tried. In each size class (see [`LARGE`]), the smallest test of each group is
/// tried first, then the second smallest test of each group, and so on.
pub(super) fn order(cases: &[Case]) -> Vec<usize> {
    let mut by_size: Vec<usize> = (0..cases.len()).collect();
    by_size.sort_by_key(|index| (cases[*index].input.size, *index));
    let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
    let mut ranked: Vec<(u64, usize, usize)> = Vec::with_capacity(cases.len());
    for index in by_size {
        let case = &cases[index];
        let turn = turns.entry(case.group).or_default();
        ranked.push((case.input.size / LARGE, *turn, index));
        *turn += 1;
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, _, index)| index).collect()
}

/// Returns the limits for mutants. They are derived from the value that [`slowest()`] returns.
pub(super) fn limits(of_problem: &Limits, slowest: TimeSpan) -> Limits {
    // A mutant must not be killed by the overhead of selecting it at run time.
    let most = of_problem.cpu.max(slowest.times(2));
    let cpu = slowest.times(SLOWER).max(LEAST).min(most);
    Limits { cpu, wall: default_wall(cpu), ..*of_problem }
}

/// Returns the CPU time of the original's slowest run on a test. The original is run as part of a program that also
/// contains mutants.
///
/// # Errors
/// Fails if the original is not accepted on a test, or if the judge fails.
pub(super) fn slowest(host: &Host, field: &MutationContext<'_>, of_problem: &Limits) -> Result<TimeSpan, Failure> {
    let generous = Limits { cpu: of_problem.cpu.times(10), wall: of_problem.wall.times(10), ..*of_problem };
    let cases: Vec<usize> = (0..field.cases.len()).collect();
    let lease = host.slots().lease(cases.len(), host.cancel(), &mut || {})?;
    let (times, ended) = in_parallel(
        &cases,
        lease.slots(),
        |slot| field.runner(host, slot),
        |runner, case| {
            let tried = field.try_case(runner, 0, &generous, *case)?;
            match tried.0 {
                None => Ok(tried.1),
                Some(verdict) => {
                    let case = &field.cases[*case].id;
                    let message = format!(
                        "{} fails on the test {case} when compiled together with its mutants: expected the verdict \
                         `accepted`, found `{}`",
                        field.name,
                        verdict.long()
                    );
                    Err(Failure::complaint(message))
                }
            }
        },
        |_| {},
    );
    ended?;
    Ok(times.into_iter().flatten().max().unwrap_or(TimeSpan::ZERO))
}

/// Runs the mutants with the ids `ids` on the tests, and returns the results in the order of `ids`.
///
/// # Errors
/// Fails if the judge itself fails.
pub(super) fn run_mutants(
    host: &Host,
    field: &MutationContext<'_>,
    ids: &[u32],
    limits: &Limits,
) -> Result<Vec<MutantResult>, Failure> {
    let order = order(field.cases);
    let lease = host.slots().lease(ids.len(), host.cancel(), &mut || {})?;
    let (results, ended) = in_parallel(
        ids,
        lease.slots(),
        |slot| field.runner(host, slot),
        |runner, id| run_mutant(field, runner, *id, limits, &order),
        |_| {},
    );
    ended?;
    Ok(results.into_iter().flatten().collect())
}

fn run_mutant(
    field: &MutationContext<'_>,
    runner: &mut BatchRunner,
    id: u32,
    limits: &Limits,
    order: &[usize],
) -> Result<MutantResult, Failure> {
    let mut kills: Vec<(usize, Verdict)> = Vec::new();
    for case in order {
        let Some(verdict) = field.try_case(runner, id, limits, *case)?.0 else { continue };
        let group = |case: usize| field.cases[case].group;
        let enough = ends(verdict) || kills.first().is_some_and(|(first, _)| group(*first) != group(*case));
        kills.push((*case, verdict));
        if enough {
            break;
        }
    }
    Ok(MutantResult { id, kills })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Blob;
    use crate::model::{ByteSize, CaseId, Digest};

    fn case(group: usize, size: u64) -> Case {
        let blob = Blob { digest: Digest::of(b""), size };
        Case { id: CaseId::new("g", group + 1), group, input: blob, answer: blob }
    }

    #[test]
    fn groups_take_turns_and_large_inputs_come_last() {
        let cases = [case(0, 9), case(0, 5), case(1, 1 << 20), case(1, 7), case(2, 8), case(2, 8)];
        assert_eq!(order(&cases), [1, 3, 4, 0, 5, 2]);
    }

    #[test]
    fn limit_is_a_multiple_of_the_original_time() {
        let of_problem = Limits {
            cpu: TimeSpan::seconds(2),
            wall: TimeSpan::seconds(5),
            memory: ByteSize::mib(64),
            output: ByteSize::mib(1),
            processes: 4,
        };
        let cpu = |slowest: u64| limits(&of_problem, TimeSpan::millis(slowest)).cpu;
        assert_eq!(cpu(1), TimeSpan::millis(500));
        assert_eq!(cpu(200), TimeSpan::seconds(1));
        assert_eq!(cpu(900), TimeSpan::seconds(2), "not more than the problem's limit");
        assert_eq!(cpu(1500), TimeSpan::seconds(3), "but at least twice the original time");
    }
}
