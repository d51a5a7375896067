//! The groups that cases are told in.

use super::*;
use crate::model::{Aggregate, AggregateKind, Grading, Part, Rule};

fn group(name: &str, parts: Vec<Part>) -> Grading {
    let rule = Aggregate { kind: AggregateKind::Sum, most: None, require: Vec::new(), scored: true, text: None };
    Grading { name: name.to_owned(), rule: Rule::Aggregate(rule), parts }
}

#[test]
fn a_folder_in_a_group_is_in_the_group() {
    let tree = group("", vec![Part::Group(group("secret", vec![Part::Group(group("secret/a", vec![Part::Case(0)]))]))]);
    let tree = tree.names();
    assert_eq!(group_of(&tree, "secret/a"), "secret/a");
    assert_eq!(group_of(&tree, "secret/a/deep/er"), "secret/a");
    assert_eq!(group_of(&tree, "secret/b"), "secret");
    assert_eq!(group_of(&tree, "tests/a"), "tests/a", "where there is no group, the folder is all there is");
}
