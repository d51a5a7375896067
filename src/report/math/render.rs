//! Joins the atoms of a formula with the spacing of TeX.

use super::parse::{Atom, Parser};
use super::symbols::AtomClass;
use crate::text::picture;

/// Renders an inline formula.
pub(crate) fn inline(tex: &str) -> String {
    clean(&join(&Parser::new(tex, false).atoms(false)))
}

/// Renders a display formula as lines.
pub(crate) fn display(tex: &str) -> Vec<String> {
    let text = join(&Parser::new(tex, true).atoms(false));
    text.split('\n').map(clean).filter(|line| !line.is_empty()).collect()
}

/// Joins the texts of atoms, with a space wherever the classes of adjacent atoms require one.
pub(super) fn join(atoms: &[Atom]) -> String {
    let mut text = String::new();
    let mut before: Option<AtomClass> = None;
    for atom in atoms {
        if before.is_some_and(|before| apart(before, atom)) && !text.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(&atom.text);
        before = Some(atom.class);
    }
    text
}

/// Returns whether a space is needed between an atom of class `before` and `atom`.
fn apart(before: AtomClass, atom: &Atom) -> bool {
    use AtomClass::{Binary, Break, Close, Comma, Name, Open, Ordinary, Relation, Space};
    match (before, atom.class) {
        (Space | Break, _) | (_, Space | Break | Close | Comma) => false,
        (Open, _) => false,
        (Binary | Relation | Comma, _) | (_, Binary | Relation) => true,
        (Name, Ordinary | Name) | (Ordinary | Close, Name) => true,
        (Name, Open) => atom.text != "(" && atom.text != "[",
        (Ordinary | Close, Ordinary | Open) => false,
    }
}

/// Collapses runs of white space and replaces control characters.
fn clean(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(picture).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_of_statements() {
        for (tex, text) in [
            (r"n", "n"),
            (r"1 \le n \le 10^5", "1 ≤ n ≤ 10⁵"),
            (r"1\le n\le100\,000", "1 ≤ n ≤ 100 000"),
            (r"100{,}000", "100,000"),
            (r"a_1, a_2, \ldots, a_n", "a₁, a₂, …, aₙ"),
            (r"a_1 \oplus a_2 \oplus \dots \oplus a_n = 0", "a₁ ⊕ a₂ ⊕ … ⊕ aₙ = 0"),
            (r"2^{n-1}", "2ⁿ⁻¹"),
            (r"a_{i,j}", "a_(i,j)"),
            (r"a_{i+1}^2", "aᵢ₊₁²"),
            (r"10^{-6}", "10⁻⁶"),
            (r"-10^9 \leq x", "−10⁹ ≤ x"),
            (r"x = -1", "x = −1"),
            (r"\sum_{i=1}^{n} a_i", "∑ᵢ₌₁ⁿ aᵢ"),
            (r"O(n \log n)", "O(n log n)"),
            (r"O(n\log^2 n)", "O(n log² n)"),
            (r"\max(a, b)", "max(a, b)"),
            (r"\gcd(a,b)=1", "gcd(a, b) = 1"),
            (r"x \bmod 998244353", "x mod 998244353"),
            (r"a \equiv b \pmod{m}", "a ≡ b (mod m)"),
            (r"\frac{a+b}{2}", "(a + b)/2"),
            (r"\frac12", "1/2"),
            (r"\binom{n}{k}", "C(n, k)"),
            (r"\sqrt{n}", "√n"),
            (r"\sqrt[3]{n+1}", "∛(n + 1)"),
            (r"x \in \{1, 2\}", "x ∈ {1, 2}"),
            (r"\emptyset", "∅"),
            (r"A \not\in B", "A ∉ B"),
            (r"\mathrm{mex}(S)", "mex(S)"),
            (r"\operatorname{mex} S", "mex S"),
            (r"g(v) = \operatorname{mex}\{g(u) \mid v \to u\}", "g(v) = mex {g(u) ∣ v → u}"),
            (r"f(x) = 1 \text{ if } x > 0", "f(x) = 1 if x > 0"),
            (r"\left\lfloor \frac{n}{2} \right\rfloor", "⌊n/2⌋"),
            (r"\left. x \right|_0", "x|₀"),
            (r"\mathbb{N} \times \mathbb{Z}", "ℕ × ℤ"),
            (r"f'(x)", "f′(x)"),
            (r"90^\circ", "90°"),
            (r"\bar{x}", "x\u{304}"),
            (r"\alpha\beta\Gamma", "αβΓ"),
            (r"a \cdot b", "a · b"),
            (r"2\cdot10^5", "2 · 10⁵"),
            (r"\lfloor x/2 \rfloor", "⌊x/2⌋"),
            (r"p \lor \lnot q", "p ∨ ¬q"),
            (r"x^T", "xᵀ"),
            (r"a<b", "a < b"),
            (r"50\%", "50%"),
            (r"\#S", "#S"),
            (r"\color{red} x", "x"),
        ] {
            assert_eq!(inline(tex), text, "{tex}");
        }
    }

    #[test]
    fn invalid_formulas_are_shown_as_far_as_possible() {
        for (tex, text) in [
            (r"\frobnicate x", "frobnicate x"),
            (r"\frac{1", "1/"),
            (r"a_", "a"),
            (r"^2", "²"),
            (r"}{", ""),
            (r"\", ""),
            (r"", ""),
            (r"\left(", "("),
            (r"x^{", "x"),
        ] {
            assert_eq!(inline(tex), text, "{tex}");
        }
        assert!(inline(&"{".repeat(100_000)).is_empty());
        assert!(inline(&r"\sqrt".repeat(10_000)).starts_with('√'));
    }

    #[test]
    fn a_display_may_have_several_lines() {
        let tex = r"f(n) = \begin{cases} n/2 & \text{if } n \text{ is even} \\ 3n+1 & \text{otherwise} \end{cases}";
        assert_eq!(display(tex), ["f(n) = { n/2 if n is even", "3n + 1 otherwise"]);
        assert_eq!(inline(tex), "f(n) = { n/2 if n is even; 3n + 1 otherwise");
    }

    proptest! {
        #[test]
        fn anything_can_be_rendered(tex in r"(\\?[a-z]{0,5}|[{}^_\\$&%~ 0-9\[\]()]|\PC){0,40}") {
            for line in display(&tex).into_iter().chain([inline(&tex)]) {
                prop_assert!(!line.chars().any(char::is_control));
            }
        }
    }
}
