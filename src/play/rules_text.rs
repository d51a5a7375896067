//! Rules in words.

use crate::games::{Arena, Choice, Corners, Kind, LastMover, Laws, Payoff, Position, Removal, Taking, Total};

type Bound = Kind<u64, Vec<u64>>;

/// The rules in a few sentences.
pub(super) fn rules(laws: &Laws, position: &Position) -> String {
    let mut kinds: Vec<String> = laws.kinds.iter().map(|kind| moves(kind, laws)).collect();
    if let Position::Stacks { tokens, .. } = position
        && *tokens > 0
    {
        let play = kinds.join("; or ");
        kinds = vec![format!("place a token on a stack; when all are placed, {play}")];
    }
    format!("A move: {}. {}", kinds.join("; or "), end(laws))
}

fn end(laws: &Laws) -> String {
    match (laws.players, laws.last_mover, laws.payoff) {
        (2, LastMover::Wins, Payoff::Outcome) => "Who moves last wins.".to_owned(),
        (2, LastMover::Loses, Payoff::Outcome) => "Who moves last loses.".to_owned(),
        (2, LastMover::Wins, Payoff::WinThenTaken) => {
            "Who moves last wins; beyond that, each wants to have taken much.".to_owned()
        }
        (2, LastMover::Loses, Payoff::WinThenTaken) => {
            "Who moves last loses; beyond that, each wants to have taken much.".to_owned()
        }
        (players, ..) => format!(
            "Of the {players} players, who moves last comes first, the one before him second, and so on backwards."
        ),
    }
}

fn moves(kind: &Bound, laws: &Laws) -> String {
    match kind {
        Kind::Take { amount, from, same } => taking(amount, from, *same),
        Kind::Split { parts, distinct, total, min } => {
            let differ = if *distinct { " of different sizes" } else { "" };
            let empty = if *min == 0 { ", perhaps empty" } else { "" };
            match total {
                Total::Same => format!("split a heap into {parts} smaller ones{differ}{empty}"),
                Total::Any => format!("put {parts} smaller heaps{differ}{empty} in the place of one, of any total"),
            }
        }
        Kind::Octal(code) => format!("what the octal code {code} allows"),
        Kind::Slide { amount, frozen } => {
            let ground = if *frozen { "; the lowest step is frozen" } else { ", from the lowest to the ground" };
            format!("move {} from a step to the one below{ground}", number(amount, "objects"))
        }
        Kind::Remove(Removal::Run(amount)) => {
            let line = if matches!(laws.arena, Arena::Circle(_)) { "around the circle" } else { "in a line" };
            format!("remove {} side by side {line}, without a gap", number(amount, "pieces"))
        }
        Kind::Remove(Removal::Corners(corners)) => corner(*corners).to_owned(),
        Kind::Walk => "push a token along an edge".to_owned(),
        Kind::Add { from, to, limit } => format!("add {from} to {to}, not beyond {limit}"),
    }
}

fn corner(corners: Corners) -> &'static str {
    match corners {
        Corners::Vertex => "remove a vertex",
        Corners::EdgeEnds => "remove two vertices that are joined",
        Corners::Clique => "remove vertices that are all joined to each other",
        Corners::Connected => "remove vertices that hang together",
        Corners::EdgesAtVertex => "remove one or more edges at a vertex",
    }
}

fn number(amount: &Taking<u64, Vec<u64>>, things: &str) -> String {
    match amount {
        Taking::Any => format!("any number of {things}"),
        Taking::UpTo(1) => format!("one of the {things}"),
        Taking::UpTo(most) => format!("1 to {most} {things}"),
        Taking::In(amounts) => {
            let shown: Vec<String> = amounts.iter().take(12).map(u64::to_string).collect();
            let more = if amounts.len() > shown.len() { ", …" } else { "" };
            format!("{}{more} {things}", shown.join(" or "))
        }
    }
}

fn taking(amount: &Taking<u64, Vec<u64>>, from: &Choice<u64>, same: bool) -> String {
    let number = number(amount, "objects");
    let each = if same { "the same number of objects".to_owned() } else { number.clone() };
    match from {
        Choice::One | Choice::UpTo(1) => format!("take {number} from one heap"),
        Choice::UpTo(most) => format!("take {each} from each of 1 to {most} heaps"),
        Choice::UpToAll => format!("take {each} from each of some heaps"),
        Choice::Largest => format!("take {number} from a largest heap"),
        Choice::Every => format!("take {each} from every heap"),
    }
}

/// How a move is typed.
pub(super) fn how(laws: &Laws, position: &Position) -> &'static str {
    let splits = laws.kinds.iter().any(|kind| matches!(kind, Kind::Split { .. } | Kind::Octal(_)));
    let many = laws.kinds.iter().any(|kind| match kind {
        Kind::Take { from, .. } => !matches!(from, Choice::One | Choice::UpTo(1) | Choice::Largest),
        _ => false,
    });
    match position {
        Position::Stacks { tokens: 1.., .. } => "the number of the stack, such as `2`",
        Position::Heaps(_) if splits => {
            "heap and what it becomes, such as `2 1 3` (the second heap becomes 1 and 3); or heap and how many to take"
        }
        Position::Heaps(_) if many => {
            "heap and how many, such as `2 3` (three from the second heap); for several heaps `2 3 4 1`"
        }
        Position::Heaps(_) | Position::Stacks { .. } => "heap and how many, such as `2 3`, or `take 3 from heap 2`",
        Position::Row(_) => "step and how many, such as `2 3` (three from the second step)",
        Position::Tokens(_) => "token and where to, such as `1 4`",
        Position::Counter(_) => "how much to add, such as `2`",
        Position::Cells(_) => "the numbers of the cells, such as `3 4`",
        Position::Graph { .. } => match laws.kinds.first() {
            Some(Kind::Remove(Removal::Corners(Corners::EdgesAtVertex))) => "the numbers of the edges, such as `1 3`",
            _ => "the numbers of the vertices, such as `3 4`",
        },
    }
}
