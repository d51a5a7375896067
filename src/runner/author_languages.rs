//! Lists the languages of a problem author's programs that are required to judge submissions on the problem.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::lang::LanguageQuery;
use crate::model::Failure;
use crate::package::{GeneratedCase, OutputCheck, Package};
use crate::problem::{AuxProgram, Problem, Recipe};

use super::host::Host;
use super::prepared::ProblemSource;
use super::solutions::reference;

/// The path of a problem author's program, and the program's language if the problem specifies it.
type AuthorProgram = (PathBuf, Option<String>);

/// Returns the ids of the languages that a machine must have to judge submissions on a problem: the languages of the
/// problem's checkers, interactors, validators, generators and grader, and of the programs that compute its answers. No
/// program is run. Programs that can't be read are omitted, and so are scripts in a language that is not in the table.
///
/// # Errors
/// Fails if the problem is invalid, or if the judge itself fails.
pub fn author_languages(host: &Host, source: &ProblemSource) -> Result<BTreeSet<String>, Failure> {
    let cache = host.cache().root();
    let programs = match source.open_package(cache)? {
        Some(package) => programs_of_package(&package),
        None => programs_of_problem(&crate::problem::load(source.path())?),
    };
    let mut ids = BTreeSet::new();
    for (path, language) in programs {
        match host.languages().load_author(&path, language.as_deref()) {
            Ok(program) => _ = ids.insert(program.language().id.clone()),
            Err(Failure::Complaint(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    ids.retain(|id| host.languages().table().choose(LanguageQuery::Named(id)).is_ok());
    Ok(ids)
}

fn programs_of_problem(problem: &Problem) -> BTreeSet<AuthorProgram> {
    let judgings = problem.groups.iter().filter_map(|group| group.judging.as_ref()).chain([&problem.judging]);
    let aux_programs = judgings.flat_map(|judging| judging.aux_programs()).chain(&problem.validators);
    let generators = problem.groups.iter().filter_map(|group| match &group.recipe {
        Recipe::Program { file, .. } => Some((file.clone(), None)),
        Recipe::Given(_) | Recipe::Every { .. } | Recipe::Random { .. } => None,
    });
    let reference = reference(problem).ok().map(|solution| (solution.path, None));
    aux_programs.map(of_aux_program).chain(generators).chain(reference).collect()
}

fn programs_of_package(package: &Package) -> BTreeSet<AuthorProgram> {
    let mut programs: BTreeSet<AuthorProgram> = package.custom_grader().iter().map(of_aux_program).collect();
    for case in &package.cases {
        programs.extend(package.text_validator(case).iter().map(of_aux_program));
        if let Ok(judging) = package.judging(case) {
            programs.extend(judging.aux_programs().map(of_aux_program));
        }
    }
    for GeneratedCase { case: _, input, answer, printed } in &package.generated_cases {
        programs.extend(input.iter().map(|(generator, _)| (generator.clone(), None)));
        programs.extend(answer.clone());
        programs.extend(printed.iter().map(|printed| (printed.generator.clone(), None)));
    }
    // The cases are unknown until the inputs are generated, so the programs that generate the inputs, compute the
    // answers and check the outputs are not found through the cases and are added here.
    if let Some(maker) = &package.input_maker {
        programs.extend(maker.programs().map(|program| (program.to_owned(), None)));
        if let OutputCheck::Sinol { path, .. } = &package.output {
            programs.insert((path.clone(), None));
        }
    }
    programs
}

fn of_aux_program(aux_program: &AuxProgram) -> AuthorProgram {
    (aux_program.source.clone(), aux_program.language.clone())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::{Fault, FaultKind};
    use crate::sandbox::{Cancel, MockSandbox};

    fn languages(files: &[(&str, &str)], source: impl Fn(PathBuf) -> ProblemSource) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join("sum").join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, content).unwrap();
        }
        let sandbox = MockSandbox::new(|_, _| Err(Fault::new(FaultKind::Sandbox, "no program is run")));
        let cache: &Path = &folder.path().join("cache");
        let host = Host::new(Box::new(sandbox), &Cancel::new().unwrap(), cache, None, 1).unwrap();
        author_languages(&host, &source(folder.path().join("sum"))).unwrap().into_iter().collect()
    }

    #[test]
    fn programs_that_make_the_cases_of_a_package_count() {
        let files = [
            ("config.yml", "sinol_task_id: sum\n"),
            ("prog/sum.rb", ""),
            ("prog/sum.cpp", "int main() {}"),
            ("prog/sumingen.sh", "echo 1 > sum1.in\n"),
            ("prog/sumchk.py", "print('OK')\n"),
        ];
        assert_eq!(languages(&files, ProblemSource::Package), ["bash", "cpp", "python"]);
    }

    #[test]
    fn all_programs_of_a_problem_count() {
        let spec = "name: Sum\nchecker: { program: check.py }\nvalidator: valid.rb\ninput:\n  - n: 1..=9\ntests:\n  \
                    sample:\n    - { input: \"1\\n\" }\n  made: { count: 1, program: make.pl }\n";
        let files = [
            ("problem.yaml", spec),
            ("programs/check.py", "pass"),
            ("programs/valid.rb", "exit 42"),
            ("programs/make.pl", "print 1;"),
            ("solutions/accepted/reference.rs", "fn main() {}"),
            ("solutions/accepted/other.hs", "main = return ()"),
        ];
        assert_eq!(languages(&files, ProblemSource::Native), ["perl", "python", "ruby", "rust"]);
    }

    #[test]
    fn all_programs_of_a_package_that_judging_runs_count() {
        let spec = "problem_format_version: 2023-07-draft\nname: Sum\n";
        let files = [
            ("problem.yaml", spec),
            ("data/secret/1.in", "1\n"),
            ("data/secret/1.ans", "1\n"),
            ("output_validator/check.rb", "exit 42"),
            ("input_validators/valid.pl", "exit 42;"),
            ("submissions/accepted/a.py", "print(1)"),
        ];
        assert_eq!(languages(&files, ProblemSource::Package), ["ruby"]);
    }
}
