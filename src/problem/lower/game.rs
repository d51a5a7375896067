//! Converts `game:` as written, and checks that the input defines its names and that its questions fit the answer.

use crate::games::NumberExpr;
use crate::input::Description;
use crate::model::{Diagnostic, TextRange};
use crate::yaml::{self, PathStep, Target};

use super::super::game::{AskSpec, AsksSpec, GameSpec};
use super::super::rules::{Ask, GameRules, Question};
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
            Some(AsksSpec::Only(ask)) => {
                let here = path(["game".into(), "asks".into()]);
                let mut names = answer.names();
                let (Some(name), None) = (names.next(), names.next()) else {
                    let message = "the answer has several values; specify a question for each by its name";
                    return Err(self
                        .at(&here, message)
                        .help("for example, `asks: { winner: outcome, moves: winning-moves }`"));
                };
                vec![self.ask(&here, name, ask, &game, input, answer)?]
            }
            Some(AsksSpec::Named(asks)) => {
                let mut list = Vec::new();
                for (name, ask) in asks {
                    let here = path(["game".into(), "asks".into(), name.as_str().into()]);
                    self.known(&here, &name, answer, "unknown answer name")?;
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
        Err(diagnostic.help(near(name, of)))
    }

    /// Fails if a name in the rules is not a name of the input.
    fn names(&self, spec: &GameSpec, input: &Description) -> Result<(), Diagnostic> {
        for name in spec.rules.names() {
            if !input.names().any(|known| known == name) {
                let message = format!("unknown name `{name}` in the rules; the input does not define it");
                // A misspelled keyword is parsed as a name, so keywords are suggested too.
                let word = yaml::nearest(name, ["any", "all", "every", "largest", "edge", "full"].into_iter());
                let help = word.map_or_else(|| near(name, input), |word| format!("did you mean `{word}`?"));
                return Err(self.inside(name, message).help(help));
            }
        }
        Ok(())
    }

    /// Creates an error that marks the first occurrence of a word in the rules that is not a key.
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

    /// Converts the question of one value of the answer, and checks that it fits the game and the value.
    fn ask(
        &self,
        here: &[PathStep],
        name: &str,
        ask: AskSpec,
        game: &GameRules,
        input: &Description,
        answer: &Description,
    ) -> Result<Ask, Diagnostic> {
        let AskSpec(map) = ask;
        let question = map.what.map_or(Question::Outcome, |what| what.0);
        let words: Vec<String> = match (map.words.is_empty(), question, answer.words(name)) {
            (true, Question::Outcome, Some(words)) => words.into_iter().map(str::to_owned).collect(),
            _ => map.words,
        };
        let complain = |message: String| Err(self.at(here, message));
        if !game.allows(question) {
            let needs = if question == Question::Taken { "the payoff `[win, taken]`" } else { "normal play" };
            return complain(format!("`{}` requires {needs}", question.word()));
        }
        if question != Question::Outcome && !words.is_empty() {
            return complain(format!("the result of `{}` is a number, so it has no words", question.word()));
        }
        if let Some(each) = &map.each {
            let there = [here, &["each".into()]].concat();
            if !input.is_integer(each) || input.repeat(each).is_some() || input.length(each).is_some() {
                let message = format!("`{each}` is not a single number of the input");
                return Err(self.at(&there, message).help(near(each, input)));
            }
        }
        let players = match game.rules.players {
            NumberExpr::Literal(players) => usize::try_from(players).ok(),
            NumberExpr::Named { .. } => None,
        };
        if !words.is_empty() && players.is_some_and(|players| players != words.len()) {
            let message = format!(
                "`{name}` has {} words, but the game has {} places, one per player",
                words.len(),
                players.unwrap_or(0)
            );
            return Err(self
                .at(here, message)
                .help("list the words from the best place to the worst: `words: [Yes, No]`"));
        }
        if let (Some(known), Some(strange)) = (
            answer.words(name),
            words.iter().find(|word| answer.words(name).is_some_and(|known| !known.contains(&word.as_str()))),
        ) {
            return complain(format!("`{strange}` is not a word of `{name}`; expected one of: {}", known.join(", ")));
        }
        let wants_number = words.is_empty();
        if wants_number != answer.is_integer(name) {
            let message = match wants_number {
                true => format!("`{name}` is not a number, but the result of `{}` is", question.word()),
                false => format!("`{name}` is a number, so it has no words"),
            };
            return Err(self
                .at(here, message)
                .help("specify a word for each place: `{ what: outcome, words: [W, L] }`"));
        }
        Ok(Ask { name: name.to_owned(), question, words, each: map.each })
    }

    /// Returns the expression for the number of rows of the input block whose rows are separate games; `None` if an
    /// input is one game. The answer must have the same number of rows.
    fn rows(&self, game: &GameRules, input: &Description, answer: &Description) -> Result<Option<String>, Diagnostic> {
        let count = |ask: &Ask| match (answer.repeat(&ask.name), &ask.each) {
            (Some(count), _) => Some(count.to_owned()),
            (None, None) => answer.length(&ask.name).map(str::to_owned),
            (None, Some(_)) => None,
        };
        let mut counts = game.asks.iter().map(count);
        let Some(first) = counts.next() else { return Ok(None) };
        let complain = |message: String| Err(self.marked(&path(["game".into()]), Target::Key, None, message));
        if counts.any(|other| other != first) {
            return complain("either all values of the answer or none must occur once per row".to_owned());
        }
        let Some(count) = first else { return Ok(None) };
        if game.asks.iter().any(|ask| ask.each.is_some()) {
            return complain("`each` cannot be combined with an answer for every row".to_owned());
        }
        if !game.rules.names().into_iter().any(|name| input.repeat(name) == Some(count.as_str())) {
            return complain(format!(
                "the answer has `{count}` rows, but the rules use no variable of an input block `repeat: {count}`"
            ));
        }
        Ok(Some(count))
    }
}

/// Returns the default questions: the outcome, if the answer has only one value and that is a choice with a word for
/// each place; otherwise none.
fn default(game: &GameRules, answer: &Description) -> Vec<Ask> {
    let mut names = answer.names();
    let (Some(name), None) = (names.next(), names.next()) else { return Vec::new() };
    let words: Vec<String> = answer.words(name).unwrap_or_default().into_iter().map(str::to_owned).collect();
    let players = match game.rules.players {
        NumberExpr::Literal(players) => usize::try_from(players).unwrap_or(0),
        NumberExpr::Named { .. } => 0,
    };
    match words.len() == players {
        true => vec![Ask { name: name.to_owned(), question: Question::Outcome, words, each: None }],
        false => Vec::new(),
    }
}

/// Returns the help for an unknown name: the most similar known name, or a list of all known names.
fn near(name: &str, of: &Description) -> String {
    match yaml::nearest(name, of.names()) {
        // Any two one-letter names differ by one letter, so such a suggestion would be useless.
        Some(near) if near.len() > 1 || name.len() > 1 => format!("did you mean `{near}`?"),
        _ => format!("known names: {}", of.names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
#[path = "game_tests.rs"]
mod tests;
