//! The old version of the ICPC format, as Kattis installs it, and with DOMjudge's additions.

use crate::data::Entry;
use crate::model::Failure;
use crate::problem::Judging;

use super::format::{Format, Rendered, unsaid};
use super::html::{Formulas, escaped, html};
use super::icpc::{PAIR, inputs, origin, output, place, samples, tex, unscored, uuid};
use super::naming::{case_number, group_name, pair, short};
use super::subject::Subject;
use super::text::{mebibytes, seconds, yaml};

/// Who is to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Kattis, and all that read what it reads.
    Kattis,
    /// DOMjudge.
    Domjudge,
}

/// The folders of submissions that the old version knows.
const FOLDERS: [&str; 4] = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];

pub(super) fn render(subject: &Subject<'_>, target: Target) -> Result<Rendered, Failure> {
    let format = match target {
        Target::Kattis => Format::KattisLegacy,
        Target::Domjudge => Format::Domjudge,
    };
    let (validators, flags) = output(subject, "output_validators", format)?;
    let mut files = vec![Entry::new("problem.yaml", metadata(subject, &flags, format)?)];
    let mut notes = Vec::new();
    files.extend(validators);
    files.extend(inputs(subject)?);
    files.extend(cases(subject));
    // Tools that follow the format's letter pass it over; the others take the limit from it.
    files.push(Entry::new(".timelimit", format!("{}\n", seconds(subject.limits.cpu))));
    match target {
        Target::Kattis => {
            for statement in &subject.statements {
                let path = format!("problem_statement/problem.{}.tex", statement.language);
                files.push(Entry::new(path, tex(&subject.problem.name, statement)));
            }
        }
        Target::Domjudge => {
            files.push(Entry::new("domjudge-problem.ini", ini(subject)));
            files.push(Entry::new("problem_statement/problem.html", page(subject, 0)));
            if subject.statements.len() > 1 {
                notes.push("DOMjudge shows one statement: the English one is in the package".to_owned());
            }
        }
    }
    place(subject, &mut files, &mut notes, |folder| match FOLDERS.contains(&folder) {
        true => Ok(folder),
        false => Err("the old version has no folder that promises this"),
    });
    Ok(Rendered { files, notes })
}

fn metadata(subject: &Subject<'_>, flags: &[String], format: Format) -> Result<String, Failure> {
    let problem = subject.problem;
    let mut text = format!("name: {}\n", yaml(&problem.name));
    if subject.scored() {
        text.push_str("type: scoring\n");
    }
    text.push_str(&format!("uuid: {}\n{}", uuid(subject), origin(subject)));
    if !problem.keywords.is_empty() {
        let words: Vec<String> = problem.keywords.iter().map(|word| word.replace(' ', "-")).collect();
        text.push_str(&format!("keywords: {}\n", yaml(&words.join(" "))));
    }
    let passes = subject.judging().passes();
    let custom = match (subject.judging(), passes) {
        (Judging::Compare(comparer), _) => super::checker::icpc_flags(*comparer).is_none().then_some("custom"),
        (Judging::Checker { .. }, 1) => Some("custom"),
        (Judging::Checker { .. }, _) if format == Format::Domjudge => Some("custom multi-pass"),
        (Judging::Interactor { .. }, 1) => Some("custom interactive"),
        _ => return Err(unsaid(format, "a problem of several passes")),
    };
    text.push_str(&format!("validation: {}\n", custom.unwrap_or("default")));
    if !flags.is_empty() {
        text.push_str(&format!("validator_flags: {}\n", yaml(&flags.join(" "))));
    }
    text.push_str(&format!("limits:\n  memory: {}\n", mebibytes(subject.limits.memory)));
    text.push_str(&format!("  output: {}\n", mebibytes(subject.limits.output)));
    if passes > 1 {
        text.push_str(&format!("  validation_passes: {passes}\n"));
    }
    if subject.scored() {
        text.push_str("grading:\n  objective: max\n  show_test_data_groups: true\n");
    }
    Ok(text)
}

fn cases(subject: &Subject<'_>) -> Vec<Entry> {
    let mut files = samples(subject);
    if !subject.scored() {
        files.extend(unscored(subject));
        return files;
    }
    let total =
        subject.groups.iter().filter_map(|group| group.points).fold(Default::default(), crate::model::Score::plus);
    let testdata = |path: &str, text: String| Entry::new(format!("{path}/testdata.yaml"), text);
    files.push(testdata("data", format!("on_reject: continue\nrange: 0 {total}\ngrader_flags: ignore_sample\n")));
    if subject.samples().is_some() {
        let text = "on_reject: continue\nrange: 0 0\naccept_score: 0\ngrader_flags: first_error\n";
        files.push(testdata("data/sample", text.to_owned()));
    }
    let flags = "first_error accept_if_any_accepted";
    files.push(testdata("data/secret", format!("on_reject: continue\nrange: 0 {total}\ngrader_flags: {flags}\n")));
    for (index, group) in subject.secret() {
        let folder = format!("data/secret/{}", group_name(subject, index));
        let points = group.points.unwrap_or_default();
        let text = format!("on_reject: break\naccept_score: {points}\nrange: 0 {points}\ngrader_flags: min\n");
        files.push(testdata(&folder, text));
        // The old version can't say that one group needs another: the cases it needs come again, before its own.
        for needed in subject.needed(index) {
            for (at, case) in subject.groups[needed].cases.iter().enumerate() {
                let name = format!("{}-{}", group_name(subject, needed), case_number(&subject.groups[needed], at));
                files.extend(pair(&format!("{folder}/{name}"), PAIR, case));
            }
        }
        for (at, case) in group.cases.iter().enumerate() {
            let name = format!("{}-{}", group_name(subject, index), case_number(group, at));
            files.extend(pair(&format!("{folder}/{name}"), PAIR, case));
        }
    }
    files
}

fn ini(subject: &Subject<'_>) -> String {
    let name = subject.problem.name.replace('\'', "’");
    let id = short(subject);
    format!("short-name = {id}\nexternalid = {id}\nname = '{name}'\ntimelimit = '{}'\n", seconds(subject.limits.cpu))
}

/// A statement as a page that stands alone, samples and all.
pub(super) fn page(subject: &Subject<'_>, statement: usize) -> String {
    let statement = &subject.statements[statement];
    let name = escaped(&subject.problem.name);
    let mut body = html(&statement.whole, Formulas::Plain);
    if statement.samples.is_none() {
        for (at, sample) in subject.problem.samples().iter().enumerate() {
            let [input, answer] = [Some(&sample.input), sample.answer.as_ref()]
                .map(|text| text.map(|text| format!("<pre>{}</pre>\n", escaped(text))).unwrap_or_default());
            body.push_str(&format!("<h3>{}</h3>\n{input}{answer}", at + 1));
        }
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{name}</title></head>\n<body>\n\
         <h1>{name}</h1>\n{body}</body>\n</html>\n",
        statement.language
    )
}
