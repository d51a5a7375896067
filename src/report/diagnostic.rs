//! Renders diagnostics about user files in the style of rustc.

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::text::{self, safe, wrap};
use crate::model::{Diagnostic, TextRange};

/// Renders a diagnostic in `width` columns (0 for the default width): message, source line with the range marked, and
/// help.
pub fn render(diagnostic: &Diagnostic, color: bool, width: usize) -> String {
    let message = safe(&match (&diagnostic.place, &diagnostic.origin) {
        (None, Some(origin)) => format!("{origin}: {}", diagnostic.message),
        _ => diagnostic.message.clone(),
    });
    let origin = safe(diagnostic.origin.as_deref().unwrap_or("input"));
    let title = Level::ERROR.primary_title(message);
    let mut group = match diagnostic.place {
        None => Group::with_title(title),
        Some(place) => {
            let place = clamp(&diagnostic.text, place);
            let mark = AnnotationKind::Primary.span(place.start..place.end);
            let mark = if diagnostic.label.is_empty() { mark } else { mark.label(safe(&diagnostic.label)) };
            title.element(Snippet::source(&diagnostic.text).path(origin).annotation(mark))
        }
    };
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(safe(help)));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let width = if width == 0 { DEFAULT_TERM_WIDTH } else { width };
    let mut text = renderer.term_width(width).render(&[group]);
    text.push('\n');
    text
}

/// Width in columns of the prefix `error: `, which indents the lines of a message.
const TITLE: usize = 7;
/// Number of columns before the lines of a help text.
const HELP: usize = 12;

/// Returns `diagnostic` with its message and its help wrapped at `width` columns. If the diagnostic has an origin but
/// no place, the origin becomes the start of the message.
pub fn wrapped(diagnostic: &Diagnostic, width: usize) -> Diagnostic {
    let lines = |text: &str, used: usize| {
        let wrapped = |line: &str| match text::width(line) + used <= width || line.starts_with(' ') {
            true => vec![line.to_owned()],
            false => wrap(line, width.saturating_sub(used)),
        };
        text.lines().flat_map(wrapped).collect::<Vec<_>>().join("\n")
    };
    let mut whole = diagnostic.clone();
    if whole.place.is_none()
        && let Some(origin) = whole.origin.take()
    {
        whole.message = format!("{origin}: {}", whole.message);
    }
    whole.message = lines(&whole.message, TITLE);
    whole.help = whole.help.map(|help| lines(&help, HELP));
    whole
}

/// Clamps the range to the text, and moves its ends to character boundaries.
fn clamp(text: &str, place: TextRange) -> TextRange {
    let start = text.floor_char_boundary(place.start);
    TextRange { start, end: text.ceil_char_boundary(place.end).max(start) }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn at(text: &str, word: &str) -> Diagnostic {
        let start = text.find(word).unwrap();
        Diagnostic::new("unknown key `chekcer`")
            .at("problems/nim/problem.yaml", text, TextRange { start, end: start + word.len() })
            .label("not a key of a problem")
            .help("did you mean `checker`?")
    }

    #[test]
    fn range_is_marked() {
        assert_snapshot!(render(&at("name: Nim\nchekcer: tokens\n", "chekcer"), false, 100), @r"
        error: unknown key `chekcer`
         --> problems/nim/problem.yaml:2:1
          |
        2 | chekcer: tokens
          | ^^^^^^^ not a key of a problem
          |
          = help: did you mean `checker`?
        ");
    }

    #[test]
    fn long_lines_are_wrapped() {
        let diagnostic = Diagnostic::new("there are no tests in this folder").in_file("/home/me/contests/round 40");
        let diagnostic = diagnostic.help("looked for `1.in` and `1.out`; to run without them, use `--input FILE`");
        assert_snapshot!(render(&wrapped(&diagnostic, 40), false, 40), @r"
        error: /home/me/contests/round 40: there
               are no tests in this folder
         |
         = help: looked for `1.in` and
                 `1.out`; to run without
                 them, use `--input FILE`
        ");
    }

    #[test]
    fn range_is_marked_in_color() {
        let text = render(&at("name: Nim\nchekcer: tokens\n", "chekcer"), true, 100);
        assert_snapshot!(text.replace('\x1b', "^"), @r"
        ^[1m^[91merror^[0m^[1m: unknown key `chekcer`^[0m
         ^[1m^[94m--> ^[0mproblems/nim/problem.yaml:2:1
          ^[1m^[94m|^[0m
        ^[1m^[94m2^[0m ^[1m^[94m|^[0m chekcer: tokens
          ^[1m^[94m|^[0m ^[1m^[91m^^^^^^^^[0m ^[1m^[91mnot a key of a problem^[0m
          ^[1m^[94m|^[0m
          ^[1m^[94m= ^[0m^[1mhelp^[0m: did you mean `checker`?
        ");
    }

    #[test]
    fn wide_characters_and_tabs_do_not_shift_the_mark() {
        let text = "имя: Ним\tc chekcer: 必勝\n";
        assert_snapshot!(render(&at(text, "chekcer"), false, 60), @r"
        error: unknown key `chekcer`
         --> problems/nim/problem.yaml:1:12
          |
        1 | имя: Ним    c chekcer: 必勝
          |               ^^^^^^^ not a key of a problem
          |
          = help: did you mean `checker`?
        ");
    }

    #[test]
    fn long_line_is_cut() {
        let text = format!("name: {} chekcer {}\n", "long ".repeat(100), "line ".repeat(100));
        let drawn = render(&at(&text, "chekcer"), false, 60);
        assert!(drawn.lines().all(|line| super::super::text::width(line) <= 70), "{drawn}");
        assert_snapshot!(drawn, @r"
        error: unknown key `chekcer`
         --> problems/nim/problem.yaml:1:508
          |
        1 | ...ong long  chekcer line line line line line line li...
          |              ^^^^^^^ not a key of a problem
          |
          = help: did you mean `checker`?
        ");
    }

    #[test]
    fn diagnostic_without_range() {
        let diagnostic = Diagnostic::new("no statement").in_file("problems/nim").help("write `statement.md`");
        assert_snapshot!(render(&diagnostic, false, 80), @r"
        error: problems/nim: no statement
         |
         = help: write `statement.md`
        ");
        assert_snapshot!(render(&Diagnostic::new("no problem `nmi`"), false, 80), @"error: no problem `nmi`");
    }

    #[test]
    fn ranges_outside_text_are_clamped() {
        for (start, end) in [(0, 0), (9, 9), (100, 200), (1, 2), (5, 3)] {
            let diagnostic = Diagnostic::new("here").at("f", "я: 1\n\n", TextRange { start, end });
            assert!(render(&diagnostic, false, 80).contains("here"));
        }
        assert!(
            render(&Diagnostic::new("here").at("f", "", TextRange { start: 0, end: 0 }), false, 80).contains("here")
        );
    }
}
