//! Review of a class: similar programs, failed programs grouped by input, verdicts on all cases, and single programs.
//! The store is read over a separate connection, so judging is not blocked.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::grade::class::Enrolled;
use crate::grade::gradebook::Gradebook;
use crate::grade::marks::Standing;
use crate::grade::record::{Failing, Record};
use crate::grade::similarity::{
    ProblemSimilarity, SharedRegion, SimilarityCheck, TemplateCode, TokenizedProgram, compare_pair, compared_programs,
};
use crate::grade::store::GradeStore;
use crate::grade::submission::{Submission, SubmissionState};
use crate::model::{Diagnostic, Digest, Failure, Verdict};
use crate::service::JudgingTarget;

use super::class_settings::known_problem;
use super::class_state::not_prepared;
use super::class_views::{
    AnswerGroupView, AnswerView, AttemptView, CaseView, FailingView, GroupView, PairSideView, PairView, PairsRow,
    ProblemPairsView, RegionView, SourceFileView, SubmissionView, TestColumnView, TestRowView, TestsView,
};
use super::gradebook_view::mark_view;
use super::open_class::OpenClass;
use super::teaching::known_student;

/// Minimum similarity of the listed pairs, in thousandths; the default of `nimatron grade`.
pub(super) const MIN_SIMILARITY: u32 = 700;

/// A snapshot of the marks of a class, and a read-only connection to its store.
pub(super) struct GradedReader {
    pub store: GradeStore,
    pub enrolled: Arc<Enrolled>,
    pub book: Gradebook,
    pub targets: Arc<Vec<JudgingTarget>>,
    pub states: Vec<Option<SubmissionState>>,
    pub policy: crate::grade::policy::Policy,
    known_similarity: Arc<Mutex<Option<KnownSimilarity>>>,
}

/// The latest comparison of the programs of a class.
pub(super) struct KnownSimilarity {
    /// The roster that the indices of the programs refer to.
    enrolled: Arc<Enrolled>,
    found: Arc<Vec<ProblemSimilarity>>,
}

impl GradedReader {
    /// Returns the judging record of the program with the roster index `claim`; `None` if the program was not judged.
    pub(super) fn record(&self, claim: usize) -> Result<Option<Record>, Failure> {
        match self.states.get(claim).and_then(Option::as_ref) {
            Some(SubmissionState::Program(key) | SubmissionState::Refused(key, _)) => {
                Ok(self.store.result(&key.whole())?.map(|kept| kept.record))
            }
            _ => Ok(None),
        }
    }

    /// Returns the submissions that count toward the marks, each with its index in the roster.
    pub(super) fn submissions(&self) -> Vec<(usize, Submission<'_>)> {
        let claims = self.enrolled.roster.claims.iter().zip(&self.states).enumerate();
        let counting = claims.filter_map(|(place, (claim, state))| {
            Some((place, Submission { claim, state: state.clone()?, blank: false, key_v1: None }))
        });
        counting.collect()
    }

    /// Returns the records that count toward the marks on a problem, each with the index of its gradebook row.
    fn records(&self, problem: usize) -> Result<Vec<(usize, Record)>, Failure> {
        let mut records = Vec::new();
        for (row, student) in self.book.rows.iter().enumerate() {
            if let Standing::Attempt(claim, _) = student.marks[problem].standing
                && let Some(record) = self.record(claim)?
            {
                records.push((row, record));
            }
        }
        Ok(records)
    }

    /// Compares the programs of each problem, or returns the latest comparison if it compared the same programs. A
    /// concurrent caller waits for the comparison that is in progress.
    pub(super) fn similarity(&self) -> Result<Arc<Vec<ProblemSimilarity>>, Failure> {
        let mut known = self.known_similarity.lock().unwrap_or_else(PoisonError::into_inner);
        let programs = (0..self.book.columns.len()).map(|column| compared_programs(&self.book, column));
        if let Some(KnownSimilarity { enrolled, found }) = &*known
            && Arc::ptr_eq(enrolled, &self.enrolled)
            && programs.eq(found.iter().map(|problem| problem.programs.as_slice()))
        {
            return Ok(found.clone());
        }
        let found = Arc::new(self.check(&TemplateCode::default()).compare_class(&self.book)?);
        *known = Some(KnownSimilarity { enrolled: self.enrolled.clone(), found: found.clone() });
        Ok(found)
    }

    pub(super) fn check<'a>(&'a self, template: &'a TemplateCode) -> SimilarityCheck<'a> {
        let Enrolled { files, roster, .. } = &*self.enrolled;
        SimilarityCheck { store: &self.store, files, roster, template, threshold: MIN_SIMILARITY }
    }

    /// Returns the source files of the program with the roster index `claim`.
    fn sources(&self, claim: usize) -> Result<Vec<SourceFileView>, Failure> {
        let template = TemplateCode::default();
        let sources = self.check(&template).sources(claim)?;
        Ok(sources.into_iter().map(|(name, bytes)| source_file(&name, &bytes, Vec::new())).collect())
    }
}

fn source_file(path: &str, bytes: &[u8], regions: Vec<RegionView>) -> SourceFileView {
    let name = path.rsplit('/').next().unwrap_or(path).to_owned();
    SourceFileView { name, text: String::from_utf8_lossy(bytes).into_owned(), regions }
}

impl OpenClass {
    /// Returns a snapshot of the class for reading.
    pub(super) fn reader(&self) -> Result<GradedReader, Failure> {
        let state = self.planned()?;
        let plan = &state.planned()?.plan;
        Ok(GradedReader {
            store: GradeStore::reader(&self.dir)?,
            enrolled: state.enrolled.clone(),
            book: plan.book(&state.enrolled),
            targets: plan.targets.clone(),
            states: plan.states.clone(),
            policy: plan.rules.policy.clone(),
            known_similarity: self.known_similarity.clone(),
        })
    }

    /// Returns the similar programs of each problem.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, or if the store can't be read.
    pub fn similarity(&self) -> Result<Vec<ProblemPairsView>, Failure> {
        let reader = self.reader()?;
        let found = reader.similarity()?;
        let owned = |students: Vec<&str>| students.into_iter().map(str::to_owned).collect::<Vec<String>>();
        let shown = reader.book.columns.iter().zip(found.iter()).map(|(column, finding)| ProblemPairsView {
            problem: column.id.to_string(),
            name: column.name.clone(),
            programs: finding.programs.len(),
            too_short: finding.similar.too_short,
            usual: finding.similar.usual,
            more: finding.similar.above_threshold.saturating_sub(finding.similar.pairs.len()),
            identical: finding.identical().into_iter().map(owned).collect(),
            pairs: finding
                .similar
                .pairs
                .iter()
                .map(|pair| PairsRow {
                    id: pair_id(column.id.as_str(), finding, pair.left, pair.right),
                    likeness: pair.similarity,
                    shared: pair.shared,
                    longest: pair.longest,
                    across_languages: pair.across_languages,
                    left: owned(finding.students(pair.left)),
                    right: owned(finding.students(pair.right)),
                })
                .collect(),
        });
        Ok(shown.collect())
    }

    /// Returns the pair of similar programs with the id `id`, including the common parts; `None` if the id is unknown.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, or if the store can't be read.
    pub fn pair(&self, id: &str) -> Result<Option<PairView>, Failure> {
        let reader = self.reader()?;
        let template = TemplateCode::default();
        let check = reader.check(&template);
        let found = reader.similarity()?;
        for (column, finding) in reader.book.columns.iter().zip(found.iter()) {
            let problem = column.id.as_str();
            let pairs = &finding.similar.pairs;
            let Some(pair) = pairs.iter().find(|pair| pair_id(problem, finding, pair.left, pair.right) == id) else {
                continue;
            };
            let read = |place: usize| check.sources(finding.programs[place].claim);
            let (left, right) = (read(pair.left)?, read(pair.right)?);
            let tokens = |files: &[(String, Vec<u8>)]| {
                TokenizedProgram::new(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
            };
            let programs = (tokens(&left), tokens(&right));
            let shared = compare_pair(&programs.0, &programs.1, &|hash| finding.similar.is_ignored(hash));
            let side = |place, files: &[(String, Vec<u8>)], program, of: fn(&SharedRegion) -> &Range<usize>| {
                let parts: Vec<&Range<usize>> = shared.regions.iter().map(of).collect();
                PairSideView {
                    students: finding.students(place).into_iter().map(str::to_owned).collect(),
                    files: side_files(files, program, &parts),
                }
            };
            return Ok(Some(PairView {
                id: id.to_owned(),
                problem: problem.to_owned(),
                likeness: pair.similarity,
                shared: shared.shared,
                across_languages: pair.across_languages,
                left: side(pair.left, &left, &programs.0, |region| &region.left),
                right: side(pair.right, &right, &programs.1, |region| &region.right),
            }));
        }
        Ok(None)
    }

    /// Returns the failed programs of the class, grouped by the smallest input on which they fail. For each problem,
    /// the largest group comes first.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, or if the store can't be read.
    pub fn groups(&self) -> Result<Vec<AnswerGroupView>, Failure> {
        let reader = self.reader()?;
        let mut all = Vec::new();
        for (problem, column) in reader.book.columns.iter().enumerate() {
            let records = reader.records(problem)?;
            let named = records.iter().map(|(row, record)| (reader.book.rows[*row].student.as_str(), record));
            all.extend(answer_groups(column.id.as_str(), named));
        }
        Ok(all)
    }

    /// Returns the verdicts of all students on the cases of a problem.
    ///
    /// # Errors
    /// Fails if the problem is unknown, if the problems are not prepared, or if the store can't be read.
    pub fn tests(&self, problem: &str) -> Result<TestsView, Failure> {
        let ids = self.lock().settings.ids();
        let index = known_problem(&ids, problem)?;
        let reader = self.reader()?;
        let groups = &reader.targets[index].plan.groups;
        let cases = groups.iter().flat_map(|group| group.cases.iter().map(|case| (case.id.to_string(), &group.name)));
        let mut cases: Vec<TestColumnView> =
            cases.map(|(case, group)| TestColumnView { case, group: group.clone(), accepted: 0, failed: 0 }).collect();
        let places: BTreeMap<String, usize> =
            cases.iter().enumerate().map(|(place, column)| (column.case.clone(), place)).collect();
        let mut students = Vec::new();
        for (row, record) in reader.records(index)? {
            let mut verdicts = vec![None; cases.len()];
            for case in &record.cases {
                let Some(&place) = places.get(&case.case.to_string()) else { continue };
                let Some(verdict) = case.verdict else { continue };
                let column = &mut cases[place];
                if verdict.accepted() {
                    column.accepted += 1
                } else {
                    column.failed += 1
                }
                verdicts[place] = Some(verdict.short().to_owned());
            }
            students.push(TestRowView { student: reader.book.rows[row].student.clone(), verdicts });
        }
        Ok(TestsView { problem: problem.to_owned(), cases, students })
    }

    /// Returns the program of a student that counts toward the mark, or the attempt with the path `path`.
    ///
    /// # Errors
    /// Fails if the student, the problem or the attempt is unknown, if the problems are not prepared, or if the store
    /// can't be read.
    pub fn submission(&self, student: &str, problem: &str, path: Option<&str>) -> Result<SubmissionView, Failure> {
        let (index, mark, chosen) = {
            let state = self.planned()?;
            known_student(&state, student)?;
            let index = known_problem(&state.settings.ids(), problem)?;
            let context = state.mark_context().ok_or_else(not_prepared)?;
            let mark = &state.row(&context, student).marks[index];
            let chosen = match mark.standing {
                Standing::Attempt(claim, _) | Standing::Open(claim) => Some(claim),
                Standing::Missing => None,
            };
            (index, mark_view(&context, student, index, mark), chosen)
        };
        let reader = self.reader()?;
        let claims = &reader.enrolled.roster.claims;
        let own: Vec<usize> = (0..claims.len())
            .filter(|&claim| claims[claim].student == student && claims[claim].problem == index)
            .collect();
        let shown = match path {
            None => chosen,
            Some(path) => Some(
                own.iter()
                    .copied()
                    .find(|&claim| claims[claim].path == path)
                    .ok_or_else(|| Diagnostic::new(format!("`{student}` has no attempt `{path}` for `{problem}`")))?,
            ),
        };
        let mut attempts = Vec::new();
        for &claim in &own {
            let record = reader.record(claim)?;
            attempts.push(AttemptView {
                path: claims[claim].path.clone(),
                at: claims[claim].at,
                counts: Some(claim) == chosen,
                verdict: record.as_ref().map(|record| record.verdict.short().to_owned()),
                score: record.as_ref().map(|record| record.score.as_points()),
            });
        }
        let record = shown.map(|claim| reader.record(claim)).transpose()?.flatten();
        let record = record.as_ref();
        Ok(SubmissionView {
            student: student.to_owned(),
            problem: problem.to_owned(),
            path: shown.map(|claim| claims[claim].path.clone()),
            at: shown.and_then(|claim| claims[claim].at),
            language: record.map(|record| record.language.clone()).unwrap_or_default(),
            verdict: record.map(|record| record.verdict.short().to_owned()),
            score: record.map(|record| record.score.as_points()),
            max_score: record.map(|record| record.max_score.as_points()),
            refusal: record.and_then(|record| record.refusal.clone()),
            mark,
            files: shown.map(|claim| reader.sources(claim)).transpose()?.unwrap_or_default(),
            groups: record.map(groups_of).unwrap_or_default(),
            cases: record.map(cases_of).unwrap_or_default(),
            failing: record.map(|record| record.failing.iter().map(failing_view).collect()).unwrap_or_default(),
            attempts,
        })
    }
}

/// Returns the id of a pair: the first 16 hexadecimal digits of a hash of the problem and of one student for each
/// program.
fn pair_id(problem: &str, finding: &ProblemSimilarity, left: usize, right: usize) -> String {
    let student = |place: usize| finding.programs[place].student.as_bytes();
    Digest::of_parts([problem.as_bytes(), student(left), student(right)]).to_string()[..16].to_owned()
}

/// Returns the files of one program of a pair, with the positions of the common parts, whose token ranges are `parts`.
fn side_files(files: &[(String, Vec<u8>)], program: &TokenizedProgram, parts: &[&Range<usize>]) -> Vec<SourceFileView> {
    let shown = files.iter().zip(&program.files).map(|((path, bytes), tokens)| {
        let mut regions: Vec<RegionView> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let (start, end) = (part.start.max(tokens.start), part.end.min(tokens.end));
            let Some(inside) = program.tokens.get(start..end).filter(|inside| !inside.is_empty()) else { continue };
            let last = inside.iter().map(|token| token.range.end).max().unwrap_or(0);
            regions.push(RegionView { part: number + 1, start: inside[0].range.start, end: last });
        }
        regions.sort_by_key(|region| region.start);
        source_file(path, bytes, regions)
    });
    shown.collect()
}

/// Groups programs by the smallest input on which they fail: the shortest input or, if several inputs have this length,
/// the lexicographically first. Truncated inputs count as longer than all other inputs. The largest group comes first.
fn answer_groups<'a>(problem: &str, records: impl Iterator<Item = (&'a str, &'a Record)>) -> Vec<AnswerGroupView> {
    let mut groups: BTreeMap<(usize, &str), AnswerGroupView> = BTreeMap::new();
    for (student, record) in records {
        let wrong = record.failing.iter().filter(|failing| failing.verdict != Verdict::Accepted);
        let size = |failing: &Failing| if failing.input.cut { usize::MAX } else { failing.input.text.len() };
        let smallest = wrong.min_by_key(|failing| (size(failing), failing.input.text.clone()));
        let Some(failing) = smallest else { continue };
        let group = groups.entry((size(failing), &failing.input.text)).or_insert_with(|| AnswerGroupView {
            problem: problem.to_owned(),
            input: failing.input.text.clone(),
            input_cut: failing.input.cut,
            case: failing.case.to_string(),
            expected: failing.expected.text.clone(),
            students: Vec::new(),
        });
        group.students.push(AnswerView {
            student: student.to_owned(),
            verdict: failing.verdict.short().to_owned(),
            actual: failing.actual.text.clone(),
        });
    }
    let mut groups: Vec<AnswerGroupView> = groups.into_values().collect();
    // The sort is stable, so groups of the same size stay sorted by input.
    groups.sort_by_key(|group| std::cmp::Reverse(group.students.len()));
    groups
}

fn groups_of(record: &Record) -> Vec<GroupView> {
    let shown = record.groups.iter().map(|group| GroupView {
        group: group.group.clone(),
        verdict: group.verdict.map(|verdict| verdict.short().to_owned()),
        score: group.score.as_points(),
        max_score: group.max_score.as_points(),
    });
    shown.collect()
}

fn cases_of(record: &Record) -> Vec<CaseView> {
    let shown = record.cases.iter().map(|case| CaseView {
        case: case.case.to_string(),
        group: record.groups.get(case.group).map(|group| group.group.clone()).unwrap_or_default(),
        verdict: case.verdict.map(|verdict| verdict.short().to_owned()),
        cpu_ms: case.cpu.as_millis_f64(),
        memory_bytes: case.memory.get(),
    });
    shown.collect()
}

fn failing_view(failing: &Failing) -> FailingView {
    FailingView {
        case: failing.case.to_string(),
        group: failing.group.clone(),
        verdict: failing.verdict.short().to_owned(),
        message: failing.message.clone(),
        difference: failing.difference.as_ref().map(|difference| difference.message.clone()),
        input: failing.input.text.clone(),
        expected: failing.expected.text.clone(),
        actual: failing.actual.text.clone(),
        stderr: failing.stderr.clone(),
    }
}
