//! Running a grammar on an input.

use std::collections::{BTreeMap, HashMap};

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::model::Diagnostic;

use super::grammar::{Action, Command, Expr, Operator, Variable};
use super::lex;
use super::parse::{self, Wrong};
use super::reader::Reader;

/// The most steps of a run, and the most values that variables may have: a grammar is a stranger's program.
const MOST_STEPS: u64 = 200_000_000;
const MOST_VALUES: usize = 5_000_000;
/// The most memory that a regular expression may take.
const LARGEST_REGEX: usize = 8 << 20;

/// A grammar, read.
#[derive(Debug, Clone)]
pub struct Grammar(Vec<Command>);

impl Grammar {
    /// Reads a grammar. `origin` is its file's name for people.
    ///
    /// # Errors
    /// What is wrong in it, and in which line.
    pub fn parse(origin: &str, text: &str) -> Result<Grammar, Diagnostic> {
        let complaint = |(line, what): Wrong| Diagnostic::new(format!("line {line}: {what}")).in_file(origin);
        let words = lex::words(text).map_err(complaint)?;
        parse::commands(&words).map(Grammar).map_err(complaint)
    }
}

/// Whether an input is as the grammar says; if not, why and where.
///
/// # Errors
/// In words: what was expected at which line and column of the input, and by which line of the grammar.
pub fn check(grammar: &Grammar, input: &[u8]) -> Result<(), String> {
    let reader = Reader { input, at: 0 };
    let mut machine = Machine { reader, values: HashMap::new(), count: 0, steps: 0, regexes: HashMap::new() };
    let done = machine.block(&grammar.0).and_then(|()| machine.end(0));
    done.map_err(|(line, what)| {
        let (row, column) = machine.reader.place();
        let rule = if line > 0 { format!(" (line {line} of the grammar)") } else { String::new() };
        format!("line {row}, column {column}: {what}{rule}")
    })
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
    Truth(bool),
}

/// Values by the indices of a variable; one without indices has none.
type Values = BTreeMap<Vec<i128>, Value>;

struct Machine<'a> {
    reader: Reader<'a>,
    values: HashMap<String, Values>,
    count: usize,
    steps: u64,
    regexes: HashMap<Vec<u8>, (DFA, Cache)>,
}

impl Machine<'_> {
    fn block(&mut self, commands: &[Command]) -> Result<(), Wrong> {
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &Command) -> Result<(), Wrong> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err((command.line, "the grammar takes too many steps".to_owned()));
        }
        let line = command.line;
        let wrong = |what: String| (line, what);
        match &command.what {
            Action::Space => self.exactly(b" ", "a space").map_err(wrong),
            Action::Newline => self.exactly(b"\n", "the end of the line").map_err(wrong),
            Action::End => self.end(line),
            Action::Text(text) => {
                let text = self.text(text).map_err(wrong)?;
                self.exactly(&text, &format!("`{}`", String::from_utf8_lossy(&text))).map_err(wrong)
            }
            Action::Int(..) | Action::Float { .. } => self.number(&command.what).map_err(wrong),
            Action::Regex(pattern, variable) => self.regex(pattern, variable.as_ref()).map_err(wrong),
            Action::Assert(test) => match self.truth(test).map_err(wrong)? {
                true => Ok(()),
                false => Err((line, "an assertion does not hold".to_owned())),
            },
            Action::Set(all) => all.iter().try_for_each(|(variable, value)| {
                let value = self.value(value).map_err(wrong)?;
                self.assign(variable, value).map_err(wrong)
            }),
            Action::Unset(names) => {
                for name in names {
                    self.count -= self.values.remove(name).map_or(0, |values| values.len());
                }
                Ok(())
            }
            Action::Repeat { variable, count, separator, body } => {
                let count = self.whole(count).map_err(wrong)?;
                let count = u32::try_from(count).map_err(|_| wrong(format!("{count} is no number of rounds")))?;
                for round in 0..count {
                    self.round(line, variable.as_ref(), round, separator.as_deref(), body)?;
                }
                self.set_round(variable.as_ref(), count).map_err(wrong)
            }
            Action::While { variable, test, separator, body } => {
                let mut round = 0;
                self.set_round(variable.as_ref(), 0).map_err(wrong)?;
                while self.truth(test).map_err(wrong)? {
                    self.round(line, variable.as_ref(), round, separator.as_deref(), body)?;
                    round += 1;
                    self.set_round(variable.as_ref(), round).map_err(wrong)?;
                }
                Ok(())
            }
            Action::If(test, yes, no) => {
                let branch = if self.truth(test).map_err(wrong)? { yes } else { no };
                self.block(branch)
            }
        }
    }

    fn round(
        &mut self,
        line: usize,
        variable: Option<&Variable>,
        round: u32,
        separator: Option<&Command>,
        body: &[Command],
    ) -> Result<(), Wrong> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err((line, "the grammar takes too many steps".to_owned()));
        }
        if let (Some(separator), true) = (separator, round > 0) {
            self.command(separator)?;
        }
        self.set_round(variable, round).map_err(|what| (line, what))?;
        self.block(body)
    }

    fn set_round(&mut self, variable: Option<&Variable>, round: u32) -> Result<(), String> {
        variable.map_or(Ok(()), |variable| self.assign(variable, Value::Int(i128::from(round))))
    }

    fn exactly(&mut self, text: &[u8], name: &str) -> Result<(), String> {
        if self.reader.take(text) { Ok(()) } else { Err(format!("{name} is expected")) }
    }

    fn end(&self, line: usize) -> Result<(), Wrong> {
        match self.reader.rest() {
            [] => Ok(()),
            _ => Err((line, "the end of the input is expected".to_owned())),
        }
    }

    fn number(&mut self, action: &Action) -> Result<(), String> {
        let start = self.reader.at;
        let (least, most, value, variable) = match action {
            Action::Int(least, most, variable) => {
                let (least, most) = (self.value(least)?, self.value(most)?);
                (least, most, Value::Int(self.reader.int()?), variable)
            }
            Action::Float { least, most, decimals, variable, notation } => {
                let (least, most) = (self.value(least)?, self.value(most)?);
                let decimals = match decimals {
                    Some((least, most)) => Some((self.whole(least)?, self.whole(most)?)),
                    None => None,
                };
                (least, most, Value::Float(self.reader.float(*notation, decimals)?), variable)
            }
            _ => return Err("a number is expected".to_owned()),
        };
        let inside = compare(&least, &value)?.is_le() && compare(&value, &most)?.is_le();
        if !inside {
            self.reader.at = start;
            return Err(format!("a number from {} to {} is expected", shown(&least), shown(&most)));
        }
        variable.as_ref().map_or(Ok(()), |variable| self.assign(variable, value))
    }

    /// Takes the longest match at the place, as extended regular expressions of POSIX have it.
    fn regex(&mut self, pattern: &Expr, variable: Option<&Variable>) -> Result<(), String> {
        let pattern = self.text(pattern)?;
        if !self.regexes.contains_key(&pattern) {
            let text = String::from_utf8(pattern.clone()).map_err(|_| "a regular expression is a text")?;
            let dfa = DFA::builder()
                .configure(DFA::config().match_kind(MatchKind::All))
                .thompson(thompson::Config::new().nfa_size_limit(Some(LARGEST_REGEX)).utf8(false))
                .syntax(syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true))
                .build(&text)
                .map_err(|error| format!("the regular expression can't be read: {error}"))?;
            let cache = dfa.create_cache();
            self.regexes.insert(pattern.clone(), (dfa, cache));
        }
        let Some((dfa, cache)) = self.regexes.get_mut(&pattern) else { return Ok(()) };
        let input = Input::new(self.reader.rest()).anchored(Anchored::Yes);
        let found = dfa.try_search_fwd(cache, &input).map_err(|error| error.to_string())?;
        let Some(found) = found else {
            return Err(format!("what matches `{}` is expected", String::from_utf8_lossy(&pattern)));
        };
        let matched = self.reader.rest()[..found.offset()].to_vec();
        self.reader.at += matched.len();
        variable.map_or(Ok(()), |variable| self.assign(variable, Value::Text(matched)))
    }

    fn assign(&mut self, variable: &Variable, value: Value) -> Result<(), String> {
        let indices = self.indices(variable)?;
        if self.count >= MOST_VALUES {
            return Err("the variables have too many values".to_owned());
        }
        let values = self.values.entry(variable.name.clone()).or_default();
        self.count += usize::from(values.insert(indices, value).is_none());
        Ok(())
    }

    fn indices(&mut self, variable: &Variable) -> Result<Vec<i128>, String> {
        variable.indices.iter().map(|index| self.whole(index)).collect()
    }

    fn whole(&mut self, expr: &Expr) -> Result<i128, String> {
        match self.value(expr)? {
            Value::Int(number) => Ok(number),
            other => Err(format!("{} is no whole number", shown(&other))),
        }
    }

    fn text(&mut self, expr: &Expr) -> Result<Vec<u8>, String> {
        match self.value(expr)? {
            Value::Text(text) => Ok(text),
            other => Err(format!("{} is no text", shown(&other))),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<bool, String> {
        match self.value(expr)? {
            Value::Truth(truth) => Ok(truth),
            other => Err(format!("{} is no test", shown(&other))),
        }
    }

    fn value(&mut self, expr: &Expr) -> Result<Value, String> {
        Ok(match expr {
            Expr::Int(number) => Value::Int(*number),
            Expr::Float(number) => Value::Float(*number),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Variable(variable) => {
                let indices = self.indices(variable)?;
                let value = self.values.get(&variable.name).and_then(|values| values.get(&indices)).cloned();
                value.ok_or_else(|| format!("the variable `{}` has no value there", variable.name))?
            }
            Expr::Length(text) => Value::Int(self.text(text)?.len() as i128),
            Expr::Minus(inner) => match self.value(inner)? {
                Value::Int(number) => Value::Int(number.checked_neg().ok_or_else(too_large)?),
                Value::Float(number) => Value::Float(-number),
                other => return Err(format!("{} is no number", shown(&other))),
            },
            Expr::Not(inner) => Value::Truth(!self.truth(inner)?),
            Expr::Binary(Operator::And, left, right) => Value::Truth(self.truth(left)? && self.truth(right)?),
            Expr::Binary(Operator::Or, left, right) => Value::Truth(self.truth(left)? || self.truth(right)?),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(*operator, &left, &right)?
            }
            Expr::Match(set) => {
                let set = self.text(set)?;
                Value::Truth(self.reader.rest().first().is_some_and(|byte| set.contains(byte)))
            }
            Expr::AtEnd => Value::Truth(self.reader.rest().is_empty()),
            Expr::Unique(names) => Value::Truth(self.unique(names)?),
            Expr::InArray(value, name) => {
                let value = self.value(value)?;
                let there = self.values.get(name).is_some_and(|values| values.values().any(|other| *other == value));
                Value::Truth(there)
            }
        })
    }

    /// Whether the tuples of the variables' values at equal indices are all different.
    fn unique(&self, names: &[String]) -> Result<bool, String> {
        let empty = Values::new();
        let all: Vec<&Values> = names.iter().map(|name| self.values.get(name).unwrap_or(&empty)).collect();
        let Some((first, others)) = all.split_first() else { return Ok(true) };
        if others.iter().any(|other| !other.keys().eq(first.keys())) {
            return Err("the variables do not have the same indices".to_owned());
        }
        let mut seen = std::collections::HashSet::new();
        Ok(first.keys().all(|key| {
            let tuple: Vec<String> = all.iter().filter_map(|values| values.get(key).map(exact)).collect();
            seen.insert(tuple)
        }))
    }
}

/// A value as a text that no other value has.
fn exact(value: &Value) -> String {
    match value {
        Value::Float(number) => format!("f{:x}", number.to_bits()),
        other => format!("{other:?}"),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => format!("`{}`", String::from_utf8_lossy(text)),
        Value::Truth(truth) => truth.to_string(),
    }
}

fn too_large() -> String {
    "a number is too large".to_owned()
}

fn binary(operator: Operator, left: &Value, right: &Value) -> Result<Value, String> {
    use Operator::{AtLeast, AtMost, Differs, Equal, Greater, Less};
    match operator {
        Less => compare(left, right).map(|order| Value::Truth(order.is_lt())),
        Greater => compare(left, right).map(|order| Value::Truth(order.is_gt())),
        AtMost => compare(left, right).map(|order| Value::Truth(order.is_le())),
        AtLeast => compare(left, right).map(|order| Value::Truth(order.is_ge())),
        Equal => compare(left, right).map(|order| Value::Truth(order.is_eq())),
        Differs => compare(left, right).map(|order| Value::Truth(order.is_ne())),
        _ => arithmetic(operator, left, right),
    }
}

fn compare(left: &Value, right: &Value) -> Result<std::cmp::Ordering, String> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(left.cmp(right)),
        (Value::Text(left), Value::Text(right)) => Ok(left.cmp(right)),
        _ => {
            let (left, right) = (float(left)?, float(right)?);
            left.partial_cmp(&right).ok_or_else(|| "a value is no number".to_owned())
        }
    }
}

fn float(value: &Value) -> Result<f64, String> {
    match value {
        Value::Int(number) => Ok(*number as f64),
        Value::Float(number) => Ok(*number),
        other => Err(format!("{} is no number", shown(other))),
    }
}

fn arithmetic(operator: Operator, left: &Value, right: &Value) -> Result<Value, String> {
    if let Operator::Power = operator {
        let Value::Int(power) = right else { return Err("a power is a whole number".to_owned()) };
        let power = u32::try_from(*power).map_err(|_| "a power is a whole number of 0 or more".to_owned())?;
        return match left {
            Value::Int(base) => base.checked_pow(power).map(Value::Int).ok_or_else(too_large),
            base => Ok(Value::Float(float(base)?.powf(f64::from(power)))),
        };
    }
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        let result = match operator {
            Operator::Plus => left.checked_add(*right),
            Operator::Minus => left.checked_sub(*right),
            Operator::Times => left.checked_mul(*right),
            _ if *right == 0 => return Err("a division by zero".to_owned()),
            Operator::Modulo => left.checked_rem(*right),
            _ => left.checked_div(*right),
        };
        return result.map(Value::Int).ok_or_else(too_large);
    }
    let (left, right) = (float(left)?, float(right)?);
    match operator {
        Operator::Plus => Ok(Value::Float(left + right)),
        Operator::Minus => Ok(Value::Float(left - right)),
        Operator::Times => Ok(Value::Float(left * right)),
        Operator::Divided if right != 0.0 => Ok(Value::Float(left / right)),
        Operator::Divided => Err("a division by zero".to_owned()),
        _ => Err("a remainder is of whole numbers".to_owned()),
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
