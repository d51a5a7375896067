//! Builds instances from values and from other instances.

use std::sync::Arc;

use super::description::Description;
use super::expr::{Expr, NumberName};
use super::instance::{Cells, Column, Instance, Real, Value};
use super::layout::{Shape, ValueKind, Var};

impl Description {
    /// Returns the count expression of the block that contains the variable `name`, or `None` if no block contains such
    /// a variable.
    pub fn repeat(&self, name: &str) -> Option<&str> {
        let var = &self.layout.vars[self.layout.find(name)?];
        let repeat = self.layout.items[var.item].repeat.as_ref()?;
        var.in_block.then_some(repeat.text.as_str())
    }

    /// Returns the length expression of the variable `name`, such as `n` for `a[n]`; `None` if it is declared without a
    /// length.
    pub fn length(&self, name: &str) -> Option<&str> {
        self.layout.vars[self.layout.find(name)?].length.as_ref().map(|length| length.text.as_str())
    }

    /// Returns whether `name` is a variable whose values are integers.
    pub fn is_integer(&self, name: &str) -> bool {
        self.layout.find(name).is_some_and(|var| self.layout.vars[var].is_int())
    }

    /// Builds an instance from the value that `value` returns for each name. If `value` returns `None`, the name has no
    /// values in the instance. The result is not validated. Returns `None` if the type or shape of a value differs from
    /// the declaration of its name, or if a word is not in the name's list of words.
    pub fn fill(&self, value: &dyn Fn(&str) -> Option<Value>) -> Option<Instance> {
        let columns = self.layout.vars.iter().map(|var| match value(&var.name) {
            Some(value) => column(var, value),
            None => Some(Column::new(&var.kind)),
        });
        Some(Instance { layout: Arc::clone(&self.layout), columns: columns.collect::<Option<_>>()? })
    }

    /// Returns the name of the row count if the description consists of a row count and one block with that number of
    /// rows: for example, `n` if a line `n: 1..=500` is followed by a block with `repeat: n`. Inputs of a description
    /// with this form can be joined.
    pub fn joint(&self) -> Option<&str> {
        let [head, block] = self.layout.items.as_slice() else { return None };
        let [only] = head.lines.as_slice() else { return None };
        match (only.as_slice(), &block.repeat) {
            ([var], Some(repeat)) if head.repeat.is_none() && repeat.expr == Expr::Name(NumberName::Own(*var)) => {
                Some(&self.layout.vars[*var].name)
            }
            _ => None,
        }
    }

    /// Returns one input with the rows of all `instances`, or `None` if inputs of this description cannot be joined.
    /// See [`Description::joint`].
    pub fn join(&self, instances: &[Instance]) -> Option<Instance> {
        let count = self.layout.find(self.joint()?)?;
        let mut columns: Vec<Column> = self.layout.vars.iter().map(|var| Column::new(&var.kind)).collect();
        let mut rows = 0;
        for instance in instances {
            rows += instance.column(count).numbers().first().copied()?;
            for (at, joined) in columns.iter_mut().enumerate().filter(|(at, _)| *at != count) {
                let before = joined.len();
                let from = instance.column(at);
                match (&mut joined.cells, &from.cells) {
                    (Cells::Numbers(all), Cells::Numbers(more)) => all.extend(more),
                    (Cells::Texts(all), Cells::Texts(more)) => all.extend(more.iter().cloned()),
                    _ => return None,
                }
                joined.ends.extend(from.ends.iter().map(|end| end + before));
            }
        }
        columns[count].cells = Cells::Numbers(vec![rows]);
        Some(Instance { layout: Arc::clone(&self.layout), columns })
    }
}

fn column(var: &Var, value: Value) -> Option<Column> {
    let mut column = Column::new(&var.kind);
    let rows = matches!(value, Value::IntRows(_) | Value::WordRows(_) | Value::RealRows(_));
    if rows != (var.shape() == Shape::Rows) {
        return None;
    }
    let mut end = 0;
    let mut row = |length: usize| {
        end += length;
        end
    };
    let cells = match value {
        Value::Int(one) => numbers(var, vec![one])?,
        Value::Ints(list) => numbers(var, list)?,
        Value::IntRows(list) => {
            column.ends = list.iter().map(|numbers| row(numbers.len())).collect();
            numbers(var, list.concat())?
        }
        Value::Word(one) => words(var, vec![one])?,
        Value::Words(list) => words(var, list)?,
        Value::WordRows(list) => {
            column.ends = list.iter().map(|words| row(words.len())).collect();
            words(var, list.concat())?
        }
        Value::Real(one) => reals(var, &[one])?,
        Value::Reals(list) => reals(var, &list)?,
        Value::RealRows(list) => {
            column.ends = list.iter().map(|reals| row(reals.len())).collect();
            reals(var, &list.concat())?
        }
    };
    column.cells = cells;
    Some(column)
}

fn numbers(var: &Var, list: Vec<i64>) -> Option<Cells> {
    var.is_int().then_some(Cells::Numbers(list))
}

fn words(var: &Var, list: Vec<String>) -> Option<Cells> {
    match &var.kind {
        ValueKind::Word { .. } => Some(Cells::Texts(list)),
        ValueKind::Choice { words, .. } => {
            let place = |word: &String| words.iter().position(|known| known == word);
            let places = list.iter().map(|word| i64::try_from(place(word)?).ok());
            places.collect::<Option<_>>().map(Cells::Numbers)
        }
        _ => None,
    }
}

fn reals(var: &Var, list: &[Real]) -> Option<Cells> {
    let ValueKind::Real { places, .. } = &var.kind else { return None };
    list.iter().all(|real| real.places == *places).then(|| Cells::Numbers(list.iter().map(|real| real.units).collect()))
}

#[cfg(test)]
mod tests {
    use super::super::sample::{FORMATS, describe, describe_answer};
    use super::*;
    use crate::Rng;
    use crate::model::Digest;

    #[test]
    fn instance_is_rebuilt_from_its_values() {
        let mut rng = Rng::from_digest(&Digest::of(b"fill"));
        for format in FORMATS {
            let description = describe(format);
            if let Ok(instance) = description.generate(&mut rng) {
                assert_eq!(description.fill(&|name| instance.value(name)), Some(instance.clone()), "{format}");
            }
        }
    }

    #[test]
    fn an_answer_is_made_from_words() {
        let input = describe("t: 1..=3");
        let answer = describe_answer(&input, "repeat t: winner: [John, Brother]; x: 0..=9");
        let filled = answer.fill(&|name| match name {
            "winner" => Some(Value::Words(vec!["Brother".to_owned(), "John".to_owned()])),
            _ => Some(Value::Ints(vec![4, 5])),
        });
        assert_eq!(filled.unwrap().to_bytes(&answer), b"Brother 4\nJohn 5\n");
        assert!(answer.fill(&|_| Some(Value::Words(vec!["Jim".to_owned()]))).is_none());
        assert!(answer.fill(&|_| Some(Value::Int(1))).is_none());
        assert_eq!(answer.repeat("winner"), Some("t"));
    }

    #[test]
    fn inputs_of_one_block_are_joined() {
        let games = describe("t: 1..=500\nrepeat t: n: 1..=50 | a[n]: 0..=50");
        assert_eq!(games.joint(), Some("t"));
        let read = |bytes: &[u8]| games.read(bytes, None).unwrap();
        let joined = games.join(&[read(b"1\n2\n3 4\n"), read(b"2\n1\n5\n3\n6 7 8\n")]).unwrap();
        assert_eq!(joined.to_bytes(&games), b"3\n2\n3 4\n1\n5\n3\n6 7 8\n");
        assert_eq!(games.read(&joined.to_bytes(&games), None), Ok(joined));
        assert_eq!(describe("n: 1..=9\na[n]: 1..=9").joint(), None);
    }
}
