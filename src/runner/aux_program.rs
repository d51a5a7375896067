//! Runs auxiliary programs: checkers, validators, interactors and custom graders. Each program runs in its own cell and
//! has a folder with its files.
//!
//! The folder is mounted read-only in the cell. Test data is placed in it as hard links to the files of the cache, or
//! as copies if links are not possible, so that no other test data is visible in the cell.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::judge::{
    CheckerResult, Feedback, GraderQuestion, GroupOutcome, NEXT_PASS, SINOL_RESULT, parse_grade, parse_result,
    parse_validation,
};
use crate::lang::{DialogueRecord, Program, RECORD_MAX, RECORDER_VARIABLE, Source, Template, recorder_value};
use crate::model::{ByteSize, Diagnostic, Exit, Failure, Fault, FaultKind, Limits};
use crate::problem::{AuxProgram, Protocol};
use crate::sandbox::{Cell, CellCommand, CellOutput, CellSpec, Input, MORE_PIPES_MAX, Mount, Output};

use super::checked_output::{CheckedOutput, RUN_FACTS, SUBMISSION, run_facts};
use super::command::{cell_spec, command};
use super::host::Host;
use super::languages::Languages;
use super::text_source::{TextSource, open};

/// The auxiliary programs of one worker, each with a cell that is opened when it is first needed.
pub(super) struct AuxPrograms<'a> {
    host: &'a Host,
    slot: usize,
    /// The source and the build of the submission whose output is judged, if there is one.
    judged: Option<(&'a Source, &'a Program)>,
    open: HashMap<(PathBuf, Option<String>), AuxProcess>,
}

/// An auxiliary program with its open cell and its folder.
pub(super) struct AuxProcess {
    /// The name by which messages refer to the program.
    name: String,
    program: Program,
    cell: Box<dyn Cell>,
    folder: tempfile::TempDir,
    /// The files of the program's source folder; empty if its source is a single file.
    own: Feedback,
    /// The working directory; `None` for the private working directory.
    dir: Option<PathBuf>,
    /// The id of the submission's language; `None` if the program does not receive the facts about runs.
    language: Option<String>,
    /// Whether the program is an interactor that can record its dialogues.
    records: bool,
    /// The open cells of the judged program's processes, except for the first process, with their specification. Only
    /// an interactor that communicates with several processes has such cells.
    others: Option<(CellSpec, Vec<Box<dyn Cell>>)>,
}

/// An auxiliary program that is ready to run.
pub(super) struct ReadyAuxProgram<'a> {
    host: &'a Host,
    slot: usize,
    process: &'a mut AuxProcess,
    aux_program: &'a AuxProgram,
}

impl<'a> AuxPrograms<'a> {
    pub(super) fn new(host: &'a Host, slot: usize) -> AuxPrograms<'a> {
        AuxPrograms { host, slot, judged: None, open: HashMap::new() }
    }

    /// Sets the submission whose output is judged: its source `source` and its build `program`.
    pub(super) fn of(self, source: &'a Source, program: &'a Program) -> AuxPrograms<'a> {
        AuxPrograms { judged: Some((source, program)), ..self }
    }

    /// Returns an auxiliary program other than an interactor, ready to run. Builds the program and opens its cell on the
    /// first call.
    ///
    /// # Errors
    /// Fails if the program can't be read or does not compile, if its language is not installed, or if the judge itself
    /// fails.
    pub(super) fn at<'b>(&'b mut self, aux_program: &'b AuxProgram) -> Result<ReadyAuxProgram<'b>, Failure> {
        self.opened(aux_program, Languages::build_aux)
    }

    /// Returns an interactor, ready to run, like [`AuxPrograms::at`].
    pub(super) fn interactor<'b>(&'b mut self, interactor: &'b AuxProgram) -> Result<ReadyAuxProgram<'b>, Failure> {
        self.opened(interactor, Languages::build_interactor)
    }

    fn opened<'b>(
        &'b mut self,
        aux_program: &'b AuxProgram,
        build: impl FnOnce(&Languages, &AuxProgram) -> Result<Program, Failure>,
    ) -> Result<ReadyAuxProgram<'b>, Failure> {
        use std::collections::hash_map::Entry;
        let process = match self.open.entry((aux_program.source.clone(), aux_program.language.clone())) {
            Entry::Occupied(process) => process.into_mut(),
            Entry::Vacant(place) => {
                let mut process = AuxProcess::open(self.host, aux_program, build, self.slot)?;
                if let Some((source, program)) = self.judged.filter(|_| aux_program.among_files) {
                    process.dir = Some(process.lay_judged(source, program)?);
                }
                if let Some((source, _)) = self.judged.filter(|_| aux_program.protocol == Protocol::Dmoj) {
                    process.lay(SUBMISSION, TextSource::Bytes(source.submitted_text()))?;
                    process.language = Some(source.language().id.clone());
                }
                place.insert(process)
            }
        };
        Ok(ReadyAuxProgram { host: self.host, slot: self.slot, process, aux_program })
    }

    /// Like [`AuxPrograms::at`], but every failure is a fault, because invalid auxiliary programs are reported before a
    /// submission is judged.
    pub(super) fn ready<'b>(&'b mut self, aux_program: &'b AuxProgram) -> Result<ReadyAuxProgram<'b>, Fault> {
        self.at(aux_program).map_err(faulty)
    }
}

impl AuxProcess {
    fn open(
        host: &Host,
        aux_program: &AuxProgram,
        build: impl FnOnce(&Languages, &AuxProgram) -> Result<Program, Failure>,
        slot: usize,
    ) -> Result<AuxProcess, Failure> {
        let program = build(host.languages(), aux_program)?;
        let own =
            if aux_program.source.is_dir() { host.languages().load_aux(aux_program)?.into_files() } else { Vec::new() };
        let own = own.into_iter().map(|file| (file.name.into(), file.content)).collect();
        let folder = folder(&host.cache().aux_folders()).map_err(|error| unwritable(&error))?;
        let mut room = cell_spec(&program, slot);
        room.mounts.push(Mount::read(folder.path()));
        let name =
            aux_program.source.file_name().unwrap_or(aux_program.source.as_os_str()).to_string_lossy().into_owned();
        let cell = host.sandbox().open(&room)?;
        let records = program.has_recorder();
        Ok(AuxProcess { name, program, cell, folder, own, dir: None, language: None, records, others: None })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Places the submission's files in a separate folder: the submitted files and those that the build created.
    /// Returns the folder.
    fn lay_judged(&self, source: &Source, program: &Program) -> Result<PathBuf, Fault> {
        let folder = self.path(JUDGED);
        let lay = || -> io::Result<()> {
            fs_err::create_dir(&folder)?;
            for file in source.files() {
                let path = folder.join(source.original_name_of(file));
                path.parent().map(fs_err::create_dir_all).transpose()?;
                fs_err::write(&path, &file.content)?;
            }
            let built = program.folder().into_iter().flat_map(|built| WalkDir::new(built).min_depth(1));
            for entry in built {
                let entry = entry?;
                let name = program.folder().and_then(|built| entry.path().strip_prefix(built).ok());
                let known = |name: &Path| source.files().iter().any(|file| Path::new(&file.name) == name);
                let name = name.filter(|name| entry.file_type().is_file() && !known(name));
                if let Some(path) = name.map(|name| folder.join(name)).filter(|path| !path.exists()) {
                    path.parent().map(fs_err::create_dir_all).transpose()?;
                    fs_err::copy(entry.path(), path)?;
                }
            }
            open_to_readers(&folder)
        };
        lay().map(|()| folder.clone()).map_err(|error| unwritable(&error))
    }

    /// Places a file with the content `text` in the folder of the auxiliary program. A file of the test data is
    /// hard-linked if possible, and copied otherwise.
    fn lay(&self, name: &str, text: TextSource<'_>) -> Result<(), Fault> {
        let path = self.path(name);
        // The kernel copies between two files of the standard library.
        let copy = |mut from: &File| io::copy(&mut from, &mut File::from(fs_err::File::create(&path)?)).map(|_| ());
        let lay = || -> io::Result<()> {
            // The old file may be a link to a file of the cache, which must not be modified, so the file is removed.
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            match text {
                TextSource::File(from) if std::fs::hard_link(from, &path).is_ok() => return Ok(()),
                // The file may be a device: the answer file of a case without an answer is a device. `std::fs::copy`
                // rejects devices.
                TextSource::File(from) => copy(&fs_err::File::open(from)?.into())?,
                TextSource::Spilled(mut file) => {
                    file.rewind()?;
                    copy(file)?;
                }
                TextSource::Bytes(bytes) => fs_err::write(&path, bytes)?,
            }
            fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644))
        };
        lay().map_err(|error| unwritable(&error))
    }
}

impl ReadyAuxProgram<'_> {
    /// Returns the name by which messages refer to the program.
    pub(super) fn name(&self) -> &str {
        &self.process.name
    }

    /// Returns the protocol that defines how the program is called and how it reports its result.
    pub(super) fn protocol(&self) -> Protocol {
        self.aux_program.protocol
    }

    /// Returns the limits of the program's runs.
    pub(super) fn limits(&self) -> Limits {
        self.process.program.limits(&self.aux_program.limits)
    }

    /// Validates an input. Returns `None` if the program accepts it, otherwise the reason for the rejection. The
    /// working directory contains the files of the case and of the program's own folder.
    ///
    /// # Errors
    /// Returns the errors of [`parse_validation`], and fails if the validator and the case have a file with the same
    /// name, or if the judge itself fails.
    pub(super) fn admit(&mut self, input: &[u8], beside: Feedback) -> Result<Option<String>, Failure> {
        let mut command = self.command(TextSource::Bytes(input).as_input()?, &[]);
        command.stdout = Output::Collect;
        if let Some((name, _)) = self.process.own.iter().find(|(name, _)| beside.iter().any(|(other, _)| other == name))
        {
            let name = name.to_string_lossy();
            let message = format!("both the test case and the validator `{}` contain a file `{name}`", self.name());
            return Err(Diagnostic::new(message).help("rename one of the two files").into());
        }
        command.files = [self.process.own.as_slice(), &beside].concat();
        let run = self.process.cell.run(command)?;
        parse_validation(self.aux_program.protocol, &run.execution, &self.limits())
            .map_err(|how| Diagnostic::new(format!("{} {how}", self.name())).into())
    }

    /// Runs the program as a static validator on a submission's source. The validator's arguments are `about`: the
    /// language code and the entry point. Its working directory contains the submission's files.
    ///
    /// # Errors
    /// Returns a fault if the validator or the judge fails.
    pub(super) fn read_text(&mut self, about: &[String; 2]) -> Result<CheckerResult, Fault> {
        let mut command = self.command(Input::Empty, &[]);
        let before = command.argv.len() - self.aux_program.args.len();
        let mut feedback = self.process.cell.private_dir().as_os_str().to_owned();
        feedback.push("/");
        let about = about.iter().map(OsString::from).chain([feedback]);
        command.argv.splice(before..before, about);
        let run = self.process.cell.run(command)?;
        self.rule(run).map(|(ruling, _)| ruling)
    }

    /// Runs the program as a custom grader on the results of a group.
    ///
    /// # Errors
    /// Returns a fault if the grader or the judge fails.
    pub(super) fn grade(&mut self, question: &GraderQuestion) -> Result<GroupOutcome, Fault> {
        let mut command = self.command(TextSource::Bytes(question.text().as_bytes()).as_input()?, &[]);
        command.argv.extend(question.flags.iter().map(Into::into));
        let run = self.process.cell.run(command)?;
        parse_grade(&self.process.name, &run.execution, &self.limits(), &run.stdout)
    }

    /// Runs the program as a checker on an output. `feedback` contains the files that the checker left in earlier
    /// passes. Returns the result, and the files for the next pass.
    ///
    /// # Errors
    /// Returns a fault if the checker or the judge fails.
    pub(super) fn check(
        &mut self,
        input: TextSource<'_>,
        output: CheckedOutput<'_>,
        answer: TextSource<'_>,
        feedback: Feedback,
    ) -> Result<(CheckerResult, Feedback), Fault> {
        let process = &*self.process;
        process.lay("input", input)?;
        process.lay("output", output.text)?;
        process.lay("answer", answer)?;
        if self.aux_program.protocol == Protocol::Dmoj {
            let facts = run_facts(output.run, process.language.as_deref());
            process.lay(RUN_FACTS, TextSource::Bytes(facts.as_bytes()))?;
        }
        let names: &[&str] = match self.aux_program.protocol {
            Protocol::Icpc | Protocol::Dmoj => &["input", "answer"],
            Protocol::Testlib | Protocol::Plain | Protocol::Coci | Protocol::Sinol => &["input", "output", "answer"],
            Protocol::Peg => &["answer", "output", "input"],
        };
        let stdin = match self.aux_program.protocol {
            Protocol::Icpc | Protocol::Dmoj => Input::File(open(&process.path("output"))?),
            Protocol::Testlib | Protocol::Plain | Protocol::Coci | Protocol::Peg | Protocol::Sinol => Input::Empty,
        };
        let mut command = self.command(stdin, names);
        command.files = feedback;
        let run = self.process.cell.run(command)?;
        self.rule(run)
    }

    /// Places the files of a case for an interactor, and returns the command that runs the interactor. `pipes` are its
    /// read end and its write end for each process of the judged program.
    ///
    /// # Errors
    /// Returns a fault if the interactor's files can't be written.
    pub(super) fn prepare(
        &mut self,
        input: TextSource<'_>,
        answer: TextSource<'_>,
        feedback: Feedback,
        pipes: Vec<[OwnedFd; 2]>,
    ) -> Result<CellCommand, Fault> {
        self.process.lay("input", input)?;
        self.process.lay("answer", answer)?;
        if self.aux_program.protocol == Protocol::Dmoj {
            let facts = run_facts(None, self.process.language.as_deref());
            self.process.lay(RUN_FACTS, TextSource::Bytes(facts.as_bytes()))?;
        }
        let names: &[&str] = match self.aux_program.protocol {
            Protocol::Icpc | Protocol::Plain | Protocol::Dmoj | Protocol::Coci | Protocol::Peg => &["input", "answer"],
            Protocol::Testlib => &["input", WRITTEN, "answer"],
            Protocol::Sinol => &[],
        };
        let command = self.command(Input::Empty, names);
        if self.aux_program.protocol == Protocol::Sinol {
            let stdin = Input::File(open(&self.process.path("input"))?);
            let mut argv = command.argv;
            argv.push(pipes.len().to_string().into());
            argv.extend((FIRST_MORE_PIPE..).take(2 * pipes.len()).map(|number| number.to_string().into()));
            let more_pipes = pipes.into_iter().flatten().collect();
            return Ok(CellCommand { argv, stdin, more_pipes, prestart: false, files: feedback, ..command });
        }
        let [read, write] = <[[OwnedFd; 2]; 1]>::try_from(pipes)
            .map(|[pipe]| pipe)
            .map_err(|_| Fault::new(FaultKind::Internal, "the interactor's protocol supports only one process"))?;
        Ok(CellCommand { stdin: Input::Pipe(read), stdout: Output::Pipe(write), files: feedback, ..command })
    }

    /// Returns whether the interactor can record its dialogue with the only process of the judged program.
    pub(super) fn records(&self) -> bool {
        // Interactors of sinol packages do not communicate over the standard streams.
        self.process.records && self.aux_program.protocol != Protocol::Sinol
    }

    /// Changes the command of an interactor such that it records its dialogue. `limits` are the output limits of the program
    /// and of the interactor, in bytes.
    pub(super) fn record(&self, command: &mut CellCommand, limits: [u64; 2]) {
        let value = recorder_value(limits, &self.process.cell.private_dir().join(RECORD));
        command.env.push((RECORDER_VARIABLE.into(), value));
        // The interactor's own output does not include the record.
        let size = ByteSize::new(RECORD_MAX as u64);
        command.limits.output = command.limits.output.plus(size);
        command.limits.memory = command.limits.memory.plus(size);
    }

    /// Takes the record out of the files of an interactor's run that started at `started`, in nanoseconds of the monotonic
    /// clock. Returns `None` if the dialogue could not be recorded. The interactor is then not asked again to record.
    pub(super) fn take_record(&mut self, run: &mut CellOutput, started: u64) -> Option<DialogueRecord> {
        let at = run.files.iter().position(|(name, _)| name == RECORD);
        let file = at.map(|at| run.files.remove(at).1);
        // The file is in the memory of the cell, which counts as memory of the interactor.
        let memory = &mut run.execution.usage.memory;
        *memory = ByteSize::new(memory.get().saturating_sub(file.as_ref().map_or(0, Vec::len) as u64));
        // The recorder kills an interactor that makes a system call that it cannot record.
        let is_whole = run.execution.exit != Exit::Signal(libc::SIGSYS);
        let record = file.filter(|_| is_whole).and_then(|file| DialogueRecord::parse(&file, started));
        self.process.records = record.is_some();
        record
    }

    /// Runs the command of an interactor.
    ///
    /// # Errors
    /// Returns the errors of [`Cell::run`].
    pub(super) fn run_interactor(&mut self, command: CellCommand) -> Result<CellOutput, Fault> {
        let mut run = self.process.cell.run(command)?;
        if self.aux_program.protocol == Protocol::Sinol {
            run.files.push((SINOL_RESULT.into(), std::mem::take(&mut run.stdout)));
        }
        Ok(run)
    }

    /// Returns the number of processes of the judged program with which an interactor communicates.
    pub(super) fn processes(&self) -> u32 {
        self.aux_program.processes
    }

    /// Takes the cells of the processes of the judged program `program`, except for the first process. Cells that are
    /// not open are opened.
    ///
    /// # Errors
    /// Returns a fault if a cell can't be created.
    pub(super) fn take_cells(&mut self, program: &Program) -> Result<Vec<Box<dyn Cell>>, Fault> {
        let spec = cell_spec(program, self.slot);
        match self.process.others.take() {
            Some((opened, cells)) if opened == spec && cells.len() as u32 + 1 == self.processes() => Ok(cells),
            _ => (1..self.processes()).map(|_| self.host.sandbox().open(&spec)).collect(),
        }
    }

    /// Keeps the cells that [`ReadyAuxProgram::take_cells`] returned for the next run of `program`.
    pub(super) fn keep_cells(&mut self, program: &Program, cells: Vec<Box<dyn Cell>>) {
        if !cells.is_empty() {
            self.process.others = Some((cell_spec(program, self.slot), cells));
        }
    }

    /// Interprets a run of this program. Returns the result, and the files that the program wrote for the next pass.
    ///
    /// # Errors
    /// Returns a fault if the program failed or violated its protocol.
    pub(super) fn rule(&self, mut run: CellOutput) -> Result<(CheckerResult, Feedback), Fault> {
        let stderr = &mut run.execution.stderr.text;
        *stderr = self.process.program.plain(stderr, &self.process.name);
        let ruling = parse_result(
            &self.process.name,
            self.aux_program,
            &run.execution,
            &self.limits(),
            (&run.stdout, &run.files),
        )?;
        run.files.retain(|(name, _)| name != NEXT_PASS);
        Ok((ruling, run.files))
    }

    /// Returns the command that runs the program. If `names` is not empty, the first arguments are the paths of these
    /// files, in the form that the template `file_args` defines, if there is one. In the protocols [`Protocol::Icpc`]
    /// and [`Protocol::Dmoj`], the path of the feedback folder follows. The last arguments are the program's own.
    fn command(&self, stdin: Input, names: &[&str]) -> CellCommand {
        let private = self.process.cell.private_dir();
        let mut command = command(&self.process.program, self.aux_program.limits, private, stdin, &[]);
        // The file `WRITTEN` is created by the program itself, so its path is in the private directory.
        let place = |name: &str| if name == WRITTEN { private.join(name) } else { self.process.path(name) };
        match &self.aux_program.file_args {
            Some(own) if !names.is_empty() => {
                let output = names.iter().find(|name| ["output", WRITTEN].contains(name));
                let output = output.map_or_else(|| PathBuf::from("/dev/null"), |name| place(name));
                let files = [("input_file", place("input")), ("output_file", output), ("answer_file", place("answer"))];
                let values = files.into_iter().map(|(name, path)| (name.to_owned(), vec![path.into()])).collect();
                command.argv.extend(own.iter().flat_map(|arg| Template::new(arg).fill(&values)));
            }
            _ => command.argv.extend(names.iter().map(|name| place(name).into())),
        }
        if matches!(self.aux_program.protocol, Protocol::Icpc | Protocol::Dmoj) && !names.is_empty() {
            let mut feedback = private.as_os_str().to_owned();
            feedback.push("/");
            command.argv.push(feedback);
        }
        command.argv.extend(self.aux_program.args.iter().map(Into::into));
        command.take_files = true;
        command.dir.clone_from(&self.process.dir);
        command
    }
}

/// The number of the first additional pipe end of a program.
const FIRST_MORE_PIPE: usize = 3;
const _: () = assert!(2 * AuxProgram::MOST_PROCESSES as usize <= MORE_PIPES_MAX);

/// The name of the file in which an interactor records its dialogue, in its private working directory.
const RECORD: &str = ".nimatron-dialogue";

/// The name of the folder with the submission's files.
const JUDGED: &str = "judged";

/// Makes a folder and all files and folders in it readable for programs in cells.
fn open_to_readers(folder: &Path) -> io::Result<()> {
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        let program = entry.file_type().is_dir() || entry.metadata()?.permissions().mode() & 0o111 != 0;
        let mode = if program { 0o755 } else { 0o644 };
        fs_err::set_permissions(entry.path(), std::fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// The file that a testlib interactor writes for the checker.
pub(super) const WRITTEN: &str = "written";

/// Creates a folder that programs in cells may read. Folders that a killed process left behind are removed after a day.
fn folder(aux_programs: &Path) -> io::Result<tempfile::TempDir> {
    const ABANDONED_AGE: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);
    fs_err::create_dir_all(aux_programs)?;
    for entry in fs_err::read_dir(aux_programs)?.flatten() {
        let modified = entry.metadata().and_then(|about| about.modified());
        if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED_AGE)) {
            _ = std::fs::remove_dir_all(entry.path());
        }
    }
    let folder = tempfile::Builder::new().prefix("process-").tempdir_in(aux_programs)?;
    fs_err::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))?;
    Ok(folder)
}

/// Converts a failure to a fault: while a submission is judged, an invalid auxiliary program is an error of the judge.
pub(super) fn faulty(failure: Failure) -> Fault {
    match failure {
        Failure::Fault(fault) => fault,
        complaint => Fault::new(FaultKind::Checker, complaint.to_string()),
    }
}

fn unwritable(error: &io::Error) -> Fault {
    let help = "check the free space and the permissions of the cache, or set `NIMATRON_CACHE` to another folder";
    Fault::new(FaultKind::Data, format!("cannot write the files of an auxiliary program: {error}; {help}"))
}
