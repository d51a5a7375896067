//! Shows the dialogue of an interactive run as lines with time and sender.

use super::screen::Screen;
use super::text::{count, fit, left, right, safe, width};
use super::theme::Paint;
use crate::model::{Side, Transcript, Utterance};

/// Width in columns of the time, the sender and the separators.
const MARGIN: usize = 28;

/// Renders the recorded dialogue. If `last` is given, only that number of lines at the end of the dialogue is rendered.
pub fn dialogue(transcript: &Transcript, last: Option<usize>, screen: &Screen) -> String {
    let with_process = transcript.head().iter().chain(transcript.tail()).any(|one| one.process > 0);
    let said = |one| said(one, with_process, screen);
    let mut lines: Vec<String> = transcript.head().iter().flat_map(said).collect();
    if transcript.left_out() > 0 {
        let bytes = usize::try_from(transcript.left_out()).unwrap_or(usize::MAX);
        lines.push(more(screen, &count(bytes, "byte", "bytes")));
    }
    lines.extend(transcript.tail().flat_map(said));
    if let Some(last) = last.filter(|last| lines.len() > *last) {
        let hidden = lines.len() - last;
        lines.drain(..hidden);
        lines.insert(0, more(screen, &format!("{} omitted; `--transcript` shows all", count(hidden, "line", "lines"))));
    }
    let process = if with_process { ", process" } else { "" };
    let title = screen.theme.paint(Paint::Strong, format!("dialogue (milliseconds, sender{process}, message)"));
    format!("{title}\n{}\n", lines.join("\n"))
}

fn more(screen: &Screen, what: &str) -> String {
    screen.theme.paint(Paint::Faint, format!("{}… {what}", " ".repeat(MARGIN)))
}

/// Returns the lines of one message. They contain the number of the program's process if `with_process` is true.
fn said(utterance: &Utterance, with_process: bool, screen: &Screen) -> Vec<String> {
    let time = right(&format!("{:.3}", utterance.at.as_millis_f64()), 12);
    let name = left(utterance.side.name(), 10);
    let name = match utterance.side {
        Side::Program => screen.theme.paint(Paint::Strong, name),
        Side::Interactor => name,
    };
    let process = if with_process { utterance.process.to_string() } else { String::new() };
    let line = |text: String| format!("{time}  {name}{process:>3} {text}");
    if utterance.said.is_empty() {
        return vec![line(screen.theme.paint(Paint::Faint, "(ended)".to_owned()))];
    }
    let room = screen.width.saturating_sub(MARGIN).max(8);
    let text = String::from_utf8_lossy(&utterance.said);
    text.split_terminator('\n').map(|text| line(fit(&shown(text, room), room))).collect()
}

/// Makes a line printable by escaping control characters. A long line is cut first.
fn shown(text: &str, room: usize) -> String {
    let head: String = text.chars().take(room.saturating_mul(2)).collect();
    let head = safe(&head);
    if head.len() < text.len() && width(&head) <= room { format!("{head}…") } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theme;
    use crate::model::TimeSpan;

    #[test]
    fn both_sides_and_their_times() {
        let mut transcript = Transcript::default();
        transcript.add(TimeSpan::micros(312), (0, Side::Interactor), b"100\n");
        transcript.add(TimeSpan::micros(540), (0, Side::Program), b"? 50\n? 25\n\x1b[2J");
        transcript.add(TimeSpan::millis(20), (0, Side::Interactor), b"<\n");
        transcript.end(TimeSpan::millis(21), (0, Side::Program));
        let screen = Screen { theme: Theme::plain(), width: 60, limits: None };
        insta::assert_snapshot!(dialogue(&transcript, None, &screen), @"
        dialogue (milliseconds, sender, message)
               0.312  interactor    100
               0.540  program       ? 50
               0.540  program       ? 25
               0.540  program       ␛[2J
              20.000  interactor    <
              21.000  program       (ended)
        ");
        insta::assert_snapshot!(dialogue(&transcript, Some(2), &screen), @"
        dialogue (milliseconds, sender, message)
                                    … 4 lines omitted; `--transcript` shows all
              20.000  interactor    <
              21.000  program       (ended)
        ");
    }

    #[test]
    fn the_process_is_shown_if_there_are_several() {
        let mut transcript = Transcript::default();
        transcript.add(TimeSpan::micros(312), (0, Side::Interactor), b"100\n");
        transcript.add(TimeSpan::micros(540), (0, Side::Program), b"142\n");
        transcript.add(TimeSpan::micros(610), (1, Side::Interactor), b"142\n");
        transcript.end(TimeSpan::millis(21), (1, Side::Program));
        let screen = Screen { theme: Theme::plain(), width: 60, limits: None };
        insta::assert_snapshot!(dialogue(&transcript, None, &screen), @"
        dialogue (milliseconds, sender, process, message)
               0.312  interactor  0 100
               0.540  program     0 142
               0.610  interactor  1 142
              21.000  program     1 (ended)
        ");
    }
}
