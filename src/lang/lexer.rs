//! Splits source code into lexemes, according to the language's row in the syntax table. The lexer accepts any input,
//! and the concatenated lexemes equal the input.

use std::collections::HashMap;

use super::syntax::Syntax;

/// The class of a lexeme, such as a comment or a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LexemeClass {
    /// A run of white space, including line breaks.
    Space,
    /// A line or block comment.
    Comment,
    /// A keyword, by its index in the language's list. The indices of preprocessor directives that span a line
    /// count down from [`u16::MAX`].
    Keyword(u16),
    /// The name of a basic type, or a keyword of declarations, such as `static`, `public` or `var`.
    Type,
    /// An identifier.
    Name,
    /// A number literal.
    Number,
    /// A string or character literal, including its quotes.
    Text,
    /// An operator, bracket or separator.
    Sign,
}

/// The multi-character operators of all languages, longer operators first.
const OPERATORS: [&str; 44] = [
    "<<=", ">>=", "**=", "//=", "===", "!==", "...", "..=", "<=>", "&&=", "||=", ">>>", "->", "=>", "<-", "::", "++",
    "--", "&&", "||", "==", "!=", "/=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "%=", "&=", "|=", "^=", "**", "//",
    ":=", "..", "?.", "??", "|>", "<>", "~=", "=~",
];

/// Splits a text into its lexemes.
pub fn lex<'t>(text: &'t str, syntax: &'static Syntax) -> Lexer<'t> {
    let mut words = HashMap::new();
    words.extend(syntax.types.split_ascii_whitespace().map(|word| (word, LexemeClass::Type)));
    words
        .extend((0..).zip(syntax.keywords.split_ascii_whitespace()).map(|(at, word)| (word, LexemeClass::Keyword(at))));
    Lexer { rest: text, syntax, words }
}

/// An iterator over the lexemes of a text, created by [`lex`].
#[derive(Debug, Clone)]
pub struct Lexer<'t> {
    rest: &'t str,
    syntax: &'static Syntax,
    words: HashMap<&'static str, LexemeClass>,
}

impl<'t> Iterator for Lexer<'t> {
    type Item = (LexemeClass, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.rest.chars().next()?;
        let (class, length) = self.lexeme(first);
        let (lexeme, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some((class, lexeme))
    }
}

impl Lexer<'_> {
    /// Returns the class and the length in bytes of the next lexeme.
    fn lexeme(&self, first: char) -> (LexemeClass, usize) {
        let (rest, syntax) = (self.rest, self.syntax);
        if first.is_whitespace() {
            return (LexemeClass::Space, rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len()));
        }
        // A block comment may begin like a line comment, as in Lua.
        if let Some(length) = self.block_comment() {
            return (LexemeClass::Comment, length);
        }
        if syntax.line_comments.iter().any(|mark| rest.starts_with(mark)) {
            return (LexemeClass::Comment, line_end(rest));
        }
        if let Some(length) = self.raw_string().or_else(|| self.quoted(0)) {
            return (LexemeClass::Text, length);
        }
        if first == '\'' && syntax.char_quotes {
            return character(rest).map_or((LexemeClass::Sign, 1), |length| (LexemeClass::Text, length));
        }
        if first == '#' && !syntax.directives.is_empty() {
            return self.directive();
        }
        if first.is_ascii_digit() {
            return (LexemeClass::Number, number(rest, syntax));
        }
        if is_word(first) || syntax.in_names.contains(&first) && "@$".contains(first) {
            return self.word(first);
        }
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        (LexemeClass::Sign, operator.map_or(first.len_utf8(), |operator| operator.len()))
    }

    /// Returns the length in bytes of the block comment at the current position, or `None` if no block comment
    /// starts there.
    fn block_comment(&self) -> Option<usize> {
        let (open, close) = self.syntax.block_comments.iter().find(|(open, _)| self.rest.starts_with(open))?;
        let mut depth = 0_usize;
        let mut skip = 0;
        for (at, _) in self.rest.char_indices() {
            let rest = &self.rest[at..];
            if at < skip {
                continue;
            }
            if depth > 0 && rest.starts_with(close) {
                depth -= 1;
                skip = at + close.len();
                if depth == 0 {
                    return Some(skip);
                }
            } else if rest.starts_with(open) && (depth == 0 || self.syntax.nested_comments) {
                depth += 1;
                skip = at + open.len();
            }
        }
        Some(self.rest.len())
    }

    /// Returns the number of bytes from the current position to the end of the ordinary string that starts at
    /// `offset`, or `None` if no such string starts there.
    fn quoted(&self, offset: usize) -> Option<usize> {
        let rest = &self.rest[offset..];
        let quote = self.syntax.quotes.iter().find(|quote| rest.starts_with(quote.open))?;
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip_while(|(at, _)| *at < quote.open.len()) {
            if c == '\n' && !quote.multiline {
                return Some(offset + at);
            }
            if escaped {
                escaped = false;
            } else if rest[at..].starts_with(quote.close) {
                return Some(offset + at + quote.close.len());
            } else {
                escaped = quote.escapes && c == '\\';
            }
        }
        Some(self.rest.len())
    }

    /// Returns the length in bytes of the raw string at the current position, or `None` if no raw string starts
    /// there.
    fn raw_string(&self) -> Option<usize> {
        if !self.syntax.raw_strings {
            return None;
        }
        let rest = self.rest;
        if let Some(after) = rest.strip_prefix("R\"") {
            let length = after.bytes().take(17).position(|byte| byte == b'(')?;
            return Some(ended(rest, 2 + length, &format!("){}\"", &after[..length])));
        }
        let after = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r')?;
        let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
        after[hashes..].starts_with('"').then(|| {
            let start = rest.len() - after.len() + hashes + 1;
            ended(rest, start, &format!("\"{}", "#".repeat(hashes)))
        })
    }

    /// Returns the class and the length in bytes of the preprocessor directive at the current position. A `#` that
    /// begins no known directive is returned as a sign.
    fn directive(&self) -> (LexemeClass, usize) {
        let blanks = self.rest[1..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let after = &self.rest[1 + blanks..];
        let name = &after[..after.find(|c| !is_word(c)).unwrap_or(after.len())];
        let end = 1 + blanks + name.len();
        let word = format!("#{name}");
        match self.syntax.directives.iter().position(|directive| **directive == word) {
            Some(at) => (LexemeClass::Keyword(u16::MAX - u16::try_from(at).unwrap_or(0)), line_end(self.rest)),
            None => self.words.get(&word[..]).map_or((LexemeClass::Sign, 1), |class| (*class, end)),
        }
    }

    /// Returns the class and the length in bytes of the name, keyword or prefixed string at the current position.
    fn word(&self, first: char) -> (LexemeClass, usize) {
        let syntax = self.syntax;
        let after = &self.rest[first.len_utf8()..];
        let inside = |c: char| is_word(c) || syntax.in_names.contains(&c);
        let length = first.len_utf8() + after.find(|c| !inside(c)).unwrap_or(after.len());
        let word = &self.rest[..length];
        let is_prefix = length <= 2 && word.chars().all(|c| syntax.prefixes.contains(c));
        if let Some(length) = is_prefix.then(|| self.quoted(length)).flatten() {
            return (LexemeClass::Text, length);
        }
        let known = if syntax.ignores_case { self.words.get(&word.to_lowercase()[..]) } else { self.words.get(word) };
        (known.copied().unwrap_or(LexemeClass::Name), length)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the number of bytes up to the end of the line, without the line break.
fn line_end(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// Returns the number of bytes up to and including the first `close` after `start`, or the length of the text if
/// `close` does not occur.
fn ended(rest: &str, start: usize, close: &str) -> usize {
    rest[start..].find(close).map_or(rest.len(), |end| start + end + close.len())
}

/// Returns the length in bytes of a character literal (`'x'` or an escape in quotes), or `None` if the quote starts
/// something else.
fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let (_, first) = chars.next()?;
    let close = if first == '\\' {
        chars.next()?;
        chars.take(10).take_while(|(_, c)| *c != '\n').find(|(_, c)| *c == '\'')?.0
    } else {
        chars.next().filter(|(_, c)| *c == '\'' && first != '\n')?.0
    };
    Some(close + 1)
}

/// Returns the length in bytes of a number. A number consists of digits, digit separators, the letters of its base,
/// exponent and suffix, the sign of its exponent, and decimal points that precede a digit.
fn number(rest: &str, syntax: &Syntax) -> usize {
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let hexadecimal = rest.len() > 1 && matches!(bytes[1], b'x' | b'X');
    let mut at = 1;
    while let Some(c) = rest[at..].chars().next() {
        let exponent = !hexadecimal && matches!(bytes[at - 1], b'e' | b'E');
        let continues = match c {
            '.' => is_digit(at + 1),
            '+' | '-' => exponent && is_digit(at + 1),
            '\'' => !syntax.directives.is_empty() && is_digit(at + 1),
            _ => is_word(c),
        };
        if !continues {
            break;
        }
        at += c.len_utf8();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::LexemeClass::{Comment, Keyword, Name, Number, Sign, Space, Text, Type};
    use super::*;

    /// Returns the lexemes without names, signs and white space, with the index of each keyword replaced by 0.
    fn marked<'t>(text: &'t str, extension: &str) -> Vec<(LexemeClass, &'t str)> {
        let lexemes =
            lex(text, Syntax::of_extension(extension)).filter(|(class, _)| !matches!(class, Space | Name | Sign));
        lexemes.map(|(class, text)| (if matches!(class, Keyword(_)) { Keyword(0) } else { class }, text)).collect()
    }

    #[test]
    fn keywords_strings_numbers_and_comments_are_recognised() {
        let keyword = |text| (Keyword(0), text);
        assert_eq!(
            marked("for x in \"a\\\"b\": # no\n y=12", "py"),
            [keyword("for"), keyword("in"), (Text, "\"a\\\"b\""), (Comment, "# no"), (Number, "12")]
        );
        assert_eq!(marked("fn f<'a>() {} /* if */", "rs"), [keyword("fn"), (Comment, "/* if */")]);
        assert_eq!(marked("'''if\nelse''' iff", "py"), [(Text, "'''if\nelse'''")]);
        assert_eq!(marked("c = 'x\nif", "c"), [(Text, "'x"), keyword("if")]);
        assert_eq!(marked("x = IF y { if }", "pas"), [keyword("IF"), (Comment, "{ if }")]);
        assert_eq!(marked("unsigned a = 1'000;", "cpp"), [(Type, "unsigned"), (Number, "1'000")]);
        assert_eq!(marked("  #include <if>\n# ifdef X", "c"), [keyword("#include <if>"), keyword("# ifdef")]);
    }

    #[test]
    fn strings_follow_the_rules_of_their_language() {
        assert_eq!(
            marked("r#\"a\"b\\\"# b\"\\\"\" r\"\\\"", "rs"),
            [(Text, "r#\"a\"b\\\"#"), (Text, "b\"\\\"\""), (Text, "r\"\\\"")]
        );
        assert_eq!(marked("R\"x(a)\")x\" u8\"b\"", "cpp"), [(Text, "R\"x(a)\")x\""), (Text, "u8\"b\"")]);
        assert_eq!(marked("rb'\\'' f\"{a}\" bar'c'", "py"), [(Text, "rb'\\''"), (Text, "f\"{a}\""), (Text, "'c'")]);
        let characters = ["'a'", "'\\n'", "'\\u{1f600}'", "'é'"].map(|text| (Text, text));
        assert_eq!(marked("'a' '\\n' '\\u{1f600}' 'é' 'lifetime", "rs"), characters);
        assert_eq!(marked("f' 'x' x'", "hs"), [(Text, "'x'")]);
        assert_eq!(marked("`a\n${b}` [1]", "js"), [(Text, "`a\n${b}`"), (Number, "1")]);
        assert_eq!(
            marked("[[a\n]] --[[ b\n]] --c", "lua"),
            [(Text, "[[a\n]]"), (Comment, "--[[ b\n]]"), (Comment, "--c")]
        );
    }

    #[test]
    fn comments_nest_only_in_languages_that_allow_it() {
        assert_eq!(marked("/* /* */ if */", "rs"), [(Comment, "/* /* */ if */")]);
        assert_eq!(marked("/* /* */ if", "c"), [(Comment, "/* /* */"), (Keyword(0), "if")]);
        assert_eq!(marked("{- {- -} if", "hs"), [(Comment, "{- {- -} if")]);
    }

    #[test]
    fn numbers_end_before_ranges_and_methods() {
        assert_eq!(
            marked("1..=5 1.5e-3 0xe+1 2.abs", "rs").iter().map(|(_, text)| *text).collect::<Vec<_>>(),
            ["1", "5", "1.5e-3", "0xe", "1", "2"]
        );
    }

    #[test]
    fn a_keyword_is_listed_once_and_is_not_a_type() {
        for row in Syntax::all() {
            let words: Vec<&str> =
                row.keywords.split_ascii_whitespace().chain(row.types.split_ascii_whitespace()).collect();
            let distinct: std::collections::BTreeSet<&str> = words.iter().copied().collect();
            assert_eq!(distinct.len(), words.len(), "{:?}", row.extensions);
        }
    }

    #[test]
    fn a_long_text_takes_linear_time() {
        for (extension, piece) in [
            ("rs", "/*"),
            ("rs", "r#\""),
            ("cpp", "R\"("),
            ("cpp", "R\"x"),
            ("py", "\"\"\"'"),
            ("hs", "{-"),
            ("rs", "'\\"),
        ] {
            let start = std::time::Instant::now();
            let lexemes = lex(&piece.repeat(200_000), Syntax::of_extension(extension)).count();
            assert!(start.elapsed().as_secs() < 20, "{extension} {piece}: {lexemes} lexemes in {:?}", start.elapsed());
        }
    }

    proptest::proptest! {
        #[test]
        fn lexemes_concatenate_to_the_text(
            text in "([a-zA-Z\"'#/*\\\\\n é0-9`$@{}().=<>-]|r#\"|R\"\\(|\"\"\"|--\\[\\[|\\{-|-\\}){0,60}",
            row in 0..Syntax::all().len(),
        ) {
            let lexemes: Vec<(LexemeClass, &str)> = lex(&text, &Syntax::all()[row]).collect();
            proptest::prop_assert!(lexemes.iter().all(|(_, lexeme)| !lexeme.is_empty()));
            let together: String = lexemes.into_iter().map(|(_, lexeme)| lexeme).collect();
            proptest::prop_assert_eq!(together, text);
        }
    }
}
