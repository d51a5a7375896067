//! Page of a problem: its statement, and the panel for writing and running a program.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use maud::{Markup, PreEscaped, html};

use crate::model::Diagnostic;
use crate::package::Package;
use crate::problem::{Group, Problem};
use crate::service::{AnyProblem, ProblemEntry, ProblemStatement, StatementSample, statement_languages};

use super::super::actor::Actor;
use super::super::api::problems::LanguageParam;
use super::super::error::WebResult;
use super::super::extract::{Path, Query};
use super::super::guard::Visit;
use super::super::state::{UsableLanguage, WebState, blocking};
use super::super::statement::{note_html, statement_html};
use super::layout::{PageFrame, Section, limit, page as frame};

/// A problem with its statement in one language.
pub(in crate::web) struct ReadProblem {
    pub(in crate::web) entry: ProblemEntry,
    pub(in crate::web) language: String,
    pub(in crate::web) languages: Vec<String>,
    pub(in crate::web) html: String,
    pub(in crate::web) samples: Vec<StatementSample>,
    /// Number of samples that the text of the statement contains.
    placed: usize,
    /// Number of tests.
    cases: usize,
}

/// Reads a problem with its statement in the first available language of `wanted`, and otherwise in English or the
/// first available language.
pub(in crate::web) fn read_problem(
    state: &WebState,
    actor: &Actor,
    id: &str,
    wanted: &[String],
) -> WebResult<ReadProblem> {
    let listing = state.listing(actor)?;
    let missing = || listing.unknown(id);
    let entry = listing.entry(id).ok_or_else(missing)?.clone();
    let source = listing.source(&entry.id).ok_or_else(missing)?;
    let found = match source.read(state.service.host().cache().root())? {
        AnyProblem::Native(problem) => of_native(&problem, wanted),
        AnyProblem::Package(package) => of_package(&package, wanted),
    };
    let FoundStatement { statement, language, languages, cases } = found;
    let (html, samples, placed) = match statement {
        Ok(statement) => (statement_html(&statement.markdown), statement.samples, statement.placed),
        // A statement that cannot be shown, such as a PDF, does not prevent submissions.
        Err(error) => (html! { p.notice { (error.message) } }.into_string(), Vec::new(), 0),
    };
    Ok(ReadProblem { entry, language, languages, html, samples, placed, cases })
}

/// The statement of a problem in one language.
struct FoundStatement {
    statement: Result<ProblemStatement, Diagnostic>,
    language: String,
    languages: Vec<String>,
    cases: usize,
}

fn of_native(problem: &Problem, wanted: &[String]) -> FoundStatement {
    let languages = statement_languages(problem);
    let language = chosen(&languages, wanted);
    let statement = ProblemStatement::of_problem(problem, Some(&language));
    FoundStatement { statement, language, languages, cases: problem.groups.iter().map(Group::count).sum() }
}

fn of_package(package: &Package, wanted: &[String]) -> FoundStatement {
    let mut languages: Vec<String> = package.statements.iter().map(|one| one.language.clone()).collect();
    languages.sort_unstable();
    languages.dedup();
    let language = chosen(&languages, wanted);
    let statement = ProblemStatement::of_package(package, (!languages.is_empty()).then_some(&language));
    FoundStatement { statement, language, languages, cases: package.tests().count() }
}

fn chosen(languages: &[String], wanted: &[String]) -> String {
    let mut preferred = wanted.iter().map(String::as_str).chain(["en"]);
    let found = preferred.find(|language| languages.iter().any(|one| one == language));
    found.or(languages.first().map(String::as_str)).unwrap_or("en").to_owned()
}

/// Returns the primary language tags in `Accept-Language`, in the order of preference.
fn accepted_languages(headers: &HeaderMap) -> Vec<String> {
    let text = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut weighed: Vec<(f32, String)> = text
        .split(',')
        .take(20)
        .filter_map(|part| {
            let (name, parameters) = part.split_once(';').unwrap_or((part, ""));
            let weight =
                parameters.trim().strip_prefix("q=").map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
            let primary = name.trim().split('-').next()?.to_ascii_lowercase();
            (!primary.is_empty()).then_some((weight, primary))
        })
        .collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    weighed.into_iter().map(|(_, name)| name).collect()
}

/// Handles `GET /problems/{id}`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
    Query(query): Query<LanguageParam>,
    headers: HeaderMap,
) -> WebResult {
    let languages = state.languages().await?.to_vec();
    blocking(move || {
        let wanted = query.lang.map_or_else(|| accepted_languages(&headers), |language| vec![language]);
        let read = read_problem(&state, &actor, &id, &wanted)?;
        let content = content(&read, actor.person(), &languages);
        let frame_of = PageFrame {
            title: &read.entry.name,
            section: Section::Problems,
            layout: "workbench",
            scripts: &["practise.js"],
            content,
        };
        Ok(frame(&state, &visit, &frame_of))
    })
    .await
}

fn content(read: &ReadProblem, person: &str, installed: &[UsableLanguage]) -> Markup {
    let entry = &read.entry;
    html! {
        article.statement-side lang=(read.language) {
            div.page-title {
                h1 { (entry.name) }
                @if read.languages.len() > 1 {
                    nav.row aria-label="Language of the statement" {
                        @for language in &read.languages {
                            a.chip href=(format!("?lang={language}")) hreflang=(language)
                                aria-current=[(*language == read.language).then_some("true")] { (language) }
                        }
                    }
                }
                p.limits lang="en" {
                    span { "time " @match entry.time { Some(time) => (limit(time)), None => "derived from the solutions" } }
                    span { "memory " (limit(entry.memory)) }
                    @if let Some(source) = &entry.source { span { (source) } }
                }
            }
            div.statement {
                (PreEscaped(&read.html))
                @for (place, sample) in read.samples.iter().enumerate().skip(read.placed) { (sample_block(sample, place + 1)) }
            }
        }
        (work_side(read, person, installed))
    }
}

/// Renders a sample, with buttons that copy its input and output, and a button that puts its input into the
/// input field of the program panel.
fn sample_block(sample: &StatementSample, place: usize) -> Markup {
    let copy = html! { button.button.quiet.small type="button" data-copy { "Copy" } };
    html! {
        section.sample lang="en" {
            h2 { (sample.name) }
            div.copyable {
                h3 { "Input" }
                span.row { button.button.quiet.small type="button" data-use-input { "Use" } (copy) }
                pre { (sample.input) }
            }
            @if let Some(answer) = &sample.answer {
                div.copyable { h3 { "Output" } (copy) pre { (answer) } }
            }
            @if let Some(note) = &sample.note { div.sample-note { (PreEscaped(note_html(note, place))) } }
        }
    }
}

/// Renders the container of the panel for writing and running a program. `practise.js` builds the panel.
fn work_side(read: &ReadProblem, person: &str, installed: &[UsableLanguage]) -> Markup {
    let entry = &read.entry;
    html! {
        section.work-side aria-label="Your program" {
            div.practise data-problem=(entry.id) data-languages=(serde_json::json!(installed).to_string()) data-person=(person)
                data-cases=(read.cases) data-samples=(read.samples.len()) data-cpu-ms=(entry.most.as_micros() / 1_000)
                data-memory-bytes=(entry.memory.get()) {
                noscript {
                    p.notice { "Submitting a program requires JavaScript. In a terminal, use " code { "nimatron run " (entry.id) " PROGRAM" } " instead." }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_follows_the_browser() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, "de;q=0.7, zh-CN, en;q=0.8".parse().unwrap());
        assert_eq!(accepted_languages(&headers), ["zh", "en", "de"]);
        let languages = ["en".to_owned(), "zh".to_owned()];
        let wanted = |language: &str| [language.to_owned()];
        assert_eq!(chosen(&languages, &wanted("zh")), "zh");
        assert_eq!(chosen(&languages, &wanted("fr")), "en");
        assert_eq!(chosen(&languages, &accepted_languages(&headers)), "zh");
        assert_eq!(chosen(&languages[1..], &[]), "zh");
        assert_eq!(chosen(&[], &wanted("fr")), "en");
    }
}
