//! The position a game begins with: given, or chosen so that a person can win.

use nimatron::games::{Game, Perfect};
use nimatron::input::Rng;
use nimatron::model::{Diagnostic, Failure};
use nimatron::play::{easy_to_play, position_of, trimmed};
use nimatron::problem::{GameRules, Problem, Recipe};

use super::args::{Play, Side};
use super::game::{Found, bound, game_of, rules_of};

/// So many positions are drawn, to find one that suits.
const DRAWN: usize = 30;

/// How many positions the search for a suitable one may look at.
const BUDGET: usize = 50_000;

/// The game to play, with its first position.
pub fn opening(problem: &Problem, args: &Play, rng: &mut Rng) -> Result<Found, Failure> {
    let mut found = game_of(problem, args.input.as_deref())?;
    if let Some(text) = &args.position {
        found.game.start = position_of(&found.game, text)
            .map_err(|why| Diagnostic::new(format!("--position: {why}")).help("it is written as `play` shows it"))?;
        return Ok(found);
    }
    if args.input.is_some() {
        return Ok(found);
    }
    let mut suitable = None;
    for candidate in candidates(problem, rules_of(problem)?, &found, rng) {
        let won = Perfect::new(candidate.game.laws.clone(), BUDGET).wins(&candidate.game.start);
        match won {
            Ok(won) if won == (args.first == Side::Me) => return Ok(candidate),
            _ => suitable = suitable.or(Some(candidate)),
        }
    }
    found.game.start = trimmed(&found.game.laws, found.game.start);
    Ok(suitable.unwrap_or(found))
}

/// Random inputs of the problem's own groups, made small, as far as a person can survey them.
fn candidates<'a>(
    problem: &'a Problem,
    rules: &'a GameRules,
    found: &'a Found,
    rng: &'a mut Rng,
) -> impl Iterator<Item = Found> + 'a {
    let descriptions: Vec<_> = problem
        .groups
        .iter()
        .filter_map(|group| match &group.recipe {
            Recipe::Random { description, .. } => Some(description),
            _ => None,
        })
        .collect();
    (0..DRAWN).filter_map(move |round| {
        let description = descriptions.get(round % descriptions.len().max(1))?;
        let input = description.generate(rng).ok()?;
        let Game { laws, start } = bound(problem, rules, &input).ok()?;
        let start = trimmed(&laws, start);
        easy_to_play(&laws, &start).then(|| found.with(input, Game { laws, start }))
    })
}
