//! Judges a program on one input that is not a case of the problem.

use std::sync::Arc;

use crate::judge::{CaseFiles, Plan, PlanCase, PlanGroup, Stop};
use crate::model::{CaseId, Diagnostic, Failure};
use crate::problem::Problem;

use super::aux_program::AuxPrograms;
use super::command::AUTHOR_LIMITS;
use super::host::Host;
use super::options::CustomInput;
use super::program_runner::{BuiltProgram, ProgramRunner};
use super::solutions::reference;

/// The plan with this input as its only case. The reference solution, or the program of [`CustomInput::answered_by`], gives
/// the answer.
///
/// # Errors
/// Fails if the input does not match the problem's description or a validator rejects it, if the answering program does
/// not compile or fails, or on a fault of the judge.
pub(super) fn custom_input_plan(host: &Host, problem: &Problem, input: &CustomInput) -> Result<Plan, Failure> {
    let (name, content) = (&input.name, &*input.content);
    problem.input.validate(content, None).map_err(|invalid| {
        Diagnostic::new(format!("{name} is not a valid input of {}: {invalid}", problem.id))
            .help("`input:` in its problem.yaml describes every byte")
    })?;
    for validator in &problem.validators {
        if let Some(reason) = AuxPrograms::new(host, 0).at(validator)?.admit(content, Vec::new())? {
            let message = format!("{name} is not a valid input of {}", problem.id);
            return Err(Failure::complaint(format!("{message}: {}: {reason}", validator.source.display())));
        }
    }
    // An interactor needs no answer.
    let answer = if problem.judging.interactive() { Vec::new() } else { answer(host, problem, input)? };
    let store = host.store();
    let blobs = [store.put(content)?, store.put(&answer)?];
    let [input_file, answer_file] = blobs.map(|blob| store.path(&blob.digest));
    let case = PlanCase {
        id: CaseId::named(name),
        files: CaseFiles { input: input_file, answer: answer_file },
        judging: Arc::new(problem.judging.clone()),
        args: Vec::new(),
        beside: Vec::new(),
        output_file: None,
        text: None,
    };
    let group = PlanGroup { name: "input".to_owned(), points: None, after: Vec::new(), cases: vec![case] };
    Ok(Plan { groups: vec![group], stop: Stop::Never, skip_certain: false, alone: false, part: true, rules: None })
}

fn answer(host: &Host, problem: &Problem, input: &CustomInput) -> Result<Vec<u8>, Failure> {
    let (source, name) = match &input.answered_by {
        Some(bundle) => (host.languages().from_bundle(bundle)?, bundle.name.clone()),
        None => {
            let solution = reference(problem)?;
            (host.languages().load(&solution.path, None)?, solution.name)
        }
    };
    let built = BuiltProgram::build_valid(host, &source, &name)?;
    let mut runner = ProgramRunner::new(host, &built, 0)?;
    let run = runner.run(&input.content, &AUTHOR_LIMITS)?;
    match runner.classify(&run, &AUTHOR_LIMITS) {
        None => Ok(run.stdout),
        Some(verdict) => {
            let exit = run.execution.exit;
            let how = if run.execution.breach.is_none() { exit.to_string() } else { verdict.long().to_owned() };
            let message = format!("{name}, which gives the answer, failed on {}: {how}", input.name);
            Err(Failure::complaint(message))
        }
    }
}
