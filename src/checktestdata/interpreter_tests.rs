//! Tests of grammars with inputs that match and inputs that do not.

use super::*;
use proptest::prelude::*;

fn run(grammar: &str, input: &str) -> Result<(), String> {
    check(&CtdGrammar::parse("g.ctd", grammar).unwrap(), input.as_bytes())
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
fn regular_expressions_match_the_longest_text() {
    takes("REGEX(\"1|10|[1-9]\\n\") NEWLINE", &["10\n", "1\n\n"], &["2\n"]);
    takes("REGEX(\"a.c\")", &["a\nc"], &["ac"]);
}

#[test]
fn errors_have_positions() {
    assert_eq!(
        run("INT(1,9)\nNEWLINE", "5 \n").unwrap_err(),
        "line 1, column 2: expected the end of the line, found a space (line 2 of the grammar)"
    );
    assert!(run("ASSERT(1 / 0 == 1)", "").unwrap_err().contains("division by zero"));
    assert!(run("SET(x = 2) REP(1000) SET(x = x * x) END", "").unwrap_err().contains("exceeds the supported range"));
    assert!(run("ASSERT(q == 1)", "").unwrap_err().contains("`q` has no value"));
    for bad in ["INT(1)", "FOO", "REP(3) INT(1,2)", "\"open", "ASSERT(1 <)", "§", "REGEX("] {
        assert!(CtdGrammar::parse("g.ctd", bad).is_err(), "{bad}");
    }
    assert!(CtdGrammar::parse("g.ctd", &"IF(".repeat(1000)).is_err());
    assert!(run("REGEX(\"(\")", "").is_err());
}

#[test]
fn regular_expressions_are_those_of_posix() {
    takes(r#"REGEX("[][,0-9]+")"#, &["[1,2]", "]"], &["a", "\\"]);
    takes(r#"REGEX("[][()]+")"#, &["([])"], &["x"]);
    takes(r#"REGEX("[^]a]+")"#, &["bc["], &["]", "a"]);
    takes(r#"REGEX("[[(]+")"#, &["[(["], &["[)"]);
    takes(r#"REGEX("[./\\]+")"#, &["./\\"], &["["]);
    takes(r#"REGEX("[a-z&&b]+")"#, &["a&b"], &["A"]);
    takes(r#"REGEX("[a~~b&&--c]+")"#, &["a~&-c"], &["."]);
    takes(r#"REGEX("[+--]+")"#, &["+,-"], &["."]);
    takes(r#"REGEX("[a-]+") STRING(".")"#, &["a-a."], &["b."]);
    takes(r#"REGEX("[-a]+[[:digit:]_]*[[.-.][=x=]]")"#, &["-a1_-", "ax"], &["-a:"]);
    takes(r#"REGEX("[^\n]+") NEWLINE"#, &["a b\n"], &["\n"]);
    takes(r#"REGEX("a]}\\.\\[\\\\-x")"#, &["a]}.[\\-x"], &["a]}x[\\-x"]);
    takes(r#"REGEX("\({1,2}\.{2}") NEWLINE"#, &["((..\n"], &["(((..\n", "(.\n"]);
    takes(r#"REGEX("a+?b")"#, &["aab", "b"], &["c"]);
    takes(r#"REGEX("(ab|c){2}$")"#, &["abc", "cc"], &["c", "ccc"]);
    takes(r##"REGEX("# é\377?")"##, &["# é"], &["#é", "# e"]);
    takes(r#"REGEX("[é]+")"#, &["éé"], &["e"]);
    takes(r#"REGEX("^a.b|()")"#, &["a\nb", ""], &["a\0b"]);
    for bad in
        ["\\\\d", "[a", "[]", "(", ")", "*a", "a{,3}", "a{x}", "a{2", "a|*", "[[:word:]]", "[b-a]", "a\\\\", "^*"]
    {
        let said = run(&format!("REGEX(\"{bad}\")"), "").unwrap_err();
        assert!(said.contains("invalid regular expression"), "{bad}: {said}");
    }
}

#[test]
fn integers_have_any_size() {
    let googol = format!("1{}", "0".repeat(100));
    takes(
        "INT(0, 10^100, x) ASSERT(x % 7 >= 0)",
        &["0", &googol, "12345678901234567890123456789012345678901"],
        &[&format!("{googol}0"), &format!("-{googol}"), &googol.replacen('1', "2", 1)],
    );
    let long = "12345678901234567890123456789012345678901234567";
    takes(&format!("INT({long}, {long})"), &[long], &["12345678901234567890123456789012345678901234568"]);
    let square = "SET(a=2^120) INT(0,a*a,b) ASSERT(b - a*a == -1 && b / a == a - 1 && b % a == a - 1)";
    takes(square, &["1766847064778384329583297500742918515827483896875618958121606201292619775"], &["1", "a"]);
    takes("ASSERT(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && -(2^200) % 3 == -1)", &[""], &[]);
    takes("ASSERT(-2^127 - 1 < -2^127 && 2^127 > 2^127 - 1 && 2^127 - 2^127 == 0)", &[""], &[]);
    takes("ASSERT((-1)^100000000000000000001 == -1 && 0^0 == 1)", &[], &[""]);
    takes("ASSERT((-1)^1000000000000000001 == -1 && 0^0 == 1 && 1^7 == 1)", &[""], &[]);
    takes("INT(1, 2^70, i) SET(x[i] = 1) ASSERT(x[2^70] == 1)", &["1180591620717411303424"], &["5"]);
    for large in [
        "SET(x = 9^(9^9))",
        "SET(x = 3) REP(99) SET(x = x^3) END",
        "SET(x = 2^2000000, z = 2^1000000) REP(99) SET(y = x/z) END",
        // Without limits, these values would exhaust the memory, and the comparisons would take hours.
        "SET(a = 2^3900000) REPI(i, 5000000) SET(x[i] = -a) END",
        "SET(a = 2^3900000, b = a+1, x[a] = 1, x[b] = 2) WHILE(x[b] == 2) END",
        "SET(x[0] = 2^3900000, x[1] = 1.5) WHILE(UNIQUE(x)) END",
        "SET(x[0] = 2^3900000, x[1] = 1.5) WHILE(INARRAY(1, x) || INARRAY(1.5, x)) END",
    ] {
        let error = run(large, "").unwrap_err();
        assert!(
            error.contains("exceeds the supported range") || error.contains("exceeds the limit"),
            "{large}: {error}"
        );
    }
    takes("INT(010, 10)", &["8"], &["7", "11"]);
    assert!(CtdGrammar::parse("g", "INT(08, 9)").is_err());
    takes("INT(1, 9)", &["1"], &["+1", "-1", "", "-", "10"]);
    takes("INT(0, 1.0)", &[], &["0", "1"]);
}

#[test]
fn decimal_numbers_are_exact() {
    takes(
        "FLOAT(0., 1000.)",
        &["0", "1000", "1e3", "0.10", "-0"],
        &["1000.0000000000000000000000001", "-1e-400", "1."],
    );
    takes(
        "FLOAT(0, 1.e2)",
        &["100", "1E2", "1e+2"],
        &["101", "1e02", "1e00", "1e", "1e+", "1e3", "00", "00.5", "+1", ".5"],
    );
    takes("FLOAT(0, 1) STRING(\".\")", &["1.0."], &["1.", "1.."]);
    takes("FLOAT(0, 9, x, FIXED) STRING(\"e5\")", &["1e5", "1.5e5"], &["1", "1.e5"]);
    takes("FLOATP(0, 10000, 0, 2)", &["5", "5.25", "1.5e3"], &["5e3", "0.5e3", "12.5e1", "5.255"]);
    takes("FLOATP(0, 9, 2, 1)", &[], &["1", "1.0", "1.00"]);
    takes(
        "FLOAT(0, 9, x) ASSERT(x == 0.3 && 0.1 + 0.2 == x && 1 == 1.0 && x * 10 == 3)",
        &["0.3", "3e-1"],
        &["0.30000000000000001"],
    );
    takes("ASSERT(1.5^2 == 2.25 && 1.0 / 4 == 0.25 && 1 / 4 == 0 && -0.5 < 0 && 2.0 - 3 == -1)", &[""], &[]);
    takes("ASSERT(1.0 / 3 < 0.33333333333334 && 1.0 / 3 > 0.33333333333333 && 1e300 + 1 > 1e-300)", &[""], &[]);
    takes("ASSERT(1e999999999999999999999 > 10^100 && 0e99 == 0 && 1e2 == 100 && 120 == 1.2e2)", &[""], &[]);
    assert_eq!(
        run("FLOAT(-0.05, 1.50e3)", "2000").unwrap_err(),
        "line 1, column 1: expected a number from -0.05 to 1500, found `2000` (line 1 of the grammar)"
    );
    for bad in
        ["ASSERT(1.0 / 0 == 1)", "ASSERT(1.5 % 1 == 1)", "ASSERT(2^0.5 > 1)", "ASSERT(2^(0-1) > 1)", "REP(1.0) END"]
    {
        assert!(run(bad, "").is_err(), "{bad}");
    }
}

#[test]
fn operators_bind_as_in_the_original() {
    // If `&&` had a higher precedence than `||`, the test would be `1 == 1 || (…)`, which holds.
    takes("ASSERT(1 == 1 || 1 == 1 && 1 == 2)", &[], &[""]);
    takes("ASSERT(1 == 2 && 1 == 1 || 1 == 1)", &[""], &[]);
    // `!` negates the whole test that follows.
    takes("ASSERT(!1 == 1 && 1 == 2)", &[""], &[]);
    takes("ASSERT((!1 == 1) && 1 == 2)", &[], &[""]);
    takes("ASSERT(2^3^2 == 64 && -2^2 == -4 && 2 * 3 % 4 == 2 && 7 - 2 - 1 == 4 && 3 - -2 == 5)", &[""], &[]);
    for bad in [
        "ASSERT(1)",
        "ASSERT(1 < 2 < 3)",
        "INT(ISEOF, 1)",
        "ASSERT(!1)",
        "ASSERT(1 && 1 == 1)",
        "SET(x = 1 == 1)",
        "ASSERT(-ISEOF)",
        "STRING((\"a\"))",
        "FLOAT(0,1,FIXED)",
        "REP(2, EOF) END",
        "REP(2, IF(1 == 1) END) END",
        "END",
        "IF(1 == 1) ELSE ELSE END",
    ] {
        assert!(CtdGrammar::parse("g", bad).is_err(), "{bad}");
    }
    assert!(CtdGrammar::parse("g", &format!("SET(x = 1{})", "+a".repeat(100_000))).is_err());
}

#[test]
fn tokens_are_split_as_in_the_original() {
    takes("SPACEINT(1,9)NEWLINEEOF", &[" 5\n"], &["5\n", " 5"]);
    takes("REP(2)SPACEENDIF(ISEOF)ELSENEWLINEEND", &["  ", "  \n"], &["   "]);
    takes("STRING(\"\\f\\b\\t\\r\\101\\1011\\q\\\"\\\\a\\\nb\nc\")", &["\u{c}\u{8}\t\rAA1\\q\"\\ab\nc"], &[""]);
    for bad in ["STRING(\"\\400\")", "STRING(\"a\\\")", "INTX(1,2)", "FLOA(1,2)"] {
        assert!(CtdGrammar::parse("g", bad).is_err(), "{bad}");
    }
}

#[test]
fn arrays_are_searched_by_value() {
    takes("SET(x[0]=3, x[1]=4) ASSERT(INARRAY(3, x[0]) && INARRAY(4.0, x) && (!INARRAY(5, x)))", &[""], &[]);
    let kept = "SET(x[0]=3, x[1]=3) ASSERT(INARRAY(3, x)) SET(x[0]=4) ASSERT(INARRAY(3, x) && INARRAY(4, x)) \
                SET(x[1]=5) ASSERT(INARRAY(5, x)) ASSERT(!INARRAY(3, x)) SET(x[1]=5) ASSERT(INARRAY(5, x)) \
                UNSET(x) SET(x=7) ASSERT(INARRAY(7, x)) ASSERT(!INARRAY(5, x))";
    takes(kept, &[""], &[]);
    assert!(run("ASSERT(INARRAY(1, x))", "").unwrap_err().contains("`x` has no value"));
    assert!(run("ASSERT(UNIQUE(x))", "").unwrap_err().contains("`x` has no value"));
    takes("SET(x[0]=1, x[1]=1.0) ASSERT(UNIQUE(x))", &[], &[""]);
    let many = "REPI(i, 200000) SET(x[i]=2*i) ASSERT(!INARRAY(2*i+1, x)) END";
    takes(many, &[""], &[]);
}

#[test]
fn repetitions_are_counted_as_in_the_original() {
    takes("REPI(i, 3, STRING(a)) SET(a=\"-\") INT(i, i) END ASSERT(i == 3)", &["0-1-2"], &["012", "0-1"]);
    takes("REPI(i, 3, INT(i, i)) SET(i=7) STRING(\",\") END", &[",1,2,"], &[",7,7,"]);
    takes("SET(i=5) REPI(i, i) SPACE END ASSERT(i == 0)", &[""], &[" "]);
    takes("WHILEI(i, !ISEOF, SPACE) INT(i, i) END", &["0 1 2", ""], &["0 2"]);
    takes("REP(0-1) END", &[], &[""]);
}

proptest! {
    #[test]
    fn any_grammar_and_input_terminates(
        grammar in "(INT\\(1,9,a\\)|SPACE|NEWLINE|REP\\(|IF\\(|END|ELSE|a|1|\"x\"|[()\\[\\],<>=!+*/^&|%-]| ){0,25}",
        input in "[0-9 \\n]{0,12}",
    ) {
        if let Ok(grammar) = CtdGrammar::parse("g", &grammar) {
            let _ = check(&grammar, input.as_bytes());
        }
    }
}
