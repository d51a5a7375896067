//! Mutants of Rust expressions: operators, constants, conditions, range ends, indices and methods.

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Expr, Lit, RangeLimits, UnOp};

use super::find::MutantFinder;
use super::mutant::{MutationOperator, SwitchForm, SwitchSite};
use super::operators::{binds_alike, has_opposite, other_literals, other_method, others};

impl MutantFinder<'_> {
    pub(super) fn binary(&mut self, binary: &syn::ExprBinary, node: &Expr) {
        let Some((operator, sign, others)) = others(&binary.op) else { return };
        for other in others {
            // After the type of a cast, `<` would start generic arguments.
            let type_goes_on = other.starts_with('<') && ends_in_type(&binary.left);
            if binds_alike(sign, other) && !type_goes_on {
                self.mutate(operator, self.range(&binary.op), *other, node);
            } else {
                let (left, right) = (self.bracketed(&binary.left), self.bracketed(&binary.right));
                self.replace(operator, node, format!("({left} {other} {right})"));
            }
        }
        if operator == MutationOperator::Logic && !has_let(node) {
            for side in [&binary.left, &binary.right] {
                self.replace(MutationOperator::Logic, node, self.text(&**side).to_owned());
            }
        }
    }

    /// Returns the text of an operand, in parentheses unless it is atomic.
    fn bracketed(&self, operand: &Expr) -> String {
        let text = self.text(operand);
        if of_one_piece(operand) { text.to_owned() } else { format!("({text})") }
    }

    pub(super) fn unary(&mut self, unary: &syn::ExprUnary, node: &Expr) {
        let operator = match unary.op {
            UnOp::Not(_) => MutationOperator::Logic,
            UnOp::Neg(_) => MutationOperator::Arithmetic,
            _ => return,
        };
        self.replace(operator, node, self.text(&*unary.expr).to_owned());
    }

    /// Adds the mutants of a literal. `node` is the expression that consists of the literal, or `None` in a pattern.
    pub(super) fn literal(&mut self, lit: &Lit, node: Option<&Expr>) {
        for other in other_literals(lit) {
            match node {
                Some(node) => self.replace(MutationOperator::Constant, node, other),
                None => self.fix(MutationOperator::Constant, self.range(lit), other),
            }
        }
    }

    /// Adds mutants that replace or negate the condition of an `if`, a `while` or a match guard.
    pub(super) fn condition(&mut self, cond: &Expr) {
        if has_let(cond) || matches!(cond, Expr::Lit(_)) {
            return;
        }
        for truth in ["false", "true"] {
            self.replace(MutationOperator::Condition, cond, truth);
        }
        // Conditions of the form `!a`, `a == b` or `a != b` are not negated, since another mutant removes the `!` or
        // inverts the comparison.
        let negated = match cond {
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
            Expr::Binary(binary) => has_opposite(&binary.op),
            _ => false,
        };
        if !negated {
            let text = format!("!({})", self.text(cond));
            self.replace(MutationOperator::Condition, cond, text);
        }
    }

    pub(super) fn method(&mut self, call: &syn::ExprMethodCall, node: &Expr) {
        let name = call.method.to_string();
        if let Some(other) = other_method(&name) {
            self.mutate(MutationOperator::Method, self.range(&call.method), other, node);
        }
        if name == "rev" && call.args.is_empty() {
            self.fix(MutationOperator::Method, self.range(&call.dot_token).start..self.range(node).end, "");
        }
    }

    /// Adds a mutant in which an index is larger by one, and a mutant in which it is smaller by one.
    pub(super) fn index(&mut self, index: &Expr) {
        if matches!(index, Expr::Range(_) | Expr::Reference(_)) || has_number(index) {
            return;
        }
        for off in ["+ 1", "- 1"] {
            let text = format!("{} {off}", self.bracketed(index));
            self.replace(MutationOperator::OffByOne, index, text);
        }
    }

    /// Adds mutants in which one end of a range is moved by one.
    pub(super) fn range_ends(&mut self, range: &syn::ExprRange) {
        if let Some(start) = range.start.as_deref().filter(|start| !has_number(start)) {
            for off in ["+ 1", "- 1"] {
                let text = format!("{} {off}", self.bracketed(start));
                self.replace(MutationOperator::OffByOne, start, text);
            }
        }
        let Some(end) = range.end.as_deref() else { return };
        let next = format!("{} + 1", self.bracketed(end));
        match range.limits {
            RangeLimits::HalfOpen(dots) => {
                // `..` and `..=` have different types, so the switch increases the end by one instead.
                let site = SwitchSite { span: self.range(end), text: Some(next), form: SwitchForm::Expression };
                self.push(MutationOperator::OffByOne, dots.span().byte_range(), "..=".to_owned(), Some(site));
                if !has_number(end) {
                    let text = format!("{} - 1", self.bracketed(end));
                    self.replace(MutationOperator::OffByOne, end, text);
                }
            }
            RangeLimits::Closed(dots) => {
                self.fix(MutationOperator::OffByOne, dots.span().byte_range(), "..");
                if !has_number(end) {
                    self.replace(MutationOperator::OffByOne, end, next);
                }
            }
        }
    }
}

/// Returns whether the expression never needs parentheses.
fn of_one_piece(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Lit(_)
            | Expr::Path(_)
            | Expr::Paren(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Macro(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
    )
}

/// Returns whether the expression ends in the type of a cast.
fn ends_in_type(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(_) => true,
        Expr::Binary(binary) => ends_in_type(&binary.right),
        Expr::Unary(unary) => ends_in_type(&unary.expr),
        Expr::Reference(reference) => ends_in_type(&reference.expr),
        _ => false,
    }
}

/// Returns whether the expression is a literal, or a sum or difference with a literal operand. The literal is already
/// mutated as a constant.
fn has_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Paren(paren) => has_number(&paren.expr),
        Expr::Binary(binary) => {
            matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_))
                && (matches!(*binary.right, Expr::Lit(_)) || matches!(*binary.left, Expr::Lit(_)))
        }
        _ => false,
    }
}

/// Returns whether the expression contains a `let` outside closures and blocks. The code after the expression may
/// use the variables that such a `let` binds.
fn has_let(expr: &Expr) -> bool {
    struct LetFinder(bool);
    impl<'ast> Visit<'ast> for LetFinder {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_expr_block(&mut self, _: &'ast syn::ExprBlock) {}
    }
    let mut lets = LetFinder(false);
    lets.visit_expr(expr);
    lets.0
}
