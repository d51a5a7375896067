//! The generator: produces random valid inputs.
//!
//! Single values are uniformly distributed over their ranges. Lists and graphs with a predicate are built so that the
//! predicate holds. To satisfy other clauses, values are drawn repeatedly, with a bounded number of attempts.

use std::sync::Arc;

use super::clause::{Clause, CompareOp, Meaning};
use super::decide::compare;
use super::description::{Description, GraphClauses};
use super::expr::{Expr, Known, NumberName};
use super::fold::{FoldKind, FoldSource};
use super::graph::{GraphRequirements, edges};
use super::instance::{CellValue, Cells, Column, Instance};
use super::layout::{Item, Length, NoRange, Shape, ValueKind, Var};
use super::lists::{Aim, list, word};
use super::rng::Rng;

/// Maximum number of attempts to generate an input.
const ATTEMPTS: usize = 10_000;
/// Number of drawn values after which no further attempt is made, if there have been at least ten attempts.
const MAX_DRAWN: usize = 1 << 26;
/// Maximum number of values of one input, to bound memory.
const MOST_VALUES: usize = 1 << 27;
/// Maximum number of attempts to generate a row of a block.
const ROW_ATTEMPTS: usize = 1000;

/// The error returned if the generator finds no valid input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no valid input was found in {attempts} attempts: {reason}")]
pub struct Impossible {
    /// The clause that failed most often; `None` if no attempt failed because of a clause.
    pub clause: Option<String>,
    /// The reason for the failure, for messages.
    pub reason: String,
    /// Number of attempts made.
    pub attempts: usize,
}

/// The reason why one attempt failed.
enum DeadEnd {
    /// The clause with this index did not hold.
    Clause(usize),
    Range(NoRange),
}

impl Description {
    /// Generates a random input of this description. The result depends only on the description and the state of `rng`,
    /// and is the same on every machine.
    ///
    /// # Errors
    /// Returns an error if no valid input is found within a bounded number of attempts. The error names the clause
    /// that failed most often, if there is one.
    pub fn generate(&self, rng: &mut Rng) -> Result<Instance, Impossible> {
        self.generate_given(None, rng)
    }

    /// Generates a random instance of this description. If the description is of an answer, `given` is the input to
    /// which the answer belongs; otherwise, it is `None`.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Description::generate`].
    pub fn generate_given(&self, given: Option<&Instance>, rng: &mut Rng) -> Result<Instance, Impossible> {
        let mut failed = vec![0_usize; self.clauses.len()];
        let mut last_range = None;
        let (mut attempts, mut drawn) = (0, 0);
        while attempts < ATTEMPTS && (drawn < MAX_DRAWN || attempts < 10) {
            attempts += 1;
            let mut draft = Draft::new(self, given, rng);
            match draft.all() {
                Ok(()) => return Ok(Instance { layout: Arc::clone(&self.layout), columns: draft.columns }),
                Err(DeadEnd::Clause(at)) => failed[at] += 1,
                Err(DeadEnd::Range(why)) => last_range = Some(why),
            }
            drawn += draft.columns.iter().map(Column::len).sum::<usize>();
        }
        let worst = (0..failed.len()).filter(|at| failed[*at] > 0).max_by_key(|at| failed[*at]);
        let clause = worst.map(|at| self.clauses[at].text.clone());
        let reason = match (&clause, last_range) {
            (Some(clause), _) => {
                let times = worst.map_or(0, |at| failed[at]);
                format!("`{clause}` did not hold in {times} of them")
            }
            (None, Some(range)) => range.to_string(),
            (None, None) => "no value could be generated".to_owned(),
        };
        Err(Impossible { clause, reason, attempts })
    }
}

/// An input that is being generated.
struct Draft<'a> {
    d: &'a Description,
    columns: Vec<Column>,
    folds: Vec<Option<i128>>,
    given: Option<&'a Instance>,
    rng: &'a mut Rng,
    /// Values that are generated in advance: columns of the current block, or the other list of a graph's edges.
    ahead: Vec<Option<Cells>>,
    /// Number of values that may still be drawn.
    room: usize,
}

impl<'a> Draft<'a> {
    fn new(d: &'a Description, given: Option<&'a Instance>, rng: &'a mut Rng) -> Draft<'a> {
        let columns: Vec<Column> = d.layout.vars.iter().map(|var| Column::new(&var.kind)).collect();
        let folds = d.fold_all(&Known { columns: &columns, row: 0, folds: &[], given }, 0);
        Draft { d, ahead: vec![None; columns.len()], columns, folds, given, rng, room: MOST_VALUES }
    }

    fn known(&self, row: usize) -> Known<'_> {
        Known { columns: &self.columns, row, folds: &self.folds, given: self.given }
    }

    fn all(&mut self) -> Result<(), DeadEnd> {
        for (number, item) in self.d.layout.items.iter().enumerate() {
            match &item.repeat {
                None => self.line(number, item)?,
                Some(count) => {
                    let rows = self.count(count, 0)?;
                    self.block(number, rows)?;
                }
            }
            if !self.d.folds.is_empty() {
                self.folds = self.d.fold_all(&self.known(0), number + 1);
            }
            for (at, clause) in self.d.clauses.iter().enumerate().filter(|(_, clause)| clause.ready == number) {
                self.d.decide(clause, &self.known(0)).map_err(|_| DeadEnd::Clause(at))?;
            }
        }
        Ok(())
    }

    /// Evaluates a count and subtracts it from `room`. A count that exceeds `room` is an error.
    fn count(&mut self, length: &Length, row: usize) -> Result<usize, DeadEnd> {
        let count = length.count(&self.known(row)).map_err(DeadEnd::Range)?;
        match self.room.checked_sub(count) {
            Some(room) => self.room = room,
            None => {
                let (text, count) = (length.text.clone(), count as i128);
                return Err(DeadEnd::Range(NoRange::Count { text, count }));
            }
        }
        Ok(count)
    }

    fn line(&mut self, number: usize, item: &Item) -> Result<(), DeadEnd> {
        for at in item.lines.iter().flatten() {
            self.var(*at, 0)?;
            self.d.decide_early(number, *at, &self.known(0)).map_err(DeadEnd::Clause)?;
        }
        Ok(())
    }

    fn block(&mut self, number: usize, rows: usize) -> Result<(), DeadEnd> {
        let of_rows = |clause: &Clause| clause.rows == Some(number) && self.d.in_row(clause);
        let clauses: Vec<(usize, &Clause)> = self.d.clauses.iter().enumerate().filter(|(_, c)| of_rows(c)).collect();
        let vars: Vec<usize> = self.d.layout.vars_of(number).collect();
        for at in &vars {
            self.build_column(*at, rows, clauses.is_empty())?;
        }
        let complete = vars.iter().all(|at| self.ahead[*at].is_some());
        if !(complete && clauses.is_empty()) {
            for row in 0..rows {
                self.row(&vars, row, &clauses)?;
            }
        }
        for at in vars {
            match self.ahead[at].take() {
                Some(cells) if complete && clauses.is_empty() => self.columns[at].cells = cells,
                _ => {}
            }
        }
        Ok(())
    }

    /// Draws a row repeatedly until it satisfies the clauses about single rows. Fails after [`ROW_ATTEMPTS`] attempts,
    /// or after the first one if all columns were generated in advance.
    fn row(&mut self, vars: &[usize], row: usize, clauses: &[(usize, &Clause)]) -> Result<(), DeadEnd> {
        if clauses.is_empty() {
            return vars.iter().try_for_each(|at| self.var(*at, row));
        }
        let mut broken = 0;
        for _ in 0..ROW_ATTEMPTS {
            let before: Vec<(usize, usize)> =
                vars.iter().map(|at| (self.columns[*at].len(), self.columns[*at].ends.len())).collect();
            for at in vars {
                self.var(*at, row)?;
            }
            let failed = clauses.iter().find(|(_, clause)| compare(clause, &self.known(row)).is_err());
            let Some((at, _)) = failed else { return Ok(()) };
            broken = *at;
            let drawn = vars.iter().any(|at| self.ahead[*at].is_none());
            for (at, (cells, ends)) in vars.iter().zip(before) {
                self.columns[*at].truncate(cells);
                self.columns[*at].ends.truncate(ends);
            }
            if !drawn {
                break;
            }
        }
        Err(DeadEnd::Clause(broken))
    }

    /// Generates a column in advance if its bounds are the same in all rows, and if a clause constrains it as a list or
    /// `free` is true. `free` states that no clause constrains single rows.
    fn build_column(&mut self, at: usize, rows: usize, free: bool) -> Result<(), DeadEnd> {
        let var = &self.d.layout.vars[at];
        if var.shape() != Shape::List || !var.same_in_rows || self.ahead[at].is_some() || rows == 0 {
            return Ok(());
        }
        let graph = self.d.graphs.iter().find(|graph| graph.from == at || graph.to == at);
        let marks = self.d.marks[at];
        let marked = marks.distinct || marks.sorted || marks.permutation;
        let aims = self.aims(at);
        if graph.is_none() && !marked && aims.is_empty() && !free {
            return Ok(());
        }
        let Ok(bounds) = var.bounds(&self.known(0)) else { return Ok(()) };
        if let Some(graph) = graph {
            return self.build_graph(*graph, bounds, rows);
        }
        let built = list(var, marks, &aims, bounds, rows, self.rng);
        self.ahead[at] = Some(built.ok_or_else(|| self.dead_list(at))?);
        Ok(())
    }

    /// Returns the error for a list that cannot be generated, which names the first clause about the list.
    fn dead_list(&self, at: usize) -> DeadEnd {
        let about = |clause: &Clause| match &clause.meaning {
            Meaning::List { var, .. } => *var == at,
            Meaning::Graph { from, to, .. } => *from == at || *to == at,
            Meaning::Compare { left, right, .. } => [left.folds(), right.folds()]
                .concat()
                .into_iter()
                .any(|fold| self.d.folds[fold].source == FoldSource::Own(at)),
        };
        DeadEnd::Clause(self.d.clauses.iter().position(about).unwrap_or(0))
    }

    fn build_graph(&mut self, graph: GraphClauses, bounds: (i64, i64), count: usize) -> Result<(), DeadEnd> {
        let required = self.required(graph);
        let vertices = usize::try_from(i128::from(bounds.1) - i128::from(bounds.0) + 1).unwrap_or(usize::MAX);
        let built = edges(required, vertices, count, self.rng).ok_or_else(|| self.dead_list(graph.from))?;
        let name = |v: usize| bounds.0.wrapping_add(v as i64);
        let (from, to) = built.into_iter().map(|(u, v)| (name(u), name(v))).unzip();
        self.ahead[graph.from] = Some(Cells::Numbers(from));
        self.ahead[graph.to] = Some(Cells::Numbers(to));
        Ok(())
    }

    /// Returns the requirements on the graph: its predicates, and comparisons `u != v` and `u < v` of the ends of each
    /// edge.
    fn required(&self, graph: GraphClauses) -> GraphRequirements {
        let named = |expr: &Expr, at: usize| *expr == Expr::Name(NumberName::Own(at));
        let says = |order: CompareOp| {
            self.d.clauses.iter().any(|clause| match &clause.meaning {
                Meaning::Compare { left, order: found, right } => {
                    *found == order && named(left, graph.from) && named(right, graph.to)
                        || found.mirrored() == order && named(left, graph.to) && named(right, graph.from)
                }
                _ => false,
            })
        };
        GraphRequirements {
            acyclic: graph.acyclic,
            upward: says(CompareOp::Less),
            tree: graph.tree,
            connected: graph.connected,
            simple: graph.simple,
            loopless: says(CompareOp::Unequal),
        }
    }

    /// Returns the comparisons of folds of this list with values that are already known.
    fn aims(&self, at: usize) -> Vec<Aim> {
        let of = |expr: &Expr| match expr {
            Expr::Fold(fold) if self.d.folds[*fold].source == FoldSource::Own(at) => match &self.d.folds[*fold].kind {
                FoldKind::CountOf(of) => of.value(&self.known(0)).ok().map(|of| FoldKind::CountOf(Expr::Number(of))),
                kind => Some(kind.clone()),
            },
            _ => None,
        };
        let mut aims = Vec::new();
        for clause in self.d.clauses.iter().filter(|clause| clause.rows.is_none()) {
            let Meaning::Compare { left, order, right } = &clause.meaning else { continue };
            for (side, order, other) in [(left, *order, right), (right, order.mirrored(), left)] {
                if let (Some(fold), Ok(value)) = (of(side), other.value(&self.known(0))) {
                    aims.push(Aim { fold, order, value });
                }
            }
        }
        aims
    }

    /// Draws the values of a variable on one line.
    fn var(&mut self, at: usize, row: usize) -> Result<(), DeadEnd> {
        let var = &self.d.layout.vars[at];
        let Some(length) = &var.length else {
            let cell = match &self.ahead[at] {
                Some(Cells::Numbers(cells)) if var.in_block => CellValue::Number(cells[row]),
                Some(Cells::Texts(cells)) if var.in_block => CellValue::Text(cells[row].clone()),
                _ => self.cell(var, row)?,
            };
            self.columns[at].push(cell);
            return Ok(());
        };
        let count = self.count(length, row)?;
        let cells = match self.ahead[at].take() {
            Some(cells) => cells,
            None => self.list(at, row, count)?,
        };
        let column = &mut self.columns[at];
        match (&mut column.cells, cells) {
            (Cells::Numbers(all), Cells::Numbers(new)) if all.is_empty() => *all = new,
            (Cells::Numbers(all), Cells::Numbers(new)) => all.extend(new),
            (Cells::Texts(all), Cells::Texts(new)) => all.extend(new),
            _ => {}
        }
        if var.shape() == Shape::Rows {
            let end = column.len();
            column.ends.push(end);
        }
        Ok(())
    }

    /// Draws a list on one line.
    fn list(&mut self, at: usize, row: usize, count: usize) -> Result<Cells, DeadEnd> {
        let var = &self.d.layout.vars[at];
        if count == 0 {
            return Ok(Column::new(&var.kind).cells);
        }
        let bounds = var.bounds(&self.known(row)).map_err(DeadEnd::Range)?;
        if let Some(graph) = self.d.graphs.iter().find(|graph| graph.from == at || graph.to == at) {
            self.build_graph(*graph, bounds, count)?;
            return self.ahead[at].take().ok_or(DeadEnd::Clause(0));
        }
        let aims = if var.in_block { Vec::new() } else { self.aims(at) };
        list(var, self.d.marks[at], &aims, bounds, count, self.rng).ok_or_else(|| self.dead_list(at))
    }

    fn cell(&mut self, var: &Var, row: usize) -> Result<CellValue, DeadEnd> {
        let bounds = var.bounds(&self.known(row)).map_err(DeadEnd::Range)?;
        Ok(random_cell(&var.kind, bounds, self.rng))
    }
}

/// Returns a random value of this kind within the bounds.
pub(crate) fn random_cell(kind: &ValueKind, bounds: (i64, i64), rng: &mut Rng) -> CellValue {
    match kind {
        ValueKind::Word { letters, .. } => CellValue::Text(word(letters, bounds, rng)),
        ValueKind::Choice { allowed, .. } => {
            let at = rng.choose(allowed).copied().unwrap_or(0);
            CellValue::Number(i64::try_from(at).unwrap_or(0))
        }
        ValueKind::Int(_) | ValueKind::Real { .. } => CellValue::Number(rng.between(bounds.0, bounds.1)),
    }
}
