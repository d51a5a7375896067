//! Formats Grundy values: a table with remarks for the terminal, and JSON.

use serde_json::json;

use crate::games::grundy::{Certificate, GrundyTable, Period};

use super::text::right;
use super::theme::{Paint, Theme};

/// A table of Grundy values, with the rules of its game.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// The rules as the user wrote them.
    pub rules: &'a str,
    /// The table of values, with the period if one was found.
    pub table: &'a GrundyTable,
    /// The criterion that proves a period of these rules.
    pub certificate: Certificate,
}

impl Values<'_> {
    /// Returns a JSON object with the rules, values, pre-period and period, and whether the period is certified. Keys
    /// without a value are null.
    pub fn json(&self) -> serde_json::Value {
        let period = self.table.period;
        json!({
            "rules": self.rules,
            "values": self.table.values,
            "preperiod": period.map(|period| period.preperiod),
            "period": period.map(|period| period.period),
            "certified": period.map(|period| period.certified),
        })
    }

    /// Returns a title, the table in at most `width` columns if its numbers fit, and the remarks.
    pub fn text(&self, width: usize, theme: Theme) -> String {
        let last = self.table.values.len().saturating_sub(1);
        let title = format!("{}: Grundy values of heaps of size 0 to {last}", self.rules);
        let mut lines = vec![theme.paint(Paint::Strong, title), String::new()];
        lines.extend(self.rows(width, theme));
        lines.push(String::new());
        lines.extend(self.remarks().iter().flat_map(|remark| super::text::wrap(remark, width)));
        lines.join("\n")
    }

    fn rows(&self, width: usize, theme: Theme) -> Vec<String> {
        let values = &self.table.values;
        let last = values.len().saturating_sub(1);
        let label = digits(last);
        let largest = values.iter().copied().max().unwrap_or(0) as usize;
        let fits = |columns: usize| {
            let cell = digits(largest).max(digits(columns - 1)) + 1;
            label + 1 + columns * cell <= width
        };
        // If each row contains one period, the repetition is visible in the columns.
        let period = self.table.period.map(|period| period.period).filter(|period| (4..=64).contains(period));
        let columns = period.into_iter().chain([20, 10, 5, 2]).find(|columns| fits(*columns)).unwrap_or(1);
        let cell = digits(largest).max(digits(columns - 1)) + 1;
        let head: String = (0..columns.min(last + 1)).map(|column| right(&column.to_string(), cell)).collect();
        let mut lines = vec![theme.paint(Paint::Faint, format!("{} {head}", " ".repeat(label)))];
        for (row, chunk) in values.chunks(columns).enumerate() {
            let first = row * columns;
            let mut line = theme.paint(Paint::Faint, right(&first.to_string(), label)) + " ";
            for (column, value) in chunk.iter().enumerate() {
                let text = right(&value.to_string(), cell);
                line += &match self.kind(first + column, *value) {
                    Some(paint) => theme.paint(paint, text),
                    None => text,
                };
            }
            lines.push(line);
        }
        lines
    }

    /// Returns the color of a value that belongs to a losing heap or is an exception to the period; `None` for other
    /// values.
    fn kind(&self, size: usize, value: u32) -> Option<Paint> {
        match value {
            0 => Some(Paint::Good),
            _ => self.is_exception(size, value).then_some(Paint::Limit),
        }
    }

    fn is_exception(&self, size: usize, value: u32) -> bool {
        self.table.period.is_some_and(|period| {
            // The value is compared with the value of the corresponding heap in the first period.
            let behind = period.preperiod.saturating_sub(size).div_ceil(period.period.max(1));
            let place = size + behind * period.period;
            size < period.preperiod && self.table.values.get(place).is_some_and(|later| *later != value)
        })
    }

    /// Returns remarks on losing heaps, the largest value and the period.
    pub fn remarks(&self) -> Vec<String> {
        let values = &self.table.values;
        let zeros: Vec<usize> = (0..values.len()).filter(|size| values[*size] == 0).collect();
        let shown: Vec<String> = zeros.iter().take(12).map(usize::to_string).collect();
        let more = if zeros.len() > shown.len() { format!(", … ({} in total)", zeros.len()) } else { String::new() };
        let largest = values.iter().copied().max().unwrap_or(0);
        let at = values.iter().position(|value| *value == largest).unwrap_or(0);
        vec![
            format!("Losing heaps (value 0): {}{more}.", shown.join(", ")),
            format!("Largest value: {largest}, first at heap size {at}."),
            self.about_period(),
        ]
    }

    fn about_period(&self) -> String {
        let Some(Period { preperiod, period, certified }) = self.table.period else {
            return "No period was found.".to_owned();
        };
        let from = format!("Period {period} from heap size {preperiod} on");
        match (certified, self.certificate) {
            (false, _) => format!("{from} in the computed values, not certified."),
            (true, Certificate::Window(window)) => {
                format!("{from}, certified: each value depends on at most {window} preceding values, which repeat.")
            }
            (true, Certificate::GuySmith(most)) => {
                let until = 2 * preperiod + period + most;
                format!(
                    "{from}, certified: g(n + {period}) = g(n) for all n from {preperiod} to {}, which proves the \
                     period (Guy and Smith 1956).",
                    until - 1
                )
            }
            (true, Certificate::None) => format!("{from}, certified by a closed form of the values."),
        }
    }
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::grundy::HeapGame;

    fn shown(rules: &str, to: usize, width: usize) -> String {
        let game: HeapGame = rules.parse().unwrap();
        let table = game.table(to).unwrap();
        Values { rules, table: &table, certificate: game.certificate() }.text(width, Theme::plain())
    }

    #[test]
    fn rows_have_the_length_of_the_period() {
        insta::assert_snapshot!(shown("octal 0.77", 95, 60), @r"
        octal 0.77: Grundy values of heaps of size 0 to 95

             0  1  2  3  4  5  6  7  8  9 10 11
         0   0  1  2  3  1  4  3  2  1  4  2  6
        12   4  1  2  7  1  4  3  2  1  4  6  7
        24   4  1  2  8  5  4  7  2  1  8  6  7
        36   4  1  2  3  1  4  7  2  1  8  2  7
        48   4  1  2  8  1  4  7  2  1  4  2  7
        60   4  1  2  8  1  4  7  2  1  8  6  7
        72   4  1  2  8  1  4  7  2  1  8  2  7
        84   4  1  2  8  1  4  7  2  1  8  2  7

        Losing heaps (value 0): 0.
        Largest value: 8, first at heap size 27.
        Period 12 from heap size 71 on, certified: g(n + 12) = g(n)
        for all n from 71 to 155, which proves the period (Guy and
        Smith 1956).
        ");
    }

    #[test]
    fn narrow_terminals_get_shorter_rows() {
        insta::assert_snapshot!(shown("octal 0.77", 24, 24), @r"
        octal 0.77: Grundy values of heaps of size 0 to 24

            0 1 2 3 4 5 6 7 8 9
         0  0 1 2 3 1 4 3 2 1 4
        10  2 6 4 1 2 7 1 4 3 2
        20  1 4 6 7 4

        Losing heaps (value 0):
        0.
        Largest value: 7, first
        at heap size 15.
        Period 12 from heap size
        71 on, certified: g(n +
        12) = g(n) for all n
        from 71 to 155, which
        proves the period (Guy
        and Smith 1956).
        ");
    }

    #[test]
    fn unproved_period_is_not_reported() {
        insta::assert_snapshot!(shown("grundy", 30, 100), @r"
        grundy: Grundy values of heaps of size 0 to 30

             0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19
         0   0  0  0  1  0  2  1  0  2  1  0  2  1  3  2  1  3  2  4  3
        20   0  4  3  0  4  3  0  4  1  2  3

        Losing heaps (value 0): 0, 1, 2, 4, 7, 10, 20, 23, 26.
        Largest value: 4, first at heap size 18.
        No period was found.
        ");
        insta::assert_snapshot!(shown("take 1 3 4", 0, 10), @r"
        take 1 3 4: Grundy values of heaps of size 0 to 0

           0
        0  0

        Losing
        heaps
        (value 0):
        0.
        Largest
        value: 0,
        first at
        heap size
        0.
        Period 7
        from heap
        size 0 on,
        certified:
        each value
        depends on
        at most 5
        preceding
        values,
        which
        repeat.
        ");
    }

    #[test]
    fn exceptional_values_have_own_color() {
        let game: HeapGame = "octal 0.77".parse().unwrap();
        let table = game.table(95).unwrap();
        let values = Values { rules: "octal 0.77", table: &table, certificate: game.certificate() };
        let exceptions: Vec<usize> = (0..95).filter(|size| values.is_exception(*size, table.values[*size])).collect();
        // These are the fourteen exceptional values of Kayles in "Winning Ways", chapter 4.
        assert_eq!(exceptions, [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]);
    }

    #[test]
    fn json_has_null_for_missing_values() {
        let game: HeapGame = "nim".parse().unwrap();
        let table = game.table(3).unwrap();
        let values = Values { rules: "nim", table: &table, certificate: game.certificate() };
        insta::assert_snapshot!(values.json(), @r#"{"certified":null,"period":null,"preperiod":null,"rules":"nim","values":[0,1,2,3]}"#);
    }
}
