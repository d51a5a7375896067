//! Judges a program on inputs that are not cases of the problem.

use std::sync::Arc;

use crate::judge::{CaseFiles, OutputUse, Plan, PlanCase, PlanGroup, Stop};
use crate::lang::{Source, SourceBundle};
use crate::model::{CaseId, Diagnostic, Failure};
use crate::package::Package;
use crate::problem::{Judging, Problem};

use super::aux_program::AuxPrograms;
use super::command::AUTHOR_LIMITS;
use super::host::Host;
use super::options::{CustomInput, JudgeOptions};
use super::program_runner::{BuiltProgram, ProgramRunner};
use super::solutions::reference;

/// Creates a plan that runs the inputs in `options` instead of the problem's own cases. The program of
/// [`CustomInput::answered_by`], or else the reference solution, computes the answers. If an answer is missing, no
/// output is checked.
///
/// # Errors
/// Fails if an input does not match the problem's description or a validator rejects it, if the program that computes
/// an answer does not compile or fails, or if the judge itself fails.
pub(super) fn custom_input_plan(host: &Host, problem: &Problem, options: &JudgeOptions) -> Result<Plan, Failure> {
    let judging = Arc::new(problem.judging.clone());
    // In an interactive problem, no program computes the answer: it is empty.
    let interactive = problem.judging.interactive() || options.interactor.is_some();
    let mut cases = Vec::new();
    for input in &options.inputs {
        check_input(host, problem, input)?;
        let answer = match (&input.answered_by, reference(problem)) {
            _ if interactive => Some(Vec::new()),
            (Some(bundle), _) => Some(answer_by(host, bundle, input)?),
            (None, Ok(solution)) => {
                let source = host.languages().load(&solution.path, None)?;
                let answer = answer(host, &source, &solution.name, input);
                Some(answer.map_err(|failure| host.languages().author_failure(failure))?)
            }
            (None, Err(_)) => None,
        };
        cases.push((input, answer));
    }
    plan_of(host, cases, &judging, interactive)
}

/// Checks that an input matches the problem's description and that all validators accept it.
fn check_input(host: &Host, problem: &Problem, input: &CustomInput) -> Result<(), Failure> {
    let (name, content) = (&input.name, &*input.content);
    problem.input.validate(content, None).map_err(|invalid| {
        Diagnostic::new(format!("{name} is not a valid input for {}: {invalid}", problem.id))
            .help("an input must match `input:` in `problem.yaml` exactly, including spaces and line breaks")
    })?;
    for validator in &problem.validators {
        let mut aux_programs = AuxPrograms::new(host, 0);
        let admitted = aux_programs.at(validator).and_then(|mut ready| ready.admit(content, Vec::new()));
        if let Some(reason) = admitted.map_err(|failure| host.languages().author_failure(failure))? {
            let validator = validator.shown_name();
            let message = format!("the validator `{validator}` rejects {name} as an input for {}", problem.id);
            return Err(Failure::complaint(format!("{message}: {reason}")));
        }
    }
    Ok(())
}

/// Creates a plan that runs the inputs in `options` instead of the package's own cases. If every input has an answer,
/// outputs are checked in the same way as those of the package's first case. Otherwise, no output is checked.
///
/// # Errors
/// Fails if the program that computes an answer does not compile or fails, if the package does not specify how outputs
/// are checked, or if the judge itself fails.
pub(super) fn package_input_plan(host: &Host, package: &Package, options: &JudgeOptions) -> Result<Plan, Failure> {
    let first = package.cases.first();
    let judging = first.map_or_else(|| Ok(Judging::default()), |case| package.judging(case))?;
    let interactive = judging.interactive() || options.interactor.is_some();
    let mut cases = Vec::new();
    for input in &options.inputs {
        let answer = match (&input.answered_by, &input.answer) {
            _ if interactive => Some(Vec::new()),
            (Some(bundle), _) => Some(answer_by(host, bundle, input)?),
            (None, answer) => answer.as_ref().map(|answer| answer.to_vec()),
        };
        cases.push((input, answer));
    }
    let mut plan = plan_of(host, cases, &Arc::new(judging), interactive)?;
    for case in plan.groups.iter_mut().flat_map(|group| &mut group.cases) {
        // If programs read the input of the first case from a file in the working directory, they read the custom input
        // from a file with the same name.
        let files = first.iter().flat_map(|first| first.files.iter().filter(|(_, path)| *path == first.input));
        case.beside = files.map(|(name, _)| (name.clone(), case.files.input.clone())).collect();
        case.output_file.clone_from(&package.output_file);
    }
    Ok(plan)
}

/// Creates a plan with one case for each entry of `inputs`: an input with its answer. Outputs are checked only if all
/// inputs have an answer. If there is only one input and the problem is not interactive, the output is returned with
/// the results.
fn plan_of(
    host: &Host,
    inputs: Vec<(&CustomInput, Option<Vec<u8>>)>,
    judging: &Arc<Judging>,
    interactive: bool,
) -> Result<Plan, Failure> {
    let store = host.store();
    let outputs = match inputs.iter().all(|(_, answer)| answer.is_some()) {
        // The output is returned only for a single input. For an interactive problem, the dialogue is returned instead.
        true if interactive || inputs.len() > 1 => OutputUse::Checked,
        true => OutputUse::CheckedAndKept,
        false => OutputUse::Kept,
    };
    let mut cases = Vec::new();
    for (input, answer) in inputs {
        let blobs = [store.put(&input.content)?, store.put(&answer.unwrap_or_default())?];
        let [input_file, answer_file] = blobs.map(|blob| store.path(&blob.digest));
        cases.push(PlanCase {
            id: CaseId::named(&input.name),
            files: CaseFiles { input: input_file, answer: answer_file },
            judging: judging.clone(),
            args: Vec::new(),
            beside: Vec::new(),
            output_file: None,
            text: None,
            limits: None,
        });
    }
    let groups = vec![PlanGroup { name: "input".to_owned(), points: None, after: Vec::new(), cases }];
    Ok(Plan { groups, stop: Stop::Never, skip_certain: false, alone: false, part: true, rules: None, outputs })
}

fn answer_by(host: &Host, bundle: &SourceBundle, input: &CustomInput) -> Result<Vec<u8>, Failure> {
    answer(host, &host.languages().from_bundle(bundle)?, &bundle.name, input)
}

/// Runs a program on the input, and returns its output, which is used as the answer.
fn answer(host: &Host, source: &Source, name: &str, input: &CustomInput) -> Result<Vec<u8>, Failure> {
    let built = BuiltProgram::build_valid(host, source, name)?;
    let mut runner = ProgramRunner::new(host, &built, 0)?;
    let run = runner.run(&input.content, &AUTHOR_LIMITS)?;
    match runner.classify(&run, &AUTHOR_LIMITS) {
        None => Ok(run.stdout),
        Some(verdict) => {
            let exit = run.execution.exit;
            let how = if run.execution.breach.is_none() { exit.to_string() } else { verdict.long().to_owned() };
            let message = format!("{name}, which computes the answer, failed on {}: {how}", input.name);
            Err(Failure::complaint(message))
        }
    }
}
