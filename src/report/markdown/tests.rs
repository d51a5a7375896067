//! Snapshot tests of rendered statements and guides.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

const STATEMENT: &str = r"# Classic Nim

There are $n$ heaps of stones; the $i$-th holds $a_i$ of them. A move is to choose **one** heap and take *at least one*
stone from it. Let $s = a_1 \oplus a_2 \oplus \ldots \oplus a_n$; see [the theory](https://example.org/nim) or
<https://example.org>.

## Limits

* $1 \le n \le 100\,000$
* $0 \le a_i \le 10^9$; at least one heap is not empty, and this line is long enough to be broken somewhere
  1. inner `one two`
  2. inner

     with a second paragraph

$$g(v) = \mathrm{mex}\{g(u) \mid v \to u\}$$

> A hint: *mirror* the
> moves.

| heaps | winner | why |
|:------|:-------|----:|
| `2 2` | second | the players mirror each other until nothing is left |
| $1$   | first  | takes it |

---

### Example

Input:

```
2
2 3
```
";

fn narrow(text: &str, columns: usize) {
    for line in text.lines() {
        assert!(width(line) <= columns, "wider than {columns}: {line}");
    }
}

#[test]
fn a_statement_in_60_columns() {
    let text = render(STATEMENT, 60, false);
    narrow(&text, 60);
    assert_snapshot!(text, @r"
    Classic Nim
    ═══════════
    There are n heaps of stones; the i-th holds aᵢ of them. A
    move is to choose one heap and take at least one stone from
    it. Let s = a₁ ⊕ a₂ ⊕ … ⊕ aₙ; see the theory
    (https://example.org/nim) or https://example.org.

    Limits
    ──────
      • 1 ≤ n ≤ 100 000
      • 0 ≤ aᵢ ≤ 10⁹; at least one heap is not empty, and this
        line is long enough to be broken somewhere
        1. inner one two

        2. inner

           with a second paragraph

        g(v) = mex{g(u) ∣ v → u}

    │ A hint: mirror the moves.

     heaps   winner                                   why
    ──────────────────────────────────────────────────────
     2 2     second   the players mirror each other until
                                          nothing is left
     1       first                               takes it

    ────────────────────────────────────────────────────────────

    ▸ Example

    Input:

        2
        2 3
    ");
}

#[test]
fn a_statement_in_color() {
    assert_snapshot!(render(STATEMENT, 100, true).replace('\x1b', "^"), @r"
    ^[1mClassic^[0m ^[1mNim^[0m
    ^[1m═══════════^[0m
    There are n heaps of stones; the i-th holds aᵢ of them. A move is to choose ^[1mone^[0m heap and take ^[3mat^[0m
    ^[3mleast^[0m ^[3mone^[0m stone from it. Let s = a₁ ⊕ a₂ ⊕ … ⊕ aₙ; see ^[34mthe^[0m ^[34mtheory^[0m ^[2m(https://example.org/nim)^[0m or
    ^[34mhttps://example.org^[0m.

    ^[1mLimits^[0m
    ^[1m──────^[0m
      • 1 ≤ n ≤ 100 000
      • 0 ≤ aᵢ ≤ 10⁹; at least one heap is not empty, and this line is long enough to be broken
        somewhere
        1. inner ^[36mone two^[0m

        2. inner

           with a second paragraph

        g(v) = mex{g(u) ∣ v → u}

    ^[2m│ ^[0mA hint: ^[3mmirror^[0m the moves.

     heaps   winner                                                   why
    ^[2m──────────────────────────────────────────────────────────────────────^[0m
     2 2     second   the players mirror each other until nothing is left
     1       first                                               takes it

    ^[2m────────────────────────────────────────────────────────────────────────────────────────────────────^[0m

    ^[1m▸ ^[0m^[1mExample^[0m

    Input:

        ^[36m2^[0m
        ^[36m2 3^[0m
    ");
}

#[test]
fn statements_in_other_scripts() {
    let text = "# 取石子\n\n给定 $n$ 堆石子，两名玩家轮流行动，每次任选一堆，从中拿走任意多颗石子（可以拿完，但不能不拿）。\n\n\
        ## Вход\n\nПервая строка содержит число $n$ ($1 \\le n \\le 10^5$) — количество кучек; вторая — их размеры.\n\n\
        * Żółć gęślą jaźń, $k \\ge 2$ kamieni\n";
    let text = render(text, 40, false);
    narrow(&text, 40);
    assert_snapshot!(text, @r"
    取石子
    ══════
    给定 n 堆石子，两名玩家轮流行动，每次任
    选一堆，从中拿走任意多颗石子（可以拿完，
    但不能不拿）。

    Вход
    ────
    Первая строка содержит число n
    (1 ≤ n ≤ 10⁵) — количество кучек; вторая
    — их размеры.

      • Żółć gęślą jaźń, k ≥ 2 kamieni
    ");
}

#[test]
fn control_characters_are_removed() {
    let text = render("a\x1b[2J `b\x07` $\x1b$\n\n```\nc\x1b[31m\td\n```\n[x](\x1b]8)\n", 60, false);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}

#[test]
fn empty_quotation_leaves_one_empty_line() {
    assert!(!render("(\n>\n<", 10, false).contains("\n\n\n"));
}

#[test]
fn leading_line_break_leaves_no_empty_line() {
    assert_eq!(render("|\n\n\\\n[", 10, false), "|\n\n[\n");
}

proptest! {
    #[test]
    fn anything_can_be_rendered(text in "([#*>`|$_\\[\\]()\\\\<-]|[0-9]\\. |\n|\n\n|    |[a-zя必 ]{1,8}|---|```){0,40}", columns in 10_usize..80) {
        let plain = render(&text, columns, false);
        prop_assert!(!plain.chars().any(|c| c.is_control() && c != '\n'));
        prop_assert!(text.contains("``") || text.contains("    ") || !plain.contains("\n\n\n"), "{plain:?}");
        render(&text, columns, true);
    }

    #[test]
    fn no_word_is_lost(words in proptest::collection::vec("[a-z]{1,9}", 1..40), columns in 16_usize..80) {
        let rendered = render(&words.join(" "), columns, false);
        prop_assert_eq!(rendered.split_whitespace().collect::<Vec<_>>(), words);
    }
}
