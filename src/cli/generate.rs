//! `nimatron generate`: generates the test data, and writes it for another judge.

use std::path::Path;

use nimatron::data::{BundleNames, Lock, is_zip, write_bundle, write_lock};
use nimatron::model::Diagnostic;
use nimatron::package::PackageFormat;
use nimatron::problem::Problem;
use nimatron::service::{JudgeOptions, Prepared, broken_lock};

use super::args::Generate;
use super::context::{Context, say};
use super::exit::{Ending, Result};
use super::output::{make_data, show_measuring};

/// Runs `nimatron generate` and returns how the command ended.
pub fn generate(context: &Context, args: &Generate) -> Result {
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
            let message = format!(
                "`{name}` is a package with {} cases of its own; there is nothing to generate",
                package.cases.len()
            );
            return Err(Diagnostic::new(message).help("run `nimatron verify` to check them").into());
        }
    }
    let problems = context.problems(&args.problems)?;
    let many = problems.len() > 1;
    if many && args.out.as_ref().is_some_and(|out| is_zip(out)) {
        return Err(Diagnostic::new("a zip can contain the tests of only one problem")
            .help("specify a folder with --out; each problem gets a subfolder")
            .into());
    }
    let mut ending = Ending::Good;
    let service = context.service()?;
    for problem in problems {
        let target = service.prepare_problem(problem)?;
        let (Some(problem), Some(prepared)) = (target.problem(), make_data(context, &target)?) else { continue };
        if args.update_lock {
            write_lock(&problem.dir, &prepared.made.cases)?;
        } else if let Lock::Broken(lines) = &prepared.lock {
            ending = Ending::Bad;
            say(&broken_lock(problem, lines))?;
        }
        if let Some(out) = &args.out {
            let out = if many { out.join(problem.id.as_str()) } else { out.clone() };
            let measuring = &mut show_measuring(context, &target);
            let limits = service.limits(&target, &JudgeOptions::default(), measuring)?;
            write_bundle(problem, &limits, &prepared.made.cases, service.host().store(), &names, &out)?;
        }
        if !context.quiet() {
            say(&told(problem, prepared, args.out.as_deref()))?;
        }
    }
    Ok(ending)
}

fn told(problem: &Problem, prepared: &Prepared, out: Option<&Path>) -> String {
    let (cases, fresh) = (prepared.made.cases.len(), prepared.made.fresh);
    let there = out.map(|out| format!(", written to {}", out.display())).unwrap_or_default();
    format!("{}: {cases} cases, {fresh} newly generated{there}", problem.id)
}
