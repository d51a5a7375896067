//! The threads that judge cases, and beside them the package's own grader, which is asked while none of them is waited
//! for.

use crate::judge::{Done, Executor, Graded, Job, Question, Threads};
use crate::model::{Fault, FaultKind};
use crate::problem::AuxProgram;

use super::arena::Arena;
use super::desk::Desks;

/// Threads and a grader.
pub(super) struct WithGrader<'a, 'scope> {
    threads: Threads<'scope>,
    desks: Desks<'a>,
    grader: Option<&'a AuxProgram>,
}

impl<'a, 'scope> WithGrader<'a, 'scope> {
    pub(super) fn new(threads: Threads<'scope>, arena: &'a Arena, grader: Option<&'a AuxProgram>) -> Self {
        WithGrader { threads, desks: Desks::new(arena, 0), grader }
    }
}

impl Executor for WithGrader<'_, '_> {
    fn slots(&self) -> usize {
        self.threads.slots()
    }

    fn start(&mut self, job: Job) {
        self.threads.start(job);
    }

    fn wait(&mut self) -> Result<(Job, Done), Fault> {
        self.threads.wait()
    }

    fn grade(&mut self, question: &Question) -> Result<Graded, Fault> {
        let none = || Fault::new(FaultKind::Worker, "the package's grader was lost");
        self.desks.ready(self.grader.ok_or_else(none)?)?.grade(question)
    }
}
