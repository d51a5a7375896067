//! Measures text in terminal columns, and escapes control characters.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::model::TimeSpan;

/// Returns the number of columns that a text occupies.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text to at most `columns` columns; `…` replaces the rest.
pub(super) fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let mut fitted = head(text, columns - 1).to_owned();
    fitted.push('…');
    fitted
}

/// Cuts a text to at most `columns` columns; `…` replaces the start, because the names of cases differ at their ends.
pub fn fit_at_end(text: &str, columns: usize) -> String {
    if width(text) <= columns || columns == 0 {
        return fit(text, columns);
    }
    format!("…{}", tail(text, columns - 1))
}

/// Returns the longest prefix of at most `columns` columns. It ends between grapheme clusters: a variation selector
/// changes the width of the character before it.
pub(super) fn head(text: &str, columns: usize) -> &str {
    &text[..fitting(text.graphemes(true), columns)]
}

/// Returns the longest suffix of at most `columns` columns. It starts between grapheme clusters.
pub(super) fn tail(text: &str, columns: usize) -> &str {
    &text[text.len() - fitting(text.graphemes(true).rev(), columns)..]
}

/// Returns the number of bytes of the first clusters that have at most `columns` columns together.
fn fitting<'a>(clusters: impl Iterator<Item = &'a str>, columns: usize) -> usize {
    let mut used = 0;
    let fits = |cluster: &&str| {
        used += width(cluster);
        used <= columns
    };
    clusters.take_while(fits).map(str::len).sum()
}

/// Pads the text with spaces on the right to `columns` columns.
pub(super) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Pads the text with spaces on the left to `columns` columns.
pub(super) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Wraps the text at spaces into lines of at most `columns` columns. A part in backticks, such as a file name with
/// spaces, stays on one line if it fits. A word that is longer than a line is broken between grapheme clusters.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    for word in words(text, columns) {
        let mut rest = word;
        let fits = |line: &str, word: &str| width(line) + usize::from(!line.is_empty()) + width(word) <= columns;
        if lines.last().is_some_and(|line| !line.is_empty() && !fits(line, rest)) {
            lines.push(String::new());
        }
        while width(rest) > columns {
            let part = head(rest, columns);
            let part = if part.is_empty() { rest.graphemes(true).next().unwrap_or(rest) } else { part };
            append(&mut lines, part);
            lines.push(String::new());
            rest = &rest[part.len()..];
        }
        append(&mut lines, rest);
    }
    lines
}

/// Returns the words of a text. A part in backticks of at most `columns` columns is one word, together with the
/// characters attached to it.
fn words(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let mut quoted = false;
        let end = rest.char_indices().find(|(_, c)| {
            quoted ^= *c == '`';
            c.is_whitespace() && !quoted
        });
        let end = end.map_or(rest.len(), |(at, _)| at);
        let first = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let single_line = !rest[..end].contains('\n');
        let end = if quoted || width(&rest[..end]) > columns || !single_line { first } else { end };
        let (word, after) = rest.split_at(end);
        rest = after.trim_start();
        (!word.is_empty()).then_some(word)
    })
}

fn append(lines: &mut [String], word: &str) {
    if let Some(line) = lines.last_mut() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
}

/// Makes a text safe for terminals: control characters become symbols, and tabs become spaces. Line breaks are kept.
pub fn safe(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut safe, c| {
        match c {
            '\n' => safe.push(c),
            '\t' => safe.push_str("    "),
            _ => safe.push(picture(c)),
        }
        safe
    })
}

/// Maps an ASCII control character to its Unicode symbol. Other control characters and characters that control the
/// direction of text become U+FFFD; all other characters are returned unchanged.
pub(super) fn picture(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f' => '␡',
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}

/// Formats a time: `430 us`, `12.3 ms`, `430 ms`, `1.23 s`, `2 min 5 s`.
pub(super) fn time(span: TimeSpan) -> String {
    let micros = span.as_micros();
    match micros {
        0 => "0 ms".to_owned(),
        1..1_000 => format!("{micros} us"),
        1_000..9_995 => format!("{:.2} ms", span.as_millis_f64()),
        9_995..99_950 => format!("{:.1} ms", span.as_millis_f64()),
        99_950..999_500 => format!("{:.0} ms", span.as_millis_f64()),
        999_500..60_000_000 => format!("{:.2} s", span.as_seconds_f64()),
        _ => format!("{} min {} s", micros / 60_000_000, micros / 1_000_000 % 60),
    }
}

/// Removes a fractional part that is zero: `1.00 s` becomes `1 s`.
pub(super) fn round(quantity: String) -> String {
    match quantity.split_once('.') {
        Some((whole, rest)) if rest.trim_start_matches('0').starts_with(' ') => {
            format!("{whole}{}", rest.trim_start_matches('0'))
        }
        _ => quantity,
    }
}

/// Formats a number with its noun in the singular or plural: `1 case`, `2,000 cases`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Formats a number with commas as thousands separators.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_cut_and_padded_by_columns() {
        assert_eq!(fit("winner", 6), "winner");
        assert_eq!(fit("winner", 5), "winn…");
        assert_eq!(fit("必勝法", 6), "必勝法");
        assert_eq!(fit("必勝法", 5), "必勝…");
        assert_eq!(fit("必勝法", 4), "必…");
        assert_eq!(fit("x", 0), "");
        assert_eq!(fit("🕯\u{fe0f} 0", 2), "…");
        assert_eq!(fit_at_end("abcd", 3), "…cd");
        assert_eq!(fit_at_end("数列求和", 5), "…求和");
        assert_eq!(fit_at_end("a🕯\u{fe0f}", 2), "…");
        assert_eq!(left("必", 4), "必  ");
        assert_eq!(right("必", 4), "  必");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(safe("a\x1b[2J\tb\r\n\0"), "a␛[2J    b␍\n␀");
    }

    #[test]
    fn times_are_short() {
        for (micros, text) in [
            (0, "0 ms"),
            (430, "430 us"),
            (1_234, "1.23 ms"),
            (9_994, "9.99 ms"),
            (9_996, "10.0 ms"),
            (99_949, "99.9 ms"),
            (99_951, "100 ms"),
            (999_499, "999 ms"),
            (999_501, "1.00 s"),
            (1_234_567, "1.23 s"),
            (125_000_000, "2 min 5 s"),
        ] {
            assert_eq!(time(TimeSpan::micros(micros)), text);
        }
    }

    #[test]
    fn zero_fractions_are_removed() {
        for (text, shown) in [("1.00 s", "1 s"), ("256.0 MiB", "256 MiB"), ("1.50 s", "1.50 s"), ("12 B", "12 B")] {
            assert_eq!(round(text.to_owned()), shown);
        }
    }

    #[test]
    fn numbers_have_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (99_990, "99,990"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn quoted_names_with_spaces_are_not_broken() {
        assert_eq!(
            wrap("cannot read `my file.txt`: no such file", 20),
            ["cannot read", "`my file.txt`: no", "such file"]
        );
        assert_eq!(wrap("an ` alone is no quote", 12), ["an ` alone", "is no quote"]);
        assert_eq!(wrap("`too long for one line`", 12), ["`too long", "for one", "line`"]);
    }

    proptest! {
        #[test]
        fn wrapped_lines_fit_and_keep_all_words(text in "[a-z必勝я🕯\u{301}\u{fe0f}` ]{0,80}", columns in 2_usize..30) {
            let lines = wrap(&text, columns);
            prop_assert!(lines.iter().all(|line| width(line) <= columns));
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }

        #[test]
        fn fitted_text_fits(text in "(\\PC|[a🕯👩🇩لا\u{301}\u{200d}\u{fe0f}]){0,40}", columns in 0_usize..30) {
            prop_assert!(width(&fit(&text, columns)) <= columns);
            prop_assert!(width(&fit_at_end(&text, columns)) <= columns);
        }
    }
}
