//! Putting an input together.

use std::fmt::Display;

/// These, one space apart: a line of an input, without its end.
pub fn joined<T: Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_space_between_and_none_at_the_ends() {
        assert_eq!(joined(&[3, 1, 2]), "3 1 2");
        assert_eq!(joined(&["Yes"]), "Yes");
        assert_eq!(joined::<u64>(&[]), "");
    }
}
