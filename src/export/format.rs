//! The export formats, and helpers that several of them share.

use crate::data::Entry;
use crate::input::Answers;
use crate::model::{Diagnostic, Failure};

use super::case_names::short_name;
use super::input::{ExportGroup, ExportInput};

/// Another judge's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// The ICPC package format 2025-09.
    Icpc,
    /// DOMjudge: the old version with its additions.
    Domjudge,
    /// The old version of the ICPC format, as Kattis installs it.
    KattisLegacy,
    /// Polygon, and with it Codeforces.
    Polygon,
    /// DMOJ.
    Dmoj,
    /// Hydro.
    Hydro,
    /// CMS, by its loader `italy_yaml`.
    Cms,
    /// HUSTOJ's free problem set.
    Fps,
}

/// What a format makes of a problem.
#[derive(Debug)]
pub struct RenderedPackage {
    /// The files, sorted by path.
    pub files: Vec<Entry>,
    /// What the format cannot say, and what is left to do by hand.
    pub notes: Vec<String>,
}

impl ExportFormat {
    /// All formats.
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

    /// Its name on the command line.
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

    /// The folder in an archive in which the files stand; none where they stand at its top.
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
        let known = || ExportFormat::ALL.map(ExportFormat::name).join(", ");
        ExportFormat::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| Diagnostic::new(format!("there is no format `{text}`; there are {}", known())))
    }
}

/// How validators answer that keep to testlib.
pub(super) const TESTLIB: Answers = Answers { accepted: 0, refused: 3 };

/// The validator of the input as a program that stands alone.
pub(super) fn validator(export: &ExportInput<'_>, answers: Answers) -> String {
    let title = format!(
        "Checks an input of the problem \"{}\" byte by byte. Made from its description; it stands alone.",
        export.problem.name
    );
    export.problem.input.stand_alone(&title, answers)
}

/// What a group is worth, for a format in which points are whole.
pub(super) fn whole_points(group: &ExportGroup<'_>, format: ExportFormat) -> Result<u64, Failure> {
    let points = group.points.unwrap_or_default();
    if !points.as_thousandths().is_multiple_of(1_000) {
        return Err(unsupported(format, &format!("the {points} points of `{}`: they must be whole", group.name)));
    }
    Ok(points.as_thousandths() / 1_000)
}

/// Why a format cannot say something.
pub(super) fn unsupported(format: ExportFormat, what: &str) -> Failure {
    Diagnostic::new(format!("{} has no words for {what}", format.name())).into()
}
