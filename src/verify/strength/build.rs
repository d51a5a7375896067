//! Builds mutants in bulk with few compilations.
//!
//! Mutants that can be selected at run time are compiled into one program. Mutants that cause compile errors there, or
//! that can't be selected at run time, are compiled in modules of further programs, each with several mutants. Mutants
//! that do not compile there either are not viable and do not count. If [`MutantLanguage::rejection_is_final`] returns
//! true, a compile error in the first program is sufficient.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Failure;
use crate::mutants::{Mutant, MutantLanguage, combine, combine_copies, copies_per_program};
use crate::workers::in_parallel;

/// The reason why source text was not compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileError {
    /// The compiler rejected the source text. Contains the compiler's output.
    Rejected(String),
    /// The compiler could not be run.
    Failed(Failure),
}

impl From<Failure> for CompileError {
    fn from(failure: Failure) -> CompileError {
        CompileError::Failed(failure)
    }
}

/// A function that compiles a source text on the slot with the given number.
pub type Compile<'a, P> = &'a (dyn Fn(&str, usize) -> Result<P, CompileError> + Sync);

/// The compiled mutants, and the programs that contain them.
#[derive(Debug, Clone)]
pub struct Bulk<P> {
    /// The programs. The first also contains the original.
    pub programs: Vec<P>,
    /// Index of the program that contains each mutant. A mutant without an index did not compile.
    pub homes: BTreeMap<u32, usize>,
    /// Number of compiler runs.
    pub compilations: usize,
}

impl<P> Bulk<P> {
    /// Adds a program that contains the mutants with the ids `ids`.
    fn add(&mut self, program: P, ids: impl Iterator<Item = u32>) {
        self.homes.extend(ids.map(|id| (id, self.programs.len())));
        self.programs.push(program);
    }
}

/// Result of compiling several mutants together.
struct CombinedBuild<P> {
    programs: Vec<(P, Vec<u32>)>,
    compilations: usize,
}

/// Compiles the mutants, with many mutants in each program. Mutants that do not compile are left out.
///
/// # Errors
/// Fails if the source is not a program with a `main` function, if the compiler rejects the program without mutants, or
/// if the compiler can't be run.
pub fn build_all<P: Send>(
    source: &str,
    language: MutantLanguage,
    mutants: &[Mutant],
    slots: &[usize],
    compile: Compile<'_, P>,
) -> Result<Bulk<P>, Failure> {
    let (switching, mut rest): (Vec<&Mutant>, Vec<&Mutant>) = mutants.iter().partition(|mutant| mutant.site.is_some());
    let mut bulk = Bulk { programs: Vec::new(), homes: BTreeMap::new(), compilations: 0 };
    let mut queue = vec![switching];
    while let Some(mut list) = queue.pop() {
        if list.is_empty() && !bulk.programs.is_empty() {
            continue;
        }
        let combined = combine(source, language, &list).map_err(|error| Failure::complaint(error.to_string()))?;
        bulk.compilations += 1;
        match compile(&combined.text, 0) {
            Ok(program) => bulk.add(program, list.iter().map(|mutant| mutant.id)),
            Err(CompileError::Failed(failure)) => return Err(failure),
            Err(CompileError::Rejected(output)) if list.is_empty() => {
                return Err(Failure::complaint(format!(
                    "the program cannot be compiled together with its mutants:\n{output}"
                )));
            }
            Err(CompileError::Rejected(output)) => {
                let blamed = combined.mutants_at_errors(&output);
                if !blamed.is_empty() {
                    let bad = list.extract_if(.., |mutant| blamed.contains(&mutant.id));
                    rest.extend(bad.filter(|_| !language.rejection_is_final()));
                    queue.push(list);
                } else if list.len() > 1 {
                    let half = list.split_off(list.len() / 2);
                    queue.extend([list, half]);
                } else {
                    rest.append(&mut list);
                }
            }
        }
        // One program must contain the original, even if no mutant can be selected at run time.
        if queue.is_empty() && bulk.programs.is_empty() {
            queue.push(Vec::new());
        }
    }
    rest.sort_by_key(|mutant| mutant.id);
    let share = copies_per_program(source, language);
    // Programs have nearly equal numbers of mutants, so that the workers finish at about the same time.
    let parts = rest.len().div_ceil(share).next_multiple_of(slots.len().max(1));
    let parts: Vec<&[&Mutant]> = rest.chunks(rest.len().div_ceil(parts.max(1)).max(1)).collect();
    let (shared, ended) = in_parallel(
        &parts,
        slots,
        Ok,
        |slot, part| share_out(source, language, part, &|text| compile(text, *slot)),
        |_| {},
    );
    ended?;
    for part in shared.into_iter().flatten() {
        bulk.compilations += part.compilations;
        for (program, ids) in part.programs {
            bulk.add(program, ids.into_iter());
        }
    }
    Ok(bulk)
}

/// Compiles mutants together. If that fails, removes the mutants at the reported lines and compiles the others again.
/// If no mutant is at a reported line, splits the list in half; a single mutant is left out.
fn share_out<P>(
    source: &str,
    language: MutantLanguage,
    mutants: &[&Mutant],
    compile: &dyn Fn(&str) -> Result<P, CompileError>,
) -> Result<CombinedBuild<P>, Failure> {
    let mut shared = CombinedBuild { programs: Vec::new(), compilations: 0 };
    let mut queue: Vec<Vec<&Mutant>> = vec![mutants.to_vec()];
    while let Some(mut list) = queue.pop() {
        if list.is_empty() {
            continue;
        }
        let texts: Vec<(u32, String)> = list.iter().map(|mutant| (mutant.id, mutant.apply(source))).collect();
        let combined = combine_copies(language, &texts);
        shared.compilations += 1;
        match compile(&combined.text) {
            Ok(program) => shared.programs.push((program, list.iter().map(|mutant| mutant.id).collect())),
            Err(CompileError::Failed(failure)) => return Err(failure),
            Err(CompileError::Rejected(output)) => {
                let ours: BTreeSet<u32> = list.iter().map(|mutant| mutant.id).collect();
                let blamed: BTreeSet<u32> = combined.mutants_at_errors(&output).intersection(&ours).copied().collect();
                if !blamed.is_empty() {
                    list.retain(|mutant| !blamed.contains(&mutant.id));
                    queue.push(list);
                } else if list.len() > 1 {
                    let half = list.split_off(list.len() / 2);
                    queue.extend([list, half]);
                }
            }
        }
    }
    Ok(shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutants;

    const RUST: MutantLanguage = MutantLanguage::Rust;
    const SOURCE: &str = "const N: u32 = 5;\nfn main() {\n    let a = N + 1;\n    if a > 2 {\n        print!(\"{}\", a ^ 3);\n    }\n}\n";

    /// Returns a compiler that rejects source text that contains one of `words`. The compiler reports the line of the
    /// word unless `shy` is true.
    fn refusing(words: &'static [&'static str], shy: bool) -> impl Fn(&str, usize) -> Result<String, CompileError> {
        move |text, _| {
            let bad = text.lines().position(|line| words.iter().any(|word| line.contains(word)));
            let output = match bad {
                None => return Ok(text.to_owned()),
                Some(_) if shy => "error: no".to_owned(),
                Some(line) => format!("error: no\n --> main.rs:{}:1", line + 1),
            };
            Err(CompileError::Rejected(output))
        }
    }

    #[test]
    fn viable_mutants_are_built_with_few_compilations() {
        let list = mutants(SOURCE, RUST).unwrap();
        let bulk = build_all(SOURCE, RUST, &list, &[0, 1], &refusing(&[], false)).unwrap();
        assert_eq!(bulk.homes.len(), list.len());
        assert!(bulk.compilations <= 3, "{} for {}", bulk.compilations, list.len());
        let fixed = list.iter().filter(|mutant| mutant.site.is_none()).count();
        assert_eq!(bulk.homes.values().filter(|home| **home > 0).count(), fixed);
    }

    #[test]
    fn refused_mutants_are_left_out() {
        let list = mutants(SOURCE, RUST).unwrap();
        let refused: Vec<u32> =
            list.iter().filter(|mutant| mutant.apply(SOURCE).contains("a & 3")).map(|mutant| mutant.id).collect();
        assert_eq!(refused.len(), 1);
        for shy in [false, true] {
            let bulk = build_all(SOURCE, RUST, &list, &[0], &refusing(&["a & 3"], shy)).unwrap();
            assert_eq!(bulk.homes.len(), list.len() - 1, "shy: {shy}");
            assert!(!bulk.homes.contains_key(&refused[0]));
        }
        // A mutant that can't be selected at run time may compile alone.
        let alone = build_all(SOURCE, RUST, &list, &[0], &refusing(&["> ((a & 3))"], false)).unwrap();
        assert_eq!(alone.homes.len(), list.len());
    }

    #[test]
    fn a_compiler_that_is_not_there_is_a_failure() {
        let gone = |_: &str, _: usize| -> Result<(), CompileError> { Err(Failure::complaint("no rustc").into()) };
        assert!(build_all(SOURCE, RUST, &mutants(SOURCE, RUST).unwrap(), &[0], &gone).is_err());
    }
}
