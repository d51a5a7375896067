//! Reduces the statements of a program to steps that rewriting and translation preserve. Names, types, declarations,
//! literals, input, allocation, and the counters of loops are left out. The steps of a statement or of a part of a loop
//! head are sorted, so that the order of operands does not matter.

use std::collections::HashSet;
use std::ops::Range;

use crate::lang::LexemeClass;

use super::code_lexemes::CodeLexeme;
use super::statements::Statement;
use super::vocabulary::{Head, ProgramStep, allocates, function, head, is_container, keyword, operator, reads, writes};

/// A step with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedStep {
    /// The kind of the step.
    pub(super) step: ProgramStep,
    /// Byte range, within the file, of the statement that contains the step.
    pub(super) range: Range<usize>,
}

/// Returns the steps of a file.
pub(super) fn steps(words: &[CodeLexeme<'_>], statements: &[Statement]) -> Vec<PlacedStep> {
    let mut reader = StepReader::default();
    for statement in statements {
        reader.collect(&words[statement.words.clone()], statement.opens_block);
    }
    let mut all: Vec<Vec<PlacedStep>> = statements
        .iter()
        .map(|statement| reader.statement(&words[statement.words.clone()], statement.opens_block))
        .collect();
    drop_empty_loops(statements, &mut all);
    let mut found: Vec<PlacedStep> = Vec::new();
    for steps in all {
        let repeats = steps.len() == 1
            && steps[0].step == ProgramStep::Write
            && found.last().is_some_and(|last| last.step == ProgramStep::Write);
        if !repeats {
            found.extend(steps);
        }
    }
    found
}

/// Removes the steps of loops whose bodies have no steps, such as loops that only read input.
fn drop_empty_loops(statements: &[Statement], all: &mut [Vec<PlacedStep>]) {
    for at in (0..statements.len()).rev() {
        let is_loop = all[at].len() == 1 && all[at][0].step == ProgramStep::Loop;
        let body = statements[at + 1..].iter().take_while(|inner| inner.depth > statements[at].depth).count();
        if is_loop && all[at + 1..=at + body].iter().all(Vec::is_empty) {
            all[at].clear();
        }
    }
}

/// The names in a file that affect its steps.
#[derive(Debug, Default)]
struct StepReader<'t> {
    /// Functions that the file defines.
    functions: HashSet<&'t str>,
    /// Variables that loops use as counters.
    counters: HashSet<&'t str>,
}

impl<'t> StepReader<'t> {
    /// Records the function that a statement defines, and the counters in the head of a loop.
    fn collect(&mut self, words: &[CodeLexeme<'t>], opens_block: bool) {
        let words = without_modifiers(words);
        if let Some(name) = defined_function(words, opens_block) {
            self.functions.insert(name);
        }
        if words.first().is_some_and(|word| head(word.text) == Some(Head::Loop)) {
            for (at, word) in words.iter().enumerate() {
                let is_counted = matches!(word.text, "in" | "of" | "range" | ":" | ":=" | "++" | "--")
                    || operator(word.text) == [ProgramStep::Order];
                if is_counted {
                    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| words.get(at));
                    self.counters.extend(beside.filter(|word| word.class == LexemeClass::Name).map(|word| word.text));
                }
            }
        }
    }

    /// Returns the steps of a statement. The steps within each part of the statement are sorted.
    fn statement(&self, words: &[CodeLexeme<'t>], opens_block: bool) -> Vec<PlacedStep> {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return Vec::new() };
        let range = first.start..last.range().end;
        let mut steps: Vec<ProgramStep> = Vec::new();
        self.read(without_modifiers(words), opens_block, &mut steps);
        steps.into_iter().map(|step| PlacedStep { step, range: range.clone() }).collect()
    }

    fn read(&self, words: &[CodeLexeme<'t>], opens_block: bool, steps: &mut Vec<ProgramStep>) {
        let Some(first) = words.first() else { return };
        let rest = &words[1..];
        let defined = defined_function(words, opens_block);
        let mut inner = Vec::new();
        match head(first.text) {
            _ if defined.is_some() => {
                steps.extend(defined.filter(|name| *name != "main").map(|_| ProgramStep::Function));
                // The body of a lambda expression belongs to the statement that defines the function.
                if let Some(arrow) = words.iter().position(|word| matches!(word.text, "=>" | "lambda")) {
                    self.expression(&words[arrow + 1..], &mut inner);
                }
            }
            Some(Head::Declaration | Head::Function) => {}
            Some(Head::Loop) => self.loop_head(rest, steps),
            Some(Head::DoLoop) => steps.push(ProgramStep::Loop),
            Some(Head::If) if words.iter().any(|word| word.text == "__name__") => {}
            Some(Head::If) => self.condition(rest, &mut inner),
            Some(Head::Block) if rest.first().is_some_and(|word| word.text == "if") => {
                self.condition(&rest[1..], &mut inner);
            }
            Some(Head::Block) => {}
            Some(Head::Return) if rest.len() == 1 && rest[0].text == "0" => {}
            Some(Head::Return) => {
                inner.push(ProgramStep::Return);
                if !has_input(rest) {
                    self.expression(rest, &mut inner);
                }
            }
            None => self.simple(words, &mut inner),
        }
        inner.sort_unstable();
        steps.extend(inner);
    }

    fn condition(&self, words: &[CodeLexeme<'t>], steps: &mut Vec<ProgramStep>) {
        steps.push(ProgramStep::If);
        if !has_input(words) {
            self.expression(words, steps);
        }
    }

    /// Adds the steps of the head of a loop: of the initialization, of the condition without the comparison, and of the
    /// update unless it only counts. A `for` loop thus has the same steps as an equivalent `while` loop.
    fn loop_head(&self, words: &[CodeLexeme<'t>], steps: &mut Vec<ProgramStep>) {
        if has_input(words) {
            steps.push(ProgramStep::Loop);
            return;
        }
        let words = match words {
            [open, inner @ .., close] if open.text == "(" && close.text == ")" => inner,
            _ => words,
        };
        let parts: Vec<&[CodeLexeme<'t>]> = words.split(|word| word.text == ";").collect();
        let (before, condition, after) = match parts[..] {
            [before, condition, after] => (Some(before.to_vec()), condition, Some(after)),
            _ => (range_start(words), words, None),
        };
        if let Some(before) = before {
            let mut inner = Vec::new();
            self.simple(&before, &mut inner);
            inner.sort_unstable();
            steps.extend(inner);
        }
        let mut inner = Vec::new();
        self.expression(condition, &mut inner);
        let is_noise = |step: ProgramStep| {
            matches!(step, ProgramStep::Order | ProgramStep::Assign | ProgramStep::Member | ProgramStep::Reverse)
        };
        inner.retain(|step| !is_noise(*step));
        for part in after.into_iter().flat_map(|after| split(after, ",")).filter(|part| !self.counts(part)) {
            self.expression(&part, &mut inner);
        }
        inner.push(ProgramStep::Loop);
        inner.sort_unstable();
        steps.extend(inner);
    }

    /// Adds the steps of a simple statement, such as an assignment or a call.
    fn simple(&self, words: &[CodeLexeme<'t>], steps: &mut Vec<ProgramStep>) {
        if has_input(words) {
            self.input(words, steps);
            return;
        }
        let parts = if is_declaration(words) { split(words, ",") } else { pairs(words) };
        for part in parts {
            if !self.is_silent(&part) {
                self.expression(&part, steps);
            }
        }
    }

    /// Adds the steps of a statement that reads input. Steps other than output and calls count only if the statement
    /// also prints or has a compound assignment.
    fn input(&self, words: &[CodeLexeme<'t>], steps: &mut Vec<ProgramStep>) {
        let mut inner = Vec::new();
        self.expression(words, &mut inner);
        let prints = inner.contains(&ProgramStep::Write);
        let compound =
            words.iter().any(|word| word.text.len() > 1 && operator(word.text).ends_with(&[ProgramStep::Assign]));
        steps.extend(inner.into_iter().filter(|step| match step {
            ProgramStep::Write | ProgramStep::Call => true,
            _ => prints || compound && !matches!(step, ProgramStep::Loop | ProgramStep::If | ProgramStep::Member),
        }));
    }

    /// Returns whether a statement has no steps, for example because it only declares, allocates, assigns a literal to
    /// a variable, or updates a loop counter.
    fn is_silent(&self, words: &[CodeLexeme<'t>]) -> bool {
        let Some(at) = top(words, |word| operator(word.text).ends_with(&[ProgramStep::Assign])) else {
            return declares_only(words);
        };
        let (target, value) = (&words[..at], &words[at + 1..]);
        if self.counts(words) {
            return true;
        }
        if words[at].text.len() > 1 && words[at].text != ":=" {
            return false;
        }
        let is_indexed = target.iter().any(|word| word.text == "[") && !is_declaration(words);
        let value = match value {
            [sign, rest @ ..] if sign.text == "-" => rest,
            _ => value,
        };
        let is_constant = value.iter().all(|word| {
            word.is_literal()
                || is_constant(word.text)
                || operator(word.text) != [ProgramStep::Assign] && word.class == LexemeClass::Sign
        });
        let is_started = value.len() == 1 && target.iter().any(|word| self.counters.contains(word.text));
        // `a[i]` in a loop over indices corresponds to the loop variable of a loop over elements.
        let is_element = matches!(value, [_, open, index, close] if (open.text, close.text) == ("[", "]") && self.counters.contains(index.text));
        !is_indexed && (is_constant || is_started || is_element) || is_allocation(value)
    }

    /// Returns whether a statement increments or decrements a counter by a number or a variable.
    fn counts(&self, words: &[CodeLexeme<'t>]) -> bool {
        let texts: Vec<&str> = words.iter().map(|word| word.text).filter(|text| !matches!(*text, "(" | ")")).collect();
        let is_counter = |name: &str| self.counters.contains(name);
        match texts[..] {
            [name, "++" | "--"] | ["++" | "--", name] | [name, "+=" | "-=", _] => is_counter(name),
            [name, "=", left, "+" | "-", right] => is_counter(name) && (left == name || right == name),
            _ => false,
        }
    }

    /// Adds the steps of an expression.
    fn expression(&self, words: &[CodeLexeme<'t>], steps: &mut Vec<ProgramStep>) {
        let is_stream = words.iter().any(|word| matches!(word.text, "cout" | "cerr" | "cin"));
        let mut brackets = 0_usize;
        let mut generic = 0;
        let mut looping = false;
        let mut closure = false;
        let first = steps.len();
        for (at, word) in words.iter().enumerate() {
            if at < generic {
                continue;
            }
            if word.text == "<"
                && let Some(end) = generic_end(words, at)
            {
                generic = end;
                continue;
            }
            let next = words.get(at + 1).map_or("", |word| word.text);
            let before = at.checked_sub(1).map(|at| words[at]);
            let is_call = matches!(next, "(" | "!") || next == "::" && words.get(at + 2).is_some_and(|w| w.text == "<");
            match word.text {
                "(" | "[" | "{" => brackets += 1,
                ")" | "]" | "}" => brackets = brackets.saturating_sub(1),
                // In a call, `=` follows the name of a keyword argument.
                "=" if brackets > 0 && before.is_some_and(|word| word.class == LexemeClass::Name) => {}
                "<<" | ">>" if is_stream => {}
                // In Rust, `|` encloses the parameters of a closure.
                "|" if closure || !before.is_some_and(|word| word.ends_value()) => closure = !closure,
                "in" | "of" if looping => looping = false,
                sign if word.class == LexemeClass::Sign => {
                    self.sign(sign, words, at, steps);
                }
                text => {
                    looping |= text == "for";
                    let found = if writes(text, is_call) {
                        &[ProgramStep::Write]
                    } else if !is_call {
                        keyword(text)
                    } else if self.functions.contains(text) {
                        if text == "main" { &[][..] } else { &[ProgramStep::Call] }
                    } else {
                        function(text)
                    };
                    steps.extend(found);
                }
            }
        }
        // `find(x) != end()` tests for membership, so the comparison is not a separate step.
        if steps[first..].contains(&ProgramStep::Member)
            && words.iter().any(|word| matches!(word.text, "end" | "npos"))
            && let Some(at) = steps.iter().position(|step| *step == ProgramStep::Equal)
        {
            steps.remove(at);
        }
    }

    /// Adds the steps of the sign at index `at` of an expression.
    fn sign(&self, sign: &str, words: &[CodeLexeme<'t>], at: usize, steps: &mut Vec<ProgramStep>) {
        let before = at.checked_sub(1).map(|at| words[at]);
        let next = words.get(at + 1);
        let is_unary = !before.is_some_and(|word| word.ends_value());
        let is_text = |word: Option<&CodeLexeme<'_>>| word.is_some_and(|word| word.class == LexemeClass::Text);
        if is_unary && matches!(sign, "-" | "*" | "&" | "+" | "&&" | "|" | "||")
            || sign == "+" && (is_text(next) || is_text(before.as_ref()))
        {
            return;
        }
        let by_one = next.is_some_and(|word| word.text == "1" || word.text == "1n");
        let found: &[ProgramStep] = match sign {
            ">>" if by_one => &[ProgramStep::Divide],
            ">>=" if by_one => &[ProgramStep::Divide, ProgramStep::Assign],
            "<<" if by_one => &[ProgramStep::Multiply],
            "<<=" if by_one => &[ProgramStep::Multiply, ProgramStep::Assign],
            "&" if by_one => &[ProgramStep::Remainder],
            _ => operator(sign),
        };
        steps.extend(found);
    }
}

/// Returns a statement without its leading modifiers, such as `public`, `static` or `async`.
fn without_modifiers<'w, 't>(words: &'w [CodeLexeme<'t>]) -> &'w [CodeLexeme<'t>] {
    let is_modifier = |word: &CodeLexeme<'_>| {
        matches!(
            word.text,
            "public"
                | "private"
                | "protected"
                | "pub"
                | "static"
                | "final"
                | "abstract"
                | "export"
                | "async"
                | "inline"
                | "constexpr"
                | "virtual"
                | "override"
                | "unsafe"
                | "mut"
                | "await"
        )
    };
    let start = words.iter().take_while(|word| is_modifier(word)).count();
    &words[start..]
}

/// Returns the name of the function that a statement defines, or `None` if it defines no function.
fn defined_function<'t>(words: &[CodeLexeme<'t>], opens_block: bool) -> Option<&'t str> {
    let first = words.first()?;
    if head(first.text) == Some(Head::Function) {
        let name = words.get(1..)?.iter().find(|word| word.class == LexemeClass::Name || word.text == "(")?;
        return Some(name.text);
    }
    let arrow = words.iter().position(|word| matches!(word.text, "=>" | "lambda"));
    let assigned = top(words, |word| word.text == "=");
    // An assignment after the arrow is in the body of the lambda function.
    if let (Some(arrow), Some(assigned)) = (arrow, assigned)
        && let Some(between) = words.get(assigned + 1..arrow)
    {
        let is_lambda =
            between.first().is_none_or(|word| word.text == "(") && between.iter().all(|word| !is_call_sign(word));
        return is_lambda
            .then(|| words[..assigned].iter().rev().find(|word| word.class == LexemeClass::Name))
            .flatten()
            .map(|word| word.text);
    }
    if !opens_block || head(first.text).is_some() {
        return None;
    }
    if let Some(assigned) = assigned {
        // In C++, a `[` after the `=` begins a lambda expression.
        let is_lambda = words.get(assigned + 1).is_some_and(|word| word.text == "[");
        return words.get(assigned.checked_sub(1)?).filter(|_| is_lambda).map(|word| word.text);
    }
    let open = words.iter().position(|word| word.text == "(")?;
    let name = words[..open].last().filter(|word| word.is_word() || word.class == LexemeClass::Sign)?;
    let closes = words[open..].iter().any(|word| word.text == ")");
    (closes && head(name.text).is_none()).then_some(name.text)
}

fn is_call_sign(word: &CodeLexeme<'_>) -> bool {
    matches!(word.text, "." | "?" | "+")
}

fn is_constant(word: &str) -> bool {
    matches!(word, "true" | "false" | "True" | "False" | "None" | "null" | "nullptr" | "NULL" | "nil")
}

fn has_input(words: &[CodeLexeme<'_>]) -> bool {
    let is_call = |at: usize| words.get(at + 1).is_some_and(|word| matches!(word.text, "(" | "::" | "."));
    words.iter().enumerate().any(|(at, word)| word.is_word() && reads(word.text, is_call(at)))
}

/// Returns the position of the first word outside brackets and type arguments for which `is` returns true, or `None` if
/// there is no such word.
fn top(words: &[CodeLexeme<'_>], is: impl Fn(&CodeLexeme<'_>) -> bool) -> Option<usize> {
    let mut brackets = 0_usize;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if word.text == "<"
            && let Some(end) = generic_end(words, at)
        {
            at = end;
            continue;
        }
        match word.text {
            "(" | "[" | "{" => brackets += 1,
            ")" | "]" | "}" => brackets = brackets.saturating_sub(1),
            _ if brackets == 0 && is(word) => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns whether a statement begins with a type, with a keyword such as `let`, or with two names (a type that the
/// program defines, and a variable).
fn is_declaration(words: &[CodeLexeme<'_>]) -> bool {
    let Some(first) = words.first() else { return false };
    if first.class == LexemeClass::Type || matches!(first.text, "let" | "var" | "const" | "val") {
        return true;
    }
    let mut rest = words;
    while let [a, b, more @ ..] = rest
        && a.class == LexemeClass::Name
        && b.text == "::"
    {
        rest = more;
    }
    let [name, more @ ..] = rest else { return false };
    let after = match more.first() {
        Some(open) if open.text == "<" => generic_end(rest, 1).and_then(|end| rest.get(end)),
        Some(open) if open.text == "[" && more.get(1).is_some_and(|close| close.text == "]") => rest.get(3),
        other => other,
    };
    name.class == LexemeClass::Name && after.is_some_and(|word| word.class == LexemeClass::Name)
}

/// Returns whether a statement without an assignment only declares variables, possibly with constructor arguments, or
/// resizes or fills a container.
fn declares_only(words: &[CodeLexeme<'_>]) -> bool {
    let is_standard = words.iter().take(3).any(|word| is_container(word.text));
    is_declaration(words) && (is_standard || !words.iter().any(|word| writes(word.text, true)))
        || words.iter().any(|word| matches!(word.text, "memset" | "resize" | "fill" | "reserve"))
}

/// Returns whether a value is a new container.
fn is_allocation(value: &[CodeLexeme<'_>]) -> bool {
    let Some(first) = value.first() else { return false };
    let is_empty = value.len() == 2 && matches!(first.text, "[" | "{" | "(");
    let closed = value.windows(2).any(|pair| pair[0].text == "]" && pair[1].text == "*");
    let is_list = matches!(first.text, "[" | "{")
        && (closed
            || value
                .iter()
                .all(|word| word.is_literal() || matches!(word.text, "[" | "]" | "," | "{" | "}" | "-" | "(" | ")")));
    let before_call = value.iter().take_while(|word| word.text != "(").any(|word| allocates(word.text));
    is_empty || is_list || before_call
}

/// Splits words at each occurrence of a sign outside brackets.
fn split<'t>(words: &[CodeLexeme<'t>], sign: &str) -> Vec<Vec<CodeLexeme<'t>>> {
    let (mut parts, mut rest) = (Vec::new(), words);
    while let Some(at) = top(rest, |word| word.text == sign) {
        parts.push(rest[..at].to_vec());
        rest = &rest[at + 1..];
    }
    parts.push(rest.to_vec());
    parts
}

/// Splits an assignment of several values into one assignment for each variable. Returns other statements unsplit.
fn pairs<'t>(words: &[CodeLexeme<'t>]) -> Vec<Vec<CodeLexeme<'t>>> {
    let whole = || vec![words.to_vec()];
    let Some(at) = top(words, |word| matches!(word.text, "=" | ":=")) else { return whole() };
    let (targets, values) = (split(&words[..at], ","), split(&words[at + 1..], ","));
    if targets.len() < 2 || targets.len() != values.len() {
        return whole();
    }
    targets.into_iter().zip(values).map(|(target, value)| [&target[..], &words[at..=at], &value[..]].concat()).collect()
}

/// Returns the position after the type arguments that begin at `at`, or `None` if the `<` at `at` is a comparison.
fn generic_end(words: &[CodeLexeme<'_>], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, word) in words[at..].iter().enumerate().take(40) {
        match word.text {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            ">>" => depth = depth.saturating_sub(2),
            "," | "::" | "*" | "&" | "[" | "]" | "?" | "(" | ")" | "." => {}
            _ if word.class == LexemeClass::Type
                || word.class == LexemeClass::Name
                || word.class == LexemeClass::Number => {}
            _ => return None,
        }
        if depth == 0 {
            let end = at + offset + 1;
            let next = words.get(end);
            let is_end = next.is_none_or(|next| {
                next.class == LexemeClass::Name
                    || matches!(next.text, "(" | "[" | "::" | "{" | ">" | "," | "=" | ")" | "&" | "*")
            });
            return is_end.then_some(end);
        }
    }
    None
}

/// Returns the initialization of a loop over a range, as an assignment to the counter: `i = a` for `i in range(a, b)`
/// and `i in a..b`. Returns `None` if no range is recognized.
fn range_start<'t>(words: &[CodeLexeme<'t>]) -> Option<Vec<CodeLexeme<'t>>> {
    let at = words.iter().position(|word| word.text == "in")?;
    let (counter, values) = (&words[..at], &words[at + 1..]);
    let start = match values {
        [range, open, inner @ ..] if range.text == "range" && open.text == "(" => {
            let end = top(inner, |word| word.text == ",")?;
            &inner[..end]
        }
        _ => {
            let end = values.iter().position(|word| matches!(word.text, ".." | "..="))?;
            let start = values[..end].iter().position(|word| word.text != "(").unwrap_or(end);
            &values[start..end]
        }
    };
    let assign = CodeLexeme { text: "=", class: LexemeClass::Sign, ..words[at] };
    Some([counter, &[assign], start].concat())
}

#[cfg(test)]
mod tests {
    use super::super::code_lexemes::code_lexemes;
    use super::super::statements::statements;
    use super::*;
    use crate::lang::Syntax;

    fn read(text: &str, extension: &str) -> Vec<ProgramStep> {
        let syntax = Syntax::of_extension(extension);
        let words = code_lexemes(text, syntax);
        steps(&words, &statements(&words, syntax)).into_iter().map(|step| step.step).collect()
    }

    #[test]
    fn an_assignment_may_follow_an_arrow_or_begin_a_statement() {
        for text in ["x => y = 5;", "for => (a) { n = 1 }", "= [ { }", "lambda = {"] {
            for extension in ["js", "py", "cpp", "java"] {
                read(text, extension);
            }
        }
    }

    #[test]
    fn loops_input_and_increments_read_alike_in_every_language() {
        let same = [
            ("cpp", "int n; cin >> n; for (int i = 0; i < n; i++) { s += i * i; } cout << s << endl;"),
            ("c", "int n, i = 0; scanf(\"%d\", &n); while (n > i) { s = i * i + s; ++i; } printf(\"%d\\n\", s);"),
            ("py", "n = int(input())\nfor i in range(n):\n    s += i * i\nprint(s)\n"),
            ("java", "int n = in.nextInt(); for (int i = 0; i < n; ++i) s += i * i; System.out.println(s);"),
            ("js", "for (let i = 0; i < n; i++) {\n  s += i * i\n}\nconsole.log(s)\n"),
            ("go", "fmt.Scan(&n)\nfor i := 0; i < n; i++ {\n\ts += i * i\n}\nfmt.Println(s)\n"),
            ("rs", "let mut s = 0;\nfor i in 0..n {\n    s += i * i;\n}\nprintln!(\"{}\", s);\n"),
        ];
        for (extension, text) in same {
            let expected =
                [ProgramStep::Loop, ProgramStep::Add, ProgramStep::Multiply, ProgramStep::Assign, ProgramStep::Write];
            assert_eq!(read(text, extension), expected, "{extension}");
        }
    }

    #[test]
    fn conditions_read_alike_however_they_are_joined() {
        let expected = [ProgramStep::If, ProgramStep::If, ProgramStep::Order, ProgramStep::Equal, ProgramStep::Assign];
        assert_eq!(read("if (a < b && c == d) x[0] = y;", "c"), expected);
        assert_eq!(read("if b > a and d == c:\n    x[0] = y\n", "py"), expected);
        let nested = read("if (a < b) if (c == d) x[0] = y;", "c");
        assert_eq!(
            nested,
            [ProgramStep::If, ProgramStep::Order, ProgramStep::If, ProgramStep::Equal, ProgramStep::Assign]
        );
    }

    #[test]
    fn declarations_types_and_loops_that_only_read_have_no_steps() {
        assert!(read("std::vector<std::pair<int, long>> v(n), w; int a[100], b; double c;", "cpp").is_empty());
        assert!(read("for (int i = 0; i < n; i++) cin >> a[i];", "cpp").is_empty());
        assert!(read("Map<Integer, List<String>> m = new TreeMap<>();", "java").is_empty());
        assert!(read("a = [[0] * m for _ in range(n)]\nb = {}\nc = -1\n", "py").is_empty());
        assert_eq!(read("bool b = x < y;", "cpp"), [ProgramStep::Order, ProgramStep::Assign]);
    }
}
