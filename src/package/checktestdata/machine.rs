//! Running a grammar on an input.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::model::Diagnostic;

use super::grammar::{Action, Command, Expr, Operator, Variable};
use super::int::Int;
use super::lex;
use super::parse::{self, Wrong};
use super::posix;
use super::reader::Reader;
use super::value::{LIGHT, Value, arithmetic, cost, cost_of_comparing};
use super::values::Values;

/// The longest grammar, in bytes.
const LONGEST: usize = 4 << 20;
/// The most steps of a run, and the most values that variables may have, where large ones count as several: a grammar is a
/// stranger's program.
const MOST_STEPS: u64 = 200_000_000;
const MOST_VALUES: u64 = 5_000_000;
/// The most memory that a regular expression may take.
const LARGEST_REGEX: usize = 8 << 20;
/// The most regular expressions that are kept: the input can say new ones.
const MOST_REGEXES: usize = 64;

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
        if text.len() > LONGEST {
            return Err(complaint((1, format!("a grammar has at most {} MiB", LONGEST >> 20))));
        }
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
    let mut machine = Machine { reader, values: HashMap::new(), weight: 0, steps: 0, regexes: HashMap::new() };
    let done = machine.block(&grammar.0).and_then(|()| machine.end(0));
    done.map_err(|(line, what)| {
        let (row, column) = machine.reader.place();
        let rule = if line > 0 { format!(" (line {line} of the grammar)") } else { String::new() };
        format!("line {row}, column {column}: {what}{rule}")
    })
}

struct Machine<'a> {
    reader: Reader<'a>,
    values: HashMap<String, Values>,
    /// The weight of all values.
    weight: u64,
    steps: u64,
    regexes: HashMap<Arc<[u8]>, (DFA, Cache)>,
}

impl Machine<'_> {
    fn block(&mut self, commands: &[Command]) -> Result<(), Wrong> {
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &Command) -> Result<(), Wrong> {
        let line = command.line;
        let wrong = |what: String| (line, what);
        self.spend(1).map_err(wrong)?;
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
                    self.weight -= self.values.remove(name).map_or(0, |values| values.weight());
                }
                Ok(())
            }
            Action::Repeat { variable, count, separator, body } => {
                self.set_round(variable.as_ref(), 0).map_err(wrong)?;
                let count = self.whole(count).map_err(wrong)?;
                let count = count.to_u64().ok_or_else(|| wrong(format!("{count} is no number of rounds")))?;
                for round in 0..count {
                    self.round(line, round, separator.as_deref(), body)?;
                    self.set_round(variable.as_ref(), round + 1).map_err(wrong)?;
                }
                Ok(())
            }
            Action::While { variable, test, separator, body } => {
                let mut round = 0;
                self.set_round(variable.as_ref(), 0).map_err(wrong)?;
                while self.truth(test).map_err(wrong)? {
                    self.round(line, round, separator.as_deref(), body)?;
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

    /// Counts steps, of which large numbers take many.
    fn spend(&mut self, steps: u64) -> Result<(), String> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MOST_STEPS { Err("the grammar takes too many steps".to_owned()) } else { Ok(()) }
    }

    fn round(&mut self, line: usize, round: u64, separator: Option<&Command>, body: &[Command]) -> Result<(), Wrong> {
        self.spend(1).map_err(|what| (line, what))?;
        if let (Some(separator), true) = (separator, round > 0) {
            self.command(separator)?;
        }
        self.block(body)
    }

    fn set_round(&mut self, variable: Option<&Variable>, round: u64) -> Result<(), String> {
        variable.map_or(Ok(()), |variable| self.assign(variable, Value::Int(Int::from(round))))
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
                // Floating point numbers are no bounds of whole ones, even if they are whole.
                let (least, most) = (self.whole(least)?, self.whole(most)?);
                (Value::Int(least), Value::Int(most), Value::Int(self.reader.int()?), variable)
            }
            Action::Float { least, most, decimals, variable, notation } => {
                let decimals = match decimals {
                    Some((least, most)) => Some(self.decimals(least, most)?),
                    None => None,
                };
                let (least, most) = (self.value(least)?, self.value(most)?);
                (least, most, Value::Float(self.reader.float(*notation, decimals)?), variable)
            }
            _ => return Err("a number is expected".to_owned()),
        };
        // The time to read a number grows faster than its length.
        let length = (self.reader.at - start) as u64;
        self.spend(length.saturating_mul(length) >> 17)?;
        if let Value::Float(_) = value {
            self.spend(cost(Operator::Less, &least, &value).saturating_add(cost(Operator::Less, &value, &most)))?;
        }
        let inside = least.compare(&value)?.is_le() && value.compare(&most)?.is_le();
        if !inside {
            self.reader.at = start;
            return Err(format!("a number from {} to {} is expected", least.shown(), most.shown()));
        }
        variable.as_ref().map_or(Ok(()), |variable| self.assign(variable, value))
    }

    /// The bounds of a number of decimals.
    fn decimals(&mut self, least: &Expr, most: &Expr) -> Result<(u64, u64), String> {
        let (least, most) = (self.whole(least)?, self.whole(most)?);
        match (least.to_u64(), most.to_u64()) {
            (Some(least), Some(most)) if least <= most => Ok((least, most)),
            _ => Err(format!("there are no numbers of decimals from {least} to {most}")),
        }
    }

    /// Takes the longest match at the place, as extended regular expressions of POSIX have it.
    fn regex(&mut self, pattern: &Expr, variable: Option<&Variable>) -> Result<(), String> {
        let pattern = self.text(pattern)?;
        if !self.regexes.contains_key(&pattern) {
            let unread = |error: String| format!("the regular expression can't be read: {error}");
            let text = posix::translated(&pattern).map_err(unread)?;
            if self.regexes.len() >= MOST_REGEXES {
                self.regexes.clear();
            }
            // It gives up where every byte needs a large new state, which would take hours.
            let config = DFA::config().match_kind(MatchKind::All);
            let config = config.minimum_cache_clear_count(Some(100)).minimum_bytes_per_state(Some(10));
            let dfa = DFA::builder()
                .configure(config)
                .thompson(thompson::Config::new().nfa_size_limit(Some(LARGEST_REGEX)).utf8(false))
                .syntax(syntax::Config::new().unicode(false).utf8(false))
                .build(&text)
                .map_err(|error| unread(error.to_string()))?;
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
        variable.map_or(Ok(()), |variable| self.assign(variable, Value::Text(matched.into())))
    }

    fn assign(&mut self, variable: &Variable, value: Value) -> Result<(), String> {
        let indices = self.indices(variable)?;
        if self.weight.saturating_add(value.weight()) > MOST_VALUES {
            return Err("the variables have too many values".to_owned());
        }
        let values = match self.values.get_mut(&variable.name) {
            Some(values) => values,
            None => self.values.entry(variable.name.clone()).or_default(),
        };
        let before = values.weight();
        values.set(indices, value);
        self.weight = self.weight - before + values.weight();
        Ok(())
    }

    fn indices(&mut self, variable: &Variable) -> Result<Vec<Int>, String> {
        let indices: Vec<Int> = variable.indices.iter().map(|index| self.whole(index)).collect::<Result<_, _>>()?;
        // A large one is compared with many.
        self.spend(indices.iter().map(|index| index.bits() / LIGHT * 20).sum())?;
        Ok(indices)
    }

    fn whole(&mut self, expr: &Expr) -> Result<Int, String> {
        match self.value(expr)? {
            Value::Int(number) => Ok(number),
            other => Err(format!("{} is no whole number", other.shown())),
        }
    }

    fn text(&mut self, expr: &Expr) -> Result<Arc<[u8]>, String> {
        match self.value(expr)? {
            Value::Text(text) => Ok(text),
            other => Err(format!("{} is no text", other.shown())),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<bool, String> {
        Ok(match expr {
            Expr::Not(inner) => !self.truth(inner)?,
            Expr::Binary(Operator::And, left, right) => self.truth(left)? && self.truth(right)?,
            Expr::Binary(Operator::Or, left, right) => self.truth(left)? || self.truth(right)?,
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.spend(cost(*operator, &left, &right))?;
                let order = left.compare(&right)?;
                match operator {
                    Operator::Less => order.is_lt(),
                    Operator::Greater => order.is_gt(),
                    Operator::AtMost => order.is_le(),
                    Operator::AtLeast => order.is_ge(),
                    Operator::Differs => order.is_ne(),
                    _ => order.is_eq(),
                }
            }
            Expr::Match(set) => {
                let set = self.text(set)?;
                self.reader.rest().first().is_some_and(|byte| set.contains(byte))
            }
            Expr::AtEnd => self.reader.rest().is_empty(),
            Expr::Unique(names) => self.unique(names)?,
            Expr::InArray(value, name) => {
                let value = self.value(value)?;
                let bits = self.values.get(name).ok_or_else(|| unset(name))?.most_bits();
                self.spend(cost_of_comparing(bits.saturating_add(value.bits())).saturating_mul(20))?;
                self.values.get_mut(name).is_some_and(|values| values.contain(&value))
            }
            other => return Err(format!("{} is no test", self.value(other)?.shown())),
        })
    }

    fn value(&mut self, expr: &Expr) -> Result<Value, String> {
        match expr {
            Expr::Int(number) => Ok(Value::Int(number.clone())),
            Expr::Float(number) => Ok(Value::Float(number.clone())),
            Expr::Text(text) => Ok(Value::Text(text.clone())),
            Expr::Variable(variable) => {
                let indices = self.indices(variable)?;
                let value = self.values.get(&variable.name).and_then(|values| values.get(&indices)).cloned();
                value.ok_or_else(|| format!("{} there", unset(&variable.name)))
            }
            Expr::Length(text) => Ok(Value::Int(Int::from(self.text(text)?.len() as u64))),
            Expr::Minus(inner) => {
                let value = self.value(inner)?;
                self.spend(value.weight())?;
                value.negated()
            }
            Expr::Binary(operator, left, right) if !operator.compares() && !operator.joins() => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.spend(cost(*operator, &left, &right))?;
                arithmetic(*operator, &left, &right)
            }
            _ => Err("a test is no value".to_owned()),
        }
    }

    /// Whether the tuples of the variables' values at equal indices are all different.
    fn unique(&mut self, names: &[String]) -> Result<bool, String> {
        let asked = names.iter().filter_map(|name| self.values.get(name));
        let each = |values: &Values| cost_of_comparing(values.most_bits().saturating_mul(2)).saturating_mul(8);
        let costs = asked.map(|values| each(values).saturating_mul(values.len() as u64));
        self.spend(costs.fold(0, u64::saturating_add))?;
        let all = names.iter().map(|name| self.values.get(name).ok_or_else(|| unset(name)));
        let all = all.collect::<Result<Vec<&Values>, String>>()?;
        let Some((first, others)) = all.split_first() else { return Ok(true) };
        if others.iter().any(|other| !other.indices().eq(first.indices())) {
            return Err("the variables do not have the same indices".to_owned());
        }
        let mut seen = BTreeSet::new();
        Ok(first.indices().all(|indices| {
            let tuple: Vec<&Value> = all.iter().filter_map(|values| values.get(indices)).collect();
            seen.insert(tuple)
        }))
    }
}

fn unset(name: &str) -> String {
    format!("the variable `{name}` has no value")
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
