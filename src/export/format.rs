//! The formats by their names, and the one way in.

use crate::data::Entry;
use crate::input::Answers;
use crate::model::{Diagnostic, Failure};

use super::naming::short;
use super::subject::{Subject, Tests};
use super::{cms, dmoj, fps, hydro, icpc, legacy, polygon};

/// Another judge's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
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
pub struct Rendered {
    /// The files, sorted by path.
    pub files: Vec<Entry>,
    /// What the format cannot say, and what is left to do by hand.
    pub notes: Vec<String>,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Icpc,
        Format::Domjudge,
        Format::KattisLegacy,
        Format::Polygon,
        Format::Dmoj,
        Format::Hydro,
        Format::Cms,
        Format::Fps,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Icpc => "icpc",
            Format::Domjudge => "domjudge",
            Format::KattisLegacy => "kattis-legacy",
            Format::Polygon => "polygon",
            Format::Dmoj => "dmoj",
            Format::Hydro => "hydro",
            Format::Cms => "cms",
            Format::Fps => "fps",
        }
    }

    /// The folder in an archive in which the files stand; none where they stand at its top.
    pub fn top(self, subject: &Subject<'_>) -> Option<String> {
        match self {
            Format::Icpc | Format::KattisLegacy | Format::Cms => Some(short(subject)),
            Format::Dmoj | Format::Hydro => Some(subject.problem.id.to_string()),
            Format::Domjudge | Format::Polygon | Format::Fps => None,
        }
    }
}

impl std::str::FromStr for Format {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Format, Diagnostic> {
        let known = || Format::ALL.map(Format::name).join(", ");
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| Diagnostic::new(format!("there is no format `{text}`; there are {}", known())))
    }
}

/// Renders a problem in a format. Nothing is run or written.
///
/// # Errors
/// The format has no words for something that decides verdicts, or the store has lost a content.
pub fn render(subject: &Subject<'_>, format: Format) -> Result<Rendered, Failure> {
    let mut rendered = match format {
        Format::Icpc => icpc::render(subject),
        Format::KattisLegacy => legacy::render(subject, legacy::Target::Kattis),
        Format::Domjudge => legacy::render(subject, legacy::Target::Domjudge),
        Format::Polygon => polygon::render(subject),
        Format::Dmoj => dmoj::render(subject),
        Format::Hydro => hydro::render(subject),
        Format::Cms => cms::render(subject),
        Format::Fps => fps::render(subject),
    }?;
    rendered.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(rendered)
}

/// How validators answer that keep to testlib.
pub(super) const TESTLIB: Answers = Answers { accepted: 0, refused: 3 };

/// The validator of the input as a program that stands alone.
pub(super) fn validator(subject: &Subject<'_>, answers: Answers) -> String {
    let title = format!(
        "Checks an input of the problem \"{}\" byte by byte. Made from its description; it stands alone.",
        subject.problem.name
    );
    subject.problem.input.stand_alone(&title, answers)
}

/// What a group is worth, for a format in which points are whole.
pub(super) fn whole_points(group: &Tests<'_>, format: Format) -> Result<u64, Failure> {
    let points = group.points.unwrap_or_default();
    if !points.as_thousandths().is_multiple_of(1_000) {
        return Err(unsaid(format, &format!("the {points} points of `{}`: they must be whole", group.name)));
    }
    Ok(points.as_thousandths() / 1_000)
}

/// Why a format cannot say something.
pub(super) fn unsaid(format: Format, what: &str) -> Failure {
    Diagnostic::new(format!("{} has no words for {what}", format.name())).into()
}
