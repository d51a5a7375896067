//! The encoding of comparers in persistent keys.

use super::{Comparer, Rule};
use crate::model::{KeyWriter, StableKey};

impl StableKey for Comparer {
    fn write_key(&self, key: &mut KeyWriter) {
        let Comparer { rule, fold_case } = self;
        key.field("rule", rule).field("fold_case", fold_case);
    }
}

impl StableKey for Rule {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            Rule::Exact => key.variant("exact"),
            Rule::Lines => key.variant("lines"),
            Rule::Tokens => key.variant("tokens"),
            Rule::Numbers { absolute, relative, spaces } => {
                key.variant("numbers").field("absolute", absolute).field("relative", relative).field("spaces", spaces)
            }
            Rule::Unordered => key.variant("unordered"),
        };
    }
}
