//! The perfect player against the search, against chance and against itself.

use super::*;

/// A small generator of numbers, so that the games are the same at every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound.max(1) as u64) as usize
    }
}

fn take(amount: Taking<u64, Vec<u64>>, from: Choice<u64>) -> Kind<u64, Vec<u64>> {
    Kind::Take { amount, from, same: false }
}

fn heap_laws() -> Vec<Laws> {
    let split = |distinct, total, min| Kind::Split { parts: 2, distinct, total, min };
    let every = Kind::Take { amount: Taking::Any, from: Choice::Every, same: true };
    let mut wythoff = Laws::nim().kinds;
    wythoff.push(every);
    let kinds = [
        Laws::nim().kinds,
        vec![take(Taking::Any, Choice::UpTo(2))],
        vec![take(Taking::Any, Choice::UpToAll)],
        vec![take(Taking::UpTo(3), Choice::One)],
        vec![take(Taking::In(vec![2, 5]), Choice::One)],
        vec![take(Taking::UpTo(2), Choice::UpTo(2))],
        vec![take(Taking::In(vec![1]), Choice::UpToAll)],
        vec![take(Taking::Any, Choice::Largest)],
        vec![split(false, Total::Any, 0)],
        vec![split(true, Total::Same, 1)],
        vec![Kind::Octal("0.77".parse().unwrap())],
        vec![Kind::Octal("4.07".parse().unwrap())],
        wythoff,
    ];
    kinds.into_iter().flat_map(|kinds| [Laws::nim().with(kinds.clone()), Laws::nim().misere().with(kinds)]).collect()
}

/// All games of which the tests play: laws with small positions.
fn games(chance: &mut Chance, count: usize) -> Vec<(Laws, Vec<Position>)> {
    let mut games = Vec::new();
    for laws in heap_laws() {
        let mut heaps = || Position::Heaps((0..1 + chance.below(3)).map(|_| chance.below(6) as u64).collect());
        let starts = (0..count).map(|_| heaps()).collect();
        games.push((laws, starts));
    }
    for frozen in [false, true] {
        let laws = Laws::nim().with(vec![Kind::Slide { amount: Taking::Any, frozen }]);
        let mut row = || Position::Row((0..4).map(|_| chance.below(4) as u64).collect());
        games.push((laws, (0..count).map(|_| row()).collect()));
    }
    for laws in [Laws::nim(), Laws::nim().misere()] {
        let laws = laws.with(vec![Kind::Add { from: 1, to: 4, limit: 30 }]);
        games.push((laws, (0..count).map(|_| Position::Counter(chance.below(31) as u64)).collect()));
        let mut stacks = || Position::Stacks { heights: vec![0; 1 + chance.below(3)], tokens: chance.below(7) as u64 };
        games.push((Laws::nim(), (0..count).map(|_| stacks()).collect()));
    }
    for arena in [Arena::Circle(9), Arena::Board(vec![9]), Arena::Board(vec![3, 3])] {
        for laws in [Laws::nim(), Laws::nim().misere()] {
            let run = Kind::Remove(Removal::Run(Taking::UpTo(2)));
            let mut cells = || (0..9).filter(|_| chance.below(4) > 0).fold(Bits::empty(9), Bits::with);
            let mut starts: Vec<Position> = (1..count).map(|_| Position::Cells(cells())).collect();
            starts.push(Position::Cells(Bits::full(9)));
            games.push((Laws { arena: arena.clone(), ..laws }.with(vec![run]), starts));
        }
    }
    let dag = Dag::new(7, &[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (4, 5), (3, 6), (0, 6)]).unwrap();
    let laws = Laws { arena: Arena::Dag(dag), ..Laws::nim() }.with(vec![Kind::Walk]);
    games.push((laws, (0..count).map(|_| Position::Tokens((0..3).map(|_| chance.below(7)).collect())).collect()));
    let edges = vec![(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (2, 4)];
    for corners in [Corners::Vertex, Corners::EdgeEnds, Corners::Clique, Corners::Connected, Corners::EdgesAtVertex] {
        let graph = Graph { vertices: 6, edges: edges.clone() };
        let start = Position::Graph { vertices: Bits::full(6), edges: Bits::full(6) };
        let kind = Kind::Remove(Removal::Corners(corners));
        games.push((Laws { arena: Arena::Graph(graph), ..Laws::nim() }.with(vec![kind]), vec![start]));
    }
    games
}

#[test]
fn every_choice_is_what_the_search_would_do() {
    for (laws, starts) in games(&mut Chance(1), 40) {
        let mut perfect = Perfect::new(laws.clone(), 1_000_000);
        let mut solver = Solver::new(laws.clone(), 1_000_000);
        for start in starts {
            let wins = solver.wins(&start).unwrap();
            assert_eq!(perfect.wins(&start).unwrap(), wins, "{start} by {:?}", laws.kinds);
            let Some(advice) = perfect.choose(&start).unwrap() else {
                assert!(laws.moves(&start, 1).is_empty(), "{start} has moves");
                continue;
            };
            assert_eq!(advice.wins, wins, "{start} by {:?}", laws.kinds);
            assert_eq!(laws.after(&start, &advice.step).as_ref(), Some(&advice.after));
            if wins {
                let winning = solver.winning_moves(&start).unwrap();
                assert!(winning.contains(&advice.step), "{start}: {} by {:?}", advice.step, advice.why);
            } else {
                let (whole, rest) = (solver.length(&start).unwrap(), solver.length(&advice.after).unwrap());
                assert_eq!(rest.moves + 1, whole.moves, "{start}: {} does not delay", advice.step);
            }
        }
    }
}

/// Plays to the end; whether the player who moves first wins.
fn first_wins(first: &mut Perfect, start: &Position, mut second: impl FnMut(&Position) -> Option<Position>) -> bool {
    let mut position = start.clone();
    let mut moved = 0;
    loop {
        let next = match moved % 2 {
            0 => first.choose(&position).unwrap().map(|advice| advice.after),
            _ => second(&position),
        };
        let Some(next) = next else { break };
        position = next;
        moved += 1;
    }
    let last_mover_is_first = moved % 2 == 1;
    last_mover_is_first == (first.laws().last_mover == LastMover::Wins)
}

fn play(games_each: usize) -> usize {
    let mut played = 0;
    let mut chance = Chance(2);
    for (laws, starts) in games(&mut Chance(3), 20) {
        let mut perfect = Perfect::new(laws.clone(), 1_000_000);
        let mut other = Perfect::new(laws.clone(), 1_000_000);
        let won: Vec<Position> = starts.into_iter().filter(|start| perfect.wins(start).unwrap()).collect();
        for round in 0..games_each {
            let Some(start) = won.get(round % won.len().max(1)) else { break };
            let random = |position: &Position| {
                let moves = laws.moves(position, 10_000);
                let chosen = chance.below(moves.len());
                moves.into_iter().nth(chosen).map(|(_, after)| after)
            };
            assert!(first_wins(&mut perfect, start, random), "lost to chance from {start} by {:?}", laws.kinds);
            let best = |position: &Position| other.choose(position).unwrap().map(|advice| advice.after);
            assert!(first_wins(&mut perfect, start, best), "lost to itself from {start} by {:?}", laws.kinds);
            played += 2;
        }
    }
    played
}

#[test]
fn a_won_position_is_never_lost() {
    assert!(play(20) > 1000);
}

#[test]
#[ignore = "ten thousand games of each kind: minutes"]
fn a_won_position_is_never_lost_in_ten_thousand_games() {
    assert!(play(5_000) > 100_000);
}

#[test]
fn large_heaps_are_played_by_theory() {
    let big = 1_u64 << 62;
    for laws in [Laws::nim(), Laws::nim().misere()] {
        let mut perfect = Perfect::new(laws, 10_000);
        let won = Position::Heaps(vec![big, big + 5, 77, 0]);
        let advice = perfect.choose(&won).unwrap().unwrap();
        assert!(advice.wins);
        let lost = perfect.choose(&advice.after).unwrap().unwrap();
        assert!(!lost.wins && matches!(lost.why, Why::Theory(_)));
    }
    let set = Laws::nim().with(vec![take(Taking::In(vec![1, 3, 4]), Choice::One)]);
    let mut perfect = Perfect::new(set, 10_000);
    // The values of this set repeat every 7: 0 1 0 1 2 3 2.
    let advice = perfect.choose(&Position::Heaps(vec![big / 7 * 7 + 4, 1])).unwrap().unwrap();
    assert!(advice.wins && matches!(advice.why, Why::Values(_)), "{advice:?}");
}

#[test]
fn what_was_searched_before_leaves_room_for_what_comes() {
    let laws = Laws::nim().misere().with(vec![Kind::Split { parts: 2, distinct: true, total: Total::Same, min: 1 }]);
    let need = |start: &Position| {
        let mut solver = Solver::new(laws.clone(), 1_000_000);
        solver.length(start).unwrap();
        solver.wins(start).unwrap();
        solver.positions()
    };
    let starts: Vec<Position> = (14..=20).map(|size| Position::Heaps(vec![size, size - 5])).collect();
    // Enough for each of them, and not for all.
    let budget = starts.iter().map(need).max().unwrap() + 100;
    let mut perfect = Perfect::new(laws.clone(), budget);
    let mut solver = Solver::new(laws, 1_000_000);
    for start in starts.iter().rev().chain(&starts) {
        assert_eq!(perfect.wins(start), Ok(solver.wins(start).unwrap()), "{start}");
    }
    assert!(solver.positions() > budget);
}

#[test]
fn several_players_get_the_best_place() {
    let laws = Laws { players: 3, ..Laws::nim() };
    let mut perfect = Perfect::new(laws.clone(), 100_000);
    let mut solver = Solver::new(laws, 100_000);
    for heaps in [vec![1], vec![1, 1], vec![1, 2, 3], vec![1, 1, 2], vec![4, 5, 6], vec![3, 3, 3], vec![2, 5, 7, 1]] {
        let start = Position::Heaps(heaps);
        let advice = perfect.choose(&start).unwrap().unwrap();
        let place = solver.place(&start).unwrap();
        assert_eq!((solver.place(&advice.after).unwrap() + 1) % 3, place, "{start}: {}", advice.step);
        assert_eq!(advice.wins, place == 0, "{start}");
    }
}

#[test]
fn several_players_count() {
    let laws = Laws { players: 4, ..Laws::nim() }.with(vec![Kind::Add { from: 1, to: 3, limit: 40 }]);
    let mut perfect = Perfect::new(laws.clone(), 10);
    let mut solver = Solver::new(laws, 1000);
    for number in 0..40 {
        let start = Position::Counter(number);
        let advice = perfect.choose(&start).unwrap().unwrap();
        let place = solver.place(&start).unwrap();
        assert_eq!((solver.place(&advice.after).unwrap() + 1) % 4, place, "{start}: {}", advice.step);
        assert_eq!(advice.wins, place == 0, "{start}");
    }
}

#[test]
fn counting_goes_as_far_as_numbers_do() {
    let far = 1_000_000_000_000_000_000;
    let laws = Laws::nim().with(vec![Kind::Add { from: 1, to: far / 3, limit: far }]);
    let advice = Perfect::new(laws.clone(), 1000).choose(&Position::Counter(5)).unwrap().unwrap();
    assert!(advice.wins);
    for (from, amount) in [(0, 0), (0, far / 3 + 1), (far - 1, 2), (5, u64::MAX)] {
        assert_eq!(laws.after(&Position::Counter(from), &Move::Add(amount)), None, "{from} + {amount}");
    }
}

#[test]
fn candy_is_won_first_and_counted_then() {
    let laws = Laws { payoff: Payoff::WinThenTaken, ..Laws::nim() };
    let mut perfect = Perfect::new(laws.clone(), 100_000);
    let mut solver = Solver::new(laws, 100_000);
    for heaps in [vec![1, 4, 5], vec![4, 9, 3], vec![7, 7], vec![2, 3, 6]] {
        let start = Position::Heaps(heaps);
        let advice = perfect.choose(&start).unwrap().unwrap();
        assert!(solver.best_moves(&start).unwrap().contains(&advice.step), "{start}: {}", advice.step);
    }
}

#[test]
fn moves_are_written_and_read_back() {
    for (laws, starts) in games(&mut Chance(4), 6) {
        for start in starts {
            for (step, after) in laws.moves(&start, 500) {
                assert_eq!(laws.after(&start, &step), Some(after.clone()), "{start}: {step}");
                let read = laws.read_move(&start, &step.numbers());
                let reached = read.and_then(|read| laws.after(&start, &read)).unwrap();
                assert_eq!(laws.canonical(reached), laws.canonical(after), "{start}: {step}");
            }
        }
    }
}

#[test]
fn what_the_rules_forbid_is_not_read() {
    let nim = Laws::nim();
    let heaps = Position::Heaps(vec![3, 5]);
    for numbers in [vec![], vec![1], vec![0, 1], vec![3, 1], vec![1, 0], vec![1, 4], vec![1, 1, 2, 1], vec![1, 1, 1, 1]]
    {
        assert_eq!(nim.read_move(&heaps, &numbers), None, "{numbers:?}");
    }
    let split = nim.clone().with(vec![Kind::Split { parts: 2, distinct: true, total: Total::Same, min: 1 }]);
    for numbers in [vec![2, 5, 0], vec![2, 2, 2], vec![2, 1, 5], vec![1, 3], vec![2, 1, 1, 3]] {
        assert_eq!(split.read_move(&heaps, &numbers), None, "{numbers:?}");
    }
    assert!(split.read_move(&heaps, &[2, 4, 1]).is_some(), "parts may come in any order");
    let stairs = nim.with(vec![Kind::Slide { amount: Taking::Any, frozen: true }]);
    assert_eq!(stairs.read_move(&Position::Row(vec![3, 5]), &[1, 1]), None, "the first step is frozen");
}
