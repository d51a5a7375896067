//! Splits a Java file into parts, so that copies of the file can be nested in other classes.

use super::token::{ParsedToken, match_brackets, tokens};
use crate::MutantLanguage;

/// A Java file split into its imports and its types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JavaFile {
    /// The imports.
    pub(crate) imports: Vec<String>,
    /// The text after the imports. Each top-level class is declared `static`, so that it can be nested in another class
    /// and used without an instance of it.
    pub(crate) types: String,
    /// The name of the type with the `main` method.
    pub(crate) main: String,
}

/// Splits a Java file. Returns `None` if its brackets don't match, or if it has no `static void main` with a parameter.
pub(crate) fn java_file(text: &str) -> Option<JavaFile> {
    let mut list = tokens(text, 0..text.len(), MutantLanguage::Java);
    match_brackets(&mut list).ok()?;
    let (mut imports, mut main, mut name) = (Vec::new(), None, "");
    // Byte position after the imports, and byte positions of the classes, which must become `static`.
    let (mut begin, mut classes) = (0, Vec::new());
    let mut at = 0;
    while let Some(token) = list.get(at) {
        match token.text {
            "package" | "import" => {
                let length = list[at..].iter().position(|token| token.text == ";")?;
                begin = list[at + length].end;
                if token.text == "import" {
                    imports.push(text[token.start..begin].to_owned());
                }
                at += length;
            }
            "class" | "interface" | "enum" | "record" => {
                name = list.get(at + 1)?.text;
                if token.text == "class" {
                    classes.push(token.start);
                }
            }
            "{" => {
                if main.is_none() && list[at..token.partner].windows(5).any(is_main) {
                    main = Some(name.to_owned());
                }
                at = token.partner;
            }
            "(" => at = token.partner,
            _ => {}
        }
        at += 1;
    }
    let mut types = text[begin..].to_owned();
    for class in classes.into_iter().rev() {
        types.insert_str(class.checked_sub(begin)?, "static ");
    }
    Some(JavaFile { imports, types, main: main? })
}

fn is_main(five: &[ParsedToken<'_>]) -> bool {
    five[0].text == "static"
        && five[1].text == "void"
        && five[2].text == "main"
        && five[3].text == "("
        && five[4].text != ")"
}
