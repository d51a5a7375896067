//! Narrows a description to the ranges of a test group, which must be within the ranges of the description.

use std::sync::Arc;

use indexmap::IndexMap;

use super::clause::{Meaning, fits};
use super::description::Description;
use super::expr::Expr;
use super::kind::{self, Place};
use super::layout::{Range, ValueKind, Var, class};
use super::names::{Here, Names};
use super::raw::{At, DescriptionError, RawValue, Slip};

type Span<'a> = &'a dyn Fn(&Expr) -> Option<(i128, i128)>;

impl Description {
    /// Returns this description with narrower ranges for some names.
    ///
    /// If it is not known in advance whether a new range is within the old one (`1..=5` within `1..=n`), both ranges
    /// apply. Instances of the narrowed description are instances of this description.
    ///
    /// # Errors
    /// Returns an error if a name is unknown, if new values are not among the old ones, or if a clause does not support
    /// a new range.
    pub fn narrow(&self, ranges: &IndexMap<String, RawValue>) -> Result<Description, DescriptionError> {
        let mut layout = (*self.layout).clone();
        let mut folds = self.folds.clone();
        let all = self.texts();
        for (name, value) in ranges {
            let at = || At::Override(name.clone());
            let Some(var) = layout.find(name) else {
                let slip = Slip::whole(format!("`input` declares no variable `{name}`")).nearest(name, self.names());
                return Err(slip.at(at()));
            };
            let before = &layout.vars[..var];
            let given = self.given.as_deref();
            let here = Here::Bound { item: layout.vars[var].item, name };
            let mut names = Names { vars: before, folds: &mut folds, given, all: &all, here };
            let place = Place { vars: before, given };
            let old = &layout.vars[var];
            let kind = narrowed(old, value, &place, &mut names).map_err(|slip| slip.at(at()))?;
            let same_in_rows = !old.in_block || kind::same_in_rows(&kind, old.item, before);
            let text = value.to_string();
            layout.vars[var] = Var { kind, same_in_rows, text, ..old.clone() };
        }
        for at in 0..layout.vars.len() {
            let place = Place { vars: &layout.vars[..at], given: self.given.as_deref() };
            layout.vars[at].span = kind::span(&layout.vars[at].kind, &place);
        }
        for clause in &self.clauses {
            if let Err((message, _)) = fits(&clause.meaning, &layout.vars) {
                let vars = match &clause.meaning {
                    Meaning::Compare { .. } => Vec::new(),
                    Meaning::List { var, .. } => vec![*var],
                    Meaning::Graph { from, to, .. } => vec![*from, *to],
                };
                let mut named = vars.iter().map(|var| &layout.vars[*var].name);
                let name = named.find(|name| ranges.contains_key(*name)).or_else(|| ranges.keys().next());
                let help = format!("choose ranges that are compatible with the clause `{}`", clause.text);
                return Err(Slip::whole(message).help(help).at(At::Override(name.cloned().unwrap_or_default())));
            }
        }
        let given = self.given.as_ref().map(Arc::clone);
        Ok(Description::assemble(layout, folds, self.clauses.clone(), given))
    }
}

fn narrowed(old: &Var, value: &RawValue, place: &Place<'_>, names: &mut Names<'_>) -> Result<ValueKind, Slip> {
    if let ValueKind::Choice { words, allowed } = &old.kind {
        return fewer_words(words, allowed, value);
    }
    let new = kind::parse(value, place, names)?;
    let text = old.text.as_str();
    let span = |expr: &Expr| expr.span(&|name| kind::span_of(name, place.vars, place.given));
    match (&old.kind, new) {
        (ValueKind::Int(old), ValueKind::Int(new)) => inside(old, new, &span, text).map(ValueKind::Int),
        (ValueKind::Word { letters, length }, ValueKind::Word { letters: fewer, length: new }) => {
            if let Some(strange) = fewer.iter().find(|letter| !letters.contains(letter)) {
                let strange = char::from(*strange);
                return Err(Slip::whole(format!("`input` does not allow the letter `{strange}` here"))
                    .help(format!("choose letters from those that `input` allows: `{}`", class(letters))));
            }
            inside(length, new, &span, text).map(|length| ValueKind::Word { letters: fewer, length })
        }
        (ValueKind::Real { lo, hi, places }, ValueKind::Real { lo: new_lo, hi: new_hi, places: new_places }) => {
            if *places != new_places {
                let digits = kind::digits(*places);
                return Err(Slip::whole(format!(
                    "expected {places} {digits} after the decimal point, as declared in `input`"
                )));
            }
            if new_lo < *lo || new_hi > *hi {
                return Err(Slip::whole("this range is not within the range declared in `input`")
                    .help(format!("choose a range within `{}`", old.text)));
            }
            Ok(ValueKind::Real { lo: new_lo, hi: new_hi, places: new_places })
        }
        _ => Err(Slip::whole(format!(
            "expected the kind of value that `input` declares for `{}`: `{}`",
            old.name, old.text
        ))),
    }
}

fn fewer_words(words: &[String], allowed: &[usize], value: &RawValue) -> Result<ValueKind, Slip> {
    let wanted = match value {
        RawValue::Words(wanted) => wanted.as_slice(),
        RawValue::Text(word) => std::slice::from_ref(word),
    };
    let mut fewer = Vec::new();
    for word in wanted {
        match words.iter().position(|known| known == word).filter(|at| allowed.contains(at)) {
            Some(at) => fewer.push(at),
            None => {
                let known = allowed.iter().map(|at| words[*at].as_str());
                return Err(
                    Slip::whole(format!("`{word}` is not one of the words declared in `input`")).nearest(word, known)
                );
            }
        }
    }
    if fewer.is_empty() {
        return Err(Slip::whole("expected at least one word, found an empty list"));
    }
    fewer.sort_unstable();
    fewer.dedup();
    Ok(ValueKind::Choice { words: words.to_vec(), allowed: fewer })
}

/// Returns the intersection of two ranges, or an error if the new range is known to exceed the old one. `text` is the
/// text of the old range, for messages.
fn inside(old: &Range, new: Range, span: Span<'_>, text: &str) -> Result<Range, Slip> {
    let leaves = |message: &str| Err(Slip::whole(message).help(format!("choose a range within `{text}`")));
    let low = (span(&new.lo), span(&old.lo));
    let high = (span(&new.hi), span(&old.hi));
    if let (Some((_, most)), Some((least, _))) = low
        && most < least
    {
        return leaves("this range begins below the range declared in `input`");
    }
    if let (Some((least, _)), Some((_, most))) = high
        && least > most
    {
        return leaves("this range ends above the range declared in `input`");
    }
    let lo = match low {
        _ if new.lo == old.lo => new.lo,
        (Some((least, _)), Some((_, most))) if least >= most => new.lo,
        _ => Expr::Greatest(vec![new.lo, old.lo.clone()]),
    };
    let hi = match high {
        _ if new.hi == old.hi => new.hi,
        (Some((_, most)), Some((least, _))) if most <= least => new.hi,
        _ => Expr::Least(vec![new.hi, old.hi.clone()]),
    };
    if let (Some((least, _)), Some((_, most))) = (span(&lo), span(&hi))
        && least > most
    {
        return leaves("this range and the range declared in `input` are disjoint");
    }
    Ok(Range { lo, hi })
}
