//! `nimatron generate`: generates the test data, and writes it for another judge.

use std::path::Path;

use crate::data::{BundleNames, is_zip, write_bundle, write_lock};
use crate::model::Diagnostic;
use crate::package::PackageFormat;
use crate::problem::Problem;
use crate::report::count;
use crate::service::{JudgeOptions, Prepared, broken_lock};

use super::args::Generate;
use super::context::{Context, say};
use super::exit::{Ending, Result};
use super::output::show_preparation;
use super::shell::quoted;

/// Runs `nimatron generate` and returns how the command ended.
pub(crate) fn generate(context: &Context, args: &Generate) -> Result {
    let names = match &args.names {
        Some(text) => text.parse::<BundleNames>()?,
        None => BundleNames::default(),
    };
    for name in &args.problems {
        if let Some(package) = context.package_if_any(name)? {
            if package.format == PackageFormat::Folder {
                let message = format!("cannot generate tests for `{name}`, which has no description of its inputs");
                return Err(Diagnostic::new(message)
                    .help("create a problem with `nimatron new NAME`, and describe the input in its `problem.yaml`")
                    .into());
            }
            let cases = count(package.cases.len(), "case", "cases");
            let message = format!("nothing to generate: the package `{name}` already contains {cases}");
            return Err(Diagnostic::new(message)
                .help(format!("run `nimatron verify {}` to check them", quoted(name)))
                .into());
        }
    }
    let problems = context.problems(&args.problems)?;
    let many = problems.len() > 1;
    if let Some(out) = args.out.as_ref().filter(|out| many && is_zip(out)) {
        let message = format!("`{}` is a zip file, which can contain the tests of only one problem", out.display());
        return Err(Diagnostic::new(message)
            .help("specify a folder with `--out`; the tests of each problem are written to a subfolder")
            .into());
    }
    let mut ending = Ending::Good;
    let service = context.service()?;
    for problem in problems {
        let target = service.prepare_problem(problem)?;
        let progress = show_preparation(context, &target);
        let (Some(problem), Some(prepared)) = (target.problem(), service.data(&target, &progress)?) else { continue };
        if args.update_lock {
            write_lock(&problem.dir, &prepared.made.cases)?;
        } else if let Some(complaint) = broken_lock(problem, &prepared.lock) {
            ending = Ending::Bad;
            say(&format!("{}\n  {}", complaint.message, complaint.help.unwrap_or_default()))?;
        }
        if let Some(out) = &args.out {
            let out = if many { out.join(problem.id.as_str()) } else { out.clone() };
            let limits = service.limits(&target, &JudgeOptions::default(), &progress)?;
            write_bundle(problem, &limits, &prepared.made.cases, service.host().store(), &names, &out)?;
        }
        if !context.quiet() {
            say(&generated_line(problem, prepared, args.out.as_deref()))?;
        }
    }
    Ok(ending)
}

fn generated_line(problem: &Problem, prepared: &Prepared, out: Option<&Path>) -> String {
    let (cases, fresh) = (count(prepared.made.cases.len(), "case", "cases"), prepared.made.fresh);
    let there = out.map(|out| format!(", written to `{}`", out.display())).unwrap_or_default();
    format!("{}: {cases}, {fresh} newly generated{there}", problem.id)
}
