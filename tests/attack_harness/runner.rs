//! A worker that runs attacks in its cell and records failures.

use std::ffi::OsString;

use nimatron::model::{ByteSize, Level};
use nimatron::sandbox::{Cell, CellCommand, CellOutput, CellSpec, Mount, Sandbox};

use crate::Manner;
use crate::attack::{Attack, LIMITS, ample, build, compiler, happened, task};
use crate::canaries::{Canaries, survivors};

/// A worker with its cell and canaries.
pub(crate) struct AttackRunner<'a> {
    sandbox: &'a dyn Sandbox,
    slot: usize,
    level: Level,
    programs: tempfile::TempDir,
    canaries: Canaries,
    /// The failures, each with the name of the attack.
    pub(crate) failures: Vec<String>,
    /// The number of attacks that were run.
    pub(crate) count: usize,
}

impl<'a> AttackRunner<'a> {
    /// Creates the worker for this slot.
    pub(crate) fn new(sandbox: &'a dyn Sandbox, slot: usize) -> AttackRunner<'a> {
        AttackRunner {
            sandbox,
            slot,
            level: sandbox.isolation().level,
            programs: tempfile::tempdir().unwrap(),
            canaries: Canaries::new(),
            failures: Vec::new(),
            count: 0,
        }
    }

    /// Runs these attacks in sequence.
    pub(crate) fn attack<'b>(&mut self, attacks: impl Iterator<Item = &'b Attack>, manner: Manner) {
        let check = Attack::check();
        let check = build(&check, self.programs.path()).unwrap();
        let mounts = vec![Mount::read(self.programs.path())];
        let mut cell = self.sandbox.open(&CellSpec { slot: self.slot, mounts, scratch: ByteSize::mib(16) }).unwrap();
        let level = self.level;
        let is_chosen = |attack: &&Attack| !manner.forked || attack.has_start_hook();
        for attack in attacks.filter(|attack| attack.expected_at(level).is_some()).filter(is_chosen) {
            if attack.is_for_compilers() {
                self.run_compiler(attack);
            } else {
                self.run_program(&mut *cell, &check, attack, manner);
            }
        }
    }

    fn judge(&mut self, attack: &Attack, run: &CellOutput) {
        self.count += 1;
        let expected = attack.expected_at(self.level).unwrap();
        let mut complaints = self.canaries.alarms(run);
        if !expected.iter().any(|outcome| happened(&run.execution, outcome)) {
            let mut execution = run.execution.clone();
            execution.stderr.text.truncate(300);
            complaints.push(format!("expected {expected:?}, found {execution:?}"));
        }
        self.failures
            .extend(complaints.into_iter().map(|complaint| format!("{} at {}: {complaint}", attack.name, self.level)));
    }

    /// Runs a command of an attack and judges the run. A prestarted process may be left.
    fn run(&mut self, cell: &mut dyn Cell, attack: &Attack, task: CellCommand) {
        let may_leave_process = task.prestart;
        match cell.run(task) {
            Ok(run) => self.judge(attack, &run),
            Err(fault) => self.failures.push(format!("{} at {}: {fault}", attack.name, self.level)),
        }
        if !may_leave_process {
            self.find_survivors(attack);
        }
    }

    /// Records the programs of this worker that are still running.
    fn find_survivors(&mut self, attack: &Attack) {
        for left in survivors(self.programs.path()) {
            self.failures.push(format!("{} at {}: still running: {left}", attack.name, self.level));
        }
    }

    fn run_program(&mut self, cell: &mut dyn Cell, check: &[OsString], attack: &Attack, manner: Manner) {
        let Some(mut argv) = build(attack, self.programs.path()) else {
            return println!("skipped: {} cannot be built here", attack.name);
        };
        argv.extend(self.canaries.arguments());
        std::thread::sleep(manner.pause);
        for _ in 0..if manner.forked { 2 } else { 1 } {
            let task = CellCommand { prestart: manner.forked, ..task(argv.clone(), attack.limits_at(self.level)) };
            self.run(cell, attack, task);
        }
        std::thread::sleep(manner.pause);
        let after = cell.run(task(check.to_vec(), ample(LIMITS)));
        let clean = after.as_ref().is_ok_and(|run| run.execution.exit.success() && run.execution.breach.is_none());
        if !clean {
            self.failures.push(format!("{} at {}: the next run found {after:?}", attack.name, self.level));
        }
        // The run of another program has ended the prestarted process.
        self.find_survivors(attack);
    }

    fn run_compiler(&mut self, attack: &Attack) {
        let secret = self.canaries.folder.path().join("secret");
        let Some((argv, mut mounts)) = compiler(attack, &secret) else {
            return println!("skipped: no compiler for {}", attack.name);
        };
        let folder = tempfile::tempdir_in(self.programs.path()).unwrap();
        fs_err::copy(&attack.source, folder.path().join(&attack.name)).unwrap();
        mounts.push(Mount::write(folder.path()));
        let mut cell = self.sandbox.open(&CellSpec { slot: self.slot, mounts, scratch: ByteSize::mib(64) }).unwrap();
        let mut task = task(argv, attack.limits_at(self.level));
        task.dir = Some(folder.path().into());
        task.env = vec![("PATH".into(), "/usr/bin:/bin".into()), ("SECRET".into(), secret.into())];
        if self.level > Level::B {
            task.env.push(("TMPDIR".into(), folder.path().into()));
        }
        self.run(&mut *cell, attack, task);
        drop(cell);
        let made = fs_err::read(folder.path().join("a")).unwrap_or_default();
        let token = self.canaries.token.as_bytes();
        if made.windows(token.len()).any(|window| window == token) {
            self.failures.push(format!("{} at {}: the secret is in the program", attack.name, self.level));
        }
    }
}
