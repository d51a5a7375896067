//! Writes the report page by page, so that memory use does not grow with the class.

use std::path::{Path, PathBuf};

use crate::model::{Digest, Failure};
use crate::runner::JudgingTarget;

use super::super::class::Work;
use super::super::gradebook::Gradebook;
use super::super::marks::{Mark, Standing};
use super::super::policy::Policy;
use super::super::record::Record;
use super::super::review_flags::ReviewFlag;
use super::super::roster::{Listed, Roster};
use super::super::similarity::{ProblemSimilarity, SimilarGroup, SimilarityCheck, TokenizedProgram, compare_pair};
use super::super::store::GradeStore;
use super::groups::{GroupStructure, MOST_COMPARED, MOST_GROUPS, group, group_name};
use super::index::index;
use super::pages::Pages;
use super::problem::problem;
use super::similarity::{SimilarProgram, list, pair, pair_name};
use super::statistics::Counts;
use super::student::{Shown, student};

/// The data from which a report is written.
pub struct GradeReport<'a> {
    /// The gradebook.
    pub book: &'a Gradebook,
    /// The grading policy, which determines what students may see.
    pub policy: &'a Policy,
    /// The submissions of each student.
    pub roster: &'a Roster,
    /// The files in the download.
    pub files: &'a [Listed],
    /// Judging target of each problem.
    pub targets: &'a [JudgingTarget],
    /// The submissions that may count toward a mark, including submissions that can't be judged on this machine.
    pub work: &'a Work<'a>,
    /// Findings that need manual review.
    pub flags: &'a [ReviewFlag],
    /// The store of results and file contents.
    pub store: &'a GradeStore,
    /// Similar programs of each problem, and the settings of the comparison; `None` if programs were not compared.
    pub likeness: Option<(&'a [ProblemSimilarity], &'a SimilarityCheck<'a>)>,
}

/// Converts a student's name to a file name of lowercase ASCII letters, digits and `-`. If the file name differs
/// from the name, a hash is appended, so that different names have different file names.
pub fn file_name(student: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let slug: String = student.chars().take(60).map(plain).collect();
    let words: Vec<&str> = slug.split('-').filter(|word| !word.is_empty()).collect();
    let slug = words.join("-");
    if slug == student {
        return slug;
    }
    let mark = Digest::of(student.as_bytes()).to_string();
    [slug.as_str(), &mark[..8]].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

impl GradeReport<'_> {
    /// Writes the report to the folder `dir`, and returns the path of the overview.
    ///
    /// # Errors
    /// Fails if a page can't be written, if an obsolete page can't be removed, or if the store can't be read.
    pub fn write(&self, dir: &Path) -> Result<PathBuf, Failure> {
        let mut pages = Pages::new(dir);
        let mut counts = vec![Counts::default(); self.book.columns.len()];
        for row in &self.book.rows {
            let mut shown = Vec::with_capacity(row.marks.len());
            for (mark, counts) in row.marks.iter().zip(&mut counts) {
                let program = self.shown(mark)?;
                program.iter().for_each(|program| counts.add(&program.record));
                shown.push(program);
            }
            let name = format!("students/{}.html", file_name(&row.student));
            pages.put(name, &student(self.book, self.policy, row, &shown))?;
        }
        for ((column, counts), target) in self.book.columns.iter().zip(&counts).zip(self.targets) {
            pages.put(format!("problems/{}.html", column.id), &problem(column, counts, &target.limits))?;
        }
        let alike = self.likeness(&mut pages)?;
        let path = pages.put_in_pieces("index.html", |to| index(to, self.book, &counts, self.flags, alike))?;
        pages.finish()?;
        Ok(path)
    }

    /// Writes the list of similar programs, and pages for groups and pairs. Returns the number of similar pairs plus
    /// the number of groups of identical programs, or `None` if programs were not compared.
    fn likeness(&self, pages: &mut Pages<'_>) -> Result<Option<usize>, Failure> {
        let Some((found, review)) = self.likeness else { return Ok(None) };
        for (problem, finding) in found.iter().enumerate() {
            for (number, found) in finding.groups().iter().take(MOST_GROUPS).enumerate() {
                let structure = structure(review, finding, found)?;
                let name = format!("likeness/{}", group_name(self.book, problem, number));
                pages.put(name, &group(self.book, problem, finding, found, &structure))?;
            }
            for (number, alike) in finding.similar.pairs.iter().enumerate() {
                let (left, right) = (program(review, finding, alike.left)?, program(review, finding, alike.right)?);
                let parts = compare_pair(&left.program, &right.program, &|hash| finding.similar.is_ignored(hash));
                let title =
                    format!("{}: {} and {}", self.book.columns[problem].name, left.students[0], right.students[0]);
                let name = format!("likeness/{}", pair_name(self.book, problem, number));
                pages.put(name, &pair(&title, alike, &parts, &left, &right))?;
            }
        }
        pages.put("likeness/index.html".to_owned(), &list(self.book, found, review.threshold))?;
        Ok(Some(found.iter().map(|finding| finding.similar.above_threshold + finding.similar.identical.len()).sum()))
    }

    /// Returns the record and the files of the program on which a mark is based, or `None` if there is no judged
    /// program.
    fn shown(&self, mark: &Mark) -> Result<Option<Shown>, Failure> {
        let Standing::Attempt(place, _) = mark.standing else { return Ok(None) };
        let Some(record) = self.record(place)? else { return Ok(None) };
        let mut files = Vec::new();
        for (path, file) in self.roster.claims[place].sources(self.files) {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            let text = match &file.content {
                Ok(digest) => String::from_utf8_lossy(&self.store.content(digest)?).into_owned(),
                Err(reason) => reason.clone(),
            };
            files.push((name, text));
        }
        Ok(Some(Shown { record, files }))
    }

    fn record(&self, place: usize) -> Result<Option<Record>, Failure> {
        let submissions = &self.work.submissions;
        let Ok(index) = submissions.binary_search_by_key(&place, |(place, _)| *place) else { return Ok(None) };
        let Some(key) = submissions[index].1.key() else { return Ok(None) };
        Ok(self.store.result(&key.whole())?.map(|kept| kept.record))
    }
}

/// Returns the program at index `place` of the comparison, with its students, files and tokens.
fn program<'a>(
    review: &SimilarityCheck<'_>,
    finding: &'a ProblemSimilarity,
    place: usize,
) -> Result<SimilarProgram<'a>, Failure> {
    let files = review.sources(finding.programs[place].claim)?;
    let program = TokenizedProgram::new(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
    Ok(SimilarProgram { students: finding.students(place), files, program })
}

/// Compares the first program of a group with at most [`MOST_COMPARED`] other programs of the group, and counts for
/// each token of the first program the programs that share the token.
fn structure<'a>(
    review: &SimilarityCheck<'_>,
    finding: &'a ProblemSimilarity,
    group: &SimilarGroup,
) -> Result<GroupStructure<'a>, Failure> {
    let centre = program(review, finding, group.members[0])?;
    let mut structure = GroupStructure { shared: vec![0; centre.program.tokens.len()], centre, others: 0 };
    for &member in group.members.iter().skip(1).take(MOST_COMPARED) {
        let other = program(review, finding, member)?;
        let found = compare_pair(&structure.centre.program, &other.program, &|hash| finding.similar.is_ignored(hash));
        structure.add(found.regions.into_iter().map(|region| region.left));
    }
    Ok(structure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_ascii_and_distinct() {
        assert_eq!(file_name("s001"), "s001");
        assert!(file_name("Zoë Żak").starts_with("zo-ak-"));
        assert_ne!(file_name("Zoë"), file_name("Zoé"));
        assert_ne!(file_name("Ann"), file_name("ann"));
        assert!(!file_name("../../x").contains(['/', '.']));
        assert!(!file_name("王").is_empty());
    }
}
