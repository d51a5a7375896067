//! Classes that are graded by a server: uploads, judging in the background, corrections, overrides, and views of the
//! results. This module contains no HTTP and no asynchronous code.
//!
//! A class is a folder that contains a grading database of the module [`grade`](crate::grade). The same module computes
//! the marks, so the gradebook is the same as that of `nimatron grade`. The [`ClassTable`] opens all classes of a data
//! folder and judges their programs on its own threads, with a lower priority than submissions by users. A function
//! that changes a class returns only after the change is in the store, so judging can resume after the process was
//! killed.

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
    DownloadView, FailingView, GradebookColumnView, GradebookView, GroupView, LeftView, LimitsView, MarkChangeView,
    MarkView, NewOverride, PairSideView, PairView, PairsRow, PreviewView, ProblemPairsView, ProgressView, RegionView,
    RosterCorrectionJson, RosterView, RulesView, SourceFileView, StudentView, SubmissionView, TestColumnView,
    TestRowView, TestsView, TotalChangeView,
};
pub use downloads::Download;
pub use open_class::OpenClass;
pub use table::{ClassSetup, ClassTable};

#[cfg(test)]
mod gradebook_measure;
