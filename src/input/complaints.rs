//! Tests of the error messages for descriptions and inputs, and of the byte ranges that they mark.

use super::sample::{describe, narrowing, raw, try_describe};
use super::{At, Description, DescriptionError};

/// Formats an error on one line: the marked text, the message and the help.
fn shown(complaint: &DescriptionError, text: &str) -> String {
    let (items, clauses) = raw(text);
    let scalar = match &complaint.at {
        At::Key { key, .. } => key.clone(),
        At::Value { item, key } => {
            let lines = match &items[*item] {
                super::RawItem::Line(line) => vec![line.clone()],
                super::RawItem::Repeat { lines, .. } => lines.clone(),
            };
            lines.iter().find_map(|line| line.get(key)).unwrap().to_string()
        }
        At::Repeat { item } => match &items[*item] {
            super::RawItem::Repeat { repeat, .. } => repeat.clone(),
            super::RawItem::Line(_) => panic!("no block"),
        },
        At::Clause(number) => clauses[*number].clone(),
        At::Item(number) => format!("item {number}"),
        At::Override(name) => panic!("{name} is not overridden here"),
    };
    let marked = complaint.range.clone().map_or("all", |range| &scalar[range]);
    let help = complaint.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
    format!("`{scalar}` at `{marked}`: {complaint}{help}")
}

#[track_caller]
fn complains(text: &str, expected: &str) {
    let complaint = try_describe(text).expect_err("a complaint");
    assert_eq!(shown(&complaint, text), expected);
}

#[test]
fn ranges() {
    complains("n: 5..=1", "`5..=1` at `5..=1`: the range is empty: its lower bound 5 exceeds its upper bound 1");
    complains(
        "n: 1..5",
        "`1..5` at `..`: ranges are written `lo..=hi` and include both ends \
         | write `1..=5`",
    );
    complains(
        "n: 0..=2^63",
        "`0..=2^63` at `2^63`: this bound does not fit in a signed 64-bit integer | bounds are limited to -2^63..=2^63-1",
    );
    complains(
        "n: 1..=5; m: n+5..=5",
        "`n+5..=5` at `n+5..=5`: the range is always empty: its lower bound exceeds its upper bound",
    );
    complains("n: 1..=", "`1..=` at ``: expected a number, a name or `(`, found the end of the text");
    complains("n: 1e9", "`1e9` at `1e9`: `1e9` is neither a number nor a name | write `10^9`");
    complains("n: 1..=3; m: 2n", "`2n` at `2n`: `2n` is neither a number nor a name | write `2*n`");
    assert!(try_describe("n: -2^63..=2^63-1").is_ok());
}

#[test]
fn names() {
    complains(
        "count_of: 1..=5\na[cuont_of]: 1..=2",
        "`a[cuont_of]` at `cuont_of`: unknown name `cuont_of` | did you mean `count_of`?",
    );
    complains("n: 1..=n", "`1..=n` at `n`: `n` depends on its own value");
    let help = " | bounds and counts can use only names declared earlier; write other conditions as `where` clauses";
    complains("n: 1..=k; k: 1..=5", &format!("`1..=k` at `k`: `k` is declared later, so it cannot be used here{help}"));
    complains("n: 1..=k; k: 1..=m; m: 1..=n", &format!("`1..=k` at `k`: `n` and `k` depend on each other{help}"));
    complains("n: 1..=5; n2: 1..=5\nn: 1..=3", "`n` at `n`: `n` is declared twice");
    complains(
        "2n: 1..=5",
        "`2n` at `2n`: `2n` is not a valid name | a name consists of the letters a-z and A-Z, digits and `_`, and does \
         not begin with a digit; a list is written `a[n]`",
    );
    complains("n: 1..=2\na[n: 1..=2", "`a[n` at ``: expected `]` at the end of `a[n`");
    complains(
        "n: 1..=2\na[n]: 1..=2\nb: 1..=a",
        "`1..=a` at `a`: `a` is a list, but a single number is expected here \
         | convert the list to a number with `sum(a)`, `count(a)`, `min(a)`, `max(a)` or `xor(a)`",
    );
    complains(
        "s: word a-z 1..=5; m: 1..=s",
        "`1..=s` at `s`: `s` does not consist of integers, so it cannot be used as a number",
    );
    complains(
        "n: 1..=2; a[n]: 1..=2; b: sum(a)",
        "`sum(a)` at `a`: the values of `a` are not complete here; use `sum(a)` only after the line or block \
         that declares `a`",
    );
    complains("repeat k: u: 1..=2", "`k` at `k`: unknown name `k`");
    complains("repeat -1: u: 1..=2", "`-1` at `-1`: the count -1 is out of range; expected 0 to 2^40");
}

#[test]
fn words_and_decimals() {
    complains(
        "s: word",
        "`word` at `all`: expected letters and a length after `word` | write, for example, `word a-z 1..=20`",
    );
    complains("s: word z-a 1..=3", "`word z-a 1..=3` at `z-a`: the ends of `z-a` are reversed; write `a-z`");
    complains(
        "s: word a-z",
        "`word a-z` at `a-z`: expected a length after the letters | write, for example, `word a-z 1..=20`",
    );
    complains(
        "s: word a-z 5..=1",
        "`word a-z 5..=1` at `5..=1`: the range is empty: its lower bound 5 exceeds its upper bound 1",
    );
    complains(
        "s: word a-z 0..=1",
        "`word a-z 0..=1` at `all`: expected a length of at least 1, because a word has at least one letter",
    );
    let help = " | write, for example, `real -10.0..=10.0 places 3`";
    complains(
        "r: real 0..=1",
        &format!("`real 0..=1` at `all`: expected `places` and the number of digits after the decimal point{help}"),
    );
    complains(
        "r: real 0..=1.25 places 1",
        &format!(
            "`real 0..=1.25 places 1` at `1.25 `: expected a number that has at most 1 digit after the decimal \
             point and, multiplied by 10^1, fits in 64 bits{help}"
        ),
    );
    complains("c: [A, A]", "`[A, A]` at `all`: the word `A` occurs twice in the list");
}

#[test]
fn clauses() {
    let input = "n: 1..=5; k: 1..=5\na[n]: 1..=9\nrepeat k: u: 1..=n; v: 1..=n; w: 1..=k";
    let complains = |clause: &str, expected: &str| complains(&format!("{input}\nwhere {clause}"), expected);
    complains("distinkt(a)", "`distinkt(a)` at `distinkt`: unknown function `distinkt` | did you mean `distinct`?");
    complains("distinct(b)", "`distinct(b)` at `b`: unknown name `b` | expected one of: `n`, `k`, `a`, `u`, `v`, `w`");
    complains("distinct(n)", "`distinct(n)` at `n`: `n` is a single value, but `distinct` expects a list");
    complains(
        "tree(u)",
        "`tree(u)` at `)`: expected `,`, found `)` \
         | `tree` requires two lists that contain the endpoints of the edges: `tree(u, v)`",
    );
    complains(
        "tree(u, w)",
        "`tree(u, w)` at `w`: `u` and `w` must have the same range, which defines the graph's vertices",
    );
    complains(
        "tree(u, a)",
        "`tree(u, a)` at `a`: `u` and `a` must be two different lists of the same length, both outside of blocks or both in the \
         same block",
    );
    complains(
        "sum(a)",
        "`sum(a)` at ``: expected a comparison (`==`, `!=`, `<`, `<=`, `>`, `>=`), found the end of the text \
         | a clause is a comparison of two numbers, or one of the predicates \
         `distinct`, `sorted`, `permutation`, `acyclic`, `tree`, `connected`, `simple`",
    );
    complains("sum(a) = 5", "`sum(a) = 5` at `=`: unexpected character `=` | to compare, write `==`");
    complains(
        "1 < k < 5",
        "`1 < k < 5` at `all`: this clause has more than one comparison | write one clause per comparison",
    );
    complains("1 > 2", "`1 > 2` at `all`: this comparison is never true");
    complains(
        "1 == sorted(a)",
        "`1 == sorted(a)` at `sorted`: `sorted` is a predicate; use it as a separate `where` clause",
    );
    complains(
        "count(a, u) > 1",
        "`count(a, u) > 1` at `a`: the value counted in `a` must not depend on `u`, \
         which is not known before `a` is read",
    );
}

#[test]
fn narrowing_stays_inside() {
    let description = describe("n: 1..=5; c: [Yes, No]; r: real 0..=1 places 2; s: word a-c 1..=3\na[n]: 0..=9");
    let complains = |ranges: &str, expected: &str| {
        let complaint = description.narrow(&narrowing(ranges)).expect_err("a complaint");
        let At::Override(name) = &complaint.at else { panic!("{complaint:?}") };
        let text = narrowing(ranges)[name].to_string();
        let marked = complaint.range.clone().map_or("all", |range| &text[range]);
        let help = complaint.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        assert_eq!(format!("override {name} at `{marked}`: {complaint}{help}"), expected);
    };
    complains(
        "n: 1..=6",
        "override n at `all`: this range ends above the range declared in `input` | choose a range within `1..=5`",
    );
    complains(
        "a: -1..=6",
        "override a at `all`: this range begins below the range declared in `input` | choose a range within `0..=9`",
    );
    complains(
        "b: 1..=2",
        "override b at `all`: `input` declares no variable `b` | expected one of: `n`, `c`, `r`, `s`, `a`",
    );
    complains(
        "c: [Yes, Maybe]",
        "override c at `all`: `Maybe` is not one of the words declared in `input` | expected one of: `Yes`, `No`",
    );
    complains(
        "r: real 0..=1.5 places 2",
        "override r at `all`: this range is not within the range declared in `input` \
         | choose a range within `real 0..=1 places 2`",
    );
    complains(
        "s: word a-d 1..=2",
        "override s at `all`: `input` does not allow the letter `d` here \
         | choose letters from those that `input` allows: `a-c`",
    );
    complains("a: [1, 2]", "override a at `all`: expected the kind of value that `input` declares for `a`: `0..=9`");
    complains("a: 3..=1", "override a at `3..=1`: the range is empty: its lower bound 3 exceeds its upper bound 1");
    complains(
        "a: 1..5",
        "override a at `..`: ranges are written `lo..=hi` and include both ends \
         | write `1..=5`",
    );
}

#[test]
fn answer_must_not_redeclare_names_of_its_input() {
    let input = describe("n: 1..=5\na[n]: 0..=9");
    let complain = |text: &str| {
        let (items, clauses) = raw(text);
        Description::parse_after(&input, &items, &clauses).expect_err("a complaint").to_string()
    };
    assert_eq!(complain("n: 1..=5"), "`n` is already declared in the input");
    assert_eq!(
        complain("x: 1..=2\nwhere sorted(a)"),
        "`a` is a list in the input, but `sorted` requires a list in the answer"
    );
    assert_eq!(complain("x: 1..=a"), "`a` is a list, but a single number is expected here");
    assert_eq!(
        complain("x: 1..=5\ny: count(a, x)"),
        "the value counted in a list in the input must not depend on the answer"
    );
}

#[test]
fn validation_errors_have_a_position_and_an_expectation() {
    let refuses = |text: &str, bytes: &str, expected: &str| {
        let description = describe(text);
        let invalid = description.validate(bytes.as_bytes(), None).expect_err("invalid");
        assert_eq!(invalid.to_string(), expected, "{bytes:?}");
    };
    let list = "n: 1..=100\na[n]: 1..=100\nwhere sum(a) > 3";
    refuses(list, "3\n5 6 x7\n", "line 2, column 5: expected an integer in 1..=100 (a[3]), found `x7`");
    refuses(list, "3\n5 6\n", "line 2, column 4: expected a space and a[3], found the end of the line");
    refuses(list, "3\n5 6 7 \n", "line 2, column 6: expected the end of the line, found a space");
    refuses(list, "3\n5  6 7\n", "line 2, column 3: expected an integer in 1..=100 (a[2]), found a space");
    refuses(list, "3\r\n5 6 7\n", "line 1, column 2: expected the end of the line, found a carriage return");
    refuses(list, "3\n5 6 7", "line 2, column 6: expected the end of the line, found the end of the file");
    refuses(list, "3\n5 6 7\n\n", "line 3, column 1: expected the end of the file, found the end of the line");
    refuses(list, "03\n5 6 7\n", "line 1, column 1: expected an integer in 1..=100 (n), found `03`");
    refuses(list, "+3\n5 6 7\n", "line 1, column 1: expected an integer in 1..=100 (n), found `+3`");
    refuses(list, "", "line 1, column 1: expected an integer in 1..=100 (n), found the end of the file");
    refuses(list, "101\n", "line 1, column 1: expected an integer in 1..=100 (n), found `101`");
    refuses(list, "1\n2\n", "line 2, column 1: expected `sum(a) > 3` to hold, found 2 on the left and 3 on the right");
    let long = format!("1\n{}\n", "9".repeat(60));
    let shown = format!("line 2, column 1: expected an integer in 1..=100 (a[1]), found `{}…`", "9".repeat(40));
    refuses(list, &long, &shown);
    let block = "n: 1..=9; m: 0..=9\nrepeat m: u: 1..=n; v: 1..=n\nwhere acyclic(u, v)";
    refuses(block, "3 2\n1 2\n2 4\n", "line 3, column 3: expected an integer in 1..=3 (v[2]), found `4`");
    refuses(
        block,
        "3 2\n1 2\n2 1\n",
        "line 2, column 1: expected `acyclic(u, v)` to hold, found a graph without this property",
    );
    let marks = "n: 0..=9\np[n]: 1..=9\ns[n]: 0..=9\nw[n]: word a-c 1..=3\nwhere permutation(p)\nwhere sorted(s)\nwhere distinct(w)";
    refuses(marks, "2\n1 3\n", "line 2, column 3: expected an integer in 1..=2 (p[2]), found `3`");
    refuses(
        marks,
        "2\n1 1\n",
        "line 2, column 3: expected a value that differs from all earlier values (p[2]), found `1`",
    );
    refuses(
        marks,
        "2\n1 2\n5 4\n",
        "line 3, column 3: expected a value not less than its predecessor (s[2]), found `4`",
    );
    refuses(
        marks,
        "2\n1 2\n4 4\nab ab\n",
        "line 4, column 4: expected a value that differs from all earlier values (w[2]), found `ab`",
    );
    refuses(
        marks,
        "1\n1\n4\nabcc\n",
        "line 4, column 1: expected a word with 1..=3 letters from a-c (w[1]), found `abcc`",
    );
    refuses(marks, "1\n1\n4\nx\n", "line 4, column 1: expected a word with 1..=3 letters from a-c (w[1]), found `x`");
    let others = "c: [Yes, No]; r: real -1..=1 places 2; d: 0..=9\nm: c..=2";
    let others = &others[..others.find('\n').unwrap()];
    refuses(others, "yes 0.00 1\n", "line 1, column 1: expected one of Yes, No (c), found `yes`");
    refuses(
        others,
        "Yes 1.5 1\n",
        "line 1, column 5: expected a number in -1.00..=1.00 with 2 digits after the decimal point (r), found `1.5`",
    );
    refuses(
        "n: 1..=3; m: 0..=3; x: n..=m",
        "2 1 1\n",
        "line 1, column 4: expected consistent values, found a contradiction: the range `n..=m` of `x` is empty here, \
         because it evaluates to 2..=1",
    );
    let rows = "t: 1..=3\nrepeat t: l: 1..=9; r: l..=9\nwhere l != r";
    refuses(
        rows,
        "2\n1 2\n3 3\n",
        "line 3, column 1: expected `l != r` to hold, found 3 on the left and 3 on the right",
    );
}
