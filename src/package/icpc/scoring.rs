//! Reads the keys of a test group that determine its points.

use crate::model::{Aggregate, AggregateKind, Diagnostic, Points};

use super::super::yaml_map::{YamlMap, scalar};

/// Reads how a group combines the scores of its cases, and its maximum points. `kind` and `most` are the names of the
/// two keys. A missing key does not change `rule`.
///
/// # Errors
/// Fails if a key has an invalid value.
pub(super) fn read_scoring(
    keys: &mut YamlMap<'_>,
    rule: &mut Aggregate,
    kind: &str,
    most: &str,
) -> Result<(), Diagnostic> {
    match keys.string(kind)?.as_deref() {
        None => {}
        Some("sum") => rule.kind = AggregateKind::Sum,
        Some("min") => rule.kind = AggregateKind::Least,
        Some("pass-fail") => rule.kind = AggregateKind::PassFail,
        Some(_) => return Err(keys.error(kind, "expected `pass-fail`, `sum` or `min`")),
    }
    match keys.take(most).as_ref().and_then(scalar) {
        None => {}
        Some(text) if text == "unbounded" => rule.most = None,
        Some(text) => {
            let points = text.parse::<f64>().ok().filter(|points| (0.0..=1e9).contains(points));
            let wrong = || keys.error(most, "expected a number of points from 0 to 1000000000, or `unbounded`");
            rule.most = Some(points.and_then(Points::nearest).ok_or_else(wrong)?.score());
        }
    }
    Ok(())
}

/// Parses two numbers, the minimum and the maximum of a group's points. An infinite number becomes `None`. Returns
/// `None` for any other text.
pub(super) fn range(text: &str) -> Option<(Option<Points>, Option<Points>)> {
    let mut bounds = text.split_whitespace().map(|word| word.parse::<f64>().ok().filter(|bound| !bound.is_nan()));
    let (low, high) = (bounds.next()??, bounds.next()??);
    let finite = |bound: f64| bound.is_finite().then(|| Points::nearest(bound)).flatten();
    bounds.next().is_none().then(|| (finite(low), finite(high)))
}
