//! Chooses the start position of a game: a random position that the first player wins or loses, as the caller requests.

use crate::games::{Game, PerfectPlayer};
use crate::input::Rng;
use crate::model::Failure;
use crate::play::{easy_to_play, trim_position};
use crate::problem::{GameRules, Group, Problem, Recipe};
use crate::sandbox::Cancel;

use super::game_source::{GameSource, bound, game_of, rules_of};

/// Number of random inputs that are tried for each of the two kinds of groups: groups of random inputs, and groups that
/// enumerate all small inputs.
const DRAWN: usize = 30;

/// Maximum number of positions that are visited to decide whether a candidate is won.
const BUDGET: usize = 50_000;

/// Returns the game of a problem with a random start position that is easy to play and that the first player wins or,
/// if `wins` is false, loses. If none of the tried positions qualifies, the result is a position that the first player
/// may win or lose.
///
/// # Errors
/// Fails if the problem has no game, or if it has no sample or its first sample is invalid.
pub fn start_position(problem: &Problem, wins: bool, rng: &mut Rng, cancel: &Cancel) -> Result<GameSource, Failure> {
    let mut found = game_of(problem, None)?;
    let mut suitable = None;
    for candidate in candidates(problem, rules_of(problem)?, &found, rng) {
        let won = PerfectPlayer::new(candidate.game.rules.clone(), BUDGET).wins(&candidate.game.start);
        match won {
            Ok(won) if won == wins => return Ok(candidate),
            _ => suitable = suitable.or(Some(candidate)),
        }
        if cancel.is_cancelled() {
            break;
        }
    }
    found.game.start = trim_position(&found.game.rules, found.game.start);
    Ok(suitable.unwrap_or(found))
}

/// Returns the games of random inputs from the problem's groups, with trimmed start positions. Positions that are not
/// easy to play are omitted. Groups that enumerate all small inputs are used last.
fn candidates<'a>(
    problem: &'a Problem,
    rules: &'a GameRules,
    found: &'a GameSource,
    rng: &'a mut Rng,
) -> impl Iterator<Item = GameSource> + 'a {
    let of = |small: bool| {
        let description = move |group: &'a Group| match &group.recipe {
            Recipe::Random { description, .. } if !small => Some(description),
            Recipe::Every { description, .. } if small => Some(description),
            _ => None,
        };
        problem.groups.iter().filter_map(description).collect::<Vec<_>>()
    };
    let sources = [of(false), of(true)];
    (0..2 * DRAWN).filter_map(move |round| {
        let descriptions = &sources[round / DRAWN];
        let description = descriptions.get(round % descriptions.len().max(1))?;
        let input = description.generate(rng).ok()?;
        let Game { rules, start } = bound(problem, rules, &input).ok()?;
        let start = trim_position(&rules, start);
        easy_to_play(&rules, &start).then(|| found.with(input, Game { rules, start }))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::games::{Justification, LastMover, MoveAdvice, Position};
    use crate::model::Digest;
    use crate::problem::load;
    use crate::workers::{in_parallel, processor_slots};

    use super::*;

    /// Plays a won position to its end, and returns whether the first player wins. In normal play, the player who moved
    /// last wins; in misère play, the player to move at the end wins.
    fn is_kept(
        first: &mut PerfectPlayer,
        start: &Position,
        mut others: impl FnMut(&Position) -> Option<Position>,
    ) -> bool {
        let players = first.rules().players as usize;
        let (mut position, mut moved) = (start.clone(), 0);
        loop {
            let next = match moved % players {
                0 => first.choose(&position).unwrap().map(|advice| advice.after),
                _ => others(&position),
            };
            let Some(next) = next else { break };
            position = next;
            moved += 1;
        }
        // The player to move has no legal move.
        let winner = if first.rules().last_mover == LastMover::Wins { moved + players - 1 } else { moved };
        winner % players == 0
    }

    /// Returns at most `most` won start positions of a problem, from its first sample and from random inputs that are
    /// generated in the same way as for the `play` command.
    fn won(problem: &Problem, rng: &mut Rng, most: usize) -> Vec<Game> {
        let rules = rules_of(problem).unwrap();
        let found = game_of(problem, None).unwrap();
        let Game { rules: own, start } = found.game.clone();
        let given = Game { start: trim_position(&own, start), rules: own };
        let drawn = (0..4).flat_map(|_| candidates(problem, rules, &found, rng).collect::<Vec<_>>());
        let wins = |game: &Game| PerfectPlayer::new(game.rules.clone(), BUDGET).wins(&game.start) == Ok(true);
        std::iter::once(given).chain(drawn.map(|found| found.game)).filter(wins).take(most).collect()
    }

    /// Plays `each` games against random play and `each` against perfect play, and returns the number of games. With
    /// more than two players, theory guarantees the result against perfect players only, so random play is left out.
    fn matches(problem: &Problem, each: usize) -> usize {
        let mut rng = Rng::from_digest(&Digest::of(problem.id.to_string().as_bytes()));
        let games = won(problem, &mut rng, each);
        assert!(!games.is_empty(), "{} has no won position to play", problem.id);
        let mut played = 0;
        for (place, Game { rules, start }) in games.iter().enumerate() {
            let rounds = (each + games.len() - 1 - place) / games.len();
            let mut perfect = PerfectPlayer::new(rules.clone(), BUDGET);
            // If theory decides every position, a search would only prolong lost games, so it visits at most 300
            // positions.
            let known = matches!(perfect.choose(start), Ok(Some(MoveAdvice { why: Justification::Theory(_), .. })));
            let mut other = PerfectPlayer::new(rules.clone(), if known { 300 } else { BUDGET });
            for _ in 0..rounds {
                if rules.players == 2 {
                    let random =
                        |position: &Position| rng.choose(&rules.moves(position, 5_000)).map(|(_, after)| after.clone());
                    assert!(is_kept(&mut perfect, start, random), "{}: lost to random play from {start}", problem.id);
                    played += 1;
                }
                let best = |position: &Position| other.choose(position).unwrap().map(|advice| advice.after);
                assert!(is_kept(&mut perfect, start, best), "{}: lost to perfect play from {start}", problem.id);
                played += 1;
            }
        }
        played
    }

    /// The following command plays more games: `NIMATRON_MATCHES=10000 cargo test --release --lib
    /// won_position_of_any_problem -- --nocapture`.
    #[test]
    fn a_won_position_of_any_problem_is_never_lost() {
        let asked = std::env::var("NIMATRON_MATCHES").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
        let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
        let mut dirs: Vec<_> = fs_err::read_dir(problems).unwrap().map(|entry| entry.unwrap().path()).collect();
        dirs.sort();
        let problems: Vec<Problem> =
            dirs.iter().map(|dir| load(dir).unwrap()).filter(|problem| problem.game.is_some()).collect();
        let (played, ended) =
            in_parallel(&problems, &processor_slots(), Ok, |_, problem| Ok(matches(problem, asked)), |_| {});
        ended.unwrap();
        let mut all = 0;
        for (problem, played) in problems.iter().zip(played.into_iter().flatten()) {
            assert!(played >= asked, "{}: {played}", problem.id);
            println!("{}: {played} games, none lost", problem.id);
            all += played;
        }
        println!("{all} games in total, none lost");
        assert!(all > 10 * asked);
    }
}
