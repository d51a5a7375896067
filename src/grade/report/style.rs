//! The HTML frame of a page, and its style sheet.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::model::{Score, Verdict};
use crate::report::count;

/// Renders the number of lines after the first `most`, or nothing if there are no more lines.
pub(super) fn more_lines(lines: usize, most: usize) -> Markup {
    html! { @if lines > most { p.faint { "… and " (count(lines - most, "more line", "more lines")) } } }
}

const STYLE: &str = r#"
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #5f6b7a; --paper: #fff; --line: #d8dee6; --wash: #f4f6f9;
  --good: #1a7f4b; --part: #8a6100; --bad: #b42318; --ours: #6941c6; --bar: #4a6fa5;
  --add: #e3f5ea; --del: #fdeaea; --kw: #7a3e9d; --str: #1a6b3c; --num: #9a4a00; --com: #6a7482; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --faint: #98a3b3; --paper: #14181d; --line: #323a45;
  --wash: #1d232b; --good: #57c98b; --part: #e0b050; --bad: #ff8a80; --ours: #b79cf5; --bar: #7fa3d9;
  --add: #173526; --del: #3d1f20; --kw: #cf9ff0; --str: #85d3a2; --num: #f0b27a; --com: #8b96a5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 72rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p { margin: .3rem 0 .6rem; max-width: 48rem; }
a { color: inherit; text-decoration-color: var(--faint); text-underline-offset: .15em; }
.faint { color: var(--faint); } .small { font-size: .875rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .28rem .7rem .28rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--faint); white-space: nowrap; } td.n, th.n { text-align: right; white-space: nowrap; }
td.name { white-space: nowrap; }
.good { color: var(--good); } .part { color: var(--part); } .bad { color: var(--bad); } .ours { color: var(--ours); }
.v { font-size: .78rem; margin-left: .35rem; display: inline-block; min-width: 1.9rem; text-align: left; }
.figures { display: flex; flex-wrap: wrap; gap: .4rem 2.2rem; margin: .8rem 0; padding: 0; list-style: none; }
.figures b { font-size: 1.35rem; display: block; line-height: 1.2; }
.chips { display: flex; flex-wrap: wrap; gap: .25rem; margin: .3rem 0 .6rem; padding: 0; list-style: none; }
.chips li { font-size: .78rem; padding: .05rem .4rem; border: 1px solid var(--line); border-radius: .25rem; white-space: nowrap; }
.bar { display: inline-block; height: .7rem; background: var(--bar); border-radius: .1rem; vertical-align: baseline; min-width: 1px; }
.track { width: 9rem; background: var(--wash); display: inline-block; line-height: 0; }
pre { margin: .3rem 0; padding: .6rem .8rem; background: var(--wash); border-radius: .3rem; overflow-x: auto;
  font: .85rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; tab-size: 4; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 0 1rem; }
.pair > div { min-width: 0; } .pair h4 { margin: .3rem 0 0; font-size: .85rem; color: var(--faint); font-weight: 600; }
.code { counter-reset: line; } .code span.l { display: block; min-height: 1.45em; }
.code span.l::before { counter-increment: line; content: counter(line); display: inline-block; width: 2.6rem; margin-left: -.3rem;
  padding-right: .9rem; text-align: right; color: var(--faint); user-select: none; }
.kw { color: var(--kw); } .st { color: var(--str); } .nu { color: var(--num); } .co { color: var(--com); font-style: italic; }
.share { display: inline-block; min-width: 1.6rem; padding-right: .4rem; text-align: right; color: var(--faint); font-size: .75rem;
  user-select: none; }
.add { background: var(--add); } .del { background: var(--del); } .add, .del, .same { display: block; }
.sides { grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); } .sides h2 { border: 0; margin-top: .4rem; }
.m { box-decoration-break: clone; -webkit-box-decoration-break: clone; border-radius: .15rem; }
.m0 { background: #4a6fa540; } .m1 { background: #d9890040; } .m2 { background: #1a7f4b40; } .m3 { background: #b4231838; }
.m4 { background: #6941c640; } .m5 { background: #00858f40; }
.no { font-size: .7rem; font-weight: 600; padding: 0 .25rem; margin-right: .2rem; border: 1px solid var(--faint); border-radius: .6rem;
  text-decoration: none; color: var(--ink); background: var(--paper); } .no:target { background: var(--ink); color: var(--paper); }
svg { max-width: 100%; height: auto; display: block; } svg text { fill: var(--faint); font-size: 15px; }
svg rect { fill: var(--bar); } svg line { stroke: var(--line); }
@media (max-width: 40rem) { body { padding-top: 1rem; } h1 { font-size: 1.35rem; } .track { width: 5rem; }
  td.name { white-space: normal; min-width: 7rem; position: sticky; left: 0; background: var(--paper); } td.faint { white-space: nowrap; } }
@media print { :root { color-scheme: light; --paper: #fff; --ink: #000; --wash: #f4f4f4; } body { max-width: none; padding: 0; font-size: 10.5pt; }
  a { text-decoration: none; } h2, h3 { break-after: avoid; } tr, .pair, svg { break-inside: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; } .wide { overflow: visible; } thead { display: table-header-group; } }
"#;

/// Returns the complete HTML page with this title and body.
pub(super) fn page(title: &str, body: &Markup) -> String {
    opening(title) + &body.0 + CLOSING
}

/// The closing tags of a page.
pub(super) const CLOSING: &str = "</body></html>";

/// Returns the beginning of a page, up to its body.
pub(super) fn opening(title: &str) -> String {
    let head = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { }
        }
    };
    let mut head = head.into_string();
    head.truncate(head.len() - CLOSING.len());
    head
}

/// Returns the CSS class of a verdict.
pub(super) fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "good",
        Verdict::Partial => "part",
        _ => "bad",
    }
}

/// Returns the points as a percentage of the maximum, rounded down.
pub(super) fn percent(points: Score, max: Score) -> u64 {
    points.as_thousandths().saturating_mul(100) / max.as_thousandths().max(1)
}
