//! Combines mutants that can't be switched in one Java program, in which each mutant has a class of its own.

use std::fmt::Write;

use super::combined_program::CombinedProgram;
use super::language::MutantLanguage;
use super::tree::{JavaFile, java_file};

/// Builds one program from these programs. Returns `None` if a program has no `static void main(String[] …)`.
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
