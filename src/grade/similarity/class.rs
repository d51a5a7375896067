//! Compares the submissions of a class. For each problem, the programs that count are compared pairwise.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::model::{Digest, Failure};

use super::super::gradebook::{Gradebook, csv_line, without_formula};
use super::super::marks::Standing;
use super::super::roster::{Listed, Roster};
use super::super::store::GradeStore;
use super::groups::SimilarGroup;
use super::pairs::{SimilarPrograms, compare_all};
use super::tokens::TokenizedProgram;

/// Maximum size of a template file, in bytes.
const MAX_TEMPLATE_SIZE: u64 = 1 << 20;

/// Template code that was provided to all students. It does not contribute to the similarity of programs.
#[derive(Debug, Clone, Default)]
pub struct TemplateCode {
    programs: Vec<TokenizedProgram>,
}

impl TemplateCode {
    /// Reads files and folders of template code.
    ///
    /// # Errors
    /// Fails if a path does not exist, or if a file is larger than 1 MiB or cannot be read.
    pub fn read(paths: &[PathBuf]) -> Result<TemplateCode, Failure> {
        let mut template = TemplateCode::default();
        for path in paths {
            for entry in WalkDir::new(path).sort_by_file_name() {
                let entry = entry.map_err(|error| Failure::user_file(&error.into()))?;
                if entry.file_type().is_file() {
                    template.add(entry.path())?;
                }
            }
        }
        Ok(template)
    }

    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let unreadable = |error: std::io::Error| Failure::user_file(&error);
        if fs_err::metadata(path).map_err(unreadable)?.len() > MAX_TEMPLATE_SIZE {
            return Err(Failure::complaint(format!(
                "`{}` is larger than 1 MiB, the maximum size of a file with template code",
                path.display()
            )));
        }
        let bytes = fs_err::read(path).map_err(unreadable)?;
        self.programs.push(TokenizedProgram::new([(path.to_string_lossy().as_ref(), bytes.as_slice())]));
        Ok(())
    }
}

/// A program to compare, and its student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedProgram {
    /// Name of the student.
    pub student: String,
    /// The program, as an index into the roster's claims.
    pub claim: usize,
}

/// The similar programs of one problem, with their students.
#[derive(Debug, Clone)]
pub struct ProblemSimilarity {
    /// The programs that were compared.
    pub programs: Vec<ComparedProgram>,
    /// The similar programs, as indices into `programs`.
    pub similar: SimilarPrograms,
}

/// The submissions of a class, and the settings for comparing their programs.
#[derive(Debug, Clone, Copy)]
pub struct SimilarityCheck<'a> {
    /// The store with the files' contents.
    pub store: &'a GradeStore,
    /// The files of the download.
    pub files: &'a [Listed],
    /// The submissions of each student.
    pub roster: &'a Roster,
    /// Code that was provided to all students, which does not contribute to the similarity.
    pub template: &'a TemplateCode,
    /// Minimum similarity that is reported, in thousandths.
    pub threshold: u32,
}

impl SimilarityCheck<'_> {
    /// Compares the programs that count, problem by problem.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub fn compare_class(&self, book: &Gradebook) -> Result<Vec<ProblemSimilarity>, Failure> {
        (0..book.columns.len()).map(|column| self.problem(book, column)).collect()
    }

    fn problem(&self, book: &Gradebook, column: usize) -> Result<ProblemSimilarity, Failure> {
        let programs = compared_programs(book, column);
        let mut read = |index: usize| self.program(programs[index].claim);
        let similar = compare_all(programs.len(), &mut read, &self.template.programs, self.threshold)?;
        Ok(ProblemSimilarity { programs, similar })
    }

    /// Returns the names and contents of a claim's source files, without files that could not be read.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub fn sources(&self, claim: usize) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let sources = self.roster.claims[claim].sources(self.files).into_iter();
        let readable = sources.filter_map(|(path, file)| Some((path, file.content.as_ref().ok()?)));
        readable.map(|(path, digest): (String, &Digest)| Ok((path, self.store.content(digest)?))).collect()
    }

    fn program(&self, claim: usize) -> Result<TokenizedProgram, Failure> {
        let sources = self.sources(claim)?;
        Ok(TokenizedProgram::new(sources.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))))
    }
}

/// Returns the programs of a problem that are compared: for each student, the program that counts or, if the mark is
/// open, the program without a result.
pub fn compared_programs(book: &Gradebook, column: usize) -> Vec<ComparedProgram> {
    let programs = book.rows.iter().filter_map(|row| match row.marks[column].standing {
        Standing::Missing => None,
        Standing::Attempt(claim, _) | Standing::Open(claim) => {
            Some(ComparedProgram { student: row.student.clone(), claim })
        }
    });
    programs.collect()
}

impl ProblemSimilarity {
    /// Returns the students who submitted the program at `index` or an identical program.
    pub fn students(&self, index: usize) -> Vec<&str> {
        let same = self.similar.identical.get(&index).into_iter().flatten();
        std::iter::once(&index).chain(same).map(|index| self.programs[*index].student.as_str()).collect()
    }

    /// Returns, for each set of identical programs, the students who submitted them. The longest list is the first.
    pub fn identical(&self) -> Vec<Vec<&str>> {
        let mut lists: Vec<Vec<&str>> = self.similar.identical.keys().map(|index| self.students(*index)).collect();
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        lists
    }
}

/// Formats the similar programs as CSV, with a row for each pair of different programs, and a row for each set of
/// identical programs.
pub fn to_csv(book: &Gradebook, found: &[ProblemSimilarity]) -> String {
    let mut lines = vec![csv_line(["problem", "likeness", "longest", "left", "right"].map(str::to_owned).into_iter())];
    for (column, finding) in book.columns.iter().zip(found) {
        let problem = column.id.to_string();
        for list in finding.identical() {
            let (first, others) = (without_formula(list[0]), without_formula(&list[1..].join(";")));
            let cells = [problem.clone(), "1.000".to_owned(), String::new(), first, others];
            lines.push(csv_line(cells.into_iter()));
        }
        for pair in &finding.similar.pairs {
            let [left, right] = [pair.left, pair.right].map(|side| without_formula(&finding.students(side).join(";")));
            let similarity = format!("{}.{:03}", pair.similarity / 1_000, pair.similarity % 1_000);
            lines.push(csv_line([problem.clone(), similarity, pair.longest.to_string(), left, right].into_iter()));
        }
    }
    lines.concat()
}

/// Formats the similar programs as JSON.
pub fn to_json(book: &Gradebook, found: &[ProblemSimilarity], threshold: u32) -> String {
    let problems = book.columns.iter().zip(found).map(|(column, finding)| {
        let pair = |pair: &super::pairs::SimilarPair| {
            json!({
                "likeness": f64::from(pair.similarity) / 1_000.0,
                "shared": f64::from(pair.shared) / 1_000.0,
                "across_languages": pair.across_languages,
                "longest": pair.longest,
                "left": finding.students(pair.left),
                "right": finding.students(pair.right),
            })
        };
        let group = |group: &SimilarGroup| {
            json!({
                "students": finding.students_of(group),
                "lowest": f64::from(group.similarity.0) / 1_000.0,
                "highest": f64::from(group.similarity.1) / 1_000.0,
            })
        };
        json!({
            "problem": column.id,
            "programs": finding.programs.len(),
            "too_short": finding.similar.too_short,
            "usual": f64::from(finding.similar.usual) / 1_000.0,
            "same": finding.identical(),
            "above_threshold": finding.similar.above_threshold,
            "pairs": finding.similar.pairs.iter().map(pair).collect::<Vec<_>>(),
            "groups": finding.groups().iter().map(group).collect::<Vec<_>>(),
        })
    });
    let list = json!({
        "format": 1,
        "threshold": f64::from(threshold) / 1_000.0,
        "problems": problems.collect::<Vec<Value>>(),
    });
    format!("{list:#}\n")
}
