//! From words to the tree of a grammar.

use super::grammar::{Action, Command, Expr, Notation, Operator, Variable};
use super::int::Int;
use super::lex::Word;
use super::value::{Value, arithmetic, cost};

/// How deep loops and brackets may lie in one another.
const DEEPEST: usize = 60;
/// The most operators of a command: each may lie in the one after it.
const MOST_OPERATORS: usize = 500;
/// The most steps that are spent on arithmetic with what is known before the run.
const MOST_FOLDED: u64 = 10_000_000;

/// What is wrong, and in which line.
pub(super) type Wrong = (usize, String);

/// Reads the commands of a grammar.
///
/// # Errors
/// The line, and what is wrong in it.
pub(super) fn commands(words: &[(usize, Word)]) -> Result<Vec<Command>, Wrong> {
    let mut parser = Parser { words, at: 0, depth: 0, operators: 0, folded: 0 };
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
    operators: usize,
    folded: u64,
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
        self.operators = 0;
        let what = match name.as_str() {
            "SPACE" => Action::Space,
            "NEWLINE" => Action::Newline,
            "EOF" => Action::End,
            "INT" => self.bracketed(|p| {
                let (least, most) = (p.expr()?, p.after_comma(Parser::expr)?);
                Ok(Action::Int(least, most, p.more_variable()?))
            })?,
            "FLOAT" | "FLOATP" => self.bracketed(|p| p.float(name == "FLOATP"))?,
            "STRING" => self.bracketed(|p| p.plain().map(Action::Text))?,
            "REGEX" => self.bracketed(|p| {
                let text = p.plain()?;
                Ok(Action::Regex(text, p.more_variable()?))
            })?,
            "ASSERT" => self.bracketed(|p| p.test().map(Action::Assert))?,
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
        let variable = self.more_variable()?;
        let notation = match variable.is_some() && self.sign(",") {
            false => Notation::Any,
            true if self.name("FIXED") => Notation::Fixed,
            true if self.name("SCIENTIFIC") => Notation::Scientific,
            true => return Err(self.wrong("`FIXED` or `SCIENTIFIC` is expected here")),
        };
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
        let head = if name.starts_with("REP") { self.expr()? } else { self.test()? };
        let separator = if self.sign(",") { Some(Box::new(self.separator()?)) } else { None };
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

    /// A command that takes or sets something, and is no loop or branch.
    fn separator(&mut self) -> Result<Command, Wrong> {
        match self.peek() {
            Some(Word::Name(name)) if matches!(name.as_str(), "EOF" | "REP" | "REPI" | "WHILE" | "WHILEI" | "IF") => {
                Err(self.wrong(format!("`{name}` can't stand between two rounds")))
            }
            _ => self.command(),
        }
    }

    fn branch(&mut self) -> Result<Action, Wrong> {
        let test = self.bracketed(Parser::test)?;
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

    /// An expression that has a value.
    fn expr(&mut self) -> Result<Expr, Wrong> {
        let found = self.any()?;
        self.wanted(found, false)
    }

    /// An expression that is true or false.
    fn test(&mut self) -> Result<Expr, Wrong> {
        let found = self.any()?;
        self.wanted(found, true)
    }

    fn any(&mut self) -> Result<Expr, Wrong> {
        self.deeper(|parser| parser.tests())
    }

    /// A literal, a variable or a function.
    fn plain(&mut self) -> Result<Expr, Wrong> {
        if let Some(Word::Sign(_)) = self.peek() {
            return Err(self.wrong("a value is expected here"));
        }
        let found = self.deeper(Parser::atom)?;
        self.wanted(found, false)
    }

    /// The expression, if it is a test or a value as is wanted.
    fn wanted(&self, expr: Expr, test: bool) -> Result<Expr, Wrong> {
        match (expr.is_test(), test) {
            (true, false) => Err(self.wrong("a test stands where a value is expected")),
            (false, true) => Err(self.wrong("a value stands where a test is expected")),
            _ => Ok(expr),
        }
    }

    fn operator(&mut self, operators: &[(&str, Operator)]) -> Result<Option<Operator>, Wrong> {
        let found = operators.iter().find_map(|(sign, operator)| self.sign(sign).then_some(*operator));
        self.operators += usize::from(found.is_some());
        match self.operators > MOST_OPERATORS {
            true => Err(self.wrong("these are too many operators")),
            false => Ok(found),
        }
    }

    /// Tests from left to right: neither of `&&` and `||` binds more than the other.
    fn tests(&mut self) -> Result<Expr, Wrong> {
        let mut left = self.comparison()?;
        while let Some(operator) = self.operator(&[("||", Operator::Or), ("&&", Operator::And)])? {
            left = self.wanted(left, true)?;
            let right = self.comparison()?;
            left = self.joined(operator, left, right)?;
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expr, Wrong> {
        use Operator::{AtLeast, AtMost, Differs, Equal, Greater, Less};
        const SIGNS: [(&str, Operator); 6] =
            [("<=", AtMost), (">=", AtLeast), ("==", Equal), ("!=", Differs), ("<", Less), (">", Greater)];
        let left = self.binary(0)?;
        match self.operator(&SIGNS)? {
            Some(operator) => {
                let right = self.binary(0)?;
                self.joined(operator, left, right)
            }
            None => Ok(left),
        }
    }

    /// Arithmetic of this strength and stronger, from left to right.
    fn binary(&mut self, level: usize) -> Result<Expr, Wrong> {
        use Operator::{Divided, Minus, Modulo, Plus, Power, Times};
        const LEVELS: [&[(&str, Operator)]; 3] =
            [&[("+", Plus), ("-", Minus)], &[("*", Times), ("%", Modulo), ("/", Divided)], &[("^", Power)]];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        // A sign binds less than `^`, so that the powers that follow it are under it already.
        while let Some(operator) = self.operator(operators)? {
            let right = self.binary(level + 1)?;
            left = self.joined(operator, left, right)?;
        }
        Ok(left)
    }

    /// Two operands as one expression, which is a number if both are.
    fn joined(&mut self, operator: Operator, left: Expr, right: Expr) -> Result<Expr, Wrong> {
        let (left, right) = (self.wanted(left, operator.joins())?, self.wanted(right, operator.joins())?);
        if let (Expr::Int(left), Expr::Int(right)) = (&left, &right)
            && !operator.compares()
        {
            let (left, right) = (Value::Int(left.clone()), Value::Int(right.clone()));
            self.folded = self.folded.saturating_add(cost(operator, &left, &right));
            if self.folded <= MOST_FOLDED
                && let Ok(Value::Int(result)) = arithmetic(operator, &left, &right)
            {
                return Ok(Expr::Int(result));
            }
        }
        Ok(Expr::Binary(operator, Box::new(left), Box::new(right)))
    }

    fn unary(&mut self) -> Result<Expr, Wrong> {
        if self.operator(&[("-", Operator::Minus)])?.is_some() {
            let inner = self.deeper(|parser| parser.binary(2))?;
            let inner = self.wanted(inner, false)?;
            return match &inner {
                Expr::Int(Int::Small(number)) if *number != i128::MIN => Ok(Expr::Int(Int::Small(-number))),
                _ => Ok(Expr::Minus(Box::new(inner))),
            };
        }
        if self.sign("!") {
            // All tests that follow are under it: the grammar of the original says so, if not its text.
            let inner = self.test()?;
            return Ok(Expr::Not(Box::new(inner)));
        }
        self.atom()
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
                let inner = self.any()?;
                self.expect(")")?;
                Ok(inner)
            }
            Word::Name(name) => match name.as_str() {
                "STRLEN" => self.bracketed(|p| Ok(Expr::Length(Box::new(p.plain()?)))),
                "MATCH" => self.bracketed(|p| Ok(Expr::Match(Box::new(p.plain()?)))),
                "ISEOF" => Ok(Expr::AtEnd),
                "UNIQUE" => self.bracketed(|p| p.names().map(Expr::Unique)),
                "INARRAY" => self.bracketed(|p| {
                    let value = p.expr()?;
                    // Indices may stand there, but the whole array is meant.
                    let array = p.after_comma(Parser::variable)?;
                    Ok(Expr::InArray(Box::new(value), array.name))
                }),
                _ => Err(wrong),
            },
            _ => Err(wrong),
        }
    }
}
