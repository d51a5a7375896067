//! Source text with its keywords, strings, numbers and comments marked. One small scanner for all languages: it need
//! not understand a program, only help the eye, and it never changes the text.

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Plain,
    Keyword,
    Text,
    Number,
    Comment,
}

/// How a language's comments and texts look.
struct Look {
    line: &'static [&'static str],
    block: Option<(&'static str, &'static str)>,
    quotes: &'static [char],
    /// Texts in three quotes may have lines.
    triple: bool,
}

const C_LIKE: Look = Look { line: &["//"], block: Some(("/*", "*/")), quotes: &['"', '\'', '`'], triple: false };

fn look(ending: &str) -> Look {
    match ending {
        "py" | "py3" => Look { line: &["#"], block: None, quotes: &['"', '\''], triple: true },
        "rb" | "sh" | "bash" | "pl" | "pm" | "r" | "R" | "jl" | "ex" | "exs" | "awk" | "tcl" | "nim" | "cr" => {
            Look { line: &["#"], block: None, quotes: &['"', '\''], triple: false }
        }
        "hs" | "lua" | "sql" | "adb" | "ads" | "elm" => {
            Look { line: &["--"], block: Some(("{-", "-}")), quotes: &['"'], triple: false }
        }
        "ml" | "mli" | "pas" | "pp" | "dpr" => {
            Look { line: &["//"], block: Some(("(*", "*)")), quotes: &['"', '\''], triple: false }
        }
        "lisp" | "cl" | "scm" | "rkt" | "clj" => Look { line: &[";"], block: None, quotes: &['"'], triple: false },
        "erl" | "m" | "prolog" => Look { line: &["%"], block: None, quotes: &['"'], triple: false },
        "f90" | "f95" | "f03" | "f08" => Look { line: &["!"], block: None, quotes: &['"', '\''], triple: false },
        // A quote in Rust may begin a lifetime.
        "rs" => Look { quotes: &['"'], ..C_LIKE },
        _ => C_LIKE,
    }
}

const KEYWORDS: &str = " abstract and as async await auto begin bool boolean break byte case catch char class const \
    constexpr continue data def default defer del delete do double elif else elseif end enum except export extends extern \
    false False final finally float fn for from fun func function global go goto if impl implements import in include \
    inline instanceof int integer interface is lambda let local long loop match mod module mut namespace new nil None \
    nonlocal not null object of operator or override package pass private procedure program protected pub public raise \
    range rec ref register repeat return self short signed sizeof static string struct super switch template then this \
    throw trait true True try type typedef typename union unless unsafe unsigned until use using val var virtual void \
    volatile when where while with yield ";

/// The text in pieces, each with what it is. The pieces together are the text.
pub(super) fn pieces<'t>(text: &'t str, ending: &str) -> Vec<(Class, &'t str)> {
    let look = look(ending);
    let mut pieces: Vec<(Class, &str)> = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match next(rest, &look) {
            (Class::Plain, length) => at += length,
            (class, length) => {
                if plain < at {
                    pieces.push((Class::Plain, &text[plain..at]));
                }
                pieces.push((class, &rest[..length]));
                at += length;
                plain = at;
            }
        }
    }
    if plain < text.len() {
        pieces.push((Class::Plain, &text[plain..]));
    }
    pieces
}

/// What begins here, and how long it is in bytes.
fn next(rest: &str, look: &Look) -> (Class, usize) {
    if look.line.iter().any(|mark| rest.starts_with(mark)) {
        return (Class::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if let Some((open, close)) = look.block.filter(|(open, _)| rest.starts_with(open)) {
        let length = rest[open.len()..].find(close).map_or(rest.len(), |end| open.len() + end + close.len());
        return (Class::Comment, length);
    }
    let Some(first) = rest.chars().next() else { return (Class::Plain, 1) };
    if look.quotes.contains(&first) {
        return (Class::Text, quoted(rest, first, look.triple));
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    if word(first) {
        let length = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
        let class = match (first.is_ascii_digit(), KEYWORDS.contains(&format!(" {} ", &rest[..length]))) {
            (true, _) => Class::Number,
            (_, true) => Class::Keyword,
            _ => Class::Plain,
        };
        return (class, length);
    }
    (Class::Plain, first.len_utf8())
}

/// How long a text in quotes is: to its closing quote, or to the end of the line.
fn quoted(rest: &str, quote: char, triple: bool) -> usize {
    let three = [quote; 3].iter().collect::<String>();
    if triple && rest.starts_with(&three) {
        return rest[3..].find(&three).map_or(rest.len(), |end| end + 6);
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, ending: &str) -> Vec<(Class, String)> {
        let pieces = pieces(text, ending).into_iter().filter(|(class, _)| *class != Class::Plain);
        pieces.map(|(class, text)| (class, text.to_owned())).collect()
    }

    #[test]
    fn what_helps_the_eye_is_marked() {
        use Class::{Comment, Keyword, Number, Text};
        let said = |pairs: &[(Class, &str)]| pairs.iter().map(|(c, t)| (*c, (*t).to_owned())).collect::<Vec<_>>();
        assert_eq!(
            marked("for x in \"a\\\"b\": # no\n y=12", "py"),
            said(&[(Keyword, "for"), (Keyword, "in"), (Text, "\"a\\\"b\""), (Comment, "# no"), (Number, "12")])
        );
        assert_eq!(marked("fn f<'a>() {} /* if */", "rs"), said(&[(Keyword, "fn"), (Comment, "/* if */")]));
        assert_eq!(marked("'''if\nelse''' iff", "py"), said(&[(Text, "'''if\nelse'''")]));
        assert_eq!(marked("c = 'x\nif", "c"), said(&[(Text, "'x"), (Keyword, "if")]));
    }

    proptest::proptest! {
        #[test]
        fn the_text_stays_as_it_is(text in "[a-z\"'#/*\\\\\n é0-9`-]{0,60}", ending in "(py|c|hs|rs|ml)") {
            let together: String = pieces(&text, &ending).into_iter().map(|(_, piece)| piece).collect();
            proptest::prop_assert_eq!(together, text);
        }
    }
}
