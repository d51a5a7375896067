//! Property tests for the mutants of programs in languages other than Rust, and the mutants of one algorithm in every
//! language.

use std::collections::{BTreeSet, HashSet};

use super::tree::parse;
use super::*;

const RUST: &str = r#"
fn best(v: &[i64], n: usize) -> i64 {
    let mut m = 0;
    let mut i = 0;
    while i < n {
        if v[i] > m && v[i] % 2 == 0 {
            m = v[i];
        }
        i += 1;
    }
    m ^ 1
}
fn main() {
    f(best(read(), 3));
}
"#;
const C: &str = r#"
long best(const long *v, int n) {
    long m = 0;
    int i = 0;
    while (i < n) {
        if (v[i] > m && v[i] % 2 == 0) {
            m = v[i];
        }
        i += 1;
    }
    return m ^ 1;
}
int main(void) {
    f(best(read(), 3));
}
"#;
const JAVA: &str = r#"
class Main {
    static long best(long[] v, int n) {
        long m = 0;
        int i = 0;
        while (i < n) {
            if (v[i] > m && v[i] % 2 == 0) {
                m = v[i];
            }
            i += 1;
        }
        return m ^ 1;
    }
    public static void main(String[] args) {
        f(best(read(), 3));
    }
}
"#;
const PYTHON: &str = r#"
def best(v, n):
    m = 0
    i = 0
    while i < n:
        if v[i] > m and v[i] % 2 == 0:
            m = v[i]
        i += 1
    return m ^ 1

f(best(read(), 3))
"#;
const SCRIPT: &str = r#"
function best(v, n) {
  let m = 0
  let i = 0
  while (i < n) {
    if (v[i] > m && v[i] % 2 === 0) {
      m = v[i]
    }
    i += 1
  }
  return m ^ 1
}
f(best(read(), 3))
"#;
const GO: &str = r#"
package main

func best(v []int64, n int) int64 {
	var m int64 = 0
	i := 0
	for i < n {
		if v[i] > m && v[i]%2 == 0 {
			m = v[i]
		}
		i += 1
	}
	return m ^ 1
}

func main() {
	f(best(read(), 3))
}
"#;

/// The same algorithm in each language.
pub(super) const EXAMPLES: [(&str, MutantLanguage); 6] = [
    (C, MutantLanguage::C),
    (C, MutantLanguage::Cpp),
    (JAVA, MutantLanguage::Java),
    (PYTHON, MutantLanguage::Python),
    (SCRIPT, MutantLanguage::JavaScript),
    (GO, MutantLanguage::Go),
];

/// Returns the operator and the changed line of each mutant, sorted, in a notation that all languages share.
fn changes(source: &str, language: MutantLanguage) -> Vec<String> {
    const SPELLINGS: [(&str, &str); 7] = [
        ("===", "=="),
        ("!==", "!="),
        (" and ", "&&"),
        (" or ", "||"),
        ("False", "false"),
        ("True", "true"),
        ("not ", "!"),
    ];
    const WORDS: [&str; 10] = ["let mut", "let", "var", "int64", "long", "int", "while", "for", "return", "pass"];
    let plain = |line: &str| {
        let line = SPELLINGS.iter().fold(line.to_owned(), |line, (own, shared)| line.replace(own, shared));
        let line = WORDS.iter().fold(line, |line, word| line.replace(&format!("{word} "), ""));
        let line = if language == MutantLanguage::Python { line.replace("//", "/").replace("pass", "") } else { line };
        line.replace(|c: char| "(){};: \t".contains(c), "")
    };
    let list = mutants(source, language).unwrap();
    let changed = |mutant: &Mutant| {
        let text = mutant.apply(source);
        let line = plain(text.lines().nth(mutant.line - 1).unwrap());
        // In C, a condition is replaced by `0` or `1`, and not by `false` or `true`.
        let is_condition = mutant.operator == MutationOperator::Condition && language == MutantLanguage::C;
        let line = match &line[..] {
            "0" | "if0" if is_condition => line.replace('0', "false"),
            "1" | "if1" if is_condition => line.replace('1', "true"),
            _ => line,
        };
        format!("{} {line}", mutant.operator.name())
    };
    let mut all: Vec<String> = list.iter().map(changed).collect();
    all.sort();
    all
}

#[test]
fn one_algorithm_has_the_same_mutants_in_every_language() {
    let rust = changes(RUST, MutantLanguage::Rust);
    assert_eq!(rust.len(), 49);
    for (source, language) in EXAMPLES {
        let own = changes(source, language);
        let (all, ours): (BTreeSet<&String>, BTreeSet<&String>) = (rust.iter().collect(), own.iter().collect());
        let (missing, more): (Vec<_>, Vec<_>) = (all.difference(&ours).collect(), ours.difference(&all).collect());
        assert!(missing.is_empty() && more.is_empty(), "{language:?} lacks {missing:#?} and has {more:#?}");
        assert_eq!(own.len(), rust.len(), "{language:?}");
    }
}

/// Returns the operator and the change of each mutant, one mutant per line.
fn listed(source: &str, language: MutantLanguage) -> String {
    let list = mutants(source, language).unwrap();
    let lines = list.iter().map(|mutant| format!("{} {}", mutant.operator.name(), mutant.change(source)));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn types_of_cpp_are_told_from_expressions() {
    let source = "#define TWICE(x) (2 * (x))\n#include <vector>\nusing ll = long long;\nstd::vector<std::vector<int>> g(7);\n\
        int main() {\n  std::pair<int, int> p{a, b}, *q;\n  a * b;\n  auto f = [&](int x) -> bool { return x < y; };\n\
        std::cin >> a >> b;\n  if (auto it = m.find(x); it != m.end()) go<int>(x);\n  (void) (ll) -a;\n  return 0;\n}\n";
    insta::assert_snapshot!(listed(source, MutantLanguage::Cpp), @r"
    comparison `x < y` → `(x != y)`
    comparison `x < y` → `(x == y)`
    returned `x < y` → `false`
    returned `x < y` → `true`
    comparison `<` → `<=`
    comparison `<` → `>`
    dropped `std::cin >> a >> b;` removed
    comparison `!=` → `==`
    dropped `go<int>(x);` removed
    arithmetic `-a` → `a`
    ");
}

#[test]
fn texts_and_patterns_of_javascript_are_no_code() {
    let source = "const t = s.replace(/a+b\\/\"/g, '').split(` ${a + `${b - c}`} `)\nlet { x, y } = { x: 1, z, f() { return 2 } }\n\
        for (const k of ks) if (!(k in m) || a / b / c) continue\nconst g = async (u, v = 3) => u ?? v\nx++\n";
    insta::assert_snapshot!(listed(source, MutantLanguage::JavaScript), @r"
    constant `''` → `'?'`
    arithmetic `b - c` → `(b * c)`
    arithmetic `-` → `+`
    constant `1` → `0`
    constant `1` → `2`
    constant `2` → `1`
    constant `2` → `3`
    returned `2` → `0`
    logic `!(k in m)` → `(k in m)`
    logic `!(k in m) || a / b / c` → `!(k in m)`
    logic `!(k in m) || a / b / c` → `((!(k in m)) && (a / b / c))`
    logic `!(k in m) || a / b / c` → `a / b / c`
    condition `!(k in m) || a / b / c` → `!(!(k in m) || a / b / c)`
    condition `!(k in m) || a / b / c` → `false`
    condition `!(k in m) || a / b / c` → `true`
    arithmetic `/` → `%`
    arithmetic `/` → `*`
    arithmetic `/` → `%`
    arithmetic `/` → `*`
    dropped `continue` removed
    dropped `x++` removed
    arithmetic `++` → `--`
    ");
}

#[test]
fn a_returned_membership_becomes_a_truth() {
    for comparison in ["x in y", "x not in y", "x is y", "x is not y", "not x in y"] {
        let all = listed(&format!("def f(x, y):\n    return {comparison}\n"), MutantLanguage::Python);
        for truth in ["False", "True"] {
            assert!(all.contains(&format!("returned `{comparison}` → `{truth}`")), "{all}");
        }
    }
}

#[test]
fn lines_of_python_are_statements() {
    let source = "\"\"\"Doc.\"\"\"\nimport sys\ndef f(a: int = 5, *b) -> int:\n    if not a < b <= c or x not in y: return -1\n    \
        return [i for i in range(1, n) if i % 2][::-1][a:b]\nx, y = map(int, input().split()); z = \\\n  x ** y\n\
        print(f'{x + 1}', '%d' % x, sep='')\nw = x if x else lambda k: k // 2\nmatch = [0] * n\n";
    insta::assert_snapshot!(listed(source, MutantLanguage::Python), @r"
    logic `not a < b <= c` → `a < b <= c`
    logic `not a < b <= c or x not in y` → `((not a < b <= c) and (x not in y))`
    logic `not a < b <= c or x not in y` → `not a < b <= c`
    logic `not a < b <= c or x not in y` → `x not in y`
    condition `not a < b <= c or x not in y` → `False`
    condition `not a < b <= c or x not in y` → `True`
    condition `not a < b <= c or x not in y` → `not (not a < b <= c or x not in y)`
    comparison `<` → `!=`
    comparison `<` → `<=`
    comparison `<` → `==`
    comparison `<` → `>`
    comparison `<=` → `!=`
    comparison `<=` → `<`
    comparison `<=` → `==`
    comparison `<=` → `>=`
    comparison `not in` → `in`
    dropped `return -1` removed
    arithmetic `-1` → `1`
    returned `-1` → `0`
    constant `1` → `0`
    constant `1` → `2`
    constant `1` → `0`
    constant `1` → `2`
    off-by-one `n` → `n + 1`
    off-by-one `n` → `n - 1`
    arithmetic `i % 2` → `(i + 2)`
    condition `i % 2` → `False`
    condition `i % 2` → `True`
    condition `i % 2` → `not (i % 2)`
    arithmetic `%` → `//`
    constant `2` → `1`
    constant `2` → `3`
    arithmetic `-1` → `1`
    constant `1` → `0`
    constant `1` → `2`
    off-by-one `a` → `a + 1`
    off-by-one `a` → `a - 1`
    off-by-one `b` → `b + 1`
    off-by-one `b` → `b - 1`
    arithmetic `x ** y` → `(x * y)`
    dropped `print(f'{x + 1}', '%d' % x, sep='')` removed
    constant `''` → `'?'`
    condition `x` → `False`
    condition `x` → `True`
    condition `x` → `not (x)`
    arithmetic `//` → `%`
    arithmetic `//` → `*`
    constant `2` → `1`
    constant `2` → `3`
    constant `0` → `1`
    ");
}

#[test]
fn headers_of_go_have_no_parentheses() {
    let source = "package main\ntype P struct{ x, y int }\nfunc (p *P) f(a, b int, c ...int) (int, error) {\n\tif v, ok := m[P{a, b}]; ok && v > a {\n\t\treturn v, nil\n\t}\n\
        \tfor i, x := range []int{1, a} {\n\t\tp.x &^= x << i\n\t}\n\tswitch {\n\tcase a < b:\n\t\tp.y--\n\t}\n\tgo g(func() bool { return true })\n\treturn *q, e\n}\n";
    insta::assert_snapshot!(listed(source, MutantLanguage::Go), @r"
    logic `ok && v > a` → `(ok || (v > a))`
    logic `ok && v > a` → `ok`
    logic `ok && v > a` → `v > a`
    condition `ok && v > a` → `!(ok && v > a)`
    condition `ok && v > a` → `false`
    condition `ok && v > a` → `true`
    comparison `>` → `!=`
    comparison `>` → `<`
    comparison `>` → `==`
    comparison `>` → `>=`
    dropped `return v, nil` removed
    constant `1` → `0`
    constant `1` → `2`
    dropped `p.x &^= x << i` removed
    bitwise `<<` → `>>`
    comparison `<` → `!=`
    comparison `<` → `<=`
    comparison `<` → `==`
    comparison `<` → `>`
    dropped `p.y--` removed
    arithmetic `--` → `++`
    constant `true` → `false`
    ");
    let list = mutants(source, MutantLanguage::Go).unwrap();
    let combined = combine(source, MutantLanguage::Go, &list.iter().collect::<Vec<_>>()).unwrap();
    assert!(combined.text.contains("case 1: return p.f_nimatron1(a, b, c...)"), "{}", combined.text);
    assert!(combined.text.contains("func (p *P) f_nimatron1(a, b int"), "{}", combined.text);
}

#[test]
fn generics_and_arrows_of_java_are_read() {
    let source = "import java.util.*;\npublic class Main<T extends Comparable<T>> {\n  private static final int N = 5;\n  enum E { A, B; int z = 1; }\n\
        Map<Integer, List<int[]>> m = new HashMap<>();\n  int f(int[] a) {\n    for (int x : a) m.computeIfAbsent(x, k -> new ArrayList<>()).add(new int[]{x, 1});\n\
        Arrays.sort(a, (p, q) -> p - q);\n    switch (a[0]) { case 1: return N; default: break; }\n    return (int) (a.length < N ? 2L : 3L);\n  }\n}\n";
    insta::assert_snapshot!(listed(source, MutantLanguage::Java), @r"
    constant `5` → `4`
    constant `5` → `6`
    constant `1` → `0`
    constant `1` → `2`
    dropped `m.computeIfAbsent(x, k -> new ArrayList<>()).add(new int[]{x…` removed
    constant `1` → `0`
    constant `1` → `2`
    dropped `Arrays.sort(a, (p, q) -> p - q);` removed
    arithmetic `p - q` → `(p * q)`
    arithmetic `-` → `+`
    constant `0` → `1`
    constant `1` → `0`
    constant `1` → `2`
    dropped `return N;` removed
    returned `N` → `0`
    returned `N` → `1`
    dropped `break;` removed
    comparison `a.length < N` → `(a.length != N)`
    comparison `a.length < N` → `(a.length == N)`
    condition `a.length < N` → `!(a.length < N)`
    condition `a.length < N` → `false`
    condition `a.length < N` → `true`
    comparison `<` → `<=`
    comparison `<` → `>`
    constant `2L` → `1L`
    constant `2L` → `3L`
    constant `3L` → `2L`
    constant `3L` → `4L`
    ");
}

#[test]
fn unbalanced_brackets_are_an_error() {
    let error = mutants("int main() {\n  f(;\n}\n", MutantLanguage::C).unwrap_err().to_string();
    assert_eq!(error, "line 2: unmatched bracket");
}

/// Returns the programs of this repository's problem set in all languages other than Rust, each with its language.
fn programs() -> Vec<(MutantLanguage, String)> {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut found = Vec::new();
    for folder in ["solutions", "problems"] {
        for entry in walkdir::WalkDir::new(root.join(folder)) {
            let path = entry.unwrap().into_path();
            let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
            let id = match extension.as_deref() {
                Some("c") => "c",
                Some("cpp") => "cpp",
                Some("java") => "java",
                Some("py") => "python",
                Some("js") => "javascript",
                Some("go") => "go",
                _ => continue,
            };
            if let Ok(source) = fs_err::read_to_string(&path) {
                found.push((MutantLanguage::of(id).unwrap(), source));
            }
        }
    }
    found
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn properties_hold_for_every_program_of_the_problem_set() {
    let programs = programs();
    assert!(programs.len() > 200);
    for (language, source) in &programs {
        let Ok(list) = mutants(source, *language) else { continue };
        assert!(list.len() > 1, "{} mutants of\n{source}", list.len());
        let mut texts = HashSet::from([source.clone()]);
        for (index, mutant) in list.iter().enumerate() {
            assert_eq!(mutant.id as usize, index + 1);
            let mutated = mutant.apply(source);
            // Parsing every mutant of every program would take too long.
            if index % 8 == 0 {
                assert!(parse(&mutated, *language).is_ok(), "{mutant:?} has unbalanced brackets:\n{mutated}");
            }
            assert!(mutated.starts_with(&source[..mutant.span.start]) && mutated.ends_with(&source[mutant.span.end..]));
            assert!(texts.insert(mutated), "{mutant:?} is a duplicate or equals the original");
            if let Some(site) = &mutant.site {
                assert!(site.span.start <= mutant.span.start && mutant.span.end <= site.span.end, "{mutant:?}");
            }
        }
        let switched: Vec<&Mutant> = list.iter().filter(|mutant| mutant.site.is_some()).collect();
        let combined = combine(source, *language, &switched).unwrap();
        assert!(parse(&combined.text, *language).is_ok(), "unbalanced:\n{}", combined.text);
    }
}
