//! Finds the mutants of a program in its syntax tree.

use std::collections::HashSet;
use std::ops::Range;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Item, Pat, Stmt, Token};

use super::language::MutantLanguage;
use super::mutant::{Mutant, MutationOperator, SwitchForm, SwitchSite};
use super::tree;
use super::tree_finder::tree_mutants;

/// The reason why a program cannot be mutated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MutateError {
    /// The program does not parse.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line number, from 1.
        line: usize,
        /// Message of the parser.
        message: String,
    },
    /// The program has no `fn main` at its top level.
    #[error("the program has no `fn main` at its top level")]
    NoMain,
}

/// Returns all mutants of a program, in the order of their positions. No two mutants produce the same program, and
/// no mutant produces the original.
///
/// Tests, attributes, types and format strings are not mutated. Inside Rust macros, only the expressions of common
/// standard library macros are mutated. In other languages, nothing is mutated in code that the parser doesn't
/// recognize.
///
/// ```
/// use nimatron_mutants::{MutantLanguage, MutationOperator, mutants};
/// let found = mutants("fn main() { let x = 2; print!(\"{}\", x ^ 1); }", MutantLanguage::Rust).unwrap();
/// let plus = found.iter().find(|mutant| mutant.text == "(x + 1)").unwrap();
/// assert_eq!((plus.operator, plus.line), (MutationOperator::Bitwise, 1));
/// ```
///
/// # Errors
/// Fails if a Rust program does not parse, or if the brackets of a program in another language don't match.
pub fn mutants(source: &str, language: MutantLanguage) -> Result<Vec<Mutant>, MutateError> {
    let mut found = match language {
        MutantLanguage::Rust => rust_mutants(source)?,
        _ => {
            let tree = tree::parse(source, language).map_err(|error| unbalanced(source, error.at))?;
            tree_mutants(source, language, &tree)
        }
    };
    found.sort_by(|a, b| key(a).cmp(&key(b)));
    let unchanged = (source.len(), 0, Vec::new());
    let mut seen = HashSet::from([unchanged]);
    found.retain(|mutant| seen.insert(mutant.essence(source)));
    number(source, &mut found);
    Ok(found)
}

fn rust_mutants(source: &str) -> Result<Vec<Mutant>, MutateError> {
    let file = parse(source)?;
    let mut finder = MutantFinder { source, found: Vec::new(), fixed: 0, returns: Vec::new() };
    finder.visit_file(&file);
    Ok(finder.found)
}

fn unbalanced(source: &str, at: usize) -> MutateError {
    let line = source.get(..at).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count() + 1;
    MutateError::Syntax { line, message: "unmatched bracket".to_owned() }
}

fn key(mutant: &Mutant) -> (usize, usize, MutationOperator, &str, bool) {
    // Among mutants with the same text, a mutant that can be switched at run time is preferred.
    (mutant.span.start, mutant.span.end, mutant.operator, &mutant.text, mutant.site.is_none())
}

/// Sets the ids, lines and columns of mutants, which must be sorted by position.
fn number(source: &str, mutants: &mut [Mutant]) {
    let (mut at, mut line, mut column) = (0, 1, 1);
    for (mutant, id) in mutants.iter_mut().zip(1..) {
        for c in source.get(at..mutant.span.start).unwrap_or_default().chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        at = mutant.span.start;
        (mutant.id, mutant.line, mutant.column) = (id, line, column);
    }
}

/// Parses a Rust program. A `#!` line is replaced by spaces, so that positions stay the same.
fn parse(source: &str) -> Result<syn::File, MutateError> {
    let shell = source.starts_with("#!") && !source.trim_start_matches("#!").trim_start().starts_with('[');
    let first = if shell { source.find('\n').unwrap_or(source.len()) } else { 0 };
    let text = format!("{}{}", " ".repeat(first), &source[first..]);
    syn::parse_str(&text)
        .map_err(|error| MutateError::Syntax { line: error.span().start().line, message: error.to_string() })
}

/// Returns the byte position after the opening brace of `main`.
pub(super) fn start_of_main(source: &str) -> Result<usize, MutateError> {
    let file = parse(source)?;
    let mut mains = file.items.iter().filter_map(|item| match item {
        Item::Fn(function) if function.sig.ident == "main" => Some(function.block.brace_token.span.open()),
        _ => None,
    });
    mains.next().map(|brace| brace.byte_range().end).ok_or(MutateError::NoMain)
}

/// Visitor that collects the mutants of a Rust program.
pub(super) struct MutantFinder<'s> {
    pub(super) source: &'s str,
    found: Vec<Mutant>,
    /// Number of constructs, such as constants and patterns, that enclose the current node and whose code cannot be
    /// switched at run time.
    fixed: usize,
    /// Return types of the functions around the current node as source text, the innermost last. An element is
    /// `None` for `main`, closures and functions without a return type.
    pub(super) returns: Vec<Option<String>>,
}

impl MutantFinder<'_> {
    /// Returns the byte range of the node.
    pub(super) fn range(&self, node: &impl Spanned) -> Range<usize> {
        node.span().byte_range()
    }

    /// Returns the source text of the node.
    pub(super) fn text(&self, node: &impl Spanned) -> &str {
        self.source.get(self.range(node)).unwrap_or_default()
    }

    /// Adds a mutant of an expression: `text` replaces `span`, which is a part of `node`.
    pub(super) fn mutate(
        &mut self,
        operator: MutationOperator,
        span: Range<usize>,
        text: impl Into<String>,
        node: &Expr,
    ) {
        let site = SwitchSite { span: self.range(node), text: None, form: SwitchForm::Expression };
        self.push(operator, span, text.into(), Some(site));
    }

    /// Adds a mutant that replaces a whole expression.
    pub(super) fn replace(&mut self, operator: MutationOperator, node: &Expr, text: impl Into<String>) {
        self.mutate(operator, self.range(node), text, node);
    }

    /// Adds a mutant that cannot be switched at run time, for example because it changes a pattern or the type of an
    /// expression.
    pub(super) fn fix(&mut self, operator: MutationOperator, span: Range<usize>, text: impl Into<String>) {
        self.push(operator, span, text.into(), None);
    }

    pub(super) fn push(
        &mut self,
        operator: MutationOperator,
        span: Range<usize>,
        text: String,
        site: Option<SwitchSite>,
    ) {
        let site = site.filter(|_| self.fixed == 0);
        // A node that does not come from the source has an empty range.
        if !span.is_empty() && self.source.get(span.clone()).is_some() {
            self.found.push(Mutant { id: 0, operator, line: 0, column: 0, span, text, site });
        }
    }

    /// Visits code in which mutants cannot be switched at run time.
    fn fixed(&mut self, walk: impl FnOnce(&mut Self)) {
        self.fixed += 1;
        walk(self);
        self.fixed -= 1;
    }

    fn function(&mut self, sig: &syn::Signature, body: Option<&syn::Block>, walk: impl FnOnce(&mut Self)) {
        let returns = match &sig.output {
            syn::ReturnType::Type(_, kind) if sig.ident != "main" => Some(self.text(&**kind).to_owned()),
            _ => None,
        };
        self.returns.push(returns);
        self.fixed += usize::from(sig.constness.is_some());
        body.into_iter().for_each(|body| self.tail(body));
        walk(self);
        self.fixed -= usize::from(sig.constness.is_some());
        self.returns.pop();
    }

    /// Visits the arguments of a standard library macro, except for the format string.
    fn arguments(&mut self, mac: &syn::Macro) {
        let Some(name) = mac.path.segments.last().map(|segment| segment.ident.to_string()) else { return };
        let before = match name.as_str() {
            "print" | "println" | "format" | "assert" => 1,
            "write" | "writeln" | "assert_eq" | "assert_ne" => 2,
            "vec" => {
                let (list, twice) = (Punctuated::<Expr, Token![,]>::parse_terminated, repeated);
                let elements = list.parse2(mac.tokens.clone()).map(|list| list.into_iter().collect());
                let elements: Vec<Expr> = elements.or_else(|_| twice.parse2(mac.tokens.clone())).unwrap_or_default();
                return elements.iter().for_each(|element| self.visit_expr(element));
            }
            _ => return,
        };
        let Ok(args) = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) else { return };
        for (index, arg) in args.iter().enumerate() {
            let text = matches!(arg, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Str(_)));
            if text && index < before + usize::from(name.starts_with("assert")) {
                continue;
            }
            match arg {
                // In `width = 3`, the left side is the name of an argument and not the target of an assignment.
                Expr::Assign(named) => self.visit_expr(&named.right),
                arg => self.visit_expr(arg),
            }
        }
    }
}

/// Parses the arguments of `vec![value; count]`.
fn repeated(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok(vec![value, input.parse()?])
}

/// Returns whether the item has the attribute `#[test]`, or a `#[cfg(…)]` that mentions `test`.
fn for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string().contains("test"),
        _ => false,
    })
}

impl<'ast> Visit<'ast> for MutantFinder<'_> {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_generics(&mut self, _: &'ast syn::Generics) {}

    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if for_tests(&module.attrs) => {}
            Item::Fn(function) if for_tests(&function.attrs) => {}
            Item::Const(_) | Item::Static(_) | Item::Enum(_) => self.fixed(|walker| visit::visit_item(walker, item)),
            Item::Fn(function) => {
                self.function(&function.sig, Some(&function.block), |walker| visit::visit_item(walker, item))
            }
            item => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        match item {
            syn::ImplItem::Const(_) => self.fixed(|walker| visit::visit_impl_item(walker, item)),
            syn::ImplItem::Fn(function) => {
                self.function(&function.sig, Some(&function.block), |walker| visit::visit_impl_item(walker, item))
            }
            item => visit::visit_impl_item(self, item),
        }
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        match item {
            syn::TraitItem::Const(_) => self.fixed(|walker| visit::visit_trait_item(walker, item)),
            syn::TraitItem::Fn(function) => {
                self.function(&function.sig, function.default.as_ref(), |walker| visit::visit_trait_item(walker, item))
            }
            item => visit::visit_trait_item(self, item),
        }
    }

    fn visit_signature(&mut self, _: &'ast syn::Signature) {}

    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            Pat::Guard(guard) => {
                self.visit_pat(&guard.pat);
                self.condition(&guard.guard);
                self.visit_expr(&guard.guard);
            }
            Pat::Lit(_) | Pat::Range(_) | Pat::Const(_) => self.fixed(|walker| visit::visit_pat(walker, pat)),
            Pat::Macro(_) => {}
            pat => visit::visit_pat(self, pat),
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        self.statement(stmt);
        visit::visit_stmt(self, stmt);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.arguments(mac);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.returns.push(None);
        self.effect(&closure.body);
        visit::visit_expr_closure(self, closure);
        self.returns.pop();
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.effect(&arm.body);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.fixed(|walker| walker.visit_expr(&repeat.len));
    }

    fn visit_expr_lit(&mut self, lit: &'ast syn::ExprLit) {
        // This literal is in a pattern. Literals in expressions are visited by `visit_expr`.
        self.literal(&lit.lit, None);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        self.range_ends(range);
        visit::visit_expr_range(self, range);
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.fixed(|walker| visit::visit_expr_const(walker, block));
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Lit(lit) => return self.literal(&lit.lit, Some(expr)),
            Expr::Binary(binary) => self.binary(binary, expr),
            Expr::Unary(unary) => self.unary(unary, expr),
            Expr::MethodCall(call) => self.method(call, expr),
            Expr::Index(index) => self.index(&index.index),
            Expr::If(branch) => self.condition(&branch.cond),
            Expr::While(turn) => self.condition(&turn.cond),
            Expr::Return(ret) => ret.expr.iter().for_each(|value| self.returned(value)),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}
