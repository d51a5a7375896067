//! Formats paths as the user would type them.

use std::path::Path;

use unicode_width::UnicodeWidthChar;

/// Formats a path. A path below the current directory or the home directory is shown relative to it.
pub fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    if let Some(below) = here.as_deref().and_then(|here| path.strip_prefix(here).ok()) {
        return if below.as_os_str().is_empty() { ".".to_owned() } else { below.display().to_string() };
    }
    let home = std::env::var_os("HOME").filter(|home| home.len() > 1);
    match home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

/// Shortens a text that is wider than `columns` by replacing its beginning with `…`. Returns any other text unchanged.
pub fn end_of(text: &str, columns: usize) -> String {
    let width = |c: char| c.width().unwrap_or(0);
    if text.chars().map(width).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        if width(c) > left {
            break;
        }
        left -= width(c);
        start = at;
    }
    format!("…{}", &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_their_end() {
        for (text, columns, wanted) in
            [("abc", 3, "abc"), ("abcd", 3, "…cd"), ("数列求和", 5, "…求和"), ("数列", 4, "数列"), ("ab", 0, "…")]
        {
            assert_eq!(end_of(text, columns), wanted);
        }
    }
}
