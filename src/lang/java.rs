//! A partial parser for Java, which finds the file name that the compiler requires. The parser skips comments, string
//! literals and character literals, counts braces, and records the top-level types. The class files show which of these
//! types has a `main` method.

use std::str::Chars;

/// Maximum length of a file name without its extension, in bytes.
const LONGEST_NAME: usize = 200;

/// The top-level declarations of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JavaOutline {
    /// The package name, with `/` in place of dots; empty if the file declares no package.
    pub package: String,
    /// Names of the classes, interfaces, enums and records in the order of their declaration, each with a flag that is
    /// set if the type is public.
    pub types: Vec<(String, bool)>,
}

impl JavaOutline {
    /// Returns the binary name of the public type, or `None` if there is none.
    pub(super) fn public(&self) -> Option<String> {
        self.types.iter().find(|(_, public)| *public).map(|(name, _)| self.binary(name))
    }

    /// Returns the binary name of a type, such as `games/nim/Main`.
    pub(super) fn binary(&self, name: &str) -> String {
        if self.package.is_empty() { name.to_owned() } else { format!("{}/{name}", self.package) }
    }
}

/// Returns the file name that Java requires for this source, which is the name of the public type with the extension
/// `.java`. Returns `None` if there is no public type or its name is too long.
pub(super) fn file_name(text: &str) -> Option<String> {
    let outline = outline(text);
    let (name, _) = outline.types.into_iter().find(|(_, public)| *public)?;
    (name.len() <= LONGEST_NAME).then(|| format!("{name}.java"))
}

/// Returns the top-level declarations of the Java source `text`.
pub fn outline(text: &str) -> JavaOutline {
    let text = unescape(text);
    let mut tokens = JavaTokens { rest: text.chars() }.peekable();
    let mut outline = JavaOutline::default();
    let (mut braces, mut parentheses, mut public) = (0_usize, 0_usize, false);
    while let Some(token) = tokens.next() {
        match token {
            JavaToken::Mark('{') => braces += 1,
            JavaToken::Mark('}') => {
                braces = braces.saturating_sub(1);
                public = public && braces > 0;
            }
            JavaToken::Mark('(') => parentheses += 1,
            JavaToken::Mark(')') => parentheses = parentheses.saturating_sub(1),
            _ if braces + parentheses > 0 => {}
            JavaToken::Mark(';') => public = false,
            JavaToken::Word(word) if word == "public" => public = true,
            JavaToken::Word(word) if word == "package" && outline.types.is_empty() => {
                let words = std::iter::from_fn(|| tokens.next_if(|token| *token != JavaToken::Mark(';')));
                let names = words.filter_map(|token| if let JavaToken::Word(name) = token { Some(name) } else { None });
                outline.package = names.collect::<Vec<_>>().join("/");
            }
            JavaToken::Word(word) if matches!(word.as_str(), "class" | "interface" | "enum" | "record") => {
                if let Some(JavaToken::Word(name)) = tokens.next_if(|token| matches!(token, JavaToken::Word(_))) {
                    outline.types.push((name, public));
                }
            }
            _ => {}
        }
    }
    outline
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum JavaToken {
    Word(String),
    Mark(char),
}

/// An iterator over words and other characters. It skips comments, strings and character literals.
struct JavaTokens<'a> {
    rest: Chars<'a>,
}

impl Iterator for JavaTokens<'_> {
    type Item = JavaToken;

    fn next(&mut self) -> Option<JavaToken> {
        loop {
            let text = self.rest.as_str();
            let first = text.chars().next()?;
            if text.starts_with("//") {
                self.skip_past("//".len(), "\n");
            } else if text.starts_with("/*") {
                self.skip_past("/*".len(), "*/");
            } else if text.starts_with("\"\"\"") {
                self.skip_quoted("\"\"\"");
            } else if first == '"' {
                self.skip_quoted("\"");
            } else if first == '\'' {
                self.skip_quoted("'");
            } else if in_word(first) {
                let end = text.find(|c| !in_word(c)).unwrap_or(text.len());
                self.rest = text[end..].chars();
                return Some(JavaToken::Word(text[..end].to_owned()));
            } else {
                self.rest.next();
                if !first.is_whitespace() {
                    return Some(JavaToken::Mark(first));
                }
            }
        }
    }
}

impl JavaTokens<'_> {
    /// Skips `open` bytes, and then all text up to and including `end`, or to the end of the text if `end` does not
    /// occur.
    fn skip_past(&mut self, open: usize, end: &str) {
        let text = &self.rest.as_str()[open..];
        self.rest = text.find(end).map_or("", |at| &text[at + end.len()..]).chars();
    }

    /// Skips a string or character literal, up to the next quote that is not escaped by a backslash. A literal whose
    /// delimiter is a single character ends at the end of the line at the latest.
    fn skip_quoted(&mut self, quote: &str) {
        let text = &self.rest.as_str()[quote.len()..];
        let mut escaped = false;
        for (at, c) in text.char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if text[at..].starts_with(quote) {
                self.rest = text[at + quote.len()..].chars();
                return;
            }
            if c == '\n' && quote.len() == 1 {
                self.rest = text[at..].chars();
                return;
            }
        }
        self.rest = "".chars();
    }
}

/// Returns whether the character may be part of a word. More characters are accepted than in Java, whose compiler
/// reports invalid names.
fn in_word(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace()
}

/// Decodes escapes such as `\u0041`, as Java does before tokenizing.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let digits = after.trim_start_matches('u');
        let value = digits.get(..4).filter(|_| digits.len() < after.len());
        let c = value.and_then(|value| u32::from_str_radix(value, 16).ok()).and_then(char::from_u32);
        if let Some(c) = c {
            plain.push(c);
            rest = &digits[4..];
        } else {
            // The second of two backslashes does not begin an escape.
            let pair = usize::from(after.starts_with('\\'));
            plain.push_str(&rest[at..=at + pair]);
            rest = &after[pair..];
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> Option<String> {
        file_name(text)
    }

    #[test]
    fn the_file_is_named_after_its_public_type() {
        assert_eq!(name("public class Main {}").as_deref(), Some("Main.java"));
        assert_eq!(name("class A {} public final class 取石子 { class B {} }").as_deref(), Some("取石子.java"));
        assert_eq!(name("class A { public class Inner {} }"), None);
        assert_eq!(name("public enum Suit { A, B }").as_deref(), Some("Suit.java"));
        assert_eq!(name("public record Pair(int a, int b) {}").as_deref(), Some("Pair.java"));
        assert_eq!(name("@Deprecated(forRemoval = true) public class X<T extends Y> {}").as_deref(), Some("X.java"));
        assert_eq!(name("interface A {}\nabstract public class B {}").as_deref(), Some("B.java"));
        assert_eq!(name("public class \\u004dain {}").as_deref(), Some("Main.java"));
    }

    #[test]
    fn comments_and_quotes_declare_nothing() {
        assert_eq!(name("// public class A {}\nclass B {}"), None);
        assert_eq!(name("/* public class A { */ class B {}"), None);
        assert_eq!(name("class B { String s = \"} public class A {\"; }"), None);
        assert_eq!(name("class B { char c = '}'; char d = '\\''; } public class C {}").as_deref(), Some("C.java"));
        assert_eq!(
            name("class B { String s = \"\"\"\n } \" public class A { \\\"\"\" \n\"\"\"; } public class D {}")
                .as_deref(),
            Some("D.java")
        );
        assert_eq!(name("class B { String s = \"\\\\\"; } public class E {}").as_deref(), Some("E.java"));
    }

    #[test]
    fn package_declarations_may_contain_comments() {
        let outline =
            outline("/* x */ package games . /* y */ nim;\nimport java.util.*;\npublic class A {} class B {}");
        assert_eq!(outline.package, "games/nim");
        assert_eq!(outline.types, [("A".to_owned(), true), ("B".to_owned(), false)]);
        assert_eq!(outline.public().as_deref(), Some("games/nim/A"));
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[\"'{}();/*\\\\\nu]|class |public |package ){0,60}") {
            let outline = outline(&text);
            prop_assert!(outline.types.iter().all(|(name, _)| !name.contains(['/', '\\', '"'])));
        }
    }
}
