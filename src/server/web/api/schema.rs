//! JSON Schemas of the request and response bodies.

use axum::http::StatusCode;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::people::AssignmentDraft;

use crate::classes::{
    AnswerGroupView, ClassOverview, DownloadView, GradebookView, MarkView, NewOverride, NewRules, PairView,
    PreviewView, ProblemPairsView, RosterCorrectionJson, RosterView, RulesView, SubmissionView, TestsView,
};
use crate::grade::ledger::Action;

use super::super::error::WebResult;
use super::assignments::{AssignmentJson, ClassSettingsJson};
use super::class_marks::{RejudgeJson, UndoJson};
use super::games::{GameJson, HintJson, NewGameJson, NewMoveJson};
use super::json::json_of;
use super::own_tests::{KeptTestJson, OwnTestJson};
use super::people::{
    JoinJson, LoginJson, NewInvitationsJson, NewPasswordJson, NewTokenJson, PersonChangeJson, PersonJson, SetUpJson,
};
use super::problems::{ProblemDetailsJson, ProblemJson};
use super::runs::{CancelRunsJson, NewRunJson, RunJson};
use super::stress::{NewSearchJson, SearchJson};

/// Handles `GET /api/v1/schema.json`.
pub(in crate::web) async fn schema() -> WebResult {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    generator.subschema_for::<ProblemJson>();
    generator.subschema_for::<ProblemDetailsJson>();
    generator.subschema_for::<NewRunJson>();
    generator.subschema_for::<CancelRunsJson>();
    generator.subschema_for::<RunJson>();
    generator.subschema_for::<NewSearchJson>();
    generator.subschema_for::<SearchJson>();
    generator.subschema_for::<OwnTestJson>();
    generator.subschema_for::<KeptTestJson>();
    generator.subschema_for::<NewGameJson>();
    generator.subschema_for::<NewMoveJson>();
    generator.subschema_for::<GameJson>();
    generator.subschema_for::<HintJson>();
    generator.subschema_for::<LoginJson>();
    generator.subschema_for::<JoinJson>();
    generator.subschema_for::<SetUpJson>();
    generator.subschema_for::<PersonJson>();
    generator.subschema_for::<PersonChangeJson>();
    generator.subschema_for::<NewPasswordJson>();
    generator.subschema_for::<NewTokenJson>();
    generator.subschema_for::<NewInvitationsJson>();
    generator.subschema_for::<AssignmentDraft>();
    generator.subschema_for::<AssignmentJson>();
    generator.subschema_for::<ClassSettingsJson>();
    class_schemas(&mut generator);
    let definitions: Value = generator.take_definitions(true).into();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The API of nimatron serve",
        "requests": {
            "GET /api/v1/problems": { "200": list("Problem") },
            "GET /api/v1/problems/{id}": { "200": to("ProblemDetails") },
            "POST /api/v1/runs": { "body": to("NewRun"), "202": { "type": "object", "properties": { "id": { "type": "string" } } } },
            "POST /api/v1/judgings": { "body": "a program with its options and limits, as `nimatron grade --cluster` sends it", "202": { "type": "object", "properties": { "id": { "type": "string" } } } },
            "POST /api/v1/runs/cancel": { "body": to("CancelRuns"), "200": { "type": "object", "properties": { "cancelled": { "type": "integer" } } } },
            "GET /api/v1/runs": { "200": list("Run") },
            "GET /api/v1/runs/{id}": { "200": to("Run") },
            "GET /api/v1/runs/{id}/events": { "200": "server-sent events: `data` is an event in the format of `nimatron run --json`, and `id` is the number of the event; progress events have no `id`" },
            "GET /api/v1/runs/{id}/report": { "200": "the report of an ended run", "204": "the run ended without a report" },
            "GET /api/v1/runs/{id}/source": { "200": "the program, as text" },
            "DELETE /api/v1/runs/{id}": { "204": "cancelled" },
            "POST /api/v1/stress": { "body": to("NewSearch"), "202": { "type": "object", "properties": { "id": { "type": "string" } } } },
            "GET /api/v1/stress": { "200": list("Search") },
            "GET /api/v1/stress/{id}": { "200": to("Search") },
            "GET /api/v1/stress/{id}/events": { "200": "server-sent events: `id` is the number of the event for stress_started, stress_found, stress_shrunk and stress_finished; stress_progress events have no `id`" },
            "DELETE /api/v1/stress/{id}": { "204": "cancelled" },
            "POST /api/v1/stress/{id}/keep": { "200": to("KeptTest") },
            "GET /api/v1/problems/{id}/tests": { "200": list("OwnTest") },
            "DELETE /api/v1/problems/{id}/tests/{name}": { "204": "removed" },
            "POST /api/v1/games": { "body": to("NewGame"), "201": to("Game") },
            "GET /api/v1/games/{id}": { "200": to("Game") },
            "POST /api/v1/games/{id}/moves": { "body": to("GameMove"), "200": to("Game") },
            "POST /api/v1/games/{id}/undo": { "200": to("Game") },
            "POST /api/v1/games/{id}/hint": { "200": to("GameHint") },
        },
        "$defs": definitions,
    });
    if let Value::Object(requests) = &mut schema["requests"] {
        requests.extend(requests_of_a_class());
        requests.extend(class_requests());
    }
    Ok(json_of(StatusCode::OK, &schema))
}

/// Returns a reference to the schema with this name.
fn to(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Returns the schema of a list of values that have the schema with this name.
fn list(name: &str) -> Value {
    json!({ "type": "array", "items": to(name) })
}

/// Returns the requests that only a server with accounts supports.
fn requests_of_a_class() -> Map<String, Value> {
    let requests = json!({
        "POST /api/v1/session": { "body": to("Login"), "200": to("Person") },
        "DELETE /api/v1/session": { "204": "logged out" },
        "POST /api/v1/join": { "body": to("Join"), "200": to("Person") },
        "POST /api/v1/setup": { "body": to("SetUp"), "200": to("Person") },
        "GET /api/v1/me": { "200": to("Person") },
        "POST /api/v1/me/password": { "body": to("NewPassword"), "204": "changed" },
        "GET /api/v1/me/tokens": { "200": "the tokens, without their secrets" },
        "POST /api/v1/me/tokens": { "body": to("NewToken"), "201": "the token" },
        "DELETE /api/v1/me/tokens/{id}": { "204": "revoked" },
        "GET /api/v1/people": { "200": list("Person") },
        "PATCH /api/v1/people/{id}": { "body": to("PersonChange"), "200": to("Person") },
        "POST /api/v1/people/{id}/reset": { "201": "the link" },
        "GET /api/v1/invitations": { "200": "the open invitations, without their codes" },
        "POST /api/v1/invitations": { "body": to("NewInvitations"), "201": "the links" },
        "DELETE /api/v1/invitations/{id}": { "204": "revoked" },
        "GET /api/v1/assignments": { "200": list("Assignment") },
        "POST /api/v1/assignments": { "body": to("NewAssignment"), "201": to("Assignment") },
        "GET /api/v1/assignments/{id}": { "200": to("Assignment") },
        "PUT /api/v1/assignments/{id}": { "body": to("NewAssignment"), "200": to("Assignment") },
        "DELETE /api/v1/assignments/{id}": { "204": "removed" },
        "GET /api/v1/assignments/{id}/standings": { "200": "one row per student that the caller may see, with one cell per problem" },
        "GET /api/v1/assignments/{id}/standings.csv": { "200": "the standings as CSV" },
        "GET /api/v1/settings": { "200": to("ClassSettings") },
        "PUT /api/v1/settings": { "body": to("ClassSettings"), "200": to("ClassSettings") },
    });
    match requests {
        Value::Object(requests) => requests,
        _ => Map::new(),
    }
}

fn class_schemas(generator: &mut SchemaGenerator) {
    generator.subschema_for::<ClassOverview>();
    generator.subschema_for::<RosterView>();
    generator.subschema_for::<RosterCorrectionJson>();
    generator.subschema_for::<GradebookView>();
    generator.subschema_for::<MarkView>();
    generator.subschema_for::<NewOverride>();
    generator.subschema_for::<UndoJson>();
    generator.subschema_for::<RejudgeJson>();
    generator.subschema_for::<Action>();
    generator.subschema_for::<RulesView>();
    generator.subschema_for::<NewRules>();
    generator.subschema_for::<PreviewView>();
    generator.subschema_for::<ProblemPairsView>();
    generator.subschema_for::<PairView>();
    generator.subschema_for::<AnswerGroupView>();
    generator.subschema_for::<TestsView>();
    generator.subschema_for::<SubmissionView>();
    generator.subschema_for::<DownloadView>();
}

/// Returns the requests for classes.
fn class_requests() -> Map<String, Value> {
    let overview = || json!({ "200": to("ClassOverview") });
    let rows = [
        (
            "POST",
            "",
            json!({
                "body": "multipart/form-data: problems (ids), submissions (a zip file, or parts whose file names are relative paths), name?, start?, policy?, extensions?",
                "202": { "type": "object", "properties": { "id": { "type": "string" } } },
            }),
        ),
        ("GET", "", json!({ "200": list("ClassOverview") })),
        ("GET", "/{id}", overview()),
        ("DELETE", "/{id}", json!({ "204": "deleted with all its files" })),
        (
            "GET",
            "/{id}/events",
            json!({ "200": "server-sent events: mark, state, roster and rules events are numbered, progress events are not; `?after=NUMBER` omits the events up to and including this number" }),
        ),
        ("POST", "/{id}/start", overview()),
        ("POST", "/{id}/pause", overview()),
        ("POST", "/{id}/resume", overview()),
        (
            "POST",
            "/{id}/rejudge",
            json!({ "body": to("Rejudge"), "202": { "type": "object", "properties": { "queued": { "type": "integer" } } } }),
        ),
        ("GET", "/{id}/roster", json!({ "200": to("RosterView") })),
        ("PUT", "/{id}/roster", json!({ "body": list("RosterCorrection"), "200": to("RosterView") })),
        ("GET", "/{id}/gradebook", json!({ "200": to("GradebookView") })),
        ("GET", "/{id}/gradebook.csv", json!({ "200": "the gradebook as CSV, as `nimatron grade` writes it" })),
        ("GET", "/{id}/gradebook.json", json!({ "200": "the gradebook as JSON, as `nimatron grade` writes it" })),
        (
            "POST",
            "/{id}/overrides",
            json!({ "body": to("NewOverride"), "200": { "type": "object", "properties": { "mark": to("MarkView") } } }),
        ),
        (
            "POST",
            "/{id}/overrides/undo",
            json!({ "body": to("UndoOverride"), "200": { "type": "object", "properties": { "mark": to("MarkView") } } }),
        ),
        ("GET", "/{id}/log", json!({ "200": list("LogEntryView") })),
        ("GET", "/{id}/rules", json!({ "200": to("RulesView") })),
        ("PUT", "/{id}/rules", json!({ "body": to("NewRules"), "200": to("RulesView") })),
        ("POST", "/{id}/rules/preview", json!({ "body": to("NewRules"), "200": to("PreviewView") })),
        ("GET", "/{id}/similarity", json!({ "200": list("ProblemPairsView") })),
        ("GET", "/{id}/pairs/{pair}", json!({ "200": to("PairView") })),
        ("GET", "/{id}/groups", json!({ "200": list("AnswerGroupView") })),
        ("GET", "/{id}/tests/{problem}", json!({ "200": to("TestsView") })),
        ("GET", "/{id}/submissions/{student}/{problem}", json!({ "200": to("SubmissionView") })),
        ("GET", "/{id}/downloads", json!({ "200": list("DownloadView") })),
        ("GET", "/{id}/downloads/{name}", json!({ "200": "the file" })),
        (
            "POST",
            "/{id}/downloads/{name}",
            json!({
                "body": "the exported table: a grading worksheet for moodle.csv, a gradebook for canvas.csv",
                "200": { "type": "object", "properties": { "name": { "type": "string" }, "text": { "type": "string" },
                    "unknown": { "type": "array", "items": { "type": "string" } }, "warning": { "type": ["string", "null"] } } },
            }),
        ),
    ];
    rows.into_iter().map(|(method, path, answer)| (format!("{method} /api/v1/classes{path}"), answer)).collect()
}
