//! Resolves names in a description. An expression can use only names that are declared before it.

use std::ops::Range;

use indexmap::IndexMap;

use super::expr::{Expr, NumberName};
use super::fold::{Fold, FoldKind, FoldSource};
use super::grammar::Resolver;
use super::layout::{Layout, Shape, Var};
use super::raw::Slip;

/// The position of an expression in the description.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Here<'a> {
    /// The expression is in the bounds or the length of this name, in this item.
    Bound { item: usize, name: &'a str },
    /// The expression is in the `repeat` of this item.
    Count { item: usize },
    /// The expression is in a clause, after all items.
    Clause,
}

/// The [`Resolver`] of a description, which also collects the folds in use.
pub(crate) struct Names<'a> {
    pub(crate) vars: &'a [Var],
    pub(crate) folds: &'a mut Vec<Fold>,
    pub(crate) given: Option<&'a Layout>,
    /// All names of the description in the order of the input, including those that are not declared yet, each with the
    /// text of its length and values.
    pub(crate) all: &'a IndexMap<String, String>,
    pub(crate) here: Here<'a>,
}

impl Resolver for Names<'_> {
    fn name(&mut self, name: &str, range: Range<usize>) -> Result<Expr, Slip> {
        if let Some(at) = self.own(name) {
            return self.own_number(at, range).map(|()| Expr::Name(NumberName::Own(at)));
        }
        if let Some((at, var)) = self.given_var(name) {
            return match (var.shape(), var.is_int()) {
                (Shape::One, true) => Ok(Expr::Name(NumberName::Given(at))),
                (_, true) => Err(needs_fold(name, range)),
                (_, false) => Err(no_number(name, range)),
            };
        }
        Err(self.unknown(name, range))
    }

    fn fold(&mut self, function: &str, name: &str, range: Range<usize>, of: Option<Expr>) -> Result<Expr, Slip> {
        let (source, var) = self.list(function, name, range.clone())?;
        if !var.is_int() && (function != "count" || of.is_some()) {
            return Err(no_number(name, range));
        }
        if let (FoldSource::Own(_), Some(item)) = (source, self.item())
            && var.item == item
        {
            let message = format!(
                "the values of `{name}` are not complete here; use `{function}({name})` only after the line or block \
                 that declares `{name}`"
            );
            return Err(Slip::new(range, message));
        }
        if let (FoldSource::Own(at), Some(of)) = (source, &of) {
            self.known_before(of, at, &range)?;
        }
        if let (FoldSource::Given(_), Some(of)) = (source, &of) {
            self.known_at_the_start(of, &range)?;
        }
        let kind = match (function, of) {
            ("sum", _) => FoldKind::Sum,
            ("xor", _) => FoldKind::Xor,
            ("min", _) => FoldKind::Least,
            ("max", _) => FoldKind::Greatest,
            (_, None) => FoldKind::Count,
            (_, Some(of)) => FoldKind::CountOf(of),
        };
        Ok(Expr::Fold(self.remember(Fold { source, kind })))
    }
}

impl Names<'_> {
    /// Returns the list with this name. `function` is the function that is applied to it, for error messages.
    pub(crate) fn list(&self, function: &str, name: &str, range: Range<usize>) -> Result<(FoldSource, &Var), Slip> {
        let (source, var) = match (self.own(name), self.given_var(name)) {
            (Some(at), _) => (FoldSource::Own(at), &self.vars[at]),
            (None, Some((at, var))) => (FoldSource::Given(at), var),
            (None, None) => return Err(self.unknown(name, range)),
        };
        if var.shape() == Shape::One {
            return Err(Slip::new(range, format!("`{name}` is a single value, but `{function}` expects a list")));
        }
        Ok((source, var))
    }

    fn own(&self, name: &str) -> Option<usize> {
        self.vars.iter().position(|var| var.name == name)
    }

    fn given_var(&self, name: &str) -> Option<(usize, &Var)> {
        let layout = self.given?;
        let at = layout.find(name)?;
        Some((at, &layout.vars[at]))
    }

    fn item(&self) -> Option<usize> {
        match self.here {
            Here::Bound { item, .. } | Here::Count { item } => Some(item),
            Here::Clause => None,
        }
    }

    /// Returns the index of a fold of the description. Adds the fold if it is new.
    fn remember(&mut self, fold: Fold) -> usize {
        if let Some(at) = self.folds.iter().position(|known| *known == fold) {
            return at;
        }
        self.folds.push(fold);
        self.folds.len() - 1
    }

    /// Checks that this variable stands for a single number at the position of the expression.
    fn own_number(&self, at: usize, range: Range<usize>) -> Result<(), Slip> {
        let var = &self.vars[at];
        if !var.is_int() {
            return Err(no_number(&var.name, range));
        }
        let same_block = self.item().is_none_or(|item| item == var.item);
        match var.shape() {
            Shape::One => Ok(()),
            Shape::List if var.in_block && same_block && !matches!(self.here, Here::Count { .. }) => Ok(()),
            _ => Err(needs_fold(&var.name, range)),
        }
    }

    /// Checks that `v` in `count(a, v)` is known before `a`, since the occurrences are counted while `a` is read.
    fn known_before(&self, of: &Expr, at: usize, range: &Range<usize>) -> Result<(), Slip> {
        let late = of.own_names().into_iter().find(|name| *name >= at || self.vars[*name].in_block);
        let late_fold = of.folds().into_iter().find_map(|fold| match self.folds[fold].source {
            FoldSource::Own(name) if self.vars[name].item >= self.vars[at].item => Some(name),
            _ => None,
        });
        match late.or(late_fold) {
            None => Ok(()),
            Some(name) => Err(Slip::new(
                range.clone(),
                format!(
                    "the value counted in `{1}` must not depend on `{0}`, which is not known before `{1}` is read",
                    self.vars[name].name, self.vars[at].name
                ),
            )),
        }
    }

    /// Checks that `v` in `count(a, v)` does not depend on the answer if `a` is a list of the input.
    fn known_at_the_start(&self, of: &Expr, range: &Range<usize>) -> Result<(), Slip> {
        let own_fold = of.folds().into_iter().any(|fold| matches!(self.folds[fold].source, FoldSource::Own(_)));
        if of.own_names().is_empty() && !own_fold {
            return Ok(());
        }
        Err(Slip::new(range.clone(), "the value counted in a list in the input must not depend on the answer"))
    }

    fn unknown(&self, name: &str, range: Range<usize>) -> Slip {
        if let Here::Bound { name: itself, .. } = self.here
            && itself == name
        {
            return Slip::new(range, format!("`{name}` depends on its own value"));
        }
        if self.all.contains_key(name) {
            let slip = Slip::new(range, format!("`{name}` is declared later, so it cannot be used here"));
            return match self.here {
                Here::Bound { name: itself, .. } if self.leads(name, itself) => {
                    Slip { message: format!("`{itself}` and `{name}` depend on each other"), ..slip }
                }
                _ => slip,
            }
            .help("bounds and counts can use only names declared earlier; write other conditions as `where` clauses");
        }
        if super::grammar::FOLDS.contains(&name) {
            return Slip::new(range, format!("`{name}` is a function; write `{name}(…)`"));
        }
        if super::clause::PREDICATES.contains(&name) {
            return Slip::new(range, format!("`{name}` is a predicate; use it as a separate `where` clause"));
        }
        let given = self.given.iter().flat_map(|layout| layout.vars.iter());
        let known = self.vars.iter().chain(given).map(|var| var.name.as_str());
        Slip::new(range, format!("unknown name `{name}`")).nearest(name, known)
    }

    /// Returns whether the length or the values of `from` depend on `to`, directly or indirectly.
    fn leads(&self, from: &str, to: &str) -> bool {
        let mut seen = Vec::new();
        let mut open = vec![from];
        while let Some(name) = open.pop() {
            if name == to {
                return true;
            }
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let text = self.all.get(name).map_or("", String::as_str);
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            open.extend(words.filter(|word| self.all.contains_key(*word)));
        }
        false
    }
}

fn needs_fold(name: &str, range: Range<usize>) -> Slip {
    Slip::new(range, format!("`{name}` is a list, but a single number is expected here")).help(format!(
        "convert the list to a number with `sum({name})`, `count({name})`, `min({name})`, `max({name})` or \
         `xor({name})`"
    ))
}

fn no_number(name: &str, range: Range<usize>) -> Slip {
    Slip::new(range, format!("`{name}` does not consist of integers, so it cannot be used as a number"))
}
