//! Rows for programs that belong to no language: programs of a problem that have a script `build`, a program `run`, or
//! both, as the ICPC package format allows, and output-only answers.

use std::sync::Arc;

use super::language::Language;
use super::source_files::NamedFile;
use super::table;

/// Rows outside of the table, which cannot be selected by a name or an extension.
///
/// Scripts are started by `env`, which runs a script without a `#!` line with the system's shell. The result of a build
/// script depends on the compilers that the format guarantees. These compilers are listed as programs, so that a change
/// of a compiler causes a new build. A missing compiler is replaced by `env`. A submitted answer is printed by a shell
/// whose arguments are only names and paths.
const ROWS: &str = "
format: 1
languages:
  build-script:
    name: a build script
    programs:
      env: [env]
      cc: [/usr/local/bin/cc, /usr/bin/cc, env]
      cxx: [/usr/local/bin/c++, /usr/bin/c++, env]
      python: [/usr/local/bin/python3, /usr/bin/python3, env]
    probe: { argv: ['{env}', echo, '1.0'] }
    keep: folder
    compile: ['{env}', '{dir}/build']
    run: ['{env}', '{dir}/run']
    bound_address_space: false
    bound_compiler: false
  run-script:
    name: a script
    programs: { env: [env] }
    probe: { argv: ['{env}', echo, '1.0'] }
    keep: folder
    run: ['{env}', '{dir}/run']
    bound_address_space: false
  answers:
    name: Answers
    programs: { sh: [sh], cat: [cat] }
    probe: { argv: ['{sh}', -c, echo 1.0] }
    keep: sources
    run: ['{sh}', -c, 'test -z \"$2\" || exec \"$0\" \"$1/$2\"', '{cat}', '{dir}']
";

/// Returns the row that builds and runs `files`, and the index of the entry, or `None` if `files` contains neither
/// `build` nor `run`.
pub(super) fn language(files: &[NamedFile]) -> Option<(Arc<Language>, usize)> {
    let at = |name: &str| files.iter().position(|(file, _)| file == name);
    let (id, entry) = match (at("build"), at("run")) {
        (Some(build), _) => ("build-script", build),
        (None, run) => ("run-script", run?),
    };
    Some((row(id)?, entry))
}

/// Returns the language of output-only answers, whose command prints the submitted answer, or `None` if [`ROWS`] is
/// invalid.
pub(super) fn answers() -> Option<Arc<Language>> {
    row("answers")
}

fn row(id: &str) -> Option<Arc<Language>> {
    let mut rows = table::read("built in", ROWS).ok()?;
    rows.0.shift_remove(id).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str]) -> Option<(String, usize)> {
        let files: Vec<NamedFile> = names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        language(&files).map(|(language, entry)| (language.id.clone(), entry))
    }

    #[test]
    fn all_rows_exist() {
        table::read("built in", ROWS).unwrap();
        assert_eq!(answers().unwrap().id, "answers");
    }

    #[test]
    fn scripts_at_the_top_make_a_program() {
        assert_eq!(chosen(&["build", "run"]), Some(("build-script".to_owned(), 0)));
        assert_eq!(chosen(&["a.cpp", "build"]), Some(("build-script".to_owned(), 1)));
        assert_eq!(chosen(&["data", "run"]), Some(("run-script".to_owned(), 1)));
        assert_eq!(chosen(&["a.cpp", "tools/build", "run.py"]), None);
    }
}
