//! The names that rules use, on rules as people write them.

use super::super::Rules;

fn rules(text: &str) -> Rules {
    serde_yaml::from_str(text).unwrap()
}

#[test]
fn names_stand_in_the_order_of_the_rules_each_once() {
    let set = rules("{position: {heaps: [a, b]}, move: [{take: {in: [s, 3, a]}}, {take: any, heaps: {upto: k}}]}");
    assert_eq!(set.names(), ["a", "b", "s", "k"]);
    let dag = rules("{position: {tokens: t, vertices: n, edges: [x, y]}, move: {walk: edge}, players: p}");
    assert_eq!(dag.names(), ["t", "n", "x", "y", "p"]);
    let built = rules("{position: {stacks: k, tokens: n}, phases: [{place: q}, {play: {take: {upto: r}}}]}");
    assert_eq!(built.names(), ["k", "n", "r", "q"]);
}

#[test]
fn what_never_fits_is_known_before_any_input() {
    assert!(rules("{position: {row: a}, move: {slide: any}}").fit().is_ok());
    for text in [
        "{position: {heaps: a}, move: {walk: edge}}",
        "{position: {stacks: k, tokens: n}, phases: [{place: 1}, {play: {slide: any}}]}",
        "{position: {heaps: a}, move: nim, players: 3, last_mover: loses}",
        "{position: {heaps: a}, move: nim, players: 1}",
    ] {
        assert!(rules(text).fit().is_err(), "{text}");
    }
}
