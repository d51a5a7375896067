//! Layouts of downloads, which map the path of each file to a student and a problem.

use super::listing::{Listed, Named};
use super::naming::{NameReading, find_problem, several};
use super::pattern::Pattern;

/// Student, problem and attempt determined from a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) student: String,
    pub(super) number: Option<String>,
    pub(super) problem: usize,
    pub(super) attempt: u64,
    /// The path of the program, which is a file or a folder.
    pub(super) unit: String,
    /// The misspelled words that are interpreted as the id or title of the problem; `None` if no words are misspelled.
    pub(super) misspelt: Option<String>,
}

/// A layout of submitted files, which determines the student and the problem of each path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RosterLayout {
    Pattern,
    Moodle,
    Canvas,
    Problems,
    Students,
    Files,
}

impl RosterLayout {
    pub(super) fn words(self) -> &'static str {
        match self {
            RosterLayout::Pattern => "the given pattern",
            RosterLayout::Moodle => "a Moodle download",
            RosterLayout::Canvas => "a Canvas download",
            RosterLayout::Problems => "a folder for each problem",
            RosterLayout::Students => "a folder for each student",
            RosterLayout::Files => "a folder of files",
        }
    }

    /// Returns [`RosterLayout::Pattern`] if there are patterns, and otherwise the first layout that fits more than half
    /// of the source files. The layouts of Moodle and Canvas are tried first, because their names are unambiguous.
    /// Falls back to [`RosterLayout::Files`].
    pub(super) fn of(files: &[Listed], problems: &[Named], patterns: &[Pattern]) -> RosterLayout {
        let sources = || files.iter().filter(|file| file.source);
        let most = |test: &dyn Fn(&str) -> bool| {
            let (mut yes, mut all) = (0_usize, 0_usize);
            sources().for_each(|file| (yes, all) = (yes + usize::from(test(&file.path)), all + 1));
            all > 0 && yes * 2 > all
        };
        if !patterns.is_empty() {
            RosterLayout::Pattern
        } else if most(&|path| moodle(first(path)).is_some()) {
            RosterLayout::Moodle
        } else if most(&|path| canvas(first(path)).is_some()) {
            RosterLayout::Canvas
        } else if most(&|path| {
            path.contains('/') && find_problem(first(path), problems).is_some_and(|heard| heard.whole)
        }) {
            RosterLayout::Problems
        } else if most(&|path| path.contains('/')) {
            RosterLayout::Students
        } else {
            RosterLayout::Files
        }
    }

    /// Returns the student whose folder contains a path, if the layout has folders for students.
    pub(super) fn student(self, path: &str) -> Option<String> {
        let name = first(path);
        match self {
            RosterLayout::Moodle => moodle(name).map(|(student, _)| student),
            RosterLayout::Students if !name.starts_with('.') && !name.contains('.') => Some(name.to_owned()),
            _ => None,
        }
    }

    /// Applies the layout to a path. The error is the reason why the file belongs to no submission.
    pub(super) fn place(self, path: &str, problems: &[Named], patterns: &[Pattern]) -> Result<Placed, String> {
        match self {
            RosterLayout::Pattern => by_pattern(path, problems, patterns),
            RosterLayout::Moodle => {
                let (student, number) = moodle(first(path))
                    .ok_or("not in a Moodle submission folder such as `Ann Smith_123_assignsubmission_file`")?;
                below(path, student, Some(number), problems)
            }
            RosterLayout::Canvas => {
                let (student, number, name) = canvas(first(path))
                    .ok_or("not named like a Canvas submission, such as `smithann_12_345_nim.py`")?;
                let placed = match path.contains('/') {
                    true => below(path, student.clone(), Some(number.clone()), problems).ok(),
                    false => None,
                };
                match placed {
                    Some(placed) => Ok(placed),
                    None => {
                        let heard = problem_of_name(stem(name), problems).ok_or_else(|| no_problem(name, problems))?;
                        let NameReading { problem, attempt, misspelt, .. } = heard;
                        Ok(Placed { student, number: Some(number), problem, attempt, unit: path.into(), misspelt })
                    }
                }
            }
            RosterLayout::Problems => under_problem(path, problems),
            RosterLayout::Students if path.contains('/') => below(path, first(path).to_owned(), None, problems),
            RosterLayout::Students | RosterLayout::Files => flat(path, problems),
        }
    }
}

/// Returns whether a path component has the form of a submission's name in a Moodle or Canvas download.
pub(super) fn is_listed_by_a_system(part: &str) -> bool {
    let name = plain(part);
    moodle(name).is_some() || canvas(name).is_some()
}

/// Returns the first component of a path, without the extension of a zip file.
pub(super) fn first(path: &str) -> &str {
    plain(path.split('/').next().unwrap_or(path))
}

/// Removes the extension `.zip` from a path component, since a zip file is treated as a folder.
fn plain(part: &str) -> &str {
    match part.len().checked_sub(4).and_then(|at| part.split_at_checked(at)) {
        Some((name, end)) if end.eq_ignore_ascii_case(".zip") && !name.is_empty() => name,
        _ => part,
    }
}

fn stem(name: &str) -> &str {
    let name = plain(name);
    name.rfind('.').filter(|&at| at > 0).map_or(name, |at| &name[..at])
}

/// Parses a name such as `Full Name_123_assignsubmission_file`, to which older versions of Moodle append `_`. Returns
/// the student and the student's number, or `None` for other names.
fn moodle(folder: &str) -> Option<(String, String)> {
    let at = folder.rfind("_assignsubmission_")?;
    let (name, number) = folder[..at].rsplit_once('_')?;
    digits(number).then(|| (name.trim().to_owned(), number.to_owned())).filter(|(name, _)| !name.is_empty())
}

/// Parses a name such as `annsmith_LATE_12_345_hw.py`, and returns the student, the student's number and the original
/// file name. Returns `None` for other names.
fn canvas(name: &str) -> Option<(String, String, &str)> {
    let parts: Vec<&str> = name.split('_').collect();
    let at = (1..parts.len().saturating_sub(2)).find(|&at| digits(parts[at]) && digits(parts[at + 1]))?;
    let skipped: usize = parts[..at + 2].iter().map(|part| part.len() + 1).sum();
    let who = parts[..at].strip_suffix(&["LATE"]).unwrap_or(&parts[..at]).join("_");
    let number = parts[at].to_owned();
    let who = if who == "anon" { format!("anon_{number}") } else { who };
    (!who.is_empty()).then(|| (who, number, &name[skipped..]))
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the problem to which a name refers, or `None` if it refers to none. If there is only one problem, every name
/// refers to it.
fn problem_of_name(name: &str, problems: &[Named]) -> Option<NameReading> {
    let alone =
        || NameReading { problem: 0, rest: name.to_owned(), attempt: 0, whole: false, by_place: false, misspelt: None };
    find_problem(name, problems).or_else(|| (problems.len() == 1).then(alone))
}

/// Returns the reason why no problem is found in a name.
fn no_problem(name: &str, problems: &[Named]) -> String {
    let list = |problems: &[usize], known: &[Named]| {
        problems.iter().map(|problem| known[*problem].id.as_str()).collect::<Vec<_>>().join(", ")
    };
    let found = several(stem(name), problems);
    if !found.is_empty() {
        return format!("the name `{name}` refers to several problems: {}", list(&found, problems));
    }
    let all: Vec<usize> = (0..problems.len()).collect();
    match all.len() {
        1 => format!("the name `{name}` does not refer to the problem {}", list(&all, problems)),
        _ => format!("the name `{name}` refers to none of the problems {}", list(&all, problems)),
    }
}

/// Interprets the path of a file in a student's folder. The name of the file, or of a folder that contains it, refers
/// to the problem. A folder whose name refers to the problem is the program. If no name refers to a problem and there
/// is only one problem, the student's whole folder is the program.
fn below(path: &str, student: String, number: Option<String>, problems: &[Named]) -> Result<Placed, String> {
    let parts: Vec<&str> = path.split('/').collect();
    let placed = |problem, attempt, unit, misspelt| Ok(Placed { student, number, problem, attempt, unit, misspelt });
    let folder = (1..parts.len() - 1).find_map(|at| {
        let heard = find_problem(plain(parts[at]), problems)?;
        Some((heard, parts[..=at].join("/")))
    });
    match (folder, find_problem(stem(parts[parts.len() - 1]), problems)) {
        (Some((folder, unit)), file)
            if file.as_ref().is_none_or(|file| file.problem == folder.problem || file.by_place) =>
        {
            placed(folder.problem, folder.attempt, unit, folder.misspelt)
        }
        (_, Some(file)) => placed(file.problem, file.attempt, path.to_owned(), file.misspelt),
        (_, None) if problems.len() == 1 => placed(0, 0, parts[0].to_owned(), None),
        (_, None) => Err(no_problem(parts[parts.len() - 1], problems)),
    }
}

/// Interprets the path of a file in a problem's folder. The file, or the subfolder that contains it, has the name of
/// the student.
fn under_problem(path: &str, problems: &[Named]) -> Result<Placed, String> {
    let parts: Vec<&str> = path.split('/').collect();
    if parts.len() == 1 {
        return Err("not in a problem folder".to_owned());
    }
    let problem = find_problem(first(path), problems).filter(|heard| heard.whole);
    let NameReading { problem, misspelt, .. } =
        problem.ok_or_else(|| format!("the folder `{}` is not named after a problem", first(path)))?;
    let student = if parts.len() > 2 { plain(parts[1]) } else { stem(parts[1]) };
    let unit = parts[..2].join("/");
    Ok(Placed { student: student.to_owned(), number: None, problem, attempt: 0, unit, misspelt })
}

/// Interprets a file name that contains both student and problem, such as `alice_classic-nim.py`. With a single
/// problem, the name may consist of the student only.
fn flat(path: &str, problems: &[Named]) -> Result<Placed, String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let heard = problem_of_name(stem(name), problems).ok_or_else(|| no_problem(name, problems))?;
    if heard.rest.is_empty() {
        return Err(format!("the file name contains the problem {}, but no student name", problems[heard.problem].id));
    }
    let NameReading { problem, rest, attempt, misspelt, .. } = heard;
    Ok(Placed { student: rest, number: None, problem, attempt, unit: path.to_owned(), misspelt })
}

fn by_pattern(path: &str, problems: &[Named], patterns: &[Pattern]) -> Result<Placed, String> {
    let mut reason = "the path does not match any pattern".to_owned();
    for pattern in patterns {
        let Some(matched) = pattern.matched(path) else { continue };
        let problem = match matched.problem {
            Some(name) => find_problem(name, problems).map(|heard| (heard.problem, heard.attempt, heard.misspelt)),
            None if pattern.names_problem() || problems.len() > 1 => None,
            None => Some((0, 0, None)),
        };
        match problem {
            Some((problem, attempt, misspelt)) => {
                let attempt = matched.attempt.unwrap_or(attempt);
                let student = matched.student.to_owned();
                return Ok(Placed { student, number: None, problem, attempt, unit: path.to_owned(), misspelt });
            }
            None => {
                reason = match matched.problem {
                    Some(name) => no_problem(name, problems),
                    None => {
                        "the path matches a pattern without the field `{problem}`, so the problem is unknown".to_owned()
                    }
                };
            }
        }
    }
    Err(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moodle_folders_are_parsed() {
        let some = |name: &str, number: &str| Some((name.to_owned(), number.to_owned()));
        assert_eq!(moodle("Zoë van Dam_1234_assignsubmission_file"), some("Zoë van Dam", "1234"));
        assert_eq!(moodle("Ann_Smith_7_assignsubmission_file_"), some("Ann_Smith", "7"));
        assert_eq!(moodle("Participant_99_assignsubmission_onlinetext"), some("Participant", "99"));
        assert_eq!(moodle("Ann Smith"), None);
        assert_eq!(moodle("_7_assignsubmission_file"), None);
    }

    #[test]
    fn canvas_names_are_parsed() {
        let some = |name: &str, number: &str, file| Some((name.to_owned(), number.to_owned(), file));
        assert_eq!(canvas("smithann_12_345_classic-nim-2.py"), some("smithann", "12", "classic-nim-2.py"));
        assert_eq!(canvas("smithann_LATE_12_345_my_file.py"), some("smithann", "12", "my_file.py"));
        assert_eq!(canvas("anon_12_345_a.py"), some("anon_12", "12", "a.py"));
        assert_eq!(canvas("split_nim_2.py"), None);
        assert_eq!(canvas("a_1_2"), None);
    }
}
