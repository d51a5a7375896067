//! From words to the tree of a grammar.

use super::grammar::{Action, Command, Expr, Notation, Operator, Variable};
use super::lex::Word;

/// How deep loops and brackets may lie in one another.
const DEEPEST: usize = 60;

/// What is wrong, and in which line.
pub(super) type Wrong = (usize, String);

/// Reads the commands of a grammar.
///
/// # Errors
/// The line, and what is wrong in it.
pub(super) fn commands(words: &[(usize, Word)]) -> Result<Vec<Command>, Wrong> {
    let mut parser = Parser { words, at: 0, depth: 0 };
    let commands = parser.block(&[])?;
    match parser.peek() {
        None => Ok(commands),
        Some(_) => Err(parser.wrong("a command is expected here")),
    }
}

struct Parser<'a> {
    words: &'a [(usize, Word)],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|(_, word)| word)
    }

    fn line(&self) -> usize {
        self.words.get(self.at).or(self.words.last()).map_or(1, |(line, _)| *line)
    }

    fn wrong(&self, what: impl Into<String>) -> Wrong {
        (self.line(), what.into())
    }

    fn sign(&mut self, sign: &str) -> bool {
        let there = matches!(self.peek(), Some(Word::Sign(found)) if *found == sign);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: &str) -> Result<(), Wrong> {
        if self.sign(sign) { Ok(()) } else { Err(self.wrong(format!("`{sign}` is expected here"))) }
    }

    fn name(&mut self, name: &str) -> bool {
        let there = matches!(self.peek(), Some(Word::Name(found)) if found == name);
        self.at += usize::from(there);
        there
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("this is too many brackets or loops in one another"));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Commands up to one of these names, which is left.
    fn block(&mut self, ends: &[&str]) -> Result<Vec<Command>, Wrong> {
        let mut found = Vec::new();
        while let Some(Word::Name(name)) = self.peek() {
            if ends.contains(&name.as_str()) {
                break;
            }
            found.push(self.deeper(Parser::command)?);
        }
        Ok(found)
    }

    fn command(&mut self) -> Result<Command, Wrong> {
        let line = self.line();
        let Some(Word::Name(name)) = self.peek().cloned() else { return Err(self.wrong("a command is expected here")) };
        self.at += 1;
        let what = match name.as_str() {
            "SPACE" => Action::Space,
            "NEWLINE" => Action::Newline,
            "EOF" => Action::End,
            "INT" => self.bracketed(|p| {
                let (least, most) = (p.expr()?, p.after_comma(Parser::expr)?);
                Ok(Action::Int(least, most, p.more_variable()?))
            })?,
            "FLOAT" | "FLOATP" => self.bracketed(|p| p.float(name == "FLOATP"))?,
            "STRING" => self.bracketed(|p| p.expr().map(Action::Text))?,
            "REGEX" => self.bracketed(|p| {
                let text = p.expr()?;
                Ok(Action::Regex(text, p.more_variable()?))
            })?,
            "ASSERT" => self.bracketed(|p| p.expr().map(Action::Assert))?,
            "SET" => self.bracketed(Parser::set)?,
            "UNSET" => self.bracketed(|p| p.names().map(Action::Unset))?,
            "REP" | "REPI" | "WHILE" | "WHILEI" => self.repeat(&name)?,
            "IF" => self.branch()?,
            other => {
                self.at -= 1;
                return Err(self.wrong(format!("there is no command `{other}`")));
            }
        };
        Ok(Command { line, what })
    }

    fn bracketed<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        self.expect("(")?;
        let result = inner(self)?;
        self.expect(")")?;
        Ok(result)
    }

    fn after_comma<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        self.expect(",")?;
        inner(self)
    }

    fn more_variable(&mut self) -> Result<Option<Variable>, Wrong> {
        if self.sign(",") { self.variable().map(Some) } else { Ok(None) }
    }

    fn float(&mut self, decimals: bool) -> Result<Action, Wrong> {
        let (least, most) = (self.expr()?, self.after_comma(Parser::expr)?);
        let decimals = match decimals {
            true => Some((self.after_comma(Parser::expr)?, self.after_comma(Parser::expr)?)),
            false => None,
        };
        let (mut variable, mut notation) = (None, Notation::Any);
        while self.sign(",") {
            if self.name("FIXED") {
                notation = Notation::Fixed;
            } else if self.name("SCIENTIFIC") {
                notation = Notation::Scientific;
            } else {
                variable = Some(self.variable()?);
            }
        }
        Ok(Action::Float { least, most, decimals, variable, notation })
    }

    fn set(&mut self) -> Result<Action, Wrong> {
        let mut all = Vec::new();
        loop {
            let variable = self.variable()?;
            self.expect("=")?;
            all.push((variable, self.expr()?));
            if !self.sign(",") {
                return Ok(Action::Set(all));
            }
        }
    }

    fn names(&mut self) -> Result<Vec<String>, Wrong> {
        let mut all = Vec::new();
        loop {
            let Some(Word::Variable(name)) = self.peek().cloned() else {
                return Err(self.wrong("a variable is expected here"));
            };
            self.at += 1;
            all.push(name);
            if !self.sign(",") {
                return Ok(all);
            }
        }
    }

    fn repeat(&mut self, name: &str) -> Result<Action, Wrong> {
        self.expect("(")?;
        let variable = match name.ends_with('I') {
            true => {
                let variable = self.variable()?;
                self.expect(",")?;
                Some(variable)
            }
            false => None,
        };
        let head = self.expr()?;
        let separator = if self.sign(",") { Some(Box::new(self.deeper(Parser::command)?)) } else { None };
        self.expect(")")?;
        let body = self.block(&["END"])?;
        if !self.name("END") {
            return Err(self.wrong("`END` is expected here"));
        }
        Ok(match name.starts_with("REP") {
            true => Action::Repeat { variable, count: head, separator, body },
            false => Action::While { variable, test: head, separator, body },
        })
    }

    fn branch(&mut self) -> Result<Action, Wrong> {
        let test = self.bracketed(Parser::expr)?;
        let yes = self.block(&["ELSE", "END"])?;
        let no = if self.name("ELSE") { self.block(&["END"])? } else { Vec::new() };
        if !self.name("END") {
            return Err(self.wrong("`END` is expected here"));
        }
        Ok(Action::If(test, yes, no))
    }

    fn variable(&mut self) -> Result<Variable, Wrong> {
        let Some(Word::Variable(name)) = self.peek().cloned() else {
            return Err(self.wrong("a variable is expected here"));
        };
        self.at += 1;
        let mut indices = Vec::new();
        if self.sign("[") {
            indices.push(self.expr()?);
            while self.sign(",") {
                indices.push(self.expr()?);
            }
            self.expect("]")?;
        }
        Ok(Variable { name, indices })
    }

    fn expr(&mut self) -> Result<Expr, Wrong> {
        self.deeper(|parser| parser.binary(0))
    }

    /// Operators of this strength and stronger ones, from left to right.
    fn binary(&mut self, level: usize) -> Result<Expr, Wrong> {
        use Operator::{And, AtLeast, AtMost, Differs, Divided, Equal, Greater, Less, Minus, Modulo, Or, Plus, Times};
        const LEVELS: [&[(&str, Operator)]; 5] = [
            &[("||", Or)],
            &[("&&", And)],
            &[("<=", AtMost), (">=", AtLeast), ("==", Equal), ("!=", Differs), ("<", Less), (">", Greater)],
            &[("+", Plus), ("-", Minus)],
            &[("*", Times), ("%", Modulo), ("/", Divided)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find_map(|(sign, operator)| self.sign(sign).then_some(*operator)) {
            let right = self.binary(level + 1)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Wrong> {
        if self.sign("-") {
            return self.deeper(|parser| parser.unary().map(|inner| Expr::Minus(Box::new(inner))));
        }
        if self.sign("!") {
            // A comparison binds less than `!` by its sign, and more by the language.
            return self.deeper(|parser| parser.binary(2).map(|inner| Expr::Not(Box::new(inner))));
        }
        let base = self.atom()?;
        if self.sign("^") {
            let power = self.deeper(Parser::unary)?;
            return Ok(Expr::Binary(Operator::Power, Box::new(base), Box::new(power)));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Expr, Wrong> {
        let wrong = self.wrong("a value is expected here");
        let Some(word) = self.peek().cloned() else { return Err(wrong) };
        if let Word::Variable(_) = word {
            return self.variable().map(Expr::Variable);
        }
        self.at += 1;
        match word {
            Word::Int(number) => Ok(Expr::Int(number)),
            Word::Float(number) => Ok(Expr::Float(number)),
            Word::Text(text) => Ok(Expr::Text(text)),
            Word::Sign("(") => {
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            Word::Name(name) => match name.as_str() {
                "STRLEN" => self.bracketed(|p| Ok(Expr::Length(Box::new(p.expr()?)))),
                "MATCH" => self.bracketed(|p| Ok(Expr::Match(Box::new(p.expr()?)))),
                "ISEOF" => Ok(Expr::AtEnd),
                "UNIQUE" => self.bracketed(|p| p.names().map(Expr::Unique)),
                "INARRAY" => self.bracketed(|p| {
                    let value = p.expr()?;
                    p.expect(",")?;
                    let mut names = p.names()?;
                    Ok(Expr::InArray(Box::new(value), names.swap_remove(0)))
                }),
                _ => Err(wrong),
            },
            _ => Err(wrong),
        }
    }
}
