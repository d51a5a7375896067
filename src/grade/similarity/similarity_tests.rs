//! Tests that disguised copies are found and independent programs are not.

use std::collections::BTreeMap;
use std::path::Path;

use super::pairs::{EXPECTED_SHARE, likeness};
use super::rewriting::{padded, renamed};
use super::*;
use crate::lang::{LexemeClass, Syntax, lex};

fn program(name: &str, text: &str) -> TokenizedProgram {
    TokenizedProgram::new([(name, text.as_bytes())])
}

fn solutions() -> BTreeMap<String, Vec<(String, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("solutions");
    let mut all: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root).min_depth(3).max_depth(3).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.is_file() {
            let below = path.strip_prefix(&root).unwrap().display().to_string();
            let problem = below.split('/').next().unwrap().to_owned();
            all.entry(problem).or_default().push((below, fs_err::read_to_string(&path).unwrap()));
        }
    }
    all
}

/// Returns a copy of a text in which each lexeme is replaced with the result of `change`.
fn rewritten(name: &str, text: &str, change: &dyn Fn(LexemeClass, &str) -> String) -> String {
    let syntax = Syntax::of_extension(name.rsplit('.').next().unwrap());
    lex(text, syntax).map(|(class, lexeme)| change(class, lexeme)).collect()
}

/// Returns the program with different names and a different layout, and without comments.
fn disguised(name: &str, text: &str) -> String {
    rewritten(name, text, &|class, lexeme| match class {
        LexemeClass::Comment => String::new(),
        LexemeClass::Name => format!("{lexeme}_other"),
        LexemeClass::Space => lexeme.replace('\n', "\n\n"),
        _ => lexeme.to_owned(),
    })
}

/// Returns the program with other numbers and strings.
fn with_other_literals(name: &str, text: &str) -> String {
    rewritten(name, text, &|class, lexeme| match class {
        LexemeClass::Number => format!("1{lexeme}"),
        LexemeClass::Text if !lexeme.contains("\"\"") => lexeme.replacen('"', "\"x", 1),
        _ => lexeme.to_owned(),
    })
}

/// Adds parentheses around returned values, and braces around single statements.
fn with_more_brackets(name: &str, text: &str) -> String {
    let is_python = name.ends_with("py");
    let (mut copy, mut open) = (String::new(), false);
    for line in text.lines() {
        let (statement, end) = line.strip_suffix(';').map_or((line, ""), |statement| (statement, ";"));
        let returned = statement.trim().strip_prefix("return ").filter(|_| is_python || end == ";");
        match returned.filter(|value| !value.ends_with(['(', '[', '{', ',']) && !value.contains(['#', ';'])) {
            Some(value) => copy += &statement.replace(value, &format!("({value})")),
            None => copy += statement,
        }
        copy += end;
        copy += if std::mem::take(&mut open) { " }" } else { "" };
        let is_head = ["if (", "for (", "while ("].iter().any(|head| line.trim().starts_with(head));
        open = is_head && line.ends_with(')');
        copy += if open { " {\n" } else { "\n" };
    }
    copy
}

#[test]
fn copies_with_other_names_literals_and_brackets_are_identical_in_every_language() {
    let (mut languages, mut missed) = (BTreeMap::new(), Vec::new());
    for (name, text) in solutions().into_values().flatten().filter(|(name, _)| name.contains("/accepted/")) {
        let one = program(&name, &text);
        let lowest = languages.entry(one.family).or_insert(1_000);
        for change in [disguised, with_other_literals, with_more_brackets] {
            let other = program(&name, &disguised(&name, &change(&name, &text)));
            if other.identity != one.identity {
                missed.push(name.clone());
            }
        }
        let padded = compare_pair(&one, &program(&name, &padded(&name, &text)), &|_| false).shared;
        if one.tokens.len() >= MIN_TOKENS {
            *lowest = padded.min(*lowest);
        }
    }
    println!("lowest share with unused variables, by language: {languages:?}");
    assert!(missed.is_empty() && languages.len() >= 8, "{missed:?} {languages:?}");
    assert!(languages.values().all(|lowest| *lowest >= 900), "{languages:?}");
}

const SEARCH: [&str; 4] = [
    "def read():\n    n, m = map(int, input().split())\n    edges = [[] for _ in range(n)]\n    for _ in range(m):\n        \
     a, b = map(int, input().split())\n        edges[a - 1].append(b - 1)\n    return n, edges\n",
    "def value(vertex, edges, known):\n    if known[vertex] is None:\n        seen = {value(w, edges, known) for w in \
     edges[vertex]}\n        least = 0\n        while least in seen:\n            least += 1\n        known[vertex] = least\n    \
     return known[vertex]\n",
    "def stones(n):\n    places = list(map(int, input().split()))\n    assert len(places) <= n * n, 'too many'\n    return \
     [place - 1 for place in places if place > 0]\n",
    "def winner(n, edges):\n    known = [None] * n\n    total = 0\n    for place in stones(n):\n        total ^= value(place, \
     edges, known)\n    if total == 0:\n        return 'lose'\n    return 'win'\n",
];

#[test]
fn copies_with_reordered_functions_are_similar() {
    let main = "print(winner(*read()))\n";
    let text = |order: [usize; 4]| order.map(|part| SEARCH[part]).concat() + main;
    let one = program("a.py", &text([0, 1, 2, 3]));
    for order in [[3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
        let other = program("b.py", &renamed("b.py", &text(order)));
        let found = compare_pair(&one, &other, &|_| false);
        println!("{order:?}: share {} in {} parts", found.shared, found.regions.len());
        assert!(found.shared >= 900 && found.regions.len() >= 2, "{order:?}: {found:?}");
    }
}

/// Five independent solutions of one problem, which asks for the number of heaps on which the first player has a
/// winning move.
const HEAPS: [&str; 5] = [
    "n = int(input())\nheaps = list(map(int, input().split()))\nx = 0\nfor h in heaps:\n    x ^= h\nans = 0\nfor h in heaps:\n    if h ^ x < h:\n        \
     ans += 1\nif x == 0:\n    print('lost', 0)\nelse:\n    print('won', ans)\n",
    "import sys\nfrom functools import reduce\nfrom operator import xor\n\n\ndef main():\n    data = [int(w) for w in sys.stdin.read().split()]\n    \
     heaps = data[1:data[0] + 1]\n    total = reduce(xor, heaps, 0)\n    good = sum(1 for h in heaps if total ^ h < h)\n    print(('won' if total else \
     'lost'), good)\n\n\nmain()\n",
    "n = int(input())\ns = input().split()\na = []\nfor i in range(n):\n    a.append(int(s[i]))\nt = a[0]\nfor i in range(1, n):\n    t = t ^ a[i]\n\
     c = 0\nif t != 0:\n    top = len(bin(t)) - 3\n    for i in range(n):\n        if (a[i] >> top) & 1 == 1:\n            c = c + 1\n    print('won ' + \
     str(c))\nelse:\n    print('lost ' + str(c))\n",
    "class Position:\n    def __init__(self, heaps):\n        self.heaps = heaps\n\n    def value(self):\n        value = 0\n        for heap in self.heaps:\n            \
     value = value ^ heap\n        return value\n\n    def moves(self):\n        value = self.value()\n        return [heap for heap in self.heaps if heap > heap ^ value]\n\n\n\
     input()\nposition = Position([int(part) for part in input().split()])\nword = 'lost' if position.value() == 0 else 'won'\nprint(word, len(position.moves()))\n",
    "def solve(a):\n    bits = [0] * 31\n    for v in a:\n        for b in range(31):\n            bits[b] ^= (v >> b) & 1\n    if 1 not in bits:\n        return 'lost', 0\n    \
     high = max(b for b in range(31) if bits[b])\n    return 'won', len([v for v in a if v & (1 << high)])\n\n\nif __name__ == '__main__':\n    _ = input()\n    \
     print(*solve([*map(int, input().split())]))\n",
];

/// Returns the share of matching tokens and the names of the programs for each pair of programs that are in the same
/// language and long enough to compare. The pairs are sorted by share.
fn shares(files: &[(String, String)]) -> Vec<(u32, String, String)> {
    let programs: Vec<TokenizedProgram> = files.iter().map(|(name, text)| program(name, text)).collect();
    let mut all = Vec::new();
    for (at, one) in programs.iter().enumerate() {
        for (other, two) in programs.iter().enumerate().skip(at + 1) {
            if one.family == two.family && one.tokens.len().min(two.tokens.len()) >= MIN_TOKENS {
                let shared = compare_pair(one, two, &|_| false).shared;
                all.push((shared, files[at].0.clone(), files[other].0.clone()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn independent_programs_are_not_similar() {
    let named = HEAPS.iter().enumerate().map(|(number, text)| (format!("{number}.py"), (*text).to_owned()));
    let mut one_problem = shares(&named.collect::<Vec<_>>());
    assert_eq!(one_problem.len(), 10, "all are long enough");
    let accepted = |files: Vec<(String, String)>| {
        files.into_iter().filter(|(name, _)| name.contains("/accepted/")).collect::<Vec<_>>()
    };
    one_problem.extend(solutions().into_values().flat_map(|files| shares(&accepted(files))));
    one_problem.sort();
    let most = one_problem.last().unwrap();
    println!("{} pairs of solutions of one problem; the most similar: {most:?}", one_problem.len());
    let listed = one_problem.iter().filter(|(shared, ..)| likeness(*shared, EXPECTED_SHARE) >= 700).count();
    assert!(one_problem.len() >= 11 && listed == 0, "{one_problem:?}");
}

fn found(texts: &[String], given: &[TokenizedProgram]) -> SimilarPrograms {
    compare_all(texts.len(), &mut |at| Ok(program("a.py", &texts[at])), given, 700).unwrap()
}

/// Returns a program of pseudorandom statements, with `number` as the seed.
fn own(number: u64) -> String {
    let mut rng = crate::input::Rng::from_digest(&crate::model::Digest::of(&number.to_le_bytes()));
    let kinds = [
        "x = [y + 1 for y in z]",
        "while a < b: a += c",
        "if p and not q: f(r, s)",
        "d[e] = g ** h",
        "del i[j]",
        "for k in l: print(k)",
        "t = lambda u: u * 2",
        "assert v is None, w",
        "m = {n: o for n in aa}",
        "return_ = -bb",
        "cc = dd if ee else ff",
        "gg.hh(ii=jj)",
        "kk |= ll",
        "import_ = mm[nn:oo]",
        "pp = (qq, *rr)",
    ];
    let pick = |_| kinds[usize::try_from(rng.below(kinds.len() as u64)).unwrap()].to_owned();
    (0..30).map(pick).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn template_code_is_ignored_and_common_code_is_usual() {
    let with = |number| SEARCH.concat() + &own(number)[..40];
    let few: Vec<String> = (0..4).map(with).collect();
    assert_eq!(found(&few, &[]).above_threshold, 6, "all share the template");
    let given = found(&few, &[program("given.py", &SEARCH.concat())]);
    assert_eq!((given.above_threshold, given.too_short), (0, 4), "the rest is too short");
    let many: Vec<String> = (0..40).map(|number| SEARCH.concat() + &own(number)).collect();
    let similar = found(&many, &[]);
    assert!(similar.above_threshold == 0 && similar.usual > EXPECTED_SHARE, "{similar:?}");
}

#[test]
fn copies_are_found_among_many_in_a_fixed_order() {
    let mut texts: Vec<String> = (0..300).map(own).collect();
    texts[7] = texts[200].clone();
    texts[9] = disguised("a.py", &texts[201]);
    texts[11] = texts[202].replacen("kk |= ll", "kk &= ll", 1) + "print(1)\n";
    let findings = found(&texts, &[]);
    let pairs: Vec<(usize, usize)> = findings.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(findings.identical, BTreeMap::from([(7, vec![200]), (9, vec![201])]));
    assert_eq!((pairs, findings.above_threshold), (vec![(11, 202)], 1));
}

proptest::proptest! {
    /// The tokens of any text must lie within the text, since students may submit any text under any extension.
    #[test]
    fn tokens_of_any_text_lie_within_it(
        ending in proptest::sample::select(vec!["rs", "c", "cpp", "py", "java", "js", "go", "cs", "kt", "hs", "ml", "rb", "lua", "pl", "sql", ""]),
        text in "(\\PC|[\"'(){}\\[\\];:,.+*/=<>#\\\\\n\t 0-9]|if |for |fn |def |class |return |int |\"\"\"|/\\*|\u{0}){0,80}",
    ) {
        let program = program(&format!("a.{ending}"), &text);
        proptest::prop_assert!(program.tokens.iter().all(|token| text.get(token.range.clone()).is_some()));
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn any_bytes_are_tokenized() {
    for ending in ["rs", "c", "py", "java", "js", "go", "cs", "kt", "hs", "ml", "pas", "rb", "lua", "pl", "zig", ""] {
        let name = format!("a.{ending}");
        assert!(program(&name, "").tokens.is_empty());
        let most: [&[u8]; 4] = [b"\xff\xfe((((", &[b'('; 100_000], b"\0\0", "é{[\"'`".as_bytes()];
        for bytes in most {
            let program = TokenizedProgram::new([(name.as_str(), bytes)]);
            let text = String::from_utf8_lossy(bytes);
            assert!(program.tokens.iter().all(|token| text.get(token.range.clone()).is_some()), "{name}");
        }
    }
}
