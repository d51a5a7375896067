//! Combines several mutants into one program, by a method that depends on the language.

use super::class_copies::with_classes;
use super::combined_program::CombinedProgram;
use super::find::MutateError;
use super::function_copies::with_function_copies;
use super::language::{Combination, MutantLanguage};
use super::modules::with_modules;
use super::mutant::Mutant;
use super::patches::with_patches;
use super::switches::with_switches;
use super::ternary_switches::with_ternaries;
use super::tree::java_file;

/// Maximum number of mutants per program if each mutant has its own module or class.
const SHARE: usize = 12;
/// Attributes of items that cannot be duplicated within a Rust program. Mutants of a program that contains one of these
/// attributes cannot be combined.
const LONERS: [&str; 3] = ["macro_export", "no_mangle", "global_allocator"];

/// Builds one program that contains the original and the mutants that have a [`SwitchSite`](super::SwitchSite). The
/// first argument of the built program selects a mutant by its id, and 0 selects the original.
///
/// # Errors
/// Fails if a Rust program does not parse or has no `main` function at its top level.
pub fn combine(source: &str, language: MutantLanguage, mutants: &[&Mutant]) -> Result<CombinedProgram, MutateError> {
    Ok(match language.combination() {
        Combination::Switches if language == MutantLanguage::Rust => with_switches(source, mutants)?,
        Combination::Switches => with_ternaries(source, language, mutants),
        Combination::FunctionCopies => with_function_copies(source, mutants),
        Combination::Patches => with_patches(source, language, mutants),
    })
}

/// Returns the maximum number of mutants in a program of [`combine_copies`], in which each mutant is a whole copy
/// of the original.
pub fn copies_per_program(source: &str, language: MutantLanguage) -> usize {
    match language {
        MutantLanguage::Rust if LONERS.iter().any(|word| source.contains(word)) => 1,
        MutantLanguage::Rust => SHARE,
        MutantLanguage::Java if java_file(source).is_some() => SHARE,
        _ => 1,
    }
}

/// Builds one program that contains each of `programs`, which are pairs of an id and a source text. The first argument
/// of the built program selects a program by its id. A single program in a language other than Rust is returned
/// unchanged. For several programs, the result is empty if the language is neither Rust nor Java, or if a Java program
/// cannot be split into its types.
pub fn combine_copies(language: MutantLanguage, programs: &[(u32, String)]) -> CombinedProgram {
    match (language, programs) {
        (MutantLanguage::Rust, _) => with_modules(programs),
        (_, [(id, text)]) => CombinedProgram::of_one(language, *id, text),
        (MutantLanguage::Java, _) => with_classes(programs).unwrap_or_else(|| CombinedProgram::new(language)),
        _ => CombinedProgram::new(language),
    }
}
