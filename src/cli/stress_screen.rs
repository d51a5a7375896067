//! Prints the result of a search by `nimatron stress`.

use std::path::Path;

use serde_json::json;

use crate::model::{ByteSize, Diagnostic, Verdict};
use crate::report::{CaseTexts, Screen, count, explain, why_section};
use crate::service::GameReason;
use crate::stress::{Broken, FailingInput, HuntEnd, HuntProgress, Hunted, Minimized, ShrinkWay, StressReport};

use super::context::{say, say_drawn, say_json};
use super::exit::{Ending, Result};
use super::run::theme;
use super::save_counterexample::save_input;
use super::shell::Typed;
use super::stress::StressSetup;

impl StressSetup<'_> {
    /// Prints the result. Writes the failing input, if there is one, to a file; the input of a sample is written only
    /// if `--out` is given.
    pub(crate) fn show_report(&self, report: &StressReport) -> Result {
        if let Some(words) = &report.rejected {
            return self.refused(report, words);
        }
        match (&report.hunted.end, &report.minimized) {
            (HuntEnd::Found(found), Some(minimized)) => self.found(report, found, minimized),
            (HuntEnd::Broken { number, input, broken }, _) => self.broken(*number, input, broken),
            _ => self.nothing(report),
        }
    }

    /// Writes the shrunk input to a file, adds it to the tests if `--add` is given, and prints the failure.
    fn found(&self, report: &StressReport, found: &FailingInput, minimized: &Minimized) -> Result {
        let args = self.args;
        let small = &minimized.found;
        // The input of a sample is already a file, so it is written only if `--out` is given.
        let file = match found.sample.is_some() && args.out.is_none() {
            true => None,
            false => Some(save_input(&args.out, self.search.problem(), &small.input)?),
        };
        let added = self.search.add_to_tests(report)?;
        if args.json {
            let mut last = report.finished_json();
            last["input"] = json!(file);
            last["added"] = json!(added.is_some_and(|case| case.added));
            say_json(&last)?;
            return Ok(Ending::Bad);
        }
        self.show(small, &report.why, file.as_deref())?;
        say(&self.summary(&report.hunted, found, minimized, file.as_deref()))?;
        match added {
            Some(case) => say(&case.message)?,
            None if args.add => say("the input was not added to the tests, because the user stopped the command")?,
            None => {}
        }
        Ok(Ending::Bad)
    }

    /// Prints the failed case in the format of `nimatron run`.
    fn show(&self, found: &FailingInput, why: &[GameReason], file: Option<&Path>) -> Result<()> {
        if self.context.quiet() {
            return Ok(());
        }
        let screen =
            Screen { theme: theme(self.context), width: self.context.width(), limits: Some(*self.search.limits()) };
        let rerun = match (file, &found.sample) {
            (None, Some(sample)) => self.run(&self.args.program).option("--case", Some(sample)),
            _ => self
                .run(&self.args.program)
                .option("--input", file.map(Path::display))
                .option("--against", self.search.answered_against(found)),
        };
        let rerun = rerun.option("--language", self.args.language.as_ref());
        let evidence = CaseTexts {
            input: &found.input,
            expected: found.failure.answer.as_deref().unwrap_or_default(),
            actual: &found.failure.output,
            rerun: &rerun.end(self.context),
        };
        let name = match (file, &found.sample) {
            (None, Some(sample)) => sample.clone(),
            _ => file.unwrap_or(Path::new("input")).display().to_string(),
        };
        let result = found.failure.result(&name);
        if let Some(suspect) = &found.failure.suspect {
            say(&format!("output of `{suspect}`, compared with that of `{}`:", self.answer_name(found)))?;
        }
        let mut text = explain(&result, &evidence, &screen).trim_end().to_owned();
        for reason in why {
            text += "\n";
            text += &why_section(&reason.text(), &screen);
        }
        Ok(say_drawn(&format!("{}\n", text.trim_end()))?)
    }

    /// Returns the command that judges `program` with `nimatron run`, with the checker and the limits of the search.
    fn run(&self, program: &Path) -> Typed {
        let typed = Typed::new("run", &self.args.problem, program);
        let typed = typed.option("--checker", self.args.checker.as_ref());
        typed.option("--time", self.args.time).option("--memory", self.args.memory)
    }

    fn answer_name(&self, found: &FailingInput) -> String {
        found.failure.answered_by.clone().unwrap_or_default()
    }

    /// Returns the summary of a failure: the verdict or the programs that disagree, the file or sample with its size,
    /// how far the input was shrunk, and the command that reproduces the input.
    fn summary(&self, hunted: &Hunted, found: &FailingInput, minimized: &Minimized, file: Option<&Path>) -> String {
        let size = |bytes: &[u8]| ByteSize::new(bytes.len() as u64).human();
        let (before, after) = (size(&found.input), size(&minimized.found.input));
        let size = if found.input == minimized.found.input { after } else { format!("{before}, shrunk to {after}") };
        let failure = &minimized.found.failure;
        let verdict = match &failure.suspect {
            Some(suspect) => format!("`{suspect}` disagrees with `{}`", self.answer_name(&minimized.found)),
            None => failure.verdict.long().to_owned(),
        };
        let mut lines = vec![match (file, &found.sample) {
            (None, Some(sample)) => format!("{verdict} on sample `{sample}`: {size}"),
            _ => {
                let file = file.unwrap_or(Path::new("input"));
                format!("{verdict} in {}: {size}; {}", file.display(), self.how_minimal(minimized))
            }
        }];
        if let ShrinkWay::Guess(form) = &minimized.way {
            lines.push(format!("input description guessed from the generator's outputs: --input-spec '{form}'"));
        }
        lines.extend(Some(failure.agreement.words()).filter(|words| !words.is_empty()));
        let again = self.again().option("--count", Some(found.number + 1)).end(self.context);
        let origin = found.origin.as_ref().map(|origin| format!(", {origin}")).unwrap_or_default();
        let time = hunted.progress.time.as_seconds_f64();
        let seed = self.args.seed;
        lines.push(format!(
            "found by test {}{origin}, in {time:.1} s, with seed {seed}; to repeat: {again}",
            found.number + 1
        ));
        lines.join("\n")
    }

    fn how_minimal(&self, minimized: &Minimized) -> &'static str {
        match minimized {
            _ if self.args.shrink == 0 => "not shrunk",
            Minimized { repeats: false, .. } => "not shrunk: the program does not fail on this input every time",
            Minimized { minimal: true, way: ShrinkWay::Text, .. } => {
                "minimal: no single line or value can be removed or made smaller"
            }
            Minimized { minimal: true, .. } => "minimal: no single value can be removed or made smaller",
            Minimized { cancelled: true, .. } => "possibly not minimal: stopped by the user",
            Minimized { way: ShrinkWay::Text, .. } => "possibly not minimal",
            _ => "possibly not minimal; to allow more time for shrinking, use `--shrink SECONDS`",
        }
    }

    /// Returns the command that repeats this search with the same seed.
    fn again(&self) -> Typed {
        let args = self.args;
        let typed = Typed::new("stress", &args.problem, &args.program);
        let typed = args.against.iter().fold(typed, |typed, path| typed.option("--against", Some(path.display())));
        let typed = typed.option("--generator", args.generator.as_ref());
        let typed = typed.option("--input-spec", args.input_spec.as_ref());
        let typed = typed.option("--validator", args.validator.as_ref()).option("--checker", args.checker.as_ref());
        let typed = typed.option("--language", args.language.as_ref());
        typed.option("--time", args.time).option("--memory", args.memory).option("--seed", Some(args.seed))
    }

    /// Reports the failure of a program that provides answers, and writes the input of that program to a file.
    fn broken(&self, number: u64, input: &[u8], broken: &Broken) -> Result {
        let file = save_input(&self.args.out, self.search.problem(), input)?;
        let program = self.search.answering_program(&broken.name)?;
        let run = self.run(&program).option("--input", Some(file.display()));
        let help = format!(
            "the input of test {} was written to `{}`; to run the program on it again: {}",
            number + 1,
            file.display(),
            run.end(self.context)
        );
        Err(Diagnostic::new(broken.message()).help(help).into())
    }

    /// Reports that the search found no failing input.
    fn nothing(&self, report: &StressReport) -> Result {
        let hunted = &report.hunted;
        let cancelled = hunted.end == HuntEnd::Cancelled;
        let ending = if cancelled { Ending::Fault } else { Ending::Good };
        if self.args.json {
            say_json(&report.finished_json())?;
            return Ok(ending);
        }
        let HuntProgress { tests, time, largest } = hunted.progress;
        let (time, largest) = (time.as_seconds_f64(), ByteSize::new(largest).human());
        let seed = self.args.seed;
        let counted = |tests: u64| count(usize::try_from(tests).unwrap_or(usize::MAX), "test", "tests");
        let shown = counted(tests);
        say(&match hunted.end {
            HuntEnd::All if tests == 1 => {
                "nothing found: the program does not fail on the only possible input".to_owned()
            }
            HuntEnd::All => format!("nothing found: the program fails on none of the {tests} possible inputs"),
            _ if cancelled => format!("stopped after {shown} in {time:.1} s; nothing found"),
            _ => format!(
                "nothing found in {shown} in {time:.1} s, with inputs up to {largest} and seed {seed}; \
                 try other tests with `--seed {}`",
                seed.wrapping_add(1)
            ),
        })?;
        for (program, size) in &hunted.too_large {
            let size = ByteSize::new(*size).human();
            say(&format!(
                "`{program}` exceeded its time or memory limit on an input of {size}, so it was not run on inputs of \
                 that size or larger"
            ))?;
        }
        if hunted.unanswered > 0 {
            let (tests, were) = (counted(hunted.unanswered), if hunted.unanswered == 1 { "was" } else { "were" });
            say(&format!(
                "{tests} {were} checked only for crashes and exceeded limits, because no program provided an answer \
                 within the limits"
            ))?;
        }
        if hunted.same_input {
            say("note: the generator printed the same input every time; make it use the seed, which is passed as an \
                 argument and in `NIMATRON_SEED`")?;
        }
        Ok(ending)
    }

    /// Reports a compile error of the program.
    fn refused(&self, report: &StressReport, words: &str) -> Result {
        if self.args.json {
            say_json(&report.finished_json())?;
        } else {
            say(&format!("{}: {}\n{words}", self.args.program.display(), Verdict::CompileError.long()))?;
        }
        Ok(Ending::Bad)
    }
}
