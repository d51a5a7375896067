//! Whole games by script.

use super::*;
use crate::games::{Arena, Bits, Choice, Dag, Game, Kind, LastMover, Laws, Payoff, Position, Removal, Taking};
use crate::input::Rng;
use crate::model::Digest;

fn setup(laws: Laws, start: Position, seats: &[Seat]) -> Setup {
    let rng = Rng::from_digest(&Digest::of(b"tests"));
    let game = Game { laws, start };
    Setup { game, seats: seats.to_vec(), level: Level::Perfect, rng, budget: 100_000, width: 72 }
}

/// What is shown when these lines are typed.
fn script(setup: Setup, lines: &[&str]) -> String {
    let mut game = Match::new(setup);
    let mut reply = game.begin();
    let mut shown = reply.text.clone();
    for line in lines {
        assert_eq!(reply.awaits, Awaits::You, "before {line}:\n{shown}");
        reply = game.told(line);
        shown += &format!("\n\n> {line}\n{}", reply.text);
    }
    shown
}

fn nim(heaps: &[u64], lines: &[&str]) -> String {
    script(setup(Laws::nim(), Position::Heaps(heaps.to_vec()), &[Seat::You, Seat::Machine]), lines)
}

#[test]
fn a_game_of_nim_to_its_end() {
    insta::assert_snapshot!(nim(
        &[1, 3, 4],
        &["hint", "3 2", "hint", "take 1 from heap 2", "1 1", "2 2", "3 1", "3 1"]
    ));
}

#[test]
fn what_is_typed_wrongly_is_explained() {
    let lines = ["", "2 9", "7 1", "2 0", "hnit", "xyzzy", "-1 2", "moves", "help", "rules", "quit"];
    insta::assert_snapshot!(nim(&[2, 3], &lines));
}

#[test]
fn moves_are_taken_back() {
    let mut game = Match::new(setup(Laws::nim(), Position::Heaps(vec![1, 3, 5]), &[Seat::You, Seat::Machine]));
    game.begin();
    assert!(game.told("undo").text.contains("no move of yours"));
    let start = game.position().clone();
    game.told("3 1");
    assert_ne!(game.position(), &start);
    game.told("undo");
    assert_eq!(game.position(), &start);
    let end = Match::new(setup(Laws::nim(), Position::Heaps(vec![1, 3, 5]), &[Seat::Machine, Seat::You]));
    let mut second = end;
    second.begin();
    let after_machine = second.position().clone();
    second.told("2 1");
    second.told("undo");
    assert_eq!(second.position(), &after_machine, "the machine's first move is not taken back");
}

#[test]
fn misere_nim_explains_its_end() {
    let seats = [Seat::You, Seat::Machine];
    let game = |heaps: &[u64]| setup(Laws::nim().misere(), Position::Heaps(heaps.to_vec()), &seats);
    insta::assert_snapshot!(script(game(&[1, 1, 4]), &["hint", "3 3", "2 1"]));
    insta::assert_snapshot!(script(game(&[1, 1]), &["hint"]));
}

#[test]
fn each_game_shows_the_numbers_that_decide() {
    let hint = |laws: Laws, start: Position| script(setup(laws, start, &[Seat::You, Seat::Machine]), &["hint"]);
    let take = |amount, from| Laws::nim().with(vec![Kind::Take { amount, from, same: false }]);
    let shown = [
        hint(take(Taking::Any, Choice::UpTo(2)), Position::Heaps(vec![3, 5, 6, 1])),
        hint(take(Taking::UpTo(3), Choice::One), Position::Heaps(vec![9, 6])),
        hint(take(Taking::In(vec![1, 3, 4]), Choice::One), Position::Heaps(vec![9, 6])),
        hint(Laws::nim().with(vec![Kind::Slide { amount: Taking::Any, frozen: false }]), Position::Row(vec![1, 7, 4])),
        hint(take(Taking::Any, Choice::Largest), Position::Heaps(vec![5, 2, 2])),
        hint(Laws { players: 3, ..Laws::nim() }, Position::Heaps(vec![1, 2, 3])),
    ];
    insta::assert_snapshot!(shown.join("\n\n----\n\n"));
}

#[test]
fn each_kind_of_position_is_drawn() {
    let run = |arena: Arena| Laws { arena, ..Laws::nim() }.with(vec![Kind::Remove(Removal::Run(Taking::UpTo(2)))]);
    let seats = [Seat::You, Seat::Machine];
    let begin = |laws: Laws, start: Position| Match::new(setup(laws, start, &seats)).begin().text;
    let cells = |count: usize, gone: usize| Position::Cells(Bits::full(count).without(gone));
    let dag = Dag::new(4, &[(0, 1), (0, 2), (1, 3)]).unwrap();
    let walk = Laws { arena: Arena::Dag(dag), ..Laws::nim() }.with(vec![Kind::Walk]);
    let shown = [
        begin(run(Arena::Circle(12)), cells(12, 4)),
        begin(run(Arena::Board(vec![2, 5])), cells(10, 3)),
        begin(walk, Position::Tokens(vec![0, 3])),
        begin(Laws::nim().with(vec![Kind::Add { from: 1, to: 3, limit: 21 }]), Position::Counter(5)),
        begin(Laws::nim(), Position::Stacks { heights: vec![0, 2], tokens: 3 }),
        begin(Laws::nim(), Position::Heaps(vec![1_000_000, 0, 17])),
    ];
    insta::assert_snapshot!(shown.join("\n\n----\n\n"));
}

#[test]
fn three_players_get_places_and_candies_are_counted() {
    let three = setup(
        Laws { players: 3, ..Laws::nim() },
        Position::Heaps(vec![1, 1, 1]),
        &[Seat::You, Seat::Machine, Seat::Machine],
    );
    insta::assert_snapshot!(script(three, &["1 1"]));
    let candy = Laws { payoff: Payoff::WinThenTaken, ..Laws::nim() };
    let candy = setup(candy, Position::Heaps(vec![2, 2]), &[Seat::Machine, Seat::You]);
    insta::assert_snapshot!(script(candy, &["2 2"]));
}

#[test]
fn a_program_plays_gives_up_or_talks_nonsense() {
    let begin = |laws: Laws, said: Said| {
        let mut game = Match::new(setup(laws, Position::Heaps(vec![2, 2]), &[Seat::Program, Seat::Machine]));
        assert_eq!(game.begin().awaits, Awaits::Program);
        let text = game.program(&said).text;
        (text, game.winner())
    };
    for laws in [Laws::nim(), Laws::nim().misere()] {
        for said in [Said::GivesUp, Said::Nonsense("it printed `x`".to_owned()), Said::Move(vec![9, 9])] {
            let (text, winner) = begin(laws.clone(), said);
            assert_eq!(winner, Some(Seat::Machine), "{text}");
        }
    }
    let (_, winner) = begin(Laws::nim(), Said::Move(vec![1, 1]));
    assert_eq!(winner, None);
}

#[test]
fn an_empty_position_is_over_before_it_begins() {
    for (laws, winner) in [(Laws::nim(), Seat::Machine), (Laws::nim().misere(), Seat::You)] {
        let mut game = Match::new(setup(laws, Position::Heaps(vec![0]), &[Seat::You, Seat::Machine]));
        assert_eq!(game.begin().awaits, Awaits::Nobody);
        assert_eq!(game.winner(), Some(winner));
    }
}

#[test]
fn positions_are_read_as_they_are_meant() {
    let game = |start: Position, arena: Arena| Game { laws: Laws { arena, ..Laws::nim() }, start };
    let heaps = game(Position::Heaps(vec![1]), Arena::Table);
    assert_eq!(position_of(&heaps, "3, 4 5"), Ok(Position::Heaps(vec![3, 4, 5])));
    assert_eq!(position_of(&heaps, "3 x"), Err("expected numbers, found `x`".to_owned()));
    assert!(position_of(&heaps, "3 + 4").is_err());
    let stacks = game(Position::Stacks { heights: vec![0], tokens: 2 }, Arena::Table);
    assert_eq!(position_of(&stacks, "0 1 + 4"), Ok(Position::Stacks { heights: vec![0, 1], tokens: 4 }));
    let circle = game(Position::Cells(Bits::full(4)), Arena::Circle(4));
    let expected = Position::Cells(Bits::full(4).without(2));
    assert_eq!(position_of(&circle, "##.#"), Ok(expected.clone()));
    assert_eq!(position_of(&circle, "1 2 4"), Ok(expected));
    assert_eq!(position_of(&circle, "1 5"), Err("expected cells from 1 to 4, found 5".to_owned()));
    let counter = game(Position::Counter(0), Arena::Table);
    assert_eq!(position_of(&counter, "1 2"), Err("expected one number, found 2".to_owned()));
}

/// How many games each kind of game is played: `NIMATRON_GAMES=10000` plays the full number.
fn games() -> usize {
    std::env::var("NIMATRON_GAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(20)
}

#[test]
fn the_perfect_seat_never_loses_a_won_position() {
    let mut rng = Rng::from_digest(&Digest::of(b"perfect"));
    let kinds = [
        Kind::Take { amount: Taking::Any, from: Choice::One, same: false },
        Kind::Take { amount: Taking::UpTo(3), from: Choice::UpTo(2), same: false },
        Kind::Take { amount: Taking::In(vec![2, 3]), from: Choice::One, same: false },
    ];
    for kind in kinds {
        for last_mover in [LastMover::Wins, LastMover::Loses] {
            let laws = Laws { last_mover, ..Laws::nim() }.with(vec![kind.clone()]);
            let mut played = 0;
            while played < games() {
                let heaps = (0..3).map(|_| rng.below(6)).collect();
                let start = setup(laws.clone(), Position::Heaps(heaps), &[Seat::Machine, Seat::You]);
                let mut game = Match::new(start);
                if game.is_won() != Some(true) {
                    continue;
                }
                let mut reply = game.begin();
                while reply.awaits == Awaits::You {
                    let moves = laws.moves(game.position(), 1000);
                    let (step, _) = rng.choose(&moves).unwrap();
                    let words: Vec<String> = step.numbers().iter().map(u64::to_string).collect();
                    reply = game.told(&words.join(" "));
                }
                assert_eq!(game.winner(), Some(Seat::Machine), "{:?}: {}", laws.kinds, reply.text);
                played += 1;
            }
        }
    }
}
