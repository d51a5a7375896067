//! The globs of `submissions.yaml`, in which `*` matches any characters except `/`, and `{a,b}` lists alternatives,
//! with optional spaces around them.

use crate::model::wildcard_matches;

/// Maximum number of patterns to which braces expand. Further patterns are ignored.
const MOST: usize = 1_000;

/// Returns whether the pattern matches the path or one of its parent folders.
pub fn matches(pattern: &str, path: &str) -> bool {
    let patterns = expand(pattern);
    let above = path.match_indices('/').map(|(at, _)| &path[..at]);
    above.chain([path]).any(|path| patterns.iter().any(|pattern| matches_whole(pattern, path)))
}

/// Expands braces to their alternatives. Unbalanced braces are taken literally.
fn expand(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        if done.len() + open.len() > MOST {
            break;
        }
        match innermost(&pattern) {
            Some((start, end)) => {
                let (head, tail) = (&pattern[..start], &pattern[end + 1..]);
                open.extend(
                    pattern[start + 1..end].split(',').rev().map(|part| format!("{head}{}{tail}", part.trim())),
                );
            }
            None => done.push(pattern),
        }
    }
    done
}

/// Returns the positions of the first pair of braces that contains no other braces, or `None` if there is no such pair.
fn innermost(pattern: &str) -> Option<(usize, usize)> {
    let mut start = None;
    for (at, byte) in pattern.bytes().enumerate() {
        match (byte, start) {
            (b'{', _) => start = Some(at),
            (b'}', Some(start)) => return Some((start, at)),
            _ => {}
        }
    }
    None
}

fn matches_whole(pattern: &str, path: &str) -> bool {
    let (mut names, mut patterns) = (path.split('/'), pattern.trim_end_matches('/').split('/'));
    loop {
        match (patterns.next(), names.next()) {
            (None, None) => return true,
            (Some(pattern), Some(name)) if wildcard_matches(pattern, name) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_stop_at_slashes_and_folders_match_their_content() {
        for (pattern, path) in [
            ("accepted", "accepted/a.py"),
            ("accepted/*", "accepted/a.py"),
            ("*/a.py", "accepted/a.py"),
            ("accepted/{a,b}.{py,cpp}", "accepted/b.cpp"),
            ("{x,{accepted,y}}", "accepted/b.cpp"),
            ("secret/*-easy", "secret/01-easy"),
            ("a}{b,c}", "a}c"),
            ("secret/*{ 4 , 5 }{ 2 }", "secret/7-52"),
            ("*a*b*", "xxaybz"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [("*", "x"), ("accept*", "rejected/a"), ("*.py", "accepted/a.py"), ("**", "a/b")] {
            assert_eq!(matches(pattern, path), pattern == "*" || pattern == "**", "{pattern} {path}");
        }
        assert!(!matches("accepted/a", "accepted"));
        assert!(!matches(&"}".repeat(1 << 20), "accepted"), "unmatched braces are literal");
    }

    proptest! {
        #[test]
        fn a_path_matches_itself_and_a_star(path in "[a-z]{1,4}(/[a-z]{1,4}){0,3}") {
            prop_assert!(matches(&path, &path));
            let stars = path.split('/').map(|_| "*").collect::<Vec<_>>().join("/");
            prop_assert!(matches(&stars, &path));
        }

        #[test]
        fn matching_any_pattern_terminates(pattern in "[ab*{},/]{0,40}", path in "[ab/]{0,40}") {
            let _ = matches(&pattern, &path);
        }
    }
}
