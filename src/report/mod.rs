//! Formats data for users: the events of a run as terminal output, JSON lines and JUnit; diagnostics; statements.
//!
//! Output is computed by pure functions from data to text; reporters only write the text.

use nimatron_games as games;
use nimatron_model as model;

mod clip;
mod compare;
mod diagnostic;
mod dialogue;
mod explain;
mod flow;
mod grundy;
mod json;
mod junit;
pub mod markdown;
mod math;
mod outcome_grid;
mod plot;
mod position_diagram;
mod progress;
mod reporter;
mod screen;
mod table;
mod terminal;
mod text;
mod theme;

#[cfg(test)]
mod samples;

pub use diagnostic::{render as render_diagnostic, wrapped as wrapped_diagnostic};
pub use dialogue::dialogue;
pub use explain::{CaseTexts, explain, output_section, run_line, stderr_section, why_section};
pub use grundy::Values;
pub use json::JsonLines;
pub use junit::Junit;
pub use outcome_grid::OutcomeGrid;
pub use position_diagram::PositionDiagram;
pub use progress::{ProgressReporter, redraw_regularly};
pub use reporter::{Fanout, Reporter};
pub use screen::{Detail, RunLayout, Screen};
pub use terminal::Terminal;
pub use text::{count, fit_at_end, safe, wrap};
pub use theme::Theme;
