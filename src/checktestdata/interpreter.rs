//! The interpreter, which checks an input against a grammar.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::model::Diagnostic;

use super::input_cursor::InputCursor;
use super::integer::Integer;
use super::parse::{self, LineError};
use super::posix_regex;
use super::syntax_tree::{BinaryOperator, CommandKind, CtdCommand, CtdExpr, VariableRef};
use super::tokens;
use super::value::{CtdValue, UNIT_BITS, arithmetic, cost, cost_of_comparing};
use super::variable_values::VariableValues;

/// Maximum length of a grammar, in bytes.
const LONGEST: usize = 4 << 20;
/// Maximum number of steps of a run. The number is limited because grammars are untrusted programs.
const MOST_STEPS: u64 = 200_000_000;
/// Maximum total weight of the values and indices of all variables; see [`VariableValues::weight`].
const MOST_VALUES: u64 = 5_000_000;
/// Maximum memory of a compiled regular expression, in bytes.
const LARGEST_REGEX: usize = 8 << 20;
/// Maximum number of cached regular expressions. A pattern can contain text from the input, so the grammar does
/// not bound the number of distinct expressions.
const MOST_REGEXES: usize = 64;

/// A parsed grammar.
#[derive(Debug, Clone)]
pub struct CtdGrammar(Vec<CtdCommand>);

impl CtdGrammar {
    /// Parses a grammar. `origin` is the name of its file in messages.
    ///
    /// # Errors
    /// Fails if the grammar is too long or has a syntax error. The diagnostic states the line of the first syntax
    /// error.
    pub fn parse(origin: &str, text: &str) -> Result<CtdGrammar, Diagnostic> {
        let complaint = |(line, what): LineError| Diagnostic::new(format!("line {line}: {what}")).in_file(origin);
        if text.len() > LONGEST {
            let message = format!("the grammar is larger than the limit of {} MiB", LONGEST >> 20);
            return Err(Diagnostic::new(message).in_file(origin));
        }
        let tokens = tokens::tokenize(text).map_err(complaint)?;
        parse::commands(&tokens).map(CtdGrammar).map_err(complaint)
    }
}

/// Checks that an input matches the grammar.
///
/// # Errors
/// Returns a message about the first mismatch, with its line and column in the input, and the line of the grammar if a
/// command of the grammar failed.
pub fn check(grammar: &CtdGrammar, input: &[u8]) -> Result<(), String> {
    let cursor = InputCursor { input, at: 0 };
    let mut interpreter = Interpreter { cursor, values: HashMap::new(), weight: 0, steps: 0, regexes: HashMap::new() };
    let done = interpreter.block(&grammar.0).and_then(|()| interpreter.end(0));
    done.map_err(|(line, what)| {
        let (row, column) = interpreter.cursor.place();
        let rule = if line > 0 { format!(" (line {line} of the grammar)") } else { String::new() };
        format!("line {row}, column {column}: {what}{rule}")
    })
}

struct Interpreter<'a> {
    cursor: InputCursor<'a>,
    values: HashMap<String, VariableValues>,
    /// Total weight of the values and indices of all variables.
    weight: u64,
    steps: u64,
    regexes: HashMap<Arc<[u8]>, (DFA, Cache)>,
}

impl Interpreter<'_> {
    fn block(&mut self, commands: &[CtdCommand]) -> Result<(), LineError> {
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &CtdCommand) -> Result<(), LineError> {
        let line = command.line;
        let wrong = |what: String| (line, what);
        self.spend(1).map_err(wrong)?;
        match &command.kind {
            CommandKind::Space => self.exactly(b" ", "a space").map_err(wrong),
            CommandKind::Newline => self.exactly(b"\n", "the end of the line").map_err(wrong),
            CommandKind::End => self.end(line),
            CommandKind::Text(text) => {
                let text = self.text(text).map_err(wrong)?;
                self.exactly(&text, &format!("`{}`", String::from_utf8_lossy(&text))).map_err(wrong)
            }
            CommandKind::Int(..) | CommandKind::Float { .. } => self.number(&command.kind).map_err(wrong),
            CommandKind::Regex(pattern, variable) => self.regex(pattern, variable.as_ref()).map_err(wrong),
            CommandKind::Assert(test) => match self.truth(test).map_err(wrong)? {
                true => Ok(()),
                false => Err((line, "assertion failed".to_owned())),
            },
            CommandKind::Set(all) => all.iter().try_for_each(|(variable, value)| {
                let value = self.value(value).map_err(wrong)?;
                self.assign(variable, value).map_err(wrong)
            }),
            CommandKind::Unset(names) => {
                for name in names {
                    self.weight -= self.values.remove(name).map_or(0, |values| values.weight());
                }
                Ok(())
            }
            CommandKind::Repeat { variable, count, separator, body } => {
                self.set_loop_variable(variable.as_ref(), 0).map_err(wrong)?;
                let count = self.integer(count).map_err(wrong)?;
                let count = count
                    .to_u64()
                    .ok_or_else(|| wrong(format!("expected a repetition count from 0 to 2^64 - 1, found {count}")))?;
                for round in 0..count {
                    self.round(line, round, separator.as_deref(), body)?;
                    self.set_loop_variable(variable.as_ref(), round + 1).map_err(wrong)?;
                }
                Ok(())
            }
            CommandKind::While { variable, test, separator, body } => {
                let mut round = 0;
                self.set_loop_variable(variable.as_ref(), 0).map_err(wrong)?;
                while self.truth(test).map_err(wrong)? {
                    self.round(line, round, separator.as_deref(), body)?;
                    round += 1;
                    self.set_loop_variable(variable.as_ref(), round).map_err(wrong)?;
                }
                Ok(())
            }
            CommandKind::If(test, yes, no) => {
                let branch = if self.truth(test).map_err(wrong)? { yes } else { no };
                self.block(branch)
            }
        }
    }

    /// Adds `steps` to the number of steps of the run, and fails if the total exceeds [`MOST_STEPS`]. An operation on
    /// large numbers counts as several steps.
    fn spend(&mut self, steps: u64) -> Result<(), String> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MOST_STEPS {
            Err(format!("the evaluation of the grammar exceeds the limit of {MOST_STEPS} steps"))
        } else {
            Ok(())
        }
    }

    fn round(
        &mut self,
        line: usize,
        round: u64,
        separator: Option<&CtdCommand>,
        body: &[CtdCommand],
    ) -> Result<(), LineError> {
        self.spend(1).map_err(|what| (line, what))?;
        if let (Some(separator), true) = (separator, round > 0) {
            self.command(separator)?;
        }
        self.block(body)
    }

    fn set_loop_variable(&mut self, variable: Option<&VariableRef>, round: u64) -> Result<(), String> {
        variable.map_or(Ok(()), |variable| self.assign(variable, CtdValue::Int(Integer::from(round))))
    }

    fn exactly(&mut self, text: &[u8], name: &str) -> Result<(), String> {
        if self.cursor.take(text) { Ok(()) } else { Err(format!("expected {name}, found {}", self.cursor.found())) }
    }

    fn end(&self, line: usize) -> Result<(), LineError> {
        match self.cursor.rest() {
            [] => Ok(()),
            _ => Err((line, format!("expected the end of the input, found {}", self.cursor.found()))),
        }
    }

    fn number(&mut self, action: &CommandKind) -> Result<(), String> {
        let start = self.cursor.at;
        let (least, most, value, variable) = match action {
            CommandKind::Int(least, most, variable) => {
                // A floating point number is not a valid bound of an integer, even if its value is integral.
                let (least, most) = (self.integer(least)?, self.integer(most)?);
                (CtdValue::Int(least), CtdValue::Int(most), CtdValue::Int(self.cursor.int()?), variable)
            }
            CommandKind::Float { least, most, decimals, variable, notation } => {
                let decimals = match decimals {
                    Some((least, most)) => Some(self.decimals(least, most)?),
                    None => None,
                };
                let (least, most) = (self.value(least)?, self.value(most)?);
                (least, most, CtdValue::Float(self.cursor.float(*notation, decimals)?), variable)
            }
            _ => return Err("expected a number".to_owned()),
        };
        // The time to parse a number grows faster than linearly in its length, so a long number costs additional steps.
        let length = (self.cursor.at - start) as u64;
        self.spend(length.saturating_mul(length) >> 17)?;
        if let CtdValue::Float(_) = value {
            self.spend(cost(BinaryOperator::Less, &least, &value).saturating_add(cost(
                BinaryOperator::Less,
                &value,
                &most,
            )))?;
        }
        let inside = least.compare(&value)?.is_le() && value.compare(&most)?.is_le();
        if !inside {
            self.cursor.at = start;
            let (least, most, found) = (least.display(), most.display(), self.cursor.found());
            return Err(format!("expected a number from {least} to {most}, found {found}"));
        }
        variable.as_ref().map_or(Ok(()), |variable| self.assign(variable, value))
    }

    /// Evaluates the minimum and the maximum number of digits after the decimal point.
    fn decimals(&mut self, least: &CtdExpr, most: &CtdExpr) -> Result<(u64, u64), String> {
        let (least, most) = (self.integer(least)?, self.integer(most)?);
        match (least.to_u64(), most.to_u64()) {
            (Some(least), Some(most)) if least <= most => Ok((least, most)),
            _ => Err(format!(
                "expected `0 <= minimum <= maximum < 2^64` for the numbers of decimals, found the minimum {least} and \
                 the maximum {most}"
            )),
        }
    }

    /// Consumes the longest match of the pattern at the cursor, as POSIX requires, and assigns the matched text to
    /// `variable` if it is specified.
    fn regex(&mut self, pattern: &CtdExpr, variable: Option<&VariableRef>) -> Result<(), String> {
        let pattern = self.text(pattern)?;
        if !self.regexes.contains_key(&pattern) {
            let unread =
                |error: String| format!("invalid regular expression `{}`: {error}", String::from_utf8_lossy(&pattern));
            let text = posix_regex::translate(&pattern).map_err(unread)?;
            if self.regexes.len() >= MOST_REGEXES {
                self.regexes.clear();
            }
            // The search fails if its cache was cleared 100 times and it has processed fewer than 10 bytes per new
            // state, because it could otherwise take hours.
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
        let input = Input::new(self.cursor.rest()).anchored(Anchored::Yes);
        let found = dfa.try_search_fwd(cache, &input).map_err(|error| error.to_string())?;
        let Some(found) = found else {
            let (pattern, found) = (String::from_utf8_lossy(&pattern), self.cursor.found());
            return Err(format!("expected text that matches `{pattern}`, found {found}"));
        };
        let matched = self.cursor.rest()[..found.offset()].to_vec();
        self.cursor.at += matched.len();
        variable.map_or(Ok(()), |variable| self.assign(variable, CtdValue::Text(matched.into())))
    }

    fn assign(&mut self, variable: &VariableRef, value: CtdValue) -> Result<(), String> {
        let indices = self.indices(variable)?;
        if self.weight.saturating_add(value.weight()) > MOST_VALUES {
            return Err("the total size of the values of all variables exceeds the limit".to_owned());
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

    fn indices(&mut self, variable: &VariableRef) -> Result<Vec<Integer>, String> {
        let indices: Vec<Integer> =
            variable.indices.iter().map(|index| self.integer(index)).collect::<Result<_, _>>()?;
        // A lookup compares an index with many other indices, so a large index costs additional steps.
        self.spend(indices.iter().map(|index| index.bits() / UNIT_BITS * 20).sum())?;
        Ok(indices)
    }

    fn integer(&mut self, expr: &CtdExpr) -> Result<Integer, String> {
        match self.value(expr)? {
            CtdValue::Int(number) => Ok(number),
            other => Err(format!("expected an integer, found {}", other.display())),
        }
    }

    fn text(&mut self, expr: &CtdExpr) -> Result<Arc<[u8]>, String> {
        match self.value(expr)? {
            CtdValue::Text(text) => Ok(text),
            other => Err(format!("expected a string, found {}", other.display())),
        }
    }

    fn truth(&mut self, expr: &CtdExpr) -> Result<bool, String> {
        Ok(match expr {
            CtdExpr::Not(inner) => !self.truth(inner)?,
            CtdExpr::Binary(BinaryOperator::And, left, right) => self.truth(left)? && self.truth(right)?,
            CtdExpr::Binary(BinaryOperator::Or, left, right) => self.truth(left)? || self.truth(right)?,
            CtdExpr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.spend(cost(*operator, &left, &right))?;
                let order = left.compare(&right)?;
                match operator {
                    BinaryOperator::Less => order.is_lt(),
                    BinaryOperator::Greater => order.is_gt(),
                    BinaryOperator::AtMost => order.is_le(),
                    BinaryOperator::AtLeast => order.is_ge(),
                    BinaryOperator::Differs => order.is_ne(),
                    _ => order.is_eq(),
                }
            }
            CtdExpr::Match(set) => {
                let set = self.text(set)?;
                self.cursor.rest().first().is_some_and(|byte| set.contains(byte))
            }
            CtdExpr::AtEnd => self.cursor.rest().is_empty(),
            CtdExpr::Unique(names) => self.unique(names)?,
            CtdExpr::InArray(value, name) => {
                let value = self.value(value)?;
                let bits = self.values.get(name).ok_or_else(|| no_value(name))?.most_bits();
                self.spend(cost_of_comparing(bits.saturating_add(value.bits())).saturating_mul(20))?;
                self.values.get_mut(name).is_some_and(|values| values.contains(&value))
            }
            other => return Err(format!("expected a condition, found {}", self.value(other)?.display())),
        })
    }

    fn value(&mut self, expr: &CtdExpr) -> Result<CtdValue, String> {
        match expr {
            CtdExpr::Int(number) => Ok(CtdValue::Int(number.clone())),
            CtdExpr::Float(number) => Ok(CtdValue::Float(number.clone())),
            CtdExpr::Text(text) => Ok(CtdValue::Text(text.clone())),
            CtdExpr::Variable(variable) => {
                let indices = self.indices(variable)?;
                let value = self.values.get(&variable.name).and_then(|values| values.get(&indices)).cloned();
                value.ok_or_else(|| {
                    let shown: Vec<String> = indices.iter().map(Integer::to_string).collect();
                    let place = if shown.is_empty() { "" } else { " at index " };
                    format!("{}{place}{}", no_value(&variable.name), shown.join(", "))
                })
            }
            CtdExpr::Length(text) => Ok(CtdValue::Int(Integer::from(self.text(text)?.len() as u64))),
            CtdExpr::Minus(inner) => {
                let value = self.value(inner)?;
                self.spend(value.weight())?;
                value.negated()
            }
            CtdExpr::Binary(operator, left, right) if !operator.is_comparison() && !operator.is_logical() => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.spend(cost(*operator, &left, &right))?;
                arithmetic(*operator, &left, &right)
            }
            _ => Err("expected a value, found a condition".to_owned()),
        }
    }

    /// Returns whether the tuple of the values of the variables `names` is different at each index. Fails if the
    /// variables do not have the same indices.
    fn unique(&mut self, names: &[String]) -> Result<bool, String> {
        let asked = names.iter().filter_map(|name| self.values.get(name));
        let each = |values: &VariableValues| cost_of_comparing(values.most_bits().saturating_mul(2)).saturating_mul(8);
        let costs = asked.map(|values| each(values).saturating_mul(values.len() as u64));
        self.spend(costs.fold(0, u64::saturating_add))?;
        let all = names.iter().map(|name| self.values.get(name).ok_or_else(|| no_value(name)));
        let all = all.collect::<Result<Vec<&VariableValues>, String>>()?;
        let Some((first, others)) = all.split_first() else { return Ok(true) };
        if others.iter().any(|other| !other.indices().eq(first.indices())) {
            return Err(format!("the variables `{}` do not have the same indices", names.join("`, `")));
        }
        let mut seen = BTreeSet::new();
        Ok(first.indices().all(|indices| {
            let tuple: Vec<&CtdValue> = all.iter().filter_map(|values| values.get(indices)).collect();
            seen.insert(tuple)
        }))
    }
}

fn no_value(name: &str) -> String {
    format!("the variable `{name}` has no value")
}

#[cfg(test)]
#[path = "interpreter_tests.rs"]
mod tests;
