//! Plots Grundy values as SVG: axes, a dot for each heap size, and marks of the period.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::games::grundy::Period;

use super::grundy::Values;

/// Width of the image, in pixels.
const WIDTH: f64 = 960.0;
/// Height of the image, in pixels.
const HEIGHT: f64 = 480.0;
/// Left edge of the plot area, in pixels.
const LEFT: f64 = 64.0;
/// Right edge of the plot area, in pixels.
const RIGHT: f64 = 936.0;
/// Upper edge of the plot area, in pixels.
const TOP: f64 = 72.0;
/// Lower edge of the plot area, in pixels.
const BOTTOM: f64 = 424.0;

/// Maximum number of periods that are marked by stripes.
const STRIPES: usize = 60;

const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#3d3d46;font-size:13px}\
.title{font-size:18px;font-weight:600;fill:#16161d}\
.note{fill:#5b5b66}\
.grid{stroke:#e4e4ea;stroke-width:1}\
.axis{stroke:#5b5b66;stroke-width:1.5}\
.stripe{fill:#3b6fd4;fill-opacity:.08}\
.start{stroke:#3b6fd4;stroke-width:1.5;stroke-dasharray:5 4}\
.period{fill:#2a55a8}\
.dot{fill:#2b2b33}\
.lost{fill:#d1495b}";

/// The coordinate system of a plot: the ranges of its axes.
struct PlotArea {
    last: usize,
    largest: u32,
}

impl PlotArea {
    fn x(&self, size: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * (size as f64 + 0.5) / (self.last as f64 + 1.0)
    }

    fn y(&self, value: u32) -> f64 {
        BOTTOM - (BOTTOM - TOP) * (f64::from(value) + 0.5) / (f64::from(self.largest) + 1.0)
    }

    /// Returns the radius of the dots in pixels. Plots with many heaps use smaller dots, so that neighboring dots
    /// overlap less.
    fn radius(&self) -> f64 {
        let across = (RIGHT - LEFT) / (self.last as f64 + 1.0);
        let up = (BOTTOM - TOP) / (f64::from(self.largest) + 1.0);
        (0.42 * across.max(4.2)).min(0.4 * up.max(2.5)).clamp(1.0, 5.0)
    }
}

impl Values<'_> {
    /// Renders the plot: heap sizes on the x-axis, values on the y-axis, losing heaps in red, and a stripe behind every
    /// second period.
    pub fn svg(&self) -> String {
        let rules = escaped(self.rules);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             role=\"img\">\n<title>Grundy values of {rules}</title>\n<style>{STYLE}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"30\">Grundy values of {rules}</text>\n{}</svg>\n",
            self.drawing()
        )
    }

    /// Renders the plot as an SVG element of the class `plot`, whose styles are defined by the style sheet of the page.
    pub fn page_svg(&self) -> String {
        format!(
            "<svg class=\"plot\" viewBox=\"0 10 {WIDTH} {}\" role=\"img\"><title>Grundy values of {}</title><desc>{}</desc>{}</svg>",
            HEIGHT - 10.0,
            escaped(self.rules),
            escaped(&self.remarks().join(" ")),
            self.drawing()
        )
    }

    fn drawing(&self) -> String {
        let values = &self.table.values;
        let field = PlotArea {
            last: values.len().saturating_sub(1),
            largest: values.iter().copied().max().unwrap_or(0).max(1),
        };
        let period = self.table.period.map(|period| field.period(&period)).unwrap_or_default();
        legend() + &period + &field.axes() + &field.dots(values)
    }
}

fn legend() -> String {
    format!(
        "<circle class=\"lost\" cx=\"{}\" cy=\"25\" r=\"4\"/><text class=\"note\" x=\"{}\" y=\"30\">0: losing</text>\n",
        RIGHT - 58.0,
        RIGHT - 48.0
    )
}

impl PlotArea {
    fn period(&self, Period { preperiod, period, certified }: &Period) -> String {
        if *preperiod > self.last {
            return note(&format!("period {period} from {preperiod} on, beyond this plot"));
        }
        let mut svg = String::new();
        let across = (RIGHT - LEFT) / (self.last as f64 + 1.0);
        let edge = |size: usize| LEFT + across * size.min(self.last + 1) as f64;
        let count = (self.last - preperiod) / period + 1;
        if count <= STRIPES {
            for stripe in (0..count).step_by(2) {
                let from = edge(preperiod + stripe * period);
                let to = edge(preperiod + (stripe + 1) * period);
                let _ = writeln!(
                    svg,
                    "<rect class=\"stripe\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{}\"/>",
                    to - from,
                    BOTTOM - TOP
                );
            }
        }
        let start = edge(*preperiod);
        if *preperiod > 0 {
            let _ = writeln!(
                svg,
                "<line class=\"start\" x1=\"{start:.1}\" y1=\"{TOP}\" x2=\"{start:.1}\" y2=\"{BOTTOM}\"/>"
            );
        }
        let sure = if *certified { ", certified" } else { " in the computed values" };
        svg + &note(&format!("period {period} from {preperiod} on{sure}"))
    }

    fn axes(&self) -> String {
        let mut svg = String::new();
        for value in ticks(self.largest as usize, 8) {
            let y = self.y(u32::try_from(value).unwrap_or(u32::MAX));
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT - 8.0,
                y + 4.5
            );
        }
        for size in ticks(self.last, 12) {
            let x = self.x(size);
            let _ = writeln!(
                svg,
                "<line class=\"axis\" x1=\"{x:.1}\" y1=\"{BOTTOM}\" x2=\"{x:.1}\" y2=\"{}\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>",
                BOTTOM + 6.0,
                BOTTOM + 22.0
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\
             <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">size of the heap</text>\
             <text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">Grundy value</text>",
            f64::midpoint(LEFT, RIGHT),
            BOTTOM + 44.0,
            f64::midpoint(TOP, BOTTOM)
        );
        svg
    }

    /// Returns a dot for each value. Of several dots that coincide within half a pixel, only one is drawn.
    fn dots(&self, values: &[u32]) -> String {
        let radius = self.radius();
        let mut groups = [("dot", String::new()), ("lost", String::new())];
        let mut drawn = BTreeSet::new();
        for (size, value) in values.iter().enumerate() {
            // Losing heaps are drawn larger so that they stand out.
            let radius = if *value == 0 { radius.max(2.0) } else { radius };
            let (x, y) = (self.x(size), self.y(*value));
            // Dots are compared by their positions in steps of half a pixel, separately for zeros.
            if drawn.insert(((x * 2.0) as u32, (y * 2.0) as u32, *value == 0)) {
                let _ = write!(
                    groups[usize::from(*value == 0)].1,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
                );
            }
        }
        groups.iter().map(|(class, dots)| format!("<g class=\"{class}\">{dots}</g>\n")).collect()
    }
}

/// Returns the SVG element for the text about the period, which is placed below the title.
fn note(text: &str) -> String {
    format!("<text class=\"period\" x=\"{LEFT}\" y=\"52\">{text}</text>\n")
}

/// Returns approximately `most` round numbers from 0 to `last`.
fn ticks(last: usize, most: usize) -> impl Iterator<Item = usize> {
    let rough = (last / most).max(1);
    let power = 10_usize.pow(rough.ilog10());
    let step = [1, 2, 5, 10].into_iter().map(|step| step * power).find(|step| *step >= rough).unwrap_or(rough);
    (0..=last).step_by(step)
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::grundy::HeapGame;

    fn plot(rules: &str, to: usize) -> String {
        let game: HeapGame = rules.parse().unwrap();
        let table = game.table(to).unwrap();
        Values { rules, table: &table, certificate: game.certificate() }.svg()
    }

    #[test]
    fn ticks_are_round() {
        let all = |last, most| ticks(last, most).collect::<Vec<_>>();
        assert_eq!(all(100, 12), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(all(9, 8), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(all(0, 8), [0]);
        assert_eq!(all(1000, 12).last(), Some(&1000));
    }

    #[test]
    fn each_heap_has_a_dot_and_every_second_period_a_stripe() {
        let svg = plot("octal 0.77", 200);
        assert_eq!(svg.matches("<circle cx").count(), 201);
        // Periods begin at 71, 83, …, 191: there are eleven periods, of which six have a stripe.
        assert_eq!(svg.matches("class=\"stripe\"").count(), 6);
        assert!(svg.contains("period 12 from 71 on, certified"), "{svg}");
        assert!(plot("octal 0.77", 30).contains("beyond this plot"));
    }

    #[test]
    fn a_plot_for_a_page_has_a_description_and_no_styles() {
        let game: HeapGame = "octal 0.77".parse().unwrap();
        let table = game.table(200).unwrap();
        let svg = Values { rules: "a<b", table: &table, certificate: game.certificate() }.page_svg();
        assert!(svg.contains("<title>Grundy values of a&lt;b</title><desc>Losing heaps (value 0): 0."), "{svg}");
        assert!(!svg.contains("style"), "{svg}");
        assert_eq!(svg.matches("<circle cx").count(), 201);
    }

    #[test]
    fn a_million_heaps_make_a_small_file() {
        let svg = plot("take 1 3 4", 1_000_000);
        assert!(svg.len() < 1_000_000, "{}", svg.len());
    }

    #[test]
    fn rules_are_escaped() {
        assert_eq!(escaped("a<b>&c"), "a&lt;b&gt;&amp;c");
    }
}
