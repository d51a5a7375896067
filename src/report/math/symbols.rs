//! Maps TeX commands to Unicode symbols.

/// The class of an atom, which determines the spaces around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomClass {
    /// A letter, a number, a group, or another symbol that is not separated from its neighbors.
    Ordinary,
    /// A binary operator, with spaces on both sides if it has two operands.
    Binary,
    /// A relation, with spaces on both sides.
    Relation,
    /// A named operator such as `log`, separated from adjacent letters.
    Name,
    /// An opening delimiter.
    Open,
    /// A closing delimiter.
    Close,
    /// A comma, semicolon or colon, followed by a space.
    Comma,
    /// Explicit white space.
    Space,
    /// An explicit line break.
    Break,
}

/// Returns the symbol of a command and its class; `None` if the command is not in the tables.
pub(super) fn symbol(command: &str) -> Option<(&'static str, AtomClass)> {
    let find = |table: &[(&'static str, &'static str)], class| {
        table.iter().find(|(name, _)| *name == command).map(|(_, sign)| (*sign, class))
    };
    find(RELATIONS, AtomClass::Relation)
        .or_else(|| find(BINARIES, AtomClass::Binary))
        .or_else(|| find(ORDINARIES, AtomClass::Ordinary))
        .or_else(|| find(LARGE, AtomClass::Name))
        .or_else(|| find(OPENING, AtomClass::Open))
        .or_else(|| find(CLOSING, AtomClass::Close))
        .or_else(|| NAMES.iter().find(|name| **name == command).map(|name| (*name, AtomClass::Name)))
}

/// Returns the negated form of a symbol; `None` if there is none.
pub(super) fn negated(sign: &str) -> Option<&'static str> {
    const NEGATED: &[(&str, &str)] = &[
        ("=", "≠"),
        ("∈", "∉"),
        ("∋", "∌"),
        ("⊂", "⊄"),
        ("⊃", "⊅"),
        ("⊆", "⊈"),
        ("⊇", "⊉"),
        ("≡", "≢"),
        ("∼", "≁"),
        ("≈", "≉"),
        ("<", "≮"),
        (">", "≯"),
        ("≤", "≰"),
        ("≥", "≱"),
        ("∣", "∤"),
        ("∃", "∄"),
    ];
    NEGATED.iter().find(|(plain, _)| *plain == sign).map(|(_, negated)| *negated)
}

/// Returns the double-struck form of a character, for `\mathbb`. Only common characters are converted; others are
/// returned unchanged.
pub(super) fn blackboard(letter: char) -> char {
    match letter {
        'C' => 'ℂ',
        'H' => 'ℍ',
        'N' => 'ℕ',
        'P' => 'ℙ',
        'Q' => 'ℚ',
        'R' => 'ℝ',
        'Z' => 'ℤ',
        '1' => '𝟙',
        other => other,
    }
}

/// Returns the combining character of an accent command; `None` for other commands.
pub(super) fn accent(command: &str) -> Option<char> {
    Some(match command {
        "hat" | "widehat" => '\u{302}',
        "bar" | "overline" => '\u{304}',
        "tilde" | "widetilde" => '\u{303}',
        "vec" | "overrightarrow" => '\u{20d7}',
        "dot" => '\u{307}',
        "ddot" => '\u{308}',
        "underline" => '\u{332}',
        _ => return None,
    })
}

const RELATIONS: &[(&str, &str)] = &[
    ("le", "≤"),
    ("leq", "≤"),
    ("leqslant", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("geqslant", "≥"),
    ("lt", "<"),
    ("gt", ">"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("ll", "≪"),
    ("gg", "≫"),
    ("equiv", "≡"),
    ("approx", "≈"),
    ("sim", "∼"),
    ("simeq", "≃"),
    ("cong", "≅"),
    ("propto", "∝"),
    ("in", "∈"),
    ("notin", "∉"),
    ("ni", "∋"),
    ("subset", "⊂"),
    ("supset", "⊃"),
    ("subseteq", "⊆"),
    ("supseteq", "⊇"),
    ("subsetneq", "⊊"),
    ("mid", "∣"),
    ("nmid", "∤"),
    ("parallel", "∥"),
    ("perp", "⊥"),
    ("prec", "≺"),
    ("succ", "≻"),
    ("preceq", "≼"),
    ("succeq", "≽"),
    ("vdash", "⊢"),
    ("models", "⊨"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("longrightarrow", "→"),
    ("gets", "←"),
    ("leftarrow", "←"),
    ("leftrightarrow", "↔"),
    ("Rightarrow", "⇒"),
    ("Longrightarrow", "⇒"),
    ("implies", "⇒"),
    ("Leftarrow", "⇐"),
    ("impliedby", "⇐"),
    ("Leftrightarrow", "⇔"),
    ("iff", "⇔"),
    ("mapsto", "↦"),
    ("longmapsto", "↦"),
    ("hookrightarrow", "↪"),
    ("coloneqq", "≔"),
    ("coloneq", "≔"),
    ("triangleq", "≜"),
];

const BINARIES: &[(&str, &str)] = &[
    ("oplus", "⊕"),
    ("otimes", "⊗"),
    ("ominus", "⊖"),
    ("odot", "⊙"),
    ("times", "×"),
    ("cdot", "·"),
    ("div", "÷"),
    ("pm", "±"),
    ("mp", "∓"),
    ("ast", "∗"),
    ("star", "⋆"),
    ("circ", "∘"),
    ("bullet", "•"),
    ("cup", "∪"),
    ("cap", "∩"),
    ("uplus", "⊎"),
    ("sqcup", "⊔"),
    ("setminus", "∖"),
    ("smallsetminus", "∖"),
    ("land", "∧"),
    ("wedge", "∧"),
    ("lor", "∨"),
    ("vee", "∨"),
    ("veebar", "⊻"),
    ("bmod", "mod"),
    ("ltimes", "⋉"),
    ("rtimes", "⋊"),
    ("amalg", "⨿"),
    ("dagger", "†"),
];

const ORDINARIES: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ϵ"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "ϑ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("omicron", "ο"),
    ("pi", "π"),
    ("varpi", "ϖ"),
    ("rho", "ρ"),
    ("varrho", "ϱ"),
    ("sigma", "σ"),
    ("varsigma", "ς"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "ϕ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("ldots", "…"),
    ("dots", "…"),
    ("dotsc", "…"),
    ("dotsb", "⋯"),
    ("dotsm", "⋯"),
    ("cdots", "⋯"),
    ("vdots", "⋮"),
    ("ddots", "⋱"),
    ("infty", "∞"),
    ("emptyset", "∅"),
    ("varnothing", "∅"),
    ("forall", "∀"),
    ("exists", "∃"),
    ("nexists", "∄"),
    ("neg", "¬"),
    ("lnot", "¬"),
    ("top", "⊤"),
    ("bot", "⊥"),
    ("nabla", "∇"),
    ("partial", "∂"),
    ("ell", "ℓ"),
    ("hbar", "ℏ"),
    ("Re", "ℜ"),
    ("Im", "ℑ"),
    ("aleph", "ℵ"),
    ("wp", "℘"),
    ("angle", "∠"),
    ("triangle", "△"),
    ("square", "□"),
    ("Box", "□"),
    ("blacksquare", "■"),
    ("diamond", "⋄"),
    ("prime", "′"),
    ("degree", "°"),
    ("surd", "√"),
    ("checkmark", "✓"),
    ("uparrow", "↑"),
    ("downarrow", "↓"),
    ("nearrow", "↗"),
    ("searrow", "↘"),
    ("backslash", "\\"),
    ("colon", ":"),
    ("vert", "|"),
    ("Vert", "‖"),
    ("slash", "/"),
    ("dag", "†"),
    ("copyright", "©"),
    ("pounds", "£"),
];

/// Large operators, which are separated from their operands by a space.
const LARGE: &[(&str, &str)] = &[
    ("sum", "∑"),
    ("prod", "∏"),
    ("coprod", "∐"),
    ("int", "∫"),
    ("oint", "∮"),
    ("bigoplus", "⨁"),
    ("bigotimes", "⨂"),
    ("bigcup", "⋃"),
    ("bigcap", "⋂"),
    ("bigsqcup", "⨆"),
    ("bigvee", "⋁"),
    ("bigwedge", "⋀"),
];

const OPENING: &[(&str, &str)] = &[
    ("lbrace", "{"),
    ("lfloor", "⌊"),
    ("lceil", "⌈"),
    ("langle", "⟨"),
    ("lvert", "|"),
    ("lVert", "‖"),
    ("lbrack", "["),
    ("llbracket", "⟦"),
];

const CLOSING: &[(&str, &str)] = &[
    ("rbrace", "}"),
    ("rfloor", "⌋"),
    ("rceil", "⌉"),
    ("rangle", "⟩"),
    ("rvert", "|"),
    ("rVert", "‖"),
    ("rbrack", "]"),
    ("rrbracket", "⟧"),
];

const NAMES: &[&str] = &[
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "csc", "deg", "det", "dim", "exp", "gcd", "hom", "inf",
    "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan",
    "tanh",
];
