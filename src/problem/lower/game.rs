//! Converts `game:` as written, and checks that the input defines its names and that its questions fit the answer.

use crate::games::NumberExpr;
use crate::input::Description;
use crate::model::{Diagnostic, TextRange};
use crate::yaml::{self, PathStep, Target};

use super::super::game::{AnswerQuestionSpec, AnswerQuestionsSpec, GameSpec};
use super::super::rules::{AnswerQuestion, GameRules, Question};
use super::{Lower, path};

impl Lower<'_> {
    /// Converts the game, if the problem has one.
    pub(super) fn game(
        &self,
        spec: Option<GameSpec>,
        input: &Description,
        answer: Option<&Description>,
    ) -> Result<Option<GameRules>, Diagnostic> {
        let Some(spec) = spec else { return Ok(None) };
        self.names(&spec, input)?;
        spec.rules.check_fit().map_err(|error| self.misfit(&error.to_string()))?;
        let mut game = GameRules { rules: spec.rules, asks: Vec::new(), each_row_of: None };
        let Some(answer) = answer else {
            return match spec.asks {
                None => Ok(Some(game)),
                Some(_) => Err(self.marked(
                    &path(["game".into(), "asks".into()]),
                    Target::Key,
                    None,
                    "the questions in `asks:` require an `answer:`",
                )),
            };
        };
        game.asks = match spec.asks {
            None => default(&game, answer),
            Some(AnswerQuestionsSpec::Only(ask)) => {
                let here = path(["game".into(), "asks".into()]);
                let mut names = answer.names();
                let (Some(name), None) = (names.next(), names.next()) else {
                    let message = "the answer has several values; map the name of each value to a question";
                    return Err(self
                        .at(&here, message)
                        .help("write, for example, `asks: { winner: outcome, moves: winning-moves }`"));
                };
                vec![self.ask(&here, name, ask, &game, input, answer)?]
            }
            Some(AnswerQuestionsSpec::Named(asks)) => {
                let mut list = Vec::new();
                for (name, ask) in asks {
                    let here = path(["game".into(), "asks".into(), name.as_str().into()]);
                    self.known(&here, &name, answer, "no value of the answer has the name")?;
                    list.push(self.ask(&here, &name, ask, &game, input, answer)?);
                }
                list
            }
        };
        game.each_row_of = self.rows(&game, input, answer)?;
        Ok(Some(game))
    }

    fn known(&self, here: &[PathStep], name: &str, of: &Description, what: &str) -> Result<(), Diagnostic> {
        if of.names().any(|known| known == name) {
            return Ok(());
        }
        let diagnostic = self.marked(here, Target::Key, None, format!("{what} `{name}`"));
        Err(diagnostic.help(near(name, &of.names().collect::<Vec<_>>())))
    }

    /// Checks that every name in the rules is a name of the input.
    fn names(&self, spec: &GameSpec, input: &Description) -> Result<(), Diagnostic> {
        for name in spec.rules.names() {
            if !input.names().any(|known| known == name) {
                let message = format!("unknown name `{name}` in the rules; the input does not define it");
                // A misspelled keyword is parsed as a name, so keywords are suggested too.
                let word = yaml::nearest(name, ["any", "all", "every", "largest", "edge", "full"].into_iter());
                let names: Vec<&str> = input.names().collect();
                let help = word.map_or_else(|| near(name, &names), |word| format!("did you mean `{word}`?"));
                return Err(self.inside(name, message).help(help));
            }
        }
        Ok(())
    }

    /// Creates an error that marks the first occurrence of `word` in the rules other than as a key, or `game:` if there
    /// is none.
    fn inside(&self, word: &str, message: String) -> Diagnostic {
        let here = path(["game".into()]);
        let Some(key) = yaml::place(self.text, &here, Target::Key) else {
            return Diagnostic::new(message).in_file(self.origin);
        };
        let section = &self.text[key.end..];
        let ends = section.match_indices('\n').map(|(at, _)| at + 1);
        let end = ends.filter(|at| section[*at..].starts_with(|c: char| !c.is_whitespace() && c != '#')).min();
        let section = &section[..end.unwrap_or(section.len())];
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let is_value = |at: &usize| {
            let (before, after) = (&section[..*at], &section[at + word.len()..]);
            !before.ends_with(part) && !after.starts_with(part) && !after.trim_start().starts_with(':')
        };
        match section.match_indices(word).map(|(at, _)| at).find(is_value) {
            Some(at) => {
                let start = key.end + at;
                Diagnostic::new(message).at(self.origin, self.text, TextRange { start, end: start + word.len() })
            }
            None => self.marked(&here, Target::Key, None, message),
        }
    }

    fn misfit(&self, message: &str) -> Diagnostic {
        let keys = ["moves", "move", "phases"];
        let there = keys.into_iter().find(|key| {
            let place = yaml::place(self.text, &path(["game".into(), (*key).into()]), Target::Key);
            place.is_some_and(|place| self.text.get(place.start..place.end) == Some(*key))
        });
        let here = path(["game".into(), there.unwrap_or("position").into()]);
        self.marked(&here, Target::Key, None, message)
    }

    /// Converts the question for the value `name` of the answer, and checks that the question fits the game
    /// and the value.
    fn ask(
        &self,
        here: &[PathStep],
        name: &str,
        ask: AnswerQuestionSpec,
        game: &GameRules,
        input: &Description,
        answer: &Description,
    ) -> Result<AnswerQuestion, Diagnostic> {
        let AnswerQuestionSpec(map) = ask;
        let question = map.what.map_or(Question::Outcome, |what| what.0);
        let words: Vec<String> = match (map.words.is_empty(), question, answer.words(name)) {
            (true, Question::Outcome, Some(words)) => words.into_iter().map(str::to_owned).collect(),
            _ => map.words,
        };
        let complain = |message: String| Err(self.at(here, message));
        if !game.allows(question) {
            let needs = match question {
                Question::Taken => "the payoff `[win, taken]`",
                _ => "normal play (`wins: last-mover`)",
            };
            return complain(format!("`{}` requires {needs}", question.word()));
        }
        if question != Question::Outcome && !words.is_empty() {
            let message = format!("`words` is not allowed, because the result of `{}` is a number", question.word());
            return complain(message + "; remove `words`");
        }
        if let Some(each) = &map.each {
            let there = [here, &["each".into()]].concat();
            let single =
                |name: &str| input.is_integer(name) && input.repeat(name).is_none() && input.length(name).is_none();
            if !single(each) {
                let message = format!(
                    "`each` must name a single integer in the input, but the input has no such integer `{each}`"
                );
                let known: Vec<&str> = input.names().filter(|name| single(name)).collect();
                return Err(self.at(&there, message).help(near(each, &known)));
            }
        }
        let players = match game.rules.players {
            NumberExpr::Literal(players) => usize::try_from(players).ok(),
            NumberExpr::Named { .. } => None,
        };
        if !words.is_empty() && players.is_some_and(|players| players != words.len()) {
            let message = format!(
                "`{name}` has {} word{}, but the game has {} places, one per player",
                words.len(),
                if words.len() == 1 { "" } else { "s" },
                players.unwrap_or(0)
            );
            return Err(self.at(here, message).help(
                "list one word per place, from the best to the worst, such as `words: [Yes, No]` for two players",
            ));
        }
        if let (Some(known), Some(strange)) = (
            answer.words(name),
            words.iter().find(|word| answer.words(name).is_some_and(|known| !known.contains(&word.as_str()))),
        ) {
            let known = known.join("`, `");
            return complain(format!("`{strange}` is not a word of `{name}`; expected one of: `{known}`"));
        }
        let wants_number = words.is_empty();
        if wants_number != answer.is_integer(name) {
            let message = match wants_number {
                true => format!("`{name}` is not a number, but the result of `{}` is a number", question.word()),
                false => format!("`words` is not allowed, because `{name}` is a number"),
            };
            let help = match (wants_number, question) {
                (true, Question::Outcome) => {
                    "specify one word per place, such as `{ what: outcome, words: [W, L] }` for two players"
                }
                (true, _) => "describe the value as a number in `answer:`, such as `0..=9`",
                (false, _) => "remove `words`, or describe the value as a choice of words in `answer:`",
            };
            return Err(self.at(here, message).help(help));
        }
        Ok(AnswerQuestion { name: name.to_owned(), question, words, each: map.each })
    }

    /// Returns the expression for the number of rows of the input block whose rows are separate games; `None` if an
    /// input is one game. The answer must have the same number of rows.
    fn rows(&self, game: &GameRules, input: &Description, answer: &Description) -> Result<Option<String>, Diagnostic> {
        let count = |ask: &AnswerQuestion| match (answer.repeat(&ask.name), &ask.each) {
            (Some(count), _) => Some(count.to_owned()),
            (None, None) => answer.length(&ask.name).map(str::to_owned),
            (None, Some(_)) => None,
        };
        let Some(ask) = game.asks.first() else { return Ok(None) };
        let first = count(ask);
        let complain = |message: String| Err(self.marked(&path(["game".into()]), Target::Key, None, message));
        if let Some(other) = game.asks.iter().find(|other| count(other) != first) {
            let times = |ask: &AnswerQuestion| count(ask).map_or("once".to_owned(), |count| format!("`{count}` times"));
            return complain(format!(
                "in the answer, `{}` occurs {}, but `{}` occurs {}; all values for which `asks:` has a question must \
                 occur equally often",
                ask.name,
                times(ask),
                other.name,
                times(other)
            ));
        }
        let Some(count) = first else { return Ok(None) };
        let name = &ask.name;
        if game.asks.iter().any(|ask| ask.each.is_some()) {
            return complain(format!(
                "`each` cannot be combined with an answer for every row: `{name}` occurs `{count}` times in the answer"
            ));
        }
        if !game.rules.names().into_iter().any(|name| input.repeat(name) == Some(count.as_str())) {
            return complain(format!(
                "in the answer, `{name}` occurs `{count}` times, but the rules use no name from an input block with \
                 `repeat: {count}`"
            ));
        }
        Ok(Some(count))
    }
}

/// Returns the default questions. If the answer has exactly one value, and that value is a choice with as many words as
/// there are players, the only question is the outcome; otherwise, there are no questions. If the number of players
/// depends on the input, the question is the outcome only if the value is not a choice.
fn default(game: &GameRules, answer: &Description) -> Vec<AnswerQuestion> {
    let mut names = answer.names();
    let (Some(name), None) = (names.next(), names.next()) else { return Vec::new() };
    let words: Vec<String> = answer.words(name).unwrap_or_default().into_iter().map(str::to_owned).collect();
    let players = match game.rules.players {
        NumberExpr::Literal(players) => usize::try_from(players).unwrap_or(0),
        NumberExpr::Named { .. } => 0,
    };
    match words.len() == players {
        true => vec![AnswerQuestion { name: name.to_owned(), question: Question::Outcome, words, each: None }],
        false => Vec::new(),
    }
}

/// Returns the help for a name that is not one of the `known` names: the most similar known name, or a list of the
/// known names.
fn near(name: &str, known: &[&str]) -> String {
    match yaml::nearest(name, known.iter().copied()) {
        // Any two one-letter names differ by one letter, so such a suggestion would be useless.
        Some(near) if near.len() > 1 || name.len() > 1 => format!("did you mean `{near}`?"),
        _ if known.is_empty() => "no names are valid here; remove this name".to_owned(),
        _ => format!("use one of the valid names: `{}`", known.join("`, `")),
    }
}

#[cfg(test)]
#[path = "game_tests.rs"]
mod tests;
