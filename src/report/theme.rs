//! Terminal colors.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

use crate::model::Verdict;

/// Determines whether output is styled with colors or printed as plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    color: bool,
}

/// The role of a piece of text, which determines the text's color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    /// Success.
    Good,
    /// A wrong result.
    Bad,
    /// An exceeded limit.
    Limit,
    /// An error of the judge.
    Fault,
    /// A heading or important text.
    Strong,
    /// Less important text.
    Faint,
    /// Expected output.
    Expected,
    /// The differing part of the expected output.
    ExpectedMark,
    /// Actual output.
    Actual,
    /// The differing part of the actual output.
    ActualMark,
    /// A command or source code.
    Code,
    /// A link or an image description.
    Accent,
    /// Emphasized text.
    Emphasis,
}

impl Theme {
    /// Returns the theme without colors.
    pub const fn plain() -> Theme {
        Theme { color: false }
    }

    /// Returns the theme with colors, which are written as ANSI escape sequences.
    pub const fn colored() -> Theme {
        Theme { color: true }
    }

    /// Returns the theme with or without colors, as `requested` specifies. If `requested` is `None`, the theme has
    /// colors if `terminal` is true and `no_color` is false.
    pub fn choose(requested: Option<bool>, terminal: bool, no_color: bool) -> Theme {
        Theme { color: requested.unwrap_or(terminal && !no_color) }
    }

    /// Returns whether the theme has colors.
    pub const fn color(self) -> bool {
        self.color
    }

    pub(super) fn paint(self, paint: Paint, text: impl Display) -> String {
        let text = text.to_string();
        if !self.color || text.is_empty() {
            return text;
        }
        let style = style(paint);
        format!("{}{text}{}", style.render(), style.render_reset())
    }

    pub(super) fn verdict(self, verdict: Verdict, text: impl Display) -> String {
        self.paint(verdict_paint(verdict), text)
    }
}

pub(super) fn verdict_paint(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Accepted => Paint::Good,
        Verdict::TimeLimit | Verdict::IdleLimit | Verdict::MemoryLimit | Verdict::OutputLimit | Verdict::Partial => {
            Paint::Limit
        }
        Verdict::WrongAnswer
        | Verdict::PresentationError
        | Verdict::RuntimeError
        | Verdict::Forbidden
        | Verdict::CompileError => Paint::Bad,
    }
}

fn style(paint: Paint) -> Style {
    let color = |color: AnsiColor| color.on_default();
    match paint {
        Paint::Good => color(AnsiColor::Green).bold(),
        Paint::Bad => color(AnsiColor::Red).bold(),
        Paint::Limit => color(AnsiColor::Yellow).bold(),
        Paint::Fault => color(AnsiColor::Magenta).bold(),
        Paint::Strong => Style::new().bold(),
        Paint::Faint => Style::new().dimmed(),
        Paint::Expected => color(AnsiColor::Green),
        Paint::ExpectedMark => color(AnsiColor::Green).bold().underline(),
        Paint::Actual => color(AnsiColor::Red),
        Paint::ActualMark => color(AnsiColor::Red).bold().underline(),
        Paint::Code => color(AnsiColor::Cyan),
        Paint::Accent => color(AnsiColor::Blue),
        Paint::Emphasis => Style::new().italic(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_choice_has_precedence() {
        for (requested, terminal, no_color, color) in [
            (None, true, false, true),
            (None, true, true, false),
            (None, false, false, false),
            (Some(true), false, true, true),
            (Some(false), true, false, false),
        ] {
            assert_eq!(Theme::choose(requested, terminal, no_color).color(), color);
        }
    }

    #[test]
    fn plain_theme_writes_no_escapes() {
        assert_eq!(Theme::plain().paint(Paint::Bad, "WA"), "WA");
        assert_eq!(Theme::colored().paint(Paint::Bad, "WA"), "\u{1b}[1m\u{1b}[31mWA\u{1b}[0m");
        assert_eq!(Theme::colored().paint(Paint::Bad, ""), "");
    }
}
