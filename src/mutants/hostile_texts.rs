//! Tests with source texts that might cause an endless loop, a stack overflow or a panic in a simple parser.

use proptest::prelude::*;

use super::*;

const LANGUAGES: [MutantLanguage; 6] = [
    MutantLanguage::C,
    MutantLanguage::Cpp,
    MutantLanguage::Java,
    MutantLanguage::Python,
    MutantLanguage::JavaScript,
    MutantLanguage::Go,
];

/// Finds the mutants of `text`, unless the parser rejects it, and combines up to 200 mutants that can be switched at
/// run time.
fn mutate(text: &str, language: MutantLanguage) {
    let Ok(list) = mutants(text, language) else { return };
    for mutant in &list {
        assert!(text.get(mutant.span.clone()).is_some(), "{language:?} {mutant:?}");
    }
    let some: Vec<&Mutant> = list.iter().filter(|mutant| mutant.site.is_some()).take(200).collect();
    let _ = combine(text, language, &some).unwrap();
    let _ = copies_per_program(text, language);
}

/// Repeats `before` and `after` around `middle`, inside a function if the language requires one.
fn nested(language: MutantLanguage, [before, middle, after]: [&str; 3], times: usize) -> String {
    let code = format!("{}{middle}{}", before.repeat(times), after.repeat(times));
    match language {
        MutantLanguage::C | MutantLanguage::Cpp => format!("int main() {{ {code}; }}"),
        MutantLanguage::Java => format!("class Main {{ static void f() {{ {code}; }} }}"),
        MutantLanguage::Go => format!("package main\nfunc main() {{ {code} }}\n"),
        MutantLanguage::Rust | MutantLanguage::Python | MutantLanguage::JavaScript => code,
    }
}

/// Triples of code pieces for [`nested`]: the first piece is repeated before the second, and the third after it.
const PIECES: [[&str; 3]; 40] = [
    ["(", "x", ")"],
    ["[", "x", "]"],
    ["{", "x", "}"],
    ["{\n", "x\n", "\n}"],
    ["f(", "x", ")"],
    ["a[", "x", "]"],
    ["x + ", "1", ""],
    ["x", "", "()"],
    ["x", "", ".y"],
    ["x", "", "[0]"],
    ["!", "x", ""],
    ["-", "x", ""],
    ["*", "x", ""],
    ["+", "x", "+"],
    ["if (x) ", "f()", ""],
    ["if (x) { ", "f();", "} else {}"],
    ["if (f([&] { if (x) g(); }), b) ", "f()", " else f()"],
    ["if (f([]{ ", "x", " }) y) z()"],
    ["if (f([]{ ", "x", " }), y) z()"],
    ["int a = [&]{ ", "x", "}, ; "],
    ["x ? ", "y", " : z"],
    ["x = ", "y", ""],
    ["a<", "b", ">"],
    ["a<a,", "b", ""],
    ["(a<b,c>)", "x", ""],
    ["() => ", "x", ""],
    ["() => { ", "x", "}"],
    ["`${", "x", "}`"],
    ["`", "", ""],
    ["/[", "x", ""],
    ["lambda: ", "x", ""],
    ["not ", "x", ""],
    ["[x for y in ", "z", "]"],
    ["x if ", "y", " else z"],
    ["func() ", "", ""],
    ["map ", "", ""],
    ["[]", "int", "{}"],
    ["x := func() { ", "y()", "}"],
    ["x; ", "", ""],
    ["operator ", "", "< "],
];

/// If parsing took time exponential in the nesting depth, this test would not finish.
#[test]
#[ignore = "slow; .ci/run runs it"]
fn deep_and_large_texts_are_parsed() {
    for language in LANGUAGES {
        for pieces in PIECES {
            mutate(&nested(language, pieces, 800), language);
            mutate(&nested(language, pieces, 30), language);
        }
    }
    let indented: String = (0..500).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect();
    mutate(&indented, MutantLanguage::Python);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Any text is either parsed or rejected, without a panic.
    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn any_code_is_parsed(
        pieces in prop::collection::vec("[a-z]{1,2}|[0-9]|[-+*/%<>=!&|^~?:;,.(){}\\[\\]\n]{1,2}|if|for|while|return|in|case|func|def|class|map|lambda|new|int|=>|->|\"a\"|`\\$\\{b\\}`|'| |\n    ", 0..60),
    ) {
        let text = pieces.concat();
        LANGUAGES.iter().for_each(|language| mutate(&text, *language));
    }

    #[test]
    fn any_bytes_are_parsed(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        LANGUAGES.iter().for_each(|language| mutate(&text, *language));
    }

    /// A program in which a part is missing or duplicated is either parsed or rejected, without a panic.
    #[test]
    fn any_part_of_a_program_is_parsed(which in 0..6_usize, from in 0..400_usize, length in 0..60_usize, twice: bool) {
        let (text, language) = tree_properties::EXAMPLES[which];
        let text: Vec<char> = text.chars().collect();
        let (from, to) = (from.min(text.len()), (from + length).min(text.len()));
        let kept = if twice { &text[from..] } else { &text[to..] };
        let text: String = text[..if twice { to } else { from }].iter().chain(kept).collect();
        mutate(&text, language);
    }
}
