//! Reads the cases that only test validators.

use crate::model::Diagnostic;

use super::super::super::package_model::{PackageCase, ValidatorTest, ValidatorTestKind};
use super::super::super::tree::join;
use super::super::cases;
use super::TestDataReader;

/// The folder that older versions use for all kinds of invalid cases.
const BAD: &str = "data/bad";

/// The folders of cases that test validators, in the spellings of all versions, each with the expected result.
pub(super) const FOLDERS: [(&str, ValidatorTestKind); 5] = [
    ("data/invalid_input", ValidatorTestKind::InvalidInput),
    ("data/invalid_inputs", ValidatorTestKind::InvalidInput),
    (BAD, ValidatorTestKind::InvalidInput),
    ("data/invalid_output", ValidatorTestKind::InvalidOutput),
    ("data/valid_output", ValidatorTestKind::ValidOutput),
];

impl TestDataReader<'_> {
    /// Reads all cases that test validators.
    pub(super) fn validator_tests(&mut self) -> Result<Vec<ValidatorTest>, Diagnostic> {
        let mut found = Vec::new();
        for (folder, kind) in FOLDERS {
            if self.format.is_legacy() && folder != "data/invalid_inputs" && folder != BAD {
                continue;
            }
            let in_bad = folder == BAD;
            let mut open = vec![(folder.to_owned(), self.data_args.clone())];
            while let Some((folder, above)) = open.pop() {
                let inherited = self.arguments(&folder, above)?;
                for stem in cases::names(self.tree, &folder, self.format, &mut self.skipped_cases) {
                    let read = cases::read(self.tree, &folder, &stem, self.format, inherited.clone(), self.notes)?;
                    found.extend(read.and_then(|case| if in_bad { Some(bad(case)) } else { test(kind, case) }));
                }
                let children = self.folders(&folder).into_iter();
                open.extend(children.map(|child| (join(&folder, &child), inherited.clone())));
            }
        }
        Ok(found)
    }
}

/// Creates a test of the kind `kind` from a case. Returns `None` if the case lacks a file that tests of this kind
/// require.
fn test(kind: ValidatorTestKind, case: PackageCase) -> Option<ValidatorTest> {
    let whole = kind == ValidatorTestKind::InvalidInput || case.answer.is_some() && case.output.is_some();
    whole.then_some(ValidatorTest { kind, case })
}

/// Creates a test from a case in the folder `bad`. If the case has an answer, its input is valid, and the answer is the
/// output that must be rejected.
fn bad(case: PackageCase) -> ValidatorTest {
    match case.answer {
        Some(_) => ValidatorTest { kind: ValidatorTestKind::InvalidOutput, case: PackageCase { output: None, ..case } },
        None => ValidatorTest { kind: ValidatorTestKind::InvalidInput, case },
    }
}
