//! State that all requests share.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use tokio::sync::watch;

use crate::classes::ClassTable;
use crate::searches::SearchTable;
use crate::service::JudgeService;
use crate::submissions::{JudgingQueue, SubmissionId};

use super::class::ClassState;
use super::computing::ComputingTurns;
use super::error::{WebError, WebResult};
use super::guard::AllowedHosts;
use super::index::ProblemIndex;
use super::matches::MatchTable;
use super::stream_slots::StreamSlots;

/// State that all requests share.
pub(super) struct WebState {
    pub(super) queue: Arc<JudgingQueue>,
    pub(super) searches: SearchTable,
    pub(super) classes: Arc<ClassTable>,
    pub(super) service: JudgeService,
    pub(super) index: Arc<ProblemIndex>,
    pub(super) token: String,
    pub(super) hosts: AllowedHosts,
    pub(super) changes: Arc<ChangeHub>,
    pub(super) matches: MatchTable,
    /// Accounts; `None` on a server without accounts.
    pub(super) class: Option<ClassState>,
    /// Slots for event streams.
    pub(super) streams: StreamSlots,
    /// Turns for the computations of requests.
    pub(super) turns: ComputingTurns,
    /// Installed languages. They are detected once, since the detection runs each compiler to get its version.
    languages: tokio::sync::OnceCell<Vec<UsableLanguage>>,
}

impl WebState {
    pub(super) fn new(
        (queue, searches, classes): (Arc<JudgingQueue>, SearchTable, Arc<ClassTable>),
        service: JudgeService,
        index: Arc<ProblemIndex>,
        (token, class): (String, Option<ClassState>),
        hosts: AllowedHosts,
        streams: usize,
    ) -> WebState {
        let changes = Arc::new(ChangeHub::default());
        let hub = changes.clone();
        queue.on_change(Arc::new(move |id| hub.changed(id)));
        let hub = changes.clone();
        searches.on_change(Arc::new(move |id| hub.changed(id)));
        let hub = changes.clone();
        classes.on_change(Arc::new(move |id| {
            // Ids of classes have the same format as ids of submissions.
            if let Ok(id) = id.parse() {
                hub.changed(&id);
            }
        }));
        let matches = MatchTable::default();
        let streams = StreamSlots::new(streams);
        let turns = ComputingTurns::of_machine();
        let languages = tokio::sync::OnceCell::new();
        WebState {
            queue,
            searches,
            classes,
            service,
            index,
            token,
            hosts,
            changes,
            matches,
            class,
            streams,
            turns,
            languages,
        }
    }

    /// Returns the installed languages.
    pub(super) async fn languages(&self) -> WebResult<&[UsableLanguage]> {
        let service = self.service.clone();
        let look = || blocking(move || Ok(usable_languages(&service)));
        self.languages.get_or_try_init(look).await.map(Vec::as_slice)
    }
}

/// A language in which programs can be judged on this machine.
#[derive(Debug, Clone, Serialize)]
pub(super) struct UsableLanguage {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) version: String,
    /// File extensions, without the dot.
    pub(super) extensions: Vec<String>,
}

impl UsableLanguage {
    /// Returns whether a file with this extension is a program in this language. The extension may also be written in
    /// upper case.
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        let lower = extension.to_ascii_lowercase();
        self.extensions.iter().any(|own| own == extension || *own == lower)
    }

    /// Returns the default file name of a program.
    pub(super) fn main_name(&self) -> String {
        self.extensions.first().map_or_else(|| "main".to_owned(), |extension| format!("main.{extension}"))
    }
}

fn usable_languages(service: &JudgeService) -> Vec<UsableLanguage> {
    let languages = service.host().languages();
    let rows = languages.table().rows();
    let row = |id: &str| rows.iter().find(|row| row.id == id);
    let extensions = |id: &str| row(id).map(|row| row.extensions.clone()).unwrap_or_default();
    let installed = languages.list().into_iter();
    let usable = installed.filter_map(|language| {
        let version = language.version.ok()?;
        Some(UsableLanguage { extensions: extensions(&language.id), id: language.id, name: language.name, version })
    });
    usable.collect()
}

/// Runs synchronous code on a thread for blocking work. A panic becomes an error.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> WebResult<T> + Send + 'static) -> WebResult<T> {
    let boxed: BlockingWork = Box::new(move || Box::new(work()));
    let outcome = tokio::task::spawn_blocking(boxed).await.ok().and_then(|outcome| outcome.downcast().ok());
    outcome.map_or_else(|| Err(WebError::internal("a handler panicked")), |outcome| *outcome)
}

/// Work without type parameters. With them, the compiler generates all code of a Tokio task for each of the hundred
/// handlers.
type BlockingWork = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;

/// A hub that notifies event streams when their submission, search or class changes.
#[derive(Default)]
pub(super) struct ChangeHub {
    followed: Mutex<HashMap<SubmissionId, watch::Sender<()>>>,
}

impl ChangeHub {
    /// Returns a receiver that is notified of each later change to the submission, search or class with this id.
    pub(super) fn follow(&self, id: &SubmissionId) -> watch::Receiver<()> {
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        followed.retain(|_, sender| sender.receiver_count() > 0);
        followed.entry(id.clone()).or_insert_with(|| watch::channel(()).0).subscribe()
    }

    fn changed(&self, id: &SubmissionId) {
        let followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = followed.get(id) {
            sender.send_replace(());
        }
    }
}
