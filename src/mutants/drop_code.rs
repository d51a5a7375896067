//! Mutants of Rust programs that drop code or return another value.

use syn::{Expr, Stmt};

use super::find::MutantFinder;
use super::mutant::{MutationOperator, SwitchForm, SwitchSite};
use super::operators::assigns;

impl MutantFinder<'_> {
    /// Adds a mutant that drops `stmt` if `stmt` ends with a semicolon and is a call, an assignment, a jump or a
    /// printing macro.
    pub(super) fn statement(&mut self, stmt: &Stmt) {
        let dropped = match stmt {
            Stmt::Expr(expr, Some(_)) => has_effect(expr),
            Stmt::Macro(stmt) => stmt.semi_token.is_some() && prints(&stmt.mac),
            _ => false,
        };
        if dropped {
            let span = self.range(stmt);
            let site = SwitchSite { span: span.clone(), text: Some(String::new()), form: SwitchForm::Statement };
            self.push(MutationOperator::Dropped, span, String::new(), Some(site));
        }
    }

    /// Adds a mutant in which the body of a match arm or closure is empty, if the body is an assignment or a jump.
    pub(super) fn effect(&mut self, body: &Expr) {
        let only = match body {
            Expr::Assign(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) => true,
            Expr::Binary(binary) => assigns(&binary.op),
            _ => false,
        };
        if only {
            self.replace(MutationOperator::Dropped, body, "{}");
        }
    }

    /// Adds mutants that replace the final expression of a function body, if the body ends with an expression.
    pub(super) fn tail(&mut self, block: &syn::Block) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last() {
            self.returned(value);
        }
    }

    /// Adds mutants that replace a returned value with other values of the function's return type.
    pub(super) fn returned(&mut self, value: &Expr) {
        let Some(Some(kind)) = self.returns.last() else { return };
        for other in other_values(kind) {
            if self.text(value) != *other {
                self.replace(MutationOperator::Returned, value, *other);
            }
        }
    }
}

/// Returns the values that may replace a returned value of the type `kind`. The slice is empty if values of this type
/// are not replaced.
fn other_values(kind: &str) -> &'static [&'static str] {
    const NUMBERS: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    match kind {
        "bool" => &["false", "true"],
        "f64" | "f32" => &["0.0", "1.0"],
        "String" => &["String::new()"],
        "&str" | "&'static str" => &["\"\""],
        kind if NUMBERS.contains(&kind) => &["0", "1"],
        kind if kind.starts_with("Option<") => &["None"],
        kind if kind.starts_with("Vec<") => &["Vec::new()"],
        _ => &[],
    }
}

/// Returns whether a statement that consists of this expression can be dropped.
fn has_effect(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Assign(_)
        | Expr::Break(_)
        | Expr::Continue(_)
        | Expr::Return(_) => true,
        Expr::Macro(mac) => prints(&mac.mac),
        Expr::Try(inner) => has_effect(&inner.expr),
        Expr::Binary(binary) => assigns(&binary.op),
        _ => false,
    }
}

/// Returns whether the macro is `print!`, `println!`, `write!` or `writeln!`.
fn prints(mac: &syn::Macro) -> bool {
    mac.path
        .segments
        .last()
        .is_some_and(|name| ["print", "println", "write", "writeln"].iter().any(|known| name.ident == known))
}
