//! All classes of a data folder, and the threads that judge them.

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

/// What a table of classes needs.
pub struct ClassSetup {
    /// The folder of the classes.
    pub root: PathBuf,
    /// The service that judges.
    pub service: JudgeService,
    /// Finds the problems.
    pub finder: Arc<dyn ProblemFinder>,
    /// Whether a program of a class may be started now: false while people wait for their programs.
    pub may_start: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// What the threads share.
pub(super) struct TableCore {
    root: PathBuf,
    service: JudgeService,
    cancel: Cancel,
    finder: Arc<dyn ProblemFinder>,
    pub may_start: Arc<dyn Fn() -> bool + Send + Sync>,
    pub signals: Arc<ClassSignals>,
    classes: Mutex<Vec<Arc<OpenClass>>>,
    /// The index of the class whose turn is next.
    turn: Mutex<usize>,
}

impl TableCore {
    fn classes(&self) -> Vec<Arc<OpenClass>> {
        self.classes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the next task; classes take turns.
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

    /// Opens a class whose store is complete. Returns false if it is not, because its upload was interrupted.
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

/// All classes of a data folder. Dropping it is [`ClassTable::shutdown`].
pub struct ClassTable {
    core: Arc<TableCore>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl ClassTable {
    /// Opens all classes, removes uploads that were interrupted, and goes on judging. Of several slots of the service, one
    /// is never used for classes.
    ///
    /// # Errors
    /// Fails if the folder can't be used, or if the system has no thread or descriptor left.
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
            // Other files in the folder are not classes.
            if id.parse::<SubmissionId>().is_ok() && !core.open(&id)? {
                _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let table = ClassTable { core, threads: Mutex::default() };
        for number in 0..at_once {
            let core = table.core.clone();
            let thread = std::thread::Builder::new().name(format!("class {number}")).spawn(move || work(&core));
            let thread =
                thread.map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot start a thread"))?;
            table.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(table)
    }

    /// Begins to receive the submissions of a new class.
    ///
    /// # Errors
    /// Fails if its folder can't be created.
    pub fn begin_upload(&self) -> Result<ClassUpload, Failure> {
        ClassUpload::begin(&self.core.root)
    }

    /// Makes a class of an upload, and returns its id. It is stored when this returns.
    ///
    /// # Errors
    /// Fails if the upload is empty or is not a zip, if the rules are invalid, or if the store can't be written.
    pub fn create(&self, upload: ClassUpload, new: &NewClass, who: &str) -> Result<Arc<OpenClass>, Failure> {
        let id = upload.store(self.core.service.host(), new, who)?;
        self.core.open(&id)?;
        self.core.signals.changed(&id);
        let missing = || Failure::fault(FaultKind::Data, "the class that was stored is missing");
        self.find(&id).ok_or_else(missing)
    }

    /// The class with this id.
    pub fn find(&self, id: &str) -> Option<Arc<OpenClass>> {
        self.core.classes().into_iter().find(|class| class.id() == id)
    }

    /// All classes, the newest first.
    pub fn list(&self) -> Vec<ClassOverview> {
        let mut list: Vec<ClassOverview> = self.core.classes().iter().map(|class| class.overview()).collect();
        list.sort_by(|a, b| (b.created, &b.id).cmp(&(a.created, &a.id)));
        list
    }

    /// Removes a class with all its files. Returns false if there is none.
    ///
    /// # Errors
    /// Fails if its files can't be removed.
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

    /// Sets the function that is called with the id of a class when it changed. It must return at once.
    pub fn on_change(&self, callback: Arc<dyn Fn(&str) + Send + Sync>) {
        self.core.signals.on_change(callback);
    }

    /// Ends the programs that run and the threads. The classes go on when they are opened again.
    pub fn shutdown(&self) {
        self.core.cancel.cancel();
        self.core.signals.stop();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A thread that panicked has ended too.
            _ = thread.join();
        }
    }
}

impl Drop for ClassTable {
    fn drop(&mut self) {
        self.shutdown();
    }
}
