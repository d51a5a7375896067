//! The checks that are common to all requests that contain a program.

use axum::http::StatusCode;

use crate::model::ProblemId;
use crate::unzip::name::check;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::state::{UsableLanguage, WebState};

/// Maximum size of a body with a program and an input, in bytes.
pub(super) const MAX_REQUEST: usize = 4 << 20;
/// Maximum size of a program, in bytes.
const MAX_SOURCE: usize = 1 << 20;
/// Maximum length of a file name, in bytes.
const MAX_NAME: usize = 200;

/// The problem, language and name of a program in a request, after they were checked.
#[derive(Debug)]
pub(super) struct CheckedProgram {
    pub(super) problem: ProblemId,
    /// Id of the language, if the request contains one.
    pub(super) language: Option<String>,
    /// File name of the program.
    pub(super) name: String,
}

/// Checks the problem of a request, and the language, name and size of its program.
pub(super) fn checked_program(
    state: &WebState,
    actor: &Actor,
    installed: &[UsableLanguage],
    problem: &str,
    (language, name, source): (Option<&str>, Option<String>, &str),
) -> WebResult<CheckedProgram> {
    let listing = state.listing(actor)?;
    let entry = listing.entry(problem).ok_or_else(|| listing.unknown(problem))?;
    let (problem, takes_outputs) = (entry.id.clone(), entry.takes_outputs);
    if source.len() > MAX_SOURCE {
        let message = format!("the program is larger than the limit of {} KiB", MAX_SOURCE >> 10);
        return Err(WebError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let language = match language {
        None => None,
        Some(named) => {
            let same = |text: &str| text.eq_ignore_ascii_case(named);
            let found = installed.iter().find(|language| same(&language.id) || same(&language.name));
            let message = || format!("no installed language has the id or the name `{named}`");
            let missing = || not_installed(message(), installed);
            Some(found.ok_or_else(missing)?)
        }
    };
    let name = match (name, language) {
        (Some(name), _) => name,
        (None, Some(language)) => language.main_name(),
        (None, None) => {
            let message = "the request contains neither a `name` nor a `language`";
            return Err(WebError::unprocessable(message).help("send `name`, `language` or both"));
        }
    };
    if name.len() > MAX_NAME {
        let message = format!("`name` has {} bytes, but at most {MAX_NAME} are allowed", name.len());
        return Err(WebError::unprocessable(message));
    }
    // A compiler would parse a name that starts with `-` or `@` as an option.
    let is_file_name = check(&name).is_ok() && !name.contains('/') && !name.starts_with(['.', '-', '@']);
    if !is_file_name {
        let message = format!("`name` is `{}`, which is not a valid file name", name.escape_debug());
        return Err(WebError::unprocessable(message)
            .help("a name must not be empty, contain `/`, `\\` or control characters, or start with `.`, `-` or `@`"));
    }
    if language.is_none() && !takes_outputs {
        check_extension(&name, installed)?;
    }
    Ok(CheckedProgram { problem, language: language.map(|language| language.id.clone()), name })
}

/// Checks that the extension of a file name belongs to an installed language.
fn check_extension(name: &str, installed: &[UsableLanguage]) -> WebResult<()> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if installed.iter().any(|language| language.has_extension(extension)) {
        return Ok(());
    }
    let message = match extension {
        "" => "`language` is required if `name` has no extension".to_owned(),
        _ => format!("no installed language has the extension `.{extension}`"),
    };
    Err(not_installed(message, installed))
}

fn not_installed(message: String, installed: &[UsableLanguage]) -> WebError {
    let known: Vec<String> = installed.iter().map(|language| format!("`{}`", language.id)).collect();
    WebError::unprocessable(message).help(match known.is_empty() {
        true => "no language is installed; `nimatron doctor` shows how to install one".to_owned(),
        false => format!("installed languages: {}", known.join(", ")),
    })
}
