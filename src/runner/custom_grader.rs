//! An executor with the worker threads that judge cases and the package's custom grader.

use crate::judge::{Executor, GraderQuestion, GroupOutcome, Job, Threads, Update};
use crate::model::{Fault, FaultKind};
use crate::problem::AuxProgram;

use super::aux_program::AuxPrograms;
use super::host::Host;

/// Worker threads and a custom grader.
pub(super) struct GradingThreads<'a, 'scope> {
    threads: Threads<'scope>,
    aux_programs: AuxPrograms<'a>,
    grader: Option<&'a AuxProgram>,
}

impl<'a, 'scope> GradingThreads<'a, 'scope> {
    pub(super) fn new(threads: Threads<'scope>, host: &'a Host, grader: Option<&'a AuxProgram>) -> Self {
        GradingThreads { threads, aux_programs: AuxPrograms::new(host, 0), grader }
    }
}

impl Executor for GradingThreads<'_, '_> {
    fn slots(&self) -> usize {
        self.threads.slots()
    }

    fn start(&mut self, job: Job) {
        self.threads.start(job);
    }

    fn wait(&mut self) -> Result<Update, Fault> {
        self.threads.wait()
    }

    fn grade(&mut self, question: &GraderQuestion) -> Result<GroupOutcome, Fault> {
        let none = || Fault::new(FaultKind::Worker, "the package has no custom grader");
        self.aux_programs.ready(self.grader.ok_or_else(none)?)?.grade(question)
    }
}
