//! Exports a description as a stand-alone C++ program that checks inputs as strictly as [`Description::validate`].
//!
//! `stand_alone.cpp` contains the functions that all programs share. The lines and clauses of a description are
//! translated to calls of these functions, in the order of their declaration.

use std::fmt::Write;

use super::clause::{Clause, GraphProperty, Meaning};
use super::description::Description;
use super::expr::{Expr, NumberName, Sign};
use super::fold::{Fold, FoldKind, FoldSource};
use super::layout::{Item, Range, Shape, ValueKind, Var};

/// C++ source of the functions that all exported programs share.
const PARTS: &str = include_str!("stand_alone.cpp");

/// Exit codes of a stand-alone program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitCodes {
    /// Exit code for a valid input.
    pub accepted: u8,
    /// Exit code for an invalid input.
    pub refused: u8,
}

impl Description {
    /// Returns the source of a C++17 program that reads an input from standard input and accepts or rejects it exactly
    /// as [`Description::validate`] does. The program needs a compiler with 128-bit integers (GCC or Clang on a 64-bit
    /// machine), stores the whole input in memory, and reports the invalid line and the reason on standard error.
    ///
    /// `title` becomes a comment at the head of the program. The program for the description of an answer does not have
    /// the input, so it rejects every value whose bounds use the input.
    pub fn stand_alone(&self, title: &str, answers: ExitCodes) -> String {
        let mut text = String::new();
        for line in title.lines() {
            text.push_str(format!("// {line}").trim_end());
            text.push('\n');
        }
        let ExitCodes { accepted, refused } = answers;
        text.push_str(&format!("\nconstexpr int ACCEPTED = {accepted};\nconstexpr int REFUSED = {refused};\n\n"));
        text.push_str(PARTS);
        text.push_str("\n// The input.\n\n");
        for var in &self.layout.vars {
            text.push_str(&format!("static {} v_{};\n", if is_word(var) { "Words" } else { "Numbers" }, var.name));
        }
        for at in 0..self.folds.len() {
            text.push_str(&format!("static Fold fold_{at};\n"));
        }
        text.push_str("\nint main() {\n    read_all();\n    [[maybe_unused]] std::size_t row = 0;\n");
        let mut program = GeneratedProgram { d: self, text, depth: 1 };
        for (number, item) in self.layout.items.iter().enumerate() {
            program.item(number, item);
        }
        program.line("if (at != text.size()) refuse(\"the end of the file\");");
        program.line("return ACCEPTED;");
        program.text.push_str("}\n");
        program.text
    }
}

fn is_word(var: &Var) -> bool {
    matches!(var.kind, ValueKind::Word { .. })
}

/// The C++ source generated so far, with the current indentation depth.
struct GeneratedProgram<'d> {
    d: &'d Description,
    text: String,
    depth: usize,
}

impl GeneratedProgram<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 4 * self.depth);
    }

    fn open(&mut self, line: &str) {
        self.line(&format!("{line} {{"));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn item(&mut self, number: usize, item: &Item) {
        self.line("");
        if let Some(count) = &item.repeat {
            let rows = self.expr(&count.expr);
            self.line(&format!("const auto rows_{number} = static_cast<std::size_t>(length({rows}));"));
            self.open(&format!("for (row = 0; row < rows_{number}; ++row)"));
        } else {
            self.line("{");
            self.depth += 1;
        }
        for at in self.d.layout.vars_of(number) {
            let name = &self.d.layout.vars[at].name;
            self.line(&format!("[[maybe_unused]] const std::size_t from_{name} = v_{name}.size();"));
        }
        for vars in &item.lines {
            self.line("begin_line();");
            for at in vars {
                self.values(*at);
            }
            self.line("end_line();");
        }
        let d = self.d;
        for clause in d.clauses.iter().filter(|clause| clause.ready == number && d.in_row(clause)) {
            match &clause.meaning {
                Meaning::Compare { .. } => self.compare(clause),
                Meaning::Graph { property, from, to } => self.graph(clause, *property, *from, *to, true),
                Meaning::List { .. } => {}
            }
        }
        self.close();
        self.line("row = 0;");
        self.folds(number);
        for clause in d.clauses.iter().filter(|clause| clause.ready == number && !d.in_row(clause)) {
            self.clause(clause);
        }
    }

    /// Generates code that reads the values of one variable of a line and, if the variable is a list, checks its
    /// predicates. The predicates of a block's columns are checked after the last row; see [`Self::folds`].
    fn values(&mut self, at: usize) {
        let var = &self.d.layout.vars[at];
        let shape = if var.length.is_some() { format!("{}[{}]", var.name, length_text(var)) } else { var.name.clone() };
        self.line(&format!("// {shape}: {}", var.text.replace('\n', " ")));
        let read = self.read(var);
        match &var.length {
            None => {
                let push = format!("v_{}.push_back({read});", var.name);
                self.line(&push);
            }
            Some(length) => {
                let count = format!("length({})", self.expr(&length.expr));
                self.open(&format!("if (const Int count = {count}; count > 0)"));
                // The range is the same for all values of the list, so it is computed once.
                if let Some(range) = self.range(var) {
                    self.line(&format!("const Range range = {range};"));
                }
                self.line(&format!("for (Int i = 0; i < count; ++i) v_{}.push_back({read});", var.name));
                self.close();
            }
        }
        if !var.in_block || var.shape() == Shape::Rows {
            self.marks(at, &format!("from_{}", var.name));
        }
    }

    /// Returns the C++ call that reads one value.
    fn read(&self, var: &Var) -> String {
        let range = match (&var.length, self.range(var)) {
            (None, Some(range)) => range,
            _ => "range".to_owned(),
        };
        match &var.kind {
            ValueKind::Int(_) => format!("integer({range})"),
            ValueKind::Real { places, .. } => format!("decimal({places}, {range})"),
            ValueKind::Word { letters, .. } => {
                let letters: String = letters.iter().map(|letter| char::from(*letter)).collect();
                format!("word({}, {range})", quoted(&letters))
            }
            ValueKind::Choice { words, allowed } => {
                let words: Vec<String> = allowed.iter().map(|at| quoted(&words[*at])).collect();
                format!("choice({{{}}})", words.join(", "))
            }
        }
    }

    /// Returns the C++ expression for the allowed range of an integer, of the length of a word, or of a real number in
    /// units of its last decimal place; `None` for a choice.
    fn range(&self, var: &Var) -> Option<String> {
        let ends = |function: &str, range: &Range| {
            Some(format!("{function}({}, {})", self.expr(&range.lo), self.expr(&range.hi)))
        };
        match &var.kind {
            ValueKind::Int(range) => ends("within", range),
            ValueKind::Word { length, .. } => ends("letters_within", length),
            ValueKind::Real { lo, hi, .. } => {
                Some(format!("within({}, {})", number((*lo).into()), number((*hi).into())))
            }
            ValueKind::Choice { .. } => None,
        }
    }

    /// Generates code that checks the predicates of a list, from index `from` on.
    fn marks(&mut self, at: usize, from: &str) {
        let (marks, var) = (self.d.marks[at], &self.d.layout.vars[at]);
        let name = &var.name;
        if marks.distinct {
            self.line(&format!("distinct(v_{name}, {from});"));
        }
        if marks.sorted {
            self.line(&format!("sorted(v_{name}, {from});"));
        }
        if let (true, Some(range)) = (marks.permutation, self.range(var)) {
            self.line(&format!("if (v_{name}.size() > {from}) permutation(v_{name}, {from}, {range}.lo);"));
        }
    }

    /// Generates code that checks the predicates of each column if the item is a block, and that computes the folds
    /// over the item's variables.
    fn folds(&mut self, item: usize) {
        let d = self.d;
        let vars: Vec<usize> = d.layout.vars_of(item).collect();
        for at in &vars {
            let var = &d.layout.vars[*at];
            if var.in_block && var.shape() == Shape::List {
                self.marks(*at, "0");
            }
        }
        for (number, fold) in d.folds.iter().enumerate() {
            if let FoldSource::Own(var) = fold.source
                && vars.contains(&var)
            {
                let call = self.fold(fold, &d.layout.vars[var]);
                self.line(&format!("fold_{number} = {call};"));
            }
        }
    }

    fn fold(&self, fold: &Fold, var: &Var) -> String {
        let list = format!("v_{}", var.name);
        match &fold.kind {
            FoldKind::Sum => format!("sum({list})"),
            FoldKind::Xor => format!("xor_of({list})"),
            FoldKind::Least => format!("least_of({list})"),
            FoldKind::Greatest => format!("greatest_of({list})"),
            FoldKind::Count => format!("count({list}.size())"),
            FoldKind::CountOf(wanted) => format!("count_of({list}, {})", self.expr(wanted)),
        }
    }

    /// Generates code that checks a clause. For a predicate of a list, generates nothing, because [`Self::marks`]
    /// generates the check.
    fn clause(&mut self, clause: &Clause) {
        match &clause.meaning {
            Meaning::List { .. } => {}
            Meaning::Graph { property, from, to } => self.graph(clause, *property, *from, *to, false),
            Meaning::Compare { left, right, .. } => {
                let named = [left.own_names(), right.own_names()].concat();
                let rows = named.into_iter().find(|var| self.d.layout.vars[*var].in_block);
                match rows.filter(|_| clause.rows.is_some()) {
                    Some(var) => {
                        let name = &self.d.layout.vars[var].name;
                        self.open(&format!("for (row = 0; row < v_{name}.size(); ++row)"));
                        self.compare(clause);
                        self.close();
                        self.line("row = 0;");
                    }
                    None => self.compare(clause),
                }
            }
        }
    }

    fn compare(&mut self, clause: &Clause) {
        let Meaning::Compare { left, order, right } = &clause.meaning else { return };
        let (left, right) = (self.expr(left), self.expr(right));
        self.demand(clause, &format!("{left} {} {right}", order.symbol()));
    }

    fn graph(&mut self, clause: &Clause, property: GraphProperty, from: usize, to: usize, in_row: bool) {
        let (from, to) = (&self.d.layout.vars[from], &self.d.layout.vars[to]);
        let property = match property {
            GraphProperty::Acyclic => "acyclic",
            GraphProperty::Tree => "tree",
            GraphProperty::Connected => "connected",
            GraphProperty::Simple => "simple",
        };
        let start = if in_row { format!("from_{}", from.name) } else { "0".to_owned() };
        let range = self.range(from).unwrap_or_default();
        let call = format!("{property}(graph(v_{}, v_{}, {start}, {range}))", from.name, to.name);
        self.demand(clause, &call);
    }

    fn demand(&mut self, clause: &Clause, condition: &str) {
        self.line(&format!("demand({condition}, {});", quoted(&format!("`{}` to hold", clause.text))));
    }

    fn expr(&self, expr: &Expr) -> String {
        let all = |parts: &[Expr]| parts.iter().map(|part| self.expr(part)).collect::<Vec<_>>().join(", ");
        match expr {
            Expr::Number(value) => number(*value),
            Expr::Name(NumberName::Own(var)) => format!("in_row(v_{}, row)", self.d.layout.vars[*var].name),
            Expr::Name(NumberName::Given(_)) => "in_row({}, row)".to_owned(),
            Expr::Fold(fold) => format!("value(fold_{fold})"),
            Expr::Minus(inner) => format!("negative({})", self.expr(inner)),
            Expr::Binary(sign, left, right) => {
                let function = match sign {
                    Sign::Plus => "plus",
                    Sign::Minus => "minus",
                    Sign::Times => "times",
                    Sign::Over => "over",
                    Sign::Modulo => "modulo",
                    Sign::Power => "power",
                };
                format!("{function}({}, {})", self.expr(left), self.expr(right))
            }
            Expr::Least(parts) => format!("least({{{}}})", all(parts)),
            Expr::Greatest(parts) => format!("greatest({{{}}})", all(parts)),
        }
    }
}

fn length_text(var: &Var) -> &str {
    var.length.as_ref().map_or("", |length| length.text.as_str())
}

/// Returns a C++ expression for a constant of type `Int`.
fn number(value: i128) -> String {
    match i64::try_from(value) {
        Ok(small) if small > i64::MIN => format!("Int({small}LL)"),
        _ if value < 0 => format!("big(\"{}\")", value.unsigned_abs()),
        _ => format!("negative(big(\"{value}\"))"),
    }
}

/// Returns a C++ string literal.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => literal.extend(['\\', char::from(byte)]),
            // A question mark could begin a trigraph.
            b'?' => literal.push_str("\\?"),
            0x20..0x7f => literal.push(char::from(byte)),
            _ => literal.push_str(&format!("\\{byte:03o}")),
        }
    }
    literal.push('"');
    literal
}
