//! A whole package of DMOJ.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::check::Rule as Comparison;
use crate::model::{
    Aggregate, AggregateKind, Bytes, Diagnostic, Failure, Grading, Part, Points, ProblemId, Rule, Score,
};

use super::super::bare::{compared, limits_said, sum};
use super::super::keys::Keys;
use super::super::model::{Case, Format, InputArgs, OutputCheck, Package};
use super::super::tree::Tree;
use super::cases::{Own, Reader, Unit};
use super::files::Files;
use super::judging::{Told, checker, interactor};

/// The package's main file.
const MAIN: &str = "init.yml";
/// What a program may write where nothing is said.
const OUTPUT: Bytes = Bytes::new(25_165_824);

/// Whether a tree is such a package.
pub(crate) fn is_package(tree: &Tree) -> bool {
    tree.file(MAIN).is_some()
}

/// Reads a package. What it has zipped is unpacked below `cache`.
///
/// # Errors
/// What of it makes no sense, or can't be done here.
pub(crate) fn read(tree: &Tree, id: ProblemId, cache: &Path) -> Result<Package, Failure> {
    let origin = tree.origin(MAIN);
    let text = tree.text(MAIN)?.unwrap_or_default();
    let mut keys = Keys::parse(&origin, &text)?;
    for (key, what) in [("custom_judge", "a judge in Python of its own"), ("signature_grader", "a grader to link with")]
    {
        if keys.names().iter().any(|name| name == key) {
            return Err(keys.wrong(key, format!("{what} is not supported")).into());
        }
    }
    let mut package = Package::bare(tree, id, Format::Dmoj, compared(Comparison::Exact));
    let mut notes = std::mem::take(&mut package.notes);
    let (input_file, output_file) = file_io(&mut keys, &mut notes)?;
    let outer = Own::take(&mut keys, &mut notes)?;
    let archive = keys.string("archive")?;
    let files = Files::open(tree, archive.as_deref(), cache)?;
    package.limits.output = match keys.number("output_limit_length")? {
        Some(bytes) if (1.0..=1e12).contains(&bytes) => Bytes::new(bytes as u64),
        Some(_) => return Err(keys.wrong("output_limit_length", "a number of bytes is expected here").into()),
        None => OUTPUT,
    };
    let mut reader = Reader { outer: &outer, archived: files.archived(), notes: &mut notes };
    let pretests = keys.names().iter().any(|name| name == "pretest_test_cases");
    let mut units = if pretests { reader.units(&mut keys, "pretest_test_cases")? } else { Vec::new() };
    for unit in &mut units {
        (unit.pretest, unit.points) = (true, Some(0.0));
        unit.cases.iter_mut().for_each(|case| case.own.points = Some(0.0));
    }
    let first = units.iter().filter(|unit| unit.batched).count();
    let mut own = reader.units(&mut keys, "test_cases")?;
    own.iter_mut().flat_map(|unit| &mut unit.after).for_each(|number| *number += first);
    units.append(&mut own);
    if units.is_empty() {
        return Err(keys.wrong("test_cases", "there is no case").into());
    }
    package.kind.scoring = units.iter().any(|unit| unit.points.is_some_and(|points| points > 0.0));
    let dialogue = keys.take("interactive");
    let mut each = BTreeMap::new();
    let mut batch = 0;
    for unit in &units {
        batch += usize::from(unit.batched);
        for case in &unit.cases {
            let position = package.cases.len();
            let binary = case.own.binary.unwrap_or(false);
            let place = if unit.batched { batch } else { 0 };
            let points = case.own.points.unwrap_or(1.0);
            let told = Told { points, position, batch: place, binary, problem: package.id.as_str() };
            let output = match &dialogue {
                Some(value) => {
                    let mut map = keys.as_map("interactive", value.clone())?;
                    interactor(&mut map, &files, &told, &mut notes)?
                }
                None => checker(case.own.checker.as_ref(), &keys, &files, &told, &mut notes)?,
            };
            let name = format!("{}/{:03}", folder(unit, batch), position + 1);
            each.insert(name.clone(), output);
            let input = files.of_case(case.input.as_deref(), binary)?;
            package.cases.push(Case {
                answer: Some(files.of_case(case.answer.as_deref(), binary)?),
                name,
                output: None,
                shown: [None, None],
                interaction: None,
                args: Vec::new(),
                files: input_file.iter().map(|name| (name.clone(), input.clone())).collect(),
                input,
                input_args: InputArgs::default(),
                output_args: Vec::new(),
                text_args: None,
                hint: None,
                description: case.input.clone(),
            });
        }
    }
    package.output_file = output_file;
    package.kind.interactive = dialogue.is_some();
    package.output = OutputCheck::Each(each);
    package.grading = grading(&units, package.kind.scoring);
    // What the site alone uses, or what changes nothing here.
    for key in ["hints", "meta", "runtime", "short_circuit"] {
        keys.take(key);
    }
    keys.finish(&mut notes);
    notes.sort();
    notes.dedup();
    package.notes = notes;
    let points = if package.kind.scoring { "" } else { "no case has points, so all must be passed; " };
    package.guess = Some(format!("{points}{}", limits_said()));
    package.text = text;
    Ok(package)
}

/// The names of the files that programs use in place of the standard streams: for the input, and for the output.
fn file_io(keys: &mut Keys<'_>, notes: &mut Vec<String>) -> Result<(Option<String>, Option<String>), Diagnostic> {
    let Some(mut map) = keys.map("file_io")? else { return Ok((None, None)) };
    let mut name = |key: &str| match map.string(key)? {
        Some(name) if !crate::unzip::name::plain(&name) => {
            Err(map.wrong(key, format!("`{name}` is no plain name of a file")))
        }
        name => Ok(name),
    };
    let names = (name("input")?, name("output")?);
    map.finish(notes);
    Ok(names)
}

/// The folder of a unit's cases: `pretests`, `cases`, `batch2`.
fn folder(unit: &Unit, batch: usize) -> String {
    match (unit.batched, unit.pretest) {
        (true, _) => format!("batch{batch}"),
        (false, true) => "pretests".to_owned(),
        (false, false) => "cases".to_owned(),
    }
}

/// Batches earn what the worst of their cases earns, single cases what they are worth. A failed case or batch that is
/// worth nothing ends the judging, as does for a batch a failure of one that it depends on.
fn grading(units: &[Unit], scoring: bool) -> Grading {
    let mut parts = Vec::new();
    let mut pretests: Vec<Range<usize>> = Vec::new();
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut next = 0;
    for unit in units {
        let cases = next..next + unit.cases.len();
        next = cases.end;
        if unit.batched {
            batches.push(cases.clone());
        }
        let needed = unit.after.iter().filter_map(|number| batches.get(number - 1).cloned());
        let require: Vec<Range<usize>> = pretests.iter().cloned().chain(needed).collect();
        let most = Points::nearest(unit.points.unwrap_or(1.0)).unwrap_or_default().score();
        let name = match unit.batched {
            true => folder(unit, batches.len()),
            false => format!("{}/{:03} alone", folder(unit, 0), cases.start + 1),
        };
        let kind = if unit.batched { AggregateKind::Least } else { AggregateKind::Sum };
        let rule = Rule::Aggregate(Aggregate { kind, most: Some(most), require, scored: scoring, text: None });
        parts.push(Part::Group(Grading { name, rule, parts: cases.clone().map(Part::Case).collect() }));
        if unit.pretest {
            pretests.push(cases);
        }
    }
    Grading { name: String::new(), rule: sum(None::<Score>, Vec::new(), scoring), parts }
}
