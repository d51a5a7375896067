//! The parser, which builds the syntax tree from tokens.

use super::integer::Integer;
use super::syntax_tree::{BinaryOperator, CommandKind, CtdCommand, CtdExpr, FloatNotation, VariableRef};
use super::tokens::GrammarToken;
use super::value::{CtdValue, arithmetic, cost};

/// Maximum nesting depth of blocks and expressions.
const DEEPEST: usize = 60;
/// Maximum number of operators per command. Each operation may be an operand of the next, so the limit also bounds the
/// depth of the syntax tree.
const MOST_OPERATORS: usize = 500;
/// Maximum number of steps spent on constant folding.
const MOST_FOLDED: u64 = 10_000_000;

/// The line number and the message of an error.
pub(super) type LineError = (usize, String);

/// Parses the commands of a grammar.
///
/// # Errors
/// Returns the line and the message of the first syntax error.
pub(super) fn commands(tokens: &[(usize, GrammarToken)]) -> Result<Vec<CtdCommand>, LineError> {
    let mut parser = GrammarParser { tokens, at: 0, depth: 0, operators: 0, folded: 0 };
    let commands = parser.block(&[])?;
    match parser.peek() {
        None => Ok(commands),
        Some(_) => Err(parser.expected("a command")),
    }
}

struct GrammarParser<'a> {
    tokens: &'a [(usize, GrammarToken)],
    at: usize,
    depth: usize,
    operators: usize,
    folded: u64,
}

impl GrammarParser<'_> {
    fn peek(&self) -> Option<&GrammarToken> {
        self.tokens.get(self.at).map(|(_, word)| word)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(line, _)| *line)
    }

    fn error(&self, what: impl Into<String>) -> LineError {
        (self.line(), what.into())
    }

    /// Returns an error that states what was expected and which token was found instead.
    fn expected(&self, what: &str) -> LineError {
        let found = match self.peek() {
            None => "the end of the grammar".to_owned(),
            Some(GrammarToken::Name(text) | GrammarToken::Variable(text)) => format!("`{text}`"),
            Some(GrammarToken::Int(number)) => format!("`{number}`"),
            Some(GrammarToken::Float(number)) => format!("`{number}`"),
            Some(GrammarToken::Text(_)) => "a string".to_owned(),
            Some(GrammarToken::Symbol(sign)) => format!("`{sign}`"),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn symbol(&mut self, sign: &str) -> bool {
        let there = matches!(self.peek(), Some(GrammarToken::Symbol(found)) if *found == sign);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: &str) -> Result<(), LineError> {
        if self.symbol(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn name(&mut self, name: &str) -> bool {
        let there = matches!(self.peek(), Some(GrammarToken::Name(found)) if found == name);
        self.at += usize::from(there);
        there
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, LineError>) -> Result<T, LineError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(format!("blocks or expressions are nested more than {DEEPEST} levels deep")));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Parses commands until the next token is not a name or is one of the names in `ends`. That token is not consumed.
    fn block(&mut self, ends: &[&str]) -> Result<Vec<CtdCommand>, LineError> {
        let mut found = Vec::new();
        while let Some(GrammarToken::Name(name)) = self.peek() {
            if ends.contains(&name.as_str()) {
                break;
            }
            found.push(self.nested(GrammarParser::command)?);
        }
        Ok(found)
    }

    fn command(&mut self) -> Result<CtdCommand, LineError> {
        let line = self.line();
        let Some(GrammarToken::Name(name)) = self.peek().cloned() else {
            return Err(self.expected("a command"));
        };
        self.at += 1;
        self.operators = 0;
        let kind = match name.as_str() {
            "SPACE" => CommandKind::Space,
            "NEWLINE" => CommandKind::Newline,
            "EOF" => CommandKind::End,
            "INT" => self.bracketed(|p| {
                let (least, most) = (p.expr()?, p.after_comma(GrammarParser::expr)?);
                Ok(CommandKind::Int(least, most, p.optional_variable()?))
            })?,
            "FLOAT" | "FLOATP" => self.bracketed(|p| p.float(name == "FLOATP"))?,
            "STRING" => self.bracketed(|p| p.operand().map(CommandKind::Text))?,
            "REGEX" => self.bracketed(|p| {
                let text = p.operand()?;
                Ok(CommandKind::Regex(text, p.optional_variable()?))
            })?,
            "ASSERT" => self.bracketed(|p| p.test().map(CommandKind::Assert))?,
            "SET" => self.bracketed(GrammarParser::set)?,
            "UNSET" => self.bracketed(|p| p.names().map(CommandKind::Unset))?,
            "REP" | "REPI" | "WHILE" | "WHILEI" => self.repeat(&name)?,
            "IF" => self.branch()?,
            other => {
                self.at -= 1;
                return Err(self.error(format!("unknown command `{other}`")));
            }
        };
        Ok(CtdCommand { line, kind })
    }

    fn bracketed<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, LineError>) -> Result<T, LineError> {
        self.expect("(")?;
        let result = inner(self)?;
        self.expect(")")?;
        Ok(result)
    }

    fn after_comma<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, LineError>) -> Result<T, LineError> {
        self.expect(",")?;
        inner(self)
    }

    fn optional_variable(&mut self) -> Result<Option<VariableRef>, LineError> {
        if self.symbol(",") { self.variable().map(Some) } else { Ok(None) }
    }

    fn float(&mut self, decimals: bool) -> Result<CommandKind, LineError> {
        let (least, most) = (self.expr()?, self.after_comma(GrammarParser::expr)?);
        let decimals = match decimals {
            true => Some((self.after_comma(GrammarParser::expr)?, self.after_comma(GrammarParser::expr)?)),
            false => None,
        };
        let variable = self.optional_variable()?;
        let notation = match variable.is_some() && self.symbol(",") {
            false => FloatNotation::Any,
            true if self.name("FIXED") => FloatNotation::Fixed,
            true if self.name("SCIENTIFIC") => FloatNotation::Scientific,
            true => return Err(self.expected("`FIXED` or `SCIENTIFIC`")),
        };
        Ok(CommandKind::Float { least, most, decimals, variable, notation })
    }

    fn set(&mut self) -> Result<CommandKind, LineError> {
        let mut all = Vec::new();
        loop {
            let variable = self.variable()?;
            self.expect("=")?;
            all.push((variable, self.expr()?));
            if !self.symbol(",") {
                return Ok(CommandKind::Set(all));
            }
        }
    }

    fn names(&mut self) -> Result<Vec<String>, LineError> {
        let mut all = Vec::new();
        loop {
            let Some(GrammarToken::Variable(name)) = self.peek().cloned() else {
                return Err(self.expected("a variable"));
            };
            self.at += 1;
            all.push(name);
            if !self.symbol(",") {
                return Ok(all);
            }
        }
    }

    fn repeat(&mut self, name: &str) -> Result<CommandKind, LineError> {
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
        let separator = if self.symbol(",") { Some(Box::new(self.separator()?)) } else { None };
        self.expect(")")?;
        let body = self.block(&["END"])?;
        if !self.name("END") {
            return Err(self.expected("`END`"));
        }
        Ok(match name.starts_with("REP") {
            true => CommandKind::Repeat { variable, count: head, separator, body },
            false => CommandKind::While { variable, test: head, separator, body },
        })
    }

    /// Parses a separator, which is any command except `EOF`, a loop or a branch.
    fn separator(&mut self) -> Result<CtdCommand, LineError> {
        match self.peek() {
            Some(GrammarToken::Name(name))
                if matches!(name.as_str(), "EOF" | "REP" | "REPI" | "WHILE" | "WHILEI" | "IF") =>
            {
                Err(self.error(format!("`{name}` is not allowed as a separator")))
            }
            _ => self.command(),
        }
    }

    fn branch(&mut self) -> Result<CommandKind, LineError> {
        let test = self.bracketed(GrammarParser::test)?;
        let yes = self.block(&["ELSE", "END"])?;
        let no = if self.name("ELSE") { self.block(&["END"])? } else { Vec::new() };
        if !self.name("END") {
            return Err(self.expected("`END`"));
        }
        Ok(CommandKind::If(test, yes, no))
    }

    fn variable(&mut self) -> Result<VariableRef, LineError> {
        let Some(GrammarToken::Variable(name)) = self.peek().cloned() else {
            return Err(self.expected("a variable"));
        };
        self.at += 1;
        let mut indices = Vec::new();
        if self.symbol("[") {
            indices.push(self.expr()?);
            while self.symbol(",") {
                indices.push(self.expr()?);
            }
            self.expect("]")?;
        }
        Ok(VariableRef { name, indices })
    }

    /// Parses an expression that has a value.
    fn expr(&mut self) -> Result<CtdExpr, LineError> {
        let found = self.any_expr()?;
        self.check_type(found, false)
    }

    /// Parses an expression that is true or false.
    fn test(&mut self) -> Result<CtdExpr, LineError> {
        let found = self.any_expr()?;
        self.check_type(found, true)
    }

    fn any_expr(&mut self) -> Result<CtdExpr, LineError> {
        self.nested(|parser| parser.tests())
    }

    /// Parses a literal, a variable or a function call.
    fn operand(&mut self) -> Result<CtdExpr, LineError> {
        if let Some(GrammarToken::Symbol(_)) = self.peek() {
            return Err(self.expected("a value"));
        }
        let found = self.nested(GrammarParser::atom)?;
        self.check_type(found, false)
    }

    /// Returns the expression if it is a test and `test` is true, or if it is a value and `test` is false. Otherwise,
    /// returns an error.
    fn check_type(&self, expr: CtdExpr, test: bool) -> Result<CtdExpr, LineError> {
        match (expr.is_test(), test) {
            (true, false) => Err(self.error("expected a value, found a condition")),
            (false, true) => Err(self.error("expected a condition, found a value")),
            _ => Ok(expr),
        }
    }

    fn operator(&mut self, operators: &[(&str, BinaryOperator)]) -> Result<Option<BinaryOperator>, LineError> {
        let found = operators.iter().find_map(|(sign, operator)| self.symbol(sign).then_some(*operator));
        self.operators += usize::from(found.is_some());
        match self.operators > MOST_OPERATORS {
            true => Err(self.error(format!("the command has more than {MOST_OPERATORS} operators"))),
            false => Ok(found),
        }
    }

    /// Parses an arithmetic expression, or one or more comparisons joined by `&&` and `||`, which have equal precedence
    /// and associate to the left.
    fn tests(&mut self) -> Result<CtdExpr, LineError> {
        let mut left = self.comparison()?;
        while let Some(operator) = self.operator(&[("||", BinaryOperator::Or), ("&&", BinaryOperator::And)])? {
            left = self.check_type(left, true)?;
            let right = self.comparison()?;
            left = self.fold_or_join(operator, left, right)?;
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<CtdExpr, LineError> {
        use BinaryOperator::{AtLeast, AtMost, Differs, Equal, Greater, Less};
        const SYMBOLS: [(&str, BinaryOperator); 6] =
            [("<=", AtMost), (">=", AtLeast), ("==", Equal), ("!=", Differs), ("<", Less), (">", Greater)];
        let left = self.binary(0)?;
        match self.operator(&SYMBOLS)? {
            Some(operator) => {
                let right = self.binary(0)?;
                self.fold_or_join(operator, left, right)
            }
            None => Ok(left),
        }
    }

    /// Parses an arithmetic expression whose operators have precedence `level` or higher and associate to the left.
    fn binary(&mut self, level: usize) -> Result<CtdExpr, LineError> {
        use BinaryOperator::{Divided, Minus, Modulo, Plus, Power, Times};
        const LEVELS: [&[(&str, BinaryOperator)]; 3] =
            [&[("+", Plus), ("-", Minus)], &[("*", Times), ("%", Modulo), ("/", Divided)], &[("^", Power)]];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators)? {
            let right = self.binary(level + 1)?;
            left = self.fold_or_join(operator, left, right)?;
        }
        Ok(left)
    }

    /// Combines two operands into one expression. Arithmetic on two integer literals is folded into a literal, unless
    /// it fails or the total cost of folding would exceed [`MOST_FOLDED`].
    fn fold_or_join(&mut self, operator: BinaryOperator, left: CtdExpr, right: CtdExpr) -> Result<CtdExpr, LineError> {
        let (left, right) =
            (self.check_type(left, operator.is_logical())?, self.check_type(right, operator.is_logical())?);
        if let (CtdExpr::Int(left), CtdExpr::Int(right)) = (&left, &right)
            && !operator.is_comparison()
        {
            let (left, right) = (CtdValue::Int(left.clone()), CtdValue::Int(right.clone()));
            self.folded = self.folded.saturating_add(cost(operator, &left, &right));
            if self.folded <= MOST_FOLDED
                && let Ok(CtdValue::Int(result)) = arithmetic(operator, &left, &right)
            {
                return Ok(CtdExpr::Int(result));
            }
        }
        Ok(CtdExpr::Binary(operator, Box::new(left), Box::new(right)))
    }

    fn unary(&mut self) -> Result<CtdExpr, LineError> {
        if self.operator(&[("-", BinaryOperator::Minus)])?.is_some() {
            // A sign binds less tightly than `^`, so its operand may be a power: `-2^2` means `-(2^2)`.
            let inner = self.nested(|parser| parser.binary(2))?;
            let inner = self.check_type(inner, false)?;
            return match &inner {
                CtdExpr::Int(Integer::Small(number)) if *number != i128::MIN => {
                    Ok(CtdExpr::Int(Integer::Small(-number)))
                }
                _ => Ok(CtdExpr::Minus(Box::new(inner))),
            };
        }
        if self.symbol("!") {
            // `!` applies to the whole rest of the test, as in the original checktestdata: its grammar assigns no
            // precedence to `!`, so `!a && b` means `!(a && b)`.
            let inner = self.test()?;
            return Ok(CtdExpr::Not(Box::new(inner)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<CtdExpr, LineError> {
        let wrong = self.expected("a value");
        let Some(word) = self.peek().cloned() else { return Err(wrong) };
        if let GrammarToken::Variable(_) = word {
            return self.variable().map(CtdExpr::Variable);
        }
        self.at += 1;
        match word {
            GrammarToken::Int(number) => Ok(CtdExpr::Int(number)),
            GrammarToken::Float(number) => Ok(CtdExpr::Float(number)),
            GrammarToken::Text(text) => Ok(CtdExpr::Text(text)),
            GrammarToken::Symbol("(") => {
                let inner = self.any_expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            GrammarToken::Name(name) => match name.as_str() {
                "STRLEN" => self.bracketed(|p| Ok(CtdExpr::Length(Box::new(p.operand()?)))),
                "MATCH" => self.bracketed(|p| Ok(CtdExpr::Match(Box::new(p.operand()?)))),
                "ISEOF" => Ok(CtdExpr::AtEnd),
                "UNIQUE" => self.bracketed(|p| p.names().map(CtdExpr::Unique)),
                "INARRAY" => self.bracketed(|p| {
                    let value = p.expr()?;
                    // Indices are accepted but ignored: the whole array is searched.
                    let array = p.after_comma(GrammarParser::variable)?;
                    Ok(CtdExpr::InArray(Box::new(value), array.name))
                }),
                _ => Err(wrong),
            },
            _ => Err(wrong),
        }
    }
}
