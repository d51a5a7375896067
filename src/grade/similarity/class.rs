//! The likeness of a class's programs: for each problem, the programs that count, each student's with every other's.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::model::{Digest, Failure};

use super::super::gradebook::{Gradebook, line};
use super::super::marks::Standing;
use super::super::roster::{Listed, Roster};
use super::super::store::Store;
use super::pairs::{Findings, compare};
use super::tokens::Program;

/// The largest file of given code that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Code that was given to all.
#[derive(Debug, Clone, Default)]
pub struct Given {
    programs: Vec<Program>,
}

impl Given {
    /// Reads files and folders of code.
    ///
    /// # Errors
    /// One is not there, is too large, or can't be read.
    pub fn read(paths: &[PathBuf]) -> Result<Given, Failure> {
        let mut given = Given::default();
        for path in paths {
            for entry in WalkDir::new(path).sort_by_file_name() {
                let entry = entry.map_err(|error| Failure::complaint(error.to_string()))?;
                if entry.file_type().is_file() {
                    given.add(entry.path())?;
                }
            }
        }
        Ok(given)
    }

    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let unreadable = |error: std::io::Error| Failure::complaint(error.to_string());
        if fs_err::metadata(path).map_err(unreadable)?.len() > LARGEST {
            return Err(Failure::complaint(format!("{} is too large for given code", path.display())));
        }
        let bytes = fs_err::read(path).map_err(unreadable)?;
        self.programs.push(Program::new([(path.to_string_lossy().as_ref(), bytes.as_slice())]));
        Ok(())
    }
}

/// A student's program on a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The student.
    pub student: String,
    /// The program, as its place in the roster's claims.
    pub claim: usize,
}

/// What was found on one problem.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The programs that count.
    pub members: Vec<Member>,
    /// What is alike among them.
    pub findings: Findings,
}

/// Where programs are, and how they are compared.
#[derive(Debug, Clone, Copy)]
pub struct Review<'a> {
    /// Contents.
    pub store: &'a Store,
    /// The files of the download.
    pub files: &'a [Listed],
    /// Who handed in what.
    pub roster: &'a Roster,
    /// Code that was given to all.
    pub given: &'a Given,
    /// The least likeness that is told, in thousandths.
    pub threshold: u32,
}

impl Review<'_> {
    /// Compares the programs that count, problem by problem.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn of(&self, book: &Gradebook) -> Result<Vec<Finding>, Failure> {
        (0..book.columns.len()).map(|column| self.problem(book, column)).collect()
    }

    fn problem(&self, book: &Gradebook, column: usize) -> Result<Finding, Failure> {
        let member = |row: &super::super::gradebook::Row| match row.marks[column].standing {
            Standing::Missing => None,
            Standing::Attempt(claim, _) | Standing::Open(claim) => Some(Member { student: row.student.clone(), claim }),
        };
        let members: Vec<Member> = book.rows.iter().filter_map(member).collect();
        let mut read = |place: usize| self.program(members[place].claim);
        let findings = compare(members.len(), &mut read, &self.given.programs, self.threshold)?;
        Ok(Finding { members, findings })
    }

    /// The sources of a claim: names and contents. What could not be read is not there.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn sources(&self, claim: usize) -> Result<Vec<(&str, Vec<u8>)>, Failure> {
        let files = self.roster.claims[claim].files.iter().map(|&file| &self.files[file]).filter(|file| file.source);
        let readable = files.filter_map(|file| Some((file.path.as_str(), file.content.as_ref().ok()?)));
        readable.map(|(path, digest): (&str, &Digest)| Ok((path, self.store.content(digest)?))).collect()
    }

    fn program(&self, claim: usize) -> Result<Program, Failure> {
        let sources = self.sources(claim)?;
        Ok(Program::new(sources.iter().map(|(path, bytes)| (*path, bytes.as_slice()))))
    }
}

impl Finding {
    /// The students whose programs are the same as that at `place`, and it.
    pub fn students(&self, place: usize) -> Vec<&str> {
        let same = self.findings.same.get(&place).into_iter().flatten();
        std::iter::once(&place).chain(same).map(|place| self.members[*place].student.as_str()).collect()
    }

    /// The lists of students whose programs are the same but for names, literals, comments and layout; longest first.
    pub fn same(&self) -> Vec<Vec<&str>> {
        let mut lists: Vec<Vec<&str>> = self.findings.same.keys().map(|place| self.students(*place)).collect();
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        lists
    }
}

/// The list as CSV: a row for each pair of programs that differ, and one for each list of programs that are the same.
pub fn csv(book: &Gradebook, found: &[Finding]) -> String {
    let mut lines = vec![line(["problem", "likeness", "longest", "left", "right"].map(str::to_owned).into_iter())];
    for (column, finding) in book.columns.iter().zip(found) {
        let problem = column.id.to_string();
        for list in finding.same() {
            let cells = [problem.clone(), "1.000".to_owned(), String::new(), list[0].to_owned(), list[1..].join(";")];
            lines.push(line(cells.into_iter()));
        }
        for pair in &finding.findings.pairs {
            let (left, right) = (finding.students(pair.left).join(";"), finding.students(pair.right).join(";"));
            let likeness = format!("{}.{:03}", pair.likeness / 1_000, pair.likeness % 1_000);
            lines.push(line([problem.clone(), likeness, pair.longest.to_string(), left, right].into_iter()));
        }
    }
    lines.concat()
}

/// The same as JSON.
pub fn json(book: &Gradebook, found: &[Finding], threshold: u32) -> String {
    let problems = book.columns.iter().zip(found).map(|(column, finding)| {
        let pair = |pair: &super::pairs::Alike| {
            json!({
                "likeness": f64::from(pair.likeness) / 1_000.0,
                "longest": pair.longest,
                "left": finding.students(pair.left),
                "right": finding.students(pair.right),
            })
        };
        json!({
            "problem": column.id,
            "programs": finding.members.len(),
            "too_short": finding.findings.short,
            "same": finding.same(),
            "above_threshold": finding.findings.all,
            "pairs": finding.findings.pairs.iter().map(pair).collect::<Vec<_>>(),
        })
    });
    let list = json!({
        "format": 1,
        "threshold": f64::from(threshold) / 1_000.0,
        "problems": problems.collect::<Vec<Value>>(),
    });
    format!("{list:#}\n")
}
