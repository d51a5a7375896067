//! All classes of a data folder, and the threads that judge their programs.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::grade::store::GradeStore;
use crate::model::{Failure, Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::service::JudgeService;
use crate::submissions::{ProblemFinder, SubmissionId};

use super::class_state::GradedClassState;
use super::class_upload::{ClassUpload, NewClass};
use super::class_views::ClassOverview;
use super::open_class::{ClassTask, OpenClass};
use super::worker::{ClassSignals, work};

/// Configuration of a [`ClassTable`].
pub struct ClassSetup {
    /// The folder that contains the classes.
    pub root: PathBuf,
    /// The service that judges the programs.
    pub service: JudgeService,
    /// The finder that locates problems by their ids.
    pub finder: Arc<dyn ProblemFinder>,
    /// A function that returns whether a program of a class may be started: false while submissions by users are
    /// waiting.
    pub may_start: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// The state of a [`ClassTable`] that the judging threads share.
pub(super) struct TableCore {
    root: PathBuf,
    service: JudgeService,
    cancel: Cancel,
    finder: Arc<dyn ProblemFinder>,
    pub may_start: Arc<dyn Fn() -> bool + Send + Sync>,
    pub signals: Arc<ClassSignals>,
    classes: Mutex<Vec<Arc<OpenClass>>>,
    /// Index, modulo the number of classes, of the first class that is searched for the next task.
    turn: Mutex<usize>,
}

impl TableCore {
    fn classes(&self) -> Vec<Arc<OpenClass>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes a task of the first class that has one, starting with the class at the index `turn`. Returns `None` if no
    /// class has a task.
    pub(super) fn next_task(&self) -> Option<(Arc<OpenClass>, ClassTask)> {
        let classes = self.classes();
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        for step in 0..classes.len() {
            let index = (*turn + step) % classes.len();
            if let Some(task) = classes[index].take() {
                *turn = index + 1;
                return Some((classes[index].clone(), task));
            }
        }
        None
    }

    /// Opens a class. Returns false if its store is incomplete because its upload was interrupted.
    fn open(&self, id: &str) -> Result<bool, Failure> {
        let dir = self.root.join(id);
        let store = GradeStore::open(&dir)?;
        let Some(state) = GradedClassState::open(store)? else { return Ok(false) };
        let named = (id.to_owned(), dir);
        let class = OpenClass::new(named, &self.service, self.finder.clone(), self.signals.clone(), state)?;
        self.classes.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(class));
        Ok(true)
    }
}

/// All classes of a data folder. Dropping the table calls [`ClassTable::shutdown`].
pub struct ClassTable {
    core: Arc<TableCore>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl ClassTable {
    /// Opens all classes, removes interrupted uploads, and resumes judging. If the service has several slots, one of
    /// them is never used for classes.
    ///
    /// # Errors
    /// Fails if the folder can't be created or read, if a class can't be opened, or if a thread can't be started.
    pub fn open(setup: ClassSetup) -> Result<ClassTable, Failure> {
        let ClassSetup { root, service, finder, may_start } = setup;
        fs_err::create_dir_all(&root).map_err(|error| Failure::unwritable(&root, &error))?;
        let cancel = service.host().cancel().child()?;
        let at_once = service.host().jobs().saturating_sub(1).max(1);
        let core = Arc::new(TableCore {
            service: service.with_cancel(&cancel),
            root,
            cancel,
            finder,
            may_start,
            signals: Arc::default(),
            classes: Mutex::default(),
            turn: Mutex::new(0),
        });
        for entry in fs_err::read_dir(&core.root).map_err(|error| Failure::user_file(&error))?.flatten() {
            let id = entry.file_name().to_string_lossy().into_owned();
            // Entries whose names are not ids are not classes.
            if id.parse::<SubmissionId>().is_ok() && !core.open(&id)? {
                _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let table = ClassTable { core, threads: Mutex::default() };
        for number in 0..at_once {
            let core = table.core.clone();
            let thread = std::thread::Builder::new().name(format!("class {number}")).spawn(move || work(&core));
            let thread = thread
                .map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot start a judging thread"))?;
            table.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(table)
    }

    /// Starts an upload of the submissions of a new class.
    ///
    /// # Errors
    /// Fails if the folder of the upload can't be created.
    pub fn begin_upload(&self) -> Result<ClassUpload, Failure> {
        ClassUpload::begin(&self.core.root)
    }

    /// Creates a class from an upload. When the function returns, the class has been stored.
    ///
    /// # Errors
    /// Fails if the upload has no files or its zip file can't be read, if the rules are invalid, if the store can't be
    /// read or written, or if no file descriptor is available.
    pub fn create(&self, upload: ClassUpload, new: &NewClass, who: &str) -> Result<Arc<OpenClass>, Failure> {
        let id = upload.store(self.core.service.host(), new, who)?;
        self.core.open(&id)?;
        self.core.signals.changed(&id);
        let missing =
            || Failure::fault(FaultKind::Data, format!("the new class `{id}` was stored but cannot be found"));
        self.find(&id).ok_or_else(missing)
    }

    /// Returns the class with this id; `None` if there is none.
    pub fn find(&self, id: &str) -> Option<Arc<OpenClass>> {
        self.core.classes().into_iter().find(|class| class.id() == id)
    }

    /// Returns the overviews of all classes, the newest first.
    pub fn list(&self) -> Vec<ClassOverview> {
        let mut list: Vec<ClassOverview> = self.core.classes().iter().map(|class| class.overview()).collect();
        list.sort_by(|a, b| (b.created, &b.id).cmp(&(a.created, &a.id)));
        list
    }

    /// Removes a class with all its files. Returns false if there is no class with this id.
    ///
    /// # Errors
    /// Fails if the files of the class can't be removed.
    pub fn delete(&self, id: &str) -> Result<bool, Failure> {
        let removed = {
            let mut classes = self.core.classes.lock().unwrap_or_else(PoisonError::into_inner);
            let place = classes.iter().position(|class| class.id() == id);
            place.map(|place| classes.remove(place))
        };
        let Some(class) = removed else { return Ok(false) };
        class.close();
        fs_err::remove_dir_all(self.core.root.join(id))
            .map_err(|error| Failure::unwritable(&self.core.root, &error))?;
        self.core.signals.changed(id);
        Ok(true)
    }

    /// Sets the function that is called with the id of a class whenever the class changes. The function must not block.
    pub fn on_change(&self, callback: Arc<dyn Fn(&str) + Send + Sync>) {
        self.core.signals.on_change(callback);
    }

    /// Cancels the running programs and stops the threads. Judging resumes when the classes are opened again.
    pub fn shutdown(&self) {
        self.core.cancel.cancel();
        self.core.signals.stop();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // `join` fails if the thread panicked; the thread has exited in either case.
            _ = thread.join();
        }
    }
}

impl Drop for ClassTable {
    fn drop(&mut self) {
        self.shutdown();
    }
}
