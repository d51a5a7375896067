//! The globs of `submissions.yaml`: `*` within a name, `{a,b}` with spaces around the parts; nothing else. Pure.

/// The most patterns that braces may make of one.
const MOST: usize = 1_000;

/// Whether the path itself or one of the folders above it matches.
pub fn matches(pattern: &str, path: &str) -> bool {
    let patterns = expand(pattern);
    let above = path.match_indices('/').map(|(at, _)| &path[..at]);
    above.chain([path]).any(|path| patterns.iter().any(|pattern| matches_whole(pattern, path)))
}

/// Replaces braces by each of their parts, innermost last. Braces without an end are taken as they are.
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

/// The first pair of braces without others inside.
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
            (Some(pattern), Some(name)) if matches_name(pattern.as_bytes(), name.as_bytes()) => {}
            _ => return false,
        }
    }
}

/// Greedy, going back to the last star: linear in practice, never worse than the product of both lengths.
fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p + 1, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((after, at)) = star {
            star = Some((after, at + 1));
            (p, n) = (after, at + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_stay_in_a_name_and_folders_match_what_is_in_them() {
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
        assert!(!matches(&"}".repeat(1 << 20), "accepted"), "however many braces are closed");
    }

    proptest! {
        #[test]
        fn a_path_matches_itself_and_a_star(path in "[a-z]{1,4}(/[a-z]{1,4}){0,3}") {
            prop_assert!(matches(&path, &path));
            let stars = path.split('/').map(|_| "*").collect::<Vec<_>>().join("/");
            prop_assert!(matches(&stars, &path));
        }

        #[test]
        fn any_pattern_ends(pattern in "[ab*{},/]{0,40}", path in "[ab/]{0,40}") {
            let _ = matches(&pattern, &path);
        }
    }
}
