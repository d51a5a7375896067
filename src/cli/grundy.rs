//! `nimatron grundy`: computes Grundy values of rules or of a problem's game, as a table, JSON, or an SVG plot.

use crate::games::grundy::{HeapGame, TableError};
use crate::model::{Diagnostic, Failure};
use crate::report::{Theme, Values};
use crate::service::game_of;

use super::args::Grundy;
use super::context::{Context, say, say_drawn, say_json};
use super::exit::{Ending, Result};

/// Runs `nimatron grundy` and returns how the command ended.
pub(crate) fn grundy(context: &Context, args: &Grundy) -> Result {
    let text = args.rules.join(" ");
    let (rules, game) = find(context, args, &text)?;
    let table = game.table(args.to).map_err(|error| {
        Diagnostic::new(format!("{rules}: {error}"))
            .help(format!("specify a heap size of at most {} with `--to`", error.most))
    })?;
    let values = Values { rules: &rules, table: &table, certificate: game.certificate() };
    if let Some(path) = &args.svg {
        fs_err::write(path, values.svg()).map_err(|error| Failure::user_file(&error))?;
    }
    if args.json {
        say_json(&values.json())?;
    } else if args.svg.is_none() || context.verbose() {
        let theme = if context.color() { Theme::colored() } else { Theme::plain() };
        say_drawn(&values.text(context.width(), theme))?;
    } else if !context.quiet() {
        say(&values.remarks().join("\n"))?;
    }
    Ok(Ending::Good)
}

/// Parses the rules, or looks up the problem, and returns the game with its name.
fn find(context: &Context, args: &Grundy, text: &str) -> std::result::Result<(String, HeapGame), Failure> {
    match text.parse::<HeapGame>() {
        Ok(game) => Ok((text.to_owned(), game)),
        Err(error @ TableError::Unknown(_)) if args.rules.len() != 1 => Err(unreadable(&error)),
        Err(TableError::Unknown(_)) => {
            context.refuse_package(text)?;
            let folder = context.catalog()?.find(text).map_err(|error| {
                if error.help.as_deref().is_some_and(|help| help.starts_with("did you mean")) {
                    return error;
                }
                error.help(
                    "RULES is the id of a problem, an octal code such as `octal 0.137`, amounts such as `take 1 3 4`, \
                     or one of `nim`, `kayles`, `dawson`, `grundy` and `split`",
                )
            })?;
            let problem = crate::problem::load(&folder)?;
            let found = game_of(&problem, args.input.as_deref())?;
            let game =
                HeapGame::of_sum(&found.game.rules).map_err(|why| Diagnostic::new(format!("{}: {why}", problem.id)))?;
            Ok((format!("{}{}", problem.id, found.note()), game))
        }
        Err(error) => Err(unreadable(&error)),
    }
}

fn unreadable(error: &TableError) -> Failure {
    Diagnostic::new(error.to_string()).help("example: `nimatron grundy octal 0.137 --to 100`").into()
}
