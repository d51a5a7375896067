//! The pages on similar programs: a list, and for each pair the shared regions side by side.

use std::ops::Range;

use maud::{Markup, html};

use crate::report::count;

use super::super::gradebook::Gradebook;
use super::super::similarity::{
    MAX_PAIRS, MIN_TOKENS, PairComparison, ProblemSimilarity, SimilarPair, TokenizedProgram,
};
use super::groups::groups;
use super::style::{more_lines, page};

/// Maximum number of lines of a program to show.
const MOST_LINES: usize = 2_000;
/// Number of colors for regions.
const COLOURS: usize = 6;
/// Maximum number of students named on each side of a pair.
const NAMED: usize = 4;

/// Returns the file name of the page of a pair.
pub(super) fn pair_name(book: &Gradebook, problem: usize, number: usize) -> String {
    format!("{}-{}.html", book.columns[problem].id, number + 1)
}

/// Renders the page that lists the similar programs of each problem.
pub(super) fn list(book: &Gradebook, found: &[ProblemSimilarity], threshold: u32) -> String {
    let body = html! {
        p.small { a href="../index.html" { "all marks" } }
        h1 { "Similar programs" }
        p {
            "Shared code does not prove copying: students may write the same code independently, use the same book, "
            "or be allowed to cooperate. "
            "Read the shared parts before drawing conclusions."
        }
        p.faint.small {
            "For each problem, the submissions that count are compared in pairs, regardless of their languages. A "
            "program is reduced to its steps: loops, conditions, arithmetic, calls and assignments. Names, literals, types, "
            "declarations, input, loop counters, the order of operands and template code are ignored. "
            "Independent programs for one problem also have steps in common. The similarity is measured relative to "
            "the usual overlap: 0 % means that two programs have as many steps in common as is usual for the problem, and "
            "100 % means that all steps match. "
            "Pairs with a similarity of at least " (percent(threshold)) " are listed. Programs with fewer than " (MIN_TOKENS)
            " steps, not counting template code, are too short to compare. "
            "In a large class, only the pairs that share the most steps are compared."
        }
        @for (problem, (column, finding)) in book.columns.iter().zip(found).enumerate() {
            h2 { (column.name) }
            p.faint.small {
                (count(finding.programs.len(), "program", "programs"))
                @if finding.similar.too_short > 0 { ", " (finding.similar.too_short) " of them too short to compare" }
                "; two programs usually have about " (percent(finding.similar.usual)) " of their steps in common"
            }
            @if finding.similar.above_threshold == 0 && finding.identical().is_empty() { p { "No similar programs." } }
            @if !finding.identical().is_empty() {
                h3 { "Identical except for names, literals, comments and layout" }
                div.wide { table { tbody { @for list in finding.identical() {
                    tr { td.n { (list.len()) } td { (list.join(", ")) } }
                } } } }
            }
            (groups(book, problem, finding))
            @if !finding.similar.pairs.is_empty() {
                h3 { "Pairs" }
                (pairs(book, problem, finding))
            }
            @if finding.similar.above_threshold > MAX_PAIRS {
                @let hidden = finding.similar.above_threshold - MAX_PAIRS;
                p.faint { "… and " (count(hidden, "more pair", "more pairs")) " with lower similarity" }
            }
        }
    };
    page("Similar programs", &body)
}

fn pairs(book: &Gradebook, problem: usize, finding: &ProblemSimilarity) -> Markup {
    html! {
        div.wide { table {
            thead { tr {
                th.n { "similarity" } th.n { "in common" } th.n { "longest part" } th { "languages" } th { "one" } th { "other" }
            } }
            tbody { @for (number, pair) in finding.similar.pairs.iter().enumerate() {
                tr {
                    td.n { a href=(pair_name(book, problem, number)) { (percent(pair.similarity)) } }
                    td.n { (percent(pair.shared)) }
                    td.n { (pair.longest) " steps" }
                    td { (if pair.across_languages { "different" } else { "same" }) }
                    td { (names(&finding.students(pair.left))) }
                    td { (names(&finding.students(pair.right))) }
                }
            } }
        } }
    }
}

/// Formats the names of the first [`NAMED`] students, and the number of the other students.
pub(super) fn names(students: &[&str]) -> String {
    let shown = students.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if students.len() > NAMED { format!("{shown} and {} more", students.len() - NAMED) } else { shown }
}

pub(super) fn percent(thousandths: u32) -> String {
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

/// A program that is shown on the page of a pair or of a group.
pub(super) struct SimilarProgram<'a> {
    /// Students who submitted the program.
    pub(super) students: Vec<&'a str>,
    /// Names and contents of the files.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// Tokens of the program.
    pub(super) program: TokenizedProgram,
}

/// Renders the page of a pair of similar programs.
pub(super) fn pair(
    title: &str,
    found: &SimilarPair,
    shared: &PairComparison,
    left: &SimilarProgram<'_>,
    right: &SimilarProgram<'_>,
) -> String {
    let ranges = |of: fn(&super::super::similarity::SharedRegion) -> &Range<usize>| {
        shared.regions.iter().map(of).cloned().collect()
    };
    let (lefts, rights): (Vec<_>, Vec<_>) = (ranges(|part| &part.left), ranges(|part| &part.right));
    let body = html! {
        p.small { a href="index.html" { "all pairs" } }
        h1 { (title) }
        p {
            b { (percent(found.similarity)) } " similarity: " (percent(found.shared)) " of the steps of both programs "
            "match, in " (shared.regions.len()) (if shared.regions.len() == 1 { " part" } else { " parts" }) ". "
            "A number links to the same part on the other side. "
            @if found.across_languages { "The programs are written in different languages. " }
            "Individual steps in a part may differ."
        }
        div.pair.sides {
            (side(left, &lefts, ('l', 'r')))
            (side(right, &rights, ('r', 'l')))
        }
    };
    page(title, &body)
}

/// Renders one program of a pair, with the shared regions marked. The anchor of a region consists of the letter of the
/// side and the number of the region.
fn side(side: &SimilarProgram<'_>, parts: &[Range<usize>], (own, other): (char, char)) -> Markup {
    html! {
        div {
            h2 { (names(&side.students)) }
            @for ((name, content), tokens) in side.files.iter().zip(&side.program.files) {
                @let text = String::from_utf8_lossy(content);
                @let marks = marks(&side.program, tokens, parts);
                @let lines = lines(&text, &marks);
                h3 { (name) }
                pre.code { @for line in lines.iter().take(MOST_LINES) { span.l {
                    @for piece in line { @match piece.part {
                        None => (piece.text),
                        Some(part) => {
                            @if piece.first {
                                a.no id=(format!("{own}{}", part + 1)) href=(format!("#{other}{}", part + 1)) { (part + 1) }
                            }
                            span class=(format!("m m{}", part % COLOURS)) { (piece.text) }
                        }
                    } }
                } } }
                (more_lines(lines.len(), MOST_LINES))
            }
        }
    }
}

/// Returns the byte range and the number of each shared region in a file, in the order of the text. `tokens` is the
/// range of the file's tokens.
fn marks(program: &TokenizedProgram, tokens: &Range<usize>, parts: &[Range<usize>]) -> Vec<(Range<usize>, usize)> {
    let mut marks = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let (start, end) = (part.start.max(tokens.start), part.end.min(tokens.end));
        let Some(inside) = program.tokens.get(start..end).filter(|inside| !inside.is_empty()) else { continue };
        let last = inside.iter().map(|token| token.range.end).max().unwrap_or(0);
        marks.push((inside[0].range.start..last, number));
    }
    marks.sort_by_key(|(place, _)| place.start);
    marks
}

/// A part of a line, which is either entirely inside or entirely outside of shared regions.
#[derive(Debug, PartialEq, Eq)]
struct Piece<'t> {
    text: &'t str,
    /// Number of the shared region that contains the text; `None` outside of shared regions.
    part: Option<usize>,
    /// Whether the shared region begins with this piece.
    first: bool,
}

/// Splits each line of a text at the boundaries of the shared regions, whose byte ranges and numbers are in `marks`.
fn lines<'t>(text: &'t str, marks: &[(Range<usize>, usize)]) -> Vec<Vec<Piece<'t>>> {
    let mut lines = vec![Vec::new()];
    let mut add = |from: usize, to: usize, part: Option<usize>| {
        let mut first = part.is_some();
        for (index, text) in text.get(from..to).unwrap_or("").split('\n').enumerate() {
            if index > 0 {
                lines.push(Vec::new());
            }
            let text = text.trim_end_matches('\r');
            if let (Some(line), false) = (lines.last_mut(), text.is_empty()) {
                line.push(Piece { text, part, first: std::mem::take(&mut first) });
            }
        }
    };
    let mut at = 0;
    for (place, part) in marks {
        add(at, place.start, None);
        add(place.start.max(at), place.end, Some(*part));
        at = place.end.max(at);
    }
    let end = text.trim_end_matches('\n').len();
    add(at, end.max(at), None);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::similarity::compare_pair;

    #[test]
    fn parts_are_marked_without_changing_text() {
        let pieces = lines("ab\ncd\r\nef\n", &[(1..4, 0), (4..8, 7)]);
        let piece = |text, part, first| Piece { text, part, first };
        assert_eq!(pieces[0], [piece("a", None, false), piece("b", Some(0), true)]);
        assert_eq!(pieces[1], [piece("c", Some(0), false), piece("d", Some(7), true)]);
        assert_eq!(pieces[2], [piece("e", Some(7), false), piece("f", None, false)]);
    }

    #[test]
    fn page_escapes_programs_and_has_no_script() {
        let text = "def f(a):\n    for x in a:\n        print(x + 1, '<script>alert(1)</script>')\n\
                    \nf([y * y + 2 for y in range(9) if y % 2 == 1 or y > 7])\n";
        let side = |student| SimilarProgram {
            students: vec![student],
            files: vec![("a.py".to_owned(), text.as_bytes().to_vec())],
            program: TokenizedProgram::new([("a.py", text.as_bytes())]),
        };
        let (left, right) = (side("<b>ann</b>"), side("bob"));
        let shared = compare_pair(&left.program, &right.program, &|_| false);
        assert_eq!((shared.shared, shared.regions.len()), (1_000, 1));
        let found =
            SimilarPair { left: 0, right: 1, similarity: 1_000, shared: 1_000, longest: 1, across_languages: false };
        let page = pair("ann and bob", &found, &shared, &left, &right);
        assert!(!page.contains("<script") && !page.contains("<b>ann"), "{page}");
        assert!(page.contains("id=\"l1\" href=\"#r1\"") && page.contains("&lt;script&gt;"), "{page}");
    }
}
