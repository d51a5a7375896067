//! Grammars and inputs that are and are not as they say.

use super::*;
use proptest::prelude::*;

fn run(grammar: &str, input: &str) -> Result<(), String> {
    check(&Grammar::parse("g.ctd", grammar).unwrap(), input.as_bytes())
}

#[track_caller]
fn takes(grammar: &str, good: &[&str], bad: &[&str]) {
    for input in good {
        assert_eq!(run(grammar, input), Ok(()), "{input:?}");
    }
    for input in bad {
        assert!(run(grammar, input).is_err(), "{input:?}");
    }
}

#[test]
fn numbers_and_loops() {
    let list = "INT(1, 3, n) NEWLINE # how many\nREPI(i, n, SPACE) INT(-5, 10^2, a[i]) END NEWLINE EOF";
    takes(
        list,
        &["2\n-5 100\n", "1\n0\n"],
        &["2\n1\n", "2\n1 2", "2\n1  2\n", "4\n1 1 1 1\n", "1\n01\n", "1\n-0\n", "1\n101\n", "1\n1\n\n"],
    );
    let float =
        "FLOAT(0, 1, x) SPACE FLOATP(0, 10, 1, 2) SPACE FLOAT(0, 1000, y, SCIENTIFIC) SPACE FLOAT(0, 1, z, FIXED)";
    takes(
        float,
        &["0.5 1.25 1e2 1", "1 9.0 1.5E+2 0.0"],
        &["2 1.25 1e2 1", "0.5 1.255 1e2 1", "0.5 1 1e2 1", "0.5 1.2 100 1", "0.5 1.2 1e2 1e0"],
    );
}

#[test]
fn tests_and_variables() {
    let unique =
        "REP(3) INT(1,9,x[k]) SPACE INT(1,9,y[k]) NEWLINE SET(k=k+1) END ASSERT(UNIQUE(x,y) && !INARRAY(9, x))";
    let unique = format!("SET(k = 0) {unique}");
    takes(&unique, &["1 1\n1 2\n2 1\n"], &["1 1\n1 2\n1 1\n", "9 1\n1 2\n1 1\n"]);
    let sum = "INT(0,9,a) SPACE INT(0,9,b) IF(a == 0 || (b % 2 == 1)) STRING(\"odd\") ELSE STRING(\"even\") END";
    takes(sum, &["0 2odd", "1 3odd", "1 2even"], &["1 2odd"]);
    takes(
        "WHILE(!ISEOF, SPACE) IF(MATCH(\"ab\")) REGEX(\"[ab]+\", w) ASSERT(STRLEN(w) <= 2) ELSE INT(0,9) END END",
        &["ab 1 a", ""],
        &["aba", "ab  1", "c"],
    );
    takes("INT(0,9,n) SET(m = -n + 2 * (3 - 1)) ASSERT(m >= 0)", &["4"], &["5"]);
    takes("ASSERT(!1 == 2)", &[""], &[]);
}

#[test]
fn regular_expressions_take_the_longest_match() {
    takes("REGEX(\"1|10|[1-9]\\n\") NEWLINE", &["10\n", "1\n\n"], &["2\n"]);
    takes("REGEX(\"a.c\")", &["a\nc"], &["ac"]);
}

#[test]
fn faults_are_named_with_their_places() {
    assert_eq!(
        run("INT(1,9)\nNEWLINE", "5 \n").unwrap_err(),
        "line 1, column 2: the end of the line is expected (line 2 of the grammar)"
    );
    assert!(run("ASSERT(1 / 0 == 1)", "").unwrap_err().contains("division by zero"));
    assert!(run("SET(x = 2) REP(1000) SET(x = x * x) END", "").unwrap_err().contains("too large"));
    assert!(run("ASSERT(q == 1)", "").unwrap_err().contains("`q` has no value"));
    for bad in ["INT(1)", "FOO", "REP(3) INT(1,2)", "\"open", "ASSERT(1 <)", "§", "REGEX("] {
        assert!(Grammar::parse("g.ctd", bad).is_err(), "{bad}");
    }
    assert!(Grammar::parse("g.ctd", &"IF(".repeat(1000)).is_err());
    assert!(run("REGEX(\"(\")", "").is_err());
}

proptest! {
    #[test]
    fn any_grammar_and_input_end(
        grammar in "(INT\\(1,9,a\\)|SPACE|NEWLINE|REP\\(|IF\\(|END|ELSE|a|1|\"x\"|[()\\[\\],<>=!+*/^&|%-]| ){0,25}",
        input in "[0-9 \\n]{0,12}",
    ) {
        if let Ok(grammar) = Grammar::parse("g", &grammar) {
            let _ = check(&grammar, input.as_bytes());
        }
    }
}
