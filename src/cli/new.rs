//! `nimatron new`: creates a problem from a template that passes `verify`.

use std::path::{Path, PathBuf};

use include_dir::{Dir, File, include_dir};

use crate::data::write_whole;
use crate::model::{Diagnostic, Failure, FaultKind, ProblemId};
use crate::problem::SPEC_FILE;
use crate::yaml::nearest;

use super::args::{New, ProblemKind};
use super::context::{Context, say};
use super::exit::{Ending, Result};

/// The templates: one folder for each kind of problem, which contains one folder of solutions for each language.
static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/cli/template");

/// The word in the template of `problem.yaml` that is replaced by the name of the problem.
const NAME: &str = "NAME";

/// The paths to which the files of a new problem are written.
struct Site {
    id: ProblemId,
    /// The problem's folder.
    problem: PathBuf,
    /// The folder of the problem's solutions, which is in the problem's folder or, in a problem set, in the folder
    /// `solutions` next to the folder of problems.
    solutions: PathBuf,
    /// The argument that specifies the problem in other commands.
    argument: String,
}

/// Creates a problem. If the argument is an id, which contains no `/`, the problem is created in a problem set: in the
/// first `--problems` folder, otherwise in the nearest `problems/` at or above the current directory, otherwise in a
/// new `problems/` in the current directory. If the argument is a path, the problem is created at this path, as part of
/// a problem set if the parent folder is a known folder of problems.
pub(crate) fn new(context: &Context, args: &New) -> Result {
    let site =
        if args.problem.contains('/') { by_path(context, &args.problem)? } else { by_id(context, &args.problem)? };
    if let Some(there) = [&site.problem, &site.solutions].into_iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(Diagnostic::new(format!("`{}` already exists", there.display()))
            .help("choose another name")
            .into());
    }
    for (path, text) in files(args, &site)? {
        write_whole(&path, text.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
        if !context.quiet() {
            say(&path.display().to_string())?;
        }
    }
    if !context.quiet() {
        say(&format!("\nto check the problem: nimatron verify {}", site.argument))?;
    }
    Ok(Ending::Good)
}

/// Returns the paths for a problem in a problem set.
fn by_id(context: &Context, text: &str) -> std::result::Result<Site, Failure> {
    let id = parse_id(text)?;
    // The path is made absolute because the folder of solutions is a sibling of the catalog, and a relative path may
    // have no parent.
    let named =
        context.problem_dirs().first().map(|dir| fs_err::canonicalize(dir).or_else(|_| std::path::absolute(dir)));
    let catalog =
        named.transpose().map_err(|error| Failure::user_file(&error))?.unwrap_or_else(|| root().join("problems"));
    let option: String =
        context.problem_dirs().iter().take(1).map(|dir| format!(" --problems {}", dir.display())).collect();
    Ok(in_set(id.clone(), &catalog, format!("{id}{option}")))
}

/// Returns the paths for a problem in the folder `text`. If the parent folder is a known folder of problems, the
/// problem becomes part of this problem set.
fn by_path(context: &Context, text: &str) -> std::result::Result<Site, Failure> {
    let path = Path::new(text);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = parse_id(&name)?;
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if above.exists() && !above.is_dir() {
        return Err(Diagnostic::new(format!(
            "cannot create the problem in `{}`, which is not a folder",
            above.display()
        ))
        .into());
    }
    let argument = path.display().to_string();
    let same = |dir: &PathBuf| match (fs_err::canonicalize(dir), fs_err::canonicalize(above)) {
        (Ok(dir), Ok(above)) => dir == above,
        _ => false,
    };
    let nearest_set = root().join("problems");
    if context.problem_dirs().iter().chain([&nearest_set]).any(same) {
        let catalog = fs_err::canonicalize(above).map_err(|error| Failure::user_file(&error))?;
        return Ok(in_set(id, &catalog, argument));
    }
    Ok(Site { id, problem: path.to_owned(), solutions: path.join("solutions"), argument })
}

fn in_set(id: ProblemId, catalog: &Path, argument: String) -> Site {
    let solutions = catalog.parent().unwrap_or(Path::new("")).join("solutions").join(id.as_str());
    Site { problem: catalog.join(id.as_str()), solutions, id, argument }
}

fn parse_id(text: &str) -> std::result::Result<ProblemId, Failure> {
    text.parse().map_err(|error| Diagnostic::new(format!("{error}")).into())
}

/// Returns the paths and contents of the files to write: the template of the requested kind, with the solutions in the
/// requested language.
fn files(args: &New, site: &Site) -> std::result::Result<Vec<(PathBuf, String)>, Failure> {
    let folder = Path::new(args.kind.folder());
    let all_solutions = folder.join("solutions");
    let Some(template) = TEMPLATES.get_dir(folder) else {
        return Err(Failure::fault(FaultKind::Internal, format!("there is no template `{}`", folder.display())));
    };
    let Some(solutions) = TEMPLATES.get_dir(all_solutions.join(&args.language)) else {
        return Err(unknown_language(&args.language, &all_solutions).into());
    };
    let mut files = Vec::new();
    for (from, to) in [(template, &site.problem), (solutions, &site.solutions)] {
        for file in files_below(from, &all_solutions) {
            let below = file.path().strip_prefix(from.path()).unwrap_or(file.path());
            let text = file.contents_utf8().unwrap_or_default();
            let is_spec = below == Path::new(SPEC_FILE);
            files.push((to.join(below), if is_spec { text.replace(NAME, &title(&site.id)) } else { text.to_owned() }));
        }
    }
    Ok(files)
}

/// Returns the files in `dir` and its subfolders, except for the files in the subfolder `skipped`.
fn files_below<'t>(dir: &'t Dir<'t>, skipped: &Path) -> Vec<&'t File<'t>> {
    let below = dir.dirs().filter(|below| below.path() != skipped).flat_map(|below| files_below(below, skipped));
    dir.files().chain(below).collect()
}

fn unknown_language(language: &str, all: &Path) -> Diagnostic {
    let known = TEMPLATES.get_dir(all).into_iter().flat_map(Dir::dirs);
    let mut known: Vec<&str> = known.filter_map(|dir| dir.path().file_name()?.to_str()).collect();
    known.sort_unstable();
    let message = format!("the templates have no solutions in the language `{language}`");
    let list = format!("choose one of `{}`", known.join("`, `"));
    Diagnostic::new(message).help(match nearest(language, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => format!("{list}; you can add solutions in other languages later"),
    })
}

/// Returns the nearest ancestor of the current directory that contains `problems/`, or the current directory if there
/// is none.
fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let found = here.ancestors().find(|dir| dir.join("problems").is_dir()).map(Path::to_owned);
    let root = found.unwrap_or_else(|| here.clone());
    root.strip_prefix(&here).map_or(root.clone(), Path::to_owned)
}

/// Converts an id to a title: `split-nim` → `Split nim`.
fn title(id: &ProblemId) -> String {
    let words = id.as_str().replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl ProblemKind {
    /// Returns the name of the folder that contains the template.
    fn folder(self) -> &'static str {
        match self {
            ProblemKind::Sum => "sum",
            ProblemKind::Interactive => "interactive",
            ProblemKind::Checker => "checker",
            ProblemKind::Subtasks => "subtasks",
            ProblemKind::Multipass => "multipass",
            ProblemKind::Games => "games",
        }
    }
}
