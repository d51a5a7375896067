//! Submissions, and the queue that judges them. The module uses no HTTP and no asynchronous code.
//!
//! A submission is stored in the [`SubmissionStore`], an SQLite database, before [`JudgingQueue::submit`] returns. If
//! the process exits for any reason, every submission that was queued or running is judged after the next start. The
//! [`FairQueue`] determines the order; the threads of the [`JudgingQueue`] judge the programs with the
//! [`JudgeService`](crate::service).
//!
//! The numbered events of a submission are stored before a reader sees them, and a stored event never changes. The
//! events of a rerun after a crash continue the stored log if they repeat it, and are otherwise appended as a whole, so
//! that a reader that resumes after event `n` always receives event `n + 1`.

mod continuation;
mod fair_queue;
mod finder;
mod history_backlog;
mod id;
mod live;
mod own_tests;
mod person_storage;
mod program_order;
mod queue;
mod queue_state;
mod record;
mod remote;
mod run_log;
mod store;
mod store_read;
mod worker;

pub use crate::queue::Priority;
pub use fair_queue::{FairQueue, QueueEntry};
pub use finder::{FoundProblem, ProblemFinder};
pub use id::{InvalidSubmissionId, SubmissionId, random_text};
pub use live::{LiveEvent, LivePage};
pub use own_tests::{MOST_OWN_TESTS, OwnTest};
pub use program_order::ProgramOrder;
pub use queue::{JudgingQueue, LocalHistory, QueueConfig, QueueCounts, QueueLimits, SubmitError};
pub use record::{
    EventsPage, JudgingState, NewSubmission, ProblemStanding, StoredEvent, StoredSubmission, SubmissionFilter,
    SubmissionKind,
};
pub use remote::{PoolStart, RemoteEnd, RemotePool, RemoteResults};
pub use store::{SUBMISSIONS_FILE, SubmissionStore};
