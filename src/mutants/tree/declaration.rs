//! Declarations of C, C++ and Java: variables, functions and types.

use super::cursor::TreeParser;
use super::node::{MAIN, Node, NodeKind};
use crate::MutantLanguage;
use crate::lang::LexemeClass;

impl TreeParser<'_> {
    /// Parses the remaining tokens as declarations.
    pub(super) fn declarations(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            if self.depth > 100 {
                self.at = self.end;
                break;
            }
            self.depth += 1;
            all.push(self.declaration(start));
            self.depth -= 1;
            if self.at == start {
                self.skip();
            }
        }
        all
    }

    /// Parses a declaration outside functions, up to the end of its body or its semicolon.
    pub(super) fn declaration(&mut self, start: usize) -> Node {
        let mut head = DeclarationHead { start, ..DeclarationHead::default() };
        let mut children = Vec::new();
        while !self.is_at_end() {
            match self.peek() {
                ";" => {
                    self.at += 1;
                    break;
                }
                "using" | "typedef" | "import" | "package" | "friend" | "static_assert" if head.start == self.at => {
                    self.skip_to(&[";"]);
                }
                "{" => {
                    if let Some(node) = self.body_of(&head) {
                        children.push(node);
                    }
                    if head.ends_with_body(self.language) {
                        self.eat(";");
                        break;
                    }
                }
                "=" => {
                    self.at += 1;
                    let value = self.initial_value(&head);
                    children.push(value);
                }
                ":" if head.parameters == 0 && !head.is_type => {
                    // This is an access label such as `public:`.
                    self.at += 1;
                    head = DeclarationHead { start: self.at, ..DeclarationHead::default() };
                }
                ":" if head.parameters > 0 => self.member_values(),
                "<" => self.at = self.template_arguments(self.at).unwrap_or(self.at + 1),
                "(" => {
                    if head.parameters == 0 && head.name.is_none() {
                        head.name = Some(self.at - usize::from(self.at > 0));
                    }
                    head.parameters += 1;
                    self.skip();
                }
                "@" => {
                    self.at += 2;
                    if self.peek() == "(" {
                        self.skip();
                    }
                    if head.start + 2 >= self.at {
                        head.start = self.at;
                    }
                }
                "operator" => {
                    // The name of the function consists of `operator` and a sign.
                    head.name = Some(self.at);
                    self.at += 1;
                    while !self.is_at_end() && self.peek() != "(" {
                        self.at += 1;
                    }
                    if self.ahead(1) == ")" && self.ahead(2) == "(" {
                        self.at += 2;
                    }
                }
                word => {
                    head.word(word);
                    self.skip();
                }
            }
        }
        self.node(NodeKind::Other, start, children)
    }

    /// Parses the body of a type or function. Returns `None` for other braces, such as an initializer list, and for a
    /// body that is nested too deeply.
    fn body_of(&mut self, head: &DeclarationHead) -> Option<Node> {
        let start = self.at;
        if head.is_enum {
            let is_java = self.language == MutantLanguage::Java;
            return Some(self.inside(|parser| {
                if is_java {
                    parser.skip_to(&[";"]);
                }
                let members = if is_java { parser.declarations() } else { Vec::new() };
                parser.node(NodeKind::Other, start, members)
            }));
        }
        let is_record = self.language == MutantLanguage::Java;
        if head.is_type && (head.parameters == 0 || is_record) {
            let members = self.deeper(|parser| Some(parser.inside(Self::declarations)));
            let Some(members) = members else {
                self.skip();
                return None;
            };
            return Some(self.node(NodeKind::Other, start, members));
        }
        if head.parameters == 0 && self.language != MutantLanguage::Java {
            self.skip();
            return None;
        }
        let returns = head.returns(self);
        let body = self.function_body(start, returns)?;
        Some(if head.is_constexpr { Node::new(NodeKind::Fixed, body.span.clone(), vec![body]) } else { body })
    }

    fn initial_value(&mut self, head: &DeclarationHead) -> Node {
        let start = self.at;
        if ["default", "delete", "0"].contains(&self.peek()) && head.parameters > 0 {
            self.at += 1;
            return self.node(NodeKind::Other, start, Vec::new());
        }
        let value = self.or_opaque(&[",", ";"], |parser| match parser.peek() {
            "{" => parser.list(),
            _ => parser.expression(),
        });
        let is_fixed =
            head.is_constexpr || head.is_constant && is_constant_value(&value) || self.language == MutantLanguage::C;
        if is_fixed { Node::new(NodeKind::Fixed, value.span.clone(), vec![value]) } else { value }
    }

    /// Skips the member initializers before the body of a constructor. They are not mutated.
    fn member_values(&mut self) {
        self.at += 1;
        while !self.is_at_end() && self.peek() != ";" {
            if self.peek() == "{" && !matches!(self.class_before(), Some(LexemeClass::Name)) {
                return;
            }
            self.skip();
        }
    }

    fn class_before(&self) -> Option<LexemeClass> {
        self.tokens.get(self.at.checked_sub(1)?).map(|token| token.class)
    }

    /// Parses a declaration of local variables, without its semicolon. Returns `None` if no declaration starts
    /// here.
    pub(super) fn local_declaration(&mut self) -> Option<Node> {
        if self.language == MutantLanguage::JavaScript {
            return ["let", "const", "var"].contains(&self.peek()).then(|| self.script_declaration())?;
        }
        if !self.starts_declaration() {
            return None;
        }
        let start = self.at;
        let first = self.skip_type(start)?;
        let words: Vec<&str> = (start..first).map(|index| self.text(index)).collect();
        let has = |word: &str| words.contains(&word);
        let is_fixed = has("constexpr") || self.language == MutantLanguage::C && has("static");
        let is_constant = has("const") && self.language.is_c_or_cpp();
        self.at = first;
        let mut values = Vec::new();
        loop {
            while ["*", "&", "&&", "const"].contains(&self.peek()) {
                self.at += 1;
            }
            if self.peek() == "[" {
                // This is a structured binding such as `auto [a, b]`.
                self.skip();
            } else {
                self.is_word(0).then_some(())?;
                self.at += 1;
            }
            // The bounds of an array belong to its type.
            while self.peek() == "[" {
                self.skip();
            }
            let (name, value) = (self.at.saturating_sub(1), self.variable_value());
            if value.is_empty() && self.language == MutantLanguage::Java {
                values.push(Node::new(NodeKind::Unset, self.range(name), Vec::new()));
            }
            values.extend(value);
            if !self.eat(",") {
                break;
            }
        }
        // The bound of an array may depend on this constant, so its value can't be switched at run time.
        let is_fixed = is_fixed || is_constant && values.iter().all(is_constant_value);
        let kind = if is_fixed { NodeKind::Fixed } else { NodeKind::Other };
        Some(self.node(kind, start, values))
    }

    fn variable_value(&mut self) -> Vec<Node> {
        match self.peek() {
            "=" => {
                self.at += 1;
                let value = self.or_opaque(&[",", ";", ":"], |parser| match parser.peek() {
                    "{" => parser.list(),
                    _ => parser.expression(),
                });
                vec![value]
            }
            "(" | "{" if self.language.is_c_or_cpp() => self.inside(Self::elements),
            _ => Vec::new(),
        }
    }
}

/// Returns whether the value may be a constant expression, such as the bound of an array.
fn is_constant_value(value: &Node) -> bool {
    matches!(value.kind, NodeKind::Number | NodeKind::Prefix | NodeKind::Binary)
}

/// The head of a declaration: the tokens before its body.
#[derive(Debug, Default)]
struct DeclarationHead {
    /// Index of the first token.
    start: usize,
    /// Index of the name, if a function is declared.
    name: Option<usize>,
    /// Number of parenthesized lists, such as parameter lists.
    parameters: usize,
    /// Whether a type or namespace is declared.
    is_type: bool,
    is_enum: bool,
    /// Whether a constant is declared.
    is_constant: bool,
    is_constexpr: bool,
}

impl DeclarationHead {
    fn word(&mut self, word: &str) {
        if self.parameters > 0 {
            return;
        }
        match word {
            "class" | "struct" | "union" | "interface" | "namespace" | "record" => self.is_type = true,
            // The body of `extern "C"` contains declarations, like the body of a namespace.
            "extern" => self.is_type = true,
            "enum" => self.is_enum = true,
            "const" | "constinit" | "final" => self.is_constant = true,
            "constexpr" | "consteval" => self.is_constexpr = true,
            _ => {}
        }
    }

    /// Returns whether the declaration ends with the body that was parsed.
    fn ends_with_body(&self, language: MutantLanguage) -> bool {
        language == MutantLanguage::Java || self.parameters > 0 || !(self.is_type || self.is_enum)
    }

    /// Returns the return type of a function as source text, [`MAIN`] for `main`, or `None` if there is no return
    /// type.
    fn returns(&self, parser: &TreeParser<'_>) -> Option<String> {
        const IGNORED: [&str; 17] = [
            "static",
            "inline",
            "public",
            "private",
            "protected",
            "final",
            "virtual",
            "explicit",
            "const",
            "abstract",
            "synchronized",
            "extern",
            "typename",
            "struct",
            "constexpr",
            "friend",
            "native",
        ];
        let name = self.name?;
        if parser.text(name) == "main" {
            return Some(MAIN.to_owned());
        }
        let mut from = self.start;
        if parser.text(from) == "template" {
            from = parser.template_arguments(from + 1)?;
        }
        while IGNORED.contains(&parser.text(from)) {
            from += 1;
        }
        // The name may be qualified: `int Solver::solve(…)`.
        let mut end = name;
        while end >= 2 && parser.text(end - 1) == "::" {
            end -= 2;
        }
        (from < end).then(|| parser.source.get(parser.range(from).start..parser.range(end - 1).end))?.map(str::to_owned)
    }
}
