//! Determines which ends of their ranges the values of an input reach. A bound that no test case reaches is untested.

use super::description::Description;
use super::expr::Known;
use super::instance::{CellValue, Instance};
use super::layout::ValueKind;

/// The ends of a variable's range that the values of an input reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Name of the variable in the description.
    pub name: String,
    /// Whether a value equals the least possible value; for words, whether a word has the least possible length.
    pub least: bool,
    /// Whether a value equals the greatest possible value; for words, whether a word has the greatest possible length.
    pub greatest: bool,
}

impl Description {
    /// Returns bounds on the values of an integer variable in all inputs, or `None` if the description does not
    /// determine them.
    pub fn span(&self, name: &str) -> Option<(i128, i128)> {
        self.layout.vars[self.layout.find(name)?].span
    }

    /// Returns, for every name except choices of words, which ends of the name's range the input `instance` reaches. If
    /// an end depends on other values (`1..=n`), its extreme over all inputs is used if the description determines it,
    /// and otherwise its value in `instance`.
    pub fn reach(&self, instance: &Instance) -> Vec<Reach> {
        let mut all = Vec::new();
        for (at, var) in self.layout.vars.iter().enumerate() {
            if matches!(var.kind, ValueKind::Choice { .. }) {
                continue;
            }
            let mut reach = Reach { name: var.name.clone(), least: false, greatest: false };
            let column = instance.column(at);
            let known = Known { columns: &instance.columns, row: 0, folds: &[], given: None };
            let folds = self.fold_all(&known, var.item);
            let span = var.span.unwrap_or((i128::MIN, i128::MAX));
            for place in 0..column.len() {
                let known = Known { row: column.row_of(place), folds: &folds, ..known };
                let ends = match var.span {
                    Some(span) => span,
                    None => var.bounds(&known).map_or(span, |(lo, hi)| (lo.into(), hi.into())),
                };
                let value = match column.cell(place) {
                    Some(CellValue::Number(number)) => i128::from(number),
                    Some(CellValue::Text(word)) => word.len() as i128,
                    None => continue,
                };
                reach.least |= value == ends.0;
                reach.greatest |= value == ends.1;
            }
            all.push(reach);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::describe;

    #[test]
    fn reached_ends_are_reported() {
        let description =
            describe("n: 1..=3; c: [Yes, No]\na[n]: 0..=n\ns: word ab 1..=4; r: real 0..=1 places 1; x: n/2..=n");
        let reach = |bytes: &[u8]| {
            let instance = description.read(bytes, None).unwrap();
            let ends = description.reach(&instance).into_iter().map(|r| (r.name, r.least, r.greatest));
            ends.map(|(name, least, greatest)| {
                format!("{name}{}{}", if least { "<" } else { "" }, if greatest { ">" } else { "" })
            })
            .collect::<Vec<_>>()
            .join(" ")
        };
        assert_eq!(reach(b"1 Yes\n1\na 0.5 0\n"), "n< a s< r x<");
        assert_eq!(reach(b"3 No\n0 3 1\nabab 1.0 3\n"), "n> a<> s> r> x>");
        assert_eq!(description.span("a"), Some((0, 3)));
        assert_eq!(description.span("s"), None);
    }
}
