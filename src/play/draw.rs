//! Draws positions as text.

use crate::games::{BitSet, Board, BoundRules, Graph, GraphPart, MoveRule, Position, RemovalRule};

/// Maximum number of lines of a drawing, not counting the line that states the number of omitted lines.
const MOST_LINES: usize = 30;

/// Draws the position in lines of at most `width` columns where possible.
pub(super) fn draw(rules: &BoundRules, position: &Position, width: usize) -> String {
    let lines = match position {
        Position::Heaps(sizes) => heaps("heap", sizes, width),
        Position::Row(steps) => stairs(steps, width),
        Position::Stacks { heights, tokens } => {
            let mut lines = heaps("stack", heights, width);
            if *tokens > 0 {
                lines.push(format!("  to place  {}", stones(*tokens, width.saturating_sub(12))));
            }
            lines
        }
        Position::Counter(number) => vec![counter(rules, *number)],
        Position::Tokens(tokens) => walkers(rules, tokens),
        Position::Cells(cells) => board(rules, cells, width),
        Position::Graph { vertices, edges } => match &rules.board {
            Board::Graph(graph) => parts(rules, graph, vertices, edges),
            _ => vec![format!("  {position}")],
        },
    };
    let more = lines.len().saturating_sub(MOST_LINES);
    let mut shown: Vec<String> = lines.into_iter().take(MOST_LINES).collect();
    if more > 0 {
        shown.push(format!("  … and {more} more"));
    }
    shown.join("\n")
}

/// Draws `count` stones in groups of five, truncated to `width` columns but to no fewer than five stones.
fn stones(count: u64, width: usize) -> String {
    let fits = (width.saturating_sub(2) / 6 * 5).max(5);
    let shown = usize::try_from(count).unwrap_or(usize::MAX).min(fits);
    let mut text = String::new();
    for stone in 0..shown {
        if stone > 0 && stone % 5 == 0 {
            text.push(' ');
        }
        text.push('●');
    }
    if (shown as u64) < count { text + " …" } else { text }
}

fn digits(numbers: &[u64]) -> usize {
    numbers.iter().map(|number| number.to_string().len()).max().unwrap_or(1)
}

fn heaps(word: &str, sizes: &[u64], width: usize) -> Vec<String> {
    if sizes.is_empty() {
        return vec![format!("  no {word}s")];
    }
    let (label, size) = (sizes.len().to_string().len(), digits(sizes));
    let room = width.saturating_sub(word.len() + label + size + 7);
    let line = |(heap, count): (usize, &u64)| {
        format!("  {word} {:<label$}  {count:>size$}  {}", heap + 1, stones(*count, room)).trim_end().to_owned()
    };
    sizes.iter().enumerate().map(line).collect()
}

/// Draws a staircase from the highest step down. If it has at most eight steps, each is indented further than the step
/// below.
fn stairs(steps: &[u64], width: usize) -> Vec<String> {
    let (label, size) = (steps.len().to_string().len(), digits(steps));
    let indent = |step: usize| if steps.len() <= 8 { 2 * step } else { 0 };
    let mut lines: Vec<String> = steps
        .iter()
        .enumerate()
        .rev()
        .map(|(step, count)| {
            let room = width.saturating_sub(indent(step) + label + size + 12);
            let start = " ".repeat(indent(step) + 2);
            format!("{start}step {:<label$}  {count:>size$}  {}", step + 1, stones(*count, room)).trim_end().to_owned()
        })
        .collect();
    lines.push(format!("  {}", "‾".repeat(12)));
    lines
}

fn counter(rules: &BoundRules, number: u64) -> String {
    let limit = rules.move_rules.iter().find_map(|move_rule| match move_rule {
        MoveRule::Add { limit, .. } => Some(*limit),
        _ => None,
    });
    match limit {
        Some(limit) => format!("  {number} ({} left to reach {limit})", limit.saturating_sub(number)),
        None => format!("  {number}"),
    }
}

fn walkers(rules: &BoundRules, tokens: &[usize]) -> Vec<String> {
    let Board::Dag(dag) = &rules.board else { return Vec::new() };
    let line = |(token, place): (usize, &usize)| {
        let mut heads: Vec<usize> = dag.heads.get(*place).into_iter().flatten().map(|(_, head)| head + 1).collect();
        heads.sort_unstable();
        heads.dedup();
        let to = if heads.is_empty() { "no move".to_owned() } else { format!("can move to {}", listed(&heads)) };
        format!("  token {} on vertex {}: {to}", token + 1, place + 1)
    };
    tokens.iter().enumerate().map(line).collect()
}

fn listed(numbers: &[usize]) -> String {
    let shown: Vec<String> = numbers.iter().take(20).map(usize::to_string).collect();
    let more = if numbers.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Draws the cells of a line or circle below their numbers, as `●` if occupied and as `·` if empty. On a grid of two or
/// more dimensions, draws an occupied cell as its number and an empty cell as `·`.
fn board(rules: &BoundRules, cells: &BitSet, width: usize) -> Vec<String> {
    let (count, sides) = match &rules.board {
        Board::Circle(length) => (*length, None),
        Board::Grid(sides) if sides.len() == 1 => (sides[0], None),
        Board::Grid(sides) => (sides.iter().product(), sides.last().copied()),
        _ => (0, None),
    };
    let cell = count.to_string().len() + 1;
    let room = (width.saturating_sub(2) / cell).max(1);
    let mark = |at: usize, full: &str| format!("{:>cell$}", if cells.has(at) { full } else { "·" });
    let mut lines = Vec::new();
    match sides {
        Some(side) => {
            let all: Vec<usize> = (0..count).collect();
            let rows_of_layer = match &rules.board {
                Board::Grid(sides) if sides.len() > 2 => sides[sides.len() - 2],
                _ => usize::MAX,
            };
            for (row, places) in all.chunks(side.max(1)).enumerate() {
                if row > 0 && row % rows_of_layer == 0 {
                    lines.push(String::new());
                }
                let shown: String = places.iter().map(|at| mark(*at, &(at + 1).to_string())).collect();
                lines.push(format!(" {shown}"));
            }
        }
        None => {
            let all: Vec<usize> = (0..count).collect();
            for places in all.chunks(room) {
                lines.push(format!(" {}", places.iter().map(|at| format!("{:>cell$}", at + 1)).collect::<String>()));
                lines.push(format!(" {}", places.iter().map(|at| mark(*at, "●")).collect::<String>()));
            }
            if matches!(rules.board, Board::Circle(_)) {
                lines.push(format!("  (a circle: {count} is next to 1)"));
            }
        }
    }
    lines
}

/// Lists the remaining vertices with their neighbors, or the remaining edges if moves remove edges.
fn parts(rules: &BoundRules, graph: &Graph, vertices: &BitSet, edges: &BitSet) -> Vec<String> {
    let left: Vec<usize> = (0..graph.edges.len())
        .filter(|edge| edges.has(*edge) && vertices.has(graph.edges[*edge].0) && vertices.has(graph.edges[*edge].1))
        .collect();
    if rules.move_rules.contains(&MoveRule::Remove(RemovalRule::GraphPart(GraphPart::EdgesAtVertex))) {
        let line = |edge: &usize| {
            let (a, b) = graph.edges[*edge];
            format!("  edge {}: {} – {}", edge + 1, a + 1, b + 1)
        };
        return left.iter().map(line).collect();
    }
    let line = |vertex: usize| {
        let mut near: Vec<usize> = left
            .iter()
            .filter_map(|edge| match graph.edges[*edge] {
                (a, b) if a == vertex => Some(b + 1),
                (a, b) if b == vertex => Some(a + 1),
                _ => None,
            })
            .collect();
        near.sort_unstable();
        let joined = if near.is_empty() { "isolated".to_owned() } else { format!("adjacent to {}", listed(&near)) };
        format!("  vertex {}: {joined}", vertex + 1)
    };
    vertices.iter().map(line).collect()
}
