//! Derives the limits of a package and the method by which each case is judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::check::{Comparer, ComparisonRule};
use crate::lang::{fill, fill_constants};
use crate::model::{
    AggregateKind, ByteSize, Diagnostic, Grading, Limits, Part, Rule, Score, ScoreBasis, TimeSpan, counted,
    default_wall,
};
use crate::problem::{AuxProgram, Judging, PointsMeaning, Protocol};

use super::package_model::{
    DmojProgram, InputValidator, OutputCheck, Package, PackageCase, PackageFormat, PackageLimits, SkippedCase,
    ValidatorKind,
};

/// Maximum number of processes and threads of a program.
const PROCESSES: u32 = 64;

impl Package {
    /// Returns the problem's English name, otherwise the first of its names, or its id if it has no name.
    pub fn title(&self) -> &str {
        self.names.get("en").or_else(|| self.names.values().next()).map_or(self.id.as_str(), String::as_str)
    }

    /// Removes cases from the package and its grading tree. `why` contains the reason for each removed case, by its
    /// index.
    ///
    /// # Errors
    /// Fails if no case remains.
    pub fn skip_cases(&mut self, why: &BTreeMap<usize, String>) -> Result<(), Diagnostic> {
        let gone: BTreeSet<usize> = why.keys().copied().collect();
        let named = |(place, why): (&usize, &String)| {
            Some(SkippedCase { case: self.cases.get(*place)?.name.clone(), why: why.clone() })
        };
        self.skipped_cases.extend(why.iter().filter_map(named));
        self.grading = self.grading.without(&gone);
        let mut place = 0..;
        self.cases.retain(|_| place.next().is_none_or(|place| !gone.contains(&place)));
        match self.cases.is_empty() {
            true => Err(Diagnostic::new(self.skipped_case_notes().join("; ")).in_file(self.origin())),
            false => Ok(()),
        }
    }

    /// Returns a note for each reason why cases were skipped, with the names of at most 40 cases.
    pub fn skipped_case_notes(&self) -> Vec<String> {
        const NAMED: usize = 40;
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for SkippedCase { case, why } in &self.skipped_cases {
            match reasons.iter_mut().find(|(known, _)| known == why) {
                Some((_, cases)) => cases.push(case),
                None => reasons.push((why, vec![case])),
            }
        }
        let line = |(why, cases): (&str, Vec<&str>)| {
            let (some, more) = (&cases[..cases.len().min(NAMED)], cases.len().saturating_sub(NAMED));
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let count = counted(cases.len(), "case is", "cases are");
            format!("{count} left out because {why}: {}{more}", some.join(", "))
        };
        reasons.into_iter().map(line).collect()
    }

    /// Returns the method by which runs on this case are judged.
    ///
    /// # Errors
    /// Fails if an argument of the default validator is invalid, or if the package does not specify how to check the
    /// output.
    pub fn judging(&self, case: &PackageCase) -> Result<Judging, Diagnostic> {
        self.judging_by(&self.output, case)
    }

    fn judging_by(&self, output: &OutputCheck, case: &PackageCase) -> Result<Judging, Diagnostic> {
        let complaint = |why: &str| Diagnostic::new(format!("{}: {why}", case.name)).in_file(self.origin());
        match output {
            OutputCheck::Default(args) => {
                let args: Vec<&str> = args.iter().chain(&case.output_args).map(String::as_str).collect();
                default_validator(&args).map(Judging::Compare).map_err(|why| complaint(&why))
            }
            OutputCheck::Compare(comparer) => Ok(Judging::Compare(*comparer)),
            OutputCheck::Icpc { path, args, score } => {
                let worth = if *score { self.worth(case) } else { PointsMeaning::Nothing };
                let args = args.iter().chain(&case.output_args).cloned().collect();
                // The legacy specification does not define the validator's working directory.
                let among_files = self.format == PackageFormat::V2025;
                let full = self.accept_score(case).filter(|_| *score);
                let usual = self.aux_program(path, Protocol::Icpc);
                let aux_program = AuxProgram { args, worth, full, among_files, ..usual };
                let passes = self.kind.passes.unwrap_or(1);
                Ok(match self.kind.interactive {
                    true => Judging::Interactor { interactor: aux_program, checker: None, passes },
                    false => Judging::Checker { checker: aux_program, passes },
                })
            }
            OutputCheck::Testlib { checker, interactor, full } => {
                let usual = |path: &PathBuf| self.aux_program(path, Protocol::Testlib);
                let made = |path: &PathBuf| AuxProgram { full: *full, worth: PointsMeaning::Points, ..usual(path) };
                match (interactor.as_ref().map(made), checker.as_ref().map(made)) {
                    (Some(interactor), checker) => {
                        Ok(Judging::Interactor { interactor, checker: checker.map(Box::new), passes: 1 })
                    }
                    (None, Some(checker)) => Ok(Judging::Checker { checker, passes: 1 }),
                    (None, None) => Err(complaint("the package does not specify how to check the output")),
                }
            }
            OutputCheck::Dmoj(DmojProgram { path, file_args, args, protocol, full, after_failure, interactive }) => {
                let points = self.kind.scoring || *protocol == Protocol::Testlib;
                let worth = if points { PointsMeaning::Points } else { PointsMeaning::Share };
                // Only testlib checkers award absolute points.
                let full = full.filter(|_| *protocol == Protocol::Testlib);
                let (file_args, args) = (file_args.clone(), args.clone());
                let after_failure = *after_failure;
                let program = self.aux_program(path, *protocol);
                let aux_program = AuxProgram { file_args, args, worth, full, after_failure, ..program };
                Ok(match interactive {
                    true => Judging::Interactor { interactor: aux_program, checker: None, passes: 1 },
                    false => Judging::Checker { checker: aux_program, passes: 1 },
                })
            }
            OutputCheck::Sinol { path, processes } => {
                let worth = if self.kind.scoring { PointsMeaning::Points } else { PointsMeaning::Share };
                let aux_program = AuxProgram { worth, ..self.aux_program(path, Protocol::Sinol) };
                Ok(match *processes {
                    Some(processes) => {
                        let interactor = AuxProgram { processes, ..aux_program };
                        Judging::Interactor { interactor, checker: None, passes: 1 }
                    }
                    None => Judging::Checker { checker: aux_program, passes: 1 },
                })
            }
            OutputCheck::Each(each) => match each.get(&case.name) {
                Some(own) => self.judging_by(own, case),
                None => Err(complaint("the package does not specify how to check the output")),
            },
        }
    }

    /// Returns the meaning of the points that an ICPC output validator or static validator awards for `case`. The
    /// problem must be a scoring problem.
    fn worth(&self, case: &PackageCase) -> PointsMeaning {
        let group = self.group_around(case);
        let (PackageFormat::V2025, Rule::Aggregate(rule)) = (self.format, &group.rule) else {
            return PointsMeaning::Points;
        };
        let text = rule.text.filter(|_| case.text_args.is_some());
        let others = group.parts.iter().filter(|part| matches!(part, Part::Case(_))).count();
        match (rule.kind, text, others - usize::from(rule.text.is_some())) {
            // Samples, cases next to groups, and cases that test validators are in groups that are not scored.
            _ if !rule.scored => PointsMeaning::Nothing,
            (_, None, 0) => PointsMeaning::Nothing,
            (AggregateKind::PassFail, ..) => PointsMeaning::Whole,
            (_, Some((_, most)), _) => PointsMeaning::Case(Some(most.into())),
            (_, None, others) => PointsMeaning::Case(rule.of_each(others)),
        }
    }

    /// Returns the points of an accepted case to which the validator awards none, or `None` if the rules of its group
    /// define no such points.
    fn accept_score(&self, case: &PackageCase) -> Option<Score> {
        match &self.group_around(case).rule {
            Rule::Grader(rule) => (rule.basis == ScoreBasis::Case).then(|| rule.accept_score.score()),
            Rule::Aggregate(_) | Rule::WorstCase(_) => None,
        }
    }

    fn group_around(&self, case: &PackageCase) -> &Grading {
        self.grading.around(case.name.rsplit_once('/').map_or("", |(folder, _)| folder))
    }

    /// Returns whether outputs are checked by at least one program rather than only by built-in comparison.
    pub fn checked_by_programs(&self) -> bool {
        let compared = |output: &OutputCheck| matches!(output, OutputCheck::Default(_) | OutputCheck::Compare(_));
        match &self.output {
            OutputCheck::Each(each) => !each.values().all(compared),
            output => !compared(output),
        }
    }

    /// Returns the program of an input validator with the arguments for this case, or `None` if the validator is a
    /// grammar.
    pub fn input_validator(&self, validator: &InputValidator, case: &PackageCase) -> Option<AuxProgram> {
        let protocol = match validator.kind {
            ValidatorKind::Icpc => Protocol::Icpc,
            ValidatorKind::Testlib => Protocol::Testlib,
            ValidatorKind::Sinol => Protocol::Sinol,
            ValidatorKind::Checktestdata | ValidatorKind::Viva => return None,
        };
        let args = case.input_args.of(validator).iter().chain(&case.args).cloned().collect();
        Some(AuxProgram { args, ..self.aux_program(&validator.path, protocol) })
    }

    /// Returns the cases on which submissions are run, without the cases of the static validator.
    pub fn tests(&self) -> impl Iterator<Item = &PackageCase> {
        self.cases.iter().filter(|case| case.text_args.is_none())
    }

    /// Returns the static validator that judges the source code in this case, or `None` if the case runs the
    /// submission.
    pub fn text_validator(&self, case: &PackageCase) -> Option<AuxProgram> {
        let (path, args) = (self.static_validator.as_ref()?, case.text_args.clone()?);
        let worth = if self.kind.scoring { self.worth(case) } else { PointsMeaning::Nothing };
        Some(AuxProgram { args, worth, among_files: true, ..self.aux_program(path, Protocol::Icpc) })
    }

    /// Returns the custom grader, if the package has one.
    pub fn custom_grader(&self) -> Option<AuxProgram> {
        self.grader.as_ref().map(|path| self.aux_program(path, Protocol::Icpc))
    }

    fn aux_program(&self, source: &Path, protocol: Protocol) -> AuxProgram {
        let (limits, constants) = (self.limits.of_validators(), self.constants.clone());
        let compiler_args = self.compiler_args.of_program(source).to_vec();
        AuxProgram { limits, constants, compiler_args, ..AuxProgram::new(source, protocol) }
    }

    /// Replaces the constants in a text of the package. A constant is written as `{{name}}` or, in LaTeX, as
    /// `\constant{name}`.
    pub fn with_constants(&self, text: &str) -> String {
        fill(&fill_constants(text, &self.constants), &self.constants, ("\\constant{", "}"))
    }

    /// Returns the name of the package in diagnostics.
    fn origin(&self) -> String {
        self.root.display().to_string()
    }
}

impl PackageLimits {
    /// Returns the limits of a submission with this CPU time limit.
    pub fn with_time(&self, time: TimeSpan) -> Limits {
        Limits { cpu: time, wall: default_wall(time), memory: self.memory, output: self.output, processes: PROCESSES }
    }

    /// Returns the limits of validators. The output limit is at least 64 MiB.
    pub fn of_validators(&self) -> Limits {
        Limits {
            cpu: self.validation_time,
            wall: default_wall(self.validation_time),
            memory: self.validation_memory,
            output: ByteSize::new(self.validation_output.get().max(64 << 20)),
            processes: PROCESSES,
        }
    }

    /// Derives the time limit from the time of the slowest accepted submission: that time multiplied by `ac_to_limit`,
    /// rounded up to a positive multiple of the resolution.
    pub fn time_for(&self, slowest: TimeSpan) -> TimeSpan {
        let wanted = (u128::from(slowest.as_micros()) * u128::from(self.ac_to_limit)).div_ceil(1_000);
        let step = u128::from(self.resolution.as_micros().max(1));
        let steps = wanted.div_ceil(step).max(1);
        TimeSpan::micros(u64::try_from(steps * step).unwrap_or(u64::MAX))
    }
}

/// Returns the default validator of the ICPC format with these arguments.
///
/// # Errors
/// Fails if an argument is unknown, or if a tolerance is not a nonnegative number.
fn default_validator(args: &[&str]) -> Result<Comparer, String> {
    let (mut case, mut space) = (false, false);
    let (mut absolute, mut relative) = (None, None);
    let mut rest = args.iter();
    while let Some(flag) = rest.next() {
        let mut number = || {
            let text = rest
                .next()
                .ok_or_else(|| format!("expected a number after the flag `{flag}` of the default validator"))?;
            let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
            number.ok_or_else(|| {
                format!(
                    "expected a nonnegative number after the flag `{flag}` of the default validator, found `{text}`"
                )
            })
        };
        match *flag {
            "case_sensitive" => case = true,
            "space_change_sensitive" => space = true,
            // The arguments of a group follow those of the problem, so the last value is used.
            "float_absolute_tolerance" => absolute = Some(number()?),
            "float_relative_tolerance" => relative = Some(number()?),
            "float_tolerance" => {
                absolute = Some(number()?);
                relative = absolute;
            }
            other => {
                return Err(format!(
                    "unknown flag `{other}` of the default validator; expected one of: `case_sensitive`, \
                     `space_change_sensitive`, `float_tolerance`, `float_absolute_tolerance`, `float_relative_tolerance`"
                ));
            }
        }
    }
    let rule = match (space, absolute.is_some() || relative.is_some()) {
        (spaces, true) => ComparisonRule::Numbers { absolute, relative, spaces },
        (true, false) => ComparisonRule::Exact,
        (false, false) => ComparisonRule::Tokens,
    };
    Ok(Comparer::new(rule).fold_case(!case))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_default_validator() {
        assert_eq!(default_validator(&[]), Ok(Comparer::new(ComparisonRule::Tokens).fold_case(true)));
        assert_eq!(default_validator(&["case_sensitive"]), Ok(Comparer::new(ComparisonRule::Tokens)));
        let close = |spaces| Ok(ComparisonRule::Numbers { absolute: Some(1e-4), relative: Some(1e-4), spaces });
        assert_eq!(default_validator(&["float_tolerance", "1e-4"]).map(|c| c.rule), close(false));
        let both = default_validator(&["float_tolerance", "1e-4", "space_change_sensitive"]);
        assert_eq!(both.map(|c| c.rule), close(true));
        let spaces = default_validator(&["space_change_sensitive", "case_sensitive"]);
        assert_eq!(spaces, Ok(Comparer::new(ComparisonRule::Exact)));
        let last = default_validator(&["float_tolerance", "1", "float_absolute_tolerance", "2"]).map(|c| c.rule);
        assert_eq!(last, Ok(ComparisonRule::Numbers { absolute: Some(2.0), relative: Some(1.0), spaces: false }));
        for bad in [&["fast"][..], &["float_tolerance"], &["float_tolerance", "x"], &["float_tolerance", "-1"]] {
            assert!(default_validator(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_time_limit_is_a_multiple_of_the_resolution() {
        let limits = PackageLimits {
            time: None,
            resolution: TimeSpan::seconds(1),
            ac_to_limit: 5_000,
            limit_to_tle: 2_000,
            memory: ByteSize::mib(1),
            output: ByteSize::mib(1),
            code: None,
            validation_time: TimeSpan::seconds(1),
            validation_memory: ByteSize::mib(1),
            validation_output: ByteSize::mib(1),
        };
        assert_eq!(limits.time_for(TimeSpan::ZERO), TimeSpan::seconds(1));
        assert_eq!(limits.time_for(TimeSpan::millis(200)), TimeSpan::seconds(1));
        assert_eq!(limits.time_for(TimeSpan::millis(201)), TimeSpan::seconds(2));
    }
}
