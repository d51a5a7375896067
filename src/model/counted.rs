//! Formats counts with their nouns for messages.

/// Formats a count followed by its noun, whose singular is `one` and whose plural is `many`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
