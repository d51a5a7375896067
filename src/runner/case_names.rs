//! Resolves the names of cases and groups with which a user selects cases of a package.

use crate::model::Diagnostic;
use crate::package::{Package, PackageCase, folder_of_case};

/// Maximum number of cases that a message lists.
const LISTED: usize = 6;

/// Returns whether `names` contains the name of the case or of its group. If `names` is empty, all cases are selected.
pub(super) fn is_selected(names: &[String], group: &str, case: &str) -> bool {
    names.is_empty() || names.iter().any(|name| name == group || name == case)
}

/// Returns the name of a case's group, or the name of the case's folder if the case belongs to no group.
pub(super) fn group_of<'p>(package: &'p Package, case: &'p PackageCase) -> &'p str {
    let folder = folder_of_case(&case.name);
    match package.grading.around(folder).name.as_str() {
        "" => folder,
        name => name,
    }
}

/// Resolves the names with which a user selects cases and groups to the names in the package. A name that matches
/// neither a case nor a group selects the only case whose last components or whose last word equal the name: `sample-1`
/// and `1` may both select `sample/sample-1`.
///
/// # Errors
/// Fails for an unknown or ambiguous name; the message suggests the closest name or lists the cases.
pub(super) fn resolve(package: &Package, names: &[String]) -> Result<Vec<String>, Diagnostic> {
    names.iter().map(|name| resolve_one(package, name)).collect()
}

fn resolve_one(package: &Package, name: &str) -> Result<String, Diagnostic> {
    let is_named =
        |case: &PackageCase| case.name == name || folder_of_case(&case.name) == name || group_of(package, case) == name;
    if package.cases.iter().any(is_named) {
        return Ok(name.to_owned());
    }
    for ends_with in [ends_with_part, ends_with_word] {
        let mut cases = package.cases.iter().filter(|case| ends_with(&case.name, name));
        if let (Some(case), None) = (cases.next(), cases.next()) {
            return Ok(case.name.clone());
        }
    }
    let all = || package.cases.iter().map(|case| case.name.as_str());
    let diagnostic = Diagnostic::new(format!("{} has no case or group `{name}`", package.id));
    Err(match crate::yaml::nearest(name, all()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => {
            let some: Vec<String> = all().take(LISTED).map(|case| format!("`{case}`")).collect();
            let more = package.cases.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            diagnostic.help(format!("cases: {}{more}", some.join(", ")))
        }
    })
}

/// Returns whether the last components of a case's name are `name`.
fn ends_with_part(case: &str, name: &str) -> bool {
    case.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'))
}

/// Returns whether the last word or number in the name of a case is `name`.
fn ends_with_word(case: &str, name: &str) -> bool {
    let is_word = !name.is_empty() && name.chars().all(char::is_alphanumeric);
    is_word && case.strip_suffix(name).is_some_and(|rest| rest.ends_with(['-', '_', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_found_by_the_end_of_its_name() {
        for (case, name, part, word) in [
            ("sample/sample-1", "sample-1", true, false),
            ("sample/sample-1", "1", false, true),
            ("tests/1", "1", true, false),
            ("tests/11", "1", false, false),
            ("tests/a_b", "b", false, true),
            ("tests/a-b-c", "b-c", false, false),
            ("tests/1", "", false, false),
        ] {
            assert_eq!((ends_with_part(case, name), ends_with_word(case, name)), (part, word), "{case} {name}");
        }
    }
}
