//! Combines Rust mutants that cannot be switched at run time into one program, in which each mutant has its own module.

use std::fmt::Write;

use super::combined_program::CombinedProgram;
use super::language::MutantLanguage;

/// Builds one program from `programs`, which are pairs of an id and a Rust source text. The first argument of the built
/// program selects a program by its id.
///
/// Paths that start with `crate::` are rewritten to the module of their program.
pub(super) fn with_modules(programs: &[(u32, String)]) -> CombinedProgram {
    let mut out = CombinedProgram::new(MutantLanguage::Rust);
    for (id, text) in programs {
        let line = out.line();
        let _ = write!(
            out.text,
            "mod m{id} {{\n{}\npub fn nimatron_begin() -> std::process::ExitCode {{ std::process::Termination::report(main()) }}\n}}\n",
            with_module_paths(text, *id)
        );
        out.own_lines(line, vec![*id]);
    }
    out.text.push_str("fn main() -> std::process::ExitCode {\n    match std::env::args().nth(1).as_deref() {\n");
    for (id, _) in programs {
        let _ = writeln!(out.text, "        Some(\"{id}\") => m{id}::nimatron_begin(),");
    }
    out.text.push_str("        _ => std::process::ExitCode::from(99),\n    }\n}\n");
    out
}

/// Returns `text` with each `crate::` path rewritten to the module of the program `id`.
fn with_module_paths(text: &str, id: u32) -> String {
    let mut out = text.to_owned();
    for at in roots(text).into_iter().rev() {
        out.insert_str(at, &format!("::m{id}"));
    }
    out
}

/// Returns the byte position after each `crate` that starts a path. Returns no positions if the text cannot be
/// split into tokens.
fn roots(text: &str) -> Vec<usize> {
    fn walk(tokens: proc_macro2::TokenStream, found: &mut Vec<usize>) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                proc_macro2::TokenTree::Group(group) => walk(group.stream(), found),
                proc_macro2::TokenTree::Ident(ident) if ident == "crate" => {
                    let path = matches!(tokens.peek(), Some(proc_macro2::TokenTree::Punct(p)) if p.as_char() == ':');
                    if path {
                        found.push(ident.span().byte_range().end);
                    }
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse() {
        walk(tokens, &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_stays_in_its_module() {
        let text = "mod a { pub fn f() { crate::b(); } }\npub(crate) fn b() {}\nfn main() { a::f() }";
        let both = with_modules(&[(3, text.to_owned()), (7, "fn main() {}".to_owned())]);
        assert!(both.text.contains("crate::m3::b();"), "{}", both.text);
        assert!(both.text.contains("pub(crate) fn b"), "{}", both.text);
        syn::parse_file(&both.text).unwrap();
        let line = both.text.lines().position(|line| line == "fn main() {}").unwrap() + 1;
        assert_eq!(
            both.mutants_at_errors(&format!("error: no\n --> main.rs:{line}:1")).into_iter().collect::<Vec<_>>(),
            [7]
        );
    }
}
