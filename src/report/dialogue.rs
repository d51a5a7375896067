//! A dialogue for people: a line for each line that was said, with its time and its side.

use super::screen::Screen;
use super::text::{fit, grouped, left, right, safe, width};
use super::theme::Paint;
use crate::model::{Side, Transcript, Utterance};

/// Columns of the time, the side and what stands between.
const MARGIN: usize = 28;

/// The whole dialogue, as far as it was kept; or, with `last`, only so many of its last lines.
pub fn dialogue(transcript: &Transcript, last: Option<usize>, screen: &Screen) -> String {
    let mut lines: Vec<String> = transcript.head().iter().flat_map(|one| said(one, screen)).collect();
    if transcript.left_out() > 0 {
        let bytes = usize::try_from(transcript.left_out()).unwrap_or(usize::MAX);
        lines.push(more(screen, &format!("{} bytes", grouped(bytes))));
    }
    lines.extend(transcript.tail().flat_map(|one| said(one, screen)));
    if let Some(last) = last.filter(|last| lines.len() > *last) {
        let hidden = lines.len() - last;
        lines.drain(..hidden);
        lines.insert(0, more(screen, &format!("{} lines; `--transcript` shows them", grouped(hidden))));
    }
    let title = screen.theme.paint(Paint::Strong, "dialogue (milliseconds, who, what)".to_owned());
    format!("{title}\n{}\n", lines.join("\n"))
}

fn more(screen: &Screen, what: &str) -> String {
    screen.theme.paint(Paint::Faint, format!("{}… {what}", " ".repeat(MARGIN)))
}

/// The lines of what was said at once.
fn said(utterance: &Utterance, screen: &Screen) -> Vec<String> {
    let time = right(&format!("{:.3}", utterance.at.as_millis_f64()), 12);
    let name = left(utterance.side.name(), 10);
    let name = match utterance.side {
        Side::Program => screen.theme.paint(Paint::Strong, name),
        Side::Interactor => name,
    };
    let line = |text: String| format!("{time}  {name}    {text}");
    if utterance.said.is_empty() {
        return vec![line(screen.theme.paint(Paint::Faint, "(ended)".to_owned()))];
    }
    let room = screen.width.saturating_sub(MARGIN).max(8);
    let text = String::from_utf8_lossy(&utterance.said);
    text.split_terminator('\n').map(|text| line(fit(&shown(text, room), room))).collect()
}

/// A line with nothing in it that steers a terminal. A long one is cut before it is looked at.
fn shown(text: &str, room: usize) -> String {
    let head: String = text.chars().take(room.saturating_mul(2)).collect();
    let head = safe(&head);
    if head.len() < text.len() && width(&head) <= room { format!("{head}…") } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TimeSpan;
    use crate::report::Theme;

    #[test]
    fn both_sides_and_their_times() {
        let mut transcript = Transcript::default();
        transcript.add(TimeSpan::micros(312), Side::Interactor, b"100\n");
        transcript.add(TimeSpan::micros(540), Side::Program, b"? 50\n? 25\n\x1b[2J");
        transcript.add(TimeSpan::millis(20), Side::Interactor, b"<\n");
        transcript.end(TimeSpan::millis(21), Side::Program);
        let screen = Screen { theme: Theme::plain(), width: 60, limits: None };
        insta::assert_snapshot!(dialogue(&transcript, None, &screen), @"
        dialogue (milliseconds, who, what)
               0.312  interactor    100
               0.540  program       ? 50
               0.540  program       ? 25
               0.540  program       ␛[2J
              20.000  interactor    <
              21.000  program       (ended)
        ");
        insta::assert_snapshot!(dialogue(&transcript, Some(2), &screen), @"
        dialogue (milliseconds, who, what)
                                    … 4 lines; `--transcript` shows them
              20.000  interactor    <
              21.000  program       (ended)
        ");
    }
}
