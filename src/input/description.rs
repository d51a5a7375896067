//! A resolved description, and the parser that builds it from the items and clauses of `problem.yaml`.

use std::sync::Arc;

use indexmap::IndexMap;

use super::clause::{self, Clause, GraphProperty, Meaning, Property};
use super::fold::Fold;
use super::kind::Place;
use super::layout::{Item, Layout, Length, ValueKind, Var};
use super::names::{Here, Names};
use super::raw::{At, DescriptionError, RawItem, RawValue, Slip};

/// The format of an input or an answer, with methods that validate, read, write, generate, enumerate, shrink and mutate
/// instances.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    pub(crate) layout: Arc<Layout>,
    pub(crate) folds: Vec<Fold>,
    pub(crate) clauses: Vec<Clause>,
    /// Layout of the input to which the described answers belong; `None` for a description of inputs.
    pub(crate) given: Option<Arc<Layout>>,
    /// Properties that the clauses require of each list, by the index of its variable.
    pub(crate) marks: Vec<Marks>,
    /// Graphs that the clauses refer to.
    pub(crate) graphs: Vec<GraphClauses>,
}

/// Properties that the clauses require of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) distinct: bool,
    pub(crate) sorted: bool,
    pub(crate) permutation: bool,
}

/// Properties that the clauses require of the graph whose edges a pair of lists contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GraphClauses {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) acyclic: bool,
    pub(crate) tree: bool,
    pub(crate) connected: bool,
    pub(crate) simple: bool,
}

impl Description {
    /// Parses the description of an input: its lines, and the clauses of `where`.
    ///
    /// # Errors
    /// Returns the first error in the description, with its position.
    pub fn parse(items: &[RawItem], clauses: &[String]) -> Result<Description, DescriptionError> {
        read(items, clauses, None)
    }

    /// Parses the description of an answer, whose bounds may use the names of `input`.
    ///
    /// # Errors
    /// Returns the first error in the description, with its position.
    pub fn parse_after(
        input: &Description,
        items: &[RawItem],
        clauses: &[String],
    ) -> Result<Description, DescriptionError> {
        read(items, clauses, Some(Arc::clone(&input.layout)))
    }

    /// Returns the names of the variables in the order of their declaration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.layout.vars.iter().map(|var| var.name.as_str())
    }

    /// Returns the words that are allowed as values of the variable `name`, or `None` if there is no such variable or
    /// its values are not chosen from a list of words.
    pub fn words(&self, name: &str) -> Option<Vec<&str>> {
        match &self.layout.vars[self.layout.find(name)?].kind {
            ValueKind::Choice { words, allowed } => Some(allowed.iter().map(|at| words[*at].as_str()).collect()),
            _ => None,
        }
    }

    /// Returns the allowed values of each variable, as written in the description, keyed by the variable's name.
    pub(crate) fn texts(&self) -> IndexMap<String, String> {
        self.layout.vars.iter().map(|var| (var.name.clone(), var.text.clone())).collect()
    }

    pub(crate) fn assemble(
        layout: Layout,
        folds: Vec<Fold>,
        clauses: Vec<Clause>,
        given: Option<Arc<Layout>>,
    ) -> Description {
        let mut marks = vec![Marks::default(); layout.vars.len()];
        let mut graphs: Vec<GraphClauses> = Vec::new();
        for clause in &clauses {
            match clause.meaning {
                Meaning::Compare { .. } => {}
                Meaning::List { property: Property::Distinct, var } => marks[var].distinct = true,
                Meaning::List { property: Property::Sorted, var } => marks[var].sorted = true,
                Meaning::List { property: Property::Permutation, var } => marks[var].permutation = true,
                Meaning::Graph { property, from, to } => graph_of(&mut graphs, from, to).require(property),
            }
        }
        Description { layout: Arc::new(layout), folds, clauses, given, marks, graphs }
    }
}

fn graph_of(graphs: &mut Vec<GraphClauses>, from: usize, to: usize) -> &mut GraphClauses {
    let known = graphs.iter().position(|graph| graph.from == from && graph.to == to);
    let at = known.unwrap_or_else(|| {
        graphs.push(GraphClauses { from, to, ..GraphClauses::default() });
        graphs.len() - 1
    });
    &mut graphs[at]
}

impl GraphClauses {
    fn require(&mut self, property: GraphProperty) {
        match property {
            GraphProperty::Acyclic => self.acyclic = true,
            GraphProperty::Tree => self.tree = true,
            GraphProperty::Connected => self.connected = true,
            GraphProperty::Simple => self.simple = true,
        }
    }
}

/// State of the parser.
struct Reading<'a> {
    vars: Vec<Var>,
    items: Vec<Item>,
    folds: Vec<Fold>,
    given: Option<&'a Layout>,
    all: IndexMap<String, String>,
}

fn read(items: &[RawItem], clauses: &[String], given: Option<Arc<Layout>>) -> Result<Description, DescriptionError> {
    let mut reading = Reading {
        vars: Vec::new(),
        items: Vec::new(),
        folds: Vec::new(),
        given: given.as_deref(),
        all: all_names(items),
    };
    for (number, item) in items.iter().enumerate() {
        reading.item(number, item)?;
    }
    let mut parsed = Vec::new();
    for (number, text) in clauses.iter().enumerate() {
        let clause = clause::parse(text, &mut reading.names(Here::Clause));
        parsed.push(clause.map_err(|slip| slip.at(At::Clause(number)))?);
    }
    let layout = Layout { vars: reading.vars, items: reading.items };
    Ok(Description::assemble(layout, reading.folds, parsed, given))
}

/// Returns the lines of an item and, for a block, the text of its `repeat`.
fn lines(item: &RawItem) -> (&[IndexMap<String, RawValue>], Option<&str>) {
    match item {
        RawItem::Line(line) => (std::slice::from_ref(line), None),
        RawItem::Repeat { repeat, lines } => (lines, Some(repeat)),
    }
}

fn all_names(items: &[RawItem]) -> IndexMap<String, String> {
    let keys = items.iter().flat_map(|item| lines(item).0).flatten();
    keys.map(|(key, value)| {
        let (name, length) = split_key(key);
        (name.trim().to_owned(), format!("{} {value}", length.map_or("", |(text, _)| text)))
    })
    .collect()
}

/// Splits `a[n]` into `a` and `n` with the byte offset of `n`.
fn split_key(key: &str) -> (&str, Option<(&str, usize)>) {
    match key.split_once('[') {
        Some((name, rest)) => (name, Some((rest.trim_end().strip_suffix(']').unwrap_or(rest), name.len() + 1))),
        None => (key, None),
    }
}

impl Reading<'_> {
    fn names<'b>(&'b mut self, here: Here<'b>) -> Names<'b> {
        Names { vars: &self.vars, folds: &mut self.folds, given: self.given, all: &self.all, here }
    }

    fn item(&mut self, number: usize, raw: &RawItem) -> Result<(), DescriptionError> {
        let (lines, repeat) = lines(raw);
        let repeat = match repeat {
            None => None,
            Some(text) => {
                let length = self.length(text, Here::Count { item: number });
                Some(length.map_err(|slip| slip.at(At::Repeat { item: number }))?)
            }
        };
        if lines.iter().any(IndexMap::is_empty) || lines.is_empty() {
            let message = match repeat {
                None => "this line declares no values",
                Some(_) => "this block has no lines, or one of its lines declares no values",
            };
            return Err(Slip::whole(message).help("declare a value such as `n: 1..=10`").at(At::Item(number)));
        }
        let in_block = repeat.is_some();
        let mut numbered = Vec::new();
        for line in lines {
            let start = self.vars.len();
            for (key, value) in line {
                let var = self.var(number, in_block, key, value)?;
                self.vars.push(var);
            }
            numbered.push((start..self.vars.len()).collect());
        }
        self.items.push(Item { repeat, lines: numbered });
        Ok(())
    }

    fn length(&mut self, text: &str, here: Here<'_>) -> Result<Length, Slip> {
        let mut names = self.names(here);
        let mut grammar = super::grammar::Grammar::new(text, &mut names)?;
        let (expr, range) = grammar.placed()?;
        grammar.end()?;
        if let Some(count) = expr.constant().filter(|count| !(0..=1 << 40).contains(count)) {
            return Err(Slip::new(range, format!("the count {count} is out of range; expected 0 to 2^40")));
        }
        if let Some((_, most)) = expr.span(&|name| super::kind::span_of(name, &self.vars, self.given))
            && most < 0
        {
            return Err(Slip::new(range, "this count is always negative; expected 0 to 2^40"));
        }
        Ok(Length { expr, text: text.trim().to_owned() })
    }

    fn var(&mut self, item: usize, in_block: bool, key: &str, value: &RawValue) -> Result<Var, DescriptionError> {
        let at_key = || At::Key { item, key: key.to_owned() };
        let (name, length) = split_key(key);
        let name = name.trim();
        self.new_name(name, key).map_err(|slip| slip.at(at_key()))?;
        let here = Here::Bound { item, name };
        let length = match length {
            None => None,
            Some(_) if !key.trim_end().ends_with(']') => {
                let message = format!("expected `]` at the end of `{key}`");
                return Err(Slip::new(key.len()..key.len(), message).at(at_key()));
            }
            Some((text, offset)) => Some(self.length(text, here).map_err(|slip| slip.shifted(offset).at(at_key()))?),
        };
        let at_value = || At::Value { item, key: key.to_owned() };
        let known = self.vars.clone();
        let place = Place { vars: &known, given: self.given };
        let kind = super::kind::parse(value, &place, &mut self.names(here)).map_err(|slip| slip.at(at_value()))?;
        let same_in_rows = !in_block || super::kind::same_in_rows(&kind, item, &self.vars);
        let span = super::kind::span(&kind, &place);
        Ok(Var { name: name.to_owned(), kind, length, item, in_block, same_in_rows, span, text: value.to_string() })
    }

    fn new_name(&self, name: &str, key: &str) -> Result<(), Slip> {
        let range = {
            let start = key.len() - key.trim_start().len();
            start..start + name.len()
        };
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letters) {
            let message = match name {
                "" => format!("expected a name, found `{key}`"),
                _ => format!("`{name}` is not a valid name"),
            };
            let help = "a name consists of the letters a-z and A-Z, digits and `_`, and does not begin with a digit; a \
                        list is written `a[n]`";
            return Err(Slip::new(range, message).help(help));
        }
        if self.vars.iter().any(|var| var.name == name) {
            return Err(Slip::new(range, format!("`{name}` is declared twice")));
        }
        if self.given.is_some_and(|layout| layout.find(name).is_some()) {
            let slip = Slip::new(range, format!("`{name}` is already declared in the input"));
            return Err(slip.help("choose a different name for the value in the answer"));
        }
        Ok(())
    }
}
