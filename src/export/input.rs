//! What is exported, said neutrally: gathered once, then rendered by any format.

use std::path::Path;

use crate::data::{Case, Entry, Store};
use crate::model::{Diagnostic, Failure, Limits, Score};
use crate::problem::{Judging, Problem};
use crate::runner::{reference, solutions};

use super::program_files::{ProgramFiles, read_program};
use super::statement::ParsedStatement;

/// A problem with its data made and all that goes with it read.
#[derive(Debug)]
pub struct ExportInput<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The limits in force.
    pub limits: Limits,
    /// The statements, the English one first.
    pub statements: Vec<ParsedStatement>,
    /// The groups with their cases, in the order in which they are judged.
    pub groups: Vec<ExportGroup<'a>>,
    /// The solutions: the accepted ones first.
    pub solutions: Vec<ExportSolution>,
    /// Where the contents of the cases are.
    pub store: &'a Store,
}

/// A test group.
#[derive(Debug)]
pub struct ExportGroup<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether its cases are the statement's samples.
    pub sample: bool,
    /// What it is worth, if it is a subtask.
    pub points: Option<Score>,
    /// The earlier groups that must be accepted first, by index.
    pub after: &'a [usize],
    /// Its cases.
    pub cases: Vec<&'a Case>,
}

/// A group that is worth points, among such groups alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subtask {
    /// Its index among all groups.
    pub group: usize,
    /// The subtasks that must be accepted first, by their numbers from 1.
    pub after: Vec<usize>,
    /// The groups whose cases it has: those it needs that are worth nothing come again, before its own.
    pub cases_of: Vec<usize>,
}

/// A solution.
#[derive(Debug)]
pub struct ExportSolution {
    /// The folder that says what is expected of it.
    pub folder: String,
    /// The program.
    pub program: ProgramFiles,
    /// Whether its output is the answer.
    pub reference: bool,
}

impl ExportSolution {
    /// That it stays behind, for who exports it.
    pub(super) fn skip_note(&self, why: &str) -> String {
        format!("{}/{} is left out: {why}", self.folder, self.program.name)
    }
}

impl<'a> ExportInput<'a> {
    /// Gathers what leaves: `cases` are the problem's, made, with their contents in `store`.
    ///
    /// # Errors
    /// A statement or a solution can't be read, or a group is judged in a way of its own.
    pub fn collect_from(
        problem: &'a Problem,
        limits: Limits,
        cases: &'a [Case],
        store: &'a Store,
    ) -> Result<ExportInput<'a>, Failure> {
        if let Some(group) = problem.groups.iter().find(|group| group.judging.is_some()) {
            let message = format!("the group `{}` is judged in a way of its own, which no package can say", group.name);
            return Err(Diagnostic::new(message).help("give the whole problem one checker").into());
        }
        let groups = problem.groups.iter().enumerate().map(|(index, group)| ExportGroup {
            name: &group.name,
            sample: group.name == "sample",
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

    /// Whether groups are worth points.
    pub fn scored(&self) -> bool {
        self.groups.iter().any(|group| group.points.is_some())
    }

    /// How outputs are judged.
    pub fn judging(&self) -> &'a Judging {
        &self.problem.judging
    }

    /// All solutions below a folder, by the folders that say what is expected of them.
    pub(super) fn solutions_below(&self, place: &str) -> Vec<Entry> {
        self.solutions
            .iter()
            .flat_map(|solution| solution.program.entries_in(&format!("{place}/{}", solution.folder)))
            .collect()
    }

    /// The group with the samples.
    pub fn samples(&self) -> Option<&ExportGroup<'a>> {
        self.groups.iter().find(|group| group.sample)
    }

    /// The groups that are no samples, with their index.
    pub fn secret(&self) -> impl Iterator<Item = (usize, &ExportGroup<'a>)> {
        self.groups.iter().enumerate().filter(|(_, group)| !group.sample)
    }

    /// The groups that are worth points, for judges that make something else of groups that are worth nothing.
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

    /// The groups that must be accepted before this one, however indirectly, in order.
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
        let text = fs_err::read_to_string(path).map_err(|error| Failure::unreadable(&error))?;
        Ok(ParsedStatement::parse(language, &text, &inputs))
    };
    let mut found = vec![read("en", &problem.statement(None))?];
    for language in problem.translations().map_err(|error| Failure::unreadable(&error))? {
        found.push(read(&language, &problem.statement(Some(&language)))?);
    }
    Ok(found)
}
