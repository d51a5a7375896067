//! Property tests for the mutants of Rust programs, and the mutants of an example.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

const RUST: MutantLanguage = MutantLanguage::Rust;

const SHOWN: &str = r#"//! A program.
#[derive(Debug)]
struct Pair(u32, u32);
const MAX: usize = 9;

fn main() {
    let mut seen = vec![false; MAX + 1];
    for i in 0..seen.len() {
        seen[i] = i ^ 2 > 3;
    }
    if seen[1] && best(&[1, 2]) == 7 {
        return;
    }
    println!("{} {i}", seen.len(), i = match MAX { 9 => "yes", _ => "no" });
}

/// The best.
fn best(list: &[u32]) -> u32 {
    list.iter().copied().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    fn two() -> u32 { 1 + 1 }
}
"#;

#[test]
fn mutants_of_an_example() {
    let list = mutants(SHOWN, RUST).unwrap();
    let line = |mutant: &Mutant| {
        let fixed = if mutant.site.is_some() { "" } else { " (fixed)" };
        let place = format!("{}:{}", mutant.line, mutant.column);
        format!("{place:5} {:10} {}{fixed}", mutant.operator.name(), mutant.change(SHOWN))
    };
    insta::assert_snapshot!(list.iter().map(line).collect::<Vec<_>>().join("\n"), @r#"
    4:20  constant   `9` → `10` (fixed)
    4:20  constant   `9` → `8` (fixed)
    7:25  constant   `false` → `true`
    7:32  arithmetic `MAX + 1` → `(MAX * 1)`
    7:36  arithmetic `+` → `-`
    7:38  constant   `1` → `0`
    7:38  constant   `1` → `2`
    8:14  constant   `0` → `1`
    8:15  off-by-one `..` → `..=`
    8:17  off-by-one `seen.len()` → `seen.len() - 1`
    9:9   dropped    `seen[i] = i ^ 2 > 3;` removed
    9:14  off-by-one `i` → `i + 1`
    9:14  off-by-one `i` → `i - 1`
    9:19  bitwise    `i ^ 2` → `(i & 2)`
    9:19  bitwise    `i ^ 2` → `(i + 2)`
    9:19  bitwise    `i ^ 2` → `(i | 2)`
    9:23  constant   `2` → `1`
    9:23  constant   `2` → `3`
    9:25  comparison `>` → `!=`
    9:25  comparison `>` → `<`
    9:25  comparison `>` → `==`
    9:25  comparison `>` → `>=`
    9:27  constant   `3` → `2`
    9:27  constant   `3` → `4`
    11:8  logic      `seen[1] && best(&[1, 2]) == 7` → `(seen[1] || (best(&[1, 2]) == 7))`
    11:8  logic      `seen[1] && best(&[1, 2]) == 7` → `best(&[1, 2]) == 7`
    11:8  logic      `seen[1] && best(&[1, 2]) == 7` → `seen[1]`
    11:8  condition  `seen[1] && best(&[1, 2]) == 7` → `!(seen[1] && best(&[1, 2]) == 7)`
    11:8  condition  `seen[1] && best(&[1, 2]) == 7` → `false`
    11:8  condition  `seen[1] && best(&[1, 2]) == 7` → `true`
    11:13 constant   `1` → `0`
    11:13 constant   `1` → `2`
    11:26 constant   `1` → `0`
    11:26 constant   `1` → `2`
    11:29 constant   `2` → `1`
    11:29 constant   `2` → `3`
    11:33 comparison `==` → `!=`
    11:33 comparison `==` → `<=`
    11:33 comparison `==` → `>=`
    11:36 constant   `7` → `6`
    11:36 constant   `7` → `8`
    12:9  dropped    `return;` removed
    14:5  dropped    `println!("{} {i}", seen.len(), i = match MAX { 9 => "yes", _…` removed
    14:52 constant   `9` → `10` (fixed)
    14:52 constant   `9` → `8` (fixed)
    14:57 constant   `"yes"` → `""`
    14:69 constant   `"no"` → `""`
    19:5  returned   `list.iter().copied().max().unwrap_or(0)` → `0`
    19:5  returned   `list.iter().copied().max().unwrap_or(0)` → `1`
    19:26 method     `max` → `min`
    19:42 constant   `0` → `1`
    "#);
}

#[test]
fn invalid_programs_are_rejected() {
    let error = mutants("fn main() {\n    let = 3;\n}", RUST).unwrap_err().to_string();
    assert!(error.starts_with("line 2: expected"), "{error}");
    assert_eq!(
        combine("fn f() {}", RUST, &[]).unwrap_err().to_string(),
        "the program has no `fn main` at its top level"
    );
    let scripted = "#!/usr/bin/env rust-script\nfn main() { f(1); }";
    assert_eq!(mutants(scripted, RUST).unwrap().first().map(|mutant| mutant.line), Some(2));
}

/// Checks that the mutants of a program parse, are distinct and ordered by position, and can be combined.
fn check_properties(source: &str) {
    let list = mutants(source, RUST).unwrap();
    assert_eq!(list, mutants(source, RUST).unwrap(), "a second call returns other mutants");
    let mut texts = HashSet::from([source.to_owned()]);
    for (index, mutant) in list.iter().enumerate() {
        assert_eq!(mutant.id as usize, index + 1);
        let mutated = mutant.apply(source);
        assert!(syn::parse_file(&mutated).is_ok(), "{mutant:?} does not parse:\n{mutated}");
        assert!(mutated.starts_with(&source[..mutant.span.start]) && mutated.ends_with(&source[mutant.span.end..]));
        assert!(texts.insert(mutated), "{mutant:?} is a duplicate or equals the original");
        // The mutant that turns `..` into `..=` is switched at the end of the range, which follows the operator.
        if let Some(site) = mutant.site.as_ref().filter(|_| mutant.text != "..=") {
            assert!(site.span.start <= mutant.span.start && mutant.span.end <= site.span.end, "{mutant:?}");
        }
    }
    assert!(
        list.windows(2).all(|two| two[0].span.start <= two[1].span.start),
        "the mutants are not ordered by position"
    );
    let all: Vec<&Mutant> = list.iter().collect();
    let combined = combine(source, RUST, &all).unwrap();
    syn::parse_file(&combined.text).unwrap_or_else(|error| panic!("{error}:\n{}", combined.text));
    let copies: Vec<(u32, String)> = list.iter().take(3).map(|mutant| (mutant.id, mutant.apply(source))).collect();
    syn::parse_file(&combine_copies(RUST, &copies).text).unwrap();
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn properties_hold_for_every_program_of_the_problem_set() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut programs = 0;
    for folder in ["solutions", "problems"] {
        for entry in walkdir::WalkDir::new(root.join(folder)) {
            let path = entry.unwrap().into_path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                check_properties(&fs_err::read_to_string(path).unwrap());
                programs += 1;
            }
        }
    }
    assert!(programs > 20);
}

/// Returns a strategy for random expressions over `a`, `b` and `v`.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..300_u32).prop_map(|n| n.to_string()),
        Just("a".to_owned()),
        Just("v[b]".to_owned()),
        Just("-7_i64".to_owned()),
        Just("0x1f".to_owned()),
        Just("v.iter().rev().any(|&x| x == 3)".to_owned()),
        Just("'x'".to_owned()),
        Just("2.5".to_owned()),
    ];
    let binary = "[-+*/%^&|]|<<|>>|==|<|>=|&&|[|][|]";
    leaf.prop_recursive(4, 30, 3, move |inner| {
        prop_oneof![
            (inner.clone(), binary, inner.clone()).prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            (inner.clone(), "[*^|+]").prop_map(|(a, op)| format!("({a} {op} b {op} 1)")),
            inner.clone().prop_map(|a| format!("!({a})")),
            inner.clone().prop_map(|a| format!("v[{a}]")),
            inner.clone().prop_map(|a| format!("vec![{a}; 3]")),
            inner.clone().prop_map(|a| format!("f(({a})..b, ..={a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if {a} {{ {b} }} else {{ 0 }}")),
            (inner.clone(), inner)
                .prop_map(|(a, b)| format!("match {a} {{ 0 | 3..=4 => {b}, _ if {b} => b, _ => 1 }}")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    (expression(), 0..8).prop_map(|(e, kind)| match kind {
        0 => format!("let é = {e};"),
        1 => format!("v[b] ^= {e};"),
        2 => format!("while {e} {{ break; }}"),
        3 => format!("println!(\"{{}} é {{:>w$}}\", {e}, b, w = 3);"),
        4 => format!("for x in 0..b {{ v.push({e}); continue; }}"),
        5 => format!("if let Some(x) = g({e}) {{ return; }}"),
        6 => format!("let f = |x: u32| {e}; // {{ (\n"),
        _ => format!("{{ const C: u32 = {e}; a = C }};"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn properties_hold_for_random_programs(body in prop::collection::vec(statement(), 0..4), tail in expression()) {
        let body = body.join("\n    ");
        check_properties(&format!("fn main() {{{body}}}\nfn h(a: u32) -> bool {{ {tail} }}\n"));
    }
}
