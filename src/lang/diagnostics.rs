//! A compiler's own words, made fit for a person: our folders' names taken out, noise left out, cut where it is long.

use crate::model::{Breach, Execution, Limits};

/// The most lines that are shown.
const MOST_LINES: usize = 60;
/// The most bytes that are shown.
const MOST_BYTES: usize = 8 << 10;

/// What is replaced and left out.
pub(super) struct DiagnosticCleaner<'a> {
    /// Folders of ours, the longest first.
    pub(super) folders: Vec<String>,
    /// The name under which a single file was built, and the name the person gave it.
    pub(super) renamed: Option<(&'a str, &'a str)>,
    /// Beginnings of lines that nobody needs.
    pub(super) noise: &'a [String],
}

impl DiagnosticCleaner<'_> {
    /// The text for people. `more` bytes were there that `text` does not have.
    pub(super) fn trim(&self, text: &str, more: u64) -> String {
        let text = printable(text);
        let text = self.folders.iter().fold(text, |text, folder| text.replace(folder.as_str(), ""));
        let text = match self.renamed {
            Some((staged, given)) if staged != given => rename(&text, staged, given),
            _ => text,
        };
        let kept = text.lines().filter(|line| !self.noise.iter().any(|noise| line.starts_with(noise.as_str())));
        cut(kept.map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n'), more)
    }
}

/// Drops colours and control characters: a message must not drive a person's terminal.
fn printable(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                while chars.next_if(|c| ('\u{20}'..='\u{3f}').contains(c)).is_some() {}
                chars.next_if(|c| ('\u{40}'..='\u{7e}').contains(c));
            }
            '\n' | '\t' => plain.push(c),
            // Besides the control characters those that turn the direction of writing around.
            c if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {}
            c => plain.push(c),
        }
    }
    plain
}

/// Replaces a file's name where it stands as a whole word.
fn rename(text: &str, staged: &str, given: &str) -> String {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(staged) {
        let (before, after) = (&rest[..at], &rest[at + staged.len()..]);
        let alone = !before.ends_with(in_name) && !after.starts_with(|c: char| in_name(c) && c != '.');
        // `./main.rs` is the file too.
        let alone = alone || before.ends_with("./") && !before[..before.len() - 2].ends_with(in_name);
        renamed.push_str(before);
        renamed.push_str(if alone { given } else { staged });
        rest = after;
    }
    renamed.push_str(rest);
    renamed
}

/// Keeps the head, since the first error is the one that matters, and says how much is missing.
fn cut(text: &str, more: u64) -> String {
    let mut end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= MOST_BYTES).last();
    if let Some((at, _)) = text.match_indices('\n').nth(MOST_LINES - 1) {
        end = end.map(|end| end.min(at));
    }
    let head = text[..end.unwrap_or(0)].trim_end_matches('\n');
    let (lines, bytes) = (text.lines().count() - head.lines().count(), text.len() - head.len());
    match (lines, bytes as u64 + more) {
        (_, 0) => head.to_owned(),
        (_, bytes) if more > 0 => format!("{head}\n… and {bytes} bytes more"),
        (0, bytes) => format!("{head}… and {bytes} bytes more"),
        (lines, _) => format!("{head}\n… and {lines} lines more"),
    }
}

/// Which limit the compiler broke, in words.
pub(super) fn broken_limit(breach: Breach, limits: &Limits) -> String {
    let what = match breach {
        Breach::Cpu => format!("used more than {} of CPU time", limits.cpu),
        Breach::Wall | Breach::Starved | Breach::Idle => format!("ran longer than {}", limits.wall),
        Breach::Memory => format!("used more than {} of memory", limits.memory),
        Breach::Output => format!("wrote more than {}", limits.output),
        Breach::Processes => format!("started more than {} processes", limits.processes),
        Breach::Syscall => "made a forbidden system call".to_owned(),
    };
    format!("the compiler was stopped: it {what}")
}

/// How the compiler ended, where its words do not say it.
pub(super) fn ending(execution: &Execution, limits: &Limits, said: &str) -> Option<String> {
    // A part of the compiler broke the limit, and the compiler took it for a fault of its own.
    let too_large = ["File size limit exceeded", "File too large"].iter().any(|words| said.contains(words));
    match (execution.breach, execution.exit) {
        (None, _) if too_large => Some(broken_limit(Breach::Output, limits)),
        (Some(breach), _) => Some(broken_limit(breach, limits)),
        (None, exit @ crate::model::Exit::Signal(_)) => Some(format!("the compiler was ended by {exit}")),
        (None, exit) => said.is_empty().then(|| format!("the compiler said nothing and ended with {exit}")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn trimmed(text: &str) -> String {
        let noise = ["Note: ".to_owned()];
        let words = DiagnosticCleaner {
            folders: vec!["/cache/tmp1/src/".to_owned(), "/cache/tmp1/".to_owned()],
            renamed: Some(("main.cpp", "my nim.cpp")),
            noise: &noise,
        };
        words.trim(text, 0)
    }

    #[test]
    fn the_person_reads_the_own_files_name_and_no_folder_of_ours() {
        assert_eq!(trimmed("/cache/tmp1/src/main.cpp:3:1: error: x\n"), "my nim.cpp:3:1: error: x");
        assert_eq!(
            trimmed("main.cpp: In function\nxmain.cpp main.cppx"),
            "my nim.cpp: In function\nxmain.cpp main.cppx"
        );
        assert_eq!(trimmed("see ./main.cpp."), "see ./my nim.cpp.");
        assert_eq!(trimmed("File \"main.cpp\", line 1"), "File \"my nim.cpp\", line 1");
        assert_eq!(trimmed("\n\nNote: nothing\nerror  \n\n"), "error");
    }

    #[test]
    fn a_terminal_cannot_be_driven_by_a_message() {
        assert_eq!(trimmed("\u{1b}[31;1mred\u{1b}[0m \u{1b}]0;title\u{7}\r\u{8}\u{202e}x"), "red ]0;titlex");
    }

    #[test]
    fn long_words_are_cut_with_a_note_of_how_much() {
        let lines = (1..=100).map(|n| format!("error {n}")).collect::<Vec<_>>();
        let text = trimmed(&lines.join("\n"));
        assert!(text.ends_with("error 60\n… and 40 lines more"), "{text}");
        assert_eq!(trimmed(&lines[..60].join("\n")), lines[..60].join("\n"));
        let text = trimmed(&"ж".repeat(10_000));
        assert!(text.ends_with("… and 11808 bytes more"), "{}", &text[8000..]);
        let words = DiagnosticCleaner { folders: vec![], renamed: None, noise: &[] };
        assert_eq!(words.trim("error", 1000), "error\n… and 1000 bytes more");
    }

    proptest! {
        #[test]
        fn never_longer_than_said(text in "(\\PC{0,30}\n?){0,200}") {
            let text = trimmed(&text);
            prop_assert!(text.len() <= MOST_BYTES + 100);
            prop_assert!(text.lines().count() <= MOST_LINES + 1);
        }
    }
}
