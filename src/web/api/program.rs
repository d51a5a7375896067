//! The program of a request: the checks that all requests with a program share.

use axum::http::StatusCode;

use crate::model::ProblemId;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::state::{UsableLanguage, WebState};

/// Maximum size of a request, in bytes: a program and an input.
pub(super) const MAX_REQUEST: usize = 4 << 20;
/// Maximum size of a program, in bytes.
const MAX_SOURCE: usize = 1 << 20;
/// Maximum length of a name, in bytes.
const MAX_NAME: usize = 200;

/// A program whose problem, size, language and name are acceptable.
#[derive(Debug)]
pub(super) struct CheckedProgram {
    pub(super) problem: ProblemId,
    /// The id of the language, if one was named.
    pub(super) language: Option<String>,
    /// The file name.
    pub(super) name: String,
}

/// Checks the problem of a request, and its program: language, name and text.
pub(super) fn checked_program(
    state: &WebState,
    actor: &Actor,
    installed: &[UsableLanguage],
    problem: &str,
    (language, name, source): (Option<&str>, Option<String>, &str),
) -> WebResult<CheckedProgram> {
    let listing = state.listing(actor)?;
    let unknown = || WebError::missing(format!("there is no problem `{problem}`"));
    let entry = listing.entry(problem).ok_or_else(unknown)?;
    let (problem, takes_outputs) = (entry.id.clone(), entry.takes_outputs);
    if source.len() > MAX_SOURCE {
        let message = format!("the program is larger than {} KiB", MAX_SOURCE >> 10);
        return Err(WebError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let language = match language {
        None => None,
        Some(named) => {
            let same = |text: &str| text.eq_ignore_ascii_case(named);
            let found = installed.iter().find(|language| same(&language.id) || same(&language.name));
            let missing = || not_installed(format!("the language `{named}` is not installed"), installed);
            Some(found.ok_or_else(missing)?)
        }
    };
    let name = match (name, language) {
        (Some(name), _) => name,
        (None, Some(language)) => language.main_name(),
        (None, None) => return Err(WebError::unprocessable("a program needs a `name` or a `language`")),
    };
    if name.is_empty() || name.len() > MAX_NAME || name.contains(['/', '\0']) || name.starts_with('.') {
        return Err(WebError::unprocessable("the `name` is not the name of a file"));
    }
    if language.is_none() && !takes_outputs {
        check_extension(&name, installed)?;
    }
    Ok(CheckedProgram { problem, language: language.map(|language| language.id.clone()), name })
}

/// Checks that the name of a program decides its language.
fn check_extension(name: &str, installed: &[UsableLanguage]) -> WebResult<()> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if installed.iter().any(|language| language.has_extension(extension)) {
        return Ok(());
    }
    let message = match extension {
        "" => "a `name` without an extension needs a `language`".to_owned(),
        _ => format!("no language that is installed has the extension `.{extension}`"),
    };
    Err(not_installed(message, installed))
}

fn not_installed(message: String, installed: &[UsableLanguage]) -> WebError {
    let known: Vec<&str> = installed.iter().map(|language| language.id.as_str()).collect();
    WebError::unprocessable(message).help(format!("installed: {}", known.join(", ")))
}
