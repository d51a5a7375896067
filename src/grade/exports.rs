//! Exports the gradebook to other systems: Moodle worksheets, Canvas gradebooks, Gradescope results, JUnit.

use std::io;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use crate::model::{Diagnostic, Score, Verdict};

use super::gradebook::{Gradebook, GradebookRow, csv_line, without_formula};
use super::marks::Standing;
use super::policy::decimal;
use super::roster::composed;

/// A table exported from another system, with the marks filled in, and the students missing from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Text of the table.
    pub text: String,
    /// Names of the students in the gradebook who are missing from the table.
    pub unknown: Vec<String>,
    /// A warning if the other system may refuse a part of the table; `None` otherwise.
    pub warning: Option<String>,
}

/// Fills totals and comments into a worksheet exported from Moodle. Only the grade and feedback columns change. Rows of
/// students who are not in the gradebook stay unchanged, and so do the grades of students without a total.
///
/// # Errors
/// Fails if the text is not a Moodle worksheet.
pub fn moodle(book: &Gradebook, origin: &str, worksheet: &str) -> Result<Filled, Diagnostic> {
    let text = worksheet.trim_start_matches('\u{feff}');
    let complain = |message: String| {
        Diagnostic::new(message)
            .in_file(origin)
            .help("use the file that Moodle creates with \"Download grading worksheet\"")
    };
    let mut table = records(text, b',').map_err(|error| complain(error.to_string()))?;
    let header = table.first().cloned().ok_or_else(|| complain("the file contains no rows".to_owned()))?;
    let column =
        |names: &[&str]| header.iter().position(|cell| names.iter().any(|name| cell.trim().eq_ignore_ascii_case(name)));
    let missing = |name: &str| complain(format!("missing column `{name}`"));
    let identifier = column(&["Identifier"]).unwrap_or(0);
    let name = column(&["Full name"]);
    let grade = column(&["Grade"]).ok_or_else(|| missing("Grade"))?;
    let feedback = column(&["Feedback comments"]);
    let most = column(&["Maximum grade"]);
    let (mut maximum, mut above) = (None, 0);
    let mut used = vec![false; book.rows.len()];
    for cells in table.iter_mut().skip(1) {
        let number = cells.get(identifier).map(|cell| cell.rsplit(' ').next().unwrap_or("").to_owned());
        let full = name.and_then(|name| cells.get(name)).map(|cell| composed(cell));
        let by_number = |row: &GradebookRow| row.number.is_some() && row.number == number;
        let by_name = |row: &GradebookRow| Some(&row.student) == full.as_ref();
        let found = book.rows.iter().position(by_number).or_else(|| book.rows.iter().position(by_name));
        let Some(index) = found else { continue };
        used[index] = true;
        let row = &book.rows[index];
        let most = most.and_then(|most| decimal(&cells.get(most)?.replace(',', ".")));
        maximum = maximum.or(most);
        above += usize::from(most.zip(row.total).is_some_and(|(most, total)| total > most));
        if let (Some(total), Some(cell)) = (row.total, cells.get_mut(grade)) {
            *cell = total.to_string();
        }
        if let Some(cell) = feedback.and_then(|feedback| cells.get_mut(feedback)) {
            *cell = feedback_of(book, row);
        }
    }
    let lines: String = table.into_iter().map(|cells| csv_line(cells.into_iter())).collect();
    // Moodle writes a byte order mark and CRLF line breaks.
    let text = format!("\u{feff}{}", lines.trim_end_matches('\n').replace('\n', "\r\n") + "\r\n");
    Ok(Filled { text, unknown: unknown(book, &used), warning: other_maximum(book, maximum, above) })
}

/// Returns a warning if the maximum grade in a worksheet differs from the maximum total of the gradebook. `above` is
/// the number of grades above the maximum in the worksheet.
fn other_maximum(book: &Gradebook, maximum: Option<Score>, above: usize) -> Option<String> {
    let maximum = maximum.filter(|maximum| *maximum != book.max)?;
    let skipped = match above {
        0 => String::new(),
        1 => format!("; Moodle will skip the grade above {maximum}"),
        _ => format!("; Moodle will skip the {above} grades above {maximum}"),
    };
    Some(format!(
        "the maximum grade in the worksheet is {maximum}, but the maximum total is {}{skipped}; change the maximum \
         grade in Moodle, or `points` or `weight` in the policy",
        book.max
    ))
}

/// Fills totals into the column of an assignment in a gradebook exported from Canvas. `given` contains the name and the
/// text of the gradebook's file. If `given` is `None`, a minimal gradebook is created.
///
/// # Errors
/// Fails if the text is not a Canvas gradebook, or has no column for the assignment.
pub fn canvas(book: &Gradebook, given: Option<(&str, &str)>, assignment: &str) -> Result<Filled, Diagnostic> {
    let shown = |total: Option<Score>| total.map(|total| total.to_string()).unwrap_or_default();
    let Some((origin, text)) = given else {
        let cell = |text: &str| text.to_owned();
        let mut lines = csv_line(
            [cell("Student"), cell("ID"), cell("SIS Login ID"), cell("Section"), cell(assignment)].into_iter(),
        );
        lines +=
            &csv_line([cell("    Points Possible"), cell(""), cell(""), cell(""), book.max.to_string()].into_iter());
        for row in &book.rows {
            let number = row.number.clone().unwrap_or_default();
            lines +=
                &csv_line([without_formula(&row.student), number, cell(""), cell(""), shown(row.total)].into_iter());
        }
        return Ok(Filled { text: lines, unknown: Vec::new(), warning: None });
    };
    let text = text.trim_start_matches('\u{feff}');
    let complain = |message: String| {
        Diagnostic::new(message).in_file(origin).help("use the file that Canvas creates with \"Export gradebook\"")
    };
    let delimiter = if text.lines().next().is_some_and(|head| head.contains("Student;")) { b';' } else { b',' };
    let mut table = records(text, delimiter).map_err(|error| complain(error.to_string()))?;
    let header = table.first().cloned().unwrap_or_default();
    let column = |name: &str| header.iter().position(|cell| cell.trim() == name);
    let student = column("Student").ok_or_else(|| complain("missing column `Student`".to_owned()))?;
    let (id, login) = (column("ID"), column("SIS Login ID"));
    let is_wanted = |cell: &String| cell.trim() == assignment || without_number(cell) == assignment;
    let mark = header.iter().position(is_wanted);
    let mark = mark.ok_or_else(|| {
        complain(format!(
            "no column has the title `{assignment}`; specify the title that the assignment has in Canvas (with \
             `--assignment` on the command line)"
        ))
    })?;
    let mut used = vec![false; book.rows.len()];
    for cells in table.iter_mut().skip(1) {
        let cell =
            |column: Option<usize>| column.and_then(|column| cells.get(column)).map(String::as_str).unwrap_or("");
        let (name, number, login) = (composed(cell(Some(student))), cell(id).to_owned(), cell(login).to_owned());
        let squeezed = squeeze(&name);
        let fits = |row: &GradebookRow| {
            let same = row.number.as_ref().is_some_and(|own| *own == number) && !number.is_empty();
            same || row.student == name || (row.student == login && !login.is_empty()) || row.student == squeezed
        };
        let Some(index) = book.rows.iter().position(fits) else { continue };
        used[index] = true;
        if let (Some(total), Some(cell)) = (book.rows[index].total, cells.get_mut(mark)) {
            *cell = total.to_string();
        }
    }
    let lines: String = table.into_iter().map(|cells| csv_line(cells.into_iter())).collect();
    Ok(Filled { text: lines, unknown: unknown(book, &used), warning: None })
}

/// Removes the number from a title such as `Homework 1 (1234)`.
fn without_number(title: &str) -> &str {
    title.rsplit_once(" (").map_or(title, |(title, _)| title).trim()
}

/// Formats a name as Canvas does in file names: `Smith, Ann` becomes `smithann`.
fn squeeze(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn unknown(book: &Gradebook, used: &[bool]) -> Vec<String> {
    book.rows.iter().zip(used).filter(|(_, used)| !**used).map(|(row, _)| row.student.clone()).collect()
}

fn records(text: &str, delimiter: u8) -> Result<Vec<Vec<String>>, csv::Error> {
    let mut builder = csv::ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    reader.records().map(|record| Ok(record?.iter().map(str::to_owned).collect())).collect()
}

/// Returns the feedback for a student as one string: the marks, the points of the rubric, and the comment.
fn feedback_of(book: &Gradebook, row: &GradebookRow) -> String {
    let marks = book.columns.iter().zip(&row.marks).map(|(column, mark)| {
        let points = mark.points.map_or("open".to_owned(), |points| format!("{points} of {}", mark.max));
        let verdict = match mark.standing {
            Standing::Attempt(_, verdict) => format!(" ({})", verdict.long()),
            Standing::Missing => " (no submission)".to_owned(),
            Standing::Open(_) => String::new(),
        };
        let late = mark.late.map(|late| format!(", {late}")).unwrap_or_default();
        let comment = mark.comment.as_ref().map(|comment| format!(": {comment}")).unwrap_or_default();
        format!("{}: {points}{verdict}{late}{comment}", column.id)
    });
    let rubric = book
        .rubric
        .iter()
        .zip(&row.rubric)
        .filter_map(|((name, most), given)| given.map(|given| format!("{name}: {given} of {most}")));
    marks.chain(rubric).chain(row.comment.clone()).collect::<Vec<_>>().join("; ")
}

/// Returns the results of a student in the format of Gradescope's autograder.
pub fn gradescope(book: &Gradebook, row: &GradebookRow) -> Value {
    let tests = book.columns.iter().zip(&row.marks).map(|(column, mark)| {
        let accepted = matches!(mark.standing, Standing::Attempt(_, Verdict::Accepted));
        let verdict = match mark.standing {
            Standing::Missing => "no submission".to_owned(),
            Standing::Attempt(_, verdict) => format!("{}: {}", verdict.short(), verdict.long()),
            Standing::Open(_) => "not judged yet".to_owned(),
        };
        let late = mark.late.map(|late| format!(", {late}")).unwrap_or_default();
        json!({
            "name": column.name,
            "score": mark.points.map_or(0.0, Score::as_points),
            "max_score": mark.max.as_points(),
            "status": if accepted { "passed" } else { "failed" },
            "output": format!("{verdict}{late}\n{}", mark.formula),
            "visibility": "visible",
        })
    });
    let output = match (&row.comment, row.total) {
        (_, None) => {
            let open = book.columns.iter().zip(&row.marks).filter(|(_, mark)| mark.points.is_none());
            let open: Vec<&str> = open.map(|(column, _)| column.name.as_str()).collect();
            format!("There is no total yet, because there is no mark for {}.", open.join(", "))
        }
        (comment, Some(_)) => comment.clone().unwrap_or_default(),
    };
    let mut results = json!({ "output": output, "visibility": "visible", "tests": tests.collect::<Vec<_>>() });
    if let (Some(total), Some(map)) = (row.total, results.as_object_mut()) {
        map.insert("score".to_owned(), json!(total.as_points()));
    }
    results
}

/// Writes a JUnit report with a test suite for each student and a test case for each problem.
///
/// # Errors
/// Returns an error if the report can't be written.
pub fn junit(book: &Gradebook, writer: impl io::Write) -> io::Result<()> {
    let mut report = Report::new("nimatron grade");
    for row in &book.rows {
        let mut suite = TestSuite::new(row.student.as_str());
        for (column, mark) in book.columns.iter().zip(&row.marks) {
            let failed = |kind, message: &str, name: &str| {
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(message).set_type(name);
                status
            };
            let status = match mark.standing {
                Standing::Attempt(_, Verdict::Accepted) => TestCaseStatus::success(),
                Standing::Attempt(_, verdict) => failed(NonSuccessKind::Failure, verdict.long(), verdict.short()),
                Standing::Missing => TestCaseStatus::skipped(),
                Standing::Open(_) => failed(NonSuccessKind::Error, &mark.formula, "JE"),
            };
            let mut case = TestCase::new(column.id.as_str(), status);
            case.set_classname(row.student.as_str());
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.serialize(writer).map_err(io::Error::other)
}

#[cfg(test)]
#[path = "exports_tests.rs"]
mod tests;
