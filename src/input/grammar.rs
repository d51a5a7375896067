//! Parses tokens into an [`Expr`]. A [`Resolver`] resolves the names.

use std::ops::Range;

use super::expr::{Expr, Sign};
use super::raw::Slip;
use super::token::{Token, TokenKind, tokens};

/// Names of the functions that reduce a list to a number.
pub(crate) const FOLDS: [&str; 5] = ["sum", "count", "min", "max", "xor"];

/// Maximum nesting depth of expressions, which bounds the recursion depth of the parser.
const DEEPEST: usize = 100;

/// Resolves names in the context of a description.
pub(crate) trait Resolver {
    /// Resolves a name that stands for one number.
    fn name(&mut self, name: &str, range: Range<usize>) -> Result<Expr, Slip>;
    /// Resolves a function of a list.
    fn fold(&mut self, function: &str, name: &str, range: Range<usize>, of: Option<Expr>) -> Result<Expr, Slip>;
}

/// A parser for one expression, range or clause.
pub(crate) struct Grammar<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    resolver: &'a mut dyn Resolver,
}

impl<'a> Grammar<'a> {
    pub(crate) fn new(text: &str, resolver: &'a mut dyn Resolver) -> Result<Grammar<'a>, Slip> {
        Ok(Grammar { tokens: tokens(text)?, at: 0, depth: 0, resolver })
    }

    pub(crate) fn peek(&self) -> &Token {
        // The last token is `End`, and the position never moves past it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn after(&self, ahead: usize) -> &TokenKind {
        self.tokens.get(self.at + ahead).map_or(&TokenKind::End, |token| &token.mark)
    }

    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = matches!(&self.peek().mark, TokenKind::Sign(found) if *found == sign);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Result<(), Slip> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// Returns the error for an unexpected token at the current position.
    pub(crate) fn unexpected(&self, expected: &str) -> Slip {
        let token = self.peek();
        let found = match &token.mark {
            TokenKind::Number(number) => format!("found `{number}`"),
            TokenKind::Name(name) => format!("found `{name}`"),
            TokenKind::Sign(sign) => format!("found `{sign}`"),
            TokenKind::End => "found the end of the text".to_owned(),
        };
        Slip::new(token.range.clone(), format!("expected {expected}, {found}"))
    }

    pub(crate) fn end(&self) -> Result<(), Slip> {
        if self.peek().mark == TokenKind::End { Ok(()) } else { Err(self.unexpected("the end of the text")) }
    }

    /// Parses the name of a predicate or of its argument.
    pub(crate) fn name(&mut self) -> Result<(String, Range<usize>), Slip> {
        match self.peek().clone() {
            Token { mark: TokenKind::Name(name), range } => {
                self.at += 1;
                Ok((name, range))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Parses `lo..=hi`, or one expression that is used for both ends, and returns the byte range of each end.
    pub(crate) fn range(&mut self) -> Result<[(Expr, Range<usize>); 2], Slip> {
        let lo = self.placed()?;
        let hi = if self.take("..=") { self.placed()? } else { lo.clone() };
        self.end()?;
        Ok([lo, hi])
    }

    /// Parses an expression and returns its byte range.
    pub(crate) fn placed(&mut self) -> Result<(Expr, Range<usize>), Slip> {
        let start = self.peek().range.start;
        let expr = self.expr()?;
        let end = self.tokens[self.at.saturating_sub(1)].range.end;
        Ok((expr, start..end))
    }

    /// Parses an expression: a product, or a sum or difference of products.
    pub(crate) fn expr(&mut self) -> Result<Expr, Slip> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Slip::new(
                self.peek().range.clone(),
                format!("this expression exceeds the limit of {DEEPEST} levels of nesting"),
            ));
        }
        let mut left = self.product()?;
        loop {
            let sign = match self.peek().mark {
                TokenKind::Sign("+") => Sign::Plus,
                TokenKind::Sign("-") => Sign::Minus,
                _ => break,
            };
            self.at += 1;
            left = Expr::Binary(sign, Box::new(left), Box::new(self.product()?));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Expr, Slip> {
        let mut left = self.signed()?;
        loop {
            let sign = match self.peek().mark {
                TokenKind::Sign("*") => Sign::Times,
                TokenKind::Sign("/") => Sign::Over,
                TokenKind::Sign("%") => Sign::Modulo,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Binary(sign, Box::new(left), Box::new(self.signed()?));
        }
    }

    /// Parses a power with any number of unary minus signs, which bind less tightly than `^`: `-2^2` is -4.
    fn signed(&mut self) -> Result<Expr, Slip> {
        let mut negative = false;
        while self.take("-") {
            negative = !negative;
        }
        let power = self.power()?;
        Ok(if negative { Expr::Minus(Box::new(power)) } else { power })
    }

    fn power(&mut self) -> Result<Expr, Slip> {
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Slip::new(
                self.peek().range.clone(),
                format!("this expression exceeds the limit of {DEEPEST} levels of nesting"),
            ));
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(Expr::Binary(Sign::Power, Box::new(base), Box::new(exponent)))
    }

    fn atom(&mut self) -> Result<Expr, Slip> {
        let token = self.peek().clone();
        match token.mark {
            TokenKind::Number(number) => {
                self.at += 1;
                Ok(Expr::Number(number))
            }
            TokenKind::Name(name) if *self.after(1) == TokenKind::Sign("(") => self.call(&name, token.range),
            TokenKind::Name(name) => {
                self.at += 1;
                self.resolver.name(&name, token.range)
            }
            TokenKind::Sign("(") => {
                self.at += 1;
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn call(&mut self, function: &str, range: Range<usize>) -> Result<Expr, Slip> {
        if !FOLDS.contains(&function) {
            return Err(unknown_function(function, range));
        }
        self.at += 2;
        let one_name = matches!(self.peek().mark, TokenKind::Name(_))
            && (*self.after(1) == TokenKind::Sign(")")
                || function == "count" && *self.after(1) == TokenKind::Sign(","));
        if one_name {
            let (name, place) = self.name()?;
            let of = if self.take(",") { Some(self.expr()?) } else { None };
            self.expect(")")?;
            return self.resolver.fold(function, &name, place, of);
        }
        if !matches!(function, "min" | "max") {
            return Err(self.unexpected("the name of a list"));
        }
        let mut all = vec![self.expr()?];
        while self.take(",") {
            all.push(self.expr()?);
        }
        self.expect(")")?;
        Ok(if function == "min" { Expr::Least(all) } else { Expr::Greatest(all) })
    }
}

fn unknown_function(function: &str, range: Range<usize>) -> Slip {
    if super::clause::PREDICATES.contains(&function) {
        return Slip::new(range, format!("`{function}` is a predicate; use it as a separate `where` clause"));
    }
    let known = FOLDS.iter().chain(&super::clause::PREDICATES).copied();
    Slip::new(range, format!("unknown function `{function}`")).nearest(function, known)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoNames;
    impl Resolver for NoNames {
        fn name(&mut self, name: &str, range: Range<usize>) -> Result<Expr, Slip> {
            Err(Slip::new(range, format!("no {name}")))
        }
        fn fold(&mut self, _: &str, name: &str, range: Range<usize>, _: Option<Expr>) -> Result<Expr, Slip> {
            Err(Slip::new(range, format!("no list {name}")))
        }
    }

    fn value(text: &str) -> i128 {
        let mut names = NoNames;
        let mut grammar = Grammar::new(text, &mut names).unwrap();
        let expr = grammar.expr().unwrap();
        grammar.end().unwrap();
        expr.constant().unwrap()
    }

    #[test]
    fn arithmetic_has_the_usual_precedence() {
        assert_eq!(value("2^63-1"), i128::from(i64::MAX));
        assert_eq!(value("-2^2"), -4);
        assert_eq!(value("2^3^2"), 512);
        assert_eq!(value("10-3-2"), 5);
        assert_eq!(value("7*(7-1)/2"), 21);
        assert_eq!(value("--5 + min(3, 2*2, 9) % max(2, 1)"), 6);
        assert_eq!(value("2^-(-3)"), 8);
    }

    #[test]
    fn complaints_mark_the_place() {
        let complain = |text: &str| {
            let mut names = NoNames;
            let read = Grammar::new(text, &mut names).and_then(|mut grammar| {
                let expr = grammar.expr()?;
                grammar.end().map(|()| expr)
            });
            let slip = read.unwrap_err();
            (slip.range.unwrap(), slip.message)
        };
        assert_eq!(complain("1 + n"), (4..5, "no n".into()));
        assert_eq!(complain("1 +"), (3..3, "expected a number, a name or `(`, found the end of the text".into()));
        assert_eq!(complain("(1"), (2..2, "expected `)`, found the end of the text".into()));
        assert_eq!(complain("1 2"), (2..3, "expected the end of the text, found `2`".into()));
        assert_eq!(complain("summ(a)"), (0..4, "unknown function `summ`".into()));
        assert_eq!(complain("sum(1)"), (4..5, "expected the name of a list, found `1`".into()));
        assert!(complain(&"(".repeat(5000)).1.contains("levels of nesting"));
        assert!(complain(&format!("1{}", "^1".repeat(5000))).1.contains("levels of nesting"));
    }
}
