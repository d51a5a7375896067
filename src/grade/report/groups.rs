//! The table of a problem's groups of similar programs, and the page of a group. The page shows one program and, before
//! each line, the number of other programs that share a step on that line.

use std::ops::Range;

use maud::{Markup, html};

use super::super::similarity::{ProblemSimilarity, SimilarGroup, TokenizedProgram};
use super::similarity::{SimilarProgram, names, pair_name, percent};
use super::style::{more_lines, page};
use crate::grade::gradebook::Gradebook;
use crate::report::count;

/// Maximum number of groups per problem for which a page is written.
pub(super) const MOST_GROUPS: usize = 20;
/// Maximum number of programs of a group that are compared with the program that is shown.
pub(super) const MOST_COMPARED: usize = 40;
/// Maximum number of lines of a program to show.
const MOST_LINES: usize = 1_000;

/// Returns the file name of the page of a group.
pub(super) fn group_name(book: &Gradebook, problem: usize, number: usize) -> String {
    format!("{}-group-{}.html", book.columns[problem].id, number + 1)
}

/// The first program of a group, which the page shows, and for each of its tokens the number of other programs that
/// share it.
pub(super) struct GroupStructure<'a> {
    /// The program that is shown.
    pub(super) centre: SimilarProgram<'a>,
    /// For each token of the program that is shown, the number of other programs that share the token.
    pub(super) shared: Vec<usize>,
    /// Number of other programs that were compared.
    pub(super) others: usize,
}

impl GroupStructure<'_> {
    /// Counts the tokens that another program shares with the program that is shown. `regions` contains the ranges of
    /// these tokens in the program that is shown.
    pub(super) fn add(&mut self, regions: impl Iterator<Item = Range<usize>>) {
        self.others += 1;
        for region in regions {
            self.shared.get_mut(region).into_iter().flatten().for_each(|count| *count += 1);
        }
    }

    /// Returns the number of tokens that at least `least` other programs share.
    fn tokens(&self, least: usize) -> usize {
        self.shared.iter().filter(|count| **count >= least.max(1)).count()
    }
}

/// Renders the table of the groups of a problem.
pub(super) fn groups(book: &Gradebook, problem: usize, finding: &ProblemSimilarity) -> Markup {
    let groups = finding.groups();
    html! {
        @if !groups.is_empty() {
            h3 { "Groups" }
            p.faint.small {
                "A group consists of programs that are connected through similar pairs. "
                "Two programs in a group are not necessarily similar to each other."
            }
            div.wide { table {
                thead { tr { th.n { "students" } th.n { "similarity of the pairs" } th { "names" } } }
                tbody { @for (number, group) in groups.iter().enumerate() {
                    @let students = finding.students_of(group);
                    tr {
                        td.n { @if number < MOST_GROUPS {
                            a href=(group_name(book, problem, number)) { (students.len()) }
                        } @else { (students.len()) } }
                        td.n { (percent(group.similarity.0)) " to " (percent(group.similarity.1)) }
                        td { (students.join(", ")) }
                    }
                } }
            } }
        }
    }
}

/// Renders the page of a group.
pub(super) fn group(
    book: &Gradebook,
    problem: usize,
    finding: &ProblemSimilarity,
    group: &SimilarGroup,
    structure: &GroupStructure<'_>,
) -> String {
    let title = format!("{}: {} similar programs", book.columns[problem].name, group.members.len());
    let left_out = group.members.len().saturating_sub(structure.others + 1);
    let body = html! {
        p.small { a href="index.html" { "all pairs and groups" } }
        h1 { (title) }
        p { (finding.students_of(group).join(", ")) }
        p {
            "The program by " (names(&structure.centre.students)) " is the most similar to the others. Of its "
            (structure.shared.len()) " steps, "
            b { (structure.tokens(structure.others)) } " are in parts that "
            @if structure.others == 1 { "the other program contains" }
            @else if left_out > 0 { "all " (structure.others) " compared programs contain" }
            @else { "all " (structure.others) " other programs contain" }
            @if structure.others > 1 {
                ", and "
                b { (structure.tokens(structure.others.div_ceil(2))) } " in parts that at least half of them contain"
            }
            ". The number before a line is the number of other programs that share a step on that line."
        }
        @if left_out > 0 {
            p.faint { (count(left_out, "more program was", "more programs were")) " not compared." }
        }
        @for ((name, content), tokens) in structure.centre.files.iter().zip(&structure.centre.program.files) {
            h3 { (name) }
            (code(&String::from_utf8_lossy(content), &lines(content, &structure.centre.program, tokens, &structure.shared), structure.others))
        }
        h2 { "Pairs in the group" }
        div.wide { table { tbody { @for &number in &group.pairs {
            @let pair = &finding.similar.pairs[number];
            tr {
                td.n { a href=(pair_name(book, problem, number)) { (percent(pair.similarity)) } }
                td { (names(&finding.students(pair.left))) } td { (names(&finding.students(pair.right))) }
            }
        } } } }
    };
    page(&title, &body)
}

/// Returns, for each line of a file, the largest number of other programs that share one of the line's tokens.
fn lines(content: &[u8], program: &TokenizedProgram, tokens: &Range<usize>, shared: &[usize]) -> Vec<usize> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1))
        .collect();
    let mut counts = vec![0; starts.len()];
    for (token, count) in program.tokens.iter().zip(shared).take(tokens.end).skip(tokens.start) {
        let line = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
        let last = line(token.range.end.saturating_sub(1).max(token.range.start));
        for line in &mut counts[line(token.range.start)..=last] {
            *line = (*line).max(*count);
        }
    }
    counts
}

fn code(text: &str, counts: &[usize], others: usize) -> Markup {
    let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
    html! {
        pre.code { @for (line, count) in lines.iter().zip(counts).take(MOST_LINES) { span.l {
            @match count {
                0 => { span.share { "" } (line) },
                _ => {
                    span.share { (count) }
                    span class=(if *count == others { "m m3" } else if count * 2 >= others { "m m1" } else { "m m0" }) { (line) }
                }
            }
        } } }
        (more_lines(lines.len(), MOST_LINES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::gradebook::GradebookColumn;
    use crate::grade::similarity::{ComparedProgram, SimilarPair, SimilarPrograms, compare_pair};
    use crate::model::Score;

    #[test]
    fn a_page_counts_the_programs_that_share_a_line() {
        let shared = "def solve(values):\n    total = 0\n    for value in values:\n        if value % 2 == 1 and value > 7:\n            total += value * value\n    return total\n";
        let own = "import sys\nimport math\nnumbers = [int(word) for word in sys.stdin.read().split()][1:]\n";
        let program = |text: &str| TokenizedProgram::new([("a.py", text.as_bytes())]);
        let text = format!("{own}{shared}print(solve(numbers))\n");
        let (centre, other) = (program(&text), program(&format!("{shared}x = input()\nprint('<script>', x)\n")));
        let mut structure = GroupStructure {
            shared: vec![0; centre.tokens.len()],
            others: 0,
            centre: SimilarProgram {
                students: vec!["ann"],
                files: vec![("a.py".to_owned(), text.clone().into_bytes())],
                program: centre,
            },
        };
        for _ in 0..2 {
            let found = compare_pair(&structure.centre.program, &other, &|_| false);
            structure.add(found.regions.iter().map(|region| region.left.clone()));
        }
        let program = &structure.centre.program;
        let counts = lines(text.as_bytes(), program, &program.files[0], &structure.shared);
        assert_eq!(counts[..3], [0, 0, 0], "{counts:?}");
        assert!(counts[5..8].iter().all(|count| *count == 2), "{counts:?}");
        let programs =
            ["ann", "bob", "<i>eve"].map(|student| ComparedProgram { student: student.to_owned(), claim: 0 });
        let pair = |left, right| SimilarPair {
            left,
            right,
            similarity: 900,
            shared: 950,
            longest: 9,
            across_languages: false,
        };
        let similar = SimilarPrograms { pairs: vec![pair(0, 1), pair(0, 2)], above_threshold: 2, ..Default::default() };
        let finding = ProblemSimilarity { programs: programs.to_vec(), similar };
        let column =
            GradebookColumn { id: "nim".parse().unwrap(), name: "Nim".to_owned(), max: Score::ZERO, scored: false };
        let book = Gradebook {
            columns: vec![column],
            rubric: vec![],
            rows: vec![],
            formula: String::new(),
            max: Score::ZERO,
            layout: String::new(),
            left: vec![],
        };
        let page = group(&book, 0, &finding, &finding.groups()[0], &structure);
        assert!(page.contains("all 2 other programs contain") && page.contains("nim-1.html"), "{page}");
        assert!(!page.contains("<script") && !page.contains("<i>eve"), "{page}");
        assert!(groups(&book, 0, &finding).0.contains("nim-group-1.html"));
    }
}
