//! A case of an interactive problem: the program and the interactor run at once and talk to each other.

use std::ffi::OsString;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};

use crate::judge::{Counterpart, Feedback, Part, Settled, classify, settle};
use crate::lang::Program;
use crate::model::{Breach, Execution, Exit, Fault, FaultKind, Limits, Side, Transcript};
use crate::problem::{AuxProgram, Protocol};
use crate::sandbox::{Cell, Input, Output, Run};

use super::desk::{Seated, Text, WRITTEN};
use super::examiner::{Examined, Examiner};
use super::hands::task;
use super::relay::{Ends, Heard, ends};
use super::stand::{Quiet, fairly};

/// What came of both.
pub(super) struct Met {
    pub(super) program: Run,
    pub(super) interactor: Run,
    pub(super) heard: Heard,
}

impl Met {
    /// Whether the clock stopped a program that waited for an answer. The interactor may have owed it and had no processor:
    /// who waits in vain once more is to blame itself.
    fn in_vain(&self) -> bool {
        self.heard.unanswered && self.program.execution.breach == Some(Breach::Idle)
    }
}

/// A program at its cell that is to talk, and who judges it.
pub(super) struct Talker<'a, 'e> {
    pub(super) cell: &'a mut dyn Cell,
    pub(super) program: &'a Program,
    pub(super) limits: &'a Limits,
    pub(super) examiner: &'a mut Examiner<'e>,
    pub(super) quiet: &'a Quiet,
    /// Gets what was said.
    pub(super) transcript: &'a mut Option<Transcript>,
}

/// What they talk about.
pub(super) struct Topic<'a> {
    pub(super) input: Text<'a>,
    pub(super) answer: Text<'a>,
    /// The program's arguments.
    pub(super) args: &'a [String],
    /// The files in its working directory.
    pub(super) beside: Vec<(OsString, Vec<u8>)>,
}

impl Talker<'_, '_> {
    /// Has the program talk to the interactor, and judges by what comes of it.
    pub(super) fn converse(
        &mut self,
        interactor: &AuxProgram,
        checker: Option<&AuxProgram>,
        topic: &Topic<'_>,
        feedback: Feedback,
    ) -> Result<(Run, Examined), Fault> {
        let own = self.program.limits(self.limits).cpu;
        let mut once = |limits: &Limits| {
            let scene = Scene { cell: &mut *self.cell, program: self.program, limits, topic };
            meet(scene, self.examiner.desks.ready(interactor)?, feedback.clone())
        };
        let meet = |limits: &Limits| match once(limits)? {
            met if met.in_vain() => once(limits),
            met => Ok(met),
        };
        let Met { mut program, interactor: other, heard } =
            fairly(self.quiet, self.limits, own, meet, |met| &met.program.execution)?;
        if heard.flooded == Some(Side::Program) {
            program.execution.breach = Some(Breach::Output);
        }
        *self.transcript = Some(heard.transcript);
        let part = self.part(&program.execution);
        let seated = self.examiner.desks.ready(interactor)?;
        let wall = self.program.limits(self.limits).wall;
        let stuck = matches!(other.execution.breach, Some(Breach::Cpu | Breach::Wall | Breach::Starved | Breach::Idle));
        let busy = other.execution.usage.cpu.times(2) >= wall;
        let (ruling, left) = match (heard.flooded, seated.rule(other)) {
            (Some(Side::Interactor), _) => (Err(flood(seated.name())), Feedback::new()),
            (_, Ok((ruling, left))) => (Ok(ruling), left),
            (_, Err(fault)) => (Err(fault), Feedback::new()),
        };
        let examined = match settle(heard.first, part, Counterpart { ruling, stuck, busy })? {
            Settled::Program(verdict) => Examined::decided(verdict, None),
            Settled::Interactor(ruling) => Examined { ruling, difference: None, feedback: left },
        };
        let accepted = examined.ruling.verdict.accepted();
        match checker.filter(|_| accepted) {
            None => Ok((program, examined)),
            Some(checker) => self.check_written(checker, topic, examined).map(|examined| (program, examined)),
        }
    }

    fn part(&self, execution: &Execution) -> Part {
        let decided = classify(execution, &self.program.limits(self.limits));
        Part { decided, waited: matches!(execution.breach, Some(Breach::Wall | Breach::Starved | Breach::Idle)) }
    }

    /// The checker's word on what an interactor wrote that accepted.
    fn check_written(
        &mut self,
        checker: &AuxProgram,
        topic: &Topic<'_>,
        accepted: Examined,
    ) -> Result<Examined, Fault> {
        let written = accepted.feedback.into_iter().find(|(name, _)| name == WRITTEN);
        let written = written.map(|(_, text)| text).unwrap_or_default();
        let seated = &mut self.examiner.desks.ready(checker)?;
        let (ruling, feedback) = seated.check(topic.input, Text::Bytes(&written), topic.answer, Feedback::new())?;
        Ok(Examined { ruling, difference: None, feedback })
    }
}

/// Where a dialogue takes place: a program at its cell, and what it is about.
pub(super) struct Scene<'a> {
    pub(super) cell: &'a mut dyn Cell,
    pub(super) program: &'a Program,
    pub(super) limits: &'a Limits,
    pub(super) topic: &'a Topic<'a>,
}

/// Runs both to their ends.
pub(super) fn meet(scene: Scene<'_>, mut seated: Seated<'_>, feedback: Feedback) -> Result<Met, Fault> {
    let Scene { cell, program, limits, topic } = scene;
    let own = program.limits(limits);
    let (bell, rope) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| unconnected(error.into()))?;
    let output = seated.limits().output.get();
    let Ends { stdin, stdout, relay } = ends(bell, [own.output.get(), output]).map_err(unconnected)?;
    let ([program_in, interactor_in], [program_out, interactor_out]) = (stdin, stdout);
    let streams = (Input::Pipe(interactor_in), Output::Pipe(interactor_out));
    let mut other = seated.prepare(topic.input, topic.answer, feedback, streams)?;
    // It may wait for the program as long as that may run, and has its own time besides.
    other.limits.wall = other.limits.wall.plus(own.wall);
    let mut task = task(program, limits, cell.private_dir(), Input::Pipe(program_in), topic.args);
    task.stdout = Output::Pipe(program_out);
    task.files.clone_from(&topic.beside);
    std::thread::scope(|scope| {
        let relay = scope.spawn(move || relay.run());
        let other = scope.spawn(move || {
            let run = seated.run(other);
            let content = run.as_ref().is_ok_and(|run| content(seated.protocol(), &run.execution));
            // Letting go of the rope rings the bell.
            let rope: Option<OwnedFd> = content.then_some(rope);
            (run, rope)
        });
        let program = cell.run(task);
        let lost = |_| Fault::new(FaultKind::Worker, "a thread of the judge panicked");
        let (interactor, rope) = other.join().map_err(lost)?;
        let heard = relay.join().map_err(lost)?.map_err(unconnected)?;
        drop(rope);
        Ok(Met { program: program?, interactor: interactor?, heard })
    })
}

/// Whether an interactor that ended so may still want the program to end well.
fn content(protocol: Protocol, execution: &Execution) -> bool {
    match (protocol, execution.exit) {
        (Protocol::Icpc, Exit::Code(code)) => code == 42,
        (Protocol::Testlib, Exit::Code(code)) => matches!(code, 0 | 5 | 7 | 16..),
        (Protocol::Plain, Exit::Code(code)) => code == 0,
        (_, Exit::Signal(_)) => false,
    }
}

fn flood(name: &str) -> Fault {
    Fault::new(FaultKind::Checker, format!("{name} said more than its output limit"))
}

fn unconnected(error: std::io::Error) -> Fault {
    Fault::new(FaultKind::Sandbox, format!("a program and an interactor can't be connected: {error}"))
}
