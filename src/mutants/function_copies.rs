//! Builds a Go program that contains a copy of the changed function for each mutant. The original functions call the
//! copy that is selected at run time. A copy has exactly the types of the mutant, whereas a switch inside an expression
//! could change types in Go.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use super::combined_program::CombinedProgram;
use super::language::MutantLanguage;
use super::mutant::{Mutant, splice};
use super::tree::go_header;

/// Go code that parses the first argument as the id of the active mutant. Without an argument, the id is 0.
const END: &str = "
var nimatronActive = nimatronBegin()

func nimatronBegin() (id int) {
	if len(nimatron_os.Args) > 1 {
		for _, digit := range nimatron_os.Args[1] {
			id = id*10 + int(digit-'0')
		}
	}
	return id
}
";

/// Builds one program that contains the original and all mutants that can be switched.
pub(super) fn with_function_copies(source: &str, mutants: &[&Mutant]) -> CombinedProgram {
    let mut functions: BTreeMap<(usize, usize), Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        if let Some(site) = &mutant.site {
            functions.entry((site.span.start, site.span.end)).or_default().push(mutant);
        }
    }
    let mut out = CombinedProgram::new(MutantLanguage::Go);
    let package = end_of_package(source);
    out.text.push_str(&source[..package]);
    out.text.push_str("; import nimatron_os \"os\"");
    let mut at = package;
    for ((start, end), copies) in functions {
        out.text.push_str(&source[at..start]);
        function(&mut out, source, start..end, &copies);
        at = end;
    }
    out.text.push_str(&source[at..]);
    out.text.push_str(END);
    out
}

/// Writes the function and its copies. At its start, the function calls the copy of the active mutant. A function whose
/// header is not recognized is written without copies.
fn function(out: &mut CombinedProgram, source: &str, whole: Range<usize>, copies: &[&Mutant]) {
    let original = &source[whole.clone()];
    let Some(header) = go_header(original) else { return out.text.push_str(original) };
    let name = &original[header.name.clone()];
    out.text.push_str(&original[..header.body]);
    out.text.push_str("\nswitch nimatronActive {\n");
    for Mutant { id, .. } in copies {
        let receiver = header.receiver.as_ref().map(|receiver| format!("{receiver}.")).unwrap_or_default();
        let call = format!("{receiver}{name}_nimatron{id}({})", header.arguments);
        let _ = match header.has_result {
            true => writeln!(out.text, "case {id}: return {call}"),
            false => writeln!(out.text, "case {id}: {call}; return"),
        };
    }
    out.text.push_str("}\n");
    out.text.push_str(&original[header.body..]);
    for Mutant { id, span: changed, text, .. } in copies {
        out.text.push('\n');
        let line = out.line();
        let copy = splice(original, whole.start, changed, text);
        let (before, after) = copy.split_at(header.name.end);
        let _ = writeln!(out.text, "{before}_nimatron{id}{after}");
        out.own_lines(line, vec![*id]);
    }
}

/// Returns the byte position after the package clause, or 0 if there is no package clause.
fn end_of_package(source: &str) -> usize {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default().trim_end();
        if code.trim_start().starts_with("package ") {
            return at + code.len();
        }
        at += line.len();
    }
    0
}
