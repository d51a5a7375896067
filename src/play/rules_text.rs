//! Describes rules in English.

use crate::games::{
    AllowedAmounts, Board, BoundAmounts, BoundMoveRule, BoundRules, GraphPart, HeapChoice, LastMover, MoveRule, Payoff,
    Position, RemovalRule, SplitTotal,
};

/// Returns the rules in a few sentences.
pub fn describe_rules(rules: &BoundRules, position: &Position) -> String {
    let mut move_rules: Vec<String> = rules.move_rules.iter().map(|move_rule| moves(move_rule, rules)).collect();
    if let Position::Stacks { tokens, .. } = position
        && *tokens > 0
    {
        let play = move_rules.join("; or ");
        move_rules = vec![format!("place a token on a stack; when all are placed, {play}")];
    }
    format!("A move: {}. {}", move_rules.join("; or "), end(rules))
}

fn end(rules: &BoundRules) -> String {
    match (rules.players, rules.last_mover, rules.payoff) {
        (2, LastMover::Wins, Payoff::Outcome) => "The last mover wins.".to_owned(),
        (2, LastMover::Loses, Payoff::Outcome) => "The last mover loses.".to_owned(),
        (2, LastMover::Wins, Payoff::WinThenTaken) => {
            "The last mover wins. The second goal is to take as many objects as possible.".to_owned()
        }
        (2, LastMover::Loses, Payoff::WinThenTaken) => {
            "The last mover loses. The second goal is to take as many objects as possible.".to_owned()
        }
        (players, ..) => {
            format!("There are {players} players. The last mover comes first, the previous player second, and so on.")
        }
    }
}

fn moves(move_rule: &BoundMoveRule, rules: &BoundRules) -> String {
    match move_rule {
        MoveRule::Take { amount, from, same } => taking(amount, from, *same),
        MoveRule::Split { parts, distinct, total, min } => {
            let differ = if *distinct { " of different sizes" } else { "" };
            let empty = if *min == 0 { ", perhaps empty" } else { "" };
            match total {
                SplitTotal::Same => format!("split a heap into {parts} smaller ones{differ}{empty}"),
                SplitTotal::Any => {
                    format!("replace a heap by {parts} smaller ones{differ}{empty}, of any total size")
                }
            }
        }
        MoveRule::Octal(code) => format!("take from a heap or split it, as the octal code {code} allows"),
        MoveRule::Slide { amount, frozen } => {
            let ground = if *frozen { "; the lowest step is frozen" } else { ", or from the lowest to the ground" };
            format!("move {} from a step to the one below{ground}", number(amount, "objects"))
        }
        MoveRule::Remove(RemovalRule::Run(amount)) => {
            let line = if matches!(rules.board, Board::Circle(_)) { "on the circle" } else { "on a line" };
            format!("remove {} {line}, without a gap between them", number(amount, "pieces"))
        }
        MoveRule::Remove(RemovalRule::GraphPart(part)) => corner(*part).to_owned(),
        MoveRule::Walk => "move a token along an edge".to_owned(),
        MoveRule::Add { from, to, limit } => format!("add {from} to {to}, up to {limit} at most"),
    }
}

fn corner(part: GraphPart) -> &'static str {
    match part {
        GraphPart::Vertex => "remove a vertex",
        GraphPart::EdgeEnds => "remove two adjacent vertices",
        GraphPart::Clique => "remove pairwise adjacent vertices",
        GraphPart::Connected => "remove a connected set of vertices",
        GraphPart::EdgesAtVertex => "remove one or more edges at a vertex",
    }
}

fn number(amount: &BoundAmounts, things: &str) -> String {
    match amount {
        AllowedAmounts::Any => format!("any number of {things}"),
        AllowedAmounts::UpTo(1) => format!("one of the {things}"),
        AllowedAmounts::UpTo(most) => format!("1 to {most} {things}"),
        AllowedAmounts::In(amounts) => {
            let shown: Vec<String> = amounts.iter().take(12).map(u64::to_string).collect();
            let more = if amounts.len() > shown.len() { ", …" } else { "" };
            format!("{}{more} {things}", shown.join(" or "))
        }
    }
}

fn taking(amount: &BoundAmounts, from: &HeapChoice<u64>, same: bool) -> String {
    let number = number(amount, "objects");
    let each = if same { "the same number of objects".to_owned() } else { number.clone() };
    match from {
        HeapChoice::One | HeapChoice::UpTo(1) => format!("take {number} from one heap"),
        HeapChoice::UpTo(most) => format!("take {each} from each of 1 to {most} heaps"),
        HeapChoice::UpToAll => format!("take {each} from each of some heaps"),
        HeapChoice::Largest => format!("take {number} from a largest heap"),
        HeapChoice::Every => format!("take {each} from every heap"),
    }
}

/// Returns the syntax of a move, as it follows the word "Type".
pub(super) fn move_syntax(rules: &BoundRules, position: &Position) -> &'static str {
    let splits =
        rules.move_rules.iter().any(|move_rule| matches!(move_rule, MoveRule::Split { .. } | MoveRule::Octal(_)));
    let many = rules.move_rules.iter().any(|move_rule| match move_rule {
        MoveRule::Take { from, .. } => !matches!(from, HeapChoice::One | HeapChoice::UpTo(1) | HeapChoice::Largest),
        _ => false,
    });
    match position {
        Position::Stacks { tokens: 1.., .. } => "the number of the stack, such as `2`",
        Position::Heaps(_) if splits => {
            "a heap and its parts, such as `2 1 3` (the second heap becomes 1 and 3), or a heap and an amount to take"
        }
        Position::Heaps(_) if many => {
            "a heap and an amount, such as `2 3` (three from the second heap), or several such pairs, such as `2 3 4 1`"
        }
        Position::Heaps(_) | Position::Stacks { .. } => "a heap and an amount, such as `2 3`, or `take 3 from heap 2`",
        Position::Row(_) => "a step and an amount, such as `2 3` (three from the second step)",
        Position::Tokens(_) => "a token and its new vertex, such as `1 4`",
        Position::Counter(_) => "the number to add, such as `2`",
        Position::Cells(_) => "the numbers of the cells, such as `3 4`",
        Position::Graph { .. } => match rules.move_rules.first() {
            Some(MoveRule::Remove(RemovalRule::GraphPart(GraphPart::EdgesAtVertex))) => {
                "the numbers of the edges, such as `1 3`"
            }
            _ => "the numbers of the vertices, such as `3 4`",
        },
    }
}
