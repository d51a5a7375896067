//! Cleans compiler output for display: removes internal paths and noise, and truncates long output.

use crate::model::{Breach, Execution, Limits};

/// Maximum number of lines of output that are shown.
const MOST_LINES: usize = 60;
/// Maximum number of bytes of output that are shown.
const MOST_BYTES: usize = 8 << 10;
/// Maximum number of characters of a line that are shown. Compilers print whole lines of the source.
const MOST_CHARS: usize = 400;

/// A cleaner of compiler output, which removes internal paths and uninformative lines, and restores the original file
/// name.
pub(super) struct DiagnosticCleaner<'a> {
    /// Paths of the build folders. A folder is listed after its subfolders.
    pub(super) folders: Vec<String>,
    /// The name under which a single file was built, and its original name; `None` for a folder.
    pub(super) renamed: Option<(&'a str, &'a str)>,
    /// Prefixes of the lines that are removed.
    pub(super) noise: &'a [String],
}

impl DiagnosticCleaner<'_> {
    /// Returns the cleaned text. `more` is the number of bytes of output that `text` does not include.
    pub(super) fn trim(&self, text: &str, more: u64) -> String {
        let text = printable(text);
        let text = self.folders.iter().fold(text, |text, folder| text.replace(folder.as_str(), ""));
        let text = match self.renamed {
            Some((staged, given)) if staged != given => rename(&text, staged, given),
            _ => text,
        };
        let kept = text.lines().filter(|line| !self.noise.iter().any(|noise| line.starts_with(noise.as_str())));
        let lines: Vec<String> = kept.map(|line| cut_line(line).trim_end().to_owned()).collect();
        cut(lines.join("\n").trim_matches('\n'), more)
    }
}

/// Removes color codes, control characters except line breaks and tabs, and characters that change the direction of
/// text.
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
            // The ranges contain the characters that change the direction of text.
            c if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {}
            c => plain.push(c),
        }
    }
    plain
}

/// Replaces the file name `staged` with `given` wherever it occurs as a whole word.
fn rename(text: &str, staged: &str, given: &str) -> String {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(staged) {
        let (before, after) = (&rest[..at], &rest[at + staged.len()..]);
        let alone = !before.ends_with(in_name) && !after.starts_with(|c: char| in_name(c) && c != '.');
        // The path `./main.rs` also denotes the file.
        let alone = alone || before.ends_with("./") && !before[..before.len() - 2].ends_with(in_name);
        renamed.push_str(before);
        renamed.push_str(if alone { given } else { staged });
        rest = after;
    }
    renamed.push_str(rest);
    renamed
}

/// Truncates the end of a text that is too long, because the first error is the most important, and appends the number
/// of omitted lines or bytes. `more` is the number of bytes of output that `text` does not include.
fn cut(text: &str, more: u64) -> String {
    let mut end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= MOST_BYTES).last();
    if let Some((at, _)) = text.match_indices('\n').nth(MOST_LINES - 1) {
        end = end.map(|end| end.min(at));
    }
    let head = text[..end.unwrap_or(0)].trim_end_matches('\n');
    let (lines, bytes) = (text.lines().count() - head.lines().count(), text.len() - head.len());
    match (lines, bytes as u64 + more) {
        (_, 0) => head.to_owned(),
        (_, bytes) if more > 0 => format!("{head}\n{}", rest(bytes, "byte")),
        (0, bytes) => format!("{head}{}", rest(bytes, "byte")),
        (lines, _) => format!("{head}\n{}", rest(lines as u64, "line")),
    }
}

/// Truncates the end of a line that is too long, and appends the number of omitted bytes if they are not all blank.
fn cut_line(line: &str) -> String {
    let (head, tail) = line.char_indices().nth(MOST_CHARS).map_or((line, ""), |(end, _)| line.split_at(end));
    let tail = tail.trim_end();
    if tail.is_empty() { head.to_owned() } else { format!("{head}{}", rest(tail.len() as u64, "byte")) }
}

/// Formats the number of omitted lines or bytes.
fn rest(count: u64, unit: &str) -> String {
    format!("… and {count} more {unit}{}", if count == 1 { "" } else { "s" })
}

/// Returns the message for a compiler that was stopped because it exceeded a limit or made a forbidden system call.
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

/// Describes how a compiler that failed ended. Returns `None` if the compiler exited within its limits and printed
/// output, which then explains the failure.
pub(super) fn ending(execution: &Execution, limits: &Limits, said: &str) -> Option<String> {
    // If a child process of the compiler exceeds the output limit, the compiler itself exits normally and only reports
    // the error of the child process.
    let too_large = ["File size limit exceeded", "File too large"].iter().any(|words| said.contains(words));
    match (execution.breach, execution.exit) {
        (None, _) if too_large => Some(broken_limit(Breach::Output, limits)),
        (Some(breach), _) => Some(broken_limit(breach, limits)),
        (None, exit @ crate::model::Exit::Signal(_)) => Some(format!("the compiler was killed by {exit}")),
        (None, exit) => said.is_empty().then(|| format!("the compiler printed nothing and ended with {exit}")),
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
    fn messages_have_the_original_file_name_and_no_internal_paths() {
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
    fn messages_contain_no_control_characters() {
        assert_eq!(trimmed("\u{1b}[31;1mred\u{1b}[0m \u{1b}]0;title\u{7}\r\u{8}\u{202e}x"), "red ]0;titlex");
    }

    #[test]
    fn truncated_output_states_the_length_of_the_rest() {
        let lines = (1..=100).map(|n| format!("error {n}")).collect::<Vec<_>>();
        let text = trimmed(&lines.join("\n"));
        assert!(text.ends_with("error 60\n… and 40 more lines"), "{text}");
        assert!(trimmed(&lines[..61].join("\n")).ends_with("error 60\n… and 1 more line"));
        assert_eq!(trimmed(&lines[..60].join("\n")), lines[..60].join("\n"));
        let long = "ж".repeat(10_000);
        let cut = format!("{}… and 19200 more bytes", "ж".repeat(400));
        assert_eq!(trimmed(&format!("a\n{long}\nb")), format!("a\n{cut}\nb"));
        let caret = format!("a\n{}", " ".repeat(500));
        assert_eq!(trimmed(&format!("{caret}\nb")), "a\n\nb");
        let text = trimmed(&[long.as_str(); 20].join("\n"));
        assert!(text.ends_with("… and 10 more lines"), "{}", &text[8000..]);
        let words = DiagnosticCleaner { folders: vec![], renamed: None, noise: &[] };
        assert_eq!(words.trim("error", 1000), "error\n… and 1000 more bytes");
    }

    proptest! {
        #[test]
        fn output_never_exceeds_the_maximum(text in "(\\PC{0,30}\n?){0,200}") {
            let text = trimmed(&text);
            prop_assert!(text.len() <= MOST_BYTES + 100);
            prop_assert!(text.lines().count() <= MOST_LINES + 1);
        }
    }
}
