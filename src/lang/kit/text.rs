//! Formats lists of items as lines of an input.

use std::fmt::Display;

/// Returns the items separated by single spaces, without a line end.
pub fn joined<T: Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_separated_by_single_spaces() {
        assert_eq!(joined(&[3, 1, 2]), "3 1 2");
        assert_eq!(joined(&["Yes"]), "Yes");
        assert_eq!(joined::<u64>(&[]), "");
    }
}
