//! The export formats, and helpers that several formats share.

use crate::data::Entry;
use crate::input::ExitCodes;
use crate::model::{Diagnostic, Failure};

use super::case_names::short_name;
use super::input::{ExportGroup, ExportInput};

/// A package format of another judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// The ICPC package format, version 2025-09.
    Icpc,
    /// DOMjudge: the legacy ICPC format with DOMjudge's additions.
    Domjudge,
    /// The legacy ICPC format, as supported by Kattis.
    KattisLegacy,
    /// Polygon, the problem preparation system of Codeforces.
    Polygon,
    /// DMOJ: `init.yml` with an archive of tests.
    Dmoj,
    /// Hydro: `config.yaml` with a folder of tests.
    Hydro,
    /// CMS, for its loader `italy_yaml`.
    Cms,
    /// HUSTOJ's free problem set, a single XML file.
    Fps,
}

/// The result of exporting a problem in a format.
#[derive(Debug)]
pub struct RenderedPackage {
    /// The files, sorted by path.
    pub files: Vec<Entry>,
    /// Notes for the user about features that the format lacks, and about remaining manual steps.
    pub notes: Vec<String>,
}

impl ExportFormat {
    /// All formats, in the order of the documentation.
    pub const ALL: [ExportFormat; 8] = [
        ExportFormat::Icpc,
        ExportFormat::Domjudge,
        ExportFormat::KattisLegacy,
        ExportFormat::Polygon,
        ExportFormat::Dmoj,
        ExportFormat::Hydro,
        ExportFormat::Cms,
        ExportFormat::Fps,
    ];

    /// Returns the name of the format on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ExportFormat::Icpc => "icpc",
            ExportFormat::Domjudge => "domjudge",
            ExportFormat::KattisLegacy => "kattis-legacy",
            ExportFormat::Polygon => "polygon",
            ExportFormat::Dmoj => "dmoj",
            ExportFormat::Hydro => "hydro",
            ExportFormat::Cms => "cms",
            ExportFormat::Fps => "fps",
        }
    }

    /// Returns the top-level folder of the archive, or `None` if the files are at the top of the archive.
    pub fn top(self, export: &ExportInput<'_>) -> Option<String> {
        match self {
            ExportFormat::Icpc | ExportFormat::KattisLegacy | ExportFormat::Cms => Some(short_name(export)),
            ExportFormat::Dmoj | ExportFormat::Hydro => Some(export.problem.id.to_string()),
            ExportFormat::Domjudge | ExportFormat::Polygon | ExportFormat::Fps => None,
        }
    }
}

impl std::str::FromStr for ExportFormat {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<ExportFormat, Diagnostic> {
        let known = || ExportFormat::ALL.map(ExportFormat::name).join("`, `");
        ExportFormat::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| Diagnostic::new(format!("unknown format `{text}`; expected one of: `{}`", known())))
    }
}

/// The exit codes of testlib validators.
pub(super) const TESTLIB: ExitCodes = ExitCodes { accepted: 0, refused: 3 };

/// Generates a stand-alone C++ validator of the input. `answers` contains its exit codes.
pub(super) fn validator(export: &ExportInput<'_>, answers: ExitCodes) -> String {
    let title = format!(
        "Checks an input for the problem \"{}\" byte by byte. Generated from the description of the input.",
        export.problem.name
    );
    export.problem.input.stand_alone(&title, answers)
}

/// Returns the points of a group as an integer, which the format requires, or 0 if the group has no points.
///
/// # Errors
/// Fails if the points are not an integer.
pub(super) fn whole_points(group: &ExportGroup<'_>, format: ExportFormat) -> Result<u64, Failure> {
    let points = group.points.unwrap_or_default();
    if !points.as_thousandths().is_multiple_of(1_000) {
        return Err(unsupported(
            format,
            &format!("the {points} points of the group `{}`; points must be integers", group.name),
        ));
    }
    Ok(points.as_thousandths() / 1_000)
}

/// Returns the name of the kind of program that judges the problem, for the error message of a format that supports
/// only comparisons of outputs.
pub(super) fn program_kind(export: &ExportInput<'_>) -> &'static str {
    if export.judging().interactive() { "interactors" } else { "checker programs" }
}

/// Creates the error about a feature that a format does not support.
pub(super) fn unsupported(format: ExportFormat, what: &str) -> Failure {
    Diagnostic::new(format!("the format `{}` does not support {what}", format.name())).into()
}
