//! A short notation for the descriptions of tests, with one item per line. The tests of `export` include this file.

use indexmap::IndexMap;

use crate::input::{Description, DescriptionError, RawItem, RawValue};

/// Parses the notation: `n: 1..=4; k: 1..=n` is a line, `repeat m: u: 1..=n; v: 1..=n | w: 0..=9` is a block with `|`
/// between its lines, and `where sum(a) > 0` is a clause.
pub(crate) fn raw(text: &str) -> (Vec<RawItem>, Vec<String>) {
    let (mut items, mut clauses) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(clause) = line.strip_prefix("where ") {
            clauses.push(clause.to_owned());
        } else if let Some(block) = line.strip_prefix("repeat ") {
            let (repeat, lines) = block.split_once(": ").unwrap();
            items.push(RawItem::Repeat { repeat: repeat.to_owned(), lines: lines.split(" | ").map(keys).collect() });
        } else {
            items.push(RawItem::Line(keys(line)));
        }
    }
    (items, clauses)
}

pub(crate) fn keys(line: &str) -> IndexMap<String, RawValue> {
    line.split("; ").map(|pair| pair.split_once(": ").unwrap()).map(|(key, v)| (key.to_owned(), value(v))).collect()
}

pub(crate) fn value(text: &str) -> RawValue {
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(words) => RawValue::Words(words.split(", ").map(str::to_owned).collect()),
        None => RawValue::Text(text.to_owned()),
    }
}

pub(crate) fn try_describe(text: &str) -> Result<Description, DescriptionError> {
    let (items, clauses) = raw(text);
    Description::parse(&items, &clauses)
}

pub(crate) fn describe(text: &str) -> Description {
    try_describe(text).unwrap_or_else(|complaint| panic!("{complaint:?} in {text}"))
}

/// Formats of problems from other judges, and formats that use the remaining features of the notation.
pub(crate) const FORMATS: [&str; 22] = [
    // The formats of AcWing 891 and 892, and of AcWing 894.
    "n: 1..=100000\na[n]: 1..=10^9\nwhere sum(a) > 0",
    "n: 1..=100\na[n]: 1..=100",
    // The format of AcWing 893.
    "k: 1..=100\ns[k]: 1..=10^4\nn: 1..=100\nh[n]: 1..=10^4\nwhere distinct(s)",
    // The format of AcWing 1319.
    "n: 1..=2000; m: 0..=6000; k: 1..=n\nrepeat m: x: 1..=n; y: 1..=n\nt[k]: 1..=n\nwhere acyclic(x, y)",
    // The format of CSES 1729.
    "n: 1..=10^6; k: 1..=100\np[k]: 1..=n\nwhere distinct(p)\nwhere count(p, 1) == 1\nwhere k <= n",
    // The format of CSES 1730, 1098, 1099 and 2208.
    "t: 1..=2*10^5\nrepeat t: n: 1..=2*10^5 | x[n]: 1..=10^9\nwhere sum(n) <= 2*10^5",
    // The format of CSES 2207.
    "t: 1..=10^5\nrepeat t: n: 1..=10^6",
    // The format of Nim 3.
    "n: 1..=10^3\na[n]: 0..=2^63-1",
    // The format of Luogu P2197.
    "t: 1..=10\nrepeat t: n: 1..=10^4 | a[n]: 0..=2^31-1",
    // The format of Luogu P2252.
    "a: 0..=10^9; b: 0..=10^9",
    // The format of AtCoder dp_k.
    "n: 1..=100; k: 1..=10^5\na[n]: 1..=k\nwhere sorted(a)\nwhere distinct(a)",
    // These formats have a tree, a connected simple graph, edges with weights, and an acyclic simple graph.
    "n: 1..=300\nrepeat n-1: u: 1..=n; v: 1..=n\nwhere tree(u, v)",
    "n: 1..=40; m: n-1..=n*(n-1)/2\nrepeat m: u: 0..=n-1; v: 0..=n-1\nwhere connected(u, v)\nwhere simple(u, v)",
    "n: 2..=50; m: 0..=100\nrepeat m: u: 1..=n; v: 1..=n; w: 1..=9\nwhere u < v",
    "n: 2..=50; m: 0..=40\nu[m]: 1..=n\nv[m]: 1..=n\nwhere acyclic(u, v)\nwhere simple(u, v)",
    // This format has a graph in every row.
    "t: 1..=5\nrepeat t: n: 1..=9; m: 0..=n-1 | u[m]: 1..=n | v[m]: 1..=n\nwhere acyclic(u, v)\nwhere simple(u, v)",
    // These formats have words, choices, decimals, empty lists, negative bounds, permutations and folds.
    "n: 0..=6; s: word a-cX 1..=5; c: [Yes, No, 1]\nw[n]: word ab 1..=3\nr[n]: real -1.5..=2 places 2",
    "n: 0..=5; a[n]: -2^63..=2^63-1; e: -5\nb[n]: e-n..=e+n; c[2]: [x, y]",
    "n: 1..=30\np[n]: 1..=n\nq[n]: 0..=10^9\nrepeat n: z: 5..=10^6\nwhere permutation(p)\nwhere sorted(q)\nwhere distinct(z)",
    "t: 0..=4\nrepeat t: k: 0..=5; p[k]: 3..=10 | l: 1..=9; r: l..=9\nwhere permutation(p)\nwhere l < r",
    "n: 1..=20\na[n]: 0..=100\nb: sum(a)\nq: 1..=5\nrepeat q: x: min(a)..=max(a); c: 0..=count(a, 7)\nwhere xor(a) == 0",
    "n: 2..=40; k: 0..=1000\na[n]: -50..=50\nwhere sum(a) == k - 500\nwhere max(a) >= 10",
];
