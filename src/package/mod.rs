//! Problem packages in the formats of other judges. They are read as untrusted file trees, represented by a common
//! model, and converted to problems.

use nimatron_check as check;
use nimatron_lang as lang;
use nimatron_model as model;
use nimatron_problem as problem;
use nimatron_unzip as unzip;
use nimatron_yaml as yaml;

mod answers;
mod archive;
mod cache;
pub mod companion;
mod defaults;
mod dmoj;
mod folder;
mod glob;
mod icpc;
pub mod latex;
mod open;
mod package_model;
mod polygon;
mod resolve;
mod sinol;
mod stable_key;
mod tree;
mod xml;
mod yaml_map;

pub use archive::unpack;
pub use folder::SampleQuery;
pub use glob::matches as glob_matches;
pub use icpc::is_of_icpc_language;
pub use open::{is_package, look_for_samples, open, open_samples};
pub use package_model::{
    DmojProgram, ExpectedOutcome, GeneratedCase, InputArgs, InputMaker, InputValidator, OutputCheck, Package,
    PackageCase, PackageCompilerArgs, PackageFormat, PackageLimits, PackageStatement, PackageSubmission, PrintedCase,
    ProblemType, SubmissionExpectation, TimeLimitUse, ValidatorKind, ValidatorTest, ValidatorTestKind, folder_of_case,
};
pub use tree::{PackageTree, TreeEntry};
