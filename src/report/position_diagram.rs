//! Draws the positions of a small game and their moves as a diagram: final positions are at the bottom, and each
//! position is above all positions that can follow it.

use std::fmt::Write as _;

use crate::games::{Position, PositionGraph, PositionNode};

use super::plot::escaped;
use super::text::count;

/// A diagram of the positions of a small game.
#[derive(Debug, Clone, Copy)]
pub struct PositionDiagram<'a> {
    /// The name of the game.
    pub name: &'a str,
    /// The positions and moves.
    pub graph: &'a PositionGraph,
}

/// Height of a node. This and all other lengths are in units of the view box.
const NODE: f64 = 26.0;
/// Vertical distance between the centers of adjacent layers.
const LAYER: f64 = 72.0;
/// Vertical distance between the centers of adjacent layers in a diagram whose layers have at most two nodes.
const NARROW_LAYER: f64 = 46.0;
/// Horizontal space between adjacent nodes of a layer.
const GAP: f64 = 18.0;
/// Space around the diagram.
const MARGIN: f64 = 14.0;
/// Width of a character of a label.
const LETTER: f64 = 7.4;
/// Total width of the margins of a label.
const PADDING: f64 = 16.0;

/// Maximum number of characters of a label.
const LABEL: usize = 18;

/// Number of passes over the layers, alternately upward and downward. Each pass sorts the nodes of every layer by the
/// mean horizontal position of their neighbors in the layers that the pass has already visited.
const SWEEPS: usize = 8;

/// Maximum number of P-positions that the description lists.
const LISTED: usize = 12;

/// The place of a node: the center of its box, and its width.
#[derive(Debug, Clone, Copy, Default)]
struct NodePlace {
    x: f64,
    y: f64,
    width: f64,
}

impl PositionDiagram<'_> {
    /// Renders the diagram as an SVG element of the class `positions`, whose styles are defined by the style sheet of
    /// the page. A P-position is a box with nearly square corners, and an N-position has round ends. Winning moves,
    /// which lead to P-positions, have the additional class `wins`.
    pub fn page_svg(&self) -> String {
        let (places, width, height) = self.places();
        let mut svg = format!(
            "<svg class=\"positions\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
             role=\"img\"><title>Positions of {}</title><desc>{}</desc>",
            escaped(self.name),
            escaped(&self.description())
        );
        // Winning moves are drawn last, so that they are visible above the other moves.
        for winning in [false, true] {
            for (from, to) in self.graph.moves.iter().filter(|(_, to)| self.graph.nodes[*to].loses == winning) {
                let class = if winning { "move wins" } else { "move" };
                // Writing to a string does not fail.
                _ = write!(svg, "<path class=\"{class}\" d=\"{}\"/>", self.curve(&places, *from, *to));
            }
        }
        for (node, place) in self.graph.nodes.iter().zip(&places) {
            let (class, radius) = if node.loses { ("lost", 3.0) } else { ("won", NODE / 2.0) };
            let (left, top) = (place.x - place.width / 2.0, place.y - NODE / 2.0);
            _ = write!(
                svg,
                "<g class=\"{class}\"><title>{}</title><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{NODE}\" \
                 rx=\"{radius}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
                escaped(&about(node)),
                place.width,
                place.x,
                place.y + 4.5,
                escaped(&label(node))
            );
        }
        svg + "</svg>"
    }

    /// Returns the places of the nodes, and the size of the diagram.
    fn places(&self) -> (Vec<NodePlace>, f64, f64) {
        let layers = self.layers();
        let widths: Vec<f64> =
            self.graph.nodes.iter().map(|node| label(node).chars().count() as f64 * LETTER + PADDING).collect();
        let width_of = |layer: &Vec<usize>| layer.iter().map(|node| widths[*node] + GAP).sum::<f64>() - GAP;
        let most = layers.iter().map(width_of).fold(0.0, f64::max).max(120.0);
        let distance = if layers.iter().all(|layer| layer.len() <= 2) { NARROW_LAYER } else { LAYER };
        let top = MARGIN + NODE / 2.0 + (layers.len().saturating_sub(1)) as f64 * distance;
        let mut places = vec![NodePlace::default(); self.graph.nodes.len()];
        for (height, layer) in layers.iter().enumerate() {
            let mut x = MARGIN + (most - width_of(layer)) / 2.0;
            for node in layer {
                let width = widths[*node];
                places[*node] = NodePlace { x: x + width / 2.0, y: top - height as f64 * distance, width };
                x += width + GAP;
            }
        }
        (places, most + 2.0 * MARGIN, top + NODE / 2.0 + MARGIN)
    }

    /// Returns the layers of nodes, by height. The nodes of a layer are sorted by the mean horizontal position of their
    /// neighbors, so that few moves cross (the barycenter heuristic of Sugiyama, Tagawa and Toda, 1981).
    fn layers(&self) -> Vec<Vec<usize>> {
        let nodes = &self.graph.nodes;
        let mut layers = vec![Vec::new(); nodes.iter().map(|node| node.height + 1).max().unwrap_or(0)];
        for (index, node) in nodes.iter().enumerate() {
            layers[node.height].push(index);
        }
        let mut neighbours = vec![Vec::new(); nodes.len()];
        for (from, to) in &self.graph.moves {
            neighbours[*from].push(*to);
            neighbours[*to].push(*from);
        }
        // Horizontal positions of the nodes in their layers, from 0 to 1.
        let mut places = vec![0.5; nodes.len()];
        let put = |layer: &[usize], places: &mut Vec<f64>| {
            for (at, node) in layer.iter().enumerate() {
                places[*node] = (at as f64 + 0.5) / layer.len() as f64;
            }
        };
        layers.iter().for_each(|layer| put(layer, &mut places));
        for sweep in 0..SWEEPS {
            let upwards = sweep % 2 == 0;
            let count = layers.len();
            for step in 0..count {
                let layer = &mut layers[if upwards { step } else { count - 1 - step }];
                let mean = |node: &usize| {
                    let own = &neighbours[*node];
                    let is_behind = |other: &&usize| (nodes[**other].height < nodes[*node].height) == upwards;
                    let behind: Vec<f64> = own.iter().filter(is_behind).map(|other| places[*other]).collect();
                    if behind.is_empty() { places[*node] } else { behind.iter().sum::<f64>() / behind.len() as f64 }
                };
                let mut keyed: Vec<(f64, usize)> = layer.iter().map(|node| (mean(node), *node)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                *layer = keyed.into_iter().map(|(_, node)| node).collect();
                put(layer, &mut places);
            }
        }
        layers
    }

    /// Returns the path of a move. A move over several layers is curved to avoid the nodes in the layers that it
    /// crosses.
    fn curve(&self, places: &[NodePlace], from: usize, to: usize) -> String {
        let (start, end) = (places[from], places[to]);
        let layers = self.graph.nodes[from].height - self.graph.nodes[to].height;
        let (top, bottom) = (start.y + NODE / 2.0, end.y - NODE / 2.0);
        if layers < 2 {
            return format!("M{:.1} {top:.1}L{:.1} {bottom:.1}", start.x, end.x);
        }
        let side = if end.x < start.x { -1.0 } else { 1.0 };
        let bend = (start.x + end.x) / 2.0 + side * 13.0 * layers as f64;
        format!("M{:.1} {top:.1}Q{bend:.1} {:.1} {:.1} {bottom:.1}", start.x, (top + bottom) / 2.0, end.x)
    }

    /// Returns a text with the numbers of positions and moves, and at most [`LISTED`] P-positions.
    fn description(&self) -> String {
        let nodes = &self.graph.nodes;
        let lost: Vec<String> = nodes.iter().filter(|node| node.loses).map(|node| node.position.to_string()).collect();
        let shown = lost.iter().rev().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if lost.len() > LISTED { format!(" and {} more", lost.len() - LISTED) } else { String::new() };
        let root = nodes.first().map(|node| node.position.to_string()).unwrap_or_default();
        format!(
            "The {} reachable from {root}, with {}. P-positions, in which the player to move loses: {shown}{more}.",
            count(nodes.len(), "position", "positions"),
            count(self.graph.moves.len(), "move", "moves")
        )
    }
}

/// Returns the label of a position. A long label is truncated.
fn label(node: &PositionNode) -> String {
    let text = match &node.position {
        Position::Stacks { heights, tokens } if *tokens > 0 => {
            let heights: Vec<String> = heights.iter().map(u64::to_string).collect();
            format!("{} + {tokens}", heights.join(" "))
        }
        Position::Graph { vertices, edges } => {
            let vertices: Vec<String> = vertices.iter().map(|vertex| (vertex + 1).to_string()).collect();
            format!("{} · {}", vertices.join(" "), count(edges.count(), "edge", "edges"))
        }
        other => other.to_string().trim_start_matches('(').trim_end_matches(')').to_owned(),
    };
    match text.chars().count() {
        0 => "–".to_owned(),
        length if length > LABEL => text.chars().take(LABEL - 1).chain(['…']).collect(),
        _ => text,
    }
}

fn about(node: &PositionNode) -> String {
    let outcome = if node.loses { "P-position" } else { "N-position" };
    format!("{}: {outcome}", node.position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::BoundRules;

    #[test]
    fn each_position_is_drawn_once_and_told_apart_by_its_shape() {
        let graph = PositionGraph::of(&BoundRules::nim(), &Position::Heaps(vec![2, 3]), 60).unwrap();
        let svg = PositionDiagram { name: "<Nim>", graph: &graph }.page_svg();
        assert_eq!(svg.matches("<g class=").count(), graph.nodes.len());
        assert_eq!(svg.matches("<g class=\"lost\"").count(), 3, "0, 1 1 and 2 2");
        assert_eq!(svg.matches("rx=\"3\"").count(), 3);
        assert_eq!(svg.matches("class=\"move wins\"").count(), 6, "one for each N-position");
        assert_eq!(svg.matches("<path").count(), graph.moves.len());
        assert!(
            svg.contains("<title>Positions of &lt;Nim&gt;</title><desc>The 9 positions reachable from (2 3)"),
            "{svg}"
        );
        assert!(svg.contains("<title>(2 2): P-position</title>") && svg.contains(">–</text>"), "{svg}");
    }

    #[test]
    fn a_position_stands_above_those_that_follow_it_and_nodes_do_not_overlap() {
        let graph = PositionGraph::of(&BoundRules::nim(), &Position::Heaps(vec![2, 3, 4]), 60).unwrap();
        let (places, width, _) = PositionDiagram { name: "Nim", graph: &graph }.places();
        for (from, to) in &graph.moves {
            assert!(places[*from].y + NODE < places[*to].y);
        }
        for (at, one) in places.iter().enumerate() {
            assert!(one.x - one.width / 2.0 >= MARGIN - 0.1 && one.x + one.width / 2.0 <= width - MARGIN + 0.1);
            let beside =
                |other: &&NodePlace| other.y == one.y && (other.x - one.x).abs() < (one.width + other.width) / 2.0;
            assert_eq!(places[at + 1..].iter().filter(beside).count(), 0);
        }
    }
}
