//! A setter's program at work beside the contestant's: its cell, and the folder in which it is shown files.
//!
//! The folder is in the room of its cell, to be read and not written. Files of the cache are laid into it as links, so
//! nothing is copied, and the program sees of the cache what it is given and no more.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::judge::{Feedback, Graded, NEXT_PASS, Question, Ruling, admit, answered, rule};
use crate::lang::{Program, Source};
use crate::model::{Diagnostic, Failure, Fault, FaultKind, Limits};
use crate::problem::{AuxProgram, Protocol};
use crate::sandbox::{Cell, CellCommand, Input, Mount, Output, Run};

use super::arena::Arena;
use super::hands::{room, task};

/// A text that a program is shown.
#[derive(Debug, Clone, Copy)]
pub(super) enum Text<'a> {
    /// A file of ours.
    File(&'a Path),
    /// These bytes.
    Bytes(&'a [u8]),
}

impl<'a> Text<'a> {
    /// Its bytes.
    pub(super) fn bytes(self) -> Result<Cow<'a, [u8]>, Fault> {
        let fault = |error: io::Error| Fault::new(FaultKind::Data, error.to_string());
        match self {
            Text::File(path) => fs_err::read(path).map(Cow::Owned).map_err(fault),
            Text::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
        }
    }

    /// As standard input.
    pub(super) fn as_input(self) -> Result<Input, Fault> {
        match self {
            Text::File(path) => open(path).map(Input::File),
            Text::Bytes(bytes) => super::hands::file_with(bytes).map(Input::File),
        }
    }
}

/// The desks of one worker, opened as they are needed.
pub(super) struct Desks<'a> {
    arena: &'a Arena,
    slot: usize,
    /// The program whose runs are judged, if there is one.
    judged: Option<(&'a Source, &'a Program)>,
    open: HashMap<(PathBuf, Option<String>), Desk>,
}

/// A program at its cell.
pub(super) struct Desk {
    /// What people call it.
    name: String,
    program: Program,
    cell: Box<dyn Cell>,
    folder: tempfile::TempDir,
    /// The files of its folder, if it has one of its own.
    own: Feedback,
    /// Where it runs, if not in its private folder.
    dir: Option<PathBuf>,
}

/// A auxiliary program at its desk.
pub(super) struct Seated<'a> {
    desk: &'a mut Desk,
    aux_program: &'a AuxProgram,
}

impl<'a> Desks<'a> {
    pub(super) fn new(arena: &'a Arena, slot: usize) -> Desks<'a> {
        Desks { arena, slot, judged: None, open: HashMap::new() }
    }

    /// For judging the runs of this program.
    pub(super) fn of(self, source: &'a Source, program: &'a Program) -> Desks<'a> {
        Desks { judged: Some((source, program)), ..self }
    }

    /// The desk of this auxiliary program.
    ///
    /// # Errors
    /// Its program does not compile or its language is not here; or our own failure.
    pub(super) fn at<'b>(&'b mut self, aux_program: &'b AuxProgram) -> Result<Seated<'b>, Failure> {
        use std::collections::hash_map::Entry;
        let desk = match self.open.entry((aux_program.source.clone(), aux_program.language.clone())) {
            Entry::Occupied(desk) => desk.into_mut(),
            Entry::Vacant(place) => {
                let mut desk = Desk::open(self.arena, aux_program, self.slot)?;
                if let Some((source, program)) = self.judged.filter(|_| aux_program.among_files) {
                    desk.dir = Some(desk.lay_judged(source, program)?);
                }
                place.insert(desk)
            }
        };
        Ok(Seated { desk, aux_program })
    }

    /// The same while a contestant's program is judged, when what a person wrote was looked at before.
    pub(super) fn ready<'b>(&'b mut self, aux_program: &'b AuxProgram) -> Result<Seated<'b>, Fault> {
        self.at(aux_program).map_err(faulty)
    }
}

impl Desk {
    fn open(arena: &Arena, aux_program: &AuxProgram, slot: usize) -> Result<Desk, Failure> {
        let program = arena.aux_program(aux_program)?;
        let own =
            if aux_program.source.is_dir() { arena.aux_program_source(aux_program)?.into_files() } else { Vec::new() };
        let own = own.into_iter().map(|file| (file.name.into(), file.content)).collect();
        let folder = folder(&arena.cache().join("desks")).map_err(|error| unwritable(&error))?;
        let mut room = room(&program, slot);
        room.mounts.push(Mount::read(folder.path()));
        let name =
            aux_program.source.file_name().unwrap_or(aux_program.source.as_os_str()).to_string_lossy().into_owned();
        Ok(Desk { name, program, cell: arena.sandbox().open(&room)?, folder, own, dir: None })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Lays the files of the program whose runs are judged out in a folder of their own: those that were handed in, and
    /// what was made of them.
    fn lay_judged(&self, source: &Source, program: &Program) -> Result<PathBuf, Fault> {
        let folder = self.path(JUDGED);
        let lay = || -> io::Result<()> {
            fs_err::create_dir(&folder)?;
            for file in source.files() {
                let path = folder.join(source.given(file));
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

    /// Puts a text into the folder under this name.
    fn lay(&self, name: &str, text: Text<'_>) -> Result<(), Fault> {
        let path = self.path(name);
        let lay = || -> io::Result<()> {
            // What was there may be a link to a file of the cache: it must go, and never be written to.
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            match text {
                Text::File(from) if std::fs::hard_link(from, &path).is_ok() => return Ok(()),
                Text::File(from) => _ = fs_err::copy(from, &path)?,
                Text::Bytes(bytes) => fs_err::write(&path, bytes)?,
            }
            fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644))
        };
        lay().map_err(|error| unwritable(&error))
    }
}

impl Seated<'_> {
    /// What people call the program.
    pub(super) fn name(&self) -> &str {
        &self.desk.name
    }

    /// How it is called and how it answers.
    pub(super) fn protocol(&self) -> Protocol {
        self.aux_program.protocol
    }

    /// The limits of its runs.
    pub(super) fn limits(&self) -> Limits {
        self.desk.program.limits(&self.aux_program.limits)
    }

    /// Whether it accepts this input as a validator: none if it does, else why not. `beside` are the files of the case,
    /// which it finds in its working directory, with those of its own folder.
    ///
    /// # Errors
    /// In words for its author: it crashed, broke a limit or its protocol; or our own failure.
    pub(super) fn admit(&mut self, input: &[u8], beside: Feedback) -> Result<Option<String>, Failure> {
        let mut task = self.task(Text::Bytes(input).as_input()?, &[]);
        task.stdout = Output::Collect;
        if let Some((name, _)) = self.desk.own.iter().find(|(name, _)| beside.iter().any(|(other, _)| other == name)) {
            let name = name.to_string_lossy();
            let message = format!("the file `{name}` is of the case and of the validator {}", self.name());
            return Err(Diagnostic::new(message).into());
        }
        task.files = [self.desk.own.as_slice(), &beside].concat();
        let run = self.desk.cell.run(task)?;
        admit(self.aux_program.protocol, &run.execution, &self.limits())
            .map_err(|how| Diagnostic::new(format!("{} {how}", self.name())).into())
    }

    /// What it says of a program's text as a static validator: it is told the language and the entry point, and finds the
    /// program's files in its working directory.
    ///
    /// # Errors
    /// A fault if it failed, or we did.
    pub(super) fn read_text(&mut self, about: &[String; 2]) -> Result<Ruling, Fault> {
        let mut task = self.task(Input::Empty, &[]);
        let before = task.argv.len() - self.aux_program.args.len();
        let mut feedback = self.desk.cell.private_dir().as_os_str().to_owned();
        feedback.push("/");
        let about = about.iter().map(OsString::from).chain([feedback]);
        task.argv.splice(before..before, about);
        let run = self.desk.cell.run(task)?;
        self.rule(run).map(|(ruling, _)| ruling)
    }

    /// What it says of a group's results as a grader.
    ///
    /// # Errors
    /// A fault if it failed, or we did.
    pub(super) fn grade(&mut self, question: &Question) -> Result<Graded, Fault> {
        let mut task = self.task(Text::Bytes(question.text().as_bytes()).as_input()?, &[]);
        task.argv.extend(question.flags.iter().map(Into::into));
        let run = self.desk.cell.run(task)?;
        answered(&self.desk.name, &run.execution, &self.limits(), &run.stdout)
    }

    /// What it says of this output as a checker. `feedback` is what it left in the passes before.
    ///
    /// # Errors
    /// A fault if it failed, or we did.
    pub(super) fn check(
        &mut self,
        input: Text<'_>,
        output: Text<'_>,
        answer: Text<'_>,
        feedback: Feedback,
    ) -> Result<(Ruling, Feedback), Fault> {
        let desk = &*self.desk;
        desk.lay("input", input)?;
        desk.lay("output", output)?;
        desk.lay("answer", answer)?;
        let names: &[&str] = match self.aux_program.protocol {
            Protocol::Icpc => &["input", "answer"],
            Protocol::Testlib | Protocol::Plain => &["input", "output", "answer"],
        };
        let stdin = match self.aux_program.protocol {
            Protocol::Icpc => Input::File(open(&desk.path("output"))?),
            Protocol::Testlib | Protocol::Plain => Input::Empty,
        };
        let mut task = self.task(stdin, names);
        task.files = feedback;
        let run = self.desk.cell.run(task)?;
        self.rule(run)
    }

    /// The run of an interactor with these streams.
    ///
    /// # Errors
    /// A fault if its files can't be laid out.
    pub(super) fn prepare(
        &mut self,
        input: Text<'_>,
        answer: Text<'_>,
        feedback: Feedback,
        (stdin, stdout): (Input, Output),
    ) -> Result<CellCommand, Fault> {
        self.desk.lay("input", input)?;
        self.desk.lay("answer", answer)?;
        let names: &[&str] = match self.aux_program.protocol {
            Protocol::Icpc | Protocol::Plain => &["input", "answer"],
            Protocol::Testlib => &["input", WRITTEN, "answer"],
        };
        let task = self.task(stdin, names);
        Ok(CellCommand { stdout, files: feedback, ..task })
    }

    /// Runs it.
    ///
    /// # Errors
    /// As [`Cell::run`].
    pub(super) fn run(&mut self, task: CellCommand) -> Result<Run, Fault> {
        self.desk.cell.run(task)
    }

    /// What its run says, and what it left for the next.
    ///
    /// # Errors
    /// A fault if it failed.
    pub(super) fn rule(&self, mut run: Run) -> Result<(Ruling, Feedback), Fault> {
        let said = &mut run.execution.stderr.text;
        *said = self.desk.program.plain(said, &self.desk.name);
        let ruling = rule(&self.desk.name, self.aux_program, &run.execution, &self.limits(), &run.files)?;
        run.files.retain(|(name, _)| name != NEXT_PASS);
        Ok((ruling, run.files))
    }

    /// A run with files of the folder as arguments, then what its protocol wants, then its own arguments.
    fn task(&self, stdin: Input, names: &[&str]) -> CellCommand {
        let private = self.desk.cell.private_dir();
        let mut task = task(&self.desk.program, &self.aux_program.limits, private, stdin, &[]);
        for name in names {
            // What it writes itself is in the one folder where it may.
            let place = if *name == WRITTEN { private.join(name) } else { self.desk.path(name) };
            task.argv.push(place.into());
        }
        if self.aux_program.protocol == Protocol::Icpc && !names.is_empty() {
            let mut feedback = private.as_os_str().to_owned();
            feedback.push("/");
            task.argv.push(feedback);
        }
        task.argv.extend(self.aux_program.args.iter().map(Into::into));
        task.take_files = true;
        task.dir.clone_from(&self.desk.dir);
        task
    }
}

/// The folder with the files of the program whose runs are judged.
const JUDGED: &str = "judged";

/// Lets programs read what is below a folder.
fn open_to_readers(folder: &Path) -> io::Result<()> {
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        let program = entry.file_type().is_dir() || entry.metadata()?.permissions().mode() & 0o111 != 0;
        let mode = if program { 0o755 } else { 0o644 };
        fs_err::set_permissions(entry.path(), std::fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// The file that an interactor of testlib's writes, for a checker to look at.
pub(super) const WRITTEN: &str = "written";

/// A new folder among these, which programs may read. One that a killed judge left there is removed after a day.
fn folder(desks: &Path) -> io::Result<tempfile::TempDir> {
    const FORGOTTEN: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);
    fs_err::create_dir_all(desks)?;
    for entry in fs_err::read_dir(desks)?.flatten() {
        let modified = entry.metadata().and_then(|about| about.modified());
        if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > FORGOTTEN)) {
            _ = std::fs::remove_dir_all(entry.path());
        }
    }
    let folder = tempfile::Builder::new().prefix("desk-").tempdir_in(desks)?;
    fs_err::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))?;
    Ok(folder)
}

/// What ends a judgement, whoever is to be told of it.
pub(super) fn faulty(failure: Failure) -> Fault {
    match failure {
        Failure::Fault(fault) => fault,
        complaint => Fault::new(FaultKind::Checker, complaint.to_string()),
    }
}

fn open(path: &Path) -> Result<File, Fault> {
    fs_err::File::open(path).map(Into::into).map_err(|error| Fault::new(FaultKind::Data, error.to_string()))
}

fn unwritable(error: &io::Error) -> Fault {
    let help = "free some room, or set NIMATRON_CACHE to another folder";
    Fault::new(FaultKind::Data, format!("a checker's files can't be laid out: {error}; {help}"))
}
