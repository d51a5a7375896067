//! Exports the built-in comparison rules for other judges, as arguments of their default checkers or as stand-alone
//! programs.

use crate::check::{Comparer, ComparisonRule};

/// The part of the C++ checker that does not depend on the rule.
const CPP: &str = include_str!("checker.cpp");
/// The part of the Python checker that does not depend on the rule.
const PYTHON: &str = include_str!("checker.py");

/// The calling convention of a C++ checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Arguments `INPUT ANSWER FEEDBACK_DIR/ < OUTPUT`. Exit code 42 accepts the output, and 43 rejects it.
    Icpc,
    /// Arguments `INPUT OUTPUT ANSWER`. Exit code 0 accepts the output, and 1 rejects it. A message is printed to
    /// standard error.
    Testlib,
    /// Arguments `INPUT ANSWER OUTPUT`. The fraction of the points is printed to standard output.
    Cms,
    /// Arguments `INPUT ANSWER OUTPUT`. Exit code 0 accepts the output, and 1 rejects it.
    Hustoj,
}

impl Dialect {
    /// Returns the `main` function of a checker with this convention.
    const fn main(self) -> &'static str {
        match self {
            Dialect::Icpc => {
                r#"
int main(int argc, char** argv) {
    if (argc < 3) return 1;
    return same(all(std::ifstream(argv[2])), all(std::ifstream("/dev/stdin"))) ? 42 : 43;
}
"#
            }
            Dialect::Testlib => {
                r#"
int main(int argc, char** argv) {
    if (argc < 4) return 3;
    bool right = same(all(std::ifstream(argv[3])), all(std::ifstream(argv[2])));
    std::fputs(right ? "ok output is correct\n" : "wrong answer output differs\n", stderr);
    return right ? 0 : 1;
}
"#
            }
            Dialect::Cms => {
                r#"
int main(int argc, char** argv) {
    if (argc < 4) return 1;
    bool right = same(all(std::ifstream(argv[2])), all(std::ifstream(argv[3])));
    std::puts(right ? "1.0" : "0.0");
    std::fputs(right ? "translate:success\n" : "translate:wrong\n", stderr);
    return 0;
}
"#
            }
            Dialect::Hustoj => {
                r#"
int main(int argc, char** argv) {
    if (argc < 4) return 1;
    return same(all(std::ifstream(argv[2])), all(std::ifstream(argv[3]))) ? 0 : 1;
}
"#
            }
        }
    }
}

/// Returns the arguments with which the ICPC format's default output validator applies the rule of `comparer`, or
/// `None` if the validator does not support the rule.
pub(super) fn icpc_flags(comparer: Comparer) -> Option<Vec<String>> {
    let mut flags = match comparer.rule {
        ComparisonRule::Exact => vec!["space_change_sensitive".to_owned()],
        ComparisonRule::Tokens => Vec::new(),
        ComparisonRule::Numbers { absolute, relative, spaces } => {
            let space = spaces.then(|| "space_change_sensitive".to_owned());
            space.into_iter().chain(tolerances(absolute, relative)).collect()
        }
        ComparisonRule::Lines | ComparisonRule::Unordered => return None,
    };
    if !comparer.fold_case {
        flags.insert(0, "case_sensitive".to_owned());
    }
    Some(flags)
}

fn tolerances(absolute: Option<f64>, relative: Option<f64>) -> Vec<String> {
    let flag = |name: &str, bound: Option<f64>| bound.map(|bound| vec![name.to_owned(), format!("{bound:?}")]);
    [flag("float_absolute_tolerance", absolute), flag("float_relative_tolerance", relative)]
        .into_iter()
        .flatten()
        .flatten()
        .collect()
}

/// Returns the absolute and relative tolerances of a rule. A missing tolerance is negative, so that no difference is
/// within it.
fn bounds(comparer: Comparer) -> (f64, f64) {
    match comparer.rule {
        ComparisonRule::Numbers { absolute, relative, .. } => (absolute.unwrap_or(-1.0), relative.unwrap_or(-1.0)),
        _ => (-1.0, -1.0),
    }
}

const fn rule_name(rule: ComparisonRule) -> &'static str {
    match rule {
        ComparisonRule::Exact => "exact",
        ComparisonRule::Lines => "lines",
        ComparisonRule::Tokens => "tokens",
        // `spaces` is never set here, because only packages can require specific white space between numbers.
        ComparisonRule::Numbers { .. } => "numbers",
        ComparisonRule::Unordered => "unordered",
    }
}

/// Generates a stand-alone checker in C++17.
pub(super) fn cpp(comparer: Comparer, dialect: Dialect) -> String {
    let (absolute, relative) = bounds(comparer);
    let (name, fold) = (rule_name(comparer.rule), comparer.fold_case);
    format!(
        "// Compares an output with the answer ({name}). This program has no dependencies.\n\n\
         enum Rule {{ EXACT, LINES, TOKENS, NUMBERS, UNORDERED }};\n\
         constexpr Rule RULE = {};\nconstexpr bool FOLD_CASE = {fold};\n\
         constexpr double ABSOLUTE = {absolute:?};\nconstexpr double RELATIVE = {relative:?};\n\n\
         {CPP}{}",
        name.to_ascii_uppercase(),
        dialect.main()
    )
}

/// Generates a stand-alone checker in Python with the calling convention of DMOJ.
pub(super) fn python(comparer: Comparer) -> String {
    let (absolute, relative) = bounds(comparer);
    let fold = if comparer.fold_case { "True" } else { "False" };
    let name = rule_name(comparer.rule);
    format!(
        "\"\"\"Compares an output with the answer ({name}). This program has no dependencies.\"\"\"\n\
         {PYTHON}\n\nRULE = \"{name}\"\nFOLD_CASE = {fold}\nABSOLUTE = {absolute:?}\nRELATIVE = {relative:?}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_map_to_flags_of_the_default_validator() {
        let flags = |rule| icpc_flags(Comparer::new(rule)).map(|flags| flags.join(" "));
        assert_eq!(flags(ComparisonRule::Tokens).as_deref(), Some("case_sensitive"));
        assert_eq!(flags(ComparisonRule::Exact).as_deref(), Some("case_sensitive space_change_sensitive"));
        let numbers = ComparisonRule::Numbers { absolute: Some(1e-6), relative: None, spaces: false };
        assert_eq!(flags(numbers).as_deref(), Some("case_sensitive float_absolute_tolerance 1e-6"));
        assert_eq!(flags(ComparisonRule::Lines), None);
        assert_eq!(icpc_flags(Comparer::new(ComparisonRule::Tokens).fold_case(true)), Some(vec![]));
    }
}
