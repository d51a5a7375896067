//! Reads a DMOJ package.

use std::collections::BTreeMap;
use std::path::Path;

use crate::check::ComparisonRule as Comparison;
use crate::lang::ProgramRules;
use crate::model::{ByteSize, Diagnostic, Failure, ProblemId};
use crate::problem::Protocol;

use super::super::defaults::{comparison, limits_guess};
use super::super::package_model::{InputArgs, OutputCheck, Package, PackageCase, PackageFormat};
use super::super::tree::PackageTree;
use super::super::yaml_map::{YamlMap, strings};
use super::cases::{BatchOrCase, CaseSettings, CasesReader, read_bool, refuse_python_keys};
use super::files::{DmojFiles, PLAIN_NAME};
use super::generator::generated_case;
use super::grading::{folder, grading, numbered};
use super::output_check::{CheckedCase, checker, grader, interactor};
use super::signature::add_grader;
use super::unbuffered::Unbuffered;

/// Name of the package's main file.
const MAIN: &str = "init.yml";
/// Default output limit.
const OUTPUT: ByteSize = ByteSize::new(25_165_824);

/// Size by which the address space of a program may exceed the memory limit.
const ADDRESS_SPACE_EXCESS: ByteSize = ByteSize::mib(64);

/// The classes of Java's library that programs cannot use, and those with the hint `nobigmath`.
const FORBIDDEN_CLASSES: &[&str] = &["sun/misc/Unsafe"];
const NO_BIG_MATH: &[&str] = &["sun/misc/Unsafe", "java/math/BigInteger", "java/math/BigDecimal"];

/// Returns whether a tree is a DMOJ package.
pub(crate) fn is_package(tree: &PackageTree) -> bool {
    tree.file(MAIN).is_some()
}

/// Reads a package. Its archive is unpacked below `cache`.
///
/// # Errors
/// Fails if the package is invalid or requires a feature that is not supported, if a file can't be read, or if the
/// cache can't be written.
pub(crate) fn read(tree: &PackageTree, id: ProblemId, cache: &Path) -> Result<Package, Failure> {
    let origin = tree.origin(MAIN);
    let text = tree.text(MAIN)?.unwrap_or_default();
    let mut keys = YamlMap::parse(&origin, &text)?;
    let judge = keys.string("custom_judge")?;
    let mut package = Package::bare(tree, id, PackageFormat::Dmoj, comparison(Comparison::Exact));
    let mut notes = std::mem::take(&mut package.notes);
    let WorkingFiles { input: input_files, output: output_file } = WorkingFiles::take(&mut keys, &mut notes)?;
    let defaults = CaseSettings::take(&mut keys, &mut notes)?;
    let archive = keys.string("archive")?;
    let files = DmojFiles::open(tree, archive.as_deref(), cache, &mut notes)?;
    package.limits.output = match keys.number("output_limit_length")? {
        Some(bytes) if (1.0..=1e12).contains(&bytes) => ByteSize::new(bytes as u64),
        Some(_) => {
            return Err(keys.error("output_limit_length", "expected a number of bytes from 1 to 1000000000000").into());
        }
        None => OUTPUT,
    };
    let mut reader = CasesReader { defaults: &defaults, archive_names: files.archive_names(), notes: &mut notes };
    let pretests = keys.names().iter().any(|name| name == "pretest_test_cases");
    let mut items = if pretests { reader.read(&mut keys, "pretest_test_cases")? } else { Vec::new() };
    // Pretests outside of batches have no points, even if the file specifies some.
    let single = items.iter_mut().filter(|item| !item.batched);
    single.flat_map(|item| &mut item.cases).for_each(|case| case.points = Some(0.0));
    let first = items.iter().filter(|item| item.batched).count();
    let mut own = reader.read(&mut keys, "test_cases")?;
    own.iter_mut().flat_map(|item| &mut item.after).for_each(|number| *number += first);
    items.append(&mut own);
    if items.is_empty() {
        return Err(keys.error("test_cases", "the package has no test cases").into());
    }
    package.kind.scoring = items.iter().flat_map(|item| &item.cases).any(|case| case.points_or_default() > 0.0);
    if read_bool(&mut keys, "unbuffered")?.unwrap_or(false) {
        package.include = Unbuffered::include_files(&files)?;
        notes.push(
            "init.yml: `unbuffered` supports only C, C++ and Python; programs in other languages must flush their output"
                .to_owned(),
        );
    }
    let mut dialogue = keys.take("interactive");
    let signature = keys.map("signature_grader")?;
    let ignored = |key: &str, other: &str| format!("init.yml: `{key}` is ignored, because `{other}` takes precedence");
    match (&judge, signature) {
        (Some(_), Some(_)) => notes.push(ignored("signature_grader", "custom_judge")),
        (None, Some(map)) => {
            refuse_python_keys(&map)?;
            add_grader(&mut package, map, &files, &mut notes)?;
            notes.extend(dialogue.take().map(|_| ignored("interactive", "signature_grader")));
        }
        (_, None) => {}
    }
    let mut each = BTreeMap::new();
    let mut batch = 0;
    for item in &items {
        batch += usize::from(item.batched);
        for case in &item.cases {
            let position = package.cases.len();
            let binary = case.binary.unwrap_or(false);
            let place = if item.batched { batch } else { 0 };
            let checked = CheckedCase {
                points: case.points_or_default(),
                position,
                batch: place,
                binary,
                problem: package.id.as_str(),
            };
            let output = match (&judge, &dialogue) {
                (Some(file), _) => grader(file, &keys, &files, &checked)?,
                (None, Some(value)) => {
                    let mut map = keys.as_map("interactive", value.clone())?;
                    interactor(&mut map, &files, &checked, &mut notes)?
                }
                (None, None) => checker(case.checker.as_ref(), &keys, &files, &checked, &mut notes)?,
            };
            let name = numbered(&folder(item, batch), position);
            each.insert(name.clone(), output);
            package.generated_cases.extend(generated_case(position, case, &keys, &files, &mut notes)?);
            let input = files.case_file(case.input(), binary)?;
            package.cases.push(PackageCase {
                answer: Some(files.case_file(case.answer(), binary)?),
                name,
                output: None,
                shown: [None, None],
                interaction: None,
                args: Vec::new(),
                files: input_files.iter().map(|name| (name.clone(), input.clone())).collect(),
                input,
                input_args: InputArgs::default(),
                output_args: Vec::new(),
                text_args: None,
                hint: None,
                description: case.input().map(str::to_owned),
            });
        }
    }
    package.compiler_args.programs = files.flags();
    package.output_file = output_file;
    package.kind.interactive = judge.is_some() || dialogue.is_some();
    // Checkers with the protocols in [`partial_passes`] accept the outputs for which they award partial points, so
    // partial points do not count as a failure.
    let given: Vec<bool> = package.cases.iter().map(|case| partial_passes(each.get(&case.name))).collect();
    package.output = OutputCheck::Each(each);
    package.grading = grading(&items, package.kind.scoring, &|at| given.get(at) == Some(&true));
    let hints = keys.take("hints").and_then(|hints| {
        let known = strings(&hints);
        if known.is_none() {
            notes.push("init.yml: `hints` is ignored, because it is not a list of strings".to_owned());
        }
        known
    });
    let hints = hints.unwrap_or_default();
    package.program_rules = ProgramRules {
        address_space_excess: Some(ADDRESS_SPACE_EXCESS),
        limit_resident: true,
        public_java_class: true,
        forbidden_java_classes: if hints.iter().any(|hint| hint == "nobigmath") {
            NO_BIG_MATH
        } else {
            FORBIDDEN_CLASSES
        },
    };
    // These keys are used only by the site, or have no effect on judging.
    for key in ["meta", "runtime", "short_circuit"] {
        keys.take(key);
    }
    keys.finish(&mut notes);
    notes.sort();
    notes.dedup();
    package.notes = notes;
    package.guess = Some(format!("{}{}", points_guess(&items), limits_guess()));
    package.text = text;
    Ok(package)
}

fn partial_passes(output: Option<&OutputCheck>) -> bool {
    use Protocol::{Coci, Peg, Testlib};
    match output {
        Some(OutputCheck::Testlib { .. }) => true,
        Some(OutputCheck::Dmoj(program)) => matches!(program.protocol, Testlib | Coci | Peg),
        _ => false,
    }
}

/// Returns the part of [`Package::guess`] about the points that are assumed if the package specifies none.
fn points_guess(items: &[BatchOrCase]) -> &'static str {
    let any = |holds: fn(&CaseSettings) -> bool| items.iter().flat_map(|item| &item.cases).any(holds);
    match (any(|case| case.points.is_some_and(|points| points > 0.0)), any(|case| case.points_or_default() > 0.0)) {
        (true, _) => "",
        (false, true) => "no positive points are specified, so a case or batch without points is worth 1 point; ",
        (false, false) => "no case has points, so all cases must pass; ",
    }
}

/// The files in the working directory of a program that take the place of the standard streams.
#[derive(Debug, Default)]
struct WorkingFiles {
    /// The names of the files with the input.
    input: Vec<String>,
    /// The name of the file for the output; `None` for standard output.
    output: Option<String>,
}

impl WorkingFiles {
    /// Takes the keys `file_io` and `symlinks`. A symbolic link to `/dev/stdin` is equivalent to a file with the input,
    /// and a link to `/dev/stdout` to a file for the output. Other links are ignored with a note.
    fn take(keys: &mut YamlMap<'_>, notes: &mut Vec<String>) -> Result<WorkingFiles, Diagnostic> {
        let mut files = WorkingFiles::default();
        if let Some(mut map) = keys.map("file_io")? {
            files.input.extend(plain_name(&mut map, "input")?);
            files.output = plain_name(&mut map, "output")?;
            map.finish(notes);
        }
        let Some(mut links) = keys.map("symlinks")? else { return Ok(files) };
        for name in links.names() {
            let target = links.string(&name)?;
            match target.as_deref() {
                Some(_) if !crate::unzip::name::plain(&name) => return Err(links.error(&name, PLAIN_NAME)),
                Some("/dev/stdin") => files.input.push(name),
                Some("/dev/stdout") if files.output.is_none() => files.output = Some(name),
                _ => notes.push(format!(
                    "init.yml: the symbolic link `{name}` is ignored, because only one link to `/dev/stdout` and links to \
                     `/dev/stdin` are supported"
                )),
            }
        }
        Ok(files)
    }
}

/// Takes the value of a key, which must be a name without a folder.
fn plain_name(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<String>, Diagnostic> {
    match keys.string(key)? {
        Some(name) if !crate::unzip::name::plain(&name) => {
            Err(keys.error(key, format!("{PLAIN_NAME}, found `{name}`")))
        }
        name => Ok(name),
    }
}
