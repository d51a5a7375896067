//! CMS, as its loader `italy_yaml` reads it: one folder with `task.yaml`, tests by number, and subtasks in `gen/GEN`.

use crate::check::Rule;
use crate::data::Entry;
use crate::model::{Failure, Score};
use crate::problem::Judging;

use super::checker::{self, Dialect};
use super::format::{Format, Rendered, unsaid, whole_points};
use super::legacy::page;
use super::naming::{flat, short};
use super::subject::Subject;
use super::text::{language_name, mebibytes, seconds, yaml};

pub(super) fn render(subject: &Subject<'_>) -> Result<Rendered, Failure> {
    let Judging::Compare(comparer) = subject.judging() else {
        return Err(unsaid(Format::Cms, "a checker or an interactor that is not a compiled program"));
    };
    let mut notes =
        vec!["CMS wants statements as PDF: print each statement/NAME.html into statement/NAME.pdf".to_owned()];
    let mut files = vec![Entry::new("task.yaml", task(subject)), Entry::new("gen/GEN", generation(subject)?)];
    // Without a checker CMS compares token by token, and line by line: that is stricter in what is seldom written.
    if comparer.rule != Rule::Tokens || comparer.fold_case {
        files.push(Entry::new("check/checker.cpp", checker::cpp(*comparer, Dialect::Cms)));
        notes.push("CMS wants the checker compiled: g++ -O2 -static -o check/checker check/checker.cpp".to_owned());
    }
    for (number, (_, _, case)) in flat(subject).into_iter().enumerate() {
        files.push(Entry::stored(format!("input/input{number}.txt"), case.input.digest));
        files.push(Entry::stored(format!("output/output{number}.txt"), case.answer.digest));
    }
    for at in 0..subject.statements.len() {
        let name = language_name(&subject.statements[at].language);
        files.push(Entry::new(format!("statement/{name}.html"), page(subject, at)));
    }
    files.extend(subject.solutions_below("sol"));
    Ok(Rendered { files, notes })
}

fn task(subject: &Subject<'_>) -> String {
    let count = flat(subject).len();
    let samples = flat(subject).into_iter().enumerate().filter(|(_, (group, ..))| subject.groups[*group].sample);
    let samples: Vec<String> = samples.map(|(number, _)| number.to_string()).collect();
    format!(
        "name: {}\ntitle: {}\ntime_limit: {}\nmemory_limit: {}\nn_input: {count}\ninfile: \"\"\noutfile: \"\"\n\
         primary_language: en\npublic_testcases: {}\ntoken_mode: disabled\n",
        yaml(&short(subject)),
        yaml(&subject.problem.name),
        seconds(subject.limits.cpu),
        mebibytes(subject.limits.memory),
        yaml(&samples.join(",")),
    )
}

/// A line for each test, and before each subtask its points. Where nothing is worth points, all is one subtask of 100.
fn generation(subject: &Subject<'_>) -> Result<String, Failure> {
    let total = subject.groups.iter().filter_map(|group| group.points).fold(Score::ZERO, Score::plus);
    if subject.scored() && total != Score::points(100) {
        return Err(unsaid(Format::Cms, &format!("{total} points in all: they must be 100")));
    }
    let mut text = String::new();
    if !subject.scored() {
        text.push_str("#ST: 100\n");
    }
    let mut last = None;
    for (group, name, _) in flat(subject) {
        if subject.scored() && last != Some(group) {
            if !subject.groups[group].after.is_empty() {
                return Err(unsaid(Format::Cms, "groups that need others"));
            }
            text.push_str(&format!("#ST: {}\n", whole_points(&subject.groups[group], Format::Cms)?));
            last = Some(group);
        }
        text.push_str(&format!("{name}\n"));
    }
    Ok(text)
}
