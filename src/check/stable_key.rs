//! The encoding of comparers in persistent keys.

use super::{Comparer, ComparisonRule};
use crate::model::{KeyWriter, StableKey};

impl StableKey for Comparer {
    fn write_key(&self, key: &mut KeyWriter) {
        let Comparer { rule, fold_case } = self;
        key.field("rule", rule).field("fold_case", fold_case);
    }
}

impl StableKey for ComparisonRule {
    fn write_key(&self, key: &mut KeyWriter) {
        match self {
            ComparisonRule::Exact => key.variant("exact"),
            ComparisonRule::Lines => key.variant("lines"),
            ComparisonRule::Tokens => key.variant("tokens"),
            ComparisonRule::Numbers { absolute, relative, spaces } => {
                key.variant("numbers").field("absolute", absolute).field("relative", relative).field("spaces", spaces)
            }
            ComparisonRule::Unordered => key.variant("unordered"),
        };
    }
}
