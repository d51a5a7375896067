//! Tests of the forms in which rules can be written, of the names that they use, and of binding.

use super::*;

fn parse_rules(text: &str) -> RulesSpec {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn parse_error(text: &str) -> String {
    serde_yaml::from_str::<RulesSpec>(text).unwrap_err().to_string()
}

fn lookup(name: &str) -> Option<InputValues> {
    Some(match name {
        "a" => InputValues::Integers(vec![2, 3]),
        "s" => InputValues::Integers(vec![5, 2]),
        "x" => InputValues::Integers(vec![1, 1, 2]),
        "y" => InputValues::Integers(vec![2, 3, 3]),
        "t" => InputValues::Integers(vec![1, 2]),
        "n" | "k" => InputValues::Integer(3),
        "L" => InputValues::Integer(21),
        "word" => InputValues::Word("##.#".to_owned()),
        "rows" => InputValues::Words(vec!["#.".to_owned(), "##".to_owned()]),
        "minus" => InputValues::Integer(-1),
        _ => return None,
    })
}

fn bind_rules(text: &str) -> Game {
    parse_rules(text).bind(&lookup).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn wins(game: &Game) -> bool {
    Solver::new(game.rules.clone(), 100_000).wins(&game.start).unwrap()
}

#[test]
fn nim_is_bound() {
    let nim = bind_rules("{position: {heaps: a}, move: {take: any, from: 1}, wins: last-mover}");
    assert_eq!(nim, Game { rules: BoundRules::nim(), start: Position::Heaps(vec![2, 3]) });
    assert!(wins(&nim));
}

#[test]
fn misere_play_has_two_forms() {
    let one = parse_rules("{position: {heaps: a}, move: {take: any}, loses: last-mover}");
    let two = parse_rules("{position: {heaps: a}, move: [{take: any}], last_mover: loses}");
    assert_eq!(one, two);
    assert_eq!(one.last_mover, LastMover::Loses);
}

#[test]
fn every_kind_of_rules_is_parsed_and_bound() {
    for text in [
        "{position: {heaps: a}, move: {take: {in: s}}}",
        "{position: {heaps: a}, move: {take: {in: [1, k, 4]}}}",
        "{position: {heaps: a}, move: {take: any, heaps: {upto: k}}}",
        "{position: {heaps: a}, move: {take: {upto: 3}, heaps: {upto: all}, same: true}}",
        "{position: {heaps: a}, move: [{take: any}, {take: any, heaps: every, same: true}]}",
        "{position: {heaps: a}, move: {take: any, from: largest}}",
        "{position: {heaps: [n, k]}, move: nim, players: 3}",
        "{position: {heaps: n}, move: {split: {sizes: distinct}}}",
        "{position: {heaps: a}, move: {split: {parts: 2, sizes: any, total: any, min: 0}}}",
        "{position: {heaps: a}, move: {octal: 0.77}}",
        "{position: {heaps: a}, move: {octal: \"4.7\"}}",
        "{position: {row: a}, move: {slide: any, to: previous, first: falls_off}}",
        "{position: {row: a}, move: {slide: any, first: frozen}}",
        "{position: {cells: full, shape: circle, size: n}, move: {remove: {run: {upto: k}}}}",
        "{position: {cells: word}, move: {remove: {run: {upto: 3}}}}",
        "{position: {cells: rows, occupied: '#'}, move: {remove: {run: any}}}",
        "{position: {cells: full, shape: box, size: a}, move: {remove: run}}",
        "{position: {graph: n, edges: [x, y]}, move: {remove: [vertex, edge_ends]}}",
        "{position: {graph: n, edges: [x, y]}, move: {remove: edges-at-vertex}}",
        "{position: {tokens: t, edges: [x, y]}, move: {walk: edge}}",
        "{position: {tokens: t, vertices: n, edges: [x, y]}, move: {walk: edge}}",
        "{position: {counter: n}, move: {add: {from: 1, to: k}, limit: L-1}}",
        "{position: {stacks: k, tokens: n}, phases: [{place: 1, until: tokens_used}, {play: nim}]}",
        "{position: {heaps: a}, move: {take: any}, payoff: [win, taken]}",
    ] {
        let game = bind_rules(text);
        assert!(!game.rules.moves(&game.start, 10).is_empty(), "no move in {text}");
    }
}

#[test]
fn names_are_bound_to_the_values_of_the_input() {
    let set = bind_rules("{position: {heaps: a}, move: {take: {in: s}}}");
    let move_rule = MoveRule::Take { amount: AllowedAmounts::In(vec![2, 5]), from: HeapChoice::One, same: false };
    assert_eq!(set.rules.move_rules, [move_rule]);
    let counter = bind_rules("{position: {counter: n}, move: {add: {to: k}, limit: L-1}}");
    assert_eq!(counter.rules.move_rules, [MoveRule::Add { from: 1, to: 3, limit: 20 }]);
    let tokens = bind_rules("{position: {tokens: t, edges: [x, y]}, move: {walk: edge}}");
    assert_eq!(tokens.start, Position::Tokens(vec![0, 1]));
}

#[test]
fn parse_errors_name_what_was_expected() {
    let cases = [
        ("{position: {heaps: a}, move: {tak: any}}", "unknown field `tak`"),
        ("{position: {heaps: a}, move: {take: {up: 3}}}", "unknown field `up`, expected `upto` or `in`"),
        ("{position: {heaps: a}}", "expected at least one move in `moves`, or `phases`, found neither"),
        ("{position: {heap: a}, move: nim}", "unknown field `heap`"),
        ("{position: {heaps: a, row: a}, move: nim}", "expected a position with exactly one of"),
        ("{position: {heaps: a, base: 0}, move: nim}", "`base` does not apply to a position with `heaps`"),
        ("{position: {heaps: a}, move: {take: any, limit: 3}}", "`limit` does not apply to a move of the kind `take`"),
        ("{position: {heaps: a}, move: {take: any, from: 2}}", "expected `1`, `one`, `{upto: k}`"),
        ("{position: {heaps: a}, move: {octal: 0.9}}", "expected octal digits 0 to 7, found `9`"),
        ("{position: {heaps: a}, move: nim, wins: last-mover, loses: last-mover}", "found several"),
        ("{position: {heaps: a}, move: nim, payoff: [taken]}", "expected the payoff"),
    ];
    for (text, expected) in cases {
        let found = parse_error(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn binding_errors_name_what_does_not_fit() {
    let failure = |text: &str| parse_rules(text).bind(&lookup).unwrap_err().to_string();
    let cases = [
        ("{position: {heaps: b}, move: nim}", "the rules use the name `b`, but the input has no number"),
        ("{position: {heaps: word}, move: nim}", "expected `word` to be a number or an array of numbers"),
        ("{position: {heaps: minus}, move: nim}", "found -1"),
        ("{position: {heaps: a}, move: {walk: edge}}", "does not fit"),
        ("{position: {heaps: a}, move: {take: {in: [0, 1]}}}", "expected an amount to be 1 or more, found 0"),
        (
            "{position: {tokens: L, vertices: n, edges: [x, y]}, move: {walk: edge}}",
            "expected a vertex number to be from 1 to 3",
        ),
        ("{position: {tokens: t, edges: [x, x]}, move: {walk: edge}}", "without cycles"),
        ("{position: {graph: n, edges: [x, x]}, move: {remove: vertex}}", "an edge from a vertex to itself"),
        (
            "{position: {heaps: a}, move: nim, players: 3, last_mover: loses}",
            "a game with more than two players requires that the last mover wins",
        ),
        ("{position: {cells: full}, move: {remove: run}}", "`cells: full` requires a `size`"),
        ("{position: {cells: word, size: n}, move: {remove: run}}", "to be 3, found 4"),
    ];
    for (text, expected) in cases {
        let found = failure(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn a_search_keeps_to_its_budget_and_does_not_recurse() {
    let deep = bind_rules("{position: {counter: n}, move: {add: {to: 1}, limit: 200000}}");
    assert!(Solver::new(deep.rules.clone(), 300_000).wins(&deep.start).unwrap(), "199997 steps are left");
    let allowed = 1000;
    assert_eq!(Solver::new(deep.rules, allowed).wins(&deep.start), Err(SolveError::Positions { allowed }));
    let wide = Position::Heaps(vec![1 << 40; 100_000]);
    let refused = Solver::new(BoundRules::nim(), 1_000_000).wins(&wide);
    assert!(matches!(refused, Err(SolveError::Moves { .. })), "a position with too many moves is refused at once");
    let wide = Position::Heaps(vec![u64::MAX]);
    assert_eq!(Solver::new(BoundRules::nim(), allowed).wins(&wide), Err(SolveError::Moves { allowed }));
}

#[test]
fn names_are_unique_and_in_the_order_of_the_rules() {
    let set =
        parse_rules("{position: {heaps: [a, b]}, move: [{take: {in: [s, 3, a]}}, {take: any, heaps: {upto: k}}]}");
    assert_eq!(set.names(), ["a", "b", "s", "k"]);
    let dag = parse_rules("{position: {tokens: t, vertices: n, edges: [x, y]}, move: {walk: edge}, players: p}");
    assert_eq!(dag.names(), ["t", "n", "x", "y", "p"]);
    let built = parse_rules("{position: {stacks: k, tokens: n}, phases: [{place: q}, {play: {take: {upto: r}}}]}");
    assert_eq!(built.names(), ["k", "n", "r", "q"]);
}

#[test]
fn contradictory_rules_are_rejected_without_input() {
    assert!(parse_rules("{position: {row: a}, move: {slide: any}}").check_fit().is_ok());
    for text in [
        "{position: {heaps: a}, move: {walk: edge}}",
        "{position: {stacks: k, tokens: n}, phases: [{place: 1}, {play: {slide: any}}]}",
        "{position: {heaps: a}, move: nim, players: 3, last_mover: loses}",
        "{position: {heaps: a}, move: nim, players: 1}",
    ] {
        assert!(parse_rules(text).check_fit().is_err(), "{text}");
    }
}
