//! The files that `nimatron grade` writes, for download.

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

use super::class_views::DownloadView;
use super::open_class::OpenClass;
use super::review::{GradedReader, LEAST_LIKENESS};

/// Title of the assignment in Canvas, unless another is given.
const CANVAS_TITLE: &str = "nimatron";

/// A file for download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub content_type: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The names, media types and titles of the files.
const FILES: [(&str, &str, &str); 8] = [
    ("gradebook.csv", "text/csv; charset=utf-8", "Gradebook as a table"),
    ("gradebook.json", "application/json", "Gradebook with the formula of each mark"),
    ("report.zip", "application/zip", "Report for the class and for each student, as pages"),
    ("likeness.csv", "text/csv; charset=utf-8", "Similar programs as a table"),
    ("likeness.json", "application/json", "Similar programs"),
    ("canvas.csv", "text/csv; charset=utf-8", "Gradebook for Canvas"),
    ("gradescope.zip", "application/zip", "results.json for Gradescope, for each student"),
    ("junit.xml", "application/xml", "JUnit report"),
];

impl OpenClass {
    /// The files that can be downloaded. A worksheet of Moodle and a gradebook of Canvas can be filled too.
    pub fn downloads(&self) -> Vec<DownloadView> {
        let shown = FILES.iter().map(|(name, content_type, title)| DownloadView {
            name: (*name).to_owned(),
            title: (*title).to_owned(),
            content_type: (*content_type).to_owned(),
        });
        shown.collect()
    }

    /// Writes a file for download; `None` if there is none of this name.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, or if the store can't be read.
    pub fn download(&self, name: &str) -> Result<Option<Download>, Failure> {
        let Some((name, content_type, _)) = FILES.iter().find(|(known, ..)| *known == name) else { return Ok(None) };
        let bytes = match *name {
            "gradebook.csv" => self.gradebook_csv()?.into_bytes(),
            "gradebook.json" => self.gradebook_json()?,
            other => self.reader()?.download(other)?,
        };
        Ok(Some(Download { name: (*name).to_owned(), content_type: (*content_type).to_owned(), bytes }))
    }

    /// Fills the marks into a worksheet that was exported from Moodle.
    ///
    /// # Errors
    /// Fails if the text is not such a worksheet, or if the problems are not prepared.
    pub fn fill_moodle(&self, worksheet: &str) -> Result<Filled, Failure> {
        Ok(moodle(&self.reader()?.book, "the worksheet", worksheet)?)
    }

    /// Fills the marks into a gradebook that was exported from Canvas.
    ///
    /// # Errors
    /// Fails if the text is not such a gradebook, or if the problems are not prepared.
    pub fn fill_canvas(&self, gradebook: &str, title: Option<&str>) -> Result<Filled, Failure> {
        let given = Some(("the gradebook", gradebook));
        Ok(canvas(&self.reader()?.book, given, title.unwrap_or(CANVAS_TITLE))?)
    }
}

impl GradedReader {
    fn download(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let template = TemplateCode::default();
        match name {
            "canvas.csv" => Ok(canvas(&self.book, None, CANVAS_TITLE)?.text.into_bytes()),
            "junit.xml" => {
                let mut bytes = Vec::new();
                junit(&self.book, &mut bytes).map_err(unwritten)?;
                Ok(bytes)
            }
            "likeness.csv" => Ok(to_csv(&self.book, &self.similarity(&template)?).into_bytes()),
            "likeness.json" => Ok(to_json(&self.book, &self.similarity(&template)?, LEAST_LIKENESS).into_bytes()),
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

    /// The report in a zip.
    fn report(&self) -> Result<Vec<u8>, Failure> {
        let template = TemplateCode::default();
        let work = Work { submissions: self.submissions(), todo: Vec::new() };
        let roster = &self.enrolled.roster;
        let notices = review_flags(&self.store, roster, &self.targets, &work.submissions, &self.book)?;
        let found = self.similarity(&template)?;
        let check = self.check(&template);
        let report = GradeReport {
            book: &self.book,
            policy: &self.policy,
            roster,
            files: &self.enrolled.files,
            targets: &self.targets,
            work: &work,
            notices: &notices,
            store: &self.store,
            likeness: Some((&found, &check)),
        };
        let folder = tempfile::tempdir().map_err(unwritten)?;
        report.write(folder.path())?;
        zipped(files_in(folder.path())).map_err(unwritten)
    }
}

/// The files below a folder with their names, sorted.
fn files_in(root: &Path) -> impl Iterator<Item = io::Result<(String, Vec<u8>)>> {
    let entries = WalkDir::new(root).sort_by_file_name().into_iter();
    let files = entries.filter(|entry| entry.as_ref().map_or(true, |entry| entry.file_type().is_file()));
    files.map(move |entry| {
        let entry = entry?;
        let name = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_string_lossy().into_owned();
        Ok((name, fs_err::read(entry.path())?))
    })
}

/// A zip of these files.
fn zipped(files: impl Iterator<Item = io::Result<(String, Vec<u8>)>>) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let (name, bytes) = file?;
        writer.start_file(name, SimpleFileOptions::default())?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// The fault of an output that can't be written.
pub(super) fn unwritten(error: io::Error) -> Failure {
    Fault::io(FaultKind::Output, &error).context("cannot write a file for download").into()
}
