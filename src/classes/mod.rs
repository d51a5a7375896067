//! Classes that are graded by a server: uploads, judging in the background, corrections, overrides, and views of the
//! results. No HTTP, no asynchronous code.
//!
//! A class is a folder with the store of [`grade`](crate::grade). All that is decided about marks is decided there, so a
//! class of a server has the same gradebook as `nimatron grade` writes. The [`ClassTable`] opens all classes of a data
//! folder and judges their programs on threads of its own, after those of people who wait. What a class was told is in its
//! store before a function returns, so that a class goes on by itself after the process was killed.

mod class_plan;
mod class_settings;
mod class_state;
mod class_upload;
mod class_views;
mod downloads;
mod gradebook_view;
mod open_class;
mod review;
mod roster_view;
mod rules_preview;
mod table;
mod teaching;
mod worker;

pub use class_settings::{ClassPhase, NewRules, OwnLimits};
pub use class_upload::{ClassUpload, MAX_UPLOAD, NewClass, PartRefusal};
pub use class_views::{
    AnswerGroupView, AnswerView, AttemptView, CaseView, ClaimView, ClassOverview, ClassProblemView, CurrentView,
    DownloadView, FailingView, GradebookColumnView, GradebookView, GroupView, LeftView, LimitsView, LogEntryView,
    MarkChangeView, MarkView, NewOverride, PairSideView, PairView, PairsRow, PreviewView, ProblemPairsView,
    ProgressView, RegionView, RosterCorrectionJson, RosterView, RulesView, SourceFileView, StudentView, SubmissionView,
    TestColumnView, TestRowView, TestsView, TotalChangeView,
};
pub use downloads::Download;
pub use open_class::OpenClass;
pub use table::{ClassSetup, ClassTable};

#[cfg(test)]
mod gradebook_measure;
