//! Describes the rules of a game in English.

use crate::games::{
    AllowedAmounts, Board, BoundAmounts, BoundMoveRule, BoundRules, GraphPart, HeapChoice, LastMover, MoveRule, Payoff,
    Position, RemovalRule, SplitTotal,
};

/// Returns the rules in a few sentences. `position` determines whether tokens still have to be placed.
pub fn describe_rules(rules: &BoundRules, position: &Position) -> String {
    let mut move_rules: Vec<String> = rules.move_rules.iter().map(|move_rule| moves(move_rule, rules)).collect();
    if let Position::Stacks { tokens, .. } = position
        && *tokens > 0
    {
        let play = move_rules.join("; or ");
        let placed = match rules.place {
            1 => "a token".to_owned(),
            place => format!("{place} tokens, or all remaining tokens,"),
        };
        move_rules = vec![format!("place {placed} on a stack; when all tokens are placed, {play}")];
    }
    format!("A move: {}. {}", move_rules.join("; or "), end(rules))
}

fn end(rules: &BoundRules) -> String {
    match (rules.players, rules.last_mover, rules.payoff) {
        (2, LastMover::Wins, Payoff::Outcome) => "The last mover wins.".to_owned(),
        (2, LastMover::Loses, Payoff::Outcome) => "The last mover loses.".to_owned(),
        (2, LastMover::Wins, Payoff::WinThenTaken) => {
            "The last mover wins. The secondary goal is to take as many objects as possible.".to_owned()
        }
        (2, LastMover::Loses, Payoff::WinThenTaken) => {
            "The last mover loses. The secondary goal is to take as many objects as possible.".to_owned()
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
            let least = match *min {
                0 => ", possibly empty".to_owned(),
                1 => String::new(),
                _ => format!(", each with at least {min} objects"),
            };
            match total {
                SplitTotal::Same => format!("split a heap into {parts} smaller heaps{differ}{least}"),
                SplitTotal::Any => {
                    format!("replace a heap with {parts} smaller heaps{differ}{least}, of any total size")
                }
            }
        }
        MoveRule::Octal(code) => format!("take from a heap or split it, as the octal code {code} allows"),
        MoveRule::Slide { amount, frozen } => {
            let ground =
                if *frozen { ", but not from the lowest step" } else { ", or from the lowest step to the ground" };
            format!("move {} from a step to the step below{ground}", number(amount, "object"))
        }
        MoveRule::Remove(RemovalRule::Run(amount)) => {
            let line = if matches!(rules.board, Board::Circle(_)) { "on the circle" } else { "on a line" };
            let piece = if is_one(amount) { "piece" } else { "adjacent piece" };
            format!("remove {} {line}", number(amount, piece))
        }
        MoveRule::Remove(RemovalRule::GraphPart(part)) => corner(*part).to_owned(),
        MoveRule::Walk => "move a token along an edge".to_owned(),
        MoveRule::Add { from, to, limit } if from == to => format!("add {from}, up to a total of {limit}"),
        MoveRule::Add { from, to, limit } => format!("add a number from {from} to {to}, up to a total of {limit}"),
    }
}

fn corner(part: GraphPart) -> &'static str {
    match part {
        GraphPart::Vertex => "remove a vertex",
        GraphPart::EdgeEnds => "remove two adjacent vertices",
        GraphPart::Clique => "remove one or more vertices that are pairwise adjacent",
        GraphPart::Connected => "remove a connected set of vertices",
        GraphPart::EdgesAtVertex => "remove one or more edges at a vertex",
    }
}

/// Returns whether 1 is the only allowed amount.
fn is_one(amount: &BoundAmounts) -> bool {
    match amount {
        AllowedAmounts::Any => false,
        AllowedAmounts::UpTo(most) => *most == 1,
        AllowedAmounts::In(amounts) => matches!(amounts.as_slice(), [1]),
    }
}

/// Returns the allowed amounts followed by the noun `thing`, in the plural unless the amount is 1.
fn number(amount: &BoundAmounts, thing: &str) -> String {
    match amount {
        amount if is_one(amount) => format!("one {thing}"),
        AllowedAmounts::Any => format!("any number of {thing}s"),
        AllowedAmounts::UpTo(most) => format!("1 to {most} {thing}s"),
        AllowedAmounts::In(amounts) => {
            let shown: Vec<String> = amounts.iter().take(12).map(u64::to_string).collect();
            let more = if amounts.len() > shown.len() { ", …" } else { "" };
            format!("{}{more} {thing}s", shown.join(" or "))
        }
    }
}

fn taking(amount: &BoundAmounts, from: &HeapChoice<u64>, same: bool) -> String {
    let number = number(amount, "object");
    let each = match amount {
        _ if !same => number.clone(),
        AllowedAmounts::Any => "the same number of objects".to_owned(),
        _ => format!("the same number of objects ({number})"),
    };
    match from {
        HeapChoice::One | HeapChoice::UpTo(1) => format!("take {number} from one heap"),
        HeapChoice::UpTo(most) => format!("take {each} from each of 1 to {most} heaps"),
        HeapChoice::UpToAll => format!("take {each} from each of one or more heaps"),
        HeapChoice::Largest => format!("take {number} from a largest heap"),
        HeapChoice::Every => format!("take {each} from every heap"),
    }
}

/// Returns the syntax of a move, as a phrase that follows the word "Type".
pub(super) fn move_syntax(rules: &BoundRules, position: &Position) -> &'static str {
    let splits =
        rules.move_rules.iter().any(|move_rule| matches!(move_rule, MoveRule::Split { .. } | MoveRule::Octal(_)));
    let takes =
        rules.move_rules.iter().any(|move_rule| matches!(move_rule, MoveRule::Take { .. } | MoveRule::Octal(_)));
    let many = rules.move_rules.iter().any(|move_rule| match move_rule {
        MoveRule::Take { from, .. } => !matches!(from, HeapChoice::One | HeapChoice::UpTo(1) | HeapChoice::Largest),
        _ => false,
    });
    match position {
        Position::Stacks { tokens: 1.., .. } => "the number of the stack, such as `2`",
        Position::Heaps(_) if splits && !takes => {
            "a heap and its parts, such as `2 1 3` (the second heap becomes 1 and 3)"
        }
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
        Position::Cells(_) => "the numbers of the cells to remove, such as `3 4`",
        Position::Graph { .. } => match rules.move_rules.first() {
            Some(MoveRule::Remove(RemovalRule::GraphPart(GraphPart::EdgesAtVertex))) => {
                "the numbers of the edges to remove, such as `1 3`"
            }
            _ => "the numbers of the vertices to remove, such as `3 4`",
        },
    }
}
