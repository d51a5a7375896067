//! Creates the plans for the cases of a package.

use std::path::PathBuf;
use std::sync::Arc;

use crate::judge::{CaseFiles, GroupRules, OutputUse, Plan, PlanCase, PlanGroup, Stop};
use crate::lang::Source;
use crate::model::{CaseId, CaseLimits, Diagnostic};
use crate::package::{Package, folder_of_case};
use crate::problem::Judging;

use super::case_names::{group_of, is_selected, resolve};
use super::options::JudgeOptions;

/// Creates the plan for the cases of a package. Unless [`JudgeOptions::fail_fast`] or [`JudgeOptions::skip_certain`] is
/// set, cases are skipped only by the rules of the package.
///
/// # Errors
/// Fails if the package does not have a requested case or group, or passes unknown flags to the default validator.
pub(super) fn package_plan(package: &Package, options: &JudgeOptions) -> Result<Plan, Diagnostic> {
    let only = resolve(package, &options.only)?;
    let mut groups: Vec<PlanGroup> = Vec::new();
    let mut known: Vec<(Judging, Arc<Judging>)> = Vec::new();
    for case in &package.cases {
        let group = group_of(package, case);
        if !is_selected(&only, folder_of_case(&case.name), &case.name) && !is_selected(&only, group, &case.name) {
            continue;
        }
        let judging = package.judging(case)?;
        let judging = match known.iter().find(|(one, _)| *one == judging) {
            Some((_, shared)) => shared.clone(),
            None => {
                let shared = Arc::new(judging.clone());
                known.push((judging, shared.clone()));
                shared
            }
        };
        let answer = case.answer.clone().unwrap_or_else(|| PathBuf::from("/dev/null"));
        let case = PlanCase {
            id: CaseId::named(&case.name),
            files: CaseFiles { input: case.input.clone(), answer },
            judging,
            args: case.args.clone(),
            beside: case.files.clone(),
            output_file: package.output_file.clone(),
            text: package.text_validator(case).map(Arc::new),
            limits: case_limits(package, &case.name, options),
        };
        match groups.last_mut() {
            Some(last) if last.name == group => last.cases.push(case),
            _ => groups.push(PlanGroup { name: group.to_owned(), points: None, after: Vec::new(), cases: vec![case] }),
        }
    }
    let part = !options.only.is_empty();
    let rules = (!part).then(|| GroupRules {
        tree: package.grading.clone(),
        scored: package.kind.scoring,
        grader: package.custom_grader(),
    });
    let stop = if options.fail_fast { Stop::InRun } else { Stop::Never };
    Ok(Plan {
        groups,
        stop,
        skip_certain: options.skip_certain,
        // Programs take longer if other programs run at the same time, which would reduce their points.
        alone: options.alone || package.case_limits.values().any(|limits| limits.decay),
        part,
        rules,
        outputs: OutputUse::Checked,
    })
}

/// Returns the limits that the package sets for a case, without those that the options override for all cases.
fn case_limits(package: &Package, case: &str, options: &JudgeOptions) -> Option<Arc<CaseLimits>> {
    let limits = package.case_limits.get(case)?;
    Some(Arc::new(limits.clone().without(options.time.is_some(), options.memory.is_some())))
}

/// Sets the argument of each case to the name of its submitted answer file, which the program prints. A case without
/// such a file has no argument.
pub(super) fn submit(package: &Package, source: &Source, plan: &mut Plan) {
    let files: Vec<&str> = source.files().iter().map(|file| file.name.as_str()).collect();
    for case in plan.groups.iter_mut().flat_map(|group| &mut group.cases) {
        let written = package.cases.iter().find(|one| CaseId::named(&one.name) == case.id);
        let answer = written.and_then(|one| package.answer_among(one, &files));
        case.args = answer.map(str::to_owned).into_iter().collect();
        case.beside = Vec::new();
    }
}
