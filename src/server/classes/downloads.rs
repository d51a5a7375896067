//! The downloads of a class, which are the files that `nimatron grade` writes.

use std::io::{self, Cursor, Write};
use std::path::Path;

use walkdir::WalkDir;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::grade::class::Work;
use crate::grade::exports::{Filled, canvas, gradescope, junit, moodle};
use crate::grade::graded::review_flags;
use crate::grade::report::{GradeReport, file_name};
use crate::grade::similarity::{TemplateCode, to_csv, to_json};
use crate::model::{Failure, Fault, FaultKind};
use crate::sandbox::TempFolder;

use super::class_views::DownloadView;
use super::open_class::OpenClass;
use super::review::{GradedReader, MIN_SIMILARITY};

/// Default title of the assignment in Canvas.
const CANVAS_TITLE: &str = "nimatron";

/// A file for download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// Name of the file.
    pub name: String,
    /// Media type of the file.
    pub content_type: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Names, media types and titles of the files for download.
const FILES: [(&str, &str, &str); 8] = [
    ("gradebook.csv", "text/csv; charset=utf-8", "Gradebook as a table"),
    ("gradebook.json", "application/json", "Gradebook with the formula for each mark"),
    ("report.zip", "application/zip", "HTML report for the class and each student"),
    ("likeness.csv", "text/csv; charset=utf-8", "Similar programs as a table"),
    ("likeness.json", "application/json", "Similar programs"),
    ("canvas.csv", "text/csv; charset=utf-8", "Gradebook for Canvas"),
    ("gradescope.zip", "application/zip", "Results of each student for Gradescope"),
    ("junit.xml", "application/xml", "JUnit report"),
];

impl OpenClass {
    /// Returns the files that can be downloaded. The tables that [`OpenClass::fill_moodle`] and
    /// [`OpenClass::fill_canvas`] fill in are not included.
    pub fn downloads(&self) -> Vec<DownloadView> {
        let shown = FILES.iter().map(|(name, content_type, title)| DownloadView {
            name: (*name).to_owned(),
            title: (*title).to_owned(),
            content_type: (*content_type).to_owned(),
        });
        shown.collect()
    }

    /// Creates a file for download. Returns `None` if the name is unknown.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, if the store can't be read, or if a temporary file can't be written.
    pub fn download(&self, name: &str) -> Result<Option<Download>, Failure> {
        let Some((name, content_type, _)) = FILES.iter().find(|(known, ..)| *known == name) else { return Ok(None) };
        let bytes = match *name {
            "gradebook.csv" => self.gradebook_csv()?.into_bytes(),
            "gradebook.json" => self.gradebook_json()?,
            other => self.reader()?.download(other)?,
        };
        Ok(Some(Download { name: (*name).to_owned(), content_type: (*content_type).to_owned(), bytes }))
    }

    /// Enters the marks into a worksheet that was exported from Moodle.
    ///
    /// # Errors
    /// Fails if the text is not a worksheet from Moodle, if the problems are not prepared, or if the store can't be
    /// read.
    pub fn fill_moodle(&self, worksheet: &str) -> Result<Filled, Failure> {
        Ok(moodle(&self.reader()?.book, "the worksheet", worksheet)?)
    }

    /// Enters the marks into a gradebook that was exported from Canvas.
    ///
    /// # Errors
    /// Fails if the text is not a gradebook from Canvas or has no column for the assignment, if the problems are not
    /// prepared, or if the store can't be read.
    pub fn fill_canvas(&self, gradebook: &str, title: Option<&str>) -> Result<Filled, Failure> {
        let given = Some(("the gradebook", gradebook));
        Ok(canvas(&self.reader()?.book, given, title.unwrap_or(CANVAS_TITLE))?)
    }
}

impl GradedReader {
    fn download(&self, name: &str) -> Result<Vec<u8>, Failure> {
        match name {
            "canvas.csv" => Ok(canvas(&self.book, None, CANVAS_TITLE)?.text.into_bytes()),
            "junit.xml" => {
                let mut bytes = Vec::new();
                junit(&self.book, &mut bytes).map_err(unwritten)?;
                Ok(bytes)
            }
            "likeness.csv" => Ok(to_csv(&self.book, &self.similarity()?).into_bytes()),
            "likeness.json" => Ok(to_json(&self.book, &self.similarity()?, MIN_SIMILARITY).into_bytes()),
            "gradescope.zip" => {
                let results = self.book.rows.iter().map(|row| {
                    let text = format!("{:#}\n", gradescope(&self.book, row));
                    (format!("{}.json", file_name(&row.student)), text.into_bytes())
                });
                zipped(results.map(Ok)).map_err(unwritten)
            }
            _ => self.report(),
        }
    }

    /// Creates a zip file that contains the report.
    fn report(&self) -> Result<Vec<u8>, Failure> {
        let template = TemplateCode::default();
        let work = Work { submissions: self.submissions(), todo: Vec::new() };
        let roster = &self.enrolled.roster;
        let flags = review_flags(&self.store, roster, &self.targets, &work.submissions, &self.book)?;
        let found = self.similarity()?;
        let check = self.check(&template);
        let report = GradeReport {
            book: &self.book,
            policy: &self.policy,
            roster,
            files: &self.enrolled.files,
            targets: &self.targets,
            work: &work,
            flags: &flags,
            store: &self.store,
            likeness: Some((&found, &check)),
        };
        let folder = TempFolder::new()?;
        report.write(folder.path())?;
        zipped(files_in(folder.path())).map_err(unwritten)
    }
}

/// Returns the relative paths and contents of all files in a folder and its subfolders, sorted by path.
fn files_in(root: &Path) -> impl Iterator<Item = io::Result<(String, Vec<u8>)>> {
    let entries = WalkDir::new(root).sort_by_file_name().into_iter();
    let files = entries.filter(|entry| entry.as_ref().map_or(true, |entry| entry.file_type().is_file()));
    files.map(move |entry| {
        let entry = entry?;
        let name = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_string_lossy().into_owned();
        Ok((name, fs_err::read(entry.path())?))
    })
}

/// Creates a zip file that contains `files`, which are paths with contents.
fn zipped(files: impl Iterator<Item = io::Result<(String, Vec<u8>)>>) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let (name, bytes) = file?;
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Returns the failure for an output that can't be written.
pub(super) fn unwritten(error: io::Error) -> Failure {
    Fault::io(FaultKind::Output, &error).context("cannot write a file for download").into()
}
