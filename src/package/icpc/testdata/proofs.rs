//! Cases that test validators and judge nobody.

use crate::model::Diagnostic;

use super::super::super::model::{Case, Proof, ProofWants};
use super::super::super::tree::join;
use super::super::cases;
use super::Reader;

/// The folder that held whatever must be refused, before each kind had a folder of its own.
const BAD: &str = "data/bad";

/// The folders of such cases, in the spelling of any version.
pub(super) const FOLDERS: [(&str, ProofWants); 5] = [
    ("data/invalid_input", ProofWants::InvalidInput),
    ("data/invalid_inputs", ProofWants::InvalidInput),
    (BAD, ProofWants::InvalidInput),
    ("data/invalid_output", ProofWants::InvalidOutput),
    ("data/valid_output", ProofWants::ValidOutput),
];

impl Reader<'_> {
    /// Reads them.
    pub(super) fn proofs(&mut self) -> Result<Vec<Proof>, Diagnostic> {
        let mut found = Vec::new();
        for (folder, wants) in FOLDERS {
            if self.format.is_legacy() && folder != "data/invalid_inputs" && folder != BAD {
                continue;
            }
            let in_bad = folder == BAD;
            let mut open = vec![(folder.to_owned(), self.of_all.clone())];
            while let Some((folder, above)) = open.pop() {
                let inherited = self.arguments(&folder, above)?;
                for stem in cases::names(self.tree, &folder, self.format, &mut self.left_out) {
                    let read = cases::read(self.tree, &folder, &stem, self.format, inherited.clone(), self.notes)?;
                    found.extend(read.and_then(|case| if in_bad { Some(bad(case)) } else { proof(wants, case) }));
                }
                let children = self.folders(&folder).into_iter();
                open.extend(children.map(|child| (join(&folder, &child), inherited.clone())));
            }
        }
        Ok(found)
    }
}

/// A case of a folder that says what must come of it; none if a file is missing.
fn proof(wants: ProofWants, case: Case) -> Option<Proof> {
    let whole = wants == ProofWants::InvalidInput || case.answer.is_some() && case.output.is_some();
    whole.then_some(Proof { wants, case })
}

/// A case that is bad. With an answer its input is valid, and the answer is what must be rejected: it stands for an
/// output, of which there is none.
fn bad(case: Case) -> Proof {
    match case.answer {
        Some(_) => Proof { wants: ProofWants::InvalidOutput, case: Case { output: None, ..case } },
        None => Proof { wants: ProofWants::InvalidInput, case },
    }
}
