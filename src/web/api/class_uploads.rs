//! `POST /api/v1/classes`: receives the submissions of a class. Files are written as they arrive, never kept in memory.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{StatusCode, header};
use serde_json::json;

use crate::classes::{ClassUpload, MAX_UPLOAD, NewClass, PartRefusal};
use crate::grade::roster::Named;
use crate::model::{Failure, ProblemId};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::state::{WebState, blocking};
use super::json::json_of;

/// Time in which a client must send the next piece of an upload.
const PIECE_TIME: Duration = Duration::from_secs(30);
/// Maximum size of a text field, in bytes.
const MAX_FIELD: usize = 1 << 20;
/// Maximum number of problems of a class.
const MAX_PROBLEMS: usize = 200;
/// Maximum length of the name of a class, in bytes.
const MAX_NAME: usize = 200;

/// Names of the text fields of the form.
const FORM_FIELDS: [&str; 5] = ["problems", "name", "start", "policy", "extensions"];

/// The text fields of the form.
#[derive(Debug, Default)]
struct FormTexts {
    problems: String,
    name: String,
    start: Option<String>,
    policy: Option<String>,
    extensions: Option<String>,
}

/// `POST /api/v1/classes`.
pub(in crate::web) async fn create(State(state): State<Arc<WebState>>, actor: Actor, request: Request) -> WebResult {
    actor.require_teacher()?;
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MAX_UPLOAD) {
        return Err(too_large());
    }
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|error| WebError::new(StatusCode::BAD_REQUEST, error.body_text()).help("send multipart/form-data"))?;
    let table = state.clone();
    let mut upload = blocking(move || Ok(table.classes.begin_upload()?)).await?;
    let (mut texts, mut room) = (FormTexts::default(), MAX_UPLOAD);
    while let Some(mut field) = next_field(&mut form).await? {
        let name = field.name().unwrap_or("").to_owned();
        if name == "submissions" {
            // The name may be a path, of which a browser sends the last part only, unless a folder was chosen.
            let path = field.file_name().unwrap_or("submissions.zip").to_owned();
            (upload, room) = receive(&mut field, upload, path, room).await?;
            continue;
        }
        if !FORM_FIELDS.contains(&name.as_str()) {
            let help = format!("expected {} or submissions", FORM_FIELDS.join(", "));
            return Err(WebError::unprocessable(format!("the form has the unknown field `{name}`")).help(help));
        }
        let text = read_text(&mut field, &mut room).await?;
        match name.as_str() {
            "problems" => texts.problems = format!("{} {text}", texts.problems),
            "name" => texts.name = text.trim().to_owned(),
            "start" => texts.start = Some(text.trim().to_owned()),
            "policy" => texts.policy = Some(text),
            _ => texts.extensions = Some(text),
        }
    }
    blocking(move || {
        let class = state.classes.create(upload, &new_class(&state, texts)?, actor.person())?;
        Ok(json_of(StatusCode::ACCEPTED, &json!({ "id": class.id() })))
    })
    .await
}

async fn next_field(form: &mut Multipart) -> WebResult<Option<Field<'_>>> {
    let next = tokio::time::timeout(PIECE_TIME, form.next_field()).await;
    next.map_err(|_| too_slow())?.map_err(|error| broken(&error))
}

async fn next_piece(field: &mut Field<'_>) -> WebResult<Option<impl AsRef<[u8]> + Send + 'static>> {
    let next = tokio::time::timeout(PIECE_TIME, field.chunk()).await;
    next.map_err(|_| too_slow())?.map_err(|error| broken(&error))
}

/// Writes a part to its file. Returns the upload and the number of bytes that it may still have.
async fn receive(
    field: &mut Field<'_>,
    mut upload: ClassUpload,
    path: String,
    mut room: u64,
) -> WebResult<(ClassUpload, u64)> {
    let (upload, mut file) = blocking(move || {
        let file = upload.part(&path)?;
        Ok((upload, file))
    })
    .await?;
    while let Some(piece) = next_piece(field).await? {
        let length = piece.as_ref().len() as u64;
        room = room.checked_sub(length).ok_or_else(too_large)?;
        if let Some(open) = file {
            file = Some(blocking(move || write_piece(open, piece.as_ref())).await?);
        }
    }
    Ok((upload, room))
}

fn write_piece(mut file: File, piece: &[u8]) -> WebResult<File> {
    file.write_all(piece).map_err(|error| Failure::unwritable(std::path::Path::new("the upload"), &error))?;
    Ok(file)
}

async fn read_text(field: &mut Field<'_>, room: &mut u64) -> WebResult<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = next_piece(field).await? {
        bytes.extend_from_slice(piece.as_ref());
        *room = room.checked_sub(piece.as_ref().len() as u64).ok_or_else(too_large)?;
        if bytes.len() > MAX_FIELD {
            return Err(WebError::new(StatusCode::PAYLOAD_TOO_LARGE, "a field of the form is larger than 1 MiB"));
        }
    }
    String::from_utf8(bytes).map_err(|_| WebError::unprocessable("a field of the form is not UTF-8"))
}

/// Checks what is said about the class.
fn new_class(state: &WebState, texts: FormTexts) -> WebResult<NewClass> {
    let listing = state.index.listing()?;
    let mut problems: Vec<Named> = Vec::new();
    for id in texts.problems.split([',', ' ', '\t', '\r', '\n']).filter(|id| !id.is_empty()) {
        let unknown = || WebError::missing(format!("there is no problem `{}`", id.escape_debug()));
        let entry = listing.entry(id).ok_or_else(unknown)?;
        if problems.iter().any(|problem: &Named| problem.id == entry.id) {
            return Err(WebError::unprocessable(format!("the problem `{id}` is given twice")));
        }
        problems.push(Named { id: entry.id.clone(), name: entry.name.clone() });
    }
    if problems.is_empty() {
        let known = listing.entries().take(5).map(|entry| ProblemId::as_str(&entry.id)).collect::<Vec<_>>().join(", ");
        return Err(WebError::unprocessable("the field `problems` names no problem").help(format!("such as: {known}")));
    }
    if problems.len() > MAX_PROBLEMS {
        return Err(WebError::unprocessable(format!("a class has at most {MAX_PROBLEMS} problems")));
    }
    if texts.name.len() > MAX_NAME || texts.name.chars().any(char::is_control) {
        return Err(WebError::unprocessable("the name of the class is too long or contains control characters"));
    }
    let start = match texts.start.as_deref() {
        None | Some("" | "true" | "1") => true,
        Some("false" | "0") => false,
        Some(_) => return Err(WebError::unprocessable("the field `start` is neither `true` nor `false`")),
    };
    let (policy, extensions) = (texts.policy, texts.extensions);
    let rules = crate::classes::NewRules { policy, extensions, limits: None };
    Ok(NewClass { name: texts.name, problems, rules, start })
}

fn too_large() -> WebError {
    WebError::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the upload is larger than {}", ClassUpload::largest()))
}

fn too_slow() -> WebError {
    WebError::new(StatusCode::REQUEST_TIMEOUT, "the upload did not arrive in time")
}

fn broken(error: &MultipartError) -> WebError {
    WebError::new(StatusCode::BAD_REQUEST, format!("the form can't be read: {}", error.body_text()))
}

impl From<PartRefusal> for WebError {
    fn from(refusal: PartRefusal) -> WebError {
        match refusal {
            PartRefusal::Failed(failure) => failure.into(),
            PartRefusal::Name { .. } | PartRefusal::TooMany => WebError::unprocessable(refusal.to_string()),
        }
    }
}
