//! The files that are written for a graded class, and the publication of its marks.

use std::path::{Path, PathBuf};

use crate::data::{remove_unfinished, write_in_pieces, write_whole};
use crate::model::{Failure, Fault, FaultKind, counted};

use super::class::Work;
use super::class_to_judge::ClassToJudge;
use super::exports::{Filled, canvas, gradescope, junit, moodle};
use super::graded::GradedClass;
use super::report::{GradeReport, file_name};
use super::similarity::{ProblemSimilarity, SimilarityCheck, TemplateCode, to_csv, to_json};

/// Maximum number of students that a warning lists.
const LISTED: usize = 10;

/// A table exported by another system.
#[derive(Debug, Clone)]
pub struct GivenTable {
    /// The path of the table.
    pub path: PathBuf,
    /// The text of the table.
    pub text: String,
}

/// The files to write for a class.
#[derive(Debug)]
pub struct ClassFiles {
    /// The output folder.
    pub out: PathBuf,
    /// The Moodle worksheet into which the marks are filled; `None` if no worksheet is written.
    pub moodle: Option<GivenTable>,
    /// The gradebook of Canvas into which the marks are filled. The inner value is `None` for a minimal gradebook, and
    /// the outer value is `None` if no gradebook of Canvas is written.
    pub canvas: Option<Option<GivenTable>>,
    /// The title of the assignment in Canvas.
    pub assignment: String,
    /// Whether a file for Gradescope is written for each student.
    pub gradescope: bool,
    /// The path of the JUnit report; `None` if no report is written.
    pub junit: Option<PathBuf>,
    /// The minimum similarity, in percent, at which a pair of programs is reported; 0 if programs are not compared.
    pub least_similarity: u32,
    /// Template code, which does not contribute to the similarity of programs.
    pub template: TemplateCode,
}

impl ClassToJudge<'_> {
    /// Writes the gradebooks and the report, and then publishes the marks, including open marks. Each file is replaced
    /// atomically. Passes warnings about the tables of other systems to `warn`, and returns the paths of the files in
    /// the order in which they were written.
    ///
    /// # Errors
    /// Fails, before any file is written, if a given table was not exported by the expected system. Fails if a file
    /// can't be written, or if the store can't be read or written.
    pub fn write_and_publish(
        &self,
        files: &ClassFiles,
        work: &Work<'_>,
        graded: &GradedClass,
        warn: &mut dyn FnMut(&str),
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut written = Vec::new();
        let tables = tables(files, graded, warn)?;
        let (book, out) = (&graded.book, |name: &str| files.out.join(name));
        // Remove the incomplete files that an interrupted `grade` left behind.
        remove_unfinished(&files.out);
        let (csv, json) = (out("gradebook.csv"), out("gradebook.json"));
        put_file(&csv, book.csv().as_bytes())?;
        write_in_pieces(&json, |to| book.json(&self.enrolled().roster, to))
            .map_err(|error| Failure::unwritable(&json, &error))?;
        written.extend([csv, json]);
        for (path, text) in tables {
            put_file(&path, text.as_bytes())?;
            written.push(path);
        }
        if files.gradescope {
            for row in &book.rows {
                let path = out("gradescope").join(format!("{}.json", file_name(&row.student)));
                put_file(&path, format!("{:#}\n", gradescope(book, row)).as_bytes())?;
            }
            written.push(out("gradescope"));
        }
        if let Some(path) = &files.junit {
            let mut bytes = Vec::new();
            junit(book, &mut bytes).map_err(|error| Fault::io(FaultKind::Output, &error))?;
            put_file(path, &bytes)?;
            written.push(path.clone());
        }
        let check = SimilarityCheck {
            store: self.store(),
            files: &self.enrolled().files,
            roster: &self.enrolled().roster,
            template: &files.template,
            threshold: files.least_similarity * 10,
        };
        let similar = match files.least_similarity {
            0 => None,
            _ => Some(write_similarity(files, &check, graded, &mut written)?),
        };
        let report = GradeReport {
            book,
            policy: &self.rules().policy,
            roster: &self.enrolled().roster,
            files: &self.enrolled().files,
            targets: self.targets(),
            work,
            flags: &graded.flags,
            store: self.store(),
            likeness: similar.as_deref().map(|similar| (similar, &check)),
        };
        written.push(report.write(&out("report"))?);
        self.publish(&graded.changes)?;
        Ok(written)
    }
}

/// Returns the paths and the texts of the tables of other systems, with the marks filled in.
fn tables(
    files: &ClassFiles,
    graded: &GradedClass,
    warn: &mut dyn FnMut(&str),
) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut tables = Vec::new();
    let mut add = |name: &str, given: &Path, filled: Filled| {
        let warning = filled.warning.map(|warning| format!("{}: {warning}", given.display()));
        warning.iter().chain(&missing_rows(given, &filled.unknown)).for_each(|warning| warn(warning));
        tables.push((files.out.join(name), filled.text));
    };
    if let Some(GivenTable { path, text }) = &files.moodle {
        add("moodle.csv", path, moodle(&graded.book, &path.display().to_string(), text)?);
    }
    if let Some(given) = &files.canvas {
        let table = given.as_ref().map(|given| (given.path.display().to_string(), given.text.as_str()));
        let table = table.as_ref().map(|(origin, text)| (origin.as_str(), *text));
        let path = given.as_ref().map_or_else(|| files.out.join("canvas.csv"), |given| given.path.clone());
        add("canvas.csv", &path, canvas(&graded.book, table, &files.assignment)?);
    }
    Ok(tables)
}

/// Returns a warning about `students`, who are graded but missing from another system's table, or `None` if there are
/// none.
fn missing_rows(table: &Path, students: &[String]) -> Option<String> {
    let first = students.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    let more = match students.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = counted(students.len(), "graded student", "graded students");
    (!students.is_empty()).then(|| format!("`{}` has no row for {count}: {first}{more}", table.display()))
}

/// Compares the programs with each other, writes `likeness.csv` and `likeness.json`, and adds the paths of both files
/// to `paths`. Returns the similar programs of each problem.
fn write_similarity(
    files: &ClassFiles,
    check: &SimilarityCheck<'_>,
    graded: &GradedClass,
    paths: &mut Vec<PathBuf>,
) -> Result<Vec<ProblemSimilarity>, Failure> {
    let book = &graded.book;
    let similar = check.compare_class(book)?;
    let tables =
        [("likeness.csv", to_csv(book, &similar)), ("likeness.json", to_json(book, &similar, check.threshold))];
    for (name, text) in tables {
        let path = files.out.join(name);
        put_file(&path, text.as_bytes())?;
        paths.push(path);
    }
    Ok(similar)
}

fn put_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, bytes).map_err(|error| Failure::unwritable(path, &error))
}
