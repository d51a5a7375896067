//! Tests the messages for common mistakes in YAML: each message marks the position and shows a correct spelling.

use std::path::Path;

use super::lower::read;

const SPEC: &str = "\
name: Nim
keywords: [nim]
limits: { time: 1s, memory: 256MiB }
input:
  - n: 1..=9
    m: 0..=n
  - a[n]: 0..=9
where:
  - sum(a) > 0
answer:
  - winner: [Yes, No]
tests:
  sample:
    - input: \"1 0\\n2\\n\"
      answer: \"Yes\\n\"
  tiny: { every: { n: 1, a: 0..=3 } }
  more: { count: 4, with: { n: 3 } }
";

/// Replaces `from` with `to` in the spec, and asserts the text that the error marks, a part of the error's message, and
/// a part of its help.
#[track_caller]
fn complains(from: &str, to: &str, marked: &str, message: &str, help: &str) {
    assert!(SPEC.contains(from), "{from}");
    let text = SPEC.replacen(from, to, 1);
    let error = read("problem.yaml", &text, "nim".parse().unwrap(), Path::new(".")).expect_err(to);
    let place = error.place.unwrap_or_else(|| panic!("the error for {to:?} has no position: {error:?}"));
    let shown = format!("{to:?}: {} | {:?}", error.message, error.help);
    assert_eq!(&error.text[place.start..place.end], marked, "{shown}");
    assert!(error.message.contains(message), "{shown}");
    assert!(error.help.as_deref().unwrap_or("").contains(help), "{shown}");
}

#[test]
fn the_spec_is_right() {
    assert!(read("problem.yaml", SPEC, "nim".parse().unwrap(), Path::new(".")).is_ok());
}

#[test]
fn brackets_in_braces() {
    let spelling = "write `{ \"a[n]\": 0..=9 }`, or `a[n]: 0..=9` on a line without braces";
    complains("- a[n]: 0..=9", "- { a[n]: 0..=9 }", "a[n]", "inside braces, `a[n]` must be quoted", spelling);
    complains("- a[n]: 0..=9", "- { x: 1, a[n]: 0..=9 }", "a[n]", "inside braces", "\"a[n]\": 0..=9");
    complains("- a[n]: 0..=9", "- { x: 1,\n      a[n]: 0..=9 }", "a[n]", "inside braces", "\"a[n]\": 0..=9");
    complains("- a[n]: 0..=9", "- { a[n]: [Yes, No], x: 1 }", "a[n]", "inside braces", "\"a[n]\": [Yes, No]");
    let block = "- repeat: n\n    line: { c[m]: 0..=9 }\n  - a[n]: 0..=9";
    complains("- a[n]: 0..=9", block, "c[m]", "inside braces", "\"c[m]\": 0..=9");
}

#[test]
fn tabs() {
    for (from, to, marked) in [
        ("  - a[n]", "\t- a[n]", "\t"),
        ("    m: 0", "\t\tm: 0", "\t\t"),
        ("  more:", "  \tmore:", "\t"),
        ("      answer", "\tanswer", "\t"),
    ] {
        complains(from, to, marked, "indented with a tab", "spaces");
    }
}

#[test]
fn first_characters_with_a_meaning() {
    for value in ["*x", "&x", "&Sum of squares", "%x", "@x", "`x`", "|x", ">x", "? x", "!x", "& x"] {
        let help = format!("\"{value}\"");
        complains("name: Nim", &format!("name: {value}"), value, "must be quoted", &help);
    }
    complains("[Yes, No]", "[@, No]", "@", "a string that begins with `@` must be quoted", "write `\"@\"`");
    complains("[Yes, No]", "[*, No]", "*", "must be quoted", "write `\"*\"`");
    complains("[nim]", "[nim, %c]", "%c", "must be quoted", "write `\"%c\"`");
    complains("    m: 0..=n", "    m: # up to n", " ", "found nothing", "write `m: \"# up to n\"`");
}

#[test]
fn anchors_that_are_used_and_block_texts_are_left_alone() {
    let text = SPEC
        .replace("limits: {", "limits: &all {")
        .replace("  tiny:", "  again:\n    - input: |\n        1 0\n        2\n  tiny:");
    let text = text.replace("keywords: [nim]", "source: |\n  a: &b c\n  d: !e\nkeywords: [nim]") + "# *all\n";
    read("problem.yaml", &text, "nim".parse().unwrap(), Path::new(".")).unwrap();
}

#[test]
fn missing_blanks() {
    complains("- n: 1..=9\n    m: 0..=n", "- n:1..=9", "n:1..=9", "missing space after the colon", "write `n: 1..=9`");
    complains("name: Nim", "name:Nim", "name:Nim", "missing space after the colon", "write `name: Nim`");
    complains("[nim]\n", "[nim]\nsource:X\n", "source:X", "missing space after the colon", "write `source: X`");
    complains(
        "keywords: [",
        "keywords:[",
        "keywords:[nim]",
        "missing space after the colon",
        "write `keywords: [nim]`",
    );
    complains("time: 1s", "time:1s", "time:1s", "missing space after the colon", "write `time: 1s`");
    complains("  - a[n]: 0", "  -a[n]: 0", "-a[n]: 0..=9", "missing space after the dash", "write `- a[n]: 0..=9`");
    complains("limits: { time: 1s, memory: 256MiB }", "limits:\n  time = 1s", "time = 1s", "`=`", "write `time: 1s`");
}

#[test]
fn indentation() {
    complains("    m: 0..=n", "   m: 0..=n", "m: 0..=n", "indentation of 3 spaces", "indent the line by 2");
    complains("    m: 0..=n", "  m: 0..=n", "m: 0..=n", "neither an item", "indent the line by 4");
    complains("    m: 0..=n", "     m: 0..=n", "m: 0..=n", "indentation of 5 spaces", "indent the line by 4");
    complains("  - a[n]: 0..=9", " - a[n]: 0..=9", "- a[n]: 0..=9", "indentation of 1 space", "indent the line by");
    complains(
        "  more:",
        "   more:",
        "more: { count: 4, with: { n: 3 } }",
        "indentation of 3 spaces",
        "indent the line by 2 or 0 spaces",
    );
    complains("keywords:", " keywords:", "keywords: [nim]", "indentation of 1 space", "indent the line by 0");
    complains("name: Nim", "  name: Nim", "name: Nim", "the first line is indented", "remove the spaces");
}

#[test]
fn colons_and_quotes_in_texts() {
    complains(
        "name: Nim",
        "name: Nim: a game",
        "Nim: a game",
        "unexpected `:` in the value of `name`",
        "write `name: \"Nim: a game\"`",
    );
    let help = "if `m` is a key, write `m: 0..=n` on a line of its own";
    complains(
        "n: 1..=9\n    m: 0..=n",
        "n: 1..=9 m: 0..=n",
        "1..=9 m: 0..=n",
        "unexpected `:` in the value of `n`",
        help,
    );
    complains("name: Nim", "name: 'it's'", "'it's'", "after the closing quote", "'it''s'");
    complains("name: Nim", "name: \"a \\d\"", "\\d", "unknown escape sequence", "\\\\");
    complains("\"Yes\\n\"", "\"Yes\\n", "\"Yes\\n", "unclosed quote", "write `\"` at the end");
    complains(
        "\"1 0\\n2\\n\"",
        "'1 0\\n2\\n'",
        "1 0\\n2\\n",
        "`\\n` as two characters",
        "use double quotes: `\"1 0\\n2\\n\"`",
    );
}

#[test]
fn brackets_that_are_not_closed() {
    complains("[Yes, No]", "[Yes, No", "[Yes, No", "`,` or `]`", "write `]`");
    complains("memory: 256MiB }", "memory: 256MiB", "{ time: 1s, memory: 256MiB", "`,` or `}`", "write `}`");
}

#[test]
fn keys_that_occur_twice() {
    complains("keywords: [nim]", "name: Other", "name", "duplicate key `name`", "remove or rename");
    complains("more:", "tiny:", "tiny", "duplicate key `tiny`", "remove or rename");
    complains("    m: 0..=n", "    n: 0..=9", "n", "duplicate key `n`", "remove or rename");
}

#[test]
fn lists_and_maps_for_each_other() {
    complains(
        "limits: { time: 1s, memory: 256MiB }",
        "limits:\n  - time: 1s",
        "- time",
        "found a list",
        "without dashes: `time: 1s`",
    );
    complains("limits: { time: 1s, memory: 256MiB }", "limits: [1s]", "[1s]", "found a list", "in braces");
    complains("  - n: 1..=9\n    m: 0..=n\n  - a[n]: 0..=9", "  n: 1..=9", "n", "found a map", "`- n: 1..=9`");
    complains("keywords: [nim]", "keywords: nim", "nim", "expected a list", "write a list: `[nim]`");
    complains("where:\n  - sum(a) > 0", "where: sum(a) > 0", "sum(a) > 0", "expected a list", "`[sum(a) > 0]`");
    complains("where:\n  - sum(a) > 0", "where: |\n  sum(a) > 0", "|", "expected a list", "on its own line: `- item`");
    complains("name: Nim", "name: [Nim]", "[Nim]", "found a list", "must be quoted");
    let more = "more: { count: 4, with: { n: 3 } }";
    complains(more, "more: { count: 4, program: gen.py, args: [5, 10] }", "[5", "separated by spaces", "");
    let checker = "checker: { program: check.rs, args: [5, 10] }\ntests:";
    complains("tests:", checker, "[5", "checker.args", "");
}

#[test]
fn words_that_are_truth_values() {
    complains("[Yes, No]", "[true, No]", "true", "found the boolean `true`", "write `\"true\"`");
    complains("[Yes, No]", "[Yes, False]", "False", "found the boolean `false`", "write `\"False\"`");
    complains("[Yes, No]", "[Yes, null]", "null", "found nothing", "write `\"null\"`");
    complains("n: 1..=9", "n: {1..=9}", "{1..=9}", "found a map", "write the range without braces");
    complains("n: 1..=9", "n:", "", "found nothing", "write a value after the colon");
}

#[test]
fn numbers() {
    complains("count: 4", "count: 10^2", "10^2", "expected a whole number", "in digits and without quotes: `100`");
    complains("count: 4", "count: 1e2", "1e2", "expected a whole number", "`100`");
    complains("count: 4", "count: '4'", "4", "expected a whole number", "`4`");
    complains("n: 1..=9", "n: 1..9", "..", "ranges are written `lo..=hi`", "write `1..=9`");
    complains("n: 1..=9", "n: 1...9", "..", "ranges are written `lo..=hi`", "write `1..=9`");
    complains("n: 1..=9", "n: 1..=1e9", "1e9", "neither a number nor a name", "write `10^9`");
    complains("m: 0..=n", "m: 0..=2n", "2n", "neither a number nor a name", "write `2*n`");
}
