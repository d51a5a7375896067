//! A program as the tokens that likeness is measured on: its syntax tree in preorder, without comments, layout,
//! brackets, and the text of names and literals. Renaming and reformatting leave them as they are.

use std::ops::Range;

use tree_sitter::{Language, Node, ParseOptions, Parser};

use super::super::highlight::{Class, pieces};

/// The most tokens of a program that are compared; what is longer is data rather than code.
const MOST_TOKENS: usize = 20_000;
/// The most steps a parser may take for one file, so that no file keeps it for ever. A parser asks about this often
/// enough.
const MOST_STEPS: usize = 5_000;
/// The kind of any literal.
const LITERAL: u32 = u16::MAX as u32 - 1;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is: two tokens are alike if and only if these are the same.
    pub kind: u32,
    /// Its place in its file, in bytes. A token that stands for a whole subtree has the place of its beginning.
    pub place: Range<usize>,
}

/// A program as tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The tokens of all its files.
    pub tokens: Vec<Token>,
    /// For each file the tokens that are its own.
    pub files: Vec<Range<usize>>,
}

impl Program {
    /// The tokens of these files: names and contents. Files in no language known are read word by word.
    pub fn new<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Program {
        let mut program = Program::default();
        for (name, content) in files {
            let start = program.tokens.len();
            let ending = name.rsplit('.').next().unwrap_or("");
            let text = String::from_utf8_lossy(content);
            match grammar(ending).and_then(|(number, language)| parsed(number, &language, &text)) {
                Some(tokens) => program.tokens.extend(tokens),
                None => program.tokens.extend(words(&text, ending)),
            }
            program.tokens.truncate(MOST_TOKENS);
            program.files.push(start.min(MOST_TOKENS)..program.tokens.len());
        }
        program
    }

    /// The language most of it is in, as a number.
    pub(super) fn language(&self) -> u32 {
        let longest = self.files.iter().max_by_key(|file| file.len()).cloned().unwrap_or_default();
        self.tokens.get(longest.start).map_or(0, |token| token.kind >> 16)
    }
}

/// The grammar for files of this ending, and its number. C is read as C++, so that a copy between the two is seen.
fn grammar(ending: &str) -> Option<(u32, Language)> {
    let grammar: (u32, Language) = match ending {
        "rs" => (1, tree_sitter_rust::LANGUAGE.into()),
        "c" | "h" | "cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" => (2, tree_sitter_cpp::LANGUAGE.into()),
        "py" | "py3" => (3, tree_sitter_python::LANGUAGE.into()),
        "java" => (4, tree_sitter_java::LANGUAGE.into()),
        "js" | "mjs" | "cjs" => (5, tree_sitter_javascript::LANGUAGE.into()),
        "go" => (6, tree_sitter_go::LANGUAGE.into()),
        "cs" => (7, tree_sitter_c_sharp::LANGUAGE.into()),
        "kt" => (8, tree_sitter_kotlin_ng::LANGUAGE.into()),
        "hs" => (9, tree_sitter_haskell::LANGUAGE.into()),
        "ml" => (10, tree_sitter_ocaml::LANGUAGE_OCAML.into()),
        "pas" | "pp" => (11, tree_sitter_pascal::LANGUAGE.into()),
        "rb" => (12, tree_sitter_ruby::LANGUAGE.into()),
        "lua" => (13, tree_sitter_lua::LANGUAGE.into()),
        _ => return None,
    };
    Some(grammar)
}

/// The tokens of a text by its grammar; none if the parser gives up.
fn parsed(number: u32, language: &Language, text: &str) -> Option<Vec<Token>> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut steps = 0;
    let mut go_on = |_: &tree_sitter::ParseState| {
        steps += 1;
        if steps > MOST_STEPS { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let tree = parser.parse_with_options(&mut |at, _| text.as_bytes().get(at..).unwrap_or(&[]), None, Some(options))?;
    let mut tokens = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let inside = visit(&node, number, &mut tokens);
        if tokens.len() > MOST_TOKENS || (inside && cursor.goto_first_child()) {
            if tokens.len() > MOST_TOKENS {
                return Some(tokens);
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(tokens);
            }
        }
    }
}

/// Adds what a node stands for; whether what is inside it counts too.
fn visit(node: &Node<'_>, number: u32, tokens: &mut Vec<Token>) -> bool {
    let kind = node.kind();
    if node.is_extra() || kind.contains("comment") {
        return false;
    }
    let mut add = |kind: u32, place| tokens.push(Token { kind: (number << 16) | kind, place });
    if !node.is_named() {
        // Brackets and keywords say again what their parents are; operators say something.
        if !kind.chars().any(|c| c.is_alphanumeric() || c.is_whitespace() || "(){}[],;:.\"'`#@".contains(c)) {
            add(node.kind_id().into(), node.byte_range());
        }
        return false;
    }
    if literal(kind) {
        add(LITERAL, node.byte_range());
        return false;
    }
    let leaf = node.child_count() == 0;
    // Brackets around an expression change nothing.
    if !kind.starts_with("parenthesized") {
        let place = if leaf { node.byte_range() } else { node.start_byte()..node.start_byte() };
        add(node.kind_id().into(), place);
    }
    !leaf
}

/// Whether a node of this kind is a literal, whatever is in it.
fn literal(kind: &str) -> bool {
    const PARTS: [&str; 3] = ["string", "char", "rune"];
    const WHOLE: [&str; 10] = [
        "integer",
        "float",
        "number",
        "number_literal",
        "integer_literal",
        "float_literal",
        "int_literal",
        "decimal_integer_literal",
        "decimal_floating_point_literal",
        "real_literal",
    ];
    WHOLE.contains(&kind) || PARTS.iter().any(|part| kind.contains(part) && !kind.ends_with("type"))
}

/// The tokens of a text in a language without a grammar here: keywords and signs as they are, names and literals not.
fn words(text: &str, ending: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for (class, piece) in pieces(text, ending) {
        let start = at;
        at += piece.len();
        match class {
            Class::Comment => {}
            Class::Keyword => tokens.push(Token { kind: hash(piece) & 0xffff, place: start..at }),
            Class::Number | Class::Text => tokens.push(Token { kind: LITERAL, place: start..at }),
            Class::Plain => plain(piece, start, &mut tokens),
        }
        if tokens.len() > MOST_TOKENS {
            break;
        }
    }
    tokens
}

/// The names and signs of a plain piece of text.
fn plain(piece: &str, start: usize, tokens: &mut Vec<Token>) {
    const NAME: u32 = u16::MAX as u32;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut open = false;
    for (at, c) in piece.char_indices() {
        let place = start + at..start + at + c.len_utf8();
        match tokens.last_mut() {
            Some(name) if open && word(c) => name.place.end = place.end,
            _ if word(c) => tokens.push(Token { kind: NAME, place }),
            _ if c.is_whitespace() || "(){}[],;:.".contains(c) => {}
            _ => tokens.push(Token { kind: u32::from(c) & 0x7fff, place }),
        }
        open = word(c);
    }
}

/// A number that stands for a word.
fn hash(word: &str) -> u32 {
    (word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)) >> 7) | 0x8000
}
