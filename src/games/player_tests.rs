//! Tests the perfect player against the solver, against random play and against itself.

use super::*;

/// A small random number generator with a fixed seed, so that every run of a test plays the same games.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound.max(1) as u64) as usize
    }
}

fn take(amount: BoundAmounts, from: HeapChoice<u64>) -> BoundMoveRule {
    MoveRule::Take { amount, from, same: false }
}

fn heap_rules() -> Vec<BoundRules> {
    let split = |distinct, total, min| MoveRule::Split { parts: 2, distinct, total, min };
    let every = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true };
    let mut wythoff = BoundRules::nim().move_rules;
    wythoff.push(every);
    let move_rules = [
        BoundRules::nim().move_rules,
        vec![take(AllowedAmounts::Any, HeapChoice::UpTo(2))],
        vec![take(AllowedAmounts::Any, HeapChoice::UpToAll)],
        vec![take(AllowedAmounts::UpTo(3), HeapChoice::One)],
        vec![take(AllowedAmounts::In(vec![2, 5]), HeapChoice::One)],
        vec![take(AllowedAmounts::UpTo(2), HeapChoice::UpTo(2))],
        vec![take(AllowedAmounts::In(vec![1]), HeapChoice::UpToAll)],
        vec![take(AllowedAmounts::Any, HeapChoice::Largest)],
        vec![split(false, SplitTotal::Any, 0)],
        vec![split(true, SplitTotal::Same, 1)],
        vec![MoveRule::Octal("0.77".parse().unwrap())],
        vec![MoveRule::Octal("4.07".parse().unwrap())],
        wythoff,
    ];
    move_rules
        .into_iter()
        .flat_map(|move_rules| {
            [BoundRules::nim().with(move_rules.clone()), BoundRules::nim().misere().with(move_rules)]
        })
        .collect()
}

/// Returns the rules of games of all kinds, each with up to `count` small start positions.
fn games(chance: &mut Chance, count: usize) -> Vec<(BoundRules, Vec<Position>)> {
    let mut games = Vec::new();
    for rules in heap_rules() {
        let mut heaps = || Position::Heaps((0..1 + chance.below(3)).map(|_| chance.below(6) as u64).collect());
        let starts = (0..count).map(|_| heaps()).collect();
        games.push((rules, starts));
    }
    for frozen in [false, true] {
        let rules = BoundRules::nim().with(vec![MoveRule::Slide { amount: AllowedAmounts::Any, frozen }]);
        let mut row = || Position::Row((0..4).map(|_| chance.below(4) as u64).collect());
        games.push((rules, (0..count).map(|_| row()).collect()));
    }
    for rules in [BoundRules::nim(), BoundRules::nim().misere()] {
        let adding = rules.clone().with(vec![MoveRule::Add { from: 1, to: 4, limit: 30 }]);
        games.push((adding, (0..count).map(|_| Position::Counter(chance.below(31) as u64)).collect()));
        let mut stacks = || Position::Stacks { heights: vec![0; 1 + chance.below(3)], tokens: chance.below(7) as u64 };
        games.push((rules, (0..count).map(|_| stacks()).collect()));
    }
    for board in [Board::Circle(9), Board::Grid(vec![9]), Board::Grid(vec![3, 3])] {
        for rules in [BoundRules::nim(), BoundRules::nim().misere()] {
            let run = MoveRule::Remove(RemovalRule::Run(AllowedAmounts::UpTo(2)));
            let mut cells = || (0..9).filter(|_| chance.below(4) > 0).fold(BitSet::empty(9), BitSet::with);
            let mut starts: Vec<Position> = (1..count).map(|_| Position::Cells(cells())).collect();
            starts.push(Position::Cells(BitSet::full(9)));
            games.push((BoundRules { board: board.clone(), ..rules }.with(vec![run]), starts));
        }
    }
    let dag = Dag::new(7, &[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (4, 5), (3, 6), (0, 6)]).unwrap();
    let rules = BoundRules { board: Board::Dag(dag), ..BoundRules::nim() }.with(vec![MoveRule::Walk]);
    games.push((rules, (0..count).map(|_| Position::Tokens((0..3).map(|_| chance.below(7)).collect())).collect()));
    let edges = vec![(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (2, 4)];
    for part in
        [GraphPart::Vertex, GraphPart::EdgeEnds, GraphPart::Clique, GraphPart::Connected, GraphPart::EdgesAtVertex]
    {
        let graph = Graph { vertices: 6, edges: edges.clone() };
        let start = Position::Graph { vertices: BitSet::full(6), edges: BitSet::full(6) };
        let move_rule = MoveRule::Remove(RemovalRule::GraphPart(part));
        games.push((BoundRules { board: Board::Graph(graph), ..BoundRules::nim() }.with(vec![move_rule]), vec![start]));
    }
    games
}

#[test]
fn every_choice_agrees_with_the_solver() {
    for (rules, starts) in games(&mut Chance(1), 40) {
        let mut perfect = PerfectPlayer::new(rules.clone(), 1_000_000);
        let mut solver = Solver::new(rules.clone(), 1_000_000);
        for start in starts {
            let wins = solver.wins(&start).unwrap();
            assert_eq!(perfect.wins(&start).unwrap(), wins, "{start} by {:?}", rules.move_rules);
            let Some(advice) = perfect.choose(&start).unwrap() else {
                assert!(rules.moves(&start, 1).is_empty(), "{start} has moves");
                continue;
            };
            assert_eq!(advice.wins, wins, "{start} by {:?}", rules.move_rules);
            assert_eq!(rules.apply_move(&start, &advice.step).as_ref(), Some(&advice.after));
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

/// Plays a game to its end. Returns whether the first player wins.
fn first_wins(
    first: &mut PerfectPlayer,
    start: &Position,
    mut second: impl FnMut(&Position) -> Option<Position>,
) -> bool {
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
    last_mover_is_first == (first.rules().last_mover == LastMover::Wins)
}

fn play(games_each: usize) -> usize {
    let mut played = 0;
    let mut chance = Chance(2);
    for (rules, starts) in games(&mut Chance(3), 20) {
        let mut perfect = PerfectPlayer::new(rules.clone(), 1_000_000);
        let mut other = PerfectPlayer::new(rules.clone(), 1_000_000);
        let won: Vec<Position> = starts.into_iter().filter(|start| perfect.wins(start).unwrap()).collect();
        for round in 0..games_each {
            let Some(start) = won.get(round % won.len().max(1)) else { break };
            let random = |position: &Position| {
                let moves = rules.moves(position, 10_000);
                let chosen = chance.below(moves.len());
                moves.into_iter().nth(chosen).map(|(_, after)| after)
            };
            assert!(
                first_wins(&mut perfect, start, random),
                "lost to random play from {start} by {:?}",
                rules.move_rules
            );
            let best = |position: &Position| other.choose(position).unwrap().map(|advice| advice.after);
            assert!(first_wins(&mut perfect, start, best), "lost to itself from {start} by {:?}", rules.move_rules);
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
#[ignore = "takes minutes: plays ten thousand games of each kind"]
fn long_a_won_position_is_never_lost_in_ten_thousand_games() {
    assert!(play(5_000) > 100_000);
}

#[test]
fn closed_forms_play_large_heaps() {
    let big = 1_u64 << 62;
    for rules in [BoundRules::nim(), BoundRules::nim().misere()] {
        let mut perfect = PerfectPlayer::new(rules, 10_000);
        let won = Position::Heaps(vec![big, big + 5, 77, 0]);
        let advice = perfect.choose(&won).unwrap().unwrap();
        assert!(advice.wins);
        let lost = perfect.choose(&advice.after).unwrap().unwrap();
        assert!(!lost.wins && matches!(lost.why, Justification::Theory(_)));
    }
    let set = BoundRules::nim().with(vec![take(AllowedAmounts::In(vec![1, 3, 4]), HeapChoice::One)]);
    let mut perfect = PerfectPlayer::new(set, 10_000);
    // The Grundy values of this subtraction game have period 7: 0 1 0 1 2 3 2.
    let advice = perfect.choose(&Position::Heaps(vec![big / 7 * 7 + 4, 1])).unwrap().unwrap();
    assert!(advice.wins && matches!(advice.why, Justification::Values(_)), "{advice:?}");
}

#[test]
fn a_full_memo_does_not_fail_later_queries() {
    let rules = BoundRules::nim().misere().with(vec![MoveRule::Split {
        parts: 2,
        distinct: true,
        total: SplitTotal::Same,
        min: 1,
    }]);
    let need = |start: &Position| {
        let mut solver = Solver::new(rules.clone(), 1_000_000);
        solver.length(start).unwrap();
        solver.wins(start).unwrap();
        solver.positions()
    };
    let starts: Vec<Position> = (14..=20).map(|size| Position::Heaps(vec![size, size - 5])).collect();
    // The budget suffices for each position, but not for all of them together.
    let budget = starts.iter().map(need).max().unwrap() + 100;
    let mut perfect = PerfectPlayer::new(rules.clone(), budget);
    let mut solver = Solver::new(rules, 1_000_000);
    for start in starts.iter().rev().chain(&starts) {
        assert_eq!(perfect.wins(start), Ok(solver.wins(start).unwrap()), "{start}");
    }
    assert!(solver.positions() > budget);
}

#[test]
fn a_position_with_more_moves_than_the_budget_is_played_with_caution() {
    // The sixth move is the first that wins.
    let rules =
        BoundRules::nim().with(vec![MoveRule::Split { parts: 2, distinct: true, total: SplitTotal::Same, min: 1 }]);
    let start = Position::Heaps(vec![9_000, 9_000, 9_000, 9_000, 3]);
    let mut perfect = PerfectPlayer::new(rules.clone(), 5);
    assert_eq!(perfect.wins(&start), Ok(true));
    assert_eq!(perfect.choose(&start), Err(SolveError::Moves { allowed: 5 }));
    assert!(perfect.cautious(&start).is_some());
    let mut patient = PerfectPlayer::new(rules, 6);
    assert_eq!(patient.choose(&start).unwrap().map(|advice| advice.wins), Some(true));
}

#[test]
fn several_players_get_the_best_place() {
    let rules = BoundRules { players: 3, ..BoundRules::nim() };
    let mut perfect = PerfectPlayer::new(rules.clone(), 100_000);
    let mut solver = Solver::new(rules, 100_000);
    for heaps in [vec![1], vec![1, 1], vec![1, 2, 3], vec![1, 1, 2], vec![4, 5, 6], vec![3, 3, 3], vec![2, 5, 7, 1]] {
        let start = Position::Heaps(heaps);
        let advice = perfect.choose(&start).unwrap().unwrap();
        let place = solver.place(&start).unwrap();
        assert_eq!((solver.place(&advice.after).unwrap() + 1) % 3, place, "{start}: {}", advice.step);
        assert_eq!(advice.wins, place == 0, "{start}");
    }
}

#[test]
fn counting_games_have_several_players() {
    let rules = BoundRules { players: 4, ..BoundRules::nim() }.with(vec![MoveRule::Add { from: 1, to: 3, limit: 40 }]);
    let mut perfect = PerfectPlayer::new(rules.clone(), 10);
    let mut solver = Solver::new(rules, 1000);
    for number in 0..40 {
        let start = Position::Counter(number);
        let advice = perfect.choose(&start).unwrap().unwrap();
        let place = solver.place(&start).unwrap();
        assert_eq!((solver.place(&advice.after).unwrap() + 1) % 4, place, "{start}: {}", advice.step);
        assert_eq!(advice.wins, place == 0, "{start}");
    }
}

#[test]
fn counting_games_reach_the_largest_numbers() {
    let far = 1_000_000_000_000_000_000;
    let rules = BoundRules::nim().with(vec![MoveRule::Add { from: 1, to: far / 3, limit: far }]);
    let advice = PerfectPlayer::new(rules.clone(), 1000).choose(&Position::Counter(5)).unwrap().unwrap();
    assert!(advice.wins);
    for (from, amount) in [(0, 0), (0, far / 3 + 1), (far - 1, 2), (5, u64::MAX)] {
        assert_eq!(rules.apply_move(&Position::Counter(from), &Move::Add(amount)), None, "{from} + {amount}");
    }
}

#[test]
fn candy_nim_is_played_for_the_win_first() {
    let rules = BoundRules { payoff: Payoff::WinThenTaken, ..BoundRules::nim() };
    let mut perfect = PerfectPlayer::new(rules.clone(), 100_000);
    let mut solver = Solver::new(rules, 100_000);
    for heaps in [vec![1, 4, 5], vec![4, 9, 3], vec![7, 7], vec![2, 3, 6]] {
        let start = Position::Heaps(heaps);
        let advice = perfect.choose(&start).unwrap().unwrap();
        assert!(solver.best_moves(&start).unwrap().contains(&advice.step), "{start}: {}", advice.step);
    }
}

#[test]
fn moves_round_trip_through_their_numbers() {
    for (rules, starts) in games(&mut Chance(4), 6) {
        for start in starts {
            for (step, after) in rules.moves(&start, 500) {
                assert_eq!(rules.apply_move(&start, &step), Some(after.clone()), "{start}: {step}");
                let read = rules.read_move(&start, &step.numbers());
                let reached = read.and_then(|read| rules.apply_move(&start, &read)).unwrap();
                assert_eq!(rules.canonical(reached), rules.canonical(after), "{start}: {step}");
            }
        }
    }
}

#[test]
fn illegal_moves_are_not_read() {
    let nim = BoundRules::nim();
    let heaps = Position::Heaps(vec![3, 5]);
    for numbers in [vec![], vec![1], vec![0, 1], vec![3, 1], vec![1, 0], vec![1, 4], vec![1, 1, 2, 1], vec![1, 1, 1, 1]]
    {
        assert_eq!(nim.read_move(&heaps, &numbers), None, "{numbers:?}");
    }
    let split = nim.clone().with(vec![MoveRule::Split { parts: 2, distinct: true, total: SplitTotal::Same, min: 1 }]);
    for numbers in [vec![2, 5, 0], vec![2, 2, 2], vec![2, 1, 5], vec![1, 3], vec![2, 1, 1, 3]] {
        assert_eq!(split.read_move(&heaps, &numbers), None, "{numbers:?}");
    }
    assert!(split.read_move(&heaps, &[2, 4, 1]).is_some(), "parts may come in any order");
    let stairs = nim.with(vec![MoveRule::Slide { amount: AllowedAmounts::Any, frozen: true }]);
    assert_eq!(stairs.read_move(&Position::Row(vec![3, 5]), &[1, 1]), None, "the first step is frozen");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_search_among_large_heaps_ends_before_it_uses_up_the_memory() {
    // Every position has up to 200,000 moves, and a line of play has up to 200,000 positions.
    let start = Position::Heaps(vec![100_000, 100_000]);
    let rules = BoundRules { payoff: Payoff::WinThenTaken, ..BoundRules::nim() };
    let work = 10_000_000;
    let mut perfect = PerfectPlayer::new(rules, 300_000).with_work(work);
    assert_eq!(perfect.choose(&start), Err(SolveError::Work { allowed: work }));
    assert_eq!(perfect.wins(&Position::Heaps(vec![3, 3])), Ok(false), "each search has the whole work limit");
}
