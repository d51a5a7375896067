//! Formats superscripts and subscripts as Unicode characters.

/// Formats a superscript with Unicode superscripts if every character has one, otherwise as text after `^`.
pub(super) fn superscript(text: &str) -> String {
    // Primes, stars and daggers are displayed raised without conversion.
    if !text.is_empty() && text.chars().all(|c| matches!(c, '′' | '*' | '∗' | '†')) {
        return text.to_owned();
    }
    if text == "∘" {
        return "°".to_owned();
    }
    script(text, '^', raised)
}

/// Formats a subscript with Unicode subscripts if every character has one, otherwise as text after `_`.
pub(super) fn subscript(text: &str) -> String {
    script(text, '_', lowered)
}

fn script(text: &str, sign: char, map: fn(char) -> Option<char>) -> String {
    if text.is_empty() {
        return String::new();
    }
    let tight = text.chars().filter(|c| !c.is_whitespace());
    if let Some(mapped) = tight.map(map).collect::<Option<String>>() {
        return mapped;
    }
    let closed = text.chars().count() == 1 || text.chars().all(|c| c.is_ascii_digit());
    if closed { format!("{sign}{text}") } else { format!("{sign}({text})") }
}

fn raised(c: char) -> Option<char> {
    look(
        c,
        "0123456789+−-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ",
    )
}

fn lowered(c: char) -> Option<char> {
    look(c, "0123456789+−-=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")
}

fn look(c: char, plain: &str, mapped: &str) -> Option<char> {
    let at = plain.chars().position(|other| other == c)?;
    mapped.chars().nth(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_use_unicode_if_all_characters_have_it() {
        for (text, up, down) in [
            ("5", "⁵", "₅"),
            ("n−1", "ⁿ⁻¹", "ₙ₋₁"),
            ("i = 1", "ⁱ⁼¹", "ᵢ₌₁"),
            ("x", "ˣ", "ₓ"),
            ("q", "^q", "_q"),
            ("i,j", "^(i,j)", "_(i,j)"),
            ("T", "ᵀ", "_T"),
            ("′", "′", "_′"),
            ("∘", "°", "_∘"),
            ("", "", ""),
        ] {
            assert_eq!((superscript(text).as_str(), subscript(text).as_str()), (up, down));
        }
    }

    #[test]
    fn the_tables_have_the_same_length() {
        let same = |plain: &str, map: fn(char) -> Option<char>| plain.chars().all(|c| map(c).is_some());
        assert!(same("0123456789+−-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ", raised));
        assert!(same("0123456789+−-=()aehijklmnoprstuvxβγρφχ", lowered));
        assert_eq!((raised('χ'), lowered('χ')), (Some('ᵡ'), Some('ᵪ')));
    }
}
