//! Combines Java mutants that cannot be switched at run time into one program, in which each mutant has its own class.

use std::fmt::Write;

use super::combined_program::CombinedProgram;
use super::language::MutantLanguage;
use super::tree::{JavaFile, java_file};

/// Builds one program from `programs`, which are pairs of an id and a Java source text. The first argument of the built
/// program selects a program by its id. Returns `None` if `programs` is empty, or if a text has unmatched brackets or
/// no `static void main` with a parameter.
pub(super) fn with_classes(programs: &[(u32, String)]) -> Option<CombinedProgram> {
    let files: Vec<JavaFile> = programs.iter().map(|(_, text)| java_file(text)).collect::<Option<_>>()?;
    let mut out = CombinedProgram::new(MutantLanguage::Java);
    // All programs have the same imports, since they are mutants of one program.
    for import in &files.first()?.imports {
        let _ = writeln!(out.text, "{import}");
    }
    for ((id, _), file) in programs.iter().zip(&files) {
        let line = out.line();
        let _ = writeln!(out.text, "class NimatronMutant{id} {{\n{}\n}}", file.types);
        out.own_lines(line, vec![*id]);
    }
    out.text.push_str("public class NimatronMain {\n    public static void main(String[] args) throws Throwable {\n");
    for ((id, _), file) in programs.iter().zip(&files) {
        let call = format!("NimatronMutant{id}.{}.main(new String[0])", file.main);
        let _ = writeln!(out.text, "        if (args[0].equals(\"{id}\")) {call};");
    }
    out.text.push_str("    }\n}\n");
    Some(out)
}
