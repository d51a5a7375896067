//! Parses a CSV list of submissions with the columns `student,problem,file`, and optionally `submitted` and `attempt`.

use std::collections::BTreeMap;

use crate::model::{Diagnostic, TextRange};
use crate::yaml::nearest;

use super::guess::{guessed_languages, order};
use super::listing::{Claim, Left, Listed, Named, Roster};

/// A row of a list of submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestRow {
    /// Name of the student.
    pub student: String,
    /// Problem, as an index into the list of problems.
    pub problem: usize,
    /// File or folder, relative to the folder of the list.
    pub file: String,
    /// Time of submission, in seconds since the Unix epoch; `None` if the row has none.
    pub submitted: Option<i64>,
    /// Number of the attempt; 0 if the row has none.
    pub attempt: u64,
}

/// A list of submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The rows, in the order of the file.
    pub rows: Vec<ManifestRow>,
}

const COLUMNS: [&str; 5] = ["student", "problem", "file", "submitted", "attempt"];

impl Manifest {
    /// Parses a list of submissions.
    ///
    /// # Errors
    /// Returns a diagnostic that points to the first invalid line.
    pub fn parse(origin: &str, text: &str, problems: &[Named]) -> Result<Manifest, Diagnostic> {
        let text = text.trim_start_matches('\u{feff}');
        let complain = |at: usize, message: String| {
            let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
            Diagnostic::new(message).at(
                origin,
                text,
                TextRange { start: at, end: end.max(at + 1).min(text.len().max(at)) },
            )
        };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| complain(0, error.to_string()))?.clone();
        let column = |name: &str| header.iter().position(|known| known.eq_ignore_ascii_case(name));
        for name in &header {
            if !COLUMNS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let wrong = complain(0, format!("unknown column `{name}`"));
                return Err(wrong.help(format!("expected only the columns `{}`", COLUMNS.join("`, `"))));
            }
        }
        let student = column("student").ok_or_else(|| complain(0, "missing column `student`".to_owned()))?;
        let file = column("file").ok_or_else(|| complain(0, "missing column `file`".to_owned()))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| {
                let at = error.position().map_or(0, |place| usize::try_from(place.byte()).unwrap_or(0));
                complain(at.min(text.len()), error.to_string())
            })?;
            let at = record.position().map_or(0, |place| usize::try_from(place.byte()).unwrap_or(0));
            let at = at + text[at..].len() - text[at..].trim_start().len();
            let cell = |column: Option<usize>| column.and_then(|column| record.get(column)).unwrap_or("");
            let wrong = |message: String| complain(at, message);
            let (student, file) = (cell(Some(student)), cell(Some(file)));
            if student.is_empty() || file.is_empty() {
                let missing = if student.is_empty() { "student" } else { "file" };
                return Err(wrong(format!("the row has no value in the column `{missing}`")));
            }
            let time = Some(cell(column("submitted"))).filter(|text| !text.is_empty());
            let attempt = Some(cell(column("attempt"))).filter(|text| !text.is_empty());
            rows.push(ManifestRow {
                student: super::naming::composed(student),
                problem: problem_of(cell(column("problem")), problems).map_err(|(message, help)| {
                    let said = wrong(message);
                    if help.is_empty() { said } else { said.help(help) }
                })?,
                file: file.replace('\\', "/").trim_start_matches("./").trim_end_matches('/').to_owned(),
                submitted: time
                    .map(|text| {
                        crate::grade::time::parse(text).ok_or_else(|| {
                            wrong(format!("`{text}` is not a time; expected a time such as `2026-03-01T23:59:00Z`"))
                        })
                    })
                    .transpose()?,
                attempt: attempt
                    .map(|text| {
                        text.parse().map_err(|_| {
                            wrong(format!("`{text}` is not an attempt number; expected a number such as `2`"))
                        })
                    })
                    .transpose()?
                    .unwrap_or(0),
            });
        }
        Ok(Manifest { rows })
    }
}

fn problem_of(name: &str, problems: &[Named]) -> Result<usize, (String, String)> {
    if name.is_empty() && problems.len() == 1 {
        return Ok(0);
    }
    let known = || problems.iter().map(|named| named.id.as_str());
    if name.is_empty() {
        let help = format!("expected one of: {}", known().collect::<Vec<_>>().join(", "));
        return Err(("the row has no value in the column `problem`".to_owned(), help));
    }
    known().position(|id| id == name).ok_or_else(|| {
        let help = nearest(name, known()).map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
        (format!("`{name}` is not one of the graded problems: {}", known().collect::<Vec<_>>().join(", ")), help)
    })
}

/// Creates the roster from a list and the files in the folder of the list.
pub fn resolve(manifest: &Manifest, files: &[Listed]) -> Roster {
    let mut claimed = vec![false; files.len()];
    let by_path: BTreeMap<&str, usize> = files.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
    let mut roster = Roster { layout: "a CSV list".to_owned(), ..Roster::default() };
    for row in &manifest.rows {
        let folder = format!("{}/", row.file);
        let members: Vec<usize> = match by_path.get(row.file.as_str()) {
            Some(&file) => vec![file],
            None => (0..files.len()).filter(|&at| files[at].path.starts_with(&folder)).collect(),
        };
        if members.is_empty() {
            roster.left.push(Left::new(
                &row.file,
                format!("listed for {}, but this file or folder does not exist", row.student),
            ));
            continue;
        }
        members.iter().for_each(|&member| claimed[member] = true);
        roster.claims.push(Claim {
            student: row.student.clone(),
            number: None,
            problem: row.problem,
            path: row.file.clone(),
            at: row.submitted.or_else(|| members.iter().filter_map(|&member| files[member].modified).max()),
            guesses: guessed_languages(files, &members),
            files: members,
            attempt: row.attempt,
        });
    }
    let others = files.iter().zip(claimed).filter(|(_, claimed)| !claimed);
    roster.left.extend(others.map(|(file, _)| Left::new(&file.path, "not in the CSV list")));
    roster.students = manifest.rows.iter().map(|row| row.student.clone()).collect();
    roster.claims.sort_by(|a, b| order(a).cmp(&order(b)));
    roster.left.sort();
    roster
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Digest;

    fn problems() -> Vec<Named> {
        ["classic-nim", "split-nim"].map(|id| Named { id: id.parse().unwrap(), name: id.to_owned() }).to_vec()
    }

    fn parse(text: &str) -> Result<Manifest, Diagnostic> {
        Manifest::parse("list.csv", text, &problems())
    }

    #[test]
    fn list_is_parsed_and_files_are_found() {
        let text = "\u{feff}Student,problem,file,submitted\r\n\"Żak, Ł\",split-nim,./a/b,2026-01-02T03:04:05Z\r\nbob,classic-nim,c.py,\r\n";
        let manifest = parse(text).unwrap();
        assert_eq!(manifest.rows[0].student, "Żak, Ł");
        assert_eq!(manifest.rows[0].submitted, Some(1_767_323_045));
        let listed = |path: &str| Listed {
            path: path.to_owned(),
            modified: Some(5),
            source: true,
            guessed: None,
            content: Ok(Digest::of(b"")),
        };
        let roster = resolve(&manifest, &["a/b/x.c", "a/b/y.c", "d.py"].map(listed));
        assert_eq!(roster.claims.len(), 1);
        assert_eq!((roster.claims[0].files.len(), roster.claims[0].at), (2, Some(1_767_323_045)));
        let left: Vec<&str> = roster.left.iter().map(|left| left.path.as_str()).collect();
        assert_eq!(left, ["c.py", "d.py"]);
    }

    #[test]
    fn errors_have_line_numbers() {
        let wrong = |text: &str| {
            let complaint = parse(text).unwrap_err();
            (complaint.message.clone(), complaint.line_and_column().map(|(line, _)| line), complaint.help)
        };
        let (message, line, help) = wrong("student,problem,file\nann,clasic-nim,a.py\n");
        assert!(message.contains("clasic-nim"), "{message}");
        assert_eq!((line, help.as_deref()), (Some(2), Some("did you mean `classic-nim`?")));
        assert!(wrong("student,file,when\n").0.contains("when"));
        assert!(wrong("student,problem\nann,split-nim\n").0.contains("`file`"));
        let late =
            wrong("student,problem,file,submitted\nann,split-nim,a.c,2026-01-01T00:00:00Z\nbob,split-nim,b.c,soon\n");
        assert_eq!((late.0.contains("soon"), late.1), (true, Some(3)));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(
            header in "\u{feff}?(student|file|problem|attempt|submitted|x|[,\"\r ]){0,9}",
            rows in "(ann|é|classic-nim|2024-01-02T03:04:05Z|-?[0-9]{1,20}|[,\"\r\n\t \u{0}]|a/b.py|\\PC){0,60}",
        ) {
            if let Err(complaint) = Manifest::parse("list.csv", &format!("{header}\n{rows}"), &problems()) {
                proptest::prop_assert!(!complaint.message.is_empty() && complaint.line_and_column().is_some());
            }
        }
    }
}
