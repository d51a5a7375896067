//! `nimatron guide`: shows the guides offline.

use include_dir::{Dir, File, include_dir};

use crate::model::Diagnostic;
use crate::report::markdown;
use crate::yaml::nearest;

use super::args::Guide;
use super::context::{Context, say, say_drawn};
use super::exit::{Ending, Result};

static GUIDES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/guide");

/// Prints a guide, or the list of guides if no topic is given.
pub(crate) fn guide(context: &Context, args: &Guide) -> Result {
    match &args.topic {
        None => {
            let topics = topics();
            let width = topics.iter().map(|(topic, _)| topic.len()).max().unwrap_or(0);
            for (topic, text) in topics {
                say(&format!("{topic:<width$}  {}", text.lines().next().unwrap_or("").trim_start_matches("# ")))?;
            }
        }
        Some(topic) => say_drawn(markdown::render(find(topic)?, context.width().min(100), context.color()).trim_end())?,
    }
    Ok(Ending::Good)
}

/// The table of contents of the book that is generated from the guides. It is not a guide.
const CONTENTS: &str = "SUMMARY";

/// Returns the topics with their texts, in the order of the book.
fn topics() -> Vec<(&'static str, &'static str)> {
    let mut topics: Vec<_> = GUIDES
        .files()
        .filter_map(|file| Some((file.path().to_str()?.strip_suffix(".md")?, file.contents_utf8()?)))
        .filter(|(topic, _)| *topic != CONTENTS)
        .collect();
    let contents = GUIDES.get_file(format!("{CONTENTS}.md")).and_then(File::contents_utf8).unwrap_or("");
    topics.sort_unstable_by_key(|(topic, _)| (contents.find(&format!("({topic}.md)")), *topic));
    topics
}

fn find(topic: &str) -> std::result::Result<&'static str, Diagnostic> {
    let topics = topics();
    if let Some((_, text)) = topics.iter().find(|(name, _)| *name == topic) {
        return Ok(text);
    }
    let names: Vec<&str> = topics.iter().map(|(name, _)| *name).collect();
    let diagnostic = Diagnostic::new(format!("unknown guide `{topic}`"));
    Err(match nearest(topic, names.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("available guides: {}", names.join(", "))),
    })
}

#[cfg(test)]
mod tests {

    use clap::Parser;
    use clap::error::ErrorKind;
    use pulldown_cmark::{Event, Tag, TagEnd};

    use super::super::args::Cli;
    use super::*;

    /// Code in a guide: a block, or a span within a text.
    struct Code {
        text: String,
        block: bool,
    }

    fn code(guide: &str) -> Vec<Code> {
        let mut found: Vec<Code> = Vec::new();
        let mut inside = false;
        for event in pulldown_cmark::Parser::new(guide) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => {
                    inside = true;
                    found.push(Code { text: String::new(), block: true });
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(part) if inside => found.iter_mut().last().into_iter().for_each(|code| code.text += &part),
                Event::Code(span) => found.push(Code { text: span.replace('\n', " "), block: false }),
                _ => {}
            }
        }
        found
    }

    /// Returns the commands in the code that call `nimatron`.
    fn calls(code: &Code) -> Vec<String> {
        let text = code.text.replace("\\\n", " ");
        let commands = text.lines().map(|line| line.split_once("$ ").map_or(line, |(_, command)| command));
        commands.filter(|line| line.starts_with("nimatron ")).map(str::to_owned).collect()
    }

    /// Splits a command into words as a shell does, up to a comment, a pipe, a redirection, or the end of the command.
    fn words(command: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        let mut in_word = false;
        for letter in command.chars() {
            match quote {
                None if letter == ' ' && in_word => words.push(String::new()),
                None if letter == ' ' => {}
                None if "|<>&;)".contains(letter) || (letter == '#' && !in_word) => break,
                None if "'\"".contains(letter) => quote = Some(letter),
                Some(open) if open == letter => quote = None,
                _ => words.iter_mut().last().into_iter().for_each(|word| word.push(letter)),
            }
            in_word = letter != ' ' || quote.is_some();
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_command_in_the_guides_is_valid() {
        let mut count = 0;
        for (topic, text) in topics() {
            for code in code(text) {
                for call in calls(&code) {
                    let words = words(&call);
                    count += 1;
                    let Err(error) = Cli::try_parse_from(&words) else { continue };
                    // A span may contain only the name of a command, possibly followed by an option whose value is
                    // omitted.
                    let named = match error.kind() {
                        ErrorKind::MissingRequiredArgument | ErrorKind::DisplayVersion => true,
                        ErrorKind::InvalidValue => words.last().is_some_and(|word| word.starts_with("--")),
                        _ => false,
                    };
                    assert!(named && !code.block, "guide {topic}: `{call}` is not valid: {error}");
                }
            }
        }
        assert!(count > 100, "only {count} commands were found");
    }

    #[test]
    fn a_command_is_split_as_a_shell_does() {
        let call = "nimatron grade a  'b c' x\"y z\" --canvas='' > out # comment";
        assert_eq!(words(call), ["nimatron", "grade", "a", "b c", "xy z", "--canvas="]);
        assert_eq!(words("nimatron list # all"), ["nimatron", "list"]);
    }
}
