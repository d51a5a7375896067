//! Prepares programs that are judged on a package: adds the package's files and checks that the package allows the
//! language.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::lang::{Program, Source, SourceBundle, SourceFile};
use crate::model::{ByteSize, Failure};
use crate::package::{Package, PackageSubmission};

use super::host::Host;

/// Prepares a program to judge on a package.
///
/// # Errors
/// Fails if the program can't be read, if the package does not allow its language, or if it is larger than the package
/// allows.
pub(super) fn package_source(host: &Host, package: &Package, bundle: &SourceBundle) -> Result<Source, Failure> {
    let languages = host.languages();
    if package.kind.submit_answer {
        return Source::of_answers(bundle).map_err(Failure::from);
    }
    let path = &bundle.name;
    let in_language = |language: Option<&str>| {
        languages.from_bundle(&SourceBundle { language: language.map(str::to_owned), ..bundle.clone() })
    };
    let language = bundle.language.as_deref();
    let source = in_language(language.map(ours))?;
    if let (None, Some(other)) = (language, of_the_format(&source)) {
        return Err(Failure::complaint(format!("{path}: the program is in {other}, which is not supported")));
    }
    // Other judges that use this format run Python with PyPy, and authors rely on its speed.
    let source = match (language, source.language().id.as_str()) {
        (None | Some("python3"), "python") => match in_language(Some("pypy")) {
            Ok(faster) if languages.missing(&faster)?.is_none() => faster,
            Err(Failure::Fault(fault)) => return Err(fault.into()),
            _ => source,
        },
        _ => source,
    };
    let names = theirs(&source.language().id);
    if !package.languages.is_empty() && !package.languages.iter().any(|code| names.contains(&ours(code))) {
        let (name, known) = (&source.language().name, package.languages.join(", "));
        return Err(Failure::complaint(format!("{path}: the program is in {name}; the problem allows only {known}")));
    }
    let size = ByteSize::new(source.files().iter().map(|file| file.content.len() as u64).sum());
    if let Some(most) = package.limits.code.filter(|most| size > *most) {
        let (size, most) = (size.human(), most.human());
        return Err(Failure::complaint(format!("{path}: the source has {size}; the problem allows at most {most}")));
    }
    let files = included(&package.include, &source)?;
    // Drivers of legacy packages may have any name: the legacy tool starts the first of all files.
    let source = source.with_files(files, package.format.is_legacy()).with_constants(&package.constants);
    Ok(match &bundle.entry {
        Some(entry) => source.with_entry(entry),
        None => source,
    })
}

/// Prepares a program that is part of a package.
///
/// # Errors
/// Fails if the program cannot be read from the package.
pub fn submission_source(host: &Host, package: &Package, submission: &PackageSubmission) -> Result<Source, Failure> {
    package_source(host, package, &submission_bundle(submission)?)
}

/// Reads the files of a program that is part of a package.
///
/// # Errors
/// Fails if the files can't be read.
pub fn submission_bundle(submission: &PackageSubmission) -> Result<SourceBundle, Failure> {
    let bundle = SourceBundle::read_from_package(&submission.path, submission.language.as_deref());
    Ok(SourceBundle { entry: submission.entry.clone(), ..bundle? })
}

/// Returns the files that a package adds to programs in the language of `source`.
pub(super) fn included(
    include: &BTreeMap<String, Vec<(String, PathBuf)>>,
    source: &Source,
) -> Result<Vec<SourceFile>, Failure> {
    let names = theirs(&source.language().id);
    let own = names.iter().find_map(|name| include.get(*name)).or_else(|| include.get("default"));
    let mut files = Vec::new();
    for (name, path) in own.into_iter().flatten() {
        let content = fs_err::read(path).map_err(|error| Failure::user_file(&error))?;
        files.push(SourceFile { name: name.clone(), content });
    }
    Ok(files)
}

/// The name of a program's language in the package's format, if the language table does not have the language: Python
/// 2, which is recognised by the first line, and Prolog, whose extension is also that of Perl.
fn of_the_format(source: &Source) -> Option<&'static str> {
    let text = String::from_utf8_lossy(&source.entry().content);
    let first = text.lines().next().unwrap_or_default();
    match source.language().id.as_str() {
        "python" if first.starts_with("#!") && first.contains("python2") => Some("Python 2"),
        "perl" if !first.starts_with("#!") && text.contains(":-") => Some("Prolog"),
        _ => None,
    }
}

/// The id in the language table of the language with this code in the format.
fn ours(code: &str) -> &str {
    match code {
        "python3" | "python3numpy" => "python",
        "javaalgs4" => "java",
        "cppgmp" => "cpp",
        "cgmp" => "c",
        other => other,
    }
}

/// The format's code for the language of a program; empty if the format has no code for it.
pub(super) fn language_code(source: &Source) -> &str {
    theirs(&source.language().id).first().copied().unwrap_or_default()
}

/// Returns the entry point of a program as the format defines it: a class or a file.
pub(super) fn entry_point(source: &Source, program: &Program) -> String {
    match (program.class(), source.language().id.as_str()) {
        (Some(class), _) => class.to_owned(),
        (None, "kotlin") => "MainKt".to_owned(),
        (None, _) => source.original_name_of(source.entry()).to_owned(),
    }
}

/// The format's codes for a language of the table, the best match first.
fn theirs(id: &str) -> Vec<&str> {
    match id {
        "python" | "pypy" => vec!["python3", "python"],
        other => vec![other],
    }
}
