//! The format-independent description of a problem for export. The description is collected once and can then be
//! rendered in any format.

use std::path::Path;

use crate::data::{Case, Entry, Store};
use crate::model::{Diagnostic, Failure, Limits, Score};
use crate::problem::{Judging, Problem, SAMPLE_GROUP};
use crate::runner::{reference, solutions};

use super::program_files::{ProgramFiles, read_program};
use super::statement::ParsedStatement;

/// A problem with its generated data and the content of all related files.
#[derive(Debug)]
pub struct ExportInput<'a> {
    /// The problem to be exported.
    pub problem: &'a Problem,
    /// The limits that apply to submissions.
    pub limits: Limits,
    /// The statements, with the English statement first.
    pub statements: Vec<ParsedStatement>,
    /// The groups with their cases, in the order of judging.
    pub groups: Vec<ExportGroup<'a>>,
    /// The solutions, with accepted solutions first.
    pub solutions: Vec<ExportSolution>,
    /// The store with the contents of the cases.
    pub store: &'a Store,
}

/// A test group with its generated cases.
#[derive(Debug)]
pub struct ExportGroup<'a> {
    /// The group's name.
    pub name: &'a str,
    /// Whether the cases of the group are the samples of the statement.
    pub sample: bool,
    /// The group's points, if it is a subtask.
    pub points: Option<Score>,
    /// Indices of the earlier groups that must be accepted first.
    pub after: &'a [usize],
    /// The cases of the group.
    pub cases: Vec<&'a Case>,
}

/// A group with points. Subtasks are numbered consecutively, without the groups that have no points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subtask {
    /// Index among all groups.
    pub group: usize,
    /// Numbers of the subtasks that must be accepted first, counted from 1.
    pub after: Vec<usize>,
    /// Indices of the groups whose cases belong to the subtask. Required groups without points precede the subtask's
    /// own group.
    pub cases_of: Vec<usize>,
}

/// A solution of the problem.
#[derive(Debug)]
pub struct ExportSolution {
    /// Name of the solution's folder, which determines the expected verdict.
    pub folder: String,
    /// The files of the program.
    pub program: ProgramFiles,
    /// Whether the solution's output is used as the answer.
    pub reference: bool,
}

impl ExportSolution {
    /// Returns the note that this solution is not exported, with the reason `why`.
    pub(super) fn skip_note(&self, why: &str) -> String {
        format!("`{}/{}` is not exported: {why}", self.folder, self.program.name)
    }
}

impl<'a> ExportInput<'a> {
    /// Collects a problem for export. `cases` are the generated cases of the problem, whose contents are in `store`.
    ///
    /// # Errors
    /// Fails if a statement or a solution can't be read, if there is not exactly one reference solution, or if a group
    /// overrides the judging method.
    pub fn collect_from(
        problem: &'a Problem,
        limits: Limits,
        cases: &'a [Case],
        store: &'a Store,
    ) -> Result<ExportInput<'a>, Failure> {
        if let Some(group) = problem.groups.iter().find(|group| group.judging.is_some()) {
            let message =
                format!("the group `{}` overrides the checker, but no export format supports this", group.name);
            return Err(Diagnostic::new(message).help("use one checker for the whole problem").into());
        }
        let groups = problem.groups.iter().enumerate().map(|(index, group)| ExportGroup {
            name: &group.name,
            sample: group.name == SAMPLE_GROUP,
            points: group.points,
            after: &group.after,
            cases: cases.iter().filter(|case| case.group == index).collect(),
        });
        let reference = reference(problem)?;
        let mut found = Vec::new();
        for solution in solutions(problem)? {
            found.push(ExportSolution {
                program: read_program(&solution.path)?,
                reference: solution == reference,
                folder: solution.folder,
            });
        }
        Ok(ExportInput {
            problem,
            limits,
            statements: statements(problem)?,
            groups: groups.collect(),
            solutions: found,
            store,
        })
    }

    /// Returns whether any group has points.
    pub fn scored(&self) -> bool {
        self.groups.iter().any(|group| group.points.is_some())
    }

    /// Returns the method by which outputs are judged.
    pub fn judging(&self) -> &'a Judging {
        &self.problem.judging
    }

    /// Returns the files of all solutions below the folder `place`, in subfolders that are named after the expected
    /// verdicts.
    pub(super) fn solutions_below(&self, place: &str) -> Vec<Entry> {
        self.solutions
            .iter()
            .flat_map(|solution| solution.program.entries_in(&format!("{place}/{}", solution.folder)))
            .collect()
    }

    /// Returns the group with the samples, or `None` if there is none.
    pub fn samples(&self) -> Option<&ExportGroup<'a>> {
        self.groups.iter().find(|group| group.sample)
    }

    /// Returns the groups other than the samples, with their indices.
    pub fn secret(&self) -> impl Iterator<Item = (usize, &ExportGroup<'a>)> {
        self.groups.iter().enumerate().filter(|(_, group)| !group.sample)
    }

    /// Returns the groups that award points, in the order of judging, for judges that treat groups without points
    /// differently.
    pub(super) fn subtasks(&self) -> Vec<Subtask> {
        let worth = |index: &usize| self.groups[*index].points.is_some_and(|points| points > Score::default());
        let all: Vec<usize> = (0..self.groups.len()).filter(worth).collect();
        let number = |index: &usize| all.iter().position(|other| other == index).map(|at| at + 1);
        let subtask = |&group: &usize| {
            let needed = self.required_groups(group);
            let worthless = needed.iter().copied().filter(|index| !worth(index));
            Subtask {
                group,
                after: needed.iter().filter_map(number).collect(),
                cases_of: worthless.chain([group]).collect(),
            }
        };
        all.iter().map(subtask).collect()
    }

    /// Returns the indices of the groups that must be accepted before this group, directly or indirectly, in increasing
    /// order.
    pub fn required_groups(&self, group: usize) -> Vec<usize> {
        let mut needed = vec![false; self.groups.len()];
        let mut open = self.groups[group].after.to_vec();
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut needed[index], true) {
                open.extend(self.groups[index].after);
            }
        }
        (0..needed.len()).filter(|index| needed[*index]).collect()
    }
}

fn statements(problem: &Problem) -> Result<Vec<ParsedStatement>, Failure> {
    let inputs: Vec<&str> = problem.samples().iter().map(|sample| sample.input.as_str()).collect();
    let read = |language: &str, path: &Path| -> Result<ParsedStatement, Failure> {
        let text = fs_err::read_to_string(path).map_err(|error| Failure::user_file(&error))?;
        Ok(ParsedStatement::parse(language, &text, &inputs))
    };
    let mut found = vec![read("en", &problem.statement(None))?];
    for language in problem.translations().map_err(|error| Failure::user_file(&error))? {
        found.push(read(&language, &problem.statement(Some(&language)))?);
    }
    Ok(found)
}
