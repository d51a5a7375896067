//! The encoding of descriptions in persistent keys.

use crate::model::{KeyWriter, StableKey};

use super::clause::{Clause, CompareOp, GraphProperty, Meaning, Property};
use super::description::Description;
use super::expr::{Expr, NumberName, Sign};
use super::fold::{Fold, FoldKind, FoldSource};
use super::layout::{Item, Layout, Length, Range, ValueKind, Var};

impl StableKey for Description {
    fn write_key(&self, key: &mut KeyWriter) {
        // `marks` and `graphs` are derived from the clauses, so the key does not contain them.
        let Description { layout, folds, clauses, given, marks: _, graphs: _ } = self;
        key.field("layout", layout).field("folds", folds).field("clauses", clauses).field("given", given);
    }
}

impl StableKey for Layout {
    fn write_key(&self, key: &mut KeyWriter) {
        let Layout { vars, items } = self;
        key.field("vars", vars).field("items", items);
    }
}

impl StableKey for Item {
    fn write_key(&self, key: &mut KeyWriter) {
        let Item { repeat, lines } = self;
        key.field("repeat", repeat).field("lines", lines);
    }
}

impl StableKey for Length {
    fn write_key(&self, key: &mut KeyWriter) {
        let Length { expr, text: _ } = self;
        key.write(expr);
    }
}

impl StableKey for Var {
    fn write_key(&self, key: &mut KeyWriter) {
        // The key omits fields that are derived from other fields, or are used only in messages.
        let Var { name, kind, length, item, in_block, same_in_rows: _, span: _, text: _ } = self;
        key.field("name", name).field("kind", kind).field("length", length);
        key.field("item", item).field("in_block", in_block);
    }
}

impl StableKey for ValueKind {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            ValueKind::Int(range) => key.variant("int").write(range),
            ValueKind::Choice { words, allowed } => {
                key.variant("choice").field("words", words).field("allowed", allowed)
            }
            ValueKind::Word { letters, length } => {
                key.variant("word").field("letters", letters).field("length", length)
            }
            ValueKind::Real { lo, hi, places } => {
                key.variant("real").field("lo", lo).field("hi", hi).field("places", places)
            }
        };
    }
}

impl StableKey for Range {
    fn write_key(&self, key: &mut KeyWriter) {
        let Range { lo, hi } = self;
        key.write(lo).write(hi);
    }
}

impl StableKey for Expr {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            Expr::Number(number) => key.variant("number").write(number),
            Expr::Name(NumberName::Own(at)) => key.variant("own").write(at),
            Expr::Name(NumberName::Given(at)) => key.variant("given").write(at),
            Expr::Fold(at) => key.variant("fold").write(at),
            Expr::Minus(operand) => key.variant("minus").write(operand),
            Expr::Binary(sign, left, right) => key.variant("binary").write(sign).write(left).write(right),
            Expr::Least(all) => key.variant("least").write(all),
            Expr::Greatest(all) => key.variant("greatest").write(all),
        };
    }
}

impl StableKey for Sign {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            Sign::Plus => "+",
            Sign::Minus => "-",
            Sign::Times => "*",
            Sign::Over => "/",
            Sign::Modulo => "%",
            Sign::Power => "^",
        });
    }
}

impl StableKey for Fold {
    fn write_key(&self, key: &mut KeyWriter) {
        let Fold { source, kind } = self;
        match source {
            FoldSource::Own(at) => key.variant("own").write(at),
            FoldSource::Given(at) => key.variant("given").write(at),
        };
        match kind {
            FoldKind::Sum => key.variant("sum"),
            FoldKind::Count => key.variant("count"),
            FoldKind::Least => key.variant("least"),
            FoldKind::Greatest => key.variant("greatest"),
            FoldKind::Xor => key.variant("xor"),
            FoldKind::CountOf(value) => key.variant("count_of").write(value),
        };
    }
}

impl StableKey for Clause {
    fn write_key(&self, key: &mut KeyWriter) {
        let Clause { text: _, meaning, ready: _, rows: _ } = self;
        match meaning {
            Meaning::Compare { left, order, right } => key.variant("compare").write(left).write(order).write(right),
            Meaning::List { property, var } => key.variant("list").write(property).write(var),
            Meaning::Graph { property, from, to } => key.variant("graph").write(property).write(from).write(to),
        };
    }
}

impl StableKey for CompareOp {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(self.symbol());
    }
}

impl StableKey for Property {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            Property::Distinct => "distinct",
            Property::Sorted => "sorted",
            Property::Permutation => "permutation",
        });
    }
}

impl StableKey for GraphProperty {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            GraphProperty::Acyclic => "acyclic",
            GraphProperty::Tree => "tree",
            GraphProperty::Connected => "connected",
            GraphProperty::Simple => "simple",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Digest;
    use crate::sample::{describe, describe_answer, narrowing};

    fn digest(description: &Description) -> Digest {
        KeyWriter::new("test", 1).write(description).digest()
    }

    const ALL: &str = "n: 1..=4; k: 1..=n*2-1; word: [First, Second]
        a[n]: -2..=max(k, 3)
        s: word a-z 1..=n; x: real 0.00..=1.50 places 2
        repeat n: u: 1..=n; v: 1..=n | w: 0..=9
        where sum(a) > 0
        where distinct(a)";

    #[test]
    fn keys_of_descriptions_are_fixed() {
        let description = describe(ALL);
        let narrowed = description.narrow(&narrowing("n: 1..=2; word: [First]")).unwrap();
        let answer = describe_answer(&description, "sum: 0..=sum(a)^2 / 2 % 7");
        insta::assert_snapshot!(digest(&description), @"86eb155431d21d96652ea4e7c73e05273b2a5ad7f855eec7e645ed20e336d77a");
        insta::assert_snapshot!(digest(&narrowed), @"c351a8ae65644bdd47b0fb6828bb40b9699371b17bfdca9f8056f1a605d7caba");
        insta::assert_snapshot!(digest(&answer), @"8494dfaf528dfa6c98fdfcefc3736ffff82cbc9bb377094a9bc40aea1851d2d7");
    }

    #[test]
    fn every_part_of_a_description_changes_its_key() {
        let changes = [
            ("n: 1..=4", "n: 1..=5"),
            ("n*2-1", "n*2+1"),
            ("k: ", "l: "),
            ("First, Second", "Second, First"),
            ("a[n]", "a[k]"),
            ("max(k, 3)", "min(k, 3)"),
            ("a-z", "a-y"),
            ("1.50", "1.51"),
            ("repeat n", "repeat k"),
            ("; v: 1..=n | w", " | v: 1..=n; w"),
            ("sum(a) > 0", "sum(a) >= 0"),
            ("distinct", "sorted"),
        ];
        for (from, to) in changes {
            let text = ALL.replace(from, to).replace("max(k", if from == "k: " { "max(l" } else { "max(k" });
            assert_ne!(digest(&describe(&text)), digest(&describe(ALL)), "{from} to {to}");
        }
        // Spaces in an expression do not change the digest.
        assert_eq!(digest(&describe(&ALL.replace("n*2-1", "n * 2 - 1"))), digest(&describe(ALL)));
    }
}
