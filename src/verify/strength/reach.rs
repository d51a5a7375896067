//! Finds bounds of the input description that no test reaches.

use indexmap::IndexMap;

use crate::data::{Case, Store};
use crate::input::Description;
use crate::model::Failure;

/// Returns the least and greatest values of the description's ranges that no test reaches, such as `n = 100000`.
///
/// # Errors
/// Fails if an input can't be read.
pub(super) fn unreached(description: &Description, cases: &[Case], store: &Store) -> Result<Vec<String>, Failure> {
    let mut ends: IndexMap<String, (bool, bool)> = IndexMap::new();
    for case in cases {
        let bytes = store.get(&case.input.digest)?;
        let Ok(instance) = description.read(&bytes[..], None) else { continue };
        for reach in description.reach(&instance) {
            let (least, greatest) = ends.entry(reach.name).or_default();
            *least |= reach.least;
            *greatest |= reach.greatest;
        }
    }
    let mut missing = Vec::new();
    for (name, (least, greatest)) in ends {
        let span = description.span(&name);
        let end = |reached: bool, value: Option<i128>, word: &str| {
            (!reached).then(|| value.map_or_else(|| format!("{word} of {name}"), |value| format!("{name} = {value}")))
        };
        missing.extend(end(least, span.map(|span| span.0), "the least value"));
        missing.extend(end(greatest, span.map(|span| span.1), "the greatest value"));
    }
    missing.dedup();
    Ok(missing)
}
