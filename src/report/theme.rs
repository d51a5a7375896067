//! Colours, or none.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

use crate::model::Verdict;

/// How things are painted. Without colour nothing but plain text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    color: bool,
}

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    /// Good news.
    Good,
    /// Bad news.
    Bad,
    /// Bad news about limits.
    Limit,
    /// Our own failure.
    Fault,
    /// A heading.
    Strong,
    /// What is less important.
    Faint,
    /// What should be there.
    Expected,
    /// The part of it that matters.
    ExpectedMark,
    /// What is there.
    Actual,
    /// The part of it that matters.
    ActualMark,
    /// A command or code.
    Code,
}

impl Theme {
    /// Without colour.
    pub const fn plain() -> Theme {
        Theme { color: false }
    }

    /// With colour, by ANSI escape sequences.
    pub const fn colored() -> Theme {
        Theme { color: true }
    }

    /// By the person's wish if there is one; else in colour on a terminal, unless `NO_COLOR` is set.
    pub fn choose(wish: Option<bool>, terminal: bool, no_color: bool) -> Theme {
        Theme { color: wish.unwrap_or(terminal && !no_color) }
    }

    /// Whether there is colour.
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_comes_before_the_rest() {
        for (wish, terminal, no_color, color) in [
            (None, true, false, true),
            (None, true, true, false),
            (None, false, false, false),
            (Some(true), false, true, true),
            (Some(false), true, false, false),
        ] {
            assert_eq!(Theme::choose(wish, terminal, no_color).color(), color);
        }
    }

    #[test]
    fn plain_is_plain() {
        assert_eq!(Theme::plain().paint(Paint::Bad, "WA"), "WA");
        assert_eq!(Theme::colored().paint(Paint::Bad, "WA"), "\u{1b}[1m\u{1b}[31mWA\u{1b}[0m");
        assert_eq!(Theme::colored().paint(Paint::Bad, ""), "");
    }
}
