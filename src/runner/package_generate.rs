//! Generates the inputs and answers that a package defines only by commands.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::lang::{Program, ProgramRules, Source, paths_conflict};
use crate::model::{ByteSize, Capture, Diagnostic, Digest, Failure, FaultKind, Limits};
use crate::package::{GeneratedCase, Package, PackageCase, PackageCompilerArgs, PrintedCase};
use crate::problem::{AuxProgram, Judging};
use crate::sandbox::{CellCommand, Input};

use super::aux_program::AuxPrograms;
use super::case_runner::working_files;
use super::command::{AUTHOR_LIMITS, cell_spec, command, no_case, program_output, temp_file_with};
use super::data_programs::{interactor_output, run_to_end};
use super::host::Host;
use super::interactive::{InteractionCell, InteractionInput};
use super::package_source::{included, with_package_args};
use super::text_source::TextSource;

/// The wall time limit of a generator that has a time limit, as a multiple of that limit.
const WALL_FACTOR: u64 = 3;

/// Generates the files that a package defines only by commands, and adds them to its cases. Files that were generated
/// before by the same programs are taken from the cache. A case is left out if its generator or main solution fails or
/// does not compile on this machine. Calls `progress` with the number of finished cases and the total before each run of
/// a program, and with the total twice after the last one.
///
/// # Errors
/// Fails if no case remains, or if the judge itself fails.
pub(super) fn generate_files(
    host: &Host,
    package: &mut Package,
    progress: &dyn Fn(usize, usize),
) -> Result<(), Failure> {
    let (root, output_file, include) = (package.root.clone(), package.output_file.clone(), package.include.clone());
    let address_space_excess = package.program_rules.address_space_excess;
    let (compiler_args, built, aux_programs) =
        (package.compiler_args.clone(), BTreeMap::new(), AuxPrograms::new(host, 0));
    let recipes = std::mem::take(&mut package.generated_cases);
    let total = recipes.len();
    let mut generator = PackageGenerator {
        host,
        root,
        output_file,
        include,
        compiler_args,
        address_space_excess,
        built,
        aux_programs,
        progress,
        step: (0, total),
        has_run: false,
    };
    let mut lost = BTreeMap::new();
    for (done, recipe) in recipes.into_iter().enumerate() {
        generator.step = (done, total);
        let interactor = interactor(package, recipe.case);
        let Some(case) = package.cases.get_mut(recipe.case) else { continue };
        let reason = match generator.fill(case, &recipe, interactor.as_ref()) {
            Ok(()) => continue,
            Err(Failure::Complaint(complaint)) => complaint.to_string(),
            // A fault of kind `Checker` is a failure of the package's interactor, so only the case is left out.
            Err(Failure::Fault(fault)) if fault.kind == FaultKind::Checker => fault.message,
            Err(fault) => return Err(fault),
        };
        let first = reason.lines().next().unwrap_or_default();
        let first = first.trim_end_matches(':').trim_end_matches("; standard error");
        lost.insert(recipe.case, first.to_owned());
    }
    if generator.has_run {
        progress(total, total);
    }
    if !lost.is_empty() {
        package.skip_cases(&lost)?;
    }
    Ok(())
}

/// Returns the interactor of a case if the problem is interactive.
fn interactor(package: &Package, case: usize) -> Option<AuxProgram> {
    match package.judging(package.cases.get(case)?) {
        Ok(Judging::Interactor { interactor, .. }) => Some(interactor),
        _ => None,
    }
}

/// Maximum size in bytes of an answer that is printed on standard error.
const LARGEST_ANSWER: usize = 64 << 20;

/// Returns the answer that a generator printed on standard error. If `lines` is set, `\r\n` and `\r` are replaced by
/// `\n`, and the last line is terminated.
fn printed_answer(name: &str, stderr: &Capture, lines: bool) -> Result<String, Diagnostic> {
    if stderr.cut {
        return Err(Diagnostic::new(format!(
            "the answer that {name} prints to standard error exceeds {} MiB",
            LARGEST_ANSWER >> 20
        )));
    }
    if stderr.text.contains(char::REPLACEMENT_CHARACTER) {
        return Err(Diagnostic::new(format!("the answer that {name} prints to standard error is not UTF-8")));
    }
    let mut text = stderr.text.clone();
    if lines && !text.is_empty() {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(text)
}

/// Sets the input file of a case. If the program's working directory contains the previous input file, the new file
/// replaces it there.
fn set_input(case: &mut PackageCase, input: PathBuf) {
    let shown = case.files.iter_mut().filter(|(_, path)| *path == case.input);
    shown.for_each(|(_, path)| path.clone_from(&input));
    case.input = input;
}

/// Runs the programs of a package that generate its inputs and answers.
struct PackageGenerator<'a> {
    host: &'a Host,
    root: PathBuf,
    /// The output file of the package's solutions, if they use one.
    output_file: Option<String>,
    /// The files that the package adds to its solutions, by language.
    include: BTreeMap<String, Vec<(String, PathBuf)>>,
    compiler_args: PackageCompilerArgs,
    /// The rule for the address space of generators with a memory limit.
    address_space_excess: Option<ByteSize>,
    /// The programs that were built, or the reasons why they could not be built, by path.
    built: BTreeMap<PathBuf, Result<Program, Diagnostic>>,
    /// The package's interactors, with their cells.
    aux_programs: AuxPrograms<'a>,
    progress: &'a dyn Fn(usize, usize),
    /// The number of finished cases, and the total.
    step: (usize, usize),
    /// Whether a program was run, because its output was not in the cache.
    has_run: bool,
}

impl PackageGenerator<'_> {
    fn report_run(&mut self) {
        self.has_run = true;
        (self.progress)(self.step.0, self.step.1);
    }

    fn fill(
        &mut self,
        case: &mut PackageCase,
        recipe: &GeneratedCase,
        interactor: Option<&AuxProgram>,
    ) -> Result<(), Failure> {
        if let Some((generator, args)) = &recipe.input {
            let made = self.made_by(generator, None, args, None, None)?;
            set_input(case, made);
        }
        if let Some(printed) = &recipe.printed {
            let [input, answer] = self.printed(printed)?;
            if printed.input {
                set_input(case, input);
            }
            if printed.answer {
                case.answer = Some(answer);
            }
        }
        if let Some((solution, language)) = &recipe.answer {
            case.answer = Some(self.made_by(solution, language.as_deref(), &[], Some(case), interactor)?);
        }
        Ok(())
    }

    /// Returns the path of the file with the output of a program. The program is run unless the output is in the cache.
    /// If `case` is `Some`, the program is a solution that is run on this case; otherwise, it is a generator that is
    /// run with the arguments `args`. In an interactive problem, the output is the file that the interactor writes, and
    /// the interactor's answer file is empty.
    fn made_by(
        &mut self,
        path: &Path,
        language: Option<&str>,
        args: &[String],
        case: Option<&PackageCase>,
        interactor: Option<&AuxProgram>,
    ) -> Result<PathBuf, Failure> {
        let host = self.host;
        let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::user_file(&error));
        let source = host.languages().load_author(path, language)?;
        let source = match case {
            Some(_) => {
                let more = included(&self.include, &source)?;
                with_package_args(source.with_files(more, false), &self.compiler_args)
            }
            None => source.with_compiler_args(self.compiler_args.of_program(path)),
        };
        let stdin = case.map(|case| read(&case.input)).transpose()?.unwrap_or_default();
        let mut files = case.map(|case| working_files(&case.files)).transpose()?.unwrap_or_default();
        // As in judging, files of the case take precedence over those of the program.
        let taken: Vec<OsString> = files.iter().map(|(name, _)| name.clone()).collect();
        let free = |name: &str| taken.iter().all(|taken| !paths_conflict(taken.as_ref(), name.as_ref()));
        let own = source.working_dir_files().filter(|(name, _)| free(name));
        files.extend(own.map(|(name, content)| (name.into(), content.to_vec())));
        let output_file = self.output_file.clone().filter(|_| case.is_some());
        let (own, toolchain) = (source.digest(), host.languages().toolchain_digest(&source)?);
        let own = [own.bytes().as_slice(), toolchain.bytes(), &stdin];
        let names =
            files.iter().map(|(name, _)| name.as_encoded_bytes()).chain(output_file.iter().map(String::as_bytes));
        let other = interactor.map(|interactor| host.languages().aux_digest(interactor)).transpose()?;
        let other = other.iter().map(|digest| digest.bytes().as_slice());
        let digest =
            Digest::of_parts(own.into_iter().chain(args.iter().map(String::as_bytes)).chain(names).chain(other));
        let digest = digest.to_string();
        let file = host.cache().package_output(&digest);
        if file.is_file() {
            return Ok(file);
        }
        self.report_run();
        let name = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let program = self.program(path, &source, &name)?;
        let mut cell = host.sandbox().open(&cell_spec(&program, 0))?;
        let text = if let Some(interactor) = interactor {
            let (input, answer) = (TextSource::Bytes(&stdin), TextSource::Bytes(b""));
            let about = &InteractionInput { case: &no_case(), input, answer, args, files };
            let cell = InteractionCell { cell: cell.as_mut(), program: &program, limits: AUTHOR_LIMITS.into(), about };
            interactor_output(cell, &mut self.aux_programs, interactor, &name)?
        } else {
            let take_files = output_file.is_some();
            let command =
                command(&program, AUTHOR_LIMITS, cell.private_dir(), Input::File(temp_file_with(&stdin)?), args);
            let mut run = run_to_end(cell.as_mut(), &program, CellCommand { files, take_files, ..command }, &name)?;
            program_output(&mut run, output_file.as_deref())
        };
        crate::data::write_whole(&file, &text).map_err(|error| Failure::unwritable(&file, &error))?;
        Ok(file)
    }

    /// Returns the files with the input and the answer that a generator prints.
    fn printed(&mut self, printed: &PrintedCase) -> Result<[PathBuf; 2], Failure> {
        let PrintedCase { generator, name, args, stdin, input: _, answer, lines, time_limit, memory_limit } = printed;
        let host = self.host;
        let source = host.languages().load_author(generator, None)?;
        let source = source.with_compiler_args(self.compiler_args.of_program(generator));
        // The rules for Java apply only to submissions.
        let address_space_excess = self.address_space_excess.filter(|_| memory_limit.is_some());
        let source = source.with_rules(ProgramRules { address_space_excess, ..ProgramRules::default() });
        let limits = Limits {
            cpu: time_limit.unwrap_or(AUTHOR_LIMITS.cpu),
            wall: time_limit.map_or(AUTHOR_LIMITS.wall, |time| time.times(WALL_FACTOR)),
            memory: memory_limit.unwrap_or(AUTHOR_LIMITS.memory),
            ..AUTHOR_LIMITS
        };
        let stdin = stdin.as_ref().map(fs_err::read).transpose().map_err(|error| Failure::user_file(&error))?;
        let stdin = stdin.unwrap_or_default();
        let (own, toolchain) = (source.digest(), host.languages().toolchain_digest(&source)?);
        let kind = [u8::from(*answer), u8::from(*lines)];
        let own_limits =
            if limits == AUTHOR_LIMITS { String::new() } else { format!("{time_limit:?} {memory_limit:?}") };
        let digest = |what: &str| {
            let kinds = [kind.as_slice(), own_limits.as_bytes()].concat();
            let parts = [what.as_bytes(), &kinds, own.bytes().as_slice(), toolchain.bytes(), &stdin];
            Digest::of_parts(parts.into_iter().chain(args.iter().map(String::as_bytes))).to_string()
        };
        let files = ["printed input", "printed answer"].map(|what| host.cache().package_output(&digest(what)));
        if files.iter().all(|file| file.is_file()) {
            return Ok(files);
        }
        self.report_run();
        let program = self.program(generator, &source, name)?;
        let mut cell = host.sandbox().open(&cell_spec(&program, 0))?;
        let stdin = Input::File(temp_file_with(&stdin)?);
        let command = command(&program, limits, cell.private_dir(), stdin, args);
        let run = run_to_end(cell.as_mut(), &program, CellCommand { keep_stderr: LARGEST_ANSWER, ..command }, name)?;
        let text = if *answer { printed_answer(name, &run.execution.stderr, *lines)? } else { String::new() };
        for (file, text) in files.iter().zip([run.stdout.as_slice(), text.as_bytes()]) {
            crate::data::write_whole(file, text).map_err(|error| Failure::unwritable(file, &error))?;
        }
        Ok(files)
    }

    fn program(&mut self, path: &Path, source: &Source, name: &str) -> Result<Program, Failure> {
        if let Some(known) = self.built.get(path) {
            return Ok(known.clone()?);
        }
        let built = match self.host.languages().build_own(source, name) {
            Err(Failure::Complaint(complaint)) => Err(complaint),
            built => Ok(built?),
        };
        self.built.insert(path.to_owned(), built.clone());
        Ok(built?)
    }
}
