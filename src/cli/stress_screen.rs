//! Prints the result of a search by `nimatron stress`.

use std::path::{Path, PathBuf};

use serde_json::json;

use nimatron::model::{ByteSize, Diagnostic, Verdict};
use nimatron::report::{CaseTexts, Screen, explain};
use nimatron::service::reference;
use nimatron::stress::{Broken, FailingInput, HuntEnd, HuntProgress, Hunted, Minimized, Pool, ShrinkWay};

use super::context::{say, say_drawn, say_json};
use super::exit::{Ending, Result};
use super::run::theme;
use super::save_counterexample::keep;
use super::shell::Typed;
use super::stress::StressSetup;

impl StressSetup<'_> {
    /// Prints the failed case in the format of `nimatron run`.
    pub fn show(&self, found: &FailingInput, file: Option<&Path>) -> Result<()> {
        if self.context.quiet() {
            return Ok(());
        }
        let screen = Screen { theme: theme(self.context), width: self.context.width(), limits: Some(self.limits) };
        let rerun = match (file, &found.sample) {
            (None, Some(sample)) => self.run(&self.args.program).option("--case", Some(sample)),
            _ => self
                .run(&self.args.program)
                .option("--input", file.map(Path::display))
                .option("--against", self.answerer(found)),
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
        Ok(say_drawn(&format!("{}\n", explain(&result, &evidence, &screen).trim_end()))?)
    }

    /// Returns the command `nimatron run` for this program, with the options of the search that concern judging.
    fn run(&self, program: &Path) -> Typed {
        let typed = Typed::new("run", &self.args.problem, program);
        let typed = typed.option("--checker", self.args.checker.as_ref());
        typed.option("--time", self.args.time).option("--memory", self.args.memory)
    }

    /// Returns the program of `--against` whose answer was expected; the first one if it is not known.
    fn answerer(&self, found: &FailingInput) -> Option<String> {
        let name = found.failure.answered_by.as_ref();
        let named = self.args.against.iter().map(|path| path.display().to_string());
        named.clone().find(|path| Some(path) == name).or_else(|| named.clone().next())
    }

    fn answer_name(&self, found: &FailingInput) -> String {
        found.failure.answered_by.clone().unwrap_or_default()
    }

    /// Returns the path and size of the input, the programs that disagree, and the command that finds the input again.
    pub fn summary(&self, hunted: &Hunted, found: &FailingInput, minimized: &Minimized, file: Option<&Path>) -> String {
        let size = |bytes: &[u8]| ByteSize::new(bytes.len() as u64).human();
        let (before, after) = (size(&found.input), size(&minimized.found.input));
        let size = if found.input == minimized.found.input { after } else { format!("{before}, shrunk to {after}") };
        let failure = &minimized.found.failure;
        let verdict = match &failure.suspect {
            Some(suspect) => format!("`{suspect}` disagrees with `{}`", self.answer_name(&minimized.found)),
            None => failure.verdict.long().to_owned(),
        };
        let mut lines = vec![match (file, &found.sample) {
            (None, Some(sample)) => format!("{verdict} in the sample {sample}: {size}"),
            _ => {
                let file = file.unwrap_or(Path::new("input"));
                format!("{verdict} in {}: {size}; {}", file.display(), self.how_minimal(minimized))
            }
        }];
        if let ShrinkWay::Guess(form) = &minimized.way {
            lines.push(format!("description guessed from the generator's outputs: --input-spec '{form}'"));
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
            Minimized { repeats: false, .. } => "not shrunk: the program does not fail on it every time",
            Minimized { minimal: true, way: ShrinkWay::Text, .. } => {
                "minimal: no single line or value can be removed or made smaller"
            }
            Minimized { minimal: true, .. } => "minimal: no single value can be removed or made smaller",
            Minimized { cancelled: true, .. } => "possibly not minimal: stopped by the user",
            Minimized { way: ShrinkWay::Text, .. } => "possibly not minimal",
            _ => "possibly not minimal: out of time; increase it with `--shrink N`",
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

    /// Reports that an answering program failed, and writes its input to a file.
    pub fn broken(&self, pool: &Pool<'_>, number: u64, input: &[u8], broken: &Broken) -> Result {
        let file = keep(&self.args.out, &pool.problem().id, input)?;
        let message = format!(
            "`{}`, which provides the answers, failed on an input: {} ({})",
            broken.name,
            broken.words,
            broken.verdict.long()
        );
        let named = self.args.against.iter().find(|path| path.display().to_string() == broken.name);
        let program: PathBuf = match (named, self.native) {
            (Some(path), _) => path.clone(),
            (None, Some(problem)) => reference(problem).map(|solution| solution.path)?,
            (None, None) => broken.name.clone().into(),
        };
        let run = self.run(&program).option("--input", Some(file.display()));
        let help = format!(
            "the input of test {} is in {}; to run it again: {}",
            number + 1,
            file.display(),
            run.end(self.context)
        );
        Err(Diagnostic::new(message).help(help).into())
    }

    /// Reports that the search found no failing input.
    pub fn nothing(&self, hunted: &Hunted) -> Result {
        let cancelled = hunted.end == HuntEnd::Cancelled;
        let ending = if cancelled { Ending::Fault } else { Ending::Good };
        if self.args.json {
            say_json(&self.finished(hunted, None))?;
            return Ok(ending);
        }
        let HuntProgress { tests, time, largest } = hunted.progress;
        let (time, largest) = (time.as_seconds_f64(), ByteSize::new(largest).human());
        let seed = self.args.seed;
        say(&match hunted.end {
            HuntEnd::All => format!("nothing found: the program is correct on all {tests} inputs"),
            _ if cancelled => format!("stopped after {tests} tests in {time:.1} s; nothing found"),
            _ => format!(
                "nothing found in {tests} tests in {time:.1} s, with inputs up to {largest} and seed {seed}; \
                 try other tests with --seed {}",
                seed.wrapping_add(1)
            ),
        })?;
        for (program, size) in &hunted.too_large {
            say(&format!(
                "{program} exceeds the time or memory limit on inputs of {} or more",
                ByteSize::new(*size).human()
            ))?;
        }
        if hunted.unanswered > 0 {
            say(&format!("{} tests were checked for crashes and limits only", hunted.unanswered))?;
        }
        if hunted.same_input {
            say(
                "note: the generator printed the same input every time; it gets the seed as its last argument and in \
                 NIMATRON_SEED",
            )?;
        }
        Ok(ending)
    }

    /// Reports a compile error of the program.
    pub fn refused(&self, words: &str) -> Result {
        if self.args.json {
            let mut last = self.finished(&nothing_run(), Some(Verdict::CompileError));
            set(&mut last, [("found", json!(false)), ("message", json!(words))]);
            say_json(&last)?;
        } else {
            say(&format!("{}: {}\n{words}", self.args.program.display(), Verdict::CompileError.long()))?;
        }
        Ok(Ending::Bad)
    }

    /// Returns the last event of a search that found a failing input.
    pub fn found_json(
        &self,
        hunted: &Hunted,
        found: &FailingInput,
        minimized: &Minimized,
        file: Option<&Path>,
        added: bool,
    ) -> serde_json::Value {
        let failure = &minimized.found.failure;
        let mut last = self.finished(hunted, Some(failure.verdict));
        set(
            &mut last,
            [
                ("input", json!(file)),
                ("size_before", json!(found.input.len())),
                ("size_after", json!(minimized.found.input.len())),
                ("minimal", json!(minimized.minimal)),
                ("test", json!(found.number)),
                ("shrink_seconds", json!(minimized.time.as_seconds_f64())),
                ("shrink_tests", json!(minimized.trials)),
                ("added", json!(added)),
                ("sample", json!(found.sample)),
                ("origin", json!(found.origin)),
                ("suspect", json!(failure.suspect)),
                ("answered_by", json!(failure.answered_by)),
                ("agree", json!(failure.agreement.groups)),
                ("no_answer", json!(failure.agreement.unanswered)),
                ("guessed_form", json!(if let ShrinkWay::Guess(form) = &minimized.way { Some(form) } else { None })),
            ],
        );
        last
    }

    fn finished(&self, hunted: &Hunted, verdict: Option<Verdict>) -> serde_json::Value {
        json!({
            "event": "stress_finished", "found": verdict.is_some(), "verdict": verdict.map(Verdict::short),
            "tests": hunted.progress.tests, "seconds": hunted.progress.time.as_seconds_f64(), "input": null,
            "size_before": null, "size_after": null, "minimal": null, "seed": self.args.seed,
            "largest": hunted.progress.largest, "unanswered": hunted.unanswered, "all": hunted.end == HuntEnd::All,
            "cancelled": hunted.end == HuntEnd::Cancelled,
        })
    }
}

fn set<const N: usize>(object: &mut serde_json::Value, values: [(&str, serde_json::Value); N]) {
    if let Some(map) = object.as_object_mut() {
        map.extend(values.map(|(key, value)| (key.to_owned(), value)));
    }
}

fn nothing_run() -> Hunted {
    let progress = HuntProgress::default();
    Hunted { end: HuntEnd::Spent, progress, unanswered: 0, too_large: Vec::new(), same_input: false }
}
