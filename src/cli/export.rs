//! `nimatron export`: exports a problem as a package for another judge.

use std::path::PathBuf;

use crate::data::{Entry, is_zip, write_entries};
use crate::export::{ExportInput, render};
use crate::model::Diagnostic;
use crate::package::PackageFormat;
use crate::report::count;
use crate::service::JudgeOptions;

use super::args::Export;
use super::context::{Context, say};
use super::exit::{Ending, Result};
use super::output::show_preparation;

/// Runs `nimatron export` and returns how the command ended.
pub(crate) fn export(context: &Context, args: &Export) -> Result {
    if let Some(package) = context.package_if_any(&args.problem)? {
        if package.format == PackageFormat::Folder {
            let message = format!("cannot export `{}`: it has tests but no `problem.yaml`", args.problem);
            return Err(Diagnostic::new(message)
                .help("create a problem with `nimatron new NAME`, and describe it in its `problem.yaml`")
                .into());
        }
        let message = format!("`{}` is already a package for another judge", args.problem);
        return Err(Diagnostic::new(message).help("specify a problem that has Nimatron's own `problem.yaml`").into());
    }
    let problem = context.catalog()?.load(&args.problem)?;
    let default = || PathBuf::from(format!("{}-{}.zip", problem.id, args.to.name()));
    let out = args.out.clone().unwrap_or_else(default);
    if out.is_file() || out.is_symlink() {
        let message = format!("`{}` already exists", out.display());
        return Err(Diagnostic::new(message).help("remove the file, or choose another path with `--out`").into());
    }
    let service = context.service()?;
    let target = service.prepare_problem(problem)?;
    let progress = show_preparation(context, &target);
    let cases = service.cases(&target, &progress)?;
    let limits = service.limits(&target, &JudgeOptions::default(), &progress)?;
    let Some(problem) = target.problem() else { return Ok(Ending::Usage) };
    let host = service.host();
    let input = ExportInput::collect_from(problem, limits, cases, host.store())?;
    let rendered = render(&input, args.to)?;
    let top = args.to.top(&input).filter(|_| is_zip(&out)).map(|top| format!("{top}/")).unwrap_or_default();
    let placed = |entry: Entry| Entry { path: format!("{top}{}", entry.path), ..entry };
    let files: Vec<Entry> = rendered.files.into_iter().map(placed).collect();
    write_entries(&files, host.store(), &out)?;
    if !context.quiet() {
        let (id, name) = (&problem.id, args.to.name());
        let (cases, files) = (count(cases.len(), "case", "cases"), count(files.len(), "file", "files"));
        say(&format!("{id}: {cases}, {files} for {name}, written to `{}`", out.display()))?;
        rendered.notes.iter().try_for_each(|note| say(&format!("  note  {note}")))?;
    }
    Ok(Ending::Good)
}
