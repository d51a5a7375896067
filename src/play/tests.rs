//! Tests of whole matches with scripted input.

use super::*;
use crate::games::{
    AllowedAmounts, BitSet, Board, BoundRules, Dag, Game, HeapChoice, LastMover, MoveRule, Payoff, Position,
    RemovalRule,
};
use crate::input::Rng;
use crate::model::Digest;

fn setup(rules: BoundRules, start: Position, turn_order: &[PlayerKind]) -> MatchSetup {
    let rng = Rng::from_digest(&Digest::of(b"tests"));
    let game = Game { rules, start };
    MatchSetup {
        game,
        turn_order: turn_order.to_vec(),
        level: PlayLevel::Perfect,
        rng,
        budget: 100_000,
        work: u64::MAX,
        width: 72,
    }
}

/// Plays a match with these lines as input, and returns the lines and all replies.
fn script(setup: MatchSetup, lines: &[&str]) -> String {
    let mut game = Match::new(setup);
    let mut reply = game.begin();
    let mut shown = reply.text.clone();
    for line in lines {
        assert_eq!(reply.next, NextInput::Line, "before {line}:\n{shown}");
        reply = game.handle_line(line);
        shown += &format!("\n\n> {line}\n{}", reply.text);
    }
    shown
}

fn nim(heaps: &[u64], lines: &[&str]) -> String {
    script(setup(BoundRules::nim(), Position::Heaps(heaps.to_vec()), &[PlayerKind::Human, PlayerKind::Machine]), lines)
}

#[test]
fn a_game_of_nim_to_its_end() {
    let lines = ["hint", "3 2", "hint", "take 1 from heap 2", "1 1", "2 2", "3 1", "3 1"];
    insta::assert_snapshot!(nim(&[1, 3, 4], &lines), @r"
    A move: take any number of objects from one heap. The last mover wins.

      heap 1  1  ●
      heap 2  3  ●●●
      heap 3  4  ●●●●

    > hint
      heap 1   1  0 0 1
      heap 2   3  0 1 1
      heap 3   4  1 0 0
      nim-sum  6  1 1 0
    The nim-sum is 6. Its highest bit is set in heap 3, and 4 xor 6 = 2:
    `take 2 from heap 3` wins; afterwards the nim-sum is 0.
    It is the only winning move.

    > 3 2
    You: take 2 from heap 3
    Nimatron: take 1 from heap 1

      heap 1  0
      heap 2  3  ●●●
      heap 3  2  ●●

    > hint
      heap 1   0  0 0
      heap 2   3  1 1
      heap 3   2  1 0
      nim-sum  1  0 1
    The nim-sum is 1. Its highest bit is set in heap 2, and 3 xor 1 = 2:
    `take 1 from heap 2` wins; afterwards the nim-sum is 0.
    It is the only winning move.

    > take 1 from heap 2
    You: take 1 from heap 2
    Nimatron: take 1 from heap 2

      heap 1  0
      heap 2  1  ●
      heap 3  2  ●●

    > 1 1
    There are no objects in heap 1. `moves` lists the legal moves.

    > 2 2
    There is only 1 object in heap 2. `moves` lists the legal moves.

    > 3 1
    You: take 1 from heap 3
    Nimatron: take 1 from heap 2

      heap 1  0
      heap 2  0
      heap 3  1  ●

    > 3 1
    You: take 1 from heap 3

    That was the last move: You win.
    ");
}

#[test]
fn invalid_lines_are_explained() {
    let lines = ["", "2 9", "7 1", "2 0", "hnit", "xyzzy", "-1 2", "moves", "help", "rules", "quit"];
    insta::assert_snapshot!(nim(&[2, 3], &lines), @r"
    A move: take any number of objects from one heap. The last mover wins.

      heap 1  2  ●●
      heap 2  3  ●●●

    > 
    Type a heap and an amount, such as `2 3`, or `take 3 from heap 2`;
    `help` lists all commands.

    > 2 9
    There are only 3 objects in heap 2. `moves` lists the legal moves.

    > 7 1
    There is no heap 7; expected a heap from 1 to 2. `moves` lists the legal
    moves.

    > 2 0
    That move is not legal here. Type a heap and an amount, such as `2 3`,
    or `take 3 from heap 2`. `moves` lists the legal moves.

    > hnit
    Did you mean `hint`? Type a heap and an amount, such as `2 3`, or
    `take 3 from heap 2`; `help` lists all commands.

    > xyzzy
    Type a heap and an amount, such as `2 3`, or `take 3 from heap 2`;
    `help` lists all commands.

    > -1 2
    Type a heap and an amount, such as `2 3`, or `take 3 from heap 2`;
    `help` lists all commands.

    > moves
      1 1          take 1 from heap 1
      1 2          take 2 from heap 1
      2 1          take 1 from heap 2
      2 2          take 2 from heap 2
      2 3          take 3 from heap 2

    > help
    Type a heap and an amount, such as `2 3`, or `take 3 from heap 2`.
      hint   suggest a move and explain it
      undo   take your last move back
      moves  list the legal moves
      rules  show the rules
      show   show the position
      quit   end the match

    > rules
    A move: take any number of objects from one heap. The last mover wins.

    > quit
    Good-bye.
    ");
}

#[test]
fn moves_are_taken_back() {
    let mut game =
        Match::new(setup(BoundRules::nim(), Position::Heaps(vec![1, 3, 5]), &[PlayerKind::Human, PlayerKind::Machine]));
    game.begin();
    assert!(game.handle_line("undo").text.contains("no move to take back"));
    let start = game.position().clone();
    game.handle_line("3 1");
    assert_ne!(game.position(), &start);
    game.handle_line("undo");
    assert_eq!(game.position(), &start);
    let end =
        Match::new(setup(BoundRules::nim(), Position::Heaps(vec![1, 3, 5]), &[PlayerKind::Machine, PlayerKind::Human]));
    let mut second = end;
    second.begin();
    let after_machine = second.position().clone();
    second.handle_line("2 1");
    second.handle_line("undo");
    assert_eq!(second.position(), &after_machine, "the machine's first move is not taken back");
}

#[test]
fn misere_moore_nim_leaves_ones_by_its_modulus() {
    let up_to_two = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::UpTo(2), same: false };
    let rules = BoundRules { move_rules: vec![up_to_two], ..BoundRules::nim() }.misere();
    let start = Position::Heaps(vec![1, 1, 1, 1, 1]);
    let shown = script(setup(rules, start, &[PlayerKind::Human, PlayerKind::Machine]), &["hint"]);
    let words: Vec<&str> = shown.split_whitespace().collect();
    // After one heap is taken, four heaps are left, and 4 is congruent to 1 modulo 3.
    assert!(words.join(" ").contains("a winning move leaves a number of ones that is 1 modulo 3"), "{shown}");
}

#[test]
fn misere_nim_explains_its_end() {
    let turn_order = [PlayerKind::Human, PlayerKind::Machine];
    let game = |heaps: &[u64]| setup(BoundRules::nim().misere(), Position::Heaps(heaps.to_vec()), &turn_order);
    insta::assert_snapshot!(script(game(&[1, 1, 4]), &["hint", "3 3", "2 1"]), @r"
    A move: take any number of objects from one heap. The last mover loses.

      heap 1  1  ●
      heap 2  1  ●
      heap 3  4  ●●●●

    > hint
      heap 1   1  0 0 1
      heap 2   1  0 0 1
      heap 3   4  1 0 0
      nim-sum  4  1 0 0
    The nim-sum is 4. `take 3 from heap 3` wins; in misère play, once no
    number in the table exceeds 1, a winning move leaves an odd number of
    ones.
    It is the only winning move.

    > 3 3
    You: take 3 from heap 3
    Nimatron: take 1 from heap 1

      heap 1  0
      heap 2  1  ●
      heap 3  1  ●

    > 2 1
    You: take 1 from heap 2
    Nimatron: take 1 from heap 3

    That was the last move: You win.
    ");
    insta::assert_snapshot!(script(game(&[1, 1]), &["hint"]), @r"
    A move: take any number of objects from one heap. The last mover loses.

      heap 1  1  ●
      heap 2  1  ●

    > hint
      heap 1   1  1
      heap 2   1  1
      nim-sum  0  0
    Only heaps of 1 are left, and taking the last object loses, so the
    number of heaps determines the winner. `take 1 from heap 1` wins; in
    misère play, once no number in the table exceeds 1, a winning move
    leaves an odd number of ones.
    2 moves win here. The same move wins on either of the two heaps of 1.
    ");
}

#[test]
fn each_game_shows_the_numbers_that_decide() {
    let hint = |rules: BoundRules, start: Position| {
        script(setup(rules, start, &[PlayerKind::Human, PlayerKind::Machine]), &["hint"])
    };
    let take = |amount, from| BoundRules::nim().with(vec![MoveRule::Take { amount, from, same: false }]);
    let shown = [
        hint(take(AllowedAmounts::Any, HeapChoice::UpTo(2)), Position::Heaps(vec![3, 5, 6, 1])),
        hint(take(AllowedAmounts::UpTo(3), HeapChoice::One), Position::Heaps(vec![9, 6])),
        hint(take(AllowedAmounts::In(vec![1, 3, 4]), HeapChoice::One), Position::Heaps(vec![9, 6])),
        hint(
            BoundRules::nim().with(vec![MoveRule::Slide { amount: AllowedAmounts::Any, frozen: false }]),
            Position::Row(vec![1, 7, 4]),
        ),
        hint(take(AllowedAmounts::Any, HeapChoice::Largest), Position::Heaps(vec![5, 2, 2])),
        hint(BoundRules { players: 3, ..BoundRules::nim() }, Position::Heaps(vec![1, 2, 3])),
    ];
    insta::assert_snapshot!(shown.join("\n\n----\n\n"), @r"
    A move: take any number of objects from each of 1 to 2 heaps. The last
    mover wins.

      heap 1  3  ●●●
      heap 2  5  ●●●●●
      heap 3  6  ●●●●● ●
      heap 4  1  ●

    > hint
      heap 1    3  0 1 1
      heap 2    5  1 0 1
      heap 3    6  1 1 0
      heap 4    1  0 0 1
      modulo 3     2 2 0
    For some binary digit, the number of heaps whose size has a 1 there is
    not divisible by 3. `take 2 from heap 2 and 4 from heap 3` wins;
    afterwards every such number is divisible by 3.
    2 moves win here.

    ----

    A move: take 1 to 3 objects from one heap. The last mover wins.

      heap 1  9  ●●●●● ●●●●
      heap 2  6  ●●●●● ●

    > hint
      (modulo 4)
      heap 1   9 → 1  0 1
      heap 2   6 → 2  1 0
      nim-sum      3  1 1
    The nim-sum is 3. `take 3 from heap 1` wins; afterwards the nim-sum is
    0.
    2 moves win here.

    ----

    A move: take 1 or 3 or 4 objects from one heap. The last mover wins.

      heap 1  9  ●●●●● ●●●●
      heap 2  6  ●●●●● ●

    > hint
      (Grundy value)
      heap 1   9 → 0  0 0
      heap 2   6 → 2  1 0
      nim-sum      2  1 0
    The nim-sum is 2. `take 3 from heap 1` wins; afterwards the nim-sum is
    0.
    2 moves win here.

    ----

    A move: move any number of objects from a step to the step below, or
    from the lowest step to the ground. The last mover wins.

          step 3  4  ●●●●
        step 2  7  ●●●●● ●●
      step 1  1  ●
      ‾‾‾‾‾‾‾‾‾‾‾‾

    > hint
      (numbers of objects on every second step)
      step 1   1  0 0 1
      step 3   4  1 0 0
      nim-sum  5  1 0 1
    The nim-sum is 5. `move 3 down from step 2` wins; afterwards the nim-sum
    is 0.
    2 moves win here.

    ----

    A move: take any number of objects from a largest heap. The last mover
    wins.

      heap 1  5  ●●●●●
      heap 2  2  ●●
      heap 3  2  ●●

    > hint
    Theory used: the number of heaps of the largest size.
    `take 5 from heap 1` wins.
    2 moves win here.

    ----

    A move: take any number of objects from one heap. There are 3 players.
    The last mover comes first, the previous player second, and so on.

      heap 1  1  ●
      heap 2  2  ●●
      heap 3  3  ●●●

    > hint
      heap 1    1  0 1
      heap 2    2  1 0
      heap 3    3  1 1
      modulo 3     2 2
    For some binary digit, the number of heaps whose size has a 1 there is
    not divisible by 3. No move leads to first place against perfect play;
    try `take 1 from heap 2`.
    ");
}

#[test]
fn each_kind_of_position_is_drawn() {
    let run = |board: Board| {
        BoundRules { board, ..BoundRules::nim() }
            .with(vec![MoveRule::Remove(RemovalRule::Run(AllowedAmounts::UpTo(2)))])
    };
    let turn_order = [PlayerKind::Human, PlayerKind::Machine];
    let begin = |rules: BoundRules, start: Position| Match::new(setup(rules, start, &turn_order)).begin().text;
    let cells = |count: usize, gone: usize| Position::Cells(BitSet::full(count).without(gone));
    let dag = Dag::new(4, &[(0, 1), (0, 2), (1, 3)]).unwrap();
    let walk = BoundRules { board: Board::Dag(dag), ..BoundRules::nim() }.with(vec![MoveRule::Walk]);
    let shown = [
        begin(run(Board::Circle(12)), cells(12, 4)),
        begin(run(Board::Grid(vec![2, 5])), cells(10, 3)),
        begin(walk, Position::Tokens(vec![0, 3])),
        begin(BoundRules::nim().with(vec![MoveRule::Add { from: 1, to: 3, limit: 21 }]), Position::Counter(5)),
        begin(BoundRules::nim(), Position::Stacks { heights: vec![0, 2], tokens: 3 }),
        begin(BoundRules::nim(), Position::Heaps(vec![1_000_000, 0, 17])),
    ];
    insta::assert_snapshot!(shown.join("\n\n----\n\n"), @r"
    A move: remove 1 to 2 adjacent pieces on the circle. The last mover
    wins.

       1  2  3  4  5  6  7  8  9 10 11 12
       ●  ●  ●  ●  ·  ●  ●  ●  ●  ●  ●  ●
      (a circle: 12 is next to 1)

    ----

    A move: remove 1 to 2 adjacent pieces on a line. The last mover wins.

       1  2  3  ·  5
       6  7  8  9 10

    ----

    A move: move a token along an edge. The last mover wins.

      token 1 on vertex 1: can move to 2, 3
      token 2 on vertex 4: no move

    ----

    A move: add a number from 1 to 3, up to a total of 21. The last mover
    wins.

      5 (16 left to reach 21)

    ----

    A move: place a token on a stack; when all tokens are placed, take any
    number of objects from one heap. The last mover wins.

      stack 1  0
      stack 2  2  ●●
      to place  ●●●

    ----

    A move: take any number of objects from one heap. The last mover wins.

      heap 1  1000000  ●●●●● ●●●●● ●●●●● ●●●●● ●●●●● ●●●●● ●●●●● ●●●●● …
      heap 2        0
      heap 3       17  ●●●●● ●●●●● ●●●●● ●●
    ");
}

#[test]
fn three_players_get_places_and_objects_are_counted() {
    let three = setup(
        BoundRules { players: 3, ..BoundRules::nim() },
        Position::Heaps(vec![1, 1, 1]),
        &[PlayerKind::Human, PlayerKind::Machine, PlayerKind::Machine],
    );
    insta::assert_snapshot!(script(three, &["1 1"]), @r"
    A move: take any number of objects from one heap. There are 3 players.
    The last mover comes first, the previous player second, and so on.

      heap 1  1  ●
      heap 2  1  ●
      heap 3  1  ●

    > 1 1
    You: take 1 from heap 1
    Nimatron (2): take 1 from heap 2
    Nimatron (3): take 1 from heap 3

    No move is left. Places: 1. Nimatron (3), 2. Nimatron (2), 3. You
    ");
    let candy = BoundRules { payoff: Payoff::WinThenTaken, ..BoundRules::nim() };
    let candy = setup(candy, Position::Heaps(vec![2, 2]), &[PlayerKind::Machine, PlayerKind::Human]);
    insta::assert_snapshot!(script(candy, &["2 2"]), @r"
    A move: take any number of objects from one heap. The last mover wins.
    The secondary goal is to take as many objects as possible.

      heap 1  2  ●●
      heap 2  2  ●●

    Nimatron: take 1 from heap 1

      heap 1  1  ●
      heap 2  2  ●●

    > 2 2
    You: take 2 from heap 2
    Nimatron: take 1 from heap 1

    That was the last move: Nimatron wins. Objects taken: 2 by the winner, 2
    by the loser.
    ");
}

#[test]
fn a_program_moves_resigns_or_prints_nonsense() {
    let begin = |rules: BoundRules, said: ProgramReply| {
        let mut game =
            Match::new(setup(rules, Position::Heaps(vec![2, 2]), &[PlayerKind::Program, PlayerKind::Machine]));
        assert_eq!(game.begin().next, NextInput::Program);
        let text = game.handle_program(&said).text;
        (text, game.winner())
    };
    for rules in [BoundRules::nim(), BoundRules::nim().misere()] {
        for said in
            [ProgramReply::Resigns, ProgramReply::Invalid("found nothing".to_owned()), ProgramReply::Move(vec![9, 9])]
        {
            let (text, winner) = begin(rules.clone(), said);
            assert_eq!(winner, Some(PlayerKind::Machine), "{text}");
        }
    }
    let (_, winner) = begin(BoundRules::nim(), ProgramReply::Move(vec![1, 1]));
    assert_eq!(winner, None);
}

#[test]
fn an_empty_position_ends_at_once() {
    for (rules, winner) in [(BoundRules::nim(), PlayerKind::Machine), (BoundRules::nim().misere(), PlayerKind::Human)] {
        let mut game = Match::new(setup(rules, Position::Heaps(vec![0]), &[PlayerKind::Human, PlayerKind::Machine]));
        assert_eq!(game.begin().next, NextInput::None);
        assert_eq!(game.winner(), Some(winner));
    }
}

#[test]
fn positions_are_parsed() {
    let game = |start: Position, board: Board| Game { rules: BoundRules { board, ..BoundRules::nim() }, start };
    let heaps = game(Position::Heaps(vec![1]), Board::None);
    assert_eq!(parse_position(&heaps, "3, 4 5"), Ok(Position::Heaps(vec![3, 4, 5])));
    assert_eq!(parse_position(&heaps, "3 x"), Err("expected numbers from 0 to 2^64 - 1, found `x`".to_owned()));
    assert!(parse_position(&heaps, "3 + 4").is_err());
    let stacks = game(Position::Stacks { heights: vec![0], tokens: 2 }, Board::None);
    assert_eq!(parse_position(&stacks, "0 1 + 4"), Ok(Position::Stacks { heights: vec![0, 1], tokens: 4 }));
    let circle = game(Position::Cells(BitSet::full(4)), Board::Circle(4));
    let expected = Position::Cells(BitSet::full(4).without(2));
    assert_eq!(parse_position(&circle, "##.#"), Ok(expected.clone()));
    assert_eq!(parse_position(&circle, "1 2 4"), Ok(expected));
    assert_eq!(parse_position(&circle, "1 5"), Err("expected cells from 1 to 4, found 5".to_owned()));
    let counter = game(Position::Counter(0), Board::None);
    assert_eq!(parse_position(&counter, "1 2"), Err("expected one number, found 2 numbers".to_owned()));
}

/// Returns the number of games per set of rules: the value of `NIMATRON_GAMES`, or 20.
fn games() -> usize {
    std::env::var("NIMATRON_GAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(20)
}

#[test]
fn the_perfect_level_never_loses_a_won_position() {
    let mut rng = Rng::from_digest(&Digest::of(b"perfect"));
    let move_rules = [
        MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::One, same: false },
        MoveRule::Take { amount: AllowedAmounts::UpTo(3), from: HeapChoice::UpTo(2), same: false },
        MoveRule::Take { amount: AllowedAmounts::In(vec![2, 3]), from: HeapChoice::One, same: false },
    ];
    for move_rule in move_rules {
        for last_mover in [LastMover::Wins, LastMover::Loses] {
            let rules = BoundRules { last_mover, ..BoundRules::nim() }.with(vec![move_rule.clone()]);
            let mut played = 0;
            while played < games() {
                let heaps = (0..3).map(|_| rng.below(6)).collect();
                let start = setup(rules.clone(), Position::Heaps(heaps), &[PlayerKind::Machine, PlayerKind::Human]);
                let mut game = Match::new(start);
                if game.is_won() != Some(true) {
                    continue;
                }
                let mut reply = game.begin();
                while reply.next == NextInput::Line {
                    let moves = rules.moves(game.position(), 1000);
                    let (step, _) = rng.choose(&moves).unwrap();
                    let words: Vec<String> = step.numbers().iter().map(u64::to_string).collect();
                    reply = game.handle_line(&words.join(" "));
                }
                assert_eq!(game.winner(), Some(PlayerKind::Machine), "{:?}: {}", rules.move_rules, reply.text);
                played += 1;
            }
        }
    }
}
