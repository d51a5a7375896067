//! A built program at a cell of its own, to be run on one input after another.

use std::sync::{PoisonError, RwLock};

use crate::judge::{Feedback, classify};
use crate::lang::{Program, Source};
use crate::model::{Breach, Execution, Failure, Fault, FaultKind, Limits, TimeSpan, Verdict};
use crate::problem::AuxProgram;
use crate::sandbox::{Cell, Input, Run, machine_time};

use super::arena::Arena;
use super::converse::{Talker, Topic};
use super::desk::Text;
use super::examiner::{Examined, Examiner};
use super::hands::{SETTERS, file_with, room, task};

/// How often a program is run alone at most, if others disturb it.
const TRIES_ALONE: usize = 5;
/// How long is waited between, for the disturbance to end.
const PAUSE: TimeSpan = TimeSpan::seconds(2);

/// Held for reading while a program runs, and for writing while one runs alone.
pub type Quiet = RwLock<()>;

/// A built program, and the arguments it gets behind its own.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// The program.
    pub program: Program,
    /// Its arguments.
    pub args: Vec<String>,
    /// What it is called, for people.
    pub name: String,
}

/// A program at its cell.
pub struct Stand {
    entrant: Entrant,
    cell: Box<dyn Cell>,
}

impl Arena {
    /// Builds a program under this name. The inner error has the compiler's words.
    ///
    /// # Errors
    /// Its language is not here, or our own failure.
    pub fn entrant(&self, source: &Source, name: &str) -> Result<Result<Entrant, String>, Failure> {
        let built = self.build(source)?;
        Ok(built.map(|built| Entrant { program: built.program, args: Vec::new(), name: name.to_owned() }))
    }

    /// A cell for this program on the processor of this slot.
    ///
    /// # Errors
    /// A fault if the cell can't be made.
    pub fn stand(&self, entrant: &Entrant, slot: usize) -> Result<Stand, Fault> {
        let cell = self.sandbox().open(&room(&entrant.program, slot))?;
        Ok(Stand { entrant: entrant.clone(), cell })
    }

    /// What a setter's program may use: its author is trusted to mean well and may still be wrong.
    pub fn setters_limits(&self) -> Limits {
        SETTERS
    }
}

impl Stand {
    /// The program.
    pub fn entrant(&self) -> &Entrant {
        &self.entrant
    }

    /// One run on this input. The limits are those of the problem; its language may have more.
    ///
    /// # Errors
    /// A fault of the sandbox, or that it was cancelled; never for what the program did.
    pub fn run(&mut self, input: &[u8], limits: &Limits) -> Result<Run, Fault> {
        self.start(Input::File(file_with(input)?), &[], limits)
    }

    /// One run without any input, with these arguments behind all others.
    ///
    /// # Errors
    /// As [`Stand::run`].
    pub fn run_with(&mut self, args: &[String], limits: &Limits) -> Result<Run, Fault> {
        self.start(Input::Empty, args, limits)
    }

    /// A run as a judge makes it, and what its facts decide: with more time, and alone if it needed that.
    ///
    /// # Errors
    /// As [`Stand::run`].
    pub fn judge(&mut self, input: &[u8], limits: &Limits, quiet: &Quiet) -> Result<(Run, Option<Verdict>), Fault> {
        let own = self.entrant.program.limits(limits);
        let mut run = fairly(quiet, limits, own.cpu, |limits| self.run(input, limits), |run| &run.execution)?;
        let said = &mut run.execution.stderr.text;
        *said = self.entrant.program.plain(said, short(&self.entrant.name));
        let verdict = classify(&run.execution, &own);
        Ok((run, verdict))
    }

    /// The same where the program talks to an interactor, which decides, perhaps with a checker of what it wrote. There is
    /// no answer to be shown to them.
    ///
    /// # Errors
    /// As [`Stand::run`], and what the interactor or the checker does beside its protocol.
    pub fn converse(
        &mut self,
        examiner: &mut Examiner<'_>,
        (interactor, checker): (&AuxProgram, Option<&AuxProgram>),
        input: &[u8],
        limits: &Limits,
        quiet: &Quiet,
    ) -> Result<(Run, Examined), Fault> {
        let Entrant { program, args, name } = &self.entrant;
        let topic = Topic { input: Text::Bytes(input), answer: Text::Bytes(b""), args, beside: Vec::new() };
        let (cell, transcript) = (self.cell.as_mut(), &mut None);
        let mut talker = Talker { cell, program, limits, examiner, quiet, transcript };
        let (mut run, examined) = talker.converse(interactor, checker, &topic, Feedback::new())?;
        let said = &mut run.execution.stderr.text;
        *said = program.plain(said, short(name));
        Ok((run, examined))
    }

    /// The verdict that a run's facts alone decide, under the limits that this program has.
    pub fn classify(&self, run: &Run, limits: &Limits) -> Option<Verdict> {
        classify(&run.execution, &self.entrant.program.limits(limits))
    }

    fn start(&mut self, stdin: Input, args: &[String], limits: &Limits) -> Result<Run, Fault> {
        let args = [&self.entrant.args, args].concat();
        self.cell.run(task(&self.entrant.program, limits, self.cell.private_dir(), stdin, &args))
    }
}

/// The file's name of a path, for messages of compilers and interpreters.
fn short(name: &str) -> &str {
    std::path::Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name)
}

/// Runs with more CPU time than `limits`, and once more, alone, if what else runs here may be to blame: if more than `own`
/// was used and it was not stopped for that, or if the clock stopped it though it was not idle. `own` is the program's
/// limit, which its language may stretch.
///
/// Beside another program, which shares caches and perhaps the very core, the same work takes up to twice the CPU time
/// (measured: 1.6 to 1.9 times). So that is how much a program gets there: who is stopped at it is too slow anywhere. One
/// that is run again alone would stop all others for as long, which a class of endless programs must not be able to do.
///
/// # Errors
/// A fault of `run`, or that the program had no processor alone either: that is no verdict on it.
pub(super) fn fairly<T>(
    quiet: &Quiet,
    limits: &Limits,
    own: TimeSpan,
    mut run: impl FnMut(&Limits) -> Result<T, Fault>,
    execution: impl Fn(&T) -> &Execution,
) -> Result<T, Fault> {
    let first = {
        let _shared = quiet.read().unwrap_or_else(PoisonError::into_inner);
        run(&Limits { cpu: limits.cpu.times(2), ..*limits })?
    };
    if !is_unsure(execution(&first), own) {
        return Ok(first);
    }
    let _alone = quiet.write().unwrap_or_else(PoisonError::into_inner);
    alone(limits, own, run, execution, &machine_time, PAUSE)
}

/// Whether what else ran may have made these facts.
fn is_unsure(facts: &Execution, own: TimeSpan) -> bool {
    match facts.breach {
        Some(Breach::Cpu) => false,
        Some(Breach::Wall | Breach::Starved) => true,
        _ => facts.usage.cpu > own,
    }
}

/// Runs with a little more CPU time than `limits` while none of our programs runs beside it. Who is too slow while others
/// of this machine, or of the one that it is a guest of, take processors away is given more tries: the same program has
/// been seen to take three times as long in such moments, which last for seconds.
fn alone<T>(
    limits: &Limits,
    own: TimeSpan,
    mut run: impl FnMut(&Limits) -> Result<T, Fault>,
    execution: impl Fn(&T) -> &Execution,
    machine: &dyn Fn() -> Option<(TimeSpan, usize)>,
    pause: TimeSpan,
) -> Result<T, Fault> {
    let grace = Limits { cpu: limits.cpu.plus(TimeSpan::micros(limits.cpu.as_micros() / 10)), ..*limits };
    let mut left = TRIES_ALONE;
    loop {
        let before = machine();
        let tried = run(&grace)?;
        let facts = execution(&tried);
        let slow = facts.breach == Some(Breach::Cpu) || is_unsure(facts, own);
        let disturbed = before.zip(machine()).is_some_and(|(before, after)| is_disturbed(before, after, facts));
        left -= 1;
        if slow && disturbed && left > 0 {
            std::thread::sleep(pause.duration());
            continue;
        }
        return match facts.breach {
            Some(Breach::Starved) => Err(too_busy(facts)),
            _ => Ok(tried),
        };
    }
}

/// Whether what is not this run kept the other processors busy for more than a fifth of its time; or its own, where there is
/// no other.
fn is_disturbed((before, _): (TimeSpan, usize), (after, processors): (TimeSpan, usize), facts: &Execution) -> bool {
    let busy = after.as_micros().saturating_sub(before.as_micros());
    let theirs = busy.saturating_sub(facts.usage.cpu.as_micros());
    let others = processors.saturating_sub(1).max(1) as u64;
    theirs.saturating_mul(5) >= facts.usage.wall.as_micros().saturating_mul(others)
}

fn too_busy(facts: &Execution) -> Fault {
    let message = format!(
        "this machine is too busy to judge: the program had a processor for {} of {}, and stood in line for one else",
        facts.usage.cpu, facts.usage.wall
    );
    Fault::new(FaultKind::Worker, message)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::model::{ByteSize, Capture, Exit, Usage};

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(2),
        wall: TimeSpan::seconds(5),
        memory: ByteSize::mib(64),
        output: ByteSize::mib(8),
        processes: 16,
    };

    fn ended(cpu: TimeSpan, wall: TimeSpan, breach: Option<Breach>) -> Execution {
        let usage = Usage { cpu, wall, memory: ByteSize::mib(1), instructions: None };
        Execution { exit: Exit::Code(0), breach, usage, stderr: Capture::default() }
    }

    /// What comes of these runs, one after another, and how many there were.
    fn judged(runs: &[Execution]) -> (Result<Execution, FaultKind>, usize) {
        let mut left = runs.iter();
        let run = |_: &Limits| Ok(left.next().unwrap().clone());
        let done = fairly(&Quiet::new(()), &LIMITS, LIMITS.cpu, run, |run| run).map_err(|fault| fault.kind);
        (done, runs.len() - left.len())
    }

    /// The same of runs that are alone, with the time that others had meanwhile.
    fn judged_alone(runs: &[(Execution, TimeSpan)]) -> (Result<Execution, FaultKind>, usize) {
        judged_among(2, runs)
    }

    /// The same on a machine with so many processors.
    fn judged_among(processors: usize, runs: &[(Execution, TimeSpan)]) -> (Result<Execution, FaultKind>, usize) {
        let (left, clock) = (Cell::new(0), Cell::new(TimeSpan::ZERO));
        let run = |limits: &Limits| {
            assert_eq!(limits.cpu, TimeSpan::millis(2_200));
            let (execution, others) = &runs[left.replace(left.get() + 1)];
            clock.set(clock.get().plus(execution.usage.cpu).plus(*others));
            Ok(execution.clone())
        };
        let done = alone(&LIMITS, LIMITS.cpu, run, |run| run, &|| Some((clock.get(), processors)), TimeSpan::ZERO);
        (done.map_err(|fault| fault.kind), left.get())
    }

    #[test]
    fn who_had_no_processor_is_run_again_alone_and_never_blamed() {
        let good = ended(TimeSpan::millis(40), TimeSpan::millis(50), None);
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let hungry = ended(TimeSpan::millis(84), TimeSpan::seconds(30), Some(Breach::Starved));
        let idle = ended(TimeSpan::millis(84), TimeSpan::seconds(5), Some(Breach::Idle));
        let slow = ended(TimeSpan::millis(1_900), TimeSpan::seconds(5), Some(Breach::Wall));
        let endless = ended(TimeSpan::millis(4_001), TimeSpan::seconds(4), Some(Breach::Cpu));
        for sure in [&good, &idle, &endless] {
            assert_eq!(judged(std::slice::from_ref(sure)), (Ok(sure.clone()), 1));
        }
        for unsure in [&late, &hungry, &slow] {
            assert_eq!(judged(&[unsure.clone(), good.clone()]), (Ok(good.clone()), 2));
        }
        // What it did after its time is not what it is stopped for.
        let large = ended(TimeSpan::millis(3_100), TimeSpan::millis(3_200), Some(Breach::Memory));
        assert_eq!(judged(&[large, good.clone()]), (Ok(good), 2));
    }

    #[test]
    fn who_is_too_slow_alone_is_tried_again_only_if_others_had_the_processors() {
        let good = ended(TimeSpan::millis(40), TimeSpan::millis(50), None);
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let stopped = ended(TimeSpan::millis(2_200), TimeSpan::millis(2_200), Some(Breach::Cpu));
        let slow = ended(TimeSpan::millis(1_900), TimeSpan::seconds(5), Some(Breach::Wall));
        let hungry = ended(TimeSpan::millis(84), TimeSpan::seconds(30), Some(Breach::Starved));
        let awake = ended(TimeSpan::millis(200), TimeSpan::seconds(5), Some(Breach::Wall));
        let (little, much) = (TimeSpan::millis(400), TimeSpan::millis(1_100));
        for sure in [&late, &stopped, &slow, &awake] {
            assert_eq!(judged_alone(&[(sure.clone(), little)]), (Ok(sure.clone()), 1));
        }
        assert_eq!(judged_alone(&[(good.clone(), much)]), (Ok(good.clone()), 1), "right however little it had");
        for unsure in [&late, &stopped, &slow, &hungry, &awake] {
            let others = TimeSpan::seconds(10);
            assert_eq!(judged_alone(&[(unsure.clone(), others), (good.clone(), little)]), (Ok(good.clone()), 2));
        }
        let twice = [(late.clone(), much), (good.clone(), little)];
        assert_eq!(judged_among(1, &twice).1, 2, "its own processor, where there is no other");
        assert_eq!(judged_among(8, &twice), (Ok(late.clone()), 1), "many processors have room for others");
        let ever = vec![(stopped.clone(), much); TRIES_ALONE];
        assert_eq!(judged_alone(&ever), (Ok(stopped), TRIES_ALONE), "no machine is waited for without end");
        assert_eq!(judged_alone(&[(hungry.clone(), little)]), (Err(FaultKind::Worker), 1));
        assert_eq!(judged_alone(&vec![(hungry, TimeSpan::seconds(30)); TRIES_ALONE]).0, Err(FaultKind::Worker));
        let ever = vec![(awake.clone(), TimeSpan::seconds(30)); TRIES_ALONE];
        assert_eq!(judged_alone(&ever), (Ok(awake), TRIES_ALONE), "who sleeps first is no failure of ours");
    }
}
