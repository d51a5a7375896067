//! Converts the checker, the interactor and the validator of a problem as written.

use std::path::{Component, Path, PathBuf};

use crate::check::{Comparer, ComparisonRule};
use crate::model::{ByteSize, Diagnostic, Limits, Score, TimeSpan, default_wall};
use crate::yaml::PathStep;

use super::checker_spec::{CheckerSpec, ProgramSpec, ProtocolSpec, RuleSpec};
use super::judging::{AuxProgram, Judging, Protocol};
use super::lower::{Lower, path};
use super::spec::Spec;

/// Maximum CPU time limit of an auxiliary program.
const LONGEST: TimeSpan = TimeSpan::seconds(600);
/// Maximum number of passes per case.
const MOST_PASSES: u32 = 1_000;

impl Lower<'_> {
    /// Converts the checker and the interactor to a method of judging.
    pub(super) fn judging(&self, spec: &Spec) -> Result<Judging, Diagnostic> {
        let checker = match &spec.checker {
            Some(CheckerSpec::Program(program)) => Some(self.aux_program("checker", program)?),
            _ => None,
        };
        let passes = self.passes(spec)?;
        if let Some(program) = &spec.interactor {
            let interactor = self.aux_program("interactor", program)?;
            self.check_interactive(spec, &interactor)?;
            return Ok(Judging::Interactor { interactor, checker: checker.map(Box::new), passes });
        }
        Ok(match (checker, &spec.checker) {
            (Some(checker), _) => Judging::Checker { checker, passes },
            (None, Some(CheckerSpec::BuiltIn { rule, fold_case })) => Judging::Compare(comparer(*rule, *fold_case)),
            (None, _) => Judging::default(),
        })
    }

    /// Converts the validator; the list is empty if there is none.
    pub(super) fn validators(&self, spec: &Spec) -> Result<Vec<AuxProgram>, Diagnostic> {
        spec.validator.iter().map(|program| self.aux_program("validator", program)).collect()
    }

    /// Checks that an interactive problem has no `answer:`, and no checker that can't be combined with its interactor.
    fn check_interactive(&self, spec: &Spec, interactor: &AuxProgram) -> Result<(), Diagnostic> {
        if spec.checker.is_some() && interactor.protocol == Protocol::Icpc {
            let message =
                "an interactor of protocol `icpc` determines the verdict, so the problem cannot have a checker";
            return Err(self
                .at(&path(["checker".into()]), message)
                .help("remove `checker`, or write `protocol: testlib` for the interactor"));
        }
        if matches!(spec.checker, Some(CheckerSpec::BuiltIn { .. })) {
            let message = "the output of an interactor can only be checked by a checker program";
            return Err(self
                .at(&path(["checker".into()]), message)
                .help("write `checker: { program: FILE }`, or remove `checker`"));
        }
        if !spec.answer.is_empty() {
            let message = "an interactive problem cannot have an `answer:`";
            return Err(self.at(&path(["answer".into()]), message).help("remove `answer`, or remove `interactor`"));
        }
        Ok(())
    }

    fn passes(&self, spec: &Spec) -> Result<u32, Diagnostic> {
        let Some(passes) = spec.passes else { return Ok(1) };
        let here = path(["passes".into()]);
        let program = match (&spec.interactor, &spec.checker) {
            (Some(interactor), _) => Some(interactor),
            (None, Some(CheckerSpec::Program(checker))) => Some(checker),
            (None, _) => None,
        };
        if !(1..=MOST_PASSES).contains(&passes) {
            return Err(self.at(&here, format!("expected 1 to {MOST_PASSES} passes, found {passes}")));
        }
        match program {
            Some(program) if program.protocol == ProtocolSpec::Icpc => Ok(passes),
            _ if passes == 1 => Ok(1),
            _ => Err(self
                .at(&here, "several passes require a checker program or interactor with the protocol `icpc`")
                .help("remove `passes`, or add a program that writes the input of the next pass to `nextpass.in`")),
        }
    }

    fn aux_program(&self, key: &str, spec: &ProgramSpec) -> Result<AuxProgram, Diagnostic> {
        let file = self.program_at(&path([key.into()]), &path([key.into(), "program".into()]), &spec.program)?;
        if let Some(points) = spec.points.filter(|points| key == "validator" || !(1..=1_000_000).contains(points)) {
            let message = match key {
                "validator" => "a validator cannot award points; remove `points`".to_owned(),
                _ => format!("expected points from 1 to 1000000, found {points}"),
            };
            return Err(self.at(&path([key.into(), "points".into()]), message));
        }
        Ok(AuxProgram {
            args: spec.args.split_whitespace().map(str::to_owned).collect(),
            limits: self.program_limits(key, spec)?,
            full: spec.points.map(Score::points),
            ..AuxProgram::new(
                file,
                match spec.protocol {
                    ProtocolSpec::Icpc => Protocol::Icpc,
                    ProtocolSpec::Testlib => Protocol::Testlib,
                },
            )
        })
    }

    /// Returns the path of the program `program`, which must be a file or folder in `programs/`. An error marks the
    /// value at the path `long`, or the value at the path `short` if `long` does not exist.
    pub(super) fn program_at(
        &self,
        short: &[PathStep],
        long: &[PathStep],
        program: &str,
    ) -> Result<PathBuf, Diagnostic> {
        let complain = |message: String| {
            let at_long = self.at(long, message.clone());
            if at_long.place.is_some() { at_long } else { self.at(short, message) }
        };
        let plain = Path::new(program).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || program.is_empty() {
            let found = if program.is_empty() { "an empty string".to_owned() } else { format!("`{program}`") };
            return Err(complain(format!("expected the name of a file or folder in `programs/`, found {found}")));
        }
        let file = self.dir.join("programs").join(program);
        if file.is_file() || file.is_dir() {
            return Ok(file);
        }
        Err(complain(format!("the program `{program}` does not exist: there is no `{}`", file.display())))
    }

    fn program_limits(&self, key: &str, spec: &ProgramSpec) -> Result<Limits, Diagnostic> {
        let default = AuxProgram::LIMITS;
        let cpu = spec.limits.time.unwrap_or(default.cpu);
        let limits = Limits {
            cpu,
            wall: spec.limits.wall.unwrap_or(default_wall(cpu)),
            memory: spec.limits.memory.unwrap_or(default.memory),
            output: spec.limits.output.unwrap_or(default.output),
            ..default
        };
        let complain =
            |name: &str, message: String| Err(self.at(&path([key.into(), "limits".into(), name.into()]), message));
        let Limits { wall, memory, output, .. } = limits;
        if cpu == TimeSpan::ZERO || cpu > LONGEST {
            return complain("time", format!("expected a time limit of more than 0 and at most 10min, found {cpu}"));
        }
        if wall == TimeSpan::ZERO || wall > LONGEST.times(3) {
            let message = format!("expected a wall time limit of more than 0 and at most 30min, found {wall}");
            return complain("wall", message);
        }
        if memory < ByteSize::mib(1) || memory > ByteSize::mib(64 << 10) {
            return complain("memory", format!("expected a memory limit from 1MiB to 64GiB, found {memory}"));
        }
        if output < ByteSize::new(1) || output > ByteSize::mib(1 << 10) {
            return complain("output", format!("expected an output limit from 1B to 1GiB, found {output}"));
        }
        Ok(limits)
    }
}

fn comparer(rule: RuleSpec, fold_case: bool) -> Comparer {
    let rule = match rule {
        RuleSpec::Exact => ComparisonRule::Exact,
        RuleSpec::Lines => ComparisonRule::Lines,
        RuleSpec::Tokens => ComparisonRule::Tokens,
        RuleSpec::Numbers { absolute, relative } => ComparisonRule::Numbers { absolute, relative, spaces: false },
        RuleSpec::Unordered => ComparisonRule::Unordered,
    };
    Comparer { rule, fold_case }
}
