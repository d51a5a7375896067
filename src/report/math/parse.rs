//! Parses TeX formulas into atoms with classes. Parsing never fails: an unknown command is replaced with its name.

use super::scripts::{subscript, superscript};
use super::symbols::{AtomClass, accent, blackboard, negated, symbol};

/// A part of a formula: its text, and the class that determines its spacing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) text: String,
    pub(super) class: AtomClass,
}

impl Atom {
    pub(super) fn new(text: impl Into<String>, class: AtomClass) -> Atom {
        Atom { text: text.into(), class }
    }
}

/// Maximum nesting depth of groups and arguments. Deeper braces are ignored, and deeper arguments are empty.
const DEPTH: usize = 40;

pub(super) struct Parser<'a> {
    rest: &'a str,
    depth: usize,
    /// Whether a line break `\\` is kept; otherwise, it is replaced with a semicolon.
    breaks: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(tex: &'a str, breaks: bool) -> Parser<'a> {
        Parser { rest: tex, depth: 0, breaks }
    }

    /// Parses atoms up to the end of the formula or, if `inside` is true, up to the closing brace of a group.
    pub(super) fn atoms(&mut self, inside: bool) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            if c == '}' && inside {
                break;
            }
            match c {
                '^' | '_' => self.script(&mut atoms),
                '\'' => {
                    self.skip(c);
                    attach(&mut atoms, "′");
                }
                _ => {
                    if let Some(atom) = self.atom() {
                        push(&mut atoms, atom);
                    }
                }
            }
        }
        atoms
    }

    fn skip(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    fn script(&mut self, atoms: &mut Vec<Atom>) {
        let up = self.rest.starts_with('^');
        self.rest = &self.rest[1..];
        let text = tight(&self.argument());
        attach(atoms, &if up { superscript(&text) } else { subscript(&text) });
    }

    /// Parses one command, group or character. Returns `None` if it has no text.
    fn atom(&mut self) -> Option<Atom> {
        let c = self.rest.chars().next()?;
        self.skip(c);
        Some(match c {
            '\\' => return self.command(),
            '{' => Atom::new(self.group(), AtomClass::Ordinary),
            '}' => return None,
            '~' => Atom::new(" ", AtomClass::Space),
            '&' => Atom::new(" ", AtomClass::Space),
            '(' | '[' => Atom::new(c, AtomClass::Open),
            ')' | ']' => Atom::new(c, AtomClass::Close),
            '-' => Atom::new('−', AtomClass::Binary),
            '+' => Atom::new(c, AtomClass::Binary),
            '*' => Atom::new('∗', AtomClass::Binary),
            '=' | '<' | '>' | '≤' | '≥' | '≠' | '∈' | '→' => Atom::new(c, AtomClass::Relation),
            ',' | ';' | ':' => Atom::new(c, AtomClass::Comma),
            '%' => {
                let line = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
                self.rest = &self.rest[line..];
                return None;
            }
            '$' => return None,
            c if c.is_whitespace() => return None,
            '⊕' | '×' | '·' => Atom::new(c, AtomClass::Binary),
            c => Atom::new(c, AtomClass::Ordinary),
        })
    }

    /// Parses the contents of a group after its opening brace.
    fn group(&mut self) -> String {
        if self.depth >= DEPTH {
            return String::new();
        }
        self.depth += 1;
        let atoms = self.atoms(true);
        self.depth -= 1;
        self.rest = self.rest.strip_prefix('}').unwrap_or(self.rest);
        super::render::join(&atoms)
    }

    /// Parses an argument of a command: a group or a single atom.
    fn argument(&mut self) -> String {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(['}', '^', '_']) || self.depth >= DEPTH {
            return String::new();
        }
        self.depth += 1;
        let text = self.atom().map_or_else(String::new, |atom| atom.text);
        self.depth -= 1;
        text
    }

    /// Reads an argument that is text instead of a formula, such as in `\text{ if }`.
    fn verbatim(&mut self) -> String {
        let trimmed = self.rest.trim_start();
        let Some(inside) = trimmed.strip_prefix('{') else { return self.argument() };
        let mut depth = 1_usize;
        for (at, c) in inside.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = &inside[at + 1..];
                return inside[..at].chars().filter(|c| !matches!(c, '{' | '}' | '\\' | '$')).collect();
            }
        }
        self.rest = "";
        inside.to_owned()
    }

    fn optional(&mut self) -> Option<String> {
        let inside = self.rest.trim_start().strip_prefix('[')?;
        let end = inside.find(']')?;
        let text = inside[..end].to_owned();
        self.rest = &inside[end + 1..];
        Some(text)
    }

    fn command(&mut self) -> Option<Atom> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        if end == 0 {
            return self.punctuation();
        }
        let name = &self.rest[..end];
        self.rest = &self.rest[end..];
        if let Some((sign, class)) = symbol(name) {
            return Some(Atom::new(sign, class));
        }
        self.structure(name)
    }

    /// Parses a command that consists of a single character other than a letter, such as `\,`, after its backslash.
    fn punctuation(&mut self) -> Option<Atom> {
        let c = self.rest.chars().next()?;
        self.skip(c);
        Some(match c {
            '\\' => {
                let _ = self.optional();
                if self.breaks { Atom::new("\n", AtomClass::Break) } else { Atom::new("; ", AtomClass::Space) }
            }
            ',' | ':' | ';' | ' ' | '>' => Atom::new(" ", AtomClass::Space),
            '!' | '(' | ')' | '[' | ']' | '/' => return None,
            '{' => Atom::new(c, AtomClass::Open),
            '}' => Atom::new(c, AtomClass::Close),
            '|' => Atom::new('‖', AtomClass::Ordinary),
            c if c.is_whitespace() => Atom::new(" ", AtomClass::Space),
            c => Atom::new(c, AtomClass::Ordinary),
        })
    }

    /// Parses a command that takes arguments or changes the following atoms.
    fn structure(&mut self, name: &str) -> Option<Atom> {
        let ordinary = |text: String| Some(Atom::new(text, AtomClass::Ordinary));
        if let Some(mark) = accent(name) {
            return ordinary(accented(&self.argument(), mark));
        }
        match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" => {
                let (above, below) = (self.argument(), self.argument());
                ordinary(format!("{}/{}", closed(&above), closed(&below)))
            }
            "binom" | "dbinom" | "tbinom" => {
                let (above, below) = (self.argument(), self.argument());
                ordinary(format!("C({above}, {below})"))
            }
            "sqrt" => {
                let sign = match self.optional().as_deref() {
                    None => "√".to_owned(),
                    Some("3") => "∛".to_owned(),
                    Some("4") => "∜".to_owned(),
                    Some(degree) => format!("{}√", superscript(degree)),
                };
                ordinary(format!("{sign}{}", closed(&self.argument())))
            }
            "text" | "textrm" | "textbf" | "textit" | "texttt" | "textsf" | "mbox" | "hbox" | "mathrm" | "mathtt"
            | "mathsf" | "mathit" | "mathbf" | "emph" => ordinary(self.verbatim()),
            "operatorname" => {
                self.rest = self.rest.strip_prefix('*').unwrap_or(self.rest);
                Some(Atom::new(self.verbatim(), AtomClass::Name))
            }
            "mathbb" => ordinary(self.argument().chars().map(blackboard).collect()),
            "mathcal" | "mathfrak" | "mathscr" | "boldsymbol" | "bm" | "pmb" | "mathop" | "mathbin" | "mathrel"
            | "boxed" | "overbrace" | "underbrace" | "phantom" | "substack" => ordinary(self.argument()),
            "pmod" => ordinary(format!(" (mod {})", self.argument())),
            "mod" => Some(Atom::new("mod", AtomClass::Binary)),
            "not" => {
                let next = self.atom_after_space()?;
                let text = negated(&next.text).map_or_else(|| format!("¬{}", next.text), str::to_owned);
                Some(Atom::new(text, next.class))
            }
            "overset" | "stackrel" | "underset" => {
                let (script, base) = (tight(&self.argument()), self.argument());
                ordinary(base + &if name == "underset" { subscript(&script) } else { superscript(&script) })
            }
            "left" | "right" | "middle" => self.delimiter(),
            "quad" | "qquad" | "enspace" | "thinspace" => Some(Atom::new("  ", AtomClass::Space)),
            "newline" => Some(Atom::new(if self.breaks { "\n" } else { " " }, AtomClass::Break)),
            "begin" => self.environment(),
            "end" => {
                let _ = self.verbatim();
                None
            }
            "color" | "tag" | "label" => {
                let _ = self.verbatim();
                None
            }
            "limits" | "nolimits" | "displaystyle" | "textstyle" | "scriptstyle" | "big" | "Big" | "bigg" | "Bigg"
            | "bigl" | "bigr" | "Bigl" | "Bigr" | "biggl" | "biggr" | "bf" | "it" | "rm" | "tt" | "hline" | "hfill" => {
                None
            }
            unknown => Some(Atom::new(unknown, AtomClass::Name)),
        }
    }

    fn atom_after_space(&mut self) -> Option<Atom> {
        self.rest = self.rest.trim_start();
        self.atom()
    }

    /// Parses the delimiter after `\left` or `\right`; a dot is the empty delimiter.
    fn delimiter(&mut self) -> Option<Atom> {
        self.rest = self.rest.trim_start();
        if let Some(rest) = self.rest.strip_prefix('.') {
            self.rest = rest;
            return None;
        }
        self.atom()
    }

    fn environment(&mut self) -> Option<Atom> {
        let name = self.verbatim();
        if name == "array" || name == "tabular" {
            let _ = self.verbatim();
        }
        (name == "cases").then(|| Atom::new("{ ", AtomClass::Open))
    }
}

/// Appends an atom. An operator such as `−` that has no left operand is treated as a sign.
fn push(atoms: &mut Vec<Atom>, mut atom: Atom) {
    let operand = atoms.last().is_some_and(|last| matches!(last.class, AtomClass::Ordinary | AtomClass::Close));
    if atom.class == AtomClass::Binary && !operand && matches!(atom.text.as_str(), "−" | "+" | "∗" | "±" | "∓") {
        atom.class = AtomClass::Ordinary;
    }
    atoms.push(atom);
}

/// Attaches a script to the last atom and keeps the atom's class, so that `log₂` is still a name.
fn attach(atoms: &mut Vec<Atom>, script: &str) {
    match atoms.last_mut().filter(|atom| !matches!(atom.class, AtomClass::Space | AtomClass::Break)) {
        Some(atom) => atom.text.push_str(script),
        None => atoms.push(Atom::new(script, AtomClass::Ordinary)),
    }
}

/// Encloses an expression in parentheses unless it is a single term, so that it can be placed next to `/` or `√`.
fn closed(text: &str) -> String {
    let single = text.chars().all(|c| !c.is_whitespace() && !matches!(c, '+' | '−' | '/' | '·' | ','));
    if single { text.to_owned() } else { format!("({text})") }
}

fn accented(text: &str, mark: char) -> String {
    let mut accented = String::new();
    for c in text.chars() {
        accented.push(c);
        if !c.is_whitespace() {
            accented.push(mark);
        }
    }
    accented
}

/// Removes the white space in a script.
fn tight(text: &str) -> String {
    text.split_whitespace().collect()
}
