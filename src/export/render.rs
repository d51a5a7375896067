//! Renders an export input in any format. Only this module depends on all formats.

use crate::model::Failure;

use super::format::{ExportFormat, RenderedPackage};
use super::input::ExportInput;
use super::{cms, dmoj, fps, hydro, icpc, legacy, polygon};

/// Renders a problem in a format, without running programs or writing files.
///
/// # Errors
/// Fails if the format does not support a feature that affects verdicts, if an auxiliary program can't be read, or if
/// the content of a test is missing from the store.
pub fn render(export: &ExportInput<'_>, format: ExportFormat) -> Result<RenderedPackage, Failure> {
    let mut rendered = match format {
        ExportFormat::Icpc => icpc::render(export),
        ExportFormat::KattisLegacy => legacy::render(export, legacy::LegacyTarget::Kattis),
        ExportFormat::Domjudge => legacy::render(export, legacy::LegacyTarget::Domjudge),
        ExportFormat::Polygon => polygon::render(export),
        ExportFormat::Dmoj => dmoj::render(export),
        ExportFormat::Hydro => hydro::render(export),
        ExportFormat::Cms => cms::render(export),
        ExportFormat::Fps => fps::render(export),
    }?;
    rendered.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(rendered)
}
