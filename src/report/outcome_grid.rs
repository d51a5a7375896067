//! Draws the outcomes of positions with two heaps as a grid of cells.

use std::fmt::Write as _;

use super::plot::escaped;

/// A grid with the outcomes of all pairs of heaps up to a size.
#[derive(Debug, Clone, Copy)]
pub struct OutcomeGrid<'a> {
    /// The name of the game.
    pub name: &'a str,
    /// Whether the player to move loses, indexed by the sizes of the two heaps.
    pub losing: &'a [Vec<bool>],
}

/// Width of a cell in units of the view box.
const CELL: usize = 10;
/// Width, in units of the view box, of the margin that contains the numbers.
const MARGIN: usize = 28;

/// Maximum number of P-positions that the description lists.
const LISTED: usize = 12;

impl OutcomeGrid<'_> {
    /// Renders the grid as an SVG element of the class `outcomes`, whose styles are defined by the style sheet of the
    /// page. The sizes grow to the right and upward.
    pub fn page_svg(&self) -> String {
        let count = self.losing.len();
        let (side, name) = (count * CELL, escaped(self.name));
        let (width, height) = (MARGIN + side + 8, side + MARGIN + 8);
        let mut svg = format!(
            "<svg class=\"outcomes\" viewBox=\"0 0 {width} {height}\" role=\"img\"><title>P- and N-positions of {name} with two \
             heaps</title><desc>{}</desc><rect class=\"won\" x=\"{MARGIN}\" y=\"8\" width=\"{side}\" height=\"{side}\"/>",
            self.description()
        );
        let y = |size: usize| 8 + side - (size + 1) * CELL;
        for line in (0..=count).step_by(5) {
            let (x, up) = (MARGIN + line * CELL, 8 + side - line * CELL);
            // Writing to a string does not fail.
            _ = write!(svg, "<path class=\"grid\" d=\"M{x} 8v{side}M{MARGIN} {up}h{side}\"/>");
        }
        for (a, row) in self.losing.iter().enumerate() {
            for (b, _) in row.iter().enumerate().filter(|(_, loses)| **loses) {
                _ = write!(
                    svg,
                    "<rect class=\"lost\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{a}, {b}: P-position</title></rect>",
                    MARGIN + a * CELL + 1,
                    y(b) + 1,
                    CELL - 2,
                    CELL - 2
                );
            }
        }
        for size in (0..count).step_by(if count > 20 { 10 } else { 5 }) {
            let (x, low, middle) = (MARGIN + size * CELL + CELL / 2, side + 22, y(size) + CELL / 2 + 4);
            _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{low}\" text-anchor=\"middle\">{size}</text><text x=\"{}\" y=\"{middle}\" \
                 text-anchor=\"end\">{size}</text>",
                MARGIN - 5
            );
        }
        svg + "</svg>"
    }

    /// Returns a sentence that lists the first P-positions as pairs of heap sizes.
    fn description(&self) -> String {
        let pairs = self.losing.iter().enumerate().flat_map(|(small, row)| {
            let larger = row.iter().enumerate().skip(small).filter(|(_, loses)| **loses);
            larger.map(move |(large, _)| format!("({small}, {large})"))
        });
        let pairs: Vec<String> = pairs.collect();
        let shown = pairs.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if pairs.len() > LISTED { format!(" and {} more", pairs.len() - LISTED) } else { String::new() };
        format!("P-positions, in which the player to move loses, up to the order of the heaps: {shown}{more}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_losing_pair_has_a_cell_and_the_description_lists_it() {
        let losing: Vec<Vec<bool>> = (0..7).map(|a| (0..7).map(|b| a == b).collect()).collect();
        let svg = OutcomeGrid { name: "<Nim>", losing: &losing }.page_svg();
        assert_eq!(svg.matches("class=\"lost\"").count(), 7);
        assert!(svg.contains("<title>P- and N-positions of &lt;Nim&gt; with two heaps</title>"), "{svg}");
        assert!(svg.contains("(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)."), "{svg}");
        // (0, 0) is in the lower left corner, and (6, 6) in the upper right one.
        assert!(svg.contains("x=\"29\" y=\"69\"") && svg.contains("x=\"89\" y=\"9\""), "{svg}");
    }
}
