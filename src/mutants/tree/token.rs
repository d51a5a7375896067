//! Splits a program into tokens. White space, comments and preprocessor directives are dropped, and each run of signs
//! is split into the operators of the language.

use std::ops::Range;

use crate::MutantLanguage;
use crate::lang::{LexemeClass, Syntax, lex};

/// A token with its position in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParsedToken<'s> {
    /// The class of the token.
    pub(super) class: LexemeClass,
    /// The text of the token. A line break that ends a statement becomes a token with the text `;` in Go, and with a
    /// line break as its text in Python.
    pub(super) text: &'s str,
    /// The byte position of the token's start.
    pub(super) start: usize,
    /// The byte position of the token's end.
    pub(super) end: usize,
    /// Whether the token is the first of its line.
    pub(super) is_first_on_line: bool,
    /// The index of the matching bracket; 0 if the token is not a bracket.
    pub(super) partner: usize,
}

const C: &[&str] = &[
    "<<=", ">>=", "...", "<=>", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "::",
];
const JAVA: &[&str] = &[
    ">>>=", "<<=", ">>=", ">>>", "...", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "::",
];
const SCRIPT: &[&str] = &[
    ">>>=", "<<=", ">>=", ">>>", "...", "===", "!==", "**=", "&&=", "||=", "??=", "=>", "?.", "??", "**", "++", "--",
    "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
const GO: &[&str] = &[
    "<<=", ">>=", "&^=", "...", "&^", ":=", "<-", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];
const PYTHON: &[&str] = &[
    "**=", "//=", "<<=", ">>=", "...", "**", "//", ":=", "->", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "@=",
];

/// Returns the operators of more than one character, longer operators first.
fn operators(language: MutantLanguage) -> &'static [&'static str] {
    match language {
        MutantLanguage::Java => JAVA,
        MutantLanguage::JavaScript => SCRIPT,
        MutantLanguage::Go => GO,
        MutantLanguage::Python => PYTHON,
        MutantLanguage::C | MutantLanguage::Cpp | MutantLanguage::Rust => C,
    }
}

/// Returns the tokens of a part of a program. Brackets are not matched yet.
pub(super) fn tokens(source: &str, part: Range<usize>, language: MutantLanguage) -> Vec<ParsedToken<'_>> {
    let syntax = Syntax::of_extension(language.extension());
    let mut reader = TokenReader {
        source,
        language,
        tokens: Vec::new(),
        is_first_on_line: true,
        directive: false,
        signs: 0..0,
        knows_templates: true,
    };
    let text = &source[..part.end];
    let mut at = part.start;
    let mut lexer = lex(&text[at..], syntax);
    while let Some((class, lexeme)) = lexer.next() {
        // The shared lexer recognizes neither regular expressions nor nested template strings.
        if let Some(length) = reader.script_text(&text[at..], class) {
            reader.push(LexemeClass::Text, at, at + length);
            at += length;
            lexer = lex(&text[at..], syntax);
            continue;
        }
        reader.lexeme(class, at, lexeme);
        at += lexeme.len();
    }
    reader.split_signs();
    reader.end_line(part.end);
    reader.tokens
}

struct TokenReader<'s> {
    source: &'s str,
    language: MutantLanguage,
    tokens: Vec<ParsedToken<'s>>,
    is_first_on_line: bool,
    /// Whether the rest of the line belongs to a preprocessor directive.
    directive: bool,
    /// The byte range of adjacent signs that are not split yet.
    signs: Range<usize>,
    /// Whether template strings are recognized. After an unterminated template string, no template strings are
    /// recognized.
    knows_templates: bool,
}

impl TokenReader<'_> {
    fn push(&mut self, class: LexemeClass, start: usize, end: usize) {
        if self.directive {
            return;
        }
        let is_first_on_line = std::mem::take(&mut self.is_first_on_line);
        self.tokens.push(ParsedToken {
            class,
            text: &self.source[start..end],
            start,
            end,
            is_first_on_line,
            partner: 0,
        });
    }

    fn lexeme(&mut self, class: LexemeClass, at: usize, text: &str) {
        if class != LexemeClass::Sign || is_bracket(text) {
            self.split_signs();
        }
        match class {
            LexemeClass::Space => {
                if let Some(break_at) = text.find('\n') {
                    self.end_line(at + break_at);
                }
            }
            LexemeClass::Comment => {
                if text.contains('\n') {
                    self.end_line(at);
                }
            }
            LexemeClass::Keyword(_) if self.language.is_c_or_cpp() && text.starts_with('#') => self.directive = true,
            LexemeClass::Sign if text == "#" && self.language.is_c_or_cpp() => {
                self.split_signs();
                self.directive = true;
            }
            LexemeClass::Sign if text == "\u{feff}" => {}
            LexemeClass::Sign if is_bracket(text) => self.push(class, at, at + text.len()),
            LexemeClass::Sign if self.signs.is_empty() => self.signs = at..at + text.len(),
            LexemeClass::Sign => self.signs.end = at + text.len(),
            class => self.push(class, at, at + text.len()),
        }
    }

    /// Splits the last run of signs into the operators of the language. The shared lexer would split it by the
    /// operators of all languages.
    fn split_signs(&mut self) {
        let Range { mut start, end } = std::mem::take(&mut self.signs);
        if self.source[start..end].starts_with('.') && self.is_open_number(start) {
            start += 1;
            if let Some(number) = self.tokens.last_mut() {
                (number.text, number.end) = (&self.source[number.start..start], start);
            }
        }
        while start < end {
            let rest = &self.source[start..end];
            let known = operators(self.language).iter().find(|operator| rest.starts_with(**operator));
            let length = known.map_or(rest.chars().next().map_or(1, char::len_utf8), |operator| operator.len());
            self.push(LexemeClass::Sign, start, start + length);
            start += length;
        }
    }

    /// Returns whether the last token is an integer that ends at `at`, so that a point at `at` belongs to the
    /// number, as in `1.`.
    fn is_open_number(&self, at: usize) -> bool {
        self.tokens.last().is_some_and(|last| {
            last.class == LexemeClass::Number && last.end == at && last.text.bytes().all(|byte| byte.is_ascii_digit())
        })
    }

    /// Handles a line break, which may end a statement in Go and Python, and a preprocessor directive in C and C++.
    fn end_line(&mut self, at: usize) {
        self.is_first_on_line = true;
        if self.directive {
            self.directive = self.source[..at].trim_end_matches('\r').ends_with('\\');
            return;
        }
        let Some(last) = self.tokens.last().copied() else { return };
        let ends = match self.language {
            MutantLanguage::Go => ends_go_statement(&last),
            MutantLanguage::Python => last.text != "\n" && last.text != "\\",
            _ => false,
        };
        if self.language == MutantLanguage::Python && last.text == "\\" {
            self.tokens.pop();
        }
        if ends {
            let text = if self.language == MutantLanguage::Go { ";" } else { "\n" };
            let class = LexemeClass::Sign;
            self.tokens.push(ParsedToken { class, text, start: at, end: at, is_first_on_line: false, partner: 0 });
        }
    }

    /// Returns the length in bytes of the JavaScript regular expression or template string at this position, or `None`
    /// if there is none.
    fn script_text(&mut self, rest: &str, class: LexemeClass) -> Option<usize> {
        if self.language != MutantLanguage::JavaScript {
            return None;
        }
        if rest.starts_with('`') && self.knows_templates {
            self.split_signs();
            let length = template_length(rest);
            self.knows_templates = length.is_some();
            return length;
        }
        if class != LexemeClass::Sign || !rest.starts_with('/') {
            return None;
        }
        self.split_signs();
        (!self.tokens.last().is_some_and(ends_operand)).then(|| pattern_length(rest)).flatten()
    }
}

/// Returns whether an operand ends with this token, so that a following `/` is a division operator.
fn ends_operand(token: &ParsedToken<'_>) -> bool {
    const VALUES: [&str; 6] = ["this", "super", "null", "true", "false", "undefined"];
    match token.class {
        LexemeClass::Name | LexemeClass::Number | LexemeClass::Text => true,
        LexemeClass::Keyword(_) => VALUES.contains(&token.text),
        _ => [")", "]", "}", "++", "--"].contains(&token.text),
    }
}

/// Returns whether a line break after this token ends a statement in Go.
fn ends_go_statement(last: &ParsedToken<'_>) -> bool {
    const WORDS: [&str; 7] = ["break", "continue", "fallthrough", "return", "true", "false", "nil"];
    match last.class {
        LexemeClass::Name | LexemeClass::Type | LexemeClass::Number | LexemeClass::Text => true,
        LexemeClass::Keyword(_) => WORDS.contains(&last.text),
        _ => ["++", "--", ")", "]", "}"].contains(&last.text),
    }
}

/// Returns the length in bytes of a regular expression literal, including its flags. Returns `None` if no closing slash
/// follows on the same line within 2,000 characters; handwritten expressions are shorter.
fn pattern_length(rest: &str) -> Option<usize> {
    const LONGEST: usize = 2_000;
    let (mut escaped, mut in_class) = (false, false);
    for (at, c) in rest.char_indices().skip(1).take(LONGEST) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = &rest[at + 1..];
                return Some(at + 1 + flags.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(flags.len()));
            }
            _ => {}
        }
    }
    None
}

/// Returns the length in bytes of a template string, whose `${…}` may contain other template strings, or `None` if
/// it has no end.
fn template_length(rest: &str) -> Option<usize> {
    template_parts(rest).map(|parts| parts.length)
}

/// A JavaScript template string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TemplateParts {
    /// Length in bytes.
    length: usize,
    /// Byte ranges of the expressions in the `${…}` of the string.
    pub(super) values: Vec<Range<usize>>,
}

/// Finds the end of the template string with which `text` begins, and the expressions in it. Returns `None` if the
/// string is unterminated.
pub(super) fn template_parts(text: &str) -> Option<TemplateParts> {
    let bytes = text.as_bytes();
    // Number of open braces in each `${…}` around the current position.
    let mut open: Vec<usize> = Vec::new();
    let mut values: Vec<Range<usize>> = Vec::new();
    let mut in_text = true;
    let mut at = 1;
    while at < bytes.len() {
        match (in_text, bytes[at]) {
            (true, b'\\') => at += 1,
            (true, b'`') if open.is_empty() => return Some(TemplateParts { length: at + 1, values }),
            (_, b'`') => in_text = !in_text,
            (true, b'$') if bytes.get(at + 1) == Some(&b'{') => {
                at += 1;
                if open.is_empty() {
                    values.push(at + 1..at + 1);
                }
                open.push(0);
                in_text = false;
            }
            (false, b'{') => *open.last_mut()? += 1,
            (false, b'}') => {
                let depth = open.last_mut()?;
                if *depth > 0 {
                    *depth -= 1;
                } else {
                    open.pop();
                    in_text = true;
                    if let (true, Some(value)) = (open.is_empty(), values.last_mut()) {
                        value.end = at;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_bracket(text: &str) -> bool {
    matches!(text, "(" | ")" | "[" | "]" | "{" | "}" | ";")
}

/// Records the matching bracket of each bracket, and removes line breaks inside brackets. The error is the byte
/// position of an unmatched bracket.
pub(super) fn match_brackets(tokens: &mut Vec<ParsedToken<'_>>) -> Result<(), usize> {
    // In Python, a line break inside brackets does not end a statement. The tokens of other languages contain no line
    // breaks.
    let mut depth = 0_usize;
    tokens.retain(|token| {
        match (token.class, token.text) {
            (LexemeClass::Sign, "(" | "[" | "{") => depth += 1,
            (LexemeClass::Sign, ")" | "]" | "}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        !(token.text == "\n" && depth > 0)
    });
    let mut open: Vec<usize> = Vec::new();
    for index in 0..tokens.len() {
        let token = tokens[index];
        if token.class != LexemeClass::Sign {
            continue;
        }
        let opening = match token.text {
            "(" | "[" | "{" => {
                open.push(index);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        let partner = open.pop().ok_or(token.start)?;
        if tokens[partner].text != opening {
            return Err(tokens[partner].start);
        }
        tokens[partner].partner = index;
        tokens[index].partner = partner;
    }
    open.last().map_or(Ok(()), |index| Err(tokens[*index].start))
}
