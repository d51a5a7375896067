//! The ICPC package format 2025-09, and what it shares with the old version.

use crate::data::Entry;
use crate::input::Answers;
use crate::model::{Digest, Failure};
use crate::problem::{AuxProgram, Judging};

use super::checker::{self, Dialect, icpc_flags};
use super::format::{Format, Rendered, unsaid, validator, whole_points};
use super::latex::{escaped, latex};
use super::naming::{case_number, flat, group_name, pair};
use super::program::{Credit, for_icpc};
use super::statement::Statement;
use super::subject::Subject;
use super::text::{mebibytes, seconds, yaml, yaml_list};

/// The endings of a case's files.
pub(super) const PAIR: [&str; 2] = [".in", ".ans"];
/// The licences that the format knows.
const LICENSES: [&str; 6] = ["public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"];

pub(super) fn render(subject: &Subject<'_>) -> Result<Rendered, Failure> {
    let mut files = vec![Entry::new("problem.yaml", metadata(subject)?)];
    let mut notes = Vec::new();
    for statement in &subject.statements {
        let path = format!("statement/problem.{}.tex", statement.language);
        files.push(Entry::new(path, tex(&subject.problem.name, statement)));
    }
    let (validators, args) = output(subject, "output_validator", Format::Icpc)?;
    files.extend(validators);
    files.extend(inputs(subject)?);
    files.extend(cases(subject, &args)?);
    let known = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error", "rejected"];
    place(subject, &mut files, &mut notes, |folder| match folder {
        folder if known.contains(&folder) => Ok(folder),
        "compile_error" => Err("no folder promises a compile error"),
        _ => Ok("rejected"),
    });
    Ok(Rendered { files, notes })
}

/// Puts each solution into the format's folder for one of ours, or notes why it can't be there.
pub(super) fn place<'a>(
    subject: &'a Subject<'_>,
    files: &mut Vec<Entry>,
    notes: &mut Vec<String>,
    folder: impl Fn(&'a str) -> Result<&'a str, &'static str>,
) {
    for solution in &subject.solutions {
        let placed = folder(&solution.folder).map_err(str::to_owned);
        match placed.and_then(|folder| Ok(solution.program.plain()?.below(&format!("submissions/{folder}")))) {
            Ok(placed) => files.extend(placed),
            Err(why) => notes.push(solution.left_out(&why)),
        }
    }
}

fn metadata(subject: &Subject<'_>) -> Result<String, Failure> {
    let problem = subject.problem;
    let mut kinds = vec![if subject.scored() { "scoring" } else { "pass-fail" }];
    if subject.judging().interactive() {
        kinds.push("interactive");
    }
    if subject.judging().passes() > 1 {
        kinds.push("multi-pass");
    }
    let names =
        subject.statements.iter().map(|statement| format!("  {}: {}\n", statement.language, yaml(&problem.name)));
    let mut text = format!(
        "problem_format_version: 2025-09\ntype: [{}]\nname:\n{}uuid: {}\n",
        kinds.join(", "),
        names.collect::<String>(),
        uuid(subject)
    );
    text.push_str(&origin(subject));
    if !problem.keywords.is_empty() {
        text.push_str(&format!("keywords: {}\n", yaml_list(&problem.keywords)));
    }
    let time = subject.limits.cpu;
    text.push_str(&format!("limits:\n  time_limit: {}\n", seconds(time)));
    if !time.as_micros().is_multiple_of(1_000_000) {
        text.push_str("  time_resolution: 0.001\n");
    }
    text.push_str(&format!("  memory: {}\n", mebibytes(subject.limits.memory)));
    text.push_str(&format!("  output: {}\n", mebibytes(subject.limits.output)));
    if subject.judging().passes() > 1 {
        text.push_str(&format!("  validation_passes: {}\n", subject.judging().passes()));
    }
    Ok(text)
}

/// Where the problem comes from and who may use it.
pub(super) fn origin(subject: &Subject<'_>) -> String {
    let problem = subject.problem;
    let mut text = String::new();
    if let Some(source) = &problem.source {
        text.push_str(&format!("source: {}\n", yaml(source)));
    }
    let license = problem.license.as_deref().filter(|license| LICENSES.contains(license));
    text.push_str(&format!("license: {}\n", license.unwrap_or("unknown")));
    if license.is_some_and(|license| license != "public domain") && problem.source.is_none() {
        text.push_str(&format!("rights_owner: {}\n", yaml(&format!("the authors of {}", problem.name))));
    }
    text
}

/// A number that is the problem's own wherever it is exported: it comes from its id and its name.
pub(super) fn uuid(subject: &Subject<'_>) -> String {
    let parts = [b"uuid".as_slice(), subject.problem.id.as_str().as_bytes(), subject.problem.name.as_bytes()];
    let digest = Digest::of_parts(parts).to_string();
    // Version 8 is for those who make the number in a way of their own.
    format!("{}-{}-8{}-a{}-{}", &digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32])
}

/// The statement as the format's LaTeX.
pub(super) fn tex(name: &str, statement: &Statement) -> String {
    let mut text = format!("\\problemname{{{}}}\n\n{}", escaped(name), latex(&statement.legend));
    for (section, environment) in [(statement.input(), "Input"), (statement.output(), "Output")] {
        if let Some(section) = section {
            text.push_str(&format!("\n\\begin{{{environment}}}\n{}\\end{{{environment}}}\n", latex(&section.body)));
        }
    }
    let notes = statement.notes();
    for section in statement.others().iter().chain(&notes) {
        text.push_str(&format!("\n\\section*{{{}}}\n{}", escaped(&section.title), latex(&section.body)));
    }
    text
}

/// The files that judge outputs, in this folder, and the arguments for what judges.
pub(super) fn output(
    subject: &Subject<'_>,
    folder: &str,
    format: Format,
) -> Result<(Vec<Entry>, Vec<String>), Failure> {
    let program = |judge: &AuxProgram| -> Result<(Vec<Entry>, Vec<String>), Failure> {
        // A share counts where there are points alone.
        let credit = if format == Format::Icpc && subject.scored() { Credit::Multiplier } else { Credit::None };
        let program = for_icpc(judge, format.name(), credit)?;
        Ok((program.apart(folder), judge.args.clone()))
    };
    match subject.judging() {
        Judging::Compare(comparer) => Ok(match icpc_flags(*comparer) {
            Some(flags) => (Vec::new(), flags),
            None => {
                let path = format!("{folder}/compare.cpp");
                (vec![Entry::new(path, checker::cpp(*comparer, Dialect::Icpc))], Vec::new())
            }
        }),
        Judging::Checker { checker, .. } => program(checker),
        Judging::Interactor { interactor, checker: None, .. } => program(interactor),
        Judging::Interactor { .. } => Err(unsaid(format, "a checker behind an interactor")),
    }
}

/// What checks inputs: the description's own validator, and the problem's programs.
pub(super) fn inputs(subject: &Subject<'_>) -> Result<Vec<Entry>, Failure> {
    let answers = Answers { accepted: 42, refused: 43 };
    let mut files = vec![Entry::new("input_validators/description.cpp", validator(subject, answers))];
    for own in &subject.problem.validators {
        files.extend(for_icpc(own, "the ICPC format", Credit::Unasked)?.apart("input_validators"));
    }
    Ok(files)
}

fn cases(subject: &Subject<'_>, args: &[String]) -> Result<Vec<Entry>, Failure> {
    let mut files = samples(subject);
    let args = match args {
        [] => String::new(),
        args => format!("output_validator_args: {}\n", yaml_list(args)),
    };
    if !args.is_empty() && subject.samples().is_some() {
        files.push(Entry::new("data/sample/test_group.yaml", args.clone()));
    }
    if !subject.scored() {
        files.extend(unscored(subject));
        files.extend((!args.is_empty()).then(|| Entry::new("data/secret/test_group.yaml", args)));
        return Ok(files);
    }
    let mut total = 0;
    for (index, group) in subject.secret() {
        let points = whole_points(group, Format::Icpc)?;
        total += points;
        let folder = format!("data/secret/{}", group_name(subject, index));
        for (at, case) in group.cases.iter().enumerate() {
            files.extend(pair(&format!("{folder}/{}", case_number(group, at)), PAIR, case));
        }
        let rule = if matches!(subject.judging(), Judging::Compare(_)) { "pass-fail" } else { "min" };
        let mut text = format!("max_score: {points}\nscore_aggregation: {rule}\n");
        let place = |needed: &usize| match &subject.groups[*needed] {
            group if group.sample => "sample".to_owned(),
            _ => format!("secret/{}", group_name(subject, *needed)),
        };
        if !group.after.is_empty() {
            let needed: Vec<String> = group.after.iter().map(place).collect();
            text.push_str(&format!("require_pass: [{}]\n", needed.join(", ")));
        }
        files.push(Entry::new(format!("{folder}/test_group.yaml"), text));
    }
    files
        .push(Entry::new("data/secret/test_group.yaml", format!("max_score: {total}\nscore_aggregation: sum\n{args}")));
    Ok(files)
}

/// The files of the samples.
pub(super) fn samples(subject: &Subject<'_>) -> Vec<Entry> {
    let cases =
        subject.samples().into_iter().flat_map(|group| group.cases.iter().enumerate().map(move |one| (group, one)));
    cases.flat_map(|(group, (at, case))| pair(&format!("data/sample/{}", case_number(group, at)), PAIR, case)).collect()
}

/// The files of all other cases, where groups are worth nothing.
pub(super) fn unscored(subject: &Subject<'_>) -> Vec<Entry> {
    let secret = flat(subject).into_iter().filter(|(group, ..)| !subject.groups[*group].sample);
    secret.flat_map(|(_, name, case)| pair(&format!("data/secret/{name}"), PAIR, case)).collect()
}
