//! Patterns in which `*` stands for any text.

/// Returns whether the whole text matches a pattern in which each `*` stands for any text, which may be empty.
pub fn wildcard_matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    // If the pattern matches, it also matches with each part at its first possible place.
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_lines() {
        for (pattern, line, wanted) in [
            ("MemoryError", "MemoryError", true),
            ("MemoryError", "MemoryErrors", false),
            ("MemoryError", "    # MemoryError", false),
            ("a * b * c", "a 1 b 2 c", true),
            ("a * b * c", "a 1 c", false),
            ("a * b * c", "a 1 b 2 c d", false),
            ("*: x*", "ruby: x y", true),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(wildcard_matches(pattern, line), wanted, "{pattern} {line}");
        }
    }
}
