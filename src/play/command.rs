//! Parses the lines that a user types during a match.

use crate::yaml::nearest;

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlayCommand {
    /// An empty line.
    Nothing,
    /// The numbers of a move, in the order that [`BoundRules::read_move`](crate::games::BoundRules::read_move) expects.
    Move(Vec<u64>),
    /// The command `hint`: suggest a move and explain it.
    Hint,
    /// The command `undo`: take the last move back.
    Undo,
    /// The command `moves`: list the legal moves.
    Moves,
    /// The command `rules`: show the rules.
    Rules,
    /// The command `show`: show the position.
    Show,
    /// The command `help`: list the commands.
    Help,
    /// The command `quit`: end the match.
    Quit,
    /// The line is neither a command nor a move. Contains the most similar command, if one is similar enough.
    Unknown(Option<&'static str>),
}

const WORDS: [(&str, PlayCommand); 14] = [
    ("hint", PlayCommand::Hint),
    ("h", PlayCommand::Hint),
    ("why", PlayCommand::Hint),
    ("undo", PlayCommand::Undo),
    ("u", PlayCommand::Undo),
    ("moves", PlayCommand::Moves),
    ("m", PlayCommand::Moves),
    ("rules", PlayCommand::Rules),
    ("show", PlayCommand::Show),
    ("help", PlayCommand::Help),
    ("?", PlayCommand::Help),
    ("quit", PlayCommand::Quit),
    ("q", PlayCommand::Quit),
    ("exit", PlayCommand::Quit),
];

/// Parses a line: a command, which is not case-sensitive, or the numbers of a move.
pub(super) fn parse_command(line: &str) -> PlayCommand {
    let line = line.trim().to_lowercase();
    if line.is_empty() {
        return PlayCommand::Nothing;
    }
    if let Some((_, command)) = WORDS.into_iter().find(|(word, _)| *word == line) {
        return command;
    }
    match parse_numbers(&line) {
        Some(numbers) => PlayCommand::Move(numbers),
        None => PlayCommand::Unknown(nearest(&line, WORDS.iter().map(|(word, _)| *word)).filter(|word| word.len() > 1)),
    }
}

/// Parses the numbers of a move, such as `2 3`, or of a move in words, such as `take 3 from heap 2 and 1 from heap 4`.
/// In the result, the number after `from` precedes the amount. Returns `None` if there is no number, if a word that
/// begins with a digit is not a number of at most 64 bits, or if the text contains `-` or `.`.
pub fn parse_numbers(text: &str) -> Option<Vec<u64>> {
    if text.contains('-') || text.contains('.') {
        return None;
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut numbers: Vec<u64> = Vec::new();
    let mut swap = false;
    for word in words {
        if word == "from" {
            swap = true;
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = word.parse().ok()?;
            match (swap, numbers.pop()) {
                (true, Some(amount)) => numbers.extend([number, amount]),
                (_, last) => numbers.extend(last.into_iter().chain([number])),
            }
            swap = false;
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_parsed_from_numbers_and_words() {
        for (text, expected) in [
            ("2 3", vec![2, 3]),
            (" 2,3 ", vec![2, 3]),
            ("take 3 from heap 2", vec![2, 3]),
            ("3 from 2", vec![2, 3]),
            ("take 3 from heap 2 and 1 from heap 4", vec![2, 3, 4, 1]),
            ("move 2 down from step 5", vec![5, 2]),
            ("split heap 3 into 1 2", vec![3, 1, 2]),
            ("add 7", vec![7]),
            ("move token 1 to vertex 4", vec![1, 4]),
        ] {
            assert_eq!(parse_command(text), PlayCommand::Move(expected), "{text}");
        }
    }

    #[test]
    fn other_lines_are_commands_or_unknown() {
        assert_eq!(parse_command("Hint"), PlayCommand::Hint);
        assert_eq!(parse_command("  "), PlayCommand::Nothing);
        assert_eq!(parse_command("hlep"), PlayCommand::Unknown(Some("help")));
        for text in ["-3", "1 -3", "99999999999999999999 1", "1.5", "xyzzyplugh"] {
            assert!(matches!(parse_command(text), PlayCommand::Unknown(_)), "{text}");
        }
    }
}
