//! Prepares programs that are judged on a package: adds the package's files and checks that the package allows the
//! language.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::{Program, Source, SourceBundle, SourceFile, SourceOrigin};
use crate::model::{ByteSize, Failure, folder_of};
use crate::package::{Package, PackageCompilerArgs, PackageFormat, PackageSubmission};

use super::host::Host;

/// Prepares a program to judge on a package.
///
/// # Errors
/// Fails if the program is invalid, if its language is not supported or not allowed by the package, if the program is
/// larger than the package allows, if a file of the package can't be read, or if the judge itself fails.
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
        return Err(Failure::complaint(format!("{path}: the program is written in {other}, which is not supported")));
    }
    let written_in = source.language().name.clone();
    // Other judges that use this format run Python with PyPy, and authors rely on its speed.
    let source = match (language, source.language().id.as_str()) {
        // SIO2, the judge that uses sinol packages, runs Python with CPython.
        _ if package.format == PackageFormat::Sinol => source,
        (None | Some("python3"), "python") => match in_language(Some("pypy")) {
            Ok(faster) if languages.missing(&faster)?.is_none() => faster,
            Err(Failure::Fault(fault)) => return Err(fault.into()),
            _ => source,
        },
        _ => source,
    };
    let id = source.language().id.clone();
    let names = theirs(&id);
    if !package.languages.is_empty() && !package.languages.iter().any(|code| names.contains(&ours(code))) {
        let known = package.languages.join(", ");
        let message = format!("{path}: the program is written in {written_in}, but the problem allows only {known}");
        return Err(Failure::complaint(message));
    }
    // Other judges do not apply the default limit to the package's own programs.
    let default = package.format.default_code().filter(|_| bundle.origin != SourceOrigin::Package);
    let size = ByteSize::new(source.files().iter().map(|file| file.content.len() as u64).sum());
    if let Some(most) = package.limits.code.or(default).filter(|most| size > *most) {
        let (size, most) = (size.human(), most.human());
        let who = if package.limits.code.is_some() { "the problem" } else { "the package format" };
        return Err(Failure::complaint(format!(
            "{path}: the size of the source is {size}, but {who} allows at most {most}"
        )));
    }
    let source = match names.iter().find_map(|name| package.prelude.get(*name)) {
        Some(prelude) => source.with_prelude(prelude),
        None => source,
    };
    let files = included(&package.include, &source)?;
    // Drivers of legacy packages may have any name: the legacy tool starts the first file.
    let source = source.with_files(files, package.format.is_legacy()).with_constants(&package.constants);
    let source = match &bundle.entry {
        Some(entry) => source.with_entry(entry),
        None => source,
    };
    Ok(with_package_args(source, &package.compiler_args).with_rules(package.program_rules))
}

/// Returns a submission with the additional compiler arguments of a package.
pub(super) fn with_package_args(source: Source, args: &PackageCompilerArgs) -> Source {
    let language = source.language().clone();
    let own = theirs(&language.id).into_iter().find_map(|name| args.submissions.get(name));
    match own {
        Some(own) => source.with_compiler_args(own),
        None => source,
    }
}

/// Prepares a program that is part of a package.
///
/// # Errors
/// Fails if the program can't be read from the package or is invalid, if the package does not allow it, or if the judge
/// itself fails.
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

/// Returns the package's submission whose program is at `path`, after links are resolved; `None` if there is no such
/// submission or `path` is outside of the package's folder.
pub(super) fn own_submission<'p>(package: &'p Package, path: &Path) -> Option<&'p PackageSubmission> {
    let (folder, target) = (folder_of(path).canonicalize().ok()?, path.canonicalize().ok()?);
    let mut all = package.submissions.iter().filter(|_| folder.starts_with(&package.root));
    all.find(|submission| submission.path == target)
}

/// Returns notes for the user if a program is empty or larger than the format's default limit on the source. For the
/// package's own programs, this limit is not enforced.
pub(super) fn source_notes(package: Option<&Package>, bundle: &SourceBundle) -> Vec<String> {
    let blank = bundle.is_blank().then(|| "the program is empty".to_owned());
    let default = package.filter(|package| package.limits.code.is_none() && !package.kind.submit_answer);
    let size = ByteSize::new(bundle.size());
    let large = default.and_then(|package| package.format.default_code()).filter(|most| size > *most);
    let large = large.map(|most| {
        format!(
            "the size of the source is {}, which exceeds the format's default limit of {}; `problem.yaml` sets no \
             other limit",
            size.human(),
            most.human()
        )
    });
    blank.into_iter().chain(large).collect()
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

/// Returns the name of an unsupported language that shares its extension with a supported language; `None` for other
/// languages. Python 2 is recognized by the first line, and Prolog, whose extension is also that of Perl, by its
/// clauses.
fn of_the_format(source: &Source) -> Option<&'static str> {
    let text = String::from_utf8_lossy(&source.entry().content);
    let first = text.lines().next().unwrap_or_default();
    match source.language().id.as_str() {
        "python" if first.starts_with("#!") && first.contains("python2") => Some("Python 2"),
        "perl" if !first.starts_with("#!") && text.contains(":-") => Some("Prolog"),
        _ => None,
    }
}

/// Returns the id of a language in the table for a language code of the package's format. Other codes are returned
/// unchanged.
fn ours(code: &str) -> &str {
    match code {
        "python3" | "python3numpy" => "python",
        "javaalgs4" => "java",
        "cppgmp" => "cpp",
        "cgmp" => "c",
        other => other,
    }
}

/// Returns the format's code for the language of a program; empty if the format has no code for it.
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

/// Returns the language codes of the format for a language of the table, the best match first.
fn theirs(id: &str) -> Vec<&str> {
    match id {
        "python" | "pypy" => vec!["python3", "python"],
        other => vec![other],
    }
}
