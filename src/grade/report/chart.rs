//! Renders charts as inline SVG.

use maud::{Markup, html};

use super::style::percent;
use crate::model::Score;

/// Number of bins of a distribution.
const BINS: usize = 10;

/// Counts the totals in each tenth of the range from 0 to `max`. A total of `max` belongs to the highest bin.
pub(super) fn bins(totals: impl Iterator<Item = Score>, max: Score) -> [usize; BINS] {
    let mut bins = [0; BINS];
    for total in totals {
        let bin = usize::try_from(percent(total, max)).unwrap_or(0) * BINS / 100;
        bins[bin.min(BINS - 1)] += 1;
    }
    bins
}

/// Renders a histogram of totals.
pub(super) fn histogram(bins: &[usize; BINS]) -> Markup {
    const WIDTH: usize = 640;
    const HEIGHT: usize = 190;
    const BASE: usize = 160;
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let step = WIDTH / BINS;
    let words: Vec<String> =
        bins.iter().enumerate().map(|(bin, count)| format!("{}–{} %: {count}", bin * 10, bin * 10 + 10)).collect();
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) role="img" aria-label=(words.join(", ")) {
            @for (bin, count) in bins.iter().enumerate() {
                @let height = count * (BASE - 20) / most;
                rect x=(bin * step + 3) y=(BASE - height) width=(step - 6) height=(height) {}
                @if *count > 0 {
                    text x=(bin * step + step / 2) y=(BASE - height - 5) text-anchor="middle" { (count) }
                }
                text x=(bin * step + step / 2) y=(BASE + 20) text-anchor="middle" { (bin * 10) "–" (bin * 10 + 10) }
            }
            line x1="0" x2=(WIDTH) y1=(BASE) y2=(BASE) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_total_is_in_one_bin() {
        let totals = [0, 9, 10, 55, 99, 100].map(Score::points);
        assert_eq!(bins(totals.into_iter(), Score::points(100)), [2, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert_eq!(bins([Score::ZERO].into_iter(), Score::ZERO)[0], 1);
        let drawn = histogram(&bins(totals.into_iter(), Score::points(100))).into_string();
        assert_eq!(drawn.matches("<rect").count(), 10);
    }
}
