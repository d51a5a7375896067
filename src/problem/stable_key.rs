//! Encodes a problem's parts in persistent cache keys.

use crate::model::{KeyWriter, StableKey};

use super::{AuxProgram, Balance, Given, Judging, PointsMeaning, Protocol};

impl StableKey for Judging {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            Judging::Compare(comparer) => key.variant("compare").write(comparer),
            Judging::Checker { checker, passes } => {
                key.variant("checker").field("checker", checker).field("passes", passes)
            }
            Judging::Interactor { interactor, checker, passes } => key
                .variant("interactor")
                .field("interactor", interactor)
                .field("checker", checker)
                .field("passes", passes),
        };
    }
}

/// Encodes the path of the source but not the content of the source, which the caller adds to the key.
impl StableKey for AuxProgram {
    fn write_key(&self, key: &mut KeyWriter) {
        #[rustfmt::skip]
        let AuxProgram {
            source, name: _, language, protocol, file_args, args, limits, worth, full, constants, after_failure,
            among_files, compiler_args, processes,
        } = self;
        key.field("source", source).field("language", language).field("protocol", protocol).field("args", args);
        key.field("limits", limits).field("worth", worth).field("full", full);
        key.field("constants", constants).field("among_files", among_files);
        // This field is written only if it is set, so that the keys of all other programs are those of earlier
        // versions.
        if file_args.is_some() {
            key.field("file_args", file_args);
        }
        if *after_failure {
            key.field("after_failure", after_failure);
        }
        if !compiler_args.is_empty() {
            key.field("compiler_args", compiler_args);
        }
        if *processes > 1 {
            key.field("processes", processes);
        }
    }
}

impl StableKey for Protocol {
    fn write_key(&self, key: &mut KeyWriter) {
        key.variant(match self {
            Protocol::Icpc => "icpc",
            Protocol::Testlib => "testlib",
            Protocol::Plain => "plain",
            Protocol::Dmoj => "dmoj",
            Protocol::Coci => "coci",
            Protocol::Peg => "peg",
            Protocol::Sinol => "sinol",
        });
    }
}

impl StableKey for PointsMeaning {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            PointsMeaning::Share => key.variant("share"),
            PointsMeaning::Points => key.variant("points"),
            PointsMeaning::Case(most) => key.variant("case").write(most),
            PointsMeaning::Whole => key.variant("whole"),
            PointsMeaning::Nothing => key.variant("nothing"),
        };
    }
}

impl StableKey for Given {
    fn write_key(&self, key: &mut KeyWriter) {
        let Given { input, answer, note } = self;
        key.field("input", input).field("answer", answer).field("note", note);
    }
}

impl StableKey for Balance {
    fn write_key(&self, key: &mut KeyWriter) {
        let Balance { name, words } = self;
        key.field("name", name).field("words", words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Comparer, ComparisonRule};
    use crate::model::{Digest, Points, Score};

    fn digest(value: &impl StableKey) -> Digest {
        KeyWriter::new("test", 1).write(value).digest()
    }

    #[test]
    fn keys_of_ways_to_judge_are_fixed() {
        let numbers = ComparisonRule::Numbers { absolute: Some(1e-6), relative: None, spaces: false };
        let rules =
            [ComparisonRule::Exact, ComparisonRule::Lines, ComparisonRule::Tokens, ComparisonRule::Unordered, numbers];
        let compared: Vec<Judging> = rules.into_iter().map(|rule| Judging::Compare(Comparer::new(rule))).collect();
        let mut checker = AuxProgram::new("check.cpp", Protocol::Testlib);
        checker.args = vec!["a b".to_owned()];
        checker.full = Some(Score::points(5));
        checker.constants.insert("n".to_owned(), "7".to_owned());
        let programs = vec![
            Judging::Checker { checker: checker.clone(), passes: 1 },
            Judging::Interactor { interactor: checker, checker: None, passes: 2 },
        ];
        let worths = vec![
            PointsMeaning::Share,
            PointsMeaning::Points,
            PointsMeaning::Case(Some(Points::millionths(5))),
            PointsMeaning::Whole,
            PointsMeaning::Nothing,
        ];
        let protocols = vec![Protocol::Icpc, Protocol::Testlib, Protocol::Plain];
        insta::assert_snapshot!(digest(&compared), @"eb0c0a4f00c8c49c5acd111d061aacf93fe0ed090d0f61fec52d47d826e981a2");
        insta::assert_snapshot!(digest(&programs), @"b10031c77e0bd79166ded30399965ccfb0e34b4e19fdb327fed6541868397618");
        insta::assert_snapshot!(digest(&(worths, protocols)), @"211cba78aa07ab72e8761cc9f8fc44ef8c87770e57589b9bb396ea7416f87d9c");
    }

    #[test]
    fn given_cases_and_balances_have_fixed_keys() {
        let given = Given { input: "1\n".to_owned(), answer: Some("2\n".to_owned()), note: None };
        let balance = Balance { name: "winner".to_owned(), words: vec!["First".to_owned(), "Second".to_owned()] };
        insta::assert_snapshot!(digest(&(given, balance)), @"a7cd2fd043bb22e84cffb0b2b271389dfe831ed29350f4941144e4d31a661338");
    }
}
