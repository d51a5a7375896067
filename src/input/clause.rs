//! The clauses of `where`: conditions that ranges cannot express.

use super::expr::Expr;
use super::fold::{Fold, FoldSource};
use super::grammar::{Grammar, Resolver};
use super::layout::{Shape, ValueKind, Var};
use super::names::Names;
use super::raw::Slip;

/// The names of the predicates.
pub(crate) const PREDICATES: [&str; 7] =
    ["distinct", "sorted", "permutation", "acyclic", "tree", "connected", "simple"];

/// A parsed clause of `where`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    pub(crate) text: String,
    pub(crate) meaning: Meaning,
    /// Index of the item after which the clause can be evaluated.
    pub(crate) ready: usize,
    /// Index of the block whose rows must each satisfy the clause, if the clause names single values of a block.
    pub(crate) rows: Option<usize>,
}

/// The condition that a clause states.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    Compare { left: Expr, order: CompareOp, right: Expr },
    List { property: Property, var: usize },
    Graph { property: GraphProperty, from: usize, to: usize },
}

/// The operator of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A property of a list. In a block with a list in every row, it applies to the list of each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    /// No value occurs twice.
    Distinct,
    /// No value is less than its predecessor.
    Sorted,
    /// The values are consecutive integers from the least value of the range on, each exactly once, in any order.
    Permutation,
}

/// A property of the graph whose edges are given by two lists. The vertices are all the values in the range of both
/// lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GraphProperty {
    /// The directed graph has no cycle.
    Acyclic,
    /// The undirected graph is connected and has one edge fewer than it has vertices.
    Tree,
    /// The undirected graph has a path between every two vertices.
    Connected,
    /// No edge joins a vertex to itself, and no two edges join the same vertices.
    Simple,
}

impl CompareOp {
    /// All operators, ordered so that no symbol comes after a prefix of itself.
    const ALL: [CompareOp; 6] = [
        CompareOp::Equal,
        CompareOp::Unequal,
        CompareOp::AtMost,
        CompareOp::AtLeast,
        CompareOp::Less,
        CompareOp::Greater,
    ];

    /// Returns the symbol of the operator, which is the same in the notation and in C++.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::Unequal => "!=",
            CompareOp::Less => "<",
            CompareOp::AtMost => "<=",
            CompareOp::Greater => ">",
            CompareOp::AtLeast => ">=",
        }
    }

    pub(crate) fn holds(self, left: i128, right: i128) -> bool {
        match self {
            CompareOp::Equal => left == right,
            CompareOp::Unequal => left != right,
            CompareOp::Less => left < right,
            CompareOp::AtMost => left <= right,
            CompareOp::Greater => left > right,
            CompareOp::AtLeast => left >= right,
        }
    }

    /// Returns the comparison that is equivalent after the sides are swapped.
    pub(crate) fn mirrored(self) -> CompareOp {
        match self {
            CompareOp::Less => CompareOp::Greater,
            CompareOp::AtMost => CompareOp::AtLeast,
            CompareOp::Greater => CompareOp::Less,
            CompareOp::AtLeast => CompareOp::AtMost,
            same => same,
        }
    }
}

impl Property {
    fn of(name: &str) -> Option<Property> {
        match name {
            "distinct" => Some(Property::Distinct),
            "sorted" => Some(Property::Sorted),
            "permutation" => Some(Property::Permutation),
            _ => None,
        }
    }
}

impl GraphProperty {
    fn of(name: &str) -> Option<GraphProperty> {
        match name {
            "acyclic" => Some(GraphProperty::Acyclic),
            "tree" => Some(GraphProperty::Tree),
            "connected" => Some(GraphProperty::Connected),
            "simple" => Some(GraphProperty::Simple),
            _ => None,
        }
    }
}

/// Parses one clause.
pub(crate) fn parse(text: &str, names: &mut Names<'_>) -> Result<Clause, Slip> {
    let vars = names.vars;
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    let property = (Property::of(first), GraphProperty::of(first));
    let meaning = match property {
        (None, None) => comparison(text, names)?,
        (list, graph) => predicate(text, first, names, list, graph)?,
    };
    let (ready, rows) = when(&meaning, vars, names.folds)?;
    Ok(Clause { text: text.trim().to_owned(), meaning, ready, rows })
}

fn comparison(text: &str, names: &mut dyn Resolver) -> Result<Meaning, Slip> {
    let mut grammar = Grammar::new(text, names)?;
    let left = grammar.expr()?;
    let order = order(&mut grammar)?;
    let right = grammar.expr()?;
    if order_sign(&mut grammar).is_some() {
        return Err(Slip::whole("this clause has more than one comparison").help("write one clause per comparison"));
    }
    grammar.end()?;
    if let (Some(a), Some(b)) = (left.constant(), right.constant())
        && !order.holds(a, b)
    {
        return Err(Slip::whole("this comparison is never true"));
    }
    Ok(Meaning::Compare { left, order, right })
}

fn order(grammar: &mut Grammar<'_>) -> Result<CompareOp, Slip> {
    order_sign(grammar).ok_or_else(|| {
        grammar.unexpected("a comparison (`==`, `!=`, `<`, `<=`, `>`, `>=`)").help(format!(
            "a clause is a comparison of two numbers, or one of the predicates `{}`",
            PREDICATES.join("`, `")
        ))
    })
}

fn order_sign(grammar: &mut Grammar<'_>) -> Option<CompareOp> {
    CompareOp::ALL.into_iter().find(|order| grammar.take(order.symbol()))
}

fn predicate(
    text: &str,
    first: &str,
    names: &mut Names<'_>,
    list: Option<Property>,
    graph: Option<GraphProperty>,
) -> Result<Meaning, Slip> {
    let vars = names.vars;
    let mut places = Vec::new();
    {
        let mut grammar = Grammar::new(text, names)?;
        grammar.name()?;
        grammar.expect("(")?;
        places.push(grammar.name()?);
        if graph.is_some() {
            let help = format!("`{first}` requires two lists that contain the endpoints of the edges: `{first}(u, v)`");
            grammar.expect(",").map_err(|slip| slip.help(help))?;
            places.push(grammar.name()?);
        }
        grammar.expect(")")?;
        grammar.end()?;
    }
    let mut found = Vec::new();
    for (name, range) in &places {
        match names.list(first, name, range.clone())? {
            (FoldSource::Own(var), _) => found.push(var),
            (FoldSource::Given(_), _) => {
                let message = format!("`{name}` is a list in the input, but `{first}` requires a list in the answer");
                return Err(Slip::new(range.clone(), message));
            }
        }
    }
    let meaning = match (list, graph, found.as_slice()) {
        (Some(property), _, [var]) => Meaning::List { property, var: *var },
        (_, Some(property), [from, to]) => Meaning::Graph { property, from: *from, to: *to },
        _ => return Err(Slip::whole("expected a comparison, or a predicate such as `sorted(a)`")),
    };
    fits(&meaning, vars).map_err(|(message, which)| Slip::new(places[which].1.clone(), message))?;
    Ok(meaning)
}

/// Checks that the predicate of a clause is applicable to its arguments. The error contains the reason, and the index
/// of the unsuitable argument.
pub(crate) fn fits(meaning: &Meaning, vars: &[Var]) -> Result<(), (String, usize)> {
    match meaning {
        Meaning::Compare { .. } => Ok(()),
        Meaning::List { property, var } => list_fits(*property, &vars[*var]).map_err(|message| (message, 0)),
        Meaning::Graph { from, to, .. } => graph_fits(&vars[*from], &vars[*to]),
    }
}

fn list_fits(property: Property, var: &Var) -> Result<(), String> {
    let name = &var.name;
    match (property, &var.kind) {
        (Property::Sorted, ValueKind::Choice { .. }) => {
            Err(format!("the words listed for `{name}` have no order, so `sorted` does not apply to `{name}`"))
        }
        (Property::Permutation, ValueKind::Int(_))
            if var.in_block && !var.same_in_rows && var.shape() == Shape::List =>
        {
            Err(format!("the range of `{name}` changes from row to row, so `{name}` cannot be a permutation"))
        }
        (Property::Permutation, ValueKind::Int(_)) => Ok(()),
        (Property::Permutation, _) => {
            Err(format!("`{name}` does not consist of integers, so it cannot be a permutation"))
        }
        _ => Ok(()),
    }
}

fn graph_fits(from: &Var, to: &Var) -> Result<(), (String, usize)> {
    for (which, var) in [from, to].into_iter().enumerate() {
        if !var.is_int() {
            return Err((
                format!("`{}` does not consist of integers, so its values cannot be vertices", var.name),
                which,
            ));
        }
        if var.shape() == Shape::List && var.in_block && !var.same_in_rows {
            return Err((
                format!("the range of `{}` changes from row to row, so its values cannot be vertices", var.name),
                which,
            ));
        }
    }
    let same_length = from.length.as_ref().map(|length| &length.expr) == to.length.as_ref().map(|length| &length.expr);
    let together = from.name != to.name && from.in_block == to.in_block && same_length;
    if !together || from.in_block && from.item != to.item {
        let message = format!(
            "`{}` and `{}` must be two different lists of the same length, both outside of blocks or both in the same \
             block",
            from.name, to.name
        );
        return Err((message, 1));
    }
    if from.range() != to.range() {
        let message =
            format!("`{}` and `{}` must have the same range, which defines the graph's vertices", from.name, to.name);
        return Err((message, 1));
    }
    Ok(())
}

/// Returns the index of the item after which a clause can be evaluated, and the index of the block if the clause
/// applies to each row of a block.
fn when(meaning: &Meaning, vars: &[Var], folds: &[Fold]) -> Result<(usize, Option<usize>), Slip> {
    let (left, right) = match meaning {
        Meaning::Compare { left, right, .. } => (left, right),
        Meaning::List { var, .. } => return Ok((vars[*var].item, None)),
        Meaning::Graph { from, to, .. } => return Ok((vars[*from].item.max(vars[*to].item), None)),
    };
    let names: Vec<usize> = [left.own_names(), right.own_names()].concat();
    let folded = [left.folds(), right.folds()].concat().into_iter().filter_map(|fold| match folds[fold].source {
        FoldSource::Own(var) => Some(var),
        FoldSource::Given(_) => None,
    });
    let ready = names.iter().copied().chain(folded).map(|var| vars[var].item).max().unwrap_or(0);
    let mut rows = None;
    for var in names.into_iter().filter(|var| vars[*var].in_block) {
        if rows.is_some_and(|block| block != vars[var].item) {
            let message = format!(
                "`{}` is in a different block from an earlier name in this comparison; a comparison can use values \
                 from only one block",
                vars[var].name
            );
            return Err(Slip::whole(message));
        }
        rows = Some(vars[var].item);
    }
    Ok((ready, rows))
}
