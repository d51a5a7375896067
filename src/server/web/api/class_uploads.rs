//! Upload of the submissions of a class. Files are written to disk as they arrive, and are never stored in memory as a
//! whole.

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
use crate::model::{Failure, Fault, FaultKind};
use crate::unzip::name::misleading_character;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::state::{WebState, blocking};
use super::json::json_of;

/// Time limit for receiving the next part of an upload.
const PIECE_TIME: Duration = Duration::from_secs(30);
/// Maximum size of a text field, in bytes.
const MAX_FIELD: usize = 1 << 20;
/// Maximum number of problems in a class.
const MAX_PROBLEMS: usize = 200;
/// Maximum length of the name of a class, in bytes.
const MAX_NAME: usize = 200;

/// Names of the text fields of the form.
const FORM_FIELDS: [&str; 5] = ["problems", "name", "start", "policy", "extensions"];

/// Values of the text fields of the form.
#[derive(Debug, Default)]
struct FormTexts {
    problems: String,
    name: String,
    start: Option<String>,
    policy: Option<String>,
    extensions: Option<String>,
}

/// Handles `POST /api/v1/classes`.
pub(in crate::web) async fn create(State(state): State<Arc<WebState>>, actor: Actor, request: Request) -> WebResult {
    actor.require_teacher()?;
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MAX_UPLOAD) {
        return Err(too_large());
    }
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| {
        let message = "the `Content-Type` header is not `multipart/form-data` with a boundary";
        WebError::new(StatusCode::BAD_REQUEST, message).help("send the form as `multipart/form-data`")
    })?;
    let table = state.clone();
    let mut upload = blocking(move || Ok(table.classes.begin_upload()?)).await?;
    let (mut texts, mut room) = (FormTexts::default(), MAX_UPLOAD);
    while let Some(mut field) = next_field(&mut form).await? {
        let name = field.name().unwrap_or("").to_owned();
        if name == "submissions" {
            // A browser sends a relative path if the user chose a folder, and otherwise only the name of the file.
            let path = field.file_name().unwrap_or("submissions.zip").to_owned();
            (upload, room) = receive(&mut field, upload, path, room).await?;
            continue;
        }
        if !FORM_FIELDS.contains(&name.as_str()) {
            let known = FORM_FIELDS.map(|field| format!("`{field}`")).join(", ");
            let message = match name.as_str() {
                "" => "a form field has no name".to_owned(),
                _ => format!("the form has the unknown field `{name}`"),
            };
            return Err(WebError::unprocessable(message).help(format!("expected {known} or `submissions`")));
        }
        let text = read_text(&mut field, &mut room).await?;
        match name.as_str() {
            "problems" if texts.problems.len() + text.len() > MAX_FIELD => return Err(field_too_large(&name)),
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

/// Writes an uploaded file to disk, unless it is hidden. Returns the upload, and the number of bytes that may still be
/// received in the request.
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
    file.write_all(piece)
        .map_err(|error| Failure::from(Fault::io(FaultKind::Data, &error).context("cannot write an uploaded file")))?;
    Ok(file)
}

async fn read_text(field: &mut Field<'_>, room: &mut u64) -> WebResult<String> {
    let name = field.name().unwrap_or("").to_owned();
    let mut bytes = Vec::new();
    while let Some(piece) = next_piece(field).await? {
        bytes.extend_from_slice(piece.as_ref());
        *room = room.checked_sub(piece.as_ref().len() as u64).ok_or_else(too_large)?;
        if bytes.len() > MAX_FIELD {
            return Err(field_too_large(&name));
        }
    }
    String::from_utf8(bytes).map_err(|_| WebError::unprocessable(format!("the field `{name}` is not UTF-8")))
}

/// Checks the text fields of the form, and returns the settings of the class.
fn new_class(state: &WebState, texts: FormTexts) -> WebResult<NewClass> {
    let listing = state.index.listing()?;
    let advice = || {
        let known = listing.entries().take(5).map(|entry| format!("`{}`", entry.id)).collect::<Vec<_>>();
        format!("send problem ids, such as {}", known.join(", "))
    };
    let mut problems: Vec<Named> = Vec::new();
    for id in texts.problems.split([',', ' ', '\t', '\r', '\n']).filter(|id| !id.is_empty()) {
        let unknown = || WebError::missing(format!("there is no problem `{}`", id.escape_debug())).help(advice());
        let entry = listing.entry(id).ok_or_else(unknown)?;
        if problems.iter().any(|problem: &Named| problem.id == entry.id) {
            let message = format!("the field `problems` contains the problem `{id}` more than once");
            return Err(WebError::unprocessable(message));
        }
        problems.push(Named { id: entry.id.clone(), name: entry.name.clone() });
    }
    if problems.is_empty() {
        return Err(WebError::unprocessable("the field `problems` contains no problem ids").help(advice()));
    }
    if problems.len() > MAX_PROBLEMS {
        let found = problems.len();
        let message =
            format!("the field `problems` contains {found} problem ids, but at most {MAX_PROBLEMS} are allowed");
        return Err(WebError::unprocessable(message));
    }
    let length = texts.name.len();
    if length > MAX_NAME {
        let message = format!("the class name has {length} bytes, but at most {MAX_NAME} are allowed");
        return Err(WebError::unprocessable(message));
    }
    if let Some(character) = misleading_character(&texts.name) {
        return Err(WebError::unprocessable(format!("the class name contains {character}; remove it")));
    }
    let start = match texts.start.as_deref() {
        None | Some("" | "true" | "1") => true,
        Some("false" | "0") => false,
        Some(other) => {
            let message = format!("the field `start` has the invalid value `{}`", other.escape_debug());
            return Err(WebError::unprocessable(message).help("expected `true`, `false`, `1` or `0`"));
        }
    };
    let (policy, extensions) = (texts.policy, texts.extensions);
    let rules = crate::classes::NewRules { policy, extensions, limits: None };
    Ok(NewClass { name: texts.name, problems, rules, start })
}

fn too_large() -> WebError {
    WebError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the upload is larger than the limit of {}", ClassUpload::largest()),
    )
}

fn field_too_large(name: &str) -> WebError {
    let message = format!("the field `{name}` is larger than the limit of {} MiB", MAX_FIELD >> 20);
    WebError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

fn too_slow() -> WebError {
    let message = format!("the next part of the upload did not arrive within {} s", PIECE_TIME.as_secs());
    WebError::new(StatusCode::REQUEST_TIMEOUT, message)
}

fn broken(error: &MultipartError) -> WebError {
    WebError::new(StatusCode::BAD_REQUEST, format!("cannot read the form: {}", error.body_text()))
}

impl From<PartRefusal> for WebError {
    fn from(refusal: PartRefusal) -> WebError {
        match refusal {
            PartRefusal::Failed(failure) => failure.into(),
            PartRefusal::Name { .. } | PartRefusal::TooMany => WebError::unprocessable(refusal.to_string()),
        }
    }
}
